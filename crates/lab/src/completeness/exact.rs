//! The exact integer program: with microlp for small instances, with the feature `highs` for
//! larger ones.

#[cfg(feature = "highs")]
mod large;
#[cfg(any(test, not(feature = "highs")))]
mod small;

#[cfg(feature = "highs")]
use large as search;
#[cfg(not(feature = "highs"))]
use small as search;

use super::bound;
use crate::cli::LabError;
use policies::completeness::packing::greedy_packing;
use policies::completeness::rules::Kind;
use policies::completeness::{DeadCeis, Gained, Instance, Preemption, Rule, Schedule, run_online};
use std::time::{Duration, Instant};

/// What the search found.
#[derive(Debug, Clone)]
pub struct Exact {
    /// The best schedule found.
    pub schedule: Schedule,
    /// No schedule is worth more than this.
    pub bound: f64,
    /// Whether the schedule reaches the bound.
    pub optimal: bool,
}

/// How much below a whole number a sum of whole utilities may come out; what part of a bound a
/// schedule that reaches it may be below it.
const ROUNDING: f64 = 1e-6;

/// What part of the largest utility a bound may be above the optimum.
const NOISE: f64 = 1e-10;

/// How much below a whole number of probes a budget of that number may come out.
const WHOLE: f64 = 1e-9;

/// Most slots of a program: the search would not come to an end.
const SLOTS_MAX: u64 = 2_000_000;

/// Whether the program of this instance fits into memory.
///
/// # Errors
/// A sentence, if its EIs are more than [`SLOTS_MAX`] chronons long in all.
pub fn check_size(instance: &Instance) -> Result<(), LabError> {
    let slots = instance.eis().iter().map(|ei| u64::from(ei.length())).sum::<u64>();
    if slots <= SLOTS_MAX {
        return Ok(());
    }
    Err(LabError::Input(format!(
        "exact: the EIs are {slots} chronons long in all; expected at most {SLOTS_MAX}: take \
         lp-bound, or a smaller instance"
    )))
}

/// The best schedule, or what the search has of it when `limit` is over.
#[must_use]
pub fn solve(instance: &Instance, limit: Duration) -> Exact {
    let started = Instant::now();
    let relaxed = bound::relax_within(instance, limit / 3);
    let mut exact = Exact {
        schedule: heuristic(instance),
        bound: tight(instance, relaxed.bound),
        optimal: false,
    };
    let value = exact.schedule.outcome(instance).value;
    let left = limit.saturating_sub(started.elapsed());
    let noise = NOISE * unit(instance);
    let reaches = |value: f64, bound: f64| value >= bound * (1.0 - ROUNDING) - noise;
    if !reaches(value, exact.bound) && !left.is_zero() {
        let model = Model::new(instance);
        let best = search::best(&model, &model.start(&exact.schedule), left);
        if let Some(x) = &best.x {
            let found = model.schedule(instance, x);
            if found.is_within_budget(instance) && found.outcome(instance).value > value {
                exact.schedule = found;
            }
        }
        if let Some(bound) = best.bound {
            exact.bound = exact.bound.min(tight(instance, bound));
        }
    }
    let value = exact.schedule.outcome(instance).value;
    exact.optimal = reaches(value, exact.bound);
    exact.bound = if exact.optimal { value } else { exact.bound };
    exact
}

/// The largest utility; 1 if all are 0.
fn unit(instance: &Instance) -> f64 {
    let largest = instance.ceis().iter().map(|cei| cei.utility).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// A bound on whole utilities may be rounded down.
fn tight(instance: &Instance, bound: f64) -> f64 {
    let whole = instance.ceis().iter().all(|cei| cei.utility.fract() == 0.0);
    if whole { (bound + ROUNDING * (1.0 + bound.abs())).floor() } else { bound }
}

/// The best that costs nothing to find.
fn heuristic(instance: &Instance) -> Schedule {
    let kinds = [Kind::SEdf, Kind::Mrsf, Kind::MEdf];
    let rules = kinds
        .map(|kind| run_online(instance, &mut Rule::new(kind, Preemption::On, DeadCeis::Drop)));
    let all = rules.into_iter().chain([greedy_packing(instance)]);
    let worth = |schedule: &Schedule| -> Gained { schedule.outcome(instance) };
    all.max_by(|a, b| worth(a).value.total_cmp(&worth(b).value)).expect("there are four")
}

/// Maximise Σ utility·y with y ≤ Σ s for each EI and Σ cost·s ≤ C for each chronon; the first
/// columns are the y in [0, 1], the others the s in {0, 1}. Where these are whole, so are those.
struct Model {
    utilities: Vec<f64>,
    /// Searches count in it, as their tolerances are absolute: see [`unit`].
    unit: f64,
    /// (chronon, source) of each s, ascending.
    slots: Vec<(u32, u32)>,
    /// `coefficients · x ≤ limit`
    rows: Vec<(Vec<(usize, f64)>, f64)>,
}

/// What a budget buys, in dearest probes: where all cost the same, only whole ones.
fn affordable(row: &[(usize, f64)], budget: f64) -> f64 {
    let all_alike = row.iter().all(|probe| probe.1 >= 1.0);
    if all_alike { (budget * (1.0 + WHOLE) + WHOLE).floor() } else { budget }
}

/// What a search found in its time.
struct Best {
    /// A value of every column, if a solution was found.
    x: Option<Vec<f64>>,
    bound: Option<f64>,
}

impl Model {
    fn new(instance: &Instance) -> Self {
        let covered = instance.eis().iter();
        let covered = covered.flat_map(|ei| (ei.start..=ei.finish).map(|t| (t, ei.source)));
        let mut slots: Vec<(u32, u32)> = covered.collect();
        slots.sort_unstable();
        slots.dedup();
        let ceis = instance.ceis().len();
        let column = |slot| ceis + slots.binary_search(&slot).expect("every slot was gathered");
        let mut rows = Vec::new();
        for ei in instance.eis() {
            let probes = (ei.start..=ei.finish).map(|t| (column((t, ei.source)), -1.0));
            let row: Vec<(usize, f64)> = probes.chain([(ei.cei as usize, 1.0)]).collect();
            rows.push((row, 0.0));
        }
        let mut at = ceis;
        for own in slots.chunk_by(|a, b| a.0 == b.0) {
            let cost = |&(_, source): &(u32, u32)| instance.costs()[source as usize];
            let dearest = own.iter().map(cost).fold(0.0, f64::max);
            let cost = |slot: &(u32, u32)| cost(slot) / dearest;
            let row: Vec<(usize, f64)> = (at..).zip(own.iter().map(cost)).collect();
            let most = affordable(&row, instance.budget()[own[0].0 as usize] / dearest);
            rows.push((row, most));
            at += own.len();
        }
        let utilities = instance.ceis().iter().map(|cei| cei.utility).collect();
        Self { utilities, unit: unit(instance), slots, rows }
    }

    /// A schedule as values of the columns.
    fn start(&self, schedule: &Schedule) -> Vec<f64> {
        let probed = |&(t, source): &(u32, u32)| schedule.picks[t as usize].contains(&source);
        let mut x = vec![1.0; self.utilities.len()];
        x.extend(self.slots.iter().map(|slot| f64::from(u8::from(probed(slot)))));
        for (row, _) in &self.rows {
            let (mut cei, mut probes) = (None, 0.0);
            for &(column, _) in row {
                if column < self.utilities.len() {
                    cei = Some(column);
                } else {
                    probes += x[column];
                }
            }
            if let (Some(cei), true) = (cei, probes < 1.0) {
                x[cei] = 0.0;
            }
        }
        x
    }

    fn schedule(&self, instance: &Instance, x: &[f64]) -> Schedule {
        let mut schedule = Schedule::empty(instance.chronons());
        for (&(t, source), value) in self.slots.iter().zip(&x[self.utilities.len()..]) {
            if *value > 0.5 {
                schedule.picks[t as usize].push(source);
            }
        }
        schedule
    }
}

#[cfg(all(test, feature = "highs"))]
mod tests {
    use super::*;
    use crate::completeness::generate::{AuctionWatch, Window, generate};
    use policies::completeness::Builder;

    fn auctions(seed: u64) -> Instance {
        let params = AuctionWatch {
            rank: 3,
            exact_rank: false,
            profiles: 8,
            sources: 10,
            chronons: 40,
            intensity: Some(4.0),
            window: Window::Chronons(3),
            alpha: 0.5,
            beta: 0.0,
            no_overlap: false,
            seed,
            trace: None,
        };
        let mut builder = Builder::new();
        for (id, ceis) in generate(&params).expect("they can be").into_iter().enumerate() {
            builder.profile(id as u64, 1.0 + (id % 3) as f64 / 4.0, ceis);
        }
        builder.costs((0..10).map(|source| 1.0 + f64::from(source % 2)).collect());
        builder.build(vec![2.0; 40]).expect("it is well formed")
    }

    #[test]
    fn highs_finds_what_microlp_finds() {
        for seed in 0..10 {
            let instance = auctions(seed);
            let model = Model::new(&instance);
            let start = model.start(&heuristic(&instance));
            let values = [large::best, small::best].map(|search| {
                let best = search(&model, &start, Duration::from_secs(600));
                let schedule = model.schedule(&instance, &best.x.expect("the start is a solution"));
                assert!(schedule.is_within_budget(&instance));
                let value = schedule.outcome(&instance).value;
                assert!(best.bound.is_some_and(|bound| (bound - value).abs() < 1e-6 * value));
                value
            });
            assert!((values[0] - values[1]).abs() < 1e-9 * values[0], "{seed}: {values:?}");
        }
    }

    #[test]
    fn highs_keeps_its_time() {
        let instance = auctions(3);
        let model = Model::new(&instance);
        let schedule = heuristic(&instance);
        let best = large::best(&model, &model.start(&schedule), Duration::ZERO);
        let most = solve(&instance, Duration::from_secs(600)).bound;
        assert!(best.bound.is_none_or(|bound| bound >= most * (1.0 - 1e-9)));
    }
}
