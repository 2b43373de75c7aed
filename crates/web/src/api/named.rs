//! Named channels: those of the configuration, to read; those that are made here, to make, change
//! and remove.

use crate::App;
use crate::extract::{ListParams, Params, PathPart, object};
use crate::keeper::Known;
use crate::look;
use crate::problem::Problem;
use crate::roster::{ChannelWish, NamedChannel, Refused, Roster};
use crate::wire::{self, Page};
use address::{ChannelKind, Field, Form};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use store::Reader;
use utoipa::ToSchema;

/// Notifications among which the newest that is written is looked for.
const PREVIEWED: usize = 20;
/// A notification where there is none yet.
const SAMPLE: &[u8] = include_bytes!("sample.json");

/// A kind of channel, as it may be made.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Kind {
    name: &'static str,
    /// As its makers write it.
    title: &'static str,
    /// The field that says whom to tell, if one does; a sentinel may say another.
    contact: Option<&'static str>,
    fields: Vec<KindField>,
}

/// What a channel of a kind may say.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct KindField {
    name: &'static str,
    about: &'static str,
    example: &'static str,
    needed: bool,
    /// Shown as `…`.
    secret: bool,
    /// What it must be one of, if so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    one_of: Vec<&'static str>,
    /// The least and the greatest whole number it may be, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[i64; 2]>,
}

impl KindField {
    fn of(field: &Field) -> KindField {
        let (one_of, range) = match field.form {
            Form::OneOf(words) => (words.to_vec(), None),
            Form::Whole(min, max) => (Vec::new(), Some([min, max])),
            Form::Url | Form::Broker | Form::Text | Form::Mail | Form::Words => (Vec::new(), None),
        };
        let Field { name, about, example, needed, secret, .. } = *field;
        KindField { name, about, example, needed, secret, one_of, range }
    }
}

/// The kinds of channels that can be made here, each with its fields. Every channel may have
/// `quiet_hours`, `timezone`, `rate` and `fallback`, and all but webhooks a `template`.
#[utoipa::path(get, path = "/channel-kinds", tag = "channels", responses(
    (status = OK, body = Page<Kind>)))]
pub(super) async fn kinds() -> Json<Page<Kind>> {
    let kinds = ChannelKind::makeable().map(|kind| Kind {
        name: kind.name(),
        title: kind.row().title,
        contact: kind.contact_field(),
        fields: kind.fields().iter().map(KindField::of).collect(),
    });
    Json(Page { items: kinds.collect(), next: None })
}

/// The named channels, by name, without their secrets.
#[utoipa::path(get, path = "/named-channels", tag = "channels", params(ListParams), responses(
    (status = OK, body = Page<wire::NamedChannel>)))]
pub(super) async fn list(
    State(app): State<App>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<wire::NamedChannel>>, Problem> {
    let (limit, after) = (params.limit()?, params.cursor::<String>()?);
    let all = all(&app).await?.into_iter();
    let rest = all.filter(|one| after.as_ref().is_none_or(|after| one.name > *after));
    let items = rest.take(limit).map(wire::NamedChannel::of).collect();
    Ok(Json(Page::of(items, limit, |channel: &wire::NamedChannel| channel.name.clone())))
}

/// Every named channel, by name.
pub(crate) async fn all(app: &App) -> Result<Vec<NamedChannel>, Problem> {
    let Some(roster) = app.config.roster.clone() else { return Ok(Vec::new()) };
    let all = tokio::task::spawn_blocking(move || roster.all()).await;
    all.map_err(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "It was cut off."))
}

/// The named channel of this name, in any case.
pub(crate) async fn one_of(app: &App, name: &str) -> Result<NamedChannel, Problem> {
    let lower = name.to_lowercase();
    let found = all(app).await?.into_iter().find(|one| one.name.to_lowercase() == lower);
    found.ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Problem {
    let name: String = name.chars().take(100).collect();
    Problem::not_found(format!("named channel `{name}`"))
}

/// A named channel, without its secrets.
#[utoipa::path(get, path = "/named-channels/{name}", tag = "channels",
    params(("name" = String, Path)), responses(
        (status = OK, body = wire::NamedChannel),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn one(
    State(app): State<App>,
    PathPart(name): PathPart<String>,
) -> Result<Json<wire::NamedChannel>, Problem> {
    Ok(Json(wire::NamedChannel::of(one_of(&app, &name).await?)))
}

/// Makes a channel, or changes one that was made: it works from then on. The body is what stands
/// under `[channels.NAME]`, as JSON: `{"kind": "ntfy", "url": "https://ntfy.sh/your-topic"}`. A
/// value as it is shown, with its `…`, stays as it is stored.
#[utoipa::path(put, path = "/named-channels/{name}", tag = "channels",
    params(("name" = String, Path)), security(("token" = [])),
    request_body(content = Object, content_type = "application/json"), responses(
        (status = OK, body = wire::NamedChannel, description = "It was changed."),
        (status = CREATED, body = wire::NamedChannel),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json",
            description = "This is no channel; `detail` says what to write.")))]
pub(super) async fn put(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    body: Bytes,
) -> Result<(StatusCode, Json<wire::NamedChannel>), Problem> {
    let settings: Map<String, Value> = serde_json::from_slice(&body).map_err(|error| {
        let said = "Send JSON as {\"kind\": \"ntfy\", \"url\": \"https://ntfy.sh/your-topic\"}";
        Problem::bad_request(format!("{said} ({error})."))
    })?;
    let wish = ChannelWish { name: name.clone(), settings, is_new: false };
    let is_new = make(&app, known, wish).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(wire::NamedChannel::of(one_of(&app, name.trim()).await?))))
}

/// Makes or changes a channel; whether there was none.
pub(crate) async fn make(app: &App, known: Known, wish: ChannelWish) -> Result<bool, Problem> {
    let name = wish.name.clone();
    let done = roster(app)?.put(known.actor(), wish).await;
    done.map_err(|refused| problem(refused, &name))
}

/// A template to be tried.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tried {
    /// As `template` of a channel.
    #[schema(min_length = 1)]
    template: String,
}

/// What a template makes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Preview {
    /// The message, in full; a service cuts it at its own limit.
    text: String,
}

/// Shows what a template makes of the last notification, or of a sample where there is none.
#[utoipa::path(post, path = "/template-preview", tag = "channels", security(("token" = [])),
    request_body = Tried, responses(
        (status = OK, body = Preview),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json",
            description = "The template has an error; `detail` says what and where.")))]
pub(super) async fn preview(State(app): State<App>, body: Bytes) -> Result<Json<Preview>, Problem> {
    let tried: Tried = object(&body).map_err(|error| {
        let said = "Send JSON as {\"template\": \"{{ sentinel }}: {{ summary }}\"}";
        Problem::bad_request(format!("{said} ({error})."))
    })?;
    Ok(Json(Preview { text: previewed(&app, tried.template).await? }))
}

/// What a template makes of the last notification.
pub(crate) async fn previewed(app: &App, template: String) -> Result<String, Problem> {
    let roster = roster(app)?;
    let rows = |reader: &dyn Reader| reader.notifications(None, None, PREVIEWED);
    let last = look::notifications_in_full(app, rows).await?;
    let body = last.into_iter().find_map(|one| one.body);
    let made = tokio::task::spawn_blocking(move || {
        roster.preview(&template, body.as_deref().unwrap_or(SAMPLE))
    });
    let made = made.await.unwrap_or_else(|_| Err("it failed; the server's log says why".into()));
    made.map_err(|why| {
        let detail = format!("This template cannot be used here: {why}.");
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    })
}

/// Removes a channel that was made. What is on its way there is tried for a day, and given up.
#[utoipa::path(delete, path = "/named-channels/{name}", tag = "channels",
    params(("name" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn remove(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<StatusCode, Problem> {
    unmake(&app, known, name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a channel that was made.
pub(crate) async fn unmake(app: &App, known: Known, name: String) -> Result<(), Problem> {
    let done = roster(app)?.remove(known.actor(), name.clone()).await;
    done.map_err(|refused| problem(refused, &name))
}

fn roster(app: &App) -> Result<Arc<dyn Roster>, Problem> {
    let roster = app.config.roster.clone();
    roster.ok_or_else(|| Problem::conflict("No channels can be made on this server."))
}

fn problem(refused: Refused, name: &str) -> Problem {
    match refused {
        Refused::Wrong(why) => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, why),
        Refused::Unable(why) => Problem::conflict(why),
        Refused::Unknown => unknown(name),
        Refused::Failed(why) => Problem::new(StatusCode::SERVICE_UNAVAILABLE, why),
    }
}
