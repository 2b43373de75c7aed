//! `learned-whittle`: the index with rates learned from the probes themselves.
//!
//! The policy remembers what each node's probes found, over four half-lives. Each half-life is
//! scored by how well it foretold what the node's probes found, and by how well its like foretold
//! it everywhere: the global score notices when all rates move at once (`docs/theory.md`, Probing
//! cost). The prior is the [`Population`], whatever its law.

mod population;

use super::{Found, Growth, ProbingPolicy, Tournament};
use population::Population;

const MEMORIES: usize = 4;
/// Half-lives of the memories, in probes of the node.
const HALF_LIVES: [f64; MEMORIES] = [1.5, 5.0, 20.0, 300.0];
/// What a node's scores keep from probe to probe.
const SCORE_KEEPS: f64 = 0.9;
/// How much more the global score counts than one probe's.
const GLOBAL_WEIGHT: f64 = 30.0;
/// What speaks against a short memory before anything was seen: most rates hold.
const BIAS: [f64; MEMORIES] = [-2.0, -1.0, -0.3, 0.0];
/// A memory whose weight is below this is not asked.
const WEIGHT_MIN: f64 = 1e-3;
/// Nodes whose estimate is made anew per probe, in turn: the population and the global score moved.
const REFRESHED_PER_PROBE: usize = 2;

/// An estimate that moved by less than this share of it is left where it is until the next probe.
const REFRESH_MIN: f64 = 0.02;

/// What the probes of one node said, four times. 48 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Recalled {
    items: f32,
    exposure: f32,
    score: f32,
}

/// The index policy with learned rates. O(log n) per probe.
#[derive(Debug, Clone)]
pub struct LearnedWhittle {
    budget: u32,
    tournament: Tournament,
    memories: Vec<[Recalled; MEMORIES]>,
    keeps: [f64; MEMORIES],
    global: [f64; MEMORIES],
    population: Population,
    refreshed: usize,
}

impl LearnedWhittle {
    /// Nothing known of `nodes` nodes; `budget` probes per chronon.
    #[must_use]
    pub fn new(nodes: usize, budget: u32) -> LearnedWhittle {
        LearnedWhittle {
            budget,
            tournament: Tournament::new(&vec![1.0; nodes], Growth::Quadratic),
            memories: vec![[Recalled::default(); MEMORIES]; nodes],
            keeps: HALF_LIVES.map(|h| libm::exp2(-1.0 / h)),
            global: [0.0; MEMORIES],
            population: Population::new(f64::from(budget) / nodes.max(1) as f64, nodes),
            refreshed: 0,
        }
    }

    /// The estimate of a node's rate, items per chronon.
    #[must_use]
    pub fn rate(&self, node: u32) -> f64 {
        let memories = &self.memories[node as usize];
        let weights = self.weights(memories);
        let (mut mean, mut total) = (0.0, 0.0);
        for (memory, weight) in memories.iter().zip(weights) {
            if weight > WEIGHT_MIN {
                let (items, exposure) = (f64::from(memory.items), f64::from(memory.exposure));
                mean += weight * self.population.mean(items, exposure);
                total += weight;
            }
        }
        mean / total
    }

    /// How much each memory counts; the largest counts 1.
    fn weights(&self, memories: &[Recalled; MEMORIES]) -> [f64; MEMORIES] {
        let log: [f64; MEMORIES] = std::array::from_fn(|j| {
            BIAS[j] + f64::from(memories[j].score) + GLOBAL_WEIGHT * self.global[j]
        });
        let top = log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        log.map(|log| libm::exp(log - top))
    }

    fn learn(&mut self, probe: Found) {
        let n = self.memories.len() as f64;
        let (found, gap) = (probe.items as f64, probe.gap as f64);
        let memories = &mut self.memories[probe.node as usize];
        for (j, memory) in memories.iter_mut().enumerate() {
            let (items, exposure) = (f64::from(memory.items), f64::from(memory.exposure));
            // The logarithm of the chance of what was found, up to what all memories share.
            let before = self.population.log_evidence(items, exposure);
            let after = self.population.log_evidence(items + found, exposure + gap);
            let likelihood = after - before;
            memory.score = (SCORE_KEEPS * f64::from(memory.score) + likelihood) as f32;
            self.global[j] += (likelihood - self.global[j]) / n;
            memory.items = (self.keeps[j] * items + found) as f32;
            memory.exposure = (self.keeps[j] * exposure + gap) as f32;
        }
        // Only differences matter: the best is 0.
        let top = memories.iter().map(|memory| memory.score).fold(f32::NEG_INFINITY, f32::max);
        memories.iter_mut().for_each(|memory| memory.score -= top);
        let top = self.global.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.global.iter_mut().for_each(|score| *score -= top);
    }

    fn refresh(&mut self, node: u32, now: u64) {
        let rate = self.rate(node);
        self.tournament.set_rate(node, rate, now);
    }

    /// The next nodes in turn tell the population what they are, and hear what it became.
    fn refresh_some(&mut self, now: u64) {
        for _ in 0..REFRESHED_PER_PROBE.min(self.memories.len()) {
            self.refreshed = (self.refreshed + 1) % self.memories.len();
            let memories = &self.memories[self.refreshed];
            if memories[MEMORIES - 1].exposure > 0.0 {
                let weights = self.weights(memories);
                let heaviest =
                    (0..MEMORIES).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).expect("four");
                let Recalled { items, exposure, .. } = memories[heaviest];
                self.population.learn(f64::from(items), f64::from(exposure));
            }
            let node = self.refreshed as u32;
            let (before, rate) = (self.tournament.rate(node), self.rate(node));
            if libm::fabs(rate - before) > REFRESH_MIN * before {
                self.tournament.set_rate(node, rate, now);
            }
        }
    }
}

impl ProbingPolicy for LearnedWhittle {
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
        self.refresh_some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::LearnedWhittle;
    use crate::probing::{Found, ProbingPolicy};
    use proptest::prelude::*;

    fn any_items() -> impl Strategy<Value = u64> {
        prop_oneof![0_u64..5, any::<u64>()]
    }

    proptest! {
        #[test]
        fn whatever_is_found_the_estimate_is_positive_and_finite(
            finds in prop::collection::vec(
                (0_u32..3, any_items(), prop_oneof![1_u64..50, 1_u64..1 << 52]),
                0..40,
            ),
        ) {
            let mut policy = LearnedWhittle::new(3, 1);
            let mut now = 0;
            for (node, items, gap) in finds {
                now += gap;
                policy.found(now, Found { node, gap, items });
                for node in 0..3 {
                    let rate = policy.rate(node);
                    prop_assert!(rate.is_finite() && rate > 0.0, "{rate}");
                }
            }
        }
    }

    #[test]
    fn a_steady_node_is_learned_to_a_tenth_in_fifty_probes_and_relearned_after_a_change() {
        let mut policy = LearnedWhittle::new(2, 1);
        let tell = |policy: &mut LearnedWhittle, from: u64, items: u64| {
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
