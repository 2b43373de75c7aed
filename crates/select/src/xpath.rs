//! XPath 1.0 over HTML and XML.
//!
//! Plain paths are walked ([`path`]). All else is parsed and evaluated by `xpath-eval`, which asks
//! [`place`] for every node: there steps are counted, and each weighs as much as the expression is
//! long.

mod path;
mod place;

use crate::limits::Steps;
use crate::{Limits, Markup, Spent, Wrong};
use ego_tree::NodeId;
use path::Path;
pub use place::Order;
use place::{Book, Place, Spot};
use xpath_eval::{EvalError, EvaluationContext, Value};

/// Operators of one expression: each is a call inside a call.
const OPERATORS_MAX: usize = 200;

/// Steps that a node costs at least: the evaluator keeps some 50 bytes of each.
const NODE_STEPS: u64 = 4;

/// A compiled XPath expression.
#[derive(Debug, Clone)]
pub struct XPath {
    expression: xpath_eval::Expr,
    /// The plain path that it is, if it is one.
    path: Option<Path>,
    /// Steps that one node costs.
    weight: u64,
}

/// What an expression finds.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Places, in document order.
    Places(Vec<Part>),
    /// A text, number or truth value, as XPath prints it.
    Value(String),
}

/// A place of a document: a node, or an attribute of one by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub node: NodeId,
    pub attribute: Option<u32>,
}

impl XPath {
    /// Compiles an expression, such as `//table[@id="prices"]//tr[2]/td[3]`.
    ///
    /// # Errors
    /// The text is no expression, or exceeds a limit.
    pub fn parse(text: &str, limits: &Limits) -> Result<XPath, Wrong> {
        limits.admit(text)?;
        if operators(text) > OPERATORS_MAX {
            return Err(Wrong::TooMany { max: OPERATORS_MAX });
        }
        match xpath_eval::parse(text) {
            Ok(expression) => Ok(XPath {
                expression,
                path: Path::of(text),
                weight: NODE_STEPS + text.len() as u64 / 16,
            }),
            Err(error) => Err(Wrong::Syntax {
                language: "XPath 1.0",
                at: error.position,
                what: format!("{}; write as in //main//a[@href][1]", error.message),
            }),
        }
    }

    /// Finds what the expression selects, or computes its value. In HTML, names without a prefix
    /// are those of HTML, and the content of a `<template>` is no part of the page.
    ///
    /// # Errors
    /// A limit was reached, or the expression calls a function that there is not.
    pub fn find(&self, markup: &Markup<'_>, limits: &Limits) -> Result<Found, Spent> {
        self.find_ordered(markup, &Order::of(markup), limits)
    }

    /// The same, where the order of this document's nodes is known.
    ///
    /// # Errors
    /// As [`XPath::find`].
    pub fn find_ordered(
        &self,
        markup: &Markup<'_>,
        order: &Order,
        limits: &Limits,
    ) -> Result<Found, Spent> {
        match &self.path {
            Some(path) => walk(path, markup, order, limits),
            None => self.evaluate(markup, order, limits),
        }
    }

    /// The same without the short cut of plain paths, which finds what this finds.
    #[doc(hidden)]
    pub fn evaluate(
        &self,
        markup: &Markup<'_>,
        order: &Order,
        limits: &Limits,
    ) -> Result<Found, Spent> {
        let steps = Steps::new(limits);
        let book = Book::of(markup, order, &steps, self.weight)?;
        let root = Place { spot: Spot::Node(markup.tree.root()), book: &book };
        let evaluated = xpath_eval::evaluate(&self.expression, &EvaluationContext::new(root));
        steps.check()?;
        match evaluated.map_err(|error| Spent::Meaningless { what: explained(&error) })? {
            Value::NodeSet(mut places) => {
                limits.admit_results(places.len())?;
                places.sort_by(|a, b| xpath_eval::Node::document_order(*a, *b));
                Ok(Found::Places(places.into_iter().map(Place::part).collect()))
            }
            value => Ok(Found::Value(value.to_xpath_string())),
        }
    }
}

/// What a plain path finds, in document order.
fn walk(path: &Path, markup: &Markup<'_>, order: &Order, limits: &Limits) -> Result<Found, Spent> {
    let steps = Steps::new(limits);
    steps.take(order.len() as u64)?;
    let mut nodes = path.find(markup, &steps)?;
    limits.admit_results(nodes.len())?;
    nodes.sort_unstable_by_key(|node| order.number(*node));
    let part = |node| Part { node, attribute: None };
    Ok(Found::Places(nodes.into_iter().map(part).collect()))
}

/// How many operators there are at most.
fn operators(text: &str) -> usize {
    let signs = text.chars().filter(|c| matches!(c, '|' | '+' | '-' | '=' | '<' | '>' | '*'));
    let words = text.split(|c: char| !c.is_alphanumeric());
    signs.count() + words.filter(|word| matches!(*word, "or" | "and" | "div" | "mod")).count()
}

fn explained(error: &EvalError) -> String {
    match error {
        EvalError::UnknownFunction(name) => {
            format!("XPath 1.0 has no function {}(); see contains() or starts-with()", name.local)
        }
        EvalError::UnboundVariable(name) => format!("nothing binds ${}", name.local),
        other => other.to_string(),
    }
}
