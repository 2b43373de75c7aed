//! What looking back teaches: the price of a probe, and how much of the demand for a chronon is
//! known how long before.

use super::super::state::State;
use super::relaxation::Relaxation;

/// Chronons looked back upon, and between two looks.
const MEMORY: u32 = 300;
const EVERY: u32 = 25;
/// Sweeps of one look back.
const SWEEPS: u32 = 300;

/// Learns the toll of a slot: ν · û(d), the mean price of a probe times the share of the demand
/// for the slot d chronons ahead that is still unknown.
///
/// Prices taken from the rolling solution itself would fulfil themselves; so a relaxation over all
/// CEIs of the last chronons, captured or not, is solved as if from their beginning.
#[derive(Debug, Clone, Default)]
pub struct Hindsight {
    relaxation: Relaxation,
    /// All CEIs known, in the order in which they became known.
    past: Vec<u32>,
    /// ν, in utility per cost.
    price: f64,
    /// Demand for a slot that was known exactly so many chronons before it.
    known: Vec<f64>,
}

impl Hindsight {
    /// Hears of the CEIs that arrived; looks back when it is time.
    pub fn learn(&mut self, state: &State<'_>) {
        let instance = state.instance;
        for &cei in state.arrived() {
            self.past.push(cei);
            let part = &instance.ceis[cei as usize];
            for ei in &instance.eis[part.eis()] {
                let weight = part.utility / f64::from(part.size()) / f64::from(ei.length());
                let (from, to) = (ei.start - part.known, ei.finish - part.known);
                if self.known.len() <= to as usize {
                    self.known.resize(to as usize + 1, 0.0);
                }
                self.known[from as usize..=to as usize].iter_mut().for_each(|k| *k += weight);
            }
        }
        if state.chronon > 0 && state.chronon.is_multiple_of(EVERY) {
            self.look_back(state);
        }
    }

    fn look_back(&mut self, state: &State<'_>) {
        let instance = state.instance;
        let first = state.chronon.saturating_sub(MEMORY);
        self.past.retain(|&cei| instance.ceis[cei as usize].known >= first);
        let past = &self.past;
        let eis = past.iter().flat_map(|&cei| instance.ceis[cei as usize].eis());
        self.relaxation.build(instance, first, eis.map(|ei| ei as u32));
        for _ in 0..SWEEPS {
            self.relaxation.sweep(&instance.budget);
        }
        let seen = (state.chronon - first) as usize;
        let prices = self.relaxation.price.iter().take(seen);
        self.price = prices.sum::<f64>() / seen as f64;
    }

    /// Fills in the toll of each slot, from the present chronon on.
    pub fn toll(&self, toll: &mut [f64]) {
        let all: f64 = self.known.iter().sum();
        let mut unknown = 0.0;
        for (d, toll) in toll.iter_mut().enumerate() {
            // Known less than d chronons before: still unknown now.
            *toll = if all > 0.0 { self.price * unknown / all } else { 0.0 };
            unknown += self.known.get(d).copied().unwrap_or(0.0);
        }
    }
}
