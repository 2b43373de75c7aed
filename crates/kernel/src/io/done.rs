//! What tasks ended in.

use crate::record::{HabitsRow, VersionFacts, VersionRow};
use change::Breaks;
use chronon::{BlobId, Instant, Span};
use graph::Outline;
use outbox::DeliveryResult;
use page::View;

/// What a task ended in.
#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    Fetched(Fetched),
    /// `None`: the stored bytes cannot be read any more.
    Reextracted(Option<Box<VersionRow>>),
    /// The views that show nothing, of those that were to be looked for.
    Seen(Missing),
    /// And what is learned of the source's pages, if anything.
    Compared(Outline, Option<HabitsRow>),
    /// Which tests of a [`super::Question`] hold, in their order.
    Judged(Vec<bool>),
    Composed {
        body: BlobId,
    },
    /// The body cannot be made, and trying again would not help.
    NotComposed {
        reason: Box<str>,
    },
    Delivered(DeliveryResult),
}

/// What else content shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// The views that show nothing, among those that were asked for.
    pub missing: Missing,
    /// Times at which the content says that it changed, oldest first: those of entries, and what
    /// selectors found. At most [`page::DATES_MAX`].
    pub dates: Vec<Instant>,
    /// How the source is odd like that by habit: a second look is no proof that it is what the
    /// source has become.
    pub breaks: Option<Breaks>,
}

/// Views that show nothing, each with a sentence that says why.
pub type Missing = Vec<(View, Box<str>)>;

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

/// Where a request led: the probe is over, or goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum FetchOutcome {
    Over(ProbeEnd),
    /// A redirect, to a URL without fragment and credentials.
    Moved {
        to: Box<str>,
    },
}

impl From<ProbeEnd> for FetchOutcome {
    fn from(end: ProbeEnd) -> FetchOutcome {
        FetchOutcome::Over(end)
    }
}

/// The ends of a probe (`docs/design.md`, How a probe ends).
#[derive(Debug, Clone, PartialEq)]
pub enum ProbeEnd {
    Content(Box<VersionFacts>, Shown),
    NotModified,
    /// The shell had no room to read it. Says nothing about the source: tried again like a failure,
    /// and counted as none.
    SetAside {
        reason: Box<str>,
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
