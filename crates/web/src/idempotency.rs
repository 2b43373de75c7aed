//! `Idempotency-Key`: a write that is repeated under its key is answered as the first time.
//!
//! The answers live in memory. A restart forgets them, and is harmless: what a write made is in
//! the store, so that a repeat meets a name that exists or a state that holds already. Raising an
//! event leaves no such trace; there the kernel stores the key.

use crate::App;
use crate::body::{self, BodyMax};
use crate::problem::Problem;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const KEY_BYTES_MAX: usize = 255;
/// Bytes of one answer. The longest names 10,000 sentinels.
const ANSWER_BYTES_MAX: usize = 8 << 20;
/// Bytes of all answers that are remembered.
const ANSWERS_BYTES_MAX: usize = 32 << 20;

/// The last answers by key.
pub(crate) struct Memory {
    max: usize,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    answers: HashMap<String, (blake3::Hash, Progress)>,
    /// Keys, oldest first.
    order: VecDeque<String>,
    /// The bytes of the bodies of `answers`.
    bytes: usize,
}

impl Known {
    fn drop_oldest(&mut self) {
        let oldest = self.order.pop_front().and_then(|key| self.answers.remove(&key));
        if let Some((_, Progress::Done(answer))) = oldest {
            self.bytes -= answer.body.len();
        }
    }
}

#[derive(Clone)]
enum Progress {
    Running,
    Done(Arc<Remembered>),
}

struct Remembered {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

/// What is known of a key.
enum Found {
    /// Nothing: the request is run, and must be finished or forgotten.
    New,
    Running,
    Other,
    Done(Arc<Remembered>),
}

impl Memory {
    pub(crate) fn new(max: usize) -> Memory {
        Memory { max: max.max(1), known: Mutex::default() }
    }

    fn begin(&self, key: &str, content: blake3::Hash) -> Found {
        let mut known = self.known();
        match known.answers.get(key) {
            Some((seen, _)) if *seen != content => return Found::Other,
            Some((_, Progress::Running)) => return Found::Running,
            Some((_, Progress::Done(answer))) => return Found::Done(Arc::clone(answer)),
            None => {}
        }
        if known.order.len() >= self.max {
            known.drop_oldest();
        }
        known.order.push_back(key.to_owned());
        known.answers.insert(key.to_owned(), (content, Progress::Running));
        Found::New
    }

    fn finish(&self, key: &str, answer: Remembered) {
        let mut known = self.known();
        let bytes = answer.body.len();
        if let Some((_, progress @ Progress::Running)) = known.answers.get_mut(key) {
            *progress = Progress::Done(Arc::new(answer));
            known.bytes += bytes;
        }
        while known.bytes > ANSWERS_BYTES_MAX {
            known.drop_oldest();
        }
    }

    fn forget(&self, key: &str) {
        let mut known = self.known();
        if let Some((_, Progress::Running)) = known.answers.get(key) {
            known.answers.remove(key);
            known.order.retain(|other| other != key);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Every change of the map is whole before anything can panic.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets a key whose request did not come to an answer.
struct Attempt {
    memory: Arc<Memory>,
    key: String,
}

impl Drop for Attempt {
    fn drop(&mut self) {
        self.memory.forget(&self.key);
    }
}

/// Reads the body of a write, whole and within its limit, and answers a repeated one from memory.
pub(crate) async fn remember(State(app): State<App>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let BodyMax(most) = parts.extensions.get().copied().unwrap_or(BodyMax(0));
    let body = match body::whole(body, most).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    // Others, such as a log-in, need no token: nobody is to fill the memory without one.
    let path = parts.uri.path();
    let kept = path.starts_with("/api/") && path != "/api/v1/check";
    let key = parts.headers.get(IDEMPOTENCY_KEY).filter(|_| kept);
    let key = match key.map(HeaderValue::to_str) {
        None => return next.run(Request::from_parts(parts, Body::from(body))).await,
        Some(Ok(key)) if !key.is_empty() && key.len() <= KEY_BYTES_MAX => key.to_owned(),
        Some(_) => {
            let detail = format!("Idempotency-Key is 1 to {KEY_BYTES_MAX} visible ASCII letters.");
            return Problem::bad_request(detail).into_response();
        }
    };
    let mut content = blake3::Hasher::new();
    content.update(parts.method.as_str().as_bytes()).update(b" ");
    content.update(parts.uri.to_string().as_bytes()).update(b"\n").update(&body);
    match app.memory.begin(&key, content.finalize()) {
        Found::New => {}
        Found::Done(answer) => return replay(&answer),
        Found::Running => {
            let detail = "The first request with this Idempotency-Key is still being answered.";
            return Problem::conflict(detail).into_response();
        }
        Found::Other => {
            let detail = "This Idempotency-Key was used for another request; use a fresh one.";
            return Problem::conflict(detail).into_response();
        }
    }
    let attempt = Attempt { memory: Arc::clone(&app.memory), key };
    // On a task of its own: who hangs up and repeats is to find the answer of the first time.
    let running = tokio::spawn(async move {
        let response = next.run(Request::from_parts(parts, Body::from(body))).await;
        keep(&attempt.memory, &attempt.key, response).await
    });
    running.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a request was not answered");
        let detail = "The request was not answered; the server's log says why.";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail).into_response()
    })
}

/// Remembers an answer that a repeat should get: all but those that say "try again". What is not
/// there may come to be, and where a condition failed another one may hold.
async fn keep(memory: &Memory, key: &str, response: Response) -> Response {
    let status = response.status();
    let for_now = [StatusCode::NOT_FOUND, StatusCode::PRECONDITION_FAILED].contains(&status);
    if status.is_server_error() || for_now {
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, ANSWER_BYTES_MAX).await else {
        let detail = "The request was done, but its answer was too long to be given.";
        return Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail).into_response();
    };
    let mut headers = HeaderMap::new();
    for name in [header::CONTENT_TYPE, header::LOCATION] {
        if let Some(value) = parts.headers.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    memory.finish(key, Remembered { status: parts.status, headers, body: body.clone() });
    Response::from_parts(parts, Body::from(body))
}

fn replay(answer: &Remembered) -> Response {
    let mut response = Response::new(Body::from(answer.body.clone()));
    *response.status_mut() = answer.status;
    *response.headers_mut() = answer.headers.clone();
    let replayed = HeaderName::from_static("idempotency-replayed");
    response.headers_mut().insert(replayed, HeaderValue::from_static("true"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_key_makes_room_and_an_unfinished_one_is_forgotten() {
        let memory = Memory::new(2);
        let content = blake3::hash(b"x");
        assert!(matches!(memory.begin("a", content), Found::New));
        assert!(matches!(memory.begin("a", content), Found::Running));
        memory.forget("a");
        assert!(matches!(memory.begin("a", content), Found::New));
        let answer =
            Remembered { status: StatusCode::OK, headers: HeaderMap::new(), body: Bytes::new() };
        memory.finish("a", answer);
        memory.forget("a");
        assert!(matches!(memory.begin("a", content), Found::Done(_)));
        assert!(matches!(memory.begin("a", blake3::hash(b"y")), Found::Other));
        assert!(matches!(memory.begin("b", content), Found::New));
        assert!(matches!(memory.begin("c", content), Found::New));
        assert!(matches!(memory.begin("a", content), Found::New));
    }
    #[test]
    fn large_answers_make_room_for_each_other() {
        let memory = Memory::new(1_000);
        let content = blake3::hash(b"x");
        for key in ["a", "b", "c", "d", "e"] {
            assert!(matches!(memory.begin(key, content), Found::New));
            let body = Bytes::from(vec![0; ANSWER_BYTES_MAX]);
            let (status, headers) = (StatusCode::OK, HeaderMap::new());
            memory.finish(key, Remembered { status, headers, body });
        }
        assert_eq!(memory.known().bytes, ANSWERS_BYTES_MAX);
        assert!(matches!(memory.begin("e", content), Found::Done(_)));
        assert!(matches!(memory.begin("a", content), Found::New));
    }
}
