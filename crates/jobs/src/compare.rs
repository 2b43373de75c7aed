//! The comparisons of a round.

use crate::habits::{Habitual, LIMITS};
use crate::{extract, stored};
use change::{RoundRequest, RoundResult, Status, StatusChange};
use chronon::{SourceId, VersionNo};
use graph::Outline;
use kernel::record::HabitsRow;
use page::{Extract, View};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use store::{Blob, Reader, StoreError, blob};

/// A round compared: what to store, and what to tell the kernel of it.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub result: RoundResult,
    pub outline: Outline,
    pub result_blob: Blob,
    /// What the source's pages do at most looks, this one learned.
    pub habits: Option<HabitsRow>,
}

/// Makes the comparisons of a round of `source`. A version that is gone or damaged fails the
/// comparisons that need it, and only these.
///
/// # Errors
/// What the store says if it may pass (busy, failed): ask again.
pub fn compare(
    reader: &dyn Reader,
    source: SourceId,
    request: &RoundRequest,
) -> Result<Comparison, StoreError> {
    let mut passing = None;
    let mut habits = None;
    let mut run = |source, request: &RoundRequest| -> RoundResult {
        let known = match Habitual::of(reader, source, request) {
            Ok(known) => known,
            Err(error) => {
                passing.get_or_insert(error);
                return RoundResult { comparisons: Vec::new() };
            }
        };
        let mut shelf = Shelf::of(reader, source, request);
        let mut load = |version, view: &View| match shelf.load(version, view) {
            Ok(loaded) => loaded,
            Err(error) => {
                let said = error.to_string();
                passing.get_or_insert(error);
                Err(said)
            }
        };
        let (mut result, blocks) = change::run_knowing(request, &mut load, &LIMITS, &known.known());
        let asked = request.comparisons.iter().map(|comparison| comparison.status);
        for (compared, status) in result.comparisons.iter_mut().zip(asked) {
            match status.map(|change| moved_to(reader, source, change)).transpose() {
                Ok(place) => {
                    if let Some(place) = place.flatten() {
                        change::say_where(compared, &place);
                    }
                }
                Err(error) => drop(passing.get_or_insert(error)),
            }
        }
        match known.learn(request, &mut shelf, blocks) {
            Ok(learned) => habits = learned,
            Err(error) => drop(passing.get_or_insert(error)),
        }
        result
    };
    let result = if request.sources.is_empty() {
        run(source, request)
    } else {
        let mut result = RoundResult { comparisons: Vec::new() };
        let whose: Vec<_> = request.sources.iter().zip(&request.comparisons).collect();
        for alike in whose.chunk_by(|(a, _), (b, _)| a == b) {
            let comparisons = alike.iter().map(|(_, comparison)| (*comparison).clone()).collect();
            let request = RoundRequest { comparisons, sources: Vec::new() };
            result.comparisons.extend(run(*alike[0].0, &request).comparisons);
        }
        result
    };
    if let Some(error) = passing {
        return Err(error);
    }
    let result_blob = blob(change::encode(&result));
    // Who compares pages of several sources has not seen all versions of each.
    let habits = habits.filter(|_| request.sources.is_empty());
    Ok(Comparison { outline: Outline::of(&result, result_blob.0), result_blob, habits, result })
}

/// Where redirects led the look that found that a page has moved; its own address where they lead
/// nowhere any more. Nothing where that is not stored any more, or it has not moved.
fn moved_to(
    reader: &dyn Reader,
    source: SourceId,
    change: StatusChange,
) -> Result<Option<String>, StoreError> {
    if change.after != Status::Moved {
        return Ok(None);
    }
    let probes = reader.probes(source)?;
    let Some(look) = probes.into_iter().find(|probe| probe.start == change.at) else {
        return Ok(None);
    };
    let place = match look.led_to {
        Some(led_to) => led_to.into(),
        None => match reader.source(source)? {
            Some(source) => source.url.to_string(),
            None => return Ok(None),
        },
    };
    Ok(Some(place))
}

/// The extract of a view of a version; the inner error is a sentence for people.
pub(crate) type Loaded = Result<Arc<Extract>, String>;

/// The extracts of a round.
pub(crate) struct Shelf<'r> {
    reader: &'r dyn Reader,
    source: SourceId,
    /// All views of the round, and the whole page, of which habits are: what must be made anew of
    /// a version is made in one go.
    views: BTreeSet<View>,
    /// Versions that others are compared with, and those that went before them, newest first.
    older: BTreeMap<VersionNo, &'r [VersionNo]>,
    made: BTreeMap<(VersionNo, View), Loaded>,
}

impl<'r> Shelf<'r> {
    fn of(reader: &'r dyn Reader, source: SourceId, request: &'r RoundRequest) -> Shelf<'r> {
        let all = || request.comparisons.iter();
        let mut older = BTreeMap::<VersionNo, &[VersionNo]>::new();
        for comparison in all() {
            let earlier = older.entry(comparison.from).or_default();
            if earlier.len() < comparison.earlier.len() {
                *earlier = &comparison.earlier;
            }
        }
        Shelf {
            reader,
            source,
            views: all()
                .map(|comparison| comparison.change_type.view.clone())
                .chain([View::Page])
                .collect(),
            older,
            made: BTreeMap::new(),
        }
    }

    /// The extract of a view of a version. Where a view showed nothing in the older version of a
    /// pair, what it showed last before is compared: what lies between is no change to nothing.
    fn load(&mut self, version: VersionNo, view: &View) -> Result<Loaded, StoreError> {
        let found = self.extract(version, view)?;
        let is_missing = |found: &Loaded| found.as_ref().is_ok_and(|one| one.missing.is_some());
        let Some(&earlier) = self.older.get(&version).filter(|_| is_missing(&found)) else {
            return Ok(found);
        };
        for &earlier in earlier {
            let before = self.extract(earlier, view)?;
            if before.is_ok() && !is_missing(&before) {
                return Ok(before);
            }
        }
        Ok(found)
    }

    /// The extract made by the present extractor. One that is older, or missing, is made anew from
    /// the body, without being stored: that is [`super::reextract`]'s business.
    pub(crate) fn extract(
        &mut self,
        version: VersionNo,
        view: &View,
    ) -> Result<Loaded, StoreError> {
        if let Some(made) = self.made.get(&(version, view.clone())) {
            return Ok(made.clone());
        }
        let (reader, source) = (self.reader, self.source);
        let Some(row) = reader.version(source, version)? else {
            return Ok(Err(format!("{version} of {source} is not stored any more")));
        };
        let present = view.extractor();
        if let Some(made) = row.facts.extracts.get(view)
            && Some(made.extractor) == present
            && let Some(extract) = whole(reader.extract(made.blob))?
            && Some(extract.extractor) == present
        {
            let extract = Ok(extract);
            self.made.insert((version, view.clone()), extract.clone());
            return Ok(extract);
        }
        let Some(body) = whole(reader.blob(row.facts.body))? else {
            return Ok(Err(format!("the body of {version} of {source} is damaged or gone")));
        };
        let views = self.views.iter().cloned();
        let mut made = extract(stored(&row, &body), views, &page::Limits::default());
        for other in &self.views {
            let missing = || format!("nothing extracts `{}` of {version} of {source}", other.key());
            let one = match &mut made {
                Ok(made) => made.views.remove(other).ok_or_else(missing),
                Err(error) => Err(error.clone()),
            };
            self.made.insert((version, other.clone()), one);
        }
        Ok(self.made[&(version, view.clone())].clone())
    }
}

/// What is damaged counts as gone.
fn whole<T>(read: Result<Option<T>, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Err(StoreError::Damaged(_)) => Ok(None),
        other => other,
    }
}
