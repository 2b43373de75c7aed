//! What a rule's condition asks of what sentinels found.

use change::{RoundResult, Thing};
use kernel::io::{Question, TextTest};
use outbox::Detection;
use regex::{Regex, RegexBuilder};
use store::{Reader, StoreError};

/// The size of a compiled regular expression; the language allows a quarter of it.
const REGEX_BYTES_MAX: usize = 1 << 20;

/// Which tests hold, in their order. What is not stored any more passes none.
///
/// # Errors
/// What the store says if it may pass; damage counts as nothing found.
pub fn judge(reader: &dyn Reader, question: &Question) -> Result<Vec<bool>, StoreError> {
    let mut found = Vec::new();
    for id in &question.detections {
        let Some(detection) = reader.detection(*id)? else { continue };
        found.extend(hits(reader, &detection)?);
    }
    let holds = |test: &TextTest| match test {
        TextTest::Matches(pattern) => {
            let compiled = RegexBuilder::new(pattern).size_limit(REGEX_BYTES_MAX).build();
            compiled.is_ok_and(|regex| found.iter().any(|hit| hit.has(&regex)))
        }
        TextTest::Value(operator, bound) => {
            let last = found.iter().rev().find_map(Hit::value);
            last.is_some_and(|value| operator.holds(value, *bound))
        }
    };
    Ok(question.tests.iter().map(holds).collect())
}

/// A change that some leaf of a detection keeps.
struct Hit {
    old: Option<Thing>,
    new: Option<Thing>,
}

impl Hit {
    /// A text of it that a reader sees matches.
    fn has(&self, regex: &Regex) -> bool {
        [&self.old, &self.new].into_iter().flatten().any(|thing| regex.is_match(thing.text()))
    }

    /// The number that it shows now.
    fn value(&self) -> Option<f64> {
        match &self.new {
            Some(Thing::Value { value, .. }) => value.parse().ok(),
            _ => None,
        }
    }
}

fn hits(reader: &dyn Reader, detection: &Detection) -> Result<Vec<Hit>, StoreError> {
    let mut results: Vec<Option<RoundResult>> = Vec::new();
    for piece in &detection.evidence {
        let bytes = match reader.blob(piece.result) {
            Ok(bytes) => bytes,
            Err(StoreError::Damaged(_)) => None,
            Err(error) => return Err(error),
        };
        results.push(bytes.and_then(|bytes| change::decode(&bytes).ok()));
    }
    let mut hits = Vec::new();
    for place in detection.combinations.iter().flatten() {
        let result = results.get(place.evidence as usize).and_then(Option::as_ref);
        let compared = result.and_then(|one| one.comparisons.get(place.comparison as usize));
        let Some(compared) = compared else { continue };
        let Some(leaf) = compared.leaves.get(place.leaf as usize) else { continue };
        let changes = leaf.hits.iter().filter_map(|&hit| compared.changes.get(hit as usize));
        hits.extend(changes.map(|change| Hit { old: change.old.clone(), new: change.new.clone() }));
    }
    Ok(hits)
}
