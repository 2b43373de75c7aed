//! The Store trait, the in-memory store, and the conformance suite every store passes.
//!
//! Comes in: batches of [`Record`]s with the blobs they name. Goes out: the kernel's [`Snapshot`]
//! at start, and rows for people. The shells (`tidings`, `sim`) write through the one [`Store`];
//! anybody reads through a [`Reader`]; who may come in is kept through an [`Access`]. Promises: a
//! batch is durable whole or not at all when `append` returns; blobs are content-addressed; a
//! record never names a blob that is not stored (I-STORED); readers never wait for the writer.
//!
//! Start reading at [`Store`].

mod access;
mod acquaintance;
#[expect(clippy::unwrap_used, reason = "a suite of tests panics where a test does")]
pub mod conformance;
mod failures;
pub mod memory;
mod named;

pub use access::{
    Access, FeedOf, FeedRow, Holder, MadeChannel, Scope, SessionRow, TokenRow, Upgrade,
};
pub use acquaintance::{Acquaintance, Looks};
pub use failures::failures;
pub use memory::MemoryStore;
pub use named::named_blobs;

use chronon::{BlobId, NotificationId, RuleId, SentinelId, SourceId, VersionNo};
use kernel::io::Prune;
use kernel::record::{
    HabitsRow, Meta, ProbeRow, RuleRow, SentinelRow, Snapshot, SourceRow, Transition, VersionRow,
};
use kernel::{Definitions, Record};
use outbox::{Attempt, ChannelId, ChannelRow, Detection, DetectionId, Row};
use page::Extract;
use std::sync::Arc;

/// Probes kept per source: a ring, by `number` modulo this.
pub const PROBES_KEPT: u64 = 100;
/// Quiet things of one source that are told all the same; no more are taken.
pub const LOUD_KEPT: usize = 100;
/// Changes of state kept per sentinel: the last ones.
pub const TRANSITIONS_KEPT: usize = 100;
/// Attempts kept per notification: a ring, by `number` modulo this. A day of retries is 34.
pub const ATTEMPTS_KEPT: u32 = 50;
/// Due rows of each channel in a [`Snapshot`].
pub const DUE_ROWS_LOADED: usize = 100;
/// Rows in one answer of a list, whatever was asked for.
pub const LIST_ROWS_MAX: usize = 1_000;
/// Bytes of the largest blob a store takes.
pub const BLOB_BYTES_MAX: usize = 64 << 20;

/// Bytes and their name.
pub type Blob = (BlobId, Arc<[u8]>);

/// Names bytes by their BLAKE3 hash.
pub fn blob(bytes: Vec<u8>) -> Blob {
    (blob_id(&bytes), bytes.into())
}

/// The name of bytes.
pub fn blob_id(bytes: &[u8]) -> BlobId {
    BlobId(*blake3::hash(bytes).as_bytes())
}

/// Whole steps that become durable together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    pub records: Vec<Record>,
    /// Bytes of blobs that records of this batch name. A blob that is stored already is skipped,
    /// and so is one that no record of the batch names (a completion the kernel dropped).
    pub blobs: Vec<Blob>,
}

/// The one writer.
pub trait Store: Send {
    /// Makes a batch durable: whole, or not at all. After an error the same batch may be given
    /// again, even if it had become durable: records are idempotent.
    ///
    /// # Errors
    /// [`StoreError::MissingBlob`] and [`StoreError::WrongBlob`] are mistakes of the caller and
    /// will come again; the others may pass.
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError>;
    /// Deletes what nothing needs any more. Kept in any case: every version and detection that an
    /// unfinished notification names (its members are detections of its own sentinel).
    ///
    /// [`Prune::Source`]: versions and detections; says how many versions. Kept, besides what
    /// `prune` names: the newest version. A detection that rests on the source goes when it is
    /// older than `before`, or a newer version of the source that it names is gone.
    ///
    /// [`Prune::Finished`]: notifications with their attempts, and detections whose sentinel, or
    /// every source, is gone; says how many of both. Looks at no more than `limit` of each, and
    /// goes on after them at the next call, even if the store was opened again; after the last it
    /// begins anew. Notifications without a sentinel, or whose sentinel is gone, go by age alone.
    /// Kept in any case: the notification with the highest id.
    fn prune(&mut self, prune: &Prune) -> Result<usize, StoreError>;
    /// Deletes blobs that no row names any more, at most `limit`; says how many. Versions of
    /// sources that are gone are deleted first, except those an unfinished notification names.
    fn sweep(&mut self, limit: usize) -> Result<usize, StoreError>;
    /// A reader that sees every batch whose `append` has returned.
    fn reader(&self) -> Arc<dyn Reader>;
    /// Who may come in, kept in the same place.
    fn access(&self) -> Arc<dyn Access>;
}

/// Any number of readers, on any thread. Lists are oldest first unless said otherwise; `after` and
/// `before` are exclusive; `limit` is at most [`LIST_ROWS_MAX`].
pub trait Reader: Send + Sync {
    /// What `Kernel::load` needs: one moment of the store, each list by id.
    fn snapshot(&self) -> Result<Snapshot, StoreError>;
    /// What has a name, without all that a kernel needs to go on.
    fn definitions(&self) -> Result<Definitions, StoreError> {
        self.snapshot().map(Definitions::from)
    }
    fn meta(&self) -> Result<Meta, StoreError>;
    fn blob(&self, id: BlobId) -> Result<Option<Arc<[u8]>>, StoreError>;
    /// The extract that a stored version names; `None`: it is gone, or no extract any more.
    fn extract(&self, id: BlobId) -> Result<Option<Arc<Extract>>, StoreError> {
        let bytes = self.blob(id)?;
        Ok(bytes.and_then(|bytes| page::decode(&bytes).ok()).map(Arc::new))
    }
    /// An extract that is about to be stored, and to be compared with the one before. A reader may
    /// keep it, so that it is not decoded for that.
    fn expect_extract(&self, _: BlobId, _: &Arc<Extract>) {}
    fn sentinel(&self, id: SentinelId) -> Result<Option<SentinelRow>, StoreError>;
    fn rule(&self, id: RuleId) -> Result<Option<RuleRow>, StoreError>;
    fn transitions(&self, sentinel: SentinelId) -> Result<Vec<Transition>, StoreError>;
    fn source(&self, id: SourceId) -> Result<Option<SourceRow>, StoreError>;
    fn probes(&self, source: SourceId) -> Result<Vec<ProbeRow>, StoreError>;
    /// What is learned of the source's pages.
    fn habits(&self, source: SourceId) -> Result<Option<HabitsRow>, StoreError>;
    /// What people said of the source: what is told although it is quiet, and what is noise; by
    /// key, at most [`LOUD_KEPT`].
    fn loud(&self, source: SourceId) -> Result<Vec<change::Key>, StoreError>;
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
    fn detection(&self, id: DetectionId) -> Result<Option<Detection>, StoreError>;
    /// Newest first, those below `before`.
    fn detections(
        &self,
        sentinel: SentinelId,
        before: Option<DetectionId>,
        limit: usize,
    ) -> Result<Vec<Detection>, StoreError>;
    fn channel(&self, id: ChannelId) -> Result<Option<ChannelRow>, StoreError>;
    fn notification(&self, id: NotificationId) -> Result<Option<Row>, StoreError>;
    /// Newest first, those below `before`; of one sentinel, or of all.
    fn notifications(
        &self,
        sentinel: Option<SentinelId>,
        before: Option<NotificationId>,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError>;
    fn attempts(&self, notification: NotificationId) -> Result<Vec<Attempt>, StoreError>;
    /// Rows of a channel that are due or closed, by due time then id; a closed row counts as due
    /// when it closed.
    fn due(&self, channel: ChannelId, limit: usize) -> Result<Vec<Row>, StoreError>;
    /// The unfinished row of a channel that was tried last, the first of several at one time.
    fn tried_last(&self, channel: ChannelId) -> Result<Option<Row>, StoreError>;
}

/// What can go wrong: a sentence for people that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Nothing was written; the same batch can be given again.
    #[error("the disk is full ({0}); free some space")]
    Full(String),
    #[error("the store cannot be written ({0}); check the owner and mode of the data directory")]
    ReadOnly(String),
    #[error("the store is in use by another process ({0}); stop it, or ask it through its API")]
    Busy(String),
    #[error(
        "{path} was written by a newer Tidings (format {found}, this one knows {known}); install \
         that version, or restore a backup from before the upgrade"
    )]
    Newer { path: String, found: i64, known: i64 },
    /// Nothing was changed.
    #[error(
        "the store changes its format, and the copy made before that, {copy}, failed: {said}; make \
         room beside the store ({mib} MiB) and start again, nothing was changed"
    )]
    NotCopied { copy: String, said: String, mib: u64 },
    #[error("{0} is not a Tidings store; choose another data directory")]
    Foreign(String),
    #[error(
        "the store is damaged ({0}); restore the last backup, or run `tidings repair`: it keeps \
         what can be read and sets the rest aside"
    )]
    Damaged(String),
    /// A record names a blob that is neither stored nor in the batch.
    #[error("a record names blob {0}, which is neither stored nor in the batch")]
    MissingBlob(BlobId),
    /// The bytes do not hash to the id they came under, or there are too many of them.
    #[error("blob {0} came with bytes that do not belong to it, or more than 64 MiB of them")]
    WrongBlob(BlobId),
    #[error("the store failed: {0}")]
    Failed(String),
}
