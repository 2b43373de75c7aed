//! What is due, and how much of it.

use super::Bench;
use super::samples::{self, at, channel_id, records};
use crate::DUE_ROWS_LOADED;
use kernel::Record;
use outbox::{DeliveryResult, Failing, OutboxRecord, Row, State};

fn row(id: u64, channel: u32, state: State) -> Row {
    let mut row = samples::notification(id, channel, 1);
    row.closed_at = None;
    row.state = state;
    row
}

fn due(id: u64, seconds: u64) -> Row {
    row(id, 1, State::Due { at: at(seconds) })
}

pub fn due_rows_come_by_time_then_id(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let mut closed = row(4, 1, State::Closed);
    closed.closed_at = Some(at(15));
    // Without a closing time, when it was created: at(7).
    let created = row(7, 1, State::Closed);
    let rows = vec![
        due(1, 30),
        due(2, 10),
        due(3, 10),
        closed,
        row(5, 1, State::Open { closes: Some(at(1)) }),
        row(6, 1, State::Delivered { at: at(1) }),
        created,
        row(8, 2, State::Due { at: at(1) }),
    ];
    store.append(&records(rows.into_iter().map(samples::row).collect())).unwrap();
    let ids = |channel, limit| {
        let rows = store.reader().due(channel_id(channel), limit).unwrap();
        rows.iter().map(|row| row.id.0).collect::<Vec<_>>()
    };
    assert_eq!(ids(1, 100), [7, 2, 3, 4, 1]);
    assert_eq!(ids(1, 2), [7, 2]);
    assert_eq!(ids(2, 100), [8]);
    assert_eq!(ids(3, 100), [0; 0]);
    store.append(&records(vec![samples::row(row(2, 1, State::Delivered { at: at(40) }))])).unwrap();
    let left = store.reader().due(channel_id(1), 2).unwrap();
    assert_eq!(left.iter().map(|row| row.id.0).collect::<Vec<_>>(), [7, 3]);
}

pub fn how_a_channel_failed_is_known_after_a_start(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let tried = |id, channel, last| {
        let mut row = row(id, channel, State::Due { at: at(90) });
        row.effort.last = Some(at(last));
        samples::row(row)
    };
    let channel = |id, failing: Option<u64>| {
        let mut row = samples::channel(id, 1);
        let failing = failing.map(|since| Failing { since: at(since), told: false });
        row.course.failing = failing;
        Record::Outbox(OutboxRecord::Channel(row))
    };
    let attempt = |id, number| Record::Outbox(OutboxRecord::Attempt(samples::attempt(id, number)));
    store
        .append(&records(vec![
            channel(1, Some(1)),
            channel(2, None),
            channel(3, Some(1)),
            tried(1, 1, 20),
            tried(2, 1, 30),
            tried(3, 2, 40),
            tried(4, 3, 50),
            attempt(1, 2),
            attempt(2, 6),
            attempt(2, 7),
            attempt(3, 2),
            attempt(4, 5),
        ]))
        .unwrap();
    // What waits in front of it, and was not tried, is more than is loaded.
    let ahead = |id| {
        let mut row = row(id, 1, State::Due { at: at(80) });
        row.effort.last = None;
        samples::row(row)
    };
    store.append(&records((100..100 + DUE_ROWS_LOADED as u64).map(ahead).collect())).unwrap();
    drop(store);
    let reader = bench.open().reader();
    let found = crate::failures(&reader.snapshot().unwrap(), &*reader).unwrap();
    let DeliveryResult::Failed { reason, .. } = samples::attempt(2, 7).result else {
        panic!("the sample failed")
    };
    assert_eq!(found, [(channel_id(1), reason)], "the newest; the last of the third arrived");
}

pub fn unfinished_rows_are_counted_per_channel(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let states = [
        State::Open { closes: None },
        State::Closed,
        State::Due { at: at(1) },
        State::Delivered { at: at(1) },
        State::GivenUp { at: at(1), reason: "a day has passed".into() },
        State::Cancelled { at: at(1) },
    ];
    for (id, state) in states.iter().enumerate() {
        let id = id as u64 + 1;
        let rows = vec![
            samples::row(row(id, 3, state.clone())),
            samples::row(row(id + 100, 1, state.clone())),
            samples::row(row(id + 200, 1, state.clone())),
        ];
        store.append(&records(rows)).unwrap();
    }
    let counts = store.reader().snapshot().unwrap().outbox_counts;
    assert_eq!(counts, [(channel_id(1), 6), (channel_id(3), 3)]);
    let finished = (1..=3).map(|id| samples::row(row(id, 3, State::Cancelled { at: at(2) })));
    store.append(&records(finished.collect())).unwrap();
    assert_eq!(store.reader().snapshot().unwrap().outbox_counts, [(channel_id(1), 6)]);
}

pub fn a_snapshot_holds_the_first_hundred_due_rows_of_each_channel(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let many = 2 * DUE_ROWS_LOADED as u64;
    // The later the id, the sooner it is due.
    let mut rows: Vec<Row> = (1..=many).map(|id| due(id, 10_000 - id)).collect();
    rows.extend((1..=many).map(|id| row(1_000 + id, 1, State::Closed)));
    rows.push(row(5_000, 2, State::Due { at: at(20_000) }));
    store.append(&records(rows.into_iter().map(samples::row).collect())).unwrap();
    let snapshot = store.reader().snapshot().unwrap();
    let ids: Vec<u64> = snapshot.outbox.iter().map(|row| row.id.0).collect();
    let soonest = many - DUE_ROWS_LOADED as u64 + 1..=many;
    let expected: Vec<u64> = soonest.chain(1_001..=1_000 + many).chain([5_000]).collect();
    assert_eq!(ids, expected);
    assert_eq!(snapshot.outbox_counts, [(channel_id(1), 2 * many), (channel_id(2), 1)]);
}
