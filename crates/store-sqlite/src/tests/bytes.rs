//! How bytes are stored: chains of differences, and what short texts have in common.

use super::files::{noise, version};
use crate::SqliteStore;
use chronon::{Instant, NotificationId, SentinelId, SourceId, VersionNo};
use kernel::Record;
use outbox::{ChannelId, Detection, DetectionId, Effort, Key, Kind, OutboxRecord, Row, State};
use std::path::Path;
use store::conformance::INSTANCE;
use store::{Batch, Store, blob, blob_id};

/// A detection of this number, found by `result`, and the message that told of it.
pub(super) fn told(number: u64, result: &[u8], message: &[u8]) -> Batch {
    let (result, message) = (blob(result.to_vec()), blob(message.to_vec()));
    let version = |number: u64| VersionNo(number as u32);
    let at = Instant::from_millis(number as i64);
    let (source, from, to) = (SourceId(1), version(number), version(number + 1));
    let detection = Detection {
        id: DetectionId(number),
        sentinel: SentinelId(1),
        generation: 1,
        at,
        seq: number,
        evidence: vec![change::Evidence { source, from, to, result: result.0 }],
        combinations: Vec::new(),
        parts: Vec::new(),
        follow: None,
    };
    let row = Row {
        id: NotificationId(number),
        key: Key(format!("{number:032x}").into()),
        kind: Kind::Change,
        sentinel: Some(SentinelId(1)),
        generation: 1,
        channel: ChannelId(1),
        seq: number,
        members: vec![detection.id],
        more: 0,
        source: None,
        note: "".into(),
        created_at: at,
        closed_at: None,
        body: Some(message.0),
        attempts: 1,
        first_attempt: None,
        effort: Effort::default(),
        state: State::Delivered { at },
        read: false,
    };
    let row = Record::Outbox(OutboxRecord::Row(Box::new(row)));
    let records = vec![Record::Detection(Box::new(detection)), row];
    Batch { records, blobs: vec![result, message] }
}

/// What the blob of these bytes reads as, for one who has nothing at hand.
fn read_anew(path: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    let reader = SqliteStore::open(path, INSTANCE).unwrap().reader();
    reader.blob(blob_id(bytes)).unwrap().map(|read| read.to_vec())
}

fn with_store(test: impl FnOnce(&mut SqliteStore, &std::path::Path)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tidings.db");
    test(&mut SqliteStore::open(&path, INSTANCE).unwrap(), &path);
}

fn number(store: &SqliteStore, sql: &str) -> i64 {
    store.connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_page_that_changes_a_little_costs_a_little() {
    with_store(|store, path| {
        let first = noise(1, 3_000);
        let changed = |number: u32| {
            let mut body = first.clone();
            body[..number as usize * 100].iter_mut().step_by(100).for_each(|byte| *byte ^= 0xff);
            body
        };
        for number in 1..=110 {
            store.append(&version(number, changed(number))).unwrap();
        }
        let stored = number(store, "SELECT sum(length(data)) FROM blobs");
        // Versions of 96,000 bytes: three full ones and the differences.
        assert!(stored < 3 * 96_000 + 110 * 200, "{stored} bytes");
        let depth = number(store, "SELECT max(depth) FROM blobs");
        assert_eq!(depth, i64::from(crate::blobs::CHAIN_MAX));
        // Another process has nothing at hand, and decodes the chains.
        let reader = SqliteStore::open(path, INSTANCE).unwrap().reader();
        for number in [51, 102, 110] {
            let body = changed(number);
            let read = reader.blob(blob_id(&body)).unwrap().unwrap();
            assert_eq!(read[..], body[..], "version {number}");
        }
    });
}

#[test]
fn the_hash_of_a_body_stands_once_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tidings.db");
    let mut store = SqliteStore::open(&path, INSTANCE).unwrap();
    let bodies: Vec<_> = (1..=3).map(|n| noise(n, 30)).collect();
    for (number, body) in (1..).zip(&bodies) {
        store.append(&version(number, body.clone())).unwrap();
    }
    drop(store);
    let file = std::fs::read(&path).unwrap();
    for body in bodies {
        let hash = blob_id(&body).0;
        assert_eq!(file.windows(32).filter(|window| *window == hash).count(), 1);
    }
}

#[test]
fn a_chain_of_pages_that_are_large_is_read_one_at_a_time() {
    with_store(|store, path| {
        let first = noise(1, 100_000);
        let mut last = first.clone();
        for number in 1..=4_u32 {
            last[number as usize] ^= 0xff;
            store.append(&version(number, last.clone())).unwrap();
        }
        assert_eq!(number(store, "SELECT max(depth) FROM blobs"), 3);
        let reader = SqliteStore::open(path, INSTANCE).unwrap().reader();
        let row = reader.version(chronon::SourceId(1), VersionNo(4)).unwrap().unwrap();
        assert_eq!(reader.blob(row.facts.body).unwrap().unwrap()[..], last[..]);
    });
}

#[test]
fn what_all_results_have_in_common_is_not_stored_with_each() {
    let result = br#"{"comparisons":[{"from":84,"to":85,"change_type":{"type":"any"},"changes":
        [{"kind":"update","old":{"text":"Tea is 3 EUR"},"new":{"text":"Tea is 4 EUR"},"context":
        {"before":"","after":"Milk"},"spans":{"old":[[7,8]],"new":[[7,8]]}}],"changes_total":1,
        "leaves":[{"leaf":{"change_type":{"type":"any"},"directions":[],"matching":null},"hits":
        [0],"hits_total":1}],"failed":null,"title":"Teas"}]}"#;
    let alone = zstd::bulk::compress(result, 19).unwrap().len() as i64;
    with_store(|store, path| {
        store.append(&version(1, result.to_vec())).unwrap();
        let stored = number(store, "SELECT length(data) FROM blobs WHERE size > 400");
        assert!(stored * 3 < alone * 2, "{stored} bytes, and {alone} with zstd at its best");
        let reader = SqliteStore::open(path, INSTANCE).unwrap().reader();
        assert_eq!(reader.blob(blob_id(result)).unwrap().unwrap()[..], result[..]);
    });
}

/// A result of `changes` changes, of two texts each that do not compress, and its message.
fn result_and_message(seed: u64, changes: u64) -> (Vec<u8>, Vec<u8>) {
    let text = |n: u64| blob_id(&(seed << 32 | n).to_le_bytes()).to_string();
    let texts =
        |n: u64| format!(r#""old":{{"text":"{}"}},"new":{{"text":"{}"}}"#, text(n), text(!n));
    let list = |change: &dyn Fn(u64) -> String| (0..changes).map(change).collect::<String>();
    let found = list(&|n| format!(r#"{{"kind":"update",{},"context":{{}}}},"#, texts(n)));
    let told = list(&|n| format!(r#"{{"leaf":0,"type":"any",{},"weight":1.0}},"#, texts(n)));
    let result = format!(r#"{{"comparisons":[{{"from":84,"to":85,"changes":[{found}]}}]}}"#);
    let message = format!(r#"{{"format":1,"id":"{seed}","type":"change","changes":[{told}]}}"#);
    (result.into_bytes(), message.into_bytes())
}

#[test]
fn what_a_message_and_its_result_both_say_is_stored_once() {
    with_store(|store, path| {
        // The longest are no short blobs.
        for (seed, changes) in [(1, 1), (2, 3), (3, 40), (4, 60), (5, 90), (6, 700)] {
            let (result, message) = result_and_message(seed, changes);
            store.append(&told(seed, &result, &message)).unwrap();
            let size =
                "SELECT length(data) FROM blobs JOIN outbox ON number = body WHERE outbox.id";
            let stored = number(store, &format!("{size} = {seed}"));
            let most = 100 + changes as i64 * 40;
            assert!(stored < most, "{stored} bytes, and a text has {}", changes * 128);
            assert_eq!(read_anew(path, &message), Some(message));
            assert_eq!(read_anew(path, &result), Some(result));
        }
    });
}

#[test]
fn a_result_like_the_one_before_costs_a_little_and_so_does_its_message() {
    with_store(|store, path| {
        let (result, message) = result_and_message(1, 5);
        let changed = |bytes: &[u8], n: u64| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            text.replacen("\"old\":", &format!("\"n\":{n},\"old\":"), 1).into_bytes()
        };
        for n in 1..=110 {
            store.append(&told(n, &changed(&result, n), &changed(&message, n))).unwrap();
        }
        let stored = number(store, "SELECT sum(length(data)) FROM blobs");
        // Three results have no base; a result takes 500 bytes then.
        assert!(stored < 3 * 600 + 110 * (40 + 40), "{stored} bytes");
        let depth = |of: &str| number(store, &format!("SELECT max(depth) FROM blobs JOIN {of}"));
        let most = i64::from(crate::blobs::CHAIN_MAX);
        assert_eq!(depth("evidence ON result = number"), most - 1);
        assert_eq!(depth("outbox ON body = number"), most, "no message is left without its base");
        let lone = "SELECT count(*) FROM blobs WHERE base IS NULL";
        assert_eq!(number(store, lone), 3);
        for n in [1, 2, 50, 51, 110] {
            for bytes in [changed(&result, n), changed(&message, n)] {
                assert_eq!(read_anew(path, &bytes), Some(bytes), "{n}");
            }
        }
    });
}

#[test]
fn what_follows_on_damaged_bytes_is_stored_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tidings.db");
    let (result, message) = result_and_message(1, 3);
    let mut store = SqliteStore::open(&path, INSTANCE).unwrap();
    store.append(&told(1, &result, &message)).unwrap();
    store.connection.execute("UPDATE blobs SET data = zeroblob(20)", []).unwrap();
    drop(store);
    let (result, message) = result_and_message(2, 3);
    let mut store = SqliteStore::open(&path, INSTANCE).unwrap();
    store.append(&told(2, &result, &message)).unwrap();
    assert_eq!(number(&store, "SELECT count(*) FROM blobs WHERE number > 2 AND depth = 0"), 1);
    drop(store);
    assert_eq!(read_anew(&path, &result), Some(result));
    assert_eq!(read_anew(&path, &message), Some(message));
}

#[test]
fn a_short_difference_made_with_its_base_alone_is_read() {
    with_store(|store, path| {
        let (result, message) = result_and_message(1, 3);
        store.append(&told(1, &result, &message)).unwrap();
        // As it was written before short differences had anything before their base.
        let mut context = zstd::zstd_safe::CCtx::create();
        context.ref_prefix(&result).unwrap();
        let mut data = Vec::with_capacity(10_000);
        context.compress2(&mut data, &message).unwrap();
        let update = "UPDATE blobs SET data = ?1 WHERE number = (SELECT body FROM outbox)";
        assert_eq!(store.connection.execute(update, [&data]).unwrap(), 1);
        assert_eq!(read_anew(path, &message), Some(message));
    });
}

#[test]
fn a_message_whose_result_is_lost_goes_in_a_repair_and_those_before_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tidings.db");
    let mut store = SqliteStore::open(&path, INSTANCE).unwrap();
    let all: Vec<_> = (1..=3).map(|seed| result_and_message(seed, 3)).collect();
    for (number, (result, message)) in (1..).zip(&all) {
        store.append(&told(number, result, message)).unwrap();
    }
    let lose = "PRAGMA foreign_keys = OFF;
        DELETE FROM blobs WHERE number = (SELECT result FROM evidence WHERE detection = 3)";
    store.connection.execute_batch(lose).unwrap();
    drop(store);

    let repaired = crate::repair(&path, [7; 16]).unwrap();
    assert!(repaired.lost.iter().any(|said| said.contains("1 differences")), "{repaired:?}");
    let store = SqliteStore::open(&path, INSTANCE).unwrap();
    store.check().unwrap();
    let rows = store.reader().notifications(None, None, 9).unwrap();
    let bodies: Vec<_> = rows.iter().map(|row| row.body.is_some()).collect();
    assert_eq!(bodies, [false, true, true]);
    drop(store);
    for (_, message) in &all[..2] {
        assert_eq!(read_anew(&path, message).as_ref(), Some(message));
    }
}
