//! What is due when, besides what scheduler and outbox keep themselves.

use chronon::Instant;
use std::collections::BTreeSet;

/// A queue by time. Entries are never cancelled: what they name is looked at when they fire.
pub(crate) struct Timers<T>(BTreeSet<(Instant, T)>);

impl<T> Default for Timers<T> {
    fn default() -> Timers<T> {
        Timers(BTreeSet::new())
    }
}

impl<T: Copy + Ord> Timers<T> {
    pub(crate) fn set(&mut self, at: Instant, timer: T) {
        if at < Instant::NEVER {
            self.0.insert((at, timer));
        }
    }

    /// After very many were set: see [`crate::packed::pack`].
    pub(crate) fn pack(&mut self) {
        self.0 = std::mem::take(&mut self.0).into_iter().collect();
    }

    pub(crate) fn next(&self) -> Option<Instant> {
        self.0.first().map(|&(at, _)| at)
    }

    pub(crate) fn pop_due(&mut self, now: Instant) -> Option<T> {
        let &(at, timer) = self.0.first()?;
        (at <= now).then(|| {
            self.0.pop_first();
            timer
        })
    }
}
