//! Word patterns: a word without case, `*` allowed at either end.

use crate::fold::fold;
use std::collections::{BTreeMap, BTreeSet};
use unicode_segmentation::UnicodeSegmentation;

/// A set of patterns, and which of them a word matches. Exact patterns are looked up; those with
/// `*` are tried one after the other.
pub(crate) struct Patterns {
    /// Without case -> as written.
    exact: BTreeMap<String, Vec<String>>,
    open: Vec<Open>,
}

struct Open {
    text: String,
    at_start: bool,
    at_end: bool,
    written: String,
}

impl Patterns {
    pub(crate) fn new<'p>(written: impl IntoIterator<Item = &'p String>) -> Patterns {
        let mut patterns = Patterns { exact: BTreeMap::new(), open: Vec::new() };
        for pattern in written {
            let (at_start, at_end, text) = parts(pattern);
            if at_start || at_end {
                patterns.open.push(Open { text, at_start, at_end, written: pattern.clone() });
            } else {
                patterns.exact.entry(text).or_default().push(pattern.clone());
            }
        }
        patterns
    }

    /// Whether `word`, which must be folded, matches any pattern.
    pub(crate) fn matches(&self, word: &str) -> bool {
        self.exact.contains_key(word) || self.open.iter().any(|open| open.matches(word))
    }

    /// The patterns that `word`, which must be folded, matches, as they were written, sorted.
    pub(crate) fn matching(&self, word: &str) -> Vec<String> {
        let exact = self.exact.get(word).into_iter().flatten();
        let open = self.open.iter().filter(|open| open.matches(word)).map(|open| &open.written);
        let all: BTreeSet<&String> = exact.chain(open).collect();
        all.into_iter().cloned().collect()
    }
}

impl Open {
    fn matches(&self, word: &str) -> bool {
        match (self.at_start, self.at_end) {
            (true, true) => word.contains(&self.text),
            (true, false) => word.ends_with(&self.text),
            (false, true) => word.starts_with(&self.text),
            (false, false) => word == self.text,
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
