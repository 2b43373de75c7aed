//! What a body is made from.

use crate::Presentation;
use change::{Compared, LeafHits, LeafRef, RoundResult};
use chronon::{Instant, SentinelId, Zone};

/// Everything a body says. Plain data, read from the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The idempotency key.
    pub key: Box<str>,
    /// Id and name; `None` where it is about a channel, and for what a rule tells.
    pub sentinel: Option<(SentinelId, String)>,
    pub seq: u64,
    /// How the sentinel wants its changes shown, if it says so.
    pub presentation: Option<Presentation>,
    /// The row's `closed_at`.
    pub composed_at: Instant,
    pub body: Body,
}

/// What a notification is about, by its [`crate::Kind`].
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Change(Box<ChangeFacts>),
    Rule(RuleFacts),
    Digest(DigestFacts),
    Failing(HealthFacts),
    /// A selector finds nothing.
    Missing(HealthFacts),
    /// It finds again.
    Found(HealthFacts),
    Recovered(HealthFacts),
    /// The name of the channel.
    Test {
        channel: String,
    },
    /// Another channel takes nothing, as a sentence without its end.
    Unreachable {
        note: String,
    },
}

/// One detection.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeFacts {
    pub detected_at: Instant,
    pub evidence: Vec<EvidenceFacts>,
    /// Positions in `evidence`; those outside it are ignored.
    pub combinations: Vec<Vec<LeafRef>>,
    /// What was looked at because of it.
    pub followed: Vec<FollowedFacts>,
}

/// A page that was to be looked at because something was found elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowedFacts {
    pub url: String,
    pub name: Option<String>,
    pub came: CameFacts,
}

/// What came of the look.
#[derive(Debug, Clone, PartialEq)]
pub enum CameFacts {
    Held(Box<HeldFacts>),
    /// Nothing between these times, for this reason.
    Missed {
        start: Instant,
        finish: Instant,
        reason: String,
    },
}

/// What such a page held.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldFacts {
    pub version: u32,
    /// When it was looked at.
    pub at: Instant,
    pub final_url: String,
    pub media_type: String,
    pub title: Option<String>,
    /// The beginning of its text.
    pub text: String,
}

/// What was compared, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceFacts {
    pub source: SourceFacts,
    pub result: RoundResult,
}

impl ChangeFacts {
    /// The comparison and the leaf at a position.
    pub(crate) fn at(&self, place: LeafRef) -> Option<(&Compared, &LeafHits)> {
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

/// What a rule waited for occurred.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleFacts {
    pub rule: String,
    /// What did not happen, where the rule waits for that: "wire".
    pub absent: Option<String>,
    /// Whose clock its times are told by.
    pub zone: Zone,
    pub detected_at: Instant,
    /// In order of time.
    pub parts: Vec<PartFacts>,
}

/// Something that took part in it.
#[derive(Debug, Clone, PartialEq)]
pub struct PartFacts {
    pub at: Instant,
    pub happened: Happened,
}

/// What happened, and to what: names as people gave them.
#[derive(Debug, Clone, PartialEq)]
pub enum Happened {
    Found {
        sentinel: (SentinelId, String),
        /// Nothing where it is not stored any more.
        found: Option<Box<Member>>,
    },
    Started(String),
    Ended(String),
    Fetched(String),
    Failed(String),
    Raised(String),
    Clock,
}

/// Several detections of one sentinel or rule.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestFacts {
    /// Oldest first.
    pub notifications: Vec<Member>,
    /// The row's `more`, and members whose facts are not stored any more.
    pub more: u64,
}

/// A detection in a digest.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The key it has on its own.
    pub key: Box<str>,
    pub seq: u64,
    pub what: MemberFacts,
}

/// What a detection found.
#[derive(Debug, Clone, PartialEq)]
pub enum MemberFacts {
    Change(ChangeFacts),
    Rule(RuleFacts),
}

impl MemberFacts {
    pub(crate) fn detected_at(&self) -> Instant {
        match self {
            MemberFacts::Change(facts) => facts.detected_at,
            MemberFacts::Rule(facts) => facts.detected_at,
        }
    }
}

/// A source's health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthFacts {
    pub url: String,
    pub name: Option<String>,
    /// What the page called itself when it was last seen.
    pub title: Option<String>,
    /// The row's `created_at`.
    pub detected_at: Instant,
    /// The row's note: "the server answered 503".
    pub note: String,
}
