//! The linear relaxation over some CEIs, solved to and fro between primal and dual (Chambolle and
//! Pock 2011, with the diagonal steps of Pock and Chambolle 2011; *plan* of `docs/theory.md`,
//! Completeness).

use super::super::instance::{Ei, Instance};
use super::audience::Expected;

/// From here on, what stands for an EI or a CEI that is expected.
pub(super) const NONE: u32 = 1 << 31;

/// How much longer the steps of prices are than those of shares, in [`Units`]. Most slots stay
/// empty, but every price moves: with steps of one length prices lag behind where windows are long.
const PRICES: f64 = 4.0;

/// What utilities and costs are like: prices are of their size, shares are of size 1, and steps
/// must fit both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Units {
    /// Above 0.
    pub utility: f64,
    /// Above 0.
    pub cost: f64,
}

impl Default for Units {
    fn default() -> Self {
        Self { utility: 1.0, cost: 1.0 }
    }
}

/// An EI that is still wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Want {
    pub ei: u32,
    /// Place in `parts`.
    pub part: u32,
    /// First and one past the last of its slots.
    from: u32,
    to: u32,
    /// The same of its second piece, where a circle's seam cuts it in two.
    again: (u32, u32),
    /// The dual price of the EI.
    pub mu: f64,
}

/// A CEI with EIs that are still wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub cei: u32,
    utility: f64,
    missing: f64,
    /// The share of it that is captured, and the same extrapolated.
    pub y: f64,
    ahead: f64,
    /// Sum of the prices of its EIs.
    asked: f64,
}

/// One source's slots, one a chronon, from the first that an EI of it wants to the last; a spare
/// one ends the differences.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotRow {
    pub source: u32,
    cost: f64,
    /// The first slot of the row, and one past the last: the spare.
    pub from: u32,
    pub to: u32,
    /// Chronons from the relaxation's first to its first slot's.
    pub delay: u32,
}

/// So many chronons from the first, again and again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circle {
    pub first: u32,
    pub chronons: u32,
}

/// max Σ u·y, y_η ≤ Σ_{t∈I} s_{r,t}, Σ_r cost_r·s_{r,t} + (what others will want) ≤ C_t.
#[derive(Debug, Clone, Default)]
pub(super) struct Relaxation {
    pub units: Units,
    pub first: u32,
    /// Chronons after which it comes back to the first; 0: never.
    period: u32,
    pub wants: Vec<Want>,
    pub parts: Vec<Part>,
    pub rows: Vec<SlotRow>,
    /// Per slot: the share of a probe, the EIs over it, scratch.
    pub s: Vec<f64>,
    covers: Vec<f64>,
    sums: Vec<f64>,
    /// Per chronon from the first: the price, what the probes of all wanted sources cost, scratch.
    pub price: Vec<f64>,
    wanted: Vec<f64>,
    used: Vec<f64>,
    /// What a slot costs beside its price, by how many chronons it lies ahead.
    pub toll: Vec<f64>,
    spans: Vec<(u32, u32, u32, u32)>,
}

impl Relaxation {
    /// Lays out the EIs, grouped by CEI and each to finish in
    /// `first` or later, and what is expected
    /// beside them. Nothing is solved: y = s = μ = p = 0, but for what is expected. O(slots + EIs ·
    /// log).
    pub fn build(
        &mut self,
        instance: &Instance,
        first: u32,
        eis: impl Iterator<Item = u32>,
        expected: &[Expected],
    ) {
        self.period = 0;
        self.gather(instance, first, eis);
        for (k, own) in expected.iter().enumerate() {
            let (part, want) = (self.parts.len() as u32, self.wants.len() as u32);
            let (utility, y) = (own.utility, own.y);
            let alone = Part { cei: NONE, utility, missing: 1.0, y, ahead: 0.0, asked: 0.0 };
            self.parts.push(alone);
            self.spans.push((own.source, own.start - first, own.finish - first, want));
            let ei = NONE + k as u32;
            self.wants.push(Want { ei, part, from: 0, to: 0, again: (0, 0), mu: own.mu });
        }
        self.lay_out(instance);
        self.count();
    }

    /// The same on a circle: what reaches beyond its end goes on at its beginning. EIs start in the
    /// first chronon or later.
    pub fn build_circle(
        &mut self,
        instance: &Instance,
        circle: Circle,
        eis: impl Iterator<Item = u32>,
    ) {
        self.period = circle.chronons;
        self.gather(instance, circle.first, eis);
        self.lay_out(instance);
        self.count();
    }

    fn gather(&mut self, instance: &Instance, first: u32, eis: impl Iterator<Item = u32>) {
        self.first = first;
        self.wants.clear();
        self.parts.clear();
        self.spans.clear();
        for at in eis {
            let Ei { cei, source, start, finish } = instance.eis[at as usize];
            if self.parts.last().is_none_or(|part| part.cei != cei) {
                let utility = instance.ceis[cei as usize].utility;
                let new = Part { cei, utility, missing: 0.0, y: 0.0, ahead: 0.0, asked: 0.0 };
                self.parts.push(new);
            }
            let part = self.parts.len() - 1;
            self.parts[part].missing += 1.0;
            let (start, want) = (start.max(first) - first, self.wants.len() as u32);
            self.lap(source, start, finish - first, want);
            self.wants.push(Want {
                ei: at,
                part: part as u32,
                from: 0,
                to: 0,
                again: (0, 0),
                mu: 0.0,
            });
        }
    }

    /// Notes the slots of a want: on a circle one piece or, over its seam, two.
    fn lap(&mut self, source: u32, start: u32, finish: u32, want: u32) {
        if self.period == 0 {
            self.spans.push((source, start, finish, want));
            return;
        }
        let (seam, length) = (self.period, finish - start + 1);
        let start = start % seam;
        if length >= seam {
            self.spans.push((source, 0, seam - 1, want));
        } else if start + length <= seam {
            self.spans.push((source, start, start + length - 1, want));
        } else {
            self.spans.push((source, start, seam - 1, want));
            self.spans.push((source, 0, start + length - 1 - seam, want));
        }
    }

    fn lay_out(&mut self, instance: &Instance) {
        self.rows.clear();
        self.spans.sort_unstable();
        let (mut next, mut horizon) = (0, 0);
        for own in self.spans.chunk_by(|a, b| a.0 == b.0) {
            let (source, delay) = (own[0].0, own[0].1);
            let last = own.iter().map(|span| span.2).max().expect("a chunk is not empty");
            for &(_, start, finish, want) in own {
                let want = &mut self.wants[want as usize];
                want.again = (want.from, want.to);
                (want.from, want.to) = (next + start - delay, next + finish - delay + 1);
            }
            let to = next + last - delay + 1;
            let cost = instance.costs[source as usize];
            self.rows.push(SlotRow { source, cost, from: next, to, delay });
            next = to + 1;
            horizon = horizon.max(last + 1);
        }
        for slots in [&mut self.s, &mut self.covers, &mut self.sums] {
            slots.clear();
            slots.resize(next as usize, 0.0);
        }
        for chronons in [&mut self.price, &mut self.wanted, &mut self.used, &mut self.toll] {
            chronons.clear();
            chronons.resize(horizon as usize, 0.0);
        }
    }

    /// Takes over the prices of the relaxation before. What a slot costs in all stays as it is
    /// while it comes nearer: what its toll loses, as more of the demand for it is known, its price
    /// gains. (Where a thousand sources are wanted at once the sweeps of one chronon do not raise
    /// it so far.)
    pub fn age_prices(&mut self, before: &Self) {
        let passed = (self.first - before.first) as usize;
        let later = before.price.iter().zip(&self.toll).skip(passed);
        for ((price, toll), (was, later)) in self.price.iter_mut().zip(&self.toll).zip(later) {
            *price = was + later - toll;
        }
    }

    /// EIs over each slot, and what all sources wanted in a chronon cost.
    fn count(&mut self) {
        for want in &self.wants {
            for (from, to) in [(want.from, want.to), want.again] {
                self.covers[from as usize] += 1.0;
                self.covers[to as usize] -= 1.0;
            }
        }
        for row in &self.rows {
            let mut over = 0.0;
            for slot in row.from..row.to {
                over += self.covers[slot as usize];
                self.covers[slot as usize] = over;
                if over > 0.0 {
                    self.wanted[(row.delay + slot - row.from) as usize] += row.cost;
                }
            }
        }
    }

    /// One step of the primal and one of the dual. O(slots + EIs).
    pub fn sweep(&mut self, budget: &[f64]) {
        self.step_parts();
        self.step_slots();
        let budget = &budget[self.first as usize..];
        let long = PRICES * self.units.utility;
        for (d, price) in self.price.iter_mut().enumerate() {
            if self.wanted[d] > 0.0 {
                let over = (self.used[d] - budget[d]) / self.wanted[d];
                *price = (*price + long / self.units.cost * over).max(0.0);
            }
        }
        for want in &mut self.wants {
            let part = &self.parts[want.part as usize];
            let again = self.sums[want.again.1 as usize] - self.sums[want.again.0 as usize];
            let probes = self.sums[want.to as usize] - self.sums[want.from as usize] + again;
            let length = f64::from(want.to - want.from + want.again.1 - want.again.0);
            want.mu = (want.mu + long * (part.ahead - probes) / (length + 1.0)).max(0.0);
        }
    }

    fn step_parts(&mut self) {
        for part in &mut self.parts {
            part.asked = 0.0;
        }
        self.sums.fill(0.0);
        for want in &self.wants {
            self.parts[want.part as usize].asked += want.mu;
            for (from, to) in [(want.from, want.to), want.again] {
                self.sums[from as usize] += want.mu;
                self.sums[to as usize] -= want.mu;
            }
        }
        let long = PRICES * self.units.utility;
        for part in &mut self.parts {
            let step = 1.0 / (long * part.missing);
            let y = (part.y + step * (part.utility - part.asked)).clamp(0.0, 1.0);
            part.ahead = 2.0 * y - part.y;
            part.y = y;
        }
    }

    /// Moves s; leaves in `sums` what is probed before each slot of its row, extrapolated.
    fn step_slots(&mut self) {
        self.used.fill(0.0);
        let long = PRICES * self.units.utility;
        for row in &self.rows {
            let cost = row.cost / self.units.cost;
            let (mut bid, mut before) = (0.0, 0.0);
            for slot in row.from as usize..row.to as usize {
                bid += self.sums[slot];
                self.sums[slot] = before;
                let covers = self.covers[slot];
                if covers > 0.0 {
                    let d = row.delay as usize + slot - row.from as usize;
                    let asked = row.cost * (self.price[d] + self.toll[d]);
                    let step = 1.0 / (long * (covers + cost));
                    let s = (self.s[slot] + step * (bid - asked)).clamp(0.0, 1.0);
                    let ahead = 2.0 * s - self.s[slot];
                    self.s[slot] = s;
                    self.used[d] += row.cost * ahead;
                    before += ahead;
                }
            }
            self.sums[row.to as usize] = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Builder;
    use super::*;

    /// Mean price over `period` chronons in which one CEI of one EI of `length` chronons, each of
    /// its own source, starts per chronon, after 2,000 sweeps.
    fn price(period: u64, length: u64, budget: f64) -> f64 {
        let mut builder = Builder::new();
        for t in 0..period {
            builder.profile(t, 1.0, vec![vec![(t, t, t + length - 1)]]);
        }
        let instance = builder.build(vec![budget; (period + length) as usize]).unwrap();
        let mut relaxation = Relaxation::default();
        let eis = 0..instance.eis().len() as u32;
        relaxation.build_circle(&instance, Circle { first: 0, chronons: period as u32 }, eis);
        (0..2000).for_each(|_| relaxation.sweep(instance.budget()));
        relaxation.price.iter().sum::<f64>() / period as f64
    }

    #[test]
    fn on_a_circle_a_stream_that_is_too_much_has_its_price_from_the_beginning() {
        for length in [1, 5, 12] {
            assert!((price(10, length, 0.5) - 1.0).abs() < 0.02, "{length}");
            assert!(price(10, length, 1.5) < 0.02, "{length}");
        }
    }

    #[test]
    fn what_a_slot_costs_in_all_stays_while_it_comes_nearer() {
        let of = |first, price: &[f64], toll: &[f64]| {
            let (price, toll) = (price.to_vec(), toll.to_vec());
            Relaxation { first, price, toll, ..Relaxation::default() }
        };
        let before = of(7, &[4.0, 3.0, 0.0, 1.0], &[]);
        let mut now = of(8, &[0.0; 3], &[0.0, 0.5, 2.0]);
        now.age_prices(&before);
        assert_eq!(now.price, [3.5, 1.5, 0.0]);
    }
}
