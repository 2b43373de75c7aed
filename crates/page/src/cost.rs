//! What reading a body may take of memory.

use crate::Limits;

/// Bytes of a node of an HTML tree, with its attributes.
const NODE_BYTES: u64 = 300;
/// Nodes that a tag may make: itself, the text after it, and others where tags are misnested. A
/// page that makes more makes them of nothing.
const NODES_PER_TAG: u32 = 8;
/// Nodes of a page without a tag.
const NODES_MIN: u32 = 1_000;

/// The bytes of memory that [`crate::read`] takes beside the body, about, at most. Linear in
/// `body.len()`, and quick.
pub fn cost(body: &[u8], limits: &Limits) -> u64 {
    // Embedded markup is written with references.
    let tags = body.iter().filter(|&&byte| byte == b'<' || byte == b'&').count();
    2 * body.len() as u64 + NODE_BYTES * u64::from(nodes_max(tags, limits))
}

/// Nodes that a text with `tags` tags may have.
pub(crate) fn nodes_max(tags: usize, limits: &Limits) -> u32 {
    let tags = u32::try_from(tags).unwrap_or(u32::MAX);
    limits.nodes_max.min(tags.saturating_mul(NODES_PER_TAG).saturating_add(NODES_MIN))
}
