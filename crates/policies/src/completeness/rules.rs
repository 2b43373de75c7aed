//! The papers' three rules: the smallest value is captured first.

use super::instance::Ei;
use super::state::{Active, OnlinePolicy, State};
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

/// One of the papers' rules. O(candidates + picks · log candidates) a chronon.
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

    /// The rule's value of an active uncaptured EI.
    #[must_use]
    pub fn value(&self, state: &State<'_>, ei: usize) -> i64 {
        let Ei { cei, finish, .. } = state.instance.eis[ei];
        let profile = state.instance.ceis[cei as usize].profile;
        let rank = state.instance.profiles[profile as usize].rank;
        self.value_of(state, Rated { cei, finish, rank })
    }

    fn value_of(&self, state: &State<'_>, rated: Rated) -> i64 {
        let Rated { cei, finish, rank } = rated;
        match self.kind {
            Kind::SEdf => i64::from(finish) - i64::from(state.chronon) + 1,
            Kind::Mrsf => i64::from(rank) - i64::from(state.captured_of(cei)),
            Kind::MEdf => state.chronons_left_of(cei),
        }
    }
}

/// What the rules look at of an EI: its CEI, its last chronon, and its profile's rank.
#[derive(Debug, Clone, Copy)]
struct Rated {
    cei: u32,
    finish: u32,
    rank: u32,
}

impl OnlinePolicy for Rule {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        let mut keys = core::mem::take(&mut self.heap);
        keys.clear();
        for &Active { ei, cei, finish, rank, .. } in state.live() {
            if self.dead == DeadCeis::Drop && state.is_dead(cei) {
                continue;
            }
            let waits = self.preemption == Preemption::Off && state.captured_of(cei) == 0;
            let value = self.value_of(state, Rated { cei, finish, rank });
            keys.push(Reverse((waits, value, finish, ei)));
        }
        let mut heap = BinaryHeap::from(keys);
        let source = |Reverse(key): Reverse<Key>| state.instance.eis[key.3 as usize].source;
        state.pick(core::iter::from_fn(|| heap.pop().map(source)), picks);
        self.heap = heap.into_vec();
    }
}
