//! Planning with a price: when to look next, if a look costs ν.
//!
//! For one pattern class the plan of least mean cost solves h(a) = min_d w·c(a,d) + ν − g·d +
//! h(a+d), c being what the interval's items wait. Only ν/(w·mean rate) matters, so one table per
//! class and level of that ratio serves all its sources: "next due" is a look-up.

use super::Curve;
use schedule::plan::rule;

/// Rounds of policy improvement; each instance met so far settled in fewer than ten.
const ROUNDS_MAX: usize = 60;

/// The plan for one pattern at one price.
#[derive(Debug, Clone, PartialEq)]
pub struct PricePlan {
    /// Bins from a probe at each edge to the next.
    pub next: Vec<u32>,
    /// Mean cost per bin, prices included.
    pub cost: f64,
    /// Mean bins between probes on the cycle that the plan ends in.
    pub gap: f64,
}

/// What a plan has to keep to.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// What a probe at each edge costs, items × bins: dear where capacity is short.
    pub prices: &'a [f64],
    /// Bins between two probes at least, ≥ 1.
    pub gap_min: usize,
    /// Bins between two probes at most.
    pub gap_max: usize,
}

/// The plan of least mean cost, gaps at most `gap_max` bins. `price` in items × bins.
/// O(bins·`gap_max`) a round.
#[must_use]
pub fn plan(curve: &Curve, price: f64, gap_max: usize) -> PricePlan {
    plan_with(curve, Terms { prices: &vec![price; curve.bins()], gap_min: 1, gap_max })
}

/// The plan of least mean cost on these terms, by policy improvement (Howard 1960). A gap shorter
/// than `gap_min` is never planned; capacity by the time of day is a price by the time of day.
/// O(bins·`gap_max`) a round.
///
/// # Panics
/// If there are not as many prices as bins, or no gap is allowed.
#[must_use]
pub fn plan_with(curve: &Curve, terms: Terms<'_>) -> PricePlan {
    let bins = curve.bins();
    let Terms { prices, gap_min, gap_max } = terms;
    assert!(prices.len() == bins && (1..=gap_max).contains(&gap_min), "terms fit the curve");
    let mean_price = prices.iter().sum::<f64>() / bins as f64;
    let mut next = vec![gap_min as u32; bins];
    let mut best = evaluate(curve, prices, &next);
    for _ in 0..ROUNDS_MAX {
        let mut changed = false;
        let mut improved = next.clone();
        for a in 0..bins {
            let value = |d: usize| {
                let (cost, values) = (best.0, &best.2);
                let to = (a + d) % bins;
                curve.cost(a, d) + prices[to] - cost * d as f64 + values[to]
            };
            let mut least = value(next[a] as usize) - 1e-9 * (1.0 + mean_price);
            for d in gap_min..=gap_max {
                let v = value(d);
                if v < least {
                    (least, improved[a], changed) = (v, d as u32, true);
                }
            }
        }
        if !changed {
            break;
        }
        let better = evaluate(curve, prices, &improved);
        if better.0 > best.0 * (1.0 + 1e-12) {
            break;
        }
        (next, best) = (improved, better);
    }
    PricePlan { next, cost: best.0, gap: best.1 }
}

/// Mean cost per bin on the best cycle of a rule, its mean gap, and relative values.
fn evaluate(curve: &Curve, prices: &[f64], next: &[u32]) -> (f64, f64, Vec<f64>) {
    let bins = curve.bins();
    let to = |a: usize| (a + next[a] as usize) % bins;
    let step = |a: usize| curve.cost(a, next[a] as usize) + prices[to(a)];
    let (mut cost, mut gap, mut anchor) = (f64::INFINITY, 1.0, 0);
    for cycle in rule::cycles(bins, to) {
        let total: f64 = cycle.iter().map(|&a| step(a)).sum();
        let length: f64 = cycle.iter().map(|&a| f64::from(next[a])).sum();
        if total / length < cost {
            (cost, gap, anchor) = (total / length, length / cycle.len() as f64, cycle[0]);
        }
    }
    let dearest = prices.iter().copied().fold(0.0, f64::max);
    let far = 1e3 * (dearest + curve.cost(0, bins) + cost * bins as f64);
    let extra = |a: usize| step(a) - cost * f64::from(next[a]);
    (cost, gap, rule::values(bins, anchor, to, extra, far))
}

#[cfg(test)]
mod tests {
    use super::{Terms, plan, plan_with};
    use crate::delay::{Curve, points};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        /// The slow twin: the best whole-period plan with any number of points cannot be better,
        /// and what the plan promises is what its cycle costs.
        #[test]
        fn no_periodic_plan_is_cheaper_than_the_price_plan(
            rate in prop::collection::vec(0.01_f64..3.0, 2..10), price in 0.1_f64..30.0,
        ) {
            let curve = Curve::new(rate);
            let bins = curve.bins();
            let plan = plan(&curve, price, 6 * bins);
            for m in 1..=bins {
                let cost = curve.cost_of(&points::exact(&curve, m)) + price * m as f64;
                prop_assert!(plan.cost <= cost / bins as f64 * (1.0 + 1e-9));
            }
            // Follow it: the mean settles to the promised cost or better.
            let (mut at, mut total, mut passed) = (0, 0.0, 0_usize);
            for step in 0..4000 {
                let d = plan.next[at] as usize;
                if step >= 2000 {
                    total += curve.cost(at, d) + price;
                    passed += d;
                }
                at = (at + d) % bins;
            }
            prop_assert!(total / passed as f64 <= plan.cost * 1.01, "{} {}", total / passed as f64, plan.cost);
        }
    }

    /// The cheapest plan of one period with these prices and no gap below `gap_min`, by trying all.
    fn cheapest(curve: &Curve, prices: &[f64], gap_min: usize) -> f64 {
        let bins = curve.bins();
        let cost = |set: u32| {
            let points: Vec<usize> = (0..bins).filter(|b| set >> b & 1 == 1).collect();
            let first = points[0] + bins;
            let ends = points.iter().skip(1).copied().chain([first]);
            let spaced = points.iter().zip(ends).all(|(&a, b)| b - a >= gap_min);
            let paid: f64 = points.iter().map(|&b| prices[b]).sum();
            if spaced { (curve.cost_of(&points) + paid) / bins as f64 } else { f64::INFINITY }
        };
        (1..1_u32 << bins).map(cost).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn spacing_and_prices_by_the_time_of_day_are_kept_and_nothing_periodic_is_cheaper(
            bins in prop::collection::vec((0.01_f64..3.0, 0.1_f64..20.0), 2..9),
            gap_min in 1_usize..6,
        ) {
            let (rate, prices): (Vec<f64>, Vec<f64>) = bins.into_iter().unzip();
            let curve = Curve::new(rate);
            let gap_max = 6 * curve.bins() + gap_min;
            let plan = plan_with(&curve, Terms { prices: &prices, gap_min, gap_max });
            prop_assert!(plan.next.iter().all(|&d| d as usize >= gap_min));
            let slow = cheapest(&curve, &prices, gap_min);
            prop_assert!(plan.cost <= slow * (1.0 + 1e-9), "{} {slow}", plan.cost);
        }
    }

    #[test]
    fn a_dear_hour_is_left_out_and_a_dear_probe_comes_less_than_once_a_day() {
        let curve = Curve::new((0..24).map(|h| if h < 12 { 1.0 } else { 0.1 }).collect());
        let mut prices = vec![5.0; 24];
        let free = plan_with(&curve, Terms { prices: &prices, gap_min: 1, gap_max: 100 });
        prices[6..12].fill(1e6);
        let short = plan_with(&curve, Terms { prices: &prices, gap_min: 1, gap_max: 100 });
        let visits = |next: &[u32]| {
            let (mut at, mut seen) = (0, vec![0; 24]);
            for step in 0..400 {
                at = (at + next[at] as usize) % 24;
                seen[at] += i32::from(step >= 100);
            }
            seen
        };
        assert!(visits(&free.next)[6..12].iter().sum::<i32>() > 0);
        assert_eq!(visits(&short.next)[6..12].iter().sum::<i32>(), 0);
        assert!(short.cost > free.cost);
        // One probe at 10,000 items × hours: many days apart.
        let rare = plan(&curve, 10_000.0, 1000);
        assert!(rare.gap > 100.0, "{}", rare.gap);
    }
}
