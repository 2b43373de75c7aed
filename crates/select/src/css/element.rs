//! An element as the matcher sees it; each look at one is a step.

use super::grammar::{Names, NoPseudoElement};
use super::state::State;
use crate::limits::Steps;
use ego_tree::NodeRef;
use html5ever::{Namespace, ns};
use scraper::Node;
use scraper::selector::{CssLocalName, CssString};
use selectors::OpaqueElement;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::matching::{ElementSelectorFlags, MatchingContext};

/// What all elements of one search share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub steps: &'a Steps,
    pub is_html: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a> {
    pub node: NodeRef<'a, Node>,
    pub value: &'a scraper::node::Element,
    pub scope: Scope<'a>,
}

impl<'a> Element<'a> {
    pub fn of(node: NodeRef<'a, Node>, scope: Scope<'a>) -> Option<Element<'a>> {
        Some(Element { value: node.value().as_element()?, node, scope })
    }

    /// The first element of some nodes, while steps are left.
    pub fn first(
        nodes: impl IntoIterator<Item = NodeRef<'a, Node>>,
        scope: Scope<'a>,
    ) -> Option<Element<'a>> {
        let mut nodes = nodes.into_iter().take_while(|_| scope.steps.is_left(1));
        nodes.find_map(|node| Element::of(node, scope))
    }

    pub fn parent(self) -> Option<Element<'a>> {
        if !self.scope.steps.is_left(1) {
            return None;
        }
        Element::of(self.node.parent()?, self.scope)
    }

    pub fn ancestors(self) -> impl Iterator<Item = Element<'a>> {
        std::iter::successors(self.parent(), |element| element.parent())
    }

    pub fn children(self) -> impl Iterator<Item = Element<'a>> {
        let scope = self.scope;
        let nodes = self.node.children().take_while(move |_| scope.steps.is_left(1));
        nodes.filter_map(move |node| Element::of(node, scope))
    }

    /// The elements inside, and itself; without what templates hold.
    pub fn inside(self) -> impl Iterator<Item = Element<'a>> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let element = waiting.pop()?;
            let first = waiting.len();
            waiting.extend(element.children());
            waiting[first..].reverse();
            Some(element)
        })
    }

    /// The outermost element that holds this one.
    pub fn outermost(self) -> Element<'a> {
        self.ancestors().last().unwrap_or(self)
    }

    pub fn is_html(self) -> bool {
        self.value.name.ns == ns!(html)
    }

    /// Is an HTML element of one of these names.
    pub fn is(self, names: &[&str]) -> bool {
        self.is_html() && names.contains(&self.value.name())
    }

    pub fn attr(self, name: &str) -> Option<&'a str> {
        if !self.scope.steps.is_left(1 + self.value.attrs.len() as u64) {
            return None;
        }
        let mut attributes = self.value.attrs.iter();
        let found = attributes.find(|(key, _)| key.ns == ns!() && &*key.local == name);
        found.map(|(_, value)| &**value)
    }

    pub fn has(self, name: &str) -> bool {
        self.attr(name).is_some()
    }
}

impl selectors::Element for Element<'_> {
    type Impl = Names;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.node.value())
    }

    fn parent_element(&self) -> Option<Self> {
        self.parent()
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        Element::first(self.node.prev_siblings(), self.scope)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        Element::first(self.node.next_siblings(), self.scope)
    }

    fn first_element_child(&self) -> Option<Self> {
        Element::first(self.node.children(), self.scope)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.scope.is_html && self.is_html()
    }

    fn has_local_name(&self, name: &CssLocalName) -> bool {
        self.scope.steps.is_left(1) && self.value.name.local == name.0
    }

    fn has_namespace(&self, namespace: &Namespace) -> bool {
        self.value.name.ns == *namespace
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.value.name.local == other.value.name.local && self.value.name.ns == other.value.name.ns
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Namespace>,
        name: &CssLocalName,
        operation: &AttrSelectorOperation<&CssString>,
    ) -> bool {
        self.value.attrs.iter().any(|(key, value)| {
            let is_in = !matches!(*namespace, NamespaceConstraint::Specific(ns) if *ns != key.ns);
            self.scope.steps.is_left(1)
                && is_in
                && name.0 == key.local
                && self.scope.steps.is_left(value.len() as u64)
                && operation.eval_str(value)
        })
    }

    fn match_non_ts_pseudo_class(
        &self,
        state: &State,
        _context: &mut MatchingContext<'_, Names>,
    ) -> bool {
        self.scope.steps.is_left(1) && state.is_of(*self)
    }

    fn match_pseudo_element(
        &self,
        element: &NoPseudoElement,
        _context: &mut MatchingContext<'_, Names>,
    ) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        State::Link.is_of(*self)
    }

    fn is_html_slot_element(&self) -> bool {
        self.is(&["slot"])
    }

    fn has_id(&self, id: &CssLocalName, case: CaseSensitivity) -> bool {
        self.attr("id").is_some_and(|own| case.eq(own.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &CssLocalName, case: CaseSensitivity) -> bool {
        let Some(classes) = self.attr("class") else { return false };
        self.scope.steps.is_left(classes.len() as u64)
            && classes
                .split_ascii_whitespace()
                .any(|own| case.eq(own.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _name: &CssLocalName) -> bool {
        false
    }

    fn imported_part(&self, _name: &CssLocalName) -> Option<CssLocalName> {
        None
    }

    fn is_part(&self, _name: &CssLocalName) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        let mut children = self.node.children().take_while(|_| self.scope.steps.is_left(1));
        !children.any(|child| match child.value() {
            Node::Element(_) => true,
            Node::Text(text) => !text.trim_ascii().is_empty(),
            _ => false,
        })
    }

    fn is_root(&self) -> bool {
        self.node.parent().is_some_and(|parent| parent.parent().is_none())
    }

    fn add_element_unique_hashes(&self, _filter: &mut BloomFilter) -> bool {
        false
    }
}
