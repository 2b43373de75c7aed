//! A version read from start to end: its blocks joined by spaces, and the places in it.

use crate::{Context, Limits};
use page::Extract;
use std::ops::Range;

/// The text of a version as one line.
pub(crate) struct Reading {
    pub(crate) text: String,
    /// Where each block stands in `text`.
    pub(crate) blocks: Vec<Range<usize>>,
}

impl Reading {
    pub(crate) fn of(extract: &Extract) -> Reading {
        let bytes = extract.blocks.iter().map(|block| block.text.len() + 1).sum();
        let mut text = String::with_capacity(bytes);
        let mut blocks = Vec::with_capacity(extract.blocks.len());
        for block in &extract.blocks {
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(&block.text);
            blocks.push(start..text.len());
        }
        Reading { text, blocks }
    }

    /// At most `bytes` of text on each side of a place.
    pub(crate) fn near(&self, place: &Range<usize>, bytes: usize) -> (&str, &str) {
        let from = self.text.ceil_char_boundary(place.start.saturating_sub(bytes));
        let upto = self.text.floor_char_boundary(place.end + bytes);
        (&self.text[from..place.start], &self.text[place.end..upto])
    }

    /// The text around a place, whole words where possible.
    pub(crate) fn context(&self, place: &Range<usize>, limits: &Limits) -> Context {
        let (before, after) = self.near(place, limits.context_bytes_max);
        let is_cut = before.len() < place.start;
        let from = if is_cut { before.find(' ').unwrap_or(0) } else { 0 };
        let is_cut = place.end + after.len() < self.text.len();
        let upto = if is_cut { after.rfind(' ').unwrap_or(after.len()) } else { after.len() };
        Context { before: before[from..].trim().to_owned(), after: after[..upto].trim().to_owned() }
    }

    /// A place with its surroundings, as one text.
    pub(crate) fn surrounded(&self, place: &Range<usize>, limits: &Limits) -> &str {
        let (before, after) = self.near(place, limits.context_bytes_max);
        &self.text[place.start - before.len()..place.end + after.len()]
    }
}
