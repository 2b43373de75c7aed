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
    /// "Firefox on Linux".
    browser: String,
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
        browser: browser(&row.agent),
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

/// A browser as people call it, and where it runs. Most say that they are others, too: the first
/// of these counts. What none of these is stays as it says.
fn browser(agent: &str) -> String {
    const BROWSERS: [(&str, &str); 6] = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("HeadlessChrome/", "Chrome without a window"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "an iPhone"),
        ("iPad", "an iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ];
    let of = |names: [(&str, &'static str); 6]| {
        names.into_iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| name)
    };
    match (of(BROWSERS), of(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        _ if agent.is_empty() => "A browser that does not say what it is".to_owned(),
        _ => plain(agent),
    }
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

#[cfg(test)]
mod tests {
    use super::browser;

    #[test]
    fn a_browser_is_called_as_people_call_it() {
        let chrome = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/148.0 Safari/537.36";
        assert_eq!(browser(chrome), "Chrome on Windows");
        assert_eq!(browser(&format!("{chrome} Edg/148.0")), "Edge on Windows");
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) Version/18 Safari/604.1";
        assert_eq!(browser(phone), "Safari on an iPhone");
        assert_eq!(browser("curl/8.1"), "curl/8.1");
        assert_eq!(browser(""), "A browser that does not say what it is");
    }
}
