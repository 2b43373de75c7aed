//! XML as a tree of elements and text, with names in their name spaces.

use super::{Seen, walk};
use crate::{Limits, ReadError, cost};
use ego_tree::NodeId;
use html5ever::{LocalName, Namespace, Prefix, QualName, ns};
use scraper::node::{Element, Text};
use scraper::{Html, Node};

/// The tree of a document, and whether limits kept markup out of it.
pub(crate) fn tree(text: &str, limits: &Limits) -> Result<(Html, bool), ReadError> {
    let tags = text.bytes().filter(|&byte| byte == b'<').count();
    let html = Html::new_document();
    let open = vec![html.tree.root().id()];
    let nodes_left = cost::nodes_max(tags, limits);
    let mut builder =
        Builder { html, open, starting: None, declared: Vec::new(), nodes_left, is_cut: false };
    walk(text, limits, |event| builder.see(&event))?;
    Ok((builder.html, builder.is_cut))
}

/// An element whose attributes are still coming.
struct Starting {
    name: String,
    attributes: Vec<(String, String)>,
}

/// A name space that is in force: how deep it was declared, its prefix and its URI.
struct Declared {
    depth: usize,
    prefix: String,
    uri: Namespace,
}

struct Builder {
    html: Html,
    /// The document and the elements that are open.
    open: Vec<NodeId>,
    starting: Option<Starting>,
    declared: Vec<Declared>,
    nodes_left: u32,
    is_cut: bool,
}

impl Builder {
    fn see(&mut self, event: &Seen<'_>) {
        match event {
            Seen::Start(name) => {
                self.start();
                self.starting = Some(Starting { name: (*name).to_owned(), attributes: Vec::new() });
            }
            Seen::Attribute(name, value) => {
                if let Some(starting) = &mut self.starting {
                    starting.attributes.push(((*name).to_owned(), (*value).to_owned()));
                }
            }
            Seen::Namespace(prefix, uri) => self.declared.push(Declared {
                depth: self.open.len(),
                prefix: (*prefix).to_owned(),
                uri: Namespace::from(*uri),
            }),
            Seen::Text(text) => {
                self.start();
                self.text(text);
            }
            Seen::End => {
                self.start();
                self.open.pop();
                let depth = self.open.len();
                while self.declared.last().is_some_and(|declared| declared.depth >= depth) {
                    self.declared.pop();
                }
            }
        }
    }

    /// Adds the element whose attributes have all come.
    fn start(&mut self) {
        let Some(starting) = self.starting.take() else { return };
        let attribute = |(name, value): (String, String)| html5ever::Attribute {
            name: self.resolved(&name, ns!()),
            value: value.as_str().into(),
        };
        let default = self.uri("").unwrap_or(ns!());
        let attributes = starting.attributes.into_iter().map(attribute).collect();
        let element = Element::new(self.resolved(&starting.name, default), attributes);
        let id = self.append(Node::Element(element));
        self.open.push(id);
    }

    fn text(&mut self, text: &str) {
        let parent = self.parent();
        let last = self.html.tree.get(parent).and_then(|node| node.last_child());
        let last = last.filter(|node| node.value().is_text()).map(|node| node.id());
        let last = last.and_then(|id| self.html.tree.get_mut(id));
        if let Some(mut last) = last {
            if let Node::Text(before) = last.value() {
                before.text.push_slice(text);
            }
            return;
        }
        self.append(Node::Text(Text { text: text.into() }));
    }

    /// Adds a node to the element that is open, while there is room.
    fn append(&mut self, node: Node) -> NodeId {
        let parent = self.parent();
        let Some(left) = self.nodes_left.checked_sub(1) else {
            self.is_cut = true;
            return parent;
        };
        self.nodes_left = left;
        let mut parent = self.html.tree.get_mut(parent).expect("a node of this tree");
        parent.append(node).id()
    }

    fn parent(&self) -> NodeId {
        self.open.last().copied().unwrap_or_else(|| self.html.tree.root().id())
    }

    fn uri(&self, prefix: &str) -> Option<Namespace> {
        let mut declared = self.declared.iter().rev();
        declared.find(|declared| declared.prefix == prefix).map(|declared| declared.uri.clone())
    }

    /// A name with its name space; `default` is that of names without a prefix.
    fn resolved(&self, name: &str, default: Namespace) -> QualName {
        let plain = || QualName::new(None, default.clone(), LocalName::from(name));
        let Some((prefix, local)) = name.split_once(':') else { return plain() };
        let uri = if prefix == "xml" { Some(ns!(xml)) } else { self.uri(prefix) };
        match uri {
            Some(uri) => QualName::new(Some(Prefix::from(prefix)), uri, LocalName::from(local)),
            None => plain(),
        }
    }
}
