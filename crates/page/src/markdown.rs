//! Markdown: what a reader of its page would see.
//!
//! It is turned into HTML and read as such: paragraphs, headings, items of lists and rows of tables
//! are blocks, links and images count, selectors look into it.

use crate::{Extract, Kind, Limits, html};
use pulldown_cmark::{Event, Options, Parser, TagEnd};
use url::Url;

/// Bytes of a text that is read as Markdown: one byte may make a node of the parser, and several.
pub(crate) const BYTES_MAX: usize = 512 << 10;
/// Nodes of its HTML: 15 MB.
const NODES_MAX: u32 = 50_000;
/// What is written for a mark, at most.
const MARK_BYTES: usize = 32;
/// Bytes of the HTML; what comes after is left out.
const HTML_BYTES_MAX: usize = 4 << 20;

/// The page of a text, and whether all of it is there.
pub(crate) fn tree(text: &str, limits: &Limits) -> html::Parsed {
    let (html, is_whole) = rendered(text);
    let nodes_max = limits.nodes_max.min(NODES_MAX);
    let (tree, is_cut) = html::tree(&html, &Limits { nodes_max, ..limits.clone() });
    (tree, is_cut || !is_whole)
}

/// What the page of a text shows.
pub(crate) fn gathered(parsed: &html::Parsed, url: &Url, limits: &Limits) -> Extract {
    let mut extract = html::gathered(parsed, url, limits, &mut html::Everything);
    // Text is its kind, as a server that calls it plain text has it.
    extract.kind = Kind::Text;
    let heading = extract.blocks.iter().find(|block| block.heading == 1);
    extract.title = extract.title.or_else(|| heading.map(|block| block.text.clone()));
    extract
}

fn rendered(text: &str) -> (String, bool) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let (mut bytes, mut is_whole) = (0, true);
    let events = Parser::new_ext(text, options).map_while(|event| {
        bytes += MARK_BYTES + bytes_of(&event);
        is_whole = bytes <= HTML_BYTES_MAX || matches!(event, Event::End(TagEnd::HtmlBlock));
        is_whole.then_some(event)
    });
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events);
    (html, is_whole)
}

/// Bytes of an event's text, about.
fn bytes_of(event: &Event<'_>) -> usize {
    use pulldown_cmark::Tag::{Image, Link};
    match event {
        Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
            text.len()
        }
        Event::Start(Link { dest_url, title, .. } | Image { dest_url, title, .. }) => {
            dest_url.len() + title.len()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Extract {
        let url = Url::parse("https://site.example/dir/README.md").expect("a URL");
        let limits = Limits::default();
        gathered(&tree(text, &limits), &url, &limits)
    }

    fn blocks(extract: &Extract) -> Vec<&str> {
        extract.blocks.iter().map(|block| &*block.text).collect()
    }

    #[test]
    fn markdown_shows_what_its_page_shows() {
        let text = "---\ntitle: hidden\n---\n# Kettle *2*\n\nA long line\nthat goes on, [here](x.md).\n\n\
            - one\n- two\n\n| city | price |\n|---|---|\n| Oslo | 40 |\n\n![Lid](lid.png)\n\n\
            ```\na = 1\nb = 2\n```\n<!-- nothing -->\n";
        let extract = read(text);
        assert_eq!(
            blocks(&extract),
            [
                "Kettle 2",
                "A long line that goes on, here.",
                "one",
                "two",
                "city | price",
                "Oslo | 40",
                "a = 1",
                "b = 2"
            ]
        );
        assert_eq!((extract.kind, extract.title.as_deref()), (Kind::Text, Some("Kettle 2")));
        assert_eq!(extract.blocks[0].heading, 1);
        assert_eq!(extract.links[0].href, "https://site.example/dir/x.md");
        assert_eq!(extract.images[0].src, "https://site.example/dir/lid.png");
    }

    #[test]
    fn a_paragraph_wrapped_anew_is_the_same() {
        let (one, two) = (read("Fares to Lisbon\nrise."), read("Fares to\nLisbon rise.\n"));
        assert_eq!(crate::fingerprint(&one), crate::fingerprint(&two));
    }

    #[test]
    fn nothing_in_a_text_makes_it_grow_without_end() {
        let bytes = BYTES_MAX / 4;
        let quotes = ">".repeat(bytes);
        let stars = "*a ".repeat(bytes / 3);
        let nested = "[".repeat(bytes);
        let long = "x".repeat(4_000);
        let referred = format!("[a]: /{long}\n\n{}", "[a] ".repeat(bytes / 4));
        for text in [quotes, stars, nested, referred] {
            let (html, _) = rendered(&text);
            assert!(html.len() <= 8 * HTML_BYTES_MAX, "{}", html.len());
            read(&text);
        }
        let cut = read(&"# a\n".repeat(BYTES_MAX / 4));
        assert!(cut.left_out.markup && !cut.blocks.is_empty());
    }
}
