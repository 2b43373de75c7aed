//! The pure kernel: it is told the time and what happened, and says what to remember and what to
//! do.
//!
//! Comes in: [`Input`]s. Goes out: [`Record`]s, to be made durable first, and [`Effect`]s, to be
//! started then. Shells (`tidings`, `sim`) call [`Kernel`]. Promises: no clock, no I/O, no threads,
//! no randomness; one step's records are one atom; every open intent is in the state, so that
//! [`Kernel::load`] and `Started` start again what a crash cut off.
//!
//! Start reading at [`io`] (the boundary), then [`record`] (what survives), then `kernel.rs` (the
//! step) and `kernel/switch.rs` (which fact reaches whom). Then the owners, each with state of its
//! own: `watch.rs` (what is looked at, and when), `hear.rs` (who hears of what entered a stream),
//! `life.rs` (sentinels), `notices.rs` (whom to tell).

mod config;
mod event;
mod few;
mod flights;
mod hear;
pub mod io;
mod kernel;
mod life;
mod notices;
mod owners;
mod packed;
mod queue;
pub mod record;
mod timers;
pub mod vetting;
pub mod view;
mod watch;

pub use config::{ChannelBook, ChannelInfo, Config};
pub use io::{Effect, Input, Output};
pub use kernel::Kernel;
pub use record::{Record, Snapshot};
pub use vetting::{Defined, Definitions, Occasion, Proposal, Purpose, Rules, Vetted};
