//! The store in one SQLite file.
//!
//! Comes in: batches, as one transaction each. Goes out: rows, through read-only connections of
//! their own. The binary calls [`SqliteStore::open`] and speaks the [`Store`] trait from then on;
//! the simulator may do the same in virtual time. Promises: what `append` accepted is on the disk
//! (WAL, `synchronous=FULL`); a file of a newer Tidings, of another program, or damaged, is refused
//! with a sentence; one process writes (the lock of the data directory is the binary's).
//!
//! Start reading at `migrations/0001_first.sql`, then [`SqliteStore`]; `blobs` is where versions
//! become differences.

mod access;
mod blobs;
mod error;
mod expected;
mod faults;
mod file;
mod migrate;
mod packed;
mod prune;
mod read;
mod recent;
mod repair;
mod rows;
#[cfg(test)]
mod tests;
mod write;

pub use faults::Faults;
pub use file::{APPLICATION_ID, backup};
pub use migrate::FORMAT;
pub use repair::{Repaired, repair};

use access::SqliteAccess;
use error::sentence;
use file::Before;
use kernel::io::Prune;
use read::SqliteReader;
use recent::Recent;
use rusqlite::{Connection, Params};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Access, Batch, Reader, Store, StoreError};

/// The one writer of a store file.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    reader: Arc<SqliteReader>,
    recent: Arc<Recent>,
    faults: Faults,
}

impl SqliteStore {
    /// Opens the file, or makes it. A new store gets `fresh_instance` (random bytes, hashed into
    /// the keys of notifications); an old one keeps its own.
    ///
    /// # Errors
    /// [`StoreError::Newer`], [`StoreError::Foreign`], [`StoreError::Damaged`], or what the disk
    /// says. A refused file is not touched.
    pub fn open(path: &Path, fresh_instance: [u8; 16]) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_with(path, fresh_instance, Faults::default())
    }

    /// As [`SqliteStore::open`], of a copy that is thrown away: its migration keeps none of it.
    ///
    /// # Errors
    /// As [`SqliteStore::open`].
    pub fn open_copy(path: &Path, fresh_instance: [u8; 16]) -> Result<SqliteStore, StoreError> {
        let connection = file::open_writer(path, fresh_instance, Before::Lost)?;
        Ok(SqliteStore::of(connection, path, Faults::default()))
    }

    /// As [`SqliteStore::open`], with writes that fail when `faults` says so: for simulations.
    pub fn open_with(
        path: &Path,
        fresh_instance: [u8; 16],
        faults: Faults,
    ) -> Result<SqliteStore, StoreError> {
        let connection = file::open_writer(path, fresh_instance, Before::Copied)?;
        Ok(SqliteStore::of(connection, path, faults))
    }

    fn of(connection: Connection, path: &Path, faults: Faults) -> SqliteStore {
        let recent = Arc::<Recent>::default();
        let reader = Arc::new(SqliteReader::new(path, Arc::clone(&recent)));
        SqliteStore { connection, path: path.to_owned(), reader, recent, faults }
    }

    /// Copies the store, as it is at one moment, to a new file that opens like this one, as another
    /// instance. Reading
    /// and writing go on meanwhile. The file appears whole or not at all.
    ///
    /// # Errors
    /// If `to` exists already, or what the disk says.
    pub fn backup(&self, to: &Path, fresh_instance: [u8; 16]) -> Result<(), StoreError> {
        backup(&self.path, to, fresh_instance)
    }

    /// Reads the whole file and compares tables with indexes: minutes for a large store.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] with what SQLite found first.
    pub fn check(&self) -> Result<(), StoreError> {
        file::check(&self.connection, "integrity_check")
    }

    /// Runs `work` as one transaction: all of it, or nothing.
    fn atomically<T>(
        &mut self,
        work: impl FnOnce(&Writer<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let SqliteStore { connection, recent, faults, .. } = &*self;
        let writer = Writer { connection, recent, faults };
        let begun = writer.run("BEGIN IMMEDIATE", []).and_then(|_| work(&writer));
        let done = begun.and_then(|value| writer.run("COMMIT", []).map(|_| value));
        if !self.connection.is_autocommit() {
            // If even this fails, the next BEGIN says so, and the batch is repeated after it.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        let value = done?;
        self.faults.count()?;
        Ok(value)
    }
}

impl Drop for SqliteStore {
    /// Leaves everything in the one file: a log that stayed beside it would be played into whatever
    /// copy takes its place.
    fn drop(&mut self) {
        // A reader at work keeps the log, and the next owner plays it.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
}

impl Store for SqliteStore {
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        self.atomically(|writer| writer.append(batch))
    }

    fn prune(&mut self, prune: &Prune) -> Result<usize, StoreError> {
        self.atomically(|writer| writer.prune(prune))
    }

    fn sweep(&mut self, limit: usize) -> Result<usize, StoreError> {
        self.atomically(|writer| writer.sweep(limit))
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::clone(&self.reader) as Arc<dyn Reader>
    }

    fn access(&self) -> Arc<dyn Access> {
        Arc::new(SqliteAccess::new(&self.path))
    }
}

/// Who may come in, and the channels that people made, in the store at `path`, whoever writes it.
/// Nothing is opened before the first use; a store of another format gives errors.
pub fn access(path: &Path) -> Arc<dyn Access> {
    Arc::new(SqliteAccess::new(path))
}

/// What is in the store at `path`, whoever writes it. Nothing is opened before the first use; a
/// store of another format gives errors.
pub fn reader(path: &Path) -> Arc<dyn Reader> {
    Arc::new(SqliteReader::new(path, Arc::default()))
}

/// An open transaction.
struct Writer<'a> {
    connection: &'a Connection,
    recent: &'a Recent,
    faults: &'a Faults,
}

impl Writer<'_> {
    /// Runs one statement that writes; says how many rows it changed.
    fn run(&self, sql: &str, values: impl Params) -> Result<usize, StoreError> {
        self.faults.count()?;
        let mut statement = self.connection.prepare_cached(sql).map_err(sentence)?;
        statement.execute(values).map_err(sentence)
    }
}
