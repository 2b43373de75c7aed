//! A store without a disk: for the simulator and for tests. What `append` accepted survives
//! [`MemoryStore::crash`], nothing else does.

mod read;
mod state;

use crate::{Batch, Reader, Store, StoreError};
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

/// The store in memory. Readers share its state; a crash gives a store of its own.
#[derive(Debug)]
pub struct MemoryStore {
    state: Arc<RwLock<State>>,
    appends: u64,
    /// By the number of the append that fails.
    faults: BTreeMap<u64, Fault>,
}

impl MemoryStore {
    /// An empty store; `instance` as in [`kernel::record::Meta`].
    pub fn new(instance: [u8; 16]) -> MemoryStore {
        let state = Arc::new(RwLock::new(State::new(instance)));
        MemoryStore { state, appends: 0, faults: BTreeMap::new() }
    }

    /// What a process finds that starts after this one was killed: everything appended, and no
    /// faults. Costs a copy of the rows; blobs are shared.
    pub fn crash(&self) -> MemoryStore {
        let state = self.read_state(State::clone);
        MemoryStore { state: Arc::new(RwLock::new(state)), appends: 0, faults: BTreeMap::new() }
    }

    /// Makes the `n`-th append from now (1: the next) fail without effect.
    pub fn fail_append(&mut self, n: u64) {
        self.faults.insert(self.appends + n, Fault::Lost);
    }

    /// Makes the `n`-th append from now (1: the next) become durable and still report failure, as
    /// a disk may do.
    pub fn lose_answer(&mut self, n: u64) {
        self.faults.insert(self.appends + n, Fault::Unanswered);
    }

    fn read_state<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write_state<T>(&self, write: impl FnOnce(&mut State) -> T) -> T {
        write(&mut self.state.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Store for MemoryStore {
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        self.appends += 1;
        let fault = self.faults.remove(&self.appends);
        if fault == Some(Fault::Lost) {
            return Err(StoreError::Failed("an injected failure, nothing was written".into()));
        }
        self.write_state(|state| state.append(batch))?;
        match fault {
            Some(_) => Err(StoreError::Failed("an injected failure, after the write".into())),
            None => Ok(()),
        }
    }

    fn prune(&mut self, prune: &Prune) -> Result<usize, StoreError> {
        Ok(self.write_state(|state| state.prune(prune)))
    }

    fn sweep(&mut self, limit: usize) -> Result<usize, StoreError> {
        Ok(self.write_state(|state| state.sweep(limit)))
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(read::MemoryReader { state: Arc::clone(&self.state) })
    }
}
