//! The inbox: what was told, with the change readable in place; read, and searched.

use super::alert::{self, Alert, CHANNELS, by_alert};
use super::shown::plain;
use super::{Frame, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::Params;
use crate::keeper::Known;
use crate::look;
use crate::noise;
use crate::problem::Problem;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::NotificationId;
use kernel::io::Command;
use outbox::Row;
use serde::Deserialize;

/// Alerts on one page.
const CARDS: usize = 20;
/// Texts that are named where something was noise.
const TAUGHT_SHOWN: usize = 5;
/// Alerts that a search or a filter looks through for one page.
const SEARCHED: usize = 1_000;
/// Alerts that one press of “Mark all as read” is for.
const READ_MAX: usize = 1_000;

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct InboxParams {
    /// In the title, or what it says in a line.
    q: String,
    /// `unread`; empty: all.
    show: String,
    /// Those older than this alert.
    before: Option<u64>,
    /// The alert that was said to be noise a moment ago.
    noise: Option<u64>,
    /// The sentinel that was snoozed a moment ago.
    snoozed: String,
}

#[derive(Template)]
#[template(path = "inbox.html")]
struct InboxPage {
    frame: Frame,
    params: InboxParams,
    cards: Vec<Alert>,
    /// Where older ones are.
    older: Option<String>,
    /// The search went so far back and no further.
    searched: bool,
    /// The alert that was noise, and texts of what is held back from now on.
    taught: Option<(u64, Vec<String>)>,
    snoozes: [(&'static str, &'static str); 6],
}

pub(super) async fn inbox(
    State(app): State<App>,
    params: Result<Params<InboxParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { build(&app, params?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn build(app: &App, params: InboxParams) -> Result<Response, Problem> {
    let frame = Frame::new(app, "Inbox").at("inbox");
    let (wall, before) = (app.wall(), params.before.map(NotificationId));
    let q = params.q.trim().to_lowercase();
    let is_plain = q.is_empty() && params.show.is_empty();
    let limit = if is_plain { CARDS * CHANNELS } else { SEARCHED };
    let loaded = look::notifications(app, None, before, limit).await?;
    let (last, full) = (loaded.last().map(|one| one.notification.id), loaded.len() == limit);
    let is_wanted = |one: &&look::Loaded| {
        let one = &one.notification;
        let said = one.summary.clone().unwrap_or_default();
        let is_found = q.is_empty()
            || one.title().to_lowercase().contains(&q)
            || said.to_lowercase().contains(&q);
        is_found && (params.show != "unread" || one.is_news())
    };
    let mut alerts = by_alert(loaded.iter().filter(is_wanted));
    // What the limit may have cut is whole on the next page.
    let at_end = alerts.last().and_then(|all| all.last()).map(|one| one.notification.id) == last;
    let is_cut = full && at_end && alerts.len() > 1 && alerts.len() <= CARDS;
    if is_cut {
        alerts.pop();
    }
    let has_more = is_cut || alerts.len() > CARDS;
    alerts.truncate(CARDS);
    let next = match alerts.last().and_then(|alert| alert.last()) {
        Some(shown) if has_more => Some(shown.notification.id),
        _ => last.filter(|_| full),
    };
    let cards = alert::cards(app, &alerts, &wall).await?;
    let older = next.map(|before| {
        query(&InboxParams {
            before: Some(before),
            noise: None,
            snoozed: String::new(),
            ..params.clone()
        })
    });
    let taught = match params.noise {
        Some(id) => Some((id, held_back(app, NotificationId(id)).await?)),
        None => None,
    };
    let snoozes = super::act::SNOOZES;
    Ok(render(&InboxPage {
        snoozes,
        frame,
        searched: !is_plain && full,
        params,
        cards,
        older,
        taught,
    }))
}

/// Texts of an alert that are noise, the first of them.
async fn held_back(app: &App, id: NotificationId) -> Result<Vec<String>, Problem> {
    let texts = noise::texts(app, id).await?;
    Ok(texts.values().take(TAUGHT_SHOWN).map(|text| plain(text)).collect())
}

/// Marks one alert, or all, as read; or says that one was noise, or takes that back.
pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = read(&app, known, &form).await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn read(app: &App, known: Known, form: &[u8]) -> Result<Response, Problem> {
    let field = |wanted: &str| {
        let mut fields = url::form_urlencoded::parse(form);
        fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    };
    let mut params = InboxParams {
        q: field("q").unwrap_or_default(),
        show: field("show").unwrap_or_default(),
        before: field("before").and_then(|before| before.parse().ok()),
        ..InboxParams::default()
    };
    if let Some(id) = field("snooze") {
        let span = field(&format!("for-{id}")).unwrap_or_default();
        params.snoozed = snooze(app, known, &id, &span).await?;
        return Ok(Redirect::to(&format!("/inbox{}", query(&params))).into_response());
    }
    for (name, is_noise) in [("noise", true), ("no-noise", false)] {
        let Some(id) = field(name) else { continue };
        let id = id.parse().map_err(|_| Problem::bad_request("This names no alert."))?;
        noise::teach(app, known, NotificationId(id), is_noise).await?;
        params.noise = Some(id).filter(|_| is_noise);
        return Ok(Redirect::to(&format!("/inbox{}", query(&params))).into_response());
    }
    let one = match field("read") {
        Some(ids) => {
            let ids = ids.split(',').take(READ_MAX).map(|id| id.parse().map(NotificationId));
            let ids: Result<Vec<_>, _> = ids.collect();
            Some(ids.map_err(|_| Problem::bad_request("`read` names no alert."))?)
        }
        None if field("do").as_deref() == Some("all") => None,
        None => return Err(Problem::bad_request("Say which alert was read.")),
    };
    let rows = app.desk.read(move |reader| match one {
        Some(ids) => {
            let rows = ids.into_iter().map(|id| reader.notification(id));
            Ok(rows.collect::<Result<Vec<Option<Row>>, _>>()?.into_iter().flatten().collect())
        }
        None => reader.notifications(None, None, READ_MAX),
    });
    let unread = rows.await?.into_iter().filter(|row| !row.read);
    let asked = unread.map(|row| {
        let notification = row.id;
        let command = Command::ReadNotification { notification, row: Some(Box::new(row)) };
        app.desk.ask(known.actor(), command)
    });
    for answer in futures_util::future::join_all(asked).await {
        answer?;
    }
    // To where the button was, or to what takes its place.
    let at = field("at").and_then(|at| at.parse::<u64>().ok());
    let at = at.map(|id| format!("#alert-{id}")).unwrap_or_default();
    Ok(Redirect::to(&format!("/inbox{}{at}", query(&params))).into_response())
}

/// Snoozes the sentinel of an alert; its name.
async fn snooze(app: &App, known: Known, id: &str, span: &str) -> Result<String, Problem> {
    let wrong = || Problem::bad_request("Say which alert, and for how long.");
    let id = id.parse().map_err(|_| wrong())?;
    let name = look::notification(app, NotificationId(id)).await?.notification.sentinel;
    let name = name.ok_or_else(|| Problem::not_found("the alert's sentinel"))?;
    let until = super::act::after(app.now(), &app.config.zone, span).ok_or_else(wrong)?;
    let command = Command::Snooze { name: name.as_str().into(), until: Some(until) };
    api::plain_answer(app.desk.ask(known.actor(), command).await?)?;
    Ok(name)
}

fn query(params: &InboxParams) -> String {
    let mut all = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in [("q", &params.q), ("show", &params.show), ("snoozed", &params.snoozed)] {
        if !value.is_empty() {
            all.append_pair(name, value);
        }
    }
    for (name, value) in [("before", params.before), ("noise", params.noise)] {
        if let Some(value) = value {
            all.append_pair(name, &value.to_string());
        }
    }
    match all.finish() {
        all if all.is_empty() => all,
        all => format!("?{all}"),
    }
}
