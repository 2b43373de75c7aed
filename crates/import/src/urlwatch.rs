//! urlwatch and webchanges: a YAML document a job.

use crate::addresses::{is_address, refused};
use crate::fields::{is_set, text, texts};
use crate::limits::{ENTRIES_MAX, YAML_NODES_MAX};
use crate::{Entry, Import, ImportError, Kept, Left, Part, Selector, Tool, Wish};
use serde_json::Value;

pub(crate) fn read(document: &str) -> Result<Import, ImportError> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_documents: ENTRIES_MAX + 1,
            max_nodes: YAML_NODES_MAX,
            max_events: 2 * YAML_NODES_MAX,
        },
    };
    let jobs: Vec<Value> = serde_saphyr::from_multiple_with_options(document, options)
        .map_err(|error| ImportError::Yaml(error.to_string()))?;
    let known = ["url", "navigate", "command"];
    if !jobs.iter().any(|job| known.iter().any(|key| job.get(key).is_some())) {
        return Err(ImportError::Unknown);
    }
    let jobs = jobs.iter().zip(1..).filter(|(job, _)| !job.is_null());
    let entries = jobs.map(|(job, number)| entry(job, number)).collect();
    Ok(Import { tool: Tool::Urlwatch, entries })
}

fn entry(job: &Value, number: usize) -> Entry {
    let place = format!("job {number}");
    if let Some(command) = text(job, "command") {
        let nearest = "Tidings runs no commands; put what it prints on a web server";
        let left = vec![Left::new(format!("the command `{command}`"), nearest)];
        return Entry { place, wish: None, left };
    }
    let url = text(job, "url").or_else(|| text(job, "navigate")).unwrap_or_default();
    if !is_address(url) {
        return Entry { place, wish: None, left: vec![refused(url)] };
    }
    let mut reading = Reading { wish: Wish::of(url), left: Vec::new() };
    reading.settings(job);
    for filter in filters(&job["filter"]).into_iter().chain(filters(&job["filters"])) {
        reading.filter(&filter.name, &filter.settings);
    }
    let Reading { wish, left } = reading;
    Entry { place, wish: Some(wish), left }
}

/// One step of a job's filter.
struct Filter {
    name: String,
    settings: Value,
}

/// The steps of a filter: a list of names and of maps with one key, or the older `name:value,name`.
fn filters(written: &Value) -> Vec<Filter> {
    let named = |name: &str, settings: Value| Filter { name: name.to_owned(), settings };
    match written {
        Value::String(text) => {
            let steps = text.split(',').map(|step| match step.split_once(':') {
                Some((name, value)) => named(name.trim(), Value::String(value.to_owned())),
                None => named(step.trim(), Value::Null),
            });
            steps.collect()
        }
        Value::Array(steps) => {
            let steps = steps.iter().flat_map(|step| match step {
                Value::Object(map) => {
                    map.iter().map(|(name, settings)| named(name, settings.clone())).collect()
                }
                Value::String(name) => vec![named(name, Value::Null)],
                other => vec![named(&other.to_string(), Value::Null)],
            });
            steps.collect()
        }
        Value::Object(map) => {
            map.iter().map(|(name, settings)| named(name, settings.clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// A job on its way to a wish.
struct Reading {
    wish: Wish,
    left: Vec<Left>,
}

/// What a job may ask for that has no place in a sentinel.
const SETTINGS: [(&[&str], &str, &str); 10] = [
    (
        &["navigate", "use_browser"],
        "rendering in a browser",
        "Tidings reads what the server sends; watch the feed or API behind the page",
    ),
    (&["data", "data_as_json", "method"], "a request other than GET", "Tidings asks by GET"),
    (
        &["headers", "cookies", "http_credentials"],
        "headers of the request",
        "`https://user:password@host/` logs in",
    ),
    (&["params"], "what is appended to the address", "write it into the address, behind a `?`"),
    (&["http_proxy", "https_proxy", "proxy"], "a proxy", "none for single pages"),
    (&["ssl_no_verify"], "certificates that are not checked", "Tidings always checks them"),
    (
        &["diff_filter", "diff_filters"],
        "a filter of the differences",
        "`added`, `removed` and `matching` choose among changes",
    ),
    (&["diff_tool", "differ"], "another way to compare", "Tidings compares by what a page holds"),
    (&["compared_versions"], "comparison with several versions", "`compare moving n`"),
    (&["treat_new_as_changed"], "a first look that is told", "the first look is the baseline"),
];

/// What is carried over, or says nothing about what is watched.
const CARRIED: [&str; 11] = [
    "url",
    "name",
    "tags",
    "enabled",
    "additions_only",
    "deletions_only",
    "filter",
    "filters",
    "kind",
    "index_number",
    "guid",
];

impl Reading {
    fn leave(&mut self, what: impl Into<String>, nearest: impl Into<String>) {
        self.left.push(Left::new(what, nearest));
    }

    fn settings(&mut self, job: &Value) {
        if let Some(name) = text(job, "name") {
            self.wish.name = name.to_owned();
        }
        self.wish.tags = texts(job, "tags");
        self.wish.enabled = job["enabled"] != Value::Bool(false);
        if is_set(job, "additions_only") {
            self.wish.kept = vec![Kept::Added];
        } else if is_set(job, "deletions_only") {
            self.wish.kept = vec![Kept::Removed];
        }
        for (keys, what, nearest) in SETTINGS {
            if keys.iter().any(|key| is_set(job, key)) {
                self.leave(what, nearest);
            }
        }
        let known = |key: &str| {
            CARRIED.contains(&key) || SETTINGS.iter().any(|(keys, ..)| keys.contains(&key))
        };
        let others = job.as_object().into_iter().flat_map(|job| job.keys());
        let others = others.filter(|key| !known(key) && is_set(job, key));
        let others: Vec<String> = others.map(|key| format!("`{key}`")).collect();
        if !others.is_empty() {
            self.leave(format!("of the job: {}", others.join(", ")), "none");
        }
    }

    fn filter(&mut self, name: &str, settings: &Value) {
        match name {
            "css" => self.selected("css", "selector", settings),
            "xpath" => self.selected("xpath", "path", settings),
            "jsonpath" => self.selected("jsonpath", "query", settings),
            "element-by-id" => self.element("id", settings, |id| format!("[id={id}]")),
            "element-by-class" => {
                self.element("class", settings, |class| format!("[class~={class}]"))
            }
            "element-by-style" => {
                self.element("style", settings, |style| format!("[style={style}]"))
            }
            "element-by-tag" => {
                if let Some(tag) = argument(settings, "tag") {
                    self.part(Selector::new("css", tag));
                }
            }
            "grep" | "keep_lines_containing" => self.lines(settings, true),
            "grepi" | "delete_lines_containing" => self.lines(settings, false),
            "re.sub" => self.substitution(settings),
            // What the text of a page or the members of JSON need no help for.
            "html2text"
            | "strip"
            | "striplines"
            | "strip_each_line"
            | "beautify"
            | "format-json"
            | "format-xml"
            | "pretty-xml"
            | "remove_repeated"
            | "remove-duplicate-lines"
            | "csv2text" => {}
            "pdf2text" => self.leave(
                "the filter `pdf2text`".to_owned(),
                "Tidings reads a PDF document as text where the program `pdftotext` is found",
            ),
            "sort" | "reverse" => self.leave(
                format!("the filter `{name}`"),
                "what only moves is told as moved; `added` and `removed` leave it out",
            ),
            "jq" => self.leave("the filter `jq`", "`text of jsonpath \"…\"` finds members of JSON"),
            "shellpipe" | "execute" => {
                self.leave(format!("the program of `{name}`"), "Tidings runs no programs");
            }
            other => self.leave(format!("the filter `{other}`"), "none"),
        }
    }

    fn selected(&mut self, kind: &'static str, key: &str, settings: &Value) {
        let Some(selector) = argument(settings, key) else { return };
        self.part(Selector::new(kind, selector));
        if let Some(excluded) = text(settings, "exclude") {
            self.wish.outside.push(Selector::new(kind, excluded));
        }
        for (name, instead) in [
            ("skip", "`:nth-child` or `[position()…]`"),
            ("maxitems", "`:nth-child` or `[position()…]`"),
            ("namespaces", "`xpath \"//*[local-name()='item']\"`"),
        ] {
            if is_set(settings, name) {
                self.leave(format!("`{name}` of the filter `{kind}`"), instead);
            }
        }
    }

    /// A job's filters work on what those before them found: a second selector looks into the first
    /// one's part.
    fn part(&mut self, selector: Selector) {
        if self.wish.parts.is_empty() {
            self.wish.parts.push(Part::Text(selector));
        } else {
            let written = selector.written;
            self.leave(
                format!("`{written}` within what the selector before it finds"),
                "one selector that says both, as `css \"#main .price\"`",
            );
        }
    }

    fn element(&mut self, key: &str, settings: &Value, css: impl Fn(&str) -> String) {
        if let Some(value) = argument(settings, key) {
            let quoted = format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
            self.part(Selector::new("css", css(&quoted)));
        }
    }

    /// Lines that are kept or dropped, by a text or an expression.
    fn lines(&mut self, settings: &Value, kept: bool) {
        let literal = text(settings, "text").map(regex::escape);
        let Some(expression) = literal.or_else(|| argument(settings, "re")) else { return };
        if kept {
            self.wish.matching.push(expression);
        } else {
            self.wish.ignoring.push(format!("(?m:^.*(?:{expression}).*$)"));
        }
    }

    fn substitution(&mut self, settings: &Value) {
        let Some(pattern) = argument(settings, "pattern") else { return };
        if text(settings, "repl").is_some() {
            self.leave(
                format!("the replacement of `{pattern}`"),
                "`ignoring` takes what matches away, and is used here",
            );
        }
        self.wish.ignoring.push(pattern);
    }
}

/// The argument of a filter: under its name, or alone.
fn argument(settings: &Value, name: &str) -> Option<String> {
    let written = settings.as_str().or_else(|| settings[name].as_str())?;
    (!written.is_empty()).then(|| written.to_owned())
}
