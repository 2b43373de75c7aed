//! The identity of an extract, and its form on disk.

use crate::{Extract, Kind, View};
use std::collections::{BTreeMap, BTreeSet};

/// The identity of a version: BLAKE3 over everything any change type can see, in an encoding that
/// no two different extracts share (every string and list is preceded by its length). `title`,
/// `feeds` and `extractor` are left out: no change type sees them.
pub fn fingerprint(extract: &Extract) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"tidings extract\0");
    hasher.update(&[match extract.kind {
        Kind::Html => 0,
        Kind::Feed => 1,
        Kind::Xml => 2,
        Kind::Json => 3,
        Kind::Text => 4,
    }]);
    put_length(&mut hasher, extract.blocks.len());
    for block in &extract.blocks {
        put(&mut hasher, &block.text);
    }
    put_length(&mut hasher, extract.links.len());
    for link in &extract.links {
        put(&mut hasher, &link.href);
        put(&mut hasher, &link.text);
    }
    put_length(&mut hasher, extract.images.len());
    for image in &extract.images {
        put(&mut hasher, &image.src);
        put(&mut hasher, &image.alt);
    }
    *hasher.finalize().as_bytes()
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
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"tidings views\0").update(&of_page);
    for (view, extract) in unseen {
        put(&mut hasher, view.key());
        hasher.update(&fingerprint(extract));
    }
    *hasher.finalize().as_bytes()
}

fn put(hasher: &mut blake3::Hasher, text: &str) {
    put_length(hasher, text.len());
    hasher.update(text.as_bytes());
}

fn put_length(hasher: &mut blake3::Hasher, length: usize) {
    hasher.update(&(length as u64).to_le_bytes());
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
