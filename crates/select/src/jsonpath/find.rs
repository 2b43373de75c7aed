//! Evaluates a query.

use super::functions::compile;
use super::syntax::{
    Comparable, Comparison, Logical, Matches, Operator, Pattern, Query, Segment, Selector, Slice,
};
use crate::limits::Steps;
use crate::{Limits, Spent};
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Ordering;

/// Steps of compiling a regular expression that stands in the document.
const COMPILE_STEPS: u64 = 20_000;

pub(super) fn find<'v>(
    query: &Query,
    document: &'v Value,
    limits: &Limits,
) -> Result<Vec<&'v Value>, Spent> {
    let steps = Steps::new(limits);
    let found = Finder { root: document, steps: &steps }.nodes(query, document)?;
    limits.admit_results(found.len())?;
    Ok(found)
}

#[derive(Clone, Copy)]
struct Finder<'v, 's> {
    root: &'v Value,
    steps: &'s Steps,
}

impl<'v> Finder<'v, '_> {
    fn nodes(&self, query: &Query, current: &'v Value) -> Result<Vec<&'v Value>, Spent> {
        let mut nodes = vec![if query.is_absolute { self.root } else { current }];
        for segment in &query.segments {
            let mut next = Vec::new();
            for node in nodes {
                self.segment(segment, node, &mut next)?;
            }
            nodes = next;
        }
        Ok(nodes)
    }

    fn segment(
        &self,
        segment: &Segment,
        node: &'v Value,
        found: &mut Vec<&'v Value>,
    ) -> Result<(), Spent> {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            for selector in &segment.selectors {
                self.steps.take(1)?;
                self.select(selector, node, found)?;
            }
            if segment.descends {
                let first = waiting.len();
                waiting.extend(children(node));
                waiting[first..].reverse();
            }
        }
        Ok(())
    }

    fn select(
        &self,
        selector: &Selector,
        node: &'v Value,
        found: &mut Vec<&'v Value>,
    ) -> Result<(), Spent> {
        match selector {
            Selector::Name(name) => found.extend(node.get(name)),
            Selector::Index(index) => found.extend(at(node, *index)),
            Selector::Wildcard => {
                for child in children(node) {
                    self.steps.take(1)?;
                    found.push(child);
                }
            }
            Selector::Slice(slice) => {
                for item in slice.of(node) {
                    self.steps.take(1)?;
                    found.push(item);
                }
            }
            Selector::Filter(condition) => {
                for child in children(node) {
                    self.steps.take(1)?;
                    if self.holds(condition, child)? {
                        found.push(child);
                    }
                }
            }
        }
        Ok(())
    }

    fn holds(&self, condition: &Logical, current: &'v Value) -> Result<bool, Spent> {
        self.steps.take(1)?;
        match condition {
            Logical::Or(any) => {
                for one in any {
                    if self.holds(one, current)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Logical::And(all) => {
                for one in all {
                    if !self.holds(one, current)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Logical::Not(inner) => Ok(!self.holds(inner, current)?),
            Logical::Exists(query) => Ok(!self.nodes(query, current)?.is_empty()),
            Logical::Compare(comparison) => self.compare(comparison, current),
            Logical::Matches(matches) => self.matches(matches, current),
        }
    }

    fn compare(&self, comparison: &Comparison, current: &'v Value) -> Result<bool, Spent> {
        let left = self.value(&comparison.left, current)?;
        let right = self.value(&comparison.right, current)?;
        let (left, right) = (left.as_deref(), right.as_deref());
        let equal = || match (left, right) {
            (Some(left), Some(right)) => self.are_equal(left, right),
            (None, None) => Ok(true),
            _ => Ok(false),
        };
        let order = left.zip(right).and_then(|(left, right)| order(left, right));
        match comparison.operator {
            Operator::Equal => equal(),
            Operator::Unequal => Ok(!equal()?),
            Operator::Less => Ok(order == Some(Ordering::Less)),
            Operator::Greater => Ok(order == Some(Ordering::Greater)),
            Operator::LessOrEqual => Ok(order == Some(Ordering::Less) || equal()?),
            Operator::GreaterOrEqual => Ok(order == Some(Ordering::Greater) || equal()?),
        }
    }

    /// The value of an operand, if it has one.
    fn value<'a>(
        &self,
        comparable: &'a Comparable,
        current: &'v Value,
    ) -> Result<Option<Cow<'a, Value>>, Spent>
    where
        'v: 'a,
    {
        let owned = |number: usize| Some(Cow::Owned(Value::from(number)));
        Ok(match comparable {
            Comparable::Literal(value) => Some(Cow::Borrowed(value)),
            Comparable::Singular(query) => {
                self.nodes(query, current)?.first().map(|value| Cow::Borrowed(*value))
            }
            Comparable::Count(query) => owned(self.nodes(query, current)?.len()),
            Comparable::ValueOf(query) => match self.nodes(query, current)?[..] {
                [value] => Some(Cow::Borrowed(value)),
                _ => None,
            },
            Comparable::Length(inner) => match self.value(inner, current)?.as_deref() {
                Some(Value::String(text)) => {
                    self.steps.take(text.len() as u64)?;
                    owned(text.chars().count())
                }
                Some(Value::Array(items)) => owned(items.len()),
                Some(Value::Object(members)) => owned(members.len()),
                _ => None,
            },
        })
    }

    fn matches(&self, matches: &Matches, current: &'v Value) -> Result<bool, Spent> {
        let text = self.value(&matches.text, current)?;
        let Some(Value::String(text)) = text.as_deref() else { return Ok(false) };
        self.steps.take(text.len() as u64)?;
        let found = match &matches.pattern {
            Pattern::Known(regex) => return Ok(is_match(regex.as_ref(), text)),
            Pattern::Found(pattern) => self.value(pattern, current)?,
        };
        let Some(Value::String(pattern)) = found.as_deref() else { return Ok(false) };
        self.steps.take(COMPILE_STEPS + pattern.len() as u64)?;
        Ok(is_match(compile(pattern, matches.whole).as_ref(), text))
    }

    fn are_equal(&self, left: &Value, right: &Value) -> Result<bool, Spent> {
        self.steps.take(1)?;
        match (left, right) {
            (Value::Number(_), Value::Number(_)) => Ok(order(left, right) == Some(Ordering::Equal)),
            (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
                for (left, right) in left.iter().zip(right) {
                    if !self.are_equal(left, right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Object(left), Value::Object(right)) if left.len() == right.len() => {
                for (name, value) in left {
                    match right.get(name) {
                        Some(other) if self.are_equal(value, other)? => {}
                        _ => return Ok(false),
                    }
                }
                Ok(true)
            }
            (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => Ok(false),
            _ => Ok(left == right),
        }
    }
}

fn is_match(regex: Option<&regex::Regex>, text: &str) -> bool {
    regex.is_some_and(|regex| regex.is_match(text))
}

fn children(node: &Value) -> impl Iterator<Item = &Value> {
    let items = node.as_array().into_iter().flatten();
    items.chain(node.as_object().into_iter().flat_map(|members| members.values()))
}

fn at(node: &Value, index: i64) -> Option<&Value> {
    let items = node.as_array()?;
    let length = i64::try_from(items.len()).ok()?;
    items.get(usize::try_from(if index < 0 { length + index } else { index }).ok()?)
}

/// Which of two numbers or two texts is the smaller.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => match (left.as_i64(), right.as_i64()) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
        },
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

impl Slice {
    /// The items in the order of the slice.
    fn of(self, node: &Value) -> impl Iterator<Item = &Value> {
        let items = node.as_array().map_or(&[][..], Vec::as_slice);
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let place = |place: i64| if place < 0 { length + place } else { place };
        let (lower, upper, first) = if self.step >= 0 {
            let lower = place(self.start.unwrap_or(0)).clamp(0, length);
            (lower, place(self.end.unwrap_or(length)).clamp(0, length), lower)
        } else {
            let upper = self.start.map_or(length - 1, place).clamp(-1, length - 1);
            (self.end.map_or(-1, place).clamp(-1, length - 1) + 1, upper + 1, upper)
        };
        let count = if self.step == 0 { 0 } else { (upper - lower).max(0) };
        let taken = (count + self.step.abs().max(1) - 1) / self.step.abs().max(1);
        (0..taken).filter_map(move |n| items.get(usize::try_from(first + n * self.step).ok()?))
    }
}
