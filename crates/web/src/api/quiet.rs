//! What a source's pages do at most looks, and is held back: listed, and brought back.

use crate::App;
use crate::extract::PathPart;
use crate::keeper::Known;
use crate::noise;
use crate::problem::Problem;
use crate::wire::{Page, Quiet};
use axum::extract::State;
use axum::response::Response;
use axum::{Extension, Json};
use change::{Habit, Key};
use chronon::SourceId;
use kernel::io::Command;
use store::{Acquaintance, Reader, StoreError};

/// What is held back of a source, and why; also what would be, if nobody had asked to hear of it.
#[utoipa::path(get, path = "/sources/{id}/quiet", tag = "sources", params(("id" = u32, Path)),
    responses(
        (status = OK, body = Page<Quiet>),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(
    State(app): State<App>,
    PathPart(id): PathPart<u32>,
) -> Result<Json<Page<Quiet>>, Problem> {
    let source = SourceId(id);
    let items = app.desk.read(move |reader| match reader.source(source)? {
        Some(_) => of(reader, source).map(Some),
        None => Ok(None),
    });
    let items = items.await?.ok_or_else(|| Problem::not_found(format!("source {id}")))?;
    Ok(Json(Page { items, next: None }))
}

/// What is quiet of a source; at most a few hundred.
pub(crate) fn of(reader: &dyn Reader, source: SourceId) -> Result<Vec<Quiet>, StoreError> {
    let Acquaintance { habits, loud, .. } = Acquaintance::now(reader, source)?;
    let said: Vec<Key> = loud.into_iter().collect();
    let mut all: Vec<Quiet> = habits.list().map(|quiet| Quiet::of(quiet, &said)).collect();
    all.extend(noise::listed(reader, source, &said)?);
    Ok(all)
}

/// Tells of something although it is quiet.
#[utoipa::path(post, path = "/sources/{id}/quiet/{key}/tell", tag = "sources",
    params(("id" = u32, Path), ("key" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT, description = "It is told from the next version on."),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn tell(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart((id, key)): PathPart<(u32, String)>,
) -> Result<Response, Problem> {
    set(&app, &known, (SourceId(id), &key), true).await
}

/// Holds back what [`tell`] brought back.
#[utoipa::path(post, path = "/sources/{id}/quiet/{key}/hold", tag = "sources",
    params(("id" = u32, Path), ("key" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT, description = "It is held back while it is a habit."),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn hold(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart((id, key)): PathPart<(u32, String)>,
) -> Result<Response, Problem> {
    set(&app, &known, (SourceId(id), &key), false).await
}

/// Tells of something although it is quiet, or holds it back again.
pub(crate) async fn set(
    app: &App,
    known: &Known,
    (source, key): (SourceId, &str),
    is_loud: bool,
) -> Result<Response, Problem> {
    let key: Key =
        key.parse().map_err(|_| Problem::not_found(format!("something quiet `{key}`")))?;
    let listed = app.desk.read(move |reader| of(reader, source)).await?;
    // What is noise is told by taking the word back.
    let is_loud = is_loud != (key.habit == Habit::Noise);
    if is_loud && listed.iter().all(|quiet| quiet.key != key.to_string()) {
        return Err(Problem::not_found(format!("something quiet `{key}`")));
    }
    let command = Command::Quiet { source, key, is_loud };
    super::plain_answer(app.desk.ask(known.actor(), command).await?)
}
