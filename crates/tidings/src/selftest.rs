//! `tidings selftest --jsonl`: what the server's own readers and selectors answer to other
//! projects' cases, one JSON request a line.

mod feed;
mod filter;
mod lines;
mod markup;

use crate::commands::Exit;
use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use page::{Hints, Tree, View, XmlNames};
use select::{Css, JsonPath, Language, Limits, Markup, Region};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Answers the requests of standard input, each with its line, in their order.
pub fn run() -> Result<Exit> {
    let (input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    for line in input.lines() {
        writeln!(output, "{}", answer(&line?))?;
        output.flush()?;
    }
    Ok(Exit::Done)
}

/// The answer to one line: what was found, or why nothing was.
fn answer(line: &str) -> Value {
    let request: Value = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return json!({"id": null, "error": format!("the line is no JSON: {error}")}),
    };
    let answered = match request["op"].as_str() {
        Some("css") => css(&request),
        Some("jsonpath") => json_path(&request),
        Some("xml") => xml(&request),
        Some("feed") => feed(&request),
        Some("filter") => filter::filter(&request),
        Some(op) => {
            Err(format!("`{op}` is not supported; css, jsonpath, filter, feed and xml are"))
        }
        None => Err("the request has no `op`".to_owned()),
    };
    let mut answer = answered.unwrap_or_else(|error| json!({ "error": error }));
    answer["id"] = request["id"].clone();
    answer
}

type Answered = Result<Value, String>;

fn text<'r>(request: &'r Value, field: &str) -> Result<&'r str, String> {
    request[field].as_str().ok_or_else(|| format!("the request has no text `{field}`"))
}

fn sentence(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The ids of the elements that a CSS selector finds.
fn css(request: &Value) -> Answered {
    let limits = Limits::default();
    let css = Css::parse(text(request, "selector")?, &limits).map_err(sentence)?;
    let (written, reading) = (text(request, "markup")?, page::Limits::default());
    let (html, is_html) = match request["parser"].as_str() {
        Some("xml") => (Tree::xml(written, &reading).map_err(sentence)?, false),
        _ => (Tree::html(written, &reading), true),
    };
    let (Tree::Html(html) | Tree::Xml(html)) = html else {
        return Err("the document is no markup".to_owned());
    };
    let found = css.find(&Markup { tree: &html.tree, is_html }, &limits).map_err(sentence)?;
    let elements = found.iter().filter_map(|id| html.tree.get(*id)?.value().as_element());
    let ids: Vec<&str> = elements.filter_map(|element| element.attr("id")).collect();
    Ok(json!({ "ids": ids }))
}

/// The values that a JSONPath query finds.
fn json_path(request: &Value) -> Answered {
    let limits = Limits::default();
    let path = JsonPath::parse(text(request, "selector")?, &limits).map_err(sentence)?;
    let found = path.find(&request["document"], &limits).map_err(sentence)?;
    Ok(json!({ "result": found }))
}

fn body(request: &Value) -> Result<Vec<u8>, String> {
    STANDARD.decode(text(request, "input_b64")?).map_err(sentence)
}

/// Whether a document is well-formed XML.
fn xml(request: &Value) -> Answered {
    let names = match request["namespaces"].as_bool() {
        Some(false) => XmlNames::Plain,
        _ => XmlNames::InNamespaces,
    };
    let checked = page::well_formed(&body(request)?, names, &page::Limits::default());
    Ok(match checked {
        Ok(()) => json!({ "wellformed": true }),
        Err(error) => json!({ "wellformed": false, "reason": error.to_string() }),
    })
}

/// What the server reads of a feed, in feedparser's names.
fn feed(request: &Value) -> Answered {
    let (body, around) = (body(request)?, feed::Around::of(request));
    if body.trim_ascii_start().starts_with(b"{") {
        return json_feed(&body, &around);
    }
    let (encoding, is_contradicted) = feed::encoding(&body, around.content_type);
    let (limits, url) = (page::Limits::default(), around.base());
    let hints = Hints { content_type: around.content_type, url: &url };
    let is_sound = page::well_formed(&body, XmlNames::InNamespaces, &limits).is_ok();
    let is_sent_so = around.content_type.is_none_or(feed::is_of_feeds);
    let is_odd = !is_sound || is_contradicted || !is_sent_so;
    let mut answer = match page::feed(&body, &hints, &limits) {
        Ok(said) => json!({ "parsed": feed::parsed(&said, &body) }),
        Err(error) => {
            json!({ "parsed": { "feed": {}, "entries": [] }, "reason": error.to_string() })
        }
    };
    answer["parsed"]["encoding"] = encoding.into();
    answer["parsed"]["bozo"] = is_odd.into();
    Ok(answer)
}

/// What the server reads of a JSON Feed: its title, and of each entry what sentinels see.
fn json_feed(body: &[u8], around: &feed::Around<'_>) -> Answered {
    let (limits, url) = (page::Limits::default(), around.base());
    let hints = Hints { content_type: around.content_type, url: &url };
    let entries = View::of(&Region::of(Language::Items, ""));
    let encoding = page::encoding(body, around.content_type).to_ascii_lowercase();
    let mut parsed = json!({ "feed": {}, "entries": [], "encoding": encoding, "bozo": false });
    let mut read = match page::extract(body, &hints, &limits, [View::Page, entries.clone()]) {
        Ok(read) => read,
        Err(error) => return Ok(json!({ "parsed": parsed, "reason": error.to_string() })),
    };
    let items = read.remove(&entries).map(|read| read.items).unwrap_or_default();
    let items = items.into_iter().map(|item| {
        let page::Item { id, title, href, text, .. } = item;
        json!({ "id": id, "title": title, "link": href, "summary": text })
    });
    parsed["entries"] = items.collect();
    parsed["feed"]["title"] = read.remove(&View::Page).and_then(|whole| whole.title).into();
    Ok(json!({ "parsed": parsed }))
}

#[cfg(test)]
mod suites;

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(request: &Value) -> Value {
        answer(&request.to_string())
    }

    #[test]
    fn each_request_is_answered_with_its_id() {
        let css = json!({"id": "a", "op": "css", "selector": "p:not(.x)",
            "markup": "<p id=1 class=x><p id=2>", "parser": "html"});
        assert_eq!(answered(&css), json!({"id": "a", "ids": ["2"]}));
        let path = json!({"id": "b", "op": "jsonpath", "selector": "$.a[-1]",
            "document": {"a": [1, 2]}});
        assert_eq!(answered(&path), json!({"id": "b", "result": [2]}));
        let xml = json!({"id": "c", "op": "xml", "input_b64": STANDARD.encode("<a><b></a>")});
        assert_eq!(answered(&xml)["wellformed"], false);
        let rss = "<rss version='2.0'><channel><title>News</title><item><guid>7</guid>\
            <title>One</title><link>https://a.example/1</link></item></channel></rss>";
        let feed = json!({"id": "e", "op": "feed", "input_b64": STANDARD.encode(rss)});
        let parsed = &answered(&feed)["parsed"];
        assert_eq!((&parsed["feed"]["title"], &parsed["bozo"]), (&json!("News"), &json!(false)));
        let entry = &parsed["entries"][0];
        let found = [&entry["id"], &entry["title"], &entry["link"], &parsed["version"]];
        assert_eq!(found, ["7", "One", "https://a.example/1", "rss20"]);
        let xml = json!({"id": "d", "op": "xml", "input_b64": STANDARD.encode("<a><b/></a>")});
        assert_eq!(answered(&xml), json!({"id": "d", "wellformed": true}));
    }

    #[test]
    fn a_filter_is_a_selector_that_prints_what_it_finds() {
        let input = "<div>foo</div>\n<div id=bar>b<i>a</i>r</div>";
        let output = |filter: Value| {
            answered(&json!({"id": 1, "op": "filter", "filter": filter, "input": input}))
        };
        let found = output(json!("xpath://div[1]/text() | //div[2]/@id"));
        assert_eq!(found["output"], "foo\nbar");
        let found = output(json!([{"css": {"selector": "div, i", "skip": 1, "maxitems": 1}}]));
        assert_eq!(found["output"], "<div id=\"bar\">b<i>a</i>r</div>\n");
        let found = output(json!([{"css": "div"}, {"xpath": "count(//i)"}]));
        assert_eq!(found["output"], "1");
        let found = output(json!([{"css": {"selector": "#bar", "exclude": "i"}}]));
        assert_eq!(found["output"], "<div id=\"bar\">br</div>\n");
        let found = output(json!([{"element-by-tag": "div"}, "html2text", "reverse"]));
        assert_eq!(found["output"], "bar\nfoo");
        let refused = output(json!([{"css": {"selector": "div", "method": "xml"}}]));
        assert!(refused["error"].as_str().unwrap().contains("`method` of"));
        assert!(output(json!(["ocr"]))["error"].as_str().unwrap().contains("`ocr`"));
    }

    #[test]
    fn what_is_wrong_or_not_supported_is_answered_with_a_sentence() {
        let robots = json!({"id": 1, "op": "robots"});
        let said = "`robots` is not supported; css, jsonpath, filter, feed and xml are";
        assert_eq!(answered(&robots), json!({"id": 1, "error": said}));
        let wrong = json!({"id": 2, "op": "jsonpath", "selector": "a", "document": {}});
        assert!(answered(&wrong)["error"].as_str().unwrap().contains("begins with `$`"));
        assert!(answer("{").get("error").is_some());
    }
}
