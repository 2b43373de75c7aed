//! The Store trait, the in-memory store, and the conformance suite every store passes.
//!
//! Comes in: batches of [`Record`]s with the blobs they name. Goes out: the kernel's [`Snapshot`]
//! at start, and rows for people. Promises: a batch is durable whole or not at all when `append`
//! returns; blobs are content-addressed; readers never wait for the writer.
//!
//! Start reading at [`Store`].

use chronon::{BlobId, NotificationId, SentinelId, SourceId, VersionNo};
use kernel::Record;
use kernel::io::Prune;
use kernel::record::{
    DetectionRow, ProbeRow, SentinelRow, Snapshot, SourceRow, Transition, VersionRow,
};
use outbox::{Attempt, ChannelId, DetectionId, Row};
use std::sync::Arc;

/// Whole steps that become durable together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    pub records: Vec<Record>,
    /// Bytes of blobs that records of this batch name; a blob that is stored already is skipped.
    pub blobs: Vec<(BlobId, Arc<[u8]>)>,
}

/// The one writer.
pub trait Store: Send {
    /// Makes a batch durable: whole, or not at all.
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError>;
    /// Deletes versions and detections that nothing needs any more; says how many versions. Kept,
    /// besides what `prune` names: the newest version, and every version and detection that an
    /// unfinished notification names.
    fn prune(&mut self, prune: &Prune) -> Result<usize, StoreError>;
    /// Deletes blobs that no row names any more, at most `limit`; says how many.
    fn sweep(&mut self, limit: usize) -> Result<usize, StoreError>;
    /// A reader that sees every batch whose `append` has returned.
    fn reader(&self) -> Arc<dyn Reader>;
}

/// Any number of readers, on any thread. Lists are oldest first unless said otherwise; `after` is
/// exclusive; `limit` is at most 1,000.
pub trait Reader: Send + Sync {
    /// What `Kernel::load` needs.
    fn snapshot(&self) -> Result<Snapshot, StoreError>;
    fn blob(&self, id: BlobId) -> Result<Option<Arc<[u8]>>, StoreError>;
    fn sentinel(&self, id: SentinelId) -> Result<Option<SentinelRow>, StoreError>;
    fn transitions(&self, sentinel: SentinelId) -> Result<Vec<Transition>, StoreError>;
    fn source(&self, id: SourceId) -> Result<Option<SourceRow>, StoreError>;
    fn probes(&self, source: SourceId) -> Result<Vec<ProbeRow>, StoreError>;
    fn version(
        &self,
        source: SourceId,
        number: VersionNo,
    ) -> Result<Option<VersionRow>, StoreError>;
    /// Newest first, those below `before`.
    fn versions(
        &self,
        source: SourceId,
        before: Option<VersionNo>,
        limit: usize,
    ) -> Result<Vec<VersionRow>, StoreError>;
    fn detection(&self, id: DetectionId) -> Result<Option<DetectionRow>, StoreError>;
    /// Newest first, those below `before`.
    fn detections(
        &self,
        sentinel: SentinelId,
        before: Option<DetectionId>,
        limit: usize,
    ) -> Result<Vec<DetectionRow>, StoreError>;
    fn notification(&self, id: NotificationId) -> Result<Option<Row>, StoreError>;
    /// Newest first, those below `before`; of one sentinel, or of all.
    fn notifications(
        &self,
        sentinel: Option<SentinelId>,
        before: Option<NotificationId>,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError>;
    fn attempts(&self, notification: NotificationId) -> Result<Vec<Attempt>, StoreError>;
    /// Rows of a channel that are due or closed, by due time then id.
    fn due(&self, channel: ChannelId, limit: usize) -> Result<Vec<Row>, StoreError>;
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{0}")]
    Failed(String),
}
