//! Who is largest now, of many values that grow with time: a kinetic tournament.
//!
//! A binary tree over the nodes; each inner place holds the better of its two sides and until when
//! that holds without looking. To ask for the best costs O(1) while nothing expires; a probe costs
//! O(log n) and what expires O(log n) each. The slow twin looks at every node.

/// How a node's value grows τ chronons after its last probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// π·τ: the items expected.
    Linear,
    /// π·τ(τ+1): the Whittle index.
    Quadratic,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    rate: f64,
    last: u64,
}

/// The nodes 0 … n−1 by value. 44 bytes a node.
#[derive(Debug, Clone)]
pub struct Tournament {
    growth: Growth,
    /// Chronons before chronon 0 that a node may have been probed; inside, time is counted from
    /// there.
    before: u64,
    nodes: Vec<Node>,
    /// Leaves from `places` on; `places` is a power of two; place 1 is the root.
    places: usize,
    winner: Vec<u32>,
    /// The first chronon in which somebody below here may overtake.
    expiry: Vec<u64>,
}

/// No node: the side of a tree that is not full.
const NOBODY: u32 = u32::MAX;
const NEVER: u64 = u64::MAX;

impl Tournament {
    /// All nodes, last probed in chronon 0. O(n).
    #[must_use]
    pub fn new(rates: &[f64], growth: Growth) -> Tournament {
        Tournament::aged(rates, growth, &vec![0; rates.len()])
    }

    /// All nodes, each as if last probed so many chronons before chronon 0. O(n).
    #[must_use]
    pub fn aged(rates: &[f64], growth: Growth, ages: &[u64]) -> Tournament {
        let before = ages.iter().copied().max().unwrap_or(0);
        let places = rates.len().next_power_of_two().max(2);
        let node = |(&rate, &age): (&f64, &u64)| Node { rate, last: before - age };
        let mut tournament = Tournament {
            growth,
            before,
            nodes: rates.iter().zip(ages).map(node).collect(),
            places,
            winner: vec![NOBODY; 2 * places],
            expiry: vec![NEVER; 2 * places],
        };
        for node in 0..rates.len() {
            tournament.winner[places + node] = node as u32;
        }
        for place in (1..places).rev() {
            tournament.play(place, before);
        }
        tournament
    }

    /// The value of a node in chronon `now`, which must not lie before its last probe.
    #[must_use]
    pub fn value(&self, node: u32, now: u64) -> f64 {
        self.value_at(node, self.before + now)
    }

    fn value_at(&self, node: u32, now: u64) -> f64 {
        let Node { rate, last } = self.nodes[node as usize];
        let gap = (now - last) as f64;
        match self.growth {
            Growth::Linear => rate * gap,
            Growth::Quadratic => rate * gap * (gap + 1.0),
        }
    }

    /// The node of the largest value in chronon `now`, the lower number on a tie; `None` if all
    /// values are 0. `now` must never go back.
    pub fn best(&mut self, now: u64) -> Option<u32> {
        let now = self.before + now;
        self.refresh(1, now);
        let node = self.winner[1];
        (node != NOBODY && self.value_at(node, now) > 0.0).then_some(node)
    }

    /// The node is probed in chronon `now`.
    pub fn probe(&mut self, node: u32, now: u64) {
        let now = self.before + now;
        self.nodes[node as usize].last = now;
        self.climb(node, now);
    }

    /// The node's rate is another from now on, and counts as if it had been since its last probe.
    pub fn set_rate(&mut self, node: u32, rate: f64, now: u64) {
        self.nodes[node as usize].rate = rate;
        self.climb(node, self.before + now);
    }

    fn climb(&mut self, node: u32, now: u64) {
        let mut place = (self.places + node as usize) / 2;
        while place > 0 {
            self.play(place, now);
            place /= 2;
        }
    }

    fn refresh(&mut self, place: usize, now: u64) {
        if self.expiry[place] > now {
            return;
        }
        if 2 * place < self.places {
            self.refresh(2 * place, now);
            self.refresh(2 * place + 1, now);
        }
        self.play(place, now);
    }

    /// Decides one place from its two sides.
    fn play(&mut self, place: usize, now: u64) {
        let (left, right) = (2 * place, 2 * place + 1);
        let below = self.expiry[left].min(self.expiry[right]);
        let (a, b) = (self.winner[left], self.winner[right]);
        if b == NOBODY {
            self.winner[place] = a;
            self.expiry[place] = below;
            return;
        }
        let (winner, loser) =
            if self.value_at(b, now) > self.value_at(a, now) { (b, a) } else { (a, b) };
        self.winner[place] = winner;
        self.expiry[place] = below.min(self.overtakes(winner, loser, now));
    }

    /// A chronon after `now`, at or before the first in which `loser` is ahead of `winner`.
    fn overtakes(&self, winner: u32, loser: u32, now: u64) -> u64 {
        let (w, l) = (self.nodes[winner as usize], self.nodes[loser as usize]);
        let behind = self.value_at(winner, now) - self.value_at(loser, now);
        let (gap_w, gap_l) = ((now - w.last) as f64, (now - l.last) as f64);
        // loser − winner, u chronons on: a·u² + b·u − behind.
        let (a, b) = match self.growth {
            Growth::Linear => (0.0, l.rate - w.rate),
            Growth::Quadratic => {
                (l.rate - w.rate, l.rate * (2.0 * gap_l + 1.0) - w.rate * (2.0 * gap_w + 1.0))
            }
        };
        let discriminant = b * b + 4.0 * a * behind;
        if discriminant < 0.0 || (a <= 0.0 && b <= 0.0) {
            return NEVER;
        }
        let root = libm::sqrt(discriminant);
        let wait = if b > 0.0 { 2.0 * behind / (b + root) } else { (root - b) / (2.0 * a) };
        // A little early is only looked at again.
        let wait = libm::floor(wait * (1.0 - 1e-9)).max(1.0);
        if wait < 9e15 { now + wait as u64 } else { NEVER }
    }
}

#[cfg(test)]
mod tests {
    use super::{Growth, Tournament};
    use proptest::prelude::*;

    /// The slow twin: look at everyone.
    fn best_slow(tournament: &Tournament, n: u32, now: u64) -> Option<u32> {
        let mut best = None;
        for node in 0..n {
            let value = tournament.value(node, now);
            if value > best.map_or(0.0, |b| tournament.value(b, now)) {
                best = Some(node);
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_tournament_and_a_look_at_everyone_choose_values_that_are_equal(
            rates in prop::collection::vec(prop_oneof![Just(0.0), 1e-6_f64..1.0, Just(0.5)], 1..40),
            quadratic in any::<bool>(),
            news in prop::collection::vec((0_usize..40, 0.0_f64..1.0), 0..60),
            ages in prop::collection::vec(0_u64..300, 40),
        ) {
            let growth = if quadratic { Growth::Quadratic } else { Growth::Linear };
            let mut tournament = Tournament::aged(&rates, growth, &ages[..rates.len()]);
            for now in 0..400_u64 {
                if let Some(&(node, rate)) = news.get(now as usize) {
                    tournament.set_rate((node % rates.len()) as u32, rate, now);
                }
                for _ in 0..=(now % 2) {
                    let slow = best_slow(&tournament, rates.len() as u32, now);
                    let fast = tournament.best(now);
                    let value = |node: Option<u32>| node.map_or(0.0, |n| tournament.value(n, now));
                    prop_assert!((value(fast) - value(slow)).abs() <= 1e-9 * value(slow));
                    let Some(node) = fast else { continue };
                    if now % 7 != 3 {
                        tournament.probe(node, now);
                    }
                }
            }
        }
    }
}
