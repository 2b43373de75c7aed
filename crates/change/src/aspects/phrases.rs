//! Aspect `phrases`: occurrences of texts without case, white space collapsed.
//!
//! An occurrence is whole: no letter or digit of the same word touches it, so `Porto 3` is not in
//! `Porto 30`. It may run over the border of two blocks. Each phrase's occurrences in both
//! versions are paired, first those with the same surroundings; what is left over was inserted or
//! deleted. A deleted one whose surroundings are still there, with something similar between them,
//! was updated (`docs/theory.md`, Differences).

use super::Comparer;
use crate::fold::{Folded, fold};
use crate::found::{Found, Pair, Spot};
use crate::reading::Reading;
use crate::{Limits, Thing};
use aho_corasick::AhoCorasick;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use unicode_segmentation::GraphemeCursor;
use unicode_segmentation::UnicodeSegmentation;

mod replaced;

/// Words on each side that make the surroundings of an occurrence.
const SURROUNDING_WORDS: usize = 3;
/// Bytes on each side that are looked at for surroundings, so that a text without spaces costs no
/// more than another.
const SURROUNDING_BYTES: usize = 256;
/// Deleted occurrences per phrase that are looked up among the surroundings.
const LOOKUPS_MAX: usize = 50;

pub(crate) struct Phrases;

impl Comparer for Phrases {
    fn compare(
        &self,
        pair: &Pair<'_>,
        phrases: &BTreeSet<String>,
        limits: &Limits,
    ) -> Result<Vec<Found>, String> {
        let mut written: BTreeMap<Needle, Vec<String>> = BTreeMap::new();
        for phrase in phrases {
            written.entry(Needle::phrase(phrase)).or_default().push(phrase.clone());
        }
        let needles: Vec<&Needle> = written.keys().collect();
        let old = find_all(pair.old.reading(), &needles, limits)?;
        let new = find_all(pair.new.reading(), &needles, limits)?;
        let words = OnceCell::new();
        let mut found = Vec::new();
        for (patterns, (old, new)) in written.values().zip(old.iter().zip(&new)) {
            let changes = if old.are_placed() && new.are_placed() {
                compare_phrase(pair, &old.places, &new.places, &words)
            } else {
                compare_counts(pair, old, new).into_iter().collect()
            };
            found.extend(changes.into_iter().map(|change| change.about(patterns.clone())));
        }
        Ok(found)
    }

    fn is_read_in_context(&self) -> bool {
        true
    }
}

/// A phrase that occurs too often to tell its occurrences apart.
fn compare_counts(pair: &Pair<'_>, old: &Occurrences, new: &Occurrences) -> Option<Found> {
    let of = |reading: &Reading, occurrences: &Occurrences| {
        let place = occurrences.places.first()?.clone();
        Some((Thing::Text { text: reading.text[place.clone()].to_owned() }, place))
    };
    match old.count.cmp(&new.count) {
        Ordering::Equal => None,
        Ordering::Less => {
            let (thing, place) = of(pair.new.reading(), new)?;
            Some(Found::insert(thing).at(Spot::New(place)))
        }
        Ordering::Greater => {
            let (thing, place) = of(pair.old.reading(), old)?;
            Some(Found::delete(thing).at(Spot::Old(place)))
        }
    }
}

/// `new_words` is filled when it is first needed, once for all phrases.
fn compare_phrase<'p>(
    pair: &'p Pair<'_>,
    old: &[Range<usize>],
    new: &[Range<usize>],
    new_words: &OnceCell<replaced::Words<'p>>,
) -> Vec<Found> {
    let (before, after) = (pair.old.reading(), pair.new.reading());
    let thing = |reading: &Reading, place: &Range<usize>| Thing::Text {
        text: reading.text[place.clone()].to_owned(),
    };
    if new.len() >= old.len() {
        let inserted = left_over((after, new), (before, old));
        return inserted
            .map(|place| Found::insert(thing(after, &place)).at(Spot::New(place)))
            .collect();
    }
    let deleted = left_over((before, old), (after, new));
    let mut lookups = 0;
    deleted
        .map(|place| {
            lookups += 1;
            let words = new_words.get_or_init(|| replaced::Words::of(after));
            let replaced =
                (lookups <= LOOKUPS_MAX).then(|| words.replaced(before, &place)).flatten();
            match replaced {
                Some((from, to)) => {
                    Found::update(thing(before, &from), thing(after, &to)).at(Spot::New(to))
                }
                None => Found::delete(thing(before, &place)).at(Spot::Old(place)),
            }
        })
        .collect()
}

/// Places of one word that are told.
const PLACES_TOLD_MAX: usize = 16;

/// The first places where a text came that is there more often now, or whence it went.
pub(crate) fn came_or_went(
    pair: &Pair<'_>,
    old: &[Range<usize>],
    new: &[Range<usize>],
) -> Vec<Spot> {
    let (before, after) = (pair.old.reading(), pair.new.reading());
    if new.len() >= old.len() {
        left_over((after, new), (before, old)).take(PLACES_TOLD_MAX).map(Spot::New).collect()
    } else {
        left_over((before, old), (after, new)).take(PLACES_TOLD_MAX).map(Spot::Old).collect()
    }
}

/// The occurrences in `more` that have no partner in `fewer`, in order.
fn left_over<'p>(
    more: (&Reading, &'p [Range<usize>]),
    fewer: (&Reading, &[Range<usize>]),
) -> impl Iterator<Item = Range<usize>> + use<'p> {
    let mut open: Vec<usize> = (0..more.1.len()).collect();
    let mut partners: Vec<usize> = (0..fewer.1.len()).collect();
    for (with_before, with_after) in [(true, true), (true, false), (false, true)] {
        let key = |(reading, places): (&Reading, &[Range<usize>]), at: usize| {
            let (before, after) = surroundings(reading, &places[at]);
            (with_before.then(|| before.to_owned()), with_after.then(|| after.to_owned()))
        };
        let mut waiting: FxHashMap<_, VecDeque<usize>> = FxHashMap::default();
        for &at in &open {
            waiting.entry(key(more, at)).or_default().push_back(at);
        }
        let mut used = BTreeSet::new();
        partners.retain(|&partner| {
            let at = waiting.get_mut(&key(fewer, partner)).and_then(VecDeque::pop_front);
            used.extend(at);
            at.is_none()
        });
        open.retain(|at| !used.contains(at));
    }
    // The rest of the fewer are partners of whatever comes first.
    let places = more.1;
    open.into_iter().skip(partners.len()).map(|at| places[at].clone())
}

/// The words before and after a place.
fn surroundings<'t>(reading: &'t Reading, place: &Range<usize>) -> (&'t str, &'t str) {
    let (before, after) = reading.near(place, SURROUNDING_BYTES);
    let (before, after) = (before.trim_end_matches(' '), after.trim_start_matches(' '));
    let from = before.rmatch_indices(' ').nth(SURROUNDING_WORDS - 1).map_or(0, |(at, _)| at + 1);
    let upto = after.match_indices(' ').nth(SURROUNDING_WORDS - 1);
    (&before[from..], &after[..upto.map_or(after.len(), |(at, _)| at)])
}

/// What to look for; `text` is folded, its white space collapsed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needle {
    pub(crate) text: String,
    /// Need not start at the border of a word.
    pub(crate) free_start: bool,
    /// Need not end at the border of a word.
    pub(crate) free_end: bool,
}

impl Needle {
    fn phrase(phrase: &str) -> Needle {
        let words: Vec<&str> = phrase.split_whitespace().collect();
        let text = fold(&words.join(" ")).into_owned();
        Needle { text, free_start: false, free_end: false }
    }
}

/// Where a needle occurs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Occurrences {
    /// The first ones, in order; all of them, if that are not too many.
    pub(crate) places: Vec<Range<usize>>,
    pub(crate) count: usize,
    /// Where the last one ends.
    end: usize,
}

impl Occurrences {
    pub(crate) fn are_placed(&self) -> bool {
        self.count == self.places.len()
    }
}

/// Places that each needle may have, however many needles there are.
const PLACES_MIN: usize = 100;

/// The occurrences of each needle that do not overlap, from the left, by one automaton over all of
/// them. O(text + occurrences). Each needle has its share of `occurrences_max`: a broad one costs
/// the others nothing.
pub(crate) fn find_all(
    reading: &Reading,
    needles: &[&Needle],
    limits: &Limits,
) -> Result<Vec<Occurrences>, String> {
    let mut found = vec![Occurrences::default(); needles.len()];
    let share = (limits.occurrences_max / needles.len().max(1)).max(PLACES_MIN);
    let searched: Vec<usize> =
        (0..needles.len()).filter(|&n| !needles[n].text.is_empty()).collect();
    let automaton = AhoCorasick::new(searched.iter().map(|&n| &needles[n].text))
        .map_err(|error| format!("the phrases cannot be searched together: {error}"))?;
    let folded = Folded::new(&reading.text);
    for hit in automaton.find_overlapping_iter(&folded.text) {
        let index = searched[hit.pattern().as_usize()];
        let needle = needles[index];
        let (Some(start), Some(end)) = (folded.original(hit.start()), folded.original(hit.end()))
        else {
            continue;
        };
        let occurrences: &mut Occurrences = &mut found[index];
        if (occurrences.count == 0 || occurrences.end <= start)
            && (needle.free_start || is_border(&reading.text, start))
            && (needle.free_end || is_border(&reading.text, end))
        {
            (occurrences.count, occurrences.end) = (occurrences.count + 1, end);
            if occurrences.places.len() < share {
                occurrences.places.push(start..end);
            }
        }
    }
    Ok(found)
}

/// Whether no word runs over `at`: one side is no letter or digit, or Unicode sees a border there
/// (as between two Chinese characters).
fn is_border(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    let (Some(before), Some(after)) = (before, after) else { return true };
    if !is_grapheme_border(text, at) {
        return false;
    }
    if !before.is_alphanumeric() || !after.is_alphanumeric() {
        return true;
    }
    let both: String = [before, after].iter().collect();
    both.split_word_bounds().count() > 1
}

/// Not between a letter and an accent that follows it. Looks at a few characters only: runs of
/// flags would have to be counted from their start.
fn is_grapheme_border(text: &str, at: usize) -> bool {
    const NEAR_BYTES: usize = 64;
    let from = text.ceil_char_boundary(at.saturating_sub(NEAR_BYTES));
    let near = &text[from..text.floor_char_boundary(at + NEAR_BYTES)];
    GraphemeCursor::new(at - from, near.len(), true).is_boundary(near, 0).unwrap_or(true)
}
