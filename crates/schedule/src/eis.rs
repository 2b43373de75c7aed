//! The EIs that may still be captured, by source and by CEI.
//!
//! A CEI is captured when each of its EIs is; when one is missed the rest is void and dropped. An
//! EI waits for its start, is open until its finish, and is over; only the turns of time are kept
//! in order ([`Radix`]). With 10^6 of them time goes into fetching memory. What the worth of a
//! source's EIs depends on therefore lies in one piece ([`Rows`]), and the rest in one entry per
//! EI. Where many are handled at once they are looked up first, so that fetches overlap.

use crate::CeiId;
use crate::grid::Grid;
use crate::radix::{Radix, Room};
use crate::rows::{ENTRIES_MAX, Row, Rows};
use crate::urgency::Urgency;
use chronon::Instant;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::hint::black_box;

/// Turns of EIs that are over are kept up to this many, however few are live.
const SWEPT_FROM: usize = 1_024;
/// Most EIs that live at once: their rows have no more room.
const EIS_MAX: u32 = ENTRIES_MAX;
/// Most EIs of one CEI that are not captured yet: each is looked at when one of them comes or goes.
pub const CEI_EIS_MAX: u16 = 1_024;
/// No entry.
const NIL: u32 = u32::MAX;
/// Chronons that a finish is told apart ahead.
const AHEAD_MAX: i64 = i32::MAX as i64;

/// One EI: 36 bytes, and 4 for its number.
#[derive(Debug, Clone)]
pub(crate) struct LiveEi {
    cei: Halves,
    start: Halves,
    finish: Halves,
    /// Slot of its source, and its place in the row of that.
    source: u32,
    place: u32,
    /// The next of its CEI, in a ring.
    sibling: u32,
}

/// 64 bits that may lie where 32 may: low, high.
type Halves = [u32; 2];

fn halves(bits: u64) -> Halves {
    [bits as u32, (bits >> 32) as u32]
}

fn whole([low, high]: Halves) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

impl LiveEi {
    fn cei(&self) -> CeiId {
        CeiId(whole(self.cei))
    }

    pub(crate) fn start(&self) -> Instant {
        Instant::from_millis(whole(self.start).cast_signed())
    }

    pub(crate) fn finish(&self) -> Instant {
        Instant::from_millis(whole(self.finish).cast_signed())
    }
}

/// What the worth of an EI depends on: 16 bytes, beside the others of its source.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stake {
    ei: u32,
    /// The chronon of its finish, modulo 2^32.
    due: u32,
    pub(crate) utility: f32,
    /// EIs of its CEI not captured yet, itself included.
    pub(crate) missing: u16,
    /// The CEI is known by this one.
    known: bool,
}

impl Stake {
    /// Chronons left after the one that `now` is modulo 2^32, at least 0. Who ends later than
    /// 2^31 chronons after it came counts as if it ended then.
    pub(crate) fn slack(&self, now: u32) -> u32 {
        self.due.wrapping_sub(now).cast_signed().max(0).cast_unsigned()
    }
}

/// The EIs of one source: first those that are open, then those that wait.
#[derive(Debug, Clone, Copy, Default)]
struct Home {
    row: Row,
    open: u32,
}

/// An EI in the turns of time: its entry, and its number there.
type TimeTurn = (u32, u32);

/// Every operation is O(log n) per EI it touches, and touches whole CEIs.
#[derive(Debug, Clone)]
pub(crate) struct Eis {
    grid: Grid,
    entries: Vec<LiveEi>,
    /// Which EI each is of those that had its entry; odd while it lives. They lie apart, for most
    /// turns are of EIs that are over, and ask for no more.
    numbers: Vec<u32>,
    /// The first entry that is free: the next follows as its sibling.
    free: u32,
    homes: Vec<Home>,
    stakes: Rows<Stake>,
    /// A live EI of each CEI.
    ceis: HashTable<u32>,
    turns: Room<TimeTurn>,
    openings: Radix<TimeTurn>,
    finishes: Radix<TimeTurn>,
    live: usize,
    /// How many may live.
    most: u32,
    /// How many of them are open.
    open: usize,
    /// Room for those that are handled at once.
    batch: Vec<TimeTurn>,
    captured: Vec<u32>,
    /// What an EI is worth, learned from how they end here.
    pub(crate) urgency: Urgency,
}

fn hash(cei: CeiId) -> u64 {
    let mut hasher = FxHasher::default();
    cei.hash(&mut hasher);
    hasher.finish()
}

impl Eis {
    pub(crate) fn new(grid: Grid) -> Eis {
        Eis {
            grid,
            entries: Vec::new(),
            numbers: Vec::new(),
            free: NIL,
            homes: Vec::new(),
            stakes: Rows::new(),
            ceis: HashTable::new(),
            turns: Room::new(),
            openings: Radix::new(),
            finishes: Radix::new(),
            live: 0,
            most: EIS_MAX,
            open: 0,
            batch: Vec::new(),
            captured: Vec::new(),
            urgency: Urgency::new(),
        }
    }

    fn find(&self, cei: CeiId) -> Option<u32> {
        self.ceis.find(hash(cei), |&at| self.entries[at as usize].cei() == cei).copied()
    }

    fn stake(&self, at: u32) -> &Stake {
        let &LiveEi { source, place, .. } = &self.entries[at as usize];
        &self.stakes.of(self.homes[source as usize].row)[place as usize]
    }

    fn stake_mut(&mut self, at: u32) -> &mut Stake {
        let &LiveEi { source, place, .. } = &self.entries[at as usize];
        &mut self.stakes.of_mut(self.homes[source as usize].row)[place as usize]
    }

    fn home(&self, source: u32) -> Home {
        self.homes.get(source as usize).copied().unwrap_or_default()
    }

    /// EIs that wait or are open.
    #[cfg(test)]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// One more EI, of a new CEI or of one that has live EIs; whether there is room for it. Those
    /// whose worth changed by it are appended to `touched`. `start` must not lie after `finish`.
    pub(crate) fn add(&mut self, cei: CeiId, ei: NewEi, touched: &mut Vec<u32>) -> bool {
        let sibling = self.find(cei);
        let full = sibling.is_some_and(|other| self.stake(other).missing >= CEI_EIS_MAX);
        if full || self.live >= self.most as usize {
            return false;
        }
        if self.homes.len() <= ei.source as usize {
            self.homes.resize(ei.source as usize + 1, Home::default());
        }
        let at = self.enter(cei, &ei);
        let opens = self.opens(at).max(ei.now);
        let ahead = self.grid.index(ei.finish).saturating_sub(self.grid.index(opens));
        let due = self.grid.index(opens).wrapping_add(ahead.clamp(0, AHEAD_MAX)) as u32;
        let stake =
            Stake { ei: at, due, utility: ei.utility, missing: 1, known: sibling.is_none() };
        self.stakes.push(&mut self.homes[ei.source as usize].row, stake);
        match sibling {
            None => {
                let entries = &self.entries;
                let rehash = |&at: &u32| hash(entries[at as usize].cei());
                self.ceis.insert_unique(hash(cei), at, rehash);
            }
            Some(other) => {
                let next = std::mem::replace(&mut self.entries[other as usize].sibling, at);
                self.entries[at as usize].sibling = next;
                let missing = self.stake(other).missing;
                self.count(other, missing + 1, touched);
            }
        }
        self.live += 1;
        if self.stakes.is_loose() {
            self.stakes.pack(self.homes.iter_mut().map(|home| &mut home.row));
        }
        let number = self.numbers[at as usize];
        self.openings.push(&mut self.turns, ei.now.as_millis(), opens.as_millis(), (at, number));
        true
    }

    /// A new entry, at the end of its source's row, alone in its ring.
    fn enter(&mut self, cei: CeiId, ei: &NewEi) -> u32 {
        let &NewEi { source, start, finish, .. } = ei;
        let place = self.homes[source as usize].row.len();
        let [start, finish] = [start, finish].map(|at| halves(at.as_millis().cast_unsigned()));
        let entry = LiveEi { cei: halves(cei.0), start, finish, source, place, sibling: 0 };
        let at = match self.free {
            NIL => {
                self.entries.push(entry);
                self.numbers.push(1);
                (self.entries.len() - 1) as u32
            }
            at => {
                self.free = std::mem::replace(&mut self.entries[at as usize], entry).sibling;
                self.numbers[at as usize] = self.numbers[at as usize].wrapping_add(1);
                at
            }
        };
        self.entries[at as usize].sibling = at;
        at
    }

    /// Notes that every EI in the ring of `at` misses `missing`; the sources of the
    /// open ones are appended to `touched`.
    fn count(&mut self, at: u32, missing: u16, touched: &mut Vec<u32>) {
        let mut other = at;
        loop {
            let &LiveEi { source, place, sibling, .. } = &self.entries[other as usize];
            let home = self.homes[source as usize];
            self.stakes.of_mut(home.row)[place as usize].missing = missing;
            if place < home.open {
                touched.push(source);
            }
            other = sibling;
            if other == at {
                return;
            }
        }
    }

    /// Opens the EIs that have begun by `now`; their sources are appended to `touched`.
    pub(crate) fn open_due(&mut self, now: Instant, touched: &mut Vec<u32>) {
        let mut batch = std::mem::take(&mut self.batch);
        while let Some(turn) = self.openings.pop(&mut self.turns, now.as_millis()) {
            batch.push(turn);
        }
        batch.retain(|turn| self.lives(*turn));
        black_box(batch.iter().fold(0, |sum, turn| sum ^ self.stake(turn.0).due));
        for &(at, number) in &batch {
            let opens = self.opens(at);
            if opens > now {
                self.openings.push(
                    &mut self.turns,
                    now.as_millis(),
                    opens.as_millis(),
                    (at, number),
                );
                continue;
            }
            let entry = &self.entries[at as usize];
            let (source, place, finish) = (entry.source, entry.place, entry.finish());
            let home = &mut self.homes[source as usize];
            let first = home.open;
            home.open += 1;
            self.open += 1;
            self.swap(source, place, first);
            self.finishes.push(&mut self.turns, now.as_millis(), finish.as_millis(), (at, number));
            touched.push(source);
        }
        batch.clear();
        self.batch = batch;
    }

    /// From when an EI is worth a probe: the first start of a chronon inside, or, when it is
    /// shorter than a chronon and lies between two starts, its own start.
    fn opens(&self, at: u32) -> Instant {
        let entry = &self.entries[at as usize];
        let (start, finish) = (entry.start(), entry.finish());
        let up = self.grid.up(start);
        if up <= finish { up } else { start }
    }

    fn lives(&self, (at, number): TimeTurn) -> bool {
        self.numbers[at as usize] == number
    }

    /// Swaps two places in the row of a source.
    fn swap(&mut self, source: u32, a: u32, b: u32) {
        if a == b {
            return;
        }
        let row = self.stakes.of_mut(self.homes[source as usize].row);
        row.swap(a as usize, b as usize);
        self.entries[row[a as usize].ei as usize].place = a;
        self.entries[row[b as usize].ei as usize].place = b;
    }

    /// Ends the EIs whose finish lies before `now`; they and what was left of their CEIs are lost,
    /// and their sources are appended to `touched`.
    pub(crate) fn expire(&mut self, now: Instant, touched: &mut Vec<u32>) {
        let before = now.as_millis().saturating_sub(1);
        let mut batch = std::mem::take(&mut self.batch);
        while let Some(turn) = self.finishes.pop(&mut self.turns, before) {
            batch.push(turn);
        }
        batch.retain(|turn| self.lives(*turn));
        for &turn in &batch {
            // It may have ended with one before it.
            if !self.lives(turn) {
                continue;
            }
            let entry = &self.entries[turn.0 as usize];
            let (finish, cei) = (entry.finish(), entry.cei());
            if finish >= now {
                self.finishes.push(&mut self.turns, before, finish.as_millis(), turn);
                continue;
            }
            self.urgency.lost();
            self.end_cei(cei, touched);
        }
        batch.clear();
        self.batch = batch;
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
            let &LiveEi { sibling, source, .. } = &self.entries[at as usize];
            self.end(at);
            touched.push(source);
            at = sibling;
            if at == first {
                break;
            }
        }
    }

    fn take(&mut self, cei: CeiId) -> Option<u32> {
        let entries = &self.entries;
        let found = self.ceis.find_entry(hash(cei), |&at| entries[at as usize].cei() == cei);
        found.ok().map(|found| found.remove().0)
    }

    /// Takes an EI out of its source's row; its entry is free.
    fn end(&mut self, at: u32) {
        let &LiveEi { source, mut place, .. } = &self.entries[at as usize];
        let home = &mut self.homes[source as usize];
        if place < home.open {
            home.open -= 1;
            self.open -= 1;
            let last = home.open;
            self.swap(source, place, last);
            place = last;
        }
        let last = self.homes[source as usize].row.len() - 1;
        self.swap(source, place, last);
        self.stakes.pop(&mut self.homes[source as usize].row);
        let entry = &mut self.entries[at as usize];
        entry.sibling = std::mem::replace(&mut self.free, at);
        self.numbers[at as usize] = self.numbers[at as usize].wrapping_add(1);
        self.live -= 1;
    }

    /// The source is watched no more: its EIs, and hence their CEIs, are gone.
    pub(crate) fn forget(&mut self, source: u32, touched: &mut Vec<u32>) {
        while let Some(stake) = self.stakes.of(self.home(source).row).first() {
            self.drop_cei(self.entries[stake.ei as usize].cei(), touched);
        }
    }

    /// A probe of `source` that started at `start` succeeded: what holds that time is captured.
    /// Sources whose EIs gained by it are appended to `touched`.
    pub(crate) fn capture(&mut self, source: u32, start: Instant, touched: &mut Vec<u32>) {
        let mut captured = std::mem::take(&mut self.captured);
        let all = self.stakes.of(self.home(source).row).iter().map(|stake| stake.ei);
        captured.extend(all.filter(|&at| {
            let entry = &self.entries[at as usize];
            entry.start() <= start && start <= entry.finish()
        }));
        for &at in &captured {
            self.capture_one(at, touched);
        }
        captured.clear();
        self.captured = captured;
        self.sweep();
    }

    fn capture_one(&mut self, at: u32, touched: &mut Vec<u32>) {
        let (cei, sibling) = {
            let entry = &self.entries[at as usize];
            (entry.cei(), entry.sibling)
        };
        let &Stake { missing, known, .. } = self.stake(at);
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
        if known {
            let is = |&other: &u32| other == at;
            if let Some(found) = self.ceis.find_mut(hash(cei), is) {
                *found = sibling;
            }
            self.stake_mut(sibling).known = true;
        }
        self.count(sibling, missing.saturating_sub(1), touched);
    }

    /// What the worth of the open EIs of `source` depends on.
    pub(crate) fn stakes(&self, source: u32) -> &[Stake] {
        let home = self.home(source);
        &self.stakes.of(home.row)[..home.open as usize]
    }

    /// The open EIs of `source`.
    pub(crate) fn open(&self, source: u32) -> impl Iterator<Item = &LiveEi> {
        self.stakes(source).iter().map(|stake| &self.entries[stake.ei as usize])
    }

    /// The EIs of `source` that wait for their start.
    pub(crate) fn waiting(&self, source: u32) -> impl Iterator<Item = &LiveEi> {
        let home = self.home(source);
        let waiting = &self.stakes.of(home.row)[home.open as usize..];
        waiting.iter().map(|stake| &self.entries[stake.ei as usize])
    }

    /// Fetches the EIs of many sources at once: what they are does not matter.
    pub(crate) fn fetch(&self, sources: &[u32]) -> u32 {
        let rows = sources.iter().map(|&source| self.stakes(source));
        let ends = rows.filter_map(|row| Some(row.first()?.due ^ row.last()?.due));
        ends.fold(0, |sum, due| sum ^ due)
    }

    /// When the next EI may open.
    pub(crate) fn next_opening(&self) -> Option<Instant> {
        self.openings.first().map(Instant::from_millis)
    }

    /// When the next EI may be over: one millisecond after its finish.
    pub(crate) fn next_end(&self) -> Option<Instant> {
        self.finishes.first().map(|finish| Instant::from_millis(finish.saturating_add(1)))
    }

    /// Drops turns of EIs that are over before their time has come, once they are a quarter of
    /// those that live.
    fn sweep(&mut self) {
        let most = self.live / 4 + SWEPT_FROM;
        let of = [(&mut self.openings, self.live - self.open), (&mut self.finishes, self.open)];
        for (turns, live) in of {
            if turns.len() > live + most {
                let numbers = &self.numbers;
                turns.retain(&mut self.turns, |(at, number)| numbers[at as usize] == number);
            }
        }
    }
}

/// An EI to add.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewEi {
    /// Slot of its source.
    pub(crate) source: u32,
    pub(crate) start: Instant,
    pub(crate) finish: Instant,
    pub(crate) utility: f32,
    /// When it comes.
    pub(crate) now: Instant,
}

#[cfg(test)]
mod tests;
