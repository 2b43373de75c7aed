//! What happened together: a detector of composite events, after Snoop (Chakravarthy and others,
//! VLDB 1994) with the intervals of SnoopIB (Adaikkalavan and Chakravarthy, 2006).
//!
//! Comes in: expressions with a context, signals in the order in which they happen, the time.
//! Goes out: what was detected for which rule, with everything that took part; and the changes of
//! the rows that the state can be loaded from. Promises: pure; O(log n) for the order of nodes and
//! timers, and O(1) amortised per signal and open occurrence that takes part; bounded state, and
//! what a bound drops is counted; equal to the slow twin that recomputes each operator from the
//! whole history. A rule detects what it would detect alone, whatever other rules share with it.
//!
//! Start reading at [`Expr`], then [`Detector`]. What each operator keeps and raises is in
//! `operate.rs`; `docs/theory.md`, Events and rules, has the table.

mod detector;
mod expr;
mod load;
mod occurrence;
mod operate;
mod rows;
pub mod slow;

pub use detector::{Detected, Detector, Limits, Sizes, Subscription, Waiting};
pub use expr::{Context, Expr, Operator, Shape, Signal, Step, TooMuch};
pub use occurrence::{Mark, Occurrence, What};
pub use rows::{Change, Corrupt, Key, NodeId, Note, Row};
