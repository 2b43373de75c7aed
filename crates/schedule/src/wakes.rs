//! When each source is to be looked at again by the scheduler itself: a heap that knows where
//! everybody is, so that a time can be changed.

use chronon::Instant;

/// No place in the heap.
pub(crate) const NOWHERE: u32 = u32::MAX;
const WIDTH: usize = 4;

/// Slots by time, the earliest first, the lower slot on a tie. Whoever keeps the slots keeps their
/// places too: `place` maps a slot to a place to write to. O(log n) a change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wakes {
    heap: Vec<(Instant, u32)>,
    places: Vec<u32>,
}

impl Wakes {
    pub(crate) fn first(&self) -> Option<(Instant, u32)> {
        self.heap.first().copied()
    }

    /// The time of a slot; `NEVER` if it has none.
    #[cfg(test)]
    pub(crate) fn of(&self, slot: u32) -> Instant {
        match self.place(slot) {
            NOWHERE => Instant::NEVER,
            place => self.heap[place as usize].0,
        }
    }

    fn place(&self, slot: u32) -> u32 {
        self.places.get(slot as usize).copied().unwrap_or(NOWHERE)
    }

    /// Another time for a slot; `NEVER` takes it out.
    pub(crate) fn set(&mut self, slot: u32, at: Instant) {
        let place = self.place(slot);
        if at == Instant::NEVER {
            if place != NOWHERE {
                self.remove(place as usize);
            }
        } else if place == NOWHERE {
            if self.places.len() <= slot as usize {
                self.places.resize(slot as usize + 1, NOWHERE);
            }
            self.heap.push((at, slot));
            self.rise(self.heap.len() - 1, (at, slot));
        } else {
            let place = place as usize;
            match (at, slot) < self.heap[place] {
                true => self.rise(place, (at, slot)),
                false => self.sink(place, (at, slot)),
            }
        }
    }

    fn remove(&mut self, place: usize) {
        let (_, slot) = self.heap[place];
        self.places[slot as usize] = NOWHERE;
        let Some(last) = self.heap.pop() else { return };
        if place < self.heap.len() {
            match place > 0 && last < self.heap[(place - 1) / WIDTH] {
                true => self.rise(place, last),
                false => self.sink(place, last),
            }
        }
    }

    fn put(&mut self, place: usize, entry: (Instant, u32)) {
        self.heap[place] = entry;
        self.places[entry.1 as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize, entry: (Instant, u32)) {
        while place > 0 {
            let parent = (place - 1) / WIDTH;
            if self.heap[parent] <= entry {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, entry);
    }

    fn sink(&mut self, mut place: usize, entry: (Instant, u32)) {
        loop {
            let first = place * WIDTH + 1;
            let end = (first + WIDTH).min(self.heap.len());
            let Some(least) = (first..end).min_by_key(|&child| self.heap[child]) else { break };
            if self.heap[least] >= entry {
                break;
            }
            self.put(place, self.heap[least]);
            place = least;
        }
        self.put(place, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_heap_and_a_sorted_set_agree_on_who_is_first(
            acts in prop::collection::vec(
                (0_u32..30, prop::option::weighted(0.8, 0_i64..100)),
                1..200,
            ),
        ) {
            let (mut wakes, mut set) = (Wakes::default(), BTreeSet::new());
            for (slot, at) in acts {
                let at = at.map_or(Instant::NEVER, Instant::from_millis);
                set.remove(&(wakes.of(slot), slot));
                wakes.set(slot, at);
                if at != Instant::NEVER {
                    set.insert((at, slot));
                }
                prop_assert_eq!(wakes.of(slot), at);
                prop_assert_eq!(wakes.first(), set.first().copied());
            }
        }
    }
}
