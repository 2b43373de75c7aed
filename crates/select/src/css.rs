//! CSS selectors, level 4, over HTML and XML.
//!
//! Parsed and matched by Servo's `selectors`. States of controls are what the markup alone gives:
//! what a user does to a page (`:hover`, `:focus`) matches nothing.

mod element;
mod form;
mod grammar;
mod state;

use crate::limits::Steps;
use crate::{Limits, Markup, Spent, Wrong};
use cssparser::{BasicParseErrorKind, ParseErrorKind};
use ego_tree::NodeId;
use ego_tree::iter::Edge;
use element::{Element, Scope};
use grammar::{Grammar, Names};
use scraper::Node;
use selectors::matching::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches, matches_selector,
};
use selectors::parser::{ParseRelative, SelectorList, SelectorParseErrorKind};

/// A compiled list of CSS selectors.
#[derive(Debug, Clone)]
pub struct Css {
    list: SelectorList<Names>,
}

impl Css {
    /// Compiles a selector, such as `main .price > span:first-child`.
    ///
    /// # Errors
    /// The text is no selector, or exceeds a limit.
    pub fn parse(text: &str, limits: &Limits) -> Result<Css, Wrong> {
        limits.admit(text)?;
        let mut parser = cssparser::Parser::new(text);
        let list = SelectorList::parse(&Grammar, &mut parser, ParseRelative::No);
        list.map(|list| Css { list }).map_err(|error| Wrong::Syntax {
            language: "CSS selector",
            at: parser.position().byte_index().min(text.len()),
            what: explained(&error.kind),
        })
    }

    /// Finds the elements that match, in document order. The content of a `<template>` is no part
    /// of the page.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn find(&self, markup: &Markup<'_>, limits: &Limits) -> Result<Vec<NodeId>, Spent> {
        let steps = Steps::new(limits);
        let scope = Scope { steps: &steps, is_html: markup.is_html };
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let (mut found, mut template) = (Vec::new(), None);
        for edge in markup.tree.root().traverse() {
            match edge {
                Edge::Open(node) if template.is_none() => {
                    if matches!(node.value(), Node::Fragment) && node.parent().is_some() {
                        template = Some(node.id());
                    }
                    steps.take(1)?;
                    let Some(element) = Element::of(node, scope) else { continue };
                    let mut list = self.list.slice().iter();
                    if list.any(|one| matches_selector(one, 0, None, &element, &mut context)) {
                        found.push(node.id());
                    }
                    steps.check()?;
                    limits.admit_results(found.len())?;
                }
                Edge::Close(node) if template == Some(node.id()) => template = None,
                _ => {}
            }
        }
        Ok(found)
    }
}

fn explained(error: &ParseErrorKind<SelectorParseErrorKind>) -> String {
    use SelectorParseErrorKind as Kind;
    let what = match error {
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => {
            "it ends too early; an element, a .class, an #id or a closing bracket is missing"
        }
        ParseErrorKind::Basic(_) => "this sign has no place here; quote texts and escape signs",
        ParseErrorKind::Custom(Kind::EmptySelector) => {
            "between two commas, or at the end, a selector is missing"
        }
        ParseErrorKind::Custom(Kind::DanglingCombinator) => {
            "after `>`, `+` or `~` an element, a .class or an #id is missing"
        }
        ParseErrorKind::Custom(Kind::UnsupportedPseudoClassOrElement) => {
            "no such pseudo-class or pseudo-element; :nth-child(2), :not(…) and :has(…) are known"
        }
        ParseErrorKind::Custom(Kind::ExpectedNamespace) => {
            "prefixes of name spaces are not known; write *|name"
        }
        ParseErrorKind::Custom(Kind::ClassNeedsIdent) => {
            "after the dot a class is missing; escape one that begins with a digit, as in .\\31 0"
        }
        ParseErrorKind::Custom(
            Kind::UnexpectedTokenInAttributeSelector
            | Kind::BadValueInAttr
            | Kind::InvalidQualNameInAttr
            | Kind::ExpectedBarInAttr
            | Kind::NoQualifiedNameInAttributeSelector,
        ) => "an attribute is written [name] or [name=\"value\"]",
        ParseErrorKind::Custom(_) => {
            "this has no place here; write as in main > .price:first-child"
        }
    };
    what.to_owned()
}
