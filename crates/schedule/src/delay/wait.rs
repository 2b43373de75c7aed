//! What waits at one source, and how much it costs to leave it there.
//!
//! D, the items expected to wait since the last probe, F, its integral, τ, the time since: the
//! index is √[(D²/(2λ⁺))·(τD − F)] · weight (THEORY section 3), in item-seconds. For a stationary
//! source both factors are λτ²/2. τD − F is ∫(s − last)·λ(s)ds; like D it never falls, so that
//! between probes only the rate just after, λ⁺, can lower the index.

use super::pattern::{BINS, Mixed};

/// λ⁺ is taken as at least this share of the source's mean.
const RATE_FLOOR: f64 = 0.1;
/// The farthest that [`Wait::reaches`] looks, in weeks.
const WEEKS_MAX: f64 = 520.0;

/// One source since its last probe. All look-ups are O(1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    /// Time of the last probe, seconds.
    pub last: f64,
    /// Mean items per second, above 0.
    pub rate: f64,
    /// What an item is worth.
    pub weight: f64,
    /// Items that others' news made likely on top of what the rate says, and the sum over them of
    /// the seconds from the last probe to their posting.
    pub told: f64,
    pub told_moment: f64,
}

impl Wait {
    /// A source just probed.
    #[must_use]
    pub fn new(last: f64, rate: f64, weight: f64) -> Wait {
        Wait { last, rate, weight, told: 0.0, told_moment: 0.0 }
    }

    /// So many more items are likely to have been posted at `time`.
    pub fn tell(&mut self, items: f64, time: f64) {
        self.told += items;
        self.told_moment += items * (time - self.last).max(0.0);
    }

    /// D and τD − F at `now`.
    #[must_use]
    pub fn pending(&self, pattern: &Mixed<'_>, now: f64) -> (f64, f64) {
        let (items, waiting) = pattern.sums(self.last, now);
        let moment = ((now - self.last) * items - waiting).max(0.0);
        (self.rate * items + self.told, self.rate * moment + self.told_moment)
    }

    /// The index if the rate just after is `density` times the mean.
    fn index_of(&self, (items, moment): (f64, f64), density: f64) -> f64 {
        let after = self.rate * density.max(RATE_FLOOR);
        self.weight * items * libm::sqrt(moment / (2.0 * after))
    }

    /// The index at `now` (≥ `last`).
    #[must_use]
    pub fn index(&self, pattern: &Mixed<'_>, now: f64) -> f64 {
        self.index_of(self.pending(pattern, now), pattern.rate_at(now))
    }

    /// The earliest time, not before `from` (≥ `last`), at which the index is at least `value`;
    /// `from` + ten years if it is not before. Found to a second or better; the answer is never
    /// later than the true one by more than that. O(log) to come near, then a step per day, hour
    /// and bin of the last part of the gap.
    #[must_use]
    pub fn reaches(&self, pattern: &Mixed<'_>, value: f64, from: f64) -> f64 {
        let far = from + WEEKS_MAX * super::WEEK;
        let at = |t: f64, density: f64| self.index_of(self.pending(pattern, t), density);
        // Before this it cannot be, however quiet the time just after.
        let mut t = first(from, far, |t| at(t, 0.0) >= value);
        while t < far {
            let mut bins_max = BINS;
            let (least, end) = loop {
                let (least, end) = pattern.least_from(t, bins_max);
                let bins = libm::round((end - t) / super::pattern::BIN_SECONDS) as usize;
                if at(end, least) < value || bins <= 1 {
                    break (least, end);
                }
                // Too long a block: try one of a smaller kind.
                bins_max = bins - 1;
            };
            if at(end, least) >= value {
                // One bin, in which the index only grows.
                return first(t, end, |t| at(t, least) >= value);
            }
            t = end;
        }
        far
    }
}

/// The first time in `low` … `high` at which `true_from` then on holds, to half a second: it is
/// tried near `low` first.
fn first(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if holds(low) {
        return low;
    }
    let (mut low, mut step) = (low, 60.0);
    let mut top = loop {
        let top = (low + step).min(high);
        if top >= high || holds(top) {
            break top;
        }
        (low, step) = (top, step * 4.0);
    };
    while top - low > 0.5 {
        let middle = f64::midpoint(low, top);
        if holds(middle) {
            top = middle;
        } else {
            low = middle;
        }
    }
    top
}

#[cfg(test)]
mod tests {
    use super::Wait;
    use crate::delay::pattern::{BINS, Pattern, Patterns, Shape};
    use crate::delay::{DAY, WEEK};
    use proptest::prelude::*;

    fn patterns(seed: u64) -> Patterns {
        let draw = |seed: u64| {
            let mut postings = [0.0; BINS];
            for (b, p) in postings.iter_mut().enumerate() {
                let x = (b as u64 / 12 % 24 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                *p = (x % 10) as f64 + 3.0 * f64::from(b % 12 == 0);
            }
            Pattern::new(&postings)
        };
        Patterns::new(draw(seed), vec![draw(seed + 9)])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// The slow twin looks every ten seconds.
        #[test]
        fn the_index_reaches_a_value_when_a_search_step_by_step_finds_it(
            seed in 0_u64..9, last in 0.0_f64..WEEK, gap in 0.05_f64..9.0, a_day in 0.05_f64..50.0,
            told in 0.0_f64..1.0, ahead in 0.0_f64..1.5,
        ) {
            let patterns = patterns(seed);
            let mixed = patterns.of(Shape::new(1, 0.5));
            let mut wait = Wait::new(last, a_day / DAY, 1.5);
            wait.tell(told, last + 400.0);
            let value = wait.index(&mixed, last + gap * DAY);
            let from = last + ahead * gap * DAY;
            let found = wait.reaches(&mixed, value, from);
            prop_assert!(found >= from && (ahead > 1.0 || found <= last + gap * DAY + 0.5));
            prop_assert!(wait.index(&mixed, found) >= value * (1.0 - 1e-9));
            let mut t = from;
            while t < found - 0.5 {
                prop_assert!(wait.index(&mixed, t) < value);
                t += 10.0;
            }
        }
    }

    #[test]
    fn a_stationary_sources_index_is_half_its_rate_times_the_time_squared() {
        let patterns = Patterns::default();
        let mixed = patterns.of(Shape::POOLED);
        let wait = Wait::new(1e9, 3.0 / DAY, 2.0);
        let index = wait.index(&mixed, 1e9 + 5.0 * DAY);
        assert!((index / (2.0 * 3.0 / DAY * 25.0 * DAY * DAY / 2.0) - 1.0).abs() < 1e-9);
        assert!((wait.reaches(&mixed, index, 1e9) - 1e9 - 5.0 * DAY).abs() < 1.0);
        // What never comes is far away.
        assert!(wait.reaches(&mixed, f64::INFINITY, 1e9) > 1e9 + 500.0 * WEEK);
    }
}
