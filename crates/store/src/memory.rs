//! A store without a disk: for the simulator and for tests. What `append` accepted survives
//! [`MemoryStore::crash`], nothing else does.

mod access;
mod read;
mod state;
#[cfg(test)]
mod tests;

use crate::{Access, Batch, Reader, Store, StoreError};
use access::Entrants;
use kernel::io::Prune;
use state::State;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// How an append is made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Nothing is written.
    Lost,
    /// Everything is written, and still an error is returned: the answer was lost.
    Unanswered,
}

/// What stands for the disk.
#[derive(Debug, Default)]
struct Disk {
    state: State,
    entrants: Entrants,
    appends: u64,
    /// By the number of the append that fails.
    faults: BTreeMap<u64, Fault>,
}

/// The store in memory. It is a handle: its readers, and stores made by
/// [`MemoryStore::same_disk`], share one disk; a crash gives a disk of its own.
#[derive(Debug)]
pub struct MemoryStore {
    disk: Arc<RwLock<Disk>>,
}

impl MemoryStore {
    /// An empty store; `instance` as in [`kernel::record::Meta`].
    pub fn new(instance: [u8; 16]) -> MemoryStore {
        MemoryStore::of(State::new(instance), Entrants::default())
    }

    fn of(state: State, entrants: Entrants) -> MemoryStore {
        let disk = Disk { state, entrants, ..Disk::default() };
        MemoryStore { disk: Arc::new(RwLock::new(disk)) }
    }

    /// What a process finds that starts after this one was killed: everything appended, and no
    /// faults. Costs a copy of the rows; blobs are shared.
    pub fn crash(&self) -> MemoryStore {
        let disk = self.disk.read().unwrap_or_else(PoisonError::into_inner);
        MemoryStore::of(disk.state.clone(), disk.entrants.clone())
    }

    /// The same disk opened again, without a copy; to be used in place of this one, or beside it
    /// to inject failures.
    pub fn same_disk(&self) -> MemoryStore {
        MemoryStore { disk: Arc::clone(&self.disk) }
    }

    /// Makes the `n`-th append from now (1: the next) fail without effect.
    pub fn fail_append(&self, n: u64) {
        self.plan(n, Fault::Lost);
    }

    /// Makes the `n`-th append from now (1: the next) become durable and still report failure, as
    /// a disk may do.
    pub fn lose_answer(&self, n: u64) {
        self.plan(n, Fault::Unanswered);
    }

    /// Forgets every failure still to come.
    pub fn heal(&self) {
        self.write(|disk| disk.faults.clear());
    }

    fn plan(&self, n: u64, fault: Fault) {
        self.write(|disk| disk.faults.insert(disk.appends + n, fault));
    }

    fn write<T>(&self, write: impl FnOnce(&mut Disk) -> T) -> T {
        write(&mut self.disk.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Store for MemoryStore {
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        self.write(|disk| {
            disk.appends += 1;
            let fault = disk.faults.remove(&disk.appends);
            if fault == Some(Fault::Lost) {
                return Err(StoreError::Failed("an injected failure, nothing written".into()));
            }
            disk.state.append(batch)?;
            match fault {
                Some(_) => Err(StoreError::Failed("an injected failure, after writing".into())),
                None => Ok(()),
            }
        })
    }

    fn prune(&mut self, prune: &Prune) -> Result<usize, StoreError> {
        Ok(self.write(|disk| disk.state.prune(prune)))
    }

    fn sweep(&mut self, limit: usize) -> Result<usize, StoreError> {
        Ok(self.write(|disk| disk.state.sweep(limit)))
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(read::MemoryReader { disk: Arc::clone(&self.disk) })
    }

    fn access(&self) -> Arc<dyn Access> {
        Arc::new(access::MemoryAccess { disk: Arc::clone(&self.disk) })
    }
}
