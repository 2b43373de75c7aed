//! Selectors find what was pointed at, now and after small changes of the page.

use super::*;
use crate::{View, extract};
use proptest::prelude::*;

fn hinted<T>(run: impl FnOnce(&Hints<'_>) -> T) -> T {
    let url = url::Url::parse("https://shop.example/").unwrap();
    run(&Hints { content_type: Some("text/html"), url: &url })
}

/// The number of the element that holds exactly this text.
fn number_of(html: &str, text: &str) -> u32 {
    let Tree::Html(tree) = Tree::html(html, &Limits::default()) else { unreachable!("HTML") };
    let mut elements = tree.tree.root().descendants().filter(|node| node.value().is_element());
    let holds = |node: &Place<'_>| {
        node.children().any(|one| one.value().as_text().is_some_and(|own| own.trim() == text))
    };
    elements.position(|node| holds(&node)).expect("an element with this text") as u32
}

fn point(html: &str, text: &str) -> Pointed {
    let number = number_of(html, text);
    hinted(|hints| pointed(html.as_bytes(), hints, &Limits::default(), number))
        .unwrap()
        .unwrap_or_else(|| panic!("nothing finds {text} in {html}"))
}

fn way(html: &str, text: &str) -> (String, bool) {
    let found = point(html, text);
    (found.selector.to_string(), found.counts)
}

/// What a selector of the language finds, as a look reads it.
fn found(html: &str, selector: &Selector) -> Vec<String> {
    let view = View::Selected(selector.to_string().into());
    let read = hinted(|hints| {
        extract(html.as_bytes(), hints, &Limits::default(), [view.clone()]).unwrap()
    });
    read[&view].blocks.iter().map(|block| block.text.clone()).collect()
}

#[test]
fn names_come_before_what_stands_beside_and_that_before_positions() {
    let names = "<div id=buy><span class='css-1a2b3c price'>49.90</span></div><p class=price>x</p>";
    assert_eq!(way(names, "49.90"), ("css \"span.price\"".to_owned(), false));
    let itemprop = "<p class=x>1</p><p class=x itemprop=price>2</p>";
    assert_eq!(way(itemprop, "2"), ("css \"[itemprop=\\\"price\\\"]\"".to_owned(), false));
    let anchored = "<div id=new><b class=sum>1</b></div><div id=old><b class=sum>2</b></div>";
    assert_eq!(way(anchored, "2"), ("css \"#old .sum\"".to_owned(), false));
    let rows = "<table><tr><th>City<th>EUR<tr><td>Porto<td>30<tr><td>Lisbon<td>40</table>";
    assert_eq!(
        way(rows, "40"),
        ("xpath \"//tr[normalize-space(*[1])='Lisbon']/*[2]\"".to_owned(), false)
    );
    let terms = "<dl><dt>Stock</dt><dd>7</dd><dt>Price</dt><dd>40</dd></dl>";
    assert_eq!(
        way(terms, "40"),
        ("xpath \"//dt[normalize-space(.)='Price']/following-sibling::dd[1]\"".to_owned(), false)
    );
    let headed = "<h2>Fares</h2><p>a</p><h2>Seats</h2><p>b</p><p>c</p>";
    assert_eq!(
        way(headed, "c"),
        ("xpath \"//h2[normalize-space(.)='Seats']/following::p[2]\"".to_owned(), true)
    );
    let bare = "<p>a</p><p>b</p>";
    assert_eq!(way(bare, "b"), ("css \"html > body > p:nth-of-type(2)\"".to_owned(), true));
}

#[test]
fn a_cell_knows_its_row_and_a_row_is_found_by_its_heading() {
    let rows = "<table><tr><td>Porto<td>30<tr><td>Lisbon<td>40</table>";
    let row = point(rows, "40").row.expect("a row");
    let found = hinted(|hints| pointed(rows.as_bytes(), hints, &Limits::default(), row));
    let selector = found.unwrap().expect("the row").selector.to_string();
    assert_eq!(selector, "xpath \"//tr[normalize-space(*[1])='Lisbon']\"");
}

#[test]
fn what_is_no_element_has_no_selector() {
    let page = b"<p>a</p>";
    hinted(|hints| {
        let all = |number| pointed(page, hints, &Limits::default(), number).unwrap();
        assert!(all(0).is_none() && all(99).is_none() && all(3).is_some());
    });
    let url = url::Url::parse("https://a.example/").unwrap();
    let hints = Hints { content_type: Some("application/json"), url: &url };
    assert_eq!(pointed(b"{\"a\": 1}", &hints, &Limits::default(), 0), Ok(None));
}

/// A piece of a page; its texts are numbered as they are written.
#[derive(Debug, Clone)]
enum Piece {
    Text { tag: &'static str, class: &'static str },
    Table { rows: usize },
    Terms { pairs: usize },
}

#[derive(Debug, Clone)]
struct Section {
    id: &'static str,
    class: &'static str,
    heading: &'static str,
    pieces: Vec<Piece>,
}

const CITIES: [&str; 4] = ["Lisbon", "Porto", "Faro", "Évora"];

fn piece() -> impl Strategy<Value = Piece> {
    let tags = prop::sample::select(&["p", "div", "span", "b"][..]);
    let classes = prop::sample::select(&["", "price", "sum", "css-1a2b3c", "price big"][..]);
    prop_oneof![
        3 => (tags, classes).prop_map(|(tag, class)| Piece::Text { tag, class }),
        1 => (1..4usize).prop_map(|rows| Piece::Table { rows }),
        1 => (1..3usize).prop_map(|pairs| Piece::Terms { pairs }),
    ]
}

fn section() -> impl Strategy<Value = Section> {
    let ids = prop::sample::select(&["", "buy", "news", "post-12345"][..]);
    let classes = prop::sample::select(&["", "card", "box open"][..]);
    let headings = prop::sample::select(&["", "Fares", "Seats", "It's \"new\""][..]);
    (ids, classes, headings, prop::collection::vec(piece(), 1..4))
        .prop_map(|(id, class, heading, pieces)| Section { id, class, heading, pieces })
}

/// A small change of a page that leaves what was pointed at as it is.
#[derive(Debug, Clone)]
enum Edit {
    Banner,
    Wrapped,
    Paragraph(usize),
    Row,
    Classes,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        Just(Edit::Banner),
        Just(Edit::Wrapped),
        (0..4usize).prop_map(Edit::Paragraph),
        Just(Edit::Row),
        Just(Edit::Classes),
    ]
}

/// The page, and how many texts it has: `t0`, `t1`, ….
fn written(sections: &[Section], edits: &[Edit]) -> (String, usize) {
    let has = |wanted: fn(&Edit) -> bool| edits.iter().any(wanted);
    let (mut html, mut texts) = (String::new(), 0);
    let mut text = || {
        texts += 1;
        format!("t{}", texts - 1)
    };
    if has(|edit| matches!(edit, Edit::Banner)) {
        html.push_str("<div class=banner><p>Sale</p><table><tr><td>x<td>y</table></div>");
    }
    if has(|edit| matches!(edit, Edit::Wrapped)) {
        html.push_str("<div class=layout>");
    }
    let more = if has(|edit| matches!(edit, Edit::Classes)) { " css-9z8y7x" } else { "" };
    for (nth, section) in sections.iter().enumerate() {
        html.push_str(&format!("<div id='{}' class='{}{more}'>", section.id, section.class));
        if edits.iter().any(|edit| matches!(edit, Edit::Paragraph(at) if *at == nth)) {
            html.push_str("<p>One more</p>");
        }
        if !section.heading.is_empty() {
            html.push_str(&format!("<h2>{}</h2>", section.heading));
        }
        for piece in &section.pieces {
            match piece {
                Piece::Text { tag, class } => {
                    html.push_str(&format!("<{tag} class='{class}'>{}</{tag}>", text()));
                }
                Piece::Table { rows } => {
                    html.push_str("<table>");
                    if has(|edit| matches!(edit, Edit::Row)) {
                        html.push_str("<tr><td>Beja<td>7");
                    }
                    for city in &CITIES[..*rows] {
                        html.push_str(&format!("<tr><td>{city}<td>{}", text()));
                    }
                    html.push_str("</table>");
                }
                Piece::Terms { pairs } => {
                    html.push_str("<dl>");
                    for term in &["Price", "Stock"][..*pairs] {
                        html.push_str(&format!("<dt>{term}</dt><dd>{}</dd>", text()));
                    }
                    html.push_str("</dl>");
                }
            }
        }
        html.push_str("</div>");
    }
    (html, texts)
}

proptest! {
    /// Whatever the page, a selector finds exactly what was pointed at; one that does not count
    /// finds it after small changes, too.
    #[test]
    fn what_was_pointed_at_is_found_again(
        sections in prop::collection::vec(section(), 1..5),
        edits in prop::collection::vec(edit(), 1..4),
        which in any::<prop::sample::Index>(),
    ) {
        let (html, texts) = written(&sections, &[]);
        let text = format!("t{}", which.index(texts));
        let found_by = point(&html, &text);
        prop_assert_eq!(found(&html, &found_by.selector), [text.clone()]);
        let (later, _) = written(&sections, &edits);
        if !found_by.counts {
            prop_assert_eq!(found(&later, &found_by.selector), [text], "{}", found_by.selector);
        }
    }
}
