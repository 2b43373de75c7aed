//! The sources and the hosts, each in a slot of its own.

use crate::bucket::Bucket;
use crate::pairing::{self, Links};
use crate::source::Source;
use chronon::{HostId, Instant, SourceId};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The sources, packed. A slot that became free is used again. O(1) each.
#[derive(Debug, Clone)]
pub(crate) struct Roster {
    slots: HashTable<u32>,
    sources: Vec<Source>,
    free: Vec<u32>,
}

/// The id of an empty slot.
const NOBODY: SourceId = SourceId(u32::MAX);

fn hash(source: SourceId) -> u64 {
    let mut hasher = FxHasher::default();
    source.hash(&mut hasher);
    hasher.finish()
}

impl Roster {
    pub(crate) fn new() -> Roster {
        Roster { slots: HashTable::new(), sources: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn slot(&self, id: SourceId) -> Option<u32> {
        self.slots.find(hash(id), |&slot| self.sources[slot as usize].id == id).copied()
    }

    pub(crate) fn at(&self, slot: u32) -> &Source {
        &self.sources[slot as usize]
    }

    pub(crate) fn at_mut(&mut self, slot: u32) -> &mut Source {
        &mut self.sources[slot as usize]
    }

    /// Slots in use or free.
    pub(crate) fn slots(&self) -> u32 {
        self.sources.len() as u32
    }

    /// Sources.
    pub(crate) fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    pub(crate) fn is_taken(&self, slot: u32) -> bool {
        self.sources.get(slot as usize).is_some_and(|source| source.id != NOBODY)
    }

    /// Only an id that is not there yet.
    pub(crate) fn insert(&mut self, source: Source) -> u32 {
        let id = source.id;
        let slot = match self.free.pop() {
            Some(slot) => {
                self.sources[slot as usize] = source;
                slot
            }
            None => {
                self.sources.push(source);
                // Ids are u32 and each takes one slot.
                (self.sources.len() - 1) as u32
            }
        };
        let sources = &self.sources;
        self.slots.insert_unique(hash(id), slot, |&slot| hash(sources[slot as usize].id));
        slot
    }

    pub(crate) fn remove(&mut self, id: SourceId) -> Option<Source> {
        let sources = &self.sources;
        let found = self.slots.find_entry(hash(id), |&slot| sources[slot as usize].id == id);
        let (slot, _) = found.ok()?.remove();
        self.free.push(slot);
        let empty = Source::new(NOBODY, u32::MAX);
        Some(std::mem::replace(&mut self.sources[slot as usize], empty))
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
            (std::cmp::Reverse(source.level), source.last_probe, slot)
        };
        key(a) < key(b)
    }
}

/// One host: its bucket, its candidates, and when its bucket lets it take a probe, if it waits.
#[derive(Debug, Clone)]
struct Host {
    bucket: Bucket,
    root: u32,
    wake: Instant,
}

/// The hosts; none is ever forgotten. O(1) each.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    slots: FxHashMap<HostId, u32>,
    hosts: Vec<Host>,
}

impl Hosts {
    pub(crate) fn new() -> Hosts {
        Hosts { slots: FxHashMap::default(), hosts: Vec::new() }
    }

    pub(crate) fn slot(&self, id: HostId) -> Option<u32> {
        self.slots.get(&id).copied()
    }

    pub(crate) fn slot_or_insert(&mut self, id: HostId, bucket: impl FnOnce() -> Bucket) -> u32 {
        *self.slots.entry(id).or_insert_with(|| {
            let host = Host { bucket: bucket(), root: pairing::NIL, wake: Instant::NEVER };
            self.hosts.push(host);
            (self.hosts.len() - 1) as u32
        })
    }

    pub(crate) fn bucket(&self, slot: u32) -> &Bucket {
        &self.hosts[slot as usize].bucket
    }

    pub(crate) fn bucket_mut(&mut self, slot: u32) -> &mut Bucket {
        &mut self.hosts[slot as usize].bucket
    }

    /// Its best candidate.
    pub(crate) fn root(&self, slot: u32) -> u32 {
        self.hosts[slot as usize].root
    }

    pub(crate) fn set_root(&mut self, slot: u32, root: u32) {
        self.hosts[slot as usize].root = root;
    }

    /// Sets when it can take a probe; when it was before.
    pub(crate) fn set_wake(&mut self, slot: u32, wake: Instant) -> Instant {
        std::mem::replace(&mut self.hosts[slot as usize].wake, wake)
    }
}
