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

    /// Keeps others off a link while it is used, if it is one.
    pub(super) fn claim_link(&self, key: &str, now: Instant) -> Option<Claim<'_>> {
        let hash = *hash_of(key)?.as_bytes();
        let until = self.write().links.remove(&hash)?;
        (until > now).then_some(Claim { keeper: self, link: Some((hash, until)) })
    }
}

/// A link that is being used: good again if that comes to nothing, however it ends.
pub(super) struct Claim<'a> {
    keeper: &'a Keeper,
    link: Option<([u8; 32], Instant)>,
}

impl Claim<'_> {
    /// Uses the link up.
    pub(super) fn burn(mut self) {
        self.link = None;
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some((hash, until)) = self.link {
            self.keeper.write().links.insert(hash, until);
        }
    }
}
