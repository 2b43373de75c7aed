//! What of CSS is understood.

use super::state::State;
use cssparser::{CowRcStr, ParseError, ToCss};
use html5ever::Namespace;
use scraper::selector::{CssLocalName, CssString};
use selectors::parser::{self, SelectorImpl, SelectorParseErrorKind};
use std::fmt;

pub(super) struct Grammar;

impl<'i> parser::Parser<'i> for Grammar {
    type Impl = Names;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    /// `&` is the root, where nothing is around it.
    fn parse_parent_selector(&self) -> bool {
        true
    }

    fn is_is_alias(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("matches")
    }

    fn parse_non_ts_pseudo_class(
        &self,
        name: CowRcStr<'i>,
    ) -> Result<State, ParseError<SelectorParseErrorKind>> {
        State::named(&name.to_ascii_lowercase()).ok_or_else(|| {
            ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
        })
    }
}

/// The types of names in a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names;

impl SelectorImpl for Names {
    type AttrValue = CssString;
    type Identifier = CssLocalName;
    type LocalName = CssLocalName;
    type NamespacePrefix = CssLocalName;
    type NamespaceUrl = Namespace;
    type BorrowedNamespaceUrl = Namespace;
    type BorrowedLocalName = CssLocalName;
    type NonTSPseudoClass = State;
    type PseudoElement = NoPseudoElement;
    type ExtraMatchingData<'a> = ();
}

impl parser::NonTSPseudoClass for State {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

impl ToCss for State {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        write!(dest, ":{}", self.name())
    }
}

/// No part of a page that is no element can be pointed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoPseudoElement {}

impl parser::PseudoElement for NoPseudoElement {}

impl ToCss for NoPseudoElement {
    fn to_css<W: fmt::Write>(&self, _dest: &mut W) -> fmt::Result {
        match *self {}
    }
}
