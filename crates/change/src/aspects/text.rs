//! Aspect `text`: the list of texts that a selector finds.
//!
//! Texts of one version only were deleted or inserted, as blocks of `any change` are. What stands
//! at the place of a deleted one is its new form, however unlike: a selector points at one thing.

use super::Comparer;
use super::any::{Likeness, Step, difference};
use crate::found::{Found, Pair};
use crate::{ChangeKind, Limits, Thing};
use std::collections::BTreeSet;

pub(crate) struct Text;

impl Comparer for Text {
    fn compare(
        &self,
        pair: &Pair<'_>,
        _: &BTreeSet<String>,
        limits: &Limits,
    ) -> Result<Vec<Found>, String> {
        let (old, new) = (texts(pair.old.extract), texts(pair.new.extract));
        let thing = |text: &str| Some(Thing::Text { text: text.to_owned() });
        let steps = steps(&old, &new, limits);
        let found = steps.into_iter().map(|step| match step {
            Step::Insert(n) => Found::between(ChangeKind::Insert, None, thing(new[n])),
            Step::Delete(o) => Found::between(ChangeKind::Delete, thing(old[o]), None),
            Step::Update(o, n) => Found::between(ChangeKind::Update, thing(old[o]), thing(new[n])),
            Step::Move(o, n) => Found::between(ChangeKind::Move, thing(old[o]), thing(new[n])),
        });
        Ok(found.collect())
    }
}

/// What became of the members of a list. Lists of one member are two forms of one thing.
pub(super) fn steps(old: &[&str], new: &[&str], limits: &Limits) -> Vec<Step> {
    difference(old, new, Likeness::SamePlace, limits)
}

pub(super) fn texts(extract: &page::Extract) -> Vec<&str> {
    extract.blocks.iter().map(|block| block.text.as_str()).collect()
}
