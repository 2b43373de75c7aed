//! The names that owners gave.

use crate::packed::pack;
use chronon::{OwnerId, SentinelId};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Live sentinels by whose they are, and by name in any case.
#[derive(Default)]
pub(super) struct Names {
    of: BTreeMap<OwnerId, BTreeMap<Box<str>, SentinelId>>,
    total: usize,
}

impl Names {
    pub(super) fn get(&self, owner: OwnerId, name: &str) -> Option<SentinelId> {
        self.of.get(&owner)?.get(&*name.to_lowercase()).copied()
    }

    pub(super) fn insert(&mut self, name: &str, id: SentinelId) {
        let of = self.of.entry(id.owner()).or_default();
        self.total += usize::from(of.insert(name.to_lowercase().into(), id).is_none());
    }

    pub(super) fn remove(&mut self, owner: OwnerId, name: &str) {
        let Some(of) = self.of.get_mut(&owner) else { return };
        self.total -= usize::from(of.remove(&*name.to_lowercase()).is_some());
        if of.is_empty() {
            self.of.remove(&owner);
        }
    }

    /// The owner's names in small letters above `after`, in their order.
    pub(super) fn after<'n>(
        &'n self,
        owner: OwnerId,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&'n str, SentinelId)> + use<'n> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let own = self.of.get(&owner);
        let own = own.map(|own| own.range::<str, _>((from, Bound::Unbounded)));
        own.into_iter().flatten().map(|(name, &id)| (&**name, id))
    }

    /// After all were loaded.
    pub(super) fn pack(&mut self) {
        self.of.values_mut().for_each(pack);
    }

    /// How many there are of all owners.
    pub(super) fn len(&self) -> usize {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: OwnerId = OwnerId(2);

    #[test]
    fn two_owners_may_give_the_same_name() {
        let (mut names, theirs) = (Names::default(), SentinelId::of(SECOND, 1));
        names.insert("News", SentinelId(1));
        names.insert("news", theirs);
        assert_eq!(names.get(OwnerId::FIRST, "NEWS"), Some(SentinelId(1)));
        assert_eq!((names.get(SECOND, "News"), names.len()), (Some(theirs), 2));
        names.remove(SECOND, "NEWS");
        names.remove(SECOND, "news");
        assert_eq!((names.get(SECOND, "news"), names.len()), (None, 1));
    }
}
