//! Feeds that are out: made, listed, revoked.

use crate::App;
use crate::extract::{ListParams, Params, PathPart, object};
use crate::keeper::{Known, Right};
use crate::problem::Problem;
use crate::wire::{Feed, Page, feed_of};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use store::FeedOf;
use utoipa::ToSchema;

/// Characters of a tag that a feed is of.
const TAG_CHARS_MAX: usize = 100;

/// What a feed is to tell; with neither, everything.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FeedWish {
    /// What sentinels with this tag tell, in any case; at most 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    pub(crate) tag: Option<String>,
    /// What the sentinel of this name tells, also when it is renamed.
    pub(crate) sentinel: Option<String>,
}

/// Makes a feed. Whoever has its address reads what it tells, and nothing else.
#[utoipa::path(post, path = "/feeds", tag = "feeds", security(("token" = [])),
    request_body = FeedWish, responses(
        (status = CREATED, body = Feed),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn make(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    body: Bytes,
) -> Result<(StatusCode, Json<Feed>), Problem> {
    let wish = object(&body).map_err(|error| {
        let said = "Send JSON as {\"tag\": \"prices\"} or {\"sentinel\": \"NAME\"}; {} makes a \
                    feed of all";
        Problem::bad_request(format!("{said} ({error})."))
    })?;
    let made = new_feed(&app, known, wish).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// A feed as wished.
pub(crate) async fn new_feed(app: &App, known: Known, wish: FeedWish) -> Result<Feed, Problem> {
    if app.config.links.is_none() {
        let detail = "This server has no key for addresses of feeds.";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail));
    }
    let of = match (wish.tag, wish.sentinel) {
        (None, None) => FeedOf::All,
        (Some(tag), None) => FeedOf::Tag(checked(tag.trim())?.into()),
        (None, Some(name)) => {
            let view = super::sentinel_view(app, known, &name).await?.0;
            FeedOf::Sentinel(view.row.id)
        }
        (Some(_), Some(_)) => {
            let detail = "A feed is of a tag or of a sentinel, not of both.";
            return Err(Problem::bad_request(detail));
        }
    };
    let row = app.keeper.new_feed(known.by, of, app.now()).await?;
    feed_of(app, &row, true).await
}

/// A tag, if it can be one.
pub(super) fn checked(tag: &str) -> Result<&str, Problem> {
    let fits = !tag.is_empty() && tag.chars().count() <= TAG_CHARS_MAX;
    if fits && !tag.chars().any(char::is_control) {
        return Ok(tag);
    }
    let detail = format!("A tag has 1 to {TAG_CHARS_MAX} characters, all printable.");
    Err(Problem::bad_request(detail))
}

/// The feeds that are out, by number; their addresses for those who may write.
#[utoipa::path(get, path = "/feeds", tag = "feeds", params(ListParams),
    security(("token" = [])), responses((status = OK, body = Page<Feed>)))]
pub(super) async fn list(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<Feed>>, Problem> {
    let all = all(&app, known).await?;
    Ok(Json(Page::part(all, &params, |feed: &Feed| feed.id)?))
}

/// The feeds that are out.
pub(crate) async fn all(app: &App, known: Known) -> Result<Vec<Feed>, Problem> {
    let mut items = Vec::new();
    for row in app.keeper.feeds() {
        items.push(feed_of(app, &row, known.right >= Right::Write).await?);
    }
    Ok(items)
}

/// Ends a feed: its address opens nothing any more.
#[utoipa::path(delete, path = "/feeds/{id}", tag = "feeds", params(("id" = u64, Path)),
    security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn revoke(
    State(app): State<App>,
    PathPart(id): PathPart<u64>,
) -> Result<StatusCode, Problem> {
    if app.keeper.revoke_feed(id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(format!("feed {id}")))
    }
}
