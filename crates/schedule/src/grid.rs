//! Chronons: the grid of starts that everything brought by time is rounded up to.

use chronon::{Instant, Span};

/// Chronon `i` is [i·length, (i + 1)·length), counted from the Unix epoch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid(i64);

impl Grid {
    /// A length below 1 ms counts as 1 ms.
    pub(crate) fn new(chronon: Span) -> Grid {
        Grid(chronon.as_millis().max(1))
    }

    pub(crate) fn length(self) -> Span {
        Span::from_millis(self.0)
    }

    /// The chronon that holds `at`.
    pub(crate) fn index(self, at: Instant) -> i64 {
        at.as_millis().div_euclid(self.0)
    }

    /// The first chronon that starts at or after `at`.
    pub(crate) fn index_up(self, at: Instant) -> i64 {
        self.index(Instant::from_millis(at.as_millis().saturating_add(self.0 - 1)))
    }

    /// Where a chronon starts; saturates.
    pub(crate) fn start(self, index: i64) -> Instant {
        Instant::from_millis(index.saturating_mul(self.0))
    }

    /// The first start of a chronon at or after `at`; saturates.
    pub(crate) fn up(self, at: Instant) -> Instant {
        match at.as_millis().rem_euclid(self.0) {
            0 => at,
            past => at + Span::from_millis(self.0 - past),
        }
    }

    /// From when on intervals count that begin at `now`: shorter ones than a chronon at once,
    /// others with the chronon, so that whole ones end with chronons.
    pub(crate) fn began(self, now: Instant, interval: Span) -> Instant {
        if interval < self.length() { now } else { self.start(self.index(now)) }
    }
}
