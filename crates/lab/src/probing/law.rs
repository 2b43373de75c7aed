//! What the index could reach if it knew the law: a learner that is told how the rates are spread
//! and when they are dealt anew, and has to find out only whose is which.

use policies::probing::{Found, Growth, ProbingPolicy, Tournament};

/// The index with the mean of the exact posterior over the true rates as its prior. O(n) per
/// probe, and 16 bytes a node and a rate.
#[derive(Debug, Clone)]
pub struct Law {
    budget: u32,
    /// Rates and their logarithms.
    rates: Vec<(f64, f64)>,
    tournament: Tournament,
    /// Items and chronons watched of each node, since the rates were dealt.
    seen: Vec<(u64, u64)>,
    /// The chronons in which the rates are dealt anew, the next one last.
    deals: Vec<u64>,
}

impl Law {
    /// The rates are those of the nodes in an order nobody told, and in another one from each of
    /// the chronons `deals` on.
    #[must_use]
    pub fn new(rates: &[f64], budget: u32, deals: &[u64]) -> Law {
        let mut deals = deals.to_vec();
        deals.sort_unstable_by(|a, b| b.cmp(a));
        let sound = rates.iter().filter(|rate| **rate > 0.0);
        let mut law = Law {
            budget,
            rates: sound.map(|&rate| (rate, rate.ln())).collect(),
            tournament: Tournament::new(&vec![0.0; rates.len()], Growth::Quadratic),
            seen: Vec::new(),
            deals,
        };
        law.deal(rates.len(), 0);
        law
    }

    fn deal(&mut self, nodes: usize, now: u64) {
        self.seen = vec![(0, 0); nodes];
        let rate = self.mean(0, 0);
        for node in 0..nodes as u32 {
            self.tournament.set_rate(node, rate, now);
        }
    }

    /// The mean rate of a node of which `items` came in `chronons`.
    fn mean(&self, items: u64, chronons: u64) -> f64 {
        let (items, chronons) = (items as f64, chronons as f64);
        let log = |&(rate, log): &(f64, f64)| items * log - rate * chronons;
        let top = self.rates.iter().map(log).fold(f64::NEG_INFINITY, f64::max);
        let (mut sum, mut first) = (0.0, 0.0);
        for rate in &self.rates {
            let weight = (log(rate) - top).exp();
            sum += weight;
            first += weight * rate.0;
        }
        first / sum
    }
}

impl ProbingPolicy for Law {
    fn choose(&mut self, now: u64, picks: &mut Vec<u32>) {
        if self.deals.pop_if(|next| *next <= now).is_some() {
            self.deal(self.seen.len(), now);
        }
        for _ in 0..self.budget {
            let Some(node) = self.tournament.best(now) else { return };
            self.tournament.probe(node, now);
            picks.push(node);
        }
    }

    fn found(&mut self, now: u64, probe: Found) {
        let seen = &mut self.seen[probe.node as usize];
        *seen = (seen.0 + probe.items, seen.1 + probe.gap);
        let seen = *seen;
        let rate = self.mean(seen.0, seen.1);
        self.tournament.set_rate(probe.node, rate, now);
    }
}

#[cfg(test)]
mod tests {
    use super::Law;
    use policies::probing::{Found, ProbingPolicy};

    #[test]
    fn the_mean_is_bayes_rule_and_a_new_deal_is_a_new_beginning() {
        let mut law = Law::new(&[0.01, 0.01, 0.09, 0.0], 1, &[1_000]);
        assert!((law.mean(0, 0) - 0.11 / 3.0).abs() < 1e-12);
        // One item in 10 chronons: chances 2·.01·e^−.1 and .09·e^−.9.
        let (slow, fast) = (0.02 * (-0.1_f64).exp(), 0.09 * (-0.9_f64).exp());
        let mean = (0.01 * slow + 0.09 * fast) / (slow + fast);
        law.found(10, Found { node: 0, gap: 10, items: 1 });
        assert!((law.tournament.rate(0) - mean).abs() < 1e-12);
        let mut picks = Vec::new();
        law.choose(999, &mut picks);
        assert!(law.tournament.rate(0) > 0.04);
        law.choose(1_000, &mut picks);
        assert!((law.tournament.rate(0) - 0.11 / 3.0).abs() < 1e-12);
    }
}
