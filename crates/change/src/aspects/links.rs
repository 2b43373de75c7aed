//! Aspect `links`: the multiset of (href, text).

use super::Comparer;
use crate::found::{Found, Pair};
use crate::{Limits, Thing};
use crate::{keyed, leads};
use page::{LeftOut, Link};
use std::collections::BTreeSet;

pub(crate) struct Links;

impl Comparer for Links {
    /// Same href with other text, or same text with other href, is an update.
    fn compare(
        &self,
        pair: &Pair<'_>,
        _: &BTreeSet<String>,
        _: &Limits,
    ) -> Result<Vec<Found>, String> {
        Ok(of(pair))
    }

    fn forgives_tokens(&self) -> bool {
        true
    }

    fn missed(&self, left_out: LeftOut) -> LeftOut {
        LeftOut { images: 0, text: false, ..left_out }
    }
}

pub(super) fn of(pair: &Pair<'_>) -> Vec<Found> {
    let (old, new) = (&pair.old.extract.links, &pair.new.extract.links);
    let mut found = keyed::changes(old, new, keys, thing);
    leads::mark_visits(&mut found);
    found
}

fn keys(link: &Link) -> (&str, &str) {
    (&link.href, &link.text)
}

fn thing(link: &Link) -> Thing {
    Thing::Link { href: link.href.clone(), text: link.text.clone() }
}
