//! How long changes waited of late, for the forecast.
//!
//! A forecast from rates alone knows no hours and no company: on real postings it said up to 2.5
//! times the delay that came. So it is compared with what came: how long found changes had waited,
//! and the probes that this took. Where a find tells no times, its wait is what the pattern of the
//! source, and company that told of it, make of the gap.

use crate::sparse::Sparse;
use chronon::{Instant, Span};

/// The time in which what was seen counts half.
const HALF_LIFE: Span = Span::DAY.times(14);
/// Numbers that are stored.
pub(crate) const STORED: usize = 4;

/// What looks of late cost and brought.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Experience {
    /// Changes found, each times the weight of its source.
    pub found: f64,
    /// Seconds that they had waited, times the same.
    pub waited: f64,
    /// What all probes took of the budget.
    pub cost: f64,
    /// Seconds in which all that happened.
    pub lived: f64,
}

impl Experience {
    fn fade(&mut self, seconds: f64) {
        let half_life = HALF_LIFE.as_secs_f64();
        let kept = libm::exp2(-seconds / half_life);
        for sum in [&mut self.found, &mut self.waited, &mut self.cost, &mut self.lived] {
            *sum *= kept;
        }
        self.lived += (1.0 - kept) * half_life / core::f64::consts::LN_2;
    }
}

/// Sums up an [`Experience`] as time passes.
#[derive(Debug, Clone)]
pub(crate) struct Diary {
    sums: Experience,
    /// Until when they are reckoned; `None` before the first probe of this life.
    until: Option<Instant>,
    /// By slot, when the change came that a companion told of, seconds.
    told: Sparse<f64>,
}

impl Diary {
    pub(crate) fn new() -> Diary {
        Diary { sums: Experience::default(), until: None, told: Sparse::new() }
    }

    /// A probe began at `start` and took `cost` of the budget.
    pub(crate) fn probed(&mut self, start: Instant, cost: f64) {
        let until = self.until.unwrap_or(start);
        if start > until {
            self.sums.fade(start.since(until).as_secs_f64());
        }
        self.until = Some(until.max(start));
        self.sums.cost += cost;
    }

    /// Changes were found that count for so much, and had waited this long on the mean, seconds.
    pub(crate) fn found(&mut self, weight: f64, waited: f64) {
        self.sums.found += weight;
        self.sums.waited += weight * waited;
    }

    /// A companion told the source at `slot` of a change that came `at` some second.
    pub(crate) fn tell(&mut self, slot: u32, at: f64) {
        self.told.insert(slot, at);
    }

    /// When the change came that a companion told of; it is forgotten.
    pub(crate) fn take_told(&mut self, slot: u32) -> Option<f64> {
        let at = self.told.get(slot).copied();
        self.told.remove(slot);
        at
    }

    /// What is remembered at `now`.
    pub(crate) fn at(&self, now: Instant) -> Experience {
        let mut sums = self.sums;
        if let Some(until) = self.until.filter(|&until| until < now) {
            sums.fade(now.since(until).as_secs_f64());
        }
        sums
    }

    pub(crate) fn numbers(&self) -> [f64; STORED] {
        let Experience { found, waited, cost, lived } = self.sums;
        [found, waited, cost, lived]
    }

    /// Takes over what an earlier life stored; anything else is nothing seen.
    pub(crate) fn recall(&mut self, numbers: &[f32]) {
        let sound = |number: &f32| number.is_finite() && *number >= 0.0;
        if let &[found, waited, cost, lived] = numbers
            && numbers.iter().all(sound)
        {
            let [found, waited, cost, lived] = [found, waited, cost, lived].map(f64::from);
            self.sums = Experience { found, waited, cost, lived };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(days: i64) -> Instant {
        Instant::EPOCH + Span::DAY.times(days)
    }

    #[test]
    fn what_was_seen_counts_half_after_a_fortnight_and_a_pause_counts_as_time() {
        let mut diary = Diary::new();
        diary.probed(at(3), 2.0);
        diary.found(1.0, 600.0);
        assert_eq!(
            diary.at(at(3)),
            Experience { found: 1.0, waited: 600.0, cost: 2.0, lived: 0.0 }
        );
        let later = diary.at(at(17));
        assert_eq!((later.found, later.waited, later.cost), (0.5, 300.0, 1.0));
        let steady = HALF_LIFE.as_secs_f64() / core::f64::consts::LN_2;
        assert!((later.lived - steady / 2.0).abs() < 1.0, "{}", later.lived);
        // In steps as in one.
        diary.probed(at(10), 0.0);
        let again = diary.at(at(17));
        assert!((again.lived - later.lived).abs() < 1e-3 && (again.found - 0.5).abs() < 1e-9);
    }

    #[test]
    fn what_is_stored_goes_on_after_a_start_and_what_is_damaged_is_nothing_seen() {
        let mut diary = Diary::new();
        diary.probed(at(3), 2.0);
        diary.probed(at(4), 1.0);
        diary.found(3.0, 60.0);
        let numbers = diary.numbers().map(|number| number as f32);
        let mut other = Diary::new();
        other.recall(&numbers);
        // The time in which nobody ran does not count.
        other.probed(at(400), 0.0);
        let (before, after) = (diary.at(at(4)), other.at(at(400)));
        assert!((before.lived - after.lived).abs() < 1.0 && before.found == after.found);
        for damaged in [&[][..], &numbers[..3], &[1.0, f32::NAN, 1.0, 1.0], &[-1.0; 4]] {
            let mut diary = Diary::new();
            diary.recall(damaged);
            assert_eq!(diary.at(at(1)), Experience::default());
        }
    }
}
