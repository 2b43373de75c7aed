//! The style sheet, the scripts and the icon, compiled in.

use crate::problem::Problem;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

const STYLE: &str = include_str!("../../assets/style.css");
const SCRIPT: &str = include_str!("../../assets/app.js");
const EVENTS: &str = include_str!("../../assets/events.js");
const ICON: &str = include_str!("../../assets/icon.svg");

fn find(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "style.css" => Some(("text/css; charset=utf-8", STYLE)),
        "app.js" => Some(("text/javascript; charset=utf-8", SCRIPT)),
        "events.js" => Some(("text/javascript; charset=utf-8", EVENTS)),
        "icon.svg" => Some(("image/svg+xml", ICON)),
        _ => None,
    }
}

/// Where a page finds an asset; another content has another address.
pub(super) fn address(base: &str, name: &str) -> String {
    let tag = find(name).map(|(_, text)| tag(text)).unwrap_or_default();
    format!("{base}/assets/{name}?v={tag}")
}

fn tag(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

pub(super) async fn asset(
    crate::extract::PathPart(name): crate::extract::PathPart<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (kind, text) = find(&name).ok_or_else(|| Problem::not_found("such file"))?;
    let etag = format!("\"{}\"", tag(text));
    let known = headers.get(header::IF_NONE_MATCH).and_then(|etag| etag.to_str().ok());
    let known = known.is_some_and(|known| known.split(',').any(|one| one.trim() == etag));
    let cache = "public, max-age=31536000, immutable".to_owned();
    let meta = [(header::ETAG, etag), (header::CACHE_CONTROL, cache)];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, meta).into_response());
    }
    Ok((meta, [(header::CONTENT_TYPE, kind)], text).into_response())
}
