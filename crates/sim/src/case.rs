//! A `.case` file: a story in sections (`cases/README.md`).

mod read;
mod settings;

pub(crate) use read::parse;

use crate::people::Mood;
use crate::shell::{Crash, Wish};
use crate::web::{Fault, Reply};
use chronon::{Instant, Span};
use std::ops::Range;

/// A story, as written.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) title: String,
    /// Time 00:00.
    pub(crate) start: Instant,
    pub(crate) config: kernel::Config,
    /// The machine wakes up so late at most.
    pub(crate) wakes_late: Span,
    pub(crate) shown: Vec<(Box<str>, Instant, Reply)>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) moods: Vec<Mood>,
    pub(crate) wishes: Vec<(Instant, Wish)>,
    pub(crate) crashes: Vec<Crash>,
    pub(crate) disk_full: Vec<(Instant, Instant)>,
    /// The last moment of the story.
    pub(crate) end: Instant,
    pub(crate) expected: Vec<Expected>,
}

/// What is to be compared.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    /// Empty: every line.
    pub(crate) kinds: Vec<String>,
    pub(crate) lines: Vec<String>,
    /// Where its lines are in the file, for rewriting.
    pub(crate) place: Range<usize>,
}

/// What is wrong with a file, and in which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub(crate) struct CaseError {
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// How long a story without expectation goes on after its last event.
pub(crate) const AFTERMATH: Span = Span::HOUR;
