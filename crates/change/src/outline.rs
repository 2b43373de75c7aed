//! What of a page that was rebuilt or revised is new and what is gone, by its headings; of one that
//! was rebuilt and has none, by its longest texts.

use crate::fold::fold;
use crate::found::{Found, Pair, Side};
use crate::{ChangeKind, passing};
use page::Block;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
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
    /// O(n log n) in what was found.
    pub(crate) fn of(pair: &Pair<'_>, found: &[Found], is_rebuilt: bool) -> Outline {
        let own = |kind| found.iter().filter(move |one| one.kind == kind && !one.is_slight);
        // What the other version says, too, neither came nor went.
        let headings = |kind, side: &Side<'_>, other: &Side<'_>| -> Vec<String> {
            let mut seen: BTreeSet<_> = other.extract.blocks.iter().map(name).collect();
            let headings = own(kind).filter_map(|one| side.heading_at(one));
            headings.filter(|heading| seen.insert(name_of(heading))).map(str::to_owned).collect()
        };
        let texts = |kind, side: &Side<'_>| -> Vec<String> {
            own(kind).filter_map(|one| side.main_text_at(one)).map(str::to_owned).collect()
        };
        let came = headings(ChangeKind::Insert, &pair.new, &pair.old);
        let went = headings(ChangeKind::Delete, &pair.old, &pair.new);
        let texts_came = texts(ChangeKind::Insert, &pair.new);
        let texts_went = texts(ChangeKind::Delete, &pair.old);
        let listed = |own: &[String], others: &[String], texts: [&[String]; 2]| {
            let headings = apart(own, others);
            if is_rebuilt && headings.is_empty() {
                return Headings::of_texts(&apart(texts[0], texts[1]));
            }
            let mut listed = Headings::default();
            headings.into_iter().for_each(|heading| listed.add(heading));
            listed
        };
        Outline {
            new: listed(&came, &went, [&texts_came, &texts_went]),
            gone: listed(&went, &came, [&texts_went, &texts_came]),
        }
    }

    /// Neither.
    pub(crate) fn is_empty(&self) -> bool {
        self.new.total == 0 && self.gone.total == 0
    }
}

/// What a heading says, without its number and its case.
fn name_of(text: &str) -> Cow<'_, str> {
    fold(passing::without_number(text))
}

fn name(block: &Block) -> Cow<'_, str> {
    name_of(&block.text)
}

/// Texts of either version that are looked at for other words of the same.
const TRIED_MAX: usize = 100;
/// Letters of a word that says something.
const LETTERS_MIN: usize = 4;
/// Words of a text that another says, too, in hundredths, if it is the same in other words.
const SHARED_MIN: usize = 60;

/// Those of some texts of which none of the others has most words: these were worded otherwise, and
/// neither came nor went. O(bytes of the first hundred of each · 100).
fn apart<'t>(own: &'t [String], others: &[String]) -> Vec<&'t str> {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).map(|word| fold(word).into_owned());
        words.filter(|word| word.chars().nth(LETTERS_MIN - 1).is_some()).collect()
    };
    let others: Vec<BTreeSet<String>> =
        others.iter().take(TRIED_MAX).map(|one| words(one)).collect();
    let is_apart = |(at, text): &(usize, &String)| {
        let own = words(text);
        let shares = |other: &BTreeSet<String>| 100 * own.intersection(other).count();
        let is_known = || others.iter().any(|other| shares(other) >= SHARED_MIN * own.len());
        *at >= TRIED_MAX || own.len() < 2 || !is_known()
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
            "THIRD PARTY WEBSITES AND LINKS",
            "Children",
            "Governing law of England",
        ]);
        let came = own(&[
            "Using it in a way that violates a person’s privacy or their right to publicity, such as",
            "Third-Party Applications/Websites",
            "Children and schools",
        ]);
        assert_eq!(apart(&went, &came), ["Children", "Governing law of England"]);
        assert_eq!(apart(&went, &[]).len(), 4);
    }
}
