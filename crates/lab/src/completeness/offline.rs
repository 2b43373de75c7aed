//! The offline approximation: solve the choices' linear program, round it.

use super::bound;
use crate::cli::LabError;
use policies::completeness::{Instance, Schedule, local_ratio};
use std::time::{Duration, Instant};

/// Fractional local ratio, in about so much time: three quarters for the program's solver, which
/// then stops, and the rest to round what it has. What is not rounded by then is taken as it fits:
/// a schedule within the budget all the same, whose factor nobody promises.
///
/// # Errors
/// A sentence, where there are too many choices or costs differ.
pub fn approximate(instance: &Instance, limit: Duration) -> Result<Schedule, LabError> {
    let began = Instant::now();
    let choices =
        local_ratio::choices(instance).map_err(|refusal| LabError::Input(refusal.to_string()))?;
    let relaxed = bound::relax_choices(instance, &choices, limit - limit / 4);
    let go_on = || began.elapsed() < limit;
    Ok(local_ratio::round_while(instance, &choices, &relaxed.y, go_on))
}
