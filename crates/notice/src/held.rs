//! What is said of changes that count too little to be told.

use crate::Notice;

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
        let around = said(of_page, "around the page", "around the page", "menu, footer, boxes");
        let little =
            said(little, "that says little", "that say little", "numbering, dates, order, hashes");
        let said = [around, little];
        let said = said.into_iter().flatten().collect::<Vec<_>>().join(", and ");
        if said.is_empty() { said } else { format!("and {said}") }
    }
}
