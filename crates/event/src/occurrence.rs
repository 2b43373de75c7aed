//! Occurrences: that an event happened, when, and what took part.

use crate::expr::Signal;
use chronon::Instant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something that happened: an occurrence of a primitive event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mark {
    /// In the order of arrival; 0 for the clock.
    pub number: u64,
    #[serde(with = "chronon::millis")]
    pub at: Instant,
    pub what: What,
    /// What the caller said of it: the number of a detection, of a version.
    pub about: u64,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    Signal(Signal),
    /// An instant came, or a length of time was over.
    Clock,
}

impl Mark {
    /// The clock's, at `at`.
    pub(crate) fn clock(at: Instant) -> Mark {
        Mark { number: 0, at, what: What::Clock, about: 0 }
    }
}

/// An occurrence: the interval it takes, and what took part.
///
/// Its interval begins with the first of its parts and ends when it is raised. Ticks (P) and what
/// comes a while after something (PLUS) are moments of the clock: they begin and end there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    pub start: Instant,
    pub end: Instant,
    /// How many a closed interval gathered (A*, P*, A and P in cumulative context); 0 elsewhere.
    pub gathered: u32,
    pub(crate) marks: Arc<[Mark]>,
}

impl Occurrence {
    /// An occurrence of something primitive.
    pub fn primitive(mark: Mark) -> Occurrence {
        Occurrence { start: mark.at, end: mark.at, gathered: 0, marks: Arc::new([mark]) }
    }

    /// One read back from a store.
    pub fn stored(start: Instant, end: Instant, gathered: u32, marks: Vec<Mark>) -> Occurrence {
        Occurrence { start, end, gathered, marks: marks.into() }
    }

    /// What took part: what opened it first, what raised it last.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// How many took part: those gathered where it gathered some, otherwise all.
    pub fn count(&self) -> u64 {
        if self.gathered > 0 { u64::from(self.gathered) } else { self.marks.len() as u64 }
    }

    /// The same interval, made of the same.
    pub(crate) fn is(&self, other: &Occurrence) -> bool {
        (self.start, self.end) == (other.start, other.end)
            && (Arc::ptr_eq(&self.marks, &other.marks) || self.marks == other.marks)
    }
}

/// An occurrence in the making.
#[derive(Clone)]
pub(crate) struct Making {
    start: Instant,
    gathered: u32,
    marks: Vec<Mark>,
}

impl Making {
    pub fn new() -> Making {
        Making { start: Instant::NEVER, gathered: 0, marks: Vec::new() }
    }

    /// With this one as a part.
    pub fn with(mut self, part: &Occurrence) -> Making {
        self.add(part);
        self
    }

    pub fn add(&mut self, part: &Occurrence) {
        self.start = self.start.min(part.start);
        self.marks.extend_from_slice(&part.marks);
    }

    /// As one of those that the interval gathers.
    pub fn gather(&mut self, part: &Occurrence) {
        self.add(part);
        self.gathered += 1;
    }

    /// The clock's, as one more that takes part.
    pub fn clock(&mut self, at: Instant) {
        self.marks.push(Mark::clock(at));
    }

    /// A tick that the interval gathers.
    pub fn tick(&mut self, at: Instant) {
        self.marks.push(Mark::clock(at));
        self.gathered += 1;
    }

    pub fn gathered(&self) -> u32 {
        self.gathered
    }

    /// Done, with how many marks had to go: only the newest `max` stay.
    pub fn done(mut self, end: Instant, max: usize) -> (Occurrence, usize) {
        let over = self.marks.len().saturating_sub(max);
        self.marks.drain(..over);
        let Making { start, gathered, marks } = self;
        (Occurrence { start, end, gathered, marks: marks.into() }, over)
    }

    /// Done as a moment of the clock.
    pub fn moment(mut self, at: Instant, max: usize) -> (Occurrence, usize) {
        self.start = at;
        self.done(at, max)
    }
}
