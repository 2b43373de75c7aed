//! The aspects, each compared in a file of its own.

pub(crate) mod any;
mod everything;
mod images;
mod items;
mod keywords;
mod links;
mod phrases;
mod status;
mod text;
mod value;
mod words;

use crate::found::{Found, Pair};
use crate::{Aspect, Limits};
use any::named::whole::Wholes;
use page::LeftOut;
use std::collections::BTreeSet;

/// How an aspect is compared.
pub(crate) trait Comparer {
    /// All changes between two versions of one kind of content, or a sentence that says why there
    /// are none to be had.
    fn compare(
        &self,
        pair: &Pair<'_>,
        terms: &BTreeSet<String>,
        limits: &Limits,
    ) -> Result<Vec<Found>, String>;

    /// What is told in place of all changes, where these say less; to who asks for some of them,
    /// only where there are none of those.
    fn in_short(&self, _pair: &Pair<'_>) -> Option<Found> {
        None
    }

    /// What is told of versions that cannot be compared.
    fn unlike(&self, _pair: &Pair<'_>) -> Vec<Found> {
        Vec::new()
    }

    /// What this aspect misses of what limits kept out.
    fn missed(&self, left_out: LeftOut) -> LeftOut {
        LeftOut { links: 0, images: 0, ..left_out }
    }

    /// What was missed between the two versions, as sentences.
    fn missed_between(&self, _pair: &Pair<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Whether what counts little is held back.
    fn is_weighed(&self) -> bool {
        false
    }

    /// Whether what varies in addresses at most looks is held back.
    fn forgives_tokens(&self) -> bool {
        false
    }

    /// Whether what made room is held back, unless what is gone is asked for.
    fn lets_make_room(&self) -> bool {
        false
    }

    /// How much of the newer version's text is new, in hundredths, where it is most of it.
    fn rebuilt(&self, _pair: &Pair<'_>, _found: &[Found]) -> Option<u8> {
        None
    }

    /// Which changes are told as one.
    fn wholes(&self, found: &mut [Found], _pair: &Pair<'_>) -> Wholes {
        Wholes::none(found)
    }

    /// Whether `matching` looks at the text around a change, too.
    fn is_read_in_context(&self) -> bool {
        false
    }
}

/// The comparer of an aspect.
pub(crate) fn comparer(aspect: Aspect) -> &'static dyn Comparer {
    match aspect {
        Aspect::Any => &any::Any,
        Aspect::Everything => &everything::Everything,
        Aspect::Links => &links::Links,
        Aspect::Images => &images::Images,
        Aspect::Words => &words::Words,
        Aspect::Keywords => &keywords::Keywords,
        Aspect::Phrases => &phrases::Phrases,
        Aspect::Text => &text::Text,
        Aspect::Value => &value::Value,
        Aspect::Items => &items::Items,
        Aspect::Status => &status::Status,
    }
}

/// The changes between the blocks of two versions.
pub(crate) fn blocks(pair: &Pair<'_>, limits: &Limits) -> Vec<Found> {
    any::compare(pair, limits)
}

/// The changes between the links and images of two versions.
pub(crate) fn addresses(pair: &Pair<'_>) -> Vec<Found> {
    let mut found = links::of(pair);
    found.extend(images::of(pair));
    found
}
