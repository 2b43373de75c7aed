//! Facts become the body of a notification: JSON as `docs/formats.md`, Webhook. Same facts, same
//! bytes.
//!
//! Every body has all fields; what does not apply is null or empty. Beyond the example there:
//! `truncated` of the whole body, `notifications` and `notifications_total` of a digest, `note` of
//! a source's health.

mod body;
mod cut;
mod earlier;
mod summary;

pub use earlier::{hide_credentials, without_credentials};

use crate::Key;
use change::{Compared, LeafHits, LeafRef, RoundResult};
use chronon::{Instant, SentinelId};

/// The size of a body, in bytes (`docs/formats.md`, Webhook).
pub const BODY_BYTES_MAX: usize = 256 * 1024;

/// Everything a body says. Plain data, read from the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    pub key: Key,
    /// Id and name; `None` for a channel test.
    pub sentinel: Option<(SentinelId, String)>,
    pub seq: u64,
    /// The row's `closed_at`.
    pub composed_at: Instant,
    pub body: Body,
}

/// What a notification is about, by its [`crate::Kind`].
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Change(Box<ChangeFacts>),
    Digest(DigestFacts),
    Failing(HealthFacts),
    Recovered(HealthFacts),
    /// The name of the channel.
    Test {
        channel: String,
    },
}

/// One detection.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeFacts {
    pub detected_at: Instant,
    pub evidence: Vec<EvidenceFacts>,
    /// Positions in `evidence`; those outside it are ignored.
    pub combinations: Vec<Vec<LeafRef>>,
}

/// What was compared, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceFacts {
    pub source: SourceFacts,
    pub result: RoundResult,
}

impl ChangeFacts {
    /// The comparison and the leaf at a position.
    fn at(&self, place: LeafRef) -> Option<(&Compared, &LeafHits)> {
        let evidence = self.evidence.get(place.evidence as usize)?;
        let compared = evidence.result.comparisons.get(place.comparison as usize)?;
        Some((compared, compared.leaves.get(place.leaf as usize)?))
    }
}

/// A source, and the two versions of it that were compared.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceFacts {
    pub url: String,
    /// As the sentinel calls it.
    pub name: Option<String>,
    /// The newer version's, like all below that does not begin with `from_`.
    pub final_url: String,
    pub media_type: String,
    pub from_version: u32,
    pub to_version: u32,
    pub from_fetched_at: Instant,
    pub fetched_at: Instant,
    pub modified_at: Option<Instant>,
}

/// Several detections of one sentinel.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestFacts {
    /// Oldest first: key ([`crate::change_key`]), number and facts of each.
    pub notifications: Vec<(Key, u64, ChangeFacts)>,
    /// The row's `more`, and members whose facts are not stored any more.
    pub more: u64,
}

/// A source's health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthFacts {
    pub url: String,
    pub name: Option<String>,
    /// The row's `created_at`.
    pub detected_at: Instant,
    /// The row's note: "the server answered 503".
    pub note: String,
}

/// The body of a notification, at most [`BODY_BYTES_MAX`] bytes. O(size of the facts).
pub fn compose(facts: &Facts) -> Vec<u8> {
    let body = body::body(facts);
    serde_json::to_vec(&body).expect("a body is made of texts, numbers and lists, which all encode")
}
