//! Who waits where. Sources wait within their host, hosts wait in one order: a blocked host costs
//! nothing, however many of its sources are due.

use crate::policy::{Class, Key, Plan, Turns};
use chronon::{HostId, Instant, SourceId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

const EARLIEST: Instant = Instant::from_millis(i64::MIN);

/// Every operation is O(log n).
#[derive(Debug, Clone, Default)]
pub(crate) struct Queues {
    /// Due sources, best first within each host.
    due: BTreeSet<(HostId, Key, SourceId)>,
    /// Sources whose key may become better at a time.
    waiting: BTreeSet<(HostId, Instant, SourceId)>,
    /// Hosts that can take a probe and have one, by the key of their head.
    ready: BTreeSet<(Key, HostId)>,
    /// Hosts for which time will change something.
    agenda: BTreeSet<(Instant, HostId)>,
    places: FxHashMap<HostId, Plan>,
}

impl Queues {
    pub(crate) fn move_source(&mut self, host: HostId, source: SourceId, from: Plan, to: Plan) {
        if from.key != to.key {
            self.due.remove(&(host, from.key, source));
            if to.key != Key::NONE {
                self.due.insert((host, to.key, source));
            }
        }
        if from.wake != to.wake {
            self.waiting.remove(&(host, from.wake, source));
            if to.wake != Instant::NEVER {
                self.waiting.insert((host, to.wake, source));
            }
        }
    }

    pub(crate) fn move_host(&mut self, host: HostId, to: Plan) {
        let nowhere = Plan { key: Key::NONE, wake: Instant::NEVER };
        let place = self.places.entry(host).or_insert(nowhere);
        let from = std::mem::replace(place, to);
        if from.key != to.key {
            self.ready.remove(&(from.key, host));
            if to.key != Key::NONE {
                self.ready.insert((to.key, host));
            }
        }
        if from.wake != to.wake {
            self.agenda.remove(&(from.wake, host));
            if to.wake != Instant::NEVER {
                self.agenda.insert((to.wake, host));
            }
        }
    }

    /// The source of `host` that comes next.
    pub(crate) fn head(&self, host: HostId, turns: Turns) -> Option<(Key, SourceId)> {
        let from = |key| {
            let range = (host, key, SourceId(0))..=(host, Key::NONE, SourceId(u32::MAX));
            self.due.range(range).next().map(|&(_, key, source)| (key, source))
        };
        let first = from(Key::MIN)?;
        let passed = turns.is_fresh() && first.0.class() == Class::Window;
        Some(if passed { from(Key::FRESH).unwrap_or(first) } else { first })
    }

    pub(crate) fn fresh_waits_in(&self, host: HostId) -> bool {
        let range = (host, Key::FRESH, SourceId(0))..=(host, Key::NONE, SourceId(u32::MAX));
        self.due.range(range).next().is_some()
    }

    /// The source of `host` that wakes first.
    pub(crate) fn waking(&self, host: HostId) -> Option<(Instant, SourceId)> {
        let range = (host, EARLIEST, SourceId(0))..=(host, Instant::NEVER, SourceId(u32::MAX));
        self.waiting.range(range).next().map(|&(_, wake, source)| (wake, source))
    }

    /// The host whose head comes next.
    pub(crate) fn best(&self, turns: Turns) -> Option<(Key, HostId)> {
        let &first = self.ready.first()?;
        let passed = turns.is_fresh() && first.0.class() == Class::Window;
        let fresh = self.ready.range((Key::FRESH, HostId(0))..).next().filter(|_| passed);
        Some(*fresh.unwrap_or(&first))
    }

    pub(crate) fn fresh_waits(&self) -> bool {
        self.ready.last().is_some_and(|(key, _)| key.class() == Class::Fresh)
    }

    pub(crate) fn any_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    pub(crate) fn next_host(&self) -> Option<(Instant, HostId)> {
        self.agenda.first().copied()
    }
}
