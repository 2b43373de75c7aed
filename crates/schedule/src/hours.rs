//! What waits at a source that keeps to the pattern of the week, hour by hour.
//!
//! The pattern is constant within an hour, so that the index of a
//! [`Backlog`](crate::pattern::Backlog), F = λ·P·(√(M ÷ 2d⁺) + ½·lag), has a closed form there: P
//! and M are ∫d and ∫(s − last)·d(s)ds since the last probe, d the density, d⁺ the present one, at
//! least a tenth. A table of 168 hours gives both; when F reaches a value is looked for hour by
//! hour.

use crate::own::{Factors, Own, Shared, Shares};
use crate::pattern::rhythm::WeekPlace;
use crate::pattern::{HOURS, Pattern, Rhythm, WEEK};
use chronon::{Instant, Span};

/// Seconds of an hour, and bins.
const HOUR: f64 = 3_600.0;
const HOUR_BINS: usize = 12;
/// d⁺ is taken as at least this.
const DENSITY_MIN: f64 = 0.1;
/// [`Wait::reaches`] looks this many hours ahead.
const HOURS_AHEAD: u32 = 24;
/// Within an hour, a crossing is found this closely: in seconds, and in parts of the time to it.
const WITHIN: f64 = 0.5;
const NEAR: f64 = 0.005;
/// What rounding may take from a value.
const ROUNDED: f64 = 1e-9;

/// The pattern that sources share, by hours of the week: rate ÷ mean rate, and from the start of
/// the week to that of the hour ∫d and ∫s·d(s)ds, in seconds and seconds². 4 KB.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hours {
    density: [f64; HOURS],
    items: [f64; HOURS],
    moment: [f64; HOURS],
    moment_of_week: f64,
    unevenness: f64,
    shares: Shares,
}

/// How a source takes the pattern: `flat` (0 … 1) of it is the same at all hours, and of the rest
/// the hours count by factors of its own, if it has any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taste {
    pub(crate) flat: f64,
    pub(crate) own: Option<Factors>,
}

/// From one look at a source to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
}

impl Gap {
    pub(crate) fn new(from: Instant, to: Instant) -> Gap {
        Gap { from, to }
    }

    pub(crate) fn length(self) -> Span {
        self.to.since(self.from)
    }
}

/// A time in its week, seconds.
#[derive(Debug, Clone, Copy)]
struct Moment {
    week: i64,
    hour: usize,
    /// Since the hour began.
    within: f64,
}

impl Moment {
    fn of(at: Instant) -> Moment {
        let millis = at.as_millis();
        let hour = millis.div_euclid(3_600_000);
        Moment {
            week: hour.div_euclid(HOURS as i64),
            hour: hour.rem_euclid(HOURS as i64) as usize,
            within: millis.rem_euclid(3_600_000) as f64 / 1000.0,
        }
    }

    fn since_week(self) -> f64 {
        self.hour as f64 * HOUR + self.within
    }
}

impl Hours {
    /// From a pattern that is constant within hours.
    pub(crate) fn new(pattern: &Pattern) -> Hours {
        let density: [f64; HOURS] = std::array::from_fn(|hour| pattern.density(hour * HOUR_BINS));
        let place = |hour| WeekPlace { week: 0.0, bin: hour * HOUR_BINS, offset: 0.0 };
        let items = std::array::from_fn(|hour| pattern.within_week(place(hour)).0);
        let (mut moment, mut sum) = ([0.0; HOURS], 0.0);
        for (hour, &density) in density.iter().enumerate() {
            moment[hour] = sum;
            sum += density * HOUR * HOUR * (hour as f64 + 0.5);
        }
        let apart: f64 = density.iter().map(|density| (density - 1.0).abs()).sum();
        let unevenness = apart / HOURS as f64;
        let shares = Shares::of_weeks(&density);
        Hours { density, items, moment, moment_of_week: sum, unevenness, shares }
    }

    /// How far the hours are from the mean, on the mean: 0 where all are alike, below 2.
    pub(crate) fn unevenness(&self) -> f64 {
        self.unevenness
    }

    /// A source's own hours and weekdays on this pattern. O(168).
    pub(crate) fn factors(&self, own: &Own, now: Instant) -> Factors {
        own.factors(self.shared(now))
    }

    /// Says anew whether a source's hours are a clock's.
    pub(crate) fn sharpen(&self, own: &mut Own, now: Instant) {
        own.sharpen(self.shared(now));
    }

    fn shared(&self, now: Instant) -> Shared<'_> {
        Shared { densities: &self.density, shares: &self.shares, now }
    }

    /// ∫d and ∫s·d(s)ds, from the start of the week.
    fn until(&self, at: Moment) -> (f64, f64) {
        let (start, density) = (at.hour as f64 * HOUR, self.density[at.hour]);
        let items = self.items[at.hour] + density * at.within;
        let moment = density * (start + at.within / 2.0) * at.within;
        (items, self.moment[at.hour] + moment)
    }

    /// ∫d and ∫(s − from)·d(s)ds from `from` to `to`.
    fn sums(&self, from: Moment, to: Moment) -> (f64, f64) {
        let (before, after) = (self.until(from), self.until(to));
        let weeks = (to.week - from.week) as f64;
        let items = weeks * WEEK + after.0 - before.0;
        let mut moment = after.1 - before.1;
        if weeks > 0.0 {
            moment += weeks * (self.moment_of_week + WEEK * after.0);
            moment += WEEK * WEEK * weeks * (weeks - 1.0) / 2.0;
        }
        (items, moment - from.since_week() * items)
    }

    /// ∫d and ∫(s − from)·d(s)ds in a gap, by a source's own hours. Whole weeks count by
    /// their mean; else each hour is looked at.
    fn own_sums(&self, gap: Gap, own: &Factors) -> (f64, f64) {
        let whole = libm::floor(gap.length().as_secs_f64().max(0.0) / WEEK) * WEEK;
        let (mut items, mut moment) = (whole, whole * whole / 2.0);
        let mut at = whole;
        self.each(gap, Some(own), |_, came, seconds| {
            items += came;
            moment += came * (at + seconds / 2.0);
            at += seconds;
        });
        (items, moment)
    }

    /// Tells of each hour of a gap, but for whole weeks at its beginning: the hour of the week,
    /// the seconds of mean rate that fall into it, and its own. O(168).
    pub(crate) fn each(
        &self,
        gap: Gap,
        own: Option<&Factors>,
        mut tell: impl FnMut(usize, f64, f64),
    ) {
        let mut waited = gap.length().as_secs_f64().max(0.0);
        waited -= libm::floor(waited / WEEK) * WEEK;
        let Moment { mut hour, within, .. } = Moment::of(gap.from.min(gap.to));
        let mut left = HOUR - within;
        while waited > 0.0 {
            let seconds = left.min(waited);
            let factor = own.map_or(1.0, |own| own.at(hour));
            tell(hour, self.density[hour] * factor * seconds, seconds);
            waited -= seconds;
            (hour, left) = ((hour + 1) % HOURS, HOUR);
        }
    }

    /// What waits at the end of a gap since its beginning, where the mean is `flow`; `lag` is in
    /// seconds. O(1), and O(hours of the gap, at most 168) for a source with hours of its own.
    pub(crate) fn wait(&self, gap: Gap, taste: Taste, flow: f64, lag: f64) -> Wait<'_> {
        let waited = gap.length().as_secs_f64().max(0.0);
        let to = Moment::of(gap.to);
        let (items, moment) = match &taste.own {
            None => self.sums(Moment::of(gap.from.min(gap.to)), to),
            Some(own) => self.own_sums(gap, own),
        };
        let (flat, items) = (taste.flat, items.max(0.0));
        let moment = moment.clamp(0.0, items * waited);
        Wait {
            hours: self,
            taste,
            flow,
            lag,
            sums: Sums {
                waited,
                items: (1.0 - flat) * items + flat * waited,
                moment: (1.0 - flat) * moment + flat * waited * waited / 2.0,
                hour: to.hour,
                left: HOUR - to.within,
            },
        }
    }

    /// How long after `from` the integral of the density reaches `items` ≥ 0. At most a week of
    /// look-ups.
    pub(crate) fn until_items(&self, from: Instant, taste: &Taste, items: f64) -> f64 {
        let weeks = libm::floor(items / WEEK);
        let (mut missing, mut passed) = (items - weeks * WEEK, weeks * WEEK);
        let Moment { mut hour, within, .. } = Moment::of(from);
        let mut left = HOUR - within;
        for _ in 0..=HOURS {
            let density = self.mixed(taste, hour);
            let here = density * left;
            if missing <= here {
                return passed + if density > 0.0 { missing / density } else { 0.0 };
            }
            (missing, passed) = (missing - here, passed + left);
            (hour, left) = ((hour + 1) % HOURS, HOUR);
        }
        passed
    }

    fn mixed(&self, taste: &Taste, hour: usize) -> f64 {
        let factor = taste.own.as_ref().map_or(1.0, |own| own.at(hour));
        (1.0 - taste.flat) * self.density[hour] * factor + taste.flat
    }
}

/// What waits at one source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wait<'a> {
    hours: &'a Hours,
    taste: Taste,
    flow: f64,
    lag: f64,
    sums: Sums,
}

/// What has passed since the last probe, and where in the week that leads.
#[derive(Debug, Clone, Copy)]
struct Sums {
    /// Seconds since the last probe, P and M.
    waited: f64,
    items: f64,
    moment: f64,
    /// The hour of the week, and the seconds left of it.
    hour: usize,
    left: f64,
}

impl Sums {
    /// `seconds` later, at most as many as are left of the hour.
    fn later(self, seconds: f64, density: f64) -> Sums {
        Sums {
            waited: self.waited + seconds,
            items: self.items + density * seconds,
            moment: self.moment + density * (self.waited + seconds / 2.0) * seconds,
            left: self.left - seconds,
            ..self
        }
    }

    /// At the end of an hour: as the next begins.
    fn turned(self) -> Sums {
        Sums { hour: (self.hour + 1) % HOURS, left: HOUR, ..self }
    }
}

impl Wait<'_> {
    fn density(&self, sums: &Sums) -> f64 {
        self.hours.mixed(&self.taste, sums.hour)
    }

    /// P.
    pub(crate) fn items(&self) -> f64 {
        self.sums.items
    }

    /// The seconds that one change has waited, on the mean.
    pub(crate) fn mean(&self) -> f64 {
        let Sums { waited, items, moment, .. } = self.sums;
        if items > 0.0 { (waited - moment / items).max(0.0) } else { waited / 2.0 }
    }

    /// F.
    pub(crate) fn freshness(&self) -> f64 {
        self.with(&self.sums, self.density(&self.sums))
    }

    fn with(&self, sums: &Sums, density: f64) -> f64 {
        let after = 2.0 * density.max(DENSITY_MIN);
        self.flow * sums.items * (libm::sqrt(sums.moment / after) + 0.5 * self.lag)
    }

    /// A time from now, seconds, before which F neither reaches `wanted` nor is less than `least`
    /// as an hour begins; at most a day. A few steps an hour.
    pub(crate) fn reaches(&self, wanted: f64, least: f64) -> f64 {
        let (wanted, least) = (wanted * (1.0 - ROUNDED), least * (1.0 + ROUNDED));
        let (mut sums, mut passed) = (self.sums, 0.0);
        for _ in 0..HOURS_AHEAD {
            let density = self.density(&sums);
            let end = sums.later(sums.left, density);
            if self.with(&end, density) >= wanted {
                return passed + self.within_hour([sums, end], wanted, density);
            }
            passed += sums.left;
            sums = end.turned();
            let next = self.with(&sums, self.density(&sums));
            if next >= wanted || next < least {
                break;
            }
        }
        passed
    }

    /// The same where F reaches `wanted` within an hour, between two sums. The root of F is nearly
    /// straight: the time is guessed along a line, and tried just before and after it.
    fn within_hour(&self, [sums, end]: [Sums; 2], wanted: f64, density: f64) -> f64 {
        let root = libm::sqrt(wanted);
        let at = |seconds: f64| libm::sqrt(self.with(&sums.later(seconds, density), density));
        let (mut low, mut high) =
            ((0.0, at(0.0)), (sums.left, libm::sqrt(self.with(&end, density))));
        if low.1 >= root {
            return 0.0;
        }
        let near = |low: f64| WITHIN + NEAR * low;
        let mut halve = false;
        while high.0 - low.0 > near(low.0) {
            let share = if halve { 0.5 } else { (root - low.1) / (high.1 - low.1) };
            halve = !halve;
            let guess = low.0 + share * (high.0 - low.0);
            let beside = 0.4 * near(guess);
            for guess in [guess - beside, guess + beside] {
                if guess > low.0 && guess < high.0 {
                    let found = (guess, at(guess));
                    if found.1 < root {
                        low = found
                    } else {
                        high = found
                    };
                }
            }
        }
        low.0
    }
}

/// What waits at a source that others told of: D = λ·(P − covered) + told, and the index
/// F = w·D·(D ÷ 2λ′ + ½·lag), λ′ half of the mean rate and half of the present one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hearsay<'a> {
    pub(crate) wait: Option<Wait<'a>>,
    pub(crate) waited: f64,
    pub(crate) rate: f64,
    pub(crate) weight: f64,
    pub(crate) told: f64,
    pub(crate) covered: f64,
    pub(crate) lag: f64,
}

impl Hearsay<'_> {
    /// D, once this much of mean rate has passed.
    fn items(&self, passed: f64) -> f64 {
        self.rate * (passed - self.covered).max(0.0) + self.told
    }

    /// F.
    pub(crate) fn freshness(&self) -> f64 {
        let passed = self.wait.as_ref().map_or(self.waited, Wait::items);
        let density = self.wait.as_ref().map_or(1.0, |wait| wait.density(&wait.sums));
        self.with(self.items(passed), density)
    }

    fn with(&self, items: f64, density: f64) -> f64 {
        let after = self.rate * (1.0 + density);
        self.weight * items * (items / after + 0.5 * self.lag)
    }

    /// A time from now, seconds, before which F neither reaches `wanted` nor is less than `least`
    /// as an hour begins; at most a day where it keeps to a pattern.
    pub(crate) fn reaches(&self, wanted: f64, least: f64) -> f64 {
        let (wanted, least) = (wanted * (1.0 - ROUNDED), least * (1.0 + ROUNDED));
        let seconds = |items: f64, density: f64| {
            // a·D² + b·D = wanted.
            let a = self.weight / (self.rate * (1.0 + density));
            let b = 0.5 * self.weight * self.lag;
            let enough = (libm::sqrt(b * b + 4.0 * a * wanted) - b) / (2.0 * a);
            ((enough - items) / (self.rate * density)).max(0.0) * (1.0 - ROUNDED)
        };
        // While more is covered than has passed nothing is added.
        let Some(wait) = &self.wait else {
            let early = (self.covered - self.waited).max(0.0);
            return early + seconds(self.items(self.waited), 1.0);
        };
        let (mut sums, mut passed) = (wait.sums, 0.0);
        for _ in 0..HOURS_AHEAD {
            let density = wait.density(&sums);
            let end = sums.later(sums.left, density);
            if self.with(self.items(end.items), density) >= wanted {
                return passed + seconds(self.items(sums.items), density).min(sums.left);
            }
            passed += sums.left;
            sums = end.turned();
            let next = self.with(self.items(sums.items), wait.density(&sums));
            if next >= wanted || next < least {
                break;
            }
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::STORED;
    use crate::pattern::{Backlog, Patterns, Shape};
    use proptest::prelude::*;

    fn pattern(seed: u64) -> Pattern {
        Pattern::new(&std::array::from_fn(|bin| {
            let x = (bin as u64 / 12 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            if x.is_multiple_of(5) { 0.0 } else { (x % 13) as f64 }
        }))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn the_index_is_that_of_a_wait_and_is_reached_when_a_search_step_by_step_finds_it(
            seed in 0_u64..9, last in 0_i64..900_000, gap in 1_i64..2_000_000, weight in 0.0..0.99,
            ahead in 1.0..1.4, lag in 0.0..100.0_f64, far in any::<bool>(),
            bytes in prop::option::of(any::<[u8; STORED]>()),
        ) {
            let pattern = pattern(seed);
            let hours = Hours::new(&pattern);
            let own = bytes.map(|bytes| hours.factors(&Own::of(&bytes), Instant::EPOCH));
            let bent = |bin: usize| {
                pattern.density(bin) * own.map_or(1.0, |own| own.at(bin / HOUR_BINS))
            };
            let patterns = Patterns::new(Pattern::new(&std::array::from_fn(bent)), Vec::new());
            // A source's own hours say nothing of whole weeks.
            let gap = if own.is_some() { 1 + gap % 500_000 } else { gap };
            let mixed = patterns.of(Shape::new(Shape::FLAT, weight));
            let last = last + if far { 2_900 * 7 * 86_400 } else { 0 };
            let at = |second: i64| Instant::from_millis(second * 1_000);
            let taste = Taste { flat: Shape::new(Shape::FLAT, weight).weight(), own };
            let index = |gap: i64| {
                hours.wait(Gap::new(at(last), at(last + gap)), taste, 1e-3, lag).freshness()
            };
            let slow = Backlog::new(last as f64, 1e-3, 1.0);
            let to = (last + gap) as f64;
            let (expected, items) = slow.index_and_items(&mixed, to, mixed.rate_at(to));
            let expected = expected + 0.5 * items * lag;
            prop_assert!((index(gap) / expected - 1.0).abs() < 1e-6 || expected < 1e-6);

            let wait = hours.wait(Gap::new(at(last), at(last + gap)), taste, 1e-3, lag);
            let wanted = ahead * index(gap) + 1e-9;
            let least = (2.0 - ahead) * index(gap);
            let found = wait.reaches(wanted, least);
            let day = HOUR * f64::from(HOURS_AHEAD);
            let moves = |later: i64| {
                let (value, begins) = (index(gap + later), (last + gap + later) % 3_600 == 0);
                value >= wanted || begins && value < least
            };
            // Or in the last second of an hour before a busier one, whose index is less.
            let may_move = |later: i64| {
                let end = at(last + gap + later) - Span::from_millis(1);
                let before = || hours.wait(Gap::new(at(last), end), taste, 1e-3, lag).freshness();
                let begins = (last + gap + later) % 3_600 == 0;
                moves(later) || begins && before() >= wanted * (1.0 - 1e-6)
            };
            let first = |moves: &dyn Fn(i64) -> bool| {
                (1..day as i64).find(|&later| moves(later)).map_or(day, |first| first as f64)
            };
            let (soonest, first) = (first(&may_move), first(&moves));
            let about = found <= first && found > soonest - 2.0 - 2.0 * NEAR * HOUR;
            prop_assert!(about || found > day - HOUR, "{found} {first}");

            let when = hours.until_items(at(last), &taste, items / 1e-3);
            let again = mixed.expected(last as f64, last as f64 + when);
            prop_assert!((again - items / 1e-3).abs() < 1e-3 + 1e-6 * again);
        }
    }

    #[test]
    fn a_wait_of_years_loses_no_digits() {
        let hours = Hours::new(&Pattern::flat());
        let now = Instant::from_millis(1_800_000_000_000);
        let flat = Taste { flat: 0.0, own: None };
        for days in [0, 1, 6, 8, 400, 4_000] {
            let wait = hours.wait(Gap::new(now - Span::DAY.times(days), now), flat, 1.0, 0.0);
            let seconds = 86_400.0 * days as f64;
            assert!((wait.freshness() - seconds * seconds / 2.0).abs() <= 1e-9 * seconds * seconds);
        }
    }
}
