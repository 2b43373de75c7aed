//! Change type `images`: the multiset of (src, alt).

use crate::Thing;
use crate::found::{Found, Pair};
use crate::keyed::{Step, difference};
use page::Image;

/// Same src with other alt, or same alt with other src, is an update.
pub(crate) fn compare(pair: &Pair<'_>) -> Vec<Found> {
    let (old, new) = (&pair.old.extract.images, &pair.new.extract.images);
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

fn keys(image: &Image) -> (&str, &str) {
    (&image.src, &image.alt)
}

fn thing(image: &Image) -> Thing {
    Thing::Image { src: image.src.clone(), alt: image.alt.clone() }
}
