//! What a JSONPath query consists of.

use regex::Regex;
use serde_json::Value;

/// A query from the root (`$`), or from the node a filter looks at (`@`).
#[derive(Debug, Clone)]
pub(super) struct Query {
    pub is_absolute: bool,
    pub segments: Vec<Segment>,
}

impl Query {
    /// Finds at most one node, by its form alone.
    pub fn is_singular(&self) -> bool {
        self.segments.iter().all(|segment| {
            let one = matches!(segment.selectors[..], [Selector::Name(_) | Selector::Index(_)]);
            one && !segment.descends
        })
    }
}

#[derive(Debug, Clone)]
pub(super) struct Segment {
    /// Applies to every descendant, not only to the node itself (`..`).
    pub descends: bool,
    /// Never empty.
    pub selectors: Vec<Selector>,
}

#[derive(Debug, Clone)]
pub(super) enum Selector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice(Slice),
    Filter(Logical),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    pub start: Option<i64>,
    pub end: Option<i64>,
    pub step: i64,
}

#[derive(Debug, Clone)]
pub(super) enum Logical {
    Or(Vec<Logical>),
    And(Vec<Logical>),
    Not(Box<Logical>),
    Exists(Query),
    Compare(Box<Comparison>),
    Matches(Box<Matches>),
}

#[derive(Debug, Clone)]
pub(super) struct Comparison {
    pub left: Comparable,
    pub operator: Operator,
    pub right: Comparable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone)]
pub(super) enum Comparable {
    Literal(Value),
    Singular(Query),
    /// `length(…)`.
    Length(Box<Comparable>),
    /// `count(…)`.
    Count(Query),
    /// `value(…)`.
    ValueOf(Query),
}

/// `match(…)` and `search(…)`.
#[derive(Debug, Clone)]
pub(super) struct Matches {
    pub text: Comparable,
    pub pattern: Pattern,
    /// `match`: the whole text and not a part of it.
    pub whole: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// A literal; `None`: no regular expression, matches nothing.
    Known(Option<Regex>),
    /// Comes from the document.
    Found(Comparable),
}
