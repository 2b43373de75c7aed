//! Logging in, with a token or by a link that does so once, and out.

use super::{Frame, render};
use crate::App;
use crate::cookie;
use crate::extract::Params;
use crate::keeper::Newcomer;
use crate::problem::Problem;
use crate::visit::Visit;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use serde::Deserialize;

#[derive(Template)]
#[template(path = "login.html")]
struct LogInPage {
    frame: Frame,
    /// The key of a link that may be used.
    link: Option<String>,
    /// Where to go then; a path of ours.
    next: String,
    wrong: Option<&'static str>,
}

#[derive(Deserialize)]
pub(super) struct Query {
    link: Option<String>,
    #[serde(default)]
    next: String,
}

/// Bytes of the address that comes after logging in.
const NEXT_BYTES_MAX: usize = 1_000;

const WRONG_TOKEN: &str = "This is not a token of this server.";
const TOO_OFTEN: &str =
    "This is not a token of this server, and there were too many wrong ones: wait a minute.";
const WRONG_LINK: &str =
    "This link is used up, or older than ten minutes. `tidings open` prints a new one.";

/// The form. A link that is looked at is not used up: its button does that.
pub(super) async fn form(State(app): State<App>, Params(query): Params<Query>) -> Response {
    let link = query.link.as_ref().filter(|link| app.keeper.is_link(link, app.now())).cloned();
    let wrong = (query.link.is_some() && link.is_none()).then_some(WRONG_LINK);
    page(&app, link, &query.next, wrong)
}

/// The form's token, or its link, becomes a session in the place of the one there was.
pub(super) async fn log_in(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    headers: HeaderMap,
    form: Bytes,
) -> Result<Response, Problem> {
    let field = |wanted: &str| {
        let mut fields = url::form_urlencoded::parse(&form);
        fields.find(|(name, _)| name == wanted).map(|(_, value)| value.trim().to_owned())
    };
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    let newcomer = Newcomer {
        agent: agent.unwrap_or_default().to_owned(),
        address: visit.address.map(|address| address.to_string()).unwrap_or_default(),
    };
    let now = app.now();
    let (opened, wrong) = match field("link") {
        Some(link) => (app.keeper.log_in_by_link(&link, newcomer, now).await?, WRONG_LINK),
        None => {
            let token = field("token").unwrap_or_default();
            (app.keeper.log_in_by_token(&token, newcomer, now).await?, WRONG_TOKEN)
        }
    };
    let next = field("next").unwrap_or_default();
    let Some(secret) = opened else {
        return Ok(match app.strangers.refuse(visit.address, now) {
            Ok(()) => {
                (StatusCode::UNAUTHORIZED, page(&app, None, &next, Some(wrong))).into_response()
            }
            Err(wait) => {
                let page = page(&app, None, &next, Some(TOO_OFTEN));
                let wait = [(header::RETRY_AFTER, wait.to_string())];
                (StatusCode::TOO_MANY_REQUESTS, wait, page).into_response()
            }
        });
    };
    app.keeper.log_out(&headers, now).await?;
    let cookie = cookie::set(app.keeper.cookie_name(), &secret, app.config.base(), visit.transport);
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(place_of_ours(&next))).into_response())
}

/// Ends the session, and has the browser forget it.
pub(super) async fn log_out(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    app.keeper.log_out(&headers, app.now()).await?;
    let cookies = cookie::clear(app.keeper.cookie_name(), app.config.base());
    let cookies = AppendHeaders(cookies.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((cookies, Redirect::to("/login")).into_response())
}

fn page(app: &App, link: Option<String>, next: &str, wrong: Option<&'static str>) -> Response {
    let next = place_of_ours(next).to_owned();
    render(&LogInPage { frame: Frame::new(app, "Log in"), link, next, wrong })
}

/// A path that leads to no other server, and makes a header; else the first page.
fn place_of_ours(next: &str) -> &str {
    let rest = next.strip_prefix('/');
    let ours = rest.is_some_and(|rest| !rest.starts_with(['/', '\\']));
    let plain = next.len() <= NEXT_BYTES_MAX && next.bytes().all(|byte| byte.is_ascii_graphic());
    if ours && plain { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::place_of_ours;

    #[test]
    fn nobody_is_sent_to_another_server_after_logging_in() {
        for ours in ["/", "/sources/7?from=1&to=2", "/sentinels/a%2Fb"] {
            assert_eq!(place_of_ours(ours), ours);
        }
        let long = format!("/{}", "a".repeat(2_000));
        for foreign in [
            "",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\nb",
            "/\t/b",
            &long,
        ] {
            assert_eq!(place_of_ours(foreign), "/", "{foreign}");
        }
    }
}
