//! What the machine's clock says when it starts, and what the server makes of it.

use chronon::{Instant, Span};
use kernel::{Config, Kernel, Snapshot};
use std::fmt;

/// The machine's clock at a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Clock {
    #[default]
    Right,
    /// It is behind by `by`, until somebody sets it after `set_after`.
    Behind { by: Span, set_after: Span },
    /// It is ahead by so much, and is believed.
    #[cfg_attr(not(test), expect(dead_code, reason = "drawn by worlds of tests alone"))]
    Ahead(Span),
}

/// What is written may be so much newer than the store says; and a store may have been left alone.
const SEEN_LATELY: Span = Span::HOUR;

/// Whether a start warns of times that a wrong clock has left.
pub(crate) fn is_of_a_clock(warning: &str) -> bool {
    warning.contains("in the far future") || warning.contains("by a wrong clock")
}

impl Clock {
    pub(crate) fn ahead(self) -> Span {
        if let Clock::Ahead(by) = self { by } else { Span::ZERO }
    }

    /// How long the server waits for a right clock: it doubts one that is behind its store.
    ///
    /// # Errors
    /// The clock is so far behind that it must be doubted, and is believed; or what people are
    /// shown meanwhile is not what the store holds.
    pub(crate) fn waits(
        self,
        now: Instant,
        (config, snapshot): (&Config, &Snapshot),
    ) -> Result<Option<Span>, String> {
        let Clock::Behind { by, set_after } = self else { return Ok(None) };
        let meta = &snapshot.meta;
        // A store that nobody wrote into has nothing to doubt by.
        let is_used = meta.newest > Instant::EPOCH;
        if !meta.doubts(now - by) {
            return if is_used && by > SEEN_LATELY {
                Err(format!("a clock is believed that is {by} behind"))
            } else {
                Ok(None)
            };
        }
        show_people(config, snapshot)?;
        Ok(Some(set_after))
    }
}

/// While a clock is doubted people see the world as it was when the store was last written.
fn show_people(config: &Config, snapshot: &Snapshot) -> Result<(), String> {
    let then = snapshot.meta.newest;
    let mut shown = Kernel::load(config.clone(), snapshot.clone(), then);
    if let Some(warning) = shown.take_warnings().pop() {
        return Err(format!("a start with a doubted clock warns: {warning}"));
    }
    let states = |rows: &[(kernel::record::SentinelRow, kernel::record::SentinelLife)]| {
        let mut states: Vec<_> = rows.iter().map(|(row, life)| (row.id, life.state)).collect();
        states.sort_unstable_by_key(|&(id, _)| id);
        states
    };
    if states(&shown.fold(then).sentinels) == states(&snapshot.sentinels) {
        Ok(())
    } else {
        Err("while a clock is doubted, sentinels begin or end".into())
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clock::Right => Ok(()),
            Clock::Ahead(by) => write!(f, ", with a clock that is {by} ahead"),
            Clock::Behind { by, set_after } => {
                write!(f, ", with a clock that is {by} behind and set after {set_after}")
            }
        }
    }
}
