//! What waits at a source that keeps to the pattern of the week, piece by piece.
//!
//! The pattern is constant within a piece: an hour, or five minutes where those of an hour differ.
//! There the index of a [`Backlog`](crate::pattern::Backlog), F = λ·P·(√(M ÷ 2d⁺) + ½·lag), has a
//! closed form: P and M are ∫d and ∫(s − last)·d(s)ds since the last probe, d the density, d⁺ the
//! present one, at least a tenth. A table of the week gives both; when F reaches a value is looked
//! for piece by piece, and an hour in which it cannot is passed over.

use crate::ahead;
use crate::daily::Seen;
use crate::own::{Factors, Own, Shared, Shares};
use crate::pattern::rhythm::{BIN_SECONDS, WeekPlace};
use crate::pattern::{HOURS, Pattern, Rhythm, WEEK};
use chronon::{Instant, Span};

/// Seconds of an hour, and bins.
const HOUR: f64 = 3_600.0;
const HOUR_BINS: usize = 12;
/// d⁺ is taken as at least this.
const DENSITY_MIN: f64 = 0.1;
/// [`Wait::reaches`] looks this many hours ahead.
const HOURS_AHEAD: u32 = 24;
/// Within a piece, a crossing is found this closely: in seconds, and in parts of the time to it.
const WITHIN: f64 = 0.5;
const NEAR: f64 = 0.005;
/// What rounding may take from a value.
const ROUNDED: f64 = 1e-9;

/// The pattern that sources share, rate ÷ mean rate, with what is looked up by hours of the week.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hours {
    pattern: Pattern,
    density: [f64; HOURS],
    /// The least and the greatest density of each hour.
    bounds: [[f64; 2]; HOURS],
    moment_of_week: f64,
    swing: f64,
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

/// The swing of a store over a week, in days of the mean. The mean flows into the store, and the
/// pattern flows out of it; its swing is the fullest hour less the emptiest.
fn swing(density: &[f64; HOURS]) -> f64 {
    let (mut level, mut least, mut most) = (0.0, 0.0_f64, 0.0_f64);
    for density in density {
        level += (1.0 - density) / 24.0;
        (least, most) = (least.min(level), most.max(level));
    }
    most - least
}

impl Hours {
    /// From a pattern that is constant within pieces.
    pub(crate) fn new(pattern: Pattern) -> Hours {
        let bins = pattern.densities().as_chunks::<HOUR_BINS>().0;
        let density: [f64; HOURS] =
            std::array::from_fn(|hour| bins[hour].iter().sum::<f64>() / HOUR_BINS as f64);
        let bounds = std::array::from_fn(|hour| {
            let fold = |start, of: fn(f64, f64) -> f64| bins[hour].iter().copied().fold(start, of);
            let [least, most] = [fold(f64::INFINITY, f64::min), fold(0.0, f64::max)];
            // What rounding makes of hours that are even.
            if most - least > ROUNDED * most { [least, most] } else { [density[hour]; 2] }
        });
        let shares = Shares::of_weeks(&density);
        let moment_of_week = WEEK * WEEK - pattern.integral_of_week();
        let swing = swing(&density);
        Hours { pattern, density, bounds, moment_of_week, swing, shares }
    }

    /// Rate ÷ mean rate over the week.
    pub(crate) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Whether the five minutes of an hour are all alike.
    fn is_even(&self, hour: usize) -> bool {
        self.bounds[hour][0] >= self.bounds[hour][1]
    }

    /// What busy hours take beyond the mean, until quiet ones have brought it back, in days of the
    /// mean: 0 where all hours are alike, below 7.
    pub(crate) fn swing(&self) -> f64 {
        self.swing
    }

    /// A source's own hours and weekdays on this pattern. O(168).
    pub(crate) fn factors(&self, own: &Own, now: Instant) -> Factors {
        own.factors(self.shared(now))
    }

    /// How a source takes this pattern, of which `flat` counts for nothing unless its days say
    /// otherwise.
    pub(crate) fn taste(&self, own: &Own, now: Instant, flat: f64) -> Taste {
        let (flat, factors) = own.taken(self.shared(now), flat);
        Taste { flat, own: Some(factors) }
    }

    /// The factors of a source's weekdays alone, as far as its counts are believed.
    pub(crate) fn days_of(&self, own: &Own, now: Instant, flat: f64) -> Factors {
        own.days(self.shared(now), flat)
    }

    /// Says anew in which hours of the day a source changes, on its weekdays; `believed` is what
    /// was seen by all that is believed by now. O(168).
    pub(crate) fn weigh_days(
        &self,
        own: &mut Own,
        rate: f64,
        (seen, days): (&Seen<Gap>, &Factors),
        believed: Seen<f64>,
    ) {
        let by_hour = |gap| self.by_hour(gap, days);
        let seen = Seen { quiet: by_hour(seen.quiet), gap: by_hour(seen.gap) };
        own.daily_mut().weigh(rate, &seen, believed, &self.shares);
    }

    /// The seconds of mean rate that fall into each hour of the day.
    fn by_hour(&self, gap: Gap, days: &Factors) -> [f64; 24] {
        let weeks = libm::floor(gap.length().as_secs_f64().max(0.0) / WEEK);
        let mut hours = self.shares.of_hours().map(|share| share * weeks * WEEK);
        self.each(gap, Some(days), |hour, (came, _), _| hours[hour % 24] += came);
        hours
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
        let bin = ((at.within / BIN_SECONDS) as usize).min(HOUR_BINS - 1);
        let offset = at.within - bin as f64 * BIN_SECONDS;
        let place = WeekPlace { week: 0.0, bin: at.hour * HOUR_BINS + bin, offset };
        let (items, integral) = self.pattern.within_week(place);
        (items, at.since_week() * items - integral)
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
        self.each(gap, Some(own), |_, (came, within), seconds| {
            items += came;
            moment += came * at + within;
            at += seconds;
        });
        (items, moment)
    }

    /// Tells of each hour of a gap, but for whole weeks at its beginning: the hour of the week,
    /// the seconds of mean rate that fall into it and their moment from where it begins, and its
    /// own. O(168).
    pub(crate) fn each(
        &self,
        gap: Gap,
        own: Option<&Factors>,
        mut tell: impl FnMut(usize, (f64, f64), f64),
    ) {
        let mut waited = gap.length().as_secs_f64().max(0.0);
        waited -= libm::floor(waited / WEEK) * WEEK;
        let Moment { mut hour, mut within, .. } = Moment::of(gap.from.min(gap.to));
        while waited > 0.0 {
            let seconds = (HOUR - within).min(waited);
            let factor = own.map_or(1.0, |own| own.at(hour));
            let (came, moment) = self.within_hour(hour, within, seconds);
            tell(hour, (factor * came, factor * moment), seconds);
            waited -= seconds;
            (hour, within) = ((hour + 1) % HOURS, 0.0);
        }
    }

    /// ∫d and ∫(s − from)·d(s)ds in some seconds of an hour.
    fn within_hour(&self, hour: usize, from: f64, seconds: f64) -> (f64, f64) {
        if self.is_even(hour) {
            let came = self.density[hour] * seconds;
            return (came, came * seconds / 2.0);
        }
        let at = |within: f64| self.until(Moment { week: 0, hour, within });
        let (before, after) = (at(from), at(from + seconds));
        let came = after.0 - before.0;
        let moment = after.1 - before.1 - (hour as f64 * HOUR + from) * came;
        (came, moment.clamp(0.0, came * seconds))
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
                piece: self.piece(to),
            },
        }
    }

    /// How long after `from` the integral of the density reaches `items` ≥ 0. At most a week of
    /// look-ups.
    pub(crate) fn until_items(&self, from: Instant, taste: &Taste, items: f64) -> f64 {
        let weeks = libm::floor(items / WEEK);
        let (mut missing, mut passed) = (items - weeks * WEEK, weeks * WEEK);
        let mut piece = self.piece(Moment::of(from));
        for _ in 0..=HOURS * HOUR_BINS {
            let density = self.mixed(taste, piece);
            let here = density * piece.left;
            if missing <= here {
                return passed + if density > 0.0 { missing / density } else { 0.0 };
            }
            (missing, passed) = (missing - here, passed + piece.left);
            piece = self.next(piece);
        }
        passed
    }

    /// What is left of the piece at a time.
    fn piece(&self, at: Moment) -> Piece {
        if self.is_even(at.hour) {
            return Piece { hour: at.hour, bin: 0, left: HOUR - at.within };
        }
        let bin = ((at.within / BIN_SECONDS) as usize).min(HOUR_BINS - 1);
        Piece { hour: at.hour, bin, left: (bin + 1) as f64 * BIN_SECONDS - at.within }
    }

    /// The piece after one.
    fn next(&self, Piece { hour, bin, .. }: Piece) -> Piece {
        if !self.is_even(hour) && bin + 1 < HOUR_BINS {
            return Piece { hour, bin: bin + 1, left: BIN_SECONDS };
        }
        let hour = (hour + 1) % HOURS;
        Piece { hour, bin: 0, left: if self.is_even(hour) { HOUR } else { BIN_SECONDS } }
    }

    fn mixed(&self, taste: &Taste, piece: Piece) -> f64 {
        let density = if self.is_even(piece.hour) {
            self.density[piece.hour]
        } else {
            self.pattern.density(piece.hour * HOUR_BINS + piece.bin)
        };
        self.taken(taste, piece.hour, density)
    }

    /// What a source makes of a density that is shared in an hour.
    fn taken(&self, taste: &Taste, hour: usize, density: f64) -> f64 {
        let factor = taste.own.as_ref().map_or(1.0, |own| own.at(hour));
        (1.0 - taste.flat) * density * factor + taste.flat
    }
}

/// A part of the week within which the density is the same.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The hour of the week, and the five minutes of it; 0 where all are alike.
    hour: usize,
    bin: usize,
    /// Seconds left of it.
    left: f64,
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
    piece: Piece,
}

impl Sums {
    /// `seconds` later, at most as many as are left of the piece.
    fn later(self, seconds: f64, density: f64) -> Sums {
        Sums {
            waited: self.waited + seconds,
            items: self.items + density * seconds,
            moment: self.moment + density * (self.waited + seconds / 2.0) * seconds,
            piece: Piece { left: self.piece.left - seconds, ..self.piece },
        }
    }
}

impl Wait<'_> {
    fn density(&self, sums: &Sums) -> f64 {
        self.hours.mixed(&self.taste, sums.piece)
    }

    /// At the end of a piece: as the next begins.
    fn turned(&self, sums: Sums) -> Sums {
        Sums { piece: self.hours.next(sums.piece), ..sums }
    }

    /// As an hour begins whose five minutes differ: the end of it, and its least and greatest
    /// density.
    fn hour(&self, sums: &Sums) -> Option<(Sums, [f64; 2])> {
        let Piece { hour, bin, left } = sums.piece;
        if self.hours.is_even(hour) || bin > 0 || left < BIN_SECONDS {
            return None;
        }
        let (came, moment) = self.hours.within_hour(hour, 0.0, HOUR);
        // The shared part of it, and that which is flat.
        let shared = self.hours.taken(&Taste { flat: 0.0, ..self.taste }, hour, 1.0);
        let flat = self.taste.flat;
        let items = (1.0 - flat) * shared * came + flat * HOUR;
        let within = (1.0 - flat) * shared * moment + flat * HOUR * HOUR / 2.0;
        let bounds = self.hours.bounds[hour].map(|d| self.hours.taken(&self.taste, hour, d));
        let end = Sums {
            waited: sums.waited + HOUR,
            items: sums.items + items,
            moment: sums.moment + items * sums.waited + within,
            piece: Piece { hour, bin: HOUR_BINS - 1, left: 0.0 },
        };
        Some((end, bounds))
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

    /// Seconds from now at which a look is better than now, if one is and a look costs `price`
    /// ([`ahead`]).
    pub(crate) fn better_later(&self, price: f64) -> Option<f64> {
        let next = |piece: &Piece| Some(self.hours.next(*piece));
        let pieces = std::iter::successors(Some(self.sums.piece), next);
        let pieces = pieces.map(|piece| (piece.left, self.hours.mixed(&self.taste, piece)));
        ahead::better_later(price, self.sums.items, pieces)
    }

    fn with(&self, sums: &Sums, density: f64) -> f64 {
        let after = 2.0 * density.max(DENSITY_MIN);
        self.flow * sums.items * (libm::sqrt(sums.moment / after) + 0.5 * self.lag)
    }

    /// A time from now, seconds, before which F neither reaches `wanted` nor is less than `least`
    /// as a piece begins; at most a day. A few steps a piece.
    pub(crate) fn reaches(&self, wanted: f64, least: f64) -> f64 {
        let index = |sums: &Sums, density: f64| self.with(sums, density);
        self.walk([wanted, least], index, |[sums, end], wanted, density| {
            self.within_piece([sums, end], wanted, density)
        })
    }

    /// A time from now before which an `index` neither reaches `wanted` nor is less than `least`
    /// as a piece begins. The index grows within a piece, and a greater density lowers it;
    /// `within` says when in a piece it reaches what is wanted.
    fn walk(
        &self,
        [wanted, least]: [f64; 2],
        index: impl Fn(&Sums, f64) -> f64,
        within: impl Fn([Sums; 2], f64, f64) -> f64,
    ) -> f64 {
        let (wanted, least) = (wanted * (1.0 - ROUNDED), least * (1.0 + ROUNDED));
        let (mut sums, mut passed) = (self.sums, 0.0);
        while passed < HOUR * f64::from(HOURS_AHEAD) {
            let density = self.density(&sums);
            if let Some((end, [quiet, busy])) = self.hour(&sums)
                && index(&end, quiet) < wanted
                && index(&sums, busy) >= least
            {
                sums = self.turned(end);
                passed += HOUR;
            } else {
                let end = sums.later(sums.piece.left, density);
                if index(&end, density) >= wanted {
                    return passed + within([sums, end], wanted, density);
                }
                passed += sums.piece.left;
                sums = self.turned(end);
            }
            let next = index(&sums, self.density(&sums));
            if next >= wanted || next < least {
                break;
            }
        }
        passed
    }

    /// When F reaches `wanted` within a piece, between two sums. The root of F is nearly
    /// straight: the time is guessed along a line, and tried just before and after it.
    fn within_piece(&self, [sums, end]: [Sums; 2], wanted: f64, density: f64) -> f64 {
        let root = libm::sqrt(wanted);
        let at = |seconds: f64| libm::sqrt(self.with(&sums.later(seconds, density), density));
        let (mut low, mut high) =
            ((0.0, at(0.0)), (sums.piece.left, libm::sqrt(self.with(&end, density))));
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
pub(crate) struct Hearsay {
    pub(crate) waited: f64,
    pub(crate) rate: f64,
    pub(crate) weight: f64,
    pub(crate) told: f64,
    pub(crate) covered: f64,
    pub(crate) lag: f64,
}

impl Hearsay {
    /// D, once this much of mean rate has passed.
    fn items(&self, passed: f64) -> f64 {
        self.rate * (passed - self.covered).max(0.0) + self.told
    }

    /// F; `wait` is of the source's pattern, if it keeps to one.
    pub(crate) fn freshness(&self, wait: Option<&Wait<'_>>) -> f64 {
        let passed = wait.map_or(self.waited, Wait::items);
        let density = wait.map_or(1.0, |wait| wait.density(&wait.sums));
        self.with(self.items(passed), density)
    }

    fn with(&self, items: f64, density: f64) -> f64 {
        let after = self.rate * (1.0 + density);
        self.weight * items * (items / after + 0.5 * self.lag)
    }

    /// A time from now, seconds, before which F neither reaches `wanted` nor is less than `least`
    /// as a piece begins; at most a day where it keeps to a pattern.
    pub(crate) fn reaches(&self, wait: Option<&Wait<'_>>, wanted: f64, least: f64) -> f64 {
        let seconds = |items: f64, wanted: f64, density: f64| {
            // a·D² + b·D = wanted.
            let a = self.weight / (self.rate * (1.0 + density));
            let b = 0.5 * self.weight * self.lag;
            let enough = (libm::sqrt(b * b + 4.0 * a * wanted) - b) / (2.0 * a);
            ((enough - items) / (self.rate * density)).max(0.0) * (1.0 - ROUNDED)
        };
        // While more is covered than has passed nothing is added.
        let Some(wait) = wait else {
            let early = (self.covered - self.waited).max(0.0);
            return early + seconds(self.items(self.waited), wanted * (1.0 - ROUNDED), 1.0);
        };
        let index = |sums: &Sums, density: f64| self.with(self.items(sums.items), density);
        wait.walk([wanted, least], index, |[sums, _], wanted, density| {
            seconds(self.items(sums.items), wanted, density).min(sums.piece.left)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::STORED;
    use crate::pattern::{Backlog, Patterns, Shape};
    use proptest::prelude::*;

    /// Hours of which some are empty, and some bring the most in five of their minutes.
    fn pattern(seed: u64) -> Pattern {
        Pattern::new(&std::array::from_fn(|bin| {
            let x = (bin as u64 / 12 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            let density = if x.is_multiple_of(5) { 0.0 } else { (x % 13) as f64 };
            match x % 4 {
                0 if bin as u64 % 12 == x / 4 % 12 => 9.0 * density,
                0 => 0.3 * density,
                _ => density,
            }
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
            let hours = Hours::new(pattern.clone());
            let own = bytes.map(|bytes| hours.factors(&Own::of(&bytes), Instant::EPOCH));
            let bent = |bin: usize| {
                pattern.density(bin) * own.map_or(1.0, |own| own.at(bin / HOUR_BINS))
            };
            // Where a piece begins.
            let begins = |second: i64| second.rem_euclid(300) == 0;
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
                let value = index(gap + later);
                value >= wanted || begins(last + gap + later) && value < least
            };
            // Or in the last second of a piece before a busier one, whose index is less.
            let may_move = |later: i64| {
                let end = at(last + gap + later) - Span::from_millis(1);
                let before = || hours.wait(Gap::new(at(last), end), taste, 1e-3, lag).freshness();
                let before = begins(last + gap + later) && before() >= wanted * (1.0 - 1e-6);
                moves(later) || before
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
    fn a_look_just_before_a_busy_hour_is_put_off_and_one_after_it_is_not() {
        let hours = Hours::new(Pattern::new(&std::array::from_fn(|bin| {
            if bin % 288 / 12 == 9 { 20.0 } else { 0.1 }
        })));
        let at = |hour: i64| Instant::from_millis(hour * 3_600_000);
        let later = |hour: i64| {
            let taste = Taste { flat: 0.0, own: None };
            hours
                .wait(Gap::new(at(10), at(hour)), taste, 1.0, 0.0)
                .better_later(86_400.0_f64.powi(2) / 2.0)
        };
        assert_eq!(later(24 + 8), Some(2.0 * HOUR));
        assert_eq!(later(24 + 10), None);
    }

    #[test]
    fn a_wait_of_years_loses_no_digits() {
        let hours = Hours::new(Pattern::flat());
        let now = Instant::from_millis(1_800_000_000_000);
        let flat = Taste { flat: 0.0, own: None };
        for days in [0, 1, 6, 8, 400, 4_000] {
            let wait = hours.wait(Gap::new(now - Span::DAY.times(days), now), flat, 1.0, 0.0);
            let seconds = 86_400.0 * days as f64;
            assert!((wait.freshness() - seconds * seconds / 2.0).abs() <= 1e-9 * seconds * seconds);
        }
    }
}
