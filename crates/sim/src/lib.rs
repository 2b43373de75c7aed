//! The other shell: a simulated web, recipients, disk and crashes, in virtual time.
//!
//! Comes in: a `.case` file, a seed, or a recorded page history. Goes out: a trace and what differs
//! from the expected one, the first invariant that broke, or what would have been told. Tests,
//! `cargo xtask sim` and `tidings replay` call it. Promises: no clock, no threads, no randomness
//! but the seed's; the same input gives the same trace.
//!
//! Start reading at [`story`] and [`seed`], then `shell.rs` (the loop, the same as the server's
//! engine).
//!
//! | invariant | where it is judged |
//! |---|---|
//! | I-BUDGET | `oracle.rs` (per chronon, per host, holds), `shell/work.rs` (what is in flight) |
//! | weights, waiting | `oracle/crowd.rs`: where more looks are due than may be made, those that
//! bring most go first, and none waits while the limits allow one |
//! | calendar | `world/wall.rs`, `oracle/listening.rs`: days keep their time of day where clocks
//! are changed, by a table of the oracle's own |
//! | digests | `oracle/digests.rs`: one goes once the last look of its window is done or missed |
//! | I-STORED | `oracle/letters.rs`: both versions of every message are stored |
//! | I-ONCE | `oracle/letters.rs`, `trace.rs`: one key, one body; one acknowledgement; one key a
//! fact |
//! | giving up | `oracle/letters.rs`: only after a day of running and a dozen tries |
//! | retention | `Oracle::finish`: what is shown and what is compared with stays |
//! | clocks | `clocks.rs`: one that is behind the store is waited for; `ahead.rs`: one that was
//! ahead ends nothing, moves nothing, and loses nothing |
//! | I-FOLD | `invariant.rs`: a kernel loaded from the store equals the one that lives |
//! | I-TWIN | `oracle.rs`, `oracle/listening.rs`: every sentinel on its own, nothing shared |
//! | RULES | `oracle/rules.rs`: rules hear what the detector's slow twin finds in all that
//! happened, what rules raise included; sentinels that they enable and disable are judged as such |
//! | L-QUIET | `Oracle::finish`: all is told, drained, captured and up to date |
//! | D-SAME | `tests/seeds.rs`: the same seed gives the same trace |

#[cfg(test)]
mod ahead;
mod case;
mod clocks;
pub mod cores;
mod disk;
#[doc(hidden)]
pub mod evidence;
mod invariant;
mod moment;
mod oracle;
mod pace;
mod people;
#[cfg(test)]
mod promised;
pub mod replay;
pub mod seed;
mod shell;
mod smaller;
pub mod story;
#[cfg(test)]
mod together;
mod trace;
mod web;
mod world;
