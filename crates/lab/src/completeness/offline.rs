//! The offline approximation: solve the choices' linear program, round it.

use super::bound;
use crate::cli::LabError;
use schedule::completeness::{Instance, Schedule, local_ratio};
use std::time::Duration;

/// Fractional local ratio. After about so much time the program's solver stops, and what it has is
/// rounded: a schedule within the budget all the same, whose factor nobody promises. Rounding takes
/// its time after that.
///
/// # Errors
/// A sentence, where there are too many choices or costs differ.
pub fn approximate(instance: &Instance, limit: Duration) -> Result<Schedule, LabError> {
    let choices =
        local_ratio::choices(instance).map_err(|refusal| LabError::Input(refusal.to_string()))?;
    let relaxed = bound::relax_choices(instance, &choices, limit);
    Ok(local_ratio::round(instance, &choices, &relaxed.y))
}
