//! The kernel's boundary: what it is told and what it asks for.

use crate::Vetted;
use crate::record::{ProbeOutcome, SentinelState, VersionFacts, VersionRow};
use address::{Contact, SourceUrl};
use change::RoundRequest;
use chronon::{BlobId, Instant, NotificationId, SentinelId, SourceId, Span, VersionNo};
use graph::{Outline, RoundId};
use outbox::{ChannelId, DeliveryResult, Key};

/// What one step gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// One atom: all durable, or none.
    pub records: Vec<crate::Record>,
    /// To be started once the records are durable.
    pub effects: Vec<Effect>,
}

/// A request of a person, to be answered by [`Effect::Answer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// Names one started effect: the epoch of the process and a number within it. A completion that
/// carries an unknown or old ticket is counted and dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    pub epoch: u64,
    pub number: u64,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The first input of a life.
    Started,
    /// Time has passed; `next_deadline` has come.
    Tick,
    /// The statements of a file, all or none, checked where nobody waits. A large file takes
    /// several steps; whoever changes names meanwhile waits for its end. After a crash between them
    /// the next start goes to its end; nobody is answered.
    Apply {
        request: RequestId,
        text: Box<Vetted>,
        mode: ApplyMode,
    },
    Remove {
        request: RequestId,
        name: Box<str>,
    },
    Enable {
        request: RequestId,
        name: Box<str>,
        enabled: bool,
    },
    /// A person asks for a probe now.
    ProbeNow {
        request: RequestId,
        source: SourceId,
    },
    /// `row` is what the store holds: rows that are done with are not in the kernel's memory.
    ReadNotification {
        request: RequestId,
        notification: NotificationId,
        row: Option<outbox::Row>,
    },
    ResendNotification {
        request: RequestId,
        notification: NotificationId,
        row: Option<outbox::Row>,
    },
    TestChannel {
        request: RequestId,
        name: Box<str>,
        contact: Option<Contact>,
    },
    BudgetSet {
        per_chronon: f64,
    },
    Fetched {
        ticket: Ticket,
        fetched: Fetched,
    },
    /// The answer to `Effect::Reextract`; `None`: the stored bytes cannot be read any more.
    Reextracted {
        ticket: Ticket,
        row: Option<Box<VersionRow>>,
    },
    Compared {
        ticket: Ticket,
        result: BlobId,
        outline: Outline,
    },
    Composed {
        ticket: Ticket,
        body: BlobId,
    },
    /// The body cannot be made, and trying again would not help.
    NotComposed {
        ticket: Ticket,
        reason: Box<str>,
    },
    Delivered {
        ticket: Ticket,
        result: DeliveryResult,
    },
    DueLoaded {
        channel: ChannelId,
        rows: Vec<outbox::Row>,
    },
}

/// What an `Apply` may do with names that exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyMode {
    /// POST: a name that exists is a conflict.
    Create,
    /// PUT: exactly one sentinel, with this name.
    Put { name: Box<str> },
    /// `tidings apply`: create or replace.
    Upsert,
}

/// What one request of a look brought, in full.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetched {
    pub outcome: FetchOutcome,
    /// Body bytes received, decompressed; for people.
    pub body_bytes: u64,
    /// Bytes of headers, and of bodies as they came; for people.
    pub wire_bytes: u64,
    pub took: Span,
}

/// The three ends of a probe (`docs/design.md`, How a probe ends), or where it goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum FetchOutcome {
    Content(Box<VersionFacts>),
    NotModified,
    /// The shell had no room to read it. Says nothing about the source: tried again like a failure,
    /// and counted as none.
    SetAside {
        reason: Box<str>,
    },
    /// A redirect, to a URL without fragment and credentials.
    Moved {
        to: Box<str>,
    },
    Failed {
        /// HTTP status, if there was an answer.
        status: Option<u16>,
        /// One sentence for people: "the server answered 503".
        reason: Box<str>,
        /// 429 and 503 hold the whole host: for this long if the server said so.
        holds_host: bool,
        retry_after: Option<Span>,
    },
}

/// What to send with a conditional request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// The final URL of the answer they came with: they ask about that resource only.
    pub url: Box<str>,
    pub etag: Option<Box<str>>,
    pub last_modified: Option<Box<str>>,
}

/// What the shell is to start.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Probe {
        ticket: Ticket,
        source: SourceId,
        /// One request, to this: where a redirect leads is told, not followed.
        url: Box<str>,
        /// The source's own: its user and password are for its own origin alone.
        source_url: SourceUrl,
        validators: Validators,
        /// How long it may take: less where the last ones failed.
        time_max: Span,
        reason: schedule::Reason,
        /// When the look began of which this is a request.
        start: Instant,
    },
    /// Extract the stored bytes of a version again, with the present extractor.
    Reextract {
        ticket: Ticket,
        source: SourceId,
        version: VersionNo,
    },
    Compare {
        ticket: Ticket,
        source: SourceId,
        round: RoundId,
        request: RoundRequest,
    },
    Compose {
        ticket: Ticket,
        notification: NotificationId,
    },
    Deliver {
        ticket: Ticket,
        notification: NotificationId,
        channel: ChannelId,
        /// The channel's name and contact, as in its row.
        name: Box<str>,
        contact: Option<Contact>,
        key: Key,
        body: BlobId,
        attempt: u32,
    },
    /// Read the channel's first due rows; answered by `DueLoaded`.
    LoadDue {
        channel: ChannelId,
        limit: u32,
    },
    /// Delete what retention no longer keeps. Not kernel state: lost on a crash, asked for again.
    Prune(Prune),
    Answer {
        request: RequestId,
        answer: Answer,
    },
    /// Something people like to see live; may be lost.
    Announce(Announcement),
}

/// The answer to a person's request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Applied(Vec<Applied>),
    /// Nothing was done; the diagnostics say why. Warnings alone do not prevent.
    Refused(Vec<sentinel::Diagnostic>),
    /// Nothing was done: a name that the text relies on has changed since it was checked. Check it
    /// again.
    Outdated,
    /// POST of a name that exists.
    Conflict {
        name: Box<str>,
    },
    /// `what` goes on after "there is no".
    NotFound {
        what: Box<str>,
    },
    Done,
    /// The request cannot be done now; a sentence says why and what to do.
    Unable(Box<str>),
    /// A channel test was queued under this id.
    Queued(NotificationId),
}

/// What became of one sentinel of an `Apply`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    pub id: SentinelId,
    pub name: Box<str>,
    pub what: AppliedWhat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppliedWhat {
    Created,
    /// Other text: a new generation.
    Replaced,
    /// Other text, but the same looks and changes are asked for: the generation goes on.
    Changed,
    /// Same canonical text: nothing happened.
    Unchanged,
}

/// A live event for dashboards and terminals (`docs/formats.md`, API).
#[derive(Debug, Clone, PartialEq)]
pub enum Announcement {
    Probe { source: SourceId, at: Instant, outcome: ProbeOutcome },
    Version { source: SourceId, version: VersionNo, at: Instant },
    Detection { sentinel: SentinelId, detection: outbox::DetectionId, at: Instant },
    Notification { notification: NotificationId, at: Instant },
    Sentinel { sentinel: SentinelId, state: SentinelState, at: Instant },
}

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
