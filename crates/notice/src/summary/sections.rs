//! The headings that changes stand under, in a few words.

use super::{
    LINE_CHARS_MAX, LISTED_MAX, TITLE_CHARS_MAX, Tally, and_more, elsewhere, in_words, quote,
};
use crate::CHANGES_IN_SIGHT;
use crate::above::Above;
use crate::order;
use change::{Change, ChangeKind, Thing, Weight};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of a heading.
const HEADING_CHARS_MAX: usize = 40;
/// The same of one alone, and letters of one that says little.
const ALONE_CHARS_MAX: usize = 90;
const NAME_LETTERS_MAX: usize = 10;
/// Words of a text that says something.
const TEXT_WORDS_MIN: usize = 3;
/// Headings under which most of many changes stand, and how many changes are many.
const UNDER_MAX: usize = 2;
const MANY_MIN: u64 = 2 * CHANGES_IN_SIGHT as u64;

/// What a title says of new headings.
pub(super) struct Named<'a> {
    /// These headings, and further ones that it only counts.
    pub(super) names: Vec<&'a str>,
    /// `new: “Fees”, “Refunds” and 2 more headings`.
    pub(super) said: String,
    /// Changes that are neither a new heading nor came under one.
    pub(super) more: u64,
    /// It names all of them.
    pub(super) is_all: bool,
}

fn text(thing: &Option<Thing>) -> Option<&str> {
    match thing {
        Some(Thing::Text { text }) => Some(text),
        _ => None,
    }
}

/// Whether a text is a heading, which may have been cut.
fn is_heading(text: &str, heading: &str) -> bool {
    text == heading || heading.strip_suffix('…').is_some_and(|start| text.starts_with(start))
}

/// The headings that came with what stands under them, in the order of the page, as many as there
/// is room for beside so many characters. Nothing if another change says more. `came_total`:
/// headings that came, with and without anything under them, where that is known.
pub(super) fn of_title<'a>(
    tally: &Tally<'a>,
    came_total: usize,
    taken: usize,
) -> Option<Named<'a>> {
    let came: Vec<&'a Change> =
        tally.changes.iter().copied().filter(|change| came(change)).collect();
    let own = came.iter().filter(|change| change.heads_anew);
    let new: BTreeSet<&'a str> = own.filter_map(|change| text(&change.new)).collect();
    let is_new = |heading: &str| new.iter().any(|text| is_heading(text, heading));
    let mut sections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let headings = Above::of(came.iter().map(|change| (0, *change)));
    let mut told = 0;
    for (at, change) in came.iter().enumerate() {
        let above = new_above(&headings, change.heading.as_deref(), is_new);
        told += u64::from(change.heads_anew || above.is_some());
        if let (Some(heading), Some(said)) = (above, text(&change.new)) {
            sections.entry(heading).or_insert((at, 0)).1 += order::letters(said.chars());
        }
    }
    let letters = sections.values().map(|(_, letters)| letters).sum();
    let (rank, first) = tally.first?;
    let is_part = rank.is_of_own_words() && is_of_new_section(tally, first);
    if sections.is_empty() || !(is_part || rank.says_at_most(letters)) {
        return None;
    }
    // Headings that no change at hand tells of are counted, too.
    let more = tally.total.saturating_sub(told + came_total.saturating_sub(new.len()) as u64);
    let mut sections: Vec<_> = sections.into_iter().map(|(name, (at, _))| (at, name)).collect();
    sections.sort_unstable();
    let mut names: Vec<&str> = sections.into_iter().map(|(_, name)| name).collect();
    if is_part {
        names.retain(|name| !order::heads_own_words(name));
    }
    let bare = came_total.max(new.len()).saturating_sub(names.len());
    let taken = taken + TITLE_CHARS_MAX + 2 + elsewhere(more).chars().count();
    let room = LINE_CHARS_MAX.saturating_sub(taken);
    let (said, is_all) = match names.as_slice() {
        [name] if bare == 0 => (alone(name, &came, &headings, room), true),
        names => said(names, bare, room),
    };
    Some(Named { names, said, more, is_all })
}

/// The new heading that a text stands under, or a heading below it that came, too, though another
/// says the same: "Fixed" of a new release.
fn new_above<'a>(
    headings: &Above<'a>,
    heading: Option<&'a str>,
    is_new: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let above = headings.upwards(0, ChangeKind::Insert, heading);
    let mut all = heading.into_iter().chain(above.filter_map(|one| one.heading.as_deref()));
    all.find(|heading| is_new(heading))
}

/// One new heading, in so many characters; with what comes first under it, where it says little:
/// a month, or the number of a release.
fn alone(name: &str, came: &[&Change], headings: &Above<'_>, room: usize) -> String {
    let is_it = |heading: &str| heading == name;
    // A day or a label says no more.
    let says_more = |change: &Change| {
        let text = text(&change.new).unwrap_or_default();
        text.split_whitespace().nth(TEXT_WORDS_MIN - 1).is_some() && !change::says_when(text)
    };
    let is_under = |change: &&&Change| {
        !change.heads
            && says_more(change)
            && new_above(headings, change.heading.as_deref(), is_it).is_some()
    };
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let first = Some(came).filter(|_| letters <= NAME_LETTERS_MAX);
    let first = first.and_then(|came| came.iter().find(is_under));
    let said = match first.and_then(|change| text(&change.new)) {
        Some(first) => format!("{name}: {first}"),
        None => name.to_owned(),
    };
    format!("new: {}", quote(&said, ALONE_CHARS_MAX.min(room.saturating_sub("new: “”".len()))))
}

/// Whether the heading that a change stands under came below another that came: what a new release
/// says of itself, and not what a page says of its own changes.
pub(super) fn is_of_new_section(tally: &Tally<'_>, change: &Change) -> bool {
    let above = |change: &Change| {
        let heading = change.heading.as_deref()?;
        let is_it = |one: &&&Change| text(&one.new).is_some_and(|text| is_heading(text, heading));
        tally.changes.iter().filter(|one| one.heads_anew && came(one)).find(is_it).copied()
    };
    above(change)
        .and_then(above)
        .is_some_and(|name| text(&name.new).is_some_and(|name| !order::heads_own_words(name)))
}

fn came(change: &Change) -> bool {
    change.kind == ChangeKind::Insert && change.weight >= Weight::ENOUGH && change.link.is_none()
}

/// As many of these names as there is room for, in characters, and whether they are all; so many
/// more headings came with nothing under them.
fn said(names: &[&str], bare: usize, room: usize) -> (String, bool) {
    let said = |listed: usize| {
        let quoted = names[..listed].iter();
        let mut parts: Vec<String> = quoted.map(|name| quote(name, HEADING_CHARS_MAX)).collect();
        match names.len() + bare - listed {
            0 => {}
            1 => parts.push("1 more heading".to_owned()),
            more => parts.push(format!("{more} more headings")),
        }
        (format!("new: {}", in_words(parts)), listed == names.len() + bare)
    };
    let listed = (1..=names.len().min(LISTED_MAX)).rev();
    let mut all = listed.map(said);
    all.find(|(said, _)| said.chars().count() <= room).unwrap_or_else(|| said(1))
}

/// How many further changes there are, and where most of them stand, in so many characters: `; and
/// 153 more, most under “Fees” and “Refunds”`. Nothing if there are not many changes, or the first
/// is an amount.
pub(super) fn most_under(tally: &Tally<'_>, page: &str, room: usize) -> Option<String> {
    let mut counts: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    let headings = tally.changes.iter().filter_map(|change| change.heading.as_deref());
    for (at, heading) in headings.enumerate() {
        counts.entry(heading).or_insert((0, at)).0 += 1;
    }
    let is_amount = tally.first.is_some_and(|(rank, _)| rank.is_amount());
    if tally.total <= MANY_MIN || counts.len() < UNDER_MAX || is_amount {
        return None;
    }
    let more = and_more(tally.total - 1);
    let total = counts.len();
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (count, at))| (Reverse(*count), *at));
    let most = |listed: usize| {
        let under: u64 = counts[..listed].iter().map(|(_, (count, _))| count).sum();
        let quoted = counts[..listed].iter().map(|(name, _)| quote(name, HEADING_CHARS_MAX));
        // The page's own name says nothing of where.
        let mut names = page.split([':', '|', '–', '—', '·']).flat_map(|one| one.split(" - "));
        let is_of_page =
            listed == 1 && (page == counts[0].0 || names.any(|name| name.trim() == counts[0].0));
        (2 * under > tally.total && !is_of_page)
            .then(|| format!("{more}, most under {}", in_words(quoted.collect())))
    };
    let said = [most(1), most(UNDER_MAX), Some(format!("{more}, under {total} headings"))];
    said.into_iter().flatten().find(|said| said.chars().count() <= room)
}
