//! Baselines, offline methods and bounds: what probing policies are measured against.
//!
//! Comes in: instances of complex execution intervals, rates of change, or postings as probes
//! retrieve them, and a budget. Goes out: the sources to probe in each chronon, and what no
//! schedule can beat. The laboratory, the benchmarks and tests call it; the server does not.
//! Promises: pure and deterministic for a seed; an online policy sees the past alone. It may use
//! `schedule`, whose parts some policies are made of, never the reverse.
//!
//! Each of the literature's problems is a module with its policies, offline methods and bounds:
//! [`completeness`], [`probing`], [`delay`]. [`rates`] estimates a rate from a whole history. Start
//! reading at the module of your problem; [`Dice`] is the chance that all of them draw from.

#![warn(missing_docs)]

pub mod completeness;
pub mod delay;
mod dice;
pub mod probing;
pub mod rates;

pub use dice::Dice;
