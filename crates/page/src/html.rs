//! HTML: visible blocks of text, links, images, title, announced feeds.
//!
//! Visible is what a browser without scripts would show, as far as the markup alone tells: not
//! head, script, style, template, noscript, frames, comments; not elements with `hidden`,
//! `style="display:none"`, `<input type=hidden>` or a closed `<dialog>`. `aria-hidden` stays: it
//! hides from screen readers only. A closed `<details>` stays: a click shows it. Links and images
//! count where they are visible.

mod attributes;
pub(crate) mod blocks;
mod cards;
mod joints;
mod menus;
mod named;
mod parts;
pub(crate) mod related;
mod rows;
mod style;
mod tables;
mod tree;
mod unread;

pub use unread::Unread;

use crate::gather::{Gather, Line, Place, Stand, clip, resolve};
use crate::row::{Span, name_rows};
use crate::{Extract, Kind, Limits, Part, cost, prose};
use blocks::attr;
use ego_tree::NodeRef;
use ego_tree::iter::Edge;
use html5ever::local_name;
use scraper::Node;
use scraper::node::Element;
use url::Url;

pub(crate) fn read(text: &str, url: &Url, limits: &Limits) -> Extract {
    gathered(&tree(text, limits), url, limits, &mut Everything)
}

/// A tree, and whether limits kept markup out of it.
pub(crate) type Parsed = (scraper::Html, bool);

/// Which nodes of a tree are looked at; it is told of each as the walk comes by.
pub(crate) trait Sight {
    /// The walk enters a node; false if nothing inside counts.
    fn enter(&mut self, node: NodeRef<'_, Node>) -> bool;
    /// The walk leaves a node that it entered.
    fn leave(&mut self, node: NodeRef<'_, Node>);
    /// Whether what stands here counts.
    fn sees(&self) -> bool;
    /// Whether this node begins what counts: text before and after it stands apart.
    fn is_edge(&self, node: NodeRef<'_, Node>) -> bool;
}

pub(crate) struct Everything;

impl Sight for Everything {
    fn enter(&mut self, _: NodeRef<'_, Node>) -> bool {
        true
    }

    fn leave(&mut self, _: NodeRef<'_, Node>) {}

    fn sees(&self) -> bool {
        true
    }

    fn is_edge(&self, _: NodeRef<'_, Node>) -> bool {
        false
    }
}

/// What can be seen of a page.
pub(crate) fn gathered(
    (html, is_cut): &Parsed,
    url: &Url,
    limits: &Limits,
    sight: &mut dyn Sight,
) -> Extract {
    let mut gather = Gather::new(Kind::Html, limits);
    if *is_cut {
        gather.leave_out_markup();
    }
    let base = read_head(html, url, &mut gather, limits);
    let mut walk = Walk {
        gather,
        base,
        limits,
        links: Vec::new(),
        pre: 0,
        struck: Vec::new(),
        parts: parts::Parts::default(),
        row: None,
        cells: Vec::new(),
        tables: tables::Tables::default(),
        aside: None,
        boxes: menus::Boxes::default(),
        cards: cards::Cards::default(),
        joint: joints::Joint::default(),
    };
    let mut eye = style::Eye::of(html);
    let mut hidden = None;
    for edge in html.tree.root().traverse() {
        match edge {
            Edge::Open(node) if hidden.is_none() => {
                let is_seen = sight.enter(node);
                if sight.is_edge(node) {
                    walk.gather.end_block();
                }
                let is_there = eye.enter(node) && !style::is_remark_read_aloud(node);
                let is_open = is_there && is_seen && may_be_seen(node);
                if is_open && sight.sees() && eye.sees() {
                    walk.open(node);
                }
                hidden = (!is_open).then(|| (node.id(), is_seen));
            }
            Edge::Close(node) if hidden.is_none() => {
                if sight.sees() && eye.sees() {
                    walk.close(node);
                }
                if sight.is_edge(node) {
                    walk.gather.end_block();
                }
                eye.leave(node);
                sight.leave(node);
            }
            Edge::Close(node) => {
                eye.leave(node);
                if let Some((_, was_seen)) = hidden.take_if(|(id, _)| *id == node.id())
                    && was_seen
                {
                    sight.leave(node);
                }
            }
            _ => {}
        }
    }
    let Walk { gather, parts, boxes, cards, .. } = walk;
    let (mut extract, title) = gather.finish_in(parts.stands());
    menus::mark(&mut extract, &boxes, parts.has_main());
    cards::mark(&mut extract, &cards);
    name_rows(&mut extract);
    if let Some(title) = title {
        extract.blocks[title].part = Part::Main;
    }
    extract.language =
        html.root_element().attr("lang").filter(|lang| lang.len() <= 40).map(Into::into);
    extract
}

/// Whether something inside may be visible, whatever style says.
fn may_be_seen(node: NodeRef<'_, Node>) -> bool {
    match node.value() {
        Node::Element(element) => blocks::may_be_seen(node, element),
        Node::Fragment => node.parent().is_none(),
        _ => true,
    }
}

/// The same, as far as the element itself says.
fn may_show(node: NodeRef<'_, Node>) -> bool {
    match node.value() {
        Node::Element(element) => blocks::is_visible(node, element),
        Node::Fragment => node.parent().is_none(),
        _ => true,
    }
}

/// The text that can be seen of a node, on one line; the node itself may be hidden.
pub(crate) fn text(node: NodeRef<'_, Node>, sight: &mut dyn Sight, bytes_max: usize) -> String {
    let mut line = Line::default();
    let (mut hidden, mut bytes) = (None, 0);
    // Who points at what is struck out means its text.
    let is_struck = |inner: NodeRef<'_, Node>| {
        inner.id() != node.id() && inner.value().as_element().is_some_and(blocks::is_struck)
    };
    for edge in node.traverse() {
        match edge {
            Edge::Open(inner) if hidden.is_none() => {
                let is_seen = sight.enter(inner);
                let is_open = is_seen
                    && (inner.id() == node.id()
                        || may_show(inner) && !style::is_remark_read_aloud(inner));
                if !is_open {
                    hidden = Some((inner.id(), is_seen));
                    continue;
                }
                if is_struck(inner) {
                    line.open_struck();
                }
                match inner.value() {
                    Node::Text(text) if sight.sees() && bytes < bytes_max => {
                        bytes += line.push(clip(&text.text, bytes_max - bytes));
                    }
                    Node::Element(element) if stands_apart(element.name()) => {
                        bytes += line.push(" ")
                    }
                    _ => {}
                }
            }
            Edge::Close(inner) if hidden.is_none() => {
                if inner.value().as_element().is_some_and(|e| stands_apart(e.name())) {
                    bytes += line.push(" ");
                }
                if is_struck(inner) {
                    line.close_struck();
                }
                sight.leave(inner);
            }
            Edge::Close(inner) => {
                if let Some((_, was_seen)) = hidden.take_if(|(id, _)| *id == inner.id())
                    && was_seen
                {
                    sight.leave(inner);
                }
            }
            _ => {}
        }
    }
    line.take()
}

fn stands_apart(name: &str) -> bool {
    name == "br" || blocks::is_block(name)
}

/// The tree of a page, and whether limits kept markup out of it.
pub(crate) fn tree(text: &str, limits: &Limits) -> Parsed {
    let (html, is_cut, _) = grown(text, limits);
    (html, is_cut)
}

/// The same, and the places from which nothing is read; none where the page is cut.
pub(crate) fn tree_and_unread(text: &str, limits: &Limits) -> (Parsed, Option<Unread>) {
    let (html, is_cut, places) = grown(text, limits);
    ((html, is_cut), if is_cut { None } else { places.of(text, limits) })
}

fn grown(text: &str, limits: &Limits) -> (scraper::Html, bool, unread::Places) {
    let tags = text.bytes().filter(|&byte| byte == b'<').count();
    tree::parse(text, tags, &Limits { nodes_max: cost::nodes_max(tags, limits), ..limits.clone() })
}

/// Title and announced feeds, and the base URL for relative links.
fn read_head(html: &scraper::Html, url: &Url, gather: &mut Gather<'_>, limits: &Limits) -> Url {
    let elements = html.tree.nodes().filter_map(|node| Some((node, node.value().as_element()?)));
    let is_of_head = |element: &Element| {
        let name = &element.name.local;
        [local_name!("base"), local_name!("title"), local_name!("link")].contains(name)
    };
    let elements: Vec<_> = elements.filter(|(_, element)| is_of_head(element)).collect();
    let base = elements
        .iter()
        .filter(|(_, element)| element.name.local == local_name!("base"))
        .find_map(|(_, element)| url.join(attr(element, "href")?.trim()).ok())
        .filter(|base| !base.cannot_be_a_base())
        // Every link is resolved against it: a long one would cost its length each time.
        .filter(|base| base.as_str().len() <= limits.url_bytes_max)
        .unwrap_or_else(|| url.clone());
    for (node, element) in elements {
        match element.name.local {
            local_name!("title") if is_html(element) => {
                let text = node.first_child().and_then(|child| child.value().as_text());
                gather.title(text.map_or("", |text| &text.text));
            }
            local_name!("link") if gather.takes_feeds() && announces_feed(element) => {
                let href = attr(element, "href").unwrap_or_default();
                if let Some(href) = resolve(href, &base, limits) {
                    gather.feed(href, attr(element, "title").unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    base
}

fn announces_feed(element: &Element) -> bool {
    let attr = |name| attr(element, name).unwrap_or_default().to_ascii_lowercase();
    const TYPES: [&str; 3] =
        ["application/rss+xml", "application/atom+xml", "application/feed+json"];
    attr("rel").split_ascii_whitespace().any(|rel| rel == "alternate")
        && TYPES.contains(&attr("type").trim())
}

fn is_html(element: &Element) -> bool {
    element.name.ns == html5ever::ns!(html)
}

/// A link whose anchor text is still coming.
struct OpenLink {
    node: ego_tree::NodeId,
    href: String,
    text: Line,
    /// The alternative text of the first image inside, for links without text.
    alt: String,
    /// Where its first text stands, else where it opens.
    place: Place,
    has_text: bool,
}

struct Walk<'a> {
    gather: Gather<'a>,
    base: Url,
    limits: &'a Limits,
    links: Vec<OpenLink>,
    /// How many `<pre>` are open.
    pre: u32,
    /// What is open and strikes out its text.
    struck: Vec<ego_tree::NodeId>,
    parts: parts::Parts,
    /// The row of a table that is open, if it is one block.
    row: Option<ego_tree::NodeId>,
    /// Where its cells stand, if more is known of it than its text.
    cells: Vec<(ego_tree::NodeId, Span)>,
    tables: tables::Tables,
    /// What stands beside the main content under a heading of its own.
    aside: Option<related::Aside>,
    boxes: menus::Boxes,
    cards: cards::Cards,
    joint: joints::Joint,
}

impl Walk<'_> {
    /// Enters a node that is seen.
    fn open(&mut self, node: NodeRef<'_, Node>) {
        match node.value() {
            Node::Text(text) if self.pre > 0 && is_all_of_pre(node) => self.plain_text(&text.text),
            Node::Text(text) => self.text(&text.text),
            Node::Element(element) => self.open_element(node, element),
            _ => {}
        }
    }

    fn open_element(&mut self, node: NodeRef<'_, Node>, element: &Element) {
        let name = element.name();
        let is_block = blocks::is_block(name) || self.is_paragraph(node, element);
        if name == "tr" && self.row.is_none() && rows::is_plain(node) {
            self.open_row(node);
        }
        if self.row.is_none() && rows::is_said_of_term(node) {
            self.row = Some(node.id());
        } else if self.row.is_none() && is_block {
            self.gather.end_block();
            self.row = rows::is_term(node).then(|| node.id());
        } else if matches!(name, "td" | "th") {
            let span = self.cells.iter().find(|(cell, _)| *cell == node.id());
            self.gather.end_cell(span.map(|(_, span)| *span));
        } else if is_block {
            self.gather.push_text(" ");
        }
        if let Some(level) = blocks::heading(name) {
            if self.aside.take_if(|aside| aside.level >= level).is_some() {
                self.enter();
            }
            self.gather.heading(level);
        }
        // A row is one block, whatever stands in it.
        if self.row.is_none() && self.parts.open(node.id(), element) {
            self.gather.end_block();
            self.enter();
        }
        if is_block && self.row.is_none() {
            self.boxes.open(node.id(), self.gather.blocks());
        }
        self.joint.open(name);
        match within(element) {
            Some(Within::Control) => {
                let control = self.parts.control();
                self.gather.open_within(Some(control));
            }
            Some(Within::Page) => self.gather.open_within(None),
            None => {}
        }
        if blocks::is_struck(element) {
            self.gather.open_struck();
            self.struck.push(node.id());
        }
        match name {
            "a" | "area" if self.gather.takes_links() => {
                let href = attr(element, "href");
                if let Some(href) = href.and_then(|href| resolve(href, &self.base, self.limits)) {
                    let alt = attr(element, "alt").unwrap_or_default().to_owned();
                    let (node, text, place) = (node.id(), Line::default(), self.gather.place());
                    self.links.push(OpenLink { node, href, text, alt, place, has_text: false });
                }
            }
            "a" | "area" if leads_somewhere(element) => self.gather.leave_out_link(),
            "img" if has_size_up_to(element, 1) => {}
            "img" if self.row.is_some() && is_sign(element) && rows::is_all_of_cell(node) => {
                self.image_if_there_is_room(element);
                self.text(attr(element, "alt").unwrap_or_default());
            }
            "img" => self.image_if_there_is_room(element),
            "input" => self.input(element),
            "br" => self.break_line(node),
            "pre" => self.pre += 1,
            "b" | "strong" => self.gather.open_bold(),
            name if is_list(name) => self.gather.open_list(),
            _ => {}
        }
    }

    /// A second break in a row ends a paragraph; but what a cell says in several is of its row.
    fn break_line(&mut self, node: NodeRef<'_, Node>) {
        self.text(" ");
        let is_of_row = || self.row.is_some_and(|row| rows::has_cells(node, row));
        if follows_break(node) && !is_of_row() {
            self.gather.end_block();
        }
    }

    /// Whether a `<span>` is one of several that are written as paragraphs.
    fn is_paragraph(&self, node: NodeRef<'_, Node>, element: &Element) -> bool {
        self.pre == 0 && self.row.is_none() && blocks::is_paragraph(node, element)
    }

    fn open_row(&mut self, row: NodeRef<'_, Node>) {
        self.gather.end_block();
        self.row = Some(row.id());
        let block = self.gather.blocks();
        self.cells.clear();
        if let Some(placed) = self.tables.place(row, block, &mut self.gather) {
            self.gather.open_row(placed.headings, placed.spanned);
            self.cells = placed.cells;
        }
    }

    fn close(&mut self, node: NodeRef<'_, Node>) {
        let Some(element) = node.value().as_element() else { return };
        let name = element.name();
        if name == "pre" {
            self.pre = self.pre.saturating_sub(1);
        }
        if self.row == Some(node.id()) {
            self.row = None;
        }
        self.joint.close(name);
        let is_block = blocks::is_block(name) || self.is_paragraph(node, element);
        if self.row.is_none() && rows::is_term(node) {
            self.gather.end_term();
        } else if self.row.is_none() && is_block {
            self.gather.end_block();
        } else if is_block {
            self.gather.push_text(" ");
        }
        if is_list(name) {
            self.gather.close_list();
        }
        if matches!(name, "b" | "strong") {
            self.gather.close_bold();
        }
        if self.struck.pop_if(|struck| *struck == node.id()).is_some() {
            self.gather.close_struck();
        }
        if let Some(level) = blocks::heading(name) {
            self.gather.heading(0);
            // What the page itself is called is what it is about.
            if level > 1
                && self.gather.last().is_some_and(related::is_aside)
                && let Some(place) = related::place(node)
            {
                self.aside = Some(related::Aside { level, place });
                self.enter();
            }
        }
        if self.aside.take_if(|aside| aside.place == node.id()).is_some() {
            self.enter();
        }
        if self.parts.close(node.id()) {
            self.gather.end_block();
            self.enter();
        }
        if let Some(blocks) = self.boxes.close(node.id(), self.gather.blocks()) {
            self.cards.close(node, element, blocks);
        }
        if within(element).is_some() {
            self.gather.close_within();
        }
        if self.links.last().is_some_and(|link| link.node == node.id())
            && let Some(mut link) = self.links.pop()
        {
            if link.text.is_empty() {
                link.text.push(&link.alt);
            }
            self.gather.link_at(link.href, link.text.take(), link.place);
        }
    }

    /// What comes now stands in the box that is open, else in the part.
    fn enter(&mut self) {
        let stand = if self.aside.is_some() { Stand::FRAME } else { self.parts.current() };
        self.gather.enter(stand);
    }

    fn text(&mut self, text: &str) {
        if self.gather.is_full() {
            return self.gather.leave_out(text);
        }
        if self.pre == 0 && self.joint.parts(self.gather.touching(), text) {
            self.gather.push_text(" ");
            if let Some(link) = self.links.last_mut() {
                link.text.push(" ");
            }
        }
        if let Some(link) = self.links.last_mut() {
            let place = self.gather.place();
            if link.text.push(text) > 0 && !link.has_text {
                (link.has_text, link.place) = (true, place);
            }
        }
        if self.pre == 0 {
            return self.gather.push_text(text);
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.gather.end_block();
            }
            self.gather.push_text(line);
        }
    }

    /// The text of a `<pre>` that has no tag in it: its paragraphs may be wrapped.
    fn plain_text(&mut self, text: &str) {
        for (index, block) in prose::blocks(text).enumerate() {
            if index > 0 {
                self.gather.end_block();
            }
            self.text(&block);
        }
    }

    fn image_if_there_is_room(&mut self, element: &Element) {
        if self.gather.takes_images() {
            self.image(element);
        } else if attr(element, "src").is_some() {
            self.gather.leave_out_image();
        }
    }

    /// The first of: a lazy loader's attribute, `src`, the first candidate of `srcset`. A `data:`
    /// placeholder counts only when there is nothing else.
    fn image(&mut self, element: &Element) {
        const LAZY: [&str; 4] = ["data-src", "data-lazy-src", "data-original", "data-lazy"];
        let first_of_set = |set: &str| {
            let candidate = set.trim_start_matches([' ', ',', '\n', '\t', '\r']);
            candidate.split_ascii_whitespace().next().map(str::to_owned)
        };
        let lazy = LAZY.iter().find_map(|name| attr(element, name)).map(str::to_owned);
        let src = attr(element, "src").filter(|src| !src.trim().is_empty());
        let set = ["srcset", "data-srcset"].iter().find_map(|name| attr(element, name));
        let source = lazy
            .or_else(|| src.filter(|src| !src.trim_start().starts_with("data:")).map(str::to_owned))
            .or_else(|| set.and_then(first_of_set))
            .or_else(|| src.map(str::to_owned));
        let alt = attr(element, "alt").unwrap_or_default();
        if let Some(link) = self.links.last_mut()
            && link.alt.is_empty()
        {
            link.alt = alt.to_owned();
        }
        if let Some(src) = source.and_then(|source| resolve(&source, &self.base, self.limits)) {
            // A site's own sign leads to its first page, or is the first picture.
            let leads_home = |link: &OpenLink| {
                Url::parse(&link.href).is_ok_and(|url| url.path() == "/" && url.query().is_none())
            };
            let is_logo = || {
                alt.trim().eq_ignore_ascii_case("logo")
                    && (self.gather.has_no_image() || self.links.last().is_some_and(leads_home))
            };
            let is_of_frame = is_sign(element) || is_logo();
            self.gather.image(src, alt, is_of_frame.then_some(Stand::FRAME));
        }
    }

    /// The labels of buttons are text; what is typed into fields is not.
    fn input(&mut self, element: &Element) {
        let kind = attr(element, "type").unwrap_or_default().to_ascii_lowercase();
        if matches!(kind.as_str(), "submit" | "button" | "reset") {
            if self.aside.is_none() {
                let control = self.parts.control();
                self.gather.enter(control);
            }
            self.gather.block(attr(element, "value").unwrap_or_default());
            self.enter();
        }
        if kind == "password" {
            self.gather.asks_password();
        }
    }
}

fn is_list(name: &str) -> bool {
    matches!(name, "ul" | "ol" | "menu")
}

/// What an element is that a block may be made of.
enum Within {
    /// The name of a field, or what scripts make a button.
    Control,
    /// A link to another place of its page.
    Page,
}

fn within(element: &Element) -> Option<Within> {
    match element.name() {
        "label" => Some(Within::Control),
        "span" => {
            let role = attr(element, "role").unwrap_or_default();
            role.eq_ignore_ascii_case("button").then_some(Within::Control)
        }
        "a" => match attr(element, "href")?.trim().strip_prefix('#')? {
            "" => Some(Within::Control),
            _ => Some(Within::Page),
        },
        _ => None,
    }
}

/// Pixels on either side of an icon.
const ICON_PIXELS_MAX: u32 = 48;

/// Whether a text is all that a `<pre>` holds.
fn is_all_of_pre(text: NodeRef<'_, Node>) -> bool {
    let is_alone = text.prev_sibling().is_none() && text.next_sibling().is_none();
    let parent = text.parent().and_then(|parent| parent.value().as_element());
    is_alone && parent.is_some_and(|parent| parent.name() == "pre")
}

/// An icon, by the size that it says.
fn is_sign(element: &Element) -> bool {
    has_size_up_to(element, ICON_PIXELS_MAX)
}

/// Whether an image says of itself that it is no larger, in pixels. One of one pixel counts
/// readers.
fn has_size_up_to(element: &Element, pixels: u32) -> bool {
    let is_small = |name| {
        let said = attr(element, name).map(|said| said.trim().trim_end_matches("px"));
        said.and_then(|said| said.parse().ok()).is_some_and(|said: u32| said <= pixels)
    };
    is_small("width") && is_small("height")
}

/// Whether a link, as it is written, goes beyond its page.
fn leads_somewhere(element: &Element) -> bool {
    let href = attr(element, "href").unwrap_or_default().trim_start();
    !href.is_empty() && !href.starts_with('#')
}

/// Two breaks with nothing between them end a paragraph.
fn follows_break(node: NodeRef<'_, Node>) -> bool {
    let mut before = node.prev_sibling();
    if let Some(text) = before.and_then(|node| node.value().as_text())
        && text.text.trim().is_empty()
    {
        before = before.and_then(|node| node.prev_sibling());
    }
    before.and_then(|node| node.value().as_element()).is_some_and(|e| e.name() == "br")
}
