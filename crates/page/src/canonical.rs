//! The identity of an extract, and its form on disk.

use crate::{Extract, Kind, View};
use std::collections::{BTreeMap, BTreeSet};

/// The identity of a version: BLAKE3 over everything any change type can see, in an encoding that
/// no two different extracts share (every string and list is preceded by its length). `title`,
/// `feeds` and `extractor` are left out: no change type sees them.
pub fn fingerprint(extract: &Extract) -> [u8; 32] {
    let mut digest = Digest::new(b"tidings extract\0");
    digest.bytes(&[match extract.kind {
        Kind::Html => 0,
        Kind::Feed => 1,
        Kind::Xml => 2,
        Kind::Json => 3,
        Kind::Text => 4,
    }]);
    digest.length(extract.blocks.len());
    for block in &extract.blocks {
        digest.text(&block.text);
    }
    digest.length(extract.links.len());
    for link in &extract.links {
        digest.text(&link.href);
        digest.text(&link.text);
    }
    digest.length(extract.images.len());
    for image in &extract.images {
        digest.text(&image.src);
        digest.text(&image.alt);
    }
    digest.finish()
}

/// Blocks of a view that are looked for inside the blocks of its page; where more of them are no
/// block of the page, the view counts as unseen.
const LOOKED_FOR_MAX: usize = 8;

/// The identity of a version that is looked at through several views, the whole page among them:
/// that of the page, and of what only a view shows, such as a title or data that the page embeds,
/// or that a view finds nothing. Who looks at the page alone, or through views that find what it
/// shows, gets [`fingerprint`]. O(n) for each view.
///
/// # Panics
///
/// If the whole page is not among the views.
pub fn fingerprint_of(views: &BTreeMap<View, Extract>) -> [u8; 32] {
    let whole = &views[&View::Page];
    let of_page = fingerprint(whole);
    let others = || views.iter().filter(|(view, _)| **view != View::Page);
    if others().next().is_none() {
        return of_page;
    }
    let blocks: BTreeSet<&str> = whole.blocks.iter().map(|block| &*block.text).collect();
    let is_unseen = |view: &Extract| {
        let texts = view.blocks.iter().map(|block| &*block.text);
        let mut strange = texts.filter(|text| !blocks.contains(text)).take(LOOKED_FOR_MAX + 1);
        let within = |text: &str| whole.blocks.iter().any(|block| block.text.contains(text));
        strange.by_ref().take(LOOKED_FOR_MAX).any(|text| !within(text)) || strange.next().is_some()
    };
    let counts = |view: &Extract| view.missing.is_some() || is_unseen(view);
    let mut unseen = others().filter(|(_, extract)| counts(extract)).peekable();
    if unseen.peek().is_none() {
        return of_page;
    }
    let mut digest = Digest::new(b"tidings views\0");
    digest.bytes(&of_page);
    for (view, extract) in unseen {
        digest.text(view.key());
        digest.bytes(&fingerprint(extract));
    }
    digest.finish()
}

/// What is hashed at once: BLAKE3 takes several kilobytes side by side, and short texts one by one.
const GATHERED_BYTES: usize = 64 << 10;

/// A hash of what many short texts come to.
struct Digest {
    hasher: blake3::Hasher,
    gathered: Vec<u8>,
}

impl Digest {
    fn new(name: &[u8]) -> Digest {
        let mut gathered = Vec::with_capacity(GATHERED_BYTES);
        gathered.extend_from_slice(name);
        Digest { hasher: blake3::Hasher::new(), gathered }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if self.gathered.len() + bytes.len() > GATHERED_BYTES {
            self.hasher.update(&self.gathered);
            self.gathered.clear();
        }
        if bytes.len() > GATHERED_BYTES {
            self.hasher.update(bytes);
        } else {
            self.gathered.extend_from_slice(bytes);
        }
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes(text.as_bytes());
    }

    fn length(&mut self, length: usize) {
        self.bytes(&(length as u64).to_le_bytes());
    }

    fn finish(mut self) -> [u8; 32] {
        self.hasher.update(&self.gathered);
        *self.hasher.finalize().as_bytes()
    }
}

/// A stored extract that cannot be read back: it was damaged, or a newer Tidings wrote it.
#[derive(Debug, thiserror::Error)]
#[error("a stored extract cannot be read ({0}); extract the version's bytes again")]
pub struct DecodeError(#[from] serde_json::Error);

/// The extract as JSON, for the store.
pub fn encode(extract: &Extract) -> Vec<u8> {
    serde_json::to_vec(extract).expect("strings and lists always have a JSON form")
}

/// The inverse of [`encode`].
pub fn decode(bytes: &[u8]) -> Result<Extract, DecodeError> {
    Ok(serde_json::from_slice(bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        /// The slow twin hashes each piece by itself.
        #[test]
        fn pieces_hash_as_the_whole_does(
            lengths in prop::collection::vec(
                prop_oneof![0..100_usize, 0..3 * GATHERED_BYTES], 0..12,
            ),
        ) {
            let (mut digest, mut slow) = (Digest::new(b"name"), blake3::Hasher::new());
            slow.update(b"name");
            for length in lengths {
                let text = "x".repeat(length);
                digest.text(&text);
                slow.update(&(length as u64).to_le_bytes()).update(text.as_bytes());
            }
            prop_assert_eq!(digest.finish(), *slow.finalize().as_bytes());
        }
    }
}
