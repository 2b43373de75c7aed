//! Plain paths, as browsers' tools write them: `/html/body/div[2]/span`, `//*[@id="x"]/div`,
//! `//table//tr[3]/td[2]`.
//!
//! They are most of what is pointed with, and need no evaluator: each step goes through children.
//! Whatever else an expression has is none of them, and the evaluator's.

use super::place::{is_seen, plain_name};
use crate::limits::Steps;
use crate::{Markup, Spent};
use ego_tree::{NodeId, NodeRef};
use rustc_hash::FxHashSet;
use scraper::Node;

/// An absolute path of named elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path(Vec<Step>);

/// Children of what was found so far.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    /// Children of all below it, too: `//`.
    is_deep: bool,
    /// `None`: `*`.
    name: Option<Box<str>>,
    /// In the order written: a number counts those that passed the tests before it.
    tests: Vec<Test>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    /// `[2]`, from 1; a 0 finds nothing.
    Nth(usize),
    /// `[@class="price"]`; without a value `[@id]`.
    Attribute { name: Box<str>, value: Option<Box<str>> },
}

impl Path {
    /// The plain path that an expression is, if it is one; white space in it makes it none.
    pub(super) fn of(text: &str) -> Option<Path> {
        let (mut rest, mut steps) = (text, Vec::new());
        while let Some(after) = rest.strip_prefix('/') {
            let is_deep = after.starts_with('/');
            let (step, left) = step(after.strip_prefix('/').unwrap_or(after), is_deep)?;
            steps.push(step);
            rest = left;
        }
        (rest.is_empty() && !steps.is_empty()).then_some(Path(steps))
    }

    /// The elements that it finds, each once; those above others come first.
    pub(super) fn find(&self, markup: &Markup<'_>, steps: &Steps) -> Result<Vec<NodeId>, Spent> {
        let mut found = vec![markup.tree.root()];
        for step in &self.0 {
            found = step.from(&found, markup.is_html, steps)?;
        }
        Ok(found.iter().map(NodeRef::id).collect())
    }
}

impl Step {
    fn from<'t>(
        &self,
        places: &[NodeRef<'t, Node>],
        is_html: bool,
        steps: &Steps,
    ) -> Result<Vec<NodeRef<'t, Node>>, Spent> {
        let mut found = Vec::new();
        if !self.is_deep {
            for place in places {
                self.children(*place, is_html, steps, &mut found)?;
            }
            return Ok(found);
        }
        let mut seen = FxHashSet::default();
        let mut waiting = Vec::new();
        for place in places {
            waiting.push(*place);
            while let Some(parent) = waiting.pop() {
                // All below it were gone through with it.
                if places.len() > 1 && !seen.insert(parent.id()) {
                    continue;
                }
                self.children(parent, is_html, steps, &mut found)?;
                let mut child = parent.last_child();
                while let Some(node) = child {
                    if is_seen(&node) && node.value().is_element() {
                        waiting.push(node);
                    }
                    child = node.prev_sibling();
                }
            }
        }
        Ok(found)
    }

    /// The children of one place that pass the tests.
    fn children<'t>(
        &self,
        parent: NodeRef<'t, Node>,
        is_html: bool,
        steps: &Steps,
        found: &mut Vec<NodeRef<'t, Node>>,
    ) -> Result<(), Spent> {
        let mut passed = vec![0; self.tests.len()];
        for child in parent.children() {
            steps.take(1 + self.tests.len() as u64)?;
            let Node::Element(element) = child.value() else { continue };
            let is_called = match &self.name {
                None => true,
                Some(name) => plain_name(&element.name, is_html) == Some(name),
            };
            let passes = |(test, passed): (&Test, &mut usize)| match test {
                Test::Nth(nth) => {
                    *passed += 1;
                    passed == nth
                }
                Test::Attribute { name, value } => element.attrs.iter().any(|(own, text)| {
                    plain_name(own, is_html) == Some(name)
                        && value.as_ref().is_none_or(|value| **value == **text)
                }),
            };
            if is_called && self.tests.iter().zip(&mut passed).all(passes) {
                found.push(child);
            }
        }
        Ok(())
    }
}

/// A step, and what follows it.
fn step(text: &str, is_deep: bool) -> Option<(Step, &str)> {
    let (name, mut rest) = match text.strip_prefix('*') {
        Some(rest) => (None, rest),
        None => name(text).map(|(name, rest)| (Some(name.into()), rest))?,
    };
    let mut tests = Vec::new();
    while let Some(inside) = rest.strip_prefix('[') {
        let (test, left) = test(inside)?;
        tests.push(test);
        rest = left.strip_prefix(']')?;
    }
    Some((Step { is_deep, name, tests }, rest))
}

fn test(text: &str) -> Option<(Test, &str)> {
    let Some(attribute) = text.strip_prefix('@') else {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let nth = text[..digits].parse().ok().filter(|_| digits < 9)?;
        return Some((Test::Nth(nth), &text[digits..]));
    };
    let (name, rest) = name(attribute)?;
    let Some(value) = rest.strip_prefix('=') else {
        return Some((Test::Attribute { name: name.into(), value: None }, rest));
    };
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, rest) = value[1..].split_once(quote)?;
    Some((Test::Attribute { name: name.into(), value: Some(value.into()) }, rest))
}

/// A name of ASCII letters, digits, `-` and `_`, without a prefix, and what follows it.
fn name(text: &str) -> Option<(&str, &str)> {
    let is_first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    // A prefix, an axis, a call, or a letter that is no plain one.
    let ends = text[end..].chars().next().is_none_or(|c| matches!(c, '/' | '[' | ']' | '='));
    (is_first && ends).then(|| text.split_at(end))
}
