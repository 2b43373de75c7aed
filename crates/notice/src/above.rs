//! Headings that came or went, and those above them.

use change::{Change, ChangeKind, Thing};
use std::collections::BTreeMap;

/// Headings below each other.
const DEEP_MAX: usize = 8;

/// The headings among some changes, by their source, what became of them, and what they say.
/// Nothing for several that say the same: "Fixed" of which of two releases, nobody knows.
pub(crate) struct Above<'a>(BTreeMap<(u32, ChangeKind, &'a str), Option<&'a Change>>);

impl<'a> Above<'a> {
    /// Of changes with their sources. O(n log n).
    pub(crate) fn of(changes: impl Iterator<Item = (u32, &'a Change)>) -> Above<'a> {
        let mut all = BTreeMap::new();
        for (source, change) in changes.filter(|(_, change)| change.heads) {
            let thing = match change.kind {
                ChangeKind::Insert => &change.new,
                ChangeKind::Delete => &change.old,
                ChangeKind::Update | ChangeKind::Move => continue,
            };
            let Some(text) = thing.as_ref().map(Thing::text) else { continue };
            let one = all.entry((source, change.kind, text));
            one.and_modify(|one| *one = None).or_insert(Some(change));
        }
        Above(all)
    }

    /// A heading that came or went so, then the one above it that did, and so on, at most 8.
    pub(crate) fn upwards(
        &self,
        source: u32,
        kind: ChangeKind,
        heading: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Change> {
        let one = move |heading: Option<&'a str>| *self.0.get(&(source, kind, heading?))?;
        let above = move |change: &&'a Change| one(change.heading.as_deref());
        std::iter::successors(one(heading), above).take(DEEP_MAX)
    }
}
