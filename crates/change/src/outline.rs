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
        let headings = |kind, side: &Side<'_>, other: &Side<'_>| {
            let own = || found.iter().filter(|one| one.kind == kind && !one.is_slight);
            let mut headings = Headings::default();
            // What the other version says, too, neither came nor went.
            let mut seen: BTreeSet<_> = other.extract.blocks.iter().map(name).collect();
            for heading in own().filter_map(|one| side.heading_at(one)) {
                if seen.insert(name_of(heading)) {
                    headings.add(heading);
                }
            }
            if is_rebuilt && headings.total == 0 {
                return Headings::of_texts(own().filter_map(|one| side.main_text_at(one)));
            }
            headings
        };
        Outline {
            new: headings(ChangeKind::Insert, &pair.new, &pair.old),
            gone: headings(ChangeKind::Delete, &pair.old, &pair.new),
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

impl Headings {
    /// The longest of these texts, in reading order.
    fn of_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Headings {
        let texts: Vec<&str> = texts.collect();
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
