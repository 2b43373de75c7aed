//! The tables as ordered maps: the slow, obvious twin of the SQL stores.

use crate::named::blobs_of_version;
use crate::{ATTEMPTS_KEPT, BLOB_BYTES_MAX, LOUD_KEPT, PROBES_KEPT, TRANSITIONS_KEPT};
use crate::{Batch, StoreError, named_blobs};
use chronon::{
    BlobId, EventId, Instant, NotificationId, OwnerId, RuleId, SentinelId, SourceId, StreamId,
    VersionNo,
};
use graph::RoundId;
use kernel::Record;
use kernel::io::{FinishedPrune, Prune, SourcePrune};
use kernel::record::{
    ApplyingRow, DemandRow, EventRow, FiringRow, HabitsRow, HostRow, LoudRow, Meta, OwnerRow,
    ProbeRow, RoundRow, RuleLife, RuleRow, SentinelLife, SentinelRow, SourceRow, StreamRow,
    Transition, VersionRow,
};
use outbox::{Attempt, ChannelId, ChannelRow, Detection, DetectionId, OutboxRecord, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Every table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct State {
    pub(super) meta: Meta,
    pub(super) owners: BTreeMap<OwnerId, OwnerRow>,
    pub(super) sentinels: BTreeMap<SentinelId, SentinelRow>,
    pub(super) lives: BTreeMap<SentinelId, SentinelLife>,
    pub(super) transitions: BTreeMap<SentinelId, Vec<Transition>>,
    pub(super) sources: BTreeMap<SourceId, SourceRow>,
    /// Removed, and may have versions left.
    sources_gone: BTreeSet<SourceId>,
    pub(super) schedule: BTreeMap<SourceId, schedule::SourceRecord>,
    pub(super) week: Option<schedule::WeekRecord>,
    pub(super) habits: BTreeMap<SourceId, HabitsRow>,
    pub(super) loud: BTreeMap<SourceId, BTreeSet<change::Key>>,
    /// By place in the ring.
    pub(super) probes: BTreeMap<SourceId, BTreeMap<u64, ProbeRow>>,
    pub(super) versions: BTreeMap<(SourceId, VersionNo), VersionRow>,
    pub(super) streams: BTreeMap<StreamId, StreamRow>,
    pub(super) rounds: BTreeMap<RoundId, RoundRow>,
    pub(super) detections: BTreeMap<DetectionId, Detection>,
    pub(super) channels: BTreeMap<ChannelId, ChannelRow>,
    pub(super) outbox: BTreeMap<NotificationId, Row>,
    /// By place in the ring.
    pub(super) attempts: BTreeMap<NotificationId, BTreeMap<u32, Attempt>>,
    pub(super) hosts: BTreeMap<Box<str>, HostRow>,
    pub(super) applying: Option<ApplyingRow>,
    pub(super) rules: BTreeMap<RuleId, RuleRow>,
    pub(super) rule_lives: BTreeMap<RuleId, RuleLife>,
    pub(super) events: BTreeMap<EventId, EventRow>,
    pub(super) detector: BTreeMap<event::Key, event::Row>,
    pub(super) firings: BTreeMap<u64, FiringRow>,
    pub(super) demands: BTreeMap<u64, DemandRow>,
    pub(super) blobs: BTreeMap<BlobId, Arc<[u8]>>,
}

/// Open, closed or due.
pub(super) fn is_unfinished(row: &Row) -> bool {
    use outbox::State::{Closed, Due, Open};
    matches!(row.state, Open { .. } | Closed | Due { .. })
}

/// When it was delivered, given up or cancelled.
fn finished_at(row: &Row) -> Option<Instant> {
    use outbox::State::{Cancelled, Delivered, GivenUp};
    match row.state {
        Delivered { at } | GivenUp { at, .. } | Cancelled { at } => Some(at),
        _ => None,
    }
}

/// The order of [`crate::Reader::due`]; `None` for a row that is neither due nor closed.
pub(super) fn due_at(row: &Row) -> Option<Instant> {
    match row.state {
        outbox::State::Due { at } => Some(at),
        outbox::State::Closed => Some(row.closed_at.unwrap_or(row.created_at)),
        _ => None,
    }
}

impl State {
    pub(super) fn new(instance: [u8; 16]) -> State {
        State { meta: Meta { instance, ..Meta::default() }, ..State::default() }
    }

    /// Checks everything first, so that a refused batch leaves nothing behind.
    pub(super) fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let named: BTreeSet<BlobId> = batch.records.iter().flat_map(named_blobs).collect();
        let mut carried: BTreeMap<BlobId, &Arc<[u8]>> = BTreeMap::new();
        for (id, bytes) in batch.blobs.iter().filter(|(id, _)| named.contains(id)) {
            if bytes.len() > BLOB_BYTES_MAX || *blake3::hash(bytes).as_bytes() != id.0 {
                return Err(StoreError::WrongBlob(*id));
            }
            carried.insert(*id, bytes);
        }
        let there = |id: &BlobId| self.blobs.contains_key(id) || carried.contains_key(id);
        if let Some(missing) = named.iter().find(|id| !there(id)) {
            return Err(StoreError::MissingBlob(*missing));
        }
        for (id, bytes) in carried {
            self.blobs.entry(id).or_insert_with(|| Arc::clone(bytes));
        }
        batch.records.iter().for_each(|record| self.apply(record));
        Ok(())
    }

    fn apply(&mut self, record: &Record) {
        match record {
            Record::Meta(meta) => self.meta = meta.clone(),
            Record::Owner(row) => drop(self.owners.insert(row.id, row.clone())),
            Record::Sentinel(row) => drop(self.sentinels.insert(row.id, (**row).clone())),
            Record::SentinelLife(life) => drop(self.lives.insert(life.id, life.clone())),
            Record::SentinelGone(id) => {
                self.sentinels.remove(id);
                self.lives.remove(id);
                self.transitions.remove(id);
            }
            Record::Transition(transition) => self.apply_transition(transition),
            Record::Source(row) => drop(self.sources.insert(row.id, (**row).clone())),
            Record::SourceGone(id) => {
                self.sources.remove(id);
                self.schedule.remove(id);
                self.probes.remove(id);
                self.habits.remove(id);
                self.loud.remove(id);
                self.sources_gone.insert(*id);
            }
            Record::Schedule(learned) => {
                self.schedule.insert(learned.source, learned.clone());
            }
            Record::Habits(row) => {
                if self.sources.contains_key(&row.source) {
                    self.habits.insert(row.source, row.clone());
                }
            }
            Record::Loud(row) => self.apply_loud(row),
            Record::Week(week) => self.week = Some(week.clone()),
            Record::Probe(probe) => {
                let ring = self.probes.entry(probe.source).or_default();
                ring.insert(probe.number % PROBES_KEPT, probe.clone());
            }
            Record::Version(version) => {
                self.versions.insert((version.source, version.number), (**version).clone());
            }
            Record::Counted(source, number) => {
                if let Some(version) = self.versions.get_mut(&(*source, *number)) {
                    version.held = false;
                }
            }
            Record::Stream(stream) => drop(self.streams.insert(stream.id, stream.clone())),
            Record::StreamGone(id) => drop(self.streams.remove(id)),
            Record::Round(round) => drop(self.rounds.insert(round.id, round.clone())),
            Record::RoundGone(id) => drop(self.rounds.remove(id)),
            Record::Detection(row) => drop(self.detections.insert(row.id, (**row).clone())),
            Record::Rule(row) => drop(self.rules.insert(row.id, (**row).clone())),
            Record::RuleLife(life) => drop(self.rule_lives.insert(life.id, life.clone())),
            Record::RuleGone(id) => {
                self.rules.remove(id);
                self.rule_lives.remove(id);
            }
            Record::Event(row) => drop(self.events.insert(row.id, row.clone())),
            Record::EventGone(id) => drop(self.events.remove(id)),
            Record::Detector(event::Change::Put(row)) => {
                self.detector.insert(row.key(), row.clone());
            }
            Record::Detector(event::Change::Drop(key)) => drop(self.detector.remove(key)),
            Record::Firing(row) => drop(self.firings.insert(row.number, (**row).clone())),
            Record::FiringGone(number) => drop(self.firings.remove(number)),
            Record::Demand(row) => drop(self.demands.insert(row.number, row.clone())),
            Record::DemandGone(number) => drop(self.demands.remove(number)),
            Record::Outbox(record) => self.apply_outbox(record),
            Record::Host(row) => drop(self.hosts.insert(row.name.clone(), row.clone())),
            Record::HostGone(name) => drop(self.hosts.remove(name)),
            Record::Applying(row) => self.applying = Some((**row).clone()),
            Record::ApplyingGone => self.applying = None,
        }
    }

    fn apply_loud(&mut self, row: &LoudRow) {
        if !self.sources.contains_key(&row.source) {
            return;
        }
        let keys = self.loud.entry(row.source).or_default();
        if !row.is_loud {
            keys.remove(&row.key);
        } else if keys.len() < LOUD_KEPT {
            keys.insert(row.key);
        }
    }

    fn apply_outbox(&mut self, record: &OutboxRecord) {
        match record {
            OutboxRecord::Row(row) => drop(self.outbox.insert(row.id, (**row).clone())),
            OutboxRecord::Attempt(attempt) => {
                let ring = self.attempts.entry(attempt.notification).or_default();
                ring.insert(attempt.number % ATTEMPTS_KEPT, attempt.clone());
            }
            OutboxRecord::Channel(channel) => {
                self.channels.insert(channel.id, channel.clone());
            }
        }
    }

    /// A sentinel enters a state at an instant once; said again it keeps its place.
    fn apply_transition(&mut self, transition: &Transition) {
        let ring = self.transitions.entry(transition.sentinel).or_default();
        let same = |old: &&mut Transition| (old.at, old.state) == (transition.at, transition.state);
        match ring.iter_mut().find(same) {
            Some(old) => old.cause = transition.cause,
            None => ring.push(transition.clone()),
        }
        ring.sort_by_key(|transition| transition.at);
        let surplus = ring.len().saturating_sub(TRANSITIONS_KEPT);
        ring.drain(..surplus);
    }

    /// Detections that looks are wanted for, in order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = DetectionId> {
        let waiting: BTreeSet<_> = self.demands.values().filter_map(|row| row.about).collect();
        waiting.into_iter()
    }

    /// Detections that unfinished notifications name, or that wait for looks.
    fn detections_needed(&self) -> BTreeSet<DetectionId> {
        let unfinished = self.outbox.values().filter(|row| is_unfinished(row));
        let members = unfinished.flat_map(|row| row.members.iter().copied());
        members.chain(self.waiting()).collect()
    }

    /// Versions that those detections name.
    fn versions_needed(&self, needed: &BTreeSet<DetectionId>) -> BTreeSet<(SourceId, VersionNo)> {
        let rows = needed.iter().filter_map(|id| self.detections.get(id));
        let evidence = rows.flat_map(|row| &row.evidence);
        evidence.flat_map(|piece| [piece.from, piece.to].map(|no| (piece.source, no))).collect()
    }

    pub(super) fn prune(&mut self, prune: &Prune) -> usize {
        match prune {
            Prune::Source(prune) => self.prune_source(prune),
            Prune::Finished(prune) => {
                self.prune_notifications(prune) + self.prune_left_detections(prune)
            }
        }
    }

    fn prune_source(&mut self, prune: &SourcePrune) -> usize {
        let detections_needed = self.detections_needed();
        let needed = self.versions_needed(&detections_needed);
        let of_source = (prune.source, VersionNo(0))..=(prune.source, VersionNo(u32::MAX));
        let gone: Vec<_> = (self.versions.range(of_source).rev().enumerate())
            .filter(|(rank, (key, version))| {
                let rank = *rank as u32;
                let surplus = version.fetched_at < prune.before || rank >= prune.versions_max;
                let kept = rank < prune.history.max(1) || prune.keep.contains(&key.1);
                surplus && !kept && !needed.contains(key)
            })
            .map(|(_, (key, _))| *key)
            .collect();
        for key in &gone {
            self.versions.remove(key);
        }
        self.prune_detections(prune, &detections_needed);
        gone.len()
    }

    fn prune_detections(&mut self, prune: &SourcePrune, needed: &BTreeSet<DetectionId>) {
        let mut newer: BTreeMap<SentinelId, u32> = BTreeMap::new();
        let mut gone = Vec::new();
        for row in self.detections.values().rev() {
            let mut own =
                row.evidence.iter().filter(|piece| piece.source == prune.source).peekable();
            if own.peek().is_none() {
                continue;
            }
            let rank = newer.entry(row.sentinel).or_default();
            let listed = prune.detections.iter().find(|(sentinel, _)| *sentinel == row.sentinel);
            let kept = *rank < listed.map_or(0, |(_, count)| *count);
            *rank += 1;
            let stale = row.at < prune.before
                || own.any(|piece| !self.versions.contains_key(&(piece.source, piece.to)));
            if stale && !kept && !needed.contains(&row.id) {
                gone.push(row.id);
            }
        }
        for id in gone {
            self.detections.remove(&id);
        }
    }

    fn prune_notifications(&mut self, prune: &FinishedPrune) -> usize {
        let kept = |sentinel: SentinelId| {
            let listed = prune.histories.iter().find(|(listed, _)| *listed == sentinel);
            let live = self.sentinels.contains_key(&sentinel);
            if live { listed.map_or(prune.history, |(_, count)| *count) } else { 0 }
        };
        let highest = self.outbox.keys().next_back().copied();
        let mut newer: BTreeMap<SentinelId, u32> = BTreeMap::new();
        let mut gone = Vec::new();
        for (id, row) in self.outbox.iter().rev() {
            let is_kept = row.sentinel.is_some_and(|sentinel| {
                let rank = newer.entry(sentinel).or_default();
                *rank += 1;
                *rank <= kept(sentinel)
            });
            let stale = finished_at(row).is_some_and(|at| at < prune.before);
            if stale && !is_kept && Some(*id) != highest {
                gone.push(*id);
            }
        }
        gone.reverse();
        gone.truncate(prune.limit as usize);
        for id in &gone {
            self.outbox.remove(id);
            self.attempts.remove(id);
        }
        gone.len()
    }

    /// Detections whose sentinel, or every source, is gone.
    fn prune_left_detections(&mut self, prune: &FinishedPrune) -> usize {
        let needed = self.detections_needed();
        let gone: Vec<DetectionId> = (self.detections.values())
            .filter(|row| {
                let live = self.sentinels.contains_key(&row.sentinel)
                    && row.evidence.iter().any(|piece| self.sources.contains_key(&piece.source));
                !live && row.at < prune.before && !needed.contains(&row.id)
            })
            .take(prune.limit as usize)
            .map(|row| row.id)
            .collect();
        for id in &gone {
            self.detections.remove(id);
        }
        gone.len()
    }

    pub(super) fn sweep(&mut self, limit: usize) -> usize {
        let needed = self.versions_needed(&self.detections_needed());
        let (sources, gone) = (&self.sources, &mut self.sources_gone);
        let is_gone = |id: &SourceId| gone.contains(id) && !sources.contains_key(id);
        self.versions.retain(|key, _| !is_gone(&key.0) || needed.contains(key));
        let left: BTreeSet<SourceId> = self.versions.keys().map(|key| key.0).collect();
        gone.retain(|id| sources.contains_key(id) || left.contains(id));
        let bodies = self.versions.values().flat_map(blobs_of_version);
        let results =
            self.detections.values().flat_map(|row| &row.evidence).map(|piece| piece.result);
        let texts = self.outbox.values().filter_map(|row| row.body);
        let named: BTreeSet<BlobId> = bodies.chain(results).chain(texts).collect();
        let loose = self.blobs.keys().filter(|id| !named.contains(id));
        let gone: Vec<BlobId> = loose.take(limit).copied().collect();
        for id in &gone {
            self.blobs.remove(id);
        }
        gone.len()
    }
}
