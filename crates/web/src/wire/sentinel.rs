//! Sentinels, as the API shows them.

use super::{Next, SourceRef, Time, some_text};
use crate::trouble::Trouble;
use crate::words::{self, Wall};
use kernel::view::SentinelView;
use serde::Serialize;
use utoipa::ToSchema;

/// A sentinel as it stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Sentinel {
    pub(crate) id: u64,
    pub(crate) name: String,
    /// `pending`, `active`, `disabled` or `ended`.
    pub(crate) state: &'static str,
    /// Since when it hears; null before.
    since: Option<Time>,
    /// When it ended or will end; null where no end is known.
    until: Option<Time>,
    /// When it begins, if it has not; null where that is not known either.
    begins: Option<Time>,
    /// Counts definitions under this name.
    generation: u32,
    /// Canonical text.
    text: String,
    /// As they were written, in order without case.
    tags: Vec<String>,
    /// The first of its sources.
    source: SourceRef,
    /// All of them, in the order written.
    sources: Vec<SourceRef>,
    /// Where its sources are captured together: since the start of the server.
    captures: Option<Captures>,
    created_at: Time,
    defined_at: Time,
    /// Notifications so far.
    notifications: u64,
    /// `well`, `new`, `doubtful`, `failing`, or `idle` where it is not active.
    health: &'static str,
    /// What is wrong with it, and what to do; null where it works.
    trouble: Option<Trouble>,
    /// Why its last round was not evaluated; null if it was.
    not_evaluated: Option<String>,
    /// Looks missed since the server started, and why the last one.
    missed: u64,
    missed_why: Option<String>,
    next: Next,
    /// When its looks come, if it says how often; else null.
    looks: Option<Looks>,
    /// What it finds is told then, as one digest; null: in its own time.
    snoozed_until: Option<Time>,
    /// Somebody removed it, and it is gone then; null: it stays.
    gone_at: Option<Time>,
}

/// Looks at several sources that count together or not at all.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Captures {
    complete: u64,
    /// An interval of one source passed without an answer.
    void: u64,
}

/// Looks that come again and again.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Looks {
    /// Where the next interval begins, or the one that is open began.
    next: Time,
    /// From one to the next: "10 min".
    every: String,
    /// How long each interval lasts.
    within: String,
}

impl Looks {
    fn of(looks: &kernel::view::Looks) -> Looks {
        Looks {
            next: Time(looks.next),
            every: words::lasting(looks.period.nominal().as_secs_f64()),
            within: words::lasting(looks.slack.as_secs_f64()),
        }
    }
}

impl Sentinel {
    pub(crate) fn in_trouble(self, trouble: Option<Trouble>) -> Sentinel {
        Sentinel { trouble, ..self }
    }

    /// With its text in full: for those who may see that.
    pub(crate) fn with_secrets(self, view: &SentinelView) -> Sentinel {
        Sentinel { text: view.row.text.reveal().to_owned(), ..self }
    }

    pub(crate) fn of(view: &SentinelView, url: &str, wall: &Wall) -> Sentinel {
        let (row, life) = (&view.row, &view.life);
        Sentinel {
            id: row.id.0,
            name: row.name.to_string(),
            state: life.state.name(),
            since: life.since.map(Time),
            until: life.until.or(view.ends).map(Time),
            begins: view.begins.map(Time),
            generation: row.generation,
            text: row.text.shown().into_owned(),
            tags: view.tags.iter().map(ToString::to_string).collect(),
            source: SourceRef { id: row.source.0, url: url.to_owned() },
            sources: (row.sources().zip(&view.urls))
                .map(|(id, url)| SourceRef { id: id.0, url: url.to_string() })
                .collect(),
            captures: view
                .captures
                .map(|captures| Captures { complete: captures.complete, void: captures.void }),
            created_at: Time(row.created_at),
            defined_at: Time(row.defined_at),
            notifications: life.seq,
            health: view.health.name(),
            trouble: None,
            not_evaluated: some_text(&life.not_evaluated),
            missed: view.missed,
            missed_why: view.missed_why.map(|why| why.said().to_owned()),
            next: Next::of_sentinel(view, wall),
            looks: view.looks.as_ref().map(Looks::of),
            snoozed_until: life.snoozed.filter(|&until| until > wall.now).map(Time),
            gone_at: life.going.map(Time),
        }
    }
}

/// A sentinel with its history of states.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SentinelInFull {
    #[serde(flatten)]
    pub(crate) sentinel: Sentinel,
    /// The last 100 changes of state, oldest first.
    pub(crate) transitions: Vec<Transition>,
}

/// A change of state.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Transition {
    at: Time,
    state: &'static str,
    /// `user` or `time`.
    cause: &'static str,
}

impl From<&kernel::record::Transition> for Transition {
    fn from(transition: &kernel::record::Transition) -> Transition {
        Transition {
            at: Time(transition.at),
            state: transition.state.name(),
            cause: transition.cause.name(),
        }
    }
}
