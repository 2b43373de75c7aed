//! Texts that say the same in other words: by the words that hardly another text of their page has.

use super::words;
use page::Block;
use rustc_hash::FxHashMap;

/// What a word counts that one text of a version has; one that two have counts half as much.
const WHOLE: usize = 1_000;
/// How much of what counts two texts share, in hundredths, and how many words that others hardly
/// have.
const SHARED_MIN: usize = 50;
const RARE_MIN: usize = 4;

/// In how many texts of a version each word stands, of the version in which it has more.
pub(super) struct Rare(FxHashMap<u64, u32>);

impl Rare {
    /// O(n).
    pub(super) fn of(versions: [&[Block]; 2]) -> Rare {
        let mut most: FxHashMap<u64, u32> = FxHashMap::default();
        for blocks in versions {
            let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
            for block in blocks {
                let mut words = words(&block.text);
                words.dedup();
                words.into_iter().for_each(|word| *counts.entry(word).or_insert(0) += 1);
            }
            for (word, count) in counts {
                let known = most.entry(word).or_insert(0);
                *known = (*known).max(count);
            }
        }
        Rare(most)
    }

    fn weight(&self, word: u64) -> usize {
        WHOLE / self.0.get(&word).copied().unwrap_or(1).max(1) as usize
    }

    /// Whether two texts, as [`words`] has them, say the same in other words.
    pub(super) fn are_one(&self, old: &[u64], new: &[u64]) -> bool {
        let (mut i, mut j, mut shared, mut rare) = (0, 0, 0, 0);
        while i < old.len() && j < new.len() {
            match old[i].cmp(&new[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    let weight = self.weight(old[i]);
                    shared += weight;
                    rare += usize::from(2 * weight >= WHOLE);
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        let all: usize = old.iter().chain(new).map(|word| self.weight(*word)).sum();
        rare >= RARE_MIN && 200 * shared >= SHARED_MIN * all
    }
}
