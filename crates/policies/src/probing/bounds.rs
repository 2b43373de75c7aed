//! What no schedule can beat, in mean undiscovered items.
//!
//! All take rates (items per chronon, finite and ≥ 0; nodes with rate 0 cost nothing) and the
//! budget (probes per chronon, > 0). Each is at least the one before it:
//!
//! ```
//! use policies::probing::bounds::{capped, paper, tightest};
//!
//! let rates: Vec<f64> = (1..=50).map(|i| 1.0 / f64::from(i)).collect();
//! let (paper, capped) = (paper(&rates, 4.0), capped(&rates, 4.0));
//! let tightest = tightest(&rates, 4.0);
//! assert!(paper < capped && capped < tightest && tightest < 1.01 * capped);
//! ```

/// Halvings of the interval that holds the price of a probe: more than a double has bits.
const PRICE_STEPS: u32 = 120;

/// The bound of the paper: max{Σπ, (Σ√π)²/(2c)}. O(n).
#[must_use]
pub fn paper(rates: &[f64], budget: f64) -> f64 {
    let roots: f64 = rates.iter().map(|&rate| libm::sqrt(rate)).sum();
    rates.iter().sum::<f64>().max(roots * roots / (2.0 * budget))
}

/// min Σ π(1/(2f) + ½) over frequencies Σf ≤ c, 0 < f ≤ 1: probes are no closer than a chronon,
/// but gaps need not be whole. Exact: the k fastest nodes have f = 1, the others share c − k as √π.
/// O(n log n).
#[must_use]
pub fn capped(rates: &[f64], budget: f64) -> f64 {
    let Shares { fast, slow, roots, left, total } = shares(rates, budget);
    if slow == 0 { total } else { roots * roots / (2.0 * left) + fast / 2.0 + total / 2.0 }
}

/// The frequency per unit of √rate of the nodes that are not probed in every chronon, in the
/// optimum of [`capped`]: node i is probed min(1, this·√π_i) times a chronon. Infinite where the
/// budget is enough for all. O(n log n).
#[must_use]
pub fn frequency_per_root(rates: &[f64], budget: f64) -> f64 {
    let Shares { slow, roots, left, .. } = shares(rates, budget);
    if slow == 0 { f64::INFINITY } else { left / roots }
}

/// Who is probed in every chronon, and what is left for the others.
struct Shares {
    /// Rates of the nodes probed in every chronon, summed.
    fast: f64,
    /// How many are not, the sum of their √π, and the probes per chronon they share.
    slow: usize,
    roots: f64,
    left: f64,
    total: f64,
}

fn shares(rates: &[f64], budget: f64) -> Shares {
    let mut sorted: Vec<f64> = rates.iter().copied().filter(|&rate| rate > 0.0).collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    // Summed from the smallest, so that the tail of a skewed list is not lost.
    let mut roots_from = vec![0.0; sorted.len() + 1];
    for i in (0..sorted.len()).rev() {
        roots_from[i] = roots_from[i + 1] + libm::sqrt(sorted[i]);
    }
    let total: f64 = sorted.iter().rev().sum();
    let all = Shares { fast: total, slow: 0, roots: 0.0, left: 0.0, total };
    if budget >= sorted.len() as f64 {
        return all;
    }
    let mut fast = 0.0;
    for (k, &rate) in sorted.iter().enumerate() {
        let (left, roots) = (budget - k as f64, roots_from[k]);
        if left > 0.0 && libm::sqrt(rate) * left <= roots {
            return Shares { fast, slow: sorted.len() - k, roots, left, total };
        }
        fast += rate;
    }
    all
}

/// The tightest: gaps are whole chronons, so max over ν of Σ min_{ℓ ≥ 1}(π(ℓ+1)/2 + ν/ℓ) − νc.
///
/// The function is concave and piecewise linear in the price ν, and its slope Σ 1/ℓ(ν) − c falls.
/// The sign of the slope therefore halves the interval until its ends are neighbours: within
/// rounding of the maximum. O(n) per halving.
#[must_use]
pub fn tightest(rates: &[f64], budget: f64) -> f64 {
    let mut rates: Vec<f64> = rates.iter().copied().filter(|&rate| rate > 0.0).collect();
    rates.sort_by(f64::total_cmp);
    let Some(&fastest) = rates.last() else { return 0.0 };
    if budget >= rates.len() as f64 {
        return rates.iter().sum();
    }
    let price = critical_price(&rates, budget, fastest);
    value(&rates, budget, price.0).max(value(&rates, budget, price.1))
}

/// Two neighbouring prices between which the probes wanted fall to the budget.
fn critical_price(rates: &[f64], budget: f64, fastest: f64) -> (f64, f64) {
    let excess =
        |price: f64| rates.iter().map(|&rate| 1.0 / best_gap(rate, price)).sum::<f64>() > budget;
    let (mut low, mut high) = (0.0, fastest);
    while excess(high) {
        low = high;
        high *= 4.0;
    }
    for _ in 0..PRICE_STEPS {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if excess(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, high)
}

/// The dual function at one price; every value of it is a lower bound.
fn value(rates: &[f64], budget: f64, price: f64) -> f64 {
    let parts = rates.iter().map(|&rate| {
        let gap = best_gap(rate, price);
        rate * (gap + 1.0) / 2.0 + price / gap
    });
    parts.sum::<f64>() - price * budget
}

/// The whole gap ℓ that minimises π(ℓ+1)/2 + ν/ℓ: the least with ℓ(ℓ+1) ≥ 2ν/π.
fn best_gap(rate: f64, price: f64) -> f64 {
    let wanted = 2.0 * price / rate;
    libm::ceil((libm::sqrt(1.0 + 4.0 * wanted) - 1.0) / 2.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::{capped, paper, tightest};
    use proptest::prelude::*;

    /// The slow twin: every breakpoint of the dual function is tried.
    fn tightest_slow(rates: &[f64], budget: f64) -> f64 {
        let dual = |price: f64| {
            let parts = rates.iter().map(|&rate| {
                let cost = |gap: f64| rate * (gap + 1.0) / 2.0 + price / gap;
                // It falls and then rises.
                let mut gap = 1.0;
                while cost(gap + 1.0) < cost(gap) {
                    gap += 1.0;
                }
                cost(gap)
            });
            parts.sum::<f64>() - price * budget
        };
        let gaps = (1..100).map(f64::from);
        let breaks = gaps.flat_map(|g| rates.iter().map(move |r| r * g * (g + 1.0) / 2.0));
        breaks.map(dual).fold(dual(0.0), f64::max)
    }

    /// The slow twin of `capped`: halving the multiplier.
    fn capped_slow(rates: &[f64], budget: f64) -> f64 {
        let frequency = |rate: f64, m: f64| (libm::sqrt(rate) / m).min(1.0);
        let (mut low, mut high) = (0.0, 1e9);
        for _ in 0..400 {
            let middle = (low + high) / 2.0;
            if rates.iter().map(|&r| frequency(r, middle)).sum::<f64>() > budget {
                low = middle;
            } else {
                high = middle;
            }
        }
        rates.iter().map(|&r| r * (0.5 / frequency(r, high) + 0.5)).sum()
    }

    proptest! {
        #[test]
        fn the_bounds_equal_their_slow_twins_and_are_ordered(
            rates in prop::collection::vec(0.01_f64..1.0, 1..8),
            budget in 1_u32..4,
        ) {
            let budget = f64::from(budget);
            let fast = tightest(&rates, budget);
            let slow = tightest_slow(&rates, budget);
            prop_assert!((fast / slow - 1.0).abs() < 1e-9, "{fast} {slow}");
            let continuous = capped(&rates, budget);
            let slow = capped_slow(&rates, budget);
            prop_assert!((continuous / slow - 1.0).abs() < 1e-9, "{continuous} {slow}");
            prop_assert!(fast >= continuous * (1.0 - 1e-12));
            prop_assert!(continuous >= paper(&rates, budget) * (1.0 - 1e-12));
        }
    }

    #[test]
    fn extreme_rates_keep_the_bound_finite_and_positive() {
        let rates: Vec<f64> = (1..300).map(|i| libm::pow(2.0, -f64::from(i))).collect();
        let bound = tightest(&rates, 1.0);
        assert!(bound > 2.0 && bound < 3.5, "{bound}");
        assert!(tightest(&[0.0, 0.0], 1.0).abs() < 1e-300);
        assert!((tightest(&[0.25, 0.5, 0.0], 2.0) - 0.75).abs() < 1e-15);
    }
}
