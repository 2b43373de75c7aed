//! What only some sources have: 4 bytes for each slot, and the values in one piece.

/// No value.
const NONE: u32 = u32::MAX;

/// Values by slot. O(1) each.
#[derive(Debug, Clone)]
pub(crate) struct Sparse<T> {
    places: Vec<u32>,
    values: Vec<T>,
    /// Places of values that were removed.
    free: Vec<u32>,
}

impl<T: Copy> Sparse<T> {
    pub(crate) fn new() -> Sparse<T> {
        Sparse { places: Vec::new(), values: Vec::new(), free: Vec::new() }
    }

    fn place(&self, slot: u32) -> Option<usize> {
        let place = self.places.get(slot as usize).copied()?;
        (place != NONE).then_some(place as usize)
    }

    pub(crate) fn get(&self, slot: u32) -> Option<&T> {
        self.place(slot).map(|place| &self.values[place])
    }

    /// Fetches the values of these, all at once: what `of` makes of them does not matter.
    pub(crate) fn fetch(&self, slots: &[u32], of: impl Fn(&T) -> u32) -> u32 {
        let all = slots.iter().filter_map(|&slot| self.get(slot));
        all.fold(0, |sum, value| sum ^ of(value))
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.place(slot).map(|place| &mut self.values[place])
    }

    pub(crate) fn insert(&mut self, slot: u32, value: T) {
        if let Some(place) = self.place(slot) {
            self.values[place] = value;
            return;
        }
        let place = self.free.pop().unwrap_or(self.values.len() as u32);
        match self.values.get_mut(place as usize) {
            Some(free) => *free = value,
            None => self.values.push(value),
        }
        let slot = slot as usize;
        if slot >= self.places.len() {
            self.places.resize(slot + 1, NONE);
        }
        self.places[slot] = place;
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        if let Some(place) = self.place(slot) {
            self.places[slot as usize] = NONE;
            self.free.push(place as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_holds_what_a_map_holds_and_uses_room_again(
            acts in prop::collection::vec((0_u32..9, prop::option::of(any::<u16>())), 0..80),
        ) {
            let (mut sparse, mut map) = (Sparse::new(), BTreeMap::new());
            for (slot, value) in acts {
                match value {
                    Some(value) => {
                        sparse.insert(slot, value);
                        map.insert(slot, value);
                    }
                    None => {
                        sparse.remove(slot);
                        map.remove(&slot);
                    }
                }
                for slot in 0..10 {
                    prop_assert_eq!(sparse.get(slot), map.get(&slot));
                }
            }
            prop_assert!(sparse.values.len() <= 9);
        }
    }
}
