//! The papers' three rules: the smallest value is captured first.

use super::state::{OnlinePolicy, State};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// What an EI is worth waiting for; smaller first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Single-interval earliest deadline first: chronons left of the EI.
    SEdf,
    /// Minimal residual stub first: rank of the profile less the captured EIs of the CEI.
    Mrsf,
    /// Multi-interval earliest deadline first: chronons left of all uncaptured EIs of the CEI, a
    /// future one counting its full length.
    MEdf,
}

/// Whether a CEI that has begun may be left for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preemption {
    /// It may.
    On,
    /// EIs of CEIs with an EI captured before this chronon come first.
    Off,
}

/// What becomes of the EIs of a CEI that can no longer be captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadCeis {
    /// They are no candidates.
    Drop,
    /// They stay candidates; a missed sibling counts 0 in M-EDF.
    Keep,
}

/// One of the papers' rules. O(candidates · rank + picks · log candidates) a chronon.
#[derive(Debug, Clone)]
pub struct Rule {
    /// What is compared.
    pub kind: Kind,
    /// Whether what has begun comes first.
    pub preemption: Preemption,
    /// Whether EIs of dead CEIs are candidates.
    pub dead: DeadCeis,
    heap: Vec<Reverse<Key>>,
}

/// Not begun (matters without preemption), value, finish, EI.
type Key = (bool, i64, u32, u32);

impl Rule {
    /// A rule.
    #[must_use]
    pub fn new(kind: Kind, preemption: Preemption, dead: DeadCeis) -> Self {
        Self { kind, preemption, dead, heap: Vec::new() }
    }

    /// The rule's value of an active uncaptured EI. M-EDF: O(size of the CEI).
    #[must_use]
    pub fn value(&self, state: &State<'_>, ei: usize) -> i64 {
        let instance = state.instance;
        let own = instance.eis[ei];
        match self.kind {
            Kind::SEdf => i64::from(own.finish - state.chronon) + 1,
            Kind::Mrsf => {
                let profile = instance.ceis[own.cei as usize].profile;
                i64::from(instance.profiles[profile as usize].rank)
                    - i64::from(state.captured_of(own.cei))
            }
            Kind::MEdf => {
                let open = instance.ceis[own.cei as usize].eis();
                open.filter(|&ei| !state.is_captured(ei)).map(|ei| chronons_left(state, ei)).sum()
            }
        }
    }
}

/// Chronons in which the EI can still be captured; 0 for one that was missed.
fn chronons_left(state: &State<'_>, ei: usize) -> i64 {
    let ei = state.instance.eis[ei];
    (i64::from(ei.finish) - i64::from(ei.start.max(state.chronon)) + 1).max(0)
}

impl OnlinePolicy for Rule {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        let mut keys = core::mem::take(&mut self.heap);
        keys.clear();
        for &at in state.active() {
            let ei = state.instance.eis[at as usize];
            if self.dead == DeadCeis::Drop && state.is_dead(ei.cei) {
                continue;
            }
            let waits = self.preemption == Preemption::Off && state.captured_of(ei.cei) == 0;
            keys.push(Reverse((waits, self.value(state, at as usize), ei.finish, at)));
        }
        let mut heap = BinaryHeap::from(keys);
        let source = |Reverse(key): Reverse<Key>| state.instance.eis[key.3 as usize].source;
        state.pick(core::iter::from_fn(|| heap.pop().map(source)), picks);
        self.heap = heap.into_vec();
    }
}
