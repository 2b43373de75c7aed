//! Change type `images`: the multiset of (src, alt).

use crate::Thing;
use crate::found::{Found, Pair};
use crate::keyed;
use page::Image;

/// Same src with other alt, or same alt with other src, is an update.
pub(crate) fn compare(pair: &Pair<'_>) -> Vec<Found> {
    keyed::changes(&pair.old.extract.images, &pair.new.extract.images, keys, thing)
}

fn keys(image: &Image) -> (&str, &str) {
    (&image.src, &image.alt)
}

fn thing(image: &Image) -> Thing {
    Thing::Image { src: image.src.clone(), alt: image.alt.clone() }
}
