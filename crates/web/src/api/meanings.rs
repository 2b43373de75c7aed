//! Answers that any operation may give, in the document: what stands in front of all of them
//! (limits, tokens, repeated writes) is declared once.

use serde_json::{Map, Value, json};

/// A status, and what it means wherever it comes from.
type Meaning = (&'static str, &'static str);

/// Whatever is asked.
const ALWAYS: [Meaning; 6] = [
    ("400", "Something of the request cannot be read; `detail` says what to write."),
    ("413", "The body is too large, or was cut off."),
    ("421", "This server does not go by that name."),
    ("429", "Too many requests with a wrong token."),
    ("500", "The store could not be read; the server's log says why."),
    ("503", "Not at the moment: it waits, it stops, or too much is being received."),
];
/// Where a token is needed.
const GUARDED: [Meaning; 2] = [
    ("401", "A token is needed, and none or a wrong one came."),
    ("403", "This token may not do this."),
];
/// Where the path names something.
const NAMED: [Meaning; 1] = [("404", "There is nothing of that name or number.")];
/// Where something is changed.
const WRITING: [Meaning; 5] = [
    ("408", "The body came too slowly."),
    ("409", "It does not go with what is there, or a request with this key is under way."),
    ("412", "What is there is not what If-Match or If-None-Match asks for."),
    ("415", "The body is of a type that is not read here."),
    ("422", "The text has errors, or this Idempotency-Key was used for another request."),
];
/// What asks for no token.
const OPEN: [&str; 3] = ["/version", "/healthz", "/readyz"];

/// Adds to every operation of a document what it shares with the others.
pub(super) fn complete(document: &mut Value) {
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let Some(responses) = operation["responses"].as_object_mut() else { continue };
            for (status, meaning) in meanings(path, method) {
                add(responses, status, meaning);
            }
            // A stored page has the type it came with.
            if path.ends_with("/body") {
                responses["200"]["content"] = json!({"*/*": {}});
            }
            // JSON has an entity tag; who has it already gets no body.
            let has_tag = responses
                .get("200")
                .is_some_and(|answer| answer["content"]["application/json"].is_object());
            if method == "get" && has_tag && !OPEN.contains(&path.as_str()) {
                let known = json!({"description": "As If-None-Match names it."});
                responses.insert("304".to_owned(), known);
                let tag = json!({"schema": {"type": "string"}, "description": "For If-None-Match \
                    and If-Match, compared weakly."});
                responses["200"]["headers"] = json!({"ETag": tag});
            }
            // Metrics come as OpenMetrics too.
            if path == "/metrics" {
                let text = responses["200"]["content"]["text/plain"].clone();
                responses["200"]["content"]["application/openmetrics-text"] = text;
            }
        }
    }
}

fn meanings(path: &str, method: &str) -> impl Iterator<Item = Meaning> {
    let guarded = if OPEN.contains(&path) { &[][..] } else { &GUARDED };
    let named = if path.contains('{') { &NAMED[..] } else { &[] };
    let writing = if method == "get" { &[][..] } else { &WRITING };
    let all = ALWAYS.iter().chain(guarded).chain(named).chain(writing);
    all.copied()
}

/// A problem besides what the operation itself says of the status.
fn add(responses: &mut Map<String, Value>, status: &str, meaning: &str) {
    let response = responses.entry(status).or_insert_with(|| json!({}));
    let said = response["description"].as_str().unwrap_or_default();
    if said.is_empty() {
        response["description"] = meaning.into();
    }
    let schema = json!({"schema": {"$ref": "#/components/schemas/Problem"}});
    response["content"]["application/problem+json"] = schema;
}
