//! Completeness: which complex execution intervals (CEIs) can be captured, and who is probed for
//! them (Roitman, Gal and Raschid).
//!
//! Comes in: an [`Instance`]. Goes out: a [`Schedule`], the sources probed in each chronon, which
//! [`Schedule::outcome`] counts. The laboratory calls it. Promises: deterministic; an online policy
//! ([`run_online`]) uses of a CEI nothing before the first chronon in which one of its EIs is
//! active, and then may use the whole of it.
//!
//! Start reading at [`State`], the chronon as a policy finds it; then [`Rule`].
//!
//! **Costs.** A policy goes through its sources in order; a source is picked if its cost fits what
//! is left of the chronon's budget, else it is passed over and the next one is tried. The order
//! itself knows nothing of costs in the papers' rules.

pub mod gain;
pub mod instance;
pub mod local_ratio;
pub mod packing;
pub mod rules;
pub mod schedule;
pub mod state;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;
pub mod wic;

pub use instance::{Builder, Cei, Ei, Instance, Malformed, Profile};
pub use rules::{DeadCeis, Preemption, Rule};
pub use schedule::{Outcome, Schedule};
pub use state::{OnlinePolicy, State, run_online};
