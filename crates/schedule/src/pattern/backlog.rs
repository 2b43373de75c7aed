//! What waits at one source, and how much it costs to leave it there.
//!
//! D, the items expected to wait since the last probe, F, its integral, τ, the time since: the
//! index is √[(D²/(2λ⁺))·(τD − F)] · weight (`docs/theory.md`, Delay of postings), in item-seconds.
//! For a stationary source both factors are λτ²/2. τD − F is ∫(s − last)·λ(s)ds; like D it never
//! falls, so that between probes only the rate just after, λ⁺, can lower the index.

use super::WEEK;
use super::rhythm::{BIN_SECONDS, BINS, Rhythm, Since};

/// λ⁺ is taken as at least this share of the source's mean.
const RATE_FLOOR: f64 = 0.1;
/// The farthest that [`Backlog::reaches`] looks, in weeks.
const WEEKS_MAX: f64 = 520.0;
/// [`Backlog::reaches`] answers at most this much too early, seconds.
pub const REACHES_EARLY_MAX: f64 = 4.0;
/// How near [`Backlog::reaches`] comes before it goes block by block, in parts of the gap.
const NEAR: f64 = 0.02;

/// What waits: D, in items, and τD − F, in item-seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pending {
    /// D.
    pub items: f64,
    /// τD − F.
    pub moment: f64,
}

/// One source since its last probe. All look-ups are O(1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backlog {
    /// Time of the last probe, seconds.
    pub last: f64,
    /// Mean items per second, above 0.
    pub rate: f64,
    /// What an item is worth.
    pub weight: f64,
    /// Items that others' news made likely on top of what the rate says.
    pub told: f64,
    /// The sum over the `told` items of the time from the last probe to their posting, in
    /// item-seconds.
    pub told_moment: f64,
    /// The share of what the rate says that is not expected before `covered_until`: the source it
    /// always comes with has been looked at.
    pub covered: f64,
    /// The time before which the `covered` share is not expected, seconds.
    pub covered_until: f64,
    /// How far what others told is believed, 0 … 1.
    pub trust: f64,
}

impl Backlog {
    /// A source just probed.
    #[must_use]
    pub fn new(last: f64, rate: f64, weight: f64) -> Backlog {
        let (told, told_moment, covered, covered_until) = (0.0, 0.0, 0.0, last);
        Backlog { last, rate, weight, told, told_moment, covered, covered_until, trust: 1.0 }
    }

    /// So many more items are likely to have been posted at `time`.
    pub fn tell(&mut self, items: f64, time: f64) {
        self.told += items;
        self.told_moment += items * (time - self.last).max(0.0);
    }

    /// Until `time` this share (0 … 1) of its postings would have come with others that were looked
    /// at, and is known to the extent that they told of it. What covers most stays.
    pub fn cover(&mut self, share: f64, time: f64) {
        if share * (time - self.last) > self.covered * (self.covered_until - self.last) {
            (self.covered, self.covered_until) = (share, time);
        }
    }

    /// D and τD − F at `now`.
    #[must_use]
    pub fn pending(&self, pattern: &impl Rhythm, now: f64) -> Pending {
        Accrual::new(self, pattern).until(now)
    }

    /// The index if the rate just after is `density` times the mean.
    fn index_of(&self, pending: Pending, density: f64) -> f64 {
        let Pending { items, moment } = pending;
        let after = self.rate * density.max(RATE_FLOOR);
        self.weight * items * libm::sqrt(moment / (2.0 * after))
    }

    /// The index at `now` (≥ `last`).
    #[must_use]
    pub fn index(&self, pattern: &impl Rhythm, now: f64) -> f64 {
        self.index_of(self.pending(pattern, now), pattern.rate_at(now))
    }

    /// The index at `now` if the rate just after were `density` times the mean, and D.
    #[must_use]
    pub fn index_and_items(&self, pattern: &impl Rhythm, now: f64, density: f64) -> (f64, f64) {
        let pending = self.pending(pattern, now);
        (self.index_of(pending, density), pending.items)
    }

    /// The earliest time, not before `from` (≥ `last`), at which the index is at least `value`;
    /// `from` + ten years if it is not before. The answer is early by at most
    /// [`REACHES_EARLY_MAX`] seconds, never late. A few steps to come near, then one per day, hour
    /// and bin of the last part of the gap.
    #[must_use]
    pub fn reaches(&self, pattern: &impl Rhythm, value: f64, from: f64) -> f64 {
        let far = from + WEEKS_MAX * WEEK;
        let growth = Accrual::new(self, pattern);
        let at = |t: f64, density: f64| self.index_of(growth.until(t), density) >= value;
        if self.index(pattern, from) >= value {
            return from;
        }
        // Before this it cannot be, however quiet the time just after.
        let near = |low: f64| NEAR * (low - self.last) + BIN_SECONDS;
        let mut t = last_before(from, far, near, |t| at(t, 0.0));
        while t < far {
            let mut bins_max = BINS;
            let (least, end, reached) = loop {
                let (least, end) = pattern.least_from(t, bins_max);
                let bins = libm::round((end - t) / BIN_SECONDS) as usize;
                let reached = at(end, least);
                if !reached || bins <= 1 {
                    break (least, end, reached);
                }
                // Too long a block: try one of a smaller kind.
                bins_max = bins - 1;
            };
            if reached {
                // One bin, in which the index only grows.
                return last_before(t, end, |_| REACHES_EARLY_MAX, |t| at(t, least));
            }
            t = end;
        }
        far
    }
}

/// D and τD − F of one source as they grow.
struct Accrual<'a, R> {
    wait: &'a Backlog,
    pattern: &'a R,
    since: Since,
    /// What is not expected of the rate: D and τD − F, at a rate of one a second.
    known: (f64, f64),
}

impl<'a, R: Rhythm> Accrual<'a, R> {
    fn new(wait: &'a Backlog, pattern: &'a R) -> Accrual<'a, R> {
        let since = pattern.since(wait.last);
        let mut growth = Accrual { wait, pattern, since, known: (0.0, 0.0) };
        let covered = wait.trust * wait.covered;
        if covered > 0.0 {
            let (items, moment) = growth.moments(wait.covered_until);
            growth.known = (covered * items, covered * moment);
        }
        growth
    }

    /// ∫λ and ∫(s − last)·λ(s)ds at a rate of one a second.
    fn moments(&self, now: f64) -> (f64, f64) {
        let (items, waiting) = self.pattern.sums_since(&self.since, now);
        (items, ((now - self.wait.last) * items - waiting).max(0.0))
    }

    fn until(&self, now: f64) -> Pending {
        let (wait, (items, moment)) = (self.wait, self.moments(now));
        let items = wait.rate * (items - self.known.0) + wait.trust * wait.told;
        let moment = wait.rate * (moment - self.known.1) + wait.trust * wait.told_moment;
        Pending { items: items.max(0.0), moment: moment.max(0.0) }
    }
}

/// Finds a time in `low` … `high` before which `reached` does not hold. It is at most `near` (of a
/// time so far) earlier than the first at which `reached` does: times near `low` are tried first.
fn last_before(
    low: f64,
    high: f64,
    near: impl Fn(f64) -> f64,
    reached: impl Fn(f64) -> bool,
) -> f64 {
    let (mut low, mut step) = (low, near(low));
    let mut top = loop {
        let top = (low + step).min(high);
        if top >= high || reached(top) {
            break top;
        }
        (low, step) = (top, step * 4.0);
    };
    while top - low > near(low) {
        let middle = f64::midpoint(low, top);
        if reached(middle) {
            top = middle;
        } else {
            low = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::{Backlog, REACHES_EARLY_MAX};
    use crate::pattern::rhythm::{BIN_SECONDS, BINS};
    use crate::pattern::{DAY, Pattern, Patterns, Shape, WEEK};
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
            told in 0.0_f64..1.0, covered in 0.0_f64..0.9, ahead in 0.0_f64..1.5,
        ) {
            let patterns = patterns(seed);
            let mixed = patterns.of(Shape::new(1, 0.5));
            let mut wait = Backlog::new(last, a_day / DAY, 1.5);
            wait.tell(told, last + 400.0);
            wait.cover(covered, last + told * gap * DAY);
            let value = wait.index(&mixed, last + gap * DAY);
            let from = last + ahead * gap * DAY;
            let found = wait.reaches(&mixed, value, from);
            prop_assert!(found >= from && (ahead > 1.0 || found <= last + gap * DAY));
            let soon = |by: f64| wait.index(&mixed, found + by) >= value * (1.0 - 1e-9);
            // Or only just before the bin ends, as the next may be busier.
            let bin_ends = (libm::floor(found / BIN_SECONDS) + 1.0) * BIN_SECONDS - found - 1e-6;
            let ends = bin_ends.min(REACHES_EARLY_MAX);
            prop_assert!([0.0, REACHES_EARLY_MAX, ends].into_iter().any(soon));
            let mut t = from;
            while t < found {
                prop_assert!(wait.index(&mixed, t) < value);
                t += 10.0;
            }
        }
    }

    #[test]
    fn a_stationary_sources_index_is_half_its_rate_times_the_time_squared() {
        let patterns = Patterns::default();
        let mixed = patterns.of(Shape::POOLED);
        let wait = Backlog::new(1e9, 3.0 / DAY, 2.0);
        let index = wait.index(&mixed, 1e9 + 5.0 * DAY);
        assert!((index / (2.0 * 3.0 / DAY * 25.0 * DAY * DAY / 2.0) - 1.0).abs() < 1e-9);
        assert!((wait.reaches(&mixed, index, 1e9) - 1e9 - 5.0 * DAY).abs() < REACHES_EARLY_MAX);
        // What never comes is far away.
        assert!(wait.reaches(&mixed, f64::INFINITY, 1e9) > 1e9 + 500.0 * WEEK);
    }
}
