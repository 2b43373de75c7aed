//! The tags that owners gave.

use chronon::{OwnerId, SentinelId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Sentinels by whose they are, and by tag in any case.
#[derive(Default)]
pub(super) struct Tags {
    of: BTreeMap<(OwnerId, Box<str>), BTreeSet<SentinelId>>,
}

impl Tags {
    pub(super) fn insert(&mut self, id: SentinelId, tags: &[Box<str>]) {
        for tag in tags {
            self.of.entry(key(id.owner(), tag)).or_default().insert(id);
        }
    }

    pub(super) fn remove(&mut self, id: SentinelId, tags: &[Box<str>]) {
        for tag in tags {
            let key = key(id.owner(), tag);
            let Some(tagged) = self.of.get_mut(&key) else { continue };
            tagged.remove(&id);
            if tagged.is_empty() {
                self.of.remove(&key);
            }
        }
    }

    /// Sentinels with this tag above `after`, in order of id.
    pub(super) fn after(
        &self,
        owner: OwnerId,
        tag: &str,
        after: Option<SentinelId>,
    ) -> impl Iterator<Item = SentinelId> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let tagged = self.of.get(&key(owner, tag)).into_iter();
        tagged.flat_map(move |ids| ids.range((from, Bound::Unbounded)).copied())
    }

    /// The owner's tags in small letters, and how many sentinels have each.
    pub(super) fn of_owner(&self, owner: OwnerId) -> impl Iterator<Item = (&str, usize)> {
        let own = self.of.range((owner, Box::default())..);
        let own = own.take_while(move |((of, _), _)| *of == owner);
        own.map(|((_, tag), ids)| (&**tag, ids.len()))
    }
}

fn key(owner: OwnerId, tag: &str) -> (OwnerId, Box<str>) {
    (owner, tag.to_lowercase().into())
}
