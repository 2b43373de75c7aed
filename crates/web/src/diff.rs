//! What changed, from what the store keeps: a detection's changes, and the difference between any
//! two versions.

use crate::App;
use crate::problem::Problem;
use crate::wire::{Change, Detection, Diff, What};
use change::{ChangeType, LeafRef, Limits, RoundResult};
use chronon::{SourceId, VersionNo};
use kernel::record::VersionRow;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{Acquaintance, Reader, StoreError};

/// Changes listed of one detection or difference at most; the total is always told.
const CHANGES_MAX: usize = 1_000;
/// Versions looked at together for one that counts.
const VERSIONS_AT_ONCE: usize = 20;

/// A detection with its changes, as far as they are still stored.
pub(crate) fn detection(
    reader: &dyn Reader,
    row: &outbox::Detection,
) -> Result<Detection, StoreError> {
    let mut detection = Detection::of(row);
    let mut results = Vec::with_capacity(row.evidence.len());
    for piece in &row.evidence {
        let decoded = reader.blob(piece.result)?.map(|bytes| change::decode(&bytes));
        match &decoded {
            None => detection.unreadable = Some("The changes are not kept any more."),
            Some(Err(error)) => {
                tracing::error!(detection = row.id.0, %error, "stored changes cannot be read");
                detection.unreadable = Some("The stored changes cannot be read; the log says why.");
            }
            Some(Ok(_)) => {}
        }
        results.push(decoded.and_then(Result::ok));
    }
    fill(&mut detection, &row.combinations, &results);
    let compared = results.iter().flatten().flat_map(|result| &result.comparisons);
    detection.held_back = compared.fold(0, |sum, one| sum.saturating_add(one.held_back));
    Ok(detection)
}

/// Adds the changes of the results that can be read.
fn fill(detection: &mut Detection, combinations: &[Vec<LeafRef>], results: &[Option<RoundResult>]) {
    let compared = |evidence: u32, comparison: u32| {
        results.get(evidence as usize)?.as_ref()?.comparisons.get(comparison as usize)
    };
    let mut places: BTreeMap<LeafRef, u32> = BTreeMap::new();
    // A change may be kept by several leaves: it is listed once, with all of them.
    let mut changes: BTreeMap<(u32, u32, u32), Vec<u32>> = BTreeMap::new();
    for combination in combinations {
        let mut leaves = Vec::new();
        for &at in combination {
            let compared = compared(at.evidence, at.comparison);
            let Some(hits) = compared.and_then(|c| c.leaves.get(at.leaf as usize)) else {
                continue;
            };
            let place = *places.entry(at).or_insert_with(|| {
                let place = detection.leaves.len() as u32;
                detection.leaves.push(change::label(&hits.leaf));
                detection.changes_total = detection.changes_total.saturating_add(hits.hits_total);
                for &hit in &hits.hits {
                    changes.entry((at.evidence, at.comparison, hit)).or_default().push(place);
                }
                place
            });
            leaves.push(place);
        }
        detection.combinations.push(leaves);
    }
    let listed = changes.into_iter().take(CHANGES_MAX).filter_map(|(place, leaves)| {
        let (evidence, comparison, hit) = place;
        let compared = compared(evidence, comparison)?;
        let change = compared.changes.get(hit as usize)?;
        let source = (results.len() > 1).then_some(evidence);
        Some(Change { source, held_back: None, ..wire(&compared.change_type, change, leaves) })
    });
    detection.changes = listed.collect();
}

/// The two versions of a source that a person wants compared.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    /// The older one; if left out, the one before `to` that counts.
    pub(crate) from: Option<VersionNo>,
    /// The newer one; if left out, the newest that counts.
    pub(crate) to: Option<VersionNo>,
}

/// Two versions of a source with what was extracted of them.
pub(crate) struct Pair {
    pub(crate) older: VersionRow,
    pub(crate) newer: VersionRow,
    pub(crate) old: page::Extract,
    pub(crate) new: page::Extract,
}

/// Loads two versions, hands them to `compare` on a thread that may take its time, and gives back
/// what that says.
pub(crate) async fn of_pair<T: Send + 'static>(
    app: &App,
    source: SourceId,
    versions: Asked,
    compare: impl FnOnce(Pair) -> T + Send + 'static,
) -> Result<T, Problem> {
    let found = app.desk.read(move |reader| pair(reader, source, versions)).await?;
    let (older, newer) = found.map_err(Problem::not_found)?;
    let rows = (older.clone(), newer.clone());
    let blobs = app
        .desk
        .read(move |reader| Ok((extract_of(reader, &rows.0)?, extract_of(reader, &rows.1)?)));
    let (Some(old), Some(new)) = blobs.await? else {
        return Err(Problem::not_found("content stored for these versions"));
    };
    let compared = tokio::task::spawn_blocking(move || {
        let (old, new) = (decode_extract(&old)?, decode_extract(&new)?);
        if old.extractor != new.extractor {
            return Err(Problem::conflict(
                "One of the versions was read by an older Tidings; they cannot be compared.",
            ));
        }
        Ok(compare(Pair { older, newer, old, new }))
    });
    compared.await.map_err(|error| {
        tracing::error!(%error, %source, "two versions could not be compared");
        let detail = "The versions could not be compared; the server's log says why.";
        Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, detail)
    })?
}

/// What differs between two versions of a source.
pub(crate) async fn between(
    app: &App,
    source: SourceId,
    versions: Asked,
    what: What,
) -> Result<Diff, Problem> {
    let change_type = ChangeType::plain(what.0);
    let acquainted = app.desk.read(move |reader| Acquaintance::of(reader, source)).await?;
    let compared = of_pair(app, source, versions, move |pair| {
        let Pair { older, newer, old, new } = pair;
        let numbers = (older.number.0, newer.number.0);
        let (limits, known) = (Limits::default(), acquainted.known());
        let (changes, total) = change::compare_knowing(&old, &new, &change_type, &limits, &known);
        let changes = changes.iter().take(CHANGES_MAX);
        let changes = changes.map(|one| wire(&change_type, one, Vec::new())).collect();
        (numbers, changes, total)
    });
    let (numbers, changes, changes_total) = compared.await?;
    Ok(Diff {
        source_id: source.0,
        from_version: numbers.0,
        to_version: numbers.1,
        what,
        changes,
        changes_total,
    })
}

/// The stored extract of a whole page, if it is there.
pub(crate) fn extract_of(
    reader: &dyn Reader,
    row: &VersionRow,
) -> Result<Option<Arc<[u8]>>, StoreError> {
    row.facts.whole().map_or(Ok(None), |blob| reader.blob(blob))
}

/// The two versions, or what is missing.
fn pair(
    reader: &dyn Reader,
    source: SourceId,
    Asked { from, to }: Asked,
) -> Result<Result<(VersionRow, VersionRow), &'static str>, StoreError> {
    let kept = "such version of this source; it may not be kept any more";
    let newer = match to {
        Some(number) => reader.version(source, number)?,
        None => newest_that_counts(reader, source, None)?,
    };
    let Some(newer) = newer else { return Ok(Err(kept)) };
    let older = match from {
        Some(number) => reader.version(source, number)?,
        None => newest_that_counts(reader, source, Some(newer.number))?,
    };
    Ok(match older {
        Some(older) => Ok((older, newer)),
        None if from.is_some() => Err(kept),
        None if is_held_after(reader, source, newer.number)? => Err(
            "second version that counts. What waits for a second look is compared if you name both \
             versions, as `history` lists them",
        ),
        None => Err("older version to compare with"),
    })
}

/// Whether the newest version is one that is held, and came after this one.
fn is_held_after(
    reader: &dyn Reader,
    source: SourceId,
    number: VersionNo,
) -> Result<bool, StoreError> {
    let rows = reader.versions(source, None, 1)?;
    Ok(rows.first().is_some_and(|row| row.held && row.number > number))
}

/// The newest version before `before` that is not held.
fn newest_that_counts(
    reader: &dyn Reader,
    source: SourceId,
    before: Option<VersionNo>,
) -> Result<Option<VersionRow>, StoreError> {
    let mut before = before;
    loop {
        let rows = reader.versions(source, before, VERSIONS_AT_ONCE)?;
        let Some(last) = rows.last() else { return Ok(None) };
        before = Some(last.number);
        if let Some(found) = rows.into_iter().find(|row| !row.held) {
            return Ok(Some(found));
        }
    }
}

/// Reads an extract as it is stored.
pub(crate) fn decode_extract(bytes: &[u8]) -> Result<page::Extract, Problem> {
    page::decode(bytes).map_err(|error| {
        tracing::error!(%error, "a stored extract cannot be read");
        let detail = "The stored extract cannot be read; the server's log says why.";
        Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, detail)
    })
}

fn wire(change_type: &ChangeType, change: &change::Change, leaves: Vec<u32>) -> Change {
    Change {
        leaves,
        change_type: change_type.told_as(change),
        source: None,
        kind: change.kind,
        old: change.old.clone(),
        new: change.new.clone(),
        context: change.context.clone(),
        heading: change.heading.clone(),
        lead: change.lead.clone(),
        sentence: change.sentence.clone(),
        elsewhere: change.elsewhere.clone(),
        link: change.link.clone(),
        held_back: change.weight.held_back_because(),
    }
}
