//! `tidings lab probing`: the mean number of undiscovered items under a policy.
//!
//! Given the schedule, the cost is Σ π·τ in expectation; items are drawn only for policies that
//! learn from them. The expectation has less error than the sample and the same mean.

pub mod family;
mod law;
pub mod learning;
mod ledger;
mod moving;
mod rates;

use crate::cli::LabError;
use crate::progress::Progress;
use crate::table::{Column, Table};
use clap::{Args, ValueEnum};
use ledger::Ledger;
use policies::Dice;
use policies::probing::{Found, NAMES, ProbingName, bounds};
pub use rates::{Rates, parse_rates, read_rates};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Most probes per chronon.
const BUDGET_MAX: i64 = 10_000_000;

/// Most chronons of an experiment: more would not come to an end.
const CHRONONS_MAX: u64 = 10_000_000_000;

/// The mean number of undiscovered items under a policy, and what no schedule can beat.
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub struct Probing {
    /// CSV `source,rate`: items per chronon
    #[arg(long, value_name = "FILE")]
    pub rates: PathBuf,
    /// Probes per chronon
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=BUDGET_MAX))]
    pub budget: u32,
    /// One or more of round-robin, max-gain, memoryless, cyclic, price-dyadic, adaptive, whittle,
    /// learned-whittle
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true, value_parser = parse_policy)]
    pub policy: Vec<ProbingName>,
    /// How many chronons to simulate
    #[arg(long, value_name = "CHRONONS", value_parser = clap::value_parser!(u64).range(1..=CHRONONS_MAX))]
    pub chronons: u64,
    /// Chronons at the start that do not count [default: a tenth]
    #[arg(long, value_name = "CHRONONS")]
    pub warm_up: Option<u64>,
    /// How items come
    #[arg(long, value_enum, default_value_t = Process::Poisson)]
    pub process: Process,
    /// The chronon from which the rates are those of --rates-after. Policies that are given the
    /// rates are given the new ones then; those that learn are not told
    #[arg(long, value_name = "CHRONON", requires = "rates_after")]
    pub change_at: Option<u64>,
    /// CSV `source,rate` with the same sources
    #[arg(long, value_name = "FILE", requires = "change_at")]
    pub rates_after: Option<PathBuf>,
    /// Chooses the chances: the same seed gives the same output
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// How items come at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Process {
    /// Any number per chronon, with the rate as mean
    Poisson,
    /// At most one per chronon, with the rate as its chance
    Bernoulli,
}

fn parse_policy(name: &str) -> Result<ProbingName, String> {
    ProbingName::parse(name).ok_or_else(|| {
        let names: Vec<&str> = NAMES.iter().map(|row| row.0).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// One line of output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    pub policy: &'static str,
    /// Mean undiscovered items over the chronons that count.
    pub cost: f64,
    /// With a change of rates, the mean over the counted chronons before and after it of each
    /// side's bound; the same for the other two.
    pub lower_bound: f64,
    pub lower_bound_capped: f64,
    pub lower_bound_paper: f64,
    pub ratio: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_before: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_after: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound_before: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound_after: Option<f64>,
}

/// What is simulated, without the policy.
#[derive(Debug)]
pub struct Trial {
    pub rates: Vec<f64>,
    /// The chronon from which other rates hold, and those.
    pub after: Option<(u64, Vec<f64>)>,
    pub budget: u32,
    pub chronons: u64,
    pub warm_up: u64,
    pub process: Process,
    pub seed: u64,
}

/// Runs the experiment and writes a line per policy.
///
/// # Errors
/// A file that is not as `docs/formats.md` says, parameters that do not fit, or an output that
/// breaks.
pub fn run(options: &Probing, out: &mut dyn Write) -> Result<(), LabError> {
    let trial = read_world(options)?;
    let bounds = Bounds::of(&trial);
    let mut columns = COLUMNS.to_vec();
    if trial.after.is_none() {
        columns.retain(|column| !column.0.starts_with("cost_"));
    }
    let progress = Progress::new(options.policy.len() as u64);
    let mut table = Table::new(columns, options.json, out);
    for &name in &options.policy {
        progress.on(name_of(name));
        let outcome = bounds.judge(name, &trial, &simulate(name, &trial));
        progress.aside(|| table.fields(&outcome))?;
        progress.step();
    }
    Ok(())
}

/// The columns of the table.
const COLUMNS: [Column; 6] = [
    ("policy", 14),
    ("cost", 14),
    ("lower_bound", 14),
    ("ratio", 9),
    ("cost_before", 14),
    ("cost_after", 14),
];

fn name_of(name: ProbingName) -> &'static str {
    NAMES.iter().find(|row| row.1 == name).expect("every policy has its name").0
}

fn read_world(options: &Probing) -> Result<Trial, LabError> {
    let before = read_rates(&options.rates, options.process)?;
    let after = match (options.change_at, &options.rates_after) {
        (Some(at), Some(path)) => Some((at, before.matched(path, options.process)?)),
        _ => None,
    };
    let warm_up = options.warm_up.unwrap_or(options.chronons / 10);
    let wrong = |what: String| Err(LabError::Input(what));
    if warm_up >= options.chronons {
        let chronons = options.chronons;
        return wrong(format!("--warm-up {warm_up}: expected less than --chronons {chronons}"));
    }
    if let Some(at) = options.change_at
        && !(1..options.chronons).contains(&at)
    {
        let last = options.chronons - 1;
        return wrong(format!("--change-at {at}: expected a chronon in 1 … {last}"));
    }
    Ok(Trial {
        rates: before.rates,
        after,
        budget: options.budget,
        chronons: options.chronons,
        warm_up,
        process: options.process,
        seed: options.seed,
    })
}

/// The three bounds, over the counted chronons.
struct Bounds {
    tightest: f64,
    capped: f64,
    paper: f64,
    sides: Option<(f64, f64)>,
}

impl Bounds {
    fn of(trial: &Trial) -> Bounds {
        let budget = f64::from(trial.budget);
        let all = |rates: &[f64]| {
            let (tightest, capped) =
                (bounds::tightest(rates, budget), bounds::capped(rates, budget));
            [tightest, capped, bounds::paper(rates, budget)]
        };
        let before = all(&trial.rates);
        let Some((at, rates)) = &trial.after else {
            let [tightest, capped, paper] = before;
            return Bounds { tightest, capped, paper, sides: None };
        };
        let after = all(rates);
        let counted = (trial.chronons - trial.warm_up) as f64;
        let share = at.saturating_sub(trial.warm_up) as f64 / counted;
        let [tightest, capped, paper] =
            std::array::from_fn(|i| share * before[i] + (1.0 - share) * after[i]);
        Bounds { tightest, capped, paper, sides: Some((before[0], after[0])) }
    }

    fn judge(&self, name: ProbingName, trial: &Trial, ledger: &Ledger) -> Outcome {
        let changes = trial.after.is_some();
        let cost = ledger.cost();
        Outcome {
            policy: name_of(name),
            cost,
            lower_bound: self.tightest,
            lower_bound_capped: self.capped,
            lower_bound_paper: self.paper,
            ratio: cost / self.tightest,
            cost_before: changes.then(|| ledger.cost_before()),
            cost_after: changes.then(|| ledger.cost_after()),
            lower_bound_before: self.sides.map(|sides| sides.0),
            lower_bound_after: self.sides.map(|sides| sides.1),
        }
    }
}

/// Runs one policy through the trial.
#[must_use]
pub fn simulate(name: ProbingName, trial: &Trial) -> Ledger<'_> {
    let mut policy = name.start(&trial.rates, trial.budget, trial.seed);
    let mut dice = Dice::new(trial.seed ^ 0x6974_656d_735f_5f5f);
    let mut ledger = Ledger::new(trial);
    let mut picks = Vec::new();
    for now in 0..trial.chronons {
        if let Some((at, rates)) = &trial.after
            && *at == now
        {
            policy.rates_changed(now, rates);
        }
        picks.clear();
        policy.choose(now, &mut picks);
        debug_assert!(picks.len() <= trial.budget as usize);
        for &node in &picks {
            let last = ledger.last(node);
            ledger.probe(node, now);
            if name.learns() && now > last {
                let items = draw(trial, node, last, now, &mut dice);
                policy.found(now, Found { node, gap: now - last, items });
            }
        }
    }
    ledger.close();
    ledger
}

/// The items that came at a node in the chronons from `last` to before `now`.
fn draw(trial: &Trial, node: u32, last: u64, now: u64, dice: &mut Dice) -> u64 {
    let (change, later) = match &trial.after {
        Some((at, rates)) => (*at, rates[node as usize]),
        None => (u64::MAX, 0.0),
    };
    let rate = trial.rates[node as usize];
    let before = change.clamp(last, now) - last;
    let after = now - last - before;
    match trial.process {
        Process::Poisson => dice.poisson(rate * before as f64 + later * after as f64),
        Process::Bernoulli => dice.binomial(before, rate) + dice.binomial(after, later),
    }
}
