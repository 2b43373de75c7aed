//! Change type `links`: the multiset of (href, text).

use crate::Thing;
use crate::found::{Found, Pair};
use crate::keyed;
use page::Link;

/// Same href with other text, or same text with other href, is an update.
pub(crate) fn compare(pair: &Pair<'_>) -> Vec<Found> {
    keyed::changes(&pair.old.extract.links, &pair.new.extract.links, keys, thing)
}

fn keys(link: &Link) -> (&str, &str) {
    (&link.href, &link.text)
}

fn thing(link: &Link) -> Thing {
    Thing::Link { href: link.href.clone(), text: link.text.clone() }
}
