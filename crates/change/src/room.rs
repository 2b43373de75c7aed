//! Which entries of a feed are gone because it lists only some, and which of those that came are no
//! news.

use crate::Slight;
use crate::found::Found;
use chronon::Instant;
use std::collections::BTreeSet;

/// As many entries leave at once where a feed lists others of its own, and takes nothing back.
const MANY: usize = 10;

/// The entries of two versions by their positions, and their times as far as they say them.
pub(crate) struct Entries<'t> {
    pub(crate) times: [&'t [Option<Instant>]; 2],
    pub(crate) gone: BTreeSet<usize>,
    pub(crate) came: BTreeSet<usize>,
    /// Some that came were listed earlier.
    pub(crate) again: BTreeSet<usize>,
    /// What stayed stands in the opposite order now.
    pub(crate) is_turned: bool,
}

/// What of them is no news.
#[derive(Default)]
pub(crate) struct Room {
    /// Old entries that made room: no newer one stayed behind them.
    pub(crate) made: BTreeSet<usize>,
    /// Further old entries that left a list which shows others now.
    pub(crate) left: BTreeSet<usize>,
    /// New entries that there is room for again, and those that were listed earlier.
    pub(crate) again: BTreeSet<usize>,
    /// New entries come at the end of the feed, and not at its start.
    pub(crate) grows_at_end: bool,
}

impl Room {
    /// O(n log n).
    pub(crate) fn of(entries: &Entries<'_>) -> Room {
        let again: BTreeSet<usize> = &entries.refilled() | &entries.again;
        let news: BTreeSet<usize> = &entries.came - &again;
        let [_, new] = entries.times;
        let grows_at_end = !new.is_empty() && news.contains(&(new.len() - 1)) && !news.contains(&0);
        let made = entries.made(grows_at_end);
        let left = entries.left(&made, news.len(), grows_at_end);
        Room { made, left, again, grows_at_end }
    }

    /// An entry that came, at this position.
    pub(crate) fn weighed_new(&self, found: Found, n: usize) -> Found {
        if self.again.contains(&n) { found.slight_as(Slight::Again) } else { found }
    }

    /// An entry that is gone from this position.
    pub(crate) fn weighed_old(&self, found: Found, o: usize) -> Found {
        if self.left.contains(&o) {
            found.slight_as(Slight::Left)
        } else if self.made.contains(&o) {
            found.slight()
        } else {
            found
        }
    }
}

impl Entries<'_> {
    /// Which of the entries that came had made room, and fill it again where another one was
    /// removed. They stand at the end at which the oldest are, and are older than all that there
    /// were. At most as many are marked as went from elsewhere than that end.
    fn refilled(&self) -> BTreeSet<usize> {
        let none = BTreeSet::new();
        let [old, new] = self.times;
        let kept = |o: &usize| !self.gone.contains(o);
        let (kept_first, kept_last) = ((0..old.len()).find(kept), (0..old.len()).rev().find(kept));
        let (Some(kept_first), Some(kept_last)) = (kept_first, kept_last) else { return none };
        let Some(oldest) = old.iter().copied().min().flatten() else { return none };
        let stays = |n: &usize| !self.came.contains(n);
        let (first, last) = ((0..new.len()).find(stays), (0..new.len()).rev().find(stays));
        let (Some(first), Some(last)) = (first, last) else { return none };
        let is_newest_first = new[first] >= new[last];
        let has_left =
            |o: &&usize| if is_newest_first { **o < kept_last } else { **o > kept_first };
        let removed = self.gone.iter().filter(has_left).count();
        let is_older = |n: &&usize| {
            let is_at_end = if is_newest_first { **n > last } else { **n < first };
            is_at_end && new[**n].is_some_and(|at| at < oldest)
        };
        self.came.iter().filter(is_older).copied().take(removed).collect()
    }

    /// Which are gone behind the last one that stayed, or before the first where the oldest stand
    /// there. So are those that are older than all that stayed. Where none stayed, none made room.
    fn made(&self, grows_at_end: bool) -> BTreeSet<usize> {
        let [old, _] = self.times;
        let stays = |o: &usize| !self.gone.contains(o);
        let (first, last) = ((0..old.len()).find(stays), (0..old.len()).rev().find(stays));
        let (Some(first), Some(last)) = (first, last) else { return BTreeSet::new() };
        let oldest_first = grows_at_end != self.is_turned;
        // Nothing is older than a time that nobody knows.
        let kept: Vec<_> = (0..old.len()).filter(stays).map(|o| old[o]).collect();
        let oldest = kept.iter().copied().min().flatten();
        // Where the oldest stand first, what is newer than all that stayed did not make room.
        let newest = kept.last().copied().flatten();
        let newest = newest.filter(|_| kept[0].is_some() && kept[0] < newest && kept.is_sorted());
        let is_newest = |o: usize| old[o].zip(newest).is_some_and(|(at, newest)| at > newest);
        let is_behind = |o: usize| o > last && !is_newest(o);
        let is_oldest = |o: usize| old[o].zip(oldest).is_some_and(|(at, oldest)| at < oldest);
        let made = |o: &usize| is_behind(*o) || (oldest_first && *o < first) || is_oldest(*o);
        self.gone.iter().copied().filter(made).collect()
    }

    /// Further ones that left with others as new ones came: many at once, most of a longer list, or
    /// neighbours where as many came. One that goes alone was taken back, and so may be what stood
    /// where the newest are.
    fn left(&self, made: &BTreeSet<usize>, news: usize, grows_at_end: bool) -> BTreeSet<usize> {
        let [old, _] = self.times;
        let other: Vec<usize> = self.gone.difference(made).copied().collect();
        if news == 0 {
            return BTreeSet::new();
        }
        let is_most = old.len() >= MANY && 2 * self.gone.len() > old.len();
        if other.len() >= MANY || is_most {
            return other.into_iter().collect();
        }
        let newest = if grows_at_end != self.is_turned { old.len().saturating_sub(1) } else { 0 };
        let runs = other.chunk_by(|one, next| one + 1 == *next);
        let runs = runs.filter(|run| (2..=news).contains(&run.len()) && !run.contains(&newest));
        runs.flatten().copied().collect()
    }
}

/// Whether most neighbours of the entries that stayed, by their old and their new positions, are in
/// the opposite order.
pub(crate) fn is_turned(mut stayed: Vec<(usize, usize)>) -> bool {
    stayed.sort_unstable_by_key(|(_, n)| *n);
    let turned = stayed.windows(2).filter(|two| two[0].0 > two[1].0).count();
    2 * turned > stayed.len().saturating_sub(1)
}
