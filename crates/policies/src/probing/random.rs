//! Policies that draw their nodes by chance.

use super::{Found, ProbingPolicy};
use crate::Dice;

/// Draws each probe with p ∝ √π, with replacement: (Σ√π)² at one probe per chronon. O(1) per probe
/// (alias method of Walker and Vose).
#[derive(Debug, Clone)]
pub struct Memoryless {
    budget: u32,
    alias: Alias,
    dice: Dice,
}

impl Memoryless {
    /// For these rates; `dice` is its own stream of chance.
    #[must_use]
    pub fn new(rates: &[f64], budget: u32, dice: Dice) -> Memoryless {
        Memoryless { budget, alias: Alias::new(rates), dice }
    }
}

impl ProbingPolicy for Memoryless {
    fn choose(&mut self, _now: u64, picks: &mut Vec<u32>) {
        for _ in 0..self.budget {
            picks.extend(self.alias.draw(&mut self.dice));
        }
    }

    fn rates_changed(&mut self, _now: u64, rates: &[f64]) {
        self.alias = Alias::new(rates);
    }
}

/// The alias table of √rate.
#[derive(Debug, Clone)]
struct Alias {
    keep: Vec<f64>,
    other: Vec<u32>,
}

impl Alias {
    fn new(rates: &[f64]) -> Alias {
        let roots: Vec<f64> = rates.iter().map(|&rate| libm::sqrt(rate)).collect();
        let total: f64 = roots.iter().sum();
        if total <= 0.0 {
            return Alias { keep: Vec::new(), other: Vec::new() };
        }
        let n = rates.len();
        let mut keep: Vec<f64> = roots.iter().map(|root| root * n as f64 / total).collect();
        let mut other: Vec<u32> = (0..n as u32).collect();
        let (mut small, mut large): (Vec<u32>, Vec<u32>) =
            (0..n as u32).partition(|&i| keep[i as usize] < 1.0);
        while let (Some(&s), Some(&l)) = (small.last(), large.last()) {
            small.pop();
            other[s as usize] = l;
            keep[l as usize] -= 1.0 - keep[s as usize];
            if keep[l as usize] < 1.0 {
                large.pop();
                small.push(l);
            }
        }
        // What rounding left over is 1 up to rounding.
        for i in small.into_iter().chain(large) {
            keep[i as usize] = 1.0;
        }
        Alias { keep, other }
    }

    fn draw(&self, dice: &mut Dice) -> Option<u32> {
        if self.keep.is_empty() {
            return None;
        }
        let i = dice.below(self.keep.len() as u64) as usize;
        Some(if dice.unit() < self.keep[i] { i as u32 } else { self.other[i] })
    }
}

/// Algorithm 1 of the paper: starts with every rate at 1, draws p ∝ √(estimate), and after a probe
/// in chronon t sets the estimate to max(1, items so far)/t. O(log n) per probe.
#[derive(Debug, Clone)]
pub struct Adaptive {
    budget: u32,
    items: Vec<u64>,
    weights: Sums,
    dice: Dice,
}

impl Adaptive {
    /// Nothing known; `dice` is its own stream of chance.
    #[must_use]
    pub fn new(nodes: usize, budget: u32, dice: Dice) -> Adaptive {
        Adaptive { budget, items: vec![0; nodes], weights: Sums::ones(nodes), dice }
    }
}

impl ProbingPolicy for Adaptive {
    fn choose(&mut self, _now: u64, picks: &mut Vec<u32>) {
        for _ in 0..self.budget {
            let at = self.dice.unit() * self.weights.total();
            picks.push(self.weights.find(at));
        }
    }

    fn found(&mut self, now: u64, probe: Found) {
        let items = &mut self.items[probe.node as usize];
        *items += probe.items;
        let estimate = (*items).max(1) as f64 / now.max(1) as f64;
        self.weights.set(probe.node, libm::sqrt(estimate));
    }
}

/// Weights with their sums in a binary tree: no rounding gathers, as every sum is made anew.
#[derive(Debug, Clone)]
struct Sums {
    places: usize,
    sums: Vec<f64>,
}

impl Sums {
    fn ones(n: usize) -> Sums {
        let places = n.next_power_of_two().max(2);
        let mut sums = vec![0.0; 2 * places];
        sums[places..places + n].fill(1.0);
        for place in (1..places).rev() {
            sums[place] = sums[2 * place] + sums[2 * place + 1];
        }
        Sums { places, sums }
    }

    fn total(&self) -> f64 {
        self.sums[1]
    }

    fn set(&mut self, node: u32, weight: f64) {
        let mut place = self.places + node as usize;
        self.sums[place] = weight;
        while place > 1 {
            place /= 2;
            self.sums[place] = self.sums[2 * place] + self.sums[2 * place + 1];
        }
    }

    /// The node under `at`, 0 ≤ `at` < total.
    fn find(&self, mut at: f64) -> u32 {
        let mut place = 1;
        while place < self.places {
            place *= 2;
            let right_empty = self.sums[place + 1] <= 0.0;
            if at >= self.sums[place] && !right_empty {
                at -= self.sums[place];
                place += 1;
            }
        }
        (place - self.places) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Alias, Sums};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_alias_table_gives_each_node_its_share(
            rates in prop::collection::vec(prop_oneof![Just(0.0), 1e-3_f64..1.0], 1..30),
        ) {
            let alias = Alias::new(&rates);
            let total: f64 = rates.iter().map(|&rate| libm::sqrt(rate)).sum();
            prop_assert_eq!(alias.keep.is_empty(), total <= 0.0);
            let mut share = vec![0.0; rates.len()];
            for (i, (&keep, &other)) in alias.keep.iter().zip(&alias.other).enumerate() {
                share[i] += keep / rates.len() as f64;
                share[other as usize] += (1.0 - keep) / rates.len() as f64;
            }
            for (share, &rate) in share.iter().zip(&rates).filter(|_| total > 0.0) {
                prop_assert!((share - libm::sqrt(rate) / total).abs() < 1e-9);
            }
        }

        #[test]
        fn the_tree_of_sums_finds_what_adding_up_finds(
            weights in prop::collection::vec(0.01_f64..1.0, 1..20), at in 0.0_f64..1.0,
        ) {
            let mut sums = Sums::ones(weights.len());
            for (node, &weight) in weights.iter().enumerate() {
                sums.set(node as u32, weight);
            }
            let total: f64 = weights.iter().sum();
            prop_assert!((sums.total() - total).abs() < 1e-12 * total);
            let (mut left, mut node) = (at * sums.total(), 0);
            while node + 1 < weights.len() && left >= weights[node] {
                left -= weights[node];
                node += 1;
            }
            let edge = left < 1e-9 || (weights[node] - left).abs() < 1e-9;
            prop_assert!(edge || sums.find(at * sums.total()) == node as u32);
        }
    }
}
