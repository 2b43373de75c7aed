//! Slots for ids. Ids mostly follow each other, so [`PAGE`] of them share a page of slots: who has
//! a slot, and whose it is, takes a bit and no look at what is there.

use rustc_hash::FxHashMap;

/// Ids to a page.
pub(crate) const PAGE: u32 = 16;
/// So many pages are looked through for the next slot that is taken.
const LOOKED_THROUGH: u32 = 64;

#[derive(Debug, Clone, Copy)]
struct Page {
    /// The id of its first slot.
    first: u32,
    /// A bit for each slot.
    taken: u16,
}

/// Which id has which slot. O(1) each; a page without ids is used again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pages {
    numbers: FxHashMap<u32, u32>,
    pages: Vec<Page>,
    free: Vec<u32>,
    len: u32,
}

impl Pages {
    /// Ids that have a slot.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// Slots, whether or not taken.
    pub(crate) fn slots(&self) -> u32 {
        self.pages.len() as u32 * PAGE
    }

    pub(crate) fn slot(&self, id: u32) -> Option<u32> {
        let number = *self.numbers.get(&(id / PAGE))?;
        let slot = number * PAGE + id % PAGE;
        self.is_taken(slot).then_some(slot)
    }

    pub(crate) fn is_taken(&self, slot: u32) -> bool {
        self.pages.get((slot / PAGE) as usize).is_some_and(|page| page.taken & bit(slot) != 0)
    }

    /// Whose a slot is.
    pub(crate) fn id(&self, slot: u32) -> u32 {
        self.pages[(slot / PAGE) as usize].first + slot % PAGE
    }

    /// A slot for an id that has none.
    pub(crate) fn insert(&mut self, id: u32) -> u32 {
        let (pages, free) = (&mut self.pages, &mut self.free);
        let number = *self.numbers.entry(id / PAGE).or_insert_with(|| {
            let page = Page { first: id / PAGE * PAGE, taken: 0 };
            let Some(number) = free.pop() else {
                pages.push(page);
                return (pages.len() - 1) as u32;
            };
            pages[number as usize] = page;
            number
        });
        self.pages[number as usize].taken |= bit(id);
        self.len += 1;
        number * PAGE + id % PAGE
    }

    /// The slot is free, if it was taken.
    pub(crate) fn remove(&mut self, slot: u32) {
        if !self.is_taken(slot) {
            return;
        }
        let page = &mut self.pages[(slot / PAGE) as usize];
        page.taken &= !bit(slot);
        self.len -= 1;
        if page.taken == 0 {
            self.numbers.remove(&(page.first / PAGE));
            self.free.push(slot / PAGE);
        }
    }

    /// The next slot after `slot` that is taken, round and round; one of the next that are not
    /// where many pages are empty.
    pub(crate) fn after(&self, slot: u32) -> u32 {
        let slots = self.slots().max(1);
        let mut next = (slot + 1) % slots;
        for _ in 0..LOOKED_THROUGH {
            let page = self.pages.get((next / PAGE) as usize).map_or(0, |page| page.taken);
            let ahead = page >> (next % PAGE);
            if ahead != 0 {
                return next + ahead.trailing_zeros();
            }
            next = (next / PAGE + 1) * PAGE % slots;
        }
        next
    }
}

fn bit(slot: u32) -> u16 {
    1 << (slot % PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn each_id_keeps_a_slot_of_its_own_until_it_leaves(
            acts in prop::collection::vec((0_u32..70, any::<bool>()), 1..200),
        ) {
            let (mut pages, mut slots) = (Pages::default(), BTreeMap::new());
            for (id, comes) in acts {
                // Far apart, some of them.
                let id = if id < 40 { id } else { id * 50_000_000 };
                match slots.get(&id) {
                    None if comes => {
                        slots.insert(id, pages.insert(id));
                    }
                    Some(&slot) if !comes => {
                        pages.remove(slot);
                        slots.remove(&id);
                    }
                    _ => {}
                }
                prop_assert_eq!(pages.slot(id), slots.get(&id).copied());
                prop_assert_eq!(pages.len() as usize, slots.len());
                let mut all: Vec<u32> = slots.values().copied().collect();
                all.sort_unstable();
                for (id, slot) in &slots {
                    prop_assert_eq!((pages.slot(*id), pages.id(*slot)), (Some(*slot), *id));
                    let next = all.iter().find(|other| *other > slot).or(all.first());
                    prop_assert_eq!(Some(&pages.after(*slot)), next);
                }
                all.dedup();
                prop_assert_eq!(all.len(), slots.len());
            }
        }
    }
}
