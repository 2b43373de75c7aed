//! The page of feeds: made, copied, revoked.

use super::{Frame, Sorry, render};
use crate::App;
use crate::api::{self, FeedWish};
use crate::keeper::{Known, Right};
use crate::problem::Problem;
use crate::wire::Feed;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};

#[derive(Template)]
#[template(path = "feeds.html")]
struct FeedsPage {
    frame: Frame,
    feeds: Vec<Feed>,
    /// Whether addresses are shown, and more can be made.
    writes: bool,
    wrong: Option<String>,
}

impl FeedsPage {
    /// What a feed tells, for people.
    fn said(&self, feed: &Feed) -> String {
        match (feed.of, &feed.tag, &feed.sentinel) {
            (_, Some(tag), _) => format!("all that sentinels with the tag {tag} tell"),
            (_, _, Some(name)) => format!("what {name} tells"),
            ("sentinel", ..) => "a sentinel that is gone".to_owned(),
            _ => "all that is told".to_owned(),
        }
    }
}

pub(super) async fn feeds(
    State(app): State<App>,
    Extension(known): Extension<Known>,
) -> Result<Response, Sorry> {
    let page = build(&app, known, None).await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn build(app: &App, known: Known, wrong: Option<String>) -> Result<Response, Problem> {
    let frame = Frame::new(app, "Feeds").at("channels");
    let feeds = api::all_feeds(app, known).await?;
    Ok(render(&FeedsPage { frame, feeds, writes: known.right >= Right::Write, wrong }))
}

pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = done(&app, known, &form).await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn done(app: &App, known: Known, form: &[u8]) -> Result<Response, Problem> {
    let field = |wanted: &str| {
        let mut fields = url::form_urlencoded::parse(form);
        let value = fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned());
        value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    };
    if let Some(id) = field("revoke") {
        let id = id.parse().map_err(|_| Problem::bad_request("`revoke` names no feed."))?;
        app.keeper.revoke_feed(id).await?;
        return Ok(Redirect::to("/feeds").into_response());
    }
    let wish = FeedWish { tag: field("tag"), sentinel: field("sentinel") };
    match api::new_feed(app, known, wish).await {
        Ok(_) => Ok(Redirect::to("/feeds").into_response()),
        Err(problem) => build(app, known, Some(problem.detail().to_owned())).await,
    }
}
