//! A page as it was, for people: markup of a few harmless elements, made anew.
//!
//! Nothing of the page's own markup is copied. What stays is its text, its headings, lists and
//! tables. Scripts, styles, forms, frames, addresses and all attributes but a handful are gone; an
//! image is its alternative text. Whoever serves it confines it all the same.

use crate::html::blocks;
use crate::tree::Tree;
use crate::{Hints, Limits, ReadError, View, extract};
use ego_tree::NodeRef;
use ego_tree::iter::Edge;
use scraper::Node;
use scraper::node::Element;
use std::collections::BTreeSet;

/// Bytes of markup; what comes after is left out, and said to be.
const SHOWN_BYTES_MAX: usize = 4 << 20;

/// What is added to a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paint<'p> {
    /// Each piece of text leads to this address and the number of the element it stands in.
    pub leads_to: Option<&'p str>,
    /// Numbers of elements that are marked.
    pub marked: Option<&'p BTreeSet<u32>>,
}

/// What a body shows, as markup that loads nothing and runs nothing. Elements are numbered in
/// document order. What is not HTML is shown as its text.
///
/// # Errors
/// The body cannot be read, as in [`crate::read`].
pub fn shown(
    body: &[u8],
    hints: &Hints<'_>,
    limits: &Limits,
    paint: Paint<'_>,
) -> Result<String, ReadError> {
    match crate::tree(body, hints, limits)? {
        Some(Tree::Html(html)) => {
            let mut painter = Painter { paint, text: String::new(), pre: 0, is_apart: true };
            painter.page(&html);
            Ok(painter.text)
        }
        _ => {
            let whole = extract(body, hints, limits, [View::Page])?.remove(&View::Page);
            let mut text = String::new();
            for block in whole.iter().flat_map(|extract| &extract.blocks) {
                text.push_str("<p dir=\"auto\">");
                escape(&block.text, &mut text);
                text.push_str("</p>\n");
                if text.len() > SHOWN_BYTES_MAX {
                    text.push_str(CUT);
                    break;
                }
            }
            Ok(text)
        }
    }
}

const CUT: &str = "<p>The rest is not shown: it is too long.</p>";

struct Painter<'p> {
    paint: Paint<'p>,
    text: String,
    /// How many `<pre>` are open.
    pre: u32,
    /// White space stands before what comes next.
    is_apart: bool,
}

impl Painter<'_> {
    fn page(&mut self, html: &scraper::Html) {
        let (mut hidden, mut number) = (None, 0u32);
        let mut numbers: Vec<u32> = Vec::new();
        for edge in html.tree.root().traverse() {
            match edge {
                Edge::Open(node) => {
                    let element = node.value().as_element();
                    number += u32::from(element.is_some());
                    if hidden.is_some() {
                        continue;
                    }
                    if !may_show(node) || self.text.len() > SHOWN_BYTES_MAX {
                        hidden = Some(node.id());
                        continue;
                    }
                    if let Some(element) = element {
                        numbers.push(number - 1);
                        self.open(element, number - 1);
                    } else if let Node::Text(text) = node.value() {
                        self.words(&text.text, numbers.last().copied());
                    }
                }
                Edge::Close(node) if hidden.is_none() => {
                    if let Some(element) = node.value().as_element() {
                        numbers.pop();
                        self.close(element);
                    }
                }
                Edge::Close(node) => {
                    hidden.take_if(|id| *id == node.id());
                }
            }
        }
        if self.text.len() > SHOWN_BYTES_MAX {
            self.text.push_str(CUT);
        }
    }

    fn open(&mut self, element: &Element, number: u32) {
        let Some(tag) = tag(element) else { return };
        self.text.push('<');
        self.text.push_str(tag);
        for name in ["dir", "lang", "colspan", "rowspan", "start"] {
            if let Some(value) = element.attr(name) {
                self.attribute(name, value);
            }
        }
        if let Some(first) = self.paint.marked.and_then(|marked| marked.first())
            && self.paint.marked.is_some_and(|marked| marked.contains(&number))
        {
            self.attribute("class", "tidings-marked");
            if *first == number {
                // Where a browser goes.
                self.attribute("id", "tidings-marked");
            }
        }
        if tag == "details" {
            self.text.push_str(" open");
        }
        self.text.push('>');
        if tag == "pre" {
            self.pre += 1;
            // A parser drops the first line feed.
            self.text.push('\n');
        }
        match element.name() {
            "img" => {
                if let Some(alt) = element.attr("alt").filter(|alt| !alt.trim().is_empty()) {
                    self.words(alt, Some(number));
                }
            }
            "input" => {
                let kind = element.attr("type").unwrap_or_default().to_ascii_lowercase();
                if matches!(kind.as_str(), "submit" | "button" | "reset") {
                    self.words(element.attr("value").unwrap_or_default(), Some(number));
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, element: &Element) {
        let Some(tag) = tag(element).filter(|tag| !matches!(*tag, "br" | "hr" | "wbr")) else {
            return;
        };
        if tag == "pre" {
            self.pre = self.pre.saturating_sub(1);
        }
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }

    fn words(&mut self, text: &str, number: Option<u32>) {
        if text.trim().is_empty() {
            self.text.push_str(if self.pre > 0 { text } else { " " });
            self.is_apart = true;
            return;
        }
        let place = self.paint.leads_to.zip(number);
        if let Some((address, number)) = place {
            // Without the page's style, neighbours would be one word, and are two to press.
            if !self.is_apart && self.pre == 0 && !text.starts_with(char::is_whitespace) {
                self.text.push(' ');
            }
            self.text.push_str("<a target=\"_top\"");
            self.attribute("href", &format!("{address}{number}"));
            self.text.push('>');
        }
        escape(text, &mut self.text);
        self.is_apart = text.ends_with(char::is_whitespace);
        if place.is_some() {
            self.text.push_str("</a>");
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        escape(value, &mut self.text);
        self.text.push('"');
    }
}

fn may_show(node: NodeRef<'_, Node>) -> bool {
    match node.value() {
        Node::Element(element) => blocks::is_visible(node, element),
        Node::Fragment => node.parent().is_none(),
        Node::Comment(_) | Node::Doctype(_) | Node::ProcessingInstruction(_) => false,
        _ => true,
    }
}

/// Elements that stay as they are.
const KEPT: &str = "abbr address article aside b blockquote br caption cite code dd del details dfn \
    div dl dt em fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i \
    ins kbd legend li main mark nav ol p pre q rp rt ruby s samp section small span \
    strong sub summary sup table tbody td tfoot th thead tr u ul wbr";

/// The element that stands for one of the page; `None`: its content alone.
fn tag(element: &Element) -> Option<&'static str> {
    let name = element.name();
    if matches!(name, "html" | "body" | "head") {
        return None;
    }
    if let Some(kept) = KEPT.split(' ').find(|kept| *kept == name) {
        return Some(kept);
    }
    Some(if blocks::is_block(name) { "div" } else { "span" })
}

fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            _ => into.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn painted(html: &str, paint: Paint<'_>) -> String {
        let url = url::Url::parse("https://a.example/").unwrap();
        let hints = Hints { content_type: Some("text/html"), url: &url };
        shown(html.as_bytes(), &hints, &Limits::default(), paint).unwrap()
    }

    #[test]
    fn text_headings_lists_and_tables_stay_and_all_else_goes() {
        let page = "<title>x</title><style>p{color:red}</style><h1 onclick=x id=y>Head</h1>\
            <script>alert(1)</script><p style='display:none'>gone</p><a href=https://evil.example>\
            <b>link</b></a><img src=https://evil.example/x alt='a <cat>'><form action=/x><input \
            name=q><button>Go</button></form><table><tr><td colspan='2\"x'>1</table>\
            <x-price>5</x-price><iframe src=/x></iframe>";
        let shown = painted(page, Paint::default());
        assert_eq!(
            shown.replace('\n', ""),
            "<h1>Head</h1><span><b>link</b></span><span>a &lt;cat&gt;</span><div><span></span>\
             <div>Go</div></div><table><tbody><tr><td colspan=\"2&quot;x\">1</td></tr></tbody>\
             </table><span>5</span>"
        );
    }

    #[test]
    fn a_text_leads_to_the_element_it_stands_in_and_a_number_marks_it() {
        let marked = BTreeSet::from([4]);
        let paint = Paint { leads_to: Some("/pick?at="), marked: Some(&marked) };
        // html 0, head 1, body 2, p 3, b 4.
        assert_eq!(
            painted("<p>now <b>5 EUR</b></p>", paint),
            "<p><a target=\"_top\" href=\"/pick?at=3\">now </a><b class=\"tidings-marked\" id=\"tidings-marked\"><a target=\"_top\" href=\"/pick?at=4\">5 EUR</a></b></p>"
        );
    }

    #[test]
    fn neighbours_to_press_are_words_apart() {
        let page = "<p><span>Price</span><span>49.90</span> <i>a</i> b<pre><b>c</b>d</pre>";
        let paint = Paint { leads_to: Some("/p?at="), marked: None };
        let shown = painted(page, paint);
        let text: String = scraper::Html::parse_fragment(&shown).root_element().text().collect();
        assert_eq!(text, "Price 49.90 a bcd", "{shown}");
        assert!(painted(page, Paint::default()).contains("Price</span><span>49.90"));
    }

    #[test]
    fn what_is_no_html_is_its_text() {
        let url = url::Url::parse("https://a.example/").unwrap();
        let hints = Hints { content_type: Some("text/plain"), url: &url };
        let text = shown(b"<b>1</b>\n\n2", &hints, &Limits::default(), Paint::default()).unwrap();
        assert!(text.starts_with("<p dir=\"auto\">&lt;b&gt;1"), "{text}");
    }

    proptest! {
        /// Whatever a page says, a browser that parses the result finds no other element, and no
        /// other attribute.
        #[test]
        fn a_parser_finds_harmless_elements_only(
            pieces in prop::collection::vec(prop::sample::select(&[
                "<p>", "</p>", "<svg>", "<math>", "<mtext>", "<style>", "</style>", "<!--", "-->",
                "<script>", "</script>", "<a href='javascript:x'>", "<img src=x onerror=y alt='\"<>'>",
                "<table>", "<td colspan='\"><script>'>", "<textarea>", "<noscript>", "<template>",
                "<pre>", "\n", "x", "<", "&lt;", "\"", "'", "<select>", "<option selected>", "<b>",
                "<foreignObject>", "<annotation-xml encoding='text/html'>", "<x-y onclick=a>",
            ][..]), 0..30),
        ) {
            let shown = painted(&pieces.concat(), Paint { leads_to: Some("/p?at="), marked: None });
            let again = scraper::Html::parse_document(&shown);
            for element in again.tree.values().filter_map(|node| node.as_element()) {
                let name = element.name();
                prop_assert!(
                    !matches!(name, "script" | "style" | "img" | "svg" | "math" | "iframe" | "form"
                        | "input" | "link" | "meta" | "object" | "embed" | "base"), "{shown}");
                for (attribute, value) in element.attrs() {
                    prop_assert!(matches!(attribute, "dir" | "lang" | "colspan" | "rowspan" | "start"
                        | "href" | "target" | "class" | "open"), "{shown}");
                    prop_assert!(attribute != "href" || value.starts_with("/p?at="), "{shown}");
                }
            }
        }
    }
}
