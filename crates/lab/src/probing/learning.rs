//! `tidings lab learning`: what it costs not to know the rates.

use super::family::{Family, SOURCES_MAX, normal};
use super::law::Law;
use super::moving::{Measured, Moving, Stretch};
use super::{BUDGET_MAX, parse_policy};
use crate::cli::LabError;
use clap::{Args, ValueEnum};
use policies::Dice;
use policies::probing::{NAMES, ProbingName, ProbingPolicy};
use serde::Serialize;
use std::io::Write;

/// Cost ÷ lower bound of a policy that learns the rates, by probes per node since the start and
/// since a change
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub struct LearningArgs {
    /// How many sources
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=SOURCES_MAX))]
    pub sources: u32,
    /// Probes per chronon
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=BUDGET_MAX))]
    pub budget: u32,
    /// Repetitions, each with rates and chances of its own
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,
    /// Which families of rates [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub family: Vec<Family>,
    /// Items per probe
    #[arg(long, value_name = "X", value_delimiter = ',', default_values_t = [0.5, 2.0])]
    pub per_probe: Vec<f64>,
    /// One or more policies that learn: adaptive, learned-whittle
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "learned-whittle", value_parser = parse_policy)]
    pub policy: Vec<ProbingName>,
    /// Also a learner, `law`, that is told how the rates are spread and when they are permuted, and
    /// only not whose is which; it takes them for steady between
    #[arg(long)]
    pub law: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// One line of output: mean ratios of cost to the tightest bound over the seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub policy: &'static str,
    pub family: String,
    pub items_per_probe: f64,
    pub sources: u32,
    pub seeds: u64,
    /// Over probes 10–15 per node.
    pub start: f64,
    /// Over probes 25–30 per node.
    pub later: f64,
    /// All rates are permuted after 30 probes per node: over probes 0–5, 10–15 and 25–30 after it.
    pub permuted_at_once: f64,
    pub permuted: f64,
    pub permuted_later: f64,
    /// Every probe per node, each rate is multiplied by a chance: over probes 20–40.
    pub drift: f64,
    /// The worst seed's `start` and `permuted`.
    pub start_worst: f64,
    pub permuted_worst: f64,
}

/// Most items per probe: sums of them are counted exactly.
const PER_PROBE_MAX: f64 = 1e6;

/// Standard deviation of the logarithm of a rate's step, where rates drift.
const DRIFT: f64 = 0.1;

/// Runs the grid and writes a line per cell.
///
/// # Errors
/// Items per probe that are no positive number, or an output that breaks.
pub fn run(options: &LearningArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let can_be = |x: &&f64| **x > 0.0 && **x <= PER_PROBE_MAX;
    if let Some(wrong) = options.per_probe.iter().find(|x| !can_be(x)) {
        let what = format!("--per-probe {wrong}: expected items per probe, above 0, at most 1e6");
        return Err(LabError::Input(what));
    }
    if !options.json {
        writeln!(
            out,
            "{:<14} {:<11} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
            "policy", "family", "items", "10-15", "25-30", "new 0-5", "10-15", "25-30", "drift"
        )?;
    }
    let named = options.policy.iter().copied().map(Candidate::Policy);
    for learner in named.chain(options.law.then_some(Candidate::Law)) {
        for &family in families(options) {
            for &items in &options.per_probe {
                let row = measure(options, learner, family, items);
                write_row(&row, options.json, out)?;
            }
        }
    }
    Ok(())
}

fn families(options: &LearningArgs) -> &[Family] {
    if options.family.is_empty() { Family::value_variants() } else { &options.family }
}

fn write_row(row: &Row, json: bool, out: &mut dyn Write) -> Result<(), LabError> {
    if json {
        serde_json::to_writer(&mut *out, row).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{:<14} {:<11} {:>5}", row.policy, row.family, row.items_per_probe)?;
        let Row { start, later, permuted_at_once, permuted, permuted_later, drift, .. } = *row;
        for ratio in [start, later, permuted_at_once, permuted, permuted_later, drift] {
            write!(out, " {ratio:>7.4}")?;
        }
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// Who learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidate {
    Policy(ProbingName),
    /// As [`LearningArgs::law`].
    Law,
}

impl Candidate {
    fn name(self) -> &'static str {
        let Candidate::Policy(name) = self else { return "law" };
        NAMES.iter().find(|row| row.1 == name).expect("every policy has its name").0
    }

    fn start(self, trial: &Moving, deals: &[u64]) -> Box<dyn ProbingPolicy> {
        let rates = &trial.stretches[0].rates;
        match self {
            Candidate::Policy(name) => name.start(rates, trial.budget, trial.seed),
            Candidate::Law => Box::new(Law::new(rates, trial.budget, deals)),
        }
    }
}

/// One cell, over all seeds.
#[must_use]
pub fn measure(options: &LearningArgs, who: Candidate, family: Family, items: f64) -> Row {
    let total = items * f64::from(options.budget);
    let mut ratios = Vec::new();
    for seed in 1..=options.seeds {
        let mut dice = Dice::new(seed);
        let rates = family.rates(options.sources as usize, total, &mut dice);
        let mut all = permuted(options, who, &rates, seed);
        all.push(drifting(options, who, &rates, seed));
        ratios.push(all);
    }
    let mean = |i: usize| ratios.iter().map(|all| all[i]).sum::<f64>() / ratios.len() as f64;
    let worst = |i: usize| ratios.iter().map(|all| all[i]).fold(0.0, f64::max);
    let label = family.to_possible_value().expect("no family is hidden");
    Row {
        policy: who.name(),
        family: label.get_name().to_owned(),
        items_per_probe: items,
        sources: options.sources,
        seeds: options.seeds,
        start: mean(0),
        later: mean(1),
        permuted_at_once: mean(2),
        permuted: mean(3),
        permuted_later: mean(4),
        drift: mean(5),
        start_worst: worst(0),
        permuted_worst: worst(3),
    }
}

/// Chronons in which every node is probed once on average.
fn round(options: &LearningArgs) -> u64 {
    u64::from(options.sources.div_ceil(options.budget))
}

fn permuted(options: &LearningArgs, who: Candidate, rates: &[f64], seed: u64) -> Vec<f64> {
    let round = round(options);
    let mut after = rates.to_vec();
    let mut dice = Dice::new(seed ^ 0x7065_726d);
    for i in (1..after.len()).rev() {
        after.swap(i, dice.below(i as u64 + 1) as usize);
    }
    let stretches = vec![
        Stretch { start: 0, rates: rates.to_vec() },
        Stretch { start: 30 * round, rates: after },
    ];
    let trial = Moving { stretches, budget: options.budget, seed };
    let windows = [(10, 15), (25, 30), (30, 35), (40, 45), (55, 60)];
    let mut policy = who.start(&trial, &[30 * round]);
    ratios(&trial, policy.as_mut(), &windows.map(|(from, to)| (from * round, to * round)))
}

fn drifting(options: &LearningArgs, who: Candidate, rates: &[f64], seed: u64) -> f64 {
    let round = round(options);
    let total: f64 = rates.iter().sum();
    let mut dice = Dice::new(seed ^ 0x6472_6966);
    let mut rates = rates.to_vec();
    let mut stretches = Vec::new();
    for i in 0..40 {
        stretches.push(Stretch { start: i * round, rates: rates.clone() });
        rates.iter_mut().for_each(|rate| *rate *= (DRIFT * normal(&mut dice)).exp());
        let sum: f64 = rates.iter().sum();
        rates.iter_mut().for_each(|rate| *rate *= total / sum);
    }
    let trial = Moving { stretches, budget: options.budget, seed };
    let mut policy = who.start(&trial, &[]);
    ratios(&trial, policy.as_mut(), &[(20 * round, 40 * round)])[0]
}

fn ratios(trial: &Moving, policy: &mut dyn ProbingPolicy, windows: &[(u64, u64)]) -> Vec<f64> {
    let measured = trial.run(policy, windows);
    measured.iter().map(|Measured { cost, bound }| cost / bound).collect()
}
