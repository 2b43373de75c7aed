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

    /// The text around a place, whole words where possible.
    pub(crate) fn context(&self, place: &Range<usize>, limits: &Limits) -> Context {
        let max = limits.context_bytes_max;
        let before = &self.text[..place.start];
        let mut from = before.ceil_char_boundary(before.len().saturating_sub(max));
        if from > 0 {
            from += before[from..].find(' ').unwrap_or(0);
        }
        let after = &self.text[place.end..];
        let mut upto = after.floor_char_boundary(max);
        if upto < after.len() {
            upto = after[..upto].rfind(' ').unwrap_or(upto);
        }
        Context { before: before[from..].trim().to_owned(), after: after[..upto].trim().to_owned() }
    }

    /// A place with its surroundings, as one text.
    pub(crate) fn surrounded(&self, place: &Range<usize>, limits: &Limits) -> &str {
        let from = place.start.saturating_sub(limits.context_bytes_max);
        let upto = place.end + limits.context_bytes_max;
        &self.text[self.text.ceil_char_boundary(from)..self.text.floor_char_boundary(upto)]
    }
}
