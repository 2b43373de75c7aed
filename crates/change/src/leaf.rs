//! What one leaf keeps of a shared comparison, and what a person calls it.

use crate::aspects::comparer;
use crate::fold::fold;
use crate::found::{Found, Pair, Spot, texts};
use crate::pattern::Patterns;
use crate::{Aspect, ChangeKind, ChangeType, Leaf, Limits, Terms, Thing};
use regex::{Regex, RegexBuilder};
use std::collections::{BTreeMap, BTreeSet};

/// Picks leaves' changes out of one shared comparison.
pub(crate) struct Chooser<'c> {
    shared: &'c ChangeType,
    pair: &'c Pair<'c>,
    found: &'c [Found],
    limits: &'c Limits,
    /// Which changes are about a pattern.
    about: BTreeMap<&'c str, Vec<u32>>,
}

impl<'c> Chooser<'c> {
    pub(crate) fn new(
        shared: &'c ChangeType,
        pair: &'c Pair<'c>,
        found: &'c [Found],
        limits: &'c Limits,
    ) -> Chooser<'c> {
        let mut about: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (index, change) in (0u32..).zip(found) {
            for pattern in &change.patterns {
                about.entry(pattern).or_default().push(index);
            }
        }
        Chooser { shared, pair, found, limits, about }
    }

    /// The indices of the changes that `leaf` keeps, ascending: those of its own words, in its
    /// directions, whose text matches.
    pub(crate) fn choose(
        &self,
        leaf: &Leaf,
        expressions: &mut Expressions,
    ) -> Result<Vec<u32>, String> {
        let mut hits = self.own(&leaf.change_type)?;
        if !leaf.directions.is_empty() {
            hits.retain(|&index| goes(&self.found[index as usize], &leaf.directions));
        }
        if let Some(pattern) = &leaf.matching {
            let regex = expressions.get(pattern, self.limits)?;
            hits.retain(|&index| self.matches(&self.found[index as usize], regex));
        }
        Ok(hits)
    }

    fn own(&self, own: &ChangeType) -> Result<Vec<u32>, String> {
        let all = || (0..self.found.len() as u32).collect();
        if !self.shared.is_akin(own) {
            return Err("a leaf of another change type was put to this comparison".to_owned());
        }
        match own.aspect.row().terms {
            // A change of a value may pass no test.
            shape if self.shared == own && shape != Terms::Tests => Ok(all()),
            Terms::None | Terms::Pointed => Ok(all()),
            Terms::Tests if own.terms.is_empty() => Ok(all()),
            Terms::Except => {
                let except = Patterns::new(&own.terms);
                let kept = |index: &u32| match word(&self.found[*index as usize]) {
                    Some(word) => !except.matches(&fold(word)),
                    None => true,
                };
                Ok((0..self.found.len() as u32).filter(kept).collect())
            }
            Terms::Words | Terms::Phrases | Terms::Tests => {
                let hits = own.terms.iter().filter_map(|word| self.about.get(word.as_str()));
                let hits: BTreeSet<u32> = hits.flatten().copied().collect();
                Ok(hits.into_iter().collect())
            }
        }
    }

    /// Whether any text of a change matches; of words and phrases, the text around them counts. A
    /// status is named by what it is now: "^down" keeps no page that is up again.
    fn matches(&self, change: &Found, regex: &Regex) -> bool {
        // What heads the cells of a row counts, too.
        let old = change.old.iter().filter(|_| self.shared.aspect != Aspect::Status);
        let things = old.chain(&change.new);
        let things = things.chain(change.told.iter().flat_map(|told| told.iter().flatten()));
        if things.flat_map(texts).any(|text| !text.is_empty() && regex.is_match(text)) {
            return true;
        }
        if !comparer(self.shared.aspect).is_read_in_context() {
            return false;
        }
        let surrounded = match &change.place {
            Some(Spot::Old(place)) => self.pair.old.reading().surrounded(place, self.limits),
            Some(Spot::New(place)) => self.pair.new.reading().surrounded(place, self.limits),
            None => "",
        };
        regex.is_match(surrounded)
    }
}

/// Whether a change is of one of these directions. A word that occurs more often came as well.
fn goes(change: &Found, directions: &BTreeSet<ChangeKind>) -> bool {
    let count = |thing: &Option<Thing>| thing.as_ref().and_then(Thing::count);
    let further = match (change.kind, count(&change.old), count(&change.new)) {
        (ChangeKind::Update, Some(old), Some(new)) if old < new => Some(ChangeKind::Insert),
        (ChangeKind::Update, Some(old), Some(new)) if old > new => Some(ChangeKind::Delete),
        _ => None,
    };
    directions.contains(&change.kind) || further.is_some_and(|kind| directions.contains(&kind))
}

fn word(change: &Found) -> Option<&str> {
    match change.new.as_ref().or(change.old.as_ref()) {
        Some(Thing::Word { word, .. }) => Some(word),
        _ => None,
    }
}

/// The compiled `matching` expressions of a run.
#[derive(Default)]
pub(crate) struct Expressions {
    compiled: BTreeMap<String, Result<Regex, String>>,
}

impl Expressions {
    fn get(&mut self, pattern: &str, limits: &Limits) -> Result<&Regex, String> {
        if !self.compiled.contains_key(pattern) {
            let regex = RegexBuilder::new(pattern).size_limit(limits.regex_bytes_max).build();
            let regex =
                regex.map_err(|error| format!("matching {pattern:?} cannot be used: {error}"));
            self.compiled.insert(pattern.to_owned(), regex);
        }
        self.compiled[pattern].as_ref().map_err(Clone::clone)
    }
}

/// What a person calls a leaf, in the words of the language: `all links added`, `keyword oil`,
/// `phrase "price cut" removed matching "EUR"`.
pub fn label(leaf: &Leaf) -> String {
    let ChangeType { view, aspect, terms } = &leaf.change_type;
    let region = view.region().unwrap_or_default();
    let pointed = aspect.row().terms.is_pointed();
    let selector = region.selector.as_ref().filter(|_| pointed).map(ToString::to_string);
    let terms = selector.as_deref().into_iter().chain(terms.iter().map(String::as_str));
    let mut label = aspect.write(terms, quoted);
    label.push_str(&region.modifiers(quoted));
    for direction in &leaf.directions {
        label.push_str(match direction {
            ChangeKind::Insert => " added",
            ChangeKind::Delete => " removed",
            ChangeKind::Update => " updated",
            ChangeKind::Move => " moved",
        });
    }
    if let Some(pattern) = &leaf.matching {
        label.push_str(" matching ");
        label.push_str(&quoted(pattern));
    }
    label
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
