//! Random worlds, some of them in every test run; `cargo xtask sim A..B` runs as many as wanted.

use sim::cores::on_all_cores;
use sim::seed::{Tally, run_seed};

#[test]
fn random_worlds_keep_every_invariant() {
    // 2060: rounds of two streams, loaded in the order of their streams, ran out of version order.
    let seeds: Vec<u64> = (0..50).chain([2060]).collect();
    let mut tally = Tally::default();
    for outcome in on_all_cores(&seeds, |seed| run_seed(*seed)) {
        match outcome {
            Ok(report) => tally += report.tally,
            Err(failure) => panic!("{failure}"),
        }
    }
    assert!(tally.given_up > 0, "nobody was away for long: {tally}");
    assert!(tally.clocks_doubted > 0, "no clock was behind: {tally}");
    assert!(tally.heard_by_rules > 50, "rules heard little: {tally}");
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for seed in 0..5 {
        let (first, second) = (run_seed(seed).unwrap(), run_seed(seed).unwrap());
        assert_eq!(first, second, "D-SAME: seed {seed}");
        assert!(first.tally.probes > 0, "nothing happened");
    }
}
