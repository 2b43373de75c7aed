//! Who is probed when.
//!
//! Comes in: [`Event`]s, demands on sources and what probes found. Goes out: [`Pick`]s, the probes
//! of this chronon, best first, each with its reason; one [`SourceRecord`] per source whose
//! learned state changed, and a [`WeekRecord`] of all. The kernel, the simulator, the laboratory
//! and the crate `policies` call it. Promises: pure and deterministic for a seed; budget and
//! politeness are hard limits; depends only on `chronon`.
//!
//! Start reading at [`Scheduler`]; what a probe is worth is in `value`, and at which hours in
//! `week`, on the [`pattern`] that sources share. [`rate`] learns how often something changes;
//! [`forecast`] works out what a budget buys; [`spread`] says when looks that come again and again
//! begin. Three parts are asked by policies of the crate `policies` alone so far: [`worth`],
//! [`company`] and [`plan`].
//!
//! One rule runs through all: what *time* brings (an interval that passes, an EI that opens) takes
//! effect at the start of a chronon; what an *event* brings (somebody asks, a probe ends) takes
//! effect at once. A host's bucket fills when it fills, which is the start of a chronon where its
//! interval is a number of chronons.

#![warn(missing_docs)]

mod ahead;
mod bucket;
mod budget;
mod chance;
mod class;
pub mod company;
mod config;
mod daily;
mod dates;
mod eis;
mod experience;
mod floor;
pub mod forecast;
mod grid;
mod hours;
pub mod invariant;
mod keepers;
mod kin;
mod level;
mod lists;
mod measured;
mod memos;
mod onward;
mod outlook;
mod own;
mod pages;
mod pairing;
pub mod pattern;
pub mod plan;
mod price;
mod radix;
pub mod rate;
mod ready;
mod roster;
mod rows;
mod scheduler;
mod source;
mod sparse;
pub mod spread;
#[cfg(test)]
mod tests;
mod thrift;
mod urgency;
mod value;
mod week;
pub mod worth;

pub use class::Kind;
pub use config::{Config, ConfigError};
pub use eis::CEI_EIS_MAX;
pub use experience::Experience;
pub use measured::Measured;
pub use scheduler::Scheduler;
pub use week::WeekRecord;

use chronon::{HostId, Instant, SourceId, Span};

/// Names an execution interval; chosen by the caller, unique among live ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EiId(pub u64);

/// Names a complex execution interval; chosen by the caller, unique among live ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CeiId(pub u64);

/// What the scheduler is told.
#[derive(Debug, Clone, PartialEq)]
// The fields are named after what they hold.
#[allow(missing_docs)]
pub enum Event {
    /// A source to watch. `prior` is its learned state of an earlier life, if any. A source is
    /// probed once soon after it is added (its baseline) whenever it has a weight.
    SourceAdded { source: SourceId, host: HostId, prior: Option<SourceRecord> },
    /// What a source shows, known from its first look on: a [`Kind::Page`] until then. Sources of
    /// a kind, and those of a host, tell what a new one may be like.
    KindKnown { source: SourceId, kind: Kind },
    /// A source is no longer watched; its EIs and its learned state are forgotten.
    SourceRemoved { source: SourceId },
    /// The freshness demand: the sum of the weights of the active on-change sentinels. 0: none.
    Weight { source: SourceId, weight: f64 },
    /// What one probe of it takes of the budget; 1 unless told otherwise. One that costs more than
    /// a chronon's budget must be saved for, and is while nobody comes first who is worth more by
    /// then: of rare and very dear probes a few in a hundred are put off so.
    Cost { source: SourceId, cost: f64 },
    /// Probe this source as soon as budget and politeness allow (a person asks, or a baseline).
    Asked { source: SourceId },
    /// While held, a source gets no probes (too many rounds are waiting).
    SourceHeld { source: SourceId, held: bool },
    /// A source must be probed in [start, finish]. EIs of one `cei` are captured together or not at
    /// all: when one is missed, the rest is dropped. Capturing the whole is worth `utility`.
    /// `ei` is for the reader of the events: the scheduler itself knows an EI by its CEI.
    EiAdded {
        ei: EiId,
        cei: CeiId,
        source: SourceId,
        start: Instant,
        finish: Instant,
        utility: f64,
    },
    /// The CEI's remaining EIs are no longer wanted.
    CeiDropped { cei: CeiId },
    /// A picked probe ended. It captures every active EI of its source iff it succeeded. Where it
    /// changed, `found` is how many items came, 0 if that is not known, and `times` says when, as
    /// far as the content tells. Times that cannot be are left out; those of a source that is
    /// often wrong count for nothing, and nor does what it `found`.
    Probed { source: SourceId, start: Instant, outcome: Outcome, found: u32, times: Vec<Instant> },
    /// Requests beyond the first that a probe made: redirect hops, robots.txt. A debt of tokens.
    HostUsed { host: HostId, requests: u32 },
    /// The look of a source that is in flight goes on at `host`: a redirect led there. It waits
    /// for a token, in turn with the looks of the host's own sources, and holds no place in flight
    /// meanwhile; [`Scheduler::take_onward`] says when it is asked.
    Moved { source: SourceId, host: HostId },
    /// From the next pick on, whether the looks of a source begin elsewhere than at its own host.
    /// Then a pick takes nothing but budget, and waits for [`Event::Moved`].
    BeginsElsewhere { source: SourceId, elsewhere: bool },
    /// The probes allowed per chronon, overall, from now on.
    BudgetSet { per_chronon: f64 },
    /// A host's own politeness from now on.
    HostLimitSet { host: HostId, interval: Span, in_flight: u32 },
    /// No probes to this host until then (429, 503).
    HostHeld { host: HostId, until: Instant },
    /// No requests to this host until then for looks that redirects lead there.
    RedirectsHeld { host: HostId, until: Instant },
    /// No probes of this source until then.
    SourcePaused { source: SourceId, until: Instant },
}

/// How a probe ended, as far as the scheduler cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A version whose changes its sentinels would be told of (the first one does not count).
    Changed,
    /// Content or not modified, and nothing to tell.
    Unchanged,
    /// It brought no answer to compare.
    Failed,
    /// The probe brought an answer that only a second look can tell the meaning of. It captures
    /// nothing and is tried again as after a failure, but does not count as one.
    Doubtful,
    /// The answer could not be taken in, for reasons of our own: the probe captures nothing, is
    /// tried again within minutes, and says nothing about the source.
    SetAside,
}

/// One probe to start now.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    /// Whom.
    pub source: SourceId,
    /// Why.
    pub reason: Reason,
}

/// Why a source is probed now, or next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// The fields are named after what they hold.
#[allow(missing_docs)]
pub enum Reason {
    /// Nothing is known of it yet.
    Baseline,
    /// Somebody asked.
    Asked,
    /// An interval that ends at `finish` needs it.
    Deadline { finish: Instant },
    /// Something may have changed in the `interval` since it was looked at.
    Freshness { interval: Span },
    /// The last probe failed; this is another try.
    Retry { failures: u32 },
    /// The last answer was doubtful.
    SecondLook,
}

/// Learned state of one source, one row; opaque to all but this crate and the store's columns.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceRecord {
    /// Whose.
    pub source: SourceId,
    /// How often it changes.
    pub learned: rate::Learner,
    /// How much better the pattern of the week foretold its changes than chance: a sum of
    /// logarithms.
    pub score: f32,
    /// When the last probe started.
    pub last_probe: Option<Instant>,
    /// When the last one that succeeded started.
    pub last_success: Option<Instant>,
    /// Failures since then, and answers that were doubtful.
    pub failures: u32,
    /// Probes so far.
    pub probes: u64,
    /// Probes so far that found a change.
    pub changes: u64,
    /// When the last changes came and with whom: up to 37 cells of 6 bytes, and then 75 bytes of
    /// its own hours and weekdays, if it has any. What cannot be read counts as nothing known.
    pub company: Vec<u8>,
    /// Finds whose times were right, and wrong: four bits each.
    pub dates: u8,
}

impl SourceRecord {
    /// The record of a source of which this much was `learned` in `probes` probes, the last one at
    /// `last`, with success.
    #[must_use]
    pub fn known(
        source: SourceId,
        learned: rate::Learner,
        probes: u64,
        last: Instant,
    ) -> SourceRecord {
        let last = Some(last);
        SourceRecord {
            source,
            learned,
            score: 0.0,
            last_probe: last,
            last_success: last,
            failures: 0,
            probes,
            changes: 0,
            company: Vec::new(),
            dates: 0,
        }
    }
}

/// What the scheduler expects of a source, and what it is worth; for people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    /// Changes a second, above 0; a guess while it has not [`answered`](Expectation::answered).
    pub per_second: f64,
    /// Whether a probe of it ever succeeded.
    pub answered: bool,
    /// Freshness wants no probe sooner than this after the last one, which may have failed.
    pub interval: Span,
    /// The chance that a probe succeeds, above 0, at most 1.
    pub success: f64,
    /// What a probe would bring now, in item-seconds per unit of cost.
    pub worth: f64,
    /// [`Scheduler::price`], in the same unit: what is worth less waits.
    pub price: f64,
}

/// When a source will be looked at next, and why; for people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// `None`: in flight, held, or nothing wants it.
    pub due: Option<Instant>,
    /// What it will be probed for.
    pub reason: Option<Reason>,
    /// What stands in the way, if it is already due; the budget, if it would be but for that; a
    /// pause that the host asked for and that ends later than it is due.
    pub waits_for: Option<Obstacle>,
}

/// What keeps a due source from being probed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// The fields are named after what they hold.
#[allow(missing_docs)]
pub enum Obstacle {
    /// A probe of it is under way.
    InFlight,
    /// The budget of this chronon is spent, or others come first.
    Budget,
    /// The host's bucket is empty until then.
    Politeness { until: Instant },
    /// The host asked for a pause until then.
    HostHeld { until: Instant },
    /// The source's rounds are still being compared.
    Rounds,
}
