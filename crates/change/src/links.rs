//! Change type `links`: the multiset of (href, text).

use crate::Thing;
use crate::found::{Found, Pair};
use crate::keyed::{Step, difference};
use page::Link;

/// Same href with other text, or same text with other href, is an update.
pub(crate) fn compare(pair: &Pair<'_>) -> Vec<Found> {
    let (old, new) = (&pair.old.extract.links, &pair.new.extract.links);
    let old_keys: Vec<(&str, &str)> = old.iter().map(keys).collect();
    let new_keys: Vec<(&str, &str)> = new.iter().map(keys).collect();
    difference(&old_keys, &new_keys)
        .into_iter()
        .map(|step| match step {
            Step::Update(o, n) => Found::update(thing(&old[o]), thing(&new[n])),
            Step::Insert(n) => Found::insert(thing(&new[n])),
            Step::Delete(o) => Found::delete(thing(&old[o])),
        })
        .collect()
}

fn keys(link: &Link) -> (&str, &str) {
    (&link.href, &link.text)
}

fn thing(link: &Link) -> Thing {
    Thing::Link { href: link.href.clone(), text: link.text.clone() }
}
