//! Entries of a list that lost what marks one of them: "v2.0 Latest" is "v2.0" now, and "v2.1
//! Latest" came.

use super::rows::repaired;
use super::{Pair, Step};
use crate::found::Found;
use crate::habits::CELL;
use page::Block;
use rustc_hash::FxHashMap;

/// Words that say of one entry of a list that it is the newest, in lower case. Any other word that
/// wanders, "Closed" or "Acting", is news of both entries.
const MARKS: [&str; 18] = [
    "actual",
    "actuel",
    "actuelle",
    "aktuell",
    "attuale",
    "current",
    "dernier",
    "dernière",
    "laatste",
    "latest",
    "neueste",
    "neuester",
    "newest",
    "nieuwste",
    "ultima",
    "ultimo",
    "última",
    "último",
];
/// Words of a text that bears a mark, at most.
const WORDS_MAX: usize = 24;
/// Marks that are looked for on a whole page.
const TRIED_MAX: usize = 64;

fn words(block: &Block) -> Vec<&str> {
    block.text.split_whitespace().take(WORDS_MAX + 1).collect()
}

fn is_mark(word: &str) -> bool {
    MARKS.contains(&&*word.to_lowercase())
}

/// Whether a text names one of many: "v2.0", "2026-03".
fn is_numbered(words: &[&str]) -> bool {
    words.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()))
}

/// A mark in a text: which word of how many.
struct Badge<'t> {
    word: &'t str,
    at: usize,
    of: usize,
}

impl Badge<'_> {
    /// Whether an entry bears the same, as far from its beginning or its end. The others are
    /// entries of one sort.
    fn is_borne(&self, other: &Block, sort: &Block) -> bool {
        let words = words(other);
        let end = words.len().checked_sub(self.of - self.at);
        let is_at = |at: usize| words.get(at) == Some(&self.word);
        words.len() <= WORDS_MAX
            && sort_of(other) == sort_of(sort)
            && (is_at(self.at) || end.is_some_and(is_at))
    }

    /// Whether one entry alone bears it.
    fn is_of_one(&self, blocks: &[Block], sort: &Block) -> bool {
        blocks.iter().filter(|other| self.is_borne(other, sort)).nth(1).is_none()
    }
}

fn sort_of(block: &Block) -> (u8, u8) {
    (block.level(), block.list)
}

/// The marks that a text may bear, each with the text without it.
fn badges(block: &Block) -> impl Iterator<Item = (Badge<'_>, Vec<&str>)> {
    let words = words(block);
    let of = if words.len() > WORDS_MAX || block.text.contains(CELL) { 0 } else { words.len() };
    (0..of).filter_map(move |at| {
        let rest = [&words[..at], &words[at + 1..]].concat();
        let is_badge = is_mark(words[at]) && is_numbered(&rest);
        is_badge.then_some((Badge { word: words[at], at, of }, rest))
    })
}

/// An entry that lost a mark which another one bears now, each alone on its page, is the same: the
/// pairs of places in both versions. O(n).
fn lost(steps: &[Step], pair: &Pair<'_>) -> FxHashMap<usize, usize> {
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    let mut pairs: FxHashMap<usize, usize> = FxHashMap::default();
    let came = steps.iter().filter_map(|step| match *step {
        Step::Insert(n) | Step::Update(_, n) => Some((words(&new[n]), n)),
        Step::Delete(_) | Step::Move(..) => None,
    });
    let came: FxHashMap<Vec<&str>, usize> = came.collect();
    let went = steps.iter().filter_map(|step| match *step {
        Step::Delete(o) | Step::Update(o, _) => Some(o),
        Step::Insert(_) | Step::Move(..) => None,
    });
    let may_be = |o: usize| {
        let came = |(badge, rest)| came.get(&rest).map(|n| (o, *n, badge));
        badges(&old[o]).filter_map(came).collect::<Vec<(usize, usize, Badge<'_>)>>()
    };
    for (o, n, badge) in went.flat_map(may_be).take(TRIED_MAX) {
        let bears = |(words, at): (&Vec<&str>, &usize)| {
            *at != n && words.len() > 1 && badge.is_borne(&new[*at], &old[o])
        };
        if sort_of(&old[o]) == sort_of(&new[n])
            && came.iter().any(bears)
            && badge.is_of_one(old, &old[o])
            && badge.is_of_one(new, &old[o])
            && !pairs.values().any(|known| *known == o)
        {
            pairs.entry(n).or_insert(o);
        }
    }
    pairs
}

/// Makes such an entry one with what it was; gives those pairs, the new block first.
pub(super) fn pair(steps: &mut Vec<Step>, pair: &Pair<'_>) -> FxHashMap<usize, usize> {
    let pairs = lost(steps, pair);
    if !pairs.is_empty() {
        *steps = repaired(steps, &pairs);
    }
    pairs
}

/// Marks such entries: they say nothing new.
pub(super) fn mark(found: &mut [Found], steps: &[Step], pairs: &FxHashMap<usize, usize>) {
    for (one, step) in found.iter_mut().zip(steps) {
        one.is_slight |= matches!(*step, Step::Update(o, n) if pairs.get(&n) == Some(&o));
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::told;

    fn list(element: &str, entries: &[&str]) -> String {
        let item = |entry: &&str| format!("<{element}>{entry}</{element}>");
        format!("<h1>Releases</h1>{}", entries.iter().map(item).collect::<String>())
    }

    #[test]
    fn an_entry_that_is_not_the_latest_any_more_is_the_same() {
        for element in ["h2", "li", "p"] {
            let old = list(element, &["Acme v2.0 Latest", "Acme v1.9"]);
            let new = list(element, &["Acme v2.1 Latest", "Acme v2.0", "Acme v1.9"]);
            assert_eq!(told(&old, &new), ["- -> Acme v2.1 Latest"], "{element}");
        }
    }

    #[test]
    fn a_mark_that_says_something_is_told() {
        let old = list("li", &["Red kettle Sold out", "Blue mixer"]);
        let new = list("li", &["Red kettle", "Blue mixer"]);
        assert_eq!(told(&old, &new).len(), 1, "nothing else bears it");
        let new = list("li", &["Green pan Sold out", "Red kettle", "Blue mixer"]);
        assert_eq!(told(&old, &new).len(), 2, "it can be had");
        for (old, new) in [
            (["Line U1 Closed", "Line U2"], ["Line U1", "Line U2 Closed"]),
            (["Acting Director", "Treasurer"], ["Director", "Acting Treasurer"]),
            (["Senior Engineer", "Analyst"], ["Engineer", "Senior Analyst"]),
        ] {
            assert!(told(&list("li", &old), &list("li", &new)).len() > 1, "{new:?}");
        }
        let old = list("li", &["Basic Plus plan", "Pro plan"]);
        let new = list("li", &["Basic plan", "Plus plan", "Pro plan"]);
        assert!(!told(&old, &new).is_empty(), "a plan became two");
    }
}
