//! The disk under the server: the store in memory, or the SQLite file that people have.

use crate::pace::Luck;
use kernel::io::Prune;
use std::path::PathBuf;
use std::sync::Arc;
use store::{Batch, MemoryStore, Reader, Store, StoreError};
use store_sqlite::{Faults, SqliteStore};
use tempfile::TempDir;

const INSTANCE: [u8; 16] = *b"simulated store!";

/// Where a world keeps its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Medium {
    Memory,
    Sqlite,
}

/// A store that fails on demand and survives crashes.
pub(crate) enum Disk {
    Memory(MemoryStore),
    Sqlite(Box<File>),
}

/// A SQLite store in a folder of its own, which goes with it.
pub(crate) struct File {
    /// `None` only while it is opened again.
    store: Option<SqliteStore>,
    faults: Faults,
    folder: TempDir,
}

impl Disk {
    /// An empty disk.
    ///
    /// # Errors
    /// No temporary folder or file can be made.
    pub(crate) fn new(medium: Medium) -> Result<Disk, String> {
        Ok(match medium {
            Medium::Memory => Disk::Memory(MemoryStore::new(INSTANCE)),
            Medium::Sqlite => {
                let folder = tempfile::Builder::new().prefix("tidings-sim-").tempdir();
                let folder = folder.map_err(|error| error.to_string())?;
                let mut file = File { store: None, faults: Faults::default(), folder };
                file.open().map_err(|error| error.to_string())?;
                Disk::Sqlite(Box::new(file))
            }
        })
    }

    pub(crate) fn reader(&self) -> Arc<dyn Reader> {
        match self {
            Disk::Memory(store) => store.reader(),
            Disk::Sqlite(file) => file.store().reader(),
        }
    }

    /// Appends with the given luck; an error where the store reports one.
    pub(crate) fn append(&mut self, batch: &Batch, luck: Luck) -> Result<(), StoreError> {
        match self {
            Disk::Memory(store) => {
                match luck {
                    Luck::Well => {}
                    Luck::Lost => store.fail_append(1),
                    Luck::Unanswered => store.lose_answer(1),
                }
                store.append(batch)
            }
            Disk::Sqlite(file) => match luck {
                Luck::Well => file.store_mut().append(batch),
                Luck::Lost => {
                    // The transaction is begun, and its first row is not taken.
                    file.faults.fail_write(2);
                    file.store_mut().append(batch)
                }
                Luck::Unanswered => {
                    file.store_mut().append(batch)?;
                    Err(StoreError::Failed("the answer was lost".into()))
                }
            },
        }
    }

    pub(crate) fn prune(&mut self, prune: &Prune) -> Result<usize, StoreError> {
        match self {
            Disk::Memory(store) => store.prune(prune),
            Disk::Sqlite(file) => file.store_mut().prune(prune),
        }
    }

    pub(crate) fn sweep(&mut self, limit: usize) -> Result<usize, StoreError> {
        match self {
            Disk::Memory(store) => store.sweep(limit),
            Disk::Sqlite(file) => file.store_mut().sweep(limit),
        }
    }

    /// The process is killed, and a new one opens what it left.
    pub(crate) fn crash(&mut self) -> Result<(), StoreError> {
        match self {
            Disk::Memory(store) => *store = store.crash(),
            Disk::Sqlite(file) => file.open()?,
        }
        Ok(())
    }
}

impl File {
    /// Opens the file, as the next process does.
    fn open(&mut self) -> Result<(), StoreError> {
        self.store = None;
        self.faults = Faults::default();
        let path: PathBuf = self.folder.path().join("tidings.db");
        self.store = Some(SqliteStore::open_with(&path, INSTANCE, self.faults.clone())?);
        Ok(())
    }

    fn store(&self) -> &SqliteStore {
        self.store.as_ref().expect("`open` leaves it open, or the world ends")
    }

    fn store_mut(&mut self) -> &mut SqliteStore {
        self.store.as_mut().expect("`open` leaves it open, or the world ends")
    }
}
