//! Parses HTML into a tree of bounded depth and size, in linear time.
//!
//! The parser itself bounds nothing: it walks its stack of open elements at almost every tag, so
//! deep nesting costs quadratic time, and misnested formatting elements multiply. So tags pass
//! through a [`Gate`] that watches the tree grow and leaves out what would exceed the limits. When
//! nodes or steps are used up it leaves out all that follows, end tags too: in a deep place each
//! of millions would walk the stack, and some (`</p>`) make nodes.

use super::attributes;
use super::unread::Places;
use crate::Limits;
use ego_tree::{NodeId, Tree};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeBuilder, TreeSink};
use html5ever::{Attribute, LocalName, QualName};
use rustc_hash::FxHashMap;
use scraper::{Html, HtmlTreeSink, Node};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

/// Nodes for which room is made at once, at most.
const NODES_EXPECTED_MAX: usize = 1 << 14;

/// The tree of a text with `tags` tags, and the places from which nothing will be read; between
/// them, whether anything was left out because nodes or steps were used up.
pub(super) fn parse(text: &str, tags: usize, limits: &Limits) -> (Html, bool, Places) {
    // An element has two tags and often a text, and there is text between some.
    let sink = Sink::new(tags.min(NODES_EXPECTED_MAX));
    let gate = Gate {
        builder: TreeBuilder::new(sink, Default::default()),
        depth_max: limits.depth_max,
        nodes_max: limits.nodes_max,
        steps_left: Cell::new(limits.steps_max),
        doubtful: Cell::new(false),
        raw: RefCell::new(Raw::No),
        is_cut: Cell::new(false),
    };
    let tokenizer = Tokenizer::new(gate, Default::default());
    let mut places = attributes::feed(&tokenizer, &StrTendril::from(text), limits.attributes_max);
    tokenizer.end();
    let Gate { builder, is_cut, steps_left, .. } = tokenizer.sink;
    (places.nodes, places.steps_left) = (builder.sink.nodes.get(), steps_left.get());
    (builder.sink.finish(), is_cut.get(), places)
}

/// Whether the tokenizer is inside an element whose content is not markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Raw {
    No,
    /// Until the end tag of this name.
    Until(LocalName),
    /// Until the end of the document.
    Forever,
}

/// Stands between tokenizer and tree builder.
pub(super) struct Gate {
    builder: TreeBuilder<NodeId, Sink>,
    depth_max: u32,
    nodes_max: u32,
    steps_left: Cell<u64>,
    /// An end tag came since the depth was last seen: it may be less than it was.
    doubtful: Cell<bool>,
    raw: RefCell<Raw>,
    /// Something came after nodes or steps were used up.
    is_cut: Cell<bool>,
}

impl Gate {
    pub(super) fn raw(&self) -> Raw {
        self.raw.borrow().clone()
    }

    /// Whether a start tag may go on to the tree builder. Elements without content or with raw
    /// content may go deeper (dropping `<script>` would show its content), but not for ever.
    fn admits(&self, name: &LocalName) -> bool {
        let depth = self.builder.sink.depth.get();
        depth < self.depth_max
            || (depth < 2 * self.depth_max && (self.doubtful.get() || is_shallow(name)))
    }
}

impl Gate {
    /// Counts what a token cost that was taken when there were `nodes_before` nodes.
    fn count(&self, nodes_before: u32) {
        let sink = &self.builder.sink;
        let made = u64::from(sink.nodes.get().saturating_sub(nodes_before));
        let steps = (1 + u64::from(sink.depth.get())) * (1 + made);
        self.steps_left.set(self.steps_left.get().saturating_sub(steps));
    }
}

fn is_shallow(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "wbr"
            | "script"
            | "style"
            | "textarea"
            | "title"
            | "xmp"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
    )
}

impl TokenSink for Gate {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        if let Token::ParseError(_) = token {
            return TokenSinkResult::Continue;
        }
        if matches!(&token, Token::TagToken(tag) if tag.kind == TagKind::EndTag) {
            *self.raw.borrow_mut() = Raw::No;
        }
        let nodes = self.builder.sink.nodes.get();
        if (nodes >= self.nodes_max || self.steps_left.get() == 0)
            && !matches!(token, Token::EOFToken)
        {
            self.is_cut.set(true);
            return TokenSinkResult::Continue;
        }
        let mut name = None;
        if let Token::TagToken(tag) = &token {
            match tag.kind {
                TagKind::StartTag if !self.admits(&tag.name) => {
                    return TokenSinkResult::Continue;
                }
                TagKind::StartTag => {
                    self.doubtful.set(false);
                    name = Some(tag.name.clone());
                }
                TagKind::EndTag => self.doubtful.set(true),
            }
        }
        let result = self.builder.process_token(token, line);
        self.count(nodes);
        match (&result, name) {
            (TokenSinkResult::RawData(_), Some(name)) => *self.raw.borrow_mut() = Raw::Until(name),
            (TokenSinkResult::Plaintext, _) => *self.raw.borrow_mut() = Raw::Forever,
            _ => {}
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The tree that grows, with the depth of each node and the number of nodes.
struct Sink {
    html: HtmlTreeSink,
    depths: RefCell<FxHashMap<NodeId, u32>>,
    /// The depth of the node that was attached last.
    depth: Cell<u32>,
    nodes: Cell<u32>,
}

impl Sink {
    fn new(nodes: usize) -> Sink {
        let depths = FxHashMap::with_capacity_and_hasher(nodes, Default::default());
        let mut html = Html::new_document();
        html.tree = Tree::with_capacity(Node::Document, nodes);
        Sink {
            html: HtmlTreeSink::new(html),
            depths: RefCell::new(depths),
            depth: Cell::new(0),
            nodes: Cell::new(0),
        }
    }

    fn created(&self, id: NodeId) -> NodeId {
        self.nodes.set(self.nodes.get() + 1);
        id
    }

    fn depth_of(&self, id: &NodeId) -> u32 {
        self.depths.borrow().get(id).copied().unwrap_or(0)
    }

    fn attached(&self, child: &NodeOrText<NodeId>, depth: u32) {
        match child {
            NodeOrText::AppendNode(id) => {
                self.depths.borrow_mut().insert(*id, depth);
            }
            NodeOrText::AppendText(_) => self.nodes.set(self.nodes.get() + 1),
        }
        self.depth.set(depth);
    }
}

impl TreeSink for Sink {
    type Output = Html;
    type Handle = NodeId;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Html {
        self.html.finish()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.html.set_quirks_mode(mode);
    }

    fn get_document(&self) -> NodeId {
        self.html.get_document()
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        self.html.elem_name(target)
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        self.created(self.html.create_element(name, attrs, flags))
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        self.created(self.html.create_comment(text))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> NodeId {
        self.created(self.html.create_pi(target, data))
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.attached(&child, self.depth_of(parent) + 1);
        self.html.append(parent, child);
    }

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        self.attached(&child, self.depth_of(sibling));
        self.html.append_before_sibling(sibling, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        prev_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        self.attached(&child, self.depth_of(element).max(self.depth_of(prev_element) + 1));
        self.html.append_based_on_parent_node(element, prev_element, child);
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        self.html.append_doctype_to_document(name, public, system);
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        let contents = self.html.get_template_contents(target);
        let depth = self.depth_of(target) + 1;
        self.depths.borrow_mut().insert(contents, depth);
        contents
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<Attribute>) {
        self.html.add_attrs_if_missing(target, attrs);
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.html.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        self.html.reparent_children(node, new_parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str, limits: &Limits) -> Html {
        super::parse(text, text.matches('<').count(), limits).0
    }

    const PIECES: [&str; 48] = [
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<a href=x>",
        "</a>",
        "<div id=1 class='a b'>",
        "</div>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<template>",
        "</template>",
        "<svg>",
        "</svg>",
        "<title>",
        "</title>",
        "<script>",
        "</script>",
        "<script a=b>",
        "</SCRIPT x=y>",
        "<style>",
        "</style >",
        "<textarea>",
        "</textarea>",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<!-",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE html>",
        "<?x",
        "</ x",
        "<noscript>",
        "</noscript>",
        "<plaintext>",
        "<select>",
        "<option>",
        "text ",
        "<",
        ">",
        "'",
        "\"",
        "/",
        "<i a='>' b=\"'\" c=d/e>",
    ];

    #[test]
    fn end_tags_that_make_elements_are_limited_like_elements() {
        let limits = Limits { nodes_max: 100, ..Limits::default() };
        let tree = parse(&"</p>".repeat(1_000), &limits).tree;
        assert!(tree.values().count() < 110, "{} nodes", tree.values().count());
    }

    #[test]
    fn what_would_take_too_many_steps_is_left_out() {
        let text = "<x>".repeat(500) + &"</y>".repeat(1_000) + "<p>after</p>";
        let has_after = |steps_max| {
            let tree = parse(&text, &Limits { steps_max, ..Limits::default() }).tree;
            tree.values().any(|node| node.as_text().is_some_and(|text| &*text.text == "after"))
        };
        // 500 · 250 · 2 to get there, 1,000 · 501 for the end tags.
        assert!(has_after(1_000_000));
        assert!(!has_after(500_000));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// The slow twin is the parser without the gate, fed in one piece.
        #[test]
        fn within_limits_the_tree_is_the_parsers_own(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
        ) {
            let text = pieces.concat();
            let plain = Html::parse_document(&text);
            prop_assert_eq!(parse(&text, &Limits::default()).tree, plain.tree);
        }

        /// One feeding in which every tag with attributes is scanned for the limit.
        #[test]
        fn without_attributes_the_tree_has_the_same_elements(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
        ) {
            let names = |html: &Html| {
                let elements = html.tree.values().filter_map(|node| node.as_element());
                elements.map(|element| element.name().to_owned()).collect::<Vec<String>>()
            };
            // Attributes decide nothing in these pieces, so cutting them changes no element. Noah's
            // Ark clause looks at them, so formatting elements are left out.
            let text = pieces.concat().replace("<b>", "").replace("<a", "<q").replace("<i", "<q");
            let limits = Limits { attributes_max: 0, ..Limits::default() };
            prop_assert_eq!(names(&parse(&text, &limits)), names(&Html::parse_document(&text)));
        }
    }
}
