//! The headings that changes stand under, in a few words.

use super::{LISTED_MAX, Tally, in_words};
use crate::CHANGES_IN_SIGHT;
use crate::cut::clean;
use crate::order;
use change::{Change, ChangeKind, Thing, Weight};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of a heading.
const HEADING_CHARS_MAX: usize = 48;
/// Headings under which most of many changes stand, and more changes than what any one of them says
/// stands for.
const UNDER_MAX: usize = 2;
const MANY_MIN: u64 = 2 * CHANGES_IN_SIGHT as u64;

fn text(thing: &Option<Thing>) -> Option<&str> {
    match thing {
        Some(Thing::Text { text }) => Some(text),
        _ => None,
    }
}

/// The headings that came with what stands under them, in the order of the page, if that says as
/// much as the change that would be named.
pub(super) fn named<'a>(tally: &Tally<'a>) -> Vec<&'a str> {
    let came = |change: &&&Change| {
        change.kind == ChangeKind::Insert
            && change.weight >= Weight::ENOUGH
            && change.link.is_none()
    };
    let texts: BTreeSet<&str> =
        tally.changes.iter().filter(came).filter_map(|change| text(&change.new)).collect();
    let mut sections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (at, change) in tally.changes.iter().enumerate().filter(|(_, change)| came(change)) {
        if let (Some(heading), Some(said)) = (change.heading.as_deref(), text(&change.new))
            && texts.contains(heading)
        {
            sections.entry(heading).or_insert((at, 0)).1 += order::letters(said.chars());
        }
    }
    let letters = sections.values().map(|(_, letters)| letters).sum();
    if !tally.first.is_some_and(|(first, _)| first.says_at_most(letters)) {
        return Vec::new();
    }
    let mut sections: Vec<_> = sections.into_iter().map(|(name, (at, _))| (at, name)).collect();
    sections.sort_unstable();
    sections.into_iter().map(|(_, name)| name).collect()
}

/// `new: “Fees”, “Refunds” and 2 more headings`, as many as there is room for, in characters.
pub(super) fn said(names: &[&str], room: usize) -> String {
    let said = |listed: usize| {
        let quoted = names[..listed].iter();
        let mut parts: Vec<String> =
            quoted.map(|name| format!("“{}”", clean(name, HEADING_CHARS_MAX))).collect();
        match names.len() - listed {
            0 => {}
            1 => parts.push("1 more heading".to_owned()),
            more => parts.push(format!("{more} more headings")),
        }
        format!("new: {}", in_words(parts))
    };
    let listed = (1..=names.len().min(LISTED_MAX)).rev();
    let mut all = listed.map(said);
    all.find(|said| said.chars().count() <= room).unwrap_or_else(|| said(1))
}

/// Where many changes stand: `154 changes, most under “Fees” and “Refunds”`.
pub(super) fn most_under(tally: &Tally<'_>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for heading in tally.changes.iter().filter_map(|change| change.heading.as_deref()) {
        *counts.entry(heading).or_default() += 1;
    }
    if tally.total <= MANY_MIN || counts.len() < UNDER_MAX {
        return None;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let most = &counts[..UNDER_MAX];
    let under: usize = most.iter().map(|(_, count)| count).sum();
    let quoted = most.iter().map(|(name, _)| format!("“{}”", clean(name, HEADING_CHARS_MAX)));
    let quoted = in_words(quoted.collect());
    Some(if 2 * under > tally.changes.len() {
        format!("{} changes, most under {quoted}", tally.total)
    } else {
        format!("{} changes under {} headings, such as {quoted}", tally.total, counts.len())
    })
}
