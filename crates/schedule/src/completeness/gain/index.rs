//! `gain-index`: a probe is worth the sum of what its EIs are learned to be worth (THEORY section
//! 1, *index²*); a chronon costs what changes in it.

use super::super::state::{OnlinePolicy, State};
use super::board::{Board, Started};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Probes the sources whose EIs are worth most now, by [`Board`]. O(log) per start and end of an
/// EI and per probe.
#[derive(Debug, Clone, Default)]
pub struct Index {
    board: Option<Board>,
    /// EIs on the board, and some that are not any more, by source.
    own: Vec<Vec<u32>>,
    /// The same by finish.
    ends: BinaryHeap<Reverse<(u32, u32)>>,
    /// Place in the instance's EIs by start.
    next: usize,
    probed: Vec<u32>,
}

impl Index {
    /// Before the first chronon.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// What the probes of the chronon before captured.
fn harvest(board: &mut Board, own: &mut [Vec<u32>], probed: &[u32], state: &State<'_>) {
    let (instance, now) = (state.instance, state.chronon);
    for &source in probed {
        for ei in core::mem::take(&mut own[source as usize]) {
            if !board.has(ei) || !state.is_captured(ei as usize) {
                if board.has(ei) {
                    own[source as usize].push(ei);
                }
                continue;
            }
            board.captured(ei, now);
            let cei = instance.eis[ei as usize].cei;
            for sibling in instance.ceis[cei as usize].eis() {
                if board.has(sibling as u32) {
                    board.miss(sibling as u32, state.missing_of(cei), now);
                }
            }
        }
    }
}

/// What finished before the present chronon, and what begins in it.
fn pass(index: &mut Index, board: &mut Board, state: &State<'_>) {
    let (instance, now) = (state.instance, state.chronon);
    while let Some(&Reverse((finish, ei))) = index.ends.peek() {
        if finish >= now {
            break;
        }
        index.ends.pop();
        if !board.has(ei) {
            continue;
        }
        board.lost(ei, now);
        for sibling in instance.ceis[instance.eis[ei as usize].cei as usize].eis() {
            if board.has(sibling as u32) {
                board.dropped(sibling as u32, now);
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
        board.start(at, Started { source, utility, missing, finish }, now);
        index.own[source as usize].push(at);
        index.ends.push(Reverse((finish, at)));
    }
}

impl OnlinePolicy for Index {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        let instance = state.instance;
        let mut board = self.board.take().unwrap_or_else(|| Board::new(&instance.costs));
        self.own.resize(instance.numbers.len(), Vec::new());
        harvest(&mut board, &mut self.own, &self.probed, state);
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
