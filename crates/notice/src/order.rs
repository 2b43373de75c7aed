//! The order in which changes are told: what counts most first, what belongs together together.

use crate::compose::Found;
use change::{Change, ChangeKind, Weight};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A change that a leaf keeps.
pub(crate) struct Entry<'a> {
    pub(crate) leaf: u32,
    pub(crate) hit: u32,
    pub(crate) found: &'a Found<'a>,
    pub(crate) change: &'a Change,
}

impl Entry<'_> {
    fn rank(&self) -> Rank {
        rank(self.change)
    }
}

/// Smaller is told first: the heavier, then what is there now, then what is gone.
pub(crate) type Rank = (Reverse<Weight>, u8);

pub(crate) fn rank(change: &Change) -> Rank {
    let kind = match change.kind {
        ChangeKind::Insert | ChangeKind::Update => 0,
        ChangeKind::Delete => 1,
        ChangeKind::Move => 2,
    };
    (Reverse(change.weight), kind)
}

/// Puts changes under the same heading of a source together, and those first that matter most to a
/// reader; otherwise they stay in the order of the page. What is said a second time comes last.
/// O(n log n).
pub(crate) fn for_readers(entries: &mut [Entry<'_>]) {
    let mut groups: BTreeMap<(u32, Option<&str>), (Rank, usize)> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        let group = (entry.found.source, entry.change.heading.as_deref());
        let first = groups.entry(group).or_insert((entry.rank(), at));
        first.0 = first.0.min(entry.rank());
    }
    let mut said = BTreeSet::new();
    let is_again: BTreeSet<(u32, u32, u32)> = entries
        .iter()
        .filter(|entry| {
            let Change { kind, old, new, .. } = entry.change;
            !said.insert((entry.leaf, entry.found.source, *kind, old, new))
        })
        .map(|entry| (entry.leaf, entry.found.source, entry.hit))
        .collect();
    entries.sort_by_cached_key(|entry| {
        let group = (entry.found.source, entry.change.heading.as_deref());
        let is_again = is_again.contains(&(entry.leaf, entry.found.source, entry.hit));
        (is_again, groups[&group], entry.rank(), entry.leaf, entry.hit)
    });
}
