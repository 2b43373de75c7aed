//! Reads that are answered with 304, and writes that are done only where nothing has changed.
//!
//! JSON of the API has an entity tag. The tag of one sentinel is of what people decide: its text,
//! name and state, not of its looks, so that whoever edits it for an hour is not refused for them.
//! One write that names a tag is done at a time. It comes here last: who sends it is known, its
//! body is in memory, and a repeat of it is answered already.

use crate::App;
use crate::conditional::{Validator, is_listed};
use crate::problem::Problem;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tower::ServiceExt;

/// Bytes of an answer that is tagged; a longer one has none.
const TAGGED_BYTES_MAX: usize = 64 << 20;
const API: &str = "/api/v1/";
const SENTINELS: &str = "/api/v1/sentinels/";
/// What of a sentinel people decide.
const DECIDED: [&str; 7] =
    ["id", "generation", "name", "text", "state", "snoozed_until", "gone_at"];

/// What stands behind: every route, for those who may come in.
#[derive(Clone)]
pub(crate) struct Behind {
    pub(crate) app: App,
    pub(crate) router: Router,
}

impl Behind {
    async fn ask(&self, request: Request) -> Response {
        let Ok(response) = self.router.clone().oneshot(request).await;
        response
    }
}

/// Tags what is read, and keeps to the conditions of what is written.
pub(crate) async fn conditions(State(behind): State<Behind>, request: Request) -> Response {
    if !request.uri().path().starts_with(API) || *request.method() == Method::OPTIONS {
        return behind.ask(request).await;
    }
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return read(&behind, request).await;
    }
    let (if_match, if_none) = (header::IF_MATCH, header::IF_NONE_MATCH);
    let conditional = [if_match, if_none].iter().any(|name| request.headers().contains_key(name));
    if !conditional {
        return behind.ask(request).await;
    }
    let look = look(&request);
    let wanted = request.headers().clone();
    // What is posted to no sentinel is new, or a question that may take long.
    let is_of_one =
        *request.method() != Method::POST || sentinel_of(request.uri().path()).is_some();
    let _nobody_else_does = if is_of_one { Some(behind.app.writing.lock().await) } else { None };
    match allowed(&behind, look, &wanted).await {
        Ok(()) => behind.ask(request).await,
        Err(refusal) => *refusal,
    }
}

async fn read(behind: &Behind, mut request: Request) -> Response {
    // The headers of a HEAD are those of the GET; the server leaves out what follows them.
    *request.method_mut() = Method::GET;
    let (headers, place) = (request.headers().clone(), request.uri().path().to_owned());
    let response = behind.ask(request).await;
    match tagged(response, &place).await {
        (response, None) => response,
        (mut response, Some(tag)) => {
            if tag.is_known(&headers) {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                *response.body_mut() = Body::empty();
                response.headers_mut().remove(header::CONTENT_TYPE);
                response.headers_mut().remove(header::CONTENT_LENGTH);
            }
            tag.write(response.headers_mut());
            response
        }
    }
}

/// An answer with its tag, if it is one that has one: a success, and JSON that is ours. What is
/// downloaded may be JSON of a page, as long as pages are.
async fn tagged(response: Response, place: &str) -> (Response, Option<Validator>) {
    let kind = response.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec());
    let is_json = kind.is_some_and(|kind| kind.starts_with(b"application/json"));
    let is_page = response.headers().contains_key(header::CONTENT_DISPOSITION);
    if response.status() != StatusCode::OK || !is_json || is_page {
        return (response, None);
    }
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, TAGGED_BYTES_MAX).await else {
        let detail = "This answer is too long; ask for less of it.";
        return (Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail).into_response(), None);
    };
    let tag = Validator::of(&essence(&bytes, place));
    (Response::from_parts(parts, Body::from(bytes)), Some(tag))
}

/// The bytes that a tag is of: an answer without what is only expected.
fn essence(bytes: &Bytes, place: &str) -> Vec<u8> {
    let Ok(mut json) = serde_json::from_slice::<Value>(bytes) else { return bytes.to_vec() };
    if sentinel_of(place).is_some_and(|own| own == place) {
        let decided = DECIDED.map(|name| json[name].take());
        return json!(decided).to_string().into_bytes();
    }
    without_what_is_expected(&mut json);
    json.to_string().into_bytes()
}

/// What is expected of a source moves with the clock and with what others ask for.
const EXPECTED: [&str; 5] = ["interval_seconds", "changes_per_day", "success", "worth", "price"];

/// Nothing counts of what comes next, which has a `text` and moves; a `next` that is a text leads
/// to the next page.
fn without_what_is_expected(json: &mut Value) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(without_what_is_expected),
        Value::Object(fields) => {
            if fields.get("next").is_some_and(Value::is_object) {
                fields.remove("next");
                EXPECTED.iter().for_each(|name| drop(fields.remove(*name)));
            }
            fields.values_mut().for_each(without_what_is_expected);
        }
        _ => {}
    }
}

/// The address of the sentinel that a path is of, or of something below it.
fn sentinel_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix(SENTINELS)?.split('/').next().filter(|name| !name.is_empty())?;
    Some(&path[..SENTINELS.len() + name.len()])
}

/// Reads of what a write is about, by whoever sends it: with and without secrets, as a text may
/// have been read either way.
fn look(request: &Request) -> [Request; 2] {
    let path = request.uri().path();
    let place = sentinel_of(path).unwrap_or(path);
    ["", "?with_secrets=true"].map(|query| {
        let uri: Uri = format!("{place}{query}").parse().expect("a part of an address is one");
        let mut look = Request::new(Body::empty());
        *look.uri_mut() = uri;
        *look.extensions_mut() = request.extensions().clone();
        look
    })
}

/// Whether what a write is about is as its headers say; else the refusal.
async fn allowed(
    behind: &Behind,
    looks: [Request; 2],
    headers: &HeaderMap,
) -> Result<(), Box<Response>> {
    let mut tags = Vec::new();
    for look in looks {
        let place = look.uri().path().to_owned();
        let answer = behind.ask(look).await;
        // Nothing is known of what cannot be read just now.
        if answer.status().is_server_error() {
            return Err(Box::new(answer));
        }
        tags.extend(tagged(answer, &place).await.1);
    }
    let is_one_of = |name| {
        let lists = headers.get_all(name);
        lists.iter().any(|list| tags.iter().any(|tag| is_listed(tag, list)))
    };
    let fails = |what: &str| {
        let problem = Problem::new(StatusCode::PRECONDITION_FAILED, what);
        Err(Box::new(problem.into_response()))
    };
    if headers.contains_key(header::IF_MATCH) && !is_one_of(header::IF_MATCH) {
        return fails(
            "What is there is not what If-Match names; nothing was done. Read it again, and send \
             the tag that comes with it.",
        );
    }
    if headers.contains_key(header::IF_NONE_MATCH) && is_one_of(header::IF_NONE_MATCH) {
        return fails("There is one already, and If-None-Match wants none; nothing was done.");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_below_a_sentinel_is_of_it() {
        let own = "/api/v1/sentinels/a%20b";
        assert_eq!(sentinel_of(own), Some(own));
        assert_eq!(sentinel_of("/api/v1/sentinels/a%20b/snooze"), Some(own));
        for other in ["/api/v1/sentinels", "/api/v1/sentinels/", "/api/v1/feeds/1"] {
            assert_eq!(sentinel_of(other), None);
        }
    }
}
