//! What a look at one source says of others.

use super::Scheduler;
use crate::experience::Told;
use crate::kin::{Link, Party, Window};
use crate::source::{Flag, UNPROBED};
use crate::week::seconds;
use chronon::Instant;

/// What others cover is told anew where that takes this share of what is expected.
const COVER_STEP: f64 = 0.1;

/// What a look says to companions.
#[derive(Debug, Clone, Copy)]
pub(super) struct News<'a> {
    /// When what it found changed; empty if it found nothing.
    pub(super) windows: &'a [Window],
    /// The same on the mean.
    pub(super) changed_at: Option<Told>,
    /// When it began.
    pub(super) start: Instant,
}

impl Scheduler {
    /// What a look at the source at `slot` found: the source is compared with others that changed
    /// then, and those that change with it are told.
    pub(super) fn tell_company(&mut self, slot: u32, news: News<'_>) {
        self.kin.pay();
        for &window in news.windows {
            self.compare(slot, window);
        }
        for at in 0..self.kin.links_len(slot) {
            if let Some(link) = self.kin.link_at(slot, at) {
                self.tell(link, news);
            }
        }
    }

    /// A look at the source at `slot` begins: those that change with it need not be looked at
    /// meanwhile. Else a family is looked at as one, and nobody tells anybody. O(links).
    pub(super) fn cover_company(&mut self, slot: u32) {
        for at in 0..self.kin.links_len(slot) {
            let Some(link) = self.kin.link_at(slot, at) else { continue };
            let entry = self.roster.at(link.other);
            let seen = entry.last_success();
            let may_be_told = seen != UNPROBED && seen < self.now && entry.weight > 0.0;
            if !may_be_told || !self.may_cover(link) {
                continue;
            }
            let passed = self.week.lived(link.other, entry, seen, self.now);
            if f64::from(entry.rate) * passed < 1.0
                && let Some(covered) = self.covers(link, passed)
            {
                self.roster.at_mut(link.other).covered = covered;
                self.plan(link.other);
            }
        }
    }

    /// Whether what a link covers can be a step.
    fn may_cover(&self, link: Link) -> bool {
        self.kin.trust() * link.is_told > COVER_STEP
    }

    /// What a look covers at a companion that lived so long since its own, if that is a step.
    fn covers(&self, link: Link, passed: f64) -> Option<f32> {
        let covered = self.kin.trust() * link.is_told * passed;
        let before = f64::from(self.roster.at(link.other).covered);
        (covered > before + COVER_STEP * passed).then_some(covered as f32)
    }

    /// Compares the source at `slot`, which changed in `window`, with others that did.
    fn compare(&mut self, slot: u32, window: Window) {
        let odds = self.kin.odds(self.roster.len());
        let (mut changed, own) = (Vec::new(), self.party(slot));
        let others = self.kin.find(slot, window);
        let windows = self.kin.windows(slot);
        for other in others {
            let came = |from: f64, to: f64| self.week.came(from, to);
            let link = self.kin.weigh((&windows, own), (other, self.party(other)), odds, &came);
            self.kin.link(slot, link, &mut changed);
        }
        changed.sort_unstable();
        changed.dedup();
        changed.into_iter().for_each(|slot| self.make_dirty(slot));
    }

    fn party(&self, slot: u32) -> Party {
        let entry = self.roster.at(slot);
        let seen = match entry.last_success() {
            UNPROBED => f64::NEG_INFINITY,
            at => seconds(at),
        };
        Party { rate: entry.rate.into(), seen }
    }

    /// Tells a companion what a look found, or that it found nothing.
    fn tell(&mut self, link: Link, news: News<'_>) {
        let News { windows, start, .. } = news;
        let entry = self.roster.at(link.other);
        let seen = entry.last_success();
        if seen == UNPROBED || seen >= start || entry.weight <= 0.0 {
            return;
        }
        // The largest of an occasion: several that tell of one say it once.
        let said = windows.iter().map(|window| {
            let open = window.after(seconds(seen));
            link.tells * open / (1.0 - link.tells * (1.0 - open))
        });
        let said = said.fold(0.0, f64::max);
        if said <= f64::from(entry.said) && !self.may_cover(link) {
            return;
        }
        let passed = self.week.lived(link.other, entry, seen, start);
        let is_told = said > f64::from(entry.said);
        // What is told counts for one change: where more are expected, only nothing covers.
        let covers = windows.is_empty() || f64::from(entry.rate) * passed < 1.0;
        let covered = self.covers(link, passed).filter(|_| covers);
        if !is_told && covered.is_none() {
            return;
        }
        let believed = self.kin.believed(said);
        let entry = self.roster.at_mut(link.other);
        if is_told {
            (entry.said, entry.told) = (said as f32, believed as f32);
            if let Some(told) = news.changed_at {
                self.diary.tell(link.other, Told { at: told.at.max(seconds(seen)), ..told });
            }
        }
        if let Some(covered) = covered {
            entry.covered = covered;
        }
        self.plan(link.other);
    }

    pub(super) fn make_dirty(&mut self, slot: u32) {
        let source = self.roster.id(slot);
        if !self.roster.at_mut(slot).set(Flag::Dirty) {
            self.dirty.push(source);
        }
    }

    /// What was learned of a source that leaves is forgotten, by its companions too.
    pub(super) fn leave_company(&mut self, slot: u32) {
        let mut others = Vec::new();
        self.kin.forget(slot, &mut others);
        for other in others {
            self.make_dirty(other);
        }
    }
}
