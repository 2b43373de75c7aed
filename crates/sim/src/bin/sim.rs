//! `sim --seeds A..B`: runs the worlds of the seeds from A up to B, on all cores.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

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
    let (detections, captured) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= to {
                return;
            }
            match sim::seed::run_seed(seed) {
                Ok(report) => {
                    detections.fetch_add(report.detections, Ordering::Relaxed);
                    captured.fetch_add(report.captured, Ordering::Relaxed);
                }
                Err(failure) => {
                    eprintln!("{failure}");
                    failed.lock().expect("no thread panics while it holds it").push(seed);
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
    let mut failed = failed.into_inner().expect("no thread panics while it holds it");
    failed.sort_unstable();
    println!(
        "{} seeds, {} detections, {} intervals captured, {} failures {failed:?}",
        to.saturating_sub(from),
        detections.into_inner(),
        captured.into_inner(),
        failed.len()
    );
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(seeds: &str) -> Option<(u64, u64)> {
    let (from, to) = seeds.split_once("..")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}
