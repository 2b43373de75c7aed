//! Perfectly periodic policies: each node at an exact period in probes or chronons.

use super::ProbingPolicy;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Periods are at most 2 to this power.
const EXPONENT_MAX: u32 = 62;

/// `budget` nodes after `budget` nodes.
#[derive(Debug, Clone)]
pub struct RoundRobin {
    nodes: u32,
    budget: u32,
    next: u32,
}

impl RoundRobin {
    /// From node 0 on.
    #[must_use]
    pub fn new(nodes: usize, budget: u32) -> RoundRobin {
        RoundRobin { nodes: nodes as u32, budget, next: 0 }
    }
}

impl ProbingPolicy for RoundRobin {
    fn choose(&mut self, _now: u64, picks: &mut Vec<u32>) {
        for _ in 0..self.budget.min(self.nodes) {
            picks.push(self.next);
            self.next = (self.next + 1) % self.nodes;
        }
    }
}

/// Nodes with periods that are powers of two, counted in slots, several to a chronon.
#[derive(Debug, Clone)]
pub struct Periodic {
    plan: Periods,
    budget: u32,
    /// Slots per chronon that share one count: `budget` for `cyclic`, 1 for `price-dyadic`, where
    /// every chronon is one slot with `budget` channels.
    grouped: u32,
    periods: Vec<Option<u64>>,
    due: BinaryHeap<Reverse<(u64, u32)>>,
}

type Periods = fn(&[f64], u32) -> Vec<Option<u32>>;

impl Periodic {
    /// `cyclic` of the paper: period Σ√π/√π_i rounded up to a power of two, `budget` consecutive
    /// probes grouped into a chronon.
    #[must_use]
    pub fn cyclic(rates: &[f64], budget: u32) -> Periodic {
        Periodic::new(|rates, _| cyclic_periods(rates), rates, budget, budget)
    }

    /// `price-dyadic`: the powers of two that minimise πT/2 + ν/T at the price that fills the
    /// budget.
    #[must_use]
    pub fn price_dyadic(rates: &[f64], budget: u32) -> Periodic {
        Periodic::new(dyadic_periods, rates, budget, 1)
    }

    fn new(plan: Periods, rates: &[f64], budget: u32, grouped: u32) -> Periodic {
        let mut policy =
            Periodic { plan, budget, grouped, periods: Vec::new(), due: BinaryHeap::new() };
        policy.lay_out(0, rates);
        policy
    }

    fn lay_out(&mut self, now: u64, rates: &[f64]) {
        let exponents = (self.plan)(rates, self.budget);
        let slot = now * u64::from(self.grouped);
        self.due.clear();
        for (node, offset) in offsets(&exponents) {
            self.due.push(Reverse((slot + offset, node)));
        }
        self.periods = exponents.iter().map(|e| e.map(|e| 1 << e)).collect();
    }
}

impl ProbingPolicy for Periodic {
    fn choose(&mut self, now: u64, picks: &mut Vec<u32>) {
        let end = (now + 1) * u64::from(self.grouped);
        while let Some(&Reverse((slot, node))) = self.due.peek() {
            if slot >= end {
                return;
            }
            self.due.pop();
            picks.push(node);
            let period = self.periods[node as usize].expect("only nodes with a period are due");
            self.due.push(Reverse((slot.saturating_add(period), node)));
        }
    }

    fn rates_changed(&mut self, now: u64, rates: &[f64]) {
        self.lay_out(now, rates);
    }
}

/// r for each node, 2^r being Σ√π/√π_i rounded up to a power of two; `None` for rate 0. Σ 2^−r ≤ 1.
#[must_use]
pub fn cyclic_periods(rates: &[f64]) -> Vec<Option<u32>> {
    let roots: f64 = rates.iter().map(|&rate| libm::sqrt(rate)).sum();
    let exponents = |slack: f64| -> Vec<Option<u32>> {
        let one = |&rate: &f64| {
            let wanted = libm::ceil((libm::log2(roots / libm::sqrt(rate)) - slack).max(0.0));
            // Longer than any experiment: never.
            (rate > 0.0 && wanted <= f64::from(EXPONENT_MAX)).then_some(wanted as u32)
        };
        rates.iter().map(one).collect()
    };
    // A thousand equal nodes add up to a hair more than a thousand roots: that must not double
    // their period.
    let near = exponents(1e-9);
    if load(&near) <= 1 << EXPONENT_MAX { near } else { exponents(0.0) }
}

/// Probes per 2^62 slots.
fn load(exponents: &[Option<u32>]) -> u128 {
    exponents.iter().flatten().map(|&e| 1_u128 << (EXPONENT_MAX - e)).sum()
}

/// k for each node, the period 2^k minimising πT/2 + ν/T at the critical ν. Items tied there are
/// switched one at a time, then the largest πT² that fits is doubled in frequency, until nothing
/// fits. `None` for rate 0. Σ 2^−k ≤ `budget`. O(n log n).
#[must_use]
pub fn dyadic_periods(rates: &[f64], budget: u32) -> Vec<Option<u32>> {
    let capacity = u128::from(budget) << EXPONENT_MAX;
    // The best exponent at price ν is the least k with πT² ≥ ν, T = 2^k. Start at ν = ∞ and let it
    // fall: the node that halves its period next is the one with the largest π(T/2)². The first
    // that does not fit is where the budget is met; later ones may still fit.
    let largest = rates.iter().copied().fold(0.0, f64::max);
    let mut exponents: Vec<Option<u32>> =
        rates.iter().map(|&rate| slow_start(rate, largest, rates.len())).collect();
    let mut used = load(&exponents);
    let gain = |rate: f64, k: u32| {
        let half = libm::scalbn(1.0, k as i32 - 1);
        rate * half * half
    };
    let mut heap: BinaryHeap<(Ordered, Reverse<u32>)> = BinaryHeap::new();
    for (node, k) in exponents.iter().enumerate() {
        if let Some(k) = k.filter(|&k| k > 0) {
            heap.push((Ordered(gain(rates[node], k)), Reverse(node as u32)));
        }
    }
    while let Some((_, Reverse(node))) = heap.pop() {
        let Some(k) = exponents[node as usize] else { continue };
        let more = 1_u128 << (EXPONENT_MAX - k);
        if used + more > capacity {
            continue;
        }
        used += more;
        exponents[node as usize] = Some(k - 1);
        if k > 1 {
            heap.push((Ordered(gain(rates[node as usize], k - 1)), Reverse(node)));
        }
    }
    exponents
}

/// A period so long that the budget cannot be exceeded, from which all are shortened: at the price
/// where the fastest node alone would take a whole number of slots above n.
fn slow_start(rate: f64, largest: f64, nodes: usize) -> Option<u32> {
    if rate <= 0.0 {
        return None;
    }
    let wanted = libm::log2(2.0 * nodes as f64 * libm::sqrt(largest / rate));
    Some(libm::ceil(wanted).clamp(0.0, f64::from(EXPONENT_MAX)) as u32)
}

/// f64 in its total order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The first slot of each node, so that no slot is used twice (per channel): shortest periods
/// first, each at the bit reversal of the share of the slots used before it (Lemma 2: the tree of
/// residues is filled from the left). Whole shares are channels.
fn offsets(exponents: &[Option<u32>]) -> Vec<(u32, u64)> {
    let mut order: Vec<(u32, u32)> =
        exponents.iter().enumerate().filter_map(|(i, e)| e.map(|e| (e, i as u32))).collect();
    order.sort_unstable();
    let mut used = 0_u128;
    let place = |(exponent, node): (u32, u32)| {
        let share = (used & ((1 << EXPONENT_MAX) - 1)) as u64;
        used += 1_u128 << (EXPONENT_MAX - exponent);
        // The top `exponent` bits of the share, reversed.
        (node, (share << (64 - EXPONENT_MAX)).reverse_bits())
    };
    order.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::{Periodic, cyclic_periods, dyadic_periods};
    use crate::probing::ProbingPolicy;
    use proptest::prelude::*;

    /// The probes of each node, by slot, at one slot per chronon.
    fn probes(policy: &mut dyn ProbingPolicy, nodes: usize, chronons: u64) -> Vec<Vec<u64>> {
        let mut probes = vec![Vec::new(); nodes];
        let mut picks = Vec::new();
        for now in 0..chronons {
            picks.clear();
            policy.choose(now, &mut picks);
            assert!(picks.len() <= 1, "two probes in one slot");
            for &node in &picks {
                probes[node as usize].push(now);
            }
        }
        probes
    }

    proptest! {
        /// Claim M3.
        #[test]
        fn a_cyclic_schedule_probes_node_i_exactly_every_2_to_the_r_i(
            rates in prop::collection::vec(0.01_f64..1.0, 1..20),
        ) {
            let exponents = cyclic_periods(&rates);
            let probes = probes(&mut Periodic::cyclic(&rates, 1), rates.len(), 4096);
            for (node, times) in probes.iter().enumerate() {
                let period = 1 << exponents[node].unwrap();
                prop_assert!(times[0] < period);
                prop_assert!(times.windows(2).all(|pair| pair[1] - pair[0] == period));
            }
        }

        #[test]
        fn dyadic_periods_fit_the_budget_and_none_can_be_halved(
            rates in prop::collection::vec(0.001_f64..1.0, 1..40),
            budget in 1_u32..4,
        ) {
            let periods = dyadic_periods(&rates, budget);
            let load: f64 = periods.iter().flatten().map(|&k| libm::scalbn(1.0, -(k as i32))).sum();
            prop_assert!(load <= f64::from(budget) + 1e-12);
            for &k in periods.iter().flatten().filter(|&&k| k > 0) {
                prop_assert!(load + libm::scalbn(1.0, -(k as i32)) > f64::from(budget) - 1e-12);
            }
            let mut policy = Periodic::price_dyadic(&rates, budget);
            let mut picks = Vec::new();
            for now in 0..2000 {
                picks.clear();
                policy.choose(now, &mut picks);
                prop_assert!(picks.len() <= budget as usize);
            }
        }
    }

    #[test]
    fn equal_rates_in_a_power_of_two_fill_every_slot() {
        for n in [4_usize, 64, 1024] {
            assert!(cyclic_periods(&vec![0.1; n]).iter().all(|r| *r == Some(n.trailing_zeros())));
            assert!(
                dyadic_periods(&vec![0.1; n], 2)
                    .iter()
                    .all(|r| { *r == Some(n.trailing_zeros() - 1) })
            );
        }
    }
}
