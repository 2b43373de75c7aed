//! `tidings lab grid`: one parameter at a time around the papers' baseline, each cell as shares of
//! the LP bound.

mod cells;
mod measure;
mod runs;

use crate::cli::LabError;
use crate::progress::Progress;
use cells::{Cell, cells};
use clap::Args;
use measure::{Foresight, Measured, measure};
use runs::{Runs, quoted};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// How `gain` and the papers' policies do over a grid of instances
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub struct GridArgs {
    /// Repetitions of each cell, with seeds from 1
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub repetitions: u64,
    /// Only cells whose name contains this
    #[arg(long)]
    pub only: Option<String>,
    /// Leave out instances with more places to probe than this: their bound may take minutes
    #[arg(long, default_value_t = 8_000_000)]
    pub slots_max: u64,
    /// Seconds after which the bound of an instance is what has been proven by then
    #[arg(long, default_value_t = 600)]
    pub bound_seconds: u64,
    /// Also tell `gain` of each CEI 3, 10 and 100 chronons ahead
    #[arg(long)]
    pub foresight: bool,
    /// Runs made at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub jobs: u32,
    /// Keep every run in this CSV file; runs that are there already are not made again
    #[arg(long, value_name = "FILE")]
    pub runs: Option<PathBuf>,
    /// Make no runs: only what `--runs` has
    #[arg(long, requires = "runs")]
    pub summary: bool,
    /// Also write the cells' means to this CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

/// A line a cell: mean LP bound, and each policy's mean share of it; `"shares": null` where the
/// instances are larger than `--slots-max`. With `--runs` all cells are run once before any is run
/// twice, and the lines come at the end; else a cell's line comes when its runs are made.
///
/// # Errors
/// [`LabError`].
pub fn run(args: &GridArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let wanted = |cell: &Cell| args.only.as_ref().is_none_or(|part| cell.name.contains(part));
    let cells: Vec<Cell> = cells().into_iter().filter(wanted).collect();
    let foresight = if args.foresight { Foresight::Told } else { Foresight::None };
    let mut runs = Runs::open(args.runs.as_deref(), measure::names(foresight))?;
    let all: Vec<usize> = (0..cells.len()).collect();
    let rounds: Vec<(&[usize], core::ops::RangeInclusive<u64>)> = match args.runs {
        Some(_) if args.summary => Vec::new(),
        Some(_) => (1..=args.repetitions).map(|seed| (&all[..], seed..=seed)).collect(),
        None => all.chunks(1).map(|one| (one, 1..=args.repetitions)).collect(),
    };
    let progress = Progress::new(cells.len() as u64 * args.repetitions);
    for (part, seeds) in rounds {
        let jobs = part.iter().flat_map(|&at| seeds.clone().map(move |seed| (at, seed)));
        let open = jobs.filter(|&(at, seed)| !runs.has(&cells[at].name, seed)).collect();
        work(args, &cells, open, &mut runs, &progress)?;
        if args.runs.is_none() {
            let line = line(&cells[part[0]].name, &runs);
            progress.aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
        }
    }
    if args.runs.is_some() {
        cells.iter().try_for_each(|cell| writeln!(out, "{}", line(&cell.name, &runs)))?;
    }
    match &args.csv {
        Some(path) => Ok(std::fs::write(path, table(&cells, &runs))?),
        None => Ok(()),
    }
}

/// Makes the runs, `--jobs` at a time.
fn work(
    args: &GridArgs,
    cells: &[Cell],
    open: VecDeque<(usize, u64)>,
    runs: &mut Runs,
    progress: &Progress,
) -> Result<(), LabError> {
    let (open, runs) = (Mutex::new(open), Mutex::new(runs));
    let worker = || -> Result<(), LabError> {
        loop {
            let job = open.lock().expect("no worker panics with the list").pop_front();
            let Some((at, seed)) = job else { return Ok(()) };
            let cell = &cells[at];
            progress.on(&cell.name);
            if let Some(measured) = one(args, cell, seed)? {
                let mut runs = runs.lock().expect("no worker panics with the runs");
                runs.add(&cell.name, seed, measured)?;
            }
            progress.step();
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker panicked"))
    })
}

fn one(args: &GridArgs, cell: &Cell, seed: u64) -> Result<Option<Measured>, LabError> {
    let instance = cell.instance(seed)?;
    let slots: u64 = instance.eis().iter().map(|ei| u64::from(ei.length())).sum();
    if slots > args.slots_max {
        return Ok(None);
    }
    let foresight = if args.foresight { Foresight::Told } else { Foresight::None };
    Ok(Some(measure(&instance, foresight, Duration::from_secs(args.bound_seconds))))
}

fn line(cell: &str, runs: &Runs) -> Value {
    let Some((repetitions, mean)) = runs.mean(cell) else {
        return json!({"cell": cell, "bound": null, "shares": null, "repetitions": 0});
    };
    let shares: Map<String, Value> = runs
        .names
        .iter()
        .zip(&mean.shares)
        .map(|(&name, &share)| (name.into(), json!(share)))
        .collect();
    let Measured { bound, optimal, .. } = mean;
    json!({"cell": cell, "bound": bound, "shares": shares, "optimal": optimal,
           "repetitions": repetitions})
}

/// The means as CSV; a cell without runs has none.
fn table(cells: &[Cell], runs: &Runs) -> String {
    let names: Vec<String> = runs.names.iter().map(|name| quoted(name)).collect();
    let mut text = format!("cell,repetitions,bound,optimal,{}\n", names.join(","));
    for cell in cells {
        let Some((repetitions, mean)) = runs.mean(&cell.name) else { continue };
        let shares: Vec<String> = mean.shares.iter().map(|share| format!("{share:.4}")).collect();
        let (name, bound, shares) = (quoted(&cell.name), mean.bound, shares.join(","));
        text += &format!("{name},{repetitions},{bound:.3},{},{shares}\n", mean.optimal);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_table_1_with_window_and_overwrite_and_exact_ranks() {
        let names: Vec<String> = cells().into_iter().map(|cell| cell.name).collect();
        for name in ["C=1 window", "C=5 overwrite", "n=100 window", "m=2500 overwrite", "W=20"] {
            assert!(names.iter().any(|own| own == name), "{name}");
        }
        assert_eq!(names.iter().filter(|name| name.starts_with("exact rank")).count(), 5);
        let mut distinct = names.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), names.len());
    }
}
