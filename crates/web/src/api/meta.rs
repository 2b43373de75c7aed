//! What the server says of itself.

use crate::App;
use crate::extract::accepts;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Program {
    name: &'static str,
    version: String,
    api: &'static str,
    /// Why nothing happens at the moment, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<String>,
}

/// The program and its version.
#[utoipa::path(get, path = "/version", tag = "server", responses((status = OK, body = Program)))]
pub(super) async fn version(State(app): State<App>) -> Json<Program> {
    let version = app.config.version.clone();
    let waiting = (app.config.ready)().err();
    Json(Program { name: "tidings", version, api: "v1", waiting })
}

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "server",
    responses((status = OK, body = String, content_type = "text/plain")))]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// The engine runs and its store takes writes.
#[utoipa::path(get, path = "/readyz", tag = "server", responses(
    (status = OK, body = String, content_type = "text/plain"),
    (status = 503, body = String, content_type = "text/plain")))]
pub(super) async fn readyz(State(app): State<App>) -> (StatusCode, String) {
    match (app.config.ready)() {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {why}\n")),
    }
}

/// Metrics as Prometheus reads them.
#[utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = OK, body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<App>, headers: HeaderMap) -> Response {
    // The text is both: whoever does not ask for OpenMetrics takes what is new in it for comments.
    let kind = if accepts(&headers, "application/openmetrics-text") {
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    } else {
        "text/plain; version=0.0.4; charset=utf-8"
    };
    ([(header::CONTENT_TYPE, kind), (header::VARY, "Accept")], (app.config.metrics)())
        .into_response()
}

/// The OpenAPI document.
pub(super) async fn openapi(State(app): State<App>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.openapi.to_string()).into_response()
}
