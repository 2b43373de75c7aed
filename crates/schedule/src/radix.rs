//! What time brings, in order: a radix heap.
//!
//! Keys are instants and come out in order; nothing goes in before what came out last. Buckets by
//! the highest bit in which a key differs from the last one: an entry moves down at most 64 times,
//! in practice a few, always along a vector. The slow twin is a sorted list.

use chronon::Instant;

/// Entries of a key and `T`, 16 bytes if that has 8. Push O(1), pop amortised O(1) for keys near
/// the last, O(64) at most.
#[derive(Debug, Clone)]
pub(crate) struct Radix<T> {
    buckets: Vec<Vec<(u64, T)>>,
    /// The least key of each bucket.
    least: [u64; BUCKETS],
    /// Which buckets hold something.
    filled: u128,
    last: u64,
    len: usize,
}

const BUCKETS: usize = 65;

fn key(at: Instant) -> u64 {
    (at.as_millis() as u64) ^ (1 << 63)
}

fn instant(key: u64) -> Instant {
    Instant::from_millis((key ^ (1 << 63)) as i64)
}

impl<T: Copy> Radix<T> {
    pub(crate) fn new() -> Radix<T> {
        Radix {
            buckets: vec![Vec::new(); BUCKETS],
            least: [u64::MAX; BUCKETS],
            filled: 0,
            last: 0,
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What would come before the last popped comes at once.
    pub(crate) fn push(&mut self, at: Instant, entry: T) {
        let key = key(at).max(self.last);
        self.len += 1;
        self.put(key, entry);
    }

    fn put(&mut self, key: u64, entry: T) {
        let bucket = (64 - (key ^ self.last).leading_zeros()) as usize;
        self.buckets[bucket].push((key, entry));
        self.least[bucket] = self.least[bucket].min(key);
        self.filled |= 1 << bucket;
    }

    /// The lowest bucket that holds something.
    fn lowest(&self) -> Option<usize> {
        (self.filled != 0).then_some(self.filled.trailing_zeros() as usize)
    }

    /// When the first entry is due. O(1).
    pub(crate) fn first(&self) -> Option<Instant> {
        Some(instant(self.least[self.lowest()?]))
    }

    /// The first entry, if it is due by `now`.
    pub(crate) fn pop(&mut self, now: Instant) -> Option<T> {
        let lowest = self.lowest()?;
        if lowest > 0 {
            if self.least[lowest] > key(now) {
                return None;
            }
            self.last = self.least[lowest];
            self.least[lowest] = u64::MAX;
            self.filled &= !(1 << lowest);
            let mut entries = std::mem::take(&mut self.buckets[lowest]);
            for &(key, entry) in &entries {
                self.put(key, entry);
            }
            entries.clear();
            if self.buckets[lowest].is_empty() {
                // Its room is used again.
                self.buckets[lowest] = entries;
            }
        }
        let (_, entry) = self.buckets[0].pop().filter(|entry| entry.0 <= key(now))?;
        if self.buckets[0].is_empty() {
            self.least[0] = u64::MAX;
            self.filled &= !1;
        }
        self.len -= 1;
        Some(entry)
    }

    /// Keeps the entries that `keep` wants. O(n).
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(T) -> bool) {
        for bucket in 0..BUCKETS {
            self.buckets[bucket].retain(|&(_, entry)| keep(entry));
            let keys = self.buckets[bucket].iter().map(|entry| entry.0);
            self.least[bucket] = keys.min().unwrap_or(u64::MAX);
            if self.buckets[bucket].is_empty() {
                self.filled &= !(1 << bucket);
            }
        }
        self.len = self.buckets.iter().map(Vec::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_come_out_in_the_order_of_a_sorted_list(
            acts in prop::collection::vec((0_i64..5_000, 0_i64..400), 0..200),
        ) {
            let (mut radix, mut sorted) = (Radix::new(), Vec::new());
            let mut now = -2_000_i64;
            for (slot, (ahead, step)) in acts.into_iter().enumerate() {
                let at = now + ahead;
                radix.push(Instant::from_millis(at), slot as u32);
                sorted.push((at, slot as u32));
                now += step;
                sorted.sort_unstable();
                let due = sorted.partition_point(|entry| entry.0 <= now);
                let mut expected: Vec<_> = sorted.drain(..due).map(|entry| entry.1).collect();
                let mut popped = Vec::new();
                while let Some(slot) = radix.pop(Instant::from_millis(now)) {
                    popped.push(slot);
                }
                expected.sort_unstable();
                popped.sort_unstable();
                prop_assert_eq!(popped, expected);
                let first = sorted.first().map(|entry| Instant::from_millis(entry.0));
                prop_assert_eq!((radix.first(), radix.len()), (first, sorted.len()));
            }
        }
    }
}
