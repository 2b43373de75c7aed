//! XPath 1.0 as browsers and their tools have it.

use page::Tree;
use proptest::prelude::*;
use scraper::Node;
use select::{Found, Limits, Markup, Order, Spent, Wrong, XPath};

const PAGE: &str = "<html><body><h1>Prices</h1><!-- of today --><table id=prices>\
    <tr><td>Lisbon<td class='p now'>40 €<tr><td>Porto<td class=p><b>35</b> €</table>\
    <a href=/a>A</a> <a href=/b>B</a><svg><path d=x /></svg>\
    <template><a href=/c>C</a></template></body></html>";

/// What an expression finds, as text.
fn texts(expression: &str, tree: &Tree) -> Vec<String> {
    let (html, is_html) = match tree {
        Tree::Html(html) => (html, true),
        Tree::Xml(xml) => (xml, false),
        Tree::Json(_) => panic!("no markup"),
    };
    let xpath = XPath::parse(expression, &Limits::default()).expect(expression);
    let markup = Markup { tree: &html.tree, is_html };
    match xpath.find(&markup, &Limits::default()).expect(expression) {
        Found::Value(value) => vec![value],
        Found::Places(parts) => parts.iter().map(|part| text(html, *part)).collect(),
    }
}

fn text(html: &scraper::Html, part: select::Part) -> String {
    let node = html.tree.get(part.node).expect("a place of this page");
    if let (Some(index), Node::Element(element)) = (part.attribute, node.value()) {
        return element.attrs[index as usize].1.to_string();
    }
    let texts = node.descendants().filter_map(|node| node.value().as_text());
    texts.map(|text| &*text.text).collect()
}

fn page() -> Tree {
    Tree::html(PAGE, &page::Limits::default())
}

#[test]
fn expressions_of_browsers_tools_find_their_place() {
    let page = page();
    let cases: [(&str, &[&str]); 16] = [
        ("/html/body/table/tbody/tr[2]/td[1]", &["Porto"]),
        ("//*[@id=\"prices\"]/tbody/tr[1]/td[2]", &["40 €"]),
        ("//td[contains(@class, 'p')]", &["40 €", "35 €"]),
        ("//td[text()='Porto']/following-sibling::td", &["35 €"]),
        ("//td[normalize-space()='Lisbon']/..//b | //tr[last()]//b", &["35"]),
        ("//b/ancestor::tr/td[1]/text()", &["Porto"]),
        ("//a/@href", &["/a", "/b"]),
        ("//a[2] | //a[1]", &["A", "B"]),
        ("(//a)[last()]", &["B"]),
        ("id('prices')//tr[position() > 1]/td[1]", &["Porto"]),
        ("//b/preceding::td[1]", &["Porto"]),
        ("//nothing", &[]),
        ("count(//td)", &["4"]),
        ("sum(//b) * 2", &["70"]),
        ("string(//h1)", &["Prices"]),
        ("//a = 'B'", &["true"]),
    ];
    for (expression, expected) in cases {
        assert_eq!(texts(expression, &page), expected, "{expression}");
    }
    assert_eq!(texts("//comment()", &page).len(), 1);
}

#[test]
fn names_of_xml_have_a_case_and_a_name_space() {
    let feed = "<rss xmlns:m='urn:m'><Item><title>1</title><m:k>2</m:k></Item></rss>";
    let tree = Tree::xml(feed, &page::Limits::default()).unwrap();
    assert_eq!(texts("//Item/title", &tree), ["1"]);
    assert!(texts("//item | //k", &tree).is_empty());
    assert_eq!(texts("//*[local-name()='k' and namespace-uri()='urn:m']", &tree), ["2"]);
}

#[test]
fn an_expression_that_takes_too_many_steps_is_given_up() {
    let rows = "<div><div><i>1</i></div></div>".repeat(2_000);
    let Tree::Html(html) = Tree::html(&rows, &page::Limits::default()) else { panic!("a page") };
    let markup = Markup { tree: &html.tree, is_html: true };
    let find =
        |text: &str, limits: &Limits| XPath::parse(text, limits).unwrap().find(&markup, limits);
    let limits = Limits { steps_max: 500_000, ..Limits::default() };
    for costly in ["//div[//i = .//i]//i/following::i", "//i[count(//i) > 1]"] {
        assert_eq!(find(costly, &limits), Err(Spent::Steps { max: 500_000 }), "{costly}");
    }
    let all = concat!("concat(/", ",/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/", ")");
    assert!(matches!(find(all, &Limits::default()), Ok(Found::Value(_))));
    assert_eq!(find(all, &limits), Err(Spent::Steps { max: 500_000 }));
    let few = Limits { results_max: 1_999, ..Limits::default() };
    assert_eq!(find("//i", &few), Err(Spent::Results { max: 1_999 }));
}

#[test]
fn what_is_wrong_says_where_and_what_to_write() {
    let limits = Limits::default();
    let parse = |text: &str| XPath::parse(text, &limits).map(|_| ());
    assert!(parse("//a[").unwrap_err().to_string().contains("XPath 1.0 at byte 4"));
    assert_eq!(parse(&"-".repeat(201)), Err(Wrong::TooMany { max: 200 }));
    assert_eq!(parse(&"1 or ".repeat(201)), Err(Wrong::TooMany { max: 200 }));
    let Tree::Html(html) = page() else { panic!("a page") };
    let markup = Markup { tree: &html.tree, is_html: true };
    let found = XPath::parse("matches(//a, 'x')", &limits).unwrap().find(&markup, &limits);
    assert!(found.unwrap_err().to_string().contains("no function matches()"));
}

#[test]
fn the_deepest_expressions_that_are_allowed_fit_on_a_small_stack() {
    let Tree::Html(html) = page() else { panic!("a page") };
    let markup = Markup { tree: &html.tree, is_html: true };
    let limits = Limits::default();
    let nested = format!("{}//a{}", "count(//*[(".repeat(8), " = 1)])".repeat(8));
    for deep in [format!("{}1", "1+".repeat(199)), format!("{}1", "-".repeat(200)), nested] {
        let found = XPath::parse(&deep, &limits).unwrap().find(&markup, &limits);
        assert!(matches!(found, Ok(_) | Err(Spent::Steps { .. })), "{deep}");
    }
}

/// A path that is mostly plain, of few names, so that it finds something.
fn path() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "div", "p", "a", "*", "b", "DIV", "svg", "path", "template", "html", "body", "text()", "_x",
    ]);
    let test = prop::sample::select(vec![
        "",
        "",
        "",
        "[1]",
        "[2]",
        "[0]",
        "[@class]",
        "[@class='x']",
        "[@class=\"x\"][2]",
        "[2][@class='x']",
        "[@id=\"i\"]",
        "[last()]",
        "[ 1 ]",
        "[@href]",
        "[1][1]",
        "[01]",
    ]);
    let slash = prop::sample::select(vec!["/", "//"]);
    prop::collection::vec((slash, name, test), 1..5)
        .prop_map(|steps| steps.into_iter().map(|(a, b, c)| format!("{a}{b}{c}")).collect())
}

/// Markup of few names, nested anyhow.
fn markup() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec![
            "<div>",
            "<div class=x>",
            "</div>",
            "<p>",
            "<p class='x y'>",
            "</p>",
            "<b id=i>",
            "</b>",
            "t",
            "<a href=/>",
            "</a>",
            "<svg><path class=x /></svg>",
            "<!-- c -->",
            "<template><p>in</p></template>",
            "<a class=x>",
        ]),
        0..40,
    )
    .prop_map(|parts| parts.concat())
}

proptest! {
    /// Plain paths are walked, and find exactly what the evaluator finds.
    #[test]
    fn a_plain_path_finds_what_the_evaluator_finds(path in path(), body in markup()) {
        let limits = Limits::default();
        let tree = Tree::html(&body, &page::Limits::default());
        let Tree::Html(html) = tree else { panic!("a page") };
        let markup = Markup { tree: &html.tree, is_html: true };
        let Ok(xpath) = XPath::parse(&path, &limits) else { return Ok(()) };
        let order = Order::of(&markup);
        let walked = xpath.find_ordered(&markup, &order, &limits);
        prop_assert_eq!(walked, xpath.evaluate(&markup, &order, &limits), "{}", path);
    }
}
