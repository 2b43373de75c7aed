//! The largest of many values: a tree of eight sides.

/// Values side by side in one place: a cache line.
const SIDES: usize = 8;
/// A value that never wins.
const NOBODY: f64 = f64::NEG_INFINITY;

/// Values 0 … n−1, each set or not, and the largest of them. 9⅐ bytes a value.
///
/// To set one costs O(log n), and ends as soon as a place's largest stays what it was.
#[derive(Debug, Clone)]
pub(crate) struct Largest {
    /// The values, then the largest of each eight of those before, and so on to the root; every
    /// level is filled up to whole eights.
    levels: Vec<Vec<f64>>,
}

impl Largest {
    /// Room for n values, none set. O(n).
    pub(crate) fn new(n: usize) -> Self {
        let (mut places, mut levels) = (n, Vec::new());
        loop {
            let blocks = places.div_ceil(SIDES).max(1);
            levels.push(vec![NOBODY; blocks * SIDES]);
            places = blocks;
            if blocks == 1 {
                return Self { levels };
            }
        }
    }

    /// A value that is no NaN, or none.
    pub(crate) fn set(&mut self, number: u32, value: Option<f64>) {
        let (mut place, mut value) = (number as usize, value.unwrap_or(NOBODY));
        for level in &mut self.levels {
            if level[place] == value {
                return;
            }
            level[place] = value;
            place /= SIDES;
            value = most(&level[place * SIDES..(place + 1) * SIDES]);
        }
    }

    /// All values, from 0 on. O(n).
    pub(crate) fn fill(&mut self, values: impl Iterator<Item = Option<f64>>) {
        let leaves = self.levels[0].iter_mut();
        leaves.zip(values).for_each(|(leaf, value)| *leaf = value.unwrap_or(NOBODY));
        for at in 1..self.levels.len() {
            let (below, level) = self.levels.split_at_mut(at);
            let places = below[at - 1].chunks_exact(SIDES);
            level[0].iter_mut().zip(places).for_each(|(side, place)| *side = most(place));
        }
    }

    /// A value, if it is set.
    pub(crate) fn get(&self, number: u32) -> Option<f64> {
        Some(self.levels[0][number as usize]).filter(|&value| value > NOBODY)
    }

    /// The number of the largest, the lowest of equals, and its value; `None` if none is set.
    /// O(log n).
    pub(crate) fn best(&self) -> Option<(u32, f64)> {
        let most = most(self.levels.last().expect("there is a root"));
        self.first(|value| value >= most).map(|first| (first, most))
    }

    /// The lowest number whose value is large enough, as all larger ones must be. O(log n).
    pub(crate) fn first(&self, is_enough: impl Fn(f64) -> bool) -> Option<u32> {
        let mut place = 0;
        for level in self.levels.iter().rev() {
            let sides = &level[place * SIDES..(place + 1) * SIDES];
            let side = sides.iter().position(|&side| side > NOBODY && is_enough(side))?;
            place = place * SIDES + side;
        }
        Some(place as u32)
    }
}

/// A place's largest.
fn most(sides: &[f64]) -> f64 {
    sides.iter().fold(NOBODY, |most, &side| if side > most { side } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_is_the_first_of_the_largest(
            n in 1..700_usize,
            steps in prop::collection::vec((0..700_u32, prop::option::of(0..9_u32)), 1..60),
        ) {
            let (mut set, mut filled) = (Largest::new(n), Largest::new(n));
            let mut values = vec![None; n];
            for (number, value) in steps {
                let (number, value) = (number % n as u32, value.map(f64::from));
                values[number as usize] = value;
                set.set(number, value);
                filled.fill(values.iter().copied());
                let largest = values.iter().copied().flatten().reduce(f64::max);
                let first = values.iter().position(|&value| value.is_some() && value == largest);
                let best = first.map(|first| first as u32).zip(largest);
                prop_assert_eq!(set.best(), best);
                let enough = values.iter().position(|value| value.is_some_and(|value| value > 4.0));
                prop_assert_eq!(set.first(|value| value > 4.0), enough.map(|at| at as u32));
                prop_assert_eq!(filled.best(), best);
            }
        }
    }
}
