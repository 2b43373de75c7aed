//! The log-in form, for browsers on other machines.

use super::{Frame, render};
use crate::App;
use crate::guard;
use askama::Template;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

#[derive(Template)]
#[template(path = "login.html")]
struct LogInPage {
    frame: Frame,
    wrong: bool,
}

pub(super) async fn form(State(app): State<App>) -> Response {
    render(&LogInPage { frame: Frame::new(&app, "Log in"), wrong: false })
}

/// The form's token becomes a session. A 256-bit token cannot be guessed, so nothing is slowed.
pub(super) async fn log_in(State(app): State<App>, headers: HeaderMap, form: Bytes) -> Response {
    let fields = url::form_urlencoded::parse(&form);
    let token = fields.into_iter().find(|(name, _)| name == "token").map(|(_, token)| token);
    if token.is_some_and(|token| app.sessions.is_token(token.trim())) {
        let cookie = app.sessions.set_cookie(app.now(), guard::transport(&headers));
        return ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response();
    }
    let page = LogInPage { frame: Frame::new(&app, "Log in"), wrong: true };
    (StatusCode::UNAUTHORIZED, render(&page)).into_response()
}

pub(super) async fn log_out(State(app): State<App>) -> Response {
    ([(header::SET_COOKIE, app.sessions.clear_cookie())], Redirect::to("/login")).into_response()
}
