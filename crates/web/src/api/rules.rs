//! Rules: lists, one with what is open, what it told, why it did or did not act; and events that
//! people raise.

use super::sentinels::AppliedList;
use crate::App;
use crate::extract::{ListParams, Params, PathPart, Text};
use crate::idempotency;
use crate::keeper::{Known, Right};
use crate::problem::Problem;
use crate::rules::{self, RuleWhy};
use crate::wire::{Page, Rule, RuleInFull, RuleTold};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Json};
use chronon::{DetectionId, RuleId};
use kernel::io::{Answer, ApplyMode, Command, Defined};
use kernel::record::RaiseKey;
use serde::Deserialize;
use utoipa::IntoParams;

/// Which rules, and how much of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RuleParams {
    /// The most items to return, 1 to 1,000; 100 if left out.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// Whether texts have their secrets instead of `‹secret 1›`; for the token of the data
    /// directory alone.
    #[serde(default)]
    with_secrets: bool,
}

/// All rules, by id.
#[utoipa::path(get, path = "/rules", tag = "rules", params(RuleParams), responses(
    (status = OK, body = Page<Rule>),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 403, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<RuleParams>,
) -> Result<Json<Page<Rule>>, Problem> {
    if params.with_secrets && known.right < Right::All {
        let detail = "Secrets are shown to the token of the data directory alone.";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    let with_secrets = params.with_secrets;
    let params = ListParams { limit: params.limit, cursor: params.cursor };
    let (limit, after) = (params.limit()?, params.cursor()?.map(RuleId));
    let owner = known.actor().owner;
    let lines = app.desk.look(move |kernel| kernel.rules_of(owner, after, limit)).await?;
    // Aside: hiding the secrets of a text means reading it.
    let items = lines.iter().map(|line| {
        if with_secrets { Rule::of(line).with_secrets(&line.row) } else { Rule::of(line) }
    });
    Ok(Json(Page::of(items.collect(), limit, |rule| rule.id)))
}

/// One rule, with what its event is made of and what is open.
#[utoipa::path(get, path = "/rules/{name}", tag = "rules", params(("name" = String, Path)),
    responses(
        (status = OK, body = RuleInFull),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn one(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Json<RuleInFull>, Problem> {
    Ok(Json(RuleInFull::of(&rules::view(&app, known, &name).await?)))
}

/// Creates or replaces one rule; the same text again changes nothing.
#[utoipa::path(put, path = "/rules/{name}", tag = "rules", params(("name" = String, Path)),
    request_body(content = String, content_type = "text/plain"), security(("token" = [])),
    responses(
        (status = CREATED, body = AppliedList),
        (status = OK, description = "It already existed.", body = AppliedList),
        (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn put(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Text(text): Text,
) -> Result<Response, Problem> {
    let mode = ApplyMode::Put { name: name.into(), what: Defined::Rule };
    super::sentinels::apply(&app, known, text, mode).await
}

/// Removes a rule: it listens no more, and what was open is gone. What it told stays readable.
#[utoipa::path(delete, path = "/rules/{name}", tag = "rules", params(("name" = String, Path)),
    security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn remove(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Response, Problem> {
    let name = rules::view(&app, known, &name).await?.row.name;
    super::plain_answer(app.desk.ask(known.actor(), Command::Remove { name }).await?)
}

/// Enables a rule, which listens from now on.
#[utoipa::path(post, path = "/rules/{name}/enable", tag = "rules",
    params(("name" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn enable(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Response, Problem> {
    switch(&app, known, &name, true).await
}

/// Disables a rule until it is enabled again; what was open is gone.
#[utoipa::path(post, path = "/rules/{name}/disable", tag = "rules",
    params(("name" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn disable(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Response, Problem> {
    switch(&app, known, &name, false).await
}

async fn switch(app: &App, known: Known, name: &str, enabled: bool) -> Result<Response, Problem> {
    let name = rules::view(app, known, name).await?.row.name;
    let enable = Command::Enable { name, enabled };
    super::plain_answer(app.desk.ask(known.actor(), enable).await?)
}

/// What a rule told, newest first, with what took part. A rule without `notify` tells nothing.
#[utoipa::path(get, path = "/rules/{name}/detections", tag = "rules",
    params(("name" = String, Path), ListParams), responses(
        (status = OK, body = Page<RuleTold>),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn detections(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<RuleTold>>, Problem> {
    let (limit, before) = (params.limit()?, params.cursor()?.map(DetectionId));
    let rule = rules::view(&app, known, &name).await?.row.id;
    let told = rules::told(&app, rule, before, limit).await?;
    Ok(Json(Page::of(told, limit, |one| one.id)))
}

/// Why a rule acted last, or what it waits for.
#[utoipa::path(get, path = "/rules/{name}/why", tag = "rules", params(("name" = String, Path)),
    responses(
        (status = OK, body = RuleWhy),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn why(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Json<RuleWhy>, Problem> {
    let view = rules::view(&app, known, &name).await?;
    let told = rules::told(&app, view.row.id, None, 1).await?;
    Ok(Json(RuleWhy::of(&view, told.first(), &app.config.zone)))
}

/// Raises an event that some rule listens to. The answer comes once what follows is durable. With
/// an `Idempotency-Key` the event happens once, also over a restart: its last 100 keys are stored.
#[utoipa::path(post, path = "/events/{name}", tag = "rules", params(("name" = String, Path)),
    security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn raise(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let key = headers.get(idempotency::IDEMPOTENCY_KEY).map(|key| {
        let hash = blake3::hash(key.as_bytes());
        let (first, _) = hash.as_bytes().split_first_chunk().expect("32 bytes hold 16");
        RaiseKey(*first)
    });
    let command = Command::Raise { name: name.clone().into(), key };
    let answer = app.desk.ask(known.actor(), command).await?;
    if !matches!(answer, Answer::NotFound { .. }) {
        return super::plain_answer(answer);
    }
    let owner = known.actor().owner;
    let events = app.desk.look(move |kernel| kernel.raisable(owner)).await?;
    let near = sentinel::nearest(&name, events.iter().map(|event| &**event));
    let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    let detail = format!("There is no rule that listens to `{name}`.{near}");
    Err(Problem::new(StatusCode::NOT_FOUND, detail))
}
