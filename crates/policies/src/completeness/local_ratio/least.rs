//! The least of many values, one of which changes now and then.

use crate::completeness::largest::Largest;

/// The largest of what they are below zero.
#[derive(Debug)]
pub(super) struct Least(Largest);

impl Least {
    /// Room for n values, all infinite.
    pub(super) fn new(values: usize) -> Self {
        Self(Largest::new(values))
    }

    /// O(log n), less where the least of a part stays.
    pub(super) fn set(&mut self, at: u32, value: f64) {
        self.0.set(at, value.is_finite().then_some(-value));
    }

    /// What somebody finds who goes through the finite values in order and moves on to one that is
    /// lower than what they have by more than `slack`. O(log n) where no two differ by so little
    /// that it matters.
    pub(super) fn first(&self, slack: f64) -> Option<u32> {
        let (_, below_zero) = self.0.best()?;
        let least = -below_zero;
        // The search stops at the first of those so close to the least that nothing is
        // lower by the slack: unless one before it is too close to it, and is left for another.
        let first = self.at_most(least + 0.5 * slack);
        if self.at_most(least + 3.0 * slack) == first {
            return first;
        }
        let mut found = self.at_most(f64::MAX)?;
        while let Some(next) = self.0.get(found).and_then(|value| self.below(-value - slack)) {
            found = next;
        }
        Some(found)
    }

    fn at_most(&self, limit: f64) -> Option<u32> {
        self.0.first(|value| -value <= limit)
    }

    fn below(&self, limit: f64) -> Option<u32> {
        self.0.first(|value| -value < limit)
    }
}
