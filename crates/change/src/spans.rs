//! Which words of a text differ from another's, and windows around them.
//!
//! A reader sees the difference of two long texts only where it is shown. So a text is never cut
//! at its start: what is kept of it stands around the first words that differ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Words on both sides together whose differences are told apart; of longer texts, what stands
/// between their common start and their common end counts as one difference.
const WORDS_MAX: usize = 4_000;

/// The differing parts of two texts, each as (start, end) in code points.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Spans {
    pub old: Vec<(u32, u32)>,
    pub new: Vec<(u32, u32)>,
}

impl Spans {
    /// Nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }
}

/// One difference, in bytes of the old and of the new text; one of them may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differing {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The differences of two texts, by words, in order. What stands between two of them has a letter
/// or a digit. O(n + m + d²) for d differing words of short texts, O(n + m) for long ones.
pub fn differing(old: &str, new: &str) -> Vec<Differing> {
    let (old_words, new_words) = (Words::of(old), Words::of(new));
    let (a, b) = (&old_words.words, &new_words.words);
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (a_end, b_end) = (a.len() - tail, b.len() - tail);
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    if a_end - head + b_end - head > WORDS_MAX {
        found.push((head..a_end, head..b_end));
    } else {
        let steps = capture_diff_slices(Algorithm::Myers, &a[head..a_end], &b[head..b_end]);
        for step in steps.iter().filter(|step| !matches!(step, DiffOp::Equal { .. })) {
            let shift = |range: Range<usize>| range.start + head..range.end + head;
            let (old, new) = (shift(step.old_range()), shift(step.new_range()));
            match found.last_mut() {
                Some((last_old, last_new)) if !has_word(&a[last_old.end..old.start]) => {
                    *last_old = last_old.start..old.end;
                    *last_new = last_new.start..new.end;
                }
                _ => found.push((old, new)),
            }
        }
    }
    let place = |(old, new): (Range<usize>, Range<usize>)| Differing {
        old: old_words.place(old),
        new: new_words.place(new),
    };
    found.into_iter().map(place).collect()
}

fn has_word(words: &[&str]) -> bool {
    words.iter().any(|word| word.contains(char::is_alphanumeric))
}

/// The differing parts of two texts (see [`differing`]), in code points.
pub fn spans(old: &str, new: &str) -> Spans {
    let found = differing(old, new);
    Spans {
        old: in_chars(old, found.iter().map(|one| one.old.clone())),
        new: in_chars(new, found.iter().map(|one| one.new.clone())),
    }
}

/// Ranges of bytes, ascending, as code points; empty ones are left out.
fn in_chars(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> Vec<(u32, u32)> {
    let (mut at, mut chars) = (0, 0u32);
    let mut count = |upto: usize| {
        chars += text[at..upto].chars().count() as u32;
        at = upto;
        chars
    };
    let places = ranges.filter(|range| !range.is_empty());
    places.map(|range| (count(range.start), count(range.end))).collect()
}

/// Two texts, each at most about `bytes_max` bytes: what is kept of a longer one begins a quarter
/// of that before the first difference. `…` stands where something is left out.
pub fn windows(old: &str, new: &str, bytes_max: usize) -> (String, String) {
    let first = || differing(old, new).first().map_or((0, 0), |one| (one.old.start, one.new.start));
    if old.len().max(new.len()) <= bytes_max {
        return (old.to_owned(), new.to_owned());
    }
    let (old_first, new_first) = first();
    (window(old, old_first, bytes_max), window(new, new_first, bytes_max))
}

fn window(text: &str, first: usize, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let from = match first.checked_sub(bytes_max / 4) {
        Some(from) if first > bytes_max / 2 => text.floor_char_boundary(from),
        _ => 0,
    };
    let upto = text.floor_char_boundary((from + bytes_max).min(text.len()));
    let before = if from > 0 { "…" } else { "" };
    let after = if upto < text.len() { "…" } else { "" };
    format!("{before}{}{after}", &text[from..upto])
}

/// The words of a text, and what stands between them, with their places.
struct Words<'t> {
    words: Vec<&'t str>,
    /// Where each begins, and where the text ends.
    places: Vec<usize>,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Words<'t> {
        let mut places: Vec<usize> = Vec::new();
        let mut words = Vec::new();
        for (place, word) in text.split_word_bound_indices() {
            places.push(place);
            words.push(word);
        }
        places.push(text.len());
        Words { words, places }
    }

    /// The bytes of some of them, in order.
    fn place(&self, words: Range<usize>) -> Range<usize> {
        self.places[words.start]..self.places[words.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marked<'t>(old: &'t str, new: &'t str) -> Vec<(&'t str, &'t str)> {
        let found = differing(old, new);
        found.into_iter().map(|one| (&old[one.old], &new[one.new])).collect()
    }

    #[test]
    fn the_words_that_differ_are_found_wherever_they_stand() {
        assert_eq!(marked("Price 49.90 EUR", "Price 39.90 EUR"), [("49.90", "39.90")]);
        assert_eq!(marked("a b c d", "a x c y"), [("b", "x"), ("d", "y")]);
        assert_eq!(marked("law of Ohio", "law of Ohio and Texas"), [("", " and Texas")]);
        assert_eq!(marked("the 3 January, 2026", "the 4 March, 2026"), [("3 January", "4 March")]);
        assert!(marked("same", "same").is_empty());
        assert_eq!(spans("prix 1 €", "prix 22 €"), Spans { old: vec![(5, 6)], new: vec![(5, 7)] });
    }

    #[test]
    fn a_window_holds_the_first_difference() {
        let long = "word ".repeat(1_000);
        let (old, new) = (format!("{long}Ohio {long}"), format!("{long}Texas {long}"));
        let (old, new) = windows(&old, &new, 400);
        assert!(old.contains("Ohio") && new.contains("Texas"), "{old} {new}");
        assert!(old.len() <= 406 && new.starts_with('…') && new.ends_with('…'));
        assert_eq!(marked(&old, &new)[0], ("Ohio", "Texas"));
    }

    proptest! {
        #[test]
        fn without_what_differs_both_texts_are_the_same(
            old in "([abé ]{0,3}[ .,]){0,20}", new in "([abé ]{0,3}[ .,]){0,20}",
        ) {
            let found = differing(&old, &new);
            let without = |text: &str, ranges: Vec<Range<usize>>| {
                let mut rest = text.to_owned();
                ranges.into_iter().rev().for_each(|range| rest.replace_range(range, "|"));
                rest
            };
            let olds = without(&old, found.iter().map(|one| one.old.clone()).collect());
            let news = without(&new, found.iter().map(|one| one.new.clone()).collect());
            prop_assert_eq!(olds, news);
        }
    }
}
