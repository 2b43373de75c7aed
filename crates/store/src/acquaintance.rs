//! What is known of a source's pages, put together from what the store has.

use crate::{Reader, StoreError};
use change::{Habits, Key, Known};
use chronon::{Instant, SourceId, VersionNo};
use kernel::record::ProbeOutcome;
use schedule::Reason;
use std::collections::BTreeSet;

/// A source's habits, and those of them that are to be told all the same.
#[derive(Debug, Default)]
pub struct Acquaintance {
    /// What its pages do at most looks.
    pub habits: Habits,
    /// As far as this version; `None`: nothing is learned yet.
    pub version: Option<VersionNo>,
    /// What somebody wants to hear of although it is a habit.
    pub loud: BTreeSet<Key>,
}

impl Acquaintance {
    /// As it was learned last. Habits that another release wrote are learned anew: they count as
    /// none.
    ///
    /// # Errors
    /// What the store says.
    pub fn of(reader: &dyn Reader, source: SourceId) -> Result<Acquaintance, StoreError> {
        let row = reader.habits(source)?;
        let learned = row.and_then(|row| Some((Habits::decode(&row.learned).ok()?, row.version)));
        let (habits, version) = learned.unzip();
        let loud = reader.loud(source)?.into_iter().collect();
        Ok(Acquaintance { habits: habits.unwrap_or_default(), version, loud })
    }

    /// As it is now: what did not happen at the looks since then may be no habit any more.
    ///
    /// # Errors
    /// What the store says.
    pub fn now(reader: &dyn Reader, source: SourceId) -> Result<Acquaintance, StoreError> {
        Acquaintance::of(reader, source)?.after_calm(reader, source, None)
    }

    /// As it was when this version came.
    ///
    /// # Errors
    /// What the store says.
    pub fn before(
        reader: &dyn Reader,
        source: SourceId,
        came: VersionNo,
    ) -> Result<Acquaintance, StoreError> {
        Acquaintance::of(reader, source)?.after_calm(reader, source, Some(came))
    }

    fn after_calm(
        mut self,
        reader: &dyn Reader,
        source: SourceId,
        came: Option<VersionNo>,
    ) -> Result<Acquaintance, StoreError> {
        if let Some(version) = self.version.filter(|_| !self.habits.is_empty()) {
            let (looks, _) = looks_since(reader, source, version, came)?;
            // The look at which it came is none of them.
            let calm = if came.is_some() { looks.saturating_sub(1) } else { looks };
            self.habits = self.habits.after_calm(calm);
        }
        Ok(self)
    }

    /// As a comparison takes it.
    pub fn known(&self) -> Known<'_> {
        Known { habits: &self.habits, loud: &self.loud }
    }
}

/// How many looks that brought content there were since a version, up to that at which another came
/// or up to now; and when that was. None where they are not stored any more.
///
/// # Errors
/// What the store says.
pub fn looks_since(
    reader: &dyn Reader,
    source: SourceId,
    version: VersionNo,
    upto: Option<VersionNo>,
) -> Result<(u32, Option<Instant>), StoreError> {
    let at = |version| {
        let row = reader.version(source, version);
        row.map(|row| row.map(|row| row.fetched_at))
    };
    let end = upto.map(at).transpose()?.flatten();
    let Some(start) = at(version)? else { return Ok((0, end)) };
    let counts = |outcome: &ProbeOutcome| {
        use ProbeOutcome::{NotModified, Same, Version};
        matches!(outcome, Version(_) | Same | NotModified)
    };
    let probes = reader.probes(source)?;
    let between = probes
        .iter()
        .filter(|probe| probe.start > start && end.is_none_or(|end| probe.start <= end));
    let looks = between.filter(|probe| counts(&probe.outcome)).count();
    Ok((u32::try_from(looks).unwrap_or(u32::MAX), end))
}

/// Whether somebody asked for the look that brought a version: it shows what a page does when
/// somebody changes it, and not what it does at most looks.
///
/// # Errors
/// What the store says.
pub fn was_asked_for(
    reader: &dyn Reader,
    source: SourceId,
    version: VersionNo,
) -> Result<bool, StoreError> {
    let probes = reader.probes(source)?;
    let its = probes.iter().find(|probe| probe.outcome == ProbeOutcome::Version(version));
    Ok(its.is_some_and(|probe| probe.reason == Reason::Asked))
}
