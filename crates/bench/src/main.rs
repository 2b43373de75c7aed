//! Measurements, each beside a baseline of the same run: machines are shared and noisy, ratios
//! travel better than times.
//!
//! Run by `cargo xtask bench [FILTER]`. Every figure is the median of several rounds; rounds of
//! measured and baseline alternate. `cpu` is the processor time of the process, from
//! `/proc/PID/stat`; memory is `VmRSS`. Linux only.
//!
//! Start reading at [`Figure`].

mod disk;
mod events;
mod holds;
mod load;
mod memory;
mod pages;
mod peers;
mod probes;
mod process;
mod scheduler;
mod steps;
mod whittle;

use std::time::{Duration, Instant};

/// Rounds of every figure; the median is quoted.
const ROUNDS: usize = 7;

/// One measurement beside its baseline.
pub struct Figure {
    pub name: String,
    pub measured: f64,
    pub baseline_name: &'static str,
    pub baseline: f64,
    pub unit: &'static str,
}

/// A benchmark: a few figures.
type Benchmark = fn() -> anyhow::Result<Vec<Figure>>;

fn main() -> anyhow::Result<()> {
    fetch::install_tls_provider();
    let mut args = std::env::args().skip(1);
    let filter = args.next().unwrap_or_default();
    if filter == scheduler::BYTES {
        println!("{}", scheduler::bytes(&args.next().unwrap_or_default())?);
        return Ok(());
    }
    if let (load::WRITE | load::START, Some(sentinels), Some(path)) =
        (filter.as_str(), args.next(), args.next())
    {
        return load::part(&filter, &sentinels, &path);
    }
    let benchmarks: [(&str, Benchmark); 11] = [
        ("disk", disk::run),
        ("events", events::run),
        ("page", pages::run),
        ("kernel", steps::run),
        ("engine", holds::run),
        ("start", load::run),
        ("memory", memory::run),
        ("whittle", whittle::run),
        ("scheduler", scheduler::run),
        ("probe", probes::run),
        ("peers", peers::run),
    ];
    println!("{:<58} {:>12} {:>12} {:>7}  baseline", "figure", "measured", "baseline", "ratio");
    for (name, benchmark) in benchmarks {
        if !name.contains(&filter) {
            continue;
        }
        for figure in benchmark()? {
            print(&figure);
        }
    }
    Ok(())
}

fn print(figure: &Figure) {
    let Figure { name, measured, baseline_name, baseline, unit } = figure;
    let ratio = measured / baseline;
    println!(
        "{name:<58} {:>12} {:>12} {ratio:>7.2}  {baseline_name}",
        format!("{measured:.4} {unit}"),
        format!("{baseline:.4} {unit}"),
    );
}

/// Medians of the times of `measured` and `baseline`, in seconds, taken in turn.
fn alternate(mut measured: impl FnMut(), mut baseline: impl FnMut()) -> (f64, f64) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(time(&mut measured));
        theirs.push(time(&mut baseline));
    }
    (median(ours), median(theirs))
}

fn time(work: &mut impl FnMut()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().max(Duration::from_nanos(1)).as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
