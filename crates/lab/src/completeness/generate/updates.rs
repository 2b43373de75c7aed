//! When each source has news: Poisson, or as a trace says.

use super::draw::Draw;
use crate::cli::LabError;
use crate::delay::{Trace, read_trace};
use std::path::Path;

/// Chronons of each source's updates, ascending, at most one a chronon.
pub type Updates = Vec<Vec<u32>>;

/// Each source has a Poisson number of updates, in distinct chronons, each set as likely.
pub fn poisson(sources: usize, chronons: u32, intensity: f64, chance: &mut Draw) -> Updates {
    let one = |_| {
        let count = chance.poisson(intensity).min(u64::from(chronons)) as usize;
        chance.subset(count, chronons as usize).into_iter().map(|t| t as u32).collect()
    };
    (0..sources).map(one).collect()
}

/// As [`of_trace`], from a file.
///
/// # Errors
/// [`LabError::Input`], with line, field and what was expected.
pub fn of_file(path: &Path, sources: usize, chronons: u32) -> Result<Updates, LabError> {
    let prefix = |error: LabError| LabError::Input(format!("{}: {error}", path.display()));
    of_trace(&read_trace(path)?, sources, chronons).map_err(prefix)
}

/// The trace's `sources` busiest sources (ties by name), its span stretched over the chronons.
///
/// # Errors
/// That it has fewer.
pub fn of_trace(trace: &Trace, sources: usize, chronons: u32) -> Result<Updates, LabError> {
    let times = || trace.postings.iter().flatten().map(|posting| posting.time);
    let first = times().fold(f64::INFINITY, f64::min);
    let span = (trace.end() - first).max(f64::MIN_POSITIVE);
    let chronon =
        |time: f64| (((time - first) / span * f64::from(chronons)) as u32).min(chronons - 1);
    let mut named: Vec<(&String, Vec<u32>)> = Vec::new();
    for (name, postings) in trace.sources.iter().zip(&trace.postings) {
        let mut own: Vec<u32> = postings.iter().map(|posting| chronon(posting.time)).collect();
        own.dedup();
        named.push((name, own));
    }
    named.sort_by_key(|(name, own)| (std::cmp::Reverse(own.len()), *name));
    if named.len() < sources {
        let said = format!(
            "the trace has {} sources; expected at least the {sources} of --sources",
            named.len()
        );
        return Err(LabError::Input(said));
    }
    named.truncate(sources);
    Ok(named.into_iter().map(|(_, own)| own).collect())
}
