//! What is known of a source's pages: read before a comparison, learned after it.

use crate::compare::Shelf;
use change::{Arrived, Aspect, Blocks, Habits, Key, Known, Limits, Pairing, RoundRequest};
use chronon::{Instant, SourceId, VersionNo};
use kernel::record::{HabitsRow, ProbeOutcome};
use page::View;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use store::{Reader, StoreError};

/// Bounds of the comparisons of rounds.
pub(crate) static LIMITS: LazyLock<Limits> = LazyLock::new(Limits::default);

/// What the store has of a source's habits.
pub(crate) struct Acquaintance<'r> {
    reader: &'r dyn Reader,
    source: SourceId,
    habits: Habits,
    /// As far as this version; `None`: nothing is learned yet.
    version: Option<VersionNo>,
    loud: BTreeSet<Key>,
}

impl<'r> Acquaintance<'r> {
    /// # Errors
    /// What the store says.
    pub(crate) fn of(
        reader: &'r dyn Reader,
        source: SourceId,
    ) -> Result<Acquaintance<'r>, StoreError> {
        let row = reader.habits(source)?;
        // What another release wrote is learned anew.
        let known = row.and_then(|row| Some((Habits::decode(&row.learned).ok()?, row.version)));
        let (habits, version) = known.map_or((Habits::default(), None), |(h, v)| (h, Some(v)));
        let loud = reader.loud(source)?.into_iter().collect();
        Ok(Acquaintance { reader, source, habits, version, loud })
    }

    pub(crate) fn known(&self) -> Known<'_> {
        Known { habits: &self.habits, loud: &self.loud }
    }

    /// Learns from the newest version of a round, if somebody asks for any change of the page, or
    /// for its links or images. `None`: nothing to be stored.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn learn(
        mut self,
        request: &RoundRequest,
        shelf: &mut Shelf<'_>,
        blocks: Option<Blocks>,
    ) -> Result<Option<HabitsRow>, StoreError> {
        let weighed = request.comparisons.iter().filter(|comparison| {
            let what = &comparison.change_type;
            what.view == View::Page
                && matches!(what.aspect, Aspect::Any | Aspect::Links | Aspect::Images)
                && comparison.pairing == Pairing::Alike
        });
        let Some(newest) = weighed.max_by_key(|comparison| (comparison.to, comparison.from)) else {
            return Ok(None);
        };
        let (from, to) = (self.version.unwrap_or(newest.from), newest.to);
        if from >= to {
            return Ok(None);
        }
        let old = shelf.extract(from, &View::Page)?;
        if let (Ok(old), Ok(new)) = (old, shelf.extract(to, &View::Page)?) {
            let arrived = self.arrived(from, to)?;
            let blocks = blocks.filter(|blocks| (blocks.from, blocks.to) == (from, to));
            let has_learned = self.habits.learn([&old, &new], blocks, arrived, &LIMITS);
            // The next pair begins where this one did: a row of many kilobytes is not written for
            // a version that taught nothing.
            if !has_learned {
                return Ok(None);
            }
        }
        let learned = self.habits.encode().into();
        Ok(Some(HabitsRow { source: self.source, version: to, learned }))
    }

    /// When the version came, and after how many looks; 1 where that is not stored any more.
    fn arrived(&self, from: VersionNo, to: VersionNo) -> Result<Arrived, StoreError> {
        let at = |version| {
            let row = self.reader.version(self.source, version);
            row.map(|row| row.map(|row| row.fetched_at))
        };
        let now = at(to)?.unwrap_or(Instant::EPOCH);
        let before = at(from)?.unwrap_or(now);
        let counts = |outcome: &ProbeOutcome| {
            use ProbeOutcome::{NotModified, Same, Version};
            matches!(outcome, Version(_) | Same | NotModified)
        };
        let probes = self.reader.probes(self.source)?;
        let between = probes.iter().filter(|probe| probe.start > before && probe.start <= now);
        let looks = between.filter(|probe| counts(&probe.outcome)).count();
        Ok(Arrived { looks: u32::try_from(looks).unwrap_or(u32::MAX).max(1), at: now })
    }
}
