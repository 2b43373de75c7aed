//! The identity of an extract, and its form on disk.

use crate::{Extract, Kind};

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
