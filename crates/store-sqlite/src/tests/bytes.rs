//! How bytes are stored: chains of differences, and what short texts have in common.

use super::files::{noise, version};
use crate::SqliteStore;
use chronon::VersionNo;
use store::conformance::INSTANCE;
use store::{Store, blob_id};

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
