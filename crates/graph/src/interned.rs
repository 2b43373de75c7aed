//! Values kept once each, with a count of who uses them.

use rustc_hash::{FxHashMap, FxHasher};
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// Names a value of one [`Interned`]. A slot is used again, an id is not: the generation differs
/// (until one slot has been used 2^32 times while a ticket is out).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id {
    slot: u32,
    generation: u32,
}

/// Ends a chain of slots whose values hash alike.
const NO_SLOT: u32 = u32::MAX;

#[derive(Debug, Clone)]
struct Slot<T> {
    value: Option<T>,
    references: u32,
    generation: u32,
    /// The next slot whose value has the same hash.
    next: u32,
}

/// A set of values with reference counts: equal values have equal ids. The lookup keeps a hash and
/// a slot per value, not a second copy of it. Every operation is O(1) beside hashing and comparing.
#[derive(Debug, Clone)]
pub(crate) struct Interned<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    /// The first slot of each chain; looked up, never iterated.
    by_hash: FxHashMap<u64, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned { slots: Vec::new(), free: Vec::new(), by_hash: FxHashMap::default() }
    }
}

/// The same for equal values in every run.
pub(crate) fn hash_of<Q: Hash + ?Sized>(value: &Q) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<T: Hash + Eq> Interned<T> {
    /// The values in use.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// The value `id` names, unless it is gone.
    pub(crate) fn get(&self, id: Id) -> Option<&T> {
        let slot = self.slots.get(id.slot as usize)?;
        if slot.generation == id.generation { slot.value.as_ref() } else { None }
    }

    pub(crate) fn find<Q>(&self, value: &Q) -> Option<Id>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut at = *self.by_hash.get(&hash_of(value))?;
        while let Some(slot) = self.slots.get(at as usize) {
            if slot.value.as_ref().is_some_and(|kept| kept.borrow() == value) {
                return Some(Id { slot: at, generation: slot.generation });
            }
            at = slot.next;
        }
        None
    }

    /// Adds a value that [`Interned::find`] does not find, with one reference.
    pub(crate) fn insert(&mut self, value: T) -> Id {
        let hash = hash_of(&value);
        let next = self.by_hash.get(&hash).copied().unwrap_or(NO_SLOT);
        let at = match self.free.pop() {
            Some(at) => at,
            None => {
                let at = u32::try_from(self.slots.len()).expect("memory ends before 2^32 values");
                self.slots.push(Slot { value: None, references: 0, generation: 0, next: NO_SLOT });
                at
            }
        };
        self.by_hash.insert(hash, at);
        let slot = &mut self.slots[at as usize];
        (slot.value, slot.references, slot.next) = (Some(value), 1, next);
        Id { slot: at, generation: slot.generation }
    }

    /// One more user of a value in use.
    pub(crate) fn retain(&mut self, id: Id) {
        debug_assert!(self.get(id).is_some(), "only values in use get more users");
        self.slots[id.slot as usize].references += 1;
    }

    /// One user less; hands the value back when that was the last.
    pub(crate) fn release(&mut self, id: Id) -> Option<T> {
        let slot = &mut self.slots[id.slot as usize];
        debug_assert_eq!(slot.generation, id.generation, "released once per use");
        slot.references -= 1;
        if slot.references > 0 {
            return None;
        }
        let value = slot.value.take().expect("a slot in use has a value");
        let next = std::mem::replace(&mut slot.next, NO_SLOT);
        slot.generation = slot.generation.wrapping_add(1);
        self.unlink(hash_of(&value), id.slot, next);
        self.free.push(id.slot);
        if self.by_hash.capacity() > 64 && self.by_hash.len() * 8 < self.by_hash.capacity() {
            self.by_hash.shrink_to(self.by_hash.len() * 2);
        }
        Some(value)
    }

    /// Takes slot `gone`, whose successor was `next`, out of the chain of `hash`.
    fn unlink(&mut self, hash: u64, gone: u32, next: u32) {
        let first = self.by_hash[&hash];
        if first != gone {
            let mut at = first;
            while self.slots[at as usize].next != gone {
                at = self.slots[at as usize].next;
            }
            self.slots[at as usize].next = next;
        } else if next == NO_SLOT {
            self.by_hash.remove(&hash);
        } else {
            self.by_hash.insert(hash, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All values of this type hash alike.
    #[derive(Debug, PartialEq, Eq)]
    struct Colliding(u32);

    impl Hash for Colliding {
        fn hash<H: Hasher>(&self, state: &mut H) {
            0_u8.hash(state);
        }
    }

    #[test]
    fn values_that_hash_alike_are_told_apart_in_whatever_order_they_go() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut interned = Interned::default();
            let ids: Vec<Id> = (0..3).map(|n| interned.insert(Colliding(n))).collect();
            for (gone, &n) in order.iter().enumerate() {
                assert_eq!(interned.find(&Colliding(n)), Some(ids[n as usize]));
                assert_eq!(interned.release(ids[n as usize]), Some(Colliding(n)));
                assert_eq!(interned.find(&Colliding(n)), None);
                assert_eq!(interned.len(), 2 - gone);
            }
        }
    }

    #[test]
    fn the_index_gives_back_the_memory_of_values_that_are_gone() {
        let mut interned = Interned::default();
        let ids: Vec<Id> = (0..10_000_u32).map(|n| interned.insert(n)).collect();
        let full = interned.by_hash.capacity();
        for &id in &ids[100..] {
            interned.release(id);
            let (len, capacity) = (interned.len(), interned.by_hash.capacity());
            assert!(capacity >= len && capacity <= (16 * len).max(128), "{capacity} for {len}");
        }
        assert!(interned.by_hash.capacity() * 8 <= full);
    }

    #[test]
    fn an_id_is_never_used_twice_though_its_slot_is() {
        let mut interned: Interned<Box<str>> = Interned::default();
        let lisbon = interned.insert("lisbon".into());
        interned.retain(lisbon);
        assert_eq!(interned.release(lisbon), None);
        assert_eq!(interned.release(lisbon).as_deref(), Some("lisbon"));
        let porto = interned.insert("porto".into());
        assert_eq!(porto.slot, lisbon.slot);
        assert_ne!(porto, lisbon);
        assert_eq!(interned.get(lisbon), None);
        assert_eq!(interned.find("porto"), Some(porto));
    }
}
