//! `gain-index`: a probe is worth the sum of what its EIs are learned to be worth (*index²* of
//! `docs/theory.md`, Completeness); a chronon costs what changes in it.

use super::super::state::{OnlinePolicy, State};
use super::board::{Board, StartedEi};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Probes the sources whose EIs are worth most now, by [`Board`]. O(log) per start and end of an
/// EI and per probe.
#[derive(Debug, Clone, Default)]
pub struct GainIndex {
    board: Option<Board>,
    places: Places,
    /// EIs on the board, and some that are not any more, by source.
    own: Vec<Vec<u32>>,
    /// The same by finish.
    ends: BinaryHeap<Reverse<(u32, u32)>>,
    /// Place in the instance's EIs by start.
    next: usize,
    probed: Vec<u32>,
}

impl GainIndex {
    /// Before the first chronon.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The board's small numbers of the instance's EIs, used again and again.
#[derive(Debug, Clone, Default)]
struct Places {
    /// By EI; `NOWHERE`: not on the board.
    of: Vec<u32>,
    free: Vec<u32>,
    used: u32,
}

const NOWHERE: u32 = u32::MAX;

impl Places {
    fn of(&self, ei: usize) -> Option<u32> {
        self.of.get(ei).copied().filter(|&place| place != NOWHERE)
    }

    fn take(&mut self, ei: usize) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        self.of.resize(self.of.len().max(ei + 1), NOWHERE);
        self.of[ei] = place;
        place
    }

    fn leave(&mut self, ei: usize) -> Option<u32> {
        let place = self.of(ei)?;
        self.of[ei] = NOWHERE;
        self.free.push(place);
        Some(place)
    }
}

/// What the probes of the chronon before captured.
fn harvest(index: &mut GainIndex, board: &mut Board, state: &State<'_>) {
    let (instance, now) = (state.instance, state.chronon);
    for &source in &index.probed {
        for ei in core::mem::take(&mut index.own[source as usize]) {
            if !state.is_captured(ei as usize) {
                if index.places.of(ei as usize).is_some() {
                    index.own[source as usize].push(ei);
                }
                continue;
            }
            let Some(place) = index.places.leave(ei as usize) else { continue };
            board.captured(place, now);
            let cei = instance.eis[ei as usize].cei;
            let siblings = instance.ceis[cei as usize].eis();
            for sibling in siblings.filter_map(|sibling| index.places.of(sibling)) {
                board.miss(sibling, state.missing_of(cei), now);
            }
        }
    }
}

/// What finished before the present chronon, and what begins in it.
fn pass(index: &mut GainIndex, board: &mut Board, state: &State<'_>) {
    let (instance, now) = (state.instance, state.chronon);
    while let Some(&Reverse((finish, ei))) = index.ends.peek() {
        if finish >= now {
            break;
        }
        index.ends.pop();
        let Some(place) = index.places.leave(ei as usize) else { continue };
        board.lost(place, now);
        let siblings = instance.ceis[instance.eis[ei as usize].cei as usize].eis();
        for sibling in siblings {
            if let Some(place) = index.places.leave(sibling) {
                board.dropped(place, now);
            }
        }
    }
    while let Some(&at) = instance.by_start.get(index.next) {
        let ei = instance.eis[at as usize];
        if ei.start > now {
            break;
        }
        index.next += 1;
        if state.is_dead(ei.cei) {
            continue;
        }
        let utility = instance.ceis[ei.cei as usize].utility;
        let (source, finish, missing) = (ei.source, ei.finish, state.missing_of(ei.cei));
        let started = StartedEi { source, utility, missing, finish };
        board.start(index.places.take(at as usize), started, now);
        index.own[source as usize].push(at);
        index.ends.push(Reverse((finish, at)));
    }
}

impl OnlinePolicy for GainIndex {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        let instance = state.instance;
        let mut board = self.board.take().unwrap_or_else(|| Board::new(&instance.costs));
        self.own.resize(instance.numbers.len(), Vec::new());
        harvest(self, &mut board, state);
        pass(self, &mut board, state);
        let mut hidden = Vec::new();
        let ranked = core::iter::from_fn(|| {
            let (source, _) = board.best(state.chronon)?;
            board.hide(source);
            hidden.push(source);
            Some(source)
        });
        state.pick(ranked, picks);
        board.settle(state.chronon);
        hidden.into_iter().for_each(|source| board.show(source));
        self.probed.clone_from(picks);
        self.board = Some(board);
    }
}
