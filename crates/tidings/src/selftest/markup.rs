//! Markup made harmless, and written in one way: what a browser's parser makes of it, without what
//! runs, loads or frames.

use ego_tree::iter::Edge;
use scraper::node::Element;
use scraper::{ElementRef, Html, Node};
use std::collections::BTreeMap;
use std::fmt::Write;
use url::Url;

/// Elements that go with their content.
const GOES: [&str; 3] = ["applet", "script", "style"];
/// Elements whose content stays: they run, load or frame something, are long obsolete, or belong to
/// a whole page.
const OPENED: [&str; 17] = [
    "base",
    "blink",
    "body",
    "embed",
    "frame",
    "frameset",
    "head",
    "html",
    "iframe",
    "link",
    "marquee",
    "meta",
    "object",
    "param",
    "plaintext",
    "template",
    "title",
];
/// Elements without content or an end tag (HTML, 13.1.2).
const VOID: [&str; 8] = ["area", "br", "col", "hr", "img", "input", "source", "wbr"];
/// Attributes that hold addresses.
const ADDRESSES: [&str; 6] = ["action", "background", "cite", "href", "poster", "src"];

/// Whether a text that is called plain is HTML: it has an end tag or a reference, and a browser's
/// parser reads another text in it.
pub(super) fn looks_like_html(text: &str) -> bool {
    let has_sign = text.contains("</") || text.contains('&') && text.contains(';');
    has_sign && Html::parse_fragment(text).root_element().text().collect::<String>() != text
}

/// A text in HTML without what could do harm; addresses in it resolved where there is a base.
pub(super) fn harmless(text: &str, base: Option<&Url>) -> String {
    Writer { base, out: String::new() }.written(text, true).trim().to_owned()
}

struct Writer<'b> {
    base: Option<&'b Url>,
    out: String,
}

impl Writer<'_> {
    fn written(mut self, text: &str, reads_frames: bool) -> String {
        self.inside(Html::parse_fragment(text).root_element(), reads_frames);
        self.out
    }

    /// What is in an element, however deep. To the parser a frame's content is one text: it is read
    /// as HTML, but that of a frame in it is not.
    fn inside(&mut self, root: ElementRef<'_>, reads_frames: bool) {
        let mut gone = 0_usize;
        for edge in root.traverse() {
            let (node, opens) = match edge {
                Edge::Open(node) => (node, true),
                Edge::Close(node) => (node, false),
            };
            if node.id() == root.id() {
                continue;
            }
            match node.value() {
                Node::Element(element) if GOES.contains(&element.name()) => {
                    gone = if opens { gone + 1 } else { gone.saturating_sub(1) };
                }
                Node::Element(element) if gone == 0 && !OPENED.contains(&element.name()) => {
                    if opens {
                        self.start(element);
                    } else if !VOID.contains(&element.name()) {
                        write!(self.out, "</{}>", element.name()).expect("a string takes any text");
                    }
                }
                Node::Text(text) if gone == 0 && opens => {
                    let parent = node.parent().and_then(|parent| parent.value().as_element());
                    if reads_frames && parent.is_some_and(|parent| parent.name() == "iframe") {
                        let inner = Writer { base: self.base, out: String::new() };
                        self.out.push_str(&inner.written(text, false));
                    } else {
                        self.out.push_str(&escaped(text));
                    }
                }
                _ => {}
            }
        }
    }

    fn start(&mut self, element: &Element) {
        let kept = element
            .attrs()
            .filter_map(|(key, value)| Some((key, harmless_value(key, value, self.base)?)));
        let kept: BTreeMap<&str, String> = kept.collect();
        write!(self.out, "<{}", element.name()).expect("a string takes any text");
        for (key, value) in kept {
            let value = escaped(&value).replace('"', "&quot;");
            write!(self.out, " {key}=\"{value}\"").expect("a string takes any text");
        }
        self.out.push_str(if VOID.contains(&element.name()) { " />" } else { ">" });
    }
}

/// What stays of an attribute: handlers and styles go, and so do addresses that run.
fn harmless_value(key: &str, value: &str, base: Option<&Url>) -> Option<String> {
    if key.starts_with("on") || key == "style" || key.contains(':') {
        return None;
    }
    if !ADDRESSES.contains(&key) {
        return Some(value.to_owned());
    }
    match Url::parse(value) {
        Ok(url) if matches!(url.scheme(), "data" | "javascript" | "vbscript") => {
            Some(String::new())
        }
        Ok(_) => Some(value.to_owned()),
        Err(_) => Some(
            base.and_then(|base| base.join(value).ok())
                .map_or_else(|| value.to_owned(), String::from),
        ),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_do_harm_is_left_out_and_the_rest_is_written_in_one_way() {
        let base = Url::parse("https://site.example/a/").unwrap();
        for (written, given) in [
            ("a<script>b</script> <B ONCLICK=x>c</b>", "a <b>c</b>"),
            ("<a href='../x' title=t>x", "<a href=\"https://site.example/x\" title=\"t\">x</a>"),
            ("<a href='javascript:x'>x</a><br/>", "<a href=\"\">x</a><br />"),
            ("<iframe src=x>a<b>c</b></iframe>1 < 2 &amp; 3", "a<b>c</b>1 &lt; 2 &amp; 3"),
            ("<p style='width: expression(x)'>a<!-- open", "<p>a</p>"),
        ] {
            assert_eq!(harmless(written, Some(&base)), given, "{written}");
        }
        assert_eq!(harmless("<img src=x>", None), "<img src=\"x\" />");
    }

    #[test]
    fn a_text_is_html_by_its_end_tags_and_references() {
        for (text, is_html) in [("a <b>b</b>", true), ("a &amp; b", true), ("a < b", false)] {
            assert_eq!(looks_like_html(text), is_html, "{text}");
        }
    }
}
