//! Failures on demand, so that a test can fail every single write in turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::StoreError;

/// A countdown shared with a test: the write it reaches fails, once. By default none does.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// Writes until the failure; 0: none is planned.
    left: Arc<AtomicU64>,
}

impl Faults {
    /// The `n`-th write from now (1: the next) fails. Beginning, committing and the answer after
    /// the commit count as writes.
    pub fn fail_write(&self, n: u64) {
        self.left.store(n, Ordering::SeqCst);
    }

    pub(crate) fn count(&self) -> Result<(), StoreError> {
        let step = |left: u64| left.checked_sub(1);
        match self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, step) {
            Ok(1) => Err(StoreError::Failed("an injected failure".into())),
            _ => Ok(()),
        }
    }
}
