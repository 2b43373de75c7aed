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
    /// By CEI, for M-EDF.
    left: Vec<ChrononsLeft>,
    dead: Vec<bool>,
    /// Uncaptured active EIs, dead CEIs' included, by start.
    active: Vec<Active>,
    /// By source, the EIs that started since its last probe; some may be over.
    started: Vec<Vec<u32>>,
    /// Place in `instance.by_start` of the first EI that has not started.
    next: usize,
    /// Place in `instance.by_known` of the first CEI that is not known.
    heard: usize,
    arrived: Vec<u32>,
    cheapest: f64,
    value: f64,
}

/// What a chronon's loop needs of an active EI, side by side: there may be 10^6 of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Active {
    pub(crate) ei: u32,
    pub(crate) cei: u32,
    pub(crate) source: u32,
    pub(crate) start: u32,
    pub(crate) finish: u32,
    /// The rank of the EI's profile.
    pub(crate) rank: u32,
}

/// Chronons left of all uncaptured EIs of a CEI, a future one with its full length, a missed one
/// with none: `sum` − `open` · chronon.
#[derive(Debug, Clone, Copy, Default)]
struct ChrononsLeft {
    sum: i64,
    /// Active ones.
    open: u32,
}

impl ChrononsLeft {
    fn opens(&mut self, start: u32) {
        self.sum += i64::from(start);
        self.open += 1;
    }

    /// It was captured, or is over.
    fn ends(&mut self, finish: u32) {
        self.sum -= i64::from(finish) + 1;
        self.open -= 1;
    }
}

impl<'a> State<'a> {
    /// Before the first chronon.
    #[must_use]
    pub fn new(instance: &'a Instance) -> Self {
        let (eis, ceis) = (instance.eis().len(), instance.ceis().len());
        let mut left = vec![ChrononsLeft::default(); ceis];
        for ei in instance.eis() {
            left[ei.cei as usize].sum += i64::from(ei.length());
        }
        Self {
            instance,
            chronon: 0,
            captured: vec![false; eis],
            captured_of: vec![0; ceis],
            left,
            dead: vec![false; ceis],
            active: Vec::new(),
            started: vec![Vec::new(); instance.numbers().len()],
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
        let (captured, dead, left) = (&self.captured, &mut self.dead, &mut self.left);
        self.active.retain(|&Active { ei, cei, finish, .. }| {
            if captured[ei as usize] {
                return false;
            }
            if finish < chronon {
                dead[cei as usize] = true;
                left[cei as usize].ends(finish);
            }
            finish >= chronon
        });
        while let Some(&ei) = instance.by_start.get(self.next) {
            let Ei { cei, source, start, finish } = instance.eis[ei as usize];
            if start > chronon {
                break;
            }
            self.next += 1;
            let profile = instance.ceis[cei as usize].profile;
            let rank = instance.profiles[profile as usize].rank;
            self.active.push(Active { ei, cei, source, start, finish, rank });
            self.left[cei as usize].opens(start);
            self.started[source as usize].push(ei);
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

    /// Probes these sources: every active EI of theirs is captured. Amortised O(1) per EI.
    pub fn apply(&mut self, picks: &[u32]) {
        for &source in picks {
            for ei in self.started[source as usize].drain(..) {
                let Ei { cei, finish, .. } = self.instance.eis[ei as usize];
                if finish < self.chronon {
                    continue;
                }
                self.captured[ei as usize] = true;
                self.left[cei as usize].ends(finish);
                let (whole, count) =
                    (&self.instance.ceis[cei as usize], &mut self.captured_of[cei as usize]);
                *count += 1;
                if *count == whole.size() {
                    self.value += whole.utility;
                }
            }
        }
    }

    /// Uncaptured active EIs, as indices, dead CEIs' included; by start.
    pub fn active(&self) -> impl Iterator<Item = u32> {
        self.active.iter().map(|active| active.ei)
    }

    /// The same, with what is needed most.
    pub(crate) fn live(&self) -> &[Active] {
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

    /// Chronons left of all its uncaptured EIs: of an active one from now on, of a future one its
    /// full length.
    #[must_use]
    pub fn chronons_left_of(&self, cei: u32) -> i64 {
        let ChrononsLeft { sum, open } = self.left[cei as usize];
        sum - i64::from(open) * i64::from(self.chronon)
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
