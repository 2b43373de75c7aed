//! Pick a part of a page: click on what you mean, and take the sentinel that finds it again.

use super::add::OfferShown;
use super::shown::{When, plain, short};
use super::version::{Painted, confined, stored};
use super::{Frame, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::{Params, PathPart};
use crate::keeper::Known;
use crate::looker::Content;
use crate::problem::Problem;
use crate::proposals;
use address::SourceUrl;
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use change::View;
use chronon::{Instant, OwnerId, SourceId, VersionNo};
use kernel::record::VersionRow;
use page::{Hints, Limits, Paint, Pointed};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Older versions in which a selector is tried.
const OLDER: usize = 4;
/// Bytes of one of them at most.
const OLDER_BYTES_MAX: usize = 1 << 20;

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
pub(super) struct PickParams {
    /// The number of the element that was clicked.
    at: Option<u32>,
    /// Which version of a source; left out: the newest.
    version: Option<u32>,
}

/// A page of which a part is picked.
struct Subject {
    /// As a sentinel is to watch it; the password of a stored page is left out.
    url: String,
    has_secret: bool,
    at: Instant,
    content: Content,
    /// Where the page to pick from is, without what follows `at`.
    place: String,
    older: Vec<(u32, Content)>,
}

#[derive(Template)]
#[template(path = "pick.html")]
struct PickPage {
    frame: Frame,
    short: String,
    url: String,
    when: When,
    /// Where the page alone is, for the frame.
    shown: String,
    has_secret: bool,
    is_html: bool,
    picked: Option<Picked>,
    /// What was clicked cannot be found by a selector.
    is_lost: bool,
}

struct Picked {
    selector: String,
    text: String,
    counts: bool,
    /// The same in older versions.
    before: Vec<(u32, String)>,
    around: Option<String>,
    row: Option<String>,
    offers: Vec<OfferShown>,
}

pub(super) async fn of_source(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<u32>, Problem>,
    params: Result<Params<PickParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let params = params?.0;
        let subject = of_version(&app, place?.0, params).await?;
        build(&app, known.actor().owner, subject, params.at).await
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

pub(super) async fn of_glance(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
    params: Result<Params<PickParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let owner = known.actor().owner;
        let subject = glanced(&app, owner, &place?.0)?;
        build(&app, owner, subject, params?.0.at).await
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

/// The page alone, each text of it a link.
pub(super) async fn source_shown(
    State(app): State<App>,
    place: Result<PathPart<u32>, Problem>,
    params: Result<Params<PickParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let params = params?.0;
        let subject = of_version(&app, place?.0, params).await?;
        frame(&app, subject, params.at).await
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

pub(super) async fn glance_shown(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
    params: Result<Params<PickParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let subject = glanced(&app, known.actor().owner, &place?.0)?;
        frame(&app, subject, params?.0.at).await
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

fn glanced(app: &App, owner: OwnerId, key: &str) -> Result<Subject, Problem> {
    let glance = app.glances.find(owner, key, app.now()).ok_or_else(proposals::gone)?;
    Ok(Subject {
        url: glance.url.to_string(),
        has_secret: false,
        at: glance.at,
        content: glance.content.clone(),
        place: format!("/pick/{key}?"),
        older: Vec::new(),
    })
}

async fn of_version(app: &App, source: u32, params: PickParams) -> Result<Subject, Problem> {
    let loaded = api::load_source(app, SourceId(source)).await?;
    let nothing = || Problem::not_found("version of this page yet; it is looked at soon");
    let row = match params.version {
        Some(number) => api::version_row(app, source, number).await?,
        None => loaded.current.ok_or_else(nothing)?,
    };
    let (at, number) = (row.fetched_at, row.number);
    let place = match params.version {
        Some(number) => format!("/sources/{source}/pick?version={number}&"),
        None => format!("/sources/{source}/pick?"),
    };
    let content = stored(app, row).await?;
    let older =
        if params.at.is_some() { older(app, SourceId(source), number).await? } else { vec![] };
    let url = &loaded.view.row.url;
    let has_secret = url.credentials().is_some();
    Ok(Subject { url: url.shown().into_owned(), has_secret, at, content, place, older })
}

/// The versions before one, newest first.
async fn older(
    app: &App,
    source: SourceId,
    before: VersionNo,
) -> Result<Vec<(u32, Content)>, Problem> {
    let rows = app.desk.read(move |reader| reader.versions(source, Some(before), OLDER)).await?;
    let counts = |row: &VersionRow| !row.held && row.facts.kind == page::Kind::Html;
    let mut older = Vec::new();
    for row in rows.into_iter().filter(counts) {
        let number = row.number.0;
        // What is not kept any more shows nothing.
        if let Ok(content) = stored(app, row).await
            && content.body.len() <= OLDER_BYTES_MAX
        {
            older.push((number, content));
        }
    }
    Ok(older)
}

async fn frame(app: &App, subject: Subject, at: Option<u32>) -> Result<Response, Problem> {
    let leads_to = format!("{}{}at=", app.config.base(), subject.place);
    let paint = move |body: &[u8], hints: &Hints<'_>, limits: &Limits| -> Painted {
        let marked: BTreeSet<u32> = at.into_iter().collect();
        page::shown(body, hints, limits, Paint { leads_to: Some(&leads_to), marked: Some(&marked) })
    };
    confined(subject.content, paint).await
}

/// What a click found, before it has names.
struct Clicked {
    pointed: Pointed,
    title: String,
    text: String,
    number: Option<String>,
    before: Vec<(u32, String)>,
}

async fn build(
    app: &App,
    owner: OwnerId,
    subject: Subject,
    at: Option<u32>,
) -> Result<Response, Problem> {
    let Subject { url, has_secret, at: seen, content, place, older } = subject;
    let is_html = tokio::task::spawn_blocking({
        let content = content.clone();
        move || {
            with_hints(&content, page::tree)
                .is_some_and(|tree| matches!(tree, Ok(Some(page::Tree::Html(_)))))
        }
    });
    let is_html = is_html.await.unwrap_or(false);
    let clicked = match at {
        Some(at) => tokio::task::spawn_blocking(move || clicked(&content, &older, at)).await,
        None => Ok(None),
    };
    let clicked = clicked.unwrap_or_default();
    let is_lost = at.is_some() && clicked.is_none();
    let shown_url = SourceUrl::from(&*url).shown().into_owned();
    let base = app.config.base();
    let picked = match clicked {
        Some(clicked) => Some(picked(app, owner, clicked, (&url, &place)).await?),
        None => None,
    };
    let shown = place.replacen('?', "/shown?", 1);
    let shown = match at {
        Some(at) => format!("{base}{shown}at={at}#tidings-marked"),
        None => format!("{base}{shown}"),
    };
    Ok(render(&PickPage {
        frame: Frame::new(app, "Pick a part").at("watches"),
        short: short(&shown_url),
        url: shown_url,
        when: When::of(seen, &app.wall()),
        shown,
        has_secret,
        is_html,
        picked,
        is_lost,
    }))
}

/// Calls `read` with an answer's bytes and what is known of them.
fn with_hints<T>(
    content: &Content,
    read: impl FnOnce(&[u8], &Hints<'_>, &Limits) -> T,
) -> Option<T> {
    let url = url::Url::parse(&content.final_url).ok()?;
    let hints = Hints { content_type: content.said_type(), url: &url };
    Some(read(&content.body, &hints, &Limits::default()))
}

fn clicked(content: &Content, older: &[(u32, Content)], at: u32) -> Option<Clicked> {
    let pointed = with_hints(content, |body, hints, limits| {
        page::pointed(body, hints, limits, at).ok().flatten()
    })??;
    let view = View::Selected(pointed.selector.to_string().into());
    let found = finds(content, &view)?;
    let (text, language) = (found.blocks.first()?.text.clone(), found.language.as_deref());
    let number = change::amount(&text, language).map(|amount| amount.to_string());
    let before = older.iter().filter_map(|(number, content)| {
        let found = finds(content, &view)?;
        let text = match (&found.missing, found.blocks.first()) {
            (None, Some(block)) => block.text.clone(),
            _ => return Some((*number, "nothing".to_owned())),
        };
        Some((*number, text))
    });
    let before = before.collect();
    let title = with_hints(content, |body, hints, limits| {
        page::extract(body, hints, limits, [View::Page]).ok()?.remove(&View::Page)?.title
    });
    let title = title.flatten().unwrap_or_default();
    Some(Clicked { pointed, title, text, number, before })
}

/// What a look with a selector reads.
fn finds(content: &Content, view: &View) -> Option<page::Extract> {
    with_hints(content, |body, hints, limits| {
        page::extract(body, hints, limits, [view.clone()]).ok()?.remove(view)
    })?
}

async fn picked(
    app: &App,
    owner: OwnerId,
    clicked: Clicked,
    (url, place): (&str, &str),
) -> Result<Picked, Problem> {
    let Clicked { pointed, title, text, number, before } = clicked;
    let offers = propose::of_part(propose::Part {
        url,
        title: &title,
        selector: &pointed.selector,
        text: &text,
        number: number.as_deref(),
    });
    let offers = proposals::named(app, owner, offers).await?;
    let base = app.config.base();
    let link = |at: u32| format!("{base}{place}at={at}");
    Ok(Picked {
        selector: pointed.selector.to_string(),
        text: cut(&text),
        counts: pointed.counts,
        before: before.into_iter().map(|(number, text)| (number, cut(&text))).collect(),
        around: pointed.around.map(link),
        row: pointed.row.filter(|row| Some(*row) != pointed.around).map(link),
        offers: offers.into_iter().map(OfferShown::of).collect(),
    })
}

/// A text of the page, as long as a line.
fn cut(text: &str) -> String {
    const CHARS_MAX: usize = 200;
    let text = plain(text);
    match text.char_indices().nth(CHARS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
