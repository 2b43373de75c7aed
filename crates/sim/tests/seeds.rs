//! Random worlds, a few of them with all assertions; the test command runs 2,000 more, and
//! `cargo xtask sim A..B` as many as wanted.

use sim::cores::on_all_cores;
use sim::seed::{Tally, run_seed};

#[test]
fn random_worlds_keep_every_invariant() {
    // 2060: rounds of two streams, loaded in the order of their streams, ran out of version order.
    let seeds: Vec<u64> = (0..12).chain([2060]).collect();
    for outcome in on_all_cores(&seeds, |seed| run_seed(*seed)) {
        if let Err(failure) = outcome {
            panic!("{failure}");
        }
    }
}

#[test]
fn worlds_in_which_too_little_happens_prove_nothing() {
    assert_eq!(Tally::default().lacks(500), Some("nobody was away for long"));
    assert_eq!(Tally::default().lacks(5), None, "chance");
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for seed in 0..5 {
        let (first, second) = (run_seed(seed).unwrap(), run_seed(seed).unwrap());
        assert_eq!(first, second, "D-SAME: seed {seed}");
        assert!(first.tally.probes > 0, "nothing happened");
    }
}
