//! The pure kernel: it is told the time and what happened, and says what to remember and what to
//! do.
//!
//! Comes in: [`Input`]s. Goes out: [`Record`]s, to be made durable first, and [`Effect`]s, to be
//! started then. Shells (`tidings`, `sim`) call [`Kernel`]. Promises: no clock, no I/O, no threads,
//! no randomness; one step's records are one atom; every open intent is in the state, so that
//! [`Kernel::load`] and `Started` start again what a crash cut off.
//!
//! Start reading at [`io`] (the boundary), then [`record`] (what survives), then `kernel.rs` (the
//! step) and the four flows: `sentinels.rs`, `probes.rs` (and `redirects.rs`) → `streams.rs` →
//! `rounds.rs` → `notices.rs`.

mod addresses;
pub mod amend;
mod config;
mod doubt;
mod extracting;
mod flights;
mod generations;
mod health;
mod ids;
pub mod io;
mod kernel;
mod load;
mod look;
mod notices;
mod probes;
pub mod record;
mod redirects;
mod retention;
mod rounds;
mod sentinels;
mod spread;
mod state;
mod streams;
mod turns;
pub mod vetting;
pub mod view;
mod windows;

pub use config::{ChannelInfo, Config};
pub use io::{Effect, Input, Output};
pub use kernel::Kernel;
pub use record::{Record, Snapshot};
pub use vetting::{Purpose, Rules, Vetted};
