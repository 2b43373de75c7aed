//! When each source has news: Poisson, or as a trace says.

use super::draw::Draw;
use crate::cli::LabError;
use std::collections::BTreeMap;
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

/// The trace's `sources` busiest sources (ties by name), its span stretched over the chronons.
///
/// # Errors
/// [`LabError::Input`], with line, field and what was expected.
pub fn of_trace(path: &Path, sources: usize, chronons: u32) -> Result<Updates, LabError> {
    let place = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| LabError::Input(format!("{place}: cannot be read: {error}")))?;
    let postings = parse(&text).map_err(|said| LabError::Input(format!("{place}: {said}")))?;
    let times = || postings.values().flatten().copied();
    let first = times().fold(f64::INFINITY, f64::min);
    let span = (times().fold(f64::NEG_INFINITY, f64::max) - first).max(f64::MIN_POSITIVE);
    let chronon =
        |time: f64| (((time - first) / span * f64::from(chronons)) as u32).min(chronons - 1);
    let mut updates: Updates = postings
        .values()
        .map(|times| {
            let mut own: Vec<u32> = times.iter().map(|&time| chronon(time)).collect();
            own.sort_unstable();
            own.dedup();
            own
        })
        .collect();
    updates.sort_by_key(|own| std::cmp::Reverse(own.len()));
    if updates.len() < sources {
        let said = format!(
            "{place}: the trace has {} sources; expected at least the {sources} of --sources",
            updates.len()
        );
        return Err(LabError::Input(said));
    }
    updates.truncate(sources);
    Ok(updates)
}

/// Times of each source.
fn parse(text: &str) -> Result<BTreeMap<&str, Vec<f64>>, String> {
    let mut lines = text.lines().zip(1..);
    let header = lines.next().map(|(line, _)| line.trim()).unwrap_or_default();
    if header != "source,time" && header != "source,time,weight" {
        return Err(format!("line 1: expected the header source,time[,weight], found {header:?}"));
    }
    let fields = header.split(',').count();
    let mut postings: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (line, number) in lines {
        let parts: Vec<&str> = line.split(',').map(str::trim).collect();
        if parts.iter().all(|part| part.is_empty()) {
            continue;
        }
        if parts.len() != fields {
            let found = parts.len();
            return Err(format!("line {number}: expected {fields} fields, found {found}"));
        }
        let time: Option<f64> = parts[1].parse().ok().filter(|time: &f64| time.is_finite());
        let Some(time) = time else {
            let found = parts[1];
            return Err(format!("line {number}, time: expected seconds, found {found:?}"));
        };
        postings.entry(parts[0]).or_default().push(time);
    }
    if postings.is_empty() {
        return Err("expected at least one posting".to_owned());
    }
    Ok(postings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_trace_is_refused_with_line_and_field() {
        assert!(parse("a,b\n").unwrap_err().starts_with("line 1: expected the header"));
        assert_eq!(
            parse("source,time\nx,1\nx,soon\n").unwrap_err(),
            "line 3, time: expected seconds, found \"soon\""
        );
        assert_eq!(parse("source,time\nx\n").unwrap_err(), "line 2: expected 2 fields, found 1");
        assert_eq!(parse("source,time,weight\nx,1.5,2\n").unwrap()["x"], [1.5]);
    }
}
