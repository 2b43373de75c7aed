//! Whether the feed parser can be let loose on a text.
//!
//! It keeps about a kilobyte for each entry, copies what an entry says of its media into each
//! group of them, and the base URL into each element and link: 10 MiB could become gigabytes. Only
//! the first entries of a longer feed are read; one beyond the other bounds is any other XML.

use super::BASE_BYTES_MAX;
use crate::xml::{Seen, walk};
use crate::{Limits, ReadError};

/// Entries of one feed.
pub(super) const ENTRIES_MAX: usize = 20_000;
/// Elements of one feed.
pub(super) const ELEMENTS_MAX: usize = 200_000;
/// Bytes that may be copied: over all entries, those of one times its groups and media.
const COPIED_BYTES_MAX: usize = 64 << 20;

pub(super) fn check(text: &str, limits: &Limits) -> Result<(), ReadError> {
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
        None => Ok(()),
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
    /// Bytes of the `xml:base` of each open element.
    bases: Vec<usize>,
    base: usize,
    base_max: usize,
}

impl Cost {
    fn see(&mut self, event: &Seen<'_>) {
        match event {
            Seen::Start(name) => {
                self.elements += 1;
                self.bases.push(0);
                match name.rsplit(':').next().unwrap_or(name) {
                    "item" | "entry" => {
                        self.close_entry();
                        self.entries += 1;
                    }
                    "group" | "content" => self.media += 1,
                    _ => {}
                }
            }
            Seen::End => self.base -= self.bases.pop().unwrap_or_default(),
            Seen::Attribute(name, value) => {
                self.bytes += value.len();
                if let (true, Some(own)) = (*name == "xml:base", self.bases.last_mut()) {
                    *own += value.len();
                    self.base += value.len();
                    self.base_max = self.base_max.max(self.base);
                }
            }
            Seen::Text(text) => self.bytes += text.len(),
            Seen::Namespace(..) => {}
        }
    }

    fn close_entry(&mut self) {
        let media = std::mem::take(&mut self.media);
        let bytes = std::mem::take(&mut self.bytes);
        self.copied = self.copied.saturating_add(media.saturating_mul(bytes));
    }
}
