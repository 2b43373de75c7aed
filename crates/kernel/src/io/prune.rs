//! What retention asks of the store.

use chronon::{Instant, SentinelId, SourceId, VersionNo};

/// What retention asks of the store: of one source, or of what is done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prune {
    Source(SourcePrune),
    Finished(FinishedPrune),
}

/// Versions of one source, and what was detected on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePrune {
    pub source: SourceId,
    /// The current version and what is held, and what streams, windows and open rounds need.
    pub keep: Vec<VersionNo>,
    /// The newest versions kept in any case (the largest `changehistory` on the source).
    pub history: u32,
    /// Older versions go, and so do those beyond the newest `versions_max`.
    pub before: Instant,
    pub versions_max: u32,
    /// The sentinels on the source, and how many detections each keeps in any case.
    pub detections: Vec<(SentinelId, u32)>,
}

/// Notifications that are delivered, given up or cancelled, with their attempts; and detections
/// whose sentinel or source is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedPrune {
    /// Notifications that finished before and detections made before may go.
    pub before: Instant,
    /// The newest notifications of a live sentinel that are kept in any case.
    pub history: u32,
    /// Sentinels that keep more than `history`.
    pub histories: Vec<(SentinelId, u32)>,
    /// Notifications, and detections, that one call looks at; the next call goes on after them.
    pub limit: u32,
}
