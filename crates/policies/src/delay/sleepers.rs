//! Who need not be looked at for now: the sources whose index stays below a value until a time.
//!
//! A source sleeps with that value and that time. It wakes at the time, when somebody asks for
//! less than its value, or when there is news of it. So the best of all can be found among those
//! awake: O(log n) per sleep and waking.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A heap holds at most this many entries per source; then those that no longer count are dropped.
const ENTRIES_MAX: usize = 3;

/// The sleep of one source: its place in a heap counts if it is still the same sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sleep {
    source: u32,
    number: u32,
}

#[derive(Debug, Clone)]
pub struct Sleepers {
    /// Per source the number of its sleep, and whether it sleeps.
    sleeps: Vec<(u32, bool)>,
    awake: Vec<u32>,
    /// By end, milliseconds.
    by_end: BinaryHeap<Reverse<(i64, Sleep)>>,
    /// By value: the bits of floats ≥ 0 are ordered as the floats.
    by_value: BinaryHeap<(u64, Sleep)>,
}

impl Sleepers {
    /// Sleepers for this many sources, all awake.
    #[must_use]
    pub fn new(sources: usize) -> Sleepers {
        Sleepers {
            sleeps: vec![(0, false); sources],
            awake: (0..sources as u32).collect(),
            by_end: BinaryHeap::new(),
            by_value: BinaryHeap::new(),
        }
    }

    /// `source`, which was taken from those awake, is below `value` (≥ 0) until `end`.
    pub fn sleep(&mut self, source: u32, value: f64, end: f64) {
        let entry = &mut self.sleeps[source as usize];
        *entry = (entry.0.wrapping_add(1), true);
        let sleep = Sleep { source, number: entry.0 };
        self.by_end.push(Reverse(((end * 1000.0) as i64 - 1, sleep)));
        self.by_value.push((value.max(0.0).to_bits(), sleep));
        let (sleeps, most) = (&self.sleeps, ENTRIES_MAX * self.sleeps.len());
        let counts = |s: Sleep| sleeps[s.source as usize] == (s.number, true);
        if self.by_value.len() > most {
            self.by_value.retain(|entry| counts(entry.1));
        }
        if self.by_end.len() > most {
            self.by_end.retain(|entry| counts(entry.0.1));
        }
    }

    /// There is news of a source.
    pub fn wake(&mut self, source: u32) {
        let entry = &mut self.sleeps[source as usize];
        if std::mem::replace(&mut entry.1, false) {
            self.awake.push(source);
        }
    }

    pub fn wake_all(&mut self) {
        (0..self.sleeps.len()).for_each(|source| self.wake(source as u32));
        self.by_end.clear();
        self.by_value.clear();
    }

    /// Wakes those whose time has come.
    pub fn wake_due(&mut self, now: f64) {
        while let Some(&Reverse((end, sleep))) = self.by_end.peek() {
            if end as f64 > now * 1000.0 {
                return;
            }
            self.by_end.pop();
            if self.counts(sleep) {
                self.wake(sleep.source);
            }
        }
    }

    /// Wakes the sleeper with the greatest value, if that is above `value`.
    pub fn wake_above(&mut self, value: f64) -> Option<u32> {
        while let Some(&(bits, sleep)) = self.by_value.peek() {
            let counts = self.counts(sleep);
            if counts && f64::from_bits(bits) <= value {
                return None;
            }
            self.by_value.pop();
            if counts {
                self.wake(sleep.source);
                return Some(sleep.source);
            }
        }
        None
    }

    fn counts(&self, sleep: Sleep) -> bool {
        self.sleeps[sleep.source as usize] == (sleep.number, true)
    }

    /// Takes all those awake; each is to be kept awake or put to sleep.
    pub fn take_awake(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.awake)
    }

    pub fn keep(&mut self, source: u32) {
        self.awake.push(source);
    }
}

#[cfg(test)]
mod tests {
    use super::Sleepers;

    #[test]
    fn a_sleeper_wakes_at_its_time_for_its_value_or_for_news_and_only_once() {
        let mut sleepers = Sleepers::new(4);
        assert_eq!(sleepers.take_awake(), [0, 1, 2, 3]);
        for (source, value, end) in [(0, 5.0, 10.0), (1, 7.0, 20.0), (2, 1.0, 30.0)] {
            sleepers.sleep(source, value, end);
        }
        sleepers.keep(3);
        assert_eq!(sleepers.wake_above(6.0), Some(1));
        assert_eq!(sleepers.wake_above(6.0), None);
        sleepers.wake_due(10.0);
        sleepers.wake(2);
        sleepers.wake(2);
        sleepers.wake_due(100.0);
        assert_eq!(sleepers.take_awake(), [3, 1, 0, 2]);
        assert_eq!(sleepers.wake_above(0.0), None);
    }

    #[test]
    fn sleeps_that_ended_early_do_not_pile_up() {
        let mut sleepers = Sleepers::new(2);
        sleepers.take_awake();
        for _ in 0..1000 {
            sleepers.sleep(0, 1.0, 1e9);
            sleepers.wake(0);
            sleepers.take_awake();
        }
        assert!(sleepers.by_end.len() <= 7 && sleepers.by_value.len() <= 7);
    }
}
