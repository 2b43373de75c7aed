//! Greedy policies: the nodes of the largest value, again and again.

use super::{Growth, ProbingPolicy, Tournament, phases};

/// Probes the nodes with the largest value now. Linear growth is `max-gain` (the largest expected
/// find), quadratic growth is `whittle`: π·τ(τ+1), the Whittle index of the problem. O(log n) per
/// probe.
#[derive(Debug, Clone)]
pub struct Greedy {
    budget: u32,
    tournament: Tournament,
}

impl Greedy {
    /// `max-gain` starts with all nodes just probed; `whittle` with each somewhere in its ideal
    /// cycle (see `phases`), so that it is in its steady state from the beginning.
    #[must_use]
    pub fn new(rates: &[f64], budget: u32, growth: Growth) -> Greedy {
        let tournament = match growth {
            Growth::Linear => Tournament::new(rates, growth),
            Growth::Quadratic => Tournament::aged(rates, growth, &phases::ages(rates, budget)),
        };
        Greedy { budget, tournament }
    }
}

impl ProbingPolicy for Greedy {
    fn choose(&mut self, now: u64, picks: &mut Vec<u32>) {
        for _ in 0..self.budget {
            let Some(node) = self.tournament.best(now) else { return };
            self.tournament.probe(node, now);
            picks.push(node);
        }
    }

    fn rates_changed(&mut self, now: u64, rates: &[f64]) {
        for (node, &rate) in rates.iter().enumerate() {
            self.tournament.set_rate(node as u32, rate, now);
        }
    }
}
