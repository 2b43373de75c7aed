//! The dashboard: pages that are whole without a script, and kept fresh by one.
//!
//! Every page is rendered here; the script asks for the rows that changed and puts them in place.
//! askama escapes everything; nothing a watched page says reaches a browser as markup.

mod act;
mod add;
mod again;
mod alert;
mod asset;
mod channels;
mod compare;
mod detail;
mod edit;
mod feed;
mod feeds;
mod fragment;
mod help;
mod home;
mod inbox;
mod letter;
mod login;
mod marked;
mod named;
mod pick;
mod plan;
mod press;
mod rules;
mod settings;
mod shown;
mod told;
mod version;
mod watches;

use crate::App;
use crate::extract::accepts;
use crate::problem::{self, Problem};
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};

pub(crate) use again::{PLACE as AGAIN, Unsent};
pub(crate) use feed::READERS as FEED_READERS;

/// Rows of a list on the first page, and on each one after it.
const ROWS: usize = 50;
/// Notifications on the first page.
const NOTIFICATIONS: usize = 20;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(home::home).post(home::act))
        .route("/sources/{id}", get(detail::source).post(press::source))
        .route("/sources/{id}/compare", get(compare::compare))
        .route("/sources/{id}/versions/{number}", get(version::version))
        .route("/sources/{id}/versions/{number}/shown", get(version::shown))
        .route("/sources/{id}/pick", get(pick::of_source))
        .route("/sources/{id}/pick/shown", get(pick::source_shown))
        .route("/pick/{key}", get(pick::of_glance))
        .route("/pick/{key}/shown", get(pick::glance_shown))
        .route("/sentinels/{name}", get(detail::sentinel).post(act::act))
        .route("/inbox", get(inbox::inbox).post(inbox::act))
        .route("/watches", get(watches::watches).post(watches::act))
        .route("/rules", get(rules::rules))
        .route("/rules/{name}", get(rules::rule).post(rules::act))
        .route("/channels", get(channels::channels).post(channels::act))
        .route("/channels/new", get(named::new).post(named::act_new))
        .route("/channels/made/{name}", get(named::edit).post(named::act))
        .route("/sentinels/{name}/compare", get(compare::of_sentinel))
        .route("/l/{link}", get(letter::page).post(letter::act))
        .route("/sentinels/{name}/edit", get(edit::form).post(edit::act))
        .route("/sentinels/{name}/copy", get(edit::copy))
        .route("/f/{address}", get(feed::feed))
        .route("/feeds", get(feeds::feeds).post(feeds::act))
        .route("/add", get(add::form).post(add::add))
        .route("/settings", get(settings::settings).post(settings::act))
        .route("/help", get(help::index))
        .route("/help/{topic}", get(help::topic))
        .route("/plan", get(plan::plan))
        .route("/notifications/{id}", get(detail::notification).post(press::notification))
        .route("/fragments/rows", get(fragment::rows))
        .route("/fragments/budget", get(fragment::budget))
        .route("/login", get(login::form).post(login::log_in))
        .route("/logout", post(login::log_out))
        .route(again::PLACE, post(again::again))
        .route("/assets/{name}", get(asset::asset))
}

/// What every page shows around its content.
pub(crate) struct Frame {
    title: String,
    /// Which of the menu's places the page is.
    place: &'static str,
    /// Before every address of ours: empty, or as `/tidings`.
    base: String,
    version: String,
    /// The newest announcement the page knows of: the script listens from there.
    newest: u64,
    style: String,
    script: String,
    /// Why nothing happens at the moment, if so.
    waiting: Option<String>,
    /// The script of the worker that all pages share.
    events: String,
}

impl Frame {
    fn new(app: &App, title: impl Into<String>) -> Frame {
        Frame {
            title: title.into(),
            place: "",
            version: app.config.version.clone(),
            newest: app.desk.live().newest(),
            style: asset::address(app.config.base(), "style.css"),
            script: asset::address(app.config.base(), "app.js"),
            events: asset::address(app.config.base(), "events.js"),
            base: app.config.base().to_owned(),
            waiting: (app.config.ready)().err(),
        }
    }

    /// The same on one of the menu's places.
    fn at(self, place: &'static str) -> Frame {
        Frame { place, ..self }
    }
}

/// Where the page of a sentinel is.
pub(crate) fn sentinel_place(name: &str) -> String {
    place_of("sentinels", name)
}

/// Where the page of a rule is.
pub(crate) fn rule_place(name: &str) -> String {
    place_of("rules", name)
}

fn place_of(kind: &str, name: &str) -> String {
    let name: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    // A path has no plus for a space.
    format!("/{kind}/{}", name.replace('+', "%20"))
}

/// A problem as a page.
pub(crate) struct Sorry(App, Problem);

#[derive(Template)]
#[template(path = "sorry.html")]
struct SorryPage {
    frame: Frame,
    heading: String,
    detail: String,
}

impl IntoResponse for Sorry {
    fn into_response(self) -> Response {
        sorry(&self.0, &self.1)
    }
}

/// A problem as a page.
pub(crate) fn sorry(app: &App, problem: &Problem) -> Response {
    let (heading, detail) = (problem.title().to_owned(), problem.detail().to_owned());
    let page = SorryPage { frame: Frame::new(app, heading.clone()), heading, detail };
    (problem.status(), render(&page)).into_response()
}

/// Nothing is at this address: said as a page to a browser, as a problem to a program.
pub(crate) async fn lost(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Response {
    let problem = problem::no_such_route(&uri);
    if accepts(&headers, "text/html") && !uri.path().starts_with("/api/") {
        return sorry(&app, &problem);
    }
    problem.into_response()
}

fn render(template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => Html(html).into_response(),
        // Writing to a string cannot fail, and no filter of ours does.
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            let detail = "The page could not be made; the server's log says why.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail).into_response()
        }
    }
}
