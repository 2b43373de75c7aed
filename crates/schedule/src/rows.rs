//! Many short lists, each in one piece of one vector: reading a list reads memory in order.

use std::ops::Range;

/// Where a list lies. 12 bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row {
    at: u32,
    len: u32,
    /// The row has room for `ROOMS[class]` entries.
    class: u32,
}

/// Most entries of all lists together. Their rooms are at most half as large again, a tenth more is
/// idle, and a list that moves has two for a moment: 32 bits tell the places apart.
pub(crate) const ENTRIES_MAX: u32 = 1 << 30;

const CLASSES: usize = 61;

/// Rooms of lists, in entries: steps of 1.33 and 1.5. The last holds [`ENTRIES_MAX`] and more.
const ROOMS: [u32; CLASSES] = rooms();

const fn rooms() -> [u32; CLASSES] {
    let mut rooms = [0; CLASSES];
    (rooms[1], rooms[2]) = (2, 3);
    let mut class = 3;
    while class < CLASSES {
        rooms[class] = 2 * rooms[class - 2];
        class += 1;
    }
    rooms
}

/// The lists' entries. O(1) each, amortised; room that a list left is used by others of its size.
#[derive(Debug, Clone)]
pub(crate) struct Rows<T> {
    cells: Vec<T>,
    /// Where there is room, by class, and how much.
    free: Vec<Vec<u32>>,
    idle: usize,
}

/// Idle room up to this many entries is left alone.
const IDLE_MAX: usize = 4_096;

impl Row {
    pub(crate) fn len(self) -> u32 {
        self.len
    }

    fn range(self) -> Range<usize> {
        self.at as usize..self.at as usize + self.len as usize
    }
}

impl<T: Copy + Default> Rows<T> {
    pub(crate) fn new() -> Rows<T> {
        Rows { cells: Vec::new(), free: vec![Vec::new(); ROOMS.len()], idle: 0 }
    }

    pub(crate) fn of(&self, row: Row) -> &[T] {
        &self.cells[row.range()]
    }

    pub(crate) fn of_mut(&mut self, row: Row) -> &mut [T] {
        &mut self.cells[row.range()]
    }

    /// Adds an entry at the end; all lists together have at most [`ENTRIES_MAX`].
    pub(crate) fn push(&mut self, row: &mut Row, entry: T) {
        if row.len == ROOMS[row.class as usize] {
            self.move_to(row, row.class + 1);
        }
        row.len += 1;
        self.cells[row.range().end - 1] = entry;
    }

    /// Drops the last entry. A list that has become much too small for its room moves.
    pub(crate) fn pop(&mut self, row: &mut Row) {
        row.len -= 1;
        let class = row.class as usize;
        if row.len == 0 {
            self.leave(*row);
            *row = Row::default();
        } else if class > 4 && row.len <= ROOMS[class - 4] {
            self.move_to(row, row.class - 2);
        }
    }

    fn move_to(&mut self, row: &mut Row, class: u32) {
        let from = *row;
        row.class = class;
        row.at = match self.free[class as usize].pop() {
            Some(at) => {
                self.idle -= ROOMS[class as usize] as usize;
                at
            }
            None => {
                let at = self.cells.len();
                let room = ROOMS[class as usize] as usize;
                self.cells.resize(at + room, T::default());
                u32::try_from(at).expect("rooms of ENTRIES_MAX entries are fewer than 2^32")
            }
        };
        self.cells.copy_within(from.range(), row.at as usize);
        self.leave(from);
    }

    fn leave(&mut self, row: Row) {
        if row.class > 0 {
            self.free[row.class as usize].push(row.at);
            self.idle += ROOMS[row.class as usize] as usize;
        }
    }

    /// A tenth of all room is idle: [`Rows::pack`] is worth its time.
    pub(crate) fn is_loose(&self) -> bool {
        self.idle > self.cells.len() / 10 + IDLE_MAX
    }

    /// Moves all lists together. O(n log n).
    pub(crate) fn pack<'a>(&mut self, rows: impl Iterator<Item = &'a mut Row>) {
        let mut rows: Vec<&mut Row> = rows.filter(|row| row.class > 0).collect();
        rows.sort_unstable_by_key(|row| row.at);
        let mut end = 0;
        for row in rows {
            let from = row.range();
            row.at = end;
            self.cells.copy_within(from, end as usize);
            end += ROOMS[row.class as usize];
        }
        self.cells.truncate(end as usize);
        self.idle = 0;
        self.free.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_hold_what_vectors_hold(
            acts in prop::collection::vec((0_usize..5, 0_u32..60, any::<bool>()), 1..60),
        ) {
            let (mut rows, mut lists) = (Rows::new(), [Row::default(); 5]);
            let mut vectors = vec![Vec::new(); 5];
            for (list, times, grows) in acts {
                for time in 0..times {
                    if grows {
                        rows.push(&mut lists[list], time);
                        vectors[list].push(time);
                    } else if vectors[list].pop().is_some() {
                        rows.pop(&mut lists[list]);
                    }
                }
                if times % 3 == 0 {
                    rows.pack(lists.iter_mut());
                    prop_assert_eq!(rows.idle, 0);
                }
                for (row, vector) in lists.iter().zip(&vectors) {
                    prop_assert_eq!(rows.of(*row), vector.as_slice());
                }
            }
        }
    }

    #[test]
    fn a_list_may_hold_every_entry_that_there_may_be() {
        assert!(ROOMS[CLASSES - 1] >= ENTRIES_MAX);
        let (mut rows, mut row) = (Rows::new(), Row::default());
        (0..(1_u32 << 24) + 1).for_each(|_| rows.push(&mut row, 0_u8));
        assert_eq!(rows.of(row).len(), (1 << 24) + 1);
    }

    #[test]
    fn room_that_a_list_left_is_used_again() {
        let mut rows = Rows::new();
        for _ in 0..1_000 {
            let mut row = Row::default();
            (0..100).for_each(|entry| rows.push(&mut row, entry));
            (0..100).for_each(|_| rows.pop(&mut row));
        }
        assert!(rows.cells.len() < 600, "{}", rows.cells.len());
    }
}
