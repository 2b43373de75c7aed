//! What the outbox is asked often costs no scan of its history.

use crate::SqliteStore;
use crate::read::{DUE_OR_CLOSED, FIRST_DUE, OPEN_OR_CLOSED};

#[test]
fn finding_unfinished_notifications_does_not_look_at_finished_ones() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("tidings.db"), [1; 16]).unwrap();
    for tail in [OPEN_OR_CLOSED, FIRST_DUE, DUE_OR_CLOSED] {
        let sql = format!("EXPLAIN QUERY PLAN SELECT * FROM outbox {tail}");
        let mut plan = store.connection.prepare(&sql).unwrap();
        let values = vec![1; plan.parameter_count()];
        let steps: Vec<String> = plan
            .query_map(rusqlite::params_from_iter(values), |row| row.get(3))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert!(
            steps.iter().all(|step| step.starts_with("SEARCH outbox USING INDEX")),
            "{steps:?}"
        );
    }
}
