//! How late changes were found, where content tells when they came.
//!
//! A source's account is opened by its first find with a time that is believed. From the next look
//! on, looks and the time between them are counted, and how long each change had waited. Looks at
//! fixed intervals, as many in all and as many for each source, would have found changes after half
//! of their interval on the mean: what comes at no special time does not know when one looks.

use crate::sparse::Sparse;
use chronon::Instant;

/// Numbers that are stored.
pub(crate) const STORED: usize = 4;

/// Delays of one source since the process began, or of all since the store did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measured {
    /// Changes whose times were told and believed.
    pub found: u32,
    /// Looks, those that failed included.
    pub looks: u32,
    /// Seconds that the changes waited, all together.
    waited: f32,
    /// Seconds between looks, all together.
    watched: f32,
}

impl Measured {
    /// Mean seconds from a change to the look that found it; `None` before the first.
    #[must_use]
    pub fn delay(&self) -> Option<f64> {
        (self.found > 0).then(|| f64::from(self.waited) / f64::from(self.found))
    }

    /// What as many looks at fixed intervals would have given; `None` before the first.
    #[must_use]
    pub fn at_fixed_intervals(&self) -> Option<f64> {
        (self.looks > 0).then(|| f64::from(self.watched) / f64::from(self.looks) / 2.0)
    }

    fn add(&mut self, other: Measured) {
        self.found = self.found.saturating_add(other.found);
        self.looks = self.looks.saturating_add(other.looks);
        self.waited += other.waited;
        self.watched += other.watched;
    }
}

/// The accounts, by slot of their source, and their sum.
#[derive(Debug, Clone)]
pub(crate) struct Accounts {
    sources: Sparse<Measured>,
    /// In seconds that do not become coarse: all together may live long.
    waited: f64,
    watched: f64,
    all: Measured,
}

impl Accounts {
    pub(crate) fn new() -> Accounts {
        Accounts { sources: Sparse::new(), waited: 0.0, watched: 0.0, all: Measured::default() }
    }

    /// A look that began at `start`, the one before it at `last`, found changes that came at
    /// `times`.
    pub(crate) fn note(&mut self, slot: u32, [last, start]: [Instant; 2], times: &[Instant]) {
        let Some(account) = self.sources.get_mut(slot) else {
            if !times.is_empty() {
                self.sources.insert(slot, Measured::default());
            }
            return;
        };
        let seconds = |from: Instant| start.since(from).as_secs_f64().max(0.0);
        let (waited, watched): (f64, f64) =
            (times.iter().map(|&time| seconds(time)).sum(), seconds(last));
        let found = times.len() as u32;
        let look = Measured { found, looks: 1, waited: waited as f32, watched: watched as f32 };
        account.add(look);
        self.all.add(look);
        (self.waited, self.watched) = (self.waited + waited, self.watched + watched);
    }

    pub(crate) fn of(&self, slot: u32) -> Measured {
        self.sources.get(slot).copied().unwrap_or_default()
    }

    /// Over all, those that left included.
    pub(crate) fn all(&self) -> Measured {
        Measured { waited: self.waited as f32, watched: self.watched as f32, ..self.all }
    }

    pub(crate) fn forget(&mut self, slot: u32) {
        self.sources.remove(slot);
    }

    /// The sum over all, to store.
    pub(crate) fn numbers(&self) -> [f64; STORED] {
        [self.all.found.into(), self.all.looks.into(), self.waited, self.watched]
    }

    /// Goes on with the sum of an earlier life; anything else is nothing seen.
    pub(crate) fn recall(&mut self, numbers: &[f32]) {
        if let &[found, looks, waited, watched] = numbers
            && numbers.iter().all(|number| number.is_finite() && *number >= 0.0)
        {
            (self.all.found, self.all.looks) = (found as u32, looks as u32);
            (self.waited, self.watched) = (waited.into(), watched.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Instant {
        Instant::from_millis(second * 1_000)
    }

    #[test]
    fn the_first_find_opens_the_account_and_looks_after_it_count() {
        let mut accounts = Accounts::new();
        accounts.note(3, [at(0), at(100)], &[]);
        assert_eq!(accounts.of(3), Measured::default());
        accounts.note(3, [at(100), at(200)], &[at(150)]);
        assert_eq!((accounts.of(3).delay(), accounts.of(3).at_fixed_intervals()), (None, None));
        accounts.note(3, [at(200), at(300)], &[at(290), at(270)]);
        accounts.note(3, [at(300), at(360)], &[]);
        let measured = accounts.of(3);
        assert_eq!((measured.found, measured.looks), (2, 2));
        assert_eq!((measured.delay(), measured.at_fixed_intervals()), (Some(20.0), Some(40.0)));
        accounts.note(4, [at(0), at(100)], &[at(50)]);
        accounts.note(4, [at(100), at(400)], &[at(300)]);
        assert_eq!(accounts.all().delay(), Some(140.0 / 3.0));
        assert_eq!(accounts.all().at_fixed_intervals(), Some(460.0 / 6.0));
        accounts.forget(4);
        assert_eq!((accounts.of(4).found, accounts.all().found), (0, 3));
        // The sum goes on after a start, and what is damaged is nothing seen.
        let numbers = accounts.numbers().map(|number| number as f32);
        let mut other = Accounts::new();
        other.recall(&numbers);
        assert_eq!(other.all().delay(), Some(140.0 / 3.0));
        other.note(4, [at(0), at(100)], &[at(50)]);
        other.note(4, [at(100), at(400)], &[at(300)]);
        assert_eq!((other.all().found, other.all().delay()), (4, Some(60.0)));
        for damaged in [&numbers[..3], &[1.0, f32::NAN, 1.0, 1.0], &[-1.0; 4]] {
            let mut other = Accounts::new();
            other.recall(damaged);
            assert_eq!(other.all(), Measured::default());
        }
    }
}
