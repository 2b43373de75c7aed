//! Notifications that are done with, and detections nobody is left to ask for. Both tables are
//! walked by their ids, a few rows a call, from where the last call stopped: the rows that stay are
//! not looked at again before all others were.

use crate::error::sentence;
use crate::{StoreError, Writer};
use kernel::io::FinishedPrune;
use outbox::DetectionId;
use rusqlite::params;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Rows that a walk passes, for each that it looks at because it is old enough.
const PASSED: u32 = 20;

/// Notifications after an id, with their sentinel; whether it lives, of those that ended before a
/// time.
pub(crate) const FINISHED_AFTER: &str = "SELECT id, sentinel,
        CASE WHEN state BETWEEN 3 AND 5 AND created_at + state_after < ?2
        THEN EXISTS (SELECT 1 FROM sentinels WHERE id = outbox.sentinel) END
    FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?3 + 0";
/// Detections after an id, with their sentinel; whether it and any source live, of those before a
/// time.
pub(crate) const DETECTIONS_AFTER: &str = "SELECT id, sentinel,
        CASE WHEN at < ?2
        THEN EXISTS (SELECT 1 FROM sentinels WHERE id = detections.sentinel)
            AND EXISTS (SELECT 1 FROM evidence JOIN sources ON sources.id = evidence.source
                WHERE evidence.detection = detections.id) END
    FROM detections WHERE id > ?1 ORDER BY id LIMIT ?3 + 0";
/// The newest notification of a sentinel that is not among its newest.
pub(crate) const NEWEST_BEYOND: &str =
    "SELECT id FROM outbox WHERE sentinel = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2";

/// A row as the walk sees it.
struct Passed {
    id: i64,
    sentinel: Option<i64>,
    live: bool,
}

impl Writer<'_> {
    /// Looks at `limit` rows, and for each of their sentinels at as many steps in an index as it
    /// keeps; passes [`PASSED`] times as many.
    pub(super) fn prune_notifications(&self, prune: &FinishedPrune) -> Result<usize, StoreError> {
        let highest = self.column::<Option<i64>>("SELECT max(id) FROM outbox", [])?[0];
        let mut beyond: BTreeMap<i64, Option<i64>> = BTreeMap::new();
        let mut gone = 0;
        for row in self.walk("outbox", FINISHED_AFTER, prune)? {
            let newest_beyond = match row.sentinel.filter(|_| row.live) {
                None => Some(row.id),
                Some(sentinel) => match beyond.get(&sentinel) {
                    Some(known) => *known,
                    None => {
                        let found = self.newest_beyond(sentinel, prune)?;
                        beyond.insert(sentinel, found);
                        found
                    }
                },
            };
            if newest_beyond.is_some_and(|newest| row.id <= newest) && Some(row.id) != highest {
                gone += self.run("DELETE FROM outbox WHERE id = ?1", [row.id])?;
                self.run("DELETE FROM attempts WHERE notification = ?1", [row.id])?;
            }
        }
        Ok(gone)
    }

    fn newest_beyond(
        &self,
        sentinel: i64,
        prune: &FinishedPrune,
    ) -> Result<Option<i64>, StoreError> {
        let listed = prune.histories.iter().find(|(listed, _)| listed.0 as i64 == sentinel);
        let history = listed.map_or(prune.history, |(_, count)| *count);
        Ok(self.column(NEWEST_BEYOND, (sentinel, history))?.first().copied())
    }

    /// Detections whose sentinel, or every source, is gone.
    pub(super) fn prune_left_detections(&self, prune: &FinishedPrune) -> Result<usize, StoreError> {
        let mut named: BTreeMap<i64, BTreeSet<DetectionId>> = BTreeMap::new();
        let mut gone = 0;
        for row in self.walk("detections", DETECTIONS_AFTER, prune)? {
            let Some(sentinel) = row.sentinel.filter(|_| !row.live) else { continue };
            let named = match named.entry(sentinel) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(self.members_of(sentinel)?),
            };
            if !named.contains(&DetectionId(row.id as u64)) {
                gone += self.run("DELETE FROM detections WHERE id = ?1", [row.id])?;
            }
        }
        Ok(gone)
    }

    /// The next rows of the walk called `what` that are old enough, as `sql` gives them.
    fn walk(
        &self,
        what: &str,
        sql: &str,
        prune: &FinishedPrune,
    ) -> Result<Vec<Passed>, StoreError> {
        let place = self.column::<i64>("SELECT id FROM prunings WHERE what = ?1", [what])?;
        let from = place.first().copied().unwrap_or(i64::MIN);
        let most = prune.limit.saturating_mul(PASSED);
        let mut statement = self.connection.prepare_cached(sql).map_err(sentence)?;
        let values = params![from, prune.before.as_millis(), most];
        let mut passed = statement.query(values).map_err(sentence)?;
        let (mut rows, mut count, mut last) = (Vec::new(), 0, None);
        while rows.len() < prune.limit as usize
            && let Some(row) = passed.next().map_err(sentence)?
        {
            let old = |row: &rusqlite::Row<'_>| -> rusqlite::Result<(i64, Option<Passed>)> {
                let (id, sentinel) = (row.get(0)?, row.get(1)?);
                let live: Option<bool> = row.get(2)?;
                Ok((id, live.map(|live| Passed { id, sentinel, live })))
            };
            let (id, old) = old(row).map_err(sentence)?;
            (count, last) = (count + 1, Some(id));
            rows.extend(old);
        }
        let is_over = count < most && rows.len() < prune.limit as usize;
        match last.filter(|_| !is_over) {
            Some(id) => {
                let sql = "INSERT INTO prunings (what, id) VALUES (?1, ?2)
                           ON CONFLICT (what) DO UPDATE SET id = excluded.id";
                self.run(sql, params![what, id])?
            }
            None => self.run("DELETE FROM prunings WHERE what = ?1", [what])?,
        };
        Ok(rows)
    }
}
