//! A promise that is gone, or another whole passage, beside what is new.

use super::{Tally, quote, said};
use crate::cut::clean;
use crate::order;
use change::{CELL, Change, ChangeKind, Thing, Weight};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a sentence that says something by itself.
const SENTENCE_BYTES_MIN: usize = 40;
/// Letters of a word that says something, and words that another text must have of one, in
/// hundredths, to say the same.
const LETTERS_MIN: usize = 4;
const SHARED_MIN: usize = 60;

/// Sentences that are looked for in what is new, the best first.
const LOOKED_FOR_MAX: usize = 32;

/// A sentence that is gone.
struct Gone<'a> {
    change: &'a Change,
    text: &'a str,
    denies: bool,
    letters: usize,
    /// It is a change of its own, and no part of an edit.
    is_whole: bool,
}

impl<'a> Gone<'a> {
    fn of(change: &'a Change, text: &'a str, is_whole: bool) -> Gone<'a> {
        let (denies, letters) = (said::says_not(text), order::letters(text.chars()));
        Gone { change, text, denies, letters, is_whole }
    }
}

/// What is gone, then what is said of what is there now, in so many characters, and how many
/// changes that speaks of. Where what came says more, only for a sentence that says what is not
/// done: a promise.
pub(super) fn beside(tally: &Tally<'_>, said: &str, room: usize) -> Option<(String, u64)> {
    let (rank, first) = tally.first?;
    let is_text = matches!(first.new, Some(Thing::Text { .. }));
    if !is_text || !rank.is_news() || rank.is_of_its_own() || first.kind == ChangeKind::Move {
        return None;
    }
    let came = letters_that_came(first);
    // What an offer said of itself is gone with it.
    let offers: BTreeSet<&str> = tally
        .changes
        .iter()
        .filter(|change| change.kind == ChangeKind::Delete && change.heads)
        .filter_map(|change| change.old.as_ref().map(Thing::text))
        .collect();
    let is_of_offer = |gone: &Gone<'_>| {
        let heading = gone.change.heading.as_deref();
        let is_gone = heading.is_some_and(|heading| offers.contains(heading));
        is_gone && gone.is_whole && !gone.denies && !gone.text.ends_with(['.', '!'])
    };
    let all = tally.changes.iter().flat_map(|change| gone_of(change));
    let all = all.filter(|gone| !is_of_offer(gone));
    let mut all: Vec<_> =
        all.filter(|gone| gone.denies || gone.is_whole && gone.letters >= came).collect();
    if all.is_empty() {
        return None;
    }
    all.sort_by_key(|gone| (!gone.denies, Reverse(gone.letters)));
    let new = Came::of(&tally.changes);
    let best = all.into_iter().take(LOOKED_FOR_MAX).find(|gone| !new.says(gone.text))?;
    let half = room / 2;
    let gone = quote(best.text, half.saturating_sub("gone: “”; ".len()));
    let both = format!("gone: {gone}; {}", clean(said, half));
    Some((both, 1 + u64::from(!std::ptr::eq(best.change, first))))
}

fn letters_that_came(change: &Change) -> usize {
    let new = change.new.as_ref().map_or("", Thing::text);
    match &change.old {
        None => order::letters(new.chars()),
        Some(old) => {
            let parts = change::differing(old.text(), new).into_iter();
            parts.map(|one| order::letters(new[one.new].chars())).sum()
        }
    }
}

/// The sentences that are gone of a text: of one that went, all; of an edit, those that nothing
/// stands for.
fn gone_of(change: &Change) -> Vec<Gone<'_>> {
    let Some(Thing::Text { text: old }) = &change.old else { return Vec::new() };
    let is_told = change.weight >= Weight::ENOUGH && change.link.is_none() && !change.heads;
    if !is_told || old.contains(CELL) {
        return Vec::new();
    }
    match (change.kind, &change.new) {
        (ChangeKind::Delete, _) if old.len() >= SENTENCE_BYTES_MIN => {
            vec![Gone::of(change, old, true)]
        }
        (ChangeKind::Update, Some(Thing::Text { text: new })) => {
            let parts = change::differing(old, new).into_iter();
            let lost = parts.filter(|one| 2 * one.new.len() < one.old.len());
            let sentences = lost.flat_map(|one| whole_sentences(old, one.old));
            sentences.map(|text| Gone::of(change, text, false)).collect()
        }
        _ => Vec::new(),
    }
}

/// The whole sentences of a text that stand in a part of it.
fn whole_sentences(text: &str, part: std::ops::Range<usize>) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut at = part.start;
    while at < part.end {
        let place = change::sentence_around(text, &(at..at));
        let said = text[place.clone()].trim();
        let is_within = place.start >= part.start && place.end <= part.end;
        let is_whole = said.ends_with(['.', '!', '?']) && said.len() >= SENTENCE_BYTES_MIN;
        if is_within && is_whole {
            sentences.push(said);
        }
        let next = text.ceil_char_boundary(place.end.max(at + 1));
        at = next + text[next..].len() - text[next..].trim_start().len();
    }
    sentences
}

/// What is there now.
struct Came<'a> {
    /// In which of the changes each word came.
    words: BTreeMap<String, Vec<usize>>,
    texts: Vec<&'a str>,
}

impl<'a> Came<'a> {
    fn of(changes: &[&'a Change]) -> Came<'a> {
        let mut came = Came { words: BTreeMap::new(), texts: Vec::new() };
        for (at, change) in changes.iter().enumerate() {
            let Some(Thing::Text { text }) = &change.new else { continue };
            came.texts.push(text);
            let own = match &change.old {
                None => words(text),
                Some(old) if change.kind == ChangeKind::Update => {
                    let parts = change::differing(old.text(), text).into_iter();
                    parts.flat_map(|one| words(&text[one.new])).collect()
                }
                Some(_) => continue,
            };
            own.into_iter().for_each(|word| came.words.entry(word).or_default().push(at));
        }
        came
    }

    /// Whether a sentence still stands, or one change has most words of it: it was put in other
    /// words. O(length of what came).
    fn says(&self, text: &str) -> bool {
        let own = words(text);
        let mut shared = BTreeMap::<usize, usize>::new();
        for at in own.iter().filter_map(|word| self.words.get(word)).flatten() {
            *shared.entry(*at).or_default() += 1;
        }
        let most = shared.into_values().max().unwrap_or_default();
        100 * most >= SHARED_MIN * own.len() || self.texts.iter().any(|new| new.contains(text))
    }
}

/// The words of a text that say something, in lower case.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().nth(LETTERS_MIN - 1).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sentences_of_a_part_are_those_that_end_in_it() {
        let lost = "We do not log what you type on any of your devices.";
        let text = format!("You type. {lost} We ask you first, and you may say no to it.");
        let at = text.find(lost).expect("it is there");
        assert_eq!(whole_sentences(&text, at..at + lost.len() + 1), [lost]);
        assert_eq!(whole_sentences(&text, at + 3..at + lost.len()), [""; 0], "a part of one");
        assert_eq!(whole_sentences(&text, 0..9), [""; 0], "a short one");
    }
}
