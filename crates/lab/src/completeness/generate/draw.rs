//! Draws by seed: the same on every machine.

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

/// Zipf's distribution over 0 … n − 1: weight (i + 1)^−exponent. A Fenwick tree of weights, so
/// that a draw without replacement is O(log n).
#[derive(Debug, Clone)]
pub struct Zipf {
    tree: Vec<f64>,
    weights: Vec<f64>,
    left: usize,
}

impl Zipf {
    #[must_use]
    pub fn new(exponent: f64, n: usize) -> Self {
        let weights: Vec<f64> = (1..=n).map(|i| (i as f64).powf(-exponent)).collect();
        let mut new = Self { tree: vec![0.0; n + 1], weights: vec![0.0; n], left: 0 };
        for (at, &weight) in weights.iter().enumerate() {
            new.put_back(at, weight);
        }
        new
    }

    fn add(&mut self, at: usize, weight: f64) {
        let mut node = at + 1;
        while node < self.tree.len() {
            self.tree[node] += weight;
            node += node & node.wrapping_neg();
        }
    }

    /// Gives `at` this weight again after [`Zipf::take`].
    pub fn put_back(&mut self, at: usize, weight: f64) {
        self.add(at, weight);
        self.weights[at] = weight;
        self.left += 1;
    }

    fn total(&self) -> f64 {
        let mut node = self.tree.len() - 1;
        let mut sum = 0.0;
        while node > 0 {
            sum += self.tree[node];
            node &= node - 1;
        }
        sum
    }

    /// Draws one of those left.
    pub fn draw(&self, chance: &mut Draw) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        loop {
            let mut left = chance.unit() * self.total();
            let mut at = 0;
            let mut step = self.tree.len().next_power_of_two() / 2;
            while step > 0 {
                let next = at + step;
                if next < self.tree.len() && self.tree[next] <= left {
                    at = next;
                    left -= self.tree[next];
                }
                step /= 2;
            }
            // Rounding may lead to one that has been taken.
            if self.weights.get(at).is_some_and(|&weight| weight > 0.0) {
                return Some(at);
            }
        }
    }

    /// Draws one and takes it out; with its weight.
    pub fn take(&mut self, chance: &mut Draw) -> Option<(usize, f64)> {
        let at = self.draw(chance)?;
        let weight = std::mem::replace(&mut self.weights[at], 0.0);
        self.add(at, -weight);
        self.left -= 1;
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
        let mut zipf = Zipf::new(2.0, 50);
        let mut all: Vec<_> =
            std::iter::from_fn(|| zipf.take(&mut chance).map(|taken| taken.0)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
    }
}
