//! Reading the state in memory.

use super::Disk;
use super::state::{State, due_at, is_unfinished};
use crate::{DUE_ROWS_LOADED, LIST_ROWS_MAX, Reader, StoreError};
use chronon::{BlobId, NotificationId, RuleId, SentinelId, SourceId, VersionNo};
use kernel::record::{
    HabitsRow, Meta, ProbeRow, RuleRow, SentinelRow, Snapshot, SourceRow, Transition, VersionRow,
};
use outbox::{Attempt, ChannelId, ChannelRow, Detection, DetectionId, Row};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

pub(super) struct MemoryReader {
    pub(super) disk: Arc<RwLock<Disk>>,
}

impl MemoryReader {
    fn with<T>(&self, read: impl FnOnce(&State) -> T) -> Result<T, StoreError> {
        Ok(read(&self.disk.read().unwrap_or_else(PoisonError::into_inner).state))
    }
}

impl Reader for MemoryReader {
    fn snapshot(&self) -> Result<Snapshot, StoreError> {
        self.with(State::snapshot)
    }

    fn meta(&self) -> Result<Meta, StoreError> {
        self.with(|state| state.meta.clone())
    }

    fn blob(&self, id: BlobId) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.with(|state| state.blobs.get(&id).cloned())
    }

    fn sentinel(&self, id: SentinelId) -> Result<Option<SentinelRow>, StoreError> {
        self.with(|state| state.sentinels.get(&id).cloned())
    }

    fn rule(&self, id: RuleId) -> Result<Option<RuleRow>, StoreError> {
        self.with(|state| state.rules.get(&id).cloned())
    }

    fn transitions(&self, sentinel: SentinelId) -> Result<Vec<Transition>, StoreError> {
        self.with(|state| state.transitions.get(&sentinel).cloned().unwrap_or_default())
    }

    fn source(&self, id: SourceId) -> Result<Option<SourceRow>, StoreError> {
        self.with(|state| state.sources.get(&id).cloned())
    }

    fn probes(&self, source: SourceId) -> Result<Vec<ProbeRow>, StoreError> {
        self.with(|state| {
            let ring = state.probes.get(&source).into_iter().flat_map(BTreeMap::values);
            let mut probes: Vec<_> = ring.cloned().collect();
            probes.sort_by_key(|probe| probe.number);
            probes
        })
    }

    fn habits(&self, source: SourceId) -> Result<Option<HabitsRow>, StoreError> {
        self.with(|state| state.habits.get(&source).cloned())
    }

    fn loud(&self, source: SourceId) -> Result<Vec<change::Key>, StoreError> {
        self.with(|state| state.loud.get(&source).into_iter().flatten().copied().collect())
    }

    fn version(
        &self,
        source: SourceId,
        number: VersionNo,
    ) -> Result<Option<VersionRow>, StoreError> {
        self.with(|state| state.versions.get(&(source, number)).cloned())
    }

    fn versions(
        &self,
        source: SourceId,
        before: Option<VersionNo>,
        limit: usize,
    ) -> Result<Vec<VersionRow>, StoreError> {
        self.with(|state| {
            let end = (source, before.unwrap_or(VersionNo(u32::MAX)));
            let rows = state.versions.range((source, VersionNo(0))..end).rev();
            rows.take(limit.min(LIST_ROWS_MAX)).map(|(_, row)| row.clone()).collect()
        })
    }

    fn detection(&self, id: DetectionId) -> Result<Option<Detection>, StoreError> {
        self.with(|state| state.detections.get(&id).cloned())
    }

    fn detections(
        &self,
        sentinel: SentinelId,
        before: Option<DetectionId>,
        limit: usize,
    ) -> Result<Vec<Detection>, StoreError> {
        self.with(|state| {
            let rows = state.detections.range(..before.unwrap_or(DetectionId(u64::MAX))).rev();
            let rows = rows.map(|(_, row)| row).filter(|row| row.sentinel == sentinel);
            rows.take(limit.min(LIST_ROWS_MAX)).cloned().collect()
        })
    }

    fn channel(&self, id: ChannelId) -> Result<Option<ChannelRow>, StoreError> {
        self.with(|state| state.channels.get(&id).cloned())
    }

    fn notification(&self, id: NotificationId) -> Result<Option<Row>, StoreError> {
        self.with(|state| state.outbox.get(&id).cloned())
    }

    fn notifications(
        &self,
        sentinel: Option<SentinelId>,
        before: Option<NotificationId>,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        self.with(|state| {
            let rows = state.outbox.range(..before.unwrap_or(NotificationId(u64::MAX))).rev();
            let asked = |row: &&Row| sentinel.is_none() || row.sentinel == sentinel;
            let rows = rows.map(|(_, row)| row).filter(asked);
            rows.take(limit.min(LIST_ROWS_MAX)).cloned().collect()
        })
    }

    fn attempts(&self, notification: NotificationId) -> Result<Vec<Attempt>, StoreError> {
        self.with(|state| {
            let ring = state.attempts.get(&notification).into_iter().flat_map(BTreeMap::values);
            let mut attempts: Vec<_> = ring.cloned().collect();
            attempts.sort_by_key(|attempt| attempt.number);
            attempts
        })
    }

    fn due(&self, channel: ChannelId, limit: usize) -> Result<Vec<Row>, StoreError> {
        self.with(|state| {
            let rows = state.outbox.values().filter(|row| row.channel == channel);
            let mut rows: Vec<_> = rows.filter(|row| due_at(row).is_some()).collect();
            rows.sort_by_key(|row| (due_at(row), row.id));
            rows.into_iter().take(limit.min(LIST_ROWS_MAX)).cloned().collect()
        })
    }

    fn tried_last(&self, channel: ChannelId) -> Result<Option<Row>, StoreError> {
        self.with(|state| {
            let rows = state.outbox.values().filter(|row| row.channel == channel);
            let tried = rows.filter(|row| is_unfinished(row) && row.effort.last.is_some());
            tried.max_by_key(|row| (row.effort.last, Reverse(row.id))).cloned()
        })
    }
}

impl State {
    fn snapshot(&self) -> Snapshot {
        let lived = |(id, row): (&SentinelId, &SentinelRow)| {
            self.lives.get(id).map(|life| (row.clone(), life.clone()))
        };
        let unfinished = || self.outbox.values().filter(|row| is_unfinished(row));
        let mut counts: BTreeMap<ChannelId, u64> = BTreeMap::new();
        unfinished().for_each(|row| *counts.entry(row.channel).or_default() += 1);
        Snapshot {
            meta: self.meta.clone(),
            owners: self.owners.values().cloned().collect(),
            sentinels: self.sentinels.iter().filter_map(lived).collect(),
            sources: self.sources.values().cloned().collect(),
            schedule: self.schedule.values().cloned().collect(),
            week: self.week.clone(),
            streams: self.streams.values().cloned().collect(),
            rounds: self.rounds.values().cloned().collect(),
            channels: self.channels.values().cloned().collect(),
            outbox: self.outbox_loaded(),
            outbox_counts: counts.into_iter().collect(),
            hosts: self.hosts.values().cloned().collect(),
            applying: self.applying.clone(),
            rules: (self.rules.iter())
                .filter_map(|(id, row)| Some((row.clone(), self.rule_lives.get(id)?.clone())))
                .collect(),
            events: self.events.values().cloned().collect(),
            detector: self.detector.values().cloned().collect(),
            firings: self.firings.values().cloned().collect(),
            demands: self.demands.values().cloned().collect(),
            waiting: self.waiting().filter_map(|id| self.detections.get(&id).cloned()).collect(),
        }
    }

    fn outbox_loaded(&self) -> Vec<Row> {
        let mut due: BTreeMap<ChannelId, Vec<_>> = BTreeMap::new();
        let mut loaded = Vec::new();
        for row in self.outbox.values().filter(|row| is_unfinished(row)) {
            match row.state {
                outbox::State::Due { at } => {
                    due.entry(row.channel).or_default().push((at, row.id));
                }
                _ => loaded.push(row.id),
            }
        }
        for mut rows in due.into_values() {
            rows.sort_unstable();
            loaded.extend(rows.into_iter().take(DUE_ROWS_LOADED).map(|(_, id)| id));
        }
        loaded.sort_unstable();
        loaded.iter().filter_map(|id| self.outbox.get(id).cloned()).collect()
    }
}
