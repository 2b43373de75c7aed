//! Chance for tests: numbers of [`chance`](crate::chance), one after the other.

use crate::chance;
use chronon::SourceId;

/// A stream of draws; the same seed gives the same numbers.
#[derive(Debug, Clone)]
pub(crate) struct Draws {
    seed: u64,
    drawn: u64,
}

impl Draws {
    pub(crate) fn new(seed: u64) -> Draws {
        Draws { seed, drawn: 0 }
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.drawn += 1;
        chance::share(self.seed, SourceId(0), self.drawn)
    }

    /// Exponential with mean 1.
    pub(crate) fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// A Poisson count: the draws whose product stays above e to the −`mean`.
    pub(crate) fn poisson(&mut self, mean: f64) -> u32 {
        let (limit, mut product, mut count) = (libm::exp(-mean), self.unit(), 0);
        while product > limit {
            product *= self.unit();
            count += 1;
        }
        count
    }
}
