//! Selectors that would cost too much, and texts that are none.

use page::Tree;
use proptest::prelude::*;
use select::{Css, JsonPath, Limits, Markup, Spent, Wrong};
use serde_json::{Value, json};

const PIECES: [&str; 64] = [
    "div",
    "*",
    ".a",
    "#m",
    "[id]",
    "[class~=a]",
    "[a=\"b\" i]",
    ":not(",
    ":is(",
    ":has(",
    ")",
    ":nth-child(2n+1",
    ":nth-last-of-type(",
    " of ",
    ":root",
    ":checked",
    ":disabled",
    ":empty",
    ":default",
    " > ",
    " + ",
    " ~ ",
    " ",
    ",",
    "|",
    "&",
    "::before",
    "\\31 ",
    "\"",
    "'",
    "$",
    "@",
    ".",
    "..",
    "[",
    "]",
    "?",
    "==",
    "<=",
    "!=",
    "&&",
    "||",
    "!",
    "(",
    "length(",
    "count(",
    "match(",
    "search(",
    "value(",
    "'a'",
    "-1",
    "0",
    "1:2:3",
    ":",
    "1e3",
    "null",
    "true",
    "//",
    "/",
    "text()",
    "ancestor::",
    "=",
    "\u{e9}",
    "\0",
];

proptest! {
    #[test]
    fn any_selector_ends_within_its_limits(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)
    ) {
        select::fuzz(&pieces.concat());
    }

    #[test]
    fn any_text_is_a_selector_or_is_refused(text in "\\PC{0,40}") {
        select::fuzz(&text);
    }
}

/// A page of many elements inside each other and beside each other.
fn page() -> Tree {
    let rows = "<div class=a><div class=b><i>1</i></div></div>".repeat(2_000);
    Tree::html(&format!("{}{rows}", "<section>".repeat(100)), &page::Limits::default())
}

#[test]
fn a_css_selector_that_takes_too_many_steps_is_given_up() {
    let Tree::Html(html) = page() else { panic!("a page") };
    let markup = Markup { tree: &html.tree, is_html: true };
    let limits = Limits { steps_max: 500_000, ..Limits::default() };
    for costly in ["u ~ div ~ div", "div:has(~ u)", "div:not(:has(~ div ~ u))"] {
        let css = Css::parse(costly, &limits).unwrap();
        assert_eq!(css.find(&markup, &limits), Err(Spent::Steps { max: 500_000 }), "{costly}");
    }
    let css = Css::parse("section .b > i:first-child", &limits).unwrap();
    assert_eq!(css.find(&markup, &limits).map(|found| found.len()), Ok(2_000));
    let few = Limits { results_max: 1_999, ..limits };
    assert_eq!(css.find(&markup, &few), Err(Spent::Results { max: 1_999 }));
}

#[test]
fn a_query_that_takes_too_many_steps_is_given_up() {
    let nested = (0..60).fold(json!(1), |inner, _| json!([inner, inner_items()]));
    let limits = Limits { steps_max: 1_000_000, ..Limits::default() };
    for costly in ["$..*..*..*..*", "$..[?$..[?$..*]]", "$..[?count($..*) == 1]"] {
        let path = JsonPath::parse(costly, &limits).unwrap();
        assert_eq!(path.find(&nested, &limits), Err(Spent::Steps { max: 1_000_000 }), "{costly}");
    }
    let twenty = Limits { results_max: 20, ..Limits::default() };
    let path = JsonPath::parse("$..*", &twenty).unwrap();
    assert_eq!(path.find(&nested, &twenty), Err(Spent::Results { max: 20 }));
}

fn inner_items() -> Value {
    (0..20).collect()
}

#[test]
fn long_and_deep_selectors_are_refused_with_what_to_do() {
    let limits = Limits::default();
    let deep = format!("{}a{}", ":not(".repeat(25), ")".repeat(25));
    assert_eq!(Css::parse(&deep, &limits).err(), Some(Wrong::TooDeep { max: 24 }));
    let long = "a ".repeat(1_025);
    assert_eq!(Css::parse(&long, &limits).err(), Some(Wrong::TooLong { bytes: 2_050, max: 2_048 }));
    let deep = format!("${}", "[?@".repeat(25));
    assert_eq!(JsonPath::parse(&deep, &limits).err(), Some(Wrong::TooDeep { max: 24 }));
}

#[test]
fn what_is_wrong_says_where_and_what_to_write() {
    let said = |error: Wrong| error.to_string();
    let css = |text| said(Css::parse(text, &Limits::default()).unwrap_err());
    assert!(css("main >").contains("after `>`"), "{}", css("main >"));
    assert!(css("a:bogus").contains("no such pseudo-class"), "{}", css("a:bogus"));
    let path = |text| said(JsonPath::parse(text, &Limits::default()).unwrap_err());
    let begins = "this is no JSONPath at byte 0: a query begins with `$`, as in $.items[0].price";
    assert_eq!(path("items"), begins);
    assert!(path("$.a[?@..b == 1]").contains("a path to one value"));
}
