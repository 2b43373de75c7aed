//! `sim --seeds A..B`: runs the worlds of the seeds from A up to B, on all cores.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const NEVER_POISONED: &str = "no thread panics while it holds it";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seeds = match &arguments[..] {
        [flag, seeds] if flag == "--seeds" => parse(seeds),
        _ => None,
    };
    let Some((from, to)) = seeds else {
        eprintln!("usage: sim --seeds A..B");
        return ExitCode::from(2);
    };
    let (next, failed) = (AtomicU64::new(from), Mutex::new(Vec::new()));
    let tally = Mutex::new(sim::seed::Tally::default());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= to {
                return;
            }
            match sim::seed::run_seed(seed) {
                Ok(report) => *tally.lock().expect(NEVER_POISONED) += report.tally,
                Err(failure) => {
                    eprintln!("{failure}");
                    failed.lock().expect(NEVER_POISONED).push(seed);
                }
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let mut failed = failed.into_inner().expect(NEVER_POISONED);
    failed.sort_unstable();
    let (seeds, tally) = (to.saturating_sub(from), tally.into_inner().expect(NEVER_POISONED));
    println!("{seeds} seeds: {tally}; {} failures {failed:?}", failed.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(seeds: &str) -> Option<(u64, u64)> {
    let (from, to) = seeds.split_once("..")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}
