//! Many stacks in one vector, in chunks of `N` entries: none costs more than a chunk that is not
//! full, and room that one leaves is used by any other.

/// No chunk.
const NIL: u32 = u32::MAX;

/// Where a list begins. 8 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    /// The chunk of the last entry; those behind it are full.
    head: u32,
    len: u32,
}

impl List {
    pub(crate) const EMPTY: List = List { head: NIL, len: 0 };

    pub(crate) fn len(self) -> u32 {
        self.len
    }
}

#[derive(Debug, Clone)]
struct Chunk<T, const N: usize> {
    cells: [T; N],
    next: u32,
}

/// The lists' entries. O(1) each.
#[derive(Debug, Clone)]
pub(crate) struct Lists<T, const N: usize> {
    chunks: Vec<Chunk<T, N>>,
    free: u32,
    #[cfg(test)]
    pub(crate) pushed: u64,
}

impl<T: Copy, const N: usize> Lists<T, N> {
    pub(crate) fn new() -> Lists<T, N> {
        Lists {
            chunks: Vec::new(),
            free: NIL,
            #[cfg(test)]
            pushed: 0,
        }
    }

    /// Entries in the first chunk.
    fn filled(list: List) -> usize {
        match list.len as usize % N {
            0 if list.len > 0 => N,
            some => some,
        }
    }

    /// Adds an entry.
    pub(crate) fn push(&mut self, list: &mut List, entry: T) {
        #[cfg(test)]
        {
            self.pushed += 1;
        }
        if (list.len as usize).is_multiple_of(N) {
            let next = list.head;
            if self.free == NIL {
                list.head = u32::try_from(self.chunks.len()).expect("2^32 chunks are many GB");
                self.chunks.push(Chunk { cells: [entry; N], next });
            } else {
                list.head = self.free;
                let chunk = &mut self.chunks[list.head as usize];
                self.free = std::mem::replace(&mut chunk.next, next);
            }
        }
        list.len += 1;
        self.chunks[list.head as usize].cells[Self::filled(*list) - 1] = entry;
    }

    /// Takes the last entry.
    pub(crate) fn pop(&mut self, list: &mut List) -> Option<T> {
        let chunk = self.chunks.get(list.head as usize)?;
        let entry = chunk.cells[Self::filled(*list) - 1];
        list.len -= 1;
        if (list.len as usize).is_multiple_of(N) {
            let chunk = &mut self.chunks[list.head as usize];
            let next = std::mem::replace(&mut chunk.next, self.free);
            self.free = std::mem::replace(&mut list.head, next);
        }
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_hold_what_vectors_hold(
            acts in prop::collection::vec((0_usize..5, 0_u32..20, any::<bool>()), 1..60),
        ) {
            let (mut lists, mut all) = (Lists::<u32, 4>::new(), [List::EMPTY; 5]);
            let mut vectors = vec![Vec::new(); 5];
            for (list, times, grows) in acts {
                for time in 0..times {
                    if grows {
                        lists.push(&mut all[list], time);
                        vectors[list].push(time);
                    } else {
                        prop_assert_eq!(lists.pop(&mut all[list]), vectors[list].pop());
                    }
                }
                for (list, vector) in all.iter().zip(&vectors) {
                    prop_assert_eq!(list.len() as usize, vector.len());
                }
            }
            for (list, vector) in all.iter_mut().zip(&mut vectors) {
                let held: Vec<u32> = std::iter::from_fn(|| lists.pop(list)).collect();
                vector.reverse();
                prop_assert_eq!(&held, vector);
            }
        }
    }

    #[test]
    fn room_that_a_list_left_is_used_again() {
        let mut lists = Lists::<u32, 4>::new();
        for _ in 0..1_000 {
            let mut list = List::EMPTY;
            (0..100).for_each(|entry| lists.push(&mut list, entry));
            while lists.pop(&mut list).is_some() {}
        }
        assert_eq!(lists.chunks.len(), 25);
    }
}
