//! From an element that somebody points at to a selector that finds it again.
//!
//! A selector is worth as much as it survives. Names that people give come first: ids, `itemprop`,
//! attributes for tests, classes. Then what stands beside: the heading of a table's row, a term and
//! what is said of it. Positions come last, and are said to be ([`Pointed::counts`]). Whatever is
//! proposed was tried: it finds this element of the page, and no other.

mod names;

use crate::tree::Tree;
use crate::{Hints, Limits, ReadError};
use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;
use select::{Compiled, Found, Language, Markup, Selector};

/// Selectors that are tried for one element.
const TRIED_MAX: usize = 60;
/// Elements around it whose names are looked at.
const AROUND_MAX: usize = 12;
/// Names of one of them.
const AROUND_NAMES: usize = 3;
/// How many elements of its name may stand between a heading and the element.
const AFTER_HEADING_MAX: usize = 5;
/// Characters of a heading that names what stands beside it.
const HEADING_CHARS_MAX: usize = 80;

/// An element, and how to find it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointed {
    /// Finds this element of the page and no other.
    pub selector: Selector,
    /// It counts elements: another one before it would lead it astray.
    pub counts: bool,
    /// The element around it, by its number.
    pub around: Option<u32>,
    /// The row of a table that it stands in, by its number.
    pub row: Option<u32>,
}

/// How to find the element with this number, in document order from 0, as [`crate::shown`] counts.
/// `None`: there is no such element, the body is not HTML, or nothing finds it alone.
///
/// Tries at most 60 selectors, each linear in the page.
///
/// # Errors
/// The body cannot be read, as in [`crate::read`].
pub fn pointed(
    body: &[u8],
    hints: &Hints<'_>,
    limits: &Limits,
    number: u32,
) -> Result<Option<Pointed>, ReadError> {
    let Some(Tree::Html(html)) = crate::tree(body, hints, limits)? else { return Ok(None) };
    let page = Page { markup: Markup { tree: &html.tree, is_html: true } };
    Ok(page.element(number).and_then(|node| page.pointed(node)))
}

type Place<'t> = NodeRef<'t, Node>;

struct Page<'t> {
    markup: Markup<'t>,
}

/// A selector that may find the element.
struct Way {
    selector: Selector,
    counts: bool,
}

impl Way {
    fn css(text: String) -> Way {
        Way { selector: Selector { language: Language::Css, text: text.into() }, counts: false }
    }

    fn xpath(text: String) -> Way {
        Way { selector: Selector { language: Language::XPath, text: text.into() }, counts: false }
    }

    fn counting(self) -> Way {
        Way { counts: true, ..self }
    }
}

impl<'t> Page<'t> {
    fn elements(&self) -> impl Iterator<Item = Place<'t>> + use<'t> {
        self.markup.tree.root().descendants().filter(|node| node.value().is_element())
    }

    fn element(&self, number: u32) -> Option<Place<'t>> {
        self.elements().nth(number as usize)
    }

    fn number(&self, node: Place<'_>) -> Option<u32> {
        self.elements().position(|one| one.id() == node.id()).map(|at| at as u32)
    }

    fn pointed(&self, node: Place<'t>) -> Option<Pointed> {
        if matches!(name(node), "html" | "head") {
            return None;
        }
        let ways = self.ways(node);
        let way = ways.into_iter().take(TRIED_MAX).find(|way| self.finds_only(way, node))?;
        let around = parent(node).filter(|around| !matches!(name(*around), "html" | "body"));
        let row = node.ancestors().find(|one| name(*one) == "tr");
        Some(Pointed {
            selector: way.selector,
            counts: way.counts,
            around: around.and_then(|around| self.number(around)),
            row: row.and_then(|row| self.number(row)),
        })
    }

    fn finds_only(&self, way: &Way, node: Place<'t>) -> bool {
        let limits = select::Limits::default();
        match way.selector.compile(&limits) {
            Ok(Compiled::Css(css)) => {
                css.find(&self.markup, &limits).is_ok_and(|found| found == [node.id()])
            }
            Ok(Compiled::XPath(xpath)) => match xpath.find(&self.markup, &limits) {
                Ok(Found::Places(parts)) => matches!(
                    &parts[..], [part] if part.node == node.id() && part.attribute.is_none()),
                _ => false,
            },
            _ => false,
        }
    }

    /// The sturdiest first.
    fn ways(&self, node: Place<'t>) -> Vec<Way> {
        let own = element(node).map(names::of).unwrap_or_default();
        let mut ways: Vec<Way> = own.iter().cloned().map(Way::css).collect();
        ways.extend(in_row(node));
        ways.extend(of_term(node));
        let around: Vec<(Place<'t>, Vec<String>)> = ancestors(node)
            .take(AROUND_MAX)
            .map(|one| (one, element(one).map(names::of).unwrap_or_default()))
            .collect();
        for name in own.iter().take(AROUND_NAMES) {
            let outer = around.iter().flat_map(|(_, names)| names.iter().take(AROUND_NAMES));
            ways.extend(outer.map(|outer| Way::css(format!("{outer} {name}"))));
        }
        ways.truncate(TRIED_MAX / 2);
        let numbered = element(node).and_then(names::numbered_id);
        ways.extend(numbered.map(Way::css));
        let mut counted = Vec::new();
        for (at, outer) in &around {
            for outer in outer.iter().take(AROUND_NAMES) {
                counted.extend(path(node, *at).map(|path| format!("{outer} > {path}")));
            }
        }
        let tag = Some(name(node)).filter(|tag| names::is_ident(tag));
        for outer in around.iter().take(2).filter_map(|(_, names)| names.first()) {
            ways.extend(tag.map(|tag| Way::css(format!("{outer} {tag}")).counting()));
        }
        ways.extend(self.after_heading(node).map(Way::counting));
        counted.truncate(TRIED_MAX / 4);
        counted.extend(whole_path(node));
        ways.extend(counted.into_iter().map(|path| Way::css(path).counting()));
        ways
    }

    /// The n-th element of its name after the heading before it.
    fn after_heading(&self, node: Place<'t>) -> Option<Way> {
        let tag = Some(name(node)).filter(|tag| names::is_ident(tag))?;
        let is_heading =
            |one: Place<'t>| matches!(name(one), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        let mut heading: Option<(Place<'t>, usize)> = None;
        for one in self.elements() {
            if is_heading(one) && !node.ancestors().any(|above| above.id() == one.id()) {
                if one.id() == node.id() {
                    return None;
                }
                heading = Some((one, 0));
                continue;
            }
            if let Some((above, count)) = &mut heading
                && name(one) == tag
                && !one.ancestors().any(|up| up.id() == above.id())
            {
                *count += 1;
            }
            if one.id() == node.id() {
                break;
            }
        }
        let (heading, count) =
            heading.filter(|(_, count)| (1..=AFTER_HEADING_MAX).contains(count))?;
        let said = quoted(&said(heading)?)?;
        let level = name(heading);
        Some(Way::xpath(format!("//{level}[normalize-space(.)={said}]/following::{tag}[{count}]")))
    }
}

fn element<'t>(node: Place<'t>) -> Option<&'t Element> {
    node.value().as_element()
}

fn name<'t>(node: Place<'t>) -> &'t str {
    element(node).map_or("", Element::name)
}

fn parent(node: Place<'_>) -> Option<Place<'_>> {
    node.parent().filter(|parent| parent.value().is_element())
}

/// Elements around it, the nearest first, the document's own excepted.
fn ancestors<'t>(node: Place<'t>) -> impl Iterator<Item = Place<'t>> {
    let all = node.ancestors().filter(|one| one.value().is_element());
    all.take_while(|one| !matches!(name(*one), "html" | "body"))
}

/// A row by what stands first in it, or a cell of such a row.
fn in_row(node: Place<'_>) -> Vec<Way> {
    let row = match name(node) {
        "tr" => Some(node),
        "td" | "th" => parent(node).filter(|row| name(*row) == "tr"),
        _ => None,
    };
    let Some(row) = row else { return Vec::new() };
    let mut cells = row.children().filter(|cell| cell.value().is_element());
    let Some(first) = cells.next().filter(|first| first.id() != node.id()) else {
        return Vec::new();
    };
    let Some(heading) = said(first).and_then(|said| quoted(&said)) else { return Vec::new() };
    let at = cells.position(|cell| cell.id() == node.id());
    let step = at.map_or(String::new(), |at| format!("/*[{}]", at + 2));
    let found = format!("//tr[normalize-space(*[1])={heading}]{step}");
    let ids = ancestors(row).filter_map(|one| element(one)?.attr("id"));
    let ids = ids.filter(|id| names::is_ident(id) && !names::is_made(id));
    let bounded = ids.take(2).map(|id| Way::xpath(format!("//*[@id=\"{id}\"]{found}")));
    std::iter::once(Way::xpath(found.clone())).chain(bounded).collect()
}

/// What is said of a term, in a list of such.
fn of_term(node: Place<'_>) -> Option<Way> {
    if name(node) != "dd" {
        return None;
    }
    let mut before = node.prev_siblings().filter(|one| one.value().is_element());
    let term = before.next().filter(|term| name(*term) == "dt")?;
    let term = quoted(&said(term)?)?;
    Some(Way::xpath(format!("//dt[normalize-space(.)={term}]/following-sibling::dd[1]")))
}

/// The steps from an element around it, each counted.
fn path(node: Place<'_>, from: Place<'_>) -> Option<String> {
    let mut steps = Vec::new();
    let mut at = node;
    while at.id() != from.id() {
        steps.push(step(at)?);
        at = parent(at)?;
    }
    steps.reverse();
    Some(steps.join(" > "))
}

fn whole_path(node: Place<'_>) -> Option<String> {
    let root = node.ancestors().find(|one| name(*one) == "html")?;
    Some(format!("html > {}", path(node, root)?))
}

fn step(node: Place<'_>) -> Option<String> {
    let tag = Some(name(node)).filter(|tag| names::is_ident(tag))?;
    if matches!(tag, "body" | "main") {
        return Some(tag.to_owned());
    }
    let before = node.prev_siblings().filter(|one| name(*one) == tag).count();
    Some(format!("{tag}:nth-of-type({})", before + 1))
}

/// What an element says, as XPath reads it, if that can name what stands beside it.
fn said(node: Place<'_>) -> Option<String> {
    let mut text = String::new();
    for inner in node.descendants() {
        if let Node::Text(piece) = inner.value() {
            text.push_str(&piece.text);
        }
        if text.len() > 16 * HEADING_CHARS_MAX {
            return None;
        }
    }
    let words = text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
    let text = words.collect::<Vec<_>>().join(" ");
    let fits = |c: char| c == ' ' || c.is_alphanumeric() || c.is_ascii_punctuation();
    let is_name = text.chars().any(char::is_alphabetic)
        && text.chars().count() <= HEADING_CHARS_MAX
        && text.chars().all(fits);
    is_name.then_some(text)
}

/// As a text of XPath, which has no way to escape.
fn quoted(text: &str) -> Option<String> {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => Some(format!("'{text}'")),
        (true, false) => Some(format!("\"{text}\"")),
        (true, true) => None,
    }
}

#[cfg(test)]
mod tests;
