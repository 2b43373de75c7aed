//! Draws by seed: the same seed gives the same numbers.

/// `SplitMix64` (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Draw {
    state: u64,
}

impl Draw {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In 0 … `count` − 1; `count` > 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.word()) * count as u128) >> 64) as usize
    }

    /// A Poisson count: exponential gaps that fit into `mean`. O(mean).
    pub fn poisson(&mut self, mean: f64) -> u64 {
        let (mut count, mut passed) = (0, 0.0);
        loop {
            passed -= (1.0 - self.unit()).ln();
            if passed > mean {
                return count;
            }
            count += 1;
        }
    }

    /// `count` of 0 … `all` − 1, each set as likely, ascending (Floyd).
    pub fn subset(&mut self, count: usize, all: usize) -> Vec<usize> {
        let mut chosen = std::collections::BTreeSet::new();
        for last in all - count.min(all)..all {
            let at = self.below(last + 1);
            if !chosen.insert(at) {
                chosen.insert(last);
            }
        }
        chosen.into_iter().collect()
    }
}

/// Largest exponent of [`Zipf`]: the weight of the last of 10^8 is still a number.
pub const EXPONENT_MAX: f64 = 30.0;

/// Zipf's distribution over 0 … n − 1: weight (i + 1)^−exponent, exponent at most
/// [`EXPONENT_MAX`]. A binary tree of sums, so that a draw without replacement is O(log n). Sums
/// are added up anew, never subtracted from: small weights survive large ones.
#[derive(Debug, Clone)]
pub struct Zipf {
    /// Place 1 is the root, places from `leaves` on are the weights.
    sums: Vec<f64>,
    leaves: usize,
}

impl Zipf {
    #[must_use]
    pub fn new(exponent: f64, n: usize) -> Self {
        let leaves = n.next_power_of_two();
        let mut sums = vec![0.0; 2 * leaves];
        for (i, weight) in sums[leaves..leaves + n].iter_mut().enumerate() {
            *weight = ((i + 1) as f64).powf(-exponent);
        }
        for place in (1..leaves).rev() {
            sums[place] = sums[2 * place] + sums[2 * place + 1];
        }
        Self { sums, leaves }
    }

    fn set(&mut self, at: usize, weight: f64) {
        let mut place = self.leaves + at;
        self.sums[place] = weight;
        while place > 1 {
            place /= 2;
            self.sums[place] = self.sums[2 * place] + self.sums[2 * place + 1];
        }
    }

    /// Gives `at` this weight again after [`Zipf::take`].
    pub fn put_back(&mut self, at: usize, weight: f64) {
        self.set(at, weight);
    }

    /// Draws one of those left.
    pub fn draw(&self, chance: &mut Draw) -> Option<usize> {
        let total = self.sums[1];
        if total <= 0.0 {
            return None;
        }
        let mut rest = chance.unit() * total;
        let mut place = 1;
        while place < self.leaves {
            let (left, right) = (self.sums[2 * place], self.sums[2 * place + 1]);
            place *= 2;
            // Rounding may leave something where all have been taken.
            if rest >= left && right > 0.0 {
                rest -= left;
                place += 1;
            }
        }
        Some(place - self.leaves)
    }

    /// Draws one and takes it out; with its weight.
    pub fn take(&mut self, chance: &mut Draw) -> Option<(usize, f64)> {
        let at = self.draw(chance)?;
        let weight = self.sums[self.leaves + at];
        self.set(at, 0.0);
        Some((at, weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_their_distributions() {
        let mut chance = Draw::new(1);
        let mean = (0..20_000).map(|_| chance.poisson(20.0)).sum::<u64>() as f64 / 20_000.0;
        assert!((mean - 20.0).abs() < 0.2, "{mean}");
        let zipf = Zipf::new(1.0, 3);
        let mut seen = [0.0_f64; 3];
        for _ in 0..30_000 {
            seen[zipf.draw(&mut chance).unwrap()] += 11.0 / 6.0 / 30_000.0;
        }
        for (share, expected) in seen.iter().zip([1.0, 0.5, 1.0 / 3.0]) {
            assert!((share - expected).abs() < 0.03, "{seen:?}");
        }
        assert_eq!(chance.subset(5, 5), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn what_is_taken_does_not_come_again() {
        let mut chance = Draw::new(2);
        for exponent in [0.0, 2.0, EXPONENT_MAX] {
            let mut zipf = Zipf::new(exponent, 50);
            let taken = std::iter::from_fn(|| zipf.take(&mut chance).map(|taken| taken.0));
            let mut all: Vec<_> = taken.take(100).collect();
            all.sort_unstable();
            assert_eq!(all, (0..50).collect::<Vec<_>>());
        }
    }
}
