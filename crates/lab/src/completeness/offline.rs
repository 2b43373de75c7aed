//! The offline approximation: solve the choices' linear program, round it.

use super::bound;
use crate::cli::LabError;
use schedule::completeness::{Instance, Schedule, local_ratio};

/// Fractional local ratio.
///
/// # Errors
/// A sentence, where there are too many choices or costs differ.
pub fn approximate(instance: &Instance) -> Result<Schedule, LabError> {
    let choices =
        local_ratio::choices(instance).map_err(|refusal| LabError::Input(refusal.to_string()))?;
    let relaxed = bound::relax_choices(instance, &choices);
    Ok(local_ratio::round(instance, &choices, &relaxed.y))
}
