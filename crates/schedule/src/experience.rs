//! How long changes waited of late, for the forecast.
//!
//! A forecast from rates alone knows no hours and no company: on real postings it said up to 2.5
//! times the delay that came. So it is compared with what came: how long found changes had waited,
//! and the probes that this took. Where a find tells no times, its wait is what the pattern of the
//! source, and company that told of it, make of the gap.

use crate::sparse::Sparse;
use chronon::Instant;

/// The time in which what was seen counts half: an eighth of the server's life, for the young learn
/// fast and the old see much that is chance; within these, seconds.
const HALF_LIFE: (f64, f64) = (3.0 * 86_400.0, 28.0 * 86_400.0);
const OF_LIFE: f64 = 1.0 / 8.0;
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
    fn fade(&mut self, seconds: f64, half_life: f64) {
        let kept = libm::exp2(-seconds / half_life);
        for sum in [&mut self.found, &mut self.waited, &mut self.cost, &mut self.lived] {
            *sum *= kept;
        }
        self.lived += (1.0 - kept) * half_life / core::f64::consts::LN_2;
    }
}

/// Occasions that are known at a time.
const OCCASIONS: u32 = 256;

/// When a find came about that companions were told of: later than the look before at each of
/// those that came along with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Occasion {
    id: u32,
    /// Seconds between which it was, and when on the mean.
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) at: f64,
    /// Weight of the finds whose wait was reckoned from `at`, as it counts in the sums at `age`.
    weight: f64,
    age: f64,
}

/// What a companion told of: when it was, seconds, and the occasion, where no content tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Told {
    pub(crate) at: f64,
    pub(crate) occasion: Option<u32>,
}

/// Sums up an [`Experience`] as time passes.
#[derive(Debug, Clone)]
pub(crate) struct Diary {
    sums: Experience,
    /// Seconds that the server lived in all.
    age: f64,
    /// Until when they are reckoned; `None` before the first probe of this life.
    until: Option<Instant>,
    /// By slot, what a companion told of.
    told: Sparse<Told>,
    /// By id, modulo their number; the next one's id.
    occasions: Vec<Occasion>,
    next: u32,
}

impl Diary {
    pub(crate) fn new() -> Diary {
        Diary {
            sums: Experience::default(),
            age: 0.0,
            until: None,
            told: Sparse::new(),
            occasions: Vec::new(),
            next: 0,
        }
    }

    /// A probe began at `start` and took `cost` of the budget.
    pub(crate) fn probed(&mut self, start: Instant, cost: f64) {
        let until = self.until.unwrap_or(start);
        if start > until {
            let seconds = start.since(until).as_secs_f64();
            self.sums.fade(seconds, self.half_life());
            self.age += seconds;
        }
        self.until = Some(until.max(start));
        self.sums.cost += cost;
    }

    fn half_life(&self) -> f64 {
        (self.age * OF_LIFE).clamp(HALF_LIFE.0, HALF_LIFE.1)
    }

    /// Changes were found that count for so much, and had waited this long on the mean, seconds.
    pub(crate) fn found(&mut self, weight: f64, waited: f64) {
        self.sums.found += weight;
        self.sums.waited += weight * waited;
    }

    /// A companion told the source at `slot` of a change.
    pub(crate) fn tell(&mut self, slot: u32, told: Told) {
        self.told.insert(slot, told);
    }

    /// What a companion told of; it is forgotten.
    pub(crate) fn take_told(&mut self, slot: u32) -> Option<Told> {
        let told = self.told.get(slot).copied();
        self.told.remove(slot);
        told
    }

    /// A find between two times that nobody had told of: its occasion.
    pub(crate) fn open(&mut self, [from, to]: [f64; 2], at: f64, weight: f64) -> u32 {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        let occasion = Occasion { id, from, to, at, weight, age: self.age };
        match self.occasions.get_mut((id % OCCASIONS) as usize) {
            Some(place) => *place = occasion,
            None => self.occasions.push(occasion),
        }
        id
    }

    /// The occasion, unless many came since.
    pub(crate) fn occasion(&self, id: u32) -> Option<Occasion> {
        let place = self.occasions.get((id % OCCASIONS) as usize)?;
        Some(*place).filter(|occasion| occasion.id == id)
    }

    /// The same, with its weight as it counts by now.
    fn occasion_mut(&mut self, id: u32) -> Option<&mut Occasion> {
        let (age, half_life) = (self.age, self.half_life());
        let place = self.occasions.get_mut((id % OCCASIONS) as usize);
        let place = place.filter(|occasion| occasion.id == id)?;
        place.weight *= libm::exp2((place.age - age) / half_life);
        place.age = age;
        Some(place)
    }

    /// Another find is of the occasion, which was after `from`, and `at` on the mean: those before
    /// it waited less than was thought.
    pub(crate) fn narrow(&mut self, id: u32, from: f64, at: f64) {
        let Some(place) = self.occasion_mut(id).filter(|place| at >= place.at) else { return };
        let less = place.weight * (at - place.at);
        (place.from, place.at) = (place.from.max(from), at);
        self.sums.waited = (self.sums.waited - less).max(0.0);
    }

    /// A find of so much weight is reckoned from the occasion.
    pub(crate) fn joins(&mut self, id: u32, weight: f64) {
        if let Some(place) = self.occasion_mut(id) {
            place.weight += weight;
        }
    }

    /// What is remembered at `now`.
    pub(crate) fn at(&self, now: Instant) -> Experience {
        let mut sums = self.sums;
        if let Some(until) = self.until.filter(|&until| until < now) {
            sums.fade(now.since(until).as_secs_f64(), self.half_life());
        }
        sums
    }

    pub(crate) fn numbers(&self) -> [f64; STORED] {
        let Experience { found, waited, cost, lived } = self.sums;
        [found, waited, cost, lived]
    }

    /// Seconds lived in all, to store.
    pub(crate) fn age(&self) -> f64 {
        self.age
    }

    /// Takes over what an earlier life stored; anything else is nothing seen. An earlier release
    /// stored no age.
    pub(crate) fn recall(&mut self, numbers: &[f32], age: Option<f32>) {
        let sound = |number: &f32| number.is_finite() && *number >= 0.0;
        if let &[found, waited, cost, lived] = numbers
            && numbers.iter().all(sound)
        {
            let [found, waited, cost, lived] = [found, waited, cost, lived].map(f64::from);
            self.sums = Experience { found, waited, cost, lived };
            self.age = age.filter(sound).map_or(lived / OF_LIFE, f64::from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::Span;

    fn at(days: i64) -> Instant {
        Instant::EPOCH + Span::DAY.times(days)
    }

    #[test]
    fn what_was_seen_counts_half_after_days_and_a_pause_counts_as_time() {
        let mut diary = Diary::new();
        diary.probed(at(3), 2.0);
        diary.found(1.0, 600.0);
        assert_eq!(
            diary.at(at(3)),
            Experience { found: 1.0, waited: 600.0, cost: 2.0, lived: 0.0 }
        );
        let later = diary.at(at(6));
        assert_eq!((later.found, later.waited, later.cost), (0.5, 300.0, 1.0));
        let steady = HALF_LIFE.0 / core::f64::consts::LN_2;
        assert!((later.lived - steady / 2.0).abs() < 1.0, "{}", later.lived);
        // In steps as in one.
        diary.probed(at(5), 0.0);
        let again = diary.at(at(6));
        assert!((again.lived - later.lived).abs() < 1e-3 && (again.found - 0.5).abs() < 1e-9);
        // The older remember longer, and not for ever.
        diary.probed(at(83), 0.0);
        assert_eq!(diary.half_life(), 10.0 * 86_400.0);
        diary.probed(at(9_000), 0.0);
        assert_eq!(diary.half_life(), HALF_LIFE.1);
    }

    #[test]
    fn a_find_that_came_along_narrows_when_the_others_changed() {
        let mut diary = Diary::new();
        diary.probed(at(1), 1.0);
        let id = diary.open([0.0, 1_000.0], 500.0, 2.0);
        diary.found(2.0, 500.0);
        diary.narrow(id, 600.0, 800.0);
        assert_eq!(diary.at(at(1)).waited, 2.0 * 200.0);
        // What says less changes nothing, and neither does an occasion that is long past.
        diary.narrow(id, 100.0, 700.0);
        assert_eq!((diary.occasion(id).unwrap().at, diary.at(at(1)).waited), (800.0, 400.0));
        for _ in 0..OCCASIONS {
            diary.open([0.0, 1.0], 0.5, 1.0);
        }
        diary.narrow(id, 900.0, 950.0);
        assert_eq!((diary.occasion(id), diary.at(at(1)).waited), (None, 400.0));
    }

    #[test]
    fn what_is_stored_goes_on_after_a_start_and_what_is_damaged_is_nothing_seen() {
        let mut diary = Diary::new();
        diary.probed(at(3), 2.0);
        diary.probed(at(4), 1.0);
        diary.found(3.0, 60.0);
        let numbers = diary.numbers().map(|number| number as f32);
        let mut other = Diary::new();
        other.recall(&numbers, Some(diary.age() as f32));
        // The time in which nobody ran does not count.
        other.probed(at(400), 0.0);
        let (before, after) = (diary.at(at(4)), other.at(at(400)));
        assert!((before.lived - after.lived).abs() < 1.0 && before.found == after.found);
        for damaged in [&[][..], &numbers[..3], &[1.0, f32::NAN, 1.0, 1.0], &[-1.0; 4]] {
            let mut diary = Diary::new();
            diary.recall(damaged, Some(f32::NAN));
            assert_eq!(diary.at(at(1)), Experience::default());
        }
    }
}
