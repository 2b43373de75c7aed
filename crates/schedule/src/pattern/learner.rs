//! The pattern of many sources together, learned posting by posting.

use super::Pattern;
use super::rhythm::{BINS, DAY_BINS, bin_of_week};

/// Postings, and as many expected ones, that are added to each count.
const PRIOR: f64 = 20.0;
/// Hours of a week.
pub const HOURS: usize = 168;

/// Counts of postings by hour of the week and by five minutes of the day: 3.6 KB whatever the
/// number of sources. A pattern is a product: hour of the day × day × what a cell of the week has
/// of its own × the five minutes of the day. The last factor finds what runs by the clock; each is
/// drawn to 1 while little is known.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternLearner {
    hours: [f64; HOURS],
    minutes: [f64; DAY_BINS],
}

impl Default for PatternLearner {
    fn default() -> PatternLearner {
        PatternLearner { hours: [0.0; HOURS], minutes: [0.0; DAY_BINS] }
    }
}

impl PatternLearner {
    /// Counts a posting made at `time` (seconds). O(1).
    pub fn learn(&mut self, time: f64) {
        self.count(time, 1.0);
    }

    /// Counts this much (≥ 0) of a posting. O(1).
    pub fn count(&mut self, time: f64, postings: f64) {
        let bin = bin_of_week(time);
        self.hours[bin / 12] += postings;
        self.minutes[bin % DAY_BINS] += postings;
    }

    /// The counts by hour of the week, of which [`PatternLearner::from_hours`] makes a learner
    /// again.
    #[must_use]
    pub fn hours(&self) -> &[f64; HOURS] {
        &self.hours
    }

    /// A learner of these counts by hour of the week (finite, ≥ 0) that knows nothing of minutes.
    #[must_use]
    pub fn from_hours(hours: [f64; HOURS]) -> PatternLearner {
        PatternLearner { hours, ..PatternLearner::default() }
    }

    /// Keeps this share (0 … 1) of all counts.
    pub fn forget(&mut self, keeps: f64) {
        for count in self.hours.iter_mut().chain(&mut self.minutes) {
            *count *= keeps;
        }
    }

    /// Postings counted.
    #[must_use]
    pub fn postings(&self) -> f64 {
        self.hours.iter().sum()
    }

    /// Hour of the week ÷ mean, 168 values.
    #[must_use]
    pub fn by_hour(&self) -> Vec<f64> {
        let total = self.postings();
        let (mut hours, mut days) = ([PRIOR; 24], [PRIOR; 7]);
        for (cell, &count) in self.hours.iter().enumerate() {
            hours[cell % 24] += count;
            days[cell / 24] += count;
        }
        let (hours_sum, days_sum) = (hours.iter().sum::<f64>(), days.iter().sum::<f64>());
        let cell = |c: usize| {
            let product = hours[c % 24] / hours_sum * days[c / 24] / days_sum;
            product * (self.hours[c] + PRIOR) / (total * product + PRIOR)
        };
        mean_one((0..HOURS).map(cell).collect())
    }

    /// The pattern by hours, each as uneven as these `minutes` of the day say: mean 1 in each hour.
    /// O([`BINS`]).
    #[must_use]
    pub fn hourly(&self, minutes: &[f64; DAY_BINS]) -> Pattern {
        let hours = self.by_hour();
        Pattern::new(&core::array::from_fn(|b| hours[b / 12] * minutes[b % DAY_BINS]))
    }

    /// The pattern as far as it is known. O([`BINS`]); once a day is enough.
    #[must_use]
    pub fn pattern(&self) -> Pattern {
        let hours = self.by_hour();
        let total = self.postings();
        let mut by_hour = [0.0; 24];
        for (cell, factor) in hours.iter().enumerate() {
            by_hour[cell % 24] += factor / HOURS as f64;
        }
        let factor = |m: usize| {
            let expected = total * by_hour[m / 12] / 12.0;
            (self.minutes[m] + PRIOR) / (expected + PRIOR)
        };
        let factors: [f64; DAY_BINS] = core::array::from_fn(factor);
        let bins: [f64; BINS] = core::array::from_fn(|b| hours[b / 12] * factors[b % DAY_BINS]);
        Pattern::new(&bins)
    }
}

fn mean_one(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    for value in &mut values {
        *value /= mean;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::PatternLearner;
    use crate::pattern::rhythm::Rhythm;
    use crate::pattern::{DAY, WEEK};

    #[test]
    fn five_minutes_by_the_clock_and_quiet_weekends_are_found() {
        let mut learner = PatternLearner::default();
        assert!(learner.pattern().densities().iter().all(|d| (d - 1.0).abs() < 1e-9));
        for day in (0..400).filter(|day| day % 7 < 5) {
            learner.learn(f64::from(day) * DAY + 9.0 * 3600.0 + 120.0);
        }
        let pattern = learner.pattern();
        let at = |day: f64, hour: f64| pattern.rate_at(day * DAY + hour * 3600.0);
        assert!(at(1.0, 9.04) > 5.0 * at(1.0, 9.5), "{} {}", at(1.0, 9.04), at(1.0, 9.5));
        assert!(at(1.0, 9.04) > 3.0 * at(5.0, 9.04));
        assert!((pattern.expected(0.0, WEEK) / WEEK - 1.0).abs() < 1e-9);
        let even = [1.0; 288];
        let hourly = PatternLearner::from_hours(*learner.hours()).hourly(&even);
        assert_eq!(hourly, learner.hourly(&even));
        assert!((hourly.expected(0.0, WEEK) / WEEK - 1.0).abs() < 1e-9);
        let at = |day: f64, hour: f64| hourly.rate_at(day * DAY + hour * 3600.0);
        assert!((at(1.0, 9.04) - at(1.0, 9.5)).abs() < 1e-12 && at(1.0, 9.5) > 3.0 * at(5.0, 9.5));
    }

    #[test]
    fn what_is_forgotten_counts_less_than_what_is_new() {
        let mut learner = PatternLearner::default();
        (0..500).for_each(|day| learner.learn(f64::from(day) * DAY + 3600.0));
        learner.forget(0.01);
        (0..100).for_each(|day| learner.learn(f64::from(day) * DAY + 18.0 * 3600.0));
        let pattern = learner.pattern();
        assert!(pattern.rate_at(18.1 * 3600.0) > 3.0 * pattern.rate_at(1.1 * 3600.0));
        assert!((learner.postings() - 105.0).abs() < 1e-9);
    }
}
