//! Word patterns: a word without case, `*` allowed at either end.

use crate::fold::fold;
use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use unicode_segmentation::UnicodeSegmentation;

/// A set of patterns, and which of them a word matches. What it costs to ask grows with the word
/// and with what it matches, hardly with the number of patterns: a page may have a million words,
/// and all sentinels of a source together thousands of patterns.
pub(crate) struct Patterns {
    exact: Texts,
    /// `x*`.
    starts: Texts,
    /// `*x`.
    ends: Texts,
    /// `*x*`.
    inside: Inside,
}

impl Patterns {
    pub(crate) fn new<'p>(written: impl IntoIterator<Item = &'p String>) -> Patterns {
        let (mut exact, mut starts, mut ends, mut inside) =
            (Texts::default(), Texts::default(), Texts::default(), Texts::default());
        for pattern in written {
            let (at_start, at_end, text) = parts(pattern);
            let texts = match (at_start, at_end) {
                (false, false) => &mut exact,
                (false, true) => &mut starts,
                (true, false) => &mut ends,
                (true, true) => &mut inside,
            };
            texts.insert(text, pattern);
        }
        Patterns { exact, starts, ends, inside: Inside::new(inside) }
    }

    /// Whether `word`, which must be folded, matches any pattern.
    pub(crate) fn matches(&self, word: &str) -> bool {
        self.exact.get(word).is_some()
            || self.starts.heads(word).next().is_some()
            || self.ends.tails(word).next().is_some()
            || self.inside.matches(word)
    }

    /// The patterns that `word`, which must be folded, matches, as they were written, sorted.
    pub(crate) fn matching(&self, word: &str) -> Vec<String> {
        let ends = self.exact.get(word).into_iter();
        let ends = ends.chain(self.starts.heads(word)).chain(self.ends.tails(word));
        let mut all: BTreeSet<&String> = ends.flatten().collect();
        self.inside.each(word, |written| all.extend(written));
        all.into_iter().cloned().collect()
    }
}

/// What stands beside the stars of patterns of one shape, folded, with the patterns as written.
#[derive(Default)]
struct Texts {
    written: FxHashMap<String, Vec<String>>,
    /// The bytes of the texts.
    lengths: BTreeSet<usize>,
}

impl Texts {
    fn insert(&mut self, text: String, written: &str) {
        self.lengths.insert(text.len());
        self.written.entry(text).or_default().push(written.to_owned());
    }

    fn get(&self, text: &str) -> Option<&Vec<String>> {
        self.written.get(text)
    }

    /// Those a word begins with.
    fn heads<'w>(&'w self, word: &'w str) -> impl Iterator<Item = &'w Vec<String>> {
        let lengths = self.lengths.range(..=word.len());
        lengths.filter_map(move |&length| self.get(word.get(..length)?))
    }

    /// Those a word ends with.
    fn tails<'w>(&'w self, word: &'w str) -> impl Iterator<Item = &'w Vec<String>> {
        let lengths = self.lengths.range(..=word.len());
        lengths.filter_map(move |&length| self.get(word.get(word.len() - length..)?))
    }
}

/// Texts anywhere in a word, all looked for at once (Aho and Corasick 1975).
struct Inside {
    automaton: Option<NFA>,
    /// By the automaton's number of the text.
    written: Vec<Vec<String>>,
}

impl Inside {
    fn new(texts: Texts) -> Inside {
        let (texts, written): (Vec<String>, Vec<_>) = texts.written.into_iter().unzip();
        let automaton = (!texts.is_empty()).then(|| {
            NFA::new(&texts).expect("patterns that fit in memory have fewer than 2^31 bytes")
        });
        Inside { automaton, written }
    }

    fn matches(&self, word: &str) -> bool {
        let mut any = false;
        self.each(word, |_| any = true);
        any
    }

    /// What is in `word`, some of it more than once. Each state is looked at once, for it always
    /// says the same: O(word + what it matches).
    fn each<'p>(&'p self, word: &str, mut found: impl FnMut(&'p Vec<String>)) {
        let Some(automaton) = &self.automaton else { return };
        let mut state = automaton.start_state(Anchored::No).expect("it looks everywhere");
        let mut seen = FxHashSet::default();
        for &byte in word.as_bytes() {
            state = automaton.next_state(Anchored::No, state, byte);
            if automaton.is_match(state) && seen.insert(state) {
                for index in 0..automaton.match_len(state) {
                    found(&self.written[automaton.match_pattern(state, index).as_usize()]);
                }
            }
        }
    }
}

/// Whether a pattern starts and ends with `*`, and what it says between, folded.
pub(crate) fn parts(pattern: &str) -> (bool, bool, String) {
    let at_start = pattern.starts_with('*');
    let at_end = pattern.ends_with('*');
    (at_start, at_end, fold(pattern.trim_matches('*')).into_owned())
}

/// Whether a pattern can match a single Unicode word; `e-mail` and `C++` cannot.
pub(crate) fn is_one_word(pattern: &str) -> bool {
    let text = pattern.trim_matches('*');
    text.is_empty() || text.unicode_words().next() == Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow twin: every pattern is tried.
    fn matching(written: &BTreeSet<String>, word: &str) -> Vec<String> {
        let matches = |pattern: &&String| {
            let (at_start, at_end, text) = parts(pattern);
            match (at_start, at_end) {
                (true, true) => word.contains(&text),
                (true, false) => word.ends_with(&text),
                (false, true) => word.starts_with(&text),
                (false, false) => word == text,
            }
        };
        written.iter().filter(matches).cloned().collect()
    }

    proptest! {
        #[test]
        fn patterns_match_what_each_of_them_matches(
            written in prop::collection::btree_set("\\*?[abAé]{0,3}\\*?", 0..12),
            word in "[abé]{1,8}",
        ) {
            let patterns = Patterns::new(&written);
            let slow = matching(&written, &word);
            prop_assert_eq!(patterns.matches(&word), !slow.is_empty());
            prop_assert_eq!(patterns.matching(&word), slow);
        }
    }
}
