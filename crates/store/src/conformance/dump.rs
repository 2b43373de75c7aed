//! Everything a reader can say about small ids, to compare stores whole.

use super::samples::{channel_id, sentinel_id};
use crate::named::blobs_of_version;
use crate::{Reader, Store};
use chronon::{BlobId, NotificationId, SourceId, VersionNo};
use kernel::record::{HabitsRow, ProbeRow, Snapshot, Transition, VersionRow};
use outbox::{Attempt, Detection, DetectionId, Row};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Ids beyond this are not looked at.
const IDS: u32 = 12;

#[derive(Debug, PartialEq)]
pub(super) struct Dump {
    snapshot: Snapshot,
    transitions: Vec<Vec<Transition>>,
    probes: Vec<Vec<ProbeRow>>,
    habits: Vec<Option<HabitsRow>>,
    loud: Vec<Vec<change::Key>>,
    versions: Vec<Vec<VersionRow>>,
    detections: Vec<Vec<Detection>>,
    notifications: Vec<Row>,
    attempts: Vec<Vec<Attempt>>,
    due: Vec<Vec<Row>>,
    blobs: BTreeMap<BlobId, Option<Arc<[u8]>>>,
}

/// What `store` says now. One-row reads are checked against the lists on the way.
pub(super) fn dump(store: &dyn Store) -> Dump {
    read(&*store.reader())
}

fn read(reader: &dyn Reader) -> Dump {
    let versions: Vec<_> =
        (0..IDS).map(|id| reader.versions(SourceId(id), None, 1_000).unwrap()).collect();
    let detections: Vec<_> =
        (0..IDS).map(|id| reader.detections(sentinel_id(id), None, 1_000).unwrap()).collect();
    let notifications = reader.notifications(None, None, 1_000).unwrap();
    let snapshot = reader.snapshot().unwrap();
    for row in versions.iter().flatten() {
        assert_eq!(reader.version(row.source, row.number).unwrap().as_ref(), Some(row));
    }
    for row in detections.iter().flatten() {
        assert_eq!(reader.detection(row.id).unwrap().as_ref(), Some(row));
    }
    for row in &notifications {
        assert_eq!(reader.notification(row.id).unwrap().as_ref(), Some(row));
    }
    for row in &snapshot.sources {
        assert_eq!(reader.source(row.id).unwrap().as_ref(), Some(row));
    }
    assert_eq!(reader.meta().unwrap(), snapshot.meta);
    for row in &snapshot.channels {
        assert_eq!(reader.channel(row.id).unwrap().as_ref(), Some(row));
    }
    for (row, _) in &snapshot.sentinels {
        assert_eq!(reader.sentinel(row.id).unwrap().as_ref(), Some(row));
    }
    for (row, _) in &snapshot.rules {
        assert_eq!(reader.rule(row.id).unwrap().as_ref(), Some(row));
    }
    let bodies = versions.iter().flatten().flat_map(blobs_of_version);
    let results =
        detections.iter().flatten().flat_map(|row| &row.evidence).map(|piece| piece.result);
    let texts = notifications.iter().filter_map(|row| row.body);
    let named = bodies.chain(results).chain(texts);
    Dump {
        blobs: named.map(|id| (id, reader.blob(id).unwrap())).collect(),
        transitions: (0..IDS).map(|id| reader.transitions(sentinel_id(id)).unwrap()).collect(),
        probes: (0..IDS).map(|id| reader.probes(SourceId(id)).unwrap()).collect(),
        habits: (0..IDS).map(|id| reader.habits(SourceId(id)).unwrap()).collect(),
        loud: (0..IDS).map(|id| reader.loud(SourceId(id)).unwrap()).collect(),
        attempts: (0..u64::from(IDS))
            .map(|id| reader.attempts(NotificationId(id)).unwrap())
            .collect(),
        due: (0..IDS).map(|id| reader.due(channel_id(id), 1_000).unwrap()).collect(),
        snapshot,
        versions,
        detections,
        notifications,
    }
}

impl Dump {
    /// Every blob that a row names is there (I-STORED).
    pub(super) fn assert_stored(&self) {
        for (id, bytes) in &self.blobs {
            let bytes = bytes.as_ref().unwrap_or_else(|| panic!("blob {id} is named and gone"));
            assert_eq!(blake3::hash(bytes).as_bytes(), &id.0, "blob {id} has other bytes");
        }
    }

    pub(super) fn version_numbers(&self, source: u32) -> Vec<VersionNo> {
        self.versions[source as usize].iter().map(|row| row.number).collect()
    }

    pub(super) fn detection_ids(&self, sentinel: u32) -> Vec<DetectionId> {
        self.detections[sentinel as usize].iter().map(|row| row.id).collect()
    }
}
