//! Looks that redirects lead on: each waits for a token of the host it goes to.

use chronon::{Instant, SourceId};
use std::collections::{BTreeMap, BTreeSet};

/// Where a look is that is not under way at its source's own host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Picked; nobody is asked before it is said who.
    Nowhere,
    /// In a host's queue, behind the lower numbers.
    Waits { host: u32, number: u64 },
    /// A request of it is on its way to a host.
    Asks { host: u32 },
}

/// What a look held where it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
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

/// A queue per host, first come, first served, and the hosts whose bucket has a token for theirs.
/// Each operation is O(log n).
#[derive(Debug, Clone, Default)]
pub(crate) struct Onward {
    places: BTreeMap<u32, Place>,
    queues: BTreeSet<(u32, u64, u32)>,
    ready: BTreeSet<(Turn, u64, u32)>,
    ready_at: BTreeMap<u32, (Turn, u64)>,
    /// Hosts that somebody waits for, by when their bucket has a token.
    wakes: BTreeSet<(Instant, u32)>,
    wakes_at: BTreeMap<u32, Instant>,
    next: u64,
    /// To be told of: those whose request starts now.
    started: Vec<SourceId>,
}

impl Onward {
    /// The source at `slot` is picked for a look that does not begin at its own host.
    pub(crate) fn begin(&mut self, slot: u32) {
        self.places.insert(slot, Place::Nowhere);
    }

    /// To the end of the queue of `host`.
    pub(crate) fn wait(&mut self, slot: u32, host: u32) {
        let number = self.next;
        self.next += 1;
        self.places.insert(slot, Place::Waits { host, number });
        self.queues.insert((host, number, slot));
    }

    /// The look of the source at `slot` is no longer where it was.
    pub(crate) fn leave(&mut self, slot: u32) -> Left {
        match self.places.remove(&slot) {
            None => Left::Own,
            Some(Place::Nowhere) => Left::Nothing,
            Some(Place::Asks { host }) => Left::Request(host),
            Some(Place::Waits { host, number }) => {
                self.queues.remove(&(host, number, slot));
                Left::Queue(host)
            }
        }
    }

    /// The first of a host's queue.
    pub(crate) fn first(&self, host: u32) -> Option<u64> {
        let first = self.queues.range((host, 0, 0)..).next()?;
        (first.0 == host).then_some(first.1)
    }

    /// A request starts to the first of the queue of `host`, which has one.
    pub(crate) fn start(&mut self, host: u32, id: impl FnOnce(u32) -> SourceId) {
        let Some(&first) = self.queues.range((host, 0, 0)..).next() else { return };
        self.queues.remove(&first);
        self.places.insert(first.2, Place::Asks { host });
        self.started.push(id(first.2));
    }

    pub(crate) fn take_started(&mut self, out: &mut Vec<SourceId>) {
        out.append(&mut self.started);
    }

    /// Whether `host` may be asked for the first of its queue, and whose turn it is.
    pub(crate) fn set_ready(&mut self, host: u32, place: Option<(Turn, u64)>) {
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

    /// When `host` may be asked for the first of its queue, if somebody waits and it may not yet.
    pub(crate) fn set_wake(&mut self, host: u32, wake: Option<Instant>) {
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

    pub(crate) fn next_wake(&self) -> Option<Instant> {
        self.wakes.first().map(|&(at, _)| at)
    }

    /// The host to ask first, and whose turn it is there.
    pub(crate) fn ready(&self) -> Option<(Turn, u32)> {
        self.ready.first().map(|&(turn, _, host)| (turn, host))
    }

    /// Looks that are somewhere else than at their own host.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}
