//! What of a page that was rebuilt or revised is new and what is gone, by its headings; of one that
//! was rebuilt and has none, by its longest texts.

use crate::ChangeKind;
use crate::found::{Found, Pair, Side};
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
    /// O(n log n) in what was found.
    pub(crate) fn of(pair: &Pair<'_>, found: &[Found], is_rebuilt: bool) -> Outline {
        let headings = |kind, side: &Side<'_>| {
            let mut seen = BTreeSet::new();
            let mut headings = Headings::default();
            let own = || found.iter().filter(|one| one.kind == kind && !one.is_slight);
            for heading in own().filter_map(|one| side.heading_at(one)) {
                if seen.insert(heading) {
                    headings.add(heading);
                }
            }
            if is_rebuilt && headings.total == 0 {
                return Headings::of_texts(own().filter_map(|one| side.main_text_at(one)));
            }
            headings
        };
        Outline {
            new: headings(ChangeKind::Insert, &pair.new),
            gone: headings(ChangeKind::Delete, &pair.old),
        }
    }

    /// Neither.
    pub(crate) fn is_empty(&self) -> bool {
        self.new.total == 0 && self.gone.total == 0
    }
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
