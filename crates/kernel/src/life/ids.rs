//! A small set of sentinels.

use chronon::SentinelId;
use smallvec::SmallVec;
use std::ops::Deref;

/// Ascending. Most sets hold one, which needs no allocation. Ids grow, so that a new one goes to
/// the end; removing costs the length.
#[derive(Default)]
pub(super) struct Ids(SmallVec<[SentinelId; 1]>);

impl Ids {
    pub(super) fn insert(&mut self, id: SentinelId) {
        if let Err(at) = self.0.binary_search(&id) {
            self.0.insert(at, id);
        }
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&SentinelId) -> bool) {
        self.0.retain(|id| keep(id));
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
