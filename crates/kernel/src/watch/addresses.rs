//! Sources by what makes them: a URL, a way of looking at it, and whose secrets it needs.

use crate::record::SourceRow;
use address::{SourceUrl, Way};
use chronon::{OwnerId, SourceId};
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// What makes a source: no two have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Address<'a> {
    pub(crate) url: &'a SourceUrl,
    pub(crate) way: &'a Way,
    /// Nobody, unless it takes credentials.
    pub(crate) owner: Option<OwnerId>,
}

impl<'a> Address<'a> {
    /// What `owner` means by a URL and a way.
    pub(crate) fn of(owner: OwnerId, url: &'a SourceUrl, way: &'a Way) -> Address<'a> {
        let is_secret = url.credentials().is_some() || way.has_credentials();
        Address { url, way, owner: is_secret.then_some(owner) }
    }

    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        Hash::hash(self, &mut hasher);
        hasher.finish()
    }
}

impl SourceRow {
    pub(super) fn address(&self) -> Address<'_> {
        Address { url: &self.url, way: &self.way, owner: self.owner }
    }
}

/// Every source by its address, and those with a secret in the URL also by what is shown of it.
/// Addresses stay in the rows: here are hashes, which the rows confirm.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    all: BTreeSet<(u64, SourceId)>,
    secret: BTreeSet<(OwnerId, Box<str>, SourceId)>,
}

impl Addresses {
    pub(super) fn insert(&mut self, row: &SourceRow) {
        if let Some(owner) = row.owner.filter(|_| row.url.credentials().is_some()) {
            self.secret.insert((owner, row.url.shown().into(), row.id));
        }
        self.all.insert((row.address().hash(), row.id));
    }

    pub(super) fn remove(&mut self, row: &SourceRow) {
        self.all.remove(&(row.address().hash(), row.id));
        if let Some(owner) = row.owner {
            self.secret.remove(&(owner, row.url.shown().into(), row.id));
        }
    }

    /// The source with exactly this address.
    pub(super) fn exact<'r>(
        &self,
        address: &Address<'_>,
        row: impl Fn(SourceId) -> Option<&'r SourceRow>,
    ) -> Option<SourceId> {
        let hash = address.hash();
        let found = self.all.range((hash, SourceId(0))..=(hash, SourceId(u32::MAX)));
        let is = |id: &SourceId| row(*id).is_some_and(|row| row.address() == *address);
        found.map(|&(_, id)| id).find(is)
    }

    /// The oldest source of `owner` that is shown as `url`.
    pub(super) fn shown(&self, owner: OwnerId, url: &str) -> Option<SourceId> {
        let from = (owner, Box::from(url), SourceId(0));
        let (whose, shown, source) = self.secret.range(from..).next()?;
        (*whose == owner && **shown == *url).then_some(*source)
    }
}
