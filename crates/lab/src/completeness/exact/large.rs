//! HiGHS, behind the feature `highs`.

use super::{Best, Model};
use highs::{HighsModelStatus, HighsSolutionStatus, RowProblem, Sense};
use std::time::Duration;

/// The best solution that is found in time, begun at `start`. One thread, so that the same
/// instance has the same answer.
pub fn best(model: &Model, start: &[f64], limit: Duration) -> Best {
    let mut problem = RowProblem::default();
    let worth = model.utilities.iter().map(|utility| utility / model.unit);
    let whole = worth.map(|worth| problem.add_column(worth, 0.0..=1.0));
    let mut columns: Vec<_> = whole.collect();
    columns.extend(model.slots.iter().map(|_| problem.add_integer_column(0.0, 0.0..=1.0)));
    for (coefficients, most) in &model.rows {
        let row = coefficients.iter().map(|&(column, factor)| (columns[column], factor));
        problem.add_row(..=*most, row);
    }
    let mut search = problem.optimise(Sense::Maximise);
    search.make_quiet();
    search.set_option("threads", 1);
    search.set_option("time_limit", limit.as_secs_f64());
    search.set_option("mip_rel_gap", 0.0);
    search.set_option("mip_abs_gap", 0.0);
    search.set_solution(Some(start), None, None, None);
    let Ok(solved) = search.try_solve() else {
        return Best { x: None, bound: None };
    };
    let found = solved.primal_solution_status() == HighsSolutionStatus::Feasible;
    let bound = match solved.status() {
        HighsModelStatus::Optimal => Some(solved.objective_value()),
        _ => solved.double_info_value(c"mip_dual_bound").ok().filter(|bound| bound.is_finite()),
    };
    let bound = bound.map(|bound| bound * model.unit);
    Best { x: found.then(|| solved.get_solution().columns().to_vec()), bound }
}
