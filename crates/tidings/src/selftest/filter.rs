//! Filters as urlwatch writes them: those that are a selector.

use super::{Answered, sentence};
use page::Tree;
use scraper::{ElementRef, Html, Node};
use select::{Css, Found, Limits, Markup, Part, XPath};
use serde_json::{Value, json};

/// What is left of a page after filters.
pub(super) fn filter(request: &Value) -> Answered {
    let mut output = super::text(request, "input")?.to_owned();
    for step in steps(&request["filter"])? {
        output = step.of(&output)?;
    }
    Ok(json!({ "output": output }))
}

/// One filter: `css` or `xpath`, and which of its results to print.
struct Step {
    kind: String,
    selector: String,
    /// What is taken out of the page first.
    exclude: Option<String>,
    skip: usize,
    max: usize,
}

fn steps(written: &Value) -> Result<Vec<Step>, String> {
    match written {
        Value::String(text) => {
            let (kind, selector) = text.split_once(':').unwrap_or((text, ""));
            Ok(vec![Step::of_settings(kind, &json!(selector))?])
        }
        Value::Array(steps) => steps.iter().map(Step::read).collect(),
        _ => Err("a filter is a text or a list".to_owned()),
    }
}

impl Step {
    fn read(written: &Value) -> Result<Step, String> {
        let named = written.as_object().and_then(|members| members.iter().next());
        match (written, named) {
            (Value::String(kind), _) => Step::of_settings(kind, &Value::Null),
            (_, Some((kind, settings))) => Step::of_settings(kind, settings),
            _ => Err("a filter has a name".to_owned()),
        }
    }

    fn of_settings(kind: &str, settings: &Value) -> Result<Step, String> {
        let field = match kind {
            "css" => "selector",
            "xpath" => "path",
            _ => return Err(format!("the filter `{kind}` is not supported; css and xpath are")),
        };
        let known = [field, "exclude", "skip", "maxitems"];
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
            max: count("maxitems").filter(|max| *max > 0).unwrap_or(usize::MAX),
        })
    }

    fn of(&self, input: &str) -> Result<String, String> {
        let Tree::Html(mut html) = Tree::html(input, &page::Limits::default()) else {
            return Err("the input is no markup".to_owned());
        };
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
        let shown = parts.iter().skip(self.skip).take(self.max);
        let shown: Vec<String> = shown.filter_map(|part| printed(&html, *part)).collect();
        Ok(shown.join("\n"))
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
