//! Sentinels: list, create, replace, remove, enable, disable; and what they found.

use crate::App;
use crate::diff;
use crate::extract::{ListParams, Params, PathPart, Text, accepts};
use crate::keeper::{Known, Right};
use crate::problem::Problem;
use crate::trouble::{self, Trouble};
use crate::values::{Effort, Values};
use crate::why::Why;
use crate::wire::{Detection, Page, Sentinel, SentinelInFull};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use chronon::{Instant, SentinelId};
use kernel::io::{Answer, Applied, AppliedWhat, ApplyMode, Command, Defined, Subject};
use kernel::view::{SentinelView, SourceView};
use kernel::{Kernel, Proposal};
use outbox::DetectionId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Bytes of one list of detections, as JSON: each may have a mebibyte of changes.
const DETECTIONS_BYTES_MAX: usize = 8 << 20;

/// Which sentinels, and how much of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SentinelParams {
    /// The most items to return, 1 to 1,000; 100 if left out.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// Those with this tag alone, in any case.
    tag: Option<String>,
    /// Whether texts have their secrets instead of `‹secret 1›`; for the token of the data
    /// directory alone.
    #[serde(default)]
    with_secrets: bool,
}

/// All sentinels, or those with a tag, by id.
#[utoipa::path(get, path = "/sentinels", tag = "sentinels", params(SentinelParams), responses(
    (status = OK, body = Page<Sentinel>),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 403, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<SentinelParams>,
) -> Result<Json<Page<Sentinel>>, Problem> {
    if params.with_secrets && known.right < Right::All {
        let detail = "Secrets are shown to the token of the data directory alone.";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    let (with_secrets, tag) = (params.with_secrets, params.tag);
    let params = ListParams { limit: params.limit, cursor: params.cursor };
    let (limit, after) = (params.limit()?, params.cursor()?.map(SentinelId));
    let (wall, owner) = (app.wall(), known.actor().owner);
    let now = wall.now;
    let items = app
        .desk
        .look(move |kernel| {
            let views = match &tag {
                Some(tag) => kernel.tagged(owner, tag, after, now).take(limit).collect(),
                None => kernel.sentinels(owner, after, limit, now),
            };
            let with_sources = |view| {
                let sources = sources_of(kernel, &view, now);
                (with_url(kernel, view), sources)
            };
            views.into_iter().map(with_sources).collect::<Vec<_>>()
        })
        .await?;
    // Aside: hiding the secrets of a text means reading it.
    let items = app.desk.read(move |reader| {
        let item = |((view, url), sources): &((SentinelView, String), Vec<SourceView>)| {
            let trouble = trouble::of(reader, view, sources, &wall.zone)?;
            let item = Sentinel::of(view, url, &wall).in_trouble(trouble);
            Ok(if with_secrets { item.with_secrets(view) } else { item })
        };
        items.iter().map(item).collect::<Result<Vec<Sentinel>, store::StoreError>>()
    });
    let items = items.await?;
    Ok(Json(Page::of(items, limit, |sentinel| sentinel.id)))
}

/// What a POST may do with names that exist.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    /// A name that exists is a conflict.
    #[default]
    Create,
    /// It is replaced.
    Upsert,
}

impl Mode {
    pub(super) fn upsert() -> Mode {
        Mode::Upsert
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct CreateParams {
    /// `create` (the default) or `upsert`.
    #[serde(default)]
    #[param(inline)]
    mode: Mode,
}

/// What became of each sentinel of a text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AppliedList {
    sentinels: Vec<AppliedOne>,
    /// Left out where the text has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<AppliedOne>,
}

#[derive(Debug, Serialize, ToSchema)]
struct AppliedOne {
    id: u64,
    name: String,
    /// `created`, `changed` (in place), `replaced` or `unchanged`.
    what: &'static str,
}

/// Creates the sentinels of a text, all or none.
#[utoipa::path(post, path = "/sentinels", tag = "sentinels", params(CreateParams),
    request_body(content = String, content_type = "text/plain"), security(("token" = [])),
    responses(
        (status = CREATED, body = AppliedList),
        (status = OK, description = "Nothing new was created.", body = AppliedList),
        (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn create(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<CreateParams>,
    Text(text): Text,
) -> Result<Response, Problem> {
    let mode = match params.mode {
        Mode::Create => ApplyMode::Create,
        Mode::Upsert => ApplyMode::Upsert,
    };
    apply(&app, known, text, mode).await
}

/// One sentinel with its history of states.
#[utoipa::path(get, path = "/sentinels/{name}", tag = "sentinels",
    params(("name" = String, Path)), responses(
        (status = OK, body = SentinelInFull),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn one(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Json<SentinelInFull>, Problem> {
    let (view, url) = sentinel_view(&app, known, &name).await?;
    let (id, trouble) = (view.row.id, trouble_of(&app, &view).await?);
    let transitions = app.desk.read(move |reader| reader.transitions(id)).await?;
    Ok(Json(SentinelInFull {
        sentinel: Sentinel::of(&view, &url, &app.wall()).in_trouble(trouble),
        transitions: transitions.iter().map(Into::into).collect(),
    }))
}

/// Creates or replaces one sentinel; the same text again changes nothing.
#[utoipa::path(put, path = "/sentinels/{name}", tag = "sentinels", params(("name" = String, Path)),
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
    let mode = ApplyMode::Put { name: name.into(), what: Defined::Sentinel };
    apply(&app, known, text, mode).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RemoveParams {
    /// It goes on for ten minutes, tells nothing, and can be restored; else it is gone at once.
    #[serde(default)]
    undo: bool,
}

/// Removes a sentinel; what it found stays readable by its notifications.
#[utoipa::path(delete, path = "/sentinels/{name}", tag = "sentinels",
    params(("name" = String, Path), RemoveParams), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn remove(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<RemoveParams>,
) -> Result<Response, Problem> {
    let name = name.into();
    let command = if params.undo { Command::Discard { name } } else { Command::Remove { name } };
    super::plain_answer(app.desk.ask(known.actor(), command).await?)
}

/// Takes a removal back that left time for it; what was found meanwhile is told.
#[utoipa::path(post, path = "/sentinels/{name}/restore", tag = "sentinels",
    params(("name" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn restore(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Response, Problem> {
    let command = Command::TakeBack { name: name.into() };
    super::plain_answer(app.desk.ask(known.actor(), command).await?)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SnoozeParams {
    /// A time as `from` takes it: `now + 2 hours`, `2027-03-01 09:00`, RFC 3339. Or how long from
    /// now: `2d`.
    until: String,
}

/// Looks go on; what they find until then is told then, as one digest per channel.
#[utoipa::path(post, path = "/sentinels/{name}/snooze", tag = "sentinels",
    params(("name" = String, Path), SnoozeParams), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn snooze(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<SnoozeParams>,
) -> Result<Response, Problem> {
    let (zone, chronon) = app.desk.look(|kernel| kernel.rules().calendar()).await?;
    let read = |written: &str| sentinel::instant(written, app.now(), &zone, chronon);
    let until = read(&params.until)
        .or_else(|said| read(&format!("now + {}", params.until)).map_err(|_| said))
        .map_err(|said| Problem::bad_request(format!("`until` cannot be read: {said}.")))?;
    let command = Command::Snooze { name: name.into(), until: Some(until) };
    super::plain_answer(app.desk.ask(known.actor(), command).await?)
}

/// Ends a snooze; what was found meanwhile is told now.
#[utoipa::path(post, path = "/sentinels/{name}/wake", tag = "sentinels",
    params(("name" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn wake(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Response, Problem> {
    let command = Command::Snooze { name: name.into(), until: None };
    super::plain_answer(app.desk.ask(known.actor(), command).await?)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RenameParams {
    /// The new name.
    to: String,
}

/// Gives a sentinel another name; looks, counts and history go on.
#[utoipa::path(post, path = "/sentinels/{name}/rename", tag = "sentinels",
    params(("name" = String, Path), RenameParams), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn rename(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<RenameParams>,
) -> Result<Response, Problem> {
    let command = Command::Rename { name: name.into(), to: params.to.into() };
    super::plain_answer(app.desk.ask(known.actor(), command).await?)
}

/// Enables a sentinel; the version then current is its baseline.
#[utoipa::path(post, path = "/sentinels/{name}/enable", tag = "sentinels",
    params(("name" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn enable(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Response, Problem> {
    switch(&app, known, name, true).await
}

/// Disables a sentinel until it is enabled again.
#[utoipa::path(post, path = "/sentinels/{name}/disable", tag = "sentinels",
    params(("name" = String, Path)), security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn disable(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
) -> Result<Response, Problem> {
    switch(&app, known, name, false).await
}

/// What a sentinel found, newest first, with the changes. A list ends early after 8 MiB; `next`
/// goes on.
#[utoipa::path(get, path = "/sentinels/{name}/detections", tag = "sentinels",
    params(("name" = String, Path), ListParams), responses(
        (status = OK, body = Page<Detection>),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn detections(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<Detection>>, Problem> {
    let (limit, before) = (params.limit()?, params.cursor()?.map(DetectionId));
    let id = sentinel_view(&app, known, &name).await?.0.row.id;
    let (items, asked) = app
        .desk
        .read(move |reader| {
            let rows = reader.detections(id, before, limit)?;
            let all = rows.iter().map(|row| diff::detection(reader, row));
            let items: Vec<Detection> = first_of(all, DETECTIONS_BYTES_MAX)?;
            let is_cut = items.len() < rows.len();
            let asked = if is_cut { items.len() } else { limit };
            Ok((items, asked))
        })
        .await?;
    Ok(Json(Page::of(items, asked, |detection| detection.id)))
}

/// In which form.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ValuesParams {
    /// As `Accept` says if left out.
    #[param(inline)]
    format: Option<Format>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Json,
    Csv,
}

/// The values that a sentinel watches, version by version, as far back as versions are kept: a
/// series for each selector, with its least and largest number, and what was told. As JSON, or as
/// CSV for `Accept: text/csv`.
#[utoipa::path(get, path = "/sentinels/{name}/values", tag = "sentinels",
    params(("name" = String, Path), ValuesParams), responses(
        (status = OK, content((Values = "application/json"), (String = "text/csv"))),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn values(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<ValuesParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let wants_csv = match params.format {
        Some(Format::Csv) => true,
        Some(Format::Json) => false,
        None => accepts(&headers, "text/csv"),
    };
    let values = crate::values::values(&app, known, &name, Effort::Again).await?;
    if wants_csv {
        let kind = [(header::CONTENT_TYPE, "text/csv; charset=utf-8")];
        return Ok((kind, values.csv()).into_response());
    }
    Ok(Json(values).into_response())
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct WhyParams {
    /// RFC 3339, or a time as the language writes it; now if left out.
    at: Option<String>,
}

/// What became of the last look at a page before a time, for a sentinel: why it was told, or was
/// not.
#[utoipa::path(get, path = "/sentinels/{name}/why", tag = "sentinels",
    params(("name" = String, Path), WhyParams), responses(
        (status = OK, body = Why),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn why(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(name): PathPart<String>,
    Params(params): Params<WhyParams>,
) -> Result<Json<Why>, Problem> {
    let now = app.now();
    let at = match params.at {
        None => now,
        Some(written) => {
            let (zone, chronon) = app.desk.look(|kernel| kernel.rules().calendar()).await?;
            sentinel::instant(&written, now, &zone, chronon)
                .map_err(|said| Problem::bad_request(format!("`at` cannot be read: {said}.")))?
        }
    };
    Ok(Json(crate::why::why(&app, known, &name, at).await?))
}

/// The first items, until together they have `bytes_max` bytes as JSON.
fn first_of<T: Serialize, E>(
    items: impl Iterator<Item = Result<T, E>>,
    bytes_max: usize,
) -> Result<Vec<T>, E> {
    let (mut first, mut bytes) = (Vec::new(), 0);
    for item in items {
        let item = item?;
        bytes += serde_json::to_vec(&item).map_or(0, |json| json.len());
        first.push(item);
        if bytes >= bytes_max {
            break;
        }
    }
    Ok(first)
}

/// A sentinel of the live state with its source's URL.
pub(crate) async fn sentinel_view(
    app: &App,
    known: Known,
    name: &str,
) -> Result<(SentinelView, String), Problem> {
    let (now, owner, wanted) = (app.now(), known.actor().owner, name.to_owned());
    let found = app
        .desk
        .look(move |kernel| {
            let view = kernel.sentinel(owner, &wanted, now)?;
            Some(with_url(kernel, view))
        })
        .await?;
    found.ok_or_else(|| Problem::not_found(format!("sentinel named `{name}`")))
}

/// What is wrong with a sentinel, if anything is.
pub(crate) async fn trouble_of(app: &App, view: &SentinelView) -> Result<Option<Trouble>, Problem> {
    let (now, view) = (app.now(), view.clone());
    let found = app.desk.look(move |kernel| (sources_of(kernel, &view, now), view));
    let (sources, view) = found.await?;
    let zone = app.wall().zone;
    Ok(app.desk.read(move |reader| trouble::of(reader, &view, &sources, &zone)).await?)
}

/// A sentinel with its source's URL.
pub(crate) fn with_url(kernel: &Kernel, view: SentinelView) -> (SentinelView, String) {
    let url = kernel.source_url(view.row.source).map(ToString::to_string);
    (view, url.unwrap_or_default())
}

/// The sources of a sentinel that are there still.
pub(crate) fn sources_of(kernel: &Kernel, view: &SentinelView, now: Instant) -> Vec<SourceView> {
    view.row.sources().filter_map(|source| kernel.source(source, now)).collect()
}

async fn switch(app: &App, known: Known, name: String, enabled: bool) -> Result<Response, Problem> {
    let name = name.into();
    let enable = Command::Enable { name, enabled };
    super::plain_answer(app.desk.ask(known.actor(), enable).await?)
}

/// Applies a text.
pub(super) async fn apply(
    app: &App,
    known: Known,
    text: String,
    mode: ApplyMode,
) -> Result<Response, Problem> {
    let proposal = Proposal { actor: known.actor(), text: &text, mode };
    match app.desk.apply(proposal).await? {
        Answer::Applied(list) => {
            let fresh = list.iter().any(|one| one.what == AppliedWhat::Created);
            let status = if fresh { StatusCode::CREATED } else { StatusCode::OK };
            Ok(applied(&list, status))
        }
        other => super::plain_answer(other),
    }
}

/// A name as part of a path; letters of every language may be in it, but no space.
fn encoded(name: &str) -> String {
    url::form_urlencoded::byte_serialize(name.as_bytes()).collect()
}

pub(super) fn applied(list: &[Applied], status: StatusCode) -> Response {
    let (mut sentinels, mut rules) = (Vec::new(), Vec::new());
    for one in list {
        let (of_its_kind, id) = match one.id {
            Subject::Sentinel(id) => (&mut sentinels, id.0),
            Subject::Rule(id) => (&mut rules, id.0),
        };
        of_its_kind.push(AppliedOne {
            id,
            name: one.name.to_string(),
            what: match one.what {
                AppliedWhat::Created => "created",
                AppliedWhat::Replaced => "replaced",
                AppliedWhat::Changed => "changed",
                AppliedWhat::Unchanged => "unchanged",
            },
        });
    }
    let mut response = (status, Json(AppliedList { sentinels, rules })).into_response();
    if let ([one], StatusCode::CREATED) = (list, status) {
        let kind = match one.id {
            Subject::Sentinel(_) => "sentinels",
            Subject::Rule(_) => "rules",
        };
        let place = HeaderValue::from_str(&format!("/api/v1/{kind}/{}", encoded(&one.name)));
        if let Ok(place) = place {
            response.headers_mut().insert(header::LOCATION, place);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::first_of;

    #[test]
    fn a_list_of_large_items_ends_early_and_never_before_its_first() {
        let items = || [10, 20, 30].iter().map(|size| Ok::<_, ()>("x".repeat(*size)));
        assert_eq!(first_of(items(), 1_000).map(|list| list.len()), Ok(3));
        assert_eq!(first_of(items(), 30).map(|list| list.len()), Ok(2));
        assert_eq!(first_of(items(), 1).map(|list| list.len()), Ok(1));
        let failing = [Ok("x"), Err("the store")].into_iter();
        assert_eq!(first_of(failing, 1_000), Err("the store"));
    }
}
