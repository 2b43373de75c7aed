//! The EIs that may still be captured, by source and by CEI.
//!
//! A CEI is captured when each of its EIs is; when one is missed the rest is void and dropped. An
//! EI waits for its start, is open until its finish, and is over; only the turns of time are kept
//! in order ([`Radix`]), everything else is a list through the entries themselves.

use crate::CeiId;
use crate::radix::Radix;
use crate::urgency::Urgency;
use chronon::{Instant, Span};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// No entry.
const NIL: u32 = u32::MAX;
/// So many entries that are over, beyond as many as are live, are swept at once.
const SWEPT_FROM: usize = 1_024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Open,
    /// Captured, missed or dropped; its place is free once time has come to it.
    Over,
}

/// One EI: 48 bytes.
#[derive(Debug, Clone)]
pub(crate) struct Ei {
    cei: CeiId,
    pub(crate) start: Instant,
    pub(crate) finish: Instant,
    pub(crate) utility: f32,
    /// EIs of its CEI not captured yet, itself included.
    pub(crate) missing: u8,
    stage: Stage,
    /// Slot of its source.
    source: u32,
    /// Neighbours in the list of its source and stage.
    next: u32,
    previous: u32,
    /// The next of its CEI, in a ring.
    sibling: u32,
}

/// Heads of the two lists of one source.
#[derive(Debug, Clone, Copy)]
struct Lists {
    waiting: u32,
    open: u32,
}

/// Every operation is O(log n) per EI it touches, and touches whole CEIs.
#[derive(Debug, Clone)]
pub(crate) struct Eis {
    entries: Vec<Ei>,
    free: Vec<u32>,
    lists: Vec<Lists>,
    /// A live EI of each CEI.
    ceis: HashTable<u32>,
    openings: Radix,
    finishes: Radix,
    live: usize,
    /// What an EI is worth, learned from how they end here.
    pub(crate) urgency: Urgency,
}

fn hash(cei: CeiId) -> u64 {
    let mut hasher = FxHasher::default();
    cei.hash(&mut hasher);
    hasher.finish()
}

impl Eis {
    pub(crate) fn new() -> Eis {
        Eis {
            entries: Vec::new(),
            free: Vec::new(),
            lists: Vec::new(),
            ceis: HashTable::new(),
            openings: Radix::new(),
            finishes: Radix::new(),
            live: 0,
            urgency: Urgency::new(),
        }
    }

    fn find(&self, cei: CeiId) -> Option<u32> {
        self.ceis.find(hash(cei), |&at| self.entries[at as usize].cei == cei).copied()
    }

    /// EIs that wait or are open.
    #[cfg(test)]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// One more EI, of a new CEI or of one that has live EIs. Those whose worth changed by it are
    /// appended to `touched`. `start` must not lie after `finish`.
    pub(crate) fn add(&mut self, cei: CeiId, ei: NewEi, touched: &mut Vec<u32>) {
        if self.lists.len() <= ei.source as usize {
            self.lists.resize(ei.source as usize + 1, Lists { waiting: NIL, open: NIL });
        }
        let sibling = self.find(cei);
        let missing = sibling.map_or(1, |at| self.entries[at as usize].missing.saturating_add(1));
        let entry = Ei {
            cei,
            start: ei.start,
            finish: ei.finish,
            utility: ei.utility,
            missing,
            stage: Stage::Waiting,
            source: ei.source,
            next: NIL,
            previous: NIL,
            sibling: NIL,
        };
        let at = match self.free.pop() {
            Some(at) => {
                self.entries[at as usize] = entry;
                at
            }
            None => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
        };
        match sibling {
            None => {
                self.entries[at as usize].sibling = at;
                let entries = &self.entries;
                let rehash = |&at: &u32| hash(entries[at as usize].cei);
                self.ceis.insert_unique(hash(cei), at, rehash);
            }
            Some(other) => {
                let next = std::mem::replace(&mut self.entries[other as usize].sibling, at);
                self.entries[at as usize].sibling = next;
                self.count(other, missing, touched);
            }
        }
        self.live += 1;
        self.link(at);
        self.openings.push(ei.opens, at);
    }

    /// Everybody in the ring of `at` misses so many.
    fn count(&mut self, at: u32, missing: u8, touched: &mut Vec<u32>) {
        let mut other = at;
        loop {
            let entry = &mut self.entries[other as usize];
            entry.missing = missing;
            if entry.stage == Stage::Open {
                touched.push(entry.source);
            }
            other = entry.sibling;
            if other == at {
                return;
            }
        }
    }

    /// Opens one EI that has begun by `now`; its source.
    pub(crate) fn open_one(&mut self, now: Instant) -> Option<u32> {
        loop {
            let at = self.openings.pop(now)?;
            match self.entries[at as usize].stage {
                Stage::Waiting => {
                    self.unlink(at);
                    let entry = &mut self.entries[at as usize];
                    entry.stage = Stage::Open;
                    self.link(at);
                    let entry = &self.entries[at as usize];
                    self.finishes.push(entry.finish, at);
                    return Some(entry.source);
                }
                Stage::Open | Stage::Over => self.free.push(at),
            }
        }
    }

    /// Ends one EI whose finish lies before `now`; it and what was left of its CEI are lost, and
    /// their sources are appended to `touched`. `false` if there was none.
    pub(crate) fn expire_one(&mut self, now: Instant, touched: &mut Vec<u32>) -> bool {
        let before = Instant::from_millis(now.as_millis().saturating_sub(1));
        loop {
            let Some(at) = self.finishes.pop(before) else { return false };
            self.free.push(at);
            let &Ei { stage, cei, .. } = &self.entries[at as usize];
            if stage == Stage::Open {
                self.urgency.lost();
                self.end_cei(cei, touched);
                return true;
            }
        }
    }

    /// The CEI is no longer wanted: its EIs are gone, their sources are appended to `touched`.
    pub(crate) fn drop_cei(&mut self, cei: CeiId, touched: &mut Vec<u32>) {
        self.end_cei(cei, touched);
        self.sweep();
    }

    fn end_cei(&mut self, cei: CeiId, touched: &mut Vec<u32>) {
        let Some(first) = self.take(cei) else { return };
        let mut at = first;
        loop {
            let entry = &self.entries[at as usize];
            let (next, source) = (entry.sibling, entry.source);
            self.end(at);
            touched.push(source);
            at = next;
            if at == first {
                break;
            }
        }
    }

    fn take(&mut self, cei: CeiId) -> Option<u32> {
        let entries = &self.entries;
        let found = self.ceis.find_entry(hash(cei), |&at| entries[at as usize].cei == cei);
        found.ok().map(|found| found.remove().0)
    }

    /// Takes an entry out of its source's list; its place stays until time comes to it.
    fn end(&mut self, at: u32) {
        self.unlink(at);
        self.entries[at as usize].stage = Stage::Over;
        self.live -= 1;
    }

    /// The source is watched no more: its EIs, and hence their CEIs, are gone.
    pub(crate) fn forget(&mut self, source: u32, touched: &mut Vec<u32>) {
        let head = |eis: &Eis| {
            let lists = eis.lists.get(source as usize)?;
            [lists.open, lists.waiting].into_iter().find(|&at| at != NIL)
        };
        while let Some(at) = head(self) {
            self.drop_cei(self.entries[at as usize].cei, touched);
        }
    }

    /// A probe of `source` that started at `start` succeeded: what holds that time is captured.
    /// Sources whose EIs gained by it are appended to `touched`.
    pub(crate) fn capture(&mut self, (source, start): (u32, Instant), touched: &mut Vec<u32>) {
        let Some(&lists) = self.lists.get(source as usize) else { return };
        for head in [lists.open, lists.waiting] {
            let mut at = head;
            while at != NIL {
                let entry = &self.entries[at as usize];
                let next = entry.next;
                if entry.start <= start && start <= entry.finish {
                    self.capture_one(at, touched);
                }
                at = next;
            }
        }
        self.sweep();
    }

    fn capture_one(&mut self, at: u32, touched: &mut Vec<u32>) {
        let &Ei { cei, missing, sibling, .. } = &self.entries[at as usize];
        self.urgency.captured();
        self.end(at);
        if sibling == at {
            self.take(cei);
            return;
        }
        let mut before = sibling;
        while self.entries[before as usize].sibling != at {
            before = self.entries[before as usize].sibling;
        }
        self.entries[before as usize].sibling = sibling;
        let entries = &self.entries;
        if let Some(found) = self.ceis.find_mut(hash(cei), |&at| entries[at as usize].cei == cei) {
            *found = sibling;
        }
        self.count(sibling, missing.saturating_sub(1), touched);
    }

    /// The open EIs of `source`, the newest first.
    pub(crate) fn open(&self, source: u32) -> impl Iterator<Item = &Ei> {
        self.list(source, |lists| lists.open)
    }

    /// The EIs of `source` that wait for their start, the newest first.
    pub(crate) fn waiting(&self, source: u32) -> impl Iterator<Item = &Ei> {
        self.list(source, |lists| lists.waiting)
    }

    fn list(&self, source: u32, head: impl Fn(&Lists) -> u32) -> impl Iterator<Item = &Ei> {
        let mut at = self.lists.get(source as usize).map_or(NIL, head);
        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.next;
            Some(entry)
        })
    }

    /// When the next EI may open.
    pub(crate) fn next_opening(&self) -> Option<Instant> {
        self.openings.first()
    }

    /// When the next EI may be over: one millisecond after its finish.
    pub(crate) fn next_end(&self) -> Option<Instant> {
        self.finishes.first().map(|finish| finish + Span::from_millis(1))
    }

    fn link(&mut self, at: u32) {
        let entry = &self.entries[at as usize];
        let lists = &mut self.lists[entry.source as usize];
        let head = match entry.stage {
            Stage::Waiting => &mut lists.waiting,
            Stage::Open | Stage::Over => &mut lists.open,
        };
        let next = std::mem::replace(head, at);
        (self.entries[at as usize].next, self.entries[at as usize].previous) = (next, NIL);
        if next != NIL {
            self.entries[next as usize].previous = at;
        }
    }

    fn unlink(&mut self, at: u32) {
        let &Ei { next, previous, source, stage, .. } = &self.entries[at as usize];
        if previous != NIL {
            self.entries[previous as usize].next = next;
        } else {
            let lists = &mut self.lists[source as usize];
            match stage {
                Stage::Waiting => lists.waiting = next,
                Stage::Open | Stage::Over => lists.open = next,
            }
        }
        if next != NIL {
            self.entries[next as usize].previous = previous;
        }
    }

    /// Frees what is over before its time has come, once there is more of it than of the rest.
    fn sweep(&mut self) {
        let over = self.entries.len() - self.free.len() - self.live;
        if over < self.live + SWEPT_FROM {
            return;
        }
        let entries = &self.entries;
        let free = &mut self.free;
        for heap in [&mut self.openings, &mut self.finishes] {
            heap.retain(|at| {
                let over = entries[at as usize].stage == Stage::Over;
                if over {
                    free.push(at);
                }
                !over
            });
        }
    }
}

/// An EI to add.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewEi {
    /// Slot of its source.
    pub(crate) source: u32,
    pub(crate) start: Instant,
    /// From when it is worth a probe: the first start of a chronon inside, or, when it is shorter
    /// than a chronon and lies between two starts, its own start.
    pub(crate) opens: Instant,
    pub(crate) finish: Instant,
    pub(crate) utility: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Instant {
        Instant::from_millis(seconds * 1_000)
    }

    fn ei(source: u32, start: i64, finish: i64) -> NewEi {
        NewEi { source, start: at(start), opens: at(start), finish: at(finish), utility: 1.0 }
    }

    fn pass(eis: &mut Eis, now: i64) -> Vec<u32> {
        let mut touched = Vec::new();
        while eis.expire_one(at(now), &mut touched) {}
        while let Some(source) = eis.open_one(at(now)) {
            touched.push(source);
        }
        touched
    }

    #[test]
    fn an_ei_opens_at_its_start_and_is_lost_after_its_finish() {
        let mut eis = Eis::new();
        eis.add(CeiId(1), ei(0, 5, 9), &mut Vec::new());
        assert_eq!(
            (pass(&mut eis, 4), eis.open(0).count(), eis.waiting(0).count()),
            (vec![], 0, 1)
        );
        assert_eq!(
            (pass(&mut eis, 5), eis.open(0).count(), eis.waiting(0).count()),
            (vec![0], 1, 0)
        );
        assert_eq!((pass(&mut eis, 9), eis.open(0).count()), (vec![], 1));
        assert_eq!((pass(&mut eis, 10), eis.open(0).count(), eis.live()), (vec![0], 0, 0));
    }

    #[test]
    fn a_captured_ei_leaves_less_missing_and_a_missed_one_voids_the_rest() {
        let (mut eis, mut touched) = (Eis::new(), Vec::new());
        for source in 0..3 {
            eis.add(CeiId(1), ei(source, 0, 10 * (1 + i64::from(source))), &mut touched);
        }
        pass(&mut eis, 0);
        let missing = |eis: &Eis, source| eis.open(source).map(|ei| ei.missing).max();
        assert_eq!([0, 1, 2].map(|source| missing(&eis, source)), [Some(3); 3]);
        eis.capture((1, at(3)), &mut touched);
        assert_eq!([0, 1, 2].map(|source| missing(&eis, source)), [Some(2), None, Some(2)]);
        assert_eq!(pass(&mut eis, 11), [0, 2], "the first finished uncaptured");
        assert_eq!(eis.live(), 0);
    }

    #[test]
    fn only_what_holds_the_start_of_the_probe_is_captured() {
        let mut eis = Eis::new();
        for (cei, (start, finish)) in [(0, 4), (0, 10), (8, 12)].into_iter().enumerate() {
            eis.add(CeiId(cei as u64), ei(7, start, finish), &mut Vec::new());
        }
        pass(&mut eis, 0);
        eis.capture((7, at(6)), &mut Vec::new());
        let left: Vec<_> = eis.open(7).chain(eis.waiting(7)).map(|ei| ei.finish).collect();
        assert_eq!(left, [at(4), at(12)]);
    }

    #[test]
    fn ceis_that_come_and_go_before_their_time_take_no_more_room() {
        let mut eis = Eis::new();
        for round in 0..100_000 {
            eis.add(CeiId(round), ei(0, 1_000_000, 1_000_001), &mut Vec::new());
            eis.drop_cei(CeiId(round), &mut Vec::new());
        }
        assert!(eis.entries.len() <= 2 * SWEPT_FROM, "{}", eis.entries.len());
    }
}
