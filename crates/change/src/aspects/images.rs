//! Aspect `images`: the multiset of (src, alt).

use super::Comparer;
use crate::found::{Found, Pair};
use crate::keyed;
use crate::{Limits, Thing};
use page::{Image, LeftOut};
use std::collections::BTreeSet;

pub(crate) struct Images;

impl Comparer for Images {
    /// Same src with other alt, or same alt with other src, is an update.
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
        LeftOut { links: 0, text: false, ..left_out }
    }
}

pub(super) fn of(pair: &Pair<'_>) -> Vec<Found> {
    let (old, new) = (&pair.old.extract.images, &pair.new.extract.images);
    keyed::changes(old, new, keys, thing)
}

fn keys(image: &Image) -> (&str, &str) {
    (&image.src, &image.alt)
}

fn thing(image: &Image) -> Thing {
    Thing::Image { src: image.src.clone(), alt: image.alt.clone() }
}
