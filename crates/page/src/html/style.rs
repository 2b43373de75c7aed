//! What a page's own style hides: its `<style>`, its `style` attributes and `hidden`.
//!
//! Rules are weighed as browsers do: `!important` before others, `style` before `<style>`, then by
//! the selector, and of equals the last counts. Where a rule is not understood, or it is doubtful
//! whether it applies, it hides nothing and shows what it may show of what other rules hide. The
//! same holds of a rule within a rule. A page with more style than is read hides nothing by it.

mod cascade;
mod media;
mod selector;
#[cfg(test)]
mod tests;

use super::blocks::attr;
use cascade::{Best, Declared, Effect, Level, Said, Weight};
use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use html5ever::{local_name, ns};
use scraper::node::Element;
use scraper::{Html, Node};
use selector::{Invalid, Selector};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Bytes of style that are read, selectors that are kept, and how deep rules are nested.
const BYTES_MAX: usize = 512 << 10;
const SELECTORS_MAX: usize = 4_000;
const NESTING_MAX: usize = 8;
/// Classes of an element that are looked up; one with more is hidden by no rule.
const CLASSES_MAX: usize = 32;
/// Rules that are tried on the elements of a page; what comes after is hidden by none.
const STEPS_MAX: u32 = 5_000_000;
/// Words of a remark on where a link opens.
const OPENS: [&str; 9] =
    ["window", "tab", "external", "fenster", "onglet", "fenêtre", "ventana", "finestra", "venster"];
/// What libraries of styles call text that is read aloud and not shown.
const ALOUD: [&str; 3] = ["sronly", "visuallyhidden", "screenreader"];

/// Goes through a page and knows what its style shows.
pub(super) struct Eye {
    sheet: Sheet,
    /// Open elements that are seen or not, other than what they stand in.
    changes: Vec<(NodeId, bool)>,
}

impl Eye {
    pub(super) fn of(html: &Html) -> Eye {
        Eye { sheet: Sheet::of(html), changes: Vec::new() }
    }

    /// False: neither the node nor anything in it is seen.
    pub(super) fn enter(&mut self, node: NodeRef<'_, Node>) -> bool {
        let Some(element) = node.value().as_element() else { return true };
        let (display, visibility) = self.sheet.effects(node, element);
        let sees = match visibility {
            Some(Effect::Hides) => false,
            Some(Effect::Shows) => true,
            Some(Effect::Inherits) | None => self.sees(),
        };
        if sees != self.sees() {
            self.changes.push((node.id(), sees));
        }
        display != Some(Effect::Hides)
    }

    pub(super) fn leave(&mut self, node: NodeRef<'_, Node>) {
        self.changes.pop_if(|(id, _)| *id == node.id());
    }

    /// Whether what stands here is seen; what stands in it may be.
    pub(super) fn sees(&self) -> bool {
        self.changes.last().is_none_or(|(_, sees)| *sees)
    }
}

/// What one selector says.
struct Rule {
    selector: Selector,
    /// It surely applies to its elements.
    is_sure: bool,
    display: Option<(Effect, Weight)>,
    visibility: Option<(Effect, Weight)>,
}

/// Where a rule stands.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// It is not known whether the rule applies.
    is_doubtful: bool,
    /// The number of its layer.
    layer: Option<u32>,
    depth: usize,
    /// In another rule: what that says of its elements makes it stronger.
    is_nested: bool,
}

impl Place {
    fn doubtful(self) -> Place {
        Place { is_doubtful: true, ..self }
    }
}

/// Rules by an id, else a class, else the name that their elements have.
#[derive(Default)]
struct Sheet {
    ids: BTreeMap<String, Vec<Rule>>,
    classes: BTreeMap<String, Vec<Rule>>,
    tags: BTreeMap<String, Vec<Rule>>,
    others: Vec<Rule>,
    layers: Vec<String>,
    selectors: usize,
    /// Some rule hides something.
    hides: bool,
    steps_left: Cell<u32>,
}

impl Sheet {
    fn of(html: &Html) -> Sheet {
        let mut sheet = Sheet { steps_left: Cell::new(STEPS_MAX), ..Sheet::default() };
        let (mut bytes_left, mut templates) = (BYTES_MAX, 0_u32);
        for edge in html.tree.root().traverse() {
            let (node, is_open) = match edge {
                Edge::Open(node) => (node, true),
                Edge::Close(node) => (node, false),
            };
            let Some(element) = node.value().as_element() else { continue };
            if element.name.local == local_name!("template") {
                templates = if is_open { templates + 1 } else { templates - 1 };
            }
            if !is_open || templates > 0 || element.name.local != local_name!("style") {
                continue;
            }
            let Some(place) = place(element) else { continue };
            for text in node.children().filter_map(|child| child.value().as_text()) {
                let Some(left) = bytes_left.checked_sub(text.text.len()) else {
                    return Sheet::default();
                };
                bytes_left = left;
                sheet.read(&without_comments(&text.text), place);
                if sheet.is_too_long() {
                    return Sheet::default();
                }
            }
        }
        sheet
    }

    fn is_too_long(&self) -> bool {
        self.selectors > SELECTORS_MAX
    }

    fn read(&mut self, text: &str, place: Place) {
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (before, inside, after) = block(rest, open);
            rest = after;
            let (statements, head) = before.rsplit_once(';').unwrap_or(("", before));
            self.order_layers(statements);
            match head.trim().strip_prefix('@') {
                Some(head) => self.read_at(head, inside, place),
                None => {
                    let own = self.nested(&mut vec![head], inside, place);
                    self.add(head, Said::of(&own), place);
                }
            }
            if self.is_too_long() {
                return;
            }
        }
        self.order_layers(rest);
    }

    /// Reads what stands in an at-rule.
    fn read_at(&mut self, head: &str, inside: &str, place: Place) {
        let end = head.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        let (name, said) = head.split_at(end.unwrap_or(head.len()));
        let said = said.trim();
        let place = match &*name.to_ascii_lowercase() {
            "media" => match media::applies(said) {
                Some(true) => place,
                Some(false) => return,
                None => place.doubtful(),
            },
            // What is asked in the negative, or of one browser.
            "supports" if ["not", "(-", ":-", "selector("].iter().any(|it| said.contains(it)) => {
                place.doubtful()
            }
            "supports" => place,
            "layer" if place.layer.is_none() && !said.contains('.') => {
                Place { layer: Some(self.layer(said)), ..place }
            }
            "layer" => Place { layer: Some(u32::MAX), ..place.doubtful() },
            "font-face" | "page" | "property" | "counter-style" => return,
            name if name.ends_with("keyframes") => return,
            _ => place.doubtful(),
        };
        if place.depth >= NESTING_MAX {
            // Whatever it is, it may show all there is.
            self.selectors = SELECTORS_MAX + 1;
            return;
        }
        self.read(inside, Place { depth: place.depth + 1, ..place });
    }

    /// Layers count in the order in which they are named first; one without a name is new.
    fn layer(&mut self, name: &str) -> u32 {
        let known = self.layers.iter().position(|known| known == name && !name.is_empty());
        let at = known.unwrap_or_else(|| {
            self.selectors += 1;
            self.layers.push(name.to_owned());
            self.layers.len() - 1
        });
        at as u32
    }

    fn order_layers(&mut self, statements: &str) {
        let named = |one: &'_ str| one.trim().strip_prefix("@layer ").map(str::to_owned);
        for names in statements.split(';').filter_map(named) {
            for name in names.split(',').take(SELECTORS_MAX) {
                self.layer(name.trim());
                if self.is_too_long() {
                    return;
                }
            }
        }
    }

    /// The declarations of a rule without the rules in it, of which each may show its elements and
    /// those of the rules around it.
    fn nested<'t>(&mut self, around: &mut Vec<&'t str>, inside: &'t str, place: Place) -> String {
        let (mut own, mut rest) = (String::new(), inside);
        while let Some(open) = rest.find('{') {
            let (before, inner, after) = block(rest, open);
            let (declared, head) = before.rsplit_once(';').unwrap_or(("", before));
            own.push_str(declared);
            own.push(';');
            rest = after;
            let media = head.trim().strip_prefix("@media");
            if media.is_some_and(|said| media::applies(said) == Some(false)) {
                continue;
            }
            if around.len() > NESTING_MAX || self.is_too_long() {
                // Whatever it is, it may show all that it is in.
                self.may_show(around, Said::of("all: initial"), place);
                continue;
            }
            around.push(head);
            let declared = self.nested(around, inner, place);
            self.may_show(around, Said::of(&declared).shows(), place);
            around.pop();
        }
        own.push_str(rest);
        own
    }

    fn may_show(&mut self, heads: &[&str], said: Said, place: Place) {
        for head in heads.iter().filter(|head| !head.trim().starts_with('@')) {
            let head = head.trim_start_matches(|c: char| c.is_whitespace() || ">+~&".contains(c));
            // What follows `&` there is said of what stands around.
            if !head.is_empty() && !head.starts_with(':') {
                self.add(head, said, Place { is_nested: true, ..place.doubtful() });
            }
        }
    }

    fn add(&mut self, head: &str, said: Said, mut place: Place) {
        if said.is_nothing() {
            return;
        }
        // A selector that no browser, or one browser alone, knows makes a rule void.
        place.is_doubtful |= head.contains(":-m");
        let mut selectors = Vec::new();
        for text in selector::list(head) {
            self.selectors += 1;
            if self.is_too_long() {
                return;
            }
            match Selector::read(text) {
                Ok(selector) => selectors.extend(selector),
                Err(Invalid) => place.is_doubtful = true,
            }
        }
        for selector in selectors {
            let is_sure = !place.is_doubtful && !selector.is_doubtful;
            let may_hide = is_sure && !selector.is_without_scripts();
            let said = if may_hide { said } else { said.shows() };
            if said.is_nothing() {
                continue;
            }
            self.hides |= said.hides();
            let weighed = |declared: Declared| {
                let level = Level::of_rule(declared, place.layer.is_some());
                let layer = place.layer.unwrap_or_default();
                let most = (u32::MAX, 0, 0);
                let strength = if place.is_nested { most } else { selector.strength };
                (declared.0, (level, layer, strength, self.selectors))
            };
            let (display, visibility) = (said.display.map(weighed), said.visibility.map(weighed));
            let last = &selector.last;
            let rules = match (last.ids.first(), last.classes.first(), &*last.tag) {
                (Some(id), _, _) => self.ids.entry(id.clone()).or_default(),
                (_, Some(class), _) => self.classes.entry(class.clone()).or_default(),
                (_, _, "") => &mut self.others,
                (_, _, tag) => self.tags.entry(tag.to_owned()).or_default(),
            };
            rules.push(Rule { selector, is_sure, display, visibility });
        }
    }

    /// What is said of an element's display, and of its visibility.
    fn effects(
        &self,
        node: NodeRef<'_, Node>,
        element: &Element,
    ) -> (Option<Effect>, Option<Effect>) {
        let (mut display, mut visibility) = own(element);
        let hides = |best: Best| best.effect() == Some(Effect::Hides);
        if self.hides || hides(display) || hides(visibility) {
            let (mut by_rules, mut seen_by_rules) = (display, visibility);
            if self.weigh(node, element, &mut by_rules, &mut seen_by_rules).is_some() {
                (display, visibility) = (by_rules, seen_by_rules);
            }
        }
        (display.effect(), visibility.effect())
    }

    /// Weighs the rules of an element; `None`: there are too many.
    fn weigh(
        &self,
        node: NodeRef<'_, Node>,
        element: &Element,
        display: &mut Best,
        visibility: &mut Best,
    ) -> Option<()> {
        // Not all of its rules would be found.
        if element.classes().nth(CLASSES_MAX).is_some() {
            return None;
        }
        let name = element.name();
        let by_id = attr(element, "id").and_then(|id| self.ids.get(id));
        let by_class = element.classes().take(CLASSES_MAX).filter_map(|one| self.classes.get(one));
        let has_capitals = name.bytes().any(|byte| byte.is_ascii_uppercase());
        let lower = has_capitals.then(|| name.to_ascii_lowercase());
        let by_tag = self.tags.get(lower.as_deref().unwrap_or(name));
        // Scripts show what a style hides until they run.
        let is_whole = matches!(name, "html" | "body");
        let found = by_class.chain(by_id).chain(by_tag).chain([&self.others]).flatten();
        for rule in found {
            self.steps_left.set(self.steps_left.get().checked_sub(1)?);
            if !rule.selector.last.is_of(element) {
                continue;
            }
            let stands = rule.selector.stands(node, &self.steps_left);
            for (best, said) in [(&mut *display, rule.display), (&mut *visibility, rule.visibility)]
            {
                match said {
                    Some((Effect::Hides, weight)) if stands && !is_whole => best.hide(weight),
                    Some((Effect::Hides, _)) | None => {}
                    Some((effect, weight)) => best.show(weight, effect, rule.is_sure && stands),
                }
            }
        }
        (element.classes().nth(CLASSES_MAX).is_none() && self.steps_left.get() > 0).then_some(())
    }
}

/// What an element says itself of its display, and of its visibility.
fn own(element: &Element) -> (Best, Best) {
    let (mut display, mut visibility) = (Best::default(), Best::default());
    // A closed list shows its choice, whatever that would do in an open one.
    if element.name() == "option" {
        return (display, visibility);
    }
    if attr(element, "hidden").is_some() {
        display.by_default(Level::Browser, Effect::Hides);
    }
    if element.name.ns == ns!(svg) {
        let drawn = Said::drawn(attr(element, "display"), attr(element, "visibility"));
        for (best, said) in [(&mut display, drawn.display), (&mut visibility, drawn.visibility)] {
            if let Some((effect, _)) = said {
                best.by_default(Level::Drawn, effect);
            }
        }
    }
    if let Some(style) = attr(element, "style") {
        let said = Said::of(style);
        display.own(said.display);
        visibility.own(said.visibility);
    }
    (display, visibility)
}

/// Whether an element says itself that it is not seen.
pub(super) fn hides_itself(element: &Element) -> bool {
    let (display, visibility) = own(element);
    [display, visibility].iter().any(|best| best.effect() == Some(Effect::Hides))
}

/// How the rules of a `<style>` stand; `None`: they are for other media, or no rules.
fn place(style: &Element) -> Option<Place> {
    let kind = attr(style, "type").unwrap_or_default();
    if !kind.is_empty() && !kind.eq_ignore_ascii_case("text/css") {
        return None;
    }
    let place = Place::default();
    match media::applies(attr(style, "media").unwrap_or_default()) {
        Some(true) => Some(place),
        Some(false) => None,
        None => Some(place.doubtful()),
    }
}

/// Longer texts are no names of prices.
const PRICE_BYTES_MAX: usize = 80;

/// What shops say of a price for who has the page read aloud, in lower case: which price it is.
#[rustfmt::skip]
const PRICE_NAMES: [&str; 18] = [
    "current price", "original price", "price", "regular price", "sale price", "unit price",
    "normaler preis", "verkaufspreis", "grundpreis", "prix habituel", "prix promotionnel",
    "prix soldé", "precio habitual", "precio de oferta", "prezzo di listino", "prezzo scontato",
    "normale prijs", "aanbiedingsprijs",
];
/// The same with the price, which stands beside it for who sees the page.
const PRICE_SAID: [&str; 12] = [
    "original price was:",
    "current price is:",
    "ursprünglicher preis war:",
    "aktueller preis ist:",
    "le prix initial était",
    "le prix actuel est",
    "el precio original era:",
    "el precio actual es:",
    "il prezzo originale era:",
    "il prezzo attuale è:",
    "oorspronkelijke prijs was:",
    "huidige prijs is:",
];

/// Whether a text only says aloud what a price beside it is.
fn names_a_price(node: NodeRef<'_, Node>, text: &str) -> bool {
    let text = text.to_lowercase();
    let stands_beside = || {
        let before = node.prev_siblings().find_map(|node| node.value().as_element());
        before.is_some_and(|element| matches!(element.name(), "del" | "ins"))
    };
    PRICE_NAMES.contains(&text.trim_end_matches(':'))
        || (PRICE_SAID.iter().any(|said| text.starts_with(said)) && stands_beside())
}

/// Whether nobody sees this remark but who has a page read aloud: "(opens in a new window)", and
/// which price stands beside it. Other text for them is kept: it may stand for what a picture
/// shows, such as "in stock".
pub(super) fn is_remark_read_aloud(node: NodeRef<'_, Node>) -> bool {
    let Some(element) = node.value().as_element() else { return false };
    let only = node.first_child().filter(|child| child.next_sibling().is_none());
    let text = only.and_then(|child| child.value().as_text());
    let is_aside = text.map(|text| text.text.trim()).is_some_and(|text| {
        let lower = text.to_lowercase();
        text.starts_with('(')
            && text.ends_with(')')
            && OPENS.iter().any(|word| lower.contains(word))
            || text.len() <= PRICE_BYTES_MAX && names_a_price(node, text)
    });
    is_aside
        && element.classes().take(CLASSES_MAX).any(|class| {
            let letters = class.chars().filter(char::is_ascii_alphabetic);
            let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
            ALOUD.iter().any(|aloud| name.contains(aloud))
        })
}

/// Splits a text at the block that opens at `open`: what stands before it, in it, and after it.
/// What stands in quotes opens and closes none.
fn block(text: &str, open: usize) -> (&str, &str, &str) {
    let (mut depth, mut quote, mut is_escaped) = (0u32, None, false);
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            _ if std::mem::take(&mut is_escaped) => continue,
            b'\\' => is_escaped = true,
            b'\n' => quote = None,
            b'"' | b'\'' if quote.is_none() => quote = Some(byte),
            _ if quote.is_some() => {
                quote.take_if(|quote| *quote == byte);
            }
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[..open], &text[open + 1..at], &text[at + 1..]);
        }
    }
    (&text[..open], &text[open + 1..], "")
}

/// A style without comments and the marks around it that hide it from browsers of old.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.replace("<!--", "").replace("-->", "")
}
