//! Aspect `everything`: what `any`, `links` and `images` find, none of it held back.

use super::any::named::whole::Wholes;
use super::{Comparer, any, any::Any, images::Images, links::Links};
use crate::Limits;
use crate::found::{Found, Pair};
use page::LeftOut;
use std::collections::BTreeSet;

pub(crate) struct Everything;

impl Comparer for Everything {
    fn compare(
        &self,
        pair: &Pair<'_>,
        terms: &BTreeSet<String>,
        limits: &Limits,
    ) -> Result<Vec<Found>, String> {
        let (mut found, _) = any::blocks(pair, limits);
        found.extend(Links.compare(pair, terms, limits)?);
        found.extend(Images.compare(pair, terms, limits)?);
        Ok(found)
    }

    fn wholes(&self, found: &mut [Found], pair: &Pair<'_>) -> Wholes {
        Wholes::join(found, pair)
    }

    fn rebuilt(&self, pair: &Pair<'_>, found: &[Found]) -> Option<u8> {
        Any.rebuilt(pair, found)
    }

    fn unlike(&self, pair: &Pair<'_>) -> Vec<Found> {
        Any.unlike(pair)
    }

    fn missed(&self, left_out: LeftOut) -> LeftOut {
        left_out
    }
}
