//! Rings and lists.

use super::Bench;
use super::samples::{self, at, channel_id, joined, records, sentinel_id};
use crate::{ATTEMPTS_KEPT, Batch, LIST_ROWS_MAX, PROBES_KEPT, TRANSITIONS_KEPT};
use chronon::{NotificationId, SourceId, VersionNo};
use kernel::Record;
use outbox::{DetectionId, OutboxRecord};

pub fn rings_keep_the_last_entries(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let last = 3 * PROBES_KEPT + 17;
    for number in 1..=last {
        let attempt = samples::attempt(1, number as u32);
        let entries = records(vec![
            Record::Probe(samples::probe(1, number)),
            Record::Probe(samples::probe(2, number / 2)),
            Record::Transition(samples::transition(1, number)),
            Record::Transition(samples::transition(2, number / 10)),
            Record::Outbox(OutboxRecord::Attempt(attempt)),
        ]);
        store.append(&entries).unwrap();
    }
    let reader = store.reader();
    let probes: Vec<_> = (last - PROBES_KEPT + 1..=last).map(|n| samples::probe(1, n)).collect();
    assert_eq!(reader.probes(SourceId(1)).unwrap(), probes);
    assert_eq!(reader.probes(SourceId(2)).unwrap().len() as u64, PROBES_KEPT);
    let first = last - TRANSITIONS_KEPT as u64 + 1;
    let transitions: Vec<_> = (first..=last).map(|n| samples::transition(1, n)).collect();
    assert_eq!(reader.transitions(sentinel_id(1)).unwrap(), transitions);
    let few: Vec<_> = (0..=last / 10).map(|n| samples::transition(2, n)).collect();
    assert_eq!(reader.transitions(sentinel_id(2)).unwrap(), few);
    let last = last as u32;
    let attempts: Vec<_> =
        (last - ATTEMPTS_KEPT + 1..=last).map(|n| samples::attempt(1, n)).collect();
    assert_eq!(reader.attempts(NotificationId(1)).unwrap(), attempts);
    assert_eq!(reader.attempts(NotificationId(2)).unwrap(), vec![]);
}

/// Two sources and two sentinels with seven rows each, taking turns.
fn turns() -> Batch {
    joined((1..=14u32).map(|n| {
        let (who, number) = (1 + n % 2, n.div_ceil(2));
        let mut notification = samples::notification(u64::from(n), 1, 0);
        notification.sentinel = Some(sentinel_id(who));
        joined([
            samples::version(who, number, 1),
            samples::detection(u64::from(n), who, who, (number, number + 1)),
            records(vec![samples::row(notification)]),
        ])
    }))
}

pub fn lists_are_newest_first_and_go_on_below_their_cursor(bench: &mut dyn Bench) {
    let mut store = bench.open();
    store.append(&turns()).unwrap();
    let reader = store.reader();
    let versions = |before: Option<u32>, limit| {
        let rows = reader.versions(SourceId(1), before.map(VersionNo), limit).unwrap();
        assert!(rows.iter().all(|row| row.source == SourceId(1)));
        rows.iter().map(|row| row.number.0).collect::<Vec<_>>()
    };
    assert_eq!(versions(None, 3), [7, 6, 5]);
    assert_eq!(versions(Some(5), 3), [4, 3, 2]);
    assert_eq!(versions(Some(2), 3), [1]);
    assert_eq!(versions(Some(1), 3), [0; 0]);
    assert_eq!(versions(None, 0), [0; 0]);
    let detections = |before: Option<u64>, limit| {
        let rows = reader.detections(sentinel_id(1), before.map(DetectionId), limit).unwrap();
        rows.iter().map(|row| row.id.0).collect::<Vec<_>>()
    };
    assert_eq!(detections(None, 3), [14, 12, 10]);
    assert_eq!(detections(Some(10), 100), [8, 6, 4, 2]);
    let notifications = |sentinel: Option<u32>, before: Option<u64>, limit| {
        let (sentinel, before) = (sentinel.map(sentinel_id), before.map(NotificationId));
        let rows = reader.notifications(sentinel, before, limit).unwrap();
        rows.iter().map(|row| row.id.0).collect::<Vec<_>>()
    };
    assert_eq!(notifications(None, None, 3), [14, 13, 12]);
    assert_eq!(notifications(None, Some(3), 3), [2, 1]);
    assert_eq!(notifications(Some(2), Some(5), 9), [3, 1]);
    assert_eq!(notifications(Some(9), None, 9), [0; 0]);
}

pub fn a_list_never_has_more_than_a_thousand_rows(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let rows = (1..=LIST_ROWS_MAX as u64 + 5).map(|id| {
        let mut row = samples::notification(id, 1, 0);
        row.state = outbox::State::Due { at: at(id) };
        samples::row(row)
    });
    store.append(&records(rows.collect())).unwrap();
    let reader = store.reader();
    let listed = reader.notifications(None, None, usize::MAX).unwrap();
    assert_eq!(listed.len(), LIST_ROWS_MAX);
    assert_eq!(reader.due(channel_id(1), usize::MAX).unwrap().len(), LIST_ROWS_MAX);
}
