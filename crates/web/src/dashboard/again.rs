//! What a browser sent that is logged in no more: kept, to be sent again.

use super::{Frame, render};
use crate::App;
use crate::problem::Problem;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Where the guard sends it, with [`Unsent`]; nobody else comes here.
pub(crate) const PLACE: &str = "/again";

/// Where it was for, as a path of ours.
#[derive(Debug, Clone)]
pub(crate) struct Unsent(pub(crate) String);

#[derive(Template)]
#[template(path = "again.html")]
struct AgainPage {
    frame: Frame,
    place: String,
    fields: Vec<(String, String)>,
}

/// A page with all that was sent.
pub(super) async fn again(
    State(app): State<App>,
    unsent: Option<Extension<Unsent>>,
    form: Bytes,
) -> Response {
    let Some(Extension(Unsent(place))) = unsent else {
        return Problem::not_found("page of this name").into_response();
    };
    let fields = url::form_urlencoded::parse(&form).into_owned().collect();
    let page = AgainPage { frame: Frame::new(&app, "Logged out"), place, fields };
    (StatusCode::UNAUTHORIZED, render(&page)).into_response()
}
