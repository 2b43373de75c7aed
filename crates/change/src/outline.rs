//! What of a page that was rebuilt is new and what is gone, by its headings.

use page::Extract;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Headings listed of each version.
const HEADINGS_MAX: usize = 12;
/// Characters of one heading.
const HEADING_CHARS_MAX: usize = 120;

/// The headings of the main content that one of two versions alone has, in reading order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    pub new: Headings,
    pub gone: Headings,
}

/// Some headings, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headings {
    /// At most 12, each of at most 120 characters.
    pub first: Vec<String>,
    /// How many there are.
    pub total: u32,
}

impl Outline {
    /// O(n log n) in the blocks of both versions.
    pub(crate) fn of(old: &Extract, new: &Extract) -> Outline {
        Outline { new: Headings::only_in(new, old), gone: Headings::only_in(old, new) }
    }
}

impl Headings {
    fn only_in(one: &Extract, other: &Extract) -> Headings {
        let mut seen: BTreeSet<&str> = headings(other).collect();
        let mut found = Headings::default();
        for heading in headings(one).filter(|heading| seen.insert(heading)) {
            found.total = found.total.saturating_add(1);
            if found.first.len() < HEADINGS_MAX {
                found.first.push(heading.chars().take(HEADING_CHARS_MAX).collect());
            }
        }
        found
    }
}

fn headings(extract: &Extract) -> impl Iterator<Item = &str> {
    let of_page = |block: &&page::Block| block.heading > 0 && block.part.is_main();
    extract.blocks.iter().filter(of_page).map(|block| block.text.as_str())
}
