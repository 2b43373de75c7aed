//! Sources: how they stand, their versions, and what differs between two of them.

use crate::App;
use crate::diff;
use crate::extract::{ListParams, Params, PathPart};
use crate::keeper::Known;
use crate::problem::Problem;
use crate::wire::{Diff, Page, Probe, Source, SourceInFull, Version, What};
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use chronon::{BlobId, SourceId, VersionNo};
use kernel::io::Command;
use kernel::record::{ProbeRow, VersionRow};
use kernel::view::SourceView;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SourceParams {
    /// The most items to return, 1 to 1,000; 100 if left out.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// Only the source with exactly this URL.
    url: Option<String>,
}

/// All sources, by id.
#[utoipa::path(get, path = "/sources", tag = "sources", params(SourceParams), responses(
    (status = OK, body = Page<Source>),
    (status = 400, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<SourceParams>,
) -> Result<Json<Page<Source>>, Problem> {
    let page = ListParams { limit: params.limit, cursor: params.cursor };
    let (limit, after) = (page.limit()?, page.cursor::<u32>()?.map(SourceId));
    let (wall, owner) = (app.wall(), known.actor().owner);
    let now = wall.now;
    let views = app
        .desk
        .look(move |kernel| match params.url {
            None => kernel.sources(after, limit, now),
            Some(url) => {
                let found = kernel.source_by_url(owner, &url).and_then(|id| kernel.source(id, now));
                found.into_iter().collect()
            }
        })
        .await?;
    let items = app
        .desk
        .read(move |reader| {
            let one = |view: &SourceView| {
                let current = current_version(reader, view)?;
                Ok(Source::of(view, current.as_ref(), &wall))
            };
            views.iter().map(one).collect::<Result<Vec<_>, _>>()
        })
        .await?;
    Ok(Json(Page::of(items, limit, |source| source.id)))
}

/// One source with its last probes.
#[utoipa::path(get, path = "/sources/{id}", tag = "sources", params(("id" = u32, Path)),
    responses(
        (status = OK, body = SourceInFull),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn one(
    State(app): State<App>,
    PathPart(id): PathPart<u32>,
) -> Result<Json<SourceInFull>, Problem> {
    let loaded = load_source(&app, SourceId(id)).await?;
    Ok(Json(SourceInFull {
        source: Source::of(&loaded.view, loaded.current.as_ref(), &app.wall()),
        recent_probes: (loaded.probes.iter())
            .map(|probe| Probe::of(probe, &app.config.zone))
            .collect(),
    }))
}

/// Probes a source as soon as budget and politeness allow.
#[utoipa::path(post, path = "/sources/{id}/probe", tag = "sources", params(("id" = u32, Path)),
    security(("token" = [])), responses(
        (status = NO_CONTENT, description = "It will be looked at."),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn probe(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    PathPart(id): PathPart<u32>,
) -> Result<Response, Problem> {
    let source = SourceId(id);
    super::plain_answer(app.desk.ask(known.actor(), Command::ProbeNow { source }).await?)
}

/// The stored versions of a source, newest first.
#[utoipa::path(get, path = "/sources/{id}/versions", tag = "sources",
    params(("id" = u32, Path), ListParams), responses(
        (status = OK, body = Page<Version>),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn versions(
    State(app): State<App>,
    PathPart(id): PathPart<u32>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<Version>>, Problem> {
    let (limit, before) = (params.limit()?, params.cursor()?.map(VersionNo));
    let rows = app
        .desk
        .read(move |reader| match reader.source(SourceId(id))? {
            Some(_) => reader.versions(SourceId(id), before, limit).map(Some),
            None => Ok(None),
        })
        .await?;
    let rows = rows.ok_or_else(|| Problem::not_found(format!("source {id}")))?;
    let items: Vec<Version> = rows.iter().map(Version::from).collect();
    Ok(Json(Page::of(items, limit, |version| version.number)))
}

/// One version.
#[utoipa::path(get, path = "/sources/{id}/versions/{n}", tag = "sources",
    params(("id" = u32, Path), ("n" = u32, Path)), responses(
        (status = OK, body = Version),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn version(
    State(app): State<App>,
    PathPart((id, n)): PathPart<(u32, u32)>,
) -> Result<Json<Version>, Problem> {
    Ok(Json(Version::from(&version_row(&app, id, n).await?)))
}

/// The bytes of a version, as they came; always a file to save.
#[utoipa::path(get, path = "/sources/{id}/versions/{n}/body", tag = "sources",
    params(("id" = u32, Path), ("n" = u32, Path)), responses(
        (status = OK, content_type = "application/octet-stream"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn body(
    State(app): State<App>,
    PathPart((id, n)): PathPart<(u32, u32)>,
) -> Result<Response, Problem> {
    let row = version_row(&app, id, n).await?;
    let bytes = blob(&app, row.facts.body).await?;
    let kind = HeaderValue::from_str(&row.facts.media_type)
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let extension = match row.facts.kind {
        page::Kind::Html => "html",
        page::Kind::Feed | page::Kind::Xml => "xml",
        page::Kind::Json => "json",
        page::Kind::Text => "txt",
    };
    Ok(contained(bytes, kind, &format!("u{id}-v{n}.{extension}")))
}

/// The visible text of a version, one paragraph per block.
#[utoipa::path(get, path = "/sources/{id}/versions/{n}/text", tag = "sources",
    params(("id" = u32, Path), ("n" = u32, Path)), responses(
        (status = OK, body = String, content_type = "text/plain"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn text(
    State(app): State<App>,
    PathPart((id, n)): PathPart<(u32, u32)>,
) -> Result<Response, Problem> {
    let extract = load_extract(&app, id, n).await?;
    let blocks: Vec<String> = extract.blocks.into_iter().map(|block| block.text).collect();
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    Ok(contained(blocks.join("\n\n").into_bytes(), kind, &format!("u{id}-v{n}.txt")))
}

/// Everything a change type can see of a version.
#[utoipa::path(get, path = "/sources/{id}/versions/{n}/extract", tag = "sources",
    params(("id" = u32, Path), ("n" = u32, Path)), responses(
        (status = OK, body = Object),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn extract(
    State(app): State<App>,
    PathPart((id, n)): PathPart<(u32, u32)>,
) -> Result<Response, Problem> {
    Ok(Json(load_extract(&app, id, n).await?).into_response())
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct DiffParams {
    /// The older version; the one before `to` if left out.
    from: Option<u32>,
    /// The newer version; the current one if left out.
    to: Option<u32>,
    /// What to compare: `any`, the text by block, if left out.
    #[serde(default, rename = "type")]
    #[param(inline)]
    what: What,
}

/// What differs between two versions of a source.
#[utoipa::path(get, path = "/sources/{id}/diff", tag = "sources",
    params(("id" = u32, Path), DiffParams), responses(
        (status = OK, body = Diff),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn diff(
    State(app): State<App>,
    PathPart(id): PathPart<u32>,
    Params(params): Params<DiffParams>,
) -> Result<Json<Diff>, Problem> {
    let versions = diff::Asked { from: params.from.map(VersionNo), to: params.to.map(VersionNo) };
    Ok(Json(diff::between(&app, SourceId(id), versions, params.what).await?))
}

/// A source of the live state with what the store knows of it.
pub(crate) struct LoadedSource {
    pub(crate) view: SourceView,
    pub(crate) current: Option<VersionRow>,
    /// Oldest first.
    pub(crate) probes: Vec<ProbeRow>,
}

pub(crate) async fn load_source(app: &App, id: SourceId) -> Result<LoadedSource, Problem> {
    let now = app.now();
    let view = app.desk.look(move |kernel| kernel.source(id, now)).await?;
    let view = view.ok_or_else(|| Problem::not_found(format!("source {}", id.0)))?;
    let loaded = app
        .desk
        .read(move |reader| {
            let current = current_version(reader, &view)?;
            let probes = reader.probes(view.row.id)?;
            Ok(LoadedSource { view, current, probes })
        })
        .await?;
    Ok(loaded)
}

pub(crate) fn current_version(
    reader: &dyn store::Reader,
    view: &SourceView,
) -> Result<Option<VersionRow>, store::StoreError> {
    match view.row.version {
        0 => Ok(None),
        number => reader.version(view.row.id, VersionNo(number)),
    }
}

pub(crate) async fn version_row(app: &App, id: u32, n: u32) -> Result<VersionRow, Problem> {
    let row = app.desk.read(move |reader| reader.version(SourceId(id), VersionNo(n))).await?;
    row.ok_or_else(|| {
        Problem::not_found(format!("version {n} of source {id}; it may not be kept any more"))
    })
}

async fn blob(app: &App, id: BlobId) -> Result<Vec<u8>, Problem> {
    let bytes = app.desk.read(move |reader| reader.blob(id)).await?;
    bytes.map(|bytes| bytes.to_vec()).ok_or_else(not_stored)
}

fn not_stored() -> Problem {
    Problem::not_found("content stored for it")
}

async fn load_extract(app: &App, id: u32, n: u32) -> Result<page::Extract, Problem> {
    let row = version_row(app, id, n).await?;
    let bytes = app.desk.read(move |reader| diff::extract_of(reader, &row)).await?;
    diff::decode_extract(&bytes.ok_or_else(not_stored)?)
}

/// Content that somebody else wrote: saved, never shown; and if it is shown, then without scripts
/// and in an origin of its own.
fn contained(bytes: Vec<u8>, kind: HeaderValue, name: &str) -> Response {
    let mut response = bytes.into_response();
    let attachment = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, attachment),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}
