//! Which entries of a feed are gone because newer ones came: a feed has room for the latest.

use chronon::Instant;
use std::collections::BTreeSet;

/// Whether new entries come at the end of a feed of `new` entries, and not at its start.
pub(crate) fn is_at_end(came: impl Fn(usize) -> bool, new: usize) -> bool {
    new > 0 && came(new - 1) && !came(0)
}

/// Which of the entries that came are no news: they had made room, and fill it again where another
/// one was removed. They stand at the end at which the oldest are, and are older than all that
/// there were. At most as many are
/// marked as went from elsewhere than that end. The
/// times are those of the old entries and of the new ones, as far as they say it. O(n).
pub(crate) fn refilled(
    came: &BTreeSet<usize>,
    gone: &BTreeSet<usize>,
    [old, new]: [&[Option<Instant>]; 2],
) -> BTreeSet<usize> {
    let none = BTreeSet::new();
    let kept = |o: &usize| !gone.contains(o);
    let (kept_first, kept_last) = ((0..old.len()).find(kept), (0..old.len()).rev().find(kept));
    let (Some(kept_first), Some(kept_last)) = (kept_first, kept_last) else { return none };
    let Some(oldest) = old.iter().copied().min().flatten() else { return none };
    let stays = |n: &usize| !came.contains(n);
    let (Some(first), Some(last)) = ((0..new.len()).find(stays), (0..new.len()).rev().find(stays))
    else {
        return none;
    };
    let is_newest_first = new[first] >= new[last];
    let has_left = |o: &&usize| if is_newest_first { **o < kept_last } else { **o > kept_first };
    let removed = gone.iter().filter(has_left).count();
    let is_older = |n: &&usize| {
        let is_at_end = if is_newest_first { **n > last } else { **n < first };
        is_at_end && new[**n].is_some_and(|at| at < oldest)
    };
    came.iter().filter(is_older).copied().take(removed).collect()
}

/// Those of the entries that are gone, of `old` ones, that made room: behind the last one that
/// stayed, or before the first where new ones come at the end. Where none stayed, none made room.
pub(crate) fn made(mut gone: BTreeSet<usize>, is_at_end: bool, old: usize) -> BTreeSet<usize> {
    let stays = |o: &usize| !gone.contains(o);
    let (Some(first), Some(last)) = ((0..old).find(stays), (0..old).rev().find(stays)) else {
        return BTreeSet::new();
    };
    gone.retain(|&o| o > last || (is_at_end && o < first));
    gone
}
