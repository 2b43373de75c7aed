//! Notifications, and the channels they go out on.

use crate::App;
use crate::extract::{ListParams, Params, PathPart};
use crate::keeper::Known;
use crate::look;
use crate::noise;
use crate::problem::Problem;
use crate::wire::{Channel, Notification, NotificationInFull, Page};
use axum::extract::State;
use axum::response::Response;
use axum::{Extension, Json};
use chronon::NotificationId;
use kernel::io::Command;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NotificationParams {
    /// The most items to return, 1 to 1,000; 100 if left out.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// Only those of this sentinel.
    sentinel: Option<String>,
}

/// Notifications, newest first.
#[utoipa::path(get, path = "/notifications", tag = "notifications", params(NotificationParams),
    responses(
        (status = OK, body = Page<Notification>),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<NotificationParams>,
) -> Result<Json<Page<Notification>>, Problem> {
    let page = ListParams { limit: params.limit, cursor: params.cursor };
    let (limit, before) = (page.limit()?, page.cursor()?.map(NotificationId));
    let sentinel = match params.sentinel {
        None => None,
        Some(name) => Some(super::sentinel_view(&app, known, &name).await?.0.row.id),
    };
    let loaded = look::notifications(&app, sentinel, before, limit).await?;
    let items = loaded.into_iter().map(|one| one.notification).collect();
    Ok(Json(Page::of(items, limit, |notification: &Notification| notification.id)))
}

/// One notification with its body and its attempts.
#[utoipa::path(get, path = "/notifications/{id}", tag = "notifications",
    params(("id" = u64, Path)), responses(
        (status = OK, body = NotificationInFull),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn one(
    State(app): State<App>,
    PathPart(id): PathPart<u64>,
) -> Result<Json<NotificationInFull>, Problem> {
    let id = NotificationId(id);
    let loaded = look::notification(&app, id).await?;
    let attempts = app.desk.read(move |reader| reader.attempts(id)).await?;
    let body = loaded.body.and_then(|body| serde_json::from_slice(&body).ok());
    Ok(Json(NotificationInFull {
        notification: loaded.notification,
        body,
        attempts: attempts.iter().map(Into::into).collect(),
    }))
}

/// Marks a notification as read.
#[utoipa::path(post, path = "/notifications/{id}/read", tag = "notifications",
    params(("id" = u64, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn read(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(id): PathPart<u64>,
) -> Result<Response, Problem> {
    let notification = NotificationId(id);
    let row = Some(Box::new(stored(&app, notification).await?));
    let read = Command::ReadNotification { notification, row };
    super::plain_answer(app.desk.ask(known.actor(), read).await?)
}

/// Sends a notification once more, with the same key and body.
#[utoipa::path(post, path = "/notifications/{id}/resend", tag = "notifications",
    params(("id" = u64, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT, description = "It will be sent again."),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn resend(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(id): PathPart<u64>,
) -> Result<Response, Problem> {
    let notification = NotificationId(id);
    let row = Some(Box::new(stored(&app, notification).await?));
    let resend = Command::ResendNotification { notification, row };
    super::plain_answer(app.desk.ask(known.actor(), resend).await?)
}

/// Which way somebody's word goes.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NoiseParams {
    /// Takes back what was said.
    #[serde(default)]
    undo: bool,
}

/// What was taught.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Taught {
    /// Texts that are held back from now on, or told again.
    texts: usize,
}

/// Says that what a notification told was noise: `any change` of those pages leaves these texts
/// out, whatever numbers and tokens are in them. `undo=true` takes that back.
#[utoipa::path(post, path = "/notifications/{id}/noise", tag = "notifications",
    params(("id" = u64, Path), NoiseParams), security(("token" = [])), responses(
        (status = OK, body = Taught),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn noise(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(id): PathPart<u64>,
    Params(params): Params<NoiseParams>,
) -> Result<Json<Taught>, Problem> {
    let texts = noise::teach(&app, known, NotificationId(id), !params.undo).await?;
    Ok(Json(Taught { texts }))
}

/// A row as the store has it: the kernel forgets those that are done with.
pub(crate) async fn stored(app: &App, id: NotificationId) -> Result<outbox::Row, Problem> {
    let row = app.desk.read(move |reader| reader.notification(id)).await?;
    row.ok_or_else(|| Problem::not_found(format!("notification {}", id.0)))
}

/// The channels that are in use.
#[utoipa::path(get, path = "/channels", tag = "notifications", params(ListParams), responses(
    (status = OK, body = Page<Channel>)))]
pub(super) async fn channels(
    State(app): State<App>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<Channel>>, Problem> {
    let (now, limit) = (app.now(), params.limit()?);
    let after = params.cursor()?.map(outbox::ChannelId);
    let look = app.desk.look(move |kernel| {
        let rows = kernel.channels_after(after, limit).into_iter();
        rows.map(|row| Channel::of(kernel, &row, now)).collect()
    });
    Ok(Json(Page::of(look.await?, limit, |channel: &Channel| channel.id)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TestParams {
    /// Whom to reach on it, where the channel needs to know.
    contact: Option<String>,
}

/// The notification that was queued.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Queued {
    pub(super) notification: u64,
}

/// Sends a test over a channel.
#[utoipa::path(post, path = "/channels/{name}/test", tag = "notifications",
    params(("name" = String, Path), TestParams), security(("token" = [])), responses(
        (status = ACCEPTED, body = Queued),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn test(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<TestParams>,
) -> Result<Response, Problem> {
    let (name, contact) = (name.into(), params.contact.map(Into::into));
    let test = Command::TestChannel { name, contact };
    super::plain_answer(app.desk.ask(known.actor(), test).await?)
}
