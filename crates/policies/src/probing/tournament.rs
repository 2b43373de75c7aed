//! Who is largest now, of many values that grow with time: a kinetic tournament.
//!
//! A binary tree over blocks of sixteen nodes; each place holds the best node below it and until
//! when that holds without looking. To ask for the best costs O(1) while nothing expires; a probe
//! costs O(log n) and what expires O(log n) each; a climb ends where nothing changes. Two sides of
//! a place lie in one cache line. The slow twin looks at every node.

/// How a node's value grows τ chronons after its last probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// π·τ: the items expected.
    Linear,
    /// π·τ(τ+1): the Whittle index.
    Quadratic,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    rate: f64,
    last: u64,
}

/// The best node of a part of the tree. 32 bytes, two to a cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Best {
    number: u32,
    node: Node,
    /// The first chronon in which somebody below here may overtake.
    expiry: u64,
}

/// The nodes 0 … n−1 by value. 20 to 24 bytes a node.
#[derive(Debug, Clone)]
pub struct Tournament {
    growth: Growth,
    /// Chronons before chronon 0 that a node may have been probed; inside, time is counted from
    /// there.
    before: u64,
    nodes: Vec<Node>,
    /// Blocks from `places` on; `places` is a power of two; place 1 is the root.
    places: usize,
    best: Vec<Best>,
}

/// Nodes that are looked at one by one.
const BLOCK: usize = 16;
/// No node: the side of a tree that is not full.
const NOBODY: u32 = u32::MAX;
const NEVER: u64 = u64::MAX;
const EMPTY: Best = Best { number: NOBODY, node: Node { rate: 0.0, last: 0 }, expiry: NEVER };

impl Tournament {
    /// All nodes, last probed in chronon 0. O(n).
    #[must_use]
    pub fn new(rates: &[f64], growth: Growth) -> Tournament {
        Tournament::aged(rates, growth, &vec![0; rates.len()])
    }

    /// All nodes, each as if last probed the given number of chronons before chronon 0. O(n).
    #[must_use]
    pub fn aged(rates: &[f64], growth: Growth, ages: &[u64]) -> Tournament {
        let before = ages.iter().copied().max().unwrap_or(0);
        let blocks = rates.len().div_ceil(BLOCK);
        let places = blocks.next_power_of_two().max(2);
        let node = |(&rate, &age): (&f64, &u64)| Node { rate, last: before - age };
        let mut tournament = Tournament {
            growth,
            before,
            nodes: rates.iter().zip(ages).map(node).collect(),
            places,
            best: vec![EMPTY; 2 * places],
        };
        for block in 0..blocks {
            tournament.best[places + block] = tournament.best_of_block(block, before);
        }
        for place in (1..places).rev() {
            tournament.best[place] = tournament.better_side(place, before);
        }
        tournament
    }

    /// The value of a node in chronon `now`, which must not lie before its last probe.
    #[must_use]
    pub fn value(&self, node: u32, now: u64) -> f64 {
        self.value_of(self.nodes[node as usize], self.before + now)
    }

    /// The rate of a node.
    #[must_use]
    pub fn rate(&self, node: u32) -> f64 {
        self.nodes[node as usize].rate
    }

    fn value_of(&self, Node { rate, last }: Node, now: u64) -> f64 {
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
        let Best { number, node, .. } = self.best[1];
        (number != NOBODY && self.value_of(node, now) > 0.0).then_some(number)
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
        let block = node as usize / BLOCK;
        let mut best = self.best_of_block(block, now);
        let mut place = self.places + block;
        while place > 0 && self.best[place] != best {
            self.best[place] = best;
            place /= 2;
            if place > 0 {
                best = self.better_side(place, now);
            }
        }
    }

    fn refresh(&mut self, place: usize, now: u64) {
        if self.best[place].expiry > now {
            return;
        }
        self.best[place] = if place >= self.places {
            self.best_of_block(place - self.places, now)
        } else {
            self.refresh(2 * place, now);
            self.refresh(2 * place + 1, now);
            self.better_side(place, now)
        };
    }

    /// The best of a block's nodes, one by one.
    fn best_of_block(&self, block: usize, now: u64) -> Best {
        let first = block * BLOCK;
        let nodes = &self.nodes[first..(first + BLOCK).min(self.nodes.len())];
        let (mut winner, mut top) = (0, f64::NEG_INFINITY);
        for (i, &node) in nodes.iter().enumerate() {
            let value = self.value_of(node, now);
            if value > top {
                (winner, top) = (i, value);
            }
        }
        let others = nodes.iter().enumerate().filter(|&(i, _)| i != winner);
        let expiries = others.map(|(_, &other)| self.overtakes(nodes[winner], other, now));
        let expiry = expiries.min().unwrap_or(NEVER);
        Best { number: (first + winner) as u32, node: nodes[winner], expiry }
    }

    /// Decides one place from its two sides.
    fn better_side(&self, place: usize, now: u64) -> Best {
        let (a, b) = (self.best[2 * place], self.best[2 * place + 1]);
        let below = a.expiry.min(b.expiry);
        if b.number == NOBODY {
            return Best { expiry: below, ..a };
        }
        let b_leads = self.value_of(b.node, now) > self.value_of(a.node, now);
        let (winner, loser) = if b_leads { (b, a) } else { (a, b) };
        Best { expiry: below.min(self.overtakes(winner.node, loser.node, now)), ..winner }
    }

    /// A chronon after `now`, at or before the first in which `loser` is ahead of `winner`.
    fn overtakes(&self, winner: Node, loser: Node, now: u64) -> u64 {
        let (w, l) = (winner, loser);
        let behind = self.value_of(winner, now) - self.value_of(loser, now);
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
            rates in prop::collection::vec(
                prop_oneof![Just(0.0), 1e-6_f64..1.0, Just(0.5)],
                1..120,
            ),
            quadratic in any::<bool>(),
            news in prop::collection::vec((0_usize..120, 0.0_f64..1.0), 0..60),
            ages in prop::collection::vec(0_u64..300, 120),
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
