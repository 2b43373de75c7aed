//! What is known of a source's pages: read before a comparison, learned after it.

use crate::compare::Shelf;
use change::{Arrived, Aspect, Blocks, Known, Limits, Pairing, RoundRequest};
use chronon::{Instant, SourceId, VersionNo};
use kernel::record::{HabitsRow, ProbeOutcome};
use page::View;
use std::sync::LazyLock;
use store::{Acquaintance, Reader, StoreError};

/// Bounds of the comparisons of rounds.
pub(crate) static LIMITS: LazyLock<Limits> = LazyLock::new(Limits::default);

/// A source, and what is known of its pages.
pub(crate) struct Habitual<'r> {
    reader: &'r dyn Reader,
    source: SourceId,
    acquainted: Acquaintance,
}

impl<'r> Habitual<'r> {
    /// # Errors
    /// What the store says.
    pub(crate) fn of(reader: &'r dyn Reader, source: SourceId) -> Result<Habitual<'r>, StoreError> {
        Ok(Habitual { reader, source, acquainted: Acquaintance::of(reader, source)? })
    }

    pub(crate) fn known(&self) -> Known<'_> {
        self.acquainted.known()
    }

    /// Learns from the newest version of a round, if somebody asks for any change of the page or of
    /// a part of it, or for links or images. `None`: nothing to be stored.
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
            matches!(comparison.change_type.aspect, Aspect::Any | Aspect::Links | Aspect::Images)
                && comparison.pairing == Pairing::Alike
        });
        let Some(newest) = weighed.max_by_key(|comparison| (comparison.to, comparison.from)) else {
            return Ok(None);
        };
        let (from, to) = (self.acquainted.version.unwrap_or(newest.from), newest.to);
        if from >= to {
            return Ok(None);
        }
        let old = shelf.extract(from, &View::Page)?;
        if let (Ok(old), Ok(new)) = (old, shelf.extract(to, &View::Page)?) {
            let arrived = self.arrived(from, to)?;
            let blocks = blocks.filter(|blocks| (blocks.from, blocks.to) == (from, to));
            let has_learned = self.acquainted.habits.learn([&old, &new], blocks, arrived, &LIMITS);
            // The next pair begins where this one did: a row of many kilobytes is not written for
            // a version that taught nothing.
            if !has_learned {
                return Ok(None);
            }
        }
        let learned = self.acquainted.habits.encode().into();
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
