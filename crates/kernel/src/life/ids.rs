//! A small set of sentinels.

use chronon::SentinelId;
use std::ops::Deref;

/// Ascending. Most sets hold one or two; a tree's node would take 56 bytes for each. Ids grow, so
/// that a new one goes to the end; removing costs the length.
#[derive(Default)]
pub(super) struct Ids(Vec<SentinelId>);

impl Ids {
    pub(super) fn insert(&mut self, id: SentinelId) {
        if let Err(at) = self.0.binary_search(&id) {
            if self.0.is_empty() {
                self.0.reserve_exact(1);
            }
            self.0.insert(at, id);
        }
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&SentinelId) -> bool) {
        self.0.retain(keep);
    }

    /// Says whether it was there.
    pub(super) fn remove(&mut self, id: &SentinelId) -> bool {
        let found = self.0.binary_search(id);
        if let Ok(at) = found {
            self.0.remove(at);
        }
        found.is_ok()
    }
}

impl Deref for Ids {
    type Target = [SentinelId];

    fn deref(&self) -> &[SentinelId] {
        &self.0
    }
}
