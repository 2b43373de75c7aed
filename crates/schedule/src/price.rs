//! The price of a probe: what the best source that was not probed would have brought.

/// How fast it follows: over about 50 polls.
const PACE: f64 = 0.02;

/// What the lower reading keeps where the margin is far below it: it must be there at once when
/// the budget grows.
const FALLS: f64 = 0.7;

/// ν, in item-seconds per unit of cost: 0 while the budget is not used up. It follows the budget by
/// itself, for what is picked is the best there is: the price is a reading, not a dial.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Price {
    mean: f64,
    low: f64,
}

impl Price {
    pub(crate) fn get(self) -> f64 {
        self.mean
    }

    /// Both readings, to store.
    pub(crate) fn numbers(self) -> [f64; 2] {
        [self.mean, self.low]
    }

    /// Takes over what was stored.
    pub(crate) fn recall(&mut self, [mean, low]: [f64; 2]) {
        (self.mean, self.low) = (mean, low);
    }

    /// A reading that falls fast: a source worth less was not picked lately.
    pub(crate) fn low(self) -> f64 {
        self.low
    }

    /// A poll that picked something ended; `margin` is the index per cost of the best that was not
    /// picked, at most that of the last pick; 0 if nobody was left. O(1).
    pub(crate) fn observe(&mut self, margin: f64) {
        self.mean += PACE * (margin - self.mean);
        if margin < self.low * FALLS {
            self.low *= FALLS;
        } else {
            self.low += PACE * (margin - self.low);
        }
        for reading in [&mut self.mean, &mut self.low] {
            if *reading < 1e-12 {
                *reading = 0.0;
            }
        }
    }
}
