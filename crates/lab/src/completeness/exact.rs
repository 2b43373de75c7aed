//! The exact integer program, for instances small enough.

use super::bound::{self, Slots};
use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOptions, SolveOutcome, Variable,
};
use schedule::completeness::packing::greedy_packing;
use schedule::completeness::rules::Kind;
use schedule::completeness::{DeadCeis, Instance, Outcome, Preemption, Rule, Schedule, run_online};
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

/// How much below a whole number a sum of whole utilities may come out.
const ROUNDING: f64 = 1e-6;

/// The best schedule, or what the search has of it when `limit` is over. The relaxation is solved
/// before, whatever it takes.
#[must_use]
pub fn solve(instance: &Instance, limit: Duration) -> Exact {
    let started = Instant::now();
    let relaxed = bound::relax(instance);
    let mut exact = Exact {
        schedule: heuristic(instance),
        bound: tight(instance, relaxed.bound),
        optimal: false,
    };
    let value = exact.schedule.outcome(instance).value;
    if relaxed.optimal && reaches(value, exact.bound) {
        exact.optimal = true;
        return exact;
    }
    let left = limit.saturating_sub(started.elapsed());
    let model = Model::new(instance);
    let mut options = SolveOptions::default();
    options.time_limit = Some(left);
    options.mip_gap = 0.0;
    options.warm_start = Some(model.start(&exact.schedule));
    if let Ok(SolveOutcome::Solution(solution)) = model.problem.solve_with(options) {
        let found = model.schedule(instance, &|variable| solution.var_value(variable));
        if found.is_within_budget(instance) && found.outcome(instance).value > value {
            exact.schedule = found;
        }
        if let Some(best) = solution.stats().best_bound {
            exact.bound = exact.bound.min(tight(instance, best));
        }
    }
    exact.optimal = reaches(exact.schedule.outcome(instance).value, exact.bound);
    if exact.optimal {
        exact.bound = exact.schedule.outcome(instance).value;
    }
    exact
}

fn reaches(value: f64, bound: f64) -> bool {
    value >= bound - ROUNDING * (1.0 + bound.abs())
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
    let worth = |schedule: &Schedule| -> Outcome { schedule.outcome(instance) };
    all.max_by(|a, b| worth(a).value.total_cmp(&worth(b).value)).expect("there are four")
}

struct Model {
    problem: Problem,
    probes: Vec<((u32, u32), Variable)>,
}

impl Model {
    fn new(instance: &Instance) -> Self {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let slots = Slots::of(instance);
        let y: Vec<Variable> =
            instance.ceis().iter().map(|cei| problem.add_var(cei.utility, (0.0, 1.0))).collect();
        let s: Vec<Variable> = slots.columns.iter().map(|_| problem.add_binary_var(0.0)).collect();
        for ei in instance.eis() {
            let mut row = LinearExpr::empty();
            row.add(y[ei.cei as usize], 1.0);
            for t in ei.start..=ei.finish {
                row.add(s[slots.columns[&(t, ei.source)]], -1.0);
            }
            problem.add_constraint(row, ComparisonOp::Le, 0.0);
        }
        let probes: Vec<_> = slots.columns.into_iter().map(|(slot, at)| (slot, s[at])).collect();
        for own in probes.chunk_by(|a, b| a.0.0 == b.0.0) {
            let mut row = LinearExpr::empty();
            for &((_, source), variable) in own {
                row.add(variable, instance.costs()[source as usize]);
            }
            let budget = instance.budget()[own[0].0.0 as usize];
            problem.add_constraint(row, ComparisonOp::Le, budget);
        }
        Self { problem, probes }
    }

    fn start(&self, schedule: &Schedule) -> Vec<(Variable, f64)> {
        let value = |(t, source): (u32, u32)| {
            f64::from(u8::from(schedule.picks[t as usize].contains(&source)))
        };
        self.probes.iter().map(|&(slot, variable)| (variable, value(slot))).collect()
    }

    fn schedule(&self, instance: &Instance, value: &dyn Fn(Variable) -> f64) -> Schedule {
        let mut schedule = Schedule::empty(instance.chronons());
        for &((t, source), variable) in &self.probes {
            if value(variable) > 0.5 {
                schedule.picks[t as usize].push(source);
            }
        }
        schedule
    }
}
