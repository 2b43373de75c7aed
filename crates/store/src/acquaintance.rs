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
        let mut known = Acquaintance::of(reader, source)?;
        if let Some(version) = known.version.filter(|_| !known.habits.is_empty()) {
            let looks = Looks::since(reader, source, version, None)?;
            known.habits = known.habits.after_calm(looks.before);
        }
        Ok(known)
    }

    /// As a comparison takes it.
    pub fn known(&self) -> Known<'_> {
        Known { habits: &self.habits, loud: &self.loud }
    }
}

/// The looks that brought content after a version and for which nobody asked, up to that at which
/// another came.
#[derive(Debug, Clone, Copy, Default)]
pub struct Looks {
    /// How many there were before that at which it came; none where they are not stored any more.
    pub before: u32,
    /// When it came; `None`: it is not stored any more, or none is meant.
    pub at: Option<Instant>,
    /// Somebody asked for the look at which it came.
    pub was_asked_for: bool,
}

impl Looks {
    /// Those since a version; `upto`: until another came, else until now. A source's last hundred
    /// are stored.
    ///
    /// # Errors
    /// What the store says.
    pub fn since(
        reader: &dyn Reader,
        source: SourceId,
        version: VersionNo,
        upto: Option<VersionNo>,
    ) -> Result<Looks, StoreError> {
        let at = |version| {
            let row = reader.version(source, version);
            row.map(|row| row.map(|row| row.fetched_at))
        };
        let end = upto.map(at).transpose()?.flatten();
        let probes = reader.probes(source)?;
        let counts = |outcome: &ProbeOutcome| {
            use ProbeOutcome::{NotModified, Same, Version};
            matches!(outcome, Version(_) | Same | NotModified)
        };
        let was_asked_for =
            probes.iter().any(|probe| Some(probe.start) == end && probe.reason == Reason::Asked);
        let Some(start) = at(version)? else {
            return Ok(Looks { before: 0, at: end, was_asked_for });
        };
        let between = probes.iter().filter(|probe| {
            probe.start > start
                && end.is_none_or(|end| probe.start < end)
                && probe.reason != Reason::Asked
                && counts(&probe.outcome)
        });
        let before = u32::try_from(between.count()).unwrap_or(u32::MAX);
        Ok(Looks { before, at: end, was_asked_for })
    }
}
