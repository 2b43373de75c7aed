//! What the server says of itself.

use crate::App;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
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
pub(super) async fn metrics(State(app): State<App>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let text = (app.config.metrics)();
    // Text that ends in "# EOF" is OpenMetrics; older text is Prometheus' own.
    let kind = if text.trim_end().ends_with("# EOF") { kind } else { "text/plain; version=0.0.4" };
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// The OpenAPI document.
pub(super) async fn openapi(State(app): State<App>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.openapi.to_string()).into_response()
}
