//! `joint`: every source by the price plan of the shared pattern, the price such that the budget
//! is met.

use super::history::hour_of_week;
use super::queue::Queue;
use super::{Curve, DAY, DelayPolicy, History, Posting, Setting, price};
use crate::Dice;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Levels of ν/(w·rate): their count, from half an hour's stationary gap on.
const LEVELS: usize = 44;
const LEVEL_GAP_MIN: f64 = 0.5;
const LEVEL_FACTOR: f64 = 1.18;
/// The table is made anew after this many days: the shared pattern moves slowly.
const TABLE_DAYS: f64 = 7.0;
/// A day's budget overspent lengthens the gaps by e to this.
const OVERSPENT_PULL: f64 = 0.2;

#[derive(Debug, Clone)]
pub struct Joint {
    setting: Setting,
    history: History,
    table: Vec<price::PricePlan>,
    table_made: f64,
    /// Stationary gap per source, hours: its place in the table.
    gaps: Vec<f64>,
    last: Vec<f64>,
    due: BinaryHeap<Reverse<(u64, u32)>>,
    queue: Queue,
    dice: Dice,
    /// Probes made beyond the budget since the first plan.
    overspent: f64,
}

impl Joint {
    #[must_use]
    pub fn new(setting: Setting, start: f64) -> Joint {
        Joint {
            setting,
            history: History::new(setting.sources, start),
            table: Vec::new(),
            table_made: f64::NEG_INFINITY,
            gaps: vec![1.0; setting.sources],
            last: vec![start; setting.sources],
            due: BinaryHeap::new(),
            queue: Queue::new(setting.sources),
            dice: Dice::new(setting.seed),
            overspent: 0.0,
        }
    }

    /// The plan for a source whose stationary gap at the price would be this many hours.
    fn level(gap: f64) -> usize {
        let level = libm::log(gap / LEVEL_GAP_MIN) / libm::log(LEVEL_FACTOR);
        (libm::round(level).max(0.0) as usize).min(LEVELS - 1)
    }

    fn make_table(&mut self) {
        let curve = Curve::new(self.history.shared_hours());
        let one = |level: usize| {
            let gap = LEVEL_GAP_MIN * libm::pow(LEVEL_FACTOR, level as f64);
            // A stationary rate of 1 an hour has the gap √(2ν).
            price::plan(&curve, gap * gap / 2.0, (2.0 * gap) as usize + 30)
        };
        self.table = (0..LEVELS).map(one).collect();
    }

    /// Mean probes a day if gaps are these times `scale`.
    fn probes(&self, gaps: &[f64], scale: f64) -> f64 {
        let a_day = |gap: &f64| {
            let gap = gap * scale;
            let level = Joint::level(gap);
            // Within a level, and beyond the last, the gap grows as the stationary one.
            let whole = LEVEL_GAP_MIN * libm::pow(LEVEL_FACTOR, level as f64);
            24.0 / (self.table[level].gap * gap / whole)
        };
        gaps.iter().map(a_day).sum()
    }

    fn schedule(&mut self, source: usize) {
        let last = self.last[source];
        let gap = self.gaps[source];
        let level = Joint::level(gap);
        let whole = LEVEL_GAP_MIN * libm::pow(LEVEL_FACTOR, level as f64);
        let hours = f64::from(self.table[level].next[hour_of_week(last)]) * (gap / whole);
        self.due.push(Reverse(((last + hours * 3600.0).max(0.0) as u64, source as u32)));
    }
}

impl DelayPolicy for Joint {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        self.history.learn(source, now, postings);
        self.last[source as usize] = now;
        if !self.table.is_empty() {
            self.schedule(source as usize);
        }
    }

    fn plan(&mut self, now: f64) {
        self.history.pool();
        let first = self.table.is_empty();
        if now - self.table_made >= TABLE_DAYS * DAY {
            self.table_made = now;
            self.make_table();
        }
        let roots: Vec<f64> = (0..self.setting.sources)
            .map(|i| 1.0 / libm::sqrt(self.history.rate(i) * self.history.weight(i)))
            .collect();
        let (mut low, mut high) = (1e-9_f64, 1e9_f64);
        for _ in 0..60 {
            let middle = libm::sqrt(low * high);
            if self.probes(&roots, middle) > self.setting.per_day {
                low = middle;
            } else {
                high = middle;
            }
        }
        // What the table gets wrong (whole hours, queues) is paid back over some days.
        let longer = libm::exp(OVERSPENT_PULL * self.overspent / self.setting.per_day);
        self.gaps = roots.iter().map(|root| root * high * longer).collect();
        self.due.clear();
        for source in 0..self.setting.sources {
            if first {
                // They were all seen at once: as if each had been seen somewhere in its gap.
                self.last[source] -= self.dice.unit() * self.gaps[source] * 3600.0;
            }
            self.schedule(source);
        }
    }

    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>) {
        while let Some(&Reverse((time, source))) = self.due.peek() {
            if time as f64 > now {
                break;
            }
            self.due.pop();
            self.queue.push(source);
        }
        self.queue.take(room, picks);
        self.overspent += picks.len() as f64 - self.setting.per_chronon();
    }
}
