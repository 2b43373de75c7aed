//! What is known of a source's pages: read before a comparison, learned after it.

use crate::compare::Shelf;
use change::{
    Arrived, Aspect, Blocks, Breaks, Comparison, Known, Limits, Outage, Pairing, RoundRequest,
};
use chronon::{Instant, SourceId, VersionNo};
use kernel::record::{HabitsRow, VersionFacts, VersionRow};
use page::View;
use std::sync::LazyLock;
use store::{Acquaintance, Looks, Reader, StoreError};

/// Bounds of the comparisons of rounds.
pub(crate) static LIMITS: LazyLock<Limits> = LazyLock::new(Limits::default);

/// Versions between two that count which are looked at for what the page was meanwhile.
const BETWEEN_MAX: usize = 8;

/// How a source is odd like that by habit. A store that is busy or damaged knows of no habit.
pub(crate) fn breaks(reader: &dyn Reader, source: SourceId, outage: &Outage) -> Option<Breaks> {
    let acquainted = Acquaintance::of(reader, source).ok()?;
    acquainted.habits.breaks(outage, &acquainted.loud)
}

/// The outage that a version shows. `None`: it shows none, or is not stored any more.
pub(crate) fn outage(
    reader: &dyn Reader,
    facts: &VersionFacts,
) -> Result<Option<Outage>, StoreError> {
    let Some((odd, whole)) = facts.odd.zip(facts.whole()) else { return Ok(None) };
    Ok(reader.extract(whole)?.and_then(|extract| Outage::of(odd, &extract)))
}

/// A source, and what is known of its pages.
pub(crate) struct Habitual<'r> {
    reader: &'r dyn Reader,
    source: SourceId,
    acquainted: Acquaintance,
    /// The looks between what is known and what is compared, where both are.
    looks: Option<Looks>,
}

impl<'r> Habitual<'r> {
    /// As the source was known when what is compared came.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn of(
        reader: &'r dyn Reader,
        source: SourceId,
        request: &RoundRequest,
    ) -> Result<Habitual<'r>, StoreError> {
        let mut acquainted = Acquaintance::of(reader, source)?;
        let newest = weighed(request).map(|comparison| comparison.to).max();
        let looks = match (acquainted.version, newest) {
            (Some(version), Some(to)) if version < to => {
                Some(Looks::since(reader, source, version, Some(to))?)
            }
            _ => None,
        };
        let calm = looks.map_or(0, |looks| looks.before);
        acquainted.habits = acquainted.habits.after_calm(calm);
        if let Some(at) = looks.and_then(|looks| looks.at) {
            acquainted.habits = acquainted.habits.at(at);
        }
        Ok(Habitual { reader, source, acquainted, looks })
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
        if let Some(learned) = self.learn_odd(request)? {
            return Ok(Some(learned));
        }
        let Some(newest) =
            weighed(request).max_by_key(|comparison| (comparison.to, comparison.from))
        else {
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
            let mut has_learned =
                self.acquainted.habits.learn([&old, &new], blocks, arrived, &LIMITS);
            has_learned |= self.see_odd([from, to])?;
            // The next pair begins where this one did: a row of many kilobytes is not written for
            // a version that taught nothing.
            if !has_learned {
                return Ok(None);
            }
        }
        let learned = self.acquainted.habits.encode().into();
        Ok(Some(HabitsRow { source: self.source, version: to, learned }))
    }

    /// Learns that somebody is told what the page has become, if this round is of that.
    fn learn_odd(&mut self, request: &RoundRequest) -> Result<Option<HabitsRow>, StoreError> {
        let unlike = request.comparisons.iter().find(|one| one.pairing == Pairing::Unlike);
        let Some(Comparison { from, to, .. }) = unlike else { return Ok(None) };
        let Some(row) = self.reader.version(self.source, *to)? else { return Ok(None) };
        let Some(outage) = outage(self.reader, &row.facts)? else { return Ok(None) };
        let is_new = self.acquainted.habits.broke(&outage, *to, row.fetched_at);
        // What the page showed before is what the next version is compared with.
        let version = self.acquainted.version.unwrap_or(*from);
        let learned = self.acquainted.habits.encode().into();
        Ok(is_new.then_some(HabitsRow { source: self.source, version, learned }))
    }

    /// Sees what the page was between two versions that nobody was told of. Whether that is new.
    fn see_odd(&mut self, [from, to]: [VersionNo; 2]) -> Result<bool, StoreError> {
        let rows = self.reader.versions(self.source, Some(to), BETWEEN_MAX)?;
        let between = rows.iter().take_while(|row| row.number > from).filter(|row| row.held);
        let between: Vec<&VersionRow> = between.collect();
        let mut is_new = false;
        for row in between.into_iter().rev() {
            let Some(outage) = outage(self.reader, &row.facts)? else { continue };
            is_new |= self.acquainted.habits.saw_odd(&outage, row.number, row.fetched_at);
        }
        Ok(is_new)
    }

    /// When the version came, and after how many looks.
    fn arrived(&self, from: VersionNo, to: VersionNo) -> Result<Arrived, StoreError> {
        let looks = match self.looks {
            Some(looks) => looks,
            None => Looks::since(self.reader, self.source, from, Some(to))?,
        };
        let asked = looks.was_asked_for;
        let looks_made = looks.before.saturating_add(u32::from(!asked));
        Ok(Arrived { looks: looks_made, at: looks.at.unwrap_or(Instant::EPOCH), asked })
    }
}

/// The comparisons of a page in which habits count.
fn weighed(request: &RoundRequest) -> impl Iterator<Item = &Comparison> {
    request.comparisons.iter().filter(|comparison| {
        matches!(comparison.change_type.aspect, Aspect::Any | Aspect::Links | Aspect::Images)
            && comparison.pairing == Pairing::Alike
    })
}
