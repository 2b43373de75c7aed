//! The chronon as an online policy finds it, and the loop that drives one.

use super::instance::{Ei, Instance};
use super::schedule::{Purse, Schedule};
use rustc_hash::FxHashSet;

/// What has been captured and lost so far, and what is active now.
///
/// Everything a policy may ask concerns CEIs that are known: those with an EI that has started
/// (or, with foresight, soon will).
#[derive(Debug, Clone)]
pub struct State<'a> {
    /// All there will be; an online policy looks only at what is known.
    pub instance: &'a Instance,
    /// The chronon being decided.
    pub chronon: u32,
    captured: Vec<bool>,
    captured_of: Vec<u32>,
    dead: Vec<bool>,
    /// Uncaptured active EIs, dead CEIs' included; no particular order.
    active: Vec<u32>,
    /// Place in `instance.by_start` of the first EI that has not started.
    next: usize,
    /// Place in `instance.by_known` of the first CEI that is not known.
    heard: usize,
    arrived: Vec<u32>,
    cheapest: f64,
    value: f64,
}

impl<'a> State<'a> {
    /// Before the first chronon.
    #[must_use]
    pub fn new(instance: &'a Instance) -> Self {
        let (eis, ceis) = (instance.eis().len(), instance.ceis().len());
        Self {
            instance,
            chronon: 0,
            captured: vec![false; eis],
            captured_of: vec![0; ceis],
            dead: vec![false; ceis],
            active: Vec::new(),
            next: 0,
            heard: 0,
            value: 0.0,
            arrived: Vec::new(),
            cheapest: instance.costs().iter().copied().fold(f64::INFINITY, f64::min),
        }
    }

    /// Moves to `chronon`, the one after the last: what finished uncaptured kills its CEI, what
    /// starts becomes active.
    pub fn enter(&mut self, chronon: u32) {
        self.chronon = chronon;
        let instance = self.instance;
        let (captured, dead) = (&self.captured, &mut self.dead);
        self.active.retain(|&ei| {
            let Ei { cei, finish, .. } = instance.eis[ei as usize];
            if captured[ei as usize] {
                return false;
            }
            if finish < chronon {
                dead[cei as usize] = true;
            }
            finish >= chronon
        });
        while let Some(&ei) = instance.by_start.get(self.next) {
            if instance.eis[ei as usize].start > chronon {
                break;
            }
            self.next += 1;
            self.active.push(ei);
        }
        self.arrived.clear();
        while let Some(&cei) = instance.by_known.get(self.heard) {
            if instance.ceis[cei as usize].known > chronon {
                break;
            }
            self.heard += 1;
            self.arrived.push(cei);
        }
    }

    /// Probes these sources: every active EI of theirs is captured.
    pub fn apply(&mut self, picks: &[u32]) {
        let mut sorted = picks.to_vec();
        sorted.sort_unstable();
        for &at in &self.active {
            let Ei { cei, source, .. } = self.instance.eis[at as usize];
            if self.captured[at as usize] || sorted.binary_search(&source).is_err() {
                continue;
            }
            self.captured[at as usize] = true;
            let (whole, count) =
                (&self.instance.ceis[cei as usize], &mut self.captured_of[cei as usize]);
            *count += 1;
            if *count == whole.size() {
                self.value += whole.utility;
            }
        }
    }

    /// Uncaptured active EIs, as indices, dead CEIs' included; in no particular order.
    #[must_use]
    pub fn active(&self) -> &[u32] {
        &self.active
    }

    /// Sum of the utilities captured so far.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// CEIs that became known in this chronon.
    #[must_use]
    pub fn arrived(&self) -> &[u32] {
        &self.arrived
    }

    /// Whether an EI is captured.
    #[must_use]
    pub fn is_captured(&self, ei: usize) -> bool {
        self.captured[ei]
    }

    /// Whether the CEI has lost an EI in an earlier chronon.
    #[must_use]
    pub fn is_dead(&self, cei: u32) -> bool {
        self.dead[cei as usize]
    }

    /// EIs of the CEI captured before this chronon.
    #[must_use]
    pub fn captured_of(&self, cei: u32) -> u32 {
        self.captured_of[cei as usize]
    }

    /// EIs of the CEI not captured before this chronon.
    #[must_use]
    pub fn missing_of(&self, cei: u32) -> u32 {
        self.instance.ceis[cei as usize].size() - self.captured_of(cei)
    }

    /// Takes sources from `ranked`, best first, while the budget of the chronon lasts. A source
    /// that does not fit is passed over; one named twice is taken once.
    pub fn pick(&self, ranked: impl IntoIterator<Item = u32>, picks: &mut Vec<u32>) {
        picks.clear();
        let mut purse = Purse::new(self.instance.budget[self.chronon as usize]);
        let mut taken = FxHashSet::default();
        for source in ranked {
            if purse.is_spent(self.cheapest) {
                return;
            }
            if taken.insert(source) && purse.pay(self.instance.costs[source as usize]) {
                picks.push(source);
            }
        }
    }
}

/// Decides one chronon after the other, from what is known.
pub trait OnlinePolicy {
    /// Puts the sources to probe in `state.chronon` into `picks`, within its budget.
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>);
}

/// Runs a policy over the whole instance.
pub fn run_online(instance: &Instance, policy: &mut dyn OnlinePolicy) -> Schedule {
    let mut state = State::new(instance);
    let mut schedule = Schedule::empty(instance.chronons());
    for chronon in 0..instance.chronons() {
        state.enter(chronon);
        let picks = &mut schedule.picks[chronon as usize];
        policy.choose(&state, picks);
        state.apply(picks);
    }
    schedule
}
