//! What was written, before it is known whether it makes sense.

pub(crate) mod rule;

use crate::ast::{Compare, Edge, Expr, Presentation};
use crate::place::Place;
use chronon::{Day, TimeOfDay, Zone};
use select::Selector;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) place: Place,
}

/// One `create sentinel`.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) name: Name,
    /// `None`: it was not readable, and the reason has been given.
    pub(crate) target: Option<Target>,
    pub(crate) clauses: Vec<Clause>,
    /// The first token.
    pub(crate) first_token: usize,
    /// Something in it was not readable.
    pub(crate) broken: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    /// At least one.
    Sources(Vec<Source>),
    Parent(Name),
}

/// A URL, and what `of` calls it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    pub(crate) url: Name,
    pub(crate) called: Option<Name>,
}

#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub(crate) kind: ClauseKind,
    /// The whole clause.
    pub(crate) place: Place,
    pub(crate) first_token: usize,
}

/// What of a condition is looked at before it is taken.
#[derive(Debug, Clone, Default)]
pub(crate) struct Uses {
    /// Regular expressions.
    pub(crate) patterns: Vec<Name>,
    /// Each with the place of its text.
    pub(crate) selectors: Vec<(Selector, Place)>,
    /// Those in which numbers are read.
    pub(crate) languages: Vec<Name>,
    /// The sources that it names, each time that it does.
    pub(crate) of: Vec<Name>,
    /// The first leaf that names none.
    pub(crate) of_none: Option<Place>,
    /// Where `moved` is first said of each leaf, in the order of the leaves.
    pub(crate) moved: Vec<Option<Place>>,
}

#[derive(Debug, Clone)]
pub(crate) enum ClauseKind {
    Monitor {
        expr: Expr,
        uses: Uses,
    },
    Fetch(Fetch),
    From(Time),
    To(Time),
    /// From the start of a sentinel to its end.
    During(Name),
    Notify(Notify),
    Compare {
        compare: Compare,
    },
    ChangeHistory {
        count: u64,
    },
    Presentation(Presentation),
    Weight {
        value: f64,
        raw: String,
    },
    Tag {
        names: Vec<Name>,
    },
    /// `then probe`.
    Then {
        sources: Vec<Source>,
        within: Duration,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fetch {
    OnChange { within: Option<Duration> },
    Every { period: Duration, within: Option<Duration> },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Notify {
    pub(crate) channel: Name,
    pub(crate) contact: Option<Name>,
    pub(crate) frequency: Option<Frequency>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Frequency {
    Immediately,
    BestEffort,
    Every(Duration),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Duration {
    pub(crate) count: u64,
    pub(crate) unit: Unit,
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Chronon,
    Second,
    Minute,
    Hour,
    Day,
    Week,
}

impl Unit {
    /// Every unit with its name.
    pub(crate) const ALL: [(&'static str, Unit); 6] = [
        ("chronon", Unit::Chronon),
        ("second", Unit::Second),
        ("minute", Unit::Minute),
        ("hour", Unit::Hour),
        ("day", Unit::Day),
        ("week", Unit::Week),
    ];

    /// How long it lasts, a day of 24 hours; 0 for a chronon, which the configuration says.
    pub(crate) const fn seconds(self) -> u64 {
        match self {
            Unit::Chronon => 0,
            Unit::Second => 1,
            Unit::Minute => 60,
            Unit::Hour => 3_600,
            Unit::Day => 86_400,
            Unit::Week => 604_800,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Time {
    pub(crate) base: Base,
    pub(crate) offset: Option<(Sign, Duration)>,
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Base {
    Now,
    Date {
        date: Date,
        clock: Option<Clock>,
        zone: Option<WrittenZone>,
    },
    /// Where the life of a sentinel starts or ends.
    Life {
        edge: Edge,
        name: String,
    },
}

/// The years a date may be of.
pub(crate) const YEAR_MIN: i16 = 1970;
pub(crate) const YEAR_MAX: i16 = 9000;

/// `None` if there is no such day.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Date {
    pub(crate) day: Option<Day>,
    pub(crate) raw: String,
}

/// `None` if there is no such time of day.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clock {
    pub(crate) time: Option<TimeOfDay>,
    pub(crate) raw: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WrittenZone {
    pub(crate) zone: Option<Zone>,
    pub(crate) raw: String,
}
