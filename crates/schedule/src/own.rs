//! A source's own hours of the day and days of the week, over the pattern that all share.
//!
//! A source keeps counts of its finds by hour and by day, and since when. The factor of an hour is
//! (seen + 2)/(expected + 2), expected being what the shared pattern says of as many finds in that
//! time; so is that of a day. A day that has not come yet has the factor 1. Hours are smoothed with
//! their neighbours as far as that would have foretold the finds better. A clock's are not: there
//! 0.3 is added in place of 2. The factors follow the shared pattern as it changes. Counts say
//! little of finds whose time nobody tells: beside them a source keeps [`Daily`].

use crate::daily::{self, Daily, HYPOTHESES};
use crate::pattern::HOURS;
use chronon::Instant;

/// Finds, and as many expected ones, that are added to each count.
const PRIOR: f64 = 2.0;
/// The same of an hour that is taken as it is: a clock strikes in no other.
const SHARP_PRIOR: f64 = 0.3;
/// Parts of a find that are counted: one whose hour is unclear counts at several.
pub(crate) const PARTS: u32 = 8;
/// Hours are thought smooth until the log-likelihood speaks against it by this much.
const SHARP_DOUBT: f64 = 4.0;
/// The weight of an hour itself where it is smoothed.
const OWN_WEIGHT: f64 = 0.5;
/// Bytes that are stored of a source, and what an earlier release stored of it.
pub(crate) const STORED: usize = STORED_BEFORE + HYPOTHESES + 4;
const STORED_BEFORE: usize = 35;
/// After twenty weeks the hours of a part of one more make no difference.
const WEEKS_WHOLE: usize = 20;
/// Less of the shared pattern, in hours of its mean, is what rounding leaves of nothing.
const NOTHING: f64 = 1e-9;
const HOUR_MILLIS: i64 = 3_600_000;

/// What part of the shared pattern falls into each hour of the day and each weekday.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Split {
    hours: [f64; 24],
    days: [f64; 7],
}

/// Sums of the shared pattern from which it is split for any time at once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shares {
    of_weeks: Split,
    /// By hour of the day, of the days of the week before each day.
    hours_before: [[f64; 24]; 8],
    /// The same of all hours of the week before each.
    before: [f64; HOURS + 1],
}

impl Shares {
    /// From rate ÷ mean rate by hour of the week.
    pub(crate) fn of_weeks(densities: &[f64; HOURS]) -> Shares {
        let (mut hours_before, mut before) = ([[0.0; 24]; 8], [0.0; HOURS + 1]);
        for (cell, density) in densities.iter().enumerate() {
            before[cell + 1] = before[cell] + density;
        }
        for (day, hours) in densities.as_chunks::<24>().0.iter().enumerate() {
            hours_before[day + 1] = std::array::from_fn(|h| hours_before[day][h] + hours[h]);
        }
        let days = std::array::from_fn(|day| before[24 * day + 24] - before[24 * day]);
        let of_weeks = Split { hours: hours_before[7], days };
        Shares { of_weeks, hours_before, before }
    }

    /// What part of a week falls into each hour of the day.
    pub(crate) fn of_hours(&self) -> [f64; 24] {
        let all = side_by_side(&self.of_weeks.hours).max(NOTHING);
        self.of_weeks.hours.map(|hours| (hours / all).max(NOTHING))
    }

    /// `finds` finds as they would fall into this many hours from the hour `first` of the week on.
    fn expected(&self, finds: f64, first: usize, hours: usize) -> Split {
        let weeks = (hours / HOURS) as f64;
        let mut split = self.of_weeks;
        if hours / HOURS < WEEKS_WHOLE {
            let end = first + hours % HOURS;
            let around = f64::from(u8::from(end >= HOURS));
            let [from, to] = [self.until(first), self.until(end % HOURS)];
            let part = |whole: f64, from: f64, to: f64| {
                let part = (weeks + around) * whole + (to - from);
                if part > NOTHING { part } else { 0.0 }
            };
            split.hours = std::array::from_fn(|h| part(split.hours[h], from.hours[h], to.hours[h]));
            split.days = std::array::from_fn(|d| part(split.days[d], from.days[d], to.days[d]));
        }
        let scale = finds / split.days.iter().sum::<f64>().max(NOTHING);
        Split { hours: split.hours.map(|x| x * scale), days: split.days.map(|x| x * scale) }
    }

    /// What falls into the hours of the week before an hour of it.
    fn until(&self, cell: usize) -> Split {
        let (day, hour) = (cell / 24, cell % 24);
        let [before, after] = [self.hours_before[day], self.hours_before[day + 1]];
        Split {
            hours: std::array::from_fn(|h| if h < hour { after[h] } else { before[h] }),
            days: std::array::from_fn(|d| {
                self.before[cell.min(24 * d + 24)] - self.before[cell.min(24 * d)]
            }),
        }
    }
}

/// The shared pattern by hour of the week, rate ÷ mean rate, its shares, and the time it is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) densities: &'a [f64; HOURS],
    pub(crate) shares: &'a Shares,
    pub(crate) now: Instant,
}

/// Each hour of the day with its neighbours.
fn smooth(hours: &[f64; 24]) -> [f64; 24] {
    std::array::from_fn(|h| {
        let around = hours[(h + 23) % 24] + hours[(h + 1) % 24];
        OWN_WEIGHT * hours[h] + (1.0 - OWN_WEIGHT) / 2.0 * around
    })
}

/// Parts of finds by hour of the day and by day of the week, from Thursday on; how far hours are
/// taken as they are instead of smoothed; since when they are counted; what the days of the source
/// are like; and when something was found last. 76 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Own {
    hours: [u8; 24],
    days: [u8; 7],
    /// In 255ths.
    sharp: u8,
    daily: Daily,
    /// Hours since the epoch; 24 bits.
    since: u32,
    /// Seconds since the epoch; 0 before anything was found.
    found: u32,
}

fn hours_of(at: Instant) -> u32 {
    at.as_millis().div_euclid(HOUR_MILLIS).clamp(0, (1 << 24) - 1) as u32
}

impl Own {
    /// Nothing counted, from `since` on.
    pub(crate) fn new(since: Instant) -> Own {
        let (daily, since) = (Daily::unknown(), hours_of(since));
        Own { hours: [0; 24], days: [0; 7], sharp: 0, daily, since, found: 0 }
    }

    /// Where it begins and ends in memory.
    pub(crate) fn ends(&self) -> u32 {
        u32::from(self.hours[0]) ^ self.found
    }

    pub(crate) fn daily_mut(&mut self) -> &mut Daily {
        &mut self.daily
    }

    /// When something was found last, if it was.
    pub(crate) fn found(&self) -> Option<Instant> {
        let at = (self.found > 0).then_some(self.found);
        at.map(|seconds| Instant::from_millis(i64::from(seconds) * 1_000))
    }

    /// Something was found by then.
    pub(crate) fn set_found(&mut self, at: Instant) {
        let at = at.as_millis().div_euclid(1_000).clamp(0, u32::MAX.into()) as u32;
        self.found = self.found.max(at);
    }

    /// Counts a part of a find in this hour of the week. All counts are halved where one is full,
    /// and the time with them.
    pub(crate) fn count(&mut self, cell: usize, now: Instant) {
        let (hour, day) = (cell % 24, cell / 24);
        if self.hours[hour] == u8::MAX || self.days[day] == u8::MAX {
            self.hours.iter_mut().chain(&mut self.days).for_each(|count| *count /= 2);
            self.since += hours_of(now).saturating_sub(self.since) / 2;
        }
        self.hours[hour] += 1;
        self.days[day] += 1;
    }

    /// Finds counted.
    fn finds(&self) -> f64 {
        let parts: u32 = self.days.iter().map(|&count| u32::from(count)).sum();
        f64::from(parts) / f64::from(PARTS)
    }

    fn counts(&self) -> [f64; 24] {
        self.hours.map(|count| f64::from(count) / f64::from(PARTS))
    }

    /// The finds that the shared pattern says of each hour and day.
    fn expected(&self, shared: Shared<'_>) -> Split {
        let passed = hours_of(shared.now).saturating_sub(self.since) as usize + 1;
        shared.shares.expected(self.finds(), self.since as usize % HOURS, passed)
    }

    /// Says anew whether the hours are a clock's: whether each find is foretold better by the
    /// others as they are, or smoothed.
    pub(crate) fn sharpen(&mut self, shared: Shared<'_>) {
        let (counts, expected) = (self.counts(), self.expected(shared).hours);
        let (seen, blurred) = (smooth(&counts), smooth(&expected));
        let mut gain = 0.0;
        for (h, &count) in counts.iter().enumerate() {
            let one = count.min(1.0);
            if one > 0.0 {
                let plain = factor(count - one, expected[h], SHARP_PRIOR);
                let smooth = factor(seen[h] - OWN_WEIGHT * one, blurred[h], PRIOR);
                gain += count * libm::log(plain / smooth);
            }
        }
        self.sharp = libm::round(255.0 / (1.0 + libm::exp(SHARP_DOUBT - gain))) as u8;
    }

    /// What it makes of the shared pattern, whose mean stays 1.
    pub(crate) fn factors(&self, shared: Shared<'_>) -> Factors {
        let (counts, expected) = (self.counts(), self.expected(shared));
        let (seen, blurred) = (smooth(&counts), smooth(&expected.hours));
        let sharp = f64::from(self.sharp) / 255.0;
        let hours: [f32; 24] = std::array::from_fn(|h| {
            let smooth = factor(seen[h], blurred[h], PRIOR);
            let plain = factor(counts[h], expected.hours[h], SHARP_PRIOR);
            (smooth + sharp * (plain - smooth)) as f32
        });
        let days: [f64; 7] = std::array::from_fn(|d| {
            factor(f64::from(self.days[d]) / f64::from(PARTS), expected.days[d], PRIOR)
        });
        Factors::of(hours, days, shared)
    }

    /// How the source takes the shared pattern, its days included, where without these `flat`
    /// (0 … 1) of it is the same at all hours: what of it is then, and the factors of the rest.
    pub(crate) fn taken(&self, shared: Shared<'_>, flat: f64) -> (f64, Factors) {
        let factors = self.factors(shared);
        let Some(chances) = self.daily.chances() else { return (flat, factors) };
        let (any, by_day) = (chances.iter().sum::<f64>(), daily::factors(&chances, shared.shares));
        let flat_left = flat * (1.0 - any);
        let other = 1.0 - any - flat_left;
        let mixed = |h: usize| other * f64::from(factors.hours[h]) + any * by_day[h];
        let hours = std::array::from_fn(|h| (mixed(h) / (1.0 - flat_left)) as f32);
        (flat_left, Factors::of(hours, factors.believed_days(flat), shared))
    }

    /// The factors of days alone, where `flat` of the counts is not believed.
    pub(crate) fn days(&self, shared: Shared<'_>, flat: f64) -> Factors {
        Factors::of([1.0; 24], self.factors(shared).believed_days(flat), shared)
    }

    /// Whether its days say anything.
    pub(crate) fn knows_days(&self) -> bool {
        self.daily.is_favouring()
    }

    /// To store.
    pub(crate) fn bytes(&self) -> [u8; STORED] {
        let mut bytes = [self.sharp; STORED];
        bytes[..24].copy_from_slice(&self.hours);
        bytes[24..31].copy_from_slice(&self.days);
        bytes[32..35].copy_from_slice(&self.since.to_le_bytes()[..3]);
        bytes[35..71].copy_from_slice(&self.daily.bytes());
        bytes[71..].copy_from_slice(&self.found.to_le_bytes());
        bytes
    }

    /// What was stored behind cells of `cell` bytes, and those.
    pub(crate) fn split_from(bytes: &[u8], cell: usize) -> (&[u8], Option<Own>) {
        let rest = bytes.len() % cell;
        if rest == STORED % cell
            && let Some((cells, own)) = bytes.split_last_chunk()
        {
            return (cells, Some(Own::of(own)));
        }
        if rest == STORED_BEFORE % cell
            && let Some((cells, own)) = bytes.split_last_chunk()
        {
            return (cells, Some(Own::of_before(own)));
        }
        (bytes, None)
    }

    /// What was stored; any bytes will do.
    pub(crate) fn of(bytes: &[u8; STORED]) -> Own {
        let mut own = Own::of_before(bytes.first_chunk().expect("a part"));
        own.daily = Daily::of(std::array::from_fn(|at| bytes[STORED_BEFORE + at]));
        own.found = u32::from_le_bytes(*bytes.last_chunk().expect("a part"));
        own
    }

    /// What an earlier release stored, which knew nothing of clocks.
    fn of_before(bytes: &[u8; STORED_BEFORE]) -> Own {
        let since = u32::from_le_bytes([bytes[32], bytes[33], bytes[34], 0]);
        let mut own = Own { sharp: bytes[31], since, ..Own::new(Instant::EPOCH) };
        own.hours.copy_from_slice(&bytes[..24]);
        own.days.copy_from_slice(&bytes[24..31]);
        own
    }
}

/// Their sum.
fn side_by_side(numbers: &[f64; 24]) -> f64 {
    let [a, b, c, d] = numbers
        .as_chunks::<4>()
        .0
        .iter()
        .fold([0.0; 4], |sum, four| std::array::from_fn(|lane| sum[lane] + four[lane]));
    (a + b) + (c + d)
}

fn factor(seen: f64, expected: f64, prior: f64) -> f64 {
    (seen + prior) / (expected + prior)
}

/// By what each hour of the week differs from the shared pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Factors {
    hours: [f32; 24],
    days: [f32; 7],
}

impl Factors {
    /// From hours and days, so that the week's mean stays 1.
    fn of(hours: [f32; 24], days: [f64; 7], shared: Shared<'_>) -> Factors {
        // A chain of sums would wait for each of them: the hours of the day go side by side.
        let mut by_hour = [0.0; 24];
        for (densities, day) in shared.densities.as_chunks::<24>().0.iter().zip(days) {
            by_hour = std::array::from_fn(|h| by_hour[h] + day * densities[h]);
        }
        let week = side_by_side(&std::array::from_fn(|h| by_hour[h] * f64::from(hours[h])));
        let scale = HOURS as f64 / week;
        Factors { hours, days: days.map(|factor| (factor * scale) as f32) }
    }

    fn believed_days(&self, flat: f64) -> [f64; 7] {
        self.days.map(|factor| flat + (1.0 - flat) * f64::from(factor))
    }

    /// The factor of an hour of the week.
    pub(crate) fn at(&self, cell: usize) -> f64 {
        f64::from(self.hours[cell % 24]) * f64::from(self.days[cell / 24])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::Span;
    use proptest::prelude::*;

    const FLAT: [f64; HOURS] = [1.0; HOURS];

    /// The factors after finds at these hours since the epoch, in their order.
    fn counted(hours: impl IntoIterator<Item = usize>) -> (Own, Factors) {
        let shares = Shares::of_weeks(&FLAT);
        let mut hours = hours.into_iter().peekable();
        let first = Instant::EPOCH + Span::HOUR.times(*hours.peek().expect("a find") as i64);
        let mut own = Own::new(first);
        let mut shared = Shared { densities: &FLAT, shares: &shares, now: first };
        for hour in hours {
            shared.now = Instant::EPOCH + Span::HOUR.times(hour as i64);
            (0..PARTS).for_each(|_| own.count(hour % HOURS, shared.now));
            own.sharpen(shared);
        }
        (own, own.factors(shared))
    }

    #[test]
    fn a_clocks_hour_is_sharp_and_working_hours_are_smooth() {
        let clock = counted((0..30).map(|day| day * 24 + 3)).1;
        assert!(clock.at(3) > 12.0 && clock.at(4) < 0.6, "{} {}", clock.at(3), clock.at(4));
        let by_day = counted((0..28).map(|day| day * 24 + 7 + day * 5 % 7 + day * 3 % 5)).1;
        let (noon, night) = (by_day.at(12), by_day.at(2));
        assert!(noon > 2.0 * night && noon < 2.0 * by_day.at(16), "{noon} {night}");
    }

    #[test]
    fn days_that_have_not_come_yet_are_as_those_that_have() {
        let (_, factors) = counted((0..40).map(|find| 48 + find));
        let days: Vec<f64> = (0..7).map(|day| factors.at(day * 24)).collect();
        assert!(days.iter().all(|day| (day / days[2] - 1.0).abs() < 0.3), "{days:?}");
    }

    #[test]
    fn an_hour_that_is_full_halves_all() {
        let (own, factors) = counted((0..2_000).map(|day| day * 24 + day % 50 / 49 * 6 + 3));
        assert!(factors.at(3) > 10.0 * factors.at(16) && own.finds() < 40.0);
    }

    proptest! {
        #[test]
        fn what_is_expected_at_once_is_what_a_walk_from_hour_to_hour_finds(
            seed in 0_usize..99, first in 0..HOURS, hours in 1_usize..4_000,
        ) {
            let densities: [f64; HOURS] = std::array::from_fn(|h| ((h * 7 + seed) % 13) as f64);
            let weeks = hours / HOURS >= WEEKS_WHOLE;
            let (first, hours) = if weeks { (0, HOURS) } else { (first, hours) };
            let mut walk = Split { hours: [0.0; 24], days: [0.0; 7] };
            for cell in (first..first + hours).map(|hour| hour % HOURS) {
                walk.hours[cell % 24] += densities[cell];
                walk.days[cell / 24] += densities[cell];
            }
            let sum = walk.days.iter().sum::<f64>().max(NOTHING);
            let passed = if weeks { WEEKS_WHOLE * HOURS + first } else { hours };
            let found = Shares::of_weeks(&densities).expected(3.0, first, passed);
            let near = |found: f64, walked: f64| (found - 3.0 * walked / sum).abs() < 1e-9;
            prop_assert!(found.hours.iter().zip(walk.hours).all(|(&x, y)| near(x, y)));
            prop_assert!(found.days.iter().zip(walk.days).all(|(&x, y)| near(x, y)));
        }

        #[test]
        fn the_mean_of_the_week_stays_whatever_was_stored(
            bytes: [u8; STORED], seed in 0_u32..99, now in 0_i64..1 << 26,
        ) {
            let own = Own::of(&bytes);
            prop_assert_eq!(own.bytes(), bytes);
            let raw: [f64; HOURS] =
                std::array::from_fn(|h| f64::from((h as u32 * 7 + seed) % 13) + 0.1);
            let mean = raw.iter().sum::<f64>() / HOURS as f64;
            let densities = raw.map(|density| density / mean);
            let shares = Shares::of_weeks(&densities);
            let now = Instant::from_millis(now * HOUR_MILLIS);
            let factors = own.factors(Shared { densities: &densities, shares: &shares, now });
            let week: f64 = (0..HOURS).map(|cell| densities[cell] * factors.at(cell)).sum();
            prop_assert!((week / HOURS as f64 - 1.0).abs() < 1e-5, "{}", week);
            prop_assert!((0..HOURS).all(|cell| factors.at(cell) > 0.0));
        }
    }
}
