//! `tidings lab grid`: one parameter at a time around the papers' baseline, each cell as shares of
//! the LP bound.

use super::bound;
use super::generate::{AuctionWatch, Window, generate};
use crate::cli::LabError;
use crate::progress::Progress;
use clap::Args;
use schedule::completeness::gain::{Discount, Plan, Portfolio};
use schedule::completeness::rules::Kind;
use schedule::completeness::wic::Wic;
use schedule::completeness::{
    Builder, DeadCeis, Instance, OnlinePolicy, Preemption, Rule, run_online,
};
use serde_json::{Map, Value, json};
use std::io::Write;

/// How `gain` and the papers' policies do over a grid of instances
#[derive(Debug, Args)]
pub struct GridArgs {
    /// Repetitions of each cell, with seeds from 1
    #[arg(long, default_value_t = 10)]
    pub repetitions: u64,
    /// Only cells whose name contains this
    #[arg(long)]
    pub only: Option<String>,
    /// Leave out instances with more places to probe than this: their bound takes minutes
    #[arg(long, default_value_t = 400_000)]
    pub slots_max: u64,
    /// Also tell `gain` of each CEI 3, 10 and 100 chronons ahead
    #[arg(long)]
    pub foresight: bool,
}

/// One point of the grid.
struct Cell {
    name: String,
    params: AuctionWatch,
    budget: f64,
}

/// The baseline: W = 10, n = 1000, m = 100, C = 1, λ = 20, rank ≤ 3, α = 0.3, β = 0, K = 1000.
fn baseline() -> AuctionWatch {
    AuctionWatch {
        rank: 3,
        exact_rank: false,
        profiles: 100,
        sources: 1000,
        chronons: 1000,
        intensity: Some(20.0),
        window: Window::Chronons(10),
        alpha: 0.3,
        beta: 0.0,
        no_overlap: false,
        seed: 1,
        trace: None,
    }
}

fn cells() -> Vec<Cell> {
    let mut all: Vec<Cell> = Vec::new();
    let mut cell = |name: String, budget: f64, change: &dyn Fn(&mut AuctionWatch)| {
        for (kind, window) in [("window", None), ("overwrite", Some(Window::Overwrite))] {
            let mut params = baseline();
            change(&mut params);
            params.window = window.unwrap_or(params.window);
            all.push(Cell { name: format!("{name} {kind}"), params, budget });
        }
    };
    for c in 1..=5_u8 {
        cell(format!("C={c}"), f64::from(c), &|_| {});
    }
    for n in [100, 200, 500] {
        cell(format!("n={n}"), 1.0, &|p| p.sources = n);
    }
    for m in [200, 500, 1000, 2500] {
        cell(format!("m={m}"), 1.0, &|p| p.profiles = m);
    }
    for intensity in [10.0, 30.0, 40.0, 50.0] {
        cell(format!("λ={intensity}"), 1.0, &|p| p.intensity = Some(intensity));
    }
    for rank in [1, 2, 4, 5] {
        cell(format!("rank≤{rank}"), 1.0, &|p| p.rank = rank);
    }
    for exponent in [0.0, 0.5, 1.0, 1.37, 2.0] {
        cell(format!("α={exponent}"), 1.0, &|p| p.alpha = exponent);
    }
    for exponent in [0.5, 1.0, 1.5, 2.0] {
        cell(format!("β={exponent}"), 1.0, &|p| p.beta = exponent);
    }
    for (rank, w) in [(2, 0), (3, 0), (4, 0), (5, 0), (3, 10)] {
        let name = format!("exact rank {rank}, W={w}");
        let params =
            AuctionWatch { rank, exact_rank: true, window: Window::Chronons(w), ..baseline() };
        all.push(Cell { name, params, budget: 1.0 });
    }
    for w in [0, 2, 5, 15, 20] {
        let params = AuctionWatch { window: Window::Chronons(w), ..baseline() };
        all.push(Cell { name: format!("W={w}"), params, budget: 1.0 });
    }
    all
}

type Column = (String, f64);

/// Value of every policy, then of `gain` told ahead, on one instance.
fn shares(instance: &Instance, foresight: bool) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut column = |name: &str, instance: &Instance, policy: &mut dyn OnlinePolicy| {
        let value = run_online(instance, policy).outcome(instance).value;
        columns.push((name.to_owned(), value));
    };
    let kinds = [("s-edf", Kind::SEdf), ("mrsf", Kind::Mrsf), ("m-edf", Kind::MEdf)];
    for (name, kind) in kinds {
        for (suffix, mode) in [("", Preemption::On), (" np", Preemption::Off)] {
            let mut rule = Rule::new(kind, mode, DeadCeis::Drop);
            column(&format!("{name}{suffix}"), instance, &mut rule);
        }
    }
    column("wic", instance, &mut Wic::default());
    column("discount .3", instance, &mut Discount::new(0.3));
    column("discount .5", instance, &mut Discount::new(0.5));
    column("plan", instance, &mut Plan::new());
    column("gain", instance, &mut Portfolio::new(instance));
    if foresight {
        for ahead in [3, 10, 100] {
            let told = instance.with_foresight(ahead);
            column(&format!("gain, told {ahead} ahead"), &told, &mut Portfolio::new(&told));
        }
    }
    columns
}

fn build(params: &AuctionWatch, budget: f64) -> Result<Instance, LabError> {
    let mut builder = Builder::new();
    for (id, ceis) in generate(params)?.into_iter().enumerate() {
        builder.profile(id as u64, 1.0, ceis);
    }
    let budget = vec![budget; params.chronons as usize];
    builder.build(budget).map_err(|malformed| LabError::Input(malformed.to_string()))
}

/// A line a cell: mean LP bound, and each policy's mean share of it; `"shares": null` where the
/// instances are larger than `--slots-max`.
///
/// # Errors
/// [`LabError`].
pub fn run(args: &GridArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let wanted = |cell: &Cell| args.only.as_ref().is_none_or(|part| cell.name.contains(part));
    let cells: Vec<Cell> = cells().into_iter().filter(wanted).collect();
    let progress = Progress::new(cells.len() as u64 * args.repetitions);
    for cell in cells {
        progress.on(&cell.name);
        let mut sums: Map<String, Value> = Map::new();
        let (mut bounds, mut done) = (0.0, 0.0);
        for seed in 1..=args.repetitions {
            let instance = build(&AuctionWatch { seed, ..cell.params.clone() }, cell.budget)?;
            let slots: u64 = instance.eis().iter().map(|ei| u64::from(ei.length())).sum();
            if slots > args.slots_max {
                break;
            }
            let bound = bound::relax(&instance).bound;
            bounds += bound;
            done += 1.0;
            for (name, value) in shares(&instance, args.foresight) {
                let before = sums.get(&name).and_then(Value::as_f64).unwrap_or(0.0);
                sums.insert(name, json!(before + value / bound));
            }
            progress.step();
        }
        let mean = |sum: &Value| json!(sum.as_f64().unwrap_or(0.0) / done);
        let shares: Map<String, Value> =
            sums.iter().map(|(name, sum)| (name.clone(), mean(sum))).collect();
        let shares = if done > 0.0 { Value::Object(shares) } else { Value::Null };
        let bound = if done > 0.0 { json!(bounds / done) } else { Value::Null };
        let line = json!({"cell": cell.name, "bound": bound, "shares": shares});
        progress.aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
    }
    Ok(())
}
