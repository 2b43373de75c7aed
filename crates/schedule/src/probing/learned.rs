//! `learned-index`: the index with rates learned from the probes themselves.
//!
//! Per node a mixture of five Gamma posteriors that forget at different speeds, each scored by how
//! well it foretold what the node's probes found, and by how well its like foretold it everywhere:
//! the global score notices when all rates move at once (THEORY section 2).

use super::{Found, Growth, Policy, Tournament};

/// Half-lives of the five posteriors, in probes of the node.
const HALF_LIVES: [f64; 5] = [1.5, 4.0, 10.0, 30.0, f64::INFINITY];
/// Shape of the prior; its mean is the pool's.
const PRIOR_SHAPE: f64 = 0.5;
/// What a node's scores keep from probe to probe.
const SCORE_KEEPS: f64 = 0.9;
/// How much more the global score counts than one probe's.
const GLOBAL_WEIGHT: f64 = 30.0;
/// What the pool forgets while every node is probed once on average.
const POOL_FORGETS: f64 = 0.1;
/// Nodes whose estimate is made anew per probe, in turn: the pool and the global score moved.
const REFRESHED_PER_PROBE: usize = 4;

/// What the probes of one node said, five times. 120 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Posteriors {
    items: [f64; 5],
    exposure: [f64; 5],
    score: [f64; 5],
}

/// The index policy with learned rates. O(log n) per probe.
#[derive(Debug, Clone)]
pub struct LearnedIndex {
    budget: u32,
    tournament: Tournament,
    posteriors: Vec<Posteriors>,
    keeps: [f64; 5],
    global: [f64; 5],
    pool_items: f64,
    pool_exposure: f64,
    refreshed: usize,
}

impl LearnedIndex {
    #[must_use]
    pub fn new(nodes: usize, budget: u32) -> LearnedIndex {
        LearnedIndex {
            budget,
            tournament: Tournament::new(&vec![1.0; nodes], Growth::Quadratic),
            posteriors: vec![Posteriors::default(); nodes],
            keeps: HALF_LIVES.map(|h| libm::exp2(-1.0 / h)),
            global: [0.0; 5],
            pool_items: 0.0,
            pool_exposure: 0.0,
            refreshed: 0,
        }
    }

    /// The estimate of a node's rate, items per chronon.
    #[must_use]
    pub fn rate(&self, node: u32) -> f64 {
        let p = &self.posteriors[node as usize];
        let prior = self.prior_exposure();
        let log_weight = |j: usize| p.score[j] + GLOBAL_WEIGHT * self.global[j];
        let top = (0..5).map(log_weight).fold(f64::NEG_INFINITY, f64::max);
        let (mut mean, mut total) = (0.0, 0.0);
        for j in 0..5 {
            let weight = libm::exp(log_weight(j) - top);
            mean += weight * (PRIOR_SHAPE + p.items[j]) / (prior + p.exposure[j]);
            total += weight;
        }
        mean / total
    }

    /// The prior counts as so many chronons of watching: its mean is the pool's.
    fn prior_exposure(&self) -> f64 {
        // Before anything was found the pool is worth half an item.
        PRIOR_SHAPE * (self.pool_exposure + 1.0) / (self.pool_items + 0.5)
    }

    fn learn(&mut self, probe: Found) {
        let n = self.posteriors.len() as f64;
        let prior = self.prior_exposure();
        let (items, gap) = (probe.items as f64, probe.gap as f64);
        let p = &mut self.posteriors[probe.node as usize];
        for j in 0..5 {
            let likelihood =
                log_negative_binomial(items, gap, PRIOR_SHAPE + p.items[j], prior + p.exposure[j]);
            p.score[j] = SCORE_KEEPS * p.score[j] + likelihood;
            self.global[j] += (likelihood - self.global[j]) / n;
            p.items[j] = self.keeps[j] * p.items[j] + items;
            p.exposure[j] = self.keeps[j] * p.exposure[j] + gap;
        }
        let keeps = 1.0 - POOL_FORGETS / n;
        self.pool_items = keeps * self.pool_items + items;
        self.pool_exposure = keeps * self.pool_exposure + gap;
    }

    fn refresh(&mut self, node: u32, now: u64) {
        let rate = self.rate(node);
        self.tournament.set_rate(node, rate, now);
    }
}

impl Policy for LearnedIndex {
    fn choose(&mut self, now: u64, picks: &mut Vec<u32>) {
        for _ in 0..self.budget {
            let Some(node) = self.tournament.best(now) else { return };
            self.tournament.probe(node, now);
            picks.push(node);
        }
    }

    fn found(&mut self, now: u64, probe: Found) {
        self.learn(probe);
        self.refresh(probe.node, now);
        for _ in 0..REFRESHED_PER_PROBE.min(self.posteriors.len()) {
            self.refreshed = (self.refreshed + 1) % self.posteriors.len();
            self.refresh(self.refreshed as u32, now);
        }
    }
}

/// The chance, as a logarithm, that a Poisson count over `gap` is `items` if its rate is Gamma with
/// this shape and this rate.
fn log_negative_binomial(items: f64, gap: f64, shape: f64, rate: f64) -> f64 {
    let found = if items > 0.0 {
        libm::lgamma(items + shape) - libm::lgamma(shape) - libm::lgamma(items + 1.0)
            + items * libm::log(gap / (rate + gap))
    } else {
        0.0
    };
    found - shape * libm::log1p(gap / rate)
}

#[cfg(test)]
mod tests {
    use super::{LearnedIndex, log_negative_binomial};
    use crate::probing::{Found, Policy};

    #[test]
    fn the_predictive_chances_add_up_to_one() {
        for (gap, shape, rate) in [(1.0, 0.5, 2.0), (10.0, 4.5, 30.0)] {
            let total: f64 = (0..400)
                .map(|x| libm::exp(log_negative_binomial(f64::from(x), gap, shape, rate)))
                .sum();
            assert!((total - 1.0).abs() < 1e-9, "{total}");
        }
    }

    #[test]
    fn a_steady_node_is_learned_to_a_tenth_in_fifty_probes_and_relearned_after_a_change() {
        let mut policy = LearnedIndex::new(2, 1);
        let tell = |policy: &mut LearnedIndex, from: u64, items: u64| {
            for i in 1..=50 {
                let now = from + 10 * i;
                for node in 0..2 {
                    policy.found(now, Found { node, gap: 10, items });
                }
            }
        };
        tell(&mut policy, 0, 5);
        assert!((policy.rate(0) - 0.5).abs() < 0.05, "{}", policy.rate(0));
        tell(&mut policy, 500, 50);
        assert!((policy.rate(0) - 5.0).abs() < 0.5, "{}", policy.rate(0));
    }
}
