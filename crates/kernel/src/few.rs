//! A list that mostly holds one thing.

use std::ops::Deref;

/// Sixteen bytes, and nothing elsewhere where it holds one thing at most. Appending takes constant
/// time on the whole.
#[derive(Debug, Clone, Default)]
pub(crate) enum Few<T> {
    #[default]
    Nothing,
    One(T),
    #[allow(clippy::box_collection, reason = "seldom there: 8 bytes, not 24")]
    More(Box<Vec<T>>),
}

impl<T: Copy> Few<T> {
    pub(crate) fn push(&mut self, thing: T) {
        match self {
            Few::Nothing => *self = Few::One(thing),
            Few::One(first) => *self = Few::More(Box::new(vec![*first, thing])),
            Few::More(all) => all.push(thing),
        }
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        if let Few::More(all) = self {
            all.retain(keep);
            match *all.as_slice() {
                [] => *self = Few::Nothing,
                [one] => *self = Few::One(one),
                _ => {}
            }
        } else if self.first().is_some_and(|one| !keep(one)) {
            *self = Few::Nothing;
        }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Few::Nothing => &[],
            Few::One(one) => std::slice::from_ref(one),
            Few::More(all) => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The slow twin is a list as any other.
        #[test]
        fn it_holds_what_a_list_would(
            steps in prop::collection::vec((any::<bool>(), 0..4_u64), 0..20),
        ) {
            let (mut few, mut list) = (Few::default(), Vec::new());
            for (is_new, thing) in steps {
                if is_new {
                    few.push(thing);
                    list.push(thing);
                } else {
                    few.retain(|other| *other != thing);
                    list.retain(|other| *other != thing);
                }
                prop_assert_eq!(&*few, &*list);
                prop_assert_eq!(matches!(few, Few::More(_)), list.len() > 1);
            }
        }
    }
}
