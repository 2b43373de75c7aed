//! *plan*: a rolling solution of the relaxation over what is known, with a toll for what is not.

use super::super::state::{OnlinePolicy, State};
use super::audience::{Audience, Expected};
use super::hindsight::Hindsight;
use super::promises::{Foreseen, Promises};
use super::relaxation::{NONE, Relaxation};
use super::witness::Witness;

/// Sweeps of the rolling solution in a chronon.
const SWEEPS: u32 = 60;
/// The last sweeps, over which a source's share of a probe is averaged.
const AVERAGED: u32 = 10;
/// What a source with an active EI has, whatever the plan says of it: no slot stays empty.
const FLOOR: f64 = 0.001;

/// Probes where the plan puts most, times what is nearest to being whole.
///
/// O(sweeps · (slots + EIs known)) a chronon.
#[derive(Debug, Clone, Default)]
pub struct GainPlan {
    now: Relaxation,
    before: Relaxation,
    hindsight: Hindsight,
    promises: Promises,
    /// Live CEIs, ascending.
    live: Vec<u32>,
    /// Per EI: its price after the last chronon.
    mu: Vec<f64>,
    /// Per CEI: its share after the last chronon.
    y: Vec<f64>,
    share: Vec<f64>,
    habits: Audience,
    expected: Vec<Expected>,
    witness: Witness,
    gains: Vec<f64>,
    wanted: Vec<(u32, u32)>,
}

impl GainPlan {
    /// Nothing learned yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lays out what is known and takes over what was solved a chronon before.
    fn warm(&mut self, state: &State<'_>) {
        let instance = state.instance;
        self.live.extend(state.arrived());
        self.live.retain(|&cei| !state.is_dead(cei) && state.missing_of(cei) > 0);
        self.live.sort_unstable();
        self.mu.resize(instance.eis.len(), 0.0);
        self.y.resize(instance.ceis.len(), 0.0);
        core::mem::swap(&mut self.now, &mut self.before);
        let open = self.live.iter().flat_map(|&cei| {
            let eis = instance.ceis[cei as usize].eis();
            eis.filter(|&ei| !state.is_captured(ei)).map(|ei| ei as u32)
        });
        let (now, old) = (&mut self.now, &self.before);
        now.units = self.hindsight.units();
        now.build(instance, state.chronon, open, &self.expected);
        for want in &mut now.wants {
            if want.ei < NONE {
                want.mu = self.mu[want.ei as usize];
            }
        }
        for part in &mut now.parts {
            if part.cei < NONE {
                part.y = self.y[part.cei as usize];
            }
        }
        let mut rows = old.rows.iter().peekable();
        for row in &now.rows {
            while rows.next_if(|old| old.source < row.source).is_some() {}
            let Some(from) = rows.peek().filter(|old| old.source == row.source) else { continue };
            for slot in row.from..row.to {
                let chronon = now.first + row.delay + slot - row.from;
                let Some(at) = chronon.checked_sub(old.first + from.delay) else { continue };
                if at < from.to - from.from {
                    now.s[slot as usize] = old.s[(from.from + at) as usize];
                }
            }
        }
        self.hindsight.toll(&mut now.toll);
        now.toll.iter_mut().for_each(|toll| *toll *= self.promises.factor());
        now.age_prices(old);
    }

    /// Solves on; leaves the mean share of a probe of each source now.
    fn solve(&mut self, state: &State<'_>) {
        let now = &mut self.now;
        self.share.clear();
        self.share.resize(now.rows.len(), 0.0);
        for sweep in 0..SWEEPS {
            now.sweep(&state.instance.budget);
            if sweep >= SWEEPS - AVERAGED {
                for (share, row) in self.share.iter_mut().zip(&now.rows) {
                    if row.delay == 0 {
                        *share += now.s[row.from as usize] / f64::from(AVERAGED);
                    }
                }
            }
        }
        for want in &now.wants {
            if want.ei >= NONE {
                let expected = &self.expected[(want.ei - NONE) as usize];
                self.habits.keep(expected, now.parts[want.part as usize].y, want.mu);
            } else {
                self.mu[want.ei as usize] = want.mu;
            }
        }
        for part in &now.parts {
            if part.cei < NONE {
                self.y[part.cei as usize] = part.y;
            }
        }
    }
}

impl GainPlan {
    /// Compares what slots were to cost with what those of this chronon do; notes what the CEIs
    /// that arrived count on.
    fn promise(&mut self, state: &State<'_>) {
        let Self { now, promises, .. } = self;
        let factor = promises.factor();
        let paid = now.price.first().copied().unwrap_or(0.0);
        promises.keep(state.chronon, paid, self.hindsight.price());
        for &cei in state.arrived() {
            for ei in &state.instance.eis[state.instance.ceis[cei as usize].eis()] {
                let slots = ei.start.max(now.first) - now.first..=ei.finish - now.first;
                let cost = |d: u32| now.price[d as usize] + now.toll[d as usize];
                let cheapest = slots.min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
                let Some(d) = cheapest.filter(|&d| d > 0) else { continue };
                let (price, toll) = (now.price[d as usize], now.toll[d as usize] / factor);
                let foreseen = Foreseen { chronon: now.first + d, price, toll };
                promises.make(foreseen, self.y[cei as usize]);
            }
        }
    }
}

impl OnlinePolicy for GainPlan {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        let instance = state.instance;
        self.witness.learn(state);
        self.hindsight.learn(state, &self.witness.captured);
        self.witness.worth.passed_over(self.hindsight.price());
        self.habits.learn(state);
        let worth = &self.witness.worth;
        let first = |size, utility| worth.chance(size - 1) * utility / f64::from(size);
        self.habits.expect(first, &mut self.expected);
        self.warm(state);
        self.solve(state);
        self.promise(state);
        self.gains.resize(instance.numbers.len(), 0.0);
        self.wanted.clear();
        for at in state.active() {
            let ei = instance.eis[at as usize];
            if !state.is_dead(ei.cei) {
                let worth = instance.ceis[ei.cei as usize].utility;
                self.gains[ei.source as usize] += worth / f64::from(state.missing_of(ei.cei));
                self.wanted.push((ei.finish, at));
            }
        }
        for (row, share) in self.now.rows.iter().zip(&self.share) {
            self.gains[row.source as usize] *= share + FLOOR;
        }
        super::rank(state, &mut self.gains, &mut self.wanted, picks);
    }
}
