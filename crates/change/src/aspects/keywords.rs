//! Aspect `keywords`: the counts of the words that match a pattern.
//!
//! A pattern that is no single Unicode word (`e-mail`, `C++`, `AT&T`) counts its occurrences in the
//! text, as whole as a phrase's; there a `*` only frees that end of its word border.

use super::Comparer;
use super::phrases::{Needle, Occurrences, came_or_went, find_all};
use super::words::compare_counts;
use crate::found::{Found, Pair, Spot};
use crate::pattern::{Patterns, is_one_word, parts};
use crate::reading::Reading;
use crate::{Limits, Thing};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Keywords;

impl Comparer for Keywords {
    fn compare(
        &self,
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

    fn is_read_in_context(&self) -> bool {
        true
    }
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
    let (before, after) = (pair.old.reading(), pair.new.reading());
    let old = find_all(before, &needles, limits)?;
    let new = find_all(after, &needles, limits)?;
    let thing = |reading: &Reading, found: &Occurrences| Thing::Word {
        word: reading.text[found.places[0].clone()].to_owned(),
        count: u32::try_from(found.count).unwrap_or(u32::MAX),
    };
    let mut found = Vec::new();
    for (patterns, (old, new)) in written.values().zip(old.iter().zip(&new)) {
        let change = match (old.count, new.count) {
            (a, b) if a == b => continue,
            (0, _) => Found::insert(thing(after, new)),
            (_, 0) => Found::delete(thing(before, old)),
            _ => Found::update(thing(before, old), thing(after, new)),
        };
        let are_placed = old.are_placed() && new.are_placed();
        let place = match new.places.first() {
            Some(place) => Spot::New(place.clone()),
            None => Spot::Old(old.places[0].clone()),
        };
        let mut change = change.about(patterns.clone()).at(place);
        if are_placed {
            change.at_each(came_or_went(pair, &old.places, &new.places));
        }
        found.push(change);
    }
    Ok(found)
}
