//! What the page's own `<style>` hides: elements that a simple selector (`.menu`, `#old`,
//! `div.panel.closed`) gives `display: none` or `visibility: hidden`.
//!
//! Rules inside `@media` and the like or inside another rule, and selectors of more than one
//! element or with a state, hide nothing. What one of them may show is not hidden. A page with
//! more style than is read hides nothing.

use super::blocks::attr;
use ego_tree::NodeRef;
use html5ever::local_name;
use scraper::node::Element;
use scraper::{Html, Node};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of style that are read, selectors that are kept, and how deep rules are nested.
const BYTES_MAX: usize = 512 << 10;
const SELECTORS_MAX: usize = 4_000;
const NESTING_MAX: usize = 8;
/// Classes of an element that are looked up, and rules that are tried for each.
const CLASSES_MAX: usize = 20;
const RULES_MAX: usize = 20;
/// Words of a remark on where a link opens.
const OPENS: [&str; 9] =
    ["window", "tab", "external", "fenster", "onglet", "fenêtre", "ventana", "finestra", "venster"];
/// What libraries of styles call text that is read aloud and not shown.
const ALOUD: [&str; 3] = ["sronly", "visuallyhidden", "screenreader"];

/// A selector of one element, and what becomes of it.
struct Rule {
    tag: String,
    id: Option<String>,
    classes: Vec<String>,
    hides: bool,
}

/// Rules by a class (`.menu`) or an id (`#old`) that their elements have, in order.
#[derive(Default)]
pub(super) struct Sheet {
    rules: BTreeMap<String, Vec<Rule>>,
    /// Classes and ids of elements that something else may show.
    shown: BTreeSet<String>,
    selectors: usize,
}

impl Sheet {
    pub(super) fn of(html: &Html) -> Sheet {
        let mut sheet = Sheet::default();
        let mut bytes_left = BYTES_MAX;
        let styles = html.tree.root().descendants().filter(|node| {
            node.value().as_element().is_some_and(|element| {
                element.name.local == local_name!("style") && attr(element, "media").is_none()
            })
        });
        for style in styles {
            for text in style.children().filter_map(|child| child.value().as_text()) {
                let Some(left) = bytes_left.checked_sub(text.text.len()) else {
                    return Sheet::default();
                };
                bytes_left = left;
                sheet.read(&without_comments(&text.text), false);
                if sheet.selectors > SELECTORS_MAX {
                    return Sheet::default();
                }
            }
        }
        let shown = std::mem::take(&mut sheet.shown);
        sheet.rules.retain(|name, _| !shown.contains(name));
        sheet
    }

    /// Reads rules; inside of an at-rule they hide nothing.
    fn read(&mut self, text: &str, is_inside: bool) {
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (head, inside, after) = block(rest, open);
            rest = after;
            let head = head.rsplit(';').next().unwrap_or(head).trim();
            if head.starts_with('@') {
                if !is_inside && inside.contains('{') {
                    self.read(inside, true);
                }
                continue;
            }
            let mut around = vec![head];
            let own = self.nested(&mut around, inside);
            let Some(hides) = hides(&own) else { continue };
            for selector in head.split(',') {
                self.selectors += 1;
                if self.selectors > SELECTORS_MAX {
                    return;
                }
                self.add(selector.trim(), hides, is_inside);
            }
        }
    }

    /// The declarations of a rule without the rules in it, of which each may show its elements and
    /// those of the rules around it.
    fn nested<'t>(&mut self, around: &mut Vec<&'t str>, inside: &'t str) -> String {
        let (mut own, mut rest) = (String::new(), inside);
        while let Some(open) = rest.find('{') {
            let (before, inner, after) = block(rest, open);
            let (declared, head) = before.rsplit_once(';').unwrap_or(("", before));
            own.push_str(declared);
            own.push(';');
            rest = after;
            if around.len() > NESTING_MAX {
                // Whatever it is, it may show all that it is in.
                self.may_show(around);
                continue;
            }
            around.push(head);
            let declared = self.nested(around, inner);
            if hides(&declared) == Some(false) {
                self.may_show(around);
            }
            around.pop();
        }
        own.push_str(rest);
        own
    }

    fn may_show(&mut self, heads: &[&str]) {
        for selector in heads.iter().flat_map(|head| head.split(',')) {
            self.selectors += 1;
            if self.selectors <= SELECTORS_MAX {
                self.add(selector.trim(), false, true);
            }
        }
    }

    fn add(&mut self, selector: &str, hides: bool, is_inside: bool) {
        let last = selector.rsplit([' ', '>', '+', '~']).next().unwrap_or(selector);
        let is_simple = last.len() == selector.len() && !selector.contains([':', '[', '*']);
        let rule = rule(last, hides);
        let names = rule.classes.iter().map(|class| format!(".{class}"));
        let mut names = names.chain(rule.id.iter().map(|id| format!("#{id}")));
        if !is_inside && is_simple {
            if let Some(name) = names.next() {
                drop(names);
                self.rules.entry(name).or_default().push(rule);
            }
        } else if !hides {
            self.shown.extend(names);
        }
    }

    /// Whether an element is hidden: the rule of most names counts, of several the last.
    pub(super) fn hides(&self, node: NodeRef<'_, Node>) -> bool {
        let Some(element) = node.value().as_element().filter(|_| !self.rules.is_empty()) else {
            return false;
        };
        let id = attr(element, "id").map(|id| format!("#{id}"));
        let classes = element.classes().take(CLASSES_MAX).map(|class| format!(".{class}"));
        let found = classes.chain(id).filter_map(|name| self.rules.get(&name)).flat_map(|rules| {
            rules.iter().rev().take(RULES_MAX).filter(|rule| rule.is_of(element))
        });
        let stronger = |best: &'_ Rule, rule: &'_ Rule| rule.strength() > best.strength();
        let strongest = found.reduce(|best, rule| if stronger(best, rule) { rule } else { best });
        strongest.is_some_and(|rule| rule.hides)
    }
}

/// Whether nobody sees this remark but who has a page read aloud: "(opens in a new window)". Other
/// text for them is kept: it may stand for what a picture shows, such as "in stock".
pub(super) fn is_remark_read_aloud(node: NodeRef<'_, Node>) -> bool {
    let Some(element) = node.value().as_element() else { return false };
    let only = node.first_child().filter(|child| child.next_sibling().is_none());
    let text = only.and_then(|child| child.value().as_text());
    let is_aside = text.map(|text| text.text.trim()).is_some_and(|text| {
        let lower = text.to_lowercase();
        text.starts_with('(')
            && text.ends_with(')')
            && OPENS.iter().any(|word| lower.contains(word))
    });
    is_aside
        && element.classes().take(CLASSES_MAX).any(|class| {
            let letters = class.chars().filter(char::is_ascii_alphabetic);
            let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
            ALOUD.iter().any(|aloud| name.contains(aloud))
        })
}

impl Rule {
    fn strength(&self) -> (bool, usize, bool) {
        (self.id.is_some(), self.classes.len(), !self.tag.is_empty())
    }

    fn is_of(&self, element: &Element) -> bool {
        (self.tag.is_empty() || self.tag.eq_ignore_ascii_case(element.name()))
            && self.id.as_deref().is_none_or(|id| attr(element, "id") == Some(id))
            && self.classes.iter().all(|class| element.classes().any(|one| one == class))
    }
}

/// A selector of one element; what follows `:` or `[` in it is left out.
fn rule(selector: &str, hides: bool) -> Rule {
    let plain = selector.split([':', '[']).next().unwrap_or_default();
    let mut rule = Rule { tag: String::new(), id: None, classes: Vec::new(), hides };
    let mut from = 0;
    let ends = plain.match_indices(['.', '#']).map(|(at, _)| at).chain([plain.len()]);
    for end in ends {
        let name = &plain[from..end];
        match name.as_bytes().first() {
            Some(b'.') => rule.classes.push(name[1..].to_owned()),
            Some(b'#') => rule.id = Some(name[1..].to_owned()),
            _ => rule.tag = name.to_owned(),
        }
        from = end;
    }
    rule
}

/// Splits a text at the block that opens at `open`: what stands before it, in it, and after it.
fn block(text: &str, open: usize) -> (&str, &str, &str) {
    let mut depth = 0u32;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return (&text[..open], &text[open + 1..at], &text[at + 1..]);
        }
    }
    (&text[..open], &text[open + 1..], "")
}

/// Whether declarations hide an element or show it; `None`: neither. The last declaration of a
/// property counts.
fn hides(declarations: &str) -> Option<bool> {
    let (mut display, mut visibility) = (None, None);
    for declaration in declarations.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.trim().trim_end_matches("!important").trim_end().to_ascii_lowercase();
        match property.trim().to_ascii_lowercase().as_str() {
            "display" => display = Some(value == "none"),
            "visibility" => visibility = Some(matches!(&*value, "hidden" | "collapse")),
            _ => {}
        }
    }
    [display, visibility].into_iter().flatten().reduce(|one, other| one || other)
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use crate::{Hints, Limits, read};

    fn seen(style: &str, body: &str) -> Vec<String> {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let page = format!("<style>{style}</style><body>{body}");
        let extract = read(page.as_bytes(), &hints, &Limits::default()).expect("it is a page");
        extract.blocks.into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn what_a_page_hides_by_class_or_id_is_not_seen() {
        let body = "<p class='a b'>one<p id=two>two<div class=c>three</div>";
        assert_eq!(seen("", body), ["one", "two", "three"]);
        assert_eq!(seen("/* .c{} */ .a { display: none }", body), ["two", "three"]);
        assert_eq!(seen("#two, div.c { visibility:hidden !important; }", body), ["one"]);
        assert_eq!(seen("p.c { display:none }", body), ["one", "two", "three"]);
        assert_eq!(seen("@media print { .a, .c { display:none } }", body), ["one", "two", "three"]);
        assert_eq!(seen(".a:not(.x) { display:none } x .c { display: none }", body).len(), 3);
    }

    #[test]
    fn what_another_rule_shows_is_seen() {
        let body = "<p class='a b'>one<p class=a>two";
        assert_eq!(seen(".a{display:none} .a.b{display:block}", body), ["one"]);
        assert_eq!(seen(".a{display:none} .a{display:block}", body), ["one", "two"]);
        assert_eq!(seen(".a{display:none;display:flex}", body), ["one", "two"]);
        assert_eq!(
            seen(".a{display:none} @media (min-width:9px){.a{display:block}}", body),
            ["one", "two"]
        );
        assert_eq!(seen(".a{display:none} .x:hover .a{display:block}", body), ["one", "two"]);
    }

    #[test]
    fn a_rule_within_a_rule_hides_nothing_and_may_show_both() {
        let body = "<div class=card>one<p class=note>two</div>";
        let both = ["one", "two"];
        assert_eq!(seen(".card { .note { color: red; display: none; } }", body), both);
        assert_eq!(seen(".card { color: red; &.shut { color: red; display: none } }", body), both);
        assert_eq!(seen(".card { @media print { a: b; display: none } }", body), both);
        assert_eq!(seen(".card { display: none; .note { color: red } }", body), [""; 0]);
        assert_eq!(seen(".note { display: none } .card { .note { display: block } }", body), both);
        assert_eq!(seen(".note { display: none; &:hover { display: block } }", body), both);
        assert_eq!(seen(".note { color: red; display: none; .x { top: 0 } }", body), ["one"]);
        let deep =
            format!(".note{{display:none;{}display:block{}", "a{".repeat(30), "}".repeat(31));
        assert_eq!(seen(&deep, body), both);
    }

    #[test]
    fn a_page_with_more_style_than_is_read_hides_nothing() {
        let body = "<p class=a>one<p class=b>two";
        let fonts = "x".repeat(super::BYTES_MAX);
        let page = format!("<style>.a{{display:none}}</style><style>{fonts}</style>{body}");
        assert_eq!(seen("", &page), ["one", "two"]);
        let many = ".c{top:0;display:none}".repeat(super::SELECTORS_MAX);
        assert_eq!(seen(&format!(".a{{display:none}} {many}"), body), ["one", "two"]);
    }
}
