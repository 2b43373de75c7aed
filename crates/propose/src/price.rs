//! The price that a page is about: the one that shops say to search engines, else the one that
//! stands by the main heading.
//!
//! Prices of other things are many on a page of a shop: of related products, of a unit, of the
//! delivery, and the price that was. What says so is told by names, by words beside it and by
//! headings above it. Where several prices are equally likely, the page is a list of things, and
//! has no price of its own.

use crate::find::What;
use ego_tree::NodeRef;
use page::{Hints, Limits, Selector, Tree, View};
use regex::Regex;
use scraper::Node;
use scraper::node::Element;
use std::sync::LazyLock;

/// Characters of a text that a price stands in.
const CHARS_MAX: usize = 80;
/// Elements with a price that are weighed.
const CANDIDATES_MAX: usize = 200;
/// Equal prices under the main heading from which they are a list.
const LIST_MIN: usize = 3;
/// Elements around a price whose names are read.
const AROUND_MAX: usize = 8;

/// A price, and how to find it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// As people read it: `49.90 EUR`.
    pub text: String,
    /// Finds it and nothing else.
    pub selector: Selector,
    /// It counts elements: another one before it would lead it astray.
    pub counts: bool,
}

/// What pages say to machines: a region with the amount, and one with its currency.
const SAID: [(&str, &str); 9] = [
    ("jsonld \"$.offers.price\"", "jsonld \"$.offers.priceCurrency\""),
    ("jsonld \"$.offers[0].price\"", "jsonld \"$.offers[0].priceCurrency\""),
    (
        "jsonld \"$.offers.priceSpecification.price\"",
        "jsonld \"$.offers.priceSpecification.priceCurrency\"",
    ),
    ("jsonld \"$.offers.lowPrice\"", "jsonld \"$.offers.priceCurrency\""),
    ("jsonld \"$.mainEntity.offers.price\"", "jsonld \"$.mainEntity.offers.priceCurrency\""),
    ("meta \"product:price:amount\"", "meta \"product:price:currency\""),
    ("meta \"og:price:amount\"", "meta \"og:price:currency\""),
    ("meta \"price\"", "meta \"priceCurrency\""),
    ("meta \"price\"", "meta \"currency\""),
];

/// The price of what an HTML page is about. `None`: it shows none, or many alike.
///
/// Linear in the page, but for the 60 selectors that [`page::pointed`] tries.
pub fn price(body: &[u8], hints: &Hints<'_>, limits: &Limits) -> Option<Price> {
    let Ok(Some(Tree::Html(html))) = page::tree(body, hints, limits) else { return None };
    said(body, hints, limits).or_else(|| {
        let seen = Seen::of(&html);
        let best = seen.best()?;
        let found = page::pointed(body, hints, limits, best.number).ok()??;
        Some(Price { text: best.text.clone(), selector: found.selector, counts: found.counts })
    })
}

/// The first price that is said once, with its currency where that is said, too.
fn said(body: &[u8], hints: &Hints<'_>, limits: &Limits) -> Option<Price> {
    let view = |region: &str| View::Selected(region.into());
    let views = SAID.iter().flat_map(|(amount, currency)| [view(amount), view(currency)]);
    let all = page::extract(body, hints, limits, views).ok()?;
    let only = |region: &str| {
        let found = all.get(&view(region)).filter(|found| found.missing.is_none())?;
        match &found.blocks[..] {
            [block] => Some(block.text.clone()),
            _ => None,
        }
    };
    let is_code = |code: &String| code.len() == 3 && code.chars().all(char::is_alphabetic);
    SAID.iter().find_map(|(amount, currency)| {
        let number = only(amount).filter(|number| is_amount(number))?;
        let text = match only(currency).filter(is_code) {
            Some(code) => format!("{number} {}", code.to_uppercase()),
            None => number,
        };
        let selector = page::Region::of_text(amount)?.selector?;
        Some(Price { text, selector, counts: false })
    })
}

/// A number as machines write it, and not nothing.
fn is_amount(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        && text.contains(|c: char| matches!(c, '1'..='9'))
}

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a regex that a test compiles")
}

static AMOUNT: LazyLock<Regex> = LazyLock::new(|| compiled(What::Price.pattern()));

/// Names of what holds a price that is not the one: of other things, or of another time.
static OTHER_NAMES: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        "(?i)related|recommend|similar|upsell|cross-?sell|carousel|accessor|sponsored|recent",
        "|also-|bundle|footer|shipping|delivery|versand|mini-?cart|cart-?total|basket|saving",
        "|you-?save|unit-?price|per-?unit|base-?price|grundpreis",
        "|(?:^|[-_ ])(?:old|was|before|strike|striked|crossed|rrp|msrp|uvp|regular|original",
        "|compare|previous)(?:[-_ ]|$)|price-?(?:old|was|before|regular|original|strike)",
        "|(?:old|was|before|original|compare|previous|list)-?price",
    ))
});

/// Words beside such a price.
static OTHER_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i)\b(?:was|before|instead of|statt|uvp|rrp|msrp|list price|avant|you save|save",
        r"|sie sparen|shipping|delivery|versand|livraison|free from|orders over|deposit|pfand)\b",
        r"|/\s?(?:[0-9]*\s?(?:kg|g|mg|l|ml|cl|m|m²|m2|cm|lb|oz|stück|stk|unit|piece))\b",
        r"|\bper (?:kg|g|l|litre|liter|100|unit|piece|metre|meter|oz|lb)\b",
        r"|\b(?:pro|je) (?:kg|g|l|liter|100|stück|meter)\b",
    ))
});

/// Headings above prices of other things.
static OTHER_HEADINGS: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        "(?i)related|similar|recommend|also|you may|more from|accessor|customers|recently",
        "|together|ähnlich|zubehör|auch|kunden",
    ))
});

/// A text with a price.
#[derive(Debug)]
struct Candidate {
    /// The number of its element, in document order.
    number: u32,
    text: String,
    /// Tag and classes: things of a list have the same.
    looks: String,
    /// It stands under the main heading, with no other heading between them.
    is_main: bool,
    /// How likely it is the price that is meant.
    weight: i32,
}

struct Seen {
    candidates: Vec<Candidate>,
    has_heading: bool,
}

type Place<'t> = NodeRef<'t, Node>;

impl Seen {
    fn of(html: &scraper::Html) -> Seen {
        let mut seen = Seen { candidates: Vec::new(), has_heading: false };
        // The level of the heading before, and whether it is about other things.
        let (mut level, mut is_other) = (0u8, false);
        let elements = html.tree.root().descendants().filter(|node| node.value().is_element());
        for (number, node) in (0u32..).zip(elements) {
            let Some(element) = node.value().as_element() else { continue };
            if let Some(found) = heading(element) {
                (level, is_other) = (found, found > 1 && OTHER_HEADINGS.is_match(&text_of(node)));
                seen.has_heading |= found == 1;
            }
            if seen.candidates.len() >= CANDIDATES_MAX || is_hidden(node) {
                continue;
            }
            // Cells of a row have texts of their own: "EUR | 1.08" says no price.
            let is_of_cells =
                matches!(element.name(), "tr" | "tbody" | "table" | "dl" | "body" | "html");
            if let Some(text) = own_price(node).filter(|_| !is_of_cells) {
                let weight = weight(node, element) - if is_other { 100 } else { 0 };
                let looks = format!("{}.{}", element.name(), element.attr("class").unwrap_or(""));
                let is_main = level == 1;
                seen.candidates.push(Candidate { number, text, looks, is_main, weight });
            }
        }
        seen
    }

    /// The likeliest, if others are not as likely as it.
    fn best(&self) -> Option<&Candidate> {
        let likely = || self.candidates.iter().filter(|one| one.weight > -50);
        let has_main = self.has_heading && likely().any(|one| one.is_main);
        let chosen: Vec<&Candidate> = likely().filter(|one| one.is_main || !has_main).collect();
        // The first of the heaviest: the nearest to the heading.
        let best = chosen.iter().rev().max_by_key(|one| one.weight)?;
        let alike = chosen.iter().filter(|one| {
            one.weight == best.weight && one.looks == best.looks && one.text != best.text
        });
        (alike.count() + 1 < LIST_MIN).then_some(*best)
    }
}

fn heading(element: &Element) -> Option<u8> {
    match element.name() {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        _ => None,
    }
}

/// What an element says; more than is of use is cut.
fn text_of(node: Place<'_>) -> String {
    let mut text = String::new();
    for inner in node.descendants() {
        if let Node::Text(piece) = inner.value() {
            text.push_str(&piece.text);
        }
        if text.len() > 8 * CHARS_MAX {
            break;
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The price that an element says, and no element in it, with nothing numeric before it.
fn own_price(node: Place<'_>) -> Option<String> {
    let text = text_of(node);
    if text.is_empty() || text.chars().count() > CHARS_MAX {
        return None;
    }
    let found = AMOUNT.find(&text)?;
    if text[..found.start()].contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let inner = node.children().filter(|child| child.value().is_element());
    if inner.into_iter().any(|child| AMOUNT.is_match(&text_of(child))) {
        return None;
    }
    Some(found.as_str().trim_end_matches(['.', ',', '\'']).to_owned())
}

fn is_hidden(node: Place<'_>) -> bool {
    let hides = |element: &Element| {
        let style = element.attr("style").unwrap_or_default().replace(' ', "");
        matches!(element.name(), "head" | "script" | "style" | "template" | "noscript" | "option")
            || element.attr("hidden").is_some()
            || style.contains("display:none")
    };
    let around = std::iter::once(node).chain(node.ancestors());
    around.filter_map(|one| one.value().as_element()).any(hides)
}

fn weight(node: Place<'_>, element: &Element) -> i32 {
    let mut weight = 0;
    let named = |one: &Element| {
        let names = ["class", "id", "data-testid", "itemprop", "property"];
        let said: Vec<&str> = names.iter().filter_map(|name| one.attr(name)).collect();
        said.join(" ").to_lowercase()
    };
    let around = std::iter::once(node).chain(node.ancestors()).take(AROUND_MAX);
    for (depth, one) in around.filter_map(|one| one.value().as_element()).enumerate() {
        let names = named(one);
        let is_struck = matches!(one.name(), "del" | "s" | "strike")
            || one.attr("style").is_some_and(|style| style.contains("line-through"));
        let is_frame = matches!(one.name(), "nav" | "header" | "footer" | "aside");
        let is_other = !matches!(one.name(), "body" | "html") && OTHER_NAMES.is_match(&names);
        weight -= if is_struck || is_frame || is_other { 100 } else { 0 };
        if depth < 3 && names.contains("price") {
            weight += 10;
        }
        if depth < 3 && ["current", "final", "sale", "now"].iter().any(|name| names.contains(name))
        {
            weight += 10;
        }
    }
    let is_price = |name| element.attr(name).is_some_and(|is| is.eq_ignore_ascii_case("price"));
    weight += if is_price("itemprop") || is_price("property") { 40 } else { 0 };
    let is_large = matches!(element.name(), "h1" | "h2" | "h3" | "strong" | "b" | "big");
    weight += if is_large { 5 } else { 0 };
    // What is said in the same line, where that is short.
    let line = node.parent().map(text_of).filter(|line| line.chars().count() <= CHARS_MAX);
    let own = text_of(node);
    let prices = |text: &str| AMOUNT.find_iter(text).count();
    let beside = line.filter(|line| prices(line) == 1).unwrap_or(own);
    weight - if OTHER_WORDS.is_match(&beside) { 100 } else { 0 }
}

#[cfg(test)]
mod tests;
