//! A process that is killed in the middle of appends leaves whole batches only.

use super::files::{noise, version};
use crate::SqliteStore;
use chronon::SourceId;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use store::{LIST_ROWS_MAX, Store};

/// Set in the child, to the path of the store.
const CHILD: &str = "TIDINGS_TEST_APPEND_TO";
const NAME: &str = "tests::durable::a_killed_process_leaves_whole_batches";

/// Appends versions until it is killed; says each number once its append has returned.
fn append_for_ever(path: &Path) {
    let mut store = SqliteStore::open(path, [1; 16]).unwrap();
    let done = store.reader().versions(SourceId(1), None, 1).unwrap();
    for number in done.first().map_or(1, |row| row.number.0 + 1).. {
        store.append(&version(number, noise(u64::from(number % 50), 300))).unwrap();
        println!("\nappended {number}");
    }
}

/// Runs a child until it has appended `count` versions more, and kills it; the last number heard.
fn kill_after(path: &Path, count: usize) -> u32 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Kept open until the child is dead: it must not die of a closed pipe first.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let numbers = lines.by_ref().map_while(Result::ok).filter_map(|line| {
        line.strip_prefix("appended ").and_then(|number| number.parse::<u32>().ok())
    });
    let last = numbers.take(count).last().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    last
}

#[test]
fn a_killed_process_leaves_whole_batches() {
    if let Ok(path) = std::env::var(CHILD) {
        return append_for_ever(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tidings.db");
    for round in 0..6 {
        let heard = kill_after(&path, 3 + 7 * round);
        let store = SqliteStore::open(&path, [2; 16]).unwrap();
        store.check().unwrap();
        let reader = store.reader();
        let versions = reader.versions(SourceId(1), None, LIST_ROWS_MAX).unwrap();
        let newest = versions[0].number.0;
        assert!(newest >= heard, "v{heard} was durable, v{newest} is the newest");
        assert_eq!(versions.len() as u32, newest);
        for row in versions {
            assert!(reader.blob(row.facts.body).unwrap().is_some());
            assert!(reader.blob(row.facts.whole().unwrap()).unwrap().is_some());
        }
    }
}
