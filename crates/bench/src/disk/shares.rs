//! How a store's file is shared among contents, versions and notifications.

use anyhow::{Result, ensure};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use store_sqlite::SqliteStore;

/// Bytes of a file, and how much there is to share them.
#[derive(Debug)]
pub struct Shares {
    /// Versions after the first of their page.
    pub versions: f64,
    pub notifications: f64,
    /// Bodies and extracts, packed, with their rows and hashes: git's index is counted, too.
    pub content: f64,
    /// All that is neither content nor notification.
    pub version: f64,
    /// Finished notifications, their attempts and their messages.
    pub notification: f64,
}

/// Packed bytes of messages.
const MESSAGES: &str = "SELECT coalesce(sum(length(data)), 0), count(*) FROM blobs
    WHERE number IN (SELECT body FROM outbox WHERE body IS NOT NULL)";
const CONTENTS: &str = "SELECT coalesce(sum(length(data)), 0), count(*) FROM blobs
    WHERE number IN (SELECT body FROM versions) OR number IN (SELECT extract FROM extracts)";
const BLOBS: &str = "SELECT coalesce(sum(length(data)), 0), count(*) FROM blobs";
/// Pages of a table and its indexes.
const TABLES: &str = "SELECT tbl_name, sum(pgsize) FROM dbstat
    JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY tbl_name";

impl Shares {
    /// The bytes of a store that has seen nothing.
    pub fn of_empty(path: &Path) -> Result<f64> {
        drop(SqliteStore::open(path, [1; 16])?);
        Ok(std::fs::metadata(path)?.len() as f64)
    }

    /// What a store has that nobody has open, less the bytes of an empty one.
    pub fn of(path: &Path, empty: f64) -> Result<Shares> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let two = |sql: &str| -> rusqlite::Result<(f64, f64)> {
            connection.query_row(sql, [], |row| {
                Ok((row.get::<_, i64>(0)? as f64, row.get::<_, i64>(1)? as f64))
            })
        };
        let mut query = connection.prepare(TABLES)?;
        let tables = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as f64)))?;
        let tables: Vec<(String, f64)> = tables.collect::<rusqlite::Result<_>>()?;
        let of = |wanted: &[&str]| -> f64 {
            let named = tables.iter().filter(|(name, _)| wanted.contains(&name.as_str()));
            named.map(|(_, bytes)| bytes).sum()
        };
        let all = tables.iter().map(|(_, bytes)| bytes).sum::<f64>() - empty;
        let (versions, sources) = two("SELECT count(*), count(DISTINCT source) FROM versions")?;
        let (notifications, _) = two("SELECT count(*), 0 FROM outbox WHERE state = 3")?;
        let (unfinished, _) = two("SELECT count(*), 0 FROM outbox WHERE state <> 3")?;
        ensure!(unfinished == 0.0, "every message arrives");
        let ((contents, pieces), (messages, letters)) = (two(CONTENTS)?, two(MESSAGES)?);
        let (packed, blobs) = two(BLOBS)?;
        // What a blob takes beside its bytes.
        let around = (of(&["blobs"]) - packed) / blobs;
        let content = contents + pieces * around;
        let notification = of(&["outbox", "attempts"]) + messages + letters * around;
        let version = all - content - notification;
        Ok(Shares { versions: versions - sources, notifications, content, version, notification })
    }
}
