//! Aspect `items`: the entries of a feed, told apart by their ids.

use super::Comparer;
use crate::found::{Found, Pair};
use crate::{Limits, Thing};
use page::Item;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

pub(crate) struct Items;

impl Comparer for Items {
    /// Entries of the new version come first, in its order; then those that vanished, in the order
    /// of the old one. The first of several with one id counts.
    fn compare(
        &self,
        pair: &Pair<'_>,
        _: &BTreeSet<String>,
        _: &Limits,
    ) -> Result<Vec<Found>, String> {
        let (old, new) = (by_id(&pair.old.extract.items), by_id(&pair.new.extract.items));
        let is_first = |known: &FxHashMap<&str, &Item>, item: &Item| {
            known.get(&*item.id).is_some_and(|first| std::ptr::eq(*first, item))
        };
        let after = pair.new.extract.items.iter().filter(|item| is_first(&new, item));
        let mut found: Vec<Found> = after
            .filter_map(|item| match old.get(&*item.id) {
                None => Some(Found::insert(thing(item))),
                Some(before) if *before == item => None,
                Some(before) => Some(Found::update(thing(before), thing(item))),
            })
            .collect();
        let before = pair.old.extract.items.iter().filter(|item| is_first(&old, item));
        let gone = before.filter(|item| !new.contains_key(&*item.id));
        found.extend(gone.map(|item| Found::delete(thing(item))));
        Ok(found)
    }

    /// Where the whole feed turned over, entries may have come and gone unseen. Where its ids are
    /// numbers without gaps, what is between the two versions is how many.
    fn missed_between(&self, pair: &Pair<'_>) -> Vec<String> {
        let (old, new) = (&pair.old.extract.items, &pair.new.extract.items);
        let known = by_id(old);
        if old.is_empty() || new.is_empty() || new.iter().any(|item| known.contains_key(&*item.id))
        {
            return Vec::new();
        }
        let missed = match (numbers(old), numbers(new)) {
            (Some((_, last)), Some((first, _))) if first > last => first - last - 1,
            _ => 0,
        };
        let feed = "the feed turned over between two looks";
        vec![match missed {
            0 => format!("{feed}: more may have been missed"),
            1 => format!("{feed}: at least 1 more was missed"),
            missed => format!("{feed}: at least {missed} more were missed"),
        }]
    }
}

fn by_id(items: &[Item]) -> FxHashMap<&str, &Item> {
    let mut known = FxHashMap::default();
    for item in items {
        known.entry(&*item.id).or_insert(item);
    }
    known
}

/// The smallest and the largest number at the end of the ids, if they are numbers without gaps.
fn numbers(items: &[Item]) -> Option<(u64, u64)> {
    let number = |item: &Item| {
        let digits = item.id.trim_end_matches('/');
        let start = digits.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        digits.get(start..)?.parse::<u64>().ok()
    };
    let mut numbers = items.iter().map(number).collect::<Option<Vec<u64>>>()?;
    numbers.sort_unstable();
    let is_whole = numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    (is_whole && numbers.len() > 1).then(|| (numbers[0], numbers[numbers.len() - 1]))
}

fn thing(item: &Item) -> Thing {
    Thing::Item { id: item.id.clone(), title: item.title.clone(), href: item.href.clone() }
}
