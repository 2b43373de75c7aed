//! `sia`: the paper's algorithm as THEORY fixes it for comparisons.
//!
//! √(wλ) allocation over a day if every source gets a probe a day, else over a week; whole numbers
//! of probes at random; each source's retrieval points by its own pattern; what a burst limit holds
//! back waits in order.

use super::allocation::{round_at_random, square_root};
use super::queue::Queue;
use super::{Curve, DAY, History, Policy, Posting, Setting, WEEK, points};
use crate::probing::Dice;
use std::collections::BTreeMap;

/// So many postings of the shared pattern are mixed into a source's own.
const SHARED_POSTINGS: f64 = 1.0;
/// No more points are optimised over; a source that is probed more often is probed evenly.
const POINTS_MAX: u32 = 48;

/// The retrieval points of a source, made from so many postings over so many bins.
#[derive(Debug, Clone)]
struct Points {
    postings: usize,
    bins: usize,
    /// By number of points.
    plans: BTreeMap<u32, Vec<usize>>,
}

#[derive(Debug, Clone)]
pub struct Sia {
    setting: Setting,
    history: History,
    dice: Dice,
    cache: Vec<Points>,
    /// Today's probes by chronon of the day, latest first.
    due: Vec<(f64, u32)>,
    queue: Queue,
}

impl Sia {
    #[must_use]
    pub fn new(setting: Setting, start: f64) -> Sia {
        let none = Points { postings: usize::MAX, bins: 0, plans: BTreeMap::new() };
        Sia {
            setting,
            history: History::new(setting.sources, start),
            dice: Dice::new(setting.seed),
            cache: vec![none; setting.sources],
            due: Vec::new(),
            queue: Queue::new(setting.sources),
        }
    }

    /// The points of one source within its period, in hours.
    fn points(&mut self, source: usize, m: u32, (bins, shared): (usize, &[f64])) -> Vec<f64> {
        if m > POINTS_MAX {
            let phase = self.dice.unit();
            let gap = bins as f64 / f64::from(m);
            return (0..m).map(|j| (f64::from(j) + phase) * gap).collect();
        }
        let postings = self.history.postings(source);
        let cache = &mut self.cache[source];
        if (cache.postings, cache.bins) != (postings, bins) {
            *cache = Points { postings, bins, plans: BTreeMap::new() };
        }
        let history = &self.history;
        let plan = cache.plans.entry(m).or_insert_with(|| {
            let own = history.own_week(source);
            let mut rate = vec![0.0; bins];
            for (hour, (own, shared)) in own.iter().zip(shared).enumerate() {
                rate[hour % bins] += own + SHARED_POSTINGS * shared / 168.0;
            }
            points::good(&Curve::new(rate), (m as usize).min(bins))
        });
        plan.iter().map(|&bin| bin as f64).collect()
    }
}

impl Policy for Sia {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        self.history.learn(source, now, postings);
    }

    fn plan(&mut self, now: f64) {
        self.history.pool();
        let each = 0..self.setting.sources;
        let demand: Vec<f64> =
            each.map(|i| self.history.rate(i) * self.history.weight(i)).collect();
        let a_day = square_root(&demand, self.setting.per_day);
        let (bins, period) = if a_day.iter().all(|&m| m >= 1.0) { (24, DAY) } else { (168, WEEK) };
        let means: Vec<f64> = a_day.iter().map(|m| m * period / DAY).collect();
        let counts = round_at_random(&means, &mut self.dice);
        let shared = self.history.shared_hours();
        let from = now.rem_euclid(period);
        self.due.clear();
        for (source, &m) in counts.iter().enumerate() {
            if m == 0 {
                continue;
            }
            for hour in self.points(source, m, (bins, &shared)) {
                let after = (hour * 3600.0 - from).rem_euclid(period);
                if after < DAY {
                    self.due.push((now + after, source as u32));
                }
            }
        }
        self.due.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    }

    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>) {
        while let Some(&(time, source)) = self.due.last() {
            if time > now {
                break;
            }
            self.due.pop();
            self.queue.push(source);
        }
        self.queue.take(room, picks);
    }
}
