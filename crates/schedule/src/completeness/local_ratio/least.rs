//! The least of many values, one of which changes now and then.

/// A tournament: place 1 holds the least of all, places `width ..` the values.
#[derive(Debug)]
pub(super) struct Least {
    width: usize,
    least: Vec<f64>,
}

impl Least {
    /// So many values, all infinite.
    pub(super) fn new(values: usize) -> Self {
        let width = values.next_power_of_two().max(1);
        Self { width, least: vec![f64::INFINITY; 2 * width] }
    }

    /// O(log n), less where the least of a part stays.
    pub(super) fn set(&mut self, at: u32, value: f64) {
        let mut place = self.width + at as usize;
        self.least[place] = value;
        while place > 1 {
            let least = f64::min(self.least[place], self.least[place ^ 1]);
            place /= 2;
            if self.least[place].to_bits() == least.to_bits() {
                break;
            }
            self.least[place] = least;
        }
    }

    /// What somebody finds who goes through the finite values in order and moves on to one that is
    /// lower than what they have by more than `slack`. O(log n) where no two differ by so little
    /// that it matters.
    pub(super) fn first(&self, slack: f64) -> Option<u32> {
        let least = self.least[1];
        if !least.is_finite() {
            return None;
        }
        // Whoever goes through stops at the first of those so close to the least that nothing is
        // lower by the slack: unless one before it is too close to it, and is left for another.
        let first = self.at_most(least + 0.5 * slack);
        if self.at_most(least + 3.0 * slack) == first {
            return first;
        }
        let mut found = self.at_most(f64::MAX);
        while let Some(next) = found.and_then(|at| self.below(self.value(at) - slack)) {
            found = Some(next);
        }
        found
    }

    fn value(&self, at: u32) -> f64 {
        self.least[self.width + at as usize]
    }

    fn at_most(&self, limit: f64) -> Option<u32> {
        self.descend(|least| least <= limit)
    }

    fn below(&self, limit: f64) -> Option<u32> {
        self.descend(|least| least < limit)
    }

    /// The first value that is low enough.
    fn descend(&self, is_low: impl Fn(f64) -> bool) -> Option<u32> {
        if !is_low(self.least[1]) {
            return None;
        }
        let mut place = 1;
        while place < self.width {
            place *= 2;
            place += usize::from(!is_low(self.least[place]));
        }
        Some((place - self.width) as u32)
    }
}
