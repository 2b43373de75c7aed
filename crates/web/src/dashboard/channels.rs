//! Channels: where alerts go, tests of them, and what became of the last alerts.

use super::shown::{AttemptLine, When, plain};
use super::{Frame, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::Params;
use crate::keeper::Known;
use crate::look;
use crate::problem::Problem;
use crate::roster::NamedChannel;
use crate::words::{self, Wall};
use address::{ChannelKind, MANNERS};
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::NotificationId;
use kernel::io::{Answer, Command};
use serde::Deserialize;
use serde_json::Value;

/// Channels on one page.
const CHANNELS: usize = 100;
/// Alerts whose attempts are listed.
const LOGGED: usize = 30;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ChannelParams {
    /// The test that was sent before.
    test: Option<u64>,
    /// The channel that was made or changed before.
    made: Option<String>,
    /// The channel that was removed before.
    removed: Option<String>,
    /// The attempts of alerts older than this one are listed.
    before: Option<u64>,
}

#[derive(Template)]
#[template(path = "channels.html")]
struct ChannelsPage {
    frame: Frame,
    /// Those that are not named.
    channels: Vec<ChannelShown>,
    /// All that was used.
    rows_total: usize,
    named: Vec<NamedShown>,
    /// The one of them that was made or changed before.
    made: Option<String>,
    /// The one that was removed before.
    removed: Option<String>,
    log: Vec<Line>,
    /// It does not begin at the newest alert.
    is_older: bool,
    /// Before which alert it goes on.
    older: Option<u64>,
    test: Option<u64>,
    wrong: Option<String>,
}

struct ChannelShown {
    id: u64,
    name: String,
    /// As it may be shown.
    contact: String,
    /// Why it takes no more.
    disabled: Option<String>,
    /// Until when it hears nothing.
    waits: Option<When>,
    /// Since when it takes nothing.
    failing: Option<When>,
}

/// A channel with a name of its own.
struct NamedShown {
    name: String,
    kind: String,
    /// Whom it tells, as it may be shown; and when.
    says: String,
    is_made: bool,
    trouble: Option<String>,
    /// How it fares, if it was used as it is.
    used: Option<ChannelShown>,
    /// It may be tested without a contact.
    is_ready: bool,
}

impl NamedShown {
    /// A channel, which is taken from those in use.
    fn of(one: NamedChannel, in_use: &mut Vec<ChannelShown>) -> NamedShown {
        let is_it = |used: &ChannelShown| used.name == one.name && used.contact.is_empty();
        let used = in_use.iter().position(is_it).map(|at| in_use.remove(at));
        let text = |name: &str| one.settings.get(name).and_then(Value::as_str);
        let kind = text("kind").and_then(ChannelKind::named);
        let whom = kind.and_then(ChannelKind::contact_field).and_then(text);
        let manners = MANNERS.iter().filter_map(|(name, ..)| {
            let value = text(name)?;
            Some(format!("{} {value}", name.replace('_', " ")))
        });
        let says = whom.map(str::to_owned).into_iter().chain(manners);
        NamedShown {
            kind: kind.map_or("an unknown kind", |kind| kind.row().title).to_owned(),
            says: plain(&says.collect::<Vec<_>>().join(" · ")),
            is_ready: one.trouble.is_none()
                && (whom.is_some() || kind.is_some_and(|kind| !kind.needs_contact())),
            name: one.name,
            is_made: one.is_made,
            used,
            trouble: one.trouble,
        }
    }
}

struct Line {
    id: u64,
    title: String,
    channel: String,
    attempt: AttemptLine,
}

pub(super) async fn channels(
    State(app): State<App>,
    params: Result<Params<ChannelParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { build(&app, params?.0, None).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn build(
    app: &App,
    before: ChannelParams,
    wrong: Option<String>,
) -> Result<Response, Problem> {
    let wall = app.wall();
    let now = wall.now;
    let look = app.desk.look(move |kernel| {
        let rows = kernel.channels_after(None, CHANNELS).into_iter();
        rows.map(|row| (kernel.channel_waits(row.id, now), row)).collect::<Vec<_>>()
    });
    let rows = look.await?;
    let channels = rows.iter().map(|(waits, row)| ChannelShown {
        waits: waits.map(|until| When::of(until, &wall)),
        failing: row.course.failing.map(|failing| When::of(failing.since, &wall)),
        id: row.id.0,
        name: row.name.to_string(),
        contact: row
            .contact
            .as_ref()
            .map(|contact| plain(&contact.to_string()))
            .unwrap_or_default(),
        disabled: row.disabled.as_deref().map(|why| words::begun(&plain(why))),
    });
    let mut channels: Vec<ChannelShown> = channels.collect();
    let (log, older) = attempts(app, before.before, &wall).await?;
    let all = api::named_channels(app).await?;
    let named = all.into_iter().map(|one| NamedShown::of(one, &mut channels)).collect();
    let frame = Frame::new(app, "Channels").at("channels");
    let ChannelParams { test, made, removed, before } = before;
    let is_older = before.is_some();
    Ok(render(&ChannelsPage {
        frame,
        channels,
        rows_total: rows.len(),
        named,
        made,
        removed,
        log,
        is_older,
        older,
        test,
        wrong,
    }))
}

/// What became of the newest alerts before this one, and before which alert it goes on.
async fn attempts(
    app: &App,
    before: Option<u64>,
    wall: &Wall,
) -> Result<(Vec<Line>, Option<u64>), Problem> {
    let loaded = look::notifications(app, None, before.map(NotificationId), LOGGED).await?;
    let last = loaded.last().filter(|_| loaded.len() == LOGGED);
    let older = last.map(|one| one.notification.id);
    let ids: Vec<u64> = loaded.iter().map(|one| one.notification.id).collect();
    let attempts = app.desk.read(move |reader| {
        ids.iter().map(|&id| reader.attempts(NotificationId(id))).collect::<Result<Vec<_>, _>>()
    });
    let mut log = Vec::new();
    for (one, attempts) in loaded.iter().zip(attempts.await?) {
        let one = &one.notification;
        let channel = one.channel.as_ref().map(|channel| channel.name.clone()).unwrap_or_default();
        for attempt in attempts.iter().rev() {
            let attempt = AttemptLine::of(attempt, wall);
            let (title, channel) = (one.title(), channel.clone());
            log.push(Line { id: one.id, title, channel, attempt });
        }
    }
    Ok((log, older))
}

/// Sends a test.
pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = send_test(&app, known, &form).await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn send_test(app: &App, known: Known, form: &[u8]) -> Result<Response, Problem> {
    let field = |wanted: &str| {
        let mut fields = url::form_urlencoded::parse(form);
        let value = fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned());
        value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    };
    // A contact as it is shown may lack what is secret: the kernel knows the whole of it.
    let id = field("id").and_then(|id| id.parse().ok()).map(outbox::ChannelId);
    let known_channel = app.desk.look(move |kernel| id.and_then(|id| kernel.channel(id).cloned()));
    let (name, contact) = match known_channel.await? {
        Some(row) => (row.name, row.contact),
        None => (field("channel").unwrap_or_default().into(), field("contact").map(Into::into)),
    };
    let test = Command::TestChannel { name, contact };
    match app.desk.ask(known.actor(), test).await? {
        Answer::Queued(id) => {
            let place = format!("/channels?test={}", id.0);
            Ok(Redirect::to(&place).into_response())
        }
        Answer::NotFound { what } => {
            build(app, ChannelParams::default(), Some(format!("There is no {what}."))).await
        }
        Answer::Unable(why) => build(app, ChannelParams::default(), Some(why.into_string())).await,
        _ => {
            build(
                app,
                ChannelParams::default(),
                Some("The test could not be sent; try again.".to_owned()),
            )
            .await
        }
    }
}
