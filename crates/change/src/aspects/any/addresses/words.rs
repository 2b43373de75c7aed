//! Links that stand on other words of their text now.

use super::{Fate, Fates, One, Turn, Two};
use crate::found::Side;
use page::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Blocks on each side of one that stand beside it.
const BESIDE: usize = 3;

/// A link that went and one that came in the same text are one, on other words: in their order,
/// where as many went as came. O(n log n).
pub(super) fn join(turns: &mut Vec<Turn>, [old, new]: Two<'_>, fates: &Fates) {
    let has_words = |one: &One<'_>| !one.text.is_empty();
    let mut by_block: FxHashMap<usize, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
    for turn in &*turns {
        match *turn {
            Turn::Delete(o) if has_words(&old[o]) => {
                let Some(block) = old[o].block else { continue };
                by_block.entry(block).or_default().0.push(o);
            }
            Turn::Insert(n) if has_words(&new[n]) => {
                let Some(Some(block)) = fates.was(new[n].block) else { continue };
                by_block.entry(block).or_default().1.push(n);
            }
            Turn::Insert(_) | Turn::Delete(_) | Turn::Update(..) => {}
        }
    }
    by_block.retain(|_, (went, came)| went.len() == came.len());
    let pairs = by_block.into_values().flat_map(|(went, came)| came.into_iter().zip(went));
    let pairs: FxHashMap<usize, usize> = pairs.collect();
    let taken: FxHashSet<usize> = pairs.values().copied().collect();
    turns.retain(|turn| !matches!(turn, Turn::Delete(o) if taken.contains(o)));
    for turn in turns {
        if let Turn::Insert(n) = *turn
            && let Some(&o) = pairs.get(&n)
        {
            *turn = Turn::Update(o, n);
        }
    }
}

/// Whether a link that is now on other words stands there with the text: both its old words went
/// and its new ones came.
pub(super) fn are_told(turn: &Turn, [old, new]: Two<'_>, is_told: impl Fn(&Turn) -> bool) -> bool {
    matches!(*turn, Turn::Update(o, n) if old[o].text != new[n].text
        && is_told(&Turn::Delete(o))
        && is_told(&Turn::Insert(n)))
}

/// Where the links of a version lead, and from which blocks.
pub(super) struct Places<'a, 'e> {
    side: &'a Side<'e>,
    all: FxHashMap<&'a str, BTreeSet<usize>>,
}

impl<'a, 'e> Places<'a, 'e> {
    pub(super) fn of(links: &'a [One<'_>], side: &'a Side<'e>) -> Places<'a, 'e> {
        let mut all: FxHashMap<&str, BTreeSet<usize>> = FxHashMap::default();
        for one in links {
            if let Some(block) = one.block {
                all.entry(&one.place).or_default().insert(block);
            }
        }
        Places { side, all }
    }

    /// Whether another link beside a block leads there: of the same thing, if it is of one. What
    /// stands in a row is of that alone.
    pub(super) fn lead_beside(&self, block: usize, place: &str) -> bool {
        let reading = self.side.reading();
        let blocks = &self.side.extract.blocks;
        let is_alone = |block: &Block| block.row.is_some() || block.list > 0;
        let of = |at: usize| (reading.parent(at), reading.thing(at));
        let range = block.saturating_sub(BESIDE)..=block + BESIDE;
        let beside = self.all.get(place).map(|all| all.range(range));
        beside.into_iter().flatten().any(|&at| {
            let are_alone = is_alone(&blocks[at]) || is_alone(&blocks[block]);
            at == block || (!are_alone && of(at) == of(block))
        })
    }
}

/// Whether what a link led to, or leads to, is linked beside its text in the other version, too: no
/// way there came or went.
pub(super) fn is_linked_beside(
    turn: &Turn,
    [old, new]: Two<'_>,
    fates: &Fates,
    [were, are]: [&Places<'_, '_>; 2],
) -> bool {
    let other = |fate: Fate| match fate {
        Fate::Stayed(at) | Fate::Changed(at) => Some(at),
        Fate::Alone(_) => None,
    };
    let (one, places, at) = match *turn {
        Turn::Delete(o) => (&old[o], are, old[o].block.and_then(|at| other(fates.old[at]))),
        Turn::Insert(n) => (&new[n], were, new[n].block.and_then(|at| other(fates.new[at]))),
        Turn::Update(..) => return false,
    };
    at.is_some_and(|at| places.lead_beside(at, &one.place))
}
