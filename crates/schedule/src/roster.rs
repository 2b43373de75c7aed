//! The sources and the hosts, each in a slot of its own.

use crate::SourceRecord;
use crate::bucket::Bucket;
use crate::pages::Pages;
use crate::pairing::{self, Links};
use crate::source::{Flag, Lane, Learned, Source};
use chronon::{HostId, Instant, SourceId};
use rustc_hash::FxHashMap;

/// A rate that differs by less than this share is the same.
const MOVED: f32 = 0.02;

/// The sources, packed: what decides apart from what is learned. A slot that became free is used
/// again. O(1) each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roster {
    pages: Pages,
    sources: Vec<Source>,
    learned: Vec<Learned>,
    /// By slot, of those that are [`Flag::Costly`].
    costs: FxHashMap<u32, f32>,
    /// By slot, of those that are not to be probed before then.
    pauses: FxHashMap<u32, Instant>,
}

impl Roster {
    pub(crate) fn slot(&self, id: SourceId) -> Option<u32> {
        self.pages.slot(id.0)
    }

    pub(crate) fn id(&self, slot: u32) -> SourceId {
        SourceId(self.pages.id(slot))
    }

    pub(crate) fn at(&self, slot: u32) -> &Source {
        &self.sources[slot as usize]
    }

    pub(crate) fn at_mut(&mut self, slot: u32) -> &mut Source {
        &mut self.sources[slot as usize]
    }

    pub(crate) fn with_learned(&mut self, slot: u32) -> (&mut Source, &mut Learned) {
        (&mut self.sources[slot as usize], &mut self.learned[slot as usize])
    }

    /// The level of the source at a slot, if there is one.
    pub(crate) fn level_of(&self, slot: u32) -> Option<u16> {
        self.sources.get(slot as usize).and_then(Source::level)
    }

    /// What a probe takes of the budget.
    pub(crate) fn cost(&self, slot: u32) -> f64 {
        if self.at(slot).is(Flag::Costly) {
            self.costs.get(&slot).copied().unwrap_or(1.0).into()
        } else {
            1.0
        }
    }

    pub(crate) fn set_cost(&mut self, slot: u32, cost: f32) {
        self.costs.insert(slot, cost);
        self.at_mut(slot).set(Flag::Costly);
    }

    /// Until when it is not to be probed, if that was ever said.
    pub(crate) fn pause(&self, slot: u32) -> Option<Instant> {
        if self.pauses.is_empty() { None } else { self.pauses.get(&slot).copied() }
    }

    pub(crate) fn set_pause(&mut self, slot: u32, until: Instant) {
        self.pauses.insert(slot, until);
    }

    /// A probe of it may start: what it waited for is over.
    pub(crate) fn end_pause(&mut self, slot: u32) {
        self.pauses.remove(&slot);
    }

    pub(crate) fn record(&self, slot: u32) -> SourceRecord {
        self.at(slot).record(self.id(slot), &self.learned[slot as usize])
    }

    pub(crate) fn learned(&self, slot: u32) -> &Learned {
        &self.learned[slot as usize]
    }

    /// Takes over what its learner believes now, if that is another rate; whether it is.
    pub(crate) fn believe(&mut self, slot: u32, rate: f64) -> bool {
        let (source, rate) = (self.at_mut(slot), rate as f32);
        let moved = (rate - source.rate).abs() > MOVED * source.rate;
        if moved {
            source.rate = rate;
        }
        moved
    }

    /// Slots in use or free.
    pub(crate) fn slots(&self) -> u32 {
        self.pages.slots()
    }

    /// The next that is taken, round and round.
    pub(crate) fn after(&self, slot: u32) -> u32 {
        self.pages.after(slot)
    }

    /// Sources.
    pub(crate) fn len(&self) -> u32 {
        self.pages.len()
    }

    pub(crate) fn is_taken(&self, slot: u32) -> bool {
        self.pages.is_taken(slot)
    }

    /// Only an id that is not there yet.
    pub(crate) fn insert(&mut self, id: SourceId, source: Source, learned: Learned) -> u32 {
        let slot = self.pages.insert(id.0);
        let slots = self.pages.slots() as usize;
        if slots > self.sources.len() {
            self.sources.resize(slots, Source::new(u32::MAX));
            self.learned.resize(slots, Learned::default());
        }
        self.sources[slot as usize] = source;
        self.learned[slot as usize] = learned;
        slot
    }

    pub(crate) fn remove(&mut self, slot: u32) -> Source {
        self.pages.remove(slot);
        self.costs.remove(&slot);
        self.pauses.remove(&slot);
        std::mem::replace(self.at_mut(slot), Source::new(u32::MAX))
    }
}

impl pairing::Nodes for Roster {
    fn links(&mut self, node: u32) -> &mut Links {
        &mut self.sources[node as usize].links
    }

    /// The higher level first; at the same, who was looked at longer ago.
    fn precedes(&self, a: u32, b: u32) -> bool {
        let key = |slot: u32| {
            let source = &self.sources[slot as usize];
            (std::cmp::Reverse(source.level()), source.last_probe(), slot)
        };
        key(a) < key(b)
    }
}

/// One host: its bucket with its best candidate, and when that lets it take a probe, if it waits.
#[derive(Debug, Clone)]
struct Host {
    bucket: Bucket,
    wake: Instant,
    /// The best candidate of those that did not answer lately.
    doubtful: u32,
}

/// The hosts. O(1) each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hosts {
    pages: Pages,
    hosts: Vec<Host>,
}

impl Hosts {
    pub(crate) fn slot(&self, id: HostId) -> Option<u32> {
        self.pages.slot(id.0)
    }

    pub(crate) fn slot_or_insert(&mut self, id: HostId, bucket: impl FnOnce() -> Bucket) -> u32 {
        if let Some(slot) = self.slot(id) {
            return slot;
        }
        let slot = self.pages.insert(id.0);
        let host = Host { bucket: bucket(), wake: Instant::NEVER, doubtful: pairing::NIL };
        let slots = self.pages.slots() as usize;
        if slots > self.hosts.len() {
            self.hosts.resize(slots, host.clone());
        }
        self.hosts[slot as usize] = host;
        slot
    }

    /// Only one without sources, whom nobody waits for.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.pages.remove(slot);
    }

    /// Fetches the hosts, all at once: what they are does not matter.
    pub(crate) fn fetch(&self, slots: impl Iterator<Item = u32>) -> u32 {
        let all = slots.filter_map(|slot| self.hosts.get(slot as usize));
        all.fold(0, |sum, host| sum ^ host.bucket.root ^ host.doubtful)
    }

    pub(crate) fn bucket(&self, slot: u32) -> &Bucket {
        &self.hosts[slot as usize].bucket
    }

    pub(crate) fn bucket_mut(&mut self, slot: u32) -> &mut Bucket {
        &mut self.hosts[slot as usize].bucket
    }

    /// The best candidate in a lane of the host.
    pub(crate) fn root(&self, slot: u32, lane: Lane) -> u32 {
        let host = &self.hosts[slot as usize];
        match lane {
            Lane::Answering => host.bucket.root,
            Lane::Doubtful => host.doubtful,
        }
    }

    pub(crate) fn set_root(&mut self, slot: u32, lane: Lane, root: u32) {
        let host = &mut self.hosts[slot as usize];
        match lane {
            Lane::Answering => host.bucket.root = root,
            Lane::Doubtful => host.doubtful = root,
        }
    }

    /// Sets when it can take a probe; when it was before.
    pub(crate) fn set_wake(&mut self, slot: u32, wake: Instant) -> Instant {
        std::mem::replace(&mut self.hosts[slot as usize].wake, wake)
    }
}
