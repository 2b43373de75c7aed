//! Estimates from a whole history of "changed" and "unchanged".

use schedule::rate::Seen;

/// The rate from `changed` of `probes` at one regular `gap`:
/// −ln((n − X + ½)/(n + ½))/I (Cho and Garcia-Molina 2003). 0 without probes; at most
/// ln(2n + 1)/I.
#[must_use]
pub fn regular(probes: u32, changed: u32, gap: f64) -> f64 {
    let (n, x) = (f64::from(probes), f64::from(changed.min(probes)));
    -libm::log((n - x + 0.5) / (n + 0.5)) / gap
}

/// The rate a for which Σ_changed g/(e^{ga} − 1) = Σ_unchanged g + ḡ/2, ḡ the mean gap: the
/// maximum of the likelihood, with half an unchanged probe more so that it is always finite.
/// [`regular`] is the same equation at equal gaps.
///
/// `observations` are (gap > 0, changed or not). 0 if nothing changed. Newton steps, held between
/// bounds that halve; about six passes over the history.
#[must_use]
pub fn likeliest(observations: &[(f64, bool)]) -> f64 {
    let n = observations.len() as f64;
    let all: f64 = observations.iter().map(|o| o.0).sum();
    let changed = observations.iter().filter(|o| o.1);
    let (count, changed_gaps) = changed.fold((0.0, 0.0), |(n, sum), o| (n + 1.0, sum + o.0));
    if count <= 0.0 {
        return 0.0;
    }
    let wanted = all - changed_gaps + all / n / 2.0;
    // g/(e^{ga} − 1) lies between 1/a − g/2 and 1/a.
    let mut low = count / (wanted + changed_gaps / 2.0);
    let mut high = count / wanted;
    let mut rate = low;
    for _ in 0..STEPS_MAX {
        let (mut value, mut slope) = (-wanted, 0.0);
        for &(gap, _) in observations.iter().filter(|o| o.1) {
            let part = gap / libm::expm1(gap * rate);
            value += part;
            slope -= part * (part + gap);
        }
        if value > 0.0 {
            low = rate
        } else {
            high = rate
        }
        let step = rate - value / slope;
        let next = if step > low && step < high { step } else { low + (high - low) / 2.0 };
        if libm::fabs(next - rate) <= 1e-13 * rate {
            return next;
        }
        rate = next;
    }
    rate
}

/// Steps of [`likeliest`] at most; halving alone needs no more.
const STEPS_MAX: u32 = 200;

/// Online: a Newton step on the likelihood per observation, y ← y + s/F, F ← keep·F + f, with s =
/// g·e^{−yg}/(1 − e^{−yg}) if it changed, else −g, and f = g²·e^{−yg}/(1 − e^{−yg}): the step
/// length η of `docs/theory.md`, Learning rates is f/F, so that at long and short gaps each
/// observation counts for what it says. O(1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Newton {
    rate: f64,
    information: f64,
}

/// A step changes the estimate by this factor at most.
const STEP_FACTOR_MAX: f64 = 4.0;

impl Newton {
    /// Starts at `rate` > 0, believed as if it had been seen `weight` times.
    #[must_use]
    pub fn new(rate: f64, weight: f64) -> Newton {
        Newton { rate, information: weight / (rate * rate) }
    }

    /// One observation, `gap` > 0; `keep` in 0 … 1 is what the older ones still count.
    pub fn learn(&mut self, gap: f64, seen: Seen, keep: f64) {
        let y = self.rate * gap;
        let odds = 1.0 / libm::expm1(y);
        let slope = match seen {
            Seen::Unchanged | Seen::Items(0) => -gap,
            Seen::Changed | Seen::Items(_) => gap * odds,
        };
        self.information = keep * self.information + gap * gap * odds;
        if self.information <= 0.0 {
            return;
        }
        let wanted = self.rate + slope / self.information;
        let (least, most) = (self.rate / STEP_FACTOR_MAX, self.rate * STEP_FACTOR_MAX);
        self.rate = wanted.clamp(least, most);
    }

    /// The estimate.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::{Newton, likeliest, regular};
    use crate::Dice;
    use proptest::prelude::*;
    use schedule::rate::Seen;

    /// The slow twin: halving.
    fn likeliest_slow(observations: &[(f64, bool)]) -> f64 {
        let n = observations.len() as f64;
        let mean = observations.iter().map(|o| o.0).sum::<f64>() / n;
        let excess = |rate: f64| {
            let parts = observations
                .iter()
                .map(|&(gap, changed)| if changed { gap / libm::expm1(gap * rate) } else { -gap });
            parts.sum::<f64>() - mean / 2.0
        };
        let (mut low, mut high) = (0.0, 1.0);
        while excess(high) > 0.0 {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if excess(middle) > 0.0 { low = middle } else { high = middle }
        }
        high
    }

    proptest! {
        #[test]
        fn newton_and_halving_find_the_same_root(
            observations in prop::collection::vec((1e-3_f64..1e3, any::<bool>()), 1..40),
        ) {
            let (fast, slow) = (likeliest(&observations), likeliest_slow(&observations));
            prop_assert!((fast - slow).abs() <= 1e-9 * slow.max(1e-40), "{fast} {slow}");
        }

        #[test]
        fn the_regular_formula_is_the_equation_at_equal_gaps(
            n in 1_u32..60, share in 0.0_f64..=1.0, gap in 1e-2_f64..1e4,
        ) {
            let changed = libm::round(share * f64::from(n)) as u32;
            let observations: Vec<(f64, bool)> = (0..n).map(|i| (gap, i < changed)).collect();
            let (formula, root) = (regular(n, changed, gap), likeliest(&observations));
            prop_assert!((formula - root).abs() <= 1e-9 * formula.max(1e-40));
            let most = libm::log(2.0 * f64::from(n) + 1.0) / gap;
            prop_assert!(formula <= most * (1.0 + 1e-12));
        }
    }

    /// Observations of a source with this rate.
    fn watch(dice: &mut Dice, rate: f64, gap: f64) -> (f64, bool) {
        (gap, dice.exponential() < rate * gap)
    }

    /// Mean and standard deviation of an estimate over many histories of `probes` probes.
    fn moments(mut estimate: impl FnMut() -> f64) -> (f64, f64) {
        let all: Vec<f64> = (0..2_000).map(|_| estimate()).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let square = all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        (mean, libm::sqrt(square / all.len() as f64))
    }

    #[test]
    fn the_estimate_is_nearly_unbiased_and_as_sharp_as_its_information_allows() {
        let mut dice = Dice::new(5);
        for rate in [0.1, 0.8, 2.0] {
            for exponential in [false, true] {
                let history = |dice: &mut Dice| -> Vec<(f64, bool)> {
                    let mut gap = || if exponential { dice.exponential() } else { 1.0 };
                    let gaps: Vec<f64> = (0..100).map(|_| gap()).collect();
                    gaps.iter().map(|&gap| watch(dice, rate, gap)).collect()
                };
                let information: f64 = (0..4_000)
                    .map(|_| if exponential { dice.exponential() } else { 1.0 })
                    .map(|gap| gap * gap / libm::expm1(rate * gap) / 40.0)
                    .sum();
                let (mean, deviation) = moments(|| likeliest(&history(&mut dice)));
                assert!((mean / rate - 1.0).abs() < 0.03, "{rate}: {mean}");
                let least = libm::sqrt(1.0 / information);
                assert!((0.9..1.15).contains(&(deviation / least)), "{rate}: {deviation} {least}");
            }
        }
    }

    #[test]
    fn the_online_newton_step_finds_the_rate_at_regular_and_at_exponential_gaps() {
        let mut dice = Dice::new(6);
        for exponential in [false, true] {
            let mut newton = Newton::new(3.0, 1.0);
            for _ in 0..20_000 {
                let gap = if exponential { dice.exponential() } else { 1.0 };
                let (gap, changed) = watch(&mut dice, 0.8, gap);
                newton.learn(gap, if changed { Seen::Changed } else { Seen::Unchanged }, 1.0);
            }
            assert!((newton.rate() - 0.8).abs() < 0.03, "{}", newton.rate());
        }
    }

    /// y ← y + η[I(y + p) − y], p probes per unit of time.
    #[test]
    fn the_stochastic_approximation_of_the_literature_is_right_only_at_exponential_gaps() {
        let mut dice = Dice::new(7);
        for (exponential, expected) in [(true, 0.8), (false, 1.2255)] {
            let (mut y, mut mean) = (0.8, 0.0);
            for i in 0..200_000 {
                let gap = if exponential { dice.exponential() } else { 1.0 };
                let changed = f64::from(u8::from(watch(&mut dice, 0.8, gap).1));
                y += 0.01 * (changed * (y + 1.0) - y);
                if i >= 1_000 {
                    mean += y / 199_000.0;
                }
            }
            assert!((mean / expected - 1.0).abs() < 0.03, "{exponential}: {mean}");
        }
    }
}
