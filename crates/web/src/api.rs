//! The JSON API under `/api/v1`; the document and the routes come from one registration.

mod check;
mod complete;
mod events;
mod feeds;
mod keys;
mod meanings;
mod meta;
mod named;
mod notifications;
mod plan;
mod propose;
mod quiet;
mod rules;
mod sentinels;
mod sources;

use crate::App;
use crate::problem::Problem;
use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use kernel::io::Answer;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, Server};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) use feeds::{FeedWish, all as all_feeds, new_feed};
pub(crate) use named::{
    all as named_channels, make as make_channel, one_of as named_channel, previewed as preview_of,
    unmake as remove_channel,
};
pub(crate) use notifications::stored as stored_notification;
pub(crate) use plan::urls as plan_urls;
pub(crate) use quiet::{of as quiet_of, set as set_quiet};
pub(crate) use sentinels::{sentinel_view, sources_of, trouble_of, with_url};
pub(crate) use sources::{current_version, load_source, version_row};

/// Where the API lives.
pub(crate) const PREFIX: &str = "/api/v1";

#[derive(OpenApi)]
#[openapi(components(schemas(Problem)))]
struct Document;

/// What concerns sources and their versions.
fn of_sources() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sources::list))
        .routes(routes!(sources::one))
        .routes(routes!(sources::probe))
        .routes(routes!(quiet::list))
        .routes(routes!(quiet::tell))
        .routes(routes!(quiet::hold))
        .routes(routes!(sources::versions))
        .routes(routes!(sources::version))
        .routes(routes!(sources::body))
        .routes(routes!(sources::text))
        .routes(routes!(sources::extract))
        .routes(routes!(sources::diff))
}

/// What concerns notifications and channels.
fn of_notifications() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(notifications::list))
        .routes(routes!(notifications::one))
        .routes(routes!(notifications::read))
        .routes(routes!(notifications::resend))
        .routes(routes!(notifications::noise))
        .routes(routes!(notifications::channels))
        .routes(routes!(notifications::test))
        .routes(routes!(named::kinds))
        .routes(routes!(named::preview))
        .routes(routes!(named::list))
        .routes(routes!(named::one, named::put, named::remove))
}

/// The routes, and the OpenAPI document that describes them as JSON.
pub(crate) fn routes(version: &str, base: &str) -> (Router<App>, String) {
    let described = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(sentinels::list, sentinels::create))
        .routes(routes!(sentinels::one, sentinels::put, sentinels::remove))
        .routes(routes!(sentinels::enable))
        .routes(routes!(sentinels::disable))
        .routes(routes!(sentinels::restore))
        .routes(routes!(sentinels::snooze))
        .routes(routes!(sentinels::wake))
        .routes(routes!(sentinels::rename))
        .routes(routes!(sentinels::detections))
        .routes(routes!(sentinels::why))
        .routes(routes!(sentinels::values))
        .merge(of_rules())
        .routes(routes!(check::check))
        .routes(routes!(complete::complete))
        .routes(routes!(propose::propose))
        .merge(of_sources())
        .merge(of_notifications())
        .routes(routes!(events::events))
        .routes(routes!(plan::plan))
        .routes(routes!(feeds::list, feeds::make))
        .routes(routes!(feeds::revoke))
        .merge(of_keys())
        .routes(routes!(meta::version))
        .routes(routes!(meta::healthz))
        .routes(routes!(meta::readyz))
        .routes(routes!(meta::metrics));
    let (api, mut document) = described.split_for_parts();
    document.info = InfoBuilder::new()
        .title("Tidings")
        .version(version)
        .description(Some(
            "Hear first. Ask less. Everything but health and version needs a token: \
             `Authorization: Bearer …`.",
        ))
        .build();
    document.servers = Some(vec![Server::new(format!("{base}{PREFIX}"))]);
    let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    let components = document.components.take().unwrap_or_default();
    let components = ComponentsBuilder::from(components).security_scheme("token", bearer);
    document.components = Some(components.build());
    let document = serde_json::to_value(&document);
    let mut document = document.expect("the document holds strings, numbers, lists and maps");
    meanings::complete(&mut document);
    let json = document.to_string();
    let api = api.route("/openapi.json", axum::routing::get(meta::openapi));
    // Probes of machines look for these at the root, too.
    let root = Router::new()
        .route("/version", axum::routing::get(meta::version))
        .route("/healthz", axum::routing::get(meta::healthz))
        .route("/readyz", axum::routing::get(meta::readyz))
        .route("/metrics", axum::routing::get(meta::metrics));
    (Router::new().nest(PREFIX, api).merge(root), json)
}

/// Tokens, sessions and links to log in with.
fn of_keys() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(keys::tokens, keys::make))
        .routes(routes!(keys::revoke))
        .routes(routes!(keys::sessions))
        .routes(routes!(keys::end))
        .routes(routes!(keys::link))
}

/// Rules, and the events that people raise for them.
fn of_rules() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(rules::list))
        .routes(routes!(rules::one, rules::put, rules::remove))
        .routes(routes!(rules::enable))
        .routes(routes!(rules::disable))
        .routes(routes!(rules::detections))
        .routes(routes!(rules::why))
        .routes(routes!(rules::raise))
}

/// Answers that mean the same for every request: done, queued, or why not.
pub(crate) fn plain_answer(answer: Answer) -> Result<Response, Problem> {
    Ok(match answer {
        Answer::Done => StatusCode::NO_CONTENT.into_response(),
        Answer::Applied(applied) => sentinels::applied(&applied, StatusCode::OK),
        Answer::Queued(id) => {
            let queued = axum::Json(notifications::Queued { notification: id.0 });
            (StatusCode::ACCEPTED, queued).into_response()
        }
        Answer::Refused(diagnostics) => return Err(Problem::refused(&diagnostics)),
        Answer::Conflict { name } => {
            return Err(Problem::conflict(format!(
                "The name `{name}` is taken, and nothing was changed. Choose another one; a text \
                 sent with PUT replaces what has the name."
            )));
        }
        Answer::NotFound { what } => return Err(Problem::not_found(what)),
        Answer::Unable(why) => return Err(Problem::conflict(why)),
        Answer::Later(_) => {
            let detail = "The budget or the host's politeness does not allow it now.";
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail));
        }
        Answer::Outdated => {
            let detail =
                "A sentinel that this text builds on has changed in the meantime; send it again.";
            return Err(Problem::conflict(detail));
        }
    })
}
