//! Slots for ids. Ids mostly follow each other, so [`PAGE`] of them share a page of slots: who has
//! a slot, and whose it is, takes a bit and no look at what is there. Where pages stay nearly empty
//! an id that comes alone is a stray: these share pages as they come, and a table finds them.

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Ids to a page.
pub(crate) const PAGE: u32 = 16;
/// Pages looked through for the next slot that is taken.
const LOOKED_THROUGH: u32 = 64;
/// So many slots, and an eighth as many as there are ids, may be empty before ids are strays.
const EMPTY_MAX: u32 = 1_024;
/// In [`Page::first`]: this is a page of strays.
const STRAYS: u32 = 1;

#[derive(Debug, Clone, Copy)]
struct Page {
    /// The id of its first slot; of a page of strays [`STRAYS`], and where it has its ids.
    first: u32,
    /// A bit for each slot.
    taken: u16,
}

impl Page {
    fn is_of_strays(self) -> bool {
        self.first & STRAYS != 0
    }
}

/// Which id has which slot. O(1) each; a page without ids is used again. There are never more slots
/// than 9/8 of the most ids that there were, and 1,056; a stray takes about 12 bytes besides.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pages {
    numbers: FxHashMap<u32, u32>,
    pages: Vec<Page>,
    free: Vec<u32>,
    len: u32,
    /// Slots of strays.
    strays: HashTable<u32>,
    /// Their ids, a page after the other.
    stray_ids: Vec<u32>,
    /// Pages of strays that have room.
    open: Vec<u32>,
}

fn hash(id: u32) -> u64 {
    let mut hasher = FxHasher::default();
    id.hash(&mut hasher);
    hasher.finish()
}

fn id_at(pages: &[Page], stray_ids: &[u32], slot: u32) -> u32 {
    let page = pages[(slot / PAGE) as usize];
    if page.is_of_strays() {
        stray_ids[(page.first - STRAYS + slot % PAGE) as usize]
    } else {
        page.first + slot % PAGE
    }
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
        if let Some(number) = self.numbers.get(&(id / PAGE)) {
            let slot = number * PAGE + id % PAGE;
            if self.is_taken(slot) {
                return Some(slot);
            }
        }
        if self.strays.is_empty() {
            return None;
        }
        self.strays.find(hash(id), |&slot| self.id(slot) == id).copied()
    }

    pub(crate) fn is_taken(&self, slot: u32) -> bool {
        self.pages.get((slot / PAGE) as usize).is_some_and(|page| page.taken & bit(slot) != 0)
    }

    /// Whose a slot is.
    pub(crate) fn id(&self, slot: u32) -> u32 {
        id_at(&self.pages, &self.stray_ids, slot)
    }

    /// A slot for an id that has none.
    pub(crate) fn insert(&mut self, id: u32) -> u32 {
        let slot = match self.page_for(id) {
            Some(number) => number * PAGE + id % PAGE,
            None => self.insert_stray(id),
        };
        self.pages[(slot / PAGE) as usize].taken |= bit(slot);
        self.len += 1;
        slot
    }

    /// The page of an id and of those beside it; `None` if there is none, and pages are too empty
    /// for one more.
    fn page_for(&mut self, id: u32) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&(id / PAGE)) {
            return Some(number);
        }
        let page = Page { first: id / PAGE * PAGE, taken: 0 };
        let number = match self.free.pop() {
            Some(number) => {
                self.pages[number as usize] = page;
                number
            }
            None if self.slots() - self.len > self.len / 8 + EMPTY_MAX => return None,
            None => self.push(page),
        };
        self.numbers.insert(id / PAGE, number);
        Some(number)
    }

    fn push(&mut self, page: Page) -> u32 {
        self.pages.push(page);
        self.pages.len() as u32 - 1
    }

    fn insert_stray(&mut self, id: u32) -> u32 {
        let number = self.open.last().copied().unwrap_or_else(|| {
            let first = self.stray_ids.len() as u32 + STRAYS;
            self.stray_ids.resize(self.stray_ids.len() + PAGE as usize, 0);
            let number = self.push(Page { first, taken: 0 });
            self.open.push(number);
            number
        });
        let page = self.pages[number as usize];
        let place = page.taken.trailing_ones();
        if (page.taken | bit(place)) == u16::MAX {
            self.open.pop();
        }
        self.stray_ids[(page.first - STRAYS + place) as usize] = id;
        let (pages, ids) = (&self.pages, &self.stray_ids);
        let slot = number * PAGE + place;
        self.strays.insert_unique(hash(id), slot, |&slot| hash(id_at(pages, ids, slot)));
        slot
    }

    /// The slot is free, if it was taken.
    pub(crate) fn remove(&mut self, slot: u32) {
        if !self.is_taken(slot) {
            return;
        }
        let (id, number) = (self.id(slot), slot / PAGE);
        let page = &mut self.pages[number as usize];
        let was_full = page.taken == u16::MAX;
        page.taken &= !bit(slot);
        self.len -= 1;
        if page.is_of_strays() {
            if let Ok(stray) = self.strays.find_entry(hash(id), |&other| other == slot) {
                stray.remove();
            }
            if was_full {
                self.open.push(number);
            }
        } else if page.taken == 0 {
            self.numbers.remove(&(page.first / PAGE));
            self.free.push(number);
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

    /// Far apart, and so many that pages are too empty.
    fn scattered(count: u32) -> Pages {
        let mut pages = Pages::default();
        for n in 0..count {
            pages.insert(n.wrapping_mul(2_654_435_761));
        }
        pages
    }

    #[test]
    fn ids_that_are_far_apart_take_an_eighth_more_slots_than_ids_in_a_row() {
        for count in [100, 10_000, 100_000] {
            let pages = scattered(count);
            assert!(pages.slots() <= count + count / 8 + EMPTY_MAX + 2 * PAGE, "{count}");
            for n in 0..count {
                let id = n.wrapping_mul(2_654_435_761);
                assert_eq!(pages.slot(id).map(|slot| pages.id(slot)), Some(id));
            }
        }
        let mut row = Pages::default();
        (0..100_000).for_each(|id| assert_eq!(row.insert(id), id));
        assert!(row.strays.is_empty());
    }

    proptest! {
        #[test]
        fn each_id_keeps_a_slot_of_its_own_until_it_leaves(
            acts in prop::collection::vec((0_u32..70, any::<bool>()), 1..200),
            alone in prop::sample::select(vec![0_u32, 30, 67, 80]),
        ) {
            // With 67 others, pages are just full enough for one more.
            let (mut pages, mut slots) = (Pages::default(), BTreeMap::new());
            for id in (0..alone).map(|n| 3_600_000_000 + n * 1_000) {
                slots.insert(id, pages.insert(id));
            }
            for (id, comes) in acts {
                // Far apart, some of them; and some of the others.
                let id = match id {
                    0..40 => id,
                    40..60 => id * 50_000_000,
                    _ => 3_600_000_000 + (id - 60) * 1_000,
                };
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
