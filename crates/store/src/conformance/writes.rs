//! Batches: atoms, idempotent, durable.

use super::dump::{Dump, dump};
use super::retention::told;
use super::samples::{self, channel_id, every_kind, joined, records, sentinel_id, stream_id};
use super::{Bench, INSTANCE};
use crate::{Batch, MemoryStore, Store};
use chronon::{Instant, SourceId, VersionNo};
use event::Change;
use graph::RoundId;
use kernel::Record;
use kernel::io::{FinishedPrune, Prune, SourcePrune};
use kernel::record::{Meta, Snapshot};
use outbox::OutboxRecord;

/// More writes than any batch here has.
const WRITES_MAX: u64 = 1_000;

pub fn a_new_store_is_empty_but_for_its_instance(bench: &mut dyn Bench) {
    for _ in 0..2 {
        let meta = Meta { instance: INSTANCE, ..Meta::default() };
        let empty = Snapshot { meta, ..Snapshot::default() };
        assert_eq!(bench.open().reader().snapshot().unwrap(), empty);
    }
}

pub fn a_snapshot_is_what_was_appended(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let row = |id, state| {
        let mut row = samples::notification(id, 1, 1);
        row.state = state;
        row
    };
    let (open, due) =
        (outbox::State::Open { closes: None }, outbox::State::Due { at: samples::at(9) });
    let rows = vec![row(4, due), row(5, outbox::State::Closed), row(6, open)];
    let mut ruled = samples::rules(1, 5);
    let is_counter =
        |one: &Record| matches!(one, Record::Detector(Change::Put(event::Row::Next(_))));
    ruled.extend(samples::rules(2, 6).into_iter().filter(|one| !is_counter(one)));
    let expected = Snapshot {
        meta: samples::meta(7),
        owners: vec![samples::owner(1, 1), samples::owner(2, 2)],
        sentinels: vec![
            (samples::sentinel(1, 1), samples::life(1, 1)),
            (samples::sentinel(2, 2), samples::life(2, 2)),
        ],
        sources: vec![samples::source(1, 1), samples::source(2, 2)],
        schedule: vec![samples::learned(1, 1), samples::learned(2, 2)],
        week: Some(samples::week(1)),
        streams: (0..8).map(|id| samples::stream(id, 3)).collect(),
        rounds: vec![samples::round(1, 1, 1), samples::round(1, 2, 1), samples::round(2, 1, 1)],
        channels: vec![samples::channel(1, 1), samples::channel(2, 2)],
        outbox: rows,
        outbox_counts: vec![(channel_id(1), 3)],
        hosts: vec![samples::host("a.example", 1), samples::host("b.example", 2)],
        applying: Some(samples::applying(2)),
        ..of_rules(&ruled)
    };
    let mut appended = records_of(&expected);
    appended.extend(ruled);
    let delivered = outbox::State::Delivered { at: samples::at(1) };
    appended.push(samples::row(row(7, delivered)));
    appended.reverse();
    store.append(&records(appended)).unwrap();
    assert_eq!(store.reader().snapshot().unwrap(), expected);
    assert_eq!(store.reader().definitions().unwrap(), expected.clone().into());
    drop(store);
    assert_eq!(bench.open().reader().snapshot().unwrap(), expected);
}

/// What records of rules amount to; each is of a row of its own.
fn of_rules(records: &[Record]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    let lives = records.iter().filter_map(|record| match record {
        Record::RuleLife(life) => Some(life.clone()),
        _ => None,
    });
    let mut lives = lives;
    for record in records {
        match record {
            Record::Rule(row) => {
                snapshot.rules.extend(lives.next().map(|life| ((**row).clone(), life)))
            }
            Record::Event(row) => snapshot.events.push(row.clone()),
            Record::Detector(Change::Put(row)) => snapshot.detector.push(row.clone()),
            Record::Firing(row) => snapshot.firings.push((**row).clone()),
            Record::Demand(row) => snapshot.demands.push(row.clone()),
            _ => {}
        }
    }
    snapshot.detector.sort_by_key(event::Row::key);
    snapshot
}

fn records_of(snapshot: &Snapshot) -> Vec<Record> {
    let mut records = vec![Record::Meta(snapshot.meta.clone())];
    records.extend(snapshot.owners.iter().cloned().map(Record::Owner));
    for (row, life) in &snapshot.sentinels {
        records.push(Record::Sentinel(Box::new(row.clone())));
        records.push(Record::SentinelLife(life.clone()));
    }
    let sources = snapshot.sources.iter().cloned();
    records.extend(sources.map(|row| Record::Source(Box::new(row))));
    records.extend(snapshot.schedule.iter().cloned().map(Record::Schedule));
    records.extend(snapshot.week.iter().cloned().map(Record::Week));
    records.extend(snapshot.streams.iter().cloned().map(Record::Stream));
    records.extend(snapshot.rounds.iter().cloned().map(Record::Round));
    let channels = snapshot.channels.iter().cloned().map(OutboxRecord::Channel);
    records.extend(channels.map(Record::Outbox));
    records.extend(snapshot.outbox.iter().cloned().map(samples::row));
    records.extend(snapshot.hosts.iter().cloned().map(Record::Host));
    records.extend(snapshot.applying.iter().cloned().map(Box::new).map(Record::Applying));
    records
}

pub fn every_record_written_twice_counts_once(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let whole = every_kind(1);
    for record in &whole.records {
        let single = Batch { records: vec![record.clone()], blobs: whole.blobs.clone() };
        store.append(&single).unwrap();
        let once = dump(&*store);
        store.append(&single).unwrap();
        assert_eq!(dump(&*store), once, "{record:?}");
    }
    let once = dump(&*store);
    store.append(&whole).unwrap();
    assert_eq!(dump(&*store), once);
    once.assert_stored();
}

pub fn an_update_replaces_every_column(bench: &mut dyn Bench) {
    let mut store = bench.open();
    for salt in 0..16 {
        let batch = every_kind(salt);
        store.append(&batch).unwrap();
        let (mut fresh, before) = (MemoryStore::new(INSTANCE), dump(&*store));
        fresh.append(&batch).unwrap();
        let fresh = fresh.reader().snapshot().unwrap();
        let found = store.reader().snapshot().unwrap();
        assert_eq!((&found.owners, &found.sentinels), (&fresh.owners, &fresh.sentinels));
        assert_eq!(found.sources, fresh.sources);
        assert_eq!((&found.streams, &found.meta), (&fresh.streams, &fresh.meta));
        assert_eq!((&found.schedule, &found.week), (&fresh.schedule, &fresh.week));
        assert_eq!(found.outbox, fresh.outbox);
        assert_eq!((found.channels, found.applying), (fresh.channels, fresh.applying));
        assert_eq!(found.hosts, fresh.hosts);
        before.assert_stored();
    }
}

pub fn deletes_delete_one_row_and_what_belongs_to_it(bench: &mut dyn Bench) {
    let mut store = bench.open();
    store.append(&every_kind(1)).unwrap();
    let more = records(vec![Record::Round(samples::round(1, 2, 1))]);
    store.append(&more).unwrap();
    let deletes = records(vec![
        Record::SentinelGone(sentinel_id(1)),
        Record::SourceGone(SourceId(1)),
        Record::StreamGone(stream_id(1)),
        Record::RoundGone(RoundId { stream: stream_id(1), index: 1 }),
        Record::ApplyingGone,
        Record::HostGone("air.example".into()),
    ]);
    for _ in 0..2 {
        store.append(&deletes).unwrap();
        let reader = store.reader();
        let left = reader.snapshot().unwrap();
        assert_eq!(left.sentinels, vec![(samples::sentinel(2, 2), samples::life(2, 2))]);
        assert_eq!(left.sources, vec![samples::source(2, 2)]);
        assert_eq!(left.schedule, vec![]);
        assert_eq!(left.streams, vec![samples::stream(2, 1)]);
        assert_eq!(left.rounds, vec![samples::round(1, 2, 1)]);
        assert_eq!((left.applying, left.hosts), (None, vec![]));
        assert_eq!(reader.sentinel(sentinel_id(1)).unwrap(), None);
        assert_eq!(reader.source(SourceId(1)).unwrap(), None);
        assert_eq!(reader.transitions(sentinel_id(1)).unwrap(), vec![]);
        assert_eq!(reader.probes(SourceId(1)).unwrap(), vec![]);
        assert_eq!(reader.habits(SourceId(1)).unwrap(), None);
        assert_eq!(reader.loud(SourceId(1)).unwrap(), vec![]);
        // History stays.
        assert_eq!(reader.detections(sentinel_id(1), None, 10).unwrap().len(), 1);
        assert_eq!(reader.notifications(None, None, 10).unwrap().len(), 2);
    }
}

/// Repeats `work` with the n-th write failing, for every n until none fails; whenever it fails,
/// the store is as before or as after, also after a crash.
fn failing_every_write(
    bench: &mut dyn Bench,
    before: &Dump,
    after: &Dump,
    mut work: impl FnMut(&mut dyn Store) -> Result<(), crate::StoreError>,
) {
    let mut store = bench.open();
    for n in 1..WRITES_MAX {
        bench.fail_write(n);
        let done = work(&mut *store);
        let found = dump(&*store);
        assert!(found == *before || found == *after, "half of it, after write {n} failed");
        found.assert_stored();
        if done.is_ok() {
            assert_eq!(found, *after, "it returned, and is not there");
            return;
        }
        drop(store);
        store = bench.open();
        assert_eq!(dump(&*store), found, "a crash after write {n} failed changed something");
    }
    panic!("every write fails");
}

fn model(batches: &[&Batch]) -> MemoryStore {
    let mut model = MemoryStore::new(INSTANCE);
    batches.iter().for_each(|batch| model.append(batch).unwrap());
    model
}

pub fn a_batch_is_whole_or_not_at_all_whichever_write_fails(bench: &mut dyn Bench) {
    let (first, mut second) = (every_kind(1), every_kind(2));
    second.records.push(Record::SentinelGone(sentinel_id(2)));
    second.records.push(Record::SourceGone(SourceId(2)));
    bench.open().append(&first).unwrap();
    let before = dump(&model(&[&first]));
    let after = dump(&model(&[&first, &second]));
    assert_ne!(before, after);
    failing_every_write(bench, &before, &after, |store| store.append(&second));
}

fn history() -> Batch {
    joined(
        (1..=8)
            .map(|n| samples::version(1, n, 1))
            .chain((2..=8).map(|n| samples::detection(u64::from(n), 1, 1, (n - 1, n)))),
    )
}

fn prune_most() -> Prune {
    Prune::Source(SourcePrune {
        source: SourceId(1),
        keep: vec![VersionNo(3)],
        history: 1,
        before: Instant::NEVER,
        versions_max: 100,
        detections: vec![(sentinel_id(1), 2)],
    })
}

pub fn pruning_is_whole_or_not_at_all_whichever_write_fails(bench: &mut dyn Bench) {
    let mut model = model(&[&history()]);
    bench.open().append(&history()).unwrap();
    let before = dump(&model);
    assert_eq!(model.prune(&prune_most()).unwrap(), 6);
    let after = dump(&model);
    failing_every_write(bench, &before, &after, |store| store.prune(&prune_most()).map(drop));
}

pub fn sweeping_is_whole_or_not_at_all_whichever_write_fails(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let messages = joined((2..=8).map(told));
    store.append(&joined([history(), messages.clone(), samples::version(2, 1, 1)])).unwrap();
    store.prune(&prune_most()).unwrap();
    store.append(&records(vec![Record::SourceGone(SourceId(2))])).unwrap();
    let before = dump(&*store);
    drop(store);
    let mut model = model(&[&history(), &messages, &samples::version(2, 1, 1)]);
    model.prune(&prune_most()).unwrap();
    model.append(&records(vec![Record::SourceGone(SourceId(2))])).unwrap();
    assert_eq!(dump(&model), before);
    // Six versions with body and extract, five results, and the other source's two.
    assert_eq!(model.sweep(100).unwrap(), 19);
    let after = dump(&model);
    failing_every_write(bench, &before, &after, |store| store.sweep(100).map(drop));
    assert_eq!(bench.open().sweep(100).unwrap(), 0);
}

pub fn a_reader_sees_every_batch_that_returned(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let reader = store.reader();
    for salt in 0..20 {
        store.append(&records(vec![Record::Meta(samples::meta(salt))])).unwrap();
        let elsewhere = std::thread::scope(|scope| {
            scope.spawn(|| reader.snapshot().unwrap().meta).join().unwrap()
        });
        assert_eq!(elsewhere, samples::meta(salt));
    }
}

pub fn what_was_appended_survives_a_crash(bench: &mut dyn Bench) {
    for salt in 1..5 {
        let mut store = bench.open();
        store.append(&every_kind(salt)).unwrap();
        let before = dump(&*store);
        drop(store);
        assert_eq!(dump(&*bench.open()), before);
    }
}

pub fn pruning_what_is_finished_is_whole_or_not_at_all(bench: &mut dyn Bench) {
    let delivered = |id| {
        let mut row = samples::notification(id, 1, 1);
        row.state = outbox::State::Delivered { at: samples::at(id) };
        samples::composed(row, &format!("text {id}"))
    };
    let past = joined((1..=6).map(delivered).chain([history()]));
    let mut model = model(&[&past]);
    bench.open().append(&past).unwrap();
    let before = dump(&model);
    let prune = Prune::Finished(FinishedPrune {
        before: Instant::NEVER,
        history: 0,
        histories: vec![],
        limit: 100,
    });
    assert_eq!(model.prune(&prune).unwrap(), 5 + 7);
    let after = dump(&model);
    failing_every_write(bench, &before, &after, |store| store.prune(&prune).map(drop));
}
