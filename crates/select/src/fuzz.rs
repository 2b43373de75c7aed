//! What must hold for any selector; called by the fuzz target and, bounded, by tests.

use crate::{Css, Found, JsonPath, Limits, Markup, Tree, XPath};
use scraper::Node;
use serde_json::json;

/// Compiles a text as a selector of each language and looks with it into small documents.
///
/// # Panics
/// When a limit does not hold, or the same selector finds two things in one document.
pub fn fuzz(text: &str) {
    let generous = Limits { steps_max: 200_000, ..Limits::default() };
    let tight = Limits { steps_max: 50, results_max: 2, ..Limits::default() };
    let html = scraper::Html::parse_document(PAGE);
    for limits in [generous, tight] {
        for is_html in [true, false] {
            let markup = Markup { tree: &html.tree, is_html };
            css(text, &markup, &limits);
            xpath(text, &markup, &limits);
        }
        json_path(text, &limits);
    }
}

const PAGE: &str = "<main id=m><h1 class='a b'>One <b>two</b></h1><form><select><option>1<option \
                    selected>2</select><input type=radio name=r checked><button disabled>Go</button>\
                    </form><ul><li>3<li lang=de>4</ul><template><p>5</template><!-- 6 --></main>";

fn css(text: &str, markup: &Markup<'_>, limits: &Limits) {
    let Ok(css) = Css::parse(text, limits) else { return };
    let found = css.find(markup, limits);
    assert_eq!(found, css.find(markup, limits), "the same page, the same places");
    let Ok(found) = found else { return };
    assert!(found.len() <= limits.results_max, "results_max holds");
    assert!(found.iter().all(|id| is_element(markup.tree, *id)), "places are elements");
}

fn xpath(text: &str, markup: &Markup<'_>, limits: &Limits) {
    let Ok(xpath) = XPath::parse(text, limits) else { return };
    let found = xpath.find(markup, limits);
    assert_eq!(found, xpath.find(markup, limits), "the same page, the same places");
    let Ok(Found::Places(places)) = found else { return };
    assert!(places.len() <= limits.results_max, "results_max holds");
    assert!(places.iter().all(|part| markup.tree.get(part.node).is_some()), "places are there");
}

fn is_element(tree: &Tree, id: ego_tree::NodeId) -> bool {
    tree.get(id).is_some_and(|node| matches!(node.value(), Node::Element(_)))
}

fn json_path(text: &str, limits: &Limits) {
    let document = json!({"a": [1, 2.5, "b", null, {"b": "c.d", "e": [[], {}]}], "b": {"a": true}});
    let Ok(path) = JsonPath::parse(text, limits) else { return };
    let found = path.find(&document, limits);
    assert_eq!(found, path.find(&document, limits), "the same document, the same values");
    assert!(found.iter().all(|found| found.len() <= limits.results_max), "results_max holds");
}
