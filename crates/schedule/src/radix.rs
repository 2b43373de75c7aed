//! What time brings, in order: a radix heap.
//!
//! Keys are numbers, milliseconds or chronons, and come out in order; nothing goes in before what
//! came out last. Buckets by the highest bit in which a key differs from the last one: an entry
//! moves down at most 64 times, in practice a few, always along a vector. The bucket and the last
//! key know the high bits of a key, so that an entry keeps the low half alone. The slow twin is a
//! sorted list.

use crate::lists::{List, Lists};
use std::marker::PhantomData;

/// Entries of 4 bytes and `T`. Push O(1), pop amortised O(1) for keys near the last, O(64) at most.
///
/// What is more than 2^32 ahead comes early, to be pushed again. The entries are kept in a
/// [`Room`]. Several queues may share one, but each must always be given the same.
#[derive(Debug, Clone)]
pub(crate) struct Radix<T> {
    buckets: [List; BUCKETS],
    /// The least key of each bucket.
    least: [u64; BUCKETS],
    /// Which buckets hold something.
    filled: u128,
    last: u64,
    len: usize,
    of: PhantomData<T>,
}

/// Where entries are kept.
pub(crate) type Room<T> = Lists<(u32, T), CHUNK>;

const BUCKETS: usize = 65;
/// Entries that lie together: enough for the processor to see that they are read in order.
const CHUNK: usize = 512;
/// In buckets up to this, low halves tell keys apart; in those beyond, all have the least key that
/// belongs there.
const NEAR: usize = 33;

fn ordered(key: i64) -> u64 {
    key.cast_unsigned() ^ (1 << 63)
}

impl<T: Copy> Radix<T> {
    pub(crate) fn new() -> Radix<T> {
        Radix {
            buckets: [List::EMPTY; BUCKETS],
            least: [u64::MAX; BUCKETS],
            filled: 0,
            last: 0,
            len: 0,
            of: PhantomData,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What would come before the last popped comes at once. `now` is where time has got to.
    pub(crate) fn push(&mut self, room: &mut Room<T>, now: i64, key: i64, entry: T) {
        let (now, mut key) = (ordered(now), ordered(key).max(self.last));
        if self.bucket(key) > NEAR && now > self.last && self.bucket(now) > NEAR {
            self.move_to(room, now);
            key = key.max(now);
        }
        self.len += 1;
        self.put(room, key, entry);
    }

    fn bucket(&self, key: u64) -> usize {
        (64 - (key ^ self.last).leading_zeros()) as usize
    }

    fn put(&mut self, room: &mut Room<T>, key: u64, entry: T) {
        let bucket = self.bucket(key);
        let key = if bucket > NEAR { self.start(bucket) } else { key };
        room.push(&mut self.buckets[bucket], (key as u32, entry));
        self.least[bucket] = self.least[bucket].min(key);
        self.filled |= 1 << bucket;
    }

    /// The least key that belongs in a bucket.
    fn start(&self, bucket: usize) -> u64 {
        match bucket {
            0 => self.last,
            _ => ((self.last >> (bucket - 1)) | 1) << (bucket - 1),
        }
    }

    /// What the low half of a key in that bucket stands for.
    fn whole(start: u64, bucket: usize, low: u32) -> u64 {
        match bucket {
            1..=NEAR => start | (u64::from(low) & ((1 << (bucket - 1)) - 1)),
            _ => start,
        }
    }

    /// Counts from `now`, later than the last key that came out: what should have come comes then.
    /// Buckets beyond that of `now` keep what they have, the others' entries move down: each at
    /// most 64 times in all, however often this is called.
    fn move_to(&mut self, room: &mut Room<T>, now: u64) {
        let mut all: Vec<(u64, T)> = Vec::new();
        for bucket in 0..=self.bucket(now) {
            let start = self.start(bucket);
            while let Some((low, entry)) = room.pop(&mut self.buckets[bucket]) {
                all.push((Self::whole(start, bucket, low), entry));
            }
            self.least[bucket] = u64::MAX;
            self.filled &= !(1 << bucket);
        }
        self.last = now;
        for (key, entry) in all {
            self.put(room, key.max(now), entry);
        }
    }

    /// The lowest bucket that holds something.
    fn lowest(&self) -> Option<usize> {
        (self.filled != 0).then_some(self.filled.trailing_zeros() as usize)
    }

    /// When the first entry is due. O(1).
    pub(crate) fn first(&self) -> Option<i64> {
        Some((self.least[self.lowest()?] ^ (1 << 63)).cast_signed())
    }

    /// The first entry, if it is due by `now`.
    pub(crate) fn pop(&mut self, room: &mut Room<T>, now: i64) -> Option<T> {
        let lowest = self.lowest()?;
        if self.least[lowest] > ordered(now) {
            return None;
        }
        if lowest > 0 {
            let start = self.start(lowest);
            self.last = self.least[lowest];
            self.least[lowest] = u64::MAX;
            self.filled &= !(1 << lowest);
            let mut moved = std::mem::replace(&mut self.buckets[lowest], List::EMPTY);
            while let Some((low, entry)) = room.pop(&mut moved) {
                self.put(room, Self::whole(start, lowest, low), entry);
            }
        }
        let (_, entry) = room.pop(&mut self.buckets[0])?;
        if self.buckets[0].len() == 0 {
            self.least[0] = u64::MAX;
            self.filled &= !1;
        }
        self.len -= 1;
        Some(entry)
    }

    /// Keeps the entries that `keep` wants. O(n).
    pub(crate) fn retain(&mut self, room: &mut Room<T>, mut keep: impl FnMut(T) -> bool) {
        for bucket in 0..BUCKETS {
            let start = self.start(bucket);
            let mut all = std::mem::replace(&mut self.buckets[bucket], List::EMPTY);
            (self.len, self.least[bucket]) = (self.len - all.len() as usize, u64::MAX);
            while let Some((low, entry)) = room.pop(&mut all) {
                if keep(entry) {
                    room.push(&mut self.buckets[bucket], (low, entry));
                    let key = Self::whole(start, bucket, low);
                    self.least[bucket] = self.least[bucket].min(key);
                }
            }
            self.len += self.buckets[bucket].len() as usize;
            if self.buckets[bucket].len() == 0 {
                self.filled &= !(1 << bucket);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Named = (i64, usize);

    /// Pops what is due by `now`; what comes early goes in again.
    fn popped(radix: &mut Radix<Named>, room: &mut Room<Named>, now: i64) -> Vec<usize> {
        let mut all = Vec::new();
        while let Some((key, entry)) = radix.pop(room, now) {
            if key > now {
                radix.push(room, now, key, (key, entry));
            } else {
                all.push(entry);
            }
        }
        all.sort_unstable();
        all
    }

    #[test]
    fn what_is_far_ahead_is_not_moved_whenever_the_clock_jumps() {
        let (mut radix, mut room) = (Radix::new(), Room::new());
        let (jump, jumps) = (1_i64 << 34, 1_000);
        for number in 0..1_000 {
            let key = jump * jumps + number as i64;
            radix.push(&mut room, 0, key, (key, number));
        }
        room.pushed = 0;
        for turn in 1..jumps {
            let (now, key) = (jump * turn, jump * turn + 5);
            radix.push(&mut room, now, key, (key, 7));
            assert_eq!(popped(&mut radix, &mut room, key), [7]);
        }
        // Were each moved at each jump, that would be 10^6 moves.
        assert!(room.pushed < 64 * 2_000, "{}", room.pushed);
    }

    proptest! {
        #[test]
        fn entries_come_out_in_the_order_of_a_sorted_list(
            acts in prop::collection::vec((0_i64..5_000, 0_i64..400, 0_u32..50), 0..200),
        ) {
            let (mut radix, mut room, mut sorted) = (Radix::new(), Room::new(), Vec::new());
            let mut now = -2_000_i64;
            for (number, (ahead, step, far)) in acts.into_iter().enumerate() {
                // A few are far ahead, and a few steps are long.
                let key = now + if far == 0 { ahead << 40 } else { ahead };
                radix.push(&mut room, now, key, (key, number));
                sorted.push((key, number));
                now += if far == 1 { step << 35 } else { step };
                sorted.sort_unstable();
                let due = sorted.partition_point(|entry| entry.0 <= now);
                let mut expected: Vec<_> = sorted.drain(..due).map(|entry| entry.1).collect();
                expected.sort_unstable();
                prop_assert_eq!(popped(&mut radix, &mut room, now), expected);
                prop_assert_eq!(radix.len(), sorted.len());
                let first = sorted.first().map(|entry| entry.0);
                match first.filter(|first| first >> 33 == now >> 33) {
                    Some(_) => prop_assert_eq!(radix.first(), first),
                    None => prop_assert!(radix.first() <= first),
                }
                prop_assert!(radix.first().is_none_or(|first| first > now));
            }
        }

        #[test]
        fn what_is_not_kept_is_gone(keys in prop::collection::vec(0_i64..1_000_000, 0..100)) {
            let (mut radix, mut room) = (Radix::new(), Room::new());
            for &key in &keys {
                radix.push(&mut room, 0, key, (key, key as usize));
            }
            radix.retain(&mut room, |(key, _)| key % 3 == 0);
            let mut kept: Vec<_> = keys.iter().map(|key| *key as usize).collect();
            kept.retain(|key| key % 3 == 0);
            kept.sort_unstable();
            prop_assert_eq!(radix.first(), kept.first().map(|first| *first as i64));
            prop_assert_eq!(popped(&mut radix, &mut room, 1_000_000), kept);
        }
    }
}
