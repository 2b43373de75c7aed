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
//! ```
//! use policies::completeness::rules::Kind;
//! use policies::completeness::{Builder, DeadCeis, Preemption, Rule, run_online};
//!
//! // Source 0 in chronons 0 … 1 and source 1 in 2 … 3, together; source 2 in 0 … 0 and source 3 in
//! // 2 … 2, together.
//! let mut builder = Builder::new();
//! builder.profile(0, 1.0, vec![vec![(0, 0, 1), (1, 2, 3)]]);
//! builder.profile(1, 1.0, vec![vec![(2, 0, 0), (3, 2, 2)]]);
//! let instance = builder.build(vec![1.0; 4])?;
//! let mut rule = Rule::new(Kind::SEdf, Preemption::On, DeadCeis::Drop);
//! let schedule = run_online(&instance, &mut rule);
//! assert_eq!(schedule.picks, [[2], [0], [3], [1]]);
//! assert_eq!(schedule.outcome(&instance).captured, 2);
//! # Ok::<(), policies::completeness::Malformed>(())
//! ```
//!
//! **Costs.** A policy goes through its sources in order; a source is picked if its cost fits what
//! is left of the chronon's budget, else it is passed over and the next one is tried. The order
//! itself knows nothing of costs in the papers' rules.

pub mod gain;
pub mod instance;
mod largest;
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
pub use schedule::{Gained, Schedule};
pub use state::{OnlinePolicy, State, run_online};
