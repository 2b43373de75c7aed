//! What is told together: under one heading, or with the section that came or went.

use super::{Entry, is_renamed};
use crate::above::Above;
use change::{Change, ChangeKind, Thing};
use std::collections::BTreeSet;

/// What a change is told under: a source, and a heading.
pub(super) type Group<'a> = (u32, Option<&'a str>);

/// The headings that changes stand under, and those of them that came or went themselves: these
/// are told with all that stands under them.
pub(super) struct Sections<'a> {
    under: BTreeSet<(u32, ChangeKind, &'a str)>,
    headings: Above<'a>,
}

impl<'a> Sections<'a> {
    /// O(n log n).
    pub(super) fn of(entries: &[Entry<'a>]) -> Sections<'a> {
        let under = entries.iter().filter_map(|entry| {
            let heading = entry.change.heading.as_deref()?;
            Some((entry.found.source, entry.change.kind, heading))
        });
        let changes = entries.iter().map(|entry| (entry.found.source, entry.change));
        Sections { under: under.collect(), headings: Above::of(changes) }
    }

    /// The headings that came or went as a change did, from this one upwards, as far as changes of
    /// its kind stand under them.
    fn whole(&self, entry: &Entry<'a>, heading: Option<&'a str>) -> impl Iterator<Item = &'a str> {
        let (source, kind) = (entry.found.source, entry.change.kind);
        let all = self.headings.upwards(source, kind, heading).filter_map(thing).map(Thing::text);
        all.take_while(move |heading| self.under.contains(&(source, kind, *heading)))
    }

    /// The heading that a change is told under. A new one, or one with other words, stands with
    /// what is told under it, and so does one that is gone.
    pub(super) fn group(&self, entry: &Entry<'a>) -> Group<'a> {
        let source = entry.found.source;
        let stands_above = |text: &'a str| {
            let kinds =
                [ChangeKind::Insert, ChangeKind::Update, ChangeKind::Delete, ChangeKind::Move];
            kinds.into_iter().any(|kind| self.under.contains(&(source, kind, text)))
        };
        let own = thing(entry.change).map(Thing::text).filter(|text| match entry.change.kind {
            ChangeKind::Insert => stands_above(text),
            ChangeKind::Update => is_renamed(entry.change) && stands_above(text),
            ChangeKind::Delete => self.whole(entry, Some(text)).next().is_some(),
            ChangeKind::Move => false,
        });
        let heading = own.or(entry.change.heading.as_deref());
        (source, self.whole(entry, heading).last().or(heading))
    }

    /// Where a change stands that came or went with all of its section: that is read in its order,
    /// the heading first.
    pub(super) fn place(&self, entry: &Entry<'a>, group: Group<'a>) -> Option<(bool, u32, u32)> {
        let (_, heading) = group;
        self.whole(entry, heading).next()?;
        let is_heading = entry.change.heads && thing(entry.change).map(Thing::text) == heading;
        Some((!is_heading, entry.leaf, entry.hit))
    }
}

fn thing(change: &Change) -> Option<&Thing> {
    change.new.as_ref().or(change.old.as_ref())
}
