//! What people are answered, and what they see live.

use crate::record::{ProbeOutcome, SentinelState};
use chronon::{Instant, NotificationId, RuleId, SentinelId, SourceId, VersionNo};

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
    /// Budget or politeness does not allow it before then; `NEVER`: not at all.
    Later(Instant),
    /// A channel test was queued under this id.
    Queued(NotificationId),
}

/// Something that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Sentinel(SentinelId),
    Rule(RuleId),
}

/// What became of one statement of an `Apply`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    pub id: Subject,
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
    Probe {
        source: SourceId,
        /// As a log may keep it.
        address: Box<str>,
        at: Instant,
        outcome: ProbeOutcome,
    },
    Version {
        source: SourceId,
        version: VersionNo,
        at: Instant,
    },
    Detection {
        sentinel: SentinelId,
        detection: outbox::DetectionId,
        at: Instant,
    },
    Notification {
        notification: NotificationId,
        at: Instant,
    },
    Sentinel {
        sentinel: SentinelId,
        state: SentinelState,
        at: Instant,
    },
    /// A rule was carried out.
    Rule {
        rule: RuleId,
        at: Instant,
    },
}
