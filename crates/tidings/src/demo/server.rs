//! The demo's web on a loopback port: HTTP around [`DemoWeb`].

use super::world::{DemoWeb, Reply};
use anyhow::{Context, Result};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri, header};
use chronon::{Instant, Span};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};
use tokio::net::TcpListener;

/// The port that is tried first, so that addresses are the same from one demo to the next.
const PORT: u16 = 7781;

/// The world, and when it began by the monotonic clock.
struct Stage {
    world: DemoWeb,
    began: std::time::Instant,
}

/// Serves a world that begins now, until the process ends.
pub async fn start(seed: u64, now: Instant) -> Result<DemoWeb> {
    let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = match TcpListener::bind(at(PORT)).await {
        Ok(listener) => listener,
        Err(_) => TcpListener::bind(at(0)).await.context("no loopback port is free")?,
    };
    let port = listener.local_addr()?.port();
    let world = DemoWeb { seed, port, started: now };
    let stage = Arc::new(Stage { world: world.clone(), began: std::time::Instant::now() });
    let app = Router::new().fallback(answer).with_state(stage);
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(world)
}

async fn answer(
    State(stage): State<Arc<Stage>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    if !matches!(method, Method::GET | Method::HEAD) {
        let response = Response::builder().status(StatusCode::METHOD_NOT_ALLOWED);
        return response.body(Body::empty()).expect("a status makes an answer");
    }
    let elapsed = Span::from_millis(stage.began.elapsed().as_millis() as i64);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let reply = stage.world.answer(host, uri.path(), elapsed);
    tokio::time::sleep(Duration::from_millis(reply.delay.as_millis().unsigned_abs())).await;
    respond(reply, &headers)
}

fn respond(reply: Reply, asked: &HeaderMap) -> Response<Body> {
    let same = is_known(&reply, asked);
    let status = if same { 304 } else { reply.status };
    let mut response = Response::builder().status(status);
    if let Some(etag) = &reply.etag {
        response = response.header(header::ETAG, etag);
    }
    if let Some(at) = reply.last_modified {
        response = response.header(header::LAST_MODIFIED, http_date(at));
    }
    if let Some(location) = &reply.location {
        response = response.header(header::LOCATION, location);
    }
    if let Some(wait) = reply.retry_after {
        response = response.header(header::RETRY_AFTER, wait.as_millis() / 1_000);
    }
    let body = if same { Body::empty() } else { Body::from(reply.body) };
    response
        .header(header::CONTENT_TYPE, reply.content_type)
        .body(body)
        .expect("headers of our own are well-formed")
}

/// Whether the client has this content already (RFC 9110: the ETag decides, if there is one).
fn is_known(reply: &Reply, asked: &HeaderMap) -> bool {
    let text = |name| asked.get(name).and_then(|value| value.to_str().ok());
    match (text(header::IF_NONE_MATCH), text(header::IF_MODIFIED_SINCE)) {
        (Some(known), _) => reply.etag.as_deref() == Some(known),
        (None, Some(since)) => reply.last_modified.is_some_and(|at| http_date(at) == since),
        (None, None) => false,
    }
}

fn http_date(at: Instant) -> String {
    let since = Duration::from_millis(at.as_millis().unsigned_abs());
    httpdate::fmt_http_date(UNIX_EPOCH + since)
}
