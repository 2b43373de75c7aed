//! Settings: what the configuration says, who is logged in, which tokens there are.

use super::shown::{When, plain};
use super::{Frame, Sorry, render};
use crate::App;
use crate::config::Setting;
use crate::keeper::{self, By, Known};
use crate::problem::Problem;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use store::{Scope, SessionRow};

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    frame: Frame,
    zone: String,
    sessions: Vec<SessionLine>,
    /// What only the owner sees: the configuration, and the tokens that were made.
    owned: Option<(Vec<Section>, Vec<TokenLine>)>,
}

struct SessionLine {
    id: u64,
    agent: String,
    address: String,
    may: &'static str,
    used: When,
    ends: When,
    is_own: bool,
}

struct TokenLine {
    id: u64,
    name: String,
    may: &'static str,
    tag: Option<String>,
    made: When,
    used: Option<When>,
}

/// Settings below one `[name]` of the configuration.
struct Section {
    name: &'static str,
    settings: Vec<Setting>,
}

impl Section {
    fn all(settings: &[Setting]) -> Vec<Section> {
        let name = |one: &Setting| one.name.split_once('.').map_or("", |(section, _)| section);
        let pieces = settings.chunk_by(|a, b| name(a) == name(b));
        pieces.map(|piece| Section { name: name(&piece[0]), settings: piece.to_vec() }).collect()
    }
}

/// How much of this page somebody sees and may end. A session that no made token opened is the
/// owner's: it came of the data directory's token, or of a link, which only that token makes.
struct Sight {
    is_owner: bool,
    own: Option<u64>,
}

impl Sight {
    fn of(app: &App, known: Known) -> Sight {
        let By::Session(own) = known.by else {
            return Sight { is_owner: known.by == By::Root, own: None };
        };
        let sessions = app.keeper.sessions(app.now());
        let is_owner = sessions.iter().any(|row| row.id == own && row.token.is_none());
        Sight { is_owner, own: Some(own) }
    }

    fn has(&self, session: u64) -> bool {
        self.is_owner || self.own == Some(session)
    }
}

pub(super) async fn settings(
    State(app): State<App>,
    Extension(known): Extension<Known>,
) -> Response {
    let (sight, wall) = (Sight::of(&app, known), app.wall());
    let line = |row: SessionRow| SessionLine {
        id: row.id,
        agent: plain(&row.agent),
        address: row.address.to_string(),
        may: may(row.scope),
        used: When::of(row.used_at, &wall),
        ends: When::of(keeper::end_of_session(&row), &wall),
        is_own: sight.own == Some(row.id),
    };
    let mut sessions: Vec<SessionLine> = (app.keeper.sessions(wall.now).into_iter())
        .filter(|row| sight.has(row.id))
        .map(line)
        .collect();
    sessions.sort_by_key(|line| !line.is_own);
    let tokens = app.keeper.tokens();
    let tokens = tokens.iter().map(|row| TokenLine {
        id: row.id,
        name: plain(&row.name),
        may: may(row.scope),
        tag: row.tag.as_deref().map(plain),
        made: When::of(row.made_at, &wall),
        used: row.used_at.map(|used| When::of(used, &wall)),
    });
    let owned = (Section::all(&app.config.settings), tokens.collect());
    render(&SettingsPage {
        frame: Frame::new(&app, "Settings").at("settings"),
        zone: app.config.zone.name().to_owned(),
        sessions,
        owned: sight.is_owner.then_some(owned),
    })
}

fn may(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "may read",
        Scope::Write => "may read and write",
    }
}

/// A session ends.
pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = end(&app, known, &form).await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn end(app: &App, known: Known, form: &[u8]) -> Result<Response, Problem> {
    let mut fields = url::form_urlencoded::parse(form);
    let id = fields.find(|(name, _)| name == "end").and_then(|(_, id)| id.parse().ok());
    let id = id.ok_or_else(|| Problem::bad_request("`end` names no session."))?;
    if !Sight::of(app, known).has(id) {
        let detail = "This session was opened with a token of its own; it may end itself alone.";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    // One that is over already is what was wanted.
    app.keeper.end_session(id).await?;
    Ok(Redirect::to("/settings").into_response())
}
