//! The first page: sentinels, sources, what was told last, how the budget is used.

use super::alert::{self, Alert};
use super::shown::{Budget, SourceRow, When, plain};
use super::told::{self, Room, Section};
use super::watches::{self, Overview};
use super::{Frame, NOTIFICATIONS, ROWS, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::Params;
use crate::keeper::Known;
use crate::look::Loaded;
use crate::problem::Problem;
use crate::wire::delivery_words;
use crate::words::Wall;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use change::Aspect;
use chronon::SourceId;
use kernel::view::SourceView;
use notice::Notice;
use serde::Deserialize;

/// Channels that take no more, on one page.
const CLOSED: usize = 10;

#[derive(Debug, Default, Deserialize)]
pub(super) struct HomeParams {
    sources_after: Option<u32>,
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    frame: Frame,
    watches: Overview,
    sources: Vec<SourceRow>,
    sources_total: usize,
    sources_next: Option<u32>,
    notifications: Vec<Alert>,
    budget: Budget,
    /// What the upgrade from the first release is said to concern.
    upgraded: Option<String>,
    /// Channels that take no more: where, and why.
    closed: Vec<(String, String)>,
    /// Some list does not start at its beginning.
    paged: bool,
    rows_max: usize,
    /// What may be monitored, by example.
    leaves: String,
    notifications_max: usize,
}

/// A notification in a list.
pub(super) struct Card {
    pub(super) id: u64,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) when: When,
    pub(super) sections: Vec<Section>,
    /// Sections that are not listed.
    pub(super) left_out: usize,
    /// The name that its sentinel has now.
    pub(super) sentinel: Option<String>,
    /// Something of it can be said to be noise.
    pub(super) may_be_noise: bool,
    /// By which channel it goes, and how far it is; empty for what is here and nowhere else.
    pub(super) delivery: String,
    pub(super) state: &'static str,
    pub(super) is_news: bool,
}

impl Card {
    pub(super) fn of(loaded: &Loaded, room: Room, wall: &Wall) -> Card {
        let one = &loaded.notification;
        let read = loaded.body.as_deref().and_then(Notice::read).unwrap_or_default();
        let mut notice = read.by_clock(&wall.zone).unwrap_or(read);
        // Links lead to what it is called now.
        if let Some(name) = &one.sentinel {
            let own = notice.notifications.iter_mut().flatten();
            own.for_each(|member| member.sentinel = Some(name.clone()));
            notice.sentinel = Some(name.clone());
        }
        let (sections, left_out) = told::sections(&notice, room);
        Card {
            id: one.id,
            title: one.title(),
            summary: plain(&one.summary.clone().unwrap_or_else(|| one.waiting_words())),
            when: When::of(one.created(), wall),
            sections,
            left_out,
            sentinel: one.sentinel.clone(),
            may_be_noise: may_be_noise(&notice),
            delivery: plain(&delivery_words(std::iter::once(one))),
            state: one.state_words(),
            is_news: one.is_news(),
        }
    }
}

/// Other sentinels than those of `any change` say themselves what they leave out.
fn may_be_noise(notice: &Notice) -> bool {
    let all = std::iter::once(notice).chain(notice.notifications.iter().flatten());
    let any = Aspect::Any.row().name;
    all.flat_map(|one| &one.changes).any(|change| change.change_type == any)
}

pub(super) async fn home(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    params: Result<Params<HomeParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { build(&app, known, params?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn build(app: &App, known: Known, params: HomeParams) -> Result<Response, Problem> {
    // Before the state is read: what happens meanwhile is then told twice rather than never.
    let frame = Frame::new(app, "Tidings").at("home");
    let (wall, sources_after) = (app.wall(), params.sources_after.map(SourceId));
    let now = wall.now;
    let (views, budget, sizes, closed) = app
        .desk
        .look(move |kernel| {
            let sources = kernel.sources(sources_after, ROWS, now);
            let closed = kernel.disabled_channels(CLOSED);
            (sources, Budget::of(&kernel.budget(now)), kernel.sizes(), closed)
        })
        .await?;
    let sources = source_rows(app, views, &wall).await?;
    Ok(render(&HomePage {
        frame,
        sources_next: (sources.len() == ROWS).then(|| sources.last().map(|s| s.id)).flatten(),
        watches: watches::overview(app, known).await?,
        sources,
        sources_total: sizes.1,
        notifications: alert::newest(app, |_| true, &wall).await?,
        budget,
        upgraded: app.keeper.upgraded().map(count_words),
        closed: closed.iter().map(closed_words).collect(),
        paged: sources_after.is_some(),
        rows_max: ROWS,
        leaves: leaves(),
        notifications_max: NOTIFICATIONS,
    }))
}

fn count_words(sentinels: u32) -> String {
    match sentinels {
        1 => "1 sentinel of the first release asks".to_owned(),
        count => format!("{count} sentinels of the first release ask"),
    }
}

/// What is said of the upgrade is dismissed.
pub(super) async fn act(State(app): State<App>, form: Bytes) -> Result<Response, Sorry> {
    let done = async {
        let mut fields = url::form_urlencoded::parse(&form);
        if !fields.any(|(name, value)| name == "do" && value == "dismiss") {
            return Err(Problem::bad_request("Press a button."));
        }
        app.keeper.dismiss_upgrade().await?;
        Ok(Redirect::to("/").into_response())
    };
    done.await.map_err(|problem| Sorry(app.clone(), problem))
}

/// An example of each aspect, as the language writes it.
fn leaves() -> String {
    let quoted = |text: &str| format!("\"{text}\"");
    let example = |aspect: Aspect| aspect.write(aspect.row().sample.iter().copied(), quoted);
    Aspect::all().map(example).collect::<Vec<String>>().join(" · ")
}

/// `webhook https://me.example/`, and the reason.
fn closed_words(row: &outbox::ChannelRow) -> (String, String) {
    let place = match &row.contact {
        Some(contact) => format!("{} {contact}", row.name),
        None => row.name.to_string(),
    };
    (plain(&place), plain(row.disabled.as_deref().unwrap_or_default()))
}

pub(super) async fn source_rows(
    app: &App,
    views: Vec<SourceView>,
    wall: &Wall,
) -> Result<Vec<SourceRow>, Problem> {
    let wall = wall.clone();
    let rows = app.desk.read(move |reader| {
        let row = |view: &SourceView| {
            let current = api::current_version(reader, view)?;
            let probes = reader.probes(view.row.id)?;
            Ok(SourceRow::of(view, current.as_ref(), probes.last(), &wall))
        };
        views.iter().map(row).collect::<Result<Vec<_>, store::StoreError>>()
    });
    Ok(rows.await?)
}
