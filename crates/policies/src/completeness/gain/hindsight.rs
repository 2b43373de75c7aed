//! What looking back teaches: the price of a probe, and how long before its probe a demand is
//! known.

use super::super::state::State;
use super::relaxation::{Circle, Relaxation, Units};

/// Chronons looked back upon, and between two looks.
const MEMORY: u32 = 300;
const EVERY: u32 = 25;
/// The first look.
const FIRST: u32 = 12;
/// Sweeps of one look back.
const SWEEPS: u32 = 300;
/// Captures after which what was captured counts as much as what was asked for.
const CAPTURES: f64 = 10.0;

/// Learns the toll of a slot: ν · û(d), the price of a probe times the chance that what a slot d
/// chronons ahead will be used for is not known yet.
///
/// ν: prices taken from the rolling solution itself would fulfil themselves; so a relaxation over
/// all CEIs of the last chronons, captured or not, is solved as if from their beginning. It is
/// solved on a circle: what reaches beyond the present goes on at the beginning, as if what came in
/// these chronons came again and again. Without that the end of the time looked back upon would
/// seem empty, and at first that end is all there is.
///
/// û: the share of captured EIs whose CEI was known less than d chronons before the probe. Counting
/// windows instead of captures would make demands seem known that will be met before slot d comes.
#[derive(Debug, Clone, Default)]
pub(super) struct Hindsight {
    relaxation: Relaxation,
    /// All CEIs known, in the order in which they became known.
    past: Vec<u32>,
    /// ν, in utility per cost; before the first look, the mean utility of a CEI ÷ the mean cost.
    price: f64,
    utilities: f64,
    arrived: f64,
    /// What one probe of each EI known costs, summed up, and how many they are.
    costs: f64,
    eis: f64,
    /// Demand for a slot, by how many chronons before it the demand was known.
    known: Vec<f64>,
    /// The same of what was captured, in the chronon of its probe.
    captured: Vec<f64>,
}

fn add(weights: &mut Vec<f64>, from: u32, to: u32, weight: f64) {
    if weights.len() <= to as usize {
        weights.resize(to as usize + 1, 0.0);
    }
    weights[from as usize..=to as usize].iter_mut().for_each(|sum| *sum += weight);
}

impl Hindsight {
    /// Hears of the CEIs that arrived, and of the EIs captured a chronon before; looks back when it
    /// is time.
    pub fn learn(&mut self, state: &State<'_>, captured: &[u32]) {
        let instance = state.instance;
        for &cei in state.arrived() {
            self.past.push(cei);
            let part = &instance.ceis[cei as usize];
            self.utilities += part.utility;
            self.arrived += 1.0;
            for ei in &instance.eis[part.eis()] {
                let weight = part.utility / f64::from(part.size()) / f64::from(ei.length());
                self.costs += instance.costs[ei.source as usize];
                self.eis += 1.0;
                add(&mut self.known, ei.start - part.known, ei.finish - part.known, weight);
            }
        }
        for &ei in captured {
            let part = &instance.ceis[instance.eis[ei as usize].cei as usize];
            let lag = state.chronon - 1 - part.known;
            add(&mut self.captured, lag, lag, part.utility / f64::from(part.size()));
        }
        if state.chronon < FIRST {
            let Units { utility, cost } = self.units();
            self.price = if self.utilities > 0.0 { utility / cost } else { 0.0 };
        } else if state.chronon == FIRST || state.chronon.is_multiple_of(EVERY) {
            self.look_back(state);
        }
    }

    /// The mean utility of a CEI, and the mean cost of a probe of an EI, of those known so far.
    pub fn units(&self) -> Units {
        let mean = |sum: f64, n: f64| if sum > 0.0 { sum / n } else { 1.0 };
        Units { utility: mean(self.utilities, self.arrived), cost: mean(self.costs, self.eis) }
    }

    fn look_back(&mut self, state: &State<'_>) {
        let instance = state.instance;
        let first = state.chronon.saturating_sub(MEMORY);
        self.past.retain(|&cei| instance.ceis[cei as usize].known >= first);
        self.relaxation.units = self.units();
        let eis = self.past.iter().flat_map(|&cei| instance.ceis[cei as usize].eis());
        let circle = Circle { first, chronons: state.chronon - first };
        self.relaxation.build_circle(instance, circle, eis.map(|ei| ei as u32));
        for _ in 0..SWEEPS {
            self.relaxation.sweep(&instance.budget);
        }
        self.price = self.relaxation.price.iter().sum::<f64>() / f64::from(circle.chronons);
    }

    /// ν, in utility per cost.
    pub fn price(&self) -> f64 {
        self.price
    }

    /// Fills in the toll of each slot, from the present chronon on. What was asked for speaks for
    /// [`CAPTURES`] of mean utility.
    pub fn toll(&self, toll: &mut [f64]) {
        let asked: f64 = self.known.iter().sum();
        let scale =
            if asked > 0.0 { CAPTURES * self.utilities / self.arrived / asked } else { 0.0 };
        let all = scale * asked + self.captured.iter().sum::<f64>();
        let mut unknown = 0.0;
        for (d, toll) in toll.iter_mut().enumerate() {
            // Known less than d chronons before: still unknown now.
            *toll = if all > 0.0 { self.price * unknown / all } else { 0.0 };
            unknown += scale * self.known.get(d).copied().unwrap_or(0.0);
            unknown += self.captured.get(d).copied().unwrap_or(0.0);
        }
    }
}
