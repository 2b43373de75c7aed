//! Filters as urlwatch writes them: selectors here, lines and patterns in `lines`.

use super::{Answered, lines, sentence};
use page::Tree;
use scraper::{ElementRef, Html, Node};
use select::{Css, Found, Limits, Markup, Part, XPath};
use serde_json::{Value, json};

/// What is left of a page after filters.
pub(super) fn filter(request: &Value) -> Answered {
    let mut output = super::text(request, "input")?.to_owned();
    for (kind, settings) in steps(&request["filter"])? {
        output = match lines::of(kind, &settings, &output) {
            Some(filtered) => filtered?,
            None => marked_up(kind, &settings, &output)?,
        };
    }
    Ok(json!({ "output": output }))
}

/// What a filter makes of markup.
fn marked_up(kind: &str, settings: &Value, input: &str) -> Result<String, String> {
    let named = settings.as_str().or_else(|| {
        settings.as_object().and_then(|members| members.values().next()).and_then(Value::as_str)
    });
    match (kind, named) {
        ("html2text", _) => text_of(input),
        ("element-by-tag", Some(name)) => outermost(name, input),
        ("element-by-id" | "element-by-class" | "element-by-style", Some(value)) => {
            let attribute = kind.trim_start_matches("element-by-");
            outermost(&format!("[{attribute}={}]", json!(value)), input)
        }
        _ => Step::of_settings(kind, settings)?.of(input),
    }
}

/// The tree of a page. What stands behind its body, a line's end as a rule, is no part of that:
/// the HTML parser puts it there.
fn tree(input: &str) -> Result<Html, String> {
    let end = input.rfind("</body>").unwrap_or(input.len());
    match Tree::html(&input[..end], &page::Limits::default()) {
        Tree::Html(html) => Ok(html),
        _ => Err("the input is no markup".to_owned()),
    }
}

/// The elements that a selector finds, without those inside others of them.
fn outermost(selector: &str, input: &str) -> Result<String, String> {
    let html = tree(input)?;
    let (markup, limits) = (Markup { tree: &html.tree, is_html: true }, Limits::default());
    let found = Css::parse(selector, &limits).map_err(sentence)?;
    let found = found.find(&markup, &limits).map_err(sentence)?;
    let is_inside = |id| {
        let node = html.tree.get(id).into_iter();
        node.flat_map(|node| node.ancestors()).any(|above| found.contains(&above.id()))
    };
    let shown = found.iter().filter(|id| !is_inside(**id));
    Ok(shown.filter_map(|id| Some(ElementRef::wrap(html.tree.get(*id)?)?.html())).collect())
}

/// What a page shows, a block a line.
fn text_of(input: &str) -> Result<String, String> {
    let url = super::feed::Around::of(&Value::Null).base();
    let hints = page::Hints { content_type: Some("text/html"), url: &url };
    let read = page::read(input.as_bytes(), &hints, &page::Limits::default()).map_err(sentence)?;
    Ok(read.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n"))
}

/// `css` or `xpath`, and which of its results to print.
struct Step {
    kind: String,
    selector: String,
    /// What is taken out of the page first.
    exclude: Option<String>,
    skip: usize,
    max: usize,
    is_sorted: bool,
}

/// Each filter's name and settings.
fn steps(written: &Value) -> Result<Vec<(&str, Value)>, String> {
    match written {
        Value::String(text) => {
            let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
            let settings = Some(settings).filter(|settings| !settings.is_empty());
            Ok(vec![(kind, settings.map_or(Value::Null, |settings| json!(settings)))])
        }
        Value::Array(steps) => steps.iter().map(step).collect(),
        _ => Err("a filter is a text or a list".to_owned()),
    }
}

/// One of a list: a name, or a name and its settings.
fn step(written: &Value) -> Result<(&str, Value), String> {
    let named = written.as_object().and_then(|members| members.iter().next());
    match (written, named) {
        (Value::String(kind), _) => Ok((kind, Value::Null)),
        (_, Some((kind, settings))) => Ok((kind, settings.clone())),
        _ => Err("a filter has a name".to_owned()),
    }
}

impl Step {
    fn of_settings(kind: &str, settings: &Value) -> Result<Step, String> {
        let field = match kind {
            "css" => "selector",
            "xpath" => "path",
            _ => return Err(format!("the filter `{kind}` is not supported")),
        };
        let known = [field, "exclude", "skip", "maxitems", "sort"];
        let mut keys = settings.as_object().into_iter().flat_map(|members| members.keys());
        if let Some(key) = keys.find(|key| !known.contains(&key.as_str())) {
            return Err(format!("`{key}` of the filter `{kind}` is not supported"));
        }
        let selector = settings.as_str().or_else(|| settings[field].as_str());
        let selector = selector.ok_or_else(|| format!("the filter `{kind}` has no `{field}`"))?;
        let count =
            |key: &str| settings[key].as_u64().and_then(|count| usize::try_from(count).ok());
        Ok(Step {
            kind: kind.to_owned(),
            selector: selector.to_owned(),
            exclude: settings["exclude"].as_str().map(str::to_owned),
            skip: count("skip").unwrap_or(0),
            is_sorted: settings["sort"] == Value::Bool(true),
            max: count("maxitems").filter(|max| *max > 0).unwrap_or(usize::MAX),
        })
    }

    fn of(&self, input: &str) -> Result<String, String> {
        let mut html = tree(input)?;
        let excluded = match &self.exclude {
            Some(selector) => self.places(selector, &html)?,
            None => Found::Places(Vec::new()),
        };
        if let Found::Places(parts) = excluded {
            for part in parts.iter().filter(|part| part.attribute.is_none()) {
                html.tree.get_mut(part.node).expect("a node of this tree").detach();
            }
        }
        let parts = match self.places(&self.selector, &html)? {
            Found::Places(parts) => parts,
            Found::Value(value) => return Ok(value),
        };
        let shown = parts.iter().filter_map(|part| printed(&html, *part));
        let mut shown: Vec<String> = shown.collect();
        if self.is_sorted {
            shown.sort();
        }
        Ok(shown.into_iter().skip(self.skip).take(self.max).collect::<Vec<_>>().join("\n"))
    }

    /// What a selector of this filter's language finds.
    fn places(&self, selector: &str, html: &Html) -> Result<Found, String> {
        let (markup, limits) = (Markup { tree: &html.tree, is_html: true }, Limits::default());
        if self.kind == "xpath" {
            let xpath = XPath::parse(selector, &limits).map_err(sentence)?;
            return xpath.find(&markup, &limits).map_err(sentence);
        }
        let css = Css::parse(selector, &limits).map_err(sentence)?;
        let nodes = css.find(&markup, &limits).map_err(sentence)?;
        let parts = nodes.into_iter().map(|node| Part { node, attribute: None });
        Ok(Found::Places(parts.collect()))
    }
}

/// A place as markup on lines of its own, or as text.
fn printed(html: &Html, part: Part) -> Option<String> {
    let node = html.tree.get(part.node)?;
    match (node.value(), part.attribute) {
        (Node::Element(element), Some(index)) => {
            element.attrs.get(index as usize).map(|(_, value)| value.to_string())
        }
        (Node::Text(text), _) => Some(text.to_string()),
        (Node::Comment(comment), _) => Some(comment.to_string()),
        _ => Some(ElementRef::wrap(node)?.html() + "\n"),
    }
}
