//! changedetection.io: watches of a backup, or answers of its API.

use crate::addresses::{is_address, refused};
use crate::fields::{is_set, number, text, texts};
use crate::{Entry, Import, Kept, Left, Part, Selector, Tool, Wish};
use serde_json::{Map, Value};

/// Reads a whole store (`watching` beside `settings`), a map of watches by id, or one watch.
pub(crate) fn read(value: &Value) -> Option<Import> {
    let alone = Map::from_iter([(String::new(), value.clone())]);
    let watches = match value.get("watching").and_then(Value::as_object) {
        Some(watches) => watches,
        None if value["url"].is_string() && value.get("uuid").is_some() => &alone,
        None => value.as_object().filter(|map| {
            !map.is_empty() && map.values().all(|watch| watch.get("url").is_some())
        })?,
    };
    let settings = &value["settings"];
    let entries = watches.iter().map(|(id, watch)| entry(id, watch, settings)).collect();
    Some(Import { tool: Tool::Changedetection, entries })
}

fn entry(id: &str, watch: &Value, settings: &Value) -> Entry {
    let id = text(watch, "uuid").unwrap_or(id);
    let place = format!("watch {}", id.chars().take(8).collect::<String>());
    let written = text(watch, "url").unwrap_or_default();
    // A `source:` in front asks for the markup instead of the text.
    let url = written.strip_prefix("source:").unwrap_or(written);
    if !is_address(url) {
        return Entry { place, wish: None, left: vec![refused(url)] };
    }
    let mut reading = Reading { watch, wish: Wish::of(url), left: Vec::new() };
    if url != written {
        reading.leave("the markup of the page (source:)", "Tidings compares what a reader sees");
    }
    if url.contains("{{") || url.contains("{%") {
        reading.leave("a template in the address", "write the address that it stands for");
    }
    reading.names(settings);
    reading.times(settings);
    reading.parts();
    reading.filters();
    reading.requests();
    let Reading { wish, left, .. } = reading;
    Entry { place, wish: Some(wish), left }
}

/// A watch on its way to a wish.
struct Reading<'v> {
    watch: &'v Value,
    wish: Wish,
    left: Vec<Left>,
}

impl Reading<'_> {
    fn leave(&mut self, what: impl Into<String>, nearest: impl Into<String>) {
        self.left.push(Left::new(what, nearest));
    }

    fn names(&mut self, settings: &Value) {
        let title = text(self.watch, "title").or_else(|| text(self.watch, "page_title"));
        if let Some(title) = title {
            self.wish.name = title.to_owned();
        }
        self.wish.enabled = !is_set(self.watch, "paused");
        let (tags, mut unnamed) = (&settings["application"]["tags"], 0);
        for id in texts(self.watch, "tags") {
            let tag = &tags[&id];
            let Some(title) = text(tag, "title") else {
                unnamed += 1;
                continue;
            };
            self.wish.tags.push(title.to_owned());
            if is_set(tag, "notification_urls") {
                self.leave(
                    format!("notification addresses of the group `{title}`"),
                    "configure a channel, and name it: `notify by NAME`",
                );
            }
            let filters = ["include_filters", "subtractive_selectors", "ignore_text"];
            if is_set(tag, "overrides_watch") && filters.iter().any(|name| is_set(tag, name)) {
                self.leave(
                    format!("filters of the group `{title}`"),
                    "write them in each sentinel, or let it inherit one: `using NAME`",
                );
            }
        }
        if unnamed > 0 {
            self.leave("groups that the file does not name", "a backup has their names");
        }
        if self.watch.get("include_filters").is_none() {
            self.leave(
                "filters: the file holds none for any watch",
                "a backup has them, and so has the API's answer for one watch",
            );
        }
        // Until version 0.45 tags were a text.
        if let Some(tags) = text(self.watch, "tag") {
            let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty());
            self.wish.tags.extend(tags.map(str::to_owned));
        }
        self.wish.tags.dedup();
    }

    fn times(&mut self, settings: &Value) {
        let own = &self.watch["time_between_check"];
        let uses_default = self.watch["time_between_check_use_default"].as_bool();
        let seconds = seconds(own);
        if seconds > 0 && uses_default != Some(true) {
            self.wish.every_seconds = Some(seconds);
        }
        if is_set(&self.watch["time_schedule_limit"], "enabled")
            || is_set(&settings["requests"]["time_schedule_limit"], "enabled")
        {
            self.leave("hours in which it is checked", "`fetch every 1 day` with `from` a clock");
        }
    }

    fn parts(&mut self) {
        let (mut css, mut xpath, mut json) = (Vec::new(), Vec::new(), Vec::new());
        for filter in texts(self.watch, "include_filters") {
            match prefixed(&filter) {
                ("json", path) => json.push(path.to_owned()),
                ("xpath" | "xpath1", path) => xpath.push(path.to_owned()),
                ("css", selector) => css.push(selector.to_owned()),
                (_, program) => self.leave(
                    format!("the jq program `{program}`"),
                    "`text of jsonpath \"…\"` finds members of JSON",
                ),
            }
        }
        let parts = &mut self.wish.parts;
        if !css.is_empty() {
            parts.push(Part::Text(Selector::new("css", css.join(", "))));
        }
        if !xpath.is_empty() {
            parts.push(Part::Text(Selector::new("xpath", xpath.join(" | "))));
        }
        parts.extend(json.into_iter().map(|path| Part::Text(Selector::new("jsonpath", path))));
        for selector in texts(self.watch, "subtractive_selectors") {
            match prefixed(&selector) {
                ("xpath" | "xpath1", path) => {
                    self.wish.outside.push(Selector::new("xpath", path));
                }
                ("css", css) => self.wish.outside.push(Selector::new("css", css)),
                (_, path) => self.wish.outside.push(Selector::new("jsonpath", path)),
            }
        }
        if text(self.watch, "processor") == Some("restock_diff") {
            self.restock();
        }
    }

    /// Price and availability, from the data that shops put into their pages.
    fn restock(&mut self) {
        let own = ["restock_settings", "processor_config_restock_diff", "restock_diff"];
        let settings = own.iter().map(|name| &self.watch[*name]).find(|value| value.is_object());
        let settings = settings.unwrap_or(&Value::Null);
        let mut tests = Vec::new();
        let limits = [
            ("price_change_min", "<", ""),
            ("price_change_max", ">", ""),
            ("price_change_threshold_percent", "changes by", " %"),
        ];
        for (name, test, unit) in limits {
            if let Some(limit) = number(&settings[name]) {
                tests.push(format!("{test} {limit}{unit}"));
            }
        }
        let follows = settings["follow_price_changes"].as_bool().unwrap_or(true);
        let stock = text(settings, "in_stock_processing").unwrap_or("in_stock_only");
        if follows {
            self.wish.parts.push(Part::Value(Selector::new("jsonld", "$..price"), tests));
        }
        if stock != "off" || !follows {
            let availability = Selector::new("jsonld", "$..availability");
            self.wish.parts.push(Part::Text(availability));
        }
    }

    fn filters(&mut self) {
        for ignored in texts(self.watch, "ignore_text") {
            self.wish.ignoring.push(line_with(&ignored));
        }
        for trigger in texts(self.watch, "trigger_text") {
            self.wish.matching.push(expression(&trigger));
        }
        for kept in texts(self.watch, "extract_lines_containing") {
            self.wish.matching.push(expression(&kept));
        }
        for extracted in texts(self.watch, "extract_text") {
            self.leave(
                format!("only the text that `{extracted}` extracts is compared"),
                "`matching` keeps changes whose text matches, and is used here",
            );
            self.wish.matching.push(expression(&extracted));
        }
        let kinds = [
            ("filter_text_added", Kept::Added),
            ("filter_text_removed", Kept::Removed),
            ("filter_text_replaced", Kept::Updated),
        ];
        let kept = kinds.map(|(name, kind)| (self.watch[name] != Value::Bool(false), kind));
        if !kept.iter().all(|(yes, _)| *yes) {
            self.wish.kept = kept.iter().filter(|(yes, _)| *yes).map(|(_, kind)| *kind).collect();
        }
        let blocked = texts(self.watch, "text_should_not_be_present");
        if !blocked.is_empty() {
            self.leave(
                format!("nothing is told while the page holds {}", list(&blocked)),
                "`phrase \"…\" removed` tells that a text is gone",
            );
        }
        let others = [
            (
                "conditions",
                "conditions on what was extracted",
                "`value of css \"…\" < 40` tests a number; rules combine tests",
            ),
            (
                "check_unique_lines",
                "only lines that were never there before",
                "`added`; what comes and goes is learned and held back",
            ),
            (
                "sort_text_alphabetically",
                "sorting of lines",
                "what only moves is told as moved; `added` and `removed` leave it out",
            ),
            (
                "track_ldjson_price_data",
                "the price that the page gives to search engines",
                "`value of jsonld \"$..price\"`",
            ),
            ("llm_intent", "a description for a language model", "keywords or `matching`"),
        ];
        for (name, what, nearest) in others {
            if is_set(self.watch, name) {
                self.leave(what, nearest);
            }
        }
    }

    fn requests(&mut self) {
        let method = text(self.watch, "method").unwrap_or("GET");
        if method != "GET" || is_set(self.watch, "body") {
            self.leave(format!("the request by {method}"), "Tidings asks by GET");
        }
        if is_set(self.watch, "headers") {
            self.leave("headers of the request", "`https://user:password@host/` logs in");
        }
        if matches!(text(self.watch, "fetch_backend"), Some(backend)
            if backend != "system" && backend != "html_requests")
            || is_set(self.watch, "browser_steps")
            || is_set(self.watch, "webdriver_js_execute_code")
        {
            let what = match self.watch["browser_steps"].as_array() {
                Some(steps) if !steps.is_empty() => "rendering in a browser, and steps in it",
                _ => "rendering in a browser",
            };
            self.leave(
                what,
                "Tidings reads what the server sends; watch the feed or API behind the page",
            );
        }
        if is_set(self.watch, "proxy") {
            self.leave("a proxy", "none for single pages");
        }
        let channels = texts(self.watch, "notification_urls");
        if !channels.is_empty() {
            let count = channels.len();
            self.leave(
                format!("{count} notification address{}", if count == 1 { "" } else { "es" }),
                "configure a channel, and name it: `notify by NAME`",
            );
        }
    }
}

/// The length of a period in its parts.
fn seconds(parts: &Value) -> u64 {
    let units = [
        ("weeks", 604_800.0),
        ("days", 86_400.0),
        ("hours", 3_600.0),
        ("minutes", 60.0),
        ("seconds", 1.0),
    ];
    let seconds: f64 =
        units.iter().map(|(name, unit)| number(&parts[*name]).unwrap_or(0.0) * unit).sum();
    seconds.clamp(0.0, 1e9) as u64
}

/// The kind of a filter, and what follows it; CSS where it has none.
fn prefixed(filter: &str) -> (&str, &str) {
    for kind in ["xpath1", "xpath", "jsonraw", "json", "jqraw", "jq"] {
        if let Some(rest) = filter.strip_prefix(kind).and_then(|rest| rest.strip_prefix(':')) {
            return (if kind == "jsonraw" { "json" } else { kind }, rest);
        }
    }
    if filter.starts_with('/') { ("xpath", filter) } else { ("css", filter) }
}

/// A text or `/expression/flags` as a regular expression; texts are without case.
fn expression(written: &str) -> String {
    match perl(written) {
        Some((expression, flags)) if flags.is_empty() => expression.to_owned(),
        Some((expression, flags)) => format!("(?{flags}:{expression})"),
        None => format!("(?i:{})", regex::escape(written)),
    }
}

/// The lines that hold it.
fn line_with(written: &str) -> String {
    match perl(written) {
        Some(_) => expression(written),
        None => format!("(?im:^.*{}.*$)", regex::escape(written)),
    }
}

/// The parts of `/expression/flags`; unknown flags are dropped.
fn perl(written: &str) -> Option<(&str, String)> {
    let (expression, flags) = written.strip_prefix('/')?.rsplit_once('/')?;
    let known = flags.chars().all(|flag| flag.is_ascii_alphabetic());
    let flags = flags.chars().filter(|flag| matches!(flag, 'i' | 'm' | 's' | 'x')).collect();
    (known && !expression.is_empty()).then_some((expression, flags))
}

/// Texts as people list them.
fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    quoted.join(" or ")
}
