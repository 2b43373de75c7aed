//! At which hours of the week sources change, and which of them keep to it.
//!
//! All sources share one pattern by hours of the (UTC) week. A source believes in it by its score,
//! which forgets: the sum of ln d over the changes found at the source, d being the pattern's
//! density where the change came. For a source that changes around the clock the mean of d is 1. At
//! any time at most one in eˢ of such sources has a score above s (Markov's inequality). At even
//! odds that a source keeps to the pattern, one with s > ln 2 believes in it to 1 − 2e⁻ˢ, and all
//! others not at all.
//!
//! A source has hours and weekdays of its own over that pattern ([`Own`]), and d is the density
//! with them, as it was before each change: the argument holds for any pattern of mean 1 that was
//! there before. Nobody may tell when a change came. In place of ln d then counts how much likelier
//! the pattern makes what looks saw than a steady rate does: nothing since the find before, and
//! something in the gap. With the right rate the argument holds for that, too.

use crate::daily::Seen;
use crate::hours::{Gap, Hours, Taste};
use crate::keepers::Keepers;
use crate::memos::Memos;
use crate::own::{Factors, Own, PARTS, STORED};
use crate::pattern::minutes::{self, Minutes};
use crate::pattern::rhythm::{BINS, bin_of_week};
use crate::pattern::{HOURS, PatternLearner, Rhythm, Shape};
use crate::source::Source;
use crate::sparse::Sparse;
use chronon::{Instant, Span};
use std::cell::RefCell;
use std::sync::Arc;

/// Counts lose half in this time.
const HALF_LIFE: Span = Span::DAY.times(28);
/// The pattern is worked out anew no sooner than this after the last time: of whole weeks alone,
/// so that no day looks busier for having been watched more often.
const REFRESH: Span = Span::DAY.times(7);
/// The record is told no sooner than this after the last one.
const TELL: Span = Span::HOUR;
/// A change found in a longer gap says nothing of its hour.
const GAP_MAX: Span = Span::DAY;
/// In a longer gap, or sooner than this after the find before, it says nothing of its day.
const DAYS_GAP_MAX: Span = Span::DAY.times(3);
const DAYS_APART_MIN: Span = Span::HOUR;
/// In a gap up to this a change counts at its middle.
const GAP_SHORT: Span = Span::HOUR;
/// In a gap up to this it counts in its five minutes, too.
const GAP_EXACT: Span = Span::MINUTE.times(5);
/// No source's changes count for more than this many a day.
const A_DAY_MAX: f64 = 4.0;
/// What a score keeps at each change.
const KEEPS: f32 = 0.97;
/// A change moves it by no less and no more than this.
const GAIN_MIN: f64 = -7.0;
const GAIN_MAX: f64 = 4.0;
/// A score up to this is flat: even odds.
const DOUBT: f64 = core::f64::consts::LN_2;
/// Time by a rhythm passes at least at this share of the clock's pace.
const PACE_MIN: f64 = 0.05;

/// What is known of the week, of all sources together: one row; opaque to all but this crate and
/// the store's columns.
#[derive(Debug, Clone, PartialEq)]
pub struct WeekRecord {
    /// When the week under way began, and the counts before it were discounted.
    pub discounted: Instant,
    /// Changes found by hour of the week, from Thursday 0:00 UTC on: 168 numbers ≥ 0 of the weeks
    /// before, and 168 of that under way. By five minutes of the day 288, and 288 sums of
    /// squares; none, where an earlier release wrote it.
    pub hours: Vec<f32>,
    /// What companions said, and what came of it, 12 numbers each. Looks of which none spoke,
    /// 2. How late changes were found of late, 4. What a look is asked to be worth, and what is
    /// banked, 6. In how many weeks nearly all sources kept to the pattern, and how long the server
    /// lived, 1 each. How late dated changes were found in all, 4. Fewer, where an earlier release
    /// wrote fewer.
    pub company: Vec<f32>,
}

/// The pattern that sources share, and what it is learned from.
#[derive(Debug, Clone)]
pub(crate) struct Week {
    /// Counts of the weeks that are over, and of the week under way.
    learner: PatternLearner,
    fresh: PatternLearner,
    /// The same of changes whose time is known, by five minutes of the day and of this week.
    minutes: Minutes,
    fresh_bins: Box<[f32; BINS]>,
    /// The pooled pattern of the week.
    hours: Arc<Hours>,
    /// The own hours of sources that changed, by slot.
    own: Sparse<Own>,
    keepers: Keepers,
    memos: RefCell<Memos>,
    /// When the pattern was worked out and the counts discounted.
    refreshed: Option<Instant>,
    told: Option<WeekRecord>,
    told_at: Instant,
    changed: bool,
}

/// A change that was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    /// When it came.
    pub(crate) gap: Gap,
    /// Where in a long gap it came, 0 to 1: a guess, drawn by chance.
    pub(crate) share: f64,
    /// Whether the content told when.
    pub(crate) is_told: bool,
    /// Finds a second that were expected of the source on the mean.
    pub(crate) rate: f64,
}

/// At a steady rate.
const EVENLY: Taste = Taste { flat: 1.0, own: None };

/// Seconds since the epoch.
pub(crate) fn seconds(at: Instant) -> f64 {
    at.as_millis() as f64 / 1000.0
}

impl Week {
    /// Nothing is known: flat.
    pub(crate) fn new() -> Week {
        Week {
            learner: PatternLearner::default(),
            fresh: PatternLearner::default(),
            minutes: Minutes::default(),
            fresh_bins: Box::new([0.0; BINS]),
            hours: Arc::new(Hours::new(crate::pattern::Pattern::flat())),
            own: Sparse::new(),
            keepers: Keepers::default(),
            memos: RefCell::default(),
            refreshed: None,
            told: None,
            told_at: Instant::from_millis(i64::MIN),
            changed: false,
        }
    }

    pub(crate) fn hours(&self) -> &Hours {
        &self.hours
    }

    /// Works out the pattern that all share from what was counted.
    fn set_pattern(&mut self) {
        self.memos.get_mut().clear();
        self.hours = Arc::new(Hours::new(self.learner.hourly(&self.minutes.factors())));
    }

    /// How the source at `slot` takes the week, unless it is flat. It stays until the next look:
    /// what was watched was watched until the last.
    pub(crate) fn taste(&self, slot: u32, source: &Source) -> Option<Taste> {
        let of = (source.last_probe(), source.score);
        if let Some(known) = self.memos.borrow().of(slot, of) {
            return Some(known);
        }
        let rhythm = self.rhythm(source);
        let Some(own) = self.own.get(slot) else {
            return rhythm.map(|shape| Taste { flat: shape.weight(), own: None });
        };
        if rhythm.is_none() && !own.knows_days() {
            return None;
        }
        let taste = self.hours.taste(own, of.0, rhythm.map_or(1.0, Shape::weight));
        self.memos.borrow_mut().keep(slot, of, taste);
        Some(taste)
    }

    /// Fetches what is known of the hours of these, all at once: what it is does not matter.
    pub(crate) fn fetch(&self, slots: &[u32]) -> u32 {
        self.own.fetch(slots, Own::ends)
    }

    fn set_own(&mut self, slot: u32, own: Own) {
        self.own.insert(slot, own);
        self.memos.get_mut().forget(slot);
    }

    /// The hours of the source at `slot` by its counts alone.
    fn counted(&self, slot: u32, source: &Source) -> Option<Factors> {
        self.own.get(slot).map(|own| self.hours.factors(own, source.last_probe()))
    }

    /// Seconds from `from` to `to` as the source's rhythm counts them: its mean rate holds there.
    pub(crate) fn lived(&self, slot: u32, source: &Source, from: Instant, to: Instant) -> f64 {
        let gap = to.since(from).as_secs_f64();
        match self.taste(slot, source) {
            None => gap,
            Some(taste) => {
                let lived = self.hours.wait(Gap::new(from, to), taste, 1.0, 0.0).items();
                lived.max(PACE_MIN * gap)
            }
        }
    }

    /// Seconds of a gap as the source's rhythm counts them, and those that one change in it has
    /// waited at its end.
    pub(crate) fn waited(&self, slot: u32, source: &Source, gap: Gap) -> (f64, f64) {
        let length = gap.length().as_secs_f64().max(0.0);
        self.taste(slot, source).map_or((length, length / 2.0), |taste| {
            let wait = self.hours.wait(gap, taste, 1.0, 0.0);
            (wait.items(), wait.mean())
        })
    }

    /// To store: the own hours of the source at `slot`, if it has any.
    pub(crate) fn own(&self, slot: u32) -> Option<[u8; STORED]> {
        self.own.get(slot).map(Own::bytes)
    }

    /// Takes over what an earlier life stored of the source at `slot`.
    pub(crate) fn recall_own(&mut self, slot: u32, own: Own) {
        self.set_own(slot, own);
    }

    /// A source comes, with the score of an earlier life.
    pub(crate) fn joins(&mut self, source: &Source) {
        self.keepers.moved(0.0, source.score);
    }

    /// The source at `slot` leaves.
    pub(crate) fn forget(&mut self, slot: u32, source: &Source) {
        self.own.remove(slot);
        self.memos.get_mut().forget(slot);
        self.keepers.moved(source.score, 0.0);
    }

    pub(crate) fn keepers(&self) -> &Keepers {
        &self.keepers
    }

    pub(crate) fn keepers_mut(&mut self) -> &mut Keepers {
        self.memos.get_mut().clear();
        &mut self.keepers
    }

    /// The shape of a source, unless it is flat.
    fn rhythm(&self, source: &Source) -> Option<Shape> {
        // Most are flat: no exponential for those.
        let is_flat = !self.keepers.are_nearly_all() && f64::from(source.score) <= DOUBT;
        (!is_flat).then(|| self.shape(source.score)).filter(|shape| shape.weight() < 1.0)
    }

    /// The shape of a source with this score.
    fn shape(&self, score: f32) -> Shape {
        self.keepers.shape(score).unwrap_or_else(|| shape(score))
    }

    /// ∫ of the density that all share: seconds of mean rate.
    pub(crate) fn came(&self, from: f64, to: f64) -> f64 {
        self.hours.pattern().expected(from, to)
    }

    /// Learns from a change of the source at `slot`, before its counters move on. O(168), and
    /// O([`BINS`]) once a week.
    pub(crate) fn found(&mut self, slot: u32, source: &mut Source, change: Change) {
        let gap = change.gap;
        let length = gap.length();
        if length <= Span::ZERO {
            return;
        }
        let flat = self.shape(source.score).weight();
        let whole = Taste { flat: 0.0, own: self.counted(slot, source) };
        let found = self.own.get(slot).and_then(Own::found).filter(|&found| found <= gap.from);
        let seen = Seen { quiet: Gap::new(found.unwrap_or(gap.from), gap.from), gap };
        let gain = if change.is_told {
            libm::log(self.passed(gap, whole) / length.as_secs_f64())
        } else {
            let [by_hours, evenly] = [whole, EVENLY].map(|taste| self.seen(&seen, taste));
            by_hours.likelihood(change.rate) - evenly.likelihood(change.rate)
        };
        self.weigh_days(slot, source, &change, &seen);
        let score = KEEPS * source.score + gain.clamp(GAIN_MIN, GAIN_MAX) as f32;
        self.keepers.moved(source.score, score);
        source.score = score;
        if length <= GAP_MAX {
            self.count_shared(source, change, Taste { flat, ..whole });
            self.count_own(change.share, slot, whole, gap);
            self.changed = true;
            self.refresh(gap.to);
        }
        if let Some(mut own) = self.own.get(slot).copied() {
            own.set_found(gap.to);
            self.set_own(slot, own);
        }
    }

    /// Seconds of mean rate in a gap.
    fn passed(&self, gap: Gap, taste: Taste) -> f64 {
        self.hours.wait(gap, taste, 1.0, 0.0).items()
    }

    fn seen(&self, seen: &Seen<Gap>, taste: Taste) -> Seen<f64> {
        Seen { quiet: self.passed(seen.quiet, taste), gap: self.passed(seen.gap, taste) }
    }

    /// Weighs what the days of the source at `slot` are like: by finds whose time nobody tells, and
    /// by all of them where something is believed of its days.
    fn weigh_days(&mut self, slot: u32, source: &Source, change: &Change, seen: &Seen<Gap>) {
        let own = self.own.get(slot).copied();
        let says_something = !change.is_told
            && change.gap.length() <= DAYS_GAP_MAX
            && change.gap.to.since(seen.quiet.from) >= DAYS_APART_MIN;
        if !says_something && !own.is_some_and(|own| own.knows_days()) {
            return;
        }
        let mut own = own.unwrap_or(Own::new(change.gap.from));
        let believed = self.seen(seen, self.taste(slot, source).unwrap_or(EVENLY));
        let flat = self.rhythm(source).map_or(1.0, Shape::weight);
        let days = self.hours.days_of(&own, source.last_probe(), flat);
        self.hours.weigh_days(&mut own, change.rate, (seen, &days), believed);
        self.set_own(slot, own);
    }

    /// Counts a change in the pattern that all share.
    fn count_shared(&mut self, source: &Source, change: Change, taste: Taste) {
        let Change { gap, share, .. } = change;
        let length = gap.length();
        let came_at = if length <= GAP_SHORT {
            seconds(gap.from + length.divided_by(2))
        } else {
            let items = share * self.passed(gap, taste);
            seconds(gap.from) + self.hours.until_items(gap.from, &taste, items)
        };
        let a_day = f64::from(source.rate) * Span::DAY.as_secs_f64();
        let weight = (A_DAY_MAX / a_day).min(1.0);
        self.fresh.count(came_at, weight);
        if length <= GAP_EXACT {
            self.fresh_bins[bin_of_week(came_at)] += weight as f32;
        }
    }

    /// Counts a change in the hours of the gap, as much in each as was expected there.
    fn count_own(&mut self, share: f64, slot: u32, taste: Taste, gap: Gap) {
        let hours = Arc::clone(&self.hours);
        let mut total = 0.0;
        hours.each(gap, taste.own.as_ref(), |_, (came, _), _| total += came);
        let mut own = self.own.get(slot).copied().unwrap_or(Own::new(gap.from));
        let (mut passed, mut part) = (0.0, 0);
        hours.each(gap, taste.own.as_ref(), |hour, (came, _), _| {
            passed += came;
            while part < PARTS && (share + f64::from(part)) * total < passed * f64::from(PARTS) {
                own.count(hour, gap.to);
                part += 1;
            }
        });
        hours.sharpen(&mut own, gap.to);
        self.set_own(slot, own);
    }

    fn refresh(&mut self, now: Instant) {
        let refreshed = *self.refreshed.get_or_insert(now);
        let passed = now.since(refreshed);
        if passed < REFRESH {
            return;
        }
        let keeps = libm::exp2(-passed.as_secs_f64() / HALF_LIFE.as_secs_f64());
        self.learner.forget(keeps);
        self.minutes.forget(keeps);
        self.minutes.count(&self.fresh_bins);
        self.fresh_bins.fill(0.0);
        let fresh = std::mem::take(&mut self.fresh);
        let sum = |hour: usize| self.learner.hours()[hour] + fresh.hours()[hour];
        self.learner = PatternLearner::from_hours(std::array::from_fn(sum));
        self.refreshed = Some(now);
        self.keepers.judge();
        self.set_pattern();
    }

    /// Takes over what an earlier life counted; whether it could be read.
    pub(crate) fn recall(&mut self, record: &WeekRecord, now: Instant) -> bool {
        let sound = record.hours.iter().all(|count| count.is_finite() && *count >= 0.0)
            && record.company.iter().all(|number| number.is_finite());
        let Some((hours, minutes)) = record.hours.split_at_checked(2 * HOURS) else { return false };
        if !sound || !matches!(minutes.len(), 0 | minutes::STORED) {
            return false;
        }
        let learner = |first: usize| {
            PatternLearner::from_hours(std::array::from_fn(|hour| hours[first + hour].into()))
        };
        (self.learner, self.fresh) = (learner(0), learner(HOURS));
        self.minutes = Minutes::of(minutes);
        self.set_pattern();
        self.refreshed = Some(record.discounted.min(now));
        (self.told, self.told_at, self.changed) = (Some(record.clone()), now, false);
        true
    }

    /// The record, if it changed and the last one is an hour old.
    pub(crate) fn take(
        &mut self,
        now: Instant,
        company: impl FnOnce() -> Vec<f32>,
    ) -> Option<WeekRecord> {
        if !self.changed || now < self.told_at + TELL {
            return None;
        }
        let record = self.record(company())?;
        (self.told_at, self.changed) = (now, false);
        self.told = Some(record);
        self.told.clone()
    }

    /// A probe was made: what is banked is no longer what was told.
    pub(crate) fn note_spent(&mut self) {
        self.changed = true;
    }

    /// What is known now.
    pub(crate) fn record(&self, company: Vec<f32>) -> Option<WeekRecord> {
        let mut minutes = self.minutes.clone();
        minutes.count(&self.fresh_bins);
        let hours = self.learner.hours().iter().chain(self.fresh.hours());
        let numbers = hours.copied().chain(minutes.numbers());
        let hours = numbers.map(|number| number as f32).collect();
        Some(WeekRecord { discounted: self.refreshed?, hours, company })
    }

    /// The record as it was told last.
    pub(crate) fn told(&self) -> Option<&WeekRecord> {
        self.told.as_ref()
    }

    /// A week that was learned already.
    #[cfg(test)]
    pub(crate) fn of(hours: [f64; HOURS]) -> Week {
        let mut week = Week { learner: PatternLearner::from_hours(hours), ..Week::new() };
        week.set_pattern();
        week
    }
}

/// The shape of a source with this score where others say nothing of it.
fn shape(score: f32) -> Shape {
    let doubt = DOUBT - f64::from(score);
    // Beyond this there is none that a shape could tell.
    let doubt = if doubt < -12.0 { 0.0 } else { libm::exp(doubt) };
    Shape::new(Shape::FLAT, doubt.clamp(0.0, 1.0))
}

/// A score as it may be stored; what is none is nothing known.
pub(crate) fn sound_score(score: f32) -> f32 {
    if score.is_finite() { score.clamp(-1e3, 1e3) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;
    use crate::pattern::Pattern;
    use chronon::SourceId;

    fn told(gap: Gap) -> Change {
        Change { gap, share: 0.5, is_told: true, rate: 1e-5 }
    }

    /// Changes of `sources`, each found within the hour, at hours of the week drawn by `hour`.
    fn lived(sources: u32, hour: impl Fn(u64) -> u64) -> (Week, Vec<Source>) {
        let mut week = Week::new();
        let mut all: Vec<Source> = (0..sources).map(|_| Source::new(0)).collect();
        for day in 0..60_u64 {
            for (id, source) in all.iter_mut().enumerate() {
                let (slot, id) = (id as u32, SourceId(id as u32));
                let draw = chance::spread(3, id, day, Span::from_millis(1 << 30));
                let hour = day * 24 + hour(draw.as_millis() as u64);
                let from = Instant::from_millis(hour as i64 * 3_600_000);
                week.found(slot, source, told(Gap::new(from, from + Span::HOUR)));
                source.set_probed(from + Span::HOUR, from + Span::HOUR);
            }
        }
        (week, all)
    }

    #[test]
    fn who_changes_by_day_believes_in_the_day_and_who_changes_around_the_clock_does_not() {
        let (week, by_day) = lived(40, |draw| 8 + draw % 10);
        assert!(by_day.iter().all(|source| week.rhythm(source).is_some()));
        assert!(week.rhythm(&Source::new(0)).is_some(), "all others keep to it");
        let (week, always) = lived(40, |draw| draw % 24);
        let wrong = always.iter().filter(|source| week.rhythm(source).is_some()).count();
        assert!(wrong <= 4, "{wrong} of 40 sources believe in chance");
        assert!(week.rhythm(&Source::new(0)).is_none());
    }

    #[test]
    fn nobody_is_believed_before_a_few_changes_and_a_strange_score_is_none() {
        assert!(shape(0.0).weight() >= 1.0 && shape(0.69).weight() >= 1.0);
        assert!(shape(4.0).weight() < 0.04 && shape(60.0).weight() == 0.0);
        assert_eq!((sound_score(f32::NAN), sound_score(5.5)), (0.0, 5.5));
    }

    #[test]
    fn the_record_is_told_once_an_hour_if_it_changed_and_makes_the_same_pattern_again() {
        let (mut week, _) = lived(10, |draw| 8 + draw % 10);
        let now = Instant::from_millis(60 * 86_400_000);
        let record = week.take(now, || vec![1.5, -2.5]).expect("it changed");
        assert_eq!((week.take(now + Span::DAY, Vec::new), week.told()), (None, Some(&record)));
        week.found(1, &mut Source::new(0), told(Gap::new(now, now + Span::MINUTE)));
        assert_eq!(week.take(now + Span::MINUTE, Vec::new), None);
        let mut other = Week::new();
        assert!(other.recall(&record, now) && other.told() == Some(&record));
        let at = |hour: usize| other.hours().pattern().densities()[hour * 12];
        assert!(at(36) > 2.0 * at(26), "{} {}", at(36), at(26));
        assert!(week.take(now + Span::HOUR, Vec::new).is_some());
    }

    #[test]
    fn a_clock_that_strikes_at_half_past_is_known_to_five_minutes_across_a_restart() {
        let mut week = Week::new();
        let mut sources: Vec<Source> = (0..20).map(|_| Source::new(0)).collect();
        for strike in 0..6 * 60_i64 {
            let at = Instant::from_millis((strike * 4 * 60 + 30) * 60_000);
            let source = (strike * 7 % 20) as usize;
            let gap = Gap::new(at - Span::MINUTE, at + Span::MINUTE.times(2));
            week.found(source as u32, &mut sources[source], told(gap));
        }
        let mut other = Week::new();
        let record = week.record(Vec::new()).expect("something was seen");
        assert!(other.recall(&record, Instant::from_millis(60 * 86_400_000)));
        for week in [week, other] {
            let at = |minute: usize| week.hours().pattern().densities()[minute / 5];
            assert!(at(30) > 5.0 * at(25), "{} {}", at(30), at(25));
        }
    }

    #[test]
    fn a_damaged_record_is_nothing_seen() {
        let discounted = Instant::EPOCH;
        let damaged =
            [vec![1.0; 168], vec![f32::NAN; 336], vec![-1.0; 912], vec![1.0; 600], Vec::new()];
        for hours in damaged {
            let mut week = Week::new();
            assert!(
                !week.recall(&WeekRecord { discounted, hours, company: Vec::new() }, discounted)
            );
            assert_eq!((week.told(), week.hours().pattern()), (None, &Pattern::flat()));
        }
    }
}
