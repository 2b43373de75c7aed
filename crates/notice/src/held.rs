//! What is said of changes that count too little to be told.

use crate::cut::clean;
use crate::{Dated, Notice};

/// Characters of a text that says of what day it is.
const DATED_CHARS_MAX: usize = 100;

impl Notice {
    /// What is said of changes that count too little: of a page they stand around it. Empty where
    /// there is none.
    pub fn held_back_said(&self) -> String {
        let is_document = |media: &str| {
            !media.contains("html")
                && ["xml", "json", "csv"].iter().any(|kind| media.contains(kind))
        };
        let mut media = self.sources.iter().filter_map(|source| source.media_type.as_deref());
        let little = if media.any(is_document) { self.held_back } else { self.say_little };
        let said = |count: u64, one: &str, more: &str, such: &str| match count {
            0 => None,
            1 => Some(format!("1 change {one}")),
            count => Some(format!("{count} changes {more} ({such})")),
        };
        let of_page = self.held_back.saturating_sub(little);
        let entries = self.slight.iter().map(|counted| counted.count).sum();
        let little = little.saturating_sub(entries);
        let around = said(of_page, "around the page", "around the page", "menu, footer, boxes");
        let little = said(
            little,
            "that says little",
            "that say little",
            "numbering, dates, order, counters",
        );
        let entries = self.slight.iter().map(|counted| &*counted.said).collect::<Vec<_>>();
        let entries = Some(entries.join(", ")).filter(|said| !said.is_empty());
        let said = [entries, around, little];
        let said = said.into_iter().flatten().collect::<Vec<_>>().join(", and ");
        let dated = self.dated.as_ref().map(dated_said).unwrap_or_default();
        match (said.is_empty(), dated.is_empty()) {
            (false, true) => format!("and {said}"),
            (false, false) => format!("and {said}; {dated}"),
            (true, _) => dated,
        }
    }
}

/// What is said of another day: "dated “Last updated: 7 May 2026” → “8 July 2026”".
fn dated_said(dated: &Dated) -> String {
    let (old, new) = (clean(&dated.old, DATED_CHARS_MAX), clean(&dated.new, DATED_CHARS_MAX));
    let label = old.split_inclusive(": ").next().filter(|label| label.len() < old.len());
    let day = label.and_then(|label| new.strip_prefix(label)).unwrap_or(&new);
    format!("dated “{old}” → “{day}”")
}
