//! The price of a probe: what the best source that was not probed would have brought.

/// How fast it follows: over about 50 polls.
const PACE: f64 = 0.02;

/// ν, in item-seconds per unit of cost: 0 while the budget is not used up. It follows the budget by
/// itself, for what is picked is the best there is: the price is a reading, not a dial.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Price(f64);

impl Price {
    pub(crate) fn get(self) -> f64 {
        self.0
    }

    /// A poll that picked something ended; `margin` is the index per cost of the best that was not
    /// picked, at most that of the last pick; 0 if nobody was left. O(1).
    pub(crate) fn observe(&mut self, margin: f64) {
        self.0 += PACE * (margin - self.0);
        if self.0 < 1e-12 {
            self.0 = 0.0;
        }
    }
}
