//! Looks that redirects lead on: each waits for a token of the host it goes to.

use crate::scheduler::Head;
use crate::source::Lane;
use chronon::{Instant, SourceId};
use std::collections::{BTreeMap, BTreeSet};

/// Where a look is that is not under way at its source's own host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Picked; nobody is asked before it is said who.
    Nowhere,
    /// In a host's queue of its lane, behind the lower numbers.
    Waits { host: u32, lane: Lane, number: u64 },
    /// A request of it is on its way to a host.
    Asks { host: u32 },
}

/// What a look held where it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vacated {
    /// A request to the source's own host.
    Own,
    Nothing,
    /// A place in this host's queue.
    Queue(u32),
    /// A request to this host.
    Request(u32),
}

/// Who goes first at a host where both may: the turns alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    Onward,
    Own,
}

/// Those of one lane: a queue per host, first come, first served, and the hosts whose bucket has a
/// token for the first of theirs. Each operation is O(log n).
#[derive(Debug, Clone, Default)]
struct Line {
    queues: BTreeSet<(u32, u64, u32)>,
    ready: BTreeSet<(Turn, u64, u32)>,
    ready_at: BTreeMap<u32, (Turn, u64)>,
    /// Hosts that somebody waits for, by when their bucket has a token.
    wakes: BTreeSet<(Instant, u32)>,
    wakes_at: BTreeMap<u32, Instant>,
}

impl Line {
    /// The first of a host's queue, and its number.
    fn first(&self, host: u32) -> Option<(u64, u32)> {
        let &(of, number, slot) = self.queues.range((host, 0, 0)..).next()?;
        (of == host).then_some((number, slot))
    }

    fn set_ready(&mut self, host: u32, place: Option<(Turn, u64)>) {
        let before = match place {
            Some(place) => self.ready_at.insert(host, place),
            None => self.ready_at.remove(&host),
        };
        if let Some((turn, number)) = before {
            self.ready.remove(&(turn, number, host));
        }
        if let Some((turn, number)) = place {
            self.ready.insert((turn, number, host));
        }
    }

    fn set_wake(&mut self, host: u32, wake: Option<Instant>) {
        let before = match wake {
            Some(at) => self.wakes_at.insert(host, at),
            None => self.wakes_at.remove(&host),
        };
        if let Some(at) = before {
            self.wakes.remove(&(at, host));
        }
        if let Some(at) = wake {
            self.wakes.insert((at, host));
        }
    }
}

/// Whether the first who wait for a host may go on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Gate {
    /// As soon as their lane has a slot; whose turn it is.
    Open(Turn),
    /// When the bucket has a token.
    From(Instant),
    /// Only an event can open it.
    Shut,
}

/// A line for each lane, so that one whose slots are taken holds up nobody of the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Onward {
    places: BTreeMap<u32, Standing>,
    /// By [`Lane`].
    lines: [Line; 2],
    next: u64,
    /// To be told of: those whose request starts now.
    started: Vec<SourceId>,
}

impl Onward {
    /// The source at `slot` is picked for a look that does not begin at its own host.
    pub(crate) fn begin(&mut self, slot: u32) {
        self.places.insert(slot, Standing::Nowhere);
    }

    /// To the end of the queue of `host`, among those of `lane`.
    pub(crate) fn wait(&mut self, slot: u32, Head { host, lane }: Head) {
        let number = self.next;
        self.next += 1;
        self.places.insert(slot, Standing::Waits { host, lane, number });
        self.lines[lane as usize].queues.insert((host, number, slot));
    }

    /// The look of the source at `slot` is no longer where it was.
    pub(crate) fn leave(&mut self, slot: u32) -> Vacated {
        match self.places.remove(&slot) {
            None => Vacated::Own,
            Some(Standing::Nowhere) => Vacated::Nothing,
            Some(Standing::Asks { host }) => Vacated::Request(host),
            Some(Standing::Waits { host, lane, number }) => {
                self.lines[lane as usize].queues.remove(&(host, number, slot));
                Vacated::Queue(host)
            }
        }
    }

    /// Whether anybody waits for `host`.
    pub(crate) fn is_awaited(&self, host: u32) -> bool {
        self.lines.iter().any(|line| line.first(host).is_some())
    }

    /// A request starts to the first of the queue of `head`; the slot of its source.
    pub(crate) fn start(&mut self, head: Head, id: impl FnOnce(u32) -> SourceId) -> Option<u32> {
        let line = &mut self.lines[head.lane as usize];
        let (number, slot) = line.first(head.host)?;
        line.queues.remove(&(head.host, number, slot));
        self.places.insert(slot, Standing::Asks { host: head.host });
        self.started.push(id(slot));
        Some(slot)
    }

    pub(crate) fn take_started(&mut self, out: &mut Vec<SourceId>) {
        out.append(&mut self.started);
    }

    /// Says when those who wait for `host` may go on, as far as the host goes.
    pub(crate) fn set_gate(&mut self, host: u32, gate: Gate) {
        for line in &mut self.lines {
            let first = line.first(host).map(|(number, _)| number);
            let (ready, wake) = match (gate, first) {
                (Gate::Open(turn), Some(number)) => (Some((turn, number)), None),
                (Gate::From(at), Some(_)) => (None, Some(at)),
                (Gate::Shut, _) | (_, None) => (None, None),
            };
            line.set_ready(host, ready);
            line.set_wake(host, wake);
        }
    }

    /// When the next host gets a token for somebody who waits in one of `lanes`.
    pub(crate) fn next_wake(&self, lanes: impl Iterator<Item = Lane>) -> Option<Instant> {
        lanes.filter_map(|lane| self.lines[lane as usize].wakes.first()).map(|&(at, _)| at).min()
    }

    /// The host to ask first for somebody in one of `lanes`, and whose turn it is there.
    pub(crate) fn ready(&self, lanes: impl Iterator<Item = Lane>) -> Option<(Turn, Head)> {
        let firsts = lanes.filter_map(|lane| {
            let &(turn, number, host) = self.lines[lane as usize].ready.first()?;
            Some((turn, number, Head { host, lane }))
        });
        let first = firsts.min_by_key(|&(turn, number, _)| (turn, number));
        first.map(|(turn, _, head)| (turn, head))
    }

    /// Looks that are somewhere else than at their own host.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}
