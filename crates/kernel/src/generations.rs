//! Another text under the same name: a new generation, and what becomes of the one before.
//!
//! What was found before is told as the old text asked, what is found after as the new one asks; a
//! probe that was on its way counts for both (docs/decisions/011). While comparisons of what was
//! found are open, or the page is answering, the old generation stays beside its heir as a sentinel
//! that has ended: same name, an id of its own that nobody is told.

use crate::kernel::Kernel;
use crate::record::{Record, SentinelLife, SentinelState, Strand};
use crate::state::SentinelEntry;
use crate::turns::Definition;
use chronon::{Instant, SentinelId, SourceId, Span, StreamId, VersionNo};
use graph::Element;
use std::collections::{BTreeMap, BTreeSet};

/// What a generation leaves to the next one of the same source.
pub(crate) struct Legacy {
    source: SourceId,
    /// It heard, or would have heard, of probes from here on.
    since: Instant,
    last: Vec<LastElement>,
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
        let all = (heir, SentinelId(0))..=(heir, SentinelId(u32::MAX));
        self.by_heir.range(all).map(|&(_, apart)| apart).collect()
    }
}

/// A version that the next one of its kind is to be compared with.
#[derive(Clone, Copy)]
pub(crate) struct LastElement {
    pub(crate) version: VersionNo,
    pub(crate) fetched_at: Instant,
    pub(crate) strand: Strand,
    pub(crate) is_shown: bool,
}

impl Kernel {
    /// Windows and digests start anew, and what was pending goes out; the history and the count
    /// of notifications stay.
    pub(crate) fn replace(&mut self, id: SentinelId, definition: Definition) {
        let legacy = self.legacy(id);
        let stream = self.sentinels[&id].life.stream;
        let source = self.sentinels[&id].row.source;
        let watched = &self.sources[&source];
        let on_its_way = watched.probing_since.is_some() || !watched.rounds.is_empty();
        if stream.is_some() && on_its_way {
            self.set_apart(id);
        } else {
            self.part(id);
        }
        let old = self.sentinels.remove(&id).expect("a name leads to a sentinel");
        self.outbox.replaced(self.now, id, old.row.generation + 1);
        if let Some(source) = self.sources.get_mut(&old.row.source) {
            source.sentinels.remove(&id);
            source.told.remove(&id);
        }
        let state = match old.life.state {
            SentinelState::Disabled => SentinelState::Disabled,
            _ => SentinelState::Pending,
        };
        let (since, until, not_evaluated) = (None, None, "".into());
        let life = SentinelLife { state, since, until, not_evaluated, ..old.life };
        self.define(id, definition, (old.row.generation + 1, old.row.created_at), life);
        self.carry_health(id, old.row.source);
        if let Some(legacy) = legacy {
            self.inherit(id, legacy);
        }
        self.activate_if_due(id);
        // It may have joined it again.
        if let Some(stream) = stream {
            self.close_unheard(stream);
        }
    }

    fn legacy(&self, id: SentinelId) -> Option<Legacy> {
        let entry = &self.sentinels[&id];
        let stream = entry.life.stream.filter(|_| entry.is_active())?;
        let last = self.last_elements(stream);
        let found_until = self.sources[&entry.row.source].probing_since.unwrap_or(self.now);
        let since = entry.life.since.map_or(found_until, |since| since.max(found_until));
        Some(Legacy { source: entry.row.source, since, last })
    }

    /// What one whose end is taken back goes on from: its last elements, or what its source showed
    /// last, so that what changed meanwhile is told.
    pub(crate) fn legacy_of_ended(&self, id: SentinelId) -> Legacy {
        let entry = &self.sentinels[&id];
        let mut last = entry.life.stream.map_or(Vec::new(), |stream| self.last_elements(stream));
        if last.is_empty() {
            last.extend(self.last_seen(entry.row.source));
        }
        Legacy { source: entry.row.source, since: self.now, last }
    }

    /// The last element of each kind that a stream showed, in the order of versions.
    pub(crate) fn last_elements(&self, stream: StreamId) -> Vec<LastElement> {
        let row = &self.streams[&stream].row;
        let last = |(at, &strand): (usize, &Strand)| {
            let of = |element: &Element| {
                element.place.in_history().is_some_and(|(history, _)| usize::from(history) == at)
            };
            let element = self.graph.elements(stream).filter(of).last()?;
            let (version, fetched_at) = (element.version, element.fetched_at);
            Some(LastElement {
                version,
                fetched_at,
                strand,
                is_shown: at == usize::from(row.shown),
            })
        };
        let mut last: Vec<LastElement> = row.strands.iter().enumerate().filter_map(last).collect();
        last.sort_by_key(|last| last.version);
        last
    }

    /// The new generation goes on where the old one was, if it begins now and at the same source.
    pub(crate) fn inherit(&mut self, id: SentinelId, legacy: Legacy) {
        let SentinelEntry { row, life, plan, .. } = &*self.sentinels[&id];
        let begins = life.state == SentinelState::Pending
            && plan.from <= self.now
            && plan.to.is_none_or(|to| to > self.now);
        if !begins || row.source != legacy.source {
            return;
        }
        let stream = self.stream_for(id, legacy.source, &legacy.last);
        let life = &mut self.sentinels.get_mut(&id).expect("looked up above").life;
        (life.since, life.stream) = (Some(legacy.since), Some(stream));
    }

    /// The generation so far takes an id of its own, and leaves an entry that is nowhere joined.
    /// Under that id it hears what was found so far, by a probe on its way as well.
    fn set_apart(&mut self, id: SentinelId) {
        let apart = SentinelId(self.meta.next_sentinel);
        self.meta.next_sentinel += 1;
        self.dirty.meta = true;
        // A probe on its way may have started at this very moment.
        let probing = self.sources[&self.sentinels[&id].row.source].probing_since;
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
        let stream = entry.life.stream.take().expect("the caller looked");
        self.graph.renamed(id, apart);
        self.graph.ended(apart, until);
        let listeners = &mut self.streams.get_mut(&stream).expect("joined").listeners;
        listeners.remove(&id);
        listeners.insert(apart);
        if let Some(source) = self.sources.get_mut(&row.source) {
            source.leaving.remove(&id);
            source.leaving.insert(apart);
        }
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
