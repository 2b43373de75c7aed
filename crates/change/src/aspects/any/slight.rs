//! Changes of a page that say nothing new: a text moved, came where it stands a second time, or
//! became part of another text.

use super::{passages, references, sections};
use crate::found::{Found, Pair, Side, Spot};
use crate::habits::{CELL, speaks_of_trade};
use crate::{ChangeKind, Thing, passing};
use page::{Block, Extract};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Shorter texts say the same of different things: "Yes", "Sold out".
const WORDS_MIN: usize = 3;
const BYTES_MIN: usize = 12;
/// Texts that come, go or change, each, of which it is looked at whether one became part of
/// another.
const TRIED_MAX: usize = 64;

/// Entries of a table of contents.
const CONTENTS_MIN: usize = 3;

/// Paragraphs that get numbers in order, or lose them; where they begin, and how far apart they
/// are, since some may be edited besides.
const NUMBERED_MIN: usize = 3;
const NUMBERED_FROM_MAX: u16 = 3;
const NUMBERED_STEP_MAX: u16 = 4;

/// Marks what says nothing new. O(n log n).
pub(super) fn mark(found: &mut [Found], pair: &Pair<'_>) {
    if found.is_empty() {
        return;
    }
    // "Updated 3 days ago" and "14 November 2022" may be one time in two ways of writing.
    let has_age = |kind| found.iter().any(|one| one.kind == kind && is_age(one));
    let (age_came, age_went) = (has_age(ChangeKind::Insert), has_age(ChangeKind::Delete));
    let texts = |side: &Extract| -> BTreeSet<String> {
        let texts = side.blocks.iter().map(|block| passing::without_number(&block.text).to_owned());
        texts.filter(|text| is_telling(text)).collect()
    };
    let has_both =
        found.iter().any(|one| one.kind == ChangeKind::Insert || one.kind == ChangeKind::Delete);
    let [old, new] = if has_both {
        [texts(pair.old.extract), texts(pair.new.extract)]
    } else {
        [BTreeSet::new(), BTreeSet::new()]
    };
    let contents = contents(found, pair);
    let of_things = of_things(found, pair);
    let merged = Merged::of(found);
    let numbered = numbered(found, pair);
    for (at, one) in found.iter_mut().enumerate() {
        let stands_in = |texts: &BTreeSet<String>| {
            one.text().is_some_and(|text| texts.contains(passing::without_number(text)))
        };
        let side = if one.kind == ChangeKind::Insert { &pair.new } else { &pair.old };
        let is_of_heading = || {
            let is_text = || one.block(side).is_some_and(|at| side.extract.blocks[at].level() == 0);
            one.text().is_some_and(|text| contents.contains(text))
                && is_text()
                && !says_own(one, side)
        };
        one.is_slight |= match one.kind {
            ChangeKind::Move => true,
            ChangeKind::Insert | ChangeKind::Delete if is_of_heading() => true,
            ChangeKind::Insert | ChangeKind::Delete if of_things.contains(&at) => false,
            ChangeKind::Insert => {
                stands_in(&old) && !says_own(one, &pair.new) || (age_went && is_date(one))
            }
            ChangeKind::Delete => {
                stands_in(&new) && !says_own(one, &pair.old) || (age_came && is_date(one))
            }
            ChangeKind::Update => numbered.contains(&at),
        } || merged.0.contains(&at);
    }
    let renumbered = sections::renumbered(found, pair);
    let numbers = renumbered.iter().filter_map(|&at| references::of_heading(&found[at]));
    let numbers: references::Renumbered = numbers.collect();
    for (at, one) in found.iter_mut().enumerate() {
        one.is_slight |= renumbered.contains(&at) || references::follow(one, &numbers);
    }
}

/// The headings that both versions have, where several texts come or go that say the same: a table
/// of contents. O(n log n).
fn contents<'p>(found: &[Found], pair: &Pair<'p>) -> BTreeSet<&'p str> {
    let headings = |extract: &'p Extract| -> BTreeSet<&'p str> {
        let headings =
            extract.blocks.iter().filter(|block| (1..Block::BOLD).contains(&block.level()));
        headings.map(|block| &*block.text).collect()
    };
    let stay = &headings(pair.old.extract) & &headings(pair.new.extract);
    let is_of_contents = |one: &&Found| {
        matches!(one.kind, ChangeKind::Insert | ChangeKind::Delete)
            && one.text().is_some_and(|text| stay.contains(text))
    };
    if found.iter().filter(is_of_contents).count() < CONTENTS_MIN {
        return BTreeSet::new();
    }
    stay
}

/// Texts that came under a heading of their own while all others that say the same stay: they are
/// said of one thing more. And those that went so, of one less. O(n).
fn of_things(found: &[Found], pair: &Pair<'_>) -> BTreeSet<usize> {
    let titles = passages::titles(pair);
    let came = of_one_more(found, ChangeKind::Insert, [&pair.old, &pair.new], &titles);
    let went = of_one_more(found, ChangeKind::Delete, [&pair.new, &pair.old], &titles);
    came.chain(went).collect()
}

/// The changes of a kind by which `more` says a text more often than `less`, and under a heading
/// that has none there. What came with its heading is no more said of a thing than that is.
fn of_one_more<'p>(
    found: &'p [Found],
    kind: ChangeKind,
    [less, more]: [&'p Side<'_>; 2],
    titles: &'p FxHashSet<&str>,
) -> impl Iterator<Item = usize> + use<'p> {
    let changed = found.iter().enumerate().filter_map(move |(at, one)| {
        let text = one.text().filter(|text| one.kind == kind && is_telling(text))?;
        let heading = passages::heading(one.block(more)?, more, titles)?;
        Some((at, passing::without_number(text), heading))
    });
    let changed: Vec<(usize, &str, &str)> = changed.collect();
    let mut spare: FxHashMap<&str, i64> = changed.iter().map(|(_, text, _)| (*text, 0)).collect();
    let mut taken: FxHashSet<(&str, Option<&str>)> = FxHashSet::default();
    let both = [less, more].into_iter().filter(|_| !changed.is_empty());
    for (side, sign) in both.zip([-1, 1]) {
        for (at, block) in side.extract.blocks.iter().enumerate() {
            let text = passing::without_number(&block.text);
            let Some(spare) = spare.get_mut(text) else { continue };
            *spare += sign;
            if sign < 0 {
                taken.insert((text, passages::heading(at, side, titles)));
            }
        }
    }
    let headings = less.extract.blocks.iter().filter(|block| block.level() > 0);
    let headings: FxHashSet<&str> = headings.map(|block| &*block.text).collect();
    let is_apart = move |(_, text, heading): &(usize, &'p str, &'p str)| {
        let is_taken = |heading| taken.contains(&(*text, heading));
        let stood = headings.contains(heading) && !is_taken(None) && !is_taken(Some(*heading));
        spare[text] > 0 && stood
    };
    changed.into_iter().filter(is_apart).map(|(at, ..)| at)
}

/// Whether a text says something wherever else it stands: two rows that say the same are two, and
/// so are two cards. What can be had is news of each thing.
pub(super) fn says_own(one: &Found, side: &Side<'_>) -> bool {
    is_row(one) || passages::is_of_card(one, side) || one.text().is_some_and(speaks_of_trade)
}

/// Paragraphs that were split or joined, and nothing else: the text that stays, and those that came
/// from it or went into it.
struct Merged(BTreeSet<usize>);

impl Merged {
    /// O(bytes of the texts that stay · texts that come or go), both bounded.
    fn of(found: &[Found]) -> Merged {
        let of_kind = |kind| (0..found.len()).filter(move |&at| found[at].kind == kind);
        let alone: Vec<(usize, bool, &str)> = of_kind(ChangeKind::Delete)
            .chain(of_kind(ChangeKind::Insert))
            .filter_map(|at| {
                let text = found[at].text().filter(|text| is_telling(text))?;
                Some((at, found[at].kind == ChangeKind::Delete, text))
            })
            .take(TRIED_MAX)
            .collect();
        let mut merged = BTreeSet::new();
        for at in of_kind(ChangeKind::Update).take(TRIED_MAX).filter(|_| !alone.is_empty()) {
            let Found {
                old: Some(Thing::Text { text: old }),
                new: Some(Thing::Text { text: new }),
                ..
            } = &found[at]
            else {
                continue;
            };
            for (has_gained, with, without) in [(true, new, old), (false, old, new)] {
                let (mut rest, mut parts) = (with.clone(), Vec::new());
                for &(one, is_gone, part) in &alone {
                    if is_gone == has_gained && rest.contains(part) {
                        rest = rest.replacen(part, " ", 1);
                        parts.push(one);
                    }
                }
                if !parts.is_empty() && rest.split_whitespace().eq(without.split_whitespace()) {
                    merged.extend(parts);
                    merged.insert(at);
                }
            }
        }
        Merged(merged)
    }
}

/// Paragraphs that got numbers in front, one after the other, or lost them: sections that are
/// counted now. In a list or a table a number may be a place, one alone is news, and so are numbers
/// far apart. O(n).
fn numbered(found: &[Found], pair: &Pair<'_>) -> BTreeSet<usize> {
    let is_paragraph = |one: &Found| {
        let Some(Spot::New(place)) = &one.place else { return false };
        let block = pair.new.reading().block(place).and_then(|at| pair.new.extract.blocks.get(at));
        block.is_some_and(|block| block.list == 0 && !block.text.contains(" | "))
    };
    // With a number, or without one now.
    let number = |one: &Found| match (&one.old, &one.new) {
        (Some(Thing::Text { text: old }), Some(Thing::Text { text: new }))
            if passing::are_numbered_or_not(old, new) =>
        {
            let front = |text: &str| text.split_once('.')?.0.parse::<u16>().ok();
            front(new).map(|number| (true, number)).or(front(old).map(|number| (false, number)))
        }
        _ => None,
    };
    let all = found.iter().enumerate().filter(|(_, one)| one.kind == ChangeKind::Update);
    let all: Vec<(usize, (bool, u16))> = all
        .filter(|(_, one)| is_paragraph(one))
        .filter_map(|(at, one)| Some((at, number(one)?)))
        .collect();
    let is_counted = all.len() >= NUMBERED_MIN
        && all[0].1.1 <= NUMBERED_FROM_MAX
        && all.windows(2).all(|two| {
            let ((_, (one_has, one)), (_, (other_has, other))) = (two[0], two[1]);
            one_has == other_has && (1..=NUMBERED_STEP_MAX).contains(&other.saturating_sub(one))
        });
    if is_counted { all.into_iter().map(|(at, _)| at).collect() } else { BTreeSet::new() }
}

fn is_row(found: &Found) -> bool {
    found.text().is_some_and(|text| text.contains(CELL))
}

fn is_date(found: &Found) -> bool {
    found.text().is_some_and(passing::is_date)
}

fn is_age(found: &Found) -> bool {
    found.text().is_some_and(passing::is_nothing_else)
}

fn is_telling(text: &str) -> bool {
    !is_brief(text) && !speaks_of_trade(text)
}

/// Whether a text is so short that it says the same of different things.
pub(crate) fn is_brief(text: &str) -> bool {
    text.len() < BYTES_MIN || text.split_whitespace().nth(WORDS_MIN - 1).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::told::{page_of, told as told_of};

    /// What is told of pages of such paragraphs.
    fn told(old: &[&str], new: &[&str]) -> Vec<String> {
        told_of(&page_of("p", old), &page_of("p", new))
    }

    const ONE: &str = "You may return the kettle within thirty days of the day it came.";
    const OTHER: &str = "We pay for the parcel if the kettle was broken.";

    #[test]
    fn a_paragraph_that_is_split_or_joined_says_nothing_new() {
        let both = format!("{ONE} {OTHER}");
        assert_eq!(told(&[&both, "End"], &[ONE, OTHER, "End"]), [""; 0]);
        assert_eq!(told(&[ONE, OTHER, "End"], &[&both, "End"]), [""; 0]);
        assert_eq!(told(&[&both, "A", "B"], &[ONE, "A", OTHER, "B"]), [""; 0]);
        let third = "Postage is never paid back by us.";
        assert_eq!(
            told(&[&format!("{both} {third}"), "End"], &[ONE, OTHER, third, "End"]),
            [""; 0]
        );
    }

    #[test]
    fn a_text_of_one_thing_more_is_told_and_of_one_less() {
        let closed = "No places are left for this course before the autumn.";
        let courses = |top: &str, others: [&str; 3]| {
            let of = |(name, text)| format!("<h2>{name}</h2><p>{name} is fun.</p><p>{text}</p>");
            let all = ["Pottery", "Weaving", "Dance"].into_iter().zip(others);
            format!("<h1>Courses</h1><p>{top}</p>{}", all.map(of).collect::<String>())
        };
        let one = courses("", [closed, "", ""]);
        let two = courses("", [closed, closed, ""]);
        assert_eq!(told_of(&one, &two), [format!("- -> {closed}")]);
        assert_eq!(told_of(&two, &one), [format!("{closed} -> -")]);
        let moved = courses("", ["", closed, ""]);
        assert_eq!(told_of(&one, &moved), [""; 0], "a copy went");
        assert_eq!(told_of(&one, &courses(closed, [closed, "", ""])), [""; 0], "a notice");
        assert_eq!(
            told_of(&courses(closed, ["", "", ""]), &courses(closed, [closed, "", ""])),
            [""; 0]
        );
        let more = one.replace("<h2>Dance", &format!("<h2>Chess</h2><p>{closed}</p><h2>Dance"));
        assert_eq!(told_of(&one, &more), ["- -> Chess"], "with a thing of its own");
    }

    #[test]
    fn paragraphs_that_are_counted_now_say_nothing_new() {
        let plain = ["FEES.", "PRIVACY", "TERM", "End"];
        assert_eq!(told(&plain, &["1. FEES.", "2. PRIVACY", "4. TERM", "End"]), [""; 0]);
        assert_eq!(told(&["1. FEES.", "2. PRIVACY", "3. TERM", "End"], &plain), [""; 0]);
        assert_eq!(told(&plain, &["2. FEES.", "1. PRIVACY", "3. TERM", "End"]).len(), 3, "places");
        assert_eq!(told(&plain, &["(2) FEES.", "(1) PRIVACY", "(3) TERM", "End"]).len(), 3);
        assert_eq!(told(&plain, &["7. FEES.", "25. PRIVACY", "90. TERM", "End"]).len(), 3);
        assert_eq!(told(&["Arsenal", "End"], &["2. Arsenal", "End"]), ["Arsenal -> 2. Arsenal"]);
        let list = |items: [&str; 3]| items.map(|item| format!("<ul><li>{item}</ul>"));
        let [was, is] =
            [["Arsenal", "Leeds", "Hull"], ["1. Arsenal", "2. Leeds", "3. Hull"]].map(list);
        let [was, is] = [&was, &is].map(|all| all.each_ref().map(String::as_str));
        assert_eq!(told(&was, &is).len(), 3, "a table");
    }

    #[test]
    fn where_more_happened_all_of_it_is_told() {
        let both = format!("{ONE} {OTHER}");
        let changed = ONE.replace("thirty", "fourteen");
        assert_eq!(
            told(&[&both, "End"], &[&changed, OTHER, "End"]),
            [format!("{ONE} -> {changed}")],
            "and not what became a paragraph of its own"
        );
        assert_eq!(told(&[OTHER, "End"], &["End"]), [format!("{OTHER} -> -")]);
    }
}
