//! Distill: its watchlist as JSON. Written from its documentation and from exports that people
//! published; not from the program.

use crate::addresses::{is_address, refused};
use crate::fields::{number, text};
use crate::{Entry, Import, Left, Part, Selector, Tool, Wish};
use serde_json::Value;
use std::borrow::Cow;

/// How a sieve that is switched on is marked.
const STATE_ON: f64 = 40.0;

pub(crate) fn read(value: &Value) -> Option<Import> {
    let sieves = value["data"].as_array()?;
    if !sieves.iter().all(|sieve| sieve.get("uri").is_some()) {
        return None;
    }
    let entries = sieves.iter().zip(1..).map(|(sieve, number)| entry(sieve, number)).collect();
    Some(Import { tool: Tool::Distill, entries })
}

fn entry(sieve: &Value, position: usize) -> Entry {
    let place = format!("monitor {position}");
    let url = text(sieve, "uri").unwrap_or_default();
    if !is_address(url) {
        return Entry { place, wish: None, left: vec![refused(url)] };
    }
    let mut wish = Wish::of(url);
    if let Some(name) = text(sieve, "name") {
        wish.name = name.to_owned();
    }
    if let Some(state) = number(&sieve["state"]) {
        wish.enabled = state == STATE_ON;
    }
    let tags = text(sieve, "tags").unwrap_or_default();
    wish.tags =
        tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
    let mut left = Vec::new();
    period(&inner(sieve, "schedule"), &mut wish, &mut left);
    selections(&inner(sieve, "config"), &mut wish, &mut left);
    let rules = inner(sieve, "rules");
    if rules.as_object().is_some_and(|rules| !rules.is_empty())
        || rules.as_array().is_some_and(|rules| !rules.is_empty())
    {
        left.push(Left::new("conditions", "`matching`, keywords, and tests of `value of`"));
    }
    if inner(sieve, "actions").as_array().is_some_and(|actions| !actions.is_empty()) {
        left.push(Left::new("actions", "configure a channel, and name it: `notify by NAME`"));
    }
    Entry { place, wish: Some(wish), left }
}

/// A field that is JSON itself, or holds it as text.
fn inner<'v>(sieve: &'v Value, name: &str) -> Cow<'v, Value> {
    match &sieve[name] {
        Value::String(text) => Cow::Owned(serde_json::from_str(text).unwrap_or(Value::Null)),
        value => Cow::Borrowed(value),
    }
}

fn period(schedule: &Value, wish: &mut Wish, left: &mut Vec<Left>) {
    let interval = number(&schedule["params"]["interval"]).filter(|seconds| *seconds >= 1.0);
    match (text(schedule, "type"), interval) {
        (Some("INTERVAL") | None, Some(seconds)) => {
            wish.every_seconds = Some(seconds.min(1e9) as u64);
        }
        (None | Some("MANUAL" | "INTERVAL"), None) => {}
        (Some(kind), _) => left.push(Left::new(
            format!("the schedule `{kind}`"),
            "`fetch every D`, with a clock in `from`",
        )),
    }
}

fn selections(config: &Value, wish: &mut Wish, left: &mut Vec<Left>) {
    let listed = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for selection in listed(&config["selections"]) {
        for frame in listed(&selection["frames"]) {
            if number(&frame["index"]).is_some_and(|index| index != 0.0) {
                left.push(Left::new("a part inside a frame", "watch the frame's own address"));
                continue;
            }
            for include in listed(&frame["includes"]) {
                wish.parts.extend(selector(&include, left).map(Part::Text));
            }
            for exclude in listed(&frame["excludes"]) {
                wish.outside.extend(selector(&exclude, left));
            }
        }
        if selection["dynamic"] == Value::Bool(true) {
            left.push(Left::new(
                "rendering in a browser",
                "Tidings reads what the server sends; watch the feed or API behind the page",
            ));
        }
    }
    if matches!(text(config, "dataAttr"), Some(kept) if kept != "text") {
        left.push(Left::new("an attribute instead of the text", "`links` and `images`"));
    }
    if let Some(expression) = text(&config["regexp"], "expr") {
        wish.matching.push(expression.to_owned());
    }
    left.dedup();
}

fn selector(written: &Value, left: &mut Vec<Left>) -> Option<Selector> {
    let expression = text(written, "expr")?;
    match text(written, "type") {
        Some("xpath") => Some(Selector::new("xpath", expression)),
        Some("css") | None => Some(Selector::new("css", expression)),
        Some(kind) => {
            left.push(Left::new(format!("a selector of the kind `{kind}`"), "CSS or XPath"));
            None
        }
    }
}
