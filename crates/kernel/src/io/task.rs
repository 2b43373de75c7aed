//! What workers are to start.

use super::Ticket;
use address::{Contact, SourceUrl};
use change::RoundRequest;
use chronon::{BlobId, DetectionId, Instant, NotificationId, SourceId, Span, VersionNo};
use graph::RoundId;
use outbox::{ChannelId, Key};
use page::View;

/// What a worker is to start, by the worker that does it.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Ends in [`super::Done::Fetched`].
    Probe(Probe),
    /// Ends in [`super::Done::Delivered`].
    Deliver(Delivery),
    Compute(Computation),
}

/// One request, to `url`: where a redirect leads is told, not followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    pub ticket: Ticket,
    pub source: SourceId,
    pub url: Box<str>,
    /// The source's own: its user and password are for its own origin alone.
    pub source_url: SourceUrl,
    pub validators: Validators,
    /// How long it may take: less where the last ones failed.
    pub time_max: Span,
    pub reason: schedule::Reason,
    /// When the look began of which this is a request.
    pub start: Instant,
    /// What to extract of the answer besides the whole page.
    pub views: Vec<View>,
}

/// What to send with a conditional request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// The final URL of the answer they came with: they ask about that resource only.
    pub url: Box<str>,
    pub etag: Option<Box<str>>,
    pub last_modified: Option<Box<str>>,
}

/// One attempt to deliver a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    pub ticket: Ticket,
    pub notification: NotificationId,
    pub channel: ChannelId,
    /// The channel's name and contact, as in its row.
    pub name: Box<str>,
    pub contact: Option<Contact>,
    pub key: Key,
    pub body: BlobId,
    pub attempt: u32,
}

/// What a rule's condition asks of what sentinels found.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub tests: Vec<TextTest>,
    /// In order of time.
    pub detections: Vec<DetectionId>,
}

/// One test.
#[derive(Debug, Clone, PartialEq)]
pub enum TextTest {
    /// A change that was found has a text that the regular expression matches.
    Matches(String),
    /// The number that was read last is so.
    Value(sentinel::ast::rule::Operator, f64),
}

/// Pure work over what the store holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Computation {
    /// Extract the stored bytes of a version again, with the present extractor.
    Reextract {
        ticket: Ticket,
        source: SourceId,
        version: VersionNo,
    },
    /// Look for views in the stored bytes of a version; ends in [`super::Done::Seen`].
    Look {
        ticket: Ticket,
        source: SourceId,
        version: VersionNo,
        views: Vec<View>,
    },
    Compare {
        ticket: Ticket,
        source: SourceId,
        round: RoundId,
        request: RoundRequest,
    },
    /// Look for what a rule's condition asks of stored texts; ends in [`super::Done::Judged`].
    Judge {
        ticket: Ticket,
        question: Question,
    },
    Compose {
        ticket: Ticket,
        notification: NotificationId,
    },
    /// Read the channel's first due rows; answered by [`super::Input::DueLoaded`].
    LoadDue {
        channel: ChannelId,
        limit: u32,
    },
}
