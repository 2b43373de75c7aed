//! Another text under the same name: a new generation, and what becomes of the one before.
//!
//! What was found before is told as the old text asked, what is found after as the new one asks; a
//! probe that was on its way counts for both (docs/decisions/011). While comparisons of what was
//! found are open, or the page is answering, the old generation stays beside its heir as a sentinel
//! that has ended: same name, an id of its own that nobody is told.

use crate::hear;
use crate::kernel::Kernel;
use crate::record::{Record, SentinelLife, SentinelState};
use crate::state::SentinelEntry;
use crate::turns::Definition;
use crate::watch::LastElement;
use chronon::{Instant, SentinelId, SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What a generation leaves to the next one of the same source.
pub(crate) struct Legacy {
    pub(crate) source: SourceId,
    /// It heard, or would have heard, of probes from here on.
    pub(crate) since: Instant,
    pub(crate) last: Vec<LastElement>,
}

/// Earlier generations that still hear of what was found, and whose they are.
#[derive(Default)]
pub(crate) struct Earlier {
    heirs: BTreeMap<SentinelId, SentinelId>,
    /// The same, the heir first.
    by_heir: BTreeSet<(SentinelId, SentinelId)>,
}

impl Earlier {
    pub(crate) fn insert(&mut self, apart: SentinelId, heir: SentinelId) {
        self.heirs.insert(apart, heir);
        self.by_heir.insert((heir, apart));
    }

    fn remove(&mut self, apart: SentinelId) -> Option<SentinelId> {
        let heir = self.heirs.remove(&apart)?;
        self.by_heir.remove(&(heir, apart));
        Some(heir)
    }

    pub(crate) fn contains(&self, id: SentinelId) -> bool {
        self.heirs.contains_key(&id)
    }

    fn heir(&self, id: SentinelId) -> Option<SentinelId> {
        self.heirs.get(&id).copied()
    }

    /// Those of one heir, however many others have some.
    fn of(&self, heir: SentinelId) -> Vec<SentinelId> {
        let all = (heir, SentinelId(0))..=(heir, SentinelId(u64::MAX));
        self.by_heir.range(all).map(|&(_, apart)| apart).collect()
    }
}

impl Kernel {
    /// Windows and digests start anew, and what was pending goes out; the history and the count
    /// of notifications stay.
    pub(crate) fn replace(&mut self, id: SentinelId, definition: Definition) {
        let legacy = self.legacy(id);
        let stream = self.sentinels[&id].life.stream;
        let source = self.sentinels[&id].row.source;
        let probing = self.watch.probing_since(source);
        let on_its_way = probing.is_some() || self.hear.rounds(source) > 0;
        if stream.is_some() && on_its_way {
            self.set_apart(id);
        } else {
            self.part(id);
        }
        let old = self.sentinels.remove(&id).expect("a name leads to a sentinel");
        self.outbox.replaced(self.now, id, old.row.generation + 1);
        self.unname_source(old.row.source, id);
        let state = match old.life.state {
            SentinelState::Disabled => SentinelState::Disabled,
            _ => SentinelState::Pending,
        };
        let (since, until, not_evaluated) = (None, None, "".into());
        let life = SentinelLife { state, since, until, not_evaluated, ..old.life };
        self.define(id, definition, (old.row.generation + 1, old.row.created_at), life);
        self.carry_health(id, old.row.source);
        self.activate(id, legacy);
        // It may have joined it again.
        if let Some(stream) = stream {
            self.close_unheard(stream);
        }
    }

    fn legacy(&self, id: SentinelId) -> Option<Legacy> {
        let entry = &self.sentinels[&id];
        let stream = entry.life.stream.filter(|_| entry.is_active())?;
        let last = self.watch.last_elements(stream);
        let found_until = self.watch.probing_since(entry.row.source).unwrap_or(self.now);
        let since = entry.life.since.map_or(found_until, |since| since.max(found_until));
        Some(Legacy { source: entry.row.source, since, last })
    }

    /// What one whose end is taken back goes on from: its last elements, or what its source showed
    /// last, so that what changed meanwhile is told.
    pub(crate) fn legacy_of_ended(&self, id: SentinelId) -> Legacy {
        let entry = &self.sentinels[&id];
        let stream = entry.life.stream;
        let mut last = stream.map_or(Vec::new(), |stream| self.watch.last_elements(stream));
        if last.is_empty() {
            last.extend(self.watch.last_seen(entry.row.source));
        }
        Legacy { source: entry.row.source, since: self.now, last }
    }

    /// The generation so far takes an id of its own, and leaves an entry that is nowhere joined.
    /// Under that id it hears what was found so far, by a probe on its way as well.
    fn set_apart(&mut self, id: SentinelId) {
        let apart = self.owners.sentinel(id.owner());
        // A probe on its way may have started at this very moment.
        let source = self.sentinels[&id].row.source;
        let probing = self.watch.probing_since(source);
        let hears_until =
            probing.map_or(self.now, |start| self.now.max(start + Span::from_millis(1)));
        let entry = self.sentinels.get_mut(&id).expect("the caller holds it");
        let until = entry.life.until.map_or(hears_until, |until| until.min(hears_until));
        let (mut row, mut plan) = (entry.row.clone(), entry.plan.clone());
        row.id = apart;
        plan.to = Some(until);
        let life = SentinelLife {
            id: apart,
            state: SentinelState::Ended,
            until: Some(until),
            failing_told: None,
            ..entry.life.clone()
        };
        entry.life.stream = None;
        self.tell_hear(hear::In::Renamed { sentinel: id, to: apart });
        self.tell_hear(hear::In::Ended { sentinel: apart, at: until });
        let leaving = &mut self.watchers.entry(source).or_default().leaving;
        leaving.remove(&id);
        leaving.insert(apart);
        self.weigh(id);
        self.out.records.push(Record::Sentinel(Box::new(row.clone())));
        self.dirty.lives.insert(apart);
        self.sentinels
            .insert(apart, Box::new(SentinelEntry { row, life, plan, weighed: 0, amended: 0 }));
        self.earlier.insert(apart, id);
    }

    /// The sentinel that `id` is, or is an earlier generation of.
    pub(crate) fn heir(&self, id: SentinelId) -> SentinelId {
        self.earlier.heir(id).unwrap_or(id)
    }

    /// An earlier generation has left: what it had still pending goes out.
    pub(crate) fn forget_generation(&mut self, apart: SentinelId) {
        let Some(heir) = self.earlier.remove(apart) else { return };
        if let Some(entry) = self.sentinels.get(&heir) {
            self.outbox.replaced(self.now, heir, entry.row.generation);
        }
        self.sentinels.remove(&apart);
        self.retention.removed(apart);
        self.out.records.push(Record::SentinelGone(apart));
    }

    /// Removed or disabled: of what was found under earlier texts nothing is told either.
    pub(crate) fn forget_generations(&mut self, id: SentinelId) {
        for apart in self.earlier.of(id) {
            self.leave_ended(apart);
        }
    }
}
