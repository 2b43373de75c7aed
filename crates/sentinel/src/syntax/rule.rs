//! A rule as written, before it is known whether it makes sense.

use super::{Base, Clock, Duration, Name, Notify};
use crate::ast::rule::{Context, Coupling, HappeningKind};
use crate::place::Place;
use aspect::Operator;

/// One `create rule`.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) name: Name,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) first_token: usize,
    /// Something in it was not readable.
    pub(crate) broken: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub(crate) kind: ClauseKind,
    pub(crate) first_token: usize,
}

/// In the order in which they stand.
#[derive(Debug, Clone)]
pub(crate) enum ClauseKind {
    On(Event),
    When(Condition),
    Context(Context),
    Within(Duration),
    Priority(u64),
    Coupling(Coupling),
    Do(Vec<Action>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    Happening(HappeningKind, Name),
    At(Base, Place),
    Or(Box<Event>, Box<Event>),
    And(Box<Event>, Box<Event>),
    Seq(Box<Event>, Box<Event>),
    Between { what: Spanned, opens: Box<Event>, closes: Box<Event> },
    Plus(Box<Event>, Duration),
    Any { least: u64, place: Place, of: Vec<Event> },
}

/// What is looked for in an interval.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Spanned {
    Not(Box<Event>),
    Each(Box<Event>),
    All(Box<Event>),
    Every(Duration),
    Collect(Duration),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition {
    Count(Operator, u64),
    TextMatches(Name),
    Value(Operator, f64),
    TimeBetween(Clock, Clock),
    Enabled(Name),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    Notify(Notify),
    Probe { sources: Vec<Name>, within: Duration },
    Enable(Name),
    Disable(Name),
    Raise(Name),
}

impl Action {
    /// The word before the one name that it takes.
    pub(crate) fn verb(&self) -> Option<&'static str> {
        match self {
            Action::Enable(_) => Some("enable"),
            Action::Disable(_) => Some("disable"),
            Action::Raise(_) => Some("raise"),
            Action::Notify(_) | Action::Probe { .. } => None,
        }
    }
}
