//! How many probes each source gets.

use crate::Dice;

/// The rule by which a budget is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// All as often.
    Uniform,
    /// ∝ wλ.
    Proportional,
    /// ∝ √(wλ), Theorem 1.
    Sqrt,
    /// Cho and Garcia-Molina 2003.
    AgeOptimal,
    /// One week ÷ postings of the last week, clamped.
    EntryFrequency,
}

/// Shares `budget` (probes per unit of time) in proportion to `parts` (≥ 0; equal ones if all
/// are 0).
#[must_use]
pub fn proportional(parts: &[f64], budget: f64) -> Vec<f64> {
    let total: f64 = parts.iter().sum();
    if total <= 0.0 {
        return vec![budget / parts.len() as f64; parts.len()];
    }
    parts.iter().map(|part| budget * part / total).collect()
}

/// Theorem 1: with homogeneous rates λ (per unit of time) and weights w the mean delay is least
/// with m ∝ √(wλ). `demand` is wλ.
#[must_use]
pub fn square_root(demand: &[f64], budget: f64) -> Vec<f64> {
    let roots: Vec<f64> = demand.iter().map(|&d| libm::sqrt(d)).collect();
    proportional(&roots, budget)
}

/// Frequencies that minimise the summed weighted *age* of copies (Cho and Garcia-Molina 2003). With
/// probes every I, the mean age of a source of rate λ is I(½ − 1/x + (1 − e^−x)/x²), x = λI. At the
/// optimum the derivative by frequency is the same for all sources: one multiplier, found by
/// halving.
#[must_use]
pub fn age_optimal(rates: &[f64], weights: &[f64], budget: f64) -> Vec<f64> {
    let frequencies = |price: f64| -> Vec<f64> {
        let one = |(&rate, &weight): (&f64, &f64)| age_frequency(rate, price / weight);
        rates.iter().zip(weights).map(one).collect()
    };
    let (mut low, mut high) = (-200.0_f64, 200.0_f64);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if frequencies(libm::exp2(middle)).iter().sum::<f64>() > budget {
            low = middle;
        } else {
            high = middle;
        }
    }
    proportional(&frequencies(libm::exp2(high)), budget)
}

/// The frequency f at which −dA/df = `price`. With x = λ/f, −dA/df = (½x² − 1 + e^−x(1 + x))/λ²,
/// which grows with x.
fn age_frequency(rate: f64, price: f64) -> f64 {
    if rate <= 0.0 {
        return 0.0;
    }
    let wanted = price * rate * rate;
    let slope = |x: f64| {
        if x < 1e-3 { x * x * x / 3.0 } else { 0.5 * x * x - 1.0 + libm::exp(-x) * (1.0 + x) }
    };
    let (mut low, mut high) = (-100.0_f64, 100.0_f64);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if slope(libm::exp2(middle)) > wanted {
            high = middle;
        } else {
            low = middle;
        }
    }
    rate / libm::exp2(low)
}

/// Whole numbers of probes with the given means and, up to one, their sum: each is its mean rounded
/// down or up, by one draw for all (systematic sampling).
#[must_use]
pub fn round_at_random(means: &[f64], dice: &mut Dice) -> Vec<u32> {
    let mut sum = dice.unit();
    let mut whole = libm::floor(sum);
    let one = |mean: &f64| {
        sum += mean;
        let count = libm::floor(sum) - whole;
        whole = libm::floor(sum);
        count as u32
    };
    means.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::{age_optimal, round_at_random, square_root};
    use crate::Dice;
    use proptest::prelude::*;

    proptest! {
        /// Claim S1: moving probes from any source to any other raises Σ wλ/(2m).
        #[test]
        fn the_square_root_allocation_is_optimal_for_homogeneous_rates(
            demand in prop::collection::vec(0.01_f64..100.0, 2..8),
            from in 0_usize..8, to in 0_usize..8, share in 0.01_f64..0.99,
        ) {
            let delay = |m: &[f64]| -> f64 { demand.iter().zip(m).map(|(d, m)| d / m / 2.0).sum() };
            let best = square_root(&demand, 10.0);
            let mut other = best.clone();
            let (from, to) = (from % demand.len(), to % demand.len());
            let moved = other[from] * share;
            other[from] -= moved;
            other[to] += moved;
            prop_assert!(delay(&other) >= delay(&best) * (1.0 - 1e-12));
        }

        #[test]
        fn no_small_move_lowers_the_age_of_the_age_optimal_allocation(
            rates in prop::collection::vec(0.05_f64..20.0, 2..6),
            from in 0_usize..6, to in 0_usize..6,
        ) {
            let age = |rate: f64, f: f64| {
                let x = rate / f;
                (0.5 - 1.0 / x + (1.0 - libm::exp(-x)) / (x * x)) / f
            };
            let weights = vec![1.0; rates.len()];
            let best = age_optimal(&rates, &weights, 5.0);
            prop_assert!((best.iter().sum::<f64>() - 5.0).abs() < 1e-9);
            let total = |m: &[f64]| -> f64 { rates.iter().zip(m).map(|(r, f)| age(*r, *f)).sum() };
            let mut other = best.clone();
            let moved = other[from % rates.len()] * 0.1;
            other[from % rates.len()] -= moved;
            other[to % rates.len()] += moved;
            prop_assert!(total(&other) >= total(&best) * (1.0 - 1e-9));
        }
    }

    #[test]
    fn random_rounding_keeps_the_sum_and_the_means() {
        let means = [0.2, 1.7, 0.05, 2.05];
        let mut dice = Dice::new(3);
        let mut sums = [0.0; 4];
        for _ in 0..20_000 {
            let rounded = round_at_random(&means, &mut dice);
            assert_eq!(rounded.iter().sum::<u32>(), 4);
            for (sum, &count) in sums.iter_mut().zip(&rounded) {
                *sum += f64::from(count) / 20_000.0;
            }
        }
        for (sum, mean) in sums.iter().zip(means) {
            assert!((sum - mean).abs() < 0.02, "{sum} {mean}");
        }
    }
}
