//! Aspect `words`: the multiset of Unicode words without case, minus exceptions.

use super::Comparer;
use super::phrases::came_or_went;
use crate::fold::fold;
use crate::found::{Found, Pair, Spot};
use crate::pattern::Patterns;
use crate::reading::Reading;
use crate::{Limits, Thing};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) struct Words;

impl Comparer for Words {
    fn compare(
        &self,
        pair: &Pair<'_>,
        except: &BTreeSet<String>,
        _: &Limits,
    ) -> Result<Vec<Found>, String> {
        let except = Patterns::new(except);
        Ok(compare_counts(pair, |word| (!except.matches(word)).then(Vec::new)))
    }

    fn is_read_in_context(&self) -> bool {
        true
    }
}

/// Occurrences of words that are looked at to find those that came or went, at most.
const PLACES_MAX: usize = 20_000;

/// One change per distinct word whose count differs: insert from 0, delete to 0, else update. It
/// is shown as it stands first in its version, capitals and all, and told where it came or went.
/// `keep` gives the patterns a word is about, or `None` if nobody wants it. Words of the new
/// version come first, in its order. O(length of both texts).
pub(crate) fn compare_counts(
    pair: &Pair<'_>,
    keep: impl Fn(&str) -> Option<Vec<String>>,
) -> Vec<Found> {
    let old = Counts::of(pair.old.reading());
    let new = Counts::of(pair.new.reading());
    let mut found = Vec::new();
    // Words of several places, and which change is of each.
    let mut several: FxHashMap<&str, usize> = FxHashMap::default();
    let mut left = PLACES_MAX;
    let mut is_sought = |places: u32| {
        let is_in = places > 1 && places as usize <= left;
        left -= if is_in { places as usize } else { 0 };
        is_in
    };
    for counted in &new.words {
        let before = old.get(&counted.word);
        if before.is_some_and(|before| before.count == counted.count) {
            continue;
        }
        if let Some(patterns) = keep(&counted.word) {
            let now = new.thing(counted);
            let change = match before {
                None => Found::insert(now),
                Some(before) => Found::update(old.thing(before), now),
            };
            if is_sought(before.map_or(0, |before| before.count).saturating_add(counted.count)) {
                several.insert(&counted.word, found.len());
            }
            found.push(change.about(patterns).at(Spot::New(counted.first.clone())));
        }
    }
    for counted in old.words.iter().filter(|counted| new.get(&counted.word).is_none()) {
        if let Some(patterns) = keep(&counted.word) {
            let change = Found::delete(old.thing(counted));
            if is_sought(counted.count) {
                several.insert(&counted.word, found.len());
            }
            found.push(change.about(patterns).at(Spot::Old(counted.first.clone())));
        }
    }
    if !several.is_empty() {
        let [mut before, mut after] =
            [&pair.old, &pair.new].map(|side| places(side.reading(), &several));
        for (word, at) in several {
            let [old, new] = [&mut before, &mut after].map(|all| all.remove(word));
            let places = came_or_went(pair, &old.unwrap_or_default(), &new.unwrap_or_default());
            found[at].at_each(places);
        }
    }
    found
}

/// Where some folded words stand in a version.
fn places<'w>(
    reading: &Reading,
    words: &FxHashMap<&'w str, usize>,
) -> FxHashMap<&'w str, Vec<Range<usize>>> {
    let mut places: FxHashMap<&str, Vec<Range<usize>>> = FxHashMap::default();
    for (at, word) in reading.text.unicode_word_indices() {
        if let Some((known, _)) = words.get_key_value(&*fold(word)) {
            places.entry(known).or_default().push(at..at + word.len());
        }
    }
    places
}

struct Counted<'t> {
    /// Folded.
    word: Cow<'t, str>,
    count: u32,
    /// Where the word stands first.
    first: Range<usize>,
}

/// The words of a text with their counts, in the order of their first occurrence.
struct Counts<'t> {
    text: &'t str,
    words: Vec<Counted<'t>>,
    index: FxHashMap<Cow<'t, str>, usize>,
}

impl<'t> Counts<'t> {
    fn of(reading: &'t Reading) -> Counts<'t> {
        let mut counts =
            Counts { text: &reading.text, words: Vec::new(), index: FxHashMap::default() };
        for (at, word) in reading.text.unicode_word_indices() {
            let folded = fold(word);
            if let Some(&index) = counts.index.get(&folded) {
                counts.words[index].count += 1;
                continue;
            }
            counts.index.insert(folded.clone(), counts.words.len());
            counts.words.push(Counted { word: folded, count: 1, first: at..at + word.len() });
        }
        counts
    }

    fn thing(&self, counted: &Counted<'t>) -> Thing {
        Thing::Word { word: self.text[counted.first.clone()].to_owned(), count: counted.count }
    }

    fn get(&self, word: &str) -> Option<&Counted<'t>> {
        self.index.get(word).map(|&index| &self.words[index])
    }
}
