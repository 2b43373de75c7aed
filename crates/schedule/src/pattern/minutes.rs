//! What runs by the clock: which five minutes of an hour bring more than the others.
//!
//! Postings come in company, so that a busy five minutes may be one occasion. With c postings in
//! five minutes of one day, the variance of a count is Σc² and not Σc: an hour is uneven where its
//! five minutes differ by more than that allows. The factors of an hour are drawn to 1 by the share
//! of χ² that chance explains, after James and Stein: the less, the surer it is that there is a
//! clock.

use super::rhythm::{BINS, DAY_BINS, HOUR};

/// χ² of eleven degrees of freedom that chance exceeds once in a thousand hours.
const CHI_SQUARED: f64 = 31.3;
/// Degrees of freedom.
const FREEDOM: f64 = 11.0;
/// Occasions that an hour has had at least.
const OCCASIONS_MIN: f64 = 12.0;
/// Numbers that are stored.
pub(crate) const STORED: usize = 2 * DAY_BINS;

/// By five minutes of the day, the postings, and the sum of the squares of what each day had.
/// 4.6 KB.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Minutes {
    counts: [f64; DAY_BINS],
    squares: [f64; DAY_BINS],
}

impl Default for Minutes {
    fn default() -> Minutes {
        Minutes { counts: [0.0; DAY_BINS], squares: [0.0; DAY_BINS] }
    }
}

impl Minutes {
    /// Counts what a week had by five minutes.
    pub(crate) fn count(&mut self, week: &[f32; BINS]) {
        for (bin, &postings) in week.iter().enumerate() {
            let postings = f64::from(postings);
            self.counts[bin % DAY_BINS] += postings;
            self.squares[bin % DAY_BINS] += postings * postings;
        }
    }

    /// Keeps this share (0 … 1) of all counts.
    pub(crate) fn forget(&mut self, keeps: f64) {
        for count in self.counts.iter_mut().chain(&mut self.squares) {
            *count *= keeps;
        }
    }

    /// By what each five minutes of the day differ from the mean of their hour, whose mean stays 1;
    /// 1 in hours of which chance may be the cause. O([`DAY_BINS`]).
    pub(crate) fn factors(&self) -> [f64; DAY_BINS] {
        let mut factors = [1.0; DAY_BINS];
        let counts = self.counts.as_chunks::<HOUR>().0.iter();
        let hours = counts.zip(self.squares.as_chunks::<HOUR>().0);
        for ((counts, squares), factors) in hours.zip(factors.as_chunks_mut::<HOUR>().0) {
            let [all, square]: [f64; 2] = [counts, squares].map(|numbers| numbers.iter().sum());
            let (mean, occasion) = (all / HOUR as f64, (square / all.max(1e-9)).max(1.0));
            if all < OCCASIONS_MIN * occasion {
                continue;
            }
            let apart = counts.iter().zip(squares).map(|(count, square)| {
                (count - mean) * (count - mean) / square.max(mean * occasion)
            });
            let apart: f64 = apart.sum();
            if apart <= CHI_SQUARED {
                continue;
            }
            let kept = 1.0 - FREEDOM / apart;
            for (factor, count) in factors.iter_mut().zip(counts) {
                *factor = 1.0 + kept * (count / mean - 1.0);
            }
        }
        factors
    }

    /// To store.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.counts.into_iter().chain(self.squares)
    }

    /// What was stored; nothing counted where there are fewer numbers (an earlier release kept
    /// none).
    pub(crate) fn of(numbers: &[f32]) -> Minutes {
        let mut minutes = Minutes::default();
        if let ([counts, squares], []) = numbers.as_chunks::<DAY_BINS>() {
            minutes.counts = counts.map(f64::from);
            minutes.squares = squares.map(f64::from);
        }
        minutes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;
    use chronon::{SourceId, Span};

    /// The factors after some weeks in which these many postings come on each occasion, of which
    /// there are `a_week`, in five minutes of the week that `bin` draws.
    fn counted(a_week: u64, postings: f32, bin: impl Fn(u64) -> usize) -> [f64; DAY_BINS] {
        let mut minutes = Minutes::default();
        for week in 0..8 {
            let mut bins = [0.0; BINS];
            for occasion in 0..a_week {
                let draw = chance::spread(5, SourceId(week), occasion, Span::from_millis(1 << 40));
                bins[bin(draw.as_millis().cast_unsigned()) % BINS] += postings;
            }
            minutes.count(&bins);
        }
        minutes.factors()
    }

    #[test]
    fn a_clock_that_strikes_every_four_hours_is_found_to_five_minutes() {
        // At half past, and every fifth time at any time.
        let strikes = |draw: u64| match draw % 5 {
            0 => (draw / 5) as usize,
            _ => (draw / 5) as usize % 42 * 48 + 6,
        };
        let factors = counted(200, 1.0, strikes);
        assert!(factors[54] > 8.0 && factors[53] < 0.4, "{} {}", factors[54], factors[53]);
        let mean = factors[48..60].iter().sum::<f64>() / 12.0;
        assert!((mean - 1.0).abs() < 1e-9, "{mean}");
        assert!(factors[..48].iter().skip(12).all(|&factor| factor == 1.0));
    }

    #[test]
    fn hardly_anything_is_expected_after_a_clock_of_families_has_struck() {
        // On the hour, a family of six each time.
        let factors = counted(42, 6.0, |draw| (draw / 7) as usize % 42 * 48);
        assert!(factors[0] > 9.0 && factors[1..12].iter().all(|&rest| rest < 0.3), "{factors:?}");
    }

    #[test]
    fn neither_chance_nor_a_family_that_posts_at_once_is_a_clock() {
        for (a_week, postings) in [(2_000, 1.0), (100, 20.0), (3, 300.0)] {
            let factors = counted(a_week, postings, |draw| draw as usize);
            let uneven = factors.iter().filter(|&&factor| factor != 1.0).count();
            assert_eq!(uneven, 0, "{a_week} occasions of {postings}");
        }
    }

    #[test]
    fn what_was_stored_says_the_same_and_what_was_not_says_nothing() {
        let mut minutes = Minutes::default();
        minutes.count(&std::array::from_fn(|bin| (bin % 288 / 6 % 4) as f32));
        let numbers: Vec<f32> = minutes.numbers().map(|number| number as f32).collect();
        assert_eq!(numbers.len(), STORED);
        assert_eq!(Minutes::of(&numbers), minutes);
        assert_eq!(Minutes::of(&numbers[1..]), Minutes::default());
        assert_eq!(Minutes::of(&[]).factors(), [1.0; DAY_BINS]);
    }
}
