//! A policy in a trial whose rates move, window by window.

use policies::Dice;
use policies::probing::{Found, ProbingPolicy, bounds};

/// Rates that hold from a chronon on.
#[derive(Debug, Clone)]
pub struct Stretch {
    pub start: u64,
    /// Items per chronon.
    pub rates: Vec<f64>,
}

/// A trial of stretches, the first from chronon 0 on, in order.
#[derive(Debug, Clone)]
pub struct Moving {
    pub stretches: Vec<Stretch>,
    pub budget: u32,
    pub seed: u64,
}

/// What a node has, as of `at`.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    last: u64,
    at: u64,
    /// Undiscovered items, expected and drawn.
    expected: f64,
    drawn: u64,
}

/// The cost and the bound of one window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Mean undiscovered items, expected given the schedule.
    pub cost: f64,
    /// The mean of the tightest bounds of the rates as they were.
    pub bound: f64,
}

impl Moving {
    /// Runs a policy, which is told what it finds but not the rates, and measures each window
    /// [from, to) of chronons; windows are in order and do not overlap. O(n) per stretch, and per
    /// probe what the policy costs.
    #[must_use]
    pub fn run(&self, policy: &mut dyn ProbingPolicy, windows: &[(u64, u64)]) -> Vec<Measured> {
        let mut dice = Dice::new(self.seed ^ 0x6d6f_7669_6e67);
        let mut nodes = vec![Node::default(); self.stretches[0].rates.len()];
        let (mut undiscovered, mut stretch, mut picks) = (0.0, 0, Vec::new());
        let mut inflow: f64 = self.stretches[0].rates.iter().sum();
        let mut measured = Vec::new();
        let mut now = 0;
        for &(from, to) in windows {
            let mut sums = (0.0, 0.0);
            let mut bound = None;
            while now < to {
                if self.stretches.get(stretch + 1).is_some_and(|next| next.start == now) {
                    let rates = &self.stretches[stretch].rates;
                    for (node, &rate) in nodes.iter_mut().zip(rates) {
                        node.advance(now, rate, &mut dice);
                    }
                    stretch += 1;
                    // Summed anew, so that no rounding gathers.
                    undiscovered = nodes.iter().map(|node| node.expected).sum();
                    inflow = self.stretches[stretch].rates.iter().sum();
                    bound = None;
                }
                let rates = &self.stretches[stretch].rates;
                if now >= from {
                    let tightest = || bounds::tightest(rates, f64::from(self.budget));
                    sums.0 += undiscovered;
                    sums.1 += *bound.get_or_insert_with(tightest);
                }
                picks.clear();
                policy.choose(now, &mut picks);
                for &picked in &picks {
                    let node = &mut nodes[picked as usize];
                    node.advance(now, rates[picked as usize], &mut dice);
                    undiscovered -= node.expected;
                    let gap = now - node.last;
                    let items = std::mem::take(&mut node.drawn);
                    (node.last, node.expected) = (now, 0.0);
                    if gap > 0 {
                        policy.found(now, Found { node: picked, gap, items });
                    }
                }
                undiscovered += inflow;
                now += 1;
            }
            let chronons = (to - from) as f64;
            measured.push(Measured { cost: sums.0 / chronons, bound: sums.1 / chronons });
        }
        measured
    }
}

impl Node {
    /// Items that came before `now` at this rate.
    fn advance(&mut self, now: u64, rate: f64, dice: &mut Dice) {
        let mean = rate * (now - self.at) as f64;
        self.expected += mean;
        self.drawn += dice.poisson(mean);
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::{Moving, Stretch};
    use crate::probing::{Process, Trial, simulate};
    use policies::Dice;
    use policies::probing::ProbingName;

    #[test]
    fn it_agrees_with_the_ledger_where_rates_do_not_move_and_where_they_do_once() {
        let mut dice = Dice::new(3);
        let rates: Vec<f64> = (0..30).map(|_| dice.unit()).collect();
        let after: Vec<f64> = rates.iter().rev().copied().collect();
        let moving = Moving {
            stretches: vec![
                Stretch { start: 0, rates: rates.clone() },
                Stretch { start: 500, rates: after.clone() },
            ],
            budget: 2,
            seed: 1,
        };
        let mut policy = ProbingName::RoundRobin.start(&rates, 2, 1);
        let windows = moving.run(policy.as_mut(), &[(100, 500), (500, 1_000)]);
        let trial = Trial {
            rates,
            after: Some((500, after)),
            budget: 2,
            chronons: 1_000,
            warm_up: 100,
            process: Process::Poisson,
            seed: 1,
        };
        let ledger = simulate(ProbingName::RoundRobin, &trial);
        let close = |a: f64, b: Option<f64>| (a / b.unwrap() - 1.0).abs() < 1e-9;
        assert!(close(windows[0].cost, ledger.cost_before()));
        assert!(close(windows[1].cost, ledger.cost_after()));
    }
}
