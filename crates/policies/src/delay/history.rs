//! What probes retrieved, and the rates and patterns learned from it.

use super::Posting;
use schedule::pattern::rhythm::bin_of_week;
use schedule::pattern::{DAY, Habits, Pattern, PatternLearner, WEEK};

/// After this many seconds a posting counts half for the rate.
pub(super) const HALF_LIFE: f64 = 180.0 * DAY;
/// Postings, and as many expected ones, that are added to a source's own hours and weekdays.
const OWN_PRIOR: f64 = 2.0;

/// What is known of one source.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// Postings and seconds watched, discounted.
    count: f64,
    exposure: f64,
    seen_until: f64,
    /// Sum of weights and number of postings.
    weight: f64,
    postings: f64,
    hours: [u16; 24],
    days: [u16; 7],
    /// Times of the last postings, for patterns of their own and for the last week's count.
    times: Vec<f64>,
}

/// What is known of all sources.
#[derive(Debug, Clone)]
pub struct History {
    sources: Vec<Past>,
    shared: PatternLearner,
    /// Mean postings per second of a source.
    pooled: f64,
}

/// The hour of the week, 0 … 167.
pub(super) fn hour_of_week(time: f64) -> usize {
    bin_of_week(time) / 12
}

impl History {
    /// Nothing retrieved; watched since `start`.
    #[must_use]
    pub fn new(sources: usize, start: f64) -> History {
        let past = Past { seen_until: start, ..Past::default() };
        History {
            sources: vec![past; sources],
            shared: PatternLearner::default(),
            pooled: 1.0 / WEEK,
        }
    }

    /// How many sources.
    #[must_use]
    pub fn sources(&self) -> usize {
        self.sources.len()
    }

    /// Learns from one probe.
    pub fn learn(&mut self, source: u32, now: f64, postings: &[Posting]) {
        let past = &mut self.sources[source as usize];
        let keeps = libm::exp2(-(now - past.seen_until) / HALF_LIFE);
        past.count *= keeps;
        past.exposure = past.exposure * keeps + (1.0 - keeps) * HALF_LIFE / core::f64::consts::LN_2;
        past.seen_until = now;
        for posting in postings {
            let hour = hour_of_week(posting.time);
            past.count += libm::exp2(-(now - posting.time) / HALF_LIFE);
            past.weight += posting.weight;
            past.postings += 1.0;
            past.hours[hour % 24] = past.hours[hour % 24].saturating_add(1);
            past.days[hour / 24] = past.days[hour / 24].saturating_add(1);
            past.times.push(posting.time);
            self.shared.learn(posting.time);
        }
    }

    /// Takes the mean rate of all sources anew; once a day is enough.
    pub fn pool(&mut self) {
        let count: f64 = self.sources.iter().map(|past| past.count).sum();
        let exposure: f64 = self.sources.iter().map(|past| past.exposure).sum();
        self.pooled = (count + 1.0) / (exposure + WEEK);
    }

    /// Mean postings per second of a source, as of the last [`History::pool`].
    #[must_use]
    pub fn pooled(&self) -> f64 {
        self.pooled
    }

    /// Postings per second to expect of a source: (a + 1)/(e + 1/pooled mean).
    #[must_use]
    pub fn rate(&self, source: usize) -> f64 {
        let past = &self.sources[source];
        (past.count + 1.0) / (past.exposure + 1.0 / self.pooled)
    }

    /// The mean weight of a source's postings, drawn to 1 while there are few.
    #[must_use]
    pub fn weight(&self, source: usize) -> f64 {
        let past = &self.sources[source];
        (past.weight + 1.0) / (past.postings + 1.0)
    }

    /// The number of the source's postings so far.
    #[must_use]
    pub fn postings(&self, source: usize) -> usize {
        self.sources[source].times.len()
    }

    /// The number of the source's postings since `time`.
    #[must_use]
    pub fn since(&self, source: usize, time: f64) -> usize {
        let times = self.sources[source].times.iter().rev();
        times.take_while(|&&t| t >= time).count()
    }

    /// The source's postings by hour of the week.
    #[must_use]
    pub fn own_week(&self, source: usize) -> Vec<f64> {
        let mut hours = vec![0.0; 168];
        for &time in &self.sources[source].times {
            hours[hour_of_week(time)] += 1.0;
        }
        hours
    }

    /// The shared pattern by hour of the week, mean 1.
    #[must_use]
    pub fn shared_hours(&self) -> Vec<f64> {
        self.shared.by_hour()
    }

    /// The shared pattern by five minutes of the week.
    #[must_use]
    pub fn shared(&self) -> Pattern {
        self.shared.pattern()
    }

    /// A source's own hours and weekdays over the shared pattern. Hours are smoothed with their
    /// neighbours as far as that would have predicted its postings better, each from the others: a
    /// clock's are not. O(168).
    #[must_use]
    pub fn habits(&self, source: usize, shared_hours: &[f64]) -> Habits {
        let past = &self.sources[source];
        let total = f64::from(past.hours.iter().map(|&n| u32::from(n)).sum::<u32>());
        let (mut hour_share, mut day_share) = ([0.0; 24], [0.0; 7]);
        for (cell, factor) in shared_hours.iter().enumerate() {
            hour_share[cell % 24] += factor / 168.0;
            day_share[cell / 24] += factor / 168.0;
        }
        let counts = past.hours.map(f64::from);
        let factor = |seen: f64, share: f64| (seen + OWN_PRIOR) / (total * share + OWN_PRIOR);
        let (smooth_counts, smooth_share) = (smooth(&counts), smooth(&hour_share));
        let (mut sharp_gain, mut hours) = (0.0, [(0.0, 0.0); 24]);
        for h in 0..24 {
            let sharp = |less: f64| factor((counts[h] - less).max(0.0), hour_share[h]);
            let blurred = |less: f64| factor((smooth_counts[h] - less).max(0.0), smooth_share[h]);
            hours[h] = (sharp(0.0), blurred(0.0));
            if counts[h] > 0.0 {
                sharp_gain += counts[h] * libm::log(sharp(1.0) / blurred(OWN_WEIGHT));
            }
        }
        let sharpness = 1.0 / (1.0 + libm::exp(SHARP_DOUBT - sharp_gain));
        let hours = hours.map(|(sharp, blurred)| blurred + sharpness * (sharp - blurred));
        let days: [f64; 7] = std::array::from_fn(|d| factor(f64::from(past.days[d]), day_share[d]));
        Habits::new(&hours, &days)
    }
}

/// Hours are thought smooth until the log-likelihood speaks against it by this much.
const SHARP_DOUBT: f64 = 4.0;
/// The weight of an hour itself in [`smooth`].
const OWN_WEIGHT: f64 = 0.5;

/// Each hour of the day with its neighbours.
fn smooth(hours: &[f64; 24]) -> [f64; 24] {
    std::array::from_fn(|h| {
        let around = hours[(h + 23) % 24] + hours[(h + 1) % 24];
        OWN_WEIGHT * hours[h] + (1.0 - OWN_WEIGHT) / 2.0 * around
    })
}

#[cfg(test)]
mod tests {
    use super::History;
    use crate::delay::Posting;
    use schedule::pattern::{DAY, Own, Rhythm};

    #[test]
    fn a_rate_and_its_pattern_are_learned_from_what_was_retrieved() {
        let mut history = History::new(2, 0.0);
        // Every day at 09:02, a year long.
        for day in 0..364 {
            let midnight = f64::from(day) * DAY;
            let posting = Posting { time: midnight + 9.0 * 3600.0 + 120.0, weight: 2.0 };
            history.learn(0, midnight + DAY, &[posting]);
            history.learn(1, midnight + DAY, &[]);
        }
        history.pool();
        assert!((history.rate(0) * DAY - 1.0).abs() < 0.02, "{}", history.rate(0) * DAY);
        assert!(history.rate(1) * DAY < 0.01);
        assert!((history.weight(0) - 2.0).abs() < 0.01);
        assert_eq!(history.since(0, 363.0 * DAY), 1);
        let shared = history.shared();
        let week = shared.densities();
        let top = (0..2016).max_by(|&a, &b| week[a].total_cmp(&week[b])).unwrap();
        assert_eq!(top % 288, 9 * 12);
        // The shared pattern is believed less, from a year of one source, than its own hours.
        let habits = history.habits(0, &history.shared_hours());
        let own = Own::new(&shared, &habits);
        assert!(own.density(9 * 12) > shared.density(9 * 12));
    }
}
