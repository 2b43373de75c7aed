//! `tidings lab completeness`: the policies of `policies::completeness` on an instance from a file,
//! beside the bounds.

pub mod bound;
pub mod exact;
pub mod file;
pub mod generate;
pub mod grid;
pub mod offline;
mod run;
mod server;

pub use run::{CompletenessArgs, Policy, run};
pub use server::Server;
