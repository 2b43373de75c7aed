//! Change type `keywords`: the counts of the words that match a pattern.
//!
//! A pattern that is no single Unicode word (`e-mail`, `C++`, `AT&T`) counts its occurrences in the
//! text, as whole as a phrase's; there a `*` only frees that end of its word border.

use crate::found::{Found, Pair, Place};
use crate::pattern::{Patterns, is_one_word, parts};
use crate::phrases::{Needle, find_all};
use crate::words::compare_counts;
use crate::{Limits, Thing};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn compare(
    pair: &Pair<'_>,
    words: &BTreeSet<String>,
    limits: &Limits,
) -> Result<Vec<Found>, String> {
    let (single, compound): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|word| is_one_word(word));
    let mut found = Vec::new();
    if !single.is_empty() {
        let patterns = Patterns::new(single);
        found = compare_counts(pair, |word| {
            Some(patterns.matching(word)).filter(|patterns| !patterns.is_empty())
        });
    }
    if !compound.is_empty() {
        found.extend(compare_compound(pair, &compound, limits)?);
    }
    Ok(found)
}

fn compare_compound(
    pair: &Pair<'_>,
    patterns: &[&String],
    limits: &Limits,
) -> Result<Vec<Found>, String> {
    let mut written: BTreeMap<Needle, Vec<String>> = BTreeMap::new();
    for &pattern in patterns {
        let (free_start, free_end, text) = parts(pattern);
        written.entry(Needle { text, free_start, free_end }).or_default().push(pattern.clone());
    }
    let needles: Vec<&Needle> = written.keys().collect();
    let old = find_all(pair.old.reading(), &needles, limits)?;
    let new = find_all(pair.new.reading(), &needles, limits)?;
    let mut found = Vec::new();
    for (index, (needle, patterns)) in written.iter().enumerate() {
        let thing = |count: usize| Thing::Word { word: needle.text.clone(), count: count as u32 };
        let (before, now) = (&old[index], &new[index]);
        let change = match (before.len(), now.len()) {
            (a, b) if a == b => continue,
            (0, b) => Found::insert(thing(b)),
            (a, 0) => Found::delete(thing(a)),
            (a, b) => Found::update(thing(a), thing(b)),
        };
        let place = match now.first() {
            Some(place) => Place::New(place.clone()),
            None => Place::Old(before[0].clone()),
        };
        found.push(change.about(patterns.clone()).at(place));
    }
    Ok(found)
}
