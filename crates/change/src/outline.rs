//! What of a page that was rebuilt or revised is new and what is gone, by its headings.

use crate::ChangeKind;
use crate::found::{Found, Pair, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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

/// Some headings, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headings {
    /// At most 12, each of at most 120 characters.
    pub first: Vec<String>,
    /// How many there are.
    pub total: u32,
}

impl Outline {
    /// O(n) in what was found.
    pub(crate) fn of(pair: &Pair<'_>, found: &[Found]) -> Outline {
        let headings = |kind, side: &Side<'_>| {
            let mut seen = BTreeSet::new();
            let mut headings = Headings::default();
            let own = found.iter().filter(|one| one.kind == kind && !one.is_slight);
            for heading in own.filter_map(|one| side.heading_at(one)) {
                if seen.insert(heading) {
                    headings.add(heading);
                }
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
    fn add(&mut self, heading: &str) {
        self.total = self.total.saturating_add(1);
        if self.first.len() < HEADINGS_MAX {
            self.first.push(heading.chars().take(HEADING_CHARS_MAX).collect());
        }
    }
}
