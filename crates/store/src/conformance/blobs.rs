//! Blobs: by hash, only when named, gone when nothing names them.

use super::Bench;
use super::dump::dump;
use super::samples::{self, blob, joined, records, version_of};
use crate::{Batch, Blob, Store, StoreError};
use chronon::{BlobId, SourceId, VersionNo};
use kernel::Record;
use kernel::record::{ExtractRef, Extracts};
use page::View;

/// A version with these two blobs.
fn version(number: u32, body: Blob, extract: &str) -> Batch {
    let extract = blob(extract);
    let record = version_of(1, number, (body.0, extract.0), 1);
    Batch { records: vec![record], blobs: vec![body, extract] }
}

pub fn a_blob_reads_back_byte_for_byte(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let noise = |n: u64| blake3::hash(&n.to_le_bytes()).as_bytes().to_vec();
    let random: Vec<u8> = (0..4_000).flat_map(noise).collect();
    let mut similar = random.clone();
    similar[1_000] ^= 1;
    let contents = [
        vec![],
        vec![0],
        vec![7; 3_000_000],
        random.clone(),
        similar,
        random[..60_000].to_vec(),
        "<p>Lisbon 40</p>".repeat(5_000).into_bytes(),
    ];
    for (number, content) in (1..).zip(&contents) {
        store.append(&version(number, crate::blob(content.clone()), "same")).unwrap();
    }
    let reader = store.reader();
    for content in &contents {
        let (id, expected) = crate::blob(content.clone());
        assert_eq!(reader.blob(id).unwrap(), Some(expected));
    }
    assert_eq!(reader.blob(BlobId([9; 32])).unwrap(), None);
}

pub fn a_batch_that_names_an_absent_blob_is_refused_whole(bench: &mut dyn Bench) {
    let mut store = bench.open();
    store.append(&samples::version(1, 1, 1)).unwrap();
    let before = dump(&*store);
    let mut batch = joined([samples::version(1, 2, 1), samples::version(1, 3, 1)]);
    let (missing, _) = batch.blobs.pop().unwrap();
    assert_eq!(store.append(&batch), Err(StoreError::MissingBlob(missing)));
    assert_eq!(dump(&*store), before);
    // Bytes that are stored already need not come again.
    let again = records(samples::version(1, 1, 1).records);
    store.append(&again).unwrap();
    assert_eq!(dump(&*store), before);
}

pub fn bytes_under_a_wrong_name_are_refused(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let before = dump(&*store);
    let mut batch = samples::version(1, 1, 1);
    batch.blobs[0].1 = b"something else".as_slice().into();
    assert_eq!(store.append(&batch), Err(StoreError::WrongBlob(batch.blobs[0].0)));
    assert_eq!(dump(&*store), before);
}

pub fn a_blob_that_no_record_names_is_not_written(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let (id, bytes) = blob("the completion was stale");
    let batch = Batch { records: vec![Record::Meta(samples::meta(1))], blobs: vec![(id, bytes)] };
    store.append(&batch).unwrap();
    assert_eq!(store.reader().blob(id).unwrap(), None);
    assert_eq!(store.sweep(10).unwrap(), 0);
}

pub fn sweep_deletes_only_what_no_row_names(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let shared = "an extract that two versions share";
    store.append(&version(1, blob("first body"), shared)).unwrap();
    store.append(&version(2, blob("second body"), shared)).unwrap();
    let body = samples::composed(samples::notification(1, 1, 1), "first text");
    store.append(&body).unwrap();
    store.append(&samples::detection(1, 1, 1, (1, 2))).unwrap();
    assert_eq!(store.sweep(100).unwrap(), 0);
    // Extracted again; a row with another body; a detection with another result.
    store.append(&version(1, blob("first body"), "another extract")).unwrap();
    store.append(&samples::composed(samples::notification(1, 1, 1), "second text")).unwrap();
    store.append(&samples::detection(1, 1, 1, (1, 3))).unwrap();
    let before = dump(&*store);
    before.assert_stored();
    assert_eq!(store.sweep(1).unwrap(), 1);
    assert_eq!(store.sweep(100).unwrap(), 1);
    assert_eq!(dump(&*store), before);
    assert_eq!(store.reader().blob(blob("first text").0).unwrap(), None);
    assert!(store.reader().blob(blob(shared).0).unwrap().is_some());
    store.append(&version(2, blob("second body"), "another extract")).unwrap();
    // Named again before the sweep comes: it stays.
    store.append(&version(3, blob("third body"), shared)).unwrap();
    assert_eq!(store.sweep(100).unwrap(), 0);
    dump(&*store).assert_stored();
}

/// Version 1 with an extract of each of these views, and these as bytes.
fn seen_as(views: &[(View, u32, &str)]) -> Batch {
    let body = blob("<main>Lisbon 40</main>");
    let Record::Version(mut row) = version_of(1, 1, (body.0, body.0), 1) else {
        unreachable!("it is a version")
    };
    let extracts = views.iter().map(|(view, extractor, extract)| {
        let extractor = *extractor;
        (view.clone(), ExtractRef { extractor, blob: blob(extract).0 })
    });
    row.facts.extracts = extracts.collect::<Extracts>();
    let blobs = views.iter().map(|(.., extract)| blob(extract)).chain([body]).collect();
    Batch { records: vec![Record::Version(row)], blobs }
}

pub fn a_version_has_an_extract_per_view(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let main = View::Selected("css \"main\"".into());
    let both = seen_as(&[(View::Page, 3, "all"), (main, 7, "Lisbon 40")]);
    store.append(&both).unwrap();
    let read = |store: &dyn Store| {
        let reader = store.reader();
        let row = reader.version(SourceId(1), VersionNo(1)).unwrap().unwrap();
        assert_eq!(reader.versions(SourceId(1), None, 9).unwrap(), std::slice::from_ref(&row));
        Record::Version(Box::new(row))
    };
    assert_eq!(read(&*store), both.records[0]);
    dump(&*store).assert_stored();
    // Extracted again, in the first view only.
    let one = seen_as(&[(View::Page, 4, "all of it")]);
    store.append(&one).unwrap();
    assert_eq!(read(&*store), one.records[0]);
    assert_eq!(store.sweep(100).unwrap(), 2);
    dump(&*store).assert_stored();
    store.append(&both).unwrap();
    store.append(&records(vec![Record::SourceGone(SourceId(1))])).unwrap();
    while store.sweep(1).unwrap() > 0 {}
    assert!(both.blobs.iter().all(|(id, _)| store.reader().blob(*id).unwrap().is_none()));
}
