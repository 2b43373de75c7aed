//! Links that log in once: kept in memory, for ten minutes.

use super::{Keeper, LINK_LASTS, LINKS_MAX, hash_of};
use crate::problem::Problem;
use chronon::Instant;

impl Keeper {
    /// The key of a new link.
    pub(crate) fn new_link(&self, now: Instant) -> Result<String, Problem> {
        let (key, hash) = self.secret()?;
        let links = &mut self.write().links;
        links.retain(|_, until| *until > now);
        while links.len() >= LINKS_MAX {
            let oldest = links.iter().min_by_key(|(_, until)| **until).map(|(hash, _)| *hash);
            links.remove(&oldest.expect("there are links"));
        }
        links.insert(hash, now + LINK_LASTS);
        Ok(key)
    }

    /// Whether a link may still be used.
    pub(crate) fn is_link(&self, key: &str, now: Instant) -> bool {
        let hash = hash_of(key);
        let until = hash.and_then(|hash| self.read().links.get(hash.as_bytes()).copied());
        until.is_some_and(|until| until > now)
    }

    /// Uses a link up, if it is one; says until when it was good.
    pub(super) fn take_link(&self, key: &str, now: Instant) -> Option<Instant> {
        let until = self.write().links.remove(hash_of(key)?.as_bytes())?;
        (until > now).then_some(until)
    }

    /// What came of it was nothing: the link is good again.
    pub(super) fn return_link(&self, key: &str, until: Instant) {
        if let Some(hash) = hash_of(key) {
            self.write().links.insert(*hash.as_bytes(), until);
        }
    }
}
