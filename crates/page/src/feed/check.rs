//! Whether the feed parser can be let loose on a text.
//!
//! It keeps about a kilobyte for each entry, copies what an entry says of its media into each
//! group of them, and the base URL into each element and link: 10 MiB could become gigabytes. Only
//! the first entries of a longer feed are read; one beyond the other bounds is any other XML.

use super::{BASE_BYTES_MAX, mend};
use crate::xml::{Seen, walk};
use crate::{Limits, ReadError};

/// Entries of one feed.
pub(super) const ENTRIES_MAX: usize = 20_000;
/// Elements of one feed.
pub(super) const ELEMENTS_MAX: usize = 200_000;
/// Bytes that may be copied: over all entries, those of one times its groups and media.
const COPIED_BYTES_MAX: usize = 64 << 20;

/// What stands in the elements that hold text by the rules of RSS and Atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    /// Text alone.
    Whole,
    /// Tags, too; of what stands around them the parser keeps the beginning.
    Tagged,
}

pub(super) fn check(text: &str, limits: &Limits) -> Result<Texts, ReadError> {
    let mut seen = Cost::default();
    walk(text, limits, |event| seen.see(&event))?;
    seen.close_entry();
    let too_many = [
        (seen.entries > ENTRIES_MAX, format!("more than {ENTRIES_MAX} entries")),
        (seen.elements > ELEMENTS_MAX, format!("more than {ELEMENTS_MAX} elements")),
        (seen.copied > COPIED_BYTES_MAX, "more media than can be told apart".to_owned()),
        (seen.base_max > BASE_BYTES_MAX, format!("xml:base beyond {BASE_BYTES_MAX} bytes")),
    ];
    match too_many.into_iter().find(|(found, _)| *found) {
        Some((_, reason)) => Err(ReadError::Malformed { format: "feed", reason }),
        None if seen.is_tagged => Ok(Texts::Tagged),
        None => Ok(Texts::Whole),
    }
}

#[derive(Default)]
struct Cost {
    entries: usize,
    elements: usize,
    copied: usize,
    /// The cost of the entry that is open: text and attributes, groups and media.
    bytes: usize,
    media: usize,
    open: Vec<Open>,
    base: usize,
    base_max: usize,
    is_tagged: bool,
}

struct Open {
    /// Bytes of its `xml:base`.
    base: usize,
    holds: Holds,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Elements,
    /// Elements, until text comes: an Atom `content` may be either.
    Either,
    Text,
}

impl Holds {
    fn of(name: &str) -> Holds {
        match name.strip_prefix("atom:").unwrap_or(name) {
            "title" | "subtitle" | "summary" | "description" | "content:encoded" => Holds::Text,
            "content" => Holds::Either,
            _ => Holds::Elements,
        }
    }
}

impl Cost {
    fn see(&mut self, event: &Seen<'_>) {
        match event {
            Seen::Start(name) => {
                self.elements += 1;
                self.is_tagged |= self.open.last().is_some_and(|open| open.holds == Holds::Text);
                self.open.push(Open { base: 0, holds: Holds::of(name) });
                match name.rsplit(':').next().unwrap_or(name) {
                    "item" | "entry" => {
                        self.close_entry();
                        self.entries += 1;
                    }
                    "group" | "content" => self.media += 1,
                    _ => {}
                }
            }
            Seen::End => self.base -= self.open.pop().map_or(0, |open| open.base),
            Seen::Attribute(name, value) => {
                self.bytes += value.len();
                let Some(open) = self.open.last_mut() else { return };
                if *name == "xml:base" {
                    open.base += value.len();
                    self.base += value.len();
                    self.base_max = self.base_max.max(self.base);
                } else if *name == "type" && mend::is_tree(value) {
                    open.holds = Holds::Elements;
                }
            }
            Seen::Text(text) => {
                self.bytes += text.len();
                if let Some(open) = self.open.last_mut()
                    && open.holds == Holds::Either
                    && !text.trim().is_empty()
                {
                    open.holds = Holds::Text;
                }
            }
            Seen::Namespace(..) => {}
        }
    }

    fn close_entry(&mut self) {
        let media = std::mem::take(&mut self.media);
        let bytes = std::mem::take(&mut self.bytes);
        self.copied = self.copied.saturating_add(media.saturating_mul(bytes));
    }
}
