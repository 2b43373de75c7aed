//! A page as it was: its stored bytes, made anew as harmless markup, in a frame of their own.

use super::compare::{self, Choices};
use super::shown::{When, plain, short};
use super::{Frame, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::PathPart;
use crate::looker::Content;
use crate::problem::Problem;
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use chronon::SourceId;
use kernel::record::VersionRow;
use page::{Hints, Limits, Paint};

/// Nothing runs, nothing is loaded, and no form is sent; the page is in an origin of its own. A
/// click may lead the whole window away, where the page has addresses of ours.
const CONFINED: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                        form-action 'none'; frame-ancestors 'self'; \
                        sandbox allow-top-navigation-by-user-activation";

#[derive(Template)]
#[template(path = "version.html")]
struct VersionPage {
    frame: Frame,
    source: u32,
    url: String,
    short: String,
    number: u32,
    title: String,
    when: When,
    held: bool,
    versions: Choices,
    older: Option<u32>,
    newer: Option<u32>,
}

pub(super) async fn version(
    State(app): State<App>,
    place: Result<PathPart<(u32, u32)>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { build(&app, place?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn build(app: &App, (source, number): (u32, u32)) -> Result<Response, Problem> {
    let row = api::version_row(app, source, number).await?;
    let loaded = api::load_source(app, SourceId(source)).await?;
    let url = loaded.view.row.url.shown().into_owned();
    let versions = compare::choices(app, SourceId(source), &loaded.view.sentinels).await?;
    let beside = |of: &mut dyn Iterator<Item = u32>| of.next();
    let numbers = || versions.all.iter().map(|one| one.number);
    Ok(render(&VersionPage {
        frame: Frame::new(app, format!("{} as it was", short(&url))).at("watches"),
        source,
        short: short(&url),
        url,
        number,
        title: plain(&row.facts.summary),
        when: When::of(row.fetched_at, &app.wall()),
        held: row.held,
        older: beside(&mut numbers().filter(|&one| one < number)),
        newer: beside(&mut numbers().rev().filter(|&one| one > number)),
        versions,
    }))
}

/// The page alone, for the frame.
pub(super) async fn shown(
    State(app): State<App>,
    place: Result<PathPart<(u32, u32)>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let (source, number) = place?.0;
        let row = api::version_row(&app, source, number).await?;
        let content = stored(&app, row).await?;
        confined(content, |body, hints, limits| page::shown(body, hints, limits, Paint::default()))
            .await
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

#[derive(Template)]
#[template(path = "confined.html")]
struct Confined {
    /// Markup that `page` made.
    markup: String,
}

/// Markup that `page` made, or why it could not.
pub(super) type Painted = Result<String, page::ReadError>;

/// A version's bytes, with what its answer said of them.
pub(super) async fn stored(app: &App, row: VersionRow) -> Result<Content, Problem> {
    let facts = row.facts;
    let body = facts.body;
    let bytes = app.desk.read(move |reader| reader.blob(body)).await?;
    let body = bytes.ok_or_else(|| Problem::not_found("content stored for it"))?;
    let content_type = Some(facts.media_type.into()).filter(|header: &String| !header.is_empty());
    Ok(Content { body, content_type, final_url: facts.final_url.into() })
}

/// What `paint` makes of bytes, where it can do no harm.
pub(super) async fn confined(
    content: Content,
    paint: impl FnOnce(&[u8], &Hints<'_>, &Limits) -> Painted + Send + 'static,
) -> Result<Response, Problem> {
    let painted = tokio::task::spawn_blocking(move || {
        let url = url::Url::parse(&content.final_url).map_err(|error| error.to_string())?;
        let content_type = content.content_type.as_deref();
        let hints = Hints { content_type, url: &url };
        paint(&content.body, &hints, &Limits::default()).map_err(|error| error.to_string())
    });
    let painted = painted.await.unwrap_or_else(|_| Err("it could not be read".to_owned()));
    let markup =
        painted.map_err(|why| Problem::conflict(format!("Nothing can be shown: {why}.")))?;
    let page = Confined { markup }.render().map_err(|error| {
        tracing::error!(%error, "a stored page could not be rendered");
        Problem::conflict("The page could not be made; the server's log says why.")
    })?;
    let mut response = Html(page).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONFINED));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    Ok(response)
}
