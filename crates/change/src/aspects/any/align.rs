//! Which of the common blocks stayed where they are.

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp};

/// Pairs of positions, ascending on both sides, of equal blocks. `old` and `new` hold (position,
/// number of the text). Up to `exact_max` blocks by Histogram diff; above, the n-th occurrence of
/// a text is paired with the n-th and the longest ascending part is kept, in O(n log n).
pub(super) fn align(
    old: &[(usize, u32)],
    new: &[(usize, u32)],
    exact_max: usize,
) -> Vec<(usize, usize)> {
    if old.len() + new.len() > exact_max {
        return by_occurrence(old, new);
    }
    let numbers = |side: &[(usize, u32)]| side.iter().map(|&(_, n)| n).collect::<Vec<u32>>();
    let ops = similar::capture_diff_slices(Algorithm::Histogram, &numbers(old), &numbers(new));
    let mut pairs = Vec::new();
    for op in ops {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            pairs.extend((0..len).map(|k| (old[old_index + k].0, new[new_index + k].0)));
        }
    }
    pairs
}

fn by_occurrence(old: &[(usize, u32)], new: &[(usize, u32)]) -> Vec<(usize, usize)> {
    let mut seen: FxHashMap<u32, u32> = FxHashMap::default();
    let mut occurrence = |number: u32| {
        let count = seen.entry(number).or_default();
        *count += 1;
        (number, *count)
    };
    let places: FxHashMap<(u32, u32), usize> =
        old.iter().map(|&(at, number)| (occurrence(number), at)).collect();
    let mut seen: FxHashMap<u32, u32> = FxHashMap::default();
    let pairs: Vec<(usize, usize)> = new
        .iter()
        .filter_map(|&(at, number)| {
            let count = seen.entry(number).or_default();
            *count += 1;
            Some((*places.get(&(number, *count))?, at))
        })
        .collect();
    longest_ascending(&pairs)
}

/// The longest subsequence whose first members ascend (the second ones do already).
pub(super) fn longest_ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // tails[k]: index of the pair that ends the best ascending sequence of length k + 1.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (index, pair) in pairs.iter().enumerate() {
        let length = tails.partition_point(|&tail| pairs[tail].0 < pair.0);
        before[index] = length.checked_sub(1).map(|k| tails[k]);
        if length == tails.len() {
            tails.push(index);
        } else {
            tails[length] = index;
        }
    }
    let mut chain = Vec::new();
    let mut at = tails.last().copied();
    while let Some(index) = at {
        chain.push(pairs[index]);
        at = before[index];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn positions(numbers: &[u32]) -> Vec<(usize, u32)> {
        numbers.iter().copied().enumerate().collect()
    }

    proptest! {
        #[test]
        fn both_ways_give_ascending_pairs_of_equal_blocks(
            old in prop::collection::vec(0u32..6, 0..20),
            new in prop::collection::vec(0u32..6, 0..20),
        ) {
            for exact_max in [0, 100] {
                let pairs = align(&positions(&old), &positions(&new), exact_max);
                prop_assert!(pairs.iter().all(|&(o, n)| old[o] == new[n]));
                prop_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
            }
        }

        /// On distinct blocks the longest common subsequence is unique in length.
        #[test]
        fn without_repetition_the_fast_way_is_the_longest(
            new in Just((0u32..12).collect::<Vec<u32>>()).prop_shuffle(),
        ) {
            let old: Vec<u32> = (0..12).collect();
            let fast = align(&positions(&old), &positions(&new), 0).len();
            let best = similar::capture_diff_slices(Algorithm::Lcs, &old, &new)
                .iter()
                .map(|op| if let DiffOp::Equal { len, .. } = op { *len } else { 0 })
                .sum::<usize>();
            prop_assert_eq!(fast, best);
        }
    }
}
