//! Links of messages: what they do is said by a page, and done by its button.
//!
//! Whoever holds a link needs no session. The page names one sentinel, and shows nothing else.
//! Programs that look at links ahead of people change nothing: only POST acts (RFC 8058).

use super::{Frame, Sorry, render};
use crate::App;
use crate::extract::PathPart;
use crate::problem::Problem;
use askama::Template;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chronon::{Instant, SentinelId};
use kernel::io::{Actor, Answer, By, Command};
use notice::{Act, BadLink, Link};

/// How long a snooze is where nobody says.
const SNOOZE: &str = "1d";

#[derive(Template)]
#[template(path = "letter.html")]
struct LetterPage {
    frame: Frame,
    name: String,
    /// Whether it stops; else it snoozes.
    stops: bool,
    snoozes: [(&'static str, &'static str); 6],
    /// It is done.
    done: bool,
}

pub(super) async fn page(
    State(app): State<App>,
    place: Result<PathPart<String>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let (link, name) = named(&app, &place?.0).await?;
        Ok(render(&LetterPage::new(&app, link.act, name)))
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

/// What the link says is done. A mail program that unsubscribes by one click sends a form of its
/// own, which says nothing that matters.
pub(super) async fn act(
    State(app): State<App>,
    place: Result<PathPart<String>, Problem>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let page = async {
        let (link, name) = named(&app, &place?.0).await?;
        let mut fields = url::form_urlencoded::parse(&form);
        let span = fields.find(|(name, _)| name == "for").map(|(_, value)| value.into_owned());
        let until = |span: &str| super::act::after(app.now(), &app.config.zone, span);
        let command = match link.act {
            Act::Stop => Command::Enable { name: name.as_str().into(), enabled: false },
            Act::Snooze => {
                let until = until(span.as_deref().unwrap_or(SNOOZE)).or_else(|| until(SNOOZE));
                // A press lengthens a snooze, and never shortens one.
                let until = until.max(snoozed(&app, link.sentinel).await?);
                Command::Snooze { name: name.as_str().into(), until }
            }
        };
        let actor = Actor { owner: link.sentinel.owner(), by: By::System };
        match app.desk.ask(actor, command).await? {
            Answer::Done => {}
            Answer::Unable(why) => return Err(Problem::conflict(why)),
            _ => return Err(gone()),
        }
        Ok(render(&LetterPage { done: true, ..LetterPage::new(&app, link.act, name) }))
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

impl LetterPage {
    fn new(app: &App, act: Act, name: String) -> LetterPage {
        let mut frame = Frame::new(app, "Tidings");
        // Whoever comes by a link is told nothing of the server.
        frame.waiting = None;
        let snoozes = super::act::SNOOZES;
        LetterPage { frame, name, stops: act == Act::Stop, snoozes, done: false }
    }
}

/// What a link says, and the name of its sentinel.
async fn named(app: &App, text: &str) -> Result<(Link, String), Problem> {
    let key = app.config.links.as_ref();
    let link = match key.map_or(Err(BadLink::Unknown), |key| key.read(text, app.now())) {
        Ok(link) => link,
        Err(BadLink::Unknown) => {
            return Err(Problem::not_found("such link; it may have been cut off in the mail"));
        }
        Err(BadLink::Expired) => {
            let detail =
                "This link was good for 30 days. Use that of a newer mail, or the dashboard.";
            return Err(Problem::new(StatusCode::GONE, detail));
        }
    };
    let (id, now) = (link.sentinel, app.now());
    let name = app
        .desk
        .look(move |kernel| kernel.sentinel_by_id(id, now).map(|view| view.row.name.to_string()));
    Ok((link, name.await?.ok_or_else(gone)?))
}

/// Until when it is snoozed already.
async fn snoozed(app: &App, id: SentinelId) -> Result<Option<Instant>, Problem> {
    let now = app.now();
    let view = app.desk.look(move |kernel| kernel.sentinel_by_id(id, now));
    Ok(view.await?.and_then(|view| view.life.snoozed))
}

fn gone() -> Problem {
    Problem::new(StatusCode::GONE, "This sentinel is no more; it tells nothing.")
}
