//! Prune and sweep over a history.

use super::Bench;
use super::dump::dump;
use super::samples::{self, at, blob, joined, records, sentinel_id, version_of};
use crate::{Batch, Store};
use chronon::{Instant, NotificationId, SourceId, VersionNo};
use kernel::Record;
use kernel::io::{FinishedPrune, Prune, SourcePrune};
use kernel::record::DemandRow;
use outbox::{DetectionId, OutboxRecord, State};

/// Nothing is kept but what must be.
fn prune_all() -> SourcePrune {
    SourcePrune {
        source: SourceId(1),
        keep: vec![],
        history: 0,
        before: Instant::NEVER,
        versions_max: 1_000,
        detections: vec![],
    }
}

fn versions(count: u32) -> Batch {
    joined((1..=count).map(|number| samples::version(1, number, 1)))
}

fn numbers(store: &dyn Store) -> Vec<u32> {
    dump(store).version_numbers(1).iter().map(|number| number.0).collect()
}

/// A page that changes a little each time.
fn page(number: u32) -> String {
    let line =
        |n: u32| format!("<li>offer {n}: {}</li>\n", if n == number % 50 { number } else { n });
    (0..400).map(line).collect()
}

fn long_version(number: u32) -> Batch {
    let (body, extract) = (blob(&page(number)), blob(&page(number).replace("<li>", "")));
    let record = version_of(1, number, (body.0, extract.0), 1);
    Batch { records: vec![record], blobs: vec![body, extract] }
}

pub fn every_version_of_a_long_history_reads_back_after_any_prune(bench: &mut dyn Bench) {
    let mut store = bench.open();
    (1..=70).for_each(|number| store.append(&long_version(number)).unwrap());
    dump(&*store).assert_stored();
    let keeps: [&[u32]; 5] =
        [&[1, 2, 5, 20, 30, 31, 33, 50, 60], &[2, 20, 31, 33, 60], &[20, 33], &[33], &[]];
    for keep in keeps {
        let keep: Vec<_> = keep.iter().copied().map(VersionNo).collect();
        let mut expected = keep.clone();
        expected.push(VersionNo(70));
        expected.reverse();
        store.prune(&Prune::Source(SourcePrune { keep, ..prune_all() })).unwrap();
        while store.sweep(7).unwrap() > 0 {
            dump(&*store).assert_stored();
        }
        assert_eq!(dump(&*store).version_numbers(1), expected);
        drop(store);
        store = bench.open();
        dump(&*store).assert_stored();
    }
    (71..=90).for_each(|number| store.append(&long_version(number)).unwrap());
    dump(&*store).assert_stored();
}

pub fn prune_keeps_what_it_is_told_to_keep(bench: &mut dyn Bench) {
    let mut store = bench.open();
    store.append(&joined([versions(10), samples::version(2, 1, 1)])).unwrap();
    let young = SourcePrune { before: at(0), ..prune_all() };
    assert_eq!(store.prune(&Prune::Source(young.clone())).unwrap(), 0);
    assert_eq!(
        store.prune(&Prune::Source(SourcePrune { versions_max: 8, ..young.clone() })).unwrap(),
        2
    );
    assert_eq!(numbers(&*store), [10, 9, 8, 7, 6, 5, 4, 3]);
    assert_eq!(
        store.prune(&Prune::Source(SourcePrune { before: at(5), ..prune_all() })).unwrap(),
        2
    );
    assert_eq!(numbers(&*store), [10, 9, 8, 7, 6, 5]);
    let kept = SourcePrune { keep: vec![VersionNo(5), VersionNo(7)], history: 2, ..prune_all() };
    assert_eq!(store.prune(&Prune::Source(kept)).unwrap(), 2);
    assert_eq!(numbers(&*store), [10, 9, 7, 5]);
    assert_eq!(
        store.prune(&Prune::Source(SourcePrune { versions_max: 0, ..prune_all() })).unwrap(),
        3
    );
    assert_eq!(numbers(&*store), [10]);
    assert_eq!(dump(&*store).version_numbers(2), [VersionNo(1)]);
    // Nine versions went, each with a body and an extract.
    assert_eq!(store.sweep(1_000).unwrap(), 18);
    dump(&*store).assert_stored();
}

pub fn prune_keeps_what_an_unfinished_notification_names(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let mut row = samples::notification(1, 1, 0);
    row.sentinel = Some(sentinel_id(1));
    row.members = vec![DetectionId(2), DetectionId(4)];
    let detections = (1..=4).map(|n| samples::detection(n, 1, 1, (n as u32, n as u32 + 1)));
    store.append(&joined(detections.chain([versions(9)]))).unwrap();
    for state in [State::Open { closes: None }, State::Closed, State::Due { at: at(1) }] {
        row.state = state;
        store.append(&records(vec![samples::row(row.clone())])).unwrap();
        store.prune(&Prune::Source(prune_all())).unwrap();
        assert_eq!(numbers(&*store), [9, 5, 4, 3, 2]);
        assert_eq!(dump(&*store).detection_ids(1), [DetectionId(4), DetectionId(2)]);
    }
    row.state = State::Delivered { at: at(2) };
    store.append(&records(vec![samples::row(row)])).unwrap();
    assert_eq!(store.prune(&Prune::Source(prune_all())).unwrap(), 4);
    assert_eq!(numbers(&*store), [9]);
    assert_eq!(dump(&*store).detection_ids(1), []);
}

pub fn messages_outlive_what_they_tell_of(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let detections = (1..=9u32).map(|n| samples::detection(n.into(), 1, 1, (n, n + 1)));
    store.append(&joined(detections.chain([versions(10)]))).unwrap();
    store.append(&joined((1..=9).map(told))).unwrap();
    for keep in [vec![2, 4, 5, 10], vec![5, 10], vec![]] {
        let keep = keep.into_iter().map(VersionNo).collect();
        store.prune(&Prune::Source(SourcePrune { keep, ..prune_all() })).unwrap();
        while store.sweep(2).unwrap() > 0 {
            dump(&*store).assert_stored();
        }
        drop(store);
        store = bench.open();
        dump(&*store).assert_stored();
    }
    assert_eq!(dump(&*store).detection_ids(1), []);
    store.append(&joined((1..=9).map(told))).unwrap();
    assert_eq!(notified(&*store), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
    store.prune(&Prune::Finished(FinishedPrune { before: at(4), ..finished_all() })).unwrap();
    // Messages and nothing else were left.
    assert_eq!(store.sweep(100).unwrap(), 3);
    dump(&*store).assert_stored();
}

pub fn prune_deletes_old_detections_beyond_the_history(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let detections = (1..=12u32).map(|n| {
        let sentinel = 1 + n % 2;
        samples::detection(u64::from(n), sentinel, 1, (n.div_ceil(2), n.div_ceil(2) + 1))
    });
    let elsewhere = samples::detection(50, 3, 2, (1, 2));
    store.append(&joined(detections.chain([versions(7), elsewhere]))).unwrap();
    let ids = |store: &dyn Store, sentinel| {
        dump(store).detection_ids(sentinel).iter().map(|id| id.0).collect::<Vec<_>>()
    };
    let young =
        SourcePrune { before: at(4), keep: (1..=7).map(VersionNo).collect(), ..prune_all() };
    let two =
        SourcePrune { detections: vec![(sentinel_id(1), 6), (sentinel_id(2), 1)], ..young.clone() };
    store.prune(&Prune::Source(two)).unwrap();
    assert_eq!(ids(&*store, 1), [12, 10, 8, 6, 4, 2]);
    assert_eq!(ids(&*store, 2), [11, 9, 7, 5]);
    // A detection goes with its newer version, young as it may be.
    let few = SourcePrune { keep: vec![], versions_max: 2, before: at(0), ..young };
    store.prune(&Prune::Source(few)).unwrap();
    assert_eq!(ids(&*store, 1), [12, 10]);
    assert_eq!(ids(&*store, 2), [11, 9]);
    assert_eq!(ids(&*store, 3), [50]);
}

/// Everything finished goes that may.
fn finished_all() -> FinishedPrune {
    FinishedPrune { before: Instant::NEVER, history: 0, histories: vec![], limit: 1_000 }
}

fn notification(id: u64, sentinel: Option<u32>, state: State) -> Batch {
    let mut row = samples::notification(id, 1, 1);
    (row.sentinel, row.members, row.state) = (sentinel.map(sentinel_id), vec![], state);
    samples::composed(row, &format!("text {id}"))
}

/// A finished notification that tells of the detection with its number.
pub(super) fn told(id: u64) -> Batch {
    let mut row = samples::notification(id, 1, 1);
    (row.members, row.state) = (vec![DetectionId(id)], State::Delivered { at: at(id) });
    samples::composed(row, &samples::alike(&format!("text {id}")))
}

fn delivered(id: u64, sentinel: Option<u32>) -> Batch {
    notification(id, sentinel, State::Delivered { at: at(id) })
}

fn sentinel(id: u32) -> Batch {
    records(vec![Record::Sentinel(Box::new(samples::sentinel(id, 1)))])
}

fn notified(store: &dyn Store) -> Vec<u64> {
    let rows = store.reader().notifications(None, None, 1_000).unwrap();
    rows.iter().map(|row| row.id.0).collect()
}

pub fn finished_notifications_go_by_age_and_history(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let rows = (1..=12).map(|id| delivered(id, Some(1 + id as u32 % 2)));
    store.append(&joined([sentinel(1), sentinel(2)].into_iter().chain(rows))).unwrap();
    let attempts = |n| records(vec![Record::Outbox(OutboxRecord::Attempt(samples::attempt(n, 1)))]);
    store.append(&joined([attempts(2), attempts(12)])).unwrap();
    let by_age = FinishedPrune { before: at(3), ..finished_all() };
    assert_eq!(store.prune(&Prune::Finished(by_age)).unwrap(), 2);
    assert_eq!(notified(&*store), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    assert_eq!(store.reader().attempts(NotificationId(2)).unwrap(), []);
    let histories = vec![(sentinel_id(2), 4)];
    let by_history = FinishedPrune { history: 2, histories, ..finished_all() };
    assert_eq!(store.prune(&Prune::Finished(by_history.clone())).unwrap(), 4);
    assert_eq!(notified(&*store), [12, 11, 10, 9, 7, 5]);
    assert_eq!(store.prune(&Prune::Finished(by_history)).unwrap(), 0);
    assert_eq!(store.reader().attempts(NotificationId(12)).unwrap().len(), 1);
    // Six texts went.
    assert_eq!(store.sweep(100).unwrap(), 6);
    dump(&*store).assert_stored();
}

pub fn notifications_of_nobody_go_by_age_alone(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let rows = (1..=6).map(|id| delivered(id, (id % 2 == 0).then_some(1)));
    let other = delivered(7, Some(2));
    store.append(&joined(rows.chain([sentinel(1), sentinel(2), other]))).unwrap();
    store.append(&records(vec![Record::SentinelGone(sentinel_id(1))])).unwrap();
    let prune = FinishedPrune { before: at(6), history: 100, ..finished_all() };
    assert_eq!(store.prune(&Prune::Finished(prune)).unwrap(), 5);
    assert_eq!(notified(&*store), [7, 6]);
}

pub fn unfinished_notifications_and_the_highest_stay(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let rows = [
        notification(1, Some(1), State::Open { closes: None }),
        notification(2, Some(1), State::Closed),
        notification(3, Some(1), State::Due { at: at(1) }),
        notification(4, Some(1), State::GivenUp { at: at(1), reason: "a day".into() }),
        notification(5, Some(1), State::Cancelled { at: at(1) }),
        delivered(6, Some(1)),
    ];
    store.append(&joined(rows)).unwrap();
    assert_eq!(store.prune(&Prune::Finished(finished_all())).unwrap(), 2);
    assert_eq!(notified(&*store), [6, 3, 2, 1]);
}

pub fn a_detection_on_two_sources_belongs_to_both(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let of_second = joined((1..=3).map(|number| samples::version(2, number, 1)));
    let both = samples::detection_on(1, 1, &[(1, (1, 2)), (2, (2, 3))]);
    let mut row = samples::notification(1, 1, 0);
    (row.sentinel, row.members) = (Some(sentinel_id(1)), vec![DetectionId(1)]);
    row.state = State::Closed;
    store.append(&joined([versions(4), of_second, both])).unwrap();
    store.append(&records(vec![samples::row(row.clone())])).unwrap();
    let of = |source| SourcePrune { source: SourceId(source), ..prune_all() };
    for source in [1, 2] {
        store.prune(&Prune::Source(of(source))).unwrap();
    }
    assert_eq!(numbers(&*store), [4, 2, 1]);
    assert_eq!(dump(&*store).version_numbers(2), [VersionNo(3), VersionNo(2)]);
    dump(&*store).assert_stored();
    // Said again with other evidence, it rests on nothing else; what it named before may go.
    let other = samples::detection_on(1, 1, &[(2, (2, 3))]);
    store.append(&other).unwrap();
    row.state = State::Delivered { at: at(2) };
    store.append(&records(vec![samples::row(row)])).unwrap();
    assert_eq!(dump(&*store).detection_ids(1), [DetectionId(1)]);
    store.prune(&Prune::Source(of(1))).unwrap();
    assert_eq!(dump(&*store).detection_ids(1), [DetectionId(1)], "not on that source any more");
    store.append(&samples::detection_on(1, 1, &[(2, (2, 3)), (1, (1, 2))])).unwrap();
    store.prune(&Prune::Source(SourcePrune { before: at(0), ..of(1) })).unwrap();
    assert_eq!(dump(&*store).detection_ids(1), [], "a version that it names is gone");
    store.prune(&Prune::Source(of(2))).unwrap();
    while store.sweep(100).unwrap() > 0 {}
    let gone = other.blobs[0].0;
    assert_eq!(store.reader().blob(gone).unwrap(), None, "the result of a piece of evidence");
    dump(&*store).assert_stored();
}

pub fn detections_of_who_is_gone_go_by_age(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let detection = |n, sentinel, source| samples::detection(n, sentinel, source, (1, 2));
    let source = records(vec![Record::Source(Box::new(samples::source(1, 1)))]);
    let detections =
        [detection(1, 1, 1), detection(2, 2, 1), detection(3, 1, 2), detection(4, 2, 1)];
    // One of its sources is there.
    let half = samples::detection_on(5, 1, &[(2, (1, 2)), (1, (1, 2))]);
    let mut row = samples::notification(1, 1, 1);
    (row.sentinel, row.members) = (Some(sentinel_id(2)), vec![DetectionId(4)]);
    row.state = State::Closed;
    let row = records(vec![samples::row(row)]);
    let rest = [source, sentinel(1), row, half];
    store.append(&joined(detections.into_iter().chain(rest))).unwrap();
    let early = FinishedPrune { before: Instant::EPOCH, ..finished_all() };
    assert_eq!(store.prune(&Prune::Finished(early)).unwrap(), 0);
    assert_eq!(store.prune(&Prune::Finished(finished_all())).unwrap(), 2);
    assert_eq!(dump(&*store).detection_ids(1), [DetectionId(5), DetectionId(1)]);
    assert_eq!(dump(&*store).detection_ids(2), [DetectionId(4)]);
}

pub fn pruning_goes_on_where_the_last_call_stopped(bench: &mut dyn Bench) {
    let mut store = bench.open();
    // The first fifteen finished of each are kept; the rest is behind them.
    let kept =
        (1..=15).flat_map(|id| [delivered(id, Some(1)), samples::detection(id, 1, 1, (1, 2))]);
    let rest = (16..=40).flat_map(|id| [delivered(id, None), samples::detection(id, 2, 1, (1, 2))]);
    let source = records(vec![Record::Source(Box::new(samples::source(1, 1)))]);
    store.append(&joined(kept.chain(rest).chain([source, sentinel(1)]))).unwrap();
    let few = Prune::Finished(FinishedPrune { history: 15, limit: 4, ..finished_all() });
    let mut gone = 0;
    for _ in 0..12 {
        let now = store.prune(&few).unwrap();
        assert!(now <= 8, "{now} rows went in one call");
        gone += now;
        drop(store);
        store = bench.open();
    }
    // All but the notification with the highest id.
    assert_eq!(gone, 24 + 25);
    assert_eq!(dump(&*store).detection_ids(1).len(), 15);
}

pub fn what_is_old_goes_though_younger_rows_came_before_it(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let at_the_same = |id: u64, ended: u64| {
        let mut detection = samples::detection(id, 2, 1, (1, 2));
        if let Some(Record::Detection(row)) = detection.records.last_mut() {
            row.at = at(ended);
        }
        joined([notification(id, None, State::Delivered { at: at(ended) }), detection])
    };
    let young = (1..=200).map(|id| at_the_same(id, 1_000));
    let old = (201..=206).map(|id| at_the_same(id, 1));
    store.append(&joined(young.chain(old).chain([at_the_same(207, 1_000)]))).unwrap();
    let few = FinishedPrune { before: at(500), limit: 2, ..finished_all() };
    let gone: usize = (0..20).map(|_| store.prune(&Prune::Finished(few.clone())).unwrap()).sum();
    assert_eq!(gone, 6 + 6);
    assert_eq!(notified(&*store).len(), 201);
}

pub fn a_version_keeps_its_address_when_its_source_moves_or_goes(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let url = |store: &dyn Store, number| {
        let found = store.reader().version(SourceId(1), VersionNo(number)).unwrap();
        found.unwrap().facts.final_url
    };
    let mut source = samples::source(1, 1);
    let with = |number, final_url: &str| {
        let mut batch = samples::version(1, number, 1);
        if let Some(Record::Version(row)) = batch.records.last_mut() {
            row.facts.final_url = final_url.into();
        }
        batch
    };
    let own = source.url.reveal().to_owned();
    store.append(&records(vec![Record::Source(Box::new(source.clone()))])).unwrap();
    store.append(&joined([with(1, &own), with(2, "https://b.example/")])).unwrap();
    let addresses = |store: &dyn Store| [url(store, 1), url(store, 2)].map(String::from);
    let as_it_was = [own.clone(), "https://b.example/".to_owned()];
    assert_eq!(addresses(&*store), as_it_was);
    source.url = "https://c.example/".into();
    store.append(&records(vec![Record::Source(Box::new(source))])).unwrap();
    store.append(&with(3, "https://c.example/")).unwrap();
    assert_eq!(addresses(&*store), as_it_was);
    store.append(&records(vec![Record::SourceGone(SourceId(1))])).unwrap();
    assert_eq!(addresses(&*store), as_it_was);
    assert_eq!(&*url(&*store, 3), "https://c.example/");
}

pub fn versions_of_a_source_that_is_gone_are_swept(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let mut row = samples::notification(1, 1, 0);
    (row.sentinel, row.members) = (Some(sentinel_id(1)), vec![DetectionId(1)]);
    row.state = State::Due { at: at(1) };
    let source = |id| Record::Source(Box::new(samples::source(id, 1)));
    let rest = records(vec![samples::row(row.clone()), source(1), source(2)]);
    let detected = samples::detection(1, 1, 1, (2, 3));
    let other = samples::version(2, 1, 1);
    store.append(&joined([versions(5), detected, other, rest])).unwrap();
    store.append(&records(vec![Record::SourceGone(SourceId(1))])).unwrap();
    assert_eq!(store.sweep(100).unwrap(), 6);
    assert_eq!(numbers(&*store), [3, 2]);
    row.state = State::Delivered { at: at(2) };
    store.append(&records(vec![samples::row(row)])).unwrap();
    assert_eq!(store.sweep(100).unwrap(), 4);
    assert_eq!(numbers(&*store), [0; 0]);
    assert_eq!(dump(&*store).version_numbers(2), [VersionNo(1)]);
    dump(&*store).assert_stored();
}

pub fn prune_keeps_a_detection_that_waits_for_looks(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let detections = (1..=3).map(|n| samples::detection(n, 1, 1, (n as u32, n as u32 + 1)));
    store.append(&joined(detections.chain([versions(9)]))).unwrap();
    let waits = |about| DemandRow {
        number: 1,
        start: at(1),
        finish: at(2),
        weight: 1,
        sources: vec![SourceId(4)],
        about,
    };
    let demand = |about| records(vec![Record::Demand(waits(about))]);
    store.append(&demand(Some(DetectionId(2)))).unwrap();
    store.prune(&Prune::Source(prune_all())).unwrap();
    assert_eq!(numbers(&*store), [9, 3, 2]);
    assert_eq!(dump(&*store).detection_ids(1), [DetectionId(2)]);
    let waiting = store.reader().snapshot().unwrap().waiting;
    assert_eq!(waiting, [store.reader().detection(DetectionId(2)).unwrap().unwrap()]);
    // A rule's looks are about none.
    store.append(&demand(None)).unwrap();
    store.prune(&Prune::Source(prune_all())).unwrap();
    assert_eq!((numbers(&*store), store.reader().snapshot().unwrap().waiting), (vec![9], vec![]));
}

pub fn a_detection_of_a_rule_rests_on_its_parts_alone(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let row = samples::of_rule(5, 1);
    store.append(&records(vec![Record::Detection(Box::new(row.clone()))])).unwrap();
    let reader = store.reader();
    assert_eq!(reader.detection(row.id).unwrap().as_ref(), Some(&row));
    assert_eq!(reader.detections(row.sentinel, None, 10).unwrap(), [row]);
}
