//! A seeded stream of chance, held by the one who draws from it: xoshiro256++ (Blackman, Vigna
//! 2019), seeded by SplitMix64.

/// A generator of pseudo-random numbers. Two with the same seed give the same numbers.
#[derive(Debug, Clone)]
pub struct Dice {
    state: [u64; 4],
}

/// Above this mean a Poisson count is drawn by rejection instead of by multiplication.
const POISSON_MULTIPLY_MAX: f64 = 10.0;

impl Dice {
    /// The stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        let mut x = seed;
        let state = std::array::from_fn(|_| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = x;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Dice { state }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in 0 … `n` − 1; `n` ≥ 1. Off by at most n/2⁶⁴.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// A Poisson count with this mean (finite, ≥ 0). Large means by transformed rejection (PTRS,
    /// Hörmann 1993). O(1).
    pub fn poisson(&mut self, mean: f64) -> u64 {
        if mean <= 0.0 {
            return 0;
        }
        if mean <= POISSON_MULTIPLY_MAX {
            let limit = libm::exp(-mean);
            let mut product = self.unit();
            let mut count = 0;
            while product > limit {
                product *= self.unit();
                count += 1;
            }
            return count;
        }
        let (root, log_mean) = (libm::sqrt(mean), libm::log(mean));
        let b = 0.931 + 2.53 * root;
        let a = -0.059 + 0.024_83 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let v_r = 0.9277 - 3.6224 / (b - 2.0);
        loop {
            let u = self.unit() - 0.5;
            let v = self.unit();
            let us = 0.5 - libm::fabs(u);
            let k = libm::floor((2.0 * a / us + b) * u + mean + 0.43);
            if us >= 0.07 && v <= v_r {
                return k as u64;
            }
            if k < 0.0 || (us < 0.013 && v > us) {
                continue;
            }
            let left = libm::log(v) + libm::log(inverse_alpha) - libm::log(a / (us * us) + b);
            if left <= k * log_mean - mean - libm::lgamma(k + 1.0) {
                return k as u64;
            }
        }
    }

    /// The successes among `trials`, each with this chance in [0, 1]. O(successes + 1).
    pub fn binomial(&mut self, trials: u64, chance: f64) -> u64 {
        if chance <= 0.0 {
            return 0;
        }
        if chance >= 1.0 {
            return trials;
        }
        let log_miss = libm::log1p(-chance);
        let (mut at, mut count) = (0.0, 0);
        loop {
            at += libm::floor(-self.exponential() / log_miss) + 1.0;
            if at > trials as f64 {
                return count;
            }
            count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    /// Mean and variance over many draws, against the truth within five standard errors.
    fn check(mean: f64, variance: f64, mut draw: impl FnMut() -> u64) {
        let n = 200_000;
        let draws: Vec<f64> = (0..n).map(|_| draw() as f64).collect();
        let m = draws.iter().sum::<f64>() / f64::from(n);
        let v = draws.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / f64::from(n);
        let standard_error = libm::sqrt(variance / f64::from(n));
        assert!((m - mean).abs() < 5.0 * standard_error, "mean {m}, not {mean}");
        assert!((v / variance - 1.0).abs() < 0.05, "variance {v}, not {variance}");
    }

    #[test]
    fn counts_have_the_mean_and_variance_of_their_law() {
        let mut dice = Dice::new(1);
        for mean in [0.3, 4.0, 9.9, 10.1, 35.0, 2000.0] {
            check(mean, mean, || dice.poisson(mean));
        }
        for (trials, chance) in [(1, 0.5), (30, 0.1), (40, 0.9)] {
            let mean = trials as f64 * chance;
            check(mean, mean * (1.0 - chance), || dice.binomial(trials, chance));
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let draw = |seed| {
            let mut dice = Dice::new(seed);
            [dice.bits(), dice.below(10), dice.poisson(50.0)]
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}
