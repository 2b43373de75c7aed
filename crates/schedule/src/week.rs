//! At which hours of the week sources change, and which of them keep to it.
//!
//! All sources share one pattern by hours of the (UTC) week. A source believes in it by its score,
//! which forgets: the sum of ln d over the changes found at the source, d being the pattern's
//! density where the change came. For a source that changes around the clock the mean of d is 1. At
//! any time at most one in eˢ of such sources has a score above s (Markov's inequality): a source
//! with s > 2 believes in the pattern to 1 − e²⁻ˢ, and all others not at all.

use crate::chance;
use crate::hours::{Gap, Hours};
use crate::pattern::{HOURS, Pattern, PatternLearner, Patterns, Rhythm, Shape};
use crate::source::Source;
use chronon::{Instant, SourceId, Span};
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
/// In a gap up to this a change counts at its middle.
const GAP_SHORT: Span = Span::HOUR;
/// No source's changes count for more than this many a day.
const A_DAY_MAX: f64 = 4.0;
/// What a score keeps at each change.
const KEEPS: f32 = 0.97;
/// A score up to this is flat.
const DOUBT: f64 = 2.0;
/// Time by a rhythm passes at least at this share of the clock's pace.
const PACE_MIN: f64 = 0.05;

/// What is known of the week, of all sources together: one row; opaque to all but this crate and
/// the store's columns.
#[derive(Debug, Clone, PartialEq)]
pub struct WeekRecord {
    /// When the week under way began, and the counts before it were discounted.
    pub discounted: Instant,
    /// Changes found by hour of the week, from Thursday 0:00 UTC on: 168 numbers ≥ 0 of the weeks
    /// before, and 168 of that under way.
    pub hours: Vec<f32>,
    /// What companions said, and what came of it: 12 numbers ≥ 0 each, or none.
    pub company: Vec<f32>,
}

/// The pattern that sources share, and what it is learned from.
#[derive(Debug, Clone)]
pub(crate) struct Week {
    /// Counts of the weeks that are over, and of the week under way.
    learner: PatternLearner,
    fresh: PatternLearner,
    patterns: Arc<Patterns>,
    /// The pooled pattern of the week.
    hours: Arc<Hours>,
    /// When the pattern was worked out and the counts discounted.
    refreshed: Option<Instant>,
    told: Option<WeekRecord>,
    told_at: Instant,
    changed: bool,
}

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
            patterns: Arc::default(),
            hours: Arc::new(Hours::new(&Pattern::flat())),
            refreshed: None,
            told: None,
            told_at: Instant::from_millis(i64::MIN),
            changed: false,
        }
    }

    #[cfg(test)]
    pub(crate) fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    pub(crate) fn hours(&self) -> &Hours {
        &self.hours
    }

    fn set_pattern(&mut self, pattern: Pattern) {
        self.hours = Arc::new(Hours::new(&pattern));
        self.patterns = Arc::new(Patterns::new(pattern, Vec::new()));
    }

    /// Seconds from `from` to `to` as the source's rhythm counts them: its mean rate holds there.
    pub(crate) fn lived(&self, source: &Source, from: Instant, to: Instant) -> f64 {
        let gap = to.since(from).as_secs_f64();
        match source.rhythm() {
            None => gap,
            Some(shape) => {
                let lived = self.patterns.of(shape).expected(seconds(from), seconds(to));
                lived.max(PACE_MIN * gap)
            }
        }
    }

    /// ∫ of the density that all share: seconds of mean rate.
    pub(crate) fn came(&self, from: f64, to: f64) -> f64 {
        self.patterns.pooled().expected(from, to)
    }

    /// Learns from a change of `source` between `from` and `to`, and its score, before its counters
    /// move on. O(1), and O(hours of the week · 12) once a week.
    pub(crate) fn found(&mut self, seed: u64, id: SourceId, source: &mut Source, gap: Gap) {
        let length = gap.length();
        if length <= Span::ZERO || length > GAP_MAX {
            return;
        }
        let came = self.patterns.pooled().expected(seconds(gap.from), seconds(gap.to));
        let density = came / length.as_secs_f64();
        let before = shape(source.score);
        source.score = KEEPS * source.score + libm::log(density.max(1e-3)) as f32;
        let came_at = if length <= GAP_SHORT {
            seconds(gap.from + length.divided_by(2))
        } else {
            let share = chance::share(seed, id, source.probes.into());
            self.drawn(share, before, gap)
        };
        let a_day = f64::from(source.rate) * Span::DAY.as_secs_f64();
        self.fresh.count(came_at, (A_DAY_MAX / a_day).min(1.0));
        self.changed = true;
        self.refresh(gap.to);
    }

    /// The time in a gap before which `share` of its changes are expected, as the source believes.
    fn drawn(&self, share: f64, shape: Shape, gap: Gap) -> f64 {
        let (pattern, from) = (self.patterns.of(shape), seconds(gap.from));
        pattern.when(from, share * pattern.expected(from, seconds(gap.to)))
    }

    fn refresh(&mut self, now: Instant) {
        let refreshed = *self.refreshed.get_or_insert(now);
        let passed = now.since(refreshed);
        if passed < REFRESH {
            return;
        }
        self.learner.forget(libm::exp2(-passed.as_secs_f64() / HALF_LIFE.as_secs_f64()));
        let fresh = std::mem::take(&mut self.fresh);
        let sum = |hour: usize| self.learner.hours()[hour] + fresh.hours()[hour];
        self.learner = PatternLearner::from_hours(std::array::from_fn(sum));
        self.refreshed = Some(now);
        self.set_pattern(self.learner.hourly());
    }

    /// Takes over what an earlier life counted; whether it could be read.
    pub(crate) fn recall(&mut self, record: &WeekRecord, now: Instant) -> bool {
        let sound = record
            .hours
            .iter()
            .chain(&record.company)
            .all(|count| count.is_finite() && *count >= 0.0);
        if !sound || record.hours.len() != 2 * HOURS {
            return false;
        }
        let learner = |first: usize| {
            PatternLearner::from_hours(std::array::from_fn(|hour| {
                record.hours[first + hour].into()
            }))
        };
        (self.learner, self.fresh) = (learner(0), learner(HOURS));
        self.set_pattern(self.learner.hourly());
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

    /// What is known now.
    pub(crate) fn record(&self, company: Vec<f32>) -> Option<WeekRecord> {
        let hours = self.learner.hours().iter().chain(self.fresh.hours());
        let hours = hours.map(|&count| count as f32).collect();
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
        week.set_pattern(week.learner.hourly());
        week
    }
}

/// The shape of a source with this score, unless it is flat.
pub(crate) fn rhythm(score: f32) -> Option<Shape> {
    // Most are flat: no exponential for those.
    Some(score).filter(|&score| f64::from(score) > DOUBT).map(shape).filter(|s| s.weight() < 1.0)
}

/// The shape of a source with this score.
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

    /// Changes of `sources`, each found within the hour, at hours of the week drawn by `hour`.
    fn lived(sources: u32, hour: impl Fn(u64) -> u64) -> (Week, Vec<Source>) {
        let mut week = Week::new();
        let mut all: Vec<Source> = (0..sources).map(|_| Source::new(0)).collect();
        for day in 0..60_u64 {
            for (id, source) in all.iter_mut().enumerate() {
                let id = SourceId(id as u32);
                let draw = chance::spread(3, id, day, Span::from_millis(1 << 30));
                let hour = day * 24 + hour(draw.as_millis() as u64);
                let from = Instant::from_millis(hour as i64 * 3_600_000);
                week.found(3, id, source, Gap::new(from, from + Span::HOUR));
            }
        }
        (week, all)
    }

    #[test]
    fn who_changes_by_day_believes_in_the_day_and_who_changes_around_the_clock_does_not() {
        let (_, by_day) = lived(40, |draw| 8 + draw % 10);
        assert!(by_day.iter().all(|source| source.rhythm().is_some()));
        let (_, always) = lived(40, |draw| draw % 24);
        let wrong = always.iter().filter(|source| source.rhythm().is_some()).count();
        assert!(wrong <= 4, "{wrong} of 40 sources believe in chance");
    }

    #[test]
    fn nobody_is_believed_before_a_few_changes_and_a_strange_score_is_none() {
        assert!(shape(0.0).weight() >= 1.0 && shape(2.0).weight() >= 1.0);
        assert!(shape(4.0).weight() < 0.2 && shape(60.0).weight() == 0.0);
        assert_eq!((sound_score(f32::NAN), sound_score(5.5)), (0.0, 5.5));
    }

    #[test]
    fn the_record_is_told_once_an_hour_if_it_changed_and_makes_the_same_pattern_again() {
        let (mut week, _) = lived(10, |draw| 8 + draw % 10);
        let now = Instant::from_millis(60 * 86_400_000);
        let record = week.take(now, Vec::new).expect("it changed");
        assert_eq!((week.take(now + Span::DAY, Vec::new), week.told()), (None, Some(&record)));
        week.found(3, SourceId(1), &mut Source::new(0), Gap::new(now, now + Span::MINUTE));
        assert_eq!(week.take(now + Span::MINUTE, Vec::new), None);
        let mut other = Week::new();
        assert!(other.recall(&record, now) && other.told() == Some(&record));
        let at = |hour: usize| other.patterns().pooled().densities()[hour * 12];
        assert!(at(36) > 2.0 * at(26), "{} {}", at(36), at(26));
        assert!(week.take(now + Span::HOUR, Vec::new).is_some());
    }

    #[test]
    fn a_damaged_record_is_nothing_seen() {
        let discounted = Instant::EPOCH;
        for hours in [vec![1.0; 168], vec![f32::NAN; 336], vec![-1.0; 336], Vec::new()] {
            let mut week = Week::new();
            assert!(
                !week.recall(&WeekRecord { discounted, hours, company: Vec::new() }, discounted)
            );
            assert_eq!((week.told(), week.patterns()), (None, &Patterns::default()));
        }
    }
}
