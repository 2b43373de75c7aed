//! What the outbox is asked often costs no scan of its history.

use crate::SqliteStore;
use crate::prune::{DETECTIONS_AFTER, DETECTIONS_ON, FINISHED_AFTER, NEWEST_BEYOND};
use crate::read::{DUE_OR_CLOSED, FIRST_DUE, OPEN_OR_CLOSED, TRIED_LAST, VERSIONS_BEFORE};
use crate::write::{MESSAGE_BEFORE, RESULT_BEFORE};

/// What SQLite would do, one line a step.
fn plan_of(sql: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("tidings.db"), [1; 16]).unwrap();
    let mut plan = store.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let values = vec![1; plan.parameter_count()];
    let steps = plan.query_map(rusqlite::params_from_iter(values), |row| row.get(3)).unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

#[test]
fn finding_unfinished_notifications_does_not_look_at_finished_ones() {
    for tail in [OPEN_OR_CLOSED, FIRST_DUE, DUE_OR_CLOSED] {
        let steps = plan_of(&format!("SELECT * FROM outbox {tail}"));
        assert!(
            steps.iter().all(|step| step.starts_with("SEARCH outbox USING INDEX")),
            "{steps:?}"
        );
    }
    let steps = plan_of(&format!("SELECT * FROM outbox {TRIED_LAST}"));
    assert!(steps[0].starts_with("SEARCH outbox USING INDEX outbox_unfinished "), "{steps:?}");
}

#[test]
fn retention_goes_on_at_its_place_and_sorts_nothing() {
    for (sql, index) in [
        (FINISHED_AFTER, "outbox USING INTEGER PRIMARY KEY (rowid>?)"),
        (DETECTIONS_AFTER, "detections USING INTEGER PRIMARY KEY (rowid>?)"),
        (NEWEST_BEYOND, "COVERING INDEX outbox_sentinel (sentinel=?)"),
    ] {
        let steps = plan_of(sql);
        assert!(steps[0].starts_with("SEARCH ") && steps[0].contains(index), "{steps:?}");
        let whole = |step: &String| step.contains("SCAN ") && !step.contains("CONSTANT ROW");
        assert!(!steps.iter().any(|step| whole(step) || step.contains("TEMP B-TREE")), "{steps:?}");
    }
}

#[test]
fn detections_on_a_source_are_found_by_it() {
    let steps = plan_of(DETECTIONS_ON);
    assert!(steps.iter().any(|step| step.contains("evidence_source (source=?)")), "{steps:?}");
    assert!(!steps.iter().any(|step| step.contains("SCAN ")), "{steps:?}");
}

#[test]
fn what_was_found_and_told_before_is_found_without_a_scan() {
    for (sql, found) in [
        (RESULT_BEFORE, "INDEX evidence_source (source=? AND detection<?)"),
        (MESSAGE_BEFORE, "INDEX outbox_sentinel (sentinel=? AND id<?)"),
    ] {
        let steps = plan_of(sql);
        assert!(steps.iter().any(|step| step.contains(found)), "{steps:?}");
        let costly = |step: &String| step.contains("SCAN ") || step.contains("TEMP B-TREE");
        assert!(!steps.iter().any(costly), "{steps:?}");
    }
}

#[test]
fn a_blob_is_found_by_the_beginning_of_its_hash() {
    let steps = plan_of(&format!("SELECT {}", crate::blobs::number_of(1)));
    assert!(steps.iter().any(|step| step.contains("INDEX blobs_id (<expr>=?)")), "{steps:?}");
}

#[test]
fn lists_of_any_length_are_compiled_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("tidings.db"), [1; 16]).unwrap();
    let compiled_anew = |sql: &str| {
        let mut statement = store.connection.prepare(sql).unwrap();
        let parameters = statement.parameter_count();
        for value in 1..=5 {
            let values = vec![value; parameters];
            let rows = statement.query_map(rusqlite::params_from_iter(values), |_| Ok(())).unwrap();
            rows.for_each(drop);
        }
        statement.get_status(rusqlite::StatementStatus::RePrepare)
    };
    let select = |table: &str, tail: &str| format!("SELECT * FROM {table} {tail}");
    for sql in [
        select("versions", VERSIONS_BEFORE),
        select("outbox", FIRST_DUE),
        select("outbox", DUE_OR_CLOSED),
    ] {
        assert_eq!(compiled_anew(&sql), 0, "{sql}");
    }
    let bare = select("versions", "WHERE source = ?1 LIMIT ?2");
    assert_ne!(compiled_anew(&bare), 0, "then nothing else is needed");
}
