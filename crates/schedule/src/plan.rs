//! Looking ahead: when one source is best probed next, if a probe has a price.
//!
//! The plan has the least mean cost of a source's own week:
//! h(a) = min_b c(a, b) + ν − g·(b − a) + h(b). It is computed as in `price`, but over and over
//! and on a grid as fine as the source's gaps need. The cost c has the quadrangle inequality: what
//! waits longer waits for more. So the best end never moves back as the start moves on, and
//! halving makes a round of policy improvement O(bins·log bins) (as Knuth 1971, Yao 1980). With g
//! and h known, the best next time is a search from now to the next probe that would be planned if
//! nothing waited.
//!
//! Everything is per item and second of mean rate: costs in seconds², prices ν/(w·rate).

pub mod rule;

use crate::pattern::rhythm::{BIN_SECONDS, Rhythm, WeekPlace};
use crate::pattern::{Own, WEEK};
use core::ops::{Range, RangeInclusive};

/// Lengths of a grid's bins, seconds: the first of which a gap has [`BINS_A_GAP`].
const STEPS: [f64; 3] = [3600.0, 900.0, BIN_SECONDS];
const BINS_A_GAP: f64 = 24.0;
/// How far a plan looks ahead: in stationary gaps, seconds beyond these, and weeks at most. Where
/// gaps are longer than half of these it passes over whole weeks, which are all alike.
const GAPS_AHEAD: f64 = 2.0;
const SECONDS_AHEAD: f64 = 172_800.0;
const WEEKS_AHEAD: f64 = 8.0;
/// Rounds of policy improvement; six are usual.
const ROUNDS_MAX: usize = 12;
/// A plan is kept until its price has changed by e to this, or for this long.
const STALE_PRICE: f64 = 0.05;
const STALE_SECONDS: f64 = WEEK;
/// What gains less than this part of a price is no improvement.
const GAIN_MIN: f64 = 1e-7;

/// The plan of one source: 10 bytes a bin, 168 bins where gaps are longer than a day, at most
/// 2,016.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ahead {
    /// Bins from a probe at each edge to the next, beside `weeks` whole weeks.
    next: Vec<u16>,
    weeks: f64,
    /// h: the cost to come after a probe at each edge, relative to another.
    value: Vec<f64>,
    /// g: mean cost a second, prices included.
    mean: f64,
    price: f64,
    step: f64,
    made: f64,
}

impl Ahead {
    /// Makes the plan anew if it is stale. `price` is in seconds², above 0. O(bins·log bins) a
    /// round if so.
    pub fn renew(&mut self, own: &Own<'_>, price: f64, now: f64) {
        let moved = libm::log(price / self.price).abs();
        let stale = self.next.is_empty() || moved > STALE_PRICE || now - self.made > STALE_SECONDS;
        if stale {
            self.make(own, price);
            self.made = now;
        }
    }

    /// Marks the plan as outdated when the source posts otherwise than expected: [`Ahead::renew`]
    /// makes it anew.
    pub fn outdate(&mut self) {
        self.made = f64::NEG_INFINITY;
    }

    fn make(&mut self, own: &Own<'_>, price: f64) {
        let gap = libm::sqrt(2.0 * price);
        let fits = |step: &f64| step * BINS_A_GAP <= gap;
        let step = STEPS.into_iter().find(fits).unwrap_or(BIN_SECONDS);
        let reach = (GAPS_AHEAD * gap + SECONDS_AHEAD).min(WEEKS_AHEAD * WEEK) / step;
        let weeks = (libm::floor(gap / WEEK) - WEEKS_AHEAD / 2.0).max(0.0);
        let grid = WeekGrid::new(own, step, weeks, reach as usize);
        if (self.step, self.weeks) == (step, weeks) {
            self.next.iter_mut().for_each(|next| *next = (*next).min(grid.reach as u16));
        } else {
            let bins = (gap - weeks * WEEK) / step;
            self.next = vec![(bins as usize).clamp(1, grid.reach) as u16; grid.bins];
        }
        (self.price, self.step, self.weeks) = (price, step, weeks);
        let mut best = grid.evaluate(price, &self.next);
        for _ in 0..ROUNDS_MAX {
            let Some(next) = grid.improved(&self.next, &best, price) else { break };
            let better = grid.evaluate(price, &next);
            if better.mean > best.mean * (1.0 + 1e-12) {
                break;
            }
            (self.next, best) = (next, better);
        }
        (self.mean, self.value) = (best.mean, best.value);
    }

    /// The plan's mean cost a second, prices included: g.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.mean
    }

    /// h at any time: the plan goes on from one of the edges around it.
    fn value_at(&self, own: &Own<'_>, time: f64) -> f64 {
        let low = libm::floor(time / self.step);
        let cell = self.cell(low);
        if time - low * self.step < 1e-3 {
            return self.value[cell];
        }
        let since = own.since(time);
        let until = |bins: usize| {
            let passed = (low + bins as f64) * self.step - time + self.weeks * WEEK;
            let waited = own.sums_since(&since, time + passed).1;
            waited + self.price - self.mean * passed + self.value[self.after(cell, bins)]
        };
        let (one, other) = (self.next[cell], self.next[self.after(cell, 1)]);
        until(usize::from(one)).min(until(usize::from(other) + 1))
    }

    fn cell(&self, edge: f64) -> usize {
        edge.rem_euclid(self.next.len() as f64) as usize % self.next.len()
    }

    fn after(&self, cell: usize, bins: usize) -> usize {
        (cell + bins) % self.next.len()
    }

    /// The best time for the next probe, not before `now`, if `pending` items (over the mean rate:
    /// seconds) wait now. `now` itself is exact; what is more than two bins away may be answered up
    /// to a bin too early, to be asked for again then; so may what is more than a week away: a
    /// week more is worth the less the later, so within a week it shows whether to wait at all.
    /// O(bins until the next planned probe, a week of them at most).
    #[must_use]
    pub fn best(&self, own: &Own<'_>, pending: f64, now: f64) -> f64 {
        let (step, since) = (self.step, own.since(now));
        let cost = |t: f64| {
            own.sums_since(&since, t).1 + (pending - self.mean) * (t - now) + self.value_at(own, t)
        };
        let mut best = (cost(now), now);
        let mut consider = |t: f64, answer: f64| {
            let cost = cost(t);
            if cost < best.0 {
                best = (cost, answer);
            }
        };
        let first = libm::floor(now / step) + 1.0;
        let near = (first + if step > BIN_SECONDS { 1.0 } else { 0.0 }) * step;
        let mut t = (libm::floor(now / BIN_SECONDS) + 1.0) * BIN_SECONDS;
        while t < near - 1.0 {
            consider(t, t);
            t += BIN_SECONDS;
        }
        let cell = self.cell(first);
        let last =
            usize::from(self.next[cell]).max(usize::from(self.next[self.after(cell, 1)]) + 1);
        let week = self.next.len();
        let last = if self.weeks > 0.0 { week } else { last.min(week) };
        for bin in 0..=last {
            let t = (first + bin as f64) * step;
            let early = if t > near { step } else { 0.0 };
            consider(t, t - early);
        }
        best.1
    }
}

/// What a rule costs: its mean a second on the best of its cycles, and h.
struct RuleCost {
    mean: f64,
    value: Vec<f64>,
}

/// A source's week at equal bins, summed once and twice, as far as a plan looks.
struct WeekGrid {
    step: f64,
    bins: usize,
    reach: usize,
    /// Seconds that each of its intervals is longer than its edges are apart: whole weeks.
    longer: f64,
    items: Vec<f64>,
    integral: Vec<f64>,
    /// The integral this much later than each edge.
    later: Vec<f64>,
}

impl WeekGrid {
    fn new(own: &Own<'_>, step: f64, weeks: f64, reach: usize) -> WeekGrid {
        let (bins, fine) = ((WEEK / step) as usize, (step / BIN_SECONDS) as usize);
        let edge = |r: usize| own.within_week(WeekPlace { week: 0.0, bin: r * fine, offset: 0.0 });
        let week: Vec<(f64, f64)> = (0..bins).map(edge).collect();
        let whole = own.integral_of_week();
        let reach = reach.max(1);
        let (mut items, mut integral, mut later) = (Vec::new(), Vec::new(), Vec::new());
        for t in 0..=bins + reach {
            let (k, (l, a)) = ((t / bins) as f64, week[t % bins]);
            let within = (t % bins) as f64 * step;
            let after =
                |k: f64| a + k * (whole + within * WEEK) + WEEK * WEEK * k * (k - 1.0) / 2.0;
            items.push(k * WEEK + l);
            integral.push(after(k));
            later.push(after(k + weeks));
        }
        WeekGrid { step, bins, reach, longer: weeks * WEEK, items, integral, later }
    }

    /// Seconds from a probe at edge `a` until one that is whole weeks later than edge `b`.
    fn passed(&self, a: usize, b: usize) -> f64 {
        (b - a) as f64 * self.step + self.longer
    }

    /// What waits meanwhile.
    fn cost(&self, a: usize, b: usize) -> f64 {
        self.later[b] - self.integral[a] - self.items[a] * self.passed(a, b)
    }

    /// What a step from `a` to `b` costs more than the mean, and all after it; without the price.
    fn worth(&self, a: usize, b: usize, rule: &RuleCost) -> f64 {
        self.cost(a, b) - rule.mean * self.passed(a, b) + rule.value[b % self.bins]
    }

    /// The rule with the best step from each edge, or `None` if none is better than those of `old`.
    fn improved(&self, old: &[u16], rule: &RuleCost, price: f64) -> Option<Vec<u16>> {
        let mut next = vec![0; self.bins];
        self.improve(rule, 0..self.bins, 1..=self.bins + self.reach, &mut next);
        let mut changed = false;
        for (a, next) in next.iter_mut().enumerate() {
            let worth = |bins: u16| self.worth(a, a + usize::from(bins), rule);
            if *next != old[a] && worth(*next) < worth(old[a]) - GAIN_MIN * price {
                changed = true;
            } else {
                *next = old[a];
            }
        }
        changed.then_some(next)
    }

    /// Best steps from some edges, which lead to some of `ends`.
    fn improve(
        &self,
        rule: &RuleCost,
        edges: Range<usize>,
        ends: RangeInclusive<usize>,
        next: &mut [u16],
    ) {
        if edges.is_empty() {
            return;
        }
        let (low, high) = ends.into_inner();
        let a = usize::midpoint(edges.start, edges.end);
        let mut best = (f64::INFINITY, a + 1);
        for b in low.max(a + 1)..=high.min(a + self.reach) {
            let worth = self.worth(a, b, rule);
            if worth < best.0 {
                best = (worth, b);
            }
        }
        next[a] = (best.1 - a) as u16;
        self.improve(rule, edges.start..a, low..=best.1, next);
        self.improve(rule, a + 1..edges.end, best.1..=high, next);
    }

    fn evaluate(&self, price: f64, next: &[u16]) -> RuleCost {
        let to = |a: usize| (a + usize::from(next[a])) % self.bins;
        let step = |a: usize| self.cost(a, a + usize::from(next[a])) + price;
        let passed = |a: usize| self.passed(a, a + usize::from(next[a]));
        let (mut mean, mut anchor) = (f64::INFINITY, 0);
        for cycle in rule::cycles(self.bins, to) {
            let total: f64 = cycle.iter().map(|&a| step(a)).sum();
            let length: f64 = cycle.iter().map(|&a| passed(a)).sum();
            if total / length < mean {
                (mean, anchor) = (total / length, cycle[0]);
            }
        }
        let extra = |a: usize| step(a) - mean * passed(a);
        let far = 1e3 * (extra(anchor).abs() + self.later[self.bins]);
        RuleCost { mean, value: rule::values(self.bins, anchor, to, extra, far) }
    }
}

#[cfg(test)]
mod tests {
    use super::Ahead;
    use crate::pattern::rhythm::{BINS, Rhythm};
    use crate::pattern::{DAY, Habits, Own, Pattern, WEEK};
    use proptest::prelude::*;

    fn pattern(seed: u64) -> Pattern {
        let mut postings = [0.0; BINS];
        for (b, p) in postings.iter_mut().enumerate() {
            let x = (b as u64 / 12 % 24 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            *p = (x % 10) as f64 * if b / 288 < 5 { 1.0 } else { 0.2 };
        }
        Pattern::new(&postings)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// The slow twin tries each of the next 1,000 five minutes, and goes on as planned.
        #[test]
        fn no_later_time_is_better_than_now_when_now_is_best(
            seed in 0_u64..99, gap in 2.0_f64..60.0, after in 0.1_f64..1.5, from in 0_u32..2016,
        ) {
            let pattern = pattern(seed);
            let own = Own::new(&pattern, &Habits::default());
            let mut ahead = Ahead::default();
            ahead.renew(&own, (gap * 3600.0).powi(2) / 2.0, 0.0);
            let last = 50.0 * WEEK + f64::from(from) * 300.0;
            let now = last + after * gap * 3600.0;
            let pending = own.expected(last, now);
            let best = ahead.best(&own, pending, now);
            let cost = |t: f64| {
                (pending - ahead.mean) * (t - now) + own.waiting(now, t) + ahead.value_at(&own, t)
            };
            let all = (0..1000).map(|bin| cost(now + f64::from(bin) * 300.0));
            let least = all.fold(f64::INFINITY, f64::min);
            prop_assert!((cost(now) <= least + 1e-3 * ahead.price) || best > now);
            prop_assert!(best >= now && best <= now + 2.0 * gap * 3600.0 + 2.0 * DAY);
        }
    }

    #[test]
    fn who_is_worth_a_probe_a_year_is_probed_once_a_year() {
        let pattern = pattern(3);
        let own = Own::new(&pattern, &Habits::default());
        for weeks in [12.0, 52.0, 500.0] {
            let (gap, mut ahead) = (weeks * WEEK, Ahead::default());
            ahead.renew(&own, gap * gap / 2.0, 0.0);
            // Where the rhythm of the week does not matter a second costs λ·gap.
            assert!((0.98..1.01).contains(&(ahead.mean / gap)), "{weeks}: {}", ahead.mean / gap);
            let mut now = 0.3 * WEEK;
            let last = now;
            loop {
                let best = ahead.best(&own, own.expected(last, now), now);
                if best <= now {
                    break;
                }
                now = best;
            }
            let found = (now - last) / gap;
            assert!((0.93..1.03).contains(&found), "{weeks}: {found}");
        }
    }

    #[test]
    fn a_day_of_work_is_looked_at_when_it_ends() {
        let work = |b: usize| f64::from(u8::from(b / 288 < 5 && (96..216).contains(&(b % 288))));
        let pattern = Pattern::new(&core::array::from_fn(work));
        let own = Own::new(&pattern, &Habits::default());
        let mut ahead = Ahead::default();
        ahead.renew(&own, (30.0_f64 * 3600.0).powi(2) / 2.0, 0.0);
        // From a Friday's noon on day 1 of the week: not before, and not in the night after 18:00.
        let (noon, end) = (7.0 * WEEK + 0.5 * DAY, 7.0 * WEEK + 0.75 * DAY);
        let pending = own.expected(noon - DAY, noon);
        let mut now = noon;
        loop {
            let best = ahead.best(&own, pending + own.expected(noon, now), now);
            if best <= now {
                break;
            }
            now = best;
        }
        assert!((now - end).abs() < 1.0, "{} hours late", (now - end) / 3600.0);
    }
}
