//! What a region of the sentinel language shows of a document.
//!
//! A selector that finds nothing, or that cannot look into this kind of document, gives an extract
//! that says so in [`Extract::missing`]: it is no change to nothing. What an `outside` does not
//! find is no lack: there is nothing to leave out.

use crate::gather::{Gather, clip, collapse};
use crate::html::{self, Sight};
use crate::view::{Document, Grown};
use crate::{Block, Extract, Kind};
use ego_tree::{NodeId, NodeRef};
use regex::{Regex, RegexBuilder};
use rustc_hash::FxHashSet;
use scraper::Node;
use scraper::node::Element;
use select::{Compiled, Found, JsonPath, Markup, Part, Region, Selector, Side};
use serde_json::Value;

mod json;

/// The number of the extractor of regions (see [`crate::EXTRACTOR`], whose pages they are of).
pub(crate) const EXTRACTOR: u32 = 1;

/// Bytes of one compiled `ignoring`.
const REGEX_BYTES_MAX: usize = 1 << 20;
/// Nodes whose text is read for one selector: matches may lie in each other.
const VISITS_MAX: usize = 2_000_000;

/// Why a region shows nothing, as a sentence.
type Missing = String;

/// What `region` shows of a document.
pub(crate) fn read(region: &Region, document: &Document<'_>) -> Extract {
    let kind = document.kind();
    let mut extract = match look(region, document) {
        Ok(extract) => extract,
        Err(missing) => {
            let mut nothing = Gather::new(kind, document.limits).finish();
            nothing.missing = Some(missing.into());
            nothing
        }
    };
    extract.extractor = crate::EXTRACTOR * 1_000 + EXTRACTOR;
    if let Some(language) = &region.language {
        extract.language = Some(language.clone());
    }
    extract
}

fn look(region: &Region, document: &Document<'_>) -> Result<Extract, Missing> {
    let mut extract = match &region.selector {
        None => scoped(region, document)?,
        Some(selector) => {
            let (texts, language) = pointed(selector, region, document)?;
            if texts.is_empty() {
                return Err(format!("{selector} finds nothing"));
            }
            let mut gather = Gather::new(document.kind(), document.limits);
            gather.list(texts);
            let mut extract = gather.finish();
            extract.language = language;
            extract.title = document.whole().title.clone();
            extract
        }
    };
    if let Some(select::Language::Items) = region.selector.as_ref().map(|one| one.language) {
        extract.blocks.clear();
        extract.items = document.items().to_vec();
    }
    if let Some(pattern) = &region.ignoring {
        ignore(&mut extract, pattern, region.selector.is_some())?;
    }
    Ok(extract)
}

/// Takes away what matches. Blocks of a page of which nothing is left are none; members of a list
/// stay.
fn ignore(extract: &mut Extract, pattern: &str, is_list: bool) -> Result<(), Missing> {
    let regex = RegexBuilder::new(pattern).size_limit(REGEX_BYTES_MAX).build();
    let regex = regex.map_err(|error| format!("ignoring {pattern:?} cannot be used: {error}"))?;
    for Block { text, row, .. } in &mut extract.blocks {
        let bytes = text.len();
        without(text, &regex);
        // The cells stand elsewhere now.
        row.take_if(|_| text.len() != bytes);
    }
    let links = extract.links.iter_mut().map(|link| &mut link.text);
    let images = extract.images.iter_mut().map(|image| &mut image.alt);
    let items = extract.items.iter_mut().flat_map(|item| [&mut item.title, &mut item.text]);
    links.chain(images).chain(items).for_each(|text| without(text, &regex));
    if !is_list {
        drop_empty(&mut extract.blocks);
    }
    Ok(())
}

/// Takes away blocks without text. What stood there stands at the next block, else at the last.
fn drop_empty(blocks: &mut Vec<Block>) {
    let (mut links, mut images) = (0, 0);
    if blocks.iter().any(|block| block.text.is_empty()) {
        // Rows above are no longer where they were.
        let rows = blocks.iter_mut().filter_map(|block| block.row.as_mut());
        rows.for_each(|row| row.spanned = Box::default());
    }
    blocks.retain_mut(|block| {
        links += block.links;
        images += block.images;
        if block.text.is_empty() {
            return false;
        }
        block.links = std::mem::take(&mut links);
        block.images = std::mem::take(&mut images);
        true
    });
    if let Some(last) = blocks.last_mut() {
        last.links += links;
        last.images += images;
    }
}

fn without(text: &mut String, regex: &Regex) {
    if regex.is_match(text) {
        *text = collapse(&regex.replace_all(text, ""));
    }
}

/// The whole document, bounded by scopes.
fn scoped(region: &Region, document: &Document<'_>) -> Result<Extract, Missing> {
    if region.scopes().is_empty() {
        return Ok(document.whole().clone());
    }
    match document.grown()? {
        Grown::Html(parsed) => {
            let markup = Markup { tree: &parsed.0.tree, is_html: true };
            let mut bounds = Bounds::of(region, &markup, document)?;
            Ok(html::gathered(parsed, document.hints.url, document.limits, &mut bounds))
        }
        Grown::Xml(parsed) => {
            let markup = Markup { tree: &parsed.0.tree, is_html: false };
            let mut bounds = Bounds::of(region, &markup, document)?;
            Ok(xml(parsed, document, &mut bounds))
        }
        Grown::Json(value) => json::scoped(region, value, document),
    }
}

/// The texts that a selector finds, in document order, and the language they are in.
type Texts = (Vec<String>, Option<Box<str>>);

fn pointed(
    selector: &Selector,
    region: &Region,
    document: &Document<'_>,
) -> Result<Texts, Missing> {
    let compiled = compiled(selector)?;
    match compiled {
        Compiled::Title => {
            let title = document.whole().title.clone();
            return Ok((title.into_iter().collect(), document.language()));
        }
        Compiled::Items => {
            if document.kind() != Kind::Feed {
                return Err(no_feed(document));
            }
            return Ok((vec![String::new()], None));
        }
        _ => {}
    }
    match (document.grown()?, compiled) {
        (Grown::Json(value), Compiled::JsonPath(path)) => {
            Ok((json::pointed(selector, &path, region, value, document)?, machine()))
        }
        (Grown::Html(parsed), Compiled::JsonLd(path)) => {
            let markup = Markup { tree: &parsed.0.tree, is_html: true };
            let bounds = Bounds::of(region, &markup, document)?;
            let found = json::linked(selector, &path, &markup, |node| bounds.holds(node))?;
            Ok((found, machine()))
        }
        (Grown::Html(parsed), Compiled::Meta(name)) => {
            let markup = Markup { tree: &parsed.0.tree, is_html: true };
            let bounds = Bounds::of(region, &markup, document)?;
            let metas = elements(&markup, "meta").filter(|(node, _)| bounds.holds(*node));
            let named = metas.filter(|(_, meta)| is_named(meta, &name));
            let found = named.filter_map(|(_, meta)| Some(collapse(meta.attr("content")?)));
            Ok((found.collect(), machine()))
        }
        (Grown::Html(parsed), compiled) => {
            let markup = Markup { tree: &parsed.0.tree, is_html: true };
            in_markup(selector, &compiled, &markup, region, document)
        }
        (Grown::Xml(parsed), compiled) => {
            let markup = Markup { tree: &parsed.0.tree, is_html: false };
            in_markup(selector, &compiled, &markup, region, document)
        }
        (Grown::Json(_), _) => Err(wrong_kind(selector, document)),
    }
}

/// Numbers for programs are written with a point.
fn machine() -> Option<Box<str>> {
    Some("en".into())
}

fn compiled(selector: &Selector) -> Result<Compiled, Missing> {
    let compiled = selector.compile(&select::Limits::default());
    compiled.map_err(|wrong| format!("{selector} cannot be used: {wrong}"))
}

fn wrong_kind(selector: &Selector, document: &Document<'_>) -> Missing {
    let (word, kind) = (selector.language.word(), document.kind());
    let looks_into = match selector.language {
        select::Language::JsonPath => "JSON documents",
        select::Language::Css | select::Language::XPath => "HTML and XML",
        select::Language::Items => "feeds",
        _ => "HTML",
    };
    format!("{word} looks into {looks_into}, and this is {}", kind.name())
}

fn no_feed(document: &Document<'_>) -> Missing {
    let what = document.kind().name();
    match document.whole().feeds.first() {
        Some(feed) => format!(
            "new items are told of feeds, and this is {what}; watch its feed, {}",
            feed.href
        ),
        None => format!(
            "new items are told of feeds, and this is {what}; `links added` tells of new links"
        ),
    }
}

fn in_markup(
    selector: &Selector,
    compiled: &Compiled,
    markup: &Markup<'_>,
    region: &Region,
    document: &Document<'_>,
) -> Result<Texts, Missing> {
    let parts = match found(selector, compiled, markup, document)? {
        Found::Places(parts) => parts,
        Found::Value(value) => return Ok((vec![collapse(&value)], document.language())),
    };
    let mut bounds = Bounds::of(region, markup, document)?;
    let (mut texts, mut bytes, mut visits) = (Vec::new(), 0, 0);
    let mut language = None;
    for part in parts {
        let Some(node) = markup.tree.get(part.node) else { continue };
        if !bounds.holds(node) {
            continue;
        }
        let room = document.limits.text_bytes_max.saturating_sub(bytes);
        visits += match part.attribute {
            None => node.descendants().take(VISITS_MAX).count(),
            Some(_) => 1,
        };
        let text = text_of(node, part, markup, &mut bounds, room);
        bytes += text.len();
        if bytes + 4 > document.limits.text_bytes_max || visits > VISITS_MAX {
            return Err(format!("{selector} finds too much text on this page; point at less"));
        }
        if texts.is_empty() {
            language = language_of(node);
        }
        texts.push(text);
    }
    Ok((texts, language.or_else(|| document.language())))
}

fn found(
    selector: &Selector,
    compiled: &Compiled,
    markup: &Markup<'_>,
    document: &Document<'_>,
) -> Result<Found, Missing> {
    let limits = select::Limits::default();
    let spent = |spent: select::Spent| format!("{selector}: {spent}");
    match compiled {
        Compiled::Css(css) => {
            let part = |node| Part { node, attribute: None };
            let found = css.find(markup, &limits).map_err(spent)?;
            Ok(Found::Places(found.into_iter().map(part).collect()))
        }
        Compiled::XPath(xpath) => {
            xpath.find_ordered(markup, document.order(markup), &limits).map_err(spent)
        }
        _ => Err(wrong_kind(selector, document)),
    }
}

/// What people read at a place: its text; of something without text what it shows or says instead.
fn text_of(
    node: NodeRef<'_, Node>,
    part: Part,
    markup: &Markup<'_>,
    bounds: &mut Bounds,
    bytes_max: usize,
) -> String {
    if let Some(index) = part.attribute {
        let element = node.value().as_element();
        let attribute = element.and_then(|element| element.attrs.get(index as usize));
        return attribute.map_or_else(String::new, |(_, value)| collapse(clip(value, bytes_max)));
    }
    match node.value() {
        Node::Text(text) => collapse(clip(&text.text, bytes_max)),
        Node::Comment(comment) => collapse(clip(comment, bytes_max)),
        Node::Element(element) => {
            let restart = bounds.enter_ancestors(node);
            let text = if markup.is_html {
                html::text(node, bounds, bytes_max)
            } else {
                plain_text(node, bounds, bytes_max)
            };
            bounds.depths = restart;
            if text.is_empty() { collapse(clip(said(element), bytes_max)) } else { text }
        }
        _ => html::text(node, bounds, bytes_max),
    }
}

/// What an element without text says.
fn said(element: &Element) -> &str {
    let attribute = match element.name() {
        "meta" => "content",
        "img" | "area" => "alt",
        "input" | "data" | "meter" | "progress" | "option" => "value",
        "time" => "datetime",
        "link" => "href",
        _ => return "",
    };
    element.attr(attribute).unwrap_or_default()
}

/// All text of an element of XML; elements stand apart.
fn plain_text(node: NodeRef<'_, Node>, bounds: &mut Bounds, bytes_max: usize) -> String {
    let mut text = String::new();
    walk(node, bounds, &mut |inner, _| match inner.value() {
        Node::Text(more) if text.len() < bytes_max => {
            text.push_str(clip(&more.text, bytes_max - text.len()));
        }
        Node::Element(_) => text.push(' '),
        _ => {}
    });
    collapse(&text)
}

/// Shows what counts below a node, and the node; the second argument says whether it is entered.
fn walk(
    root: NodeRef<'_, Node>,
    bounds: &mut Bounds,
    see: &mut dyn FnMut(NodeRef<'_, Node>, bool),
) {
    use ego_tree::iter::Edge;
    let mut hidden = None;
    for edge in root.traverse() {
        match edge {
            Edge::Open(node) if hidden.is_none() => match bounds.enter(node) {
                true if bounds.sees() => see(node, true),
                true => {}
                false => hidden = Some(node.id()),
            },
            Edge::Close(node) if hidden.is_none() => {
                if bounds.sees() && !node.value().is_text() {
                    see(node, false);
                }
                bounds.leave(node);
            }
            Edge::Close(node) if hidden == Some(node.id()) => hidden = None,
            _ => {}
        }
    }
}

/// What scopes leave of a document of XML: a block for each run of text and each attribute.
fn xml((tree, is_cut): &html::Parsed, document: &Document<'_>, bounds: &mut Bounds) -> Extract {
    let mut gather = Gather::new(document.kind(), document.limits);
    if *is_cut {
        gather.leave_out_markup();
    }
    walk(tree.tree.root(), bounds, &mut |node, is_entered| match node.value() {
        Node::Text(text) => gather.push_text(&text.text),
        Node::Element(element) => {
            gather.end_block();
            // Those of a feed say how it is made.
            let shown = is_entered && document.kind() == Kind::Xml;
            for (name, value) in element.attrs.iter().filter(|_| shown) {
                gather.block(&format!("{}: {value}", name.local));
            }
        }
        _ => {}
    });
    gather.finish()
}

/// The elements of this name, in document order.
fn elements<'t>(
    markup: &Markup<'t>,
    name: &'static str,
) -> impl Iterator<Item = (NodeRef<'t, Node>, &'t Element)> {
    let all = markup.tree.nodes().filter_map(|node| Some((node, node.value().as_element()?)));
    all.filter(move |(_, element)| element.name() == name)
}

fn is_named(meta: &Element, name: &str) -> bool {
    let mut attributes = ["name", "property", "itemprop"].iter();
    attributes.any(|which| meta.attr(which).is_some_and(|is| is.trim().eq_ignore_ascii_case(name)))
}

/// The language an element is in, as it or what is around it says.
pub(crate) fn language_of(node: NodeRef<'_, Node>) -> Option<Box<str>> {
    let elements = std::iter::once(node).chain(node.ancestors());
    let mut said = elements.filter_map(|node| {
        let attributes = &node.value().as_element()?.attrs;
        let lang = attributes.iter().find(|(name, _)| &*name.local == "lang")?;
        Some(lang.1.trim().to_owned())
    });
    said.find(|language| !language.is_empty() && language.len() <= 35).map(Into::into)
}

/// What scopes leave of a tree.
#[derive(Debug)]
struct Bounds {
    inside: Vec<FxHashSet<NodeId>>,
    outside: FxHashSet<NodeId>,
    /// How many places of each `inside` are around where the walk is.
    depths: Vec<u32>,
}

impl Bounds {
    fn of(
        region: &Region,
        markup: &Markup<'_>,
        document: &Document<'_>,
    ) -> Result<Bounds, Missing> {
        let mut bounds =
            Bounds { inside: Vec::new(), outside: FxHashSet::default(), depths: Vec::new() };
        for (side, selector) in region.scopes() {
            let places = match found(selector, &compiled(selector)?, markup, document)? {
                Found::Places(parts) => parts.into_iter().map(|part| part.node),
                Found::Value(_) => {
                    return Err(format!("{selector} gives a value; point at an element"));
                }
            };
            match side {
                Side::Outside => bounds.outside.extend(places),
                Side::Inside => {
                    let places: FxHashSet<NodeId> = places.collect();
                    if places.is_empty() {
                        return Err(format!("{selector} finds nothing"));
                    }
                    bounds.inside.push(places);
                }
            }
        }
        bounds.depths = vec![0; bounds.inside.len()];
        Ok(bounds)
    }

    /// Whether a node lies within all that bounds it.
    fn holds(&self, node: NodeRef<'_, Node>) -> bool {
        let mut missing: Vec<&FxHashSet<NodeId>> = self.inside.iter().collect();
        for around in std::iter::once(node).chain(node.ancestors()) {
            if self.outside.contains(&around.id()) {
                return false;
            }
            missing.retain(|places| !places.contains(&around.id()));
            if missing.is_empty() && self.outside.is_empty() {
                return true;
            }
        }
        missing.is_empty()
    }

    /// Stands below a node's ancestors; gives the depths that hold outside of it.
    fn enter_ancestors(&mut self, node: NodeRef<'_, Node>) -> Vec<u32> {
        let before = self.depths.clone();
        for around in node.ancestors() {
            self.count(around, 1);
        }
        before
    }

    fn count(&mut self, node: NodeRef<'_, Node>, by: i32) {
        for (places, depth) in self.inside.iter().zip(&mut self.depths) {
            if places.contains(&node.id()) {
                *depth = depth.saturating_add_signed(by);
            }
        }
    }
}

impl Sight for Bounds {
    fn enter(&mut self, node: NodeRef<'_, Node>) -> bool {
        if self.outside.contains(&node.id()) {
            return false;
        }
        self.count(node, 1);
        true
    }

    fn leave(&mut self, node: NodeRef<'_, Node>) {
        self.count(node, -1);
    }

    fn sees(&self) -> bool {
        self.depths.iter().all(|&depth| depth > 0)
    }

    fn is_edge(&self, node: NodeRef<'_, Node>) -> bool {
        self.inside.iter().any(|places| places.contains(&node.id()))
    }
}

/// A JSONPath on a value, with the limits of selectors.
fn json_found<'v>(
    selector: &Selector,
    path: &JsonPath,
    value: &'v Value,
) -> Result<Vec<&'v Value>, Missing> {
    path.find(value, &select::Limits::default()).map_err(|spent| format!("{selector}: {spent}"))
}
