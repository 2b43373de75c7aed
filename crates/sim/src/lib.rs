//! The other shell: a simulated web, recipients, disk and crashes, in virtual time.
//!
//! Comes in: a `.case` file, or a seed. Goes out: a trace and what differs from the expected one,
//! or the first invariant that broke. Tests and `cargo xtask sim` call it. Promises: no clock, no
//! threads, no randomness but the seed's; the same input gives the same trace.
//!
//! Start reading at [`story`], then `shell.rs` (the loop, the same as the server's engine).

mod case;
mod invariant;
mod moment;
mod oracle;
mod pace;
mod people;
pub mod seed;
mod shell;
mod smaller;
pub mod story;
mod trace;
mod web;
mod world;
