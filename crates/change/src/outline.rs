//! What of a page that was rebuilt or revised is new and what is gone, by its headings; of one that
//! was rebuilt and has none, by its longest texts.

use crate::fold::fold;
use crate::found::{Found, Pair, Side};
use crate::habits::CELL;
use crate::{ChangeKind, passing};
use page::Block;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Texts listed of a version without headings.
const TEXTS_MAX: usize = 4;
/// Headings listed of each version.
const HEADINGS_MAX: usize = 12;
/// Characters of one heading.
const HEADING_CHARS_MAX: usize = 120;

/// The headings of the main content that came and those that went, in reading order. One that was
/// edited is neither.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    pub new: Headings,
    pub gone: Headings,
}

/// Some headings, each once; or texts, where there are no headings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headings {
    /// At most 12, each of at most 120 characters.
    pub first: Vec<String>,
    /// How many there are.
    pub total: u32,
    /// They are the longest texts, for want of headings.
    #[serde(default, skip_serializing_if = "is_false")]
    pub are_texts: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Outline {
    /// O(n log n) in what was found. What the newer version says in other words is not gone.
    pub(crate) fn of(pair: &Pair<'_>, found: &[Found], is_rebuilt: bool) -> Outline {
        let own = |kind| found.iter().filter(move |one| one.kind == kind && !one.is_slight);
        let texts = |kind, side: &Side<'_>| -> Vec<String> {
            own(kind).filter_map(|one| side.main_text_at(one)).map(str::to_owned).collect()
        };
        let listed = |headings: Vec<&str>, texts: Vec<&str>| {
            if is_rebuilt && headings.is_empty() {
                return Headings::of_texts(&texts);
            }
            let mut listed = Headings::default();
            headings.into_iter().for_each(|heading| listed.add(heading));
            listed
        };
        let came = once(found.iter().filter_map(|one| pair.heading_that_came(one)));
        let went = once(found.iter().filter_map(|one| pair.heading_that_went(one)));
        let texts_came = texts(ChangeKind::Insert, &pair.new);
        let texts_went = texts(ChangeKind::Delete, &pair.old);
        let [came_all, texts_all] = [&came, &texts_came].map(|all| all.iter().map(String::as_str));
        Outline {
            new: listed(came_all.collect(), texts_all.collect()),
            gone: listed(
                apart(&went, &came, Alike::Heading),
                apart(&texts_went, &texts_came, Alike::Text),
            ),
        }
    }

    /// Neither.
    pub(crate) fn is_empty(&self) -> bool {
        self.new.total == 0 && self.gone.total == 0
    }
}

/// Headings, each once.
fn once<'t>(headings: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    headings.filter(|heading| seen.insert(name_of(heading))).map(str::to_owned).collect()
}

/// What a heading says, without its number, its case and the mark at its end.
pub(crate) fn name_of(text: &str) -> String {
    let text = text.trim_end_matches([':', '：', '.', ' ']);
    fold(passing::section(text).map_or(text, |(_, name)| name)).into_owned()
}

/// What the main content says in whole blocks and cells, as [`name_of`] does.
pub(crate) fn names_of(blocks: &[Block]) -> FxHashSet<String> {
    let main = blocks.iter().filter(|block| block.part.is_main());
    main.flat_map(|block| block.text.split(CELL)).map(name_of).collect()
}

/// Texts of either version, and words of each, that are looked at for other words of the same.
const TRIED_MAX: usize = 60;
const TRIED_WORDS_MAX: usize = 100;
/// Letters of a word that says something.
const LETTERS_MIN: usize = 4;
/// A text of fewer such words is known by nothing else.
const WORDS_MIN: usize = 3;

/// When a text says what another says in other words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alike {
    /// A heading says little: either has eight in ten of the other's words.
    Heading,
    /// The other may be longer: it has six in ten of the words.
    Text,
}

/// Those of some texts that none of the others says in other words. O(bytes of the texts), and
/// bounded by the texts and words that are tried.
fn apart<'t>(own: &'t [String], others: &[String], alike: Alike) -> Vec<&'t str> {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.chars().nth(LETTERS_MIN - 1).is_some());
        words.take(TRIED_WORDS_MAX).map(|word| fold(word).into_owned()).collect()
    };
    let others: Vec<BTreeSet<String>> =
        others.iter().take(TRIED_MAX).map(|one| words(one)).collect();
    let is_apart = |(at, text): &(usize, &String)| {
        let own = words(text);
        let is_known = |other: &BTreeSet<String>| {
            let shared = own.intersection(other).count();
            match alike {
                Alike::Heading => 10 * shared >= 8 * own.len().max(other.len()),
                Alike::Text => 10 * shared >= 6 * own.len(),
            }
        };
        *at >= TRIED_MAX || own.len() < WORDS_MIN || !others.iter().any(is_known)
    };
    own.iter().enumerate().filter(is_apart).map(|(_, text)| text.as_str()).collect()
}

impl Headings {
    /// The longest of these texts, in reading order.
    fn of_texts(texts: &[&str]) -> Headings {
        let mut longest: Vec<usize> = (0..texts.len()).collect();
        longest.sort_by_key(|&at| Reverse(texts[at].len()));
        longest.truncate(TEXTS_MAX);
        longest.sort_unstable();
        let mut headings = Headings { are_texts: true, ..Headings::default() };
        longest.iter().for_each(|&at| headings.add(texts[at]));
        headings.total = u32::try_from(texts.len()).unwrap_or(u32::MAX);
        headings
    }

    fn add(&mut self, heading: &str) {
        self.total = self.total.saturating_add(1);
        if self.first.len() < HEADINGS_MAX {
            self.first.push(heading.chars().take(HEADING_CHARS_MAX).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_in_most_of_its_words_is_worded_otherwise() {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let went = own(&[
            "Violating a person’s privacy or their right to publicity",
            "Children",
            "Governing law of England",
        ]);
        let came = own(&[
            "Using it in a way that violates a person’s privacy or their right to publicity, such as",
            "Children and schools",
        ]);
        for (one, other) in [("2025", "2026"), ("3.2.1", "3.3.0"), ("9am Yoga", "11am Yoga")] {
            assert_ne!(name_of(one), name_of(other));
        }
        assert_eq!(name_of("3. Fees"), name_of("4. FEES"));
        assert_eq!(name_of("Why we ask"), name_of("Why we ask:"));
        let left = ["Children", "Governing law of England"];
        assert_eq!(apart(&went, &came, Alike::Text), left);
        assert_eq!(apart(&went, &[], Alike::Text).len(), 3);
        let went = own(&["Rights of the Data Subject", "Changes to this privacy policy"]);
        let came = own(&["Rights of the Data Controller", "To this privacy policy: changes"]);
        assert_eq!(apart(&went, &came, Alike::Heading), [&*went[0]]);
    }
}
