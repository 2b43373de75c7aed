//! A checked rule: what follows when an event occurs.

use super::Notify;
use address::SourceUrl;
pub use aspect::Operator;
use chronon::{Period, TimeOfDay, Zone};
pub use event::{Context, Expr, Step};

/// A rule that passed every check.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// As written. Names are compared without case.
    pub name: String,
    pub on: Expr<Happening>,
    pub when: Option<Condition>,
    pub context: Context,
    /// The longest occurrence that counts: te − ts at most this.
    pub within: Option<Step>,
    /// Larger goes first; equal ones in the order of definition.
    pub priority: u32,
    pub coupling: Coupling,
    /// At least one.
    pub actions: Vec<Action>,
    /// The zone its days step in, and its clocks show.
    pub zone: Zone,
}

/// A primitive event, by the name it is written with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Happening {
    pub kind: HappeningKind,
    pub name: String,
}

/// What happens to what has the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HappeningKind {
    /// A sentinel found something: its name alone.
    Detected,
    /// `event NAME`: people or rules raise it.
    Raised,
    /// `start(NAME)`
    Started,
    /// `end(NAME)`
    Ended,
    /// `fetched(NAME)`: a look at a sentinel's source succeeded.
    Fetched,
    /// `failed(NAME)`: a look at a sentinel's source failed.
    Failed,
}

impl HappeningKind {
    /// Those that are written as a word with a name in parentheses.
    pub const CALLED: [(&'static str, HappeningKind); 4] = [
        ("start", HappeningKind::Started),
        ("end", HappeningKind::Ended),
        ("fetched", HappeningKind::Fetched),
        ("failed", HappeningKind::Failed),
    ];
}

/// What must hold when the event occurs.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// How many take part: those gathered where the event gathers, otherwise all.
    Count(Operator, u64),
    /// The text of a change that takes part; a regular expression that compiles.
    TextMatches(String),
    /// The number that a sentinel which takes part read last.
    Value(Operator, f64),
    /// Times of day in the rule's zone, the second excluded; over midnight where it is not later
    /// than the first.
    TimeBetween(TimeOfDay, TimeOfDay),
    /// A sentinel is active.
    Enabled(String),
    Not(Box<Condition>),
    /// Two or more.
    And(Vec<Condition>),
    /// Two or more.
    Or(Vec<Condition>),
}

/// When a rule acts on what it heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Coupling {
    /// When the event is detected.
    #[default]
    Immediate,
    /// At the end of the step.
    Deferred,
    /// As a step of its own.
    Detached,
}

impl Coupling {
    /// Every coupling with its word.
    pub const ALL: [(&'static str, Coupling); 3] = [
        ("immediate", Coupling::Immediate),
        ("deferred", Coupling::Deferred),
        ("detached", Coupling::Detached),
    ];
}

/// What a rule does.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Notify(Notify),
    Probe { sources: Vec<SourceUrl>, within: Period },
    Enable(String),
    Disable(String),
    Raise(String),
}
