//! The change detection graph: which comparisons are due, and who hears of them.
//!
//! Comes in: streams and their elements, sentinels that join and leave, outlines of comparisons.
//! Goes out: [`change::RoundRequest`]s, one per round, with one comparison for all sentinels of a
//! group; and [`Heard`]s, who is told of what. Only the kernel calls it. Promises: pure; a version
//! costs what its distinct comparisons cost plus O(1) per listener told; equal to the slow twin
//! that recomputes everything per sentinel (I-TWIN).
//!
//! Start reading at [`Graph`].

mod evaluate;
mod expression;
mod graph;
mod interned;
mod round;
pub mod slow;
mod stream;

pub use graph::Graph;

use change::{Evidence, LeafRef, RoundRequest, RoundResult, StatusChange};
use chronon::{BlobId, Instant, SentinelId, SourceId, StreamId, VersionNo};
use sentinel::ast::{Compare, Expr};

/// One element of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// The element's number in the stream, from 1; grows by one.
    pub index: u64,
    pub version: VersionNo,
    /// When the probe started that made it an element.
    pub fetched_at: Instant,
    pub place: Position,
}

/// Where an element stands in its stream. A stream has a history for each kind of content that it
/// showed, 0 for the first one; windows count within a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The `nth` element of a history, from 1.
    Within { history: u8, nth: u32 },
    /// The first of a later history. All who listen hear of it once, against the element that the
    /// stream showed before.
    Begins { history: u8, against: u32 },
    /// Told like that too, in no history: nothing is ever compared with it.
    Aside { against: u32 },
    /// No content: the source at this place of captures (0 where there is one) answers otherwise.
    Status { place: u16, change: StatusChange },
}

impl Position {
    /// The history of a place and the number in it.
    pub fn in_history(self) -> Option<(u8, u32)> {
        match self {
            Position::Within { history, nth } => Some((history, nth)),
            Position::Begins { history, .. } => Some((history, 1)),
            Position::Aside { .. } | Position::Status { .. } => None,
        }
    }

    /// Whether both are kept together: of one history, both aside, or both without content.
    pub(crate) fn is_kept_with(self, other: Position) -> bool {
        match (self.in_history(), other.in_history()) {
            (None, None) => self.is_status() == other.is_status(),
            (one, two) => one.map(|(history, _)| history) == two.map(|(history, _)| history),
        }
    }

    /// Whether it holds no content.
    pub fn is_status(self) -> bool {
        self.of_status().is_some()
    }

    /// The place of the source that answers otherwise, if it holds no content.
    pub(crate) fn of_status(self) -> Option<u16> {
        match self {
            Position::Status { place, .. } => Some(place),
            _ => None,
        }
    }
}

/// How a version enters a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// As the next of a history; as its first, if the stream has no element.
    Next { history: u8 },
    /// As the first of this history, after the stream showed the history `shown`.
    Begins { history: u8, shown: u8 },
    /// As something that is no base of comparison, while the stream shows the history `shown`.
    Aside { shown: u8 },
}

/// A version on its way into a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    pub version: VersionNo,
    /// When the probe started that found it.
    pub fetched_at: Instant,
    pub entry: Entry,
}

impl Entry {
    fn stands_aside(self) -> bool {
        matches!(self, Entry::Aside { .. })
    }
}

/// Names a round: the comparisons due because element `index` entered `stream`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundId {
    pub stream: StreamId,
    pub index: u64,
}

/// Where a sentinel's windows start: the number in history 0 of the element that is its first one.
/// It may be in the future (nothing cached: the next element is the first). In a later history they
/// start with its first element: whoever compares `every n` joins no stream that has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase {
    pub first_index: u64,
}

/// What the kernel learns of a finished comparison: enough to evaluate, no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The stored [`RoundResult`].
    pub result: BlobId,
    /// Per comparison of the request: the number of changes each leaf keeps; `None`: it failed.
    pub comparisons: Vec<Option<Vec<u32>>>,
}

impl Outline {
    /// The outline of a result that is stored as `blob`.
    pub fn of(result: &RoundResult, blob: BlobId) -> Outline {
        let hits = |c: &change::Compared| c.leaves.iter().map(|leaf| leaf.hits_total).collect();
        Outline {
            result: blob,
            comparisons: (result.comparisons.iter())
                .map(|compared| compared.failed.is_none().then(|| hits(compared)))
                .collect(),
        }
    }
}

/// One sentinel is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    pub sentinel: SentinelId,
    /// The pair of versions that was compared.
    pub evidence: Vec<Evidence>,
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

/// What closes a round: which leaf of the graph stands at each place of the request. It stays
/// valid whatever joins or leaves meanwhile: ids of leaves are never used twice in one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    pub round: RoundId,
    newer: Element,
    /// Joins before the round was asked for; later ones wait for the next.
    joins: u64,
    pairs: Vec<round::Pair>,
}

impl Ticket {
    /// Whether the round is of something odd that stands for what the page shows: it is in no
    /// history.
    pub fn is_aside(&self) -> bool {
        matches!(self.newer.place, Position::Aside { .. })
    }
}

/// A sentinel that starts to listen.
#[derive(Debug, Clone, Copy)]
pub struct Join<'a> {
    pub sentinel: SentinelId,
    pub stream: StreamId,
    pub compare: Compare,
    pub monitor: &'a Expr,
    /// It hears of versions whose probe started at this instant or later.
    pub since: Instant,
    /// The elements of the stream it wants kept (`changehistory`).
    pub history: u32,
}

/// Who hears of a round. Both lists ascend by sentinel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Closed {
    pub heard: Vec<Heard>,
    /// Would have been evaluated, but a comparison under their expression failed.
    pub not_evaluated: Vec<SentinelId>,
}

/// What bounds the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Combinations kept per node of an expression and so per sentinel told; the first ones of
    /// Figure 5.11's order. Default 64.
    pub combinations_max: u32,
    /// Rounds of a stream that may be open at once; their pairs are kept. Default 10: 8 waiting,
    /// one being compared, one whose probe is in flight.
    pub rounds_open_max: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { combinations_max: 64, rounds_open_max: 10 }
    }
}

/// How much there is in a graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    pub streams: usize,
    pub elements: usize,
    /// Sentinels.
    pub listeners: usize,
    /// One per stream, compare option and phase.
    pub groups: usize,
    /// Distinct AND, OR and NOT.
    pub nodes: usize,
    /// Distinct leaves.
    pub leaves: usize,
    /// Distinct words, phrases and patterns.
    pub words: usize,
}
