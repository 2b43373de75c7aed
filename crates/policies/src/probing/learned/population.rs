//! How the rates of all nodes are spread: the prior of each, learned from all.
//!
//! A histogram over rates a factor √2 apart, fitted by expectation and maximisation one node at a
//! time (nonparametric empirical Bayes: Robbins 1956; Kiefer and Wolfowitz 1956). Whatever the
//! rates' law, a node of which little is known is taken for what its like turned out to be.

/// Rates in the histogram: 2^−20 … 2^20 times the budget's share of a node.
const CELLS: usize = 81;
const BELOW: i32 = 40;
/// Within a cell the rate is as uncertain as a Gamma of this shape: its relative variance is that
/// of √2's logarithm.
const CELL_SHAPE: f64 = 8.0;
/// ln √2.
const STEP: f64 = std::f64::consts::LN_2 / 2.0;
/// Up to this many items the whole histogram is summed; beyond, only what is near.
const ITEMS_SUMMED: f64 = 40.0;
/// Cells on each side that more items than that can mean.
const NEAR: usize = 8;
/// Where rate·exposure is below this, e^−y is taken as 1 − y.
const SMALL: f64 = 1.0 / 128.0;
/// A cell this much less likely than the likeliest, were their shares equal, is left out.
const NEGLIGIBLE: f64 = 1e-12;
/// Where even the slowest cell should have brought this many items, more exposure says no more.
const DARKEST: f64 = 600.0;
/// Share of the histogram that is spread over all cells at every [`Population::settle`].
const SPREAD: f64 = 1e-6;
/// Newer nodes weigh more by growing numbers, up to this.
const WEIGHT_MAX: f64 = 1e9;

/// The histogram. O(1) per question: at most 81 short steps.
#[derive(Debug, Clone)]
pub struct Population {
    rates: [f64; CELLS],
    /// What a rate within the cell was watched for before: the cell's shape ÷ its rate.
    watched: [f64; CELLS],
    /// Not normalised.
    shares: [f64; CELLS],
    total: f64,
    /// What the next node adds.
    weight: f64,
    grows: f64,
    lowest_log: f64,
}

/// What a node's probes said, and the items expected of it in the lowest cell.
#[derive(Debug, Clone, Copy)]
struct NodeSeen {
    items: f64,
    exposure: f64,
    lowest: f64,
}

impl Population {
    /// Rates around `scale` (budget ÷ nodes), each order of magnitude as likely. A node counts
    /// half as much once `nodes` others have come after it.
    #[must_use]
    pub fn new(scale: f64, nodes: usize) -> Population {
        let rate = |k: usize| scale * libm::exp(STEP * f64::from(k as i32 - BELOW));
        Population {
            rates: std::array::from_fn(rate),
            watched: std::array::from_fn(|k| CELL_SHAPE / rate(k)),
            shares: [1.0 / CELLS as f64; CELLS],
            total: 1.0,
            weight: 1.0,
            grows: 1.0 + 0.7 / nodes.max(8) as f64,
            lowest_log: libm::log(scale) - STEP * f64::from(BELOW),
        }
    }

    /// The mean rate of a node with these (discounted) items in this exposure, both ≥ 0.
    #[must_use]
    pub fn mean(&self, items: f64, exposure: f64) -> f64 {
        let (mut sum, mut first) = (0.0, 0.0);
        self.each(items, exposure, |k, weight| {
            sum += weight;
            first += weight / (self.watched[k] + exposure);
        });
        (CELL_SHAPE + items) * first / sum
    }

    /// The logarithm of ∫ rate^items·e^{−rate·exposure} over the population. The chance that a node
    /// brings x items more in τ is that of items + x and exposure + τ, less this, plus
    /// x·ln τ − ln x!.
    #[must_use]
    pub fn log_evidence(&self, items: f64, exposure: f64) -> f64 {
        let mut sum = 0.0;
        let (reference, peak) = self.each(items, exposure, |_, weight| sum += weight);
        let log_rate = self.lowest_log + STEP * f64::from(reference);
        libm::log(sum / self.total) + items * log_rate - peak
    }

    /// One node of the population is believed to be like this.
    pub fn learn(&mut self, items: f64, exposure: f64) {
        let mut posterior = [0.0; CELLS];
        let mut sum = 0.0;
        self.each(items, exposure, |k, weight| {
            posterior[k] = weight;
            sum += weight;
        });
        if sum > 0.0 {
            for (share, weight) in self.shares.iter_mut().zip(posterior) {
                *share += self.weight * weight / sum;
            }
            self.total += self.weight;
            self.weight *= self.grows;
        }
        if self.weight > WEIGHT_MAX {
            self.settle();
        }
    }

    /// Makes the shares add up to 1 again, and leaves none at nothing.
    fn settle(&mut self) {
        for share in &mut self.shares {
            *share = (*share / self.total + SPREAD / CELLS as f64) / (1.0 + SPREAD);
        }
        self.weight /= self.total;
        self.total = 1.0;
    }

    /// Calls `with` for each cell that counts with share·(rate ÷ R)^items·e^{p − rate·exposure} and
    /// returns the place of R (it may lie outside) and p.
    fn each(&self, items: f64, exposure: f64, with: impl FnMut(usize, f64)) -> (i32, f64) {
        let exposure = exposure.min(DARKEST / self.rates[0]);
        if items > ITEMS_SUMMED {
            return self.each_near(items, exposure, with);
        }
        // y of cell 0; it doubles every two cells.
        let lowest = (self.rates[0] * exposure).max(1e-300);
        let reference = 2 * libm::ilogb(items.max(0.5) / lowest);
        let reference = reference.clamp(-40, CELLS as i32 + 40);
        let seen = NodeSeen { items, exposure, lowest };
        self.each_summed(seen, reference, with);
        (reference, 0.0)
    }

    fn each_near(&self, items: f64, exposure: f64, mut with: impl FnMut(usize, f64)) -> (i32, f64) {
        let place = (libm::log(items / exposure) - self.lowest_log) / STEP;
        let reference = libm::round(place.clamp(0.0, (CELLS - 1) as f64)) as usize;
        let near = reference.saturating_sub(NEAR)..(reference + NEAR + 1).min(CELLS);
        let log = |k: usize| {
            let steps = k as f64 - reference as f64;
            items * STEP * steps - (self.rates[k] - self.rates[reference]) * exposure
        };
        // The nearest cell is not always the likeliest, and by many items much less.
        let top = near.clone().map(log).fold(f64::NEG_INFINITY, f64::max);
        near.for_each(|k| with(k, self.shares[k] * libm::exp(log(k) - top)));
        (reference as i32, self.rates[reference] * exposure - top)
    }

    fn each_summed(&self, seen: NodeSeen, reference: i32, mut with: impl FnMut(usize, f64)) {
        let NodeSeen { items, exposure, lowest } = seen;
        // The first cell where e^−y is not taken as 1 − y: there SMALL/2 < y ≤ 2·SMALL.
        let start = (2 * libm::ilogb(SMALL / lowest)).clamp(0, CELLS as i32) as usize;
        let power = libm::exp(items * STEP);
        let at_start = libm::exp(items * STEP * f64::from(start as i32 - reference));
        let (mut ratio, mut top) = (at_start, 0.0_f64);
        if start < CELLS {
            let mut fade = libm::exp(-self.rates[start] * exposure);
            let mut fade_next = libm::exp(-self.rates[(start + 1).min(CELLS - 1)] * exposure);
            for (k, share) in self.shares.iter().enumerate().skip(start) {
                let weight = ratio * fade;
                if weight < top * NEGLIGIBLE {
                    break;
                }
                top = top.max(weight);
                with(k, share * weight);
                ratio *= power;
                (fade, fade_next) = (fade_next, fade * fade);
            }
        }
        ratio = at_start;
        for (k, share) in self.shares[..start].iter().enumerate().rev() {
            ratio /= power;
            if ratio < top * NEGLIGIBLE {
                break;
            }
            with(k, share * ratio * (1.0 - self.rates[k] * exposure));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CELL_SHAPE, CELLS, Population};
    use crate::Dice;
    use proptest::prelude::*;

    /// The slow twin: every cell, in logarithms.
    fn believe_slow(population: &Population, items: f64, exposure: f64) -> (f64, f64) {
        let log = |k: usize| {
            libm::log(population.shares[k] / population.total)
                + items * libm::log(population.rates[k])
                - population.rates[k] * exposure
        };
        let top = (0..CELLS).map(log).fold(f64::NEG_INFINITY, f64::max);
        let weight = |k: usize| libm::exp(log(k) - top);
        let sum: f64 = (0..CELLS).map(weight).sum();
        let mean = |k: usize| {
            weight(k) * (CELL_SHAPE + items) / (CELL_SHAPE / population.rates[k] + exposure)
        };
        ((0..CELLS).map(mean).sum::<f64>() / sum, top + libm::log(sum))
    }

    proptest! {
        #[test]
        fn the_belief_equals_a_sum_over_all_cells(
            nodes in prop::collection::vec((0_u32..200, 0.1_f64..1e4), 0..50),
            items in prop_oneof![Just(0.0), 0.0_f64..3.0, 0.0_f64..200.0, 0.0_f64..1e9],
            exposure in prop_oneof![Just(0.0), 1e-2_f64..1e5],
        ) {
            let mut population = Population::new(0.01, 20);
            for (items, exposure) in nodes {
                population.learn(f64::from(items), exposure);
            }
            let (mean, log_evidence) = believe_slow(&population, items, exposure);
            let fast = population.mean(items, exposure);
            prop_assert!((fast / mean - 1.0).abs() < 1e-3, "{fast} {mean}");
            let fast = population.log_evidence(items, exposure);
            prop_assert!((fast - log_evidence).abs() < 1e-3 * (1.0 + items), "{fast}");
        }
    }

    #[test]
    fn a_rate_between_two_cells_is_believed_however_many_items_say_so() {
        let population = Population::new(1.0 / 11.0, 11);
        for items in [50.0, 1e4, 1e7, 1e12] {
            for k in 0..=40 {
                let rate = population.rates[60] * libm::exp2(f64::from(k) / 40.0);
                let mean = population.mean(items, items / rate);
                assert!((mean / rate - 1.0).abs() < 0.2, "{items} items: {mean}, not {rate}");
            }
        }
    }

    #[test]
    fn the_chances_of_all_finds_add_up_to_one() {
        let population = Population::new(0.1, 10);
        for (items, exposure, gap) in [(0.0, 0.0, 3.0), (2.5, 30.0, 10.0), (45.0, 100.0, 5.0)] {
            let before = population.log_evidence(items, exposure);
            let chance = |x: u32| {
                let after = population.log_evidence(items + f64::from(x), exposure + gap);
                let shared = f64::from(x) * libm::log(gap) - libm::lgamma(f64::from(x) + 1.0);
                libm::exp(after - before + shared)
            };
            // Without exposure the fastest cell still has a million items in a gap.
            let total: f64 = (0..400).map(chance).sum();
            let expected = if exposure > 0.0 { 0.999..1.001 } else { 0.6..1.0 };
            assert!(expected.contains(&total), "{items} {exposure}: {total}");
        }
    }

    #[test]
    fn a_population_of_two_kinds_is_seen_as_two_kinds() {
        let mut dice = Dice::new(9);
        let mut population = Population::new(0.01, 1_000);
        for i in 0..20_000 {
            let rate = if i % 10 == 0 { 0.2 } else { 0.002 };
            population.learn(dice.poisson(rate * 500.0) as f64, 500.0);
        }
        // One item in 5 chronons, one node in ten of the fast kind: .161 by Bayes' rule.
        assert!((population.mean(1.0, 5.0) / 0.161 - 1.0).abs() < 0.1);
        // The blur of the cells takes a part away.
        let slow = population.mean(0.0, 500.0);
        assert!((0.0014..0.0022).contains(&slow), "{slow}");
    }
}
