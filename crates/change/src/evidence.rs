//! What a detection rests on: stored results, and the leaves in them that held.

use chronon::{BlobId, SourceId, VersionNo};

/// Two versions of a source that were compared, and the stored [`crate::RoundResult`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evidence {
    pub source: SourceId,
    pub from: VersionNo,
    pub to: VersionNo,
    pub result: BlobId,
}

/// A leaf that held: a position in a list of [`Evidence`], and positions in the
/// `RoundResult::comparisons` and `leaves` of that piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeafRef {
    pub evidence: u32,
    pub comparison: u32,
    pub leaf: u32,
}
