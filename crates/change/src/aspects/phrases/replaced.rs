//! Whether a phrase that is gone was replaced by something similar in the same surroundings.

use super::SURROUNDING_WORDS;
use crate::fold::fold;
use crate::reading::Reading;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// Longer phrases are not looked up; the comparison of words is quadratic.
const PHRASE_WORDS_MAX: usize = 100;
/// Places with the right words before them that are tried.
const TRIES_MAX: usize = 100;
/// Places with the right word before them that are looked at.
const STARTS_MAX: usize = 10_000;
/// Bytes on each side of a place that are looked at. Where a word is longer, the surroundings are
/// not found again, and the phrase was deleted.
const NEAR_BYTES: usize = 1_024;

/// The space-separated words of a text, without case, with their places.
pub(super) struct Words<'t> {
    words: Vec<(Cow<'t, str>, Range<usize>)>,
    /// Where each word stands, for the start of a search.
    index: FxHashMap<Cow<'t, str>, Vec<usize>>,
}

fn split(text: &str) -> impl Iterator<Item = (Cow<'_, str>, Range<usize>)> {
    let base = text.as_ptr() as usize;
    text.split(' ').filter(|word| !word.is_empty()).map(move |word| {
        let start = word.as_ptr() as usize - base;
        (fold(word), start..start + word.len())
    })
}

impl<'t> Words<'t> {
    pub(super) fn of(reading: &'t Reading) -> Words<'t> {
        let words: Vec<(Cow<'t, str>, Range<usize>)> = split(&reading.text).collect();
        let mut index: FxHashMap<Cow<'t, str>, Vec<usize>> = FxHashMap::default();
        for (at, (word, _)) in words.iter().enumerate() {
            index.entry(word.clone()).or_default().push(at);
        }
        Words { words, index }
    }

    /// The place of the old occurrence, widened to whole words, and the place in this text of what
    /// stands between the same surroundings. `None` where less than half of the words (by longest
    /// common subsequence) are the same.
    pub(super) fn replaced(
        &self,
        old: &Reading,
        place: &Range<usize>,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let (before, after) = old.near(place, NEAR_BYTES);
        let start =
            place.start - before.rfind(' ').map_or(before.len(), |at| before.len() - at - 1);
        let end = place.end + after.find(' ').unwrap_or(after.len());
        let phrase: Vec<Cow<'_, str>> =
            split(&old.text[start..end]).map(|(word, _)| word).collect();
        let (before, after) = old.near(&(start..end), NEAR_BYTES);
        let before = last_words(before);
        let after: Vec<Cow<'_, str>> =
            split(after).take(SURROUNDING_WORDS).map(|(word, _)| word).collect();
        if phrase.is_empty() || phrase.len() > PHRASE_WORDS_MAX {
            return None;
        }
        for from in self.starts(&before) {
            let longest = (2 * phrase.len() + 2).min(self.words.len() - from);
            for length in 1..=longest {
                let upto = from + length;
                if !self.stands_at(upto, &after) || (after.is_empty() && upto != self.words.len()) {
                    continue;
                }
                let between = &self.words[from..upto];
                if 2 * common(&phrase, between) >= phrase.len().max(length) {
                    return Some((start..end, between[0].1.start..between[length - 1].1.end));
                }
                break;
            }
        }
        None
    }

    /// The positions that have the words `before` in front of them.
    fn starts(&self, before: &[Cow<'_, str>]) -> Vec<usize> {
        let Some(last) = before.last() else { return vec![0] };
        let ends = self.index.get(last.as_ref()).into_iter().flatten();
        ends.take(STARTS_MAX)
            .map(|&at| at + 1)
            .filter(|&at| at >= before.len() && self.stands_at(at - before.len(), before))
            .take(TRIES_MAX)
            .collect()
    }

    fn stands_at(&self, at: usize, words: &[Cow<'_, str>]) -> bool {
        let here = self.words.get(at..at + words.len());
        here.is_some_and(|here| here.iter().zip(words).all(|((a, _), b)| a == b))
    }
}

fn last_words(text: &str) -> Vec<Cow<'_, str>> {
    let mut words: Vec<Cow<'_, str>> = text
        .rsplit(' ')
        .filter(|word| !word.is_empty())
        .take(SURROUNDING_WORDS)
        .map(fold)
        .collect();
    words.reverse();
    words
}

/// The length of the longest common subsequence.
fn common(a: &[Cow<'_, str>], b: &[(Cow<'_, str>, Range<usize>)]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, (y, _)) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[b.len()]
}
