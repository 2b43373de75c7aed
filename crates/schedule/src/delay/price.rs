//! Planning with a price: when to look next, if a look costs ν.
//!
//! For one pattern class the plan of least mean cost solves h(a) = min_d w·c(a,d) + ν − g·d +
//! h(a+d), c being what the interval's items wait. Only ν/(w·mean rate) matters, so one table per
//! class and level of that ratio serves all its sources: "next due" is a look-up.

use super::Curve;

/// Rounds of policy improvement; each instance met so far settled in fewer than ten.
const ROUNDS_MAX: usize = 60;

/// The plan for one pattern at one price.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Bins from a probe at each edge to the next.
    pub next: Vec<u32>,
    /// Mean cost per bin, prices included.
    pub cost: f64,
    /// Mean bins between probes on the cycle that the plan ends in.
    pub gap: f64,
}

/// The plan of least mean cost, gaps at most `gap_max` bins, by policy improvement (Howard 1960).
/// `price` in items × bins. O(bins·`gap_max`) a round.
#[must_use]
pub fn plan(curve: &Curve, price: f64, gap_max: usize) -> Plan {
    let bins = curve.bins();
    let mut next = vec![1_u32; bins];
    let mut best = evaluate(curve, price, &next);
    for _ in 0..ROUNDS_MAX {
        let mut changed = false;
        let mut improved = next.clone();
        for a in 0..bins {
            let value = |d: usize| {
                let (cost, values) = (best.0, &best.2);
                curve.cost(a, d) + price - cost * d as f64 + values[(a + d) % bins]
            };
            let mut least = value(next[a] as usize) - 1e-9 * (1.0 + price);
            for d in 1..=gap_max {
                let v = value(d);
                if v < least {
                    (least, improved[a], changed) = (v, d as u32, true);
                }
            }
        }
        if !changed {
            break;
        }
        let better = evaluate(curve, price, &improved);
        if better.0 > best.0 * (1.0 + 1e-12) {
            break;
        }
        (next, best) = (improved, better);
    }
    Plan { next, cost: best.0, gap: best.1 }
}

/// Mean cost per bin on the best cycle of a rule, its mean gap, and relative values.
fn evaluate(curve: &Curve, price: f64, next: &[u32]) -> (f64, f64, Vec<f64>) {
    let bins = curve.bins();
    let to = |a: usize| (a + next[a] as usize) % bins;
    // The cheapest cycle.
    let (mut cost, mut gap, mut anchor) = (f64::INFINITY, 1.0, 0);
    let mut mark = vec![usize::MAX; bins];
    for start in 0..bins {
        let mut a = start;
        while mark[a] == usize::MAX {
            mark[a] = start;
            a = to(a);
        }
        if mark[a] != start {
            continue;
        }
        let (mut total, mut length, mut probes, first) = (0.0, 0.0, 0.0, a);
        loop {
            let d = next[a] as usize;
            total += curve.cost(a, d) + price;
            (length, probes) = (length + d as f64, probes + 1.0);
            a = to(a);
            if a == first {
                break;
            }
        }
        if total / length < cost {
            (cost, gap, anchor) = (total / length, length / probes, first);
        }
    }
    let values = relative_values(curve, (price, cost), next, anchor);
    (cost, gap, values)
}

/// h with h(anchor) = 0; edges that never reach the anchor are worth nothing until they are led
/// there by the next improvement.
fn relative_values(
    curve: &Curve,
    (price, cost): (f64, f64),
    next: &[u32],
    anchor: usize,
) -> Vec<f64> {
    let bins = curve.bins();
    let far = price + curve.cost(0, bins) + cost * bins as f64;
    let mut values = vec![f64::NAN; bins];
    values[anchor] = 0.0;
    for start in 0..bins {
        let (mut path, mut a) = (Vec::new(), start);
        while values[a].is_nan() && path.len() <= bins {
            path.push(a);
            a = (a + next[a] as usize) % bins;
        }
        let mut value = if values[a].is_nan() { far * 1e3 } else { values[a] };
        for &b in path.iter().rev() {
            let d = next[b] as usize;
            value += curve.cost(b, d) + price - cost * d as f64;
            values[b] = value;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::plan;
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
}
