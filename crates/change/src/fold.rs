//! Comparison without case, for all of Unicode, and the way back to the original text.

use std::borrow::Cow;

/// `text` without case: each character's uppercase, in lowercase: Unicode's full case folding
/// (`ß` and `SS` give `ss`, `ς` and `Σ` give `σ`) except that the Turkish `ı` stays itself,
/// as full folding has it, too.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let mut folded = String::with_capacity(text.len());
    text.chars().for_each(|c| push_folded(c, &mut folded));
    Cow::Owned(folded)
}

fn push_folded(c: char, folded: &mut String) {
    match c {
        _ if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
        'ı' => folded.push(c),
        _ => folded.extend(c.to_uppercase().flat_map(char::to_lowercase)),
    }
}

/// A text without case whose places can be found again in the original.
pub(crate) struct Folded {
    pub(crate) text: String,
    /// The characters that became several or of another length in bytes, in order.
    bends: Vec<Bend>,
}

struct Bend {
    folded: usize,
    folded_len: usize,
    original: usize,
    original_len: usize,
}

impl Folded {
    pub(crate) fn new(original: &str) -> Folded {
        if original.is_ascii() {
            return Folded { text: original.to_ascii_lowercase(), bends: Vec::new() };
        }
        let mut text = String::with_capacity(original.len());
        let mut bends = Vec::new();
        for (at, c) in original.char_indices() {
            let folded = text.len();
            push_folded(c, &mut text);
            let (folded_len, original_len) = (text.len() - folded, c.len_utf8());
            let is_one = text[folded..].chars().nth(1).is_none();
            if folded_len != original_len || !is_one {
                bends.push(Bend { folded, folded_len, original: at, original_len });
            }
        }
        Folded { text, bends }
    }

    /// The offset in the original that `at` stands for; `None` inside what was one character.
    /// `at` must be a character boundary of `text`. O(log of the bends).
    pub(crate) fn original(&self, at: usize) -> Option<usize> {
        let next = self.bends.partition_point(|bend| bend.folded < at);
        let Some(bend) = next.checked_sub(1).map(|index| &self.bends[index]) else {
            return Some(at);
        };
        let end = bend.folded + bend.folded_len;
        (at >= end).then(|| bend.original + bend.original_len + (at - end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_joins_what_differs_by_case_only() {
        for (a, b) in [("STRASSE", "straße"), ("ΟΔΟΣ", "οδος"), ("ﬁx", "FIX"), ("Ünï", "üNÏ")]
        {
            assert_eq!(fold(a), fold(b));
        }
        assert_ne!(fold("ı"), fold("i"));
    }

    #[test]
    fn places_are_found_again_in_the_original() {
        let original = "aßİ€b";
        let folded = Folded::new(original);
        let ends: Vec<Option<usize>> = (0..=folded.text.len())
            .filter(|&at| folded.text.is_char_boundary(at))
            .map(|at| folded.original(at))
            .collect();
        let found: Vec<usize> = ends.into_iter().flatten().collect();
        let mut expected: Vec<usize> = original.char_indices().map(|(at, _)| at).collect();
        expected.push(original.len());
        assert_eq!(found, expected);
    }
}
