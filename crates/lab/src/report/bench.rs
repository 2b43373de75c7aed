//! What every experiment of the report is given: how much to do, the seed, and the traces.

use crate::progress::Progress;
use std::cell::Cell;
use std::path::PathBuf;

/// How large the experiments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// So small that a test can wait for it. The verdicts may be others.
    Quick,
    /// The published sizes.
    Full,
}

/// The laboratory bench.
#[derive(Debug)]
pub struct Bench {
    pub effort: Effort,
    pub seed: u64,
    /// Measurements made at the same time.
    pub jobs: usize,
    /// Holds `NAME/window.csv` or `NAME.csv` a trace.
    pub traces: Option<PathBuf>,
    /// Where the report is written, and where `grid.csv` may lie.
    pub out: PathBuf,
    pub progress: Progress,
    pub claim: Cell<&'static str>,
}

impl Bench {
    /// The first in a quick report, else the second.
    #[must_use]
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        match self.effort {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }

    /// The seeds of the repetitions: `seed`, `seed` + 1, …
    #[must_use]
    pub fn seeds(&self, quick: u64, full: u64) -> Vec<u64> {
        (0..self.pick(quick, full)).map(|more| self.seed.wrapping_add(more)).collect()
    }

    /// Says on the progress bar what is being measured.
    pub fn on(&self, what: &str) {
        self.progress.on(&format!("{} {what}", self.claim.get()));
    }
}
