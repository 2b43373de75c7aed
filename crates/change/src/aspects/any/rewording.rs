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

/// Words of a sentence that is known wherever it stands.
const KNOWN_WORDS_MIN: usize = 4;
/// How many times as long as such a sentence the text is that it grew to.
const GROWN_MAX: usize = 8;
/// Bytes of it at most.
const GROWN_BYTES_MAX: usize = 4_000;

/// Whether one text of a paragraph or a list is all of the other and more: "We may advertise."
/// beside "If you pay nothing, we may advertise."
pub(super) fn grew(old: &Block, new: &Block) -> bool {
    let (short, long) = if old.text.len() < new.text.len() {
        (&old.text, &new.text)
    } else {
        (&new.text, &old.text)
    };
    let said = short.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_said = |block: &Block| block.level() == 0 && block.part.is_main();
    if !is_said(old)
        || !is_said(new)
        || old.list != new.list
        || said.split_whitespace().nth(KNOWN_WORDS_MIN - 1).is_none()
        || long.len() > (GROWN_MAX * short.len()).min(GROWN_BYTES_MAX)
    {
        return false;
    }
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    // What began a sentence goes on in it.
    let first = said.chars().next().map_or(0, char::len_utf8);
    let (begins, rest) = said.split_at(first);
    let begins = begins.to_lowercase();
    long.match_indices(rest).any(|(at, _)| {
        let before = &long[..at];
        let own = before.chars().next_back().filter(|c| c.to_lowercase().to_string() == begins);
        own.is_some_and(|c| !is_word(before[..at - c.len_utf8()].chars().next_back()))
            && !is_word(long[at + rest.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_that_grew_is_known_by_all_of_it() {
        let grew = |old, new| super::grew(&Block::plain(old), &Block::plain(new));
        let ads = "Copilot may include advertising.";
        assert!(grew(
            ads,
            "If you use it without a subscription, Copilot may include advertising."
        ));
        let item = |text| Block { list: 1, ..Block::plain(text) };
        let to = "If you pay nothing, Copilot may include advertising.";
        assert!(super::grew(&item(ads), &item(to)) && !super::grew(&item(ads), &Block::plain(to)));
        assert!(grew("We may sell ads here. Now.", "We may sell ads here"), "or shrank");
        assert!(grew("We keep your data", "For a year, we keep your data, and no longer."));
        assert!(!grew("We keep your data", "For a year, we keep your database."));
        assert!(!grew("We keep it", "We keep it for you"), "too short to be known");
        assert!(!grew(ads, &format!("{}{ads}", "We say much more. ".repeat(20))), "lost in it");
    }
}
