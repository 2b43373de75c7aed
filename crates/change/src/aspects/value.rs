//! Aspect `value`: the list of numbers that a selector finds, each with its unit or currency.
//!
//! Members are paired as texts are. A member that shows another number, or the same with another
//! unit, was updated; one that no longer shows a number was deleted, one that shows one again was
//! inserted. What only looks different (`1.299 €`, `1299,00 EUR`) is the same.

use super::Comparer;
use super::any::Step;
use super::text::{steps, texts};
use crate::found::{Found, Pair};
use crate::number::amount;
use crate::{Limits, Thing};
use aspect::{Amount, Test};
use std::borrow::Cow;
use std::collections::BTreeSet;

pub(crate) struct Value;

impl Comparer for Value {
    fn compare(
        &self,
        pair: &Pair<'_>,
        tests: &BTreeSet<String>,
        limits: &Limits,
    ) -> Result<Vec<Found>, String> {
        let (old, new) = (texts(pair.old.extract), texts(pair.new.extract));
        let tests: Vec<(&String, Option<Test>)> =
            tests.iter().map(|text| (text, Test::parse(text))).collect();
        let (before, after) = (pair.old.extract, pair.new.extract);
        let old_at = |at: usize| Read::of(old[at], before.language.as_deref());
        let new_at = |at: usize| Read::of(new[at], after.language.as_deref());
        let found = steps(&old, &new, limits).into_iter().filter_map(|step| {
            let (old, new) = match step {
                Step::Insert(n) => (None, new_at(n)),
                Step::Delete(o) => (old_at(o), None),
                Step::Update(o, n) | Step::Move(o, n) => (old_at(o), new_at(n)),
            };
            changed(old, new, &tests)
        });
        Ok(found.collect())
    }
}

/// A number, and how the page writes it.
struct Read<'t> {
    amount: Amount,
    text: Cow<'t, str>,
}

impl<'t> Read<'t> {
    fn of(text: &'t str, language: Option<&str>) -> Option<Read<'t>> {
        Some(Read { amount: amount(text, language)?, text: page::standing(text) })
    }

    fn thing(&self) -> Thing {
        Thing::Value {
            value: self.amount.number.to_string(),
            unit: self.amount.unit.as_deref().map(str::to_owned),
            text: self.text.clone().into_owned(),
        }
    }
}

fn changed(
    old: Option<Read<'_>>,
    new: Option<Read<'_>>,
    tests: &[(&String, Option<Test>)],
) -> Option<Found> {
    let found = match (&old, &new) {
        (None, None) => return None,
        (Some(old), Some(new)) if old.amount == new.amount => return None,
        (None, Some(new)) => Found::insert(new.thing()),
        (Some(old), None) => Found::delete(old.thing()),
        (Some(old), Some(new)) => Found::update(old.thing(), new.thing()),
    };
    let (old, new) = (old.map(|read| read.amount), new.map(|read| read.amount));
    let fires = |test: &Option<Test>| {
        test.as_ref().is_some_and(|test| test.fires(old.as_ref(), new.as_ref()))
    };
    let fired = tests.iter().filter(|(_, test)| fires(test)).map(|(text, _)| (*text).clone());
    Some(found.about(fired.collect()))
}
