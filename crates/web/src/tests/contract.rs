//! The document against the router: whatever is asked, the answer is one that is documented.

use super::bench::*;
use axum::body::Body;
use axum::http::{Method, header};
use serde_json::Value;
use std::collections::BTreeSet;
use tower::ServiceExt;

/// What a path or a query may hold.
const VALUES: [&str; 12] = [
    "1",
    "0",
    "deals",
    "nobody",
    "-1",
    "18446744073709551616",
    "%00",
    "%ff",
    "a%20b",
    "%E2%80%AE",
    "..%2f",
    "1e3",
];
const BODIES: [&str; 7] = [
    "",
    "{",
    "null",
    r#"{"scope":"write","name":"x"}"#,
    r#"{"kind":"ntfy","rate":"odd"}"#,
    SENTINEL,
    "create sentinel x using 7",
];

#[tokio::test]
async fn whoever_reads_the_document_knows_how_long_a_page_may_be() {
    let bench = Bench::with(|_| {});
    let document = bench.get("/api/v1/openapi.json").await.json();
    let parameters = document["paths"].as_object().expect("paths").values();
    let parameters = parameters.filter_map(|item| item["get"]["parameters"].as_array()).flatten();
    let limits: Vec<_> = parameters.filter(|one| one["name"] == "limit").collect();
    assert!(limits.len() > 10, "{}", limits.len());
    for limit in limits {
        let schema = &limit["schema"];
        assert_eq!((&schema["minimum"], &schema["maximum"]), (&1.into(), &1000.into()), "{limit}");
    }
}

/// One operation of the document.
struct Operation {
    method: Method,
    path: String,
    query: Vec<String>,
    responses: Value,
}

fn operations(document: &Value) -> Vec<Operation> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let method = method.to_uppercase().parse().expect("a method");
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let query = parameters.filter(|parameter| parameter["in"] == "query");
            let query = query.map(|one| one["name"].as_str().expect("a name").to_owned());
            let (path, responses) = (path.clone(), operation["responses"].clone());
            all.push(Operation { method, path, query: query.collect(), responses });
        }
    }
    all
}

impl Operation {
    /// The path with every place filled.
    fn filled(&self, value: &str) -> String {
        let pieces = self.path.split('/');
        let filled = pieces.map(|piece| if piece.starts_with('{') { value } else { piece });
        format!("/api/v1{}", filled.collect::<Vec<_>>().join("/"))
    }

    /// Requests as nobody means them: each place, parameter, body and header in turn.
    fn odd(&self) -> Vec<axum::http::request::Builder> {
        let ask = |path: &str| with_token(self.method.clone(), path);
        let mut requests: Vec<_> = VALUES.iter().map(|value| ask(&self.filled(value))).collect();
        for name in &self.query {
            for value in VALUES {
                requests.push(ask(&format!("{}?{name}={value}", self.filled("1"))));
                requests.push(ask(&format!("{}?{name}={value}", self.filled("deals"))));
            }
        }
        let path = self.filled("deals");
        requests.push(ask(&format!("{path}?nonsense=1&limit=x")));
        requests.push(local(self.method.clone(), &path));
        requests.push(local(self.method.clone(), &path).header(header::AUTHORIZATION, "Bearer x"));
        requests
            .push(local(self.method.clone(), &path).header(header::AUTHORIZATION, "Basic eDp5"));
        requests.push(ask(&path).header("idempotency-key", ""));
        requests.push(ask(&path).header("idempotency-key", "same"));
        requests.push(ask(&path).header(header::CONTENT_LENGTH, "99999999999"));
        requests.push(ask(&path).header(header::CONTENT_TYPE, "text/csv"));
        requests.push(ask(&path).header(header::ACCEPT, "image/png"));
        requests.push(ask(&path).header("last-event-id", "x"));
        requests
    }
}

/// What is wrong with an answer by the document, if anything.
fn undocumented(operation: &Operation, status: &str, kind: &str) -> Option<String> {
    let response = &operation.responses[status];
    let what = match (response.is_object(), response["content"].as_object()) {
        (false, _) => format!("status {status} ({kind})"),
        (true, None) if kind.is_empty() => return None,
        (true, Some(kinds)) if kinds.contains_key(kind) || kinds.contains_key("*/*") => {
            return None;
        }
        (true, _) => format!("status {status} as `{kind}`"),
    };
    Some(format!("{} {}: {what} is not documented", operation.method, operation.path))
}

#[tokio::test]
async fn every_answer_to_odd_input_is_one_that_the_document_has() {
    let roster = super::named::Kept::default();
    let bench = Bench::with(|config| config.roster = Some(std::sync::Arc::new(roster)));
    let document = bench.get("/api/v1/openapi.json").await.json();
    bench.post("/api/v1/sentinels", SENTINEL).await;
    bench.version(1, &["a"]);
    bench.version(2, &["a", "b"]);
    let (mut wrong, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for operation in operations(&document) {
        let bodies = if operation.method == Method::GET { &BODIES[..1] } else { &BODIES };
        for body in bodies {
            for request in operation.odd() {
                let request = request.body(Body::from(*body)).expect("a request");
                let answer = bench.router.clone().oneshot(request).await.expect("infallible");
                let status = answer.status().as_u16().to_string();
                let kind = answer.headers().get(header::CONTENT_TYPE);
                let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
                let kind = kind.split(';').next().unwrap_or_default();
                wrong.extend(undocumented(&operation, &status, kind));
                seen.insert(status);
            }
        }
    }
    assert!(wrong.is_empty(), "{:#?}", wrong);
    for status in ["200", "201", "204", "400", "401", "404", "413", "422"] {
        assert!(seen.contains(status), "no request led to {status}, only to {seen:?}");
    }
}

#[tokio::test]
async fn a_body_that_stalls_has_its_answer_in_the_document() {
    let bench = Bench::new();
    let document = bench.get("/api/v1/openapi.json").await.json();
    let writes = operations(&document).into_iter().filter(|one| one.method != Method::GET);
    let (known, unknown): (Vec<_>, Vec<_>) =
        writes.partition(|one| undocumented(one, "408", "application/problem+json").is_none());
    assert!(unknown.is_empty(), "{:?}", unknown.iter().map(|one| &one.path).collect::<Vec<_>>());
    assert!(!known.is_empty());
}

#[tokio::test]
async fn what_is_sent_is_an_object_and_an_empty_cursor_is_the_first_page() {
    let bench = Bench::new();
    for path in ["/api/v1/feeds", "/api/v1/tokens", "/api/v1/template-preview"] {
        for body in ["[null, null]", "[\"read\", \"a\", null]", "\"read\"", ""] {
            let reply = bench.post(path, body).await;
            assert!(reply.status == 400 || reply.status == 415, "{path} {body}: {reply:?}");
        }
    }
    for list in ["sentinels", "sources", "channels", "plan", "feeds", "tokens", "notifications"] {
        let first = bench.get(&format!("/api/v1/{list}")).await;
        let same = bench.get(&format!("/api/v1/{list}?cursor=")).await;
        assert_eq!((first.status, first.body), (same.status, same.body), "{list}");
        bench.get(&format!("/api/v1/{list}?cursor=a")).await.problem(400);
    }
}

#[tokio::test]
async fn a_text_that_may_be_left_out_is_documented_so() {
    let bench = Bench::new();
    let openapi = bench.get("/api/v1/openapi.json").await.json();
    for (path, is_needed) in [("check", false), ("complete", false), ("propose", true)] {
        assert_eq!(bench.post(&format!("/api/v1/{path}"), "").await.status == 200, !is_needed);
        let body = &openapi["paths"][format!("/{path}")]["post"]["requestBody"];
        assert_eq!(body["required"].as_bool().unwrap_or(false), is_needed, "{path}: {body}");
    }
}
