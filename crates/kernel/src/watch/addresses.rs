//! Sources by what makes them: a URL, a way of looking at it, and whose secrets it needs.

use crate::record::SourceRow;
use address::{SourceUrl, Way};
use chronon::{OwnerId, SourceId};
use hashbrown::HashTable;
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
/// Addresses stay in the rows: here are their places in a table of hashes, which is looked up and
/// never iterated. What is asked about the rows is handed in.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    all: HashTable<SourceId>,
    secret: BTreeSet<(OwnerId, Box<str>, SourceId)>,
}

impl Addresses {
    /// A source that is not among the rows yet.
    pub(super) fn insert<'r>(
        &mut self,
        row: &SourceRow,
        rows: impl Fn(SourceId) -> Option<&'r SourceRow>,
    ) {
        if let Some(owner) = row.owner.filter(|_| row.url.credentials().is_some()) {
            self.secret.insert((owner, row.url.shown().into(), row.id));
        }
        let hash = |id: &SourceId| rows(*id).map_or(0, |row| row.address().hash());
        self.all.insert_unique(row.address().hash(), row.id, hash);
    }

    pub(super) fn remove(&mut self, row: &SourceRow) {
        if let Ok(found) = self.all.find_entry(row.address().hash(), |id| *id == row.id) {
            found.remove();
        }
        if let Some(owner) = row.owner {
            self.secret.remove(&(owner, row.url.shown().into(), row.id));
        }
    }

    /// The source with exactly this address; the oldest, should there be two.
    pub(super) fn exact<'r>(
        &self,
        address: &Address<'_>,
        rows: impl Fn(SourceId) -> Option<&'r SourceRow>,
    ) -> Option<SourceId> {
        let is = |id: &SourceId| rows(*id).is_some_and(|row| row.address() == *address);
        self.all.iter_hash(address.hash()).copied().filter(is).min()
    }

    /// The oldest source of `owner` that is shown as `url`.
    pub(super) fn shown(&self, owner: OwnerId, url: &str) -> Option<SourceId> {
        let from = (owner, Box::from(url), SourceId(0));
        let (whose, shown, source) = self.secret.range(from..).next()?;
        (*whose == owner && **shown == *url).then_some(*source)
    }
}
