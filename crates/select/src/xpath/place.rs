//! A node as the evaluator sees it; each look at one is counted.

use super::Part;
use crate::limits::Steps;
use crate::{Markup, Spent};
use ego_tree::{NodeId, NodeRef};
use html5ever::{QualName, ns};
use rustc_hash::FxHashMap;
use scraper::Node;
use std::cmp::Ordering;
use xpath_eval::{ExpandedName, NodeKind};

/// What all places of one evaluation share.
pub(super) struct Book<'a> {
    steps: &'a Steps,
    /// Steps that one node costs.
    weight: u64,
    is_html: bool,
    order: &'a Order,
}

/// Where each node stands in its document: what all XPaths that look into it share.
#[derive(Debug, Clone)]
pub struct Order(FxHashMap<NodeId, u32>);

impl Order {
    /// The order of a document's nodes. Linear in them.
    pub fn of(markup: &Markup<'_>) -> Order {
        let nodes = markup.tree.root().descendants();
        Order(nodes.zip(0..).map(|(node, place)| (node.id(), place)).collect())
    }
}

impl Order {
    /// The number of a node in its document.
    pub(super) fn number(&self, node: NodeId) -> u32 {
        self.0.get(&node).copied().unwrap_or(u32::MAX)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<'a> Book<'a> {
    pub fn of(
        markup: &Markup<'_>,
        order: &'a Order,
        steps: &'a Steps,
        weight: u64,
    ) -> Result<Book<'a>, Spent> {
        steps.take(order.len() as u64)?;
        Ok(Book { steps, weight, is_html: markup.is_html, order })
    }

    fn is_left(&self, more: usize) -> bool {
        self.steps.is_left(self.weight + more as u64)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot<'a> {
    Node(NodeRef<'a, Node>),
    Attribute(NodeRef<'a, Node>, u32),
}

#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub spot: Spot<'a>,
    pub book: &'a Book<'a>,
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.spot == other.spot
    }
}

impl Eq for Place<'_> {}

impl<'a> Place<'a> {
    /// Where it is, outside of the evaluation.
    pub fn part(self) -> Part {
        match self.spot {
            Spot::Node(node) => Part { node: node.id(), attribute: None },
            Spot::Attribute(node, index) => Part { node: node.id(), attribute: Some(index) },
        }
    }

    fn at(self, spot: Spot<'a>) -> Place<'a> {
        Place { spot, ..self }
    }

    fn node(self) -> NodeRef<'a, Node> {
        match self.spot {
            Spot::Node(node) | Spot::Attribute(node, _) => node,
        }
    }

    fn attribute(self) -> Option<&'a (html5ever::QualName, scraper::StrTendril)> {
        match self.spot {
            Spot::Node(_) => None,
            Spot::Attribute(node, index) => {
                node.value().as_element()?.attrs.get(usize::try_from(index).ok()?)
            }
        }
    }

    /// The number of the node in the document, and of the attribute in its element.
    fn order(self) -> (u32, u32) {
        let place = self.book.order.number(self.node().id());
        match self.spot {
            Spot::Node(_) => (place, 0),
            Spot::Attribute(_, index) => (place, index + 1),
        }
    }

    /// A name as XPath has it: those of HTML are in no name space there.
    fn name(self) -> Option<(Option<&'a str>, &'a str)> {
        let name = match self.spot {
            Spot::Node(node) => match node.value() {
                Node::Element(element) => &element.name,
                Node::ProcessingInstruction(instruction) => {
                    return Some((None, &instruction.target));
                }
                _ => return None,
            },
            Spot::Attribute(..) => &self.attribute()?.0,
        };
        let is_plain = plain_name(name, self.book.is_html).is_some();
        Some(((!is_plain).then_some(&*name.ns), &*name.local))
    }
}

/// A name in no name space, as XPath has it: those of HTML are in none there.
pub(super) fn plain_name(name: &QualName, is_html: bool) -> Option<&str> {
    let is_plain = name.ns == ns!() || (is_html && name.ns == ns!(html));
    is_plain.then_some(&*name.local)
}

/// Whether a node is one of XPath's.
pub(super) fn is_seen(node: &NodeRef<'_, Node>) -> bool {
    !matches!(node.value(), Node::Doctype(_) | Node::Fragment)
}

impl<'a> xpath_eval::Node<'a> for Place<'a> {
    fn kind(self) -> NodeKind {
        match self.spot {
            Spot::Attribute(..) => NodeKind::Attribute,
            Spot::Node(node) => match node.value() {
                Node::Element(_) => NodeKind::Element,
                Node::Text(_) => NodeKind::Text,
                Node::Comment(_) | Node::Doctype(_) => NodeKind::Comment,
                Node::ProcessingInstruction(_) => NodeKind::ProcessingInstruction,
                Node::Document | Node::Fragment => NodeKind::Root,
            },
        }
    }

    fn parent(self) -> Option<Self> {
        if !self.book.is_left(0) {
            return None;
        }
        match self.spot {
            Spot::Attribute(node, _) => Some(self.at(Spot::Node(node))),
            Spot::Node(node) => node.parent().map(|parent| self.at(Spot::Node(parent))),
        }
    }

    fn children(self) -> impl Iterator<Item = Self> + 'a {
        let node = match self.spot {
            Spot::Node(node) => Some(node),
            Spot::Attribute(..) => None,
        };
        let children = node.into_iter().flat_map(|node| node.children()).filter(is_seen);
        children
            .take_while(move |_| self.book.is_left(0))
            .map(move |child| self.at(Spot::Node(child)))
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'a {
        let element = match self.spot {
            Spot::Node(node) => node.value().as_element(),
            Spot::Attribute(..) => None,
        };
        let count = element.map_or(0, |element| element.attrs.len());
        (0..u32::try_from(count).unwrap_or(0))
            .take_while(move |_| self.book.is_left(0))
            .map(move |index| self.at(Spot::Attribute(self.node(), index)))
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 'a {
        std::iter::empty()
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        self.book.is_left(0);
        let (uri, local) = self.name()?;
        Some(ExpandedName { namespace_uri: uri.map(str::to_owned), local_name: local.to_owned() })
    }

    fn has_expanded_name(self, namespace_uri: Option<&str>, local_name: &str) -> bool {
        self.book.is_left(0) && self.name() == Some((namespace_uri, local_name))
    }

    fn string_value(self) -> String {
        if let Some((_, value)) = self.attribute() {
            return if self.book.is_left(value.len()) { value.to_string() } else { String::new() };
        }
        let mut text = String::new();
        let mut waiting = vec![self.node()];
        while let Some(node) = waiting.pop() {
            let own: &str = match node.value() {
                Node::Text(own) => own,
                Node::Comment(own) if node == self.node() => own,
                Node::ProcessingInstruction(own) if node == self.node() => &own.data,
                _ => "",
            };
            if !self.book.is_left(own.len()) {
                return text;
            }
            text.push_str(own);
            waiting.extend(node.children().filter(is_seen).collect::<Vec<_>>().into_iter().rev());
        }
        text
    }

    fn document_order(self, other: Self) -> Ordering {
        self.order().cmp(&other.order())
    }

    fn is_id_attribute(self) -> bool {
        self.name() == Some((None, "id"))
    }
}
