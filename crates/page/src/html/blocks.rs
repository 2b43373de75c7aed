//! Which elements are blocks, and which are not to be seen.

use ego_tree::NodeRef;
use html5ever::ns;
use scraper::Node;
use scraper::node::Element;

/// How deep an option stands in its list, and nodes of a list that are searched for the first one.
const OPTION_DEPTH_MAX: usize = 4;
const OPTIONS_TRIED_MAX: usize = 40;

/// The value of an attribute. Most elements have none, or a few: to look at each costs less than to
/// make a name to search for, as [`Element::attr`] does.
pub(crate) fn attr<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    let is_named = |known: &html5ever::QualName| {
        *known.local == *name && known.ns == ns!() && known.prefix.is_none()
    };
    element.attrs.iter().find(|(known, _)| is_named(known)).map(|(_, value)| &**value)
}

/// Words of a class by which pages strike out an old price.
const STRUCK: [&str; 12] = [
    "a-text-strike",
    "crossed-out",
    "line-through",
    "old-price",
    "price-old",
    "price-was",
    "price--was",
    "strike",
    "strike-through",
    "strikethrough",
    "text-decoration-line-through",
    "was-price",
];

/// Whether the text of an element is struck out: by its name, its role, its style or its class.
pub(super) fn is_struck(element: &Element) -> bool {
    if matches!(element.name(), "s" | "strike" | "del") {
        return true;
    }
    element.attrs.iter().any(|(name, value)| match &*name.local {
        "class" => value.split_ascii_whitespace().any(|word| STRUCK.contains(&word)),
        "style" => value.contains("line-through"),
        "role" => &**value == "deletion",
        _ => false,
    })
}

/// Elements whose text stands on its own: they end the block before them and are ended by
/// whatever comes after.
pub(crate) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "button"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "optgroup"
            | "option"
            | "p"
            | "plaintext"
            | "pre"
            | "search"
            | "section"
            | "select"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            // A text of a drawing.
            | "text"
            | "textarea"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
            | "xmp"
    )
}

/// Bytes of a paragraph, and nodes of it that are looked at.
const PARAGRAPH_BYTES_MIN: usize = 80;
const PARAGRAPH_NODES_MAX: usize = 40;

/// Whether a `<span>` is a paragraph that style alone makes one: right beside another of its class
/// that is as long, and with nothing between them. The first of the two ends with its sentence:
/// editors write a sentence in several, too. O(1).
pub(super) fn is_paragraph(node: NodeRef<'_, Node>, element: &Element) -> bool {
    let class = attr(element, "class").filter(|class| !class.is_empty());
    if element.name() != "span" || class.is_none() {
        return false;
    }
    let is_like = |other: &NodeRef<'_, Node>| {
        let element = other.value().as_element();
        element.is_some_and(|it| it.name() == "span" && attr(it, "class") == class)
            && is_long(*other)
    };
    let before = node.prev_sibling().filter(is_like).filter(|before| ends_sentence(*before));
    let is_first = || ends_sentence(node) && node.next_sibling().filter(is_like).is_some();
    (before.is_some() || is_first()) && is_long(node)
}

fn ends_sentence(node: NodeRef<'_, Node>) -> bool {
    let mut last = Some(node);
    for _ in 0..PARAGRAPH_NODES_MAX {
        match last.map(|node| (node, node.value())) {
            Some((_, Node::Text(text))) if !text.text.trim().is_empty() => {
                return text.text.trim_end().ends_with(['.', '!', '?', ':', ';', '”', '"', '。']);
            }
            Some((node, Node::Element(_))) if node.has_children() => last = node.last_child(),
            Some((node, _)) => last = node.prev_sibling(),
            None => return false,
        }
    }
    false
}

fn is_long(node: NodeRef<'_, Node>) -> bool {
    let texts = node.descendants().take(PARAGRAPH_NODES_MAX);
    let texts = texts.filter_map(|node| node.value().as_text());
    texts.map(|text| text.text.len()).sum::<usize>() >= PARAGRAPH_BYTES_MIN
}

/// The level of a heading.
pub(super) fn heading(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

/// Whether an element and what is inside it may be visible, as far as it says itself.
pub(crate) fn is_visible(node: NodeRef<'_, Node>, element: &Element) -> bool {
    may_be_seen(node, element) && !super::style::hides_itself(element)
}

/// Classes of what wikis show for their writers: the link to edit a section, and the address of
/// this revision, for prints.
const TOOLS: [&str; 2] = ["mw-editsection", "printfooter"];

/// Whether an element and what is inside it may be visible, whatever style says.
pub(crate) fn may_be_seen(node: NodeRef<'_, Node>, element: &Element) -> bool {
    let never = matches!(
        element.name(),
        "head"
            | "script"
            | "style"
            | "template"
            | "noscript"
            | "iframe"
            | "frameset"
            | "noframes"
            | "noembed"
            | "audio"
            | "video"
            | "canvas"
            | "object"
            | "datalist"
            | "title"
            | "desc"
            | "metadata"
            | "defs"
            | "annotation"
            | "annotation-xml"
    );
    if never {
        return false;
    }
    match element.name() {
        "span" | "div" => !element.classes().any(|class| TOOLS.contains(&class)),
        "input" => !attr(element, "type").unwrap_or_default().eq_ignore_ascii_case("hidden"),
        "dialog" => attr(element, "open").is_some(),
        // A closed list shows what is chosen.
        "option" => attr(element, "selected").is_some() || is_chosen_by_default(node),
        _ => true,
    }
}

/// Whether a closed list shows this option because no other is selected: the first that can be.
fn is_chosen_by_default(option: NodeRef<'_, Node>) -> bool {
    let named = |node: NodeRef<'_, Node>, name| {
        node.value().as_element().is_some_and(|element| element.name() == name)
    };
    let has = |node: NodeRef<'_, Node>, name| {
        node.value().as_element().is_some_and(|element| attr(element, name).is_some())
    };
    let Some(list) = option.ancestors().take(OPTION_DEPTH_MAX).find(|node| named(*node, "select"))
    else {
        return false;
    };
    let size = list.value().as_element().and_then(|list| attr(list, "size")?.trim().parse().ok());
    if has(list, "multiple") || size.is_some_and(|rows: u32| rows > 1) {
        return false;
    }
    let is_disabled = |node: NodeRef<'_, Node>| {
        let group = node.parent().filter(|group| named(*group, "optgroup"));
        has(node, "disabled") || group.is_some_and(|group| has(group, "disabled"))
    };
    let mut nodes = list.descendants().take(OPTIONS_TRIED_MAX);
    let first = nodes.find(|node| named(*node, "option") && !is_disabled(*node));
    first.is_some_and(|first| first.id() == option.id())
        && !list.descendants().any(|node| named(node, "option") && has(node, "selected"))
}

#[cfg(test)]
mod tests {
    use crate::{Hints, Limits, read};

    #[test]
    fn what_a_page_says_of_itself_beside_its_heading_is_content() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let about = "A show about water that takes its time, and about those who live beside it. \
                     Members hear each episode two days early, for €4 a month.";
        let part = |header: &str| {
            let rest = "<p>Nobody has ever seen an eel spawn.</p>".repeat(9);
            let page =
                format!("<header>{header}<p>{about}</p></header><main><h2>All</h2>{rest}</main>");
            let extract =
                read(page.as_bytes(), &hints, &Limits::default()).expect("it can be read");
            let mut blocks = extract.blocks.into_iter();
            blocks.find(|block| block.text == about).expect("it is there").part
        };
        assert_eq!(part("<h1>Slow Rivers</h1>"), crate::Part::Main);
        assert_eq!(part("<p>Podhost</p>"), crate::Part::Frame, "of the site");
        let banner = "<h1>Slow Rivers</h1><div class=cookie-banner>";
        assert_eq!(part(banner), crate::Part::Frame, "asked of a visitor");
    }

    #[test]
    fn the_tools_of_a_wiki_are_no_part_of_its_page() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let page = "<h2><span>Closures</span><span class='mw-editsection'>[<a href=/e>edit</a>]\
                    </span></h2><p>None.</p><div class=printfooter>From /?oldid=1</div>";
        let extract = read(page.as_bytes(), &hints, &Limits::default()).expect("it can be read");
        let texts: Vec<_> = extract.blocks.iter().map(|block| &*block.text).collect();
        assert_eq!(texts, ["Closures", "None."]);
    }

    #[test]
    fn long_spans_side_by_side_are_paragraphs() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let texts = |body: &str| -> Vec<String> {
            let extract =
                read(body.as_bytes(), &hints, &Limits::default()).expect("it can be read");
            extract.blocks.into_iter().map(|block| block.text).collect()
        };
        let clause = |n: u32| format!("{n}. {}end.", "You may not sell what is here. ".repeat(4));
        let span = |n: u32| format!("<span class=t>{}</span>", clause(n));
        let page = format!("<div>{}{}{}</div>", span(1), span(2), span(3));
        assert_eq!(texts(&page), [clause(1), clause(2), clause(3)]);
        let cut = |n| clause(n).trim_end_matches(" here. end.").to_owned();
        let runs = format!("<p><span class=t>{}</span><span class=t>{}</span>", cut(1), clause(2));
        assert_eq!(texts(&runs).len(), 1, "a sentence goes on");
        let words = "<p><span class=t>One</span><span class=t>two</span>";
        assert_eq!(texts(words).len(), 1, "words");
        let apart = format!("<p>{} and {}", span(1), span(2));
        assert_eq!(texts(&apart).len(), 1, "a text stands between them");
    }
}
