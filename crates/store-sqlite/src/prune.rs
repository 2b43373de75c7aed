//! What nothing needs any more goes: versions, detections, blobs; `finished` has notifications.

mod finished;
#[cfg(test)]
pub(crate) use finished::{DETECTIONS_AFTER, FINISHED_AFTER, NEWEST_BEYOND};

use crate::error::sentence;
use crate::rows::{Columns, members};
use crate::{StoreError, Writer, blobs};
use chronon::{Instant, SourceId, VersionNo};
use kernel::io::{Prune, SourcePrune};
use outbox::DetectionId;
use rusqlite::types::FromSql;
use rusqlite::{Params, params};
use std::collections::{BTreeMap, BTreeSet};

/// Detections that rest on a source, newest first by sentinel, and whether a newer version of the
/// source that they name is gone.
pub(crate) const DETECTIONS_ON: &str = "SELECT id, sentinel, at, EXISTS (
        SELECT 1 FROM evidence WHERE detection = detections.id AND source = ?1
        AND NOT EXISTS (SELECT 1 FROM versions WHERE source = ?1 AND number = to_version))
    FROM detections
    WHERE id IN (SELECT detection FROM evidence WHERE source = ?1)
    ORDER BY sentinel, id DESC";

impl Writer<'_> {
    /// The rows of a query, each made by `make`.
    fn list<T>(
        &self,
        sql: &str,
        values: impl Params,
        make: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(sentence)?;
        let rows = statement.query_map(values, make).map_err(sentence)?;
        rows.collect::<rusqlite::Result<_>>().map_err(sentence)
    }

    fn column<T: FromSql>(&self, sql: &str, values: impl Params) -> Result<Vec<T>, StoreError> {
        self.list(sql, values, |row| row.get(0))
    }

    /// Detections of the sentinel that unfinished notifications name, or that wait for looks.
    fn members_of(&self, sentinel: i64) -> Result<BTreeSet<DetectionId>, StoreError> {
        let sql = "SELECT members FROM outbox
                   WHERE sentinel = ?1 AND state < 3";
        let rows = self.list(sql, [sentinel], |row| members(&mut Columns::of(row)))?;
        let waiting = "SELECT about FROM demands
                       JOIN detections ON detections.id = about WHERE sentinel = ?1";
        let waiting = self.column::<i64>(waiting, [sentinel])?;
        let waiting = waiting.into_iter().map(|id| DetectionId(id as u64));
        Ok(rows.into_iter().flatten().chain(waiting).collect())
    }

    /// Detections on the source that unfinished notifications name, and those that wait for looks.
    /// Costs one look-up for each sentinel that ever heard of the source, and its unfinished
    /// notifications.
    fn detections_needed(&self, source: SourceId) -> Result<BTreeSet<DetectionId>, StoreError> {
        let sql = "SELECT DISTINCT sentinel FROM detections
                   WHERE id IN (SELECT detection FROM evidence WHERE source = ?1)";
        let mut needed = BTreeSet::new();
        for sentinel in self.column::<i64>(sql, [source.0])? {
            needed.extend(self.members_of(sentinel)?);
        }
        Ok(needed)
    }

    /// Versions of the source that those detections name.
    fn versions_needed(
        &self,
        source: SourceId,
        detections: &BTreeSet<DetectionId>,
    ) -> Result<BTreeSet<VersionNo>, StoreError> {
        let sql = "SELECT from_version, to_version FROM evidence
                   WHERE detection = ?1 AND source = ?2";
        let mut needed = BTreeSet::new();
        for id in detections {
            let ends = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            for (from, to) in self.list(sql, params![id.0 as i64, source.0], ends)? {
                needed.extend([VersionNo(from), VersionNo(to)]);
            }
        }
        Ok(needed)
    }

    pub(crate) fn prune(&self, prune: &Prune) -> Result<usize, StoreError> {
        match prune {
            Prune::Source(prune) => self.prune_source(prune),
            Prune::Finished(prune) => {
                Ok(self.prune_notifications(prune)? + self.prune_left_detections(prune)?)
            }
        }
    }

    fn prune_source(&self, prune: &SourcePrune) -> Result<usize, StoreError> {
        let detections_needed = self.detections_needed(prune.source)?;
        let needed = self.versions_needed(prune.source, &detections_needed)?;
        let sql = "SELECT number, fetched_at FROM versions WHERE source = ?1 ORDER BY number DESC";
        let row = |row: &rusqlite::Row<'_>| {
            Ok((VersionNo(row.get(0)?), Instant::from_millis(row.get(1)?)))
        };
        let mut gone = 0;
        for (rank, (number, fetched_at)) in
            self.list(sql, [prune.source.0], row)?.into_iter().enumerate()
        {
            let rank = rank as u32;
            let surplus = fetched_at < prune.before || rank >= prune.versions_max;
            let wanted = rank < prune.history.max(1)
                || prune.keep.contains(&number)
                || needed.contains(&number);
            if surplus && !wanted {
                let sql = "DELETE FROM versions WHERE source = ?1 AND number = ?2";
                gone += self.run(sql, [prune.source.0, number.0])?;
            }
        }
        self.prune_detections(prune, &detections_needed)?;
        Ok(gone)
    }

    fn prune_detections(
        &self,
        prune: &SourcePrune,
        needed: &BTreeSet<DetectionId>,
    ) -> Result<(), StoreError> {
        let row = |row: &rusqlite::Row<'_>| {
            let (id, sentinel): (i64, i64) = (row.get(0)?, row.get(1)?);
            let (at, torn): (i64, bool) = (row.get(2)?, row.get(3)?);
            Ok((id, sentinel, Instant::from_millis(at) < prune.before || torn))
        };
        let counts: BTreeMap<i64, u32> =
            prune.detections.iter().map(|(id, n)| (id.0 as i64, *n)).collect();
        let mut newer: BTreeMap<i64, u32> = BTreeMap::new();
        for (id, sentinel, stale) in self.list(DETECTIONS_ON, [prune.source.0], row)? {
            let rank = newer.entry(sentinel).or_default();
            let kept = *rank < counts.get(&sentinel).copied().unwrap_or(0);
            *rank += 1;
            if stale && !kept && !needed.contains(&DetectionId(id as u64)) {
                self.run("DELETE FROM detections WHERE id = ?1", [id])?;
            }
        }
        Ok(())
    }

    pub(crate) fn sweep(&self, limit: usize) -> Result<usize, StoreError> {
        let gone = "SELECT id FROM sources_gone WHERE id NOT IN (SELECT id FROM sources)";
        for source in self.column::<u32>(gone, [])? {
            self.sweep_source(SourceId(source))?;
        }
        let doomed = self.doomed(limit)?;
        for dependent in self.dependents(&doomed)? {
            let base = self.base_that_stays(dependent, &doomed)?;
            self.rebase(dependent, base)?;
        }
        // Those that stand on others go first; a base never goes before them.
        for id in self.by_depth(&doomed)? {
            self.run("DELETE FROM blobs WHERE number = ?1", [id])?;
            self.run("DELETE FROM loose WHERE blob = ?1", [id])?;
        }
        Ok(doomed.len())
    }

    /// Deletes the versions of a source that is gone, but for those still to be told of.
    fn sweep_source(&self, source: SourceId) -> Result<(), StoreError> {
        let needed = self.versions_needed(source, &self.detections_needed(source)?)?;
        let sql = "SELECT number FROM versions WHERE source = ?1";
        let numbers = self.column::<u32>(sql, [source.0])?;
        for number in numbers.iter().filter(|number| !needed.contains(&VersionNo(**number))) {
            let sql = "DELETE FROM versions WHERE source = ?1 AND number = ?2";
            self.run(sql, [source.0, *number])?;
        }
        if numbers.iter().all(|number| !needed.contains(&VersionNo(*number))) {
            self.run("DELETE FROM sources_gone WHERE id = ?1", [source.0])?;
        }
        Ok(())
    }

    /// The numbers of loose blobs that no row names; those that got a name again are loose no more.
    fn doomed(&self, limit: usize) -> Result<BTreeSet<i64>, StoreError> {
        let named = "DELETE FROM loose WHERE
            EXISTS (SELECT 1 FROM versions WHERE body = loose.blob)
            OR EXISTS (SELECT 1 FROM extracts WHERE extract = loose.blob)
            OR EXISTS (SELECT 1 FROM evidence WHERE result = loose.blob)
            OR EXISTS (SELECT 1 FROM outbox WHERE body = loose.blob)";
        self.run(named, [])?;
        let sql = "SELECT blob FROM loose LIMIT ?1 + 0";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        Ok(self.column(sql, [limit])?.into_iter().collect())
    }

    /// Blobs that stay and stand on one that goes.
    fn dependents(&self, doomed: &BTreeSet<i64>) -> Result<BTreeSet<i64>, StoreError> {
        let mut dependents = BTreeSet::new();
        for id in doomed {
            let above = self.column::<i64>("SELECT number FROM blobs WHERE base = ?1", [id])?;
            dependents.extend(above.into_iter().filter(|id| !doomed.contains(id)));
        }
        Ok(dependents)
    }

    /// The nearest blob below `id` that stays.
    fn base_that_stays(&self, id: i64, doomed: &BTreeSet<i64>) -> Result<Option<i64>, StoreError> {
        let mut below = id;
        for _ in 0..=blobs::CHAIN_MAX {
            let base = self.column("SELECT base FROM blobs WHERE number = ?1", [below])?;
            match base.into_iter().next().flatten() {
                Some(base) if doomed.contains(&base) => below = base,
                base => return Ok(base),
            }
        }
        Ok(None)
    }

    fn by_depth(&self, doomed: &BTreeSet<i64>) -> Result<Vec<i64>, StoreError> {
        let mut ordered = Vec::with_capacity(doomed.len());
        for id in doomed {
            let sql = "SELECT depth FROM blobs WHERE number = ?1";
            let depth = self.column::<u32>(sql, [id])?.first().copied().unwrap_or(0);
            ordered.push((std::cmp::Reverse(depth), *id));
        }
        ordered.sort_unstable();
        Ok(ordered.into_iter().map(|(_, id)| id).collect())
    }
}
