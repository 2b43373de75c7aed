//! The EIs that may still be captured.

use crate::grid::Grid;
use crate::{CeiId, EiId};
use chronon::{Instant, SourceId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) cei: CeiId,
    pub(crate) source: SourceId,
    pub(crate) start: Instant,
    pub(crate) finish: Instant,
}

impl Window {
    /// From when it is worth a probe: the first start of a chronon inside, or, when it is shorter
    /// than a chronon and lies between two starts, its own start.
    pub(crate) fn opens(&self, grid: Grid) -> Instant {
        let up = grid.up(self.start);
        if up <= self.finish { up } else { self.start }
    }

    pub(crate) fn holds(&self, at: Instant) -> bool {
        self.start <= at && at <= self.finish
    }
}

/// Every operation is O(log n) per EI it touches.
#[derive(Debug, Clone)]
pub(crate) struct Windows {
    grid: Grid,
    all: FxHashMap<EiId, Window>,
    /// By source and opening.
    pending: BTreeSet<(SourceId, Instant, EiId)>,
    /// By source and finish.
    open: BTreeSet<(SourceId, Instant, EiId)>,
    finishes: BTreeSet<(Instant, EiId)>,
    members: BTreeSet<(CeiId, EiId)>,
}

const FIRST: (Instant, EiId) = (Instant::from_millis(i64::MIN), EiId(0));
const LAST: (Instant, EiId) = (Instant::NEVER, EiId(u64::MAX));

impl Windows {
    pub(crate) fn new(grid: Grid) -> Windows {
        Windows {
            grid,
            all: FxHashMap::default(),
            pending: BTreeSet::new(),
            open: BTreeSet::new(),
            finishes: BTreeSet::new(),
            members: BTreeSet::new(),
        }
    }

    /// `false`, and nothing done, if the id is taken.
    pub(crate) fn add(&mut self, ei: EiId, window: Window) -> bool {
        if self.all.contains_key(&ei) {
            return false;
        }
        self.all.insert(ei, window);
        self.pending.insert((window.source, window.opens(self.grid), ei));
        self.finishes.insert((window.finish, ei));
        self.members.insert((window.cei, ei));
        true
    }

    fn remove(&mut self, ei: EiId) -> Option<Window> {
        let window = self.all.remove(&ei)?;
        self.pending.remove(&(window.source, window.opens(self.grid), ei));
        self.open.remove(&(window.source, window.finish, ei));
        self.finishes.remove(&(window.finish, ei));
        self.members.remove(&(window.cei, ei));
        Some(window)
    }

    /// Drops one EI that ended before `now`; its source.
    pub(crate) fn expire_one(&mut self, now: Instant) -> Option<SourceId> {
        let &(finish, ei) = self.finishes.first()?;
        if finish >= now {
            return None;
        }
        self.remove(ei).map(|window| window.source)
    }

    /// Drops one EI of the CEI; its source.
    pub(crate) fn drop_one(&mut self, cei: CeiId) -> Option<SourceId> {
        let &(_, ei) = self.members.range((cei, EiId(0))..=(cei, EiId(u64::MAX))).next()?;
        self.remove(ei).map(|window| window.source)
    }

    pub(crate) fn forget(&mut self, source: SourceId) {
        let mut gone: Vec<EiId> = of(&self.pending, source).map(|&(_, _, ei)| ei).collect();
        gone.extend(of(&self.open, source).map(|&(_, _, ei)| ei));
        for ei in gone {
            self.remove(ei);
        }
    }

    /// A probe that started at `start` succeeded: what it captured is done.
    pub(crate) fn capture(&mut self, source: SourceId, start: Instant) {
        let until = (source, self.grid.up(start), EiId(u64::MAX));
        let pending = self.pending.range((source, FIRST.0, FIRST.1)..=until);
        let open = self.open.range((source, start, EiId(0))..=(source, LAST.0, LAST.1));
        let captured: Vec<EiId> = pending
            .chain(open)
            .map(|&(_, _, ei)| ei)
            .filter(|ei| self.all[ei].holds(start))
            .collect();
        for ei in captured {
            self.remove(ei);
        }
    }

    /// Opens what has opened on `source` by `now`.
    pub(crate) fn open(&mut self, source: SourceId, now: Instant) {
        while let Some((_, opens, ei)) = of(&self.pending, source).next().copied() {
            if opens > now {
                return;
            }
            self.pending.remove(&(source, opens, ei));
            self.open.insert((source, self.all[&ei].finish, ei));
        }
    }

    /// The earliest finish of the open EIs of `source`, as of the last [`Windows::open`].
    pub(crate) fn finish(&self, source: SourceId) -> Option<Instant> {
        of(&self.open, source).next().map(|&(_, finish, _)| finish)
    }

    /// When the open EI of `source` that ends first opened, and its finish.
    pub(crate) fn opened(&self, source: SourceId) -> Option<(Instant, Instant)> {
        let &(_, finish, ei) = of(&self.open, source).next()?;
        Some((self.all[&ei].opens(self.grid), finish))
    }

    /// When the next EI of `source` opens, and its finish.
    pub(crate) fn opening(&self, source: SourceId) -> Option<(Instant, Instant)> {
        of(&self.pending, source).next().map(|&(_, opens, ei)| (opens, self.all[&ei].finish))
    }
}

fn of(
    set: &BTreeSet<(SourceId, Instant, EiId)>,
    source: SourceId,
) -> std::collections::btree_set::Range<'_, (SourceId, Instant, EiId)> {
    set.range((source, FIRST.0, FIRST.1)..=(source, LAST.0, LAST.1))
}
