//! Notifications that are done with, and detections nobody is left to ask for. Both tables are
//! walked by time, a few rows a call, from where the last call stopped: the rows that stay are not
//! looked at again before all others were.

use crate::{StoreError, Writer};
use kernel::io::FinishedPrune;
use outbox::DetectionId;
use rusqlite::params;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Finished notifications after a time and id, with their sentinel and whether it lives.
pub(crate) const FINISHED_AFTER: &str = "SELECT state_at, id, sentinel,
        EXISTS (SELECT 1 FROM sentinels WHERE id = outbox.sentinel)
    FROM outbox
    WHERE state IN ('delivered', 'given up', 'cancelled')
        AND (state_at, id) > (?1, ?2) AND state_at < ?3
    ORDER BY state_at, id LIMIT ?4";
/// Detections after a time and id, with their sentinel and whether it and any source live.
pub(crate) const DETECTIONS_AFTER: &str = "SELECT at, id, sentinel,
        EXISTS (SELECT 1 FROM sentinels WHERE id = detections.sentinel)
        AND EXISTS (SELECT 1 FROM evidence JOIN sources ON sources.id = evidence.source
            WHERE evidence.detection = detections.id)
    FROM detections
    WHERE (at, id) > (?1, ?2) AND at < ?3
    ORDER BY at, id LIMIT ?4";
/// The newest notification of a sentinel that is not among its newest.
pub(crate) const NEWEST_BEYOND: &str =
    "SELECT id FROM outbox WHERE sentinel = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2";

/// A row as the walk sees it.
struct Passed {
    at: i64,
    id: i64,
    sentinel: Option<i64>,
    live: bool,
}

impl Writer<'_> {
    /// Costs `limit` rows, and for each of their sentinels as many steps in an index as it keeps.
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

    /// The next rows of the walk called `what`, as `sql` gives them.
    fn walk(
        &self,
        what: &str,
        sql: &str,
        prune: &FinishedPrune,
    ) -> Result<Vec<Passed>, StoreError> {
        let place = "SELECT at, id FROM prunings WHERE what = ?1";
        let place = self.list(place, [what], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (at, id): (i64, i64) = place.first().copied().unwrap_or((i64::MIN, i64::MIN));
        let passed = |row: &rusqlite::Row<'_>| {
            let (at, id) = (row.get(0)?, row.get(1)?);
            Ok(Passed { at, id, sentinel: row.get(2)?, live: row.get(3)? })
        };
        let rows =
            self.list(sql, params![at, id, prune.before.as_millis(), prune.limit], passed)?;
        match rows.last().filter(|_| rows.len() >= prune.limit as usize) {
            Some(last) => {
                let sql = "INSERT INTO prunings (what, at, id) VALUES (?1, ?2, ?3)
                           ON CONFLICT (what) DO UPDATE SET at = excluded.at, id = excluded.id";
                self.run(sql, params![what, last.at, last.id])?
            }
            None => self.run("DELETE FROM prunings WHERE what = ?1", [what])?,
        };
        Ok(rows)
    }
}
