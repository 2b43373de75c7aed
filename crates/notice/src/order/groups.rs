//! What is told together: under one heading, or with the section that came or went.

use super::{Entry, is_renamed};
use change::{ChangeKind, Thing};
use std::collections::{BTreeMap, BTreeSet};

/// Sections within others that came or went with them.
const SECTIONS_DEEP_MAX: usize = 8;

/// What a change is told under: a source, and a heading.
pub(super) type Group<'a> = (u32, Option<&'a str>);

/// The headings that changes stand under, and those of them that came or went themselves: these
/// are told with all that stands under them.
pub(super) struct Sections<'a> {
    headings: BTreeSet<(u32, &'a str)>,
    /// By source, kind and heading: what that stands under.
    whole: BTreeMap<(u32, ChangeKind, &'a str), Option<&'a str>>,
}

impl<'a> Sections<'a> {
    /// O(n log n).
    pub(super) fn of(entries: &[Entry<'a>]) -> Sections<'a> {
        let heading = |entry: &Entry<'a>| entry.change.heading.as_deref();
        let headings: BTreeSet<(u32, &str)> = entries
            .iter()
            .filter_map(|entry| Some((entry.found.source, heading(entry)?)))
            .collect();
        let under: BTreeSet<(u32, ChangeKind, &str)> = entries
            .iter()
            .filter_map(|entry| Some((entry.found.source, entry.change.kind, heading(entry)?)))
            .collect();
        let mut twice = BTreeSet::new();
        let mut whole = BTreeMap::new();
        let named = entries.iter().filter_map(|entry| {
            let (kind, change) = (entry.change.kind, entry.change);
            let thing = match kind {
                ChangeKind::Insert => change.new.as_ref()?,
                ChangeKind::Delete => change.old.as_ref()?,
                ChangeKind::Update | ChangeKind::Move => return None,
            };
            let key = (entry.found.source, kind, thing.text());
            (change.heads && under.contains(&key)).then_some((key, heading(entry)))
        });
        for (key, above) in named {
            if whole.insert(key, above).is_some() {
                twice.insert(key);
            }
        }
        // "Fixed" of which of two releases, nobody knows.
        whole.retain(|key, _| !twice.contains(key));
        Sections { headings, whole }
    }

    /// The heading that a change is told under. A new one, or one with other words, stands with
    /// what is told under it, and so does one that is gone.
    pub(super) fn group(&self, entry: &Entry<'a>) -> Group<'a> {
        let (source, kind) = (entry.found.source, entry.change.kind);
        let is_own = |text: &&str| match kind {
            ChangeKind::Delete => self.whole.contains_key(&(source, kind, *text)),
            ChangeKind::Insert => self.headings.contains(&(source, *text)),
            ChangeKind::Update => {
                is_renamed(entry.change) && self.headings.contains(&(source, *text))
            }
            ChangeKind::Move => false,
        };
        let own = entry.change.new.as_ref().or(entry.change.old.as_ref());
        let own = own.map(Thing::text).filter(is_own);
        let mut heading = own.or(entry.change.heading.as_deref());
        for _ in 0..SECTIONS_DEEP_MAX {
            let above = heading.and_then(|own| *self.whole.get(&(source, kind, own))?);
            match above.filter(|above| self.whole.contains_key(&(source, kind, *above))) {
                Some(above) => heading = Some(above),
                None => break,
            }
        }
        (source, heading)
    }

    /// Where a change stands that came or went with all of its section: that is read in its order,
    /// the heading first.
    pub(super) fn place(&self, entry: &Entry<'a>, group: Group<'a>) -> Option<(bool, u32, u32)> {
        let (source, heading) = group;
        self.whole.get(&(source, entry.change.kind, heading?))?;
        let thing = entry.change.new.as_ref().or(entry.change.old.as_ref());
        let is_heading = entry.change.heads && thing.map(Thing::text) == heading;
        Some((!is_heading, entry.leaf, entry.hit))
    }
}
