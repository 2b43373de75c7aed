//! The change detection graph: which comparisons are due, and who hears of them.
//!
//! Comes in: streams and their elements, sentinels that join and leave, outlines of comparisons.
//! Goes out: [`change::RoundRequest`]s, one per round, with one comparison for all sentinels of a
//! group; and [`Heard`]s, who is told of what. Only the kernel calls it. Promises: pure; a version
//! costs what its distinct comparisons cost plus O(1) per listener told; equal to the slow twin
//! that recomputes everything per sentinel (I-TWIN).
//!
//! Start reading at [`Graph`].

use change::{RoundRequest, RoundResult};
use chronon::{Instant, SentinelId, SourceId, StreamId, VersionNo};

/// One element of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// Its number in the stream, from 1; grows by one.
    pub index: u64,
    pub version: VersionNo,
    /// When the probe started that made it an element.
    pub fetched_at: Instant,
}

/// Names a round: the comparisons due because element `index` entered `stream`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundId {
    pub stream: StreamId,
    pub index: u64,
}

/// Where a sentinel's windows start: the index of the element that is its first one. Element
/// `first_index` may be in the future (nothing cached: the next element is the first).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase {
    pub first_index: u64,
}

/// What the kernel learns of a finished comparison: enough to evaluate, no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// Per comparison of the request: the number of changes each leaf keeps; `None`: it failed.
    pub comparisons: Vec<Option<Vec<u32>>>,
}

impl Outline {
    /// The outline of a result.
    pub fn of(result: &RoundResult) -> Outline {
        let hits = |c: &change::Compared| c.leaves.iter().map(|leaf| leaf.hits_total).collect();
        Outline {
            comparisons: (result.comparisons.iter())
                .map(|compared| compared.failed.is_none().then(|| hits(compared)))
                .collect(),
        }
    }
}

/// A leaf of a round's request that held: positions in `RoundRequest::comparisons` and `leaves`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeafRef {
    pub comparison: u32,
    pub leaf: u32,
}

/// One sentinel is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    pub sentinel: SentinelId,
    pub from: VersionNo,
    pub to: VersionNo,
    /// The combinations of leaves that make its expression hold, in Figure 5.11's order; at most
    /// `combinations_max`. A NOT contributes no leaf, so a combination may be empty.
    pub combinations: Vec<Vec<LeafRef>>,
}

/// A round that is due: what to compare, and a ticket to close it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub source: SourceId,
    pub request: RoundRequest,
    pub ticket: Ticket,
}

/// What closes a round: which leaf of the graph stands at each place of the request. (The helper
/// that builds the graph fills in its fields; leaf ids are never used twice in one process.)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    pub round: RoundId,
}
