//! What people may ask of the live state; nothing of it changes anything.

use crate::record::{RuleLife, RuleRow, SentinelLife, SentinelRow, SourceRow};
use chronon::{Instant, Period, SentinelId, Span, Zone};
use schedule::{Expectation, Obstacle, Outlook};

/// A source as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceView {
    pub row: SourceRow,
    pub outlook: Outlook,
    /// What the scheduler has learned.
    pub learned: schedule::SourceRecord,
    /// What it expects from that.
    pub expected: Expectation,
    /// How late it was found out what changed, where that had a time; since the process began.
    pub measured: schedule::Measured,
    /// Sum of the weights of the active on-change sentinels.
    pub weight: f64,
    /// The first of those that watch it, and how many there are.
    pub sentinels: Vec<SentinelId>,
    pub sentinels_total: usize,
    pub waiting_rounds: u32,
}

/// A sentinel as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct SentinelView {
    pub row: SentinelRow,
    /// The addresses of its sources, in the order written, without user and password.
    pub urls: Vec<Box<str>>,
    pub life: SentinelLife,
    /// As they were written, in order without case.
    pub tags: Box<[Box<str>]>,
    /// When its source will be looked at next; nothing for one that is not active.
    pub outlook: Outlook,
    /// Nothing for one that leaves it to the server, or is not active.
    pub looks: Option<Looks>,
    /// Execution intervals of its stream missed since the start of this process, and why the last.
    pub missed: u64,
    pub missed_why: Option<Missed>,
    pub health: Health,
    /// The worst channel of it by which nothing arrives.
    pub mute: Option<Mute>,
    /// When it begins, if it has not and that is known.
    pub begins: Option<Instant>,
    /// When it ends, if it does and that is known.
    pub ends: Option<Instant>,
    /// Where its sources are captured together.
    pub captures: Option<Captures>,
}

/// A channel by which nothing arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mute {
    /// As it may be shown: `email ana@example.org`.
    pub channel: Box<str>,
    pub silence: Silence,
    /// Why; empty where that is not known any more.
    pub why: Box<str>,
    /// Other channels of the sentinel that are no better.
    pub others: usize,
}

/// What is wrong with a channel, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Silence {
    /// Nothing can be sent by it as things are.
    Unable,
    /// The recipient wants no more: it is disabled.
    Disabled,
    /// Nothing has arrived since, however often it was tried.
    Failing(Instant),
}

/// Captures of several sources since the start of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captures {
    pub complete: u64,
    /// An interval of one source passed without an answer.
    pub void: u64,
}

/// Whether a sentinel works, as far as its source, its last round and its channels say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// Looks fail again and again, the page was never seen, or the last round could not be
    /// evaluated. Or one of its channels can send nothing, or takes no more.
    Failing,
    /// The last look failed, the last answer is held, or nothing arrives by one of its channels.
    Doubtful,
    /// Nobody has looked yet.
    New,
    Well,
    /// It is not active.
    Idle,
}

impl Health {
    /// As the API says it.
    pub fn name(self) -> &'static str {
        match self {
            Health::Failing => "failing",
            Health::Doubtful => "doubtful",
            Health::New => "new",
            Health::Well => "well",
            Health::Idle => "idle",
        }
    }
}

pub use crate::kernel::{Mark, WatchLine};

/// The looks of a sentinel that says how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Looks {
    /// Where the next interval begins, or the one that is open and not captured began.
    pub next: Instant,
    pub period: Period,
    pub slack: Span,
    pub zone: Zone,
}

/// Looks that belong together: to the scheduler one thing, worth nothing once one is missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// The sentinel that they are for; nothing where a rule wants them.
    pub sentinel: Option<Box<str>>,
    pub start: Instant,
    pub finish: Instant,
    /// The addresses of those that are made, as far as that is known, and of the others.
    pub made: Vec<Box<str>>,
    pub waits_for: Vec<Box<str>>,
}

/// Why an execution interval passed without a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// The last probe failed.
    Failed,
    /// The last answer was doubtful, and no second look showed what it meant.
    Doubtful,
    /// This stood in the way when it ended.
    Waited(Obstacle),
    /// It was over before anything could be done: shorter than what stands in the way usually.
    TooShort,
}

impl Missed {
    /// What happened, as a clause for people.
    pub fn said(&self) -> &'static str {
        match self {
            Missed::Failed => "the page could not be read",
            Missed::Doubtful => "the answer was doubtful, and no second look explained it",
            Missed::Waited(Obstacle::InFlight) => "another look took too long",
            Missed::Waited(Obstacle::Budget) => "the budget went to other looks",
            Missed::Waited(Obstacle::Politeness { .. }) => "its host could not be asked so soon",
            Missed::Waited(Obstacle::HostHeld { .. }) => "its host had asked for a pause",
            Missed::Waited(Obstacle::Rounds) => "its last versions were still being compared",
            Missed::TooShort => "the time passed before its turn came; write a longer `within`",
        }
    }
}

/// How the budget and the limits are used.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetView {
    pub chronon: Span,
    pub per_chronon: f64,
    /// Probes started in each of the last 60 chronons, oldest first.
    pub recent: Vec<u32>,
    pub probes_in_flight: u32,
    pub probes_in_flight_max: u32,
    pub comparisons_in_flight: u32,
    pub deliveries_in_flight: u32,
    /// Unfinished notifications, and what became of others since the start.
    pub outbox: outbox::Counts,
}

/// Counters since the start of this process, for metrics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters {
    pub probes: u64,
    /// Requests that these took.
    pub requests: u64,
    /// Redirects that looks were led by.
    pub redirects: u64,
    /// Looks that found no turn at the host where a redirect led them.
    pub redirects_late: u64,
    pub not_modified: u64,
    pub failed: u64,
    /// Answers that were held: of another kind, or odd.
    pub doubtful: u64,
    pub versions: u64,
    pub rounds: u64,
    pub comparisons: u64,
    pub comparisons_failed: u64,
    pub detections: u64,
    pub delivered: u64,
    pub delivery_failures: u64,
    pub eis_captured: u64,
    pub eis_missed: u64,
    /// Those of them that passed without a try: others had their turn.
    pub eis_passed_over: u64,
    /// Captures of several sources that were complete, and those that a missed interval made void.
    pub captures_complete: u64,
    pub captures_void: u64,
    /// Looks that rules and detections wanted together by some time: all made in time, or not.
    pub demands_met: u64,
    pub demands_missed: u64,
    /// Completions with an unknown or old ticket.
    pub stale: u64,
    pub sources_held: u64,
    /// Probes for whose pages the shell had no room.
    pub set_aside: u64,
}

/// A rule as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleView {
    pub row: RuleRow,
    pub life: RuleLife,
    /// What its event is made of, parts before what they are parts of; nothing while it is
    /// disabled.
    pub nodes: Vec<NodeView>,
    /// What is open, at most 100.
    pub open: Vec<OpenView>,
    pub open_total: usize,
    /// How often it is still to be carried out for what it heard already.
    pub firings: usize,
}

/// A rule in a list of many.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleLine {
    pub row: RuleRow,
    pub life: RuleLife,
    pub open_total: usize,
    /// How often it is still to be carried out for what it heard already.
    pub firings: usize,
}

/// A part of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeView {
    pub id: u64,
    /// As the language writes it.
    pub label: String,
    /// The sign; nothing for what is not composed.
    pub operator: Option<&'static str>,
    pub parts: Vec<u64>,
    /// What limits cost here.
    pub dropped: u64,
}

/// Something that happened, and waits for more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenView {
    pub node: u64,
    pub start: Instant,
    pub end: Instant,
    /// When, and what.
    pub parts: Vec<(Instant, String)>,
    pub waits_for: String,
    /// When the clock goes on with it.
    pub due: Option<Instant>,
    /// What must not happen did.
    pub spoiled: Option<Instant>,
}

/// How much there is of rules, and what became of it since the start of this process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleCounts {
    pub rules: usize,
    /// Nodes of events, equal ones once; what is open at them; timers; what limits dropped.
    pub nodes: usize,
    pub open: usize,
    pub timers: usize,
    pub dropped: u64,
    /// Carried out.
    pub fired: u64,
    /// Set off by others and not carried out: in a circle, or too many.
    pub cut: u64,
    /// Firings that wait to be carried out, and those for which there was no room.
    pub waiting: usize,
    pub left_out: u64,
}

/// As the language writes it, in the largest unit that fits.
pub(crate) fn period_text(period: Period) -> String {
    let (count, unit) = match period {
        Period::Days(days) => (i64::from(days), "day"),
        Period::Elapsed(span) => {
            let seconds = span.as_millis() / 1_000;
            let units = [(3_600, "hour"), (60, "minute"), (1, "second")];
            let whole = units.into_iter().find(|(size, _)| seconds % size == 0);
            whole.map_or((seconds, "second"), |(size, unit)| (seconds / size, unit))
        }
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}
