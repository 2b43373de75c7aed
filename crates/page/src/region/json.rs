//! Regions of JSON, and of JSON that a page embeds.

use super::{Missing, compiled, elements, json_found, wrong_kind};
use crate::gather::{Gather, collapse};
use crate::view::Document;
use crate::{Extract, Kind};
use ego_tree::NodeRef;
use rustc_hash::FxHashSet;
use scraper::Node;
use select::{Compiled, JsonPath, Markup, Region, Selector, Side};
use serde_json::Value;

/// Values are told apart by where they are, not by what they are.
type Place = *const Value;

/// What scopes leave of a document.
struct Bounds {
    inside: Vec<FxHashSet<Place>>,
    outside: FxHashSet<Place>,
}

impl Bounds {
    fn of(region: &Region, root: &Value, document: &Document<'_>) -> Result<Bounds, Missing> {
        let mut bounds = Bounds { inside: Vec::new(), outside: FxHashSet::default() };
        for (side, selector) in region.scopes() {
            let Compiled::JsonPath(path) = compiled(selector)? else {
                return Err(wrong_kind(selector, document));
            };
            let places = json_found(selector, &path, root)?;
            let places = places.into_iter().map(std::ptr::from_ref);
            match side {
                Side::Outside => bounds.outside.extend(places),
                Side::Inside => {
                    let places: FxHashSet<Place> = places.collect();
                    if places.is_empty() {
                        return Err(format!("{selector} finds nothing"));
                    }
                    bounds.inside.push(places);
                }
            }
        }
        Ok(bounds)
    }

    fn is_open(&self) -> bool {
        self.inside.is_empty() && self.outside.is_empty()
    }
}

/// The leaves that scopes leave, one block for each: `path: value`.
pub(super) fn scoped(
    region: &Region,
    root: &Value,
    document: &Document<'_>,
) -> Result<Extract, Missing> {
    let bounds = Bounds::of(region, root, document)?;
    let mut gather = Gather::new(Kind::Json, document.limits);
    let mut depths = vec![0; bounds.inside.len()];
    descend(root, &bounds, &mut depths, &mut String::new(), &mut |path, value| {
        let Some(text) = leaf(value) else { return };
        let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
        gather.block(&(path + &text));
    });
    Ok(gather.finish())
}

/// Shows every value that the bounds leave, with its path. As deep as the parser allows.
fn descend(
    value: &Value,
    bounds: &Bounds,
    depths: &mut Vec<u32>,
    path: &mut String,
    see: &mut dyn FnMut(&str, &Value),
) {
    let place = std::ptr::from_ref(value);
    if bounds.outside.contains(&place) {
        return;
    }
    let count = |depths: &mut Vec<u32>, by: i32| {
        for (places, depth) in bounds.inside.iter().zip(depths) {
            if places.contains(&place) {
                *depth = depth.saturating_add_signed(by);
            }
        }
    };
    count(depths, 1);
    if depths.iter().all(|&depth| depth > 0) {
        see(path, value);
    }
    let length = path.len();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                descend(item, bounds, depths, path, see);
                path.truncate(length);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                crate::json::push_key(path, key);
                descend(member, bounds, depths, path, see);
                path.truncate(length);
            }
        }
        _ => {}
    }
    count(depths, -1);
}

/// The text of a value without members.
fn leaf(value: &Value) -> Option<String> {
    match value {
        Value::Array(items) => items.is_empty().then(|| "[]".to_owned()),
        Value::Object(members) => members.is_empty().then(|| "{}".to_owned()),
        other => Some(text(other)),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => collapse(text),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (None, None, Some(number)) => number.to_string(),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// The texts of what a path finds within the bounds.
pub(super) fn pointed(
    selector: &Selector,
    path: &JsonPath,
    region: &Region,
    root: &Value,
    document: &Document<'_>,
) -> Result<Vec<String>, Missing> {
    let bounds = Bounds::of(region, root, document)?;
    let mut found = json_found(selector, path, root)?;
    if !bounds.is_open() {
        let mut left = FxHashSet::default();
        let mut depths = vec![0; bounds.inside.len()];
        descend(root, &bounds, &mut depths, &mut String::new(), &mut |_, value| {
            left.insert(std::ptr::from_ref(value));
        });
        found.retain(|value| left.contains(&std::ptr::from_ref::<Value>(value)));
    }
    let room = document.limits.text_bytes_max;
    within(selector, found.into_iter().map(text), room)
}

/// The texts of what a path finds from each object of JSON-LD: each document, each member of a
/// document that is a list, and each member of an `@graph`.
pub(super) fn linked(
    selector: &Selector,
    path: &JsonPath,
    markup: &Markup<'_>,
    holds: impl Fn(NodeRef<'_, Node>) -> bool,
) -> Result<Vec<String>, Missing> {
    let is_linked = |kind: &str| {
        let essence = kind.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("application/ld+json")
    };
    let scripts = elements(markup, "script")
        .filter(|(node, script)| script.attr("type").is_some_and(is_linked) && holds(*node));
    let source = |(node, _): (NodeRef<'_, Node>, _)| {
        let texts = node.children().filter_map(|child| Some(&*child.value().as_text()?.text));
        texts.collect::<String>()
    };
    let documents: Vec<Value> = scripts
        .map(source)
        .filter_map(|text| serde_json::from_str(unwrapped(&text)).ok())
        .collect();
    let mut found: Vec<&Value> = Vec::new();
    let mut seen: FxHashSet<Place> = FxHashSet::default();
    for object in documents.iter().flat_map(objects) {
        let more = json_found(selector, path, object)?;
        found.extend(more.into_iter().filter(|value| seen.insert(std::ptr::from_ref(value))));
    }
    within(selector, found.into_iter().map(text), crate::Limits::default().text_bytes_max)
}

/// What a script says without the marks that hide it from readers of old: comments and CDATA.
fn unwrapped(script: &str) -> &str {
    const OPEN: [&str; 5] = ["<!--", "<![CDATA[", "//", "/*", "*/"];
    const CLOSE: [&str; 5] = ["-->", "]]>", "//", "/*", "*/"];
    let mut text = script.trim();
    while let Some(rest) = OPEN.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    while let Some(rest) = CLOSE.iter().find_map(|mark| text.strip_suffix(mark)) {
        text = rest.trim_end();
    }
    text
}

fn objects(document: &Value) -> Vec<&Value> {
    let tops: Vec<&Value> = match document {
        Value::Array(members) => members.iter().collect(),
        other => vec![other],
    };
    let graphs = tops.iter().filter_map(|top| top.get("@graph")?.as_array()).flatten();
    let graphs: Vec<&Value> = graphs.collect();
    tops.into_iter().chain(graphs).filter(|value| value.is_object()).collect()
}

fn within(
    selector: &Selector,
    texts: impl Iterator<Item = String>,
    room: usize,
) -> Result<Vec<String>, Missing> {
    let (mut list, mut bytes) = (Vec::new(), 0);
    for text in texts {
        bytes += text.len();
        if bytes + 4 > room {
            return Err(format!("{selector} finds too much text here; point at less"));
        }
        list.push(text);
    }
    Ok(list)
}
