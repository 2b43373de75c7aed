//! Tastes that were worked out: between two looks at a source its company, and time, ask for its
//! taste many times.

use crate::hours::Taste;
use chronon::Instant;

/// Places, a power of two, 160 bytes each: where there are few sources, each has its own.
const PLACES_MAX: usize = 1 << 14;
const PLACES_MIN: usize = 1 << 6;

/// When a source was looked at last, and its score: with these its taste changes.
type Of = (Instant, f32);

#[derive(Debug, Clone, Copy)]
struct Memo {
    slot: u32,
    of: Of,
    taste: Taste,
}

/// Tastes by slot, as long as nobody else needs the place. Only of sources that have hours of their
/// own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memos {
    places: Vec<Option<Memo>>,
}

impl Memos {
    fn place(&self, slot: u32) -> usize {
        slot as usize & self.places.len().wrapping_sub(1)
    }

    pub(crate) fn of(&self, slot: u32, of: Of) -> Option<Taste> {
        let memo = self.places.get(self.place(slot))?.as_ref()?;
        (memo.slot == slot && memo.of == of).then_some(memo.taste)
    }

    /// Keeps it in the place of another. There are as many places as slots, up to the most.
    pub(crate) fn keep(&mut self, slot: u32, of: Of, taste: Taste) {
        let wanted = (slot as usize + 1).next_power_of_two().clamp(PLACES_MIN, PLACES_MAX);
        if self.places.len() < wanted {
            let before = std::mem::replace(&mut self.places, vec![None; wanted]);
            for memo in before.into_iter().flatten() {
                let place = self.place(memo.slot);
                self.places[place] = Some(memo);
            }
        }
        let place = self.place(slot);
        self.places[place] = Some(Memo { slot, of, taste });
    }

    /// The hours of the source have changed.
    pub(crate) fn forget(&mut self, slot: u32) {
        let place = self.place(slot);
        if let Some(memo) = self.places.get_mut(place)
            && memo.is_some_and(|memo| memo.slot == slot)
        {
            *memo = None;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.places.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taste(slot: u32) -> Taste {
        Taste { flat: f64::from(slot), own: None }
    }

    #[test]
    fn what_is_kept_is_of_the_same_look_and_yields_to_others_only_where_there_are_many() {
        let (mut memos, of) = (Memos::default(), (Instant::EPOCH, 1.5));
        let found = |memos: &Memos, slot: u32| memos.of(slot, of).map(|taste| taste.flat);
        assert_eq!(found(&memos, 0), None);
        let all = PLACES_MAX as u32;
        (0..all).for_each(|slot| memos.keep(slot, of, taste(slot)));
        assert!((0..all).all(|slot| found(&memos, slot) == Some(slot.into())));
        memos.keep(all + 1, of, taste(all + 1));
        assert_eq!((found(&memos, 1), found(&memos, 2)), (None, Some(2.0)));
        assert!(memos.of(2, (Instant::EPOCH, 1.6)).is_none());
        memos.forget(1);
        memos.forget(2);
        assert_eq!((found(&memos, all + 1), found(&memos, 2)), (Some(f64::from(all + 1)), None));
        memos.clear();
        assert_eq!(found(&memos, 3), None);
    }
}
