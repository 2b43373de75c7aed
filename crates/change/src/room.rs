//! Which entries of a feed are gone because newer ones came: a feed has room for the latest.

use std::collections::BTreeSet;

/// Whether new entries come at the end of a feed of `new` entries, and not at its start.
pub(crate) fn is_at_end(came: impl Fn(usize) -> bool, new: usize) -> bool {
    new > 0 && came(new - 1) && !came(0)
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
