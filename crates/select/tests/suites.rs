//! Other projects' cases. Reads `shared/data/suites` beside the project where present.

use page::Tree;
use scraper::Node;
use select::{Css, JsonPath, Limits, Markup};
use serde_json::Value;
use std::path::Path;

/// The cases of a suite, or nothing where it is absent.
fn cases(suite: &str) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/suites");
    let path = root.join(suite).join("cases.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("not run: {} is absent", path.display());
        return Vec::new();
    };
    text.lines().map(|line| serde_json::from_str(line).expect("a case is JSON")).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether a case speaks of HTML or XML as standards have them, without prefixes.
fn is_standard(case: &Value) -> bool {
    let is_empty = |key: &str| case[key].as_object().is_none_or(serde_json::Map::is_empty);
    let parsers = texts(&case["parsers"]);
    let known = ["html5", "html", "xml", "xhtml"];
    case["markup"].is_string()
        && case["nonstandard"] == false
        && is_empty("custom")
        && is_empty("namespaces")
        && (parsers.is_empty() || parsers.iter().any(|parser| known.contains(parser)))
}

/// The ids of what a selector finds, in alphabetical order.
fn ids(selector: &str, markup: &str, is_xml: bool) -> Vec<String> {
    let limits = page::Limits::default();
    let tree = if is_xml { Tree::xml(markup, &limits) } else { Ok(Tree::html(markup, &limits)) };
    let (html, is_html) = match tree {
        Ok(Tree::Html(html)) => (html, true),
        Ok(Tree::Xml(xml)) => (xml, false),
        _ => return vec!["no markup".to_owned()],
    };
    let Ok(css) = Css::parse(selector, &Limits::default()) else {
        return vec!["no selector".to_owned()];
    };
    let markup = Markup { tree: &html.tree, is_html };
    let found = css.find(&markup, &Limits::default()).expect("small pages");
    let elements = found.iter().filter_map(|id| html.tree.get(*id)?.value().as_element());
    let mut ids: Vec<String> = elements.filter_map(|e| e.attr("id")).map(str::to_owned).collect();
    ids.sort();
    ids
}

#[test]
fn css_selectors_find_what_another_project_finds() {
    let (mut right, mut all) = (0, 0);
    for case in cases("css_selectors").iter().filter(|case| is_standard(case)) {
        let is_xml = texts(&case["parsers"]).iter().all(|parser| parser.starts_with('x'));
        let is_xml = is_xml && !texts(&case["parsers"]).is_empty();
        let (selector, markup) = (&case["selector"], &case["markup"]);
        let found = ids(selector.as_str().unwrap(), markup.as_str().unwrap(), is_xml);
        let mut expected = texts(&case["expected_ids"]);
        expected.sort_unstable();
        all += 1;
        if found == expected {
            right += 1
        } else {
            println!("{}: {selector} {found:?}, not {expected:?}", case["id"])
        }
    }
    println!("css_selectors: {right} of {all}");
    assert!(right * 100 >= all * 98, "{right} of {all}");
}

#[test]
fn json_paths_find_what_the_compliance_suite_says() {
    for case in cases("jsonpath_cts") {
        let path = JsonPath::parse(case["selector"].as_str().unwrap(), &Limits::default());
        if case["invalid_selector"] == true {
            assert!(path.is_err(), "{}: {} is refused", case["id"], case["selector"]);
            continue;
        }
        let path = path.unwrap_or_else(|error| panic!("{}: {error}", case["id"]));
        let found = path.find(&case["document"], &Limits::default()).unwrap();
        let found: Value = found.into_iter().cloned().collect();
        let one = std::slice::from_ref(&case["result"]);
        let allowed = case["results"].as_array().map_or(one, Vec::as_slice);
        assert!(allowed.contains(&found), "{}: {} gives {found}", case["id"], case["selector"]);
    }
}

#[test]
fn a_template_holds_nothing_of_the_page() {
    assert_eq!(ids("p", "<template><p id=a></template><p id=b>", false), ["b"]);
    let tree = Tree::html("<template><p id=a></template>", &page::Limits::default());
    let Tree::Html(html) = tree else { panic!("no page") };
    assert!(html.tree.nodes().any(|node| matches!(node.value(), Node::Fragment)));
}

#[test]
fn controls_are_in_the_state_that_the_markup_gives_them() {
    let page = "<form><input type=radio name=r id=a checked><input type=radio name=r id=b checked>\
                <fieldset disabled><legend><input id=c></legend><input id=d required></fieldset>\
                <select><option id=e disabled><option id=f><option id=g></select>\
                <select multiple><optgroup id=h disabled><option id=i selected></optgroup></select>\
                <button id=j>Go</button><button id=k>Go</button></form><a id=l href=/x>x</a>";
    let cases: [(&str, &[&str]); 7] = [
        (":checked", &["b", "f", "i"]),
        (":disabled", &["d", "e", "h", "i"]),
        (":default", &["a", "b", "i", "j"]),
        (":required", &["d"]),
        ("input:read-write", &["c"]),
        (":any-link", &["l"]),
        ("[id]:hover", &[]),
    ];
    for (selector, expected) in cases {
        assert_eq!(ids(selector, page, false), expected, "{selector}");
    }
}
