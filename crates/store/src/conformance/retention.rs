//! Prune and sweep over a history.

use super::Bench;
use super::dump::dump;
use super::samples::{self, at, blob, joined, records, version_of};
use crate::{Batch, Store};
use chronon::{Instant, SentinelId, SourceId, VersionNo};
use kernel::Record;
use kernel::io::Prune;
use outbox::{DetectionId, State};

/// Nothing is kept but what must be.
fn prune_all() -> Prune {
    Prune {
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
        store.prune(&Prune { keep, ..prune_all() }).unwrap();
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
    let young = Prune { before: at(0), ..prune_all() };
    assert_eq!(store.prune(&young).unwrap(), 0);
    assert_eq!(store.prune(&Prune { versions_max: 8, ..young.clone() }).unwrap(), 2);
    assert_eq!(numbers(&*store), [10, 9, 8, 7, 6, 5, 4, 3]);
    assert_eq!(store.prune(&Prune { before: at(5), ..prune_all() }).unwrap(), 2);
    assert_eq!(numbers(&*store), [10, 9, 8, 7, 6, 5]);
    let kept = Prune { keep: vec![VersionNo(5), VersionNo(7)], history: 2, ..prune_all() };
    assert_eq!(store.prune(&kept).unwrap(), 2);
    assert_eq!(numbers(&*store), [10, 9, 7, 5]);
    assert_eq!(store.prune(&Prune { versions_max: 0, ..prune_all() }).unwrap(), 3);
    assert_eq!(numbers(&*store), [10]);
    assert_eq!(dump(&*store).version_numbers(2), [VersionNo(1)]);
    // Nine versions went, each with a body and an extract.
    assert_eq!(store.sweep(1_000).unwrap(), 18);
    dump(&*store).assert_stored();
}

pub fn prune_keeps_what_an_unfinished_notification_names(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let mut row = samples::notification(1, 1, 0);
    row.sentinel = Some(SentinelId(1));
    row.members = vec![DetectionId(2), DetectionId(4)];
    let detections = (1..=4).map(|n| samples::detection(n, 1, 1, (n as u32, n as u32 + 1)));
    store.append(&joined(detections.chain([versions(9)]))).unwrap();
    for state in [State::Open { closes: None }, State::Closed, State::Due { at: at(1) }] {
        row.state = state;
        store.append(&records(vec![samples::row(row.clone())])).unwrap();
        store.prune(&prune_all()).unwrap();
        assert_eq!(numbers(&*store), [9, 5, 4, 3, 2]);
        assert_eq!(dump(&*store).detection_ids(1), [DetectionId(4), DetectionId(2)]);
    }
    row.state = State::Delivered { at: at(2) };
    store.append(&records(vec![samples::row(row)])).unwrap();
    assert_eq!(store.prune(&prune_all()).unwrap(), 4);
    assert_eq!(numbers(&*store), [9]);
    assert_eq!(dump(&*store).detection_ids(1), []);
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
    let young = Prune { before: at(4), keep: (1..=7).map(VersionNo).collect(), ..prune_all() };
    let two = Prune { detections: vec![(SentinelId(1), 6), (SentinelId(2), 1)], ..young.clone() };
    store.prune(&two).unwrap();
    assert_eq!(ids(&*store, 1), [12, 10, 8, 6, 4, 2]);
    assert_eq!(ids(&*store, 2), [11, 9, 7, 5]);
    // A detection goes with its newer version, young as it may be.
    let few = Prune { keep: vec![], versions_max: 2, before: at(0), ..young };
    store.prune(&few).unwrap();
    assert_eq!(ids(&*store, 1), [12, 10]);
    assert_eq!(ids(&*store, 2), [11, 9]);
    assert_eq!(ids(&*store, 3), [50]);
}

pub fn versions_of_a_source_that_is_gone_are_swept(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let mut row = samples::notification(1, 1, 0);
    (row.sentinel, row.members) = (Some(SentinelId(1)), vec![DetectionId(1)]);
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
