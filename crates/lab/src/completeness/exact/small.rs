//! Branch and cut in pure Rust.

use super::{Best, Model};
use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOptions, SolveOutcome, Variable,
};
use std::time::{Duration, Instant};

/// How far a column may be from a whole number, and a row from its limit: parts of a probe let
/// through that part of a utility, which may be large beside all that can be captured.
const TOLERANCE: f64 = 1e-10;

/// The best solution that is found in time, begun at `start`.
pub fn best(model: &Model, start: &[f64], limit: Duration) -> Best {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let worth = model.utilities.iter().map(|utility| utility / model.unit);
    let whole = worth.map(|worth| problem.add_var(worth, (0.0, 1.0)));
    let mut variables: Vec<Variable> = whole.collect();
    variables.extend(model.slots.iter().map(|_| problem.add_binary_var(0.0)));
    for (coefficients, most) in &model.rows {
        let mut row = LinearExpr::empty();
        for &(column, coefficient) in coefficients {
            row.add(variables[column], coefficient);
        }
        problem.add_constraint(row, ComparisonOp::Le, *most);
    }
    let mut options = SolveOptions::default();
    options.time_limit = Some(limit);
    options.mip_gap = 0.0;
    options.int_tol = TOLERANCE;
    options.tolerances.feasibility = TOLERANCE;
    let probes = variables.iter().copied().zip(start.iter().copied());
    options.warm_start = Some(probes.skip(model.utilities.len()).collect());
    let started = Instant::now();
    let outcome = problem.solve_with(options.clone()).or_else(|_| {
        // There are starts from which the simplex reaches no optimum that it can verify.
        options.warm_start = None;
        options.time_limit = Some(limit.saturating_sub(started.elapsed()));
        problem.solve_with(options)
    });
    match outcome {
        Ok(SolveOutcome::Solution(solution)) => Best {
            x: Some(variables.iter().map(|&variable| solution.var_value(variable)).collect()),
            bound: solution.stats().best_bound.map(|bound| bound * model.unit),
        },
        _ => Best { x: None, bound: None },
    }
}
