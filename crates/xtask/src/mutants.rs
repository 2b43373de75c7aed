//! Mutation tests: small changes of the pure crates that some test must notice. On demand, for a
//! run over all of them takes a night.

use crate::tidy::PURE;
use anyhow::{Result, bail};
use std::path::Path;

/// Crates whose promises others judge beside their own tests: the simulator's stories and worlds,
/// and the slow twins in `policies`.
const JUDGED_BY_OTHERS: &[(&str, &[&str])] = &[
    ("graph", &["sim"]),
    ("kernel", &["sim"]),
    ("outbox", &["sim"]),
    ("policies", &["lab"]),
    ("schedule", &["sim", "policies"]),
];
/// Seconds for the tests of one mutant: most that hang are caught by it.
const TEST_SECONDS: &str = "300";

/// Runs cargo-mutants over `crates`, or over every pure one.
///
/// # Errors
/// A mutant survived, a crate is not pure, or cargo-mutants is not installed.
pub fn run(
    root: &Path,
    crates: &[String],
    shard: Option<&str>,
    function: Option<&str>,
) -> Result<()> {
    let named: Vec<&str> = crates.iter().map(String::as_str).collect();
    let crates = if named.is_empty() { PURE } else { &named[..] };
    let mut survived = Vec::new();
    for name in crates {
        if !PURE.contains(name) {
            bail!("{name} is not one of the pure crates: {}", PURE.join(", "));
        }
        let others = JUDGED_BY_OTHERS.iter().find(|(judged, _)| judged == name);
        let mut tests = vec![*name];
        tests.extend(others.iter().flat_map(|(_, judges)| *judges));
        let tests = tests.join(",");
        let output = format!("target/mutants-{name}");
        let mut args = vec!["mutants", "--package", name, "--test-package", &tests];
        args.extend(["--output", &output, "--timeout", TEST_SECONDS, "--no-shuffle"]);
        args.extend(shard.into_iter().flat_map(|shard| ["--shard", shard]));
        args.extend(function.into_iter().flat_map(|pattern| ["--re", pattern]));
        if crate::cargo(root, &args).is_err() {
            survived.push(format!("{output}/mutants.out/missed.txt"));
        }
    }
    if !survived.is_empty() {
        let lists = survived.join(", ");
        bail!("mutants survived, or cargo-mutants could not run; see {lists}")
    }
    Ok(())
}
