//! The laboratory: the papers' experiments, their baselines, and the bounds they are measured by.
//!
//! Comes in: instances, rates and traces (`docs/formats.md`), or the parameters to generate them.
//! Goes out: one JSON object a line. The binary calls [`run`]. Promises: policies and bounds are
//! those of the crate `policies`, the scheduler is the very code of `schedule` that the server
//! runs; the same seed gives the same output; a malformed file is refused with its line, its field,
//! and what was expected.
//!
//! Start reading at [`cli`].

pub mod cli;
pub mod completeness;
pub mod delay;
mod fuzz;
pub mod probing;
pub mod progress;
pub mod report;
mod rows;
mod table;
pub mod unified;

pub use cli::{Lab, run};
pub use fuzz::fuzz;
