//! The pure kernel: it is told the time and what happened, and says what to remember and what to do.
//!
//! Comes in: [`Input`]s. Goes out: [`Record`]s, to be made durable first, and [`Effect`]s, to be
//! started then. Shells (`tidings`, `sim`) call [`Kernel`]. Promises: no clock, no I/O, no threads,
//! no randomness; one step's records are one atom; every open intent is in the state, so that
//! [`Kernel::load`] and `Started` start again what a crash cut off.
//!
//! Start reading at [`io`] (the boundary), then [`record`] (what survives), then `kernel.rs` (the
//! step) and the four flows: `sentinels.rs`, `probes.rs` → `streams.rs` → `rounds.rs` →
//! `notices.rs`.

#[cfg(any())]
pub mod config;
#[cfg(any())]
mod flights;
pub mod io;
#[cfg(any())]
mod kernel;
#[cfg(any())]
mod load;
#[cfg(any())]
mod look;
#[cfg(any())]
mod notices;
#[cfg(any())]
mod probes;
pub mod record;
#[cfg(any())]
mod rounds;
#[cfg(any())]
mod sentinels;
#[cfg(any())]
mod state;
#[cfg(any())]
mod streams;
pub mod view;

#[cfg(any())]
pub use config::{ChannelInfo, Config};
pub use io::{Effect, Input, Output};
#[cfg(any())]
pub use kernel::Kernel;
pub use record::{Record, Snapshot};
