//! What changed of late, for whoever keeps a list of very many up to date.
//!
//! It is read off the records of each step. What a list shows and no record says would be lost at
//! the next start, so nothing can change without being noted here.

use super::{Kernel, WatchLine};
use crate::record::Record;
use chronon::{OwnerId, SentinelId, SourceId};
use std::collections::{BTreeSet, VecDeque};

/// Changes that are kept: about twenty minutes of 100,000 sources looked at once an hour.
const KEPT: usize = 1 << 15;

/// How far the changes have been read, in one life of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    epoch: u64,
    /// Counts changes.
    at: u64,
}

/// What a line of a list may say something else of.
#[derive(Debug, Clone, Copy)]
enum Changed {
    Sentinel(SentinelId),
    Source(SourceId),
}

/// The newest changes, in order.
#[derive(Default)]
pub(super) struct Journal {
    changes: VecDeque<Changed>,
    /// How many were there before these.
    forgotten: u64,
}

impl Journal {
    pub(super) fn note(&mut self, records: &[Record]) {
        let changes = records.iter().filter_map(|record| match record {
            Record::Sentinel(row) => Some(Changed::Sentinel(row.id)),
            Record::SentinelLife(life) => Some(Changed::Sentinel(life.id)),
            Record::SentinelGone(id) => Some(Changed::Sentinel(*id)),
            Record::Source(row) => Some(Changed::Source(row.id)),
            Record::SourceGone(id) => Some(Changed::Source(*id)),
            _ => None,
        });
        self.changes.extend(changes);
        let old = self.changes.len().saturating_sub(KEPT);
        self.changes.drain(..old);
        self.forgotten += old as u64;
    }

    /// Anything may have changed.
    pub(super) fn forget(&mut self) {
        self.forgotten = self.end() + 1;
        self.changes.clear();
    }

    fn end(&self) -> u64 {
        self.forgotten + self.changes.len() as u64
    }

    /// Those after the first `at` of all; `None` if some of them are forgotten.
    fn since(&self, at: u64) -> Option<impl Iterator<Item = Changed>> {
        let first = usize::try_from(at.checked_sub(self.forgotten)?).ok()?;
        Some(self.changes.range(first.min(self.changes.len())..).copied())
    }
}

impl Kernel {
    /// The end of what has changed so far. O(1).
    pub fn mark(&self) -> Mark {
        Mark { epoch: self.meta.epoch, at: self.journal.end() }
    }

    /// The sentinels whose lines may have changed since `mark`, in the order of their ids, with
    /// those that are gone; `None` if that is not known any more. O(changes · log changes).
    pub fn changed_since(&self, mark: Mark) -> Option<Vec<SentinelId>> {
        let changes = self.journal.since(mark.at).filter(|_| mark.epoch == self.meta.epoch)?;
        let (mut sentinels, mut sources) = (BTreeSet::new(), BTreeSet::new());
        for change in changes {
            match change {
                Changed::Sentinel(id) => sentinels.insert(id),
                Changed::Source(id) => sources.insert(id),
            };
        }
        sentinels.extend(sources.iter().flat_map(|source| self.life.of_source(*source)));
        Some(sentinels.into_iter().collect())
    }

    /// One live sentinel of `owner`.
    pub fn line(&self, owner: OwnerId, id: SentinelId) -> Option<WatchLine<'_>> {
        let seen = self.life.live(id).filter(|_| id.owner() == owner)?;
        Some(self.line_of(seen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_is_not_taken_for_nothing() {
        let mut journal = Journal::default();
        let gone = |id| Record::SentinelGone(SentinelId(id));
        journal.note(&[gone(1), gone(2)]);
        let since = |journal: &Journal, at| Some(journal.since(at)?.count());
        assert_eq!([0, 1, 2, 3].map(|at| since(&journal, at)), [2, 1, 0, 0].map(Some));
        for id in 0..KEPT as u64 {
            journal.note(&[gone(id)]);
        }
        assert_eq!([1, 2, 3].map(|at| since(&journal, at)), [None, Some(KEPT), Some(KEPT - 1)]);
        assert_eq!(journal.end(), KEPT as u64 + 2);
    }
}
