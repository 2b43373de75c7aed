//! Policies that probe each source evenly, at a frequency planned every day.

use super::allocation::{Allocation, age_optimal, proportional, square_root};
use super::queue::Queue;
use super::{DAY, DelayPolicy, History, Posting, Setting, WEEK};
use crate::Dice;

/// Bounds of `entry-frequency`, seconds.
const INTERVAL_MIN: f64 = 300.0;
const INTERVAL_MAX: f64 = DAY;

/// Each source gathers its frequency and is probed when it has gathered one probe.
#[derive(Debug, Clone)]
pub struct Paced {
    setting: Setting,
    share: Allocation,
    history: History,
    /// Probes per chronon.
    pace: Vec<f64>,
    gathered: Vec<f64>,
    queue: Queue,
}

impl Paced {
    #[must_use]
    pub fn new(setting: Setting, start: f64, share: Allocation) -> Paced {
        let mut dice = Dice::new(setting.seed);
        Paced {
            setting,
            share,
            history: History::new(setting.sources, start),
            pace: vec![0.0; setting.sources],
            gathered: (0..setting.sources).map(|_| dice.unit()).collect(),
            queue: Queue::new(setting.sources),
        }
    }

    /// The budget's probes per chronon, shared.
    fn shared(&self, now: f64) -> Vec<f64> {
        let budget = self.setting.per_chronon();
        let each = 0..self.setting.sources;
        let rates: Vec<f64> = each.clone().map(|i| self.history.rate(i)).collect();
        let weights: Vec<f64> = each.clone().map(|i| self.history.weight(i)).collect();
        let demand: Vec<f64> = rates.iter().zip(&weights).map(|(r, w)| r * w).collect();
        match self.share {
            Allocation::Uniform => proportional(&vec![1.0; rates.len()], budget),
            Allocation::Proportional => proportional(&demand, budget),
            Allocation::Sqrt => square_root(&demand, budget),
            Allocation::AgeOptimal => {
                let per_chronon: Vec<f64> =
                    rates.iter().map(|r| r * self.setting.chronon_seconds).collect();
                age_optimal(&per_chronon, &weights, budget)
            }
            Allocation::EntryFrequency => {
                let wanted = |i: usize| {
                    let seen = self.history.since(i, now - WEEK) as f64;
                    1.0 / (WEEK / seen).clamp(INTERVAL_MIN, INTERVAL_MAX)
                };
                proportional(&each.map(wanted).collect::<Vec<f64>>(), budget)
            }
        }
    }
}

impl DelayPolicy for Paced {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        self.history.learn(source, now, postings);
    }

    fn plan(&mut self, now: f64) {
        self.history.pool();
        self.pace = self.shared(now);
    }

    fn choose(&mut self, _now: f64, room: usize, picks: &mut Vec<u32>) {
        for (source, (gathered, pace)) in self.gathered.iter_mut().zip(&self.pace).enumerate() {
            *gathered += pace;
            if *gathered >= 1.0 {
                *gathered -= libm::floor(*gathered);
                self.queue.push(source as u32);
            }
        }
        self.queue.take(room, picks);
    }
}
