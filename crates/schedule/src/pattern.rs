//! When sources post: a week of five-minute bins, summed once and twice, so that what a source
//! posted between two times, and how long that has waited, are look-ups.
//!
//! A [`Pattern`] belongs to many sources: the mean of all of them, or a class. What a source keeps
//! of its own is a [`Shape`], four bytes: the number of its class and how far to believe it.
//! [`Patterns`] turns a shape into a [`Mixed`] pattern; [`Backlog`] is one source's
//! index on it. [`PatternLearner`] makes patterns from postings.

mod backlog;
mod habits;
mod learner;
pub(crate) mod minutes;
pub mod rhythm;

pub use backlog::{Backlog, Pending, REACHES_EARLY_MAX};
pub use habits::{Habits, Own};
pub use learner::{HOURS, PatternLearner};
pub use rhythm::Rhythm;

use rhythm::{BIN_SECONDS, BINS, DAY_BINS, HOUR, WeekPlace};

/// Seconds of a day.
pub const DAY: f64 = 86_400.0;
/// Seconds of a week.
pub const WEEK: f64 = 7.0 * DAY;

/// A posting rate over the week relative to its mean, constant within a bin and repeated every
/// week. Without unit; its integrals are in seconds (of mean rate) and seconds². 50 KB.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    density: Vec<f64>,
    /// The integral of the density until each edge, and that of this one.
    items: Vec<f64>,
    integral: Vec<f64>,
    /// For each hour: its items, how long they have waited at its end, its least density.
    hours: Vec<(f64, f64, f64)>,
    /// The least density of each day, and of the week.
    least_of_days: Vec<f64>,
    least_of_week: f64,
    most: f64,
}

impl Default for Pattern {
    fn default() -> Pattern {
        Pattern::flat()
    }
}

impl Pattern {
    /// The same rate at all times.
    #[must_use]
    pub fn flat() -> Pattern {
        Pattern::new(&[1.0; BINS])
    }

    /// From the postings (or any measure ≥ 0 that is proportional to them) of each bin of the
    /// week; flat if their sum is not a number above 0.
    #[must_use]
    pub fn new(postings: &[f64; BINS]) -> Pattern {
        let mean = postings.iter().sum::<f64>() / BINS as f64;
        let usable = mean.is_finite() && mean > 0.0;
        let density: Vec<f64> =
            postings.iter().map(|p| if usable { (p / mean).max(0.0) } else { 1.0 }).collect();
        let (mut items, mut integral) = (vec![0.0], vec![0.0]);
        let (mut l, mut a) = (0.0, 0.0);
        for &d in &density {
            a += (l + d * BIN_SECONDS / 2.0) * BIN_SECONDS;
            l += d * BIN_SECONDS;
            items.push(l);
            integral.push(a);
        }
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        let hour = |(hour, density): (usize, &[f64])| {
            let (start, end) = (hour * HOUR, (hour + 1) * HOUR);
            let passed = HOUR as f64 * BIN_SECONDS;
            let waited = integral[end] - integral[start] - items[start] * passed;
            (items[end] - items[start], waited, least(density))
        };
        let hours = density.chunks(HOUR).enumerate().map(hour).collect();
        let least_of_days: Vec<f64> = density.chunks(DAY_BINS).map(least).collect();
        let least_of_week = least(&least_of_days);
        let most = density.iter().copied().fold(0.0, f64::max);
        Pattern { density, items, integral, hours, least_of_days, least_of_week, most }
    }

    /// Rate ÷ mean rate in each bin of the week.
    #[must_use]
    pub fn densities(&self) -> &[f64] {
        &self.density
    }

    /// Looks up an hour of the week: its items, how long they have waited at its end, its least
    /// density.
    fn hour(&self, hour: usize) -> (f64, f64, f64) {
        self.hours[hour]
    }

    /// The items since the start of the hour of `place`, and how long they have waited.
    fn within_hour(&self, place: WeekPlace) -> (f64, f64) {
        let start = place.bin / HOUR * HOUR;
        let (items, integral) = self.within_week(place);
        let passed = (place.bin - start) as f64 * BIN_SECONDS + place.offset;
        let before = self.items[start];
        (items - before, integral - self.integral[start] - before * passed)
    }
}

impl Rhythm for Pattern {
    fn density(&self, bin: usize) -> f64 {
        self.density[bin]
    }

    fn within_week(&self, place: WeekPlace) -> (f64, f64) {
        let WeekPlace { bin, offset, .. } = place;
        let (density, items) = (self.density[bin], self.items[bin]);
        let integral = self.integral[bin] + (items + density * offset / 2.0) * offset;
        (items + density * offset, integral)
    }

    fn integral_of_week(&self) -> f64 {
        self.integral[BINS]
    }

    fn least(&self, bin: usize, bins: usize) -> f64 {
        match bins {
            1 => self.density[bin],
            HOUR => self.hours[bin / HOUR].2,
            BINS => self.least_of_week,
            _ => self.least_of_days[bin / DAY_BINS],
        }
    }
}

/// What a source keeps of its pattern: a class, and how far it is believed over the pooled
/// pattern. 4 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shape {
    class: u16,
    /// In parts of `u16::MAX`.
    weight: u16,
}

impl Shape {
    /// The pooled pattern alone.
    pub const POOLED: Shape = Shape { class: 0, weight: 0 };
    /// The class that posts at the same rate at all times.
    pub const FLAT: u16 = 0;

    /// The class with this number, believed with a weight of 0 … 1.
    #[must_use]
    pub fn new(class: u16, weight: f64) -> Shape {
        Shape { class, weight: libm::round(weight.clamp(0.0, 1.0) * f64::from(u16::MAX)) as u16 }
    }

    /// The number of its class.
    #[must_use]
    pub fn class(self) -> u16 {
        self.class
    }

    /// How much the class is believed, 0 … 1.
    #[must_use]
    pub fn weight(self) -> f64 {
        f64::from(self.weight) / f64::from(u16::MAX)
    }
}

/// The patterns that sources share: that of all, and one per class. 50 KB each.
#[derive(Debug, Clone, PartialEq)]
pub struct Patterns {
    pooled: Pattern,
    classes: Vec<Pattern>,
}

impl Default for Patterns {
    /// Nothing is known: all flat.
    fn default() -> Patterns {
        Patterns::new(Pattern::flat(), Vec::new())
    }
}

impl Patterns {
    /// `classes` get the numbers from 1 on; class 0, [`Shape::FLAT`], is there already.
    #[must_use]
    pub fn new(pooled: Pattern, classes: Vec<Pattern>) -> Patterns {
        let mut all = vec![Pattern::flat()];
        all.extend(classes);
        Patterns { pooled, classes: all }
    }

    /// The pattern of all sources together.
    #[must_use]
    pub fn pooled(&self) -> &Pattern {
        &self.pooled
    }

    /// All classes by number.
    #[must_use]
    pub fn classes(&self) -> &[Pattern] {
        &self.classes
    }

    /// The pattern of a source. A class that is not there counts as flat. O(1).
    #[must_use]
    pub fn of(&self, shape: Shape) -> Mixed<'_> {
        let class = self.classes.get(usize::from(shape.class)).unwrap_or(&self.classes[0]);
        Mixed { pooled: &self.pooled, class, weight: shape.weight() }
    }
}

/// (1 − weight)·pooled + weight·class.
#[derive(Debug, Clone, Copy)]
pub struct Mixed<'a> {
    pooled: &'a Pattern,
    class: &'a Pattern,
    weight: f64,
}

impl Mixed<'_> {
    /// A density that is nowhere exceeded.
    #[must_use]
    pub fn most(&self) -> f64 {
        self.mix(|pattern| pattern.most)
    }

    fn mix(&self, of: impl Fn(&Pattern) -> f64) -> f64 {
        if self.weight <= 0.0 {
            return of(self.pooled);
        }
        (1.0 - self.weight) * of(self.pooled) + self.weight * of(self.class)
    }
}

impl Rhythm for Mixed<'_> {
    fn density(&self, bin: usize) -> f64 {
        self.mix(|pattern| pattern.density[bin])
    }

    fn within_week(&self, place: WeekPlace) -> (f64, f64) {
        let pooled = self.pooled.within_week(place);
        if self.weight <= 0.0 {
            return pooled;
        }
        let class = self.class.within_week(place);
        let mix = |a: f64, b: f64| (1.0 - self.weight) * a + self.weight * b;
        (mix(pooled.0, class.0), mix(pooled.1, class.1))
    }

    fn integral_of_week(&self) -> f64 {
        self.mix(Rhythm::integral_of_week)
    }

    fn least(&self, bin: usize, bins: usize) -> f64 {
        self.mix(|pattern| pattern.least(bin, bins))
    }
}

#[cfg(test)]
mod tests {
    use super::rhythm::{BIN_SECONDS, BINS, Rhythm};
    use super::{Habits, Own, Pattern, Patterns, Shape, WEEK};
    use proptest::prelude::*;

    /// A week with busy, quiet and empty hours.
    fn uneven(seed: u64) -> Pattern {
        let mut postings = [0.0; BINS];
        for (b, p) in postings.iter_mut().enumerate() {
            let x = (b as u64 / 12 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            *p = if x.is_multiple_of(5) { 0.0 } else { (x % 97) as f64 + (b % 3) as f64 };
        }
        Pattern::new(&postings)
    }

    /// Items and their waiting, piece by piece.
    fn slow(rhythm: &dyn Rhythm, from: f64, to: f64) -> (f64, f64) {
        let (mut items, mut waiting, mut t) = (0.0, 0.0, from);
        while t < to {
            let edge = (libm::floor(t / BIN_SECONDS) + 1.0) * BIN_SECONDS;
            let step = edge.min(to) - t;
            let came = rhythm.rate_at(t + step / 2.0) * step;
            waiting += (items + came / 2.0) * step;
            items += came;
            t = edge;
        }
        (items, waiting)
    }

    fn some_habits() -> Habits {
        let hours = core::array::from_fn(|h| 0.2 + (h * 7 % 11) as f64);
        Habits::new(&hours, &core::array::from_fn(|d| 0.1 + d as f64))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn expected_items_and_their_waiting_are_the_numeric_integrals(
            seed in 0_u64..50, from in -3.0_f64..3.0, length in 0.0_f64..2.5, unix in 0_u8..2,
            weight in 0.0_f64..1.0,
        ) {
            let origin = f64::from(unix) * 2_900.0 * WEEK;
            let patterns = Patterns::new(uneven(seed), vec![uneven(seed + 1)]);
            let mixed = patterns.of(Shape::new(1, weight));
            let own = Own::new(patterns.pooled(), &some_habits());
            let (from, to) = (origin + from * WEEK, origin + (from + length) * WEEK);
            let near = |a: f64, b: f64, unit: f64| (a - b).abs() < 1e-7 * (unit + b);
            for rhythm in [&mixed as &dyn Rhythm, &own, patterns.pooled()] {
                let (items, waiting) = slow(rhythm, from, to);
                prop_assert!(near(rhythm.expected(from, to), items, 1.0));
                prop_assert!(near(rhythm.waiting(from, to), waiting, BIN_SECONDS));
                let when = rhythm.when(from, items);
                prop_assert!(when >= from && near(rhythm.expected(from, when), items, 1.0));
            }
        }
    }

    #[test]
    fn a_week_has_mean_one_and_the_next_begins_as_it_did() {
        let pattern = uneven(7);
        assert!((pattern.expected(0.0, WEEK) - WEEK).abs() < 1e-3);
        assert!((pattern.rate_at(100.0) - pattern.rate_at(100.0 + 5.0 * WEEK)).abs() < 1e-12);
        assert_eq!(Pattern::new(&[0.0; BINS]), Pattern::flat());
    }

    #[test]
    fn a_shape_takes_four_bytes_and_an_unknown_class_is_flat() {
        assert_eq!(size_of::<Shape>(), 4);
        let patterns = Patterns::new(uneven(1), Vec::new());
        let mixed = patterns.of(Shape::new(9, 1.0));
        assert!((mixed.rate_at(0.0) - 1.0).abs() < 1e-12);
        assert!((Shape::new(3, 0.25).weight() - 0.25).abs() < 1e-4);
    }

    #[test]
    fn the_least_of_a_block_is_nowhere_undercut() {
        let patterns = Patterns::new(uneven(3), vec![uneven(4)]);
        let mixed = patterns.of(Shape::new(1, 0.4));
        let own = Own::new(patterns.pooled(), &some_habits());
        assert!((own.expected(0.0, WEEK) - WEEK).abs() < 1e-3);
        for start in [0, 5, 12, 288, 300, 2015] {
            let time = (start as f64 + 0.3) * BIN_SECONDS;
            for bins_max in [1, 12, 288, 2016] {
                for rhythm in [&mixed as &dyn Rhythm, &own] {
                    let (least, end) = rhythm.least_from(time, bins_max);
                    let mut t = time;
                    while t < end {
                        assert!(rhythm.rate_at(t) >= least - 1e-12);
                        assert!(mixed.rate_at(t) <= mixed.most() + 1e-12);
                        t += BIN_SECONDS;
                    }
                }
            }
        }
    }
}
