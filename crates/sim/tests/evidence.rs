//! What the evidence of flicker costs in memory. It counts the bytes of the whole process, so this
//! test is alone in its program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sim::evidence::{Machine, Stored, machine};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static BYTES: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SOURCES: u32 = 30;
const LOOKS: u32 = 9;
/// Promised of each source.
const BYTES_MAX: i64 = 100;

fn held() -> i64 {
    let stats = BYTES.stats();
    stats.bytes_allocated as i64 - stats.bytes_deallocated as i64
}

/// A machine, what its kernel holds of each source, and what its store has of all.
fn run(page: impl Fn(u32, u32) -> String) -> (Machine, i64, Stored) {
    let before = held();
    let mut machine = machine(SOURCES, LOOKS, page).unwrap();
    let stored = machine.stored().unwrap();
    machine.close();
    let own = (held() - before) / i64::from(SOURCES);
    (machine, own, stored)
}

/// As many lines at each look, of as many bytes, and another page at each.
fn page(lines: impl Fn(u32) -> u32, look: u32) -> String {
    let line = |at| format!("<li>Offer {:06} of the house</li>", lines(at));
    let items: String = (0..30).map(line).collect();
    format!("<h1>Shop</h1><ul>{items}</ul><p>Look number {look}</p>")
}

#[test]
fn evidence_of_flicker_is_in_the_store_and_takes_no_memory() {
    // Each line is another text at every look, and comes back.
    let lines = |look: u32| move |at: u32| (at + 1) * 1_000 + look % 4;
    // What first machines make once for the whole program is no source's.
    drop((run(|_, look| page(|at| at, look)), run(|_, look| page(lines(look), look))));
    let (calm, calm_bytes, calm_stored) = run(|_, look| page(|at| at, look));
    let (wild, wild_bytes, wild_stored) = run(|_, look| page(lines(look), look));
    let versions = u64::from(SOURCES * LOOKS);
    assert_eq!([calm_stored.versions, wild_stored.versions], [versions; 2]);
    let more = (wild_stored.evidence - calm_stored.evidence) as i64 / i64::from(SOURCES);
    println!(
        "of each source: {calm_bytes} and {wild_bytes} bytes in the kernel, {} and {} of evidence in \
         the store",
        calm_stored.evidence / u64::from(SOURCES),
        wild_stored.evidence / u64::from(SOURCES),
    );
    // It would show if it were kept.
    assert!(more > 20 * BYTES_MAX, "{more} bytes more of evidence are in the store");
    assert!(
        wild_bytes - calm_bytes <= BYTES_MAX,
        "evidence takes {} bytes of memory a source",
        wild_bytes - calm_bytes
    );
    drop((calm, wild));
}
