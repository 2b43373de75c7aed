//! What a selector may cost.

use crate::{Spent, Wrong};
use std::cell::Cell;

/// Bounds of one selector, and of finding with it once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a selector as it is written. Default 2,048.
    pub source_bytes_max: usize,
    /// Brackets of a selector inside each other. Default 24.
    pub nesting_max: usize,
    /// Steps of finding: nodes looked at, comparisons, bytes of text. They bound the memory of what
    /// is found on the way, too. Default 10,000,000.
    pub steps_max: u64,
    /// Results. Default 20,000.
    pub results_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            source_bytes_max: 2_048,
            nesting_max: 24,
            steps_max: 10_000_000,
            results_max: 20_000,
        }
    }
}

impl Limits {
    /// Refuses a text that would cost its parser too much.
    pub(crate) fn admit(&self, text: &str) -> Result<(), Wrong> {
        if text.len() > self.source_bytes_max {
            return Err(Wrong::TooLong { bytes: text.len(), max: self.source_bytes_max });
        }
        if nesting(text) > self.nesting_max {
            return Err(Wrong::TooDeep { max: self.nesting_max });
        }
        Ok(())
    }

    pub(crate) fn admit_results(&self, found: usize) -> Result<(), Spent> {
        if found > self.results_max {
            return Err(Spent::Results { max: self.results_max });
        }
        Ok(())
    }
}

/// How deep brackets are nested; those in texts count too, so it is never too little.
fn nesting(text: &str) -> usize {
    let opened = |c: char| matches!(c, '(' | '[' | '{');
    let (mut depth, mut deepest) = (0usize, 0);
    for c in text.chars() {
        match c {
            _ if opened(c) => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The steps that are left.
#[derive(Debug)]
pub(crate) struct Steps {
    left: Cell<u64>,
    is_spent: Cell<bool>,
    max: u64,
}

impl Steps {
    pub fn new(limits: &Limits) -> Steps {
        let max = limits.steps_max;
        Steps { left: Cell::new(max), is_spent: Cell::new(false), max }
    }

    /// Counts steps; an error when fewer are left.
    pub fn take(&self, steps: u64) -> Result<(), Spent> {
        if self.is_left(steps) { Ok(()) } else { Err(self.spent()) }
    }

    /// Counts steps; false when fewer are left, and from then on.
    pub fn is_left(&self, steps: u64) -> bool {
        match self.left.get().checked_sub(steps) {
            Some(left) if !self.is_spent.get() => {
                self.left.set(left);
                true
            }
            _ => {
                self.is_spent.set(true);
                false
            }
        }
    }

    /// An error when more steps were asked for than there were.
    pub fn check(&self) -> Result<(), Spent> {
        if self.is_spent.get() { Err(self.spent()) } else { Ok(()) }
    }

    fn spent(&self) -> Spent {
        Spent::Steps { max: self.max }
    }
}
