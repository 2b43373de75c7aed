//! When sources post: a week of five-minute bins, summed once and twice, so that what a source
//! posted between two times, and how long that has waited, are look-ups.
//!
//! A [`Pattern`] belongs to many sources: the mean of all of them, or a class. What a source keeps
//! of its own is a [`Shape`], four bytes: the number of its class and how far to believe it.
//! [`Patterns`] turns a shape into a [`Mixed`] pattern; [`Wait`](super::Wait) is one source's
//! index on it. [`Learner`](super::Learner) makes patterns from postings.

use super::WEEK;

/// Length of a bin, seconds.
pub const BIN_SECONDS: f64 = 300.0;
/// Bins of a week.
pub const BINS: usize = 2016;
/// Bins of an hour and of a day.
const HOUR: usize = 12;
const DAY_BINS: usize = 288;

/// The bin of the week that `time` (seconds) lies in, 0 … [`BINS`] − 1. Weeks start at multiples
/// of [`WEEK`].
#[must_use]
pub fn bin_of_week(time: f64) -> usize {
    Place::of(time).bin
}

/// A posting rate over the week relative to its mean, constant within a bin and repeated every
/// week. Without unit; its integrals are in seconds (of mean rate) and seconds². 50 KB.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    density: Vec<f64>,
    /// The integral of the density until each edge, and that of this one.
    items: Vec<f64>,
    integral: Vec<f64>,
    /// The least density of each hour, each day, and the week.
    least_of_hours: Vec<f64>,
    least_of_days: Vec<f64>,
    least_of_week: f64,
}

/// A time as week, bin of the week, and seconds into the bin.
#[derive(Debug, Clone, Copy)]
struct Place {
    week: f64,
    bin: usize,
    offset: f64,
}

impl Place {
    fn of(time: f64) -> Place {
        let week = libm::floor(time / WEEK);
        let rest = (time - week * WEEK).max(0.0);
        let bin = ((rest / BIN_SECONDS) as usize).min(BINS - 1);
        Place { week, bin, offset: rest - bin as f64 * BIN_SECONDS }
    }
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
        let least_of_hours: Vec<f64> = density.chunks(HOUR).map(least).collect();
        let least_of_days: Vec<f64> = density.chunks(DAY_BINS).map(least).collect();
        let least_of_week = least(&least_of_days);
        Pattern { density, items, integral, least_of_hours, least_of_days, least_of_week }
    }

    /// Rate ÷ mean rate at `time`. O(1).
    #[must_use]
    pub fn rate_at(&self, time: f64) -> f64 {
        self.density[Place::of(time).bin]
    }

    /// Rate ÷ mean rate in each bin of the week.
    #[must_use]
    pub fn densities(&self) -> &[f64] {
        &self.density
    }

    /// ∫ of the density from `from` to `to` (≥ `from`): at a mean rate of one a second, the items
    /// expected. O(1).
    #[must_use]
    pub fn expected(&self, from: f64, to: f64) -> f64 {
        self.sums(from, to).0
    }

    /// ∫ of [`Pattern::expected`]`(from, t)` over t from `from` to `to`: how long these items have
    /// waited in sum. O(1).
    #[must_use]
    pub fn waiting(&self, from: f64, to: f64) -> f64 {
        self.sums(from, to).1
    }

    /// Both, for the price of one. Weeks are counted from that of `from`, so that times of any
    /// origin lose no digits.
    fn sums(&self, from: f64, to: f64) -> (f64, f64) {
        let (a, b) = (Place::of(from), Place::of(to));
        let (items_a, integral_a) = self.until(a, a.week);
        let (items_b, integral_b) = self.until(b, a.week);
        let items = (items_b - items_a).max(0.0);
        let waiting = integral_b - integral_a - items_a * (to - from);
        (items, waiting.clamp(0.0, items * (to - from).max(0.0)))
    }

    /// L and A from the start of week `origin` until `place`: L(t + T) = L(t) + T and
    /// A(t + kT) = A(t) + k·A(T) + k·t·T + T²·k(k − 1)/2 (the mean density is 1).
    fn until(&self, place: Place, origin: f64) -> (f64, f64) {
        let Place { week, bin, offset } = place;
        let (k, density) = (week - origin, self.density[bin]);
        let items = self.items[bin] + density * offset;
        let first = self.integral[bin] + (self.items[bin] + density * offset / 2.0) * offset;
        let within = bin as f64 * BIN_SECONDS + offset;
        let weeks = k * (self.integral[BINS] + within * WEEK) + WEEK * WEEK * k * (k - 1.0) / 2.0;
        (k * WEEK + items, weeks + first)
    }

    /// The least density in the longest whole block (week, day, hour or bin) of at most `bins_max`
    /// bins that starts with `bin`, and its bins.
    fn least_from(&self, bin: usize, bins_max: usize) -> (f64, usize) {
        let starts = |length: usize| bin.is_multiple_of(length) && bins_max >= length;
        if starts(BINS) {
            (self.least_of_week, BINS)
        } else if starts(DAY_BINS) {
            (self.least_of_days[bin / DAY_BINS], DAY_BINS)
        } else if starts(HOUR) {
            (self.least_of_hours[bin / HOUR], HOUR)
        } else {
            (self.density[bin], 1)
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

    #[must_use]
    pub fn class(self) -> u16 {
        self.class
    }

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
    fn mix(&self, of: impl Fn(&Pattern) -> f64) -> f64 {
        if self.weight <= 0.0 {
            return of(self.pooled);
        }
        (1.0 - self.weight) * of(self.pooled) + self.weight * of(self.class)
    }

    /// As [`Pattern::rate_at`].
    #[must_use]
    pub fn rate_at(&self, time: f64) -> f64 {
        let bin = Place::of(time).bin;
        self.mix(|pattern| pattern.density[bin])
    }

    /// As [`Pattern::expected`].
    #[must_use]
    pub fn expected(&self, from: f64, to: f64) -> f64 {
        self.sums(from, to).0
    }

    /// As [`Pattern::waiting`].
    #[must_use]
    pub fn waiting(&self, from: f64, to: f64) -> f64 {
        self.sums(from, to).1
    }

    /// [`Mixed::expected`] and [`Mixed::waiting`].
    #[must_use]
    pub fn sums(&self, from: f64, to: f64) -> (f64, f64) {
        let pooled = self.pooled.sums(from, to);
        if self.weight <= 0.0 {
            return pooled;
        }
        let class = self.class.sums(from, to);
        let mix = |a: f64, b: f64| (1.0 - self.weight) * a + self.weight * b;
        (mix(pooled.0, class.0), mix(pooled.1, class.1))
    }

    /// A density that is nowhere undercut in a block of bins from `time`'s on, and the block's
    /// end: the longest of week, day, hour and bin that starts with this bin and is within
    /// `bins_max` bins; within the bin it is exact.
    pub(super) fn least_from(&self, time: f64, bins_max: usize) -> (f64, f64) {
        let Place { week, bin, .. } = Place::of(time);
        let (_, bins) = self.pooled.least_from(bin, bins_max);
        let least = self.mix(|pattern| pattern.least_from(bin, bins_max).0);
        (least, week * WEEK + (bin + bins) as f64 * BIN_SECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::{BIN_SECONDS, BINS, Pattern, Patterns, Shape};
    use crate::delay::WEEK;
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// The slow twin adds up piece by piece.
        #[test]
        fn expected_items_and_their_waiting_are_the_numeric_integrals(
            seed in 0_u64..50, from in -3.0_f64..3.0, length in 0.0_f64..2.5, unix in 0_u8..2,
            weight in 0.0_f64..1.0,
        ) {
            let origin = f64::from(unix) * 2_900.0 * WEEK;
            let patterns = Patterns::new(uneven(seed), vec![uneven(seed + 1)]);
            let mixed = patterns.of(Shape::new(1, weight));
            let (from, to) = (origin + from * WEEK, origin + (from + length) * WEEK);
            let (mut items, mut waiting, mut t) = (0.0, 0.0, from);
            while t < to {
                let edge = (libm::floor(t / BIN_SECONDS) + 1.0) * BIN_SECONDS;
                let step = edge.min(to) - t;
                let came = mixed.rate_at(t + step / 2.0) * step;
                waiting += (items + came / 2.0) * step;
                items += came;
                t = edge;
            }
            let near = |a: f64, b: f64, unit: f64| (a - b).abs() < 1e-7 * (unit + b);
            prop_assert!(near(mixed.expected(from, to), items, 1.0));
            prop_assert!(near(mixed.waiting(from, to), waiting, BIN_SECONDS));
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
        for start in [0, 5, 12, 288, 300, 2015] {
            let time = (start as f64 + 0.3) * BIN_SECONDS;
            for bins_max in [1, 12, 288, 2016] {
                let (least, end) = mixed.least_from(time, bins_max);
                let mut t = time;
                while t < end {
                    assert!(mixed.rate_at(t) >= least - 1e-12);
                    t += BIN_SECONDS;
                }
            }
        }
    }
}
