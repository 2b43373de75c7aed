//! What a token of one tag may ask: of sentinels with that tag, what it may read and do.
//!
//! Whatever is not listed here is refused, so that a route which is added shows nothing.

use crate::App;
use crate::keeper::Known;
use crate::problem::Problem;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use chronon::{NotificationId, SentinelId};
use kernel::view::SentinelView;
use percent_encoding::percent_decode_str;

/// What may be done to a sentinel; another text might watch anything, and another name might tell
/// which names are taken.
const DONE: [&str; 5] = ["enable", "disable", "snooze", "wake", "restore"];

/// What a request is about.
pub(crate) enum About {
    /// Lists of sentinels say their tag.
    Tag(String),
    Sentinel(String),
    /// Those of every sentinel.
    Notifications,
    Notification(NotificationId),
}

/// Refuses what lies beyond the tag of a token.
pub(crate) async fn check(
    app: &App,
    known: Known,
    tag: &str,
    about: Option<About>,
) -> Result<(), Problem> {
    let beyond = || {
        let detail = format!("This token is for sentinels with the tag `{tag}` alone.");
        Problem::new(StatusCode::FORBIDDEN, detail)
    };
    let about = about.ok_or_else(beyond)?;
    let missing = |what: &str| Problem::not_found(what.to_owned());
    let now = app.now();
    match about {
        About::Notifications => {
            let detail = format!(
                "Ask for `?sentinel=NAME`: this token is for sentinels with the tag `{tag}` alone."
            );
            Err(Problem::new(StatusCode::FORBIDDEN, detail))
        }
        About::Tag(asked) if asked.to_lowercase() == tag.to_lowercase() => Ok(()),
        About::Tag(_) => {
            let detail = format!("Ask for `?tag={tag}`: this token is for that tag alone.");
            Err(Problem::new(StatusCode::FORBIDDEN, detail))
        }
        About::Sentinel(name) => {
            let (owner, wanted) = (known.actor().owner, name.clone());
            let view = app.desk.look(move |kernel| kernel.sentinel(owner, &wanted, now)).await?;
            match view.filter(|view| has(view, tag)) {
                Some(_) => Ok(()),
                // Whether there is another of that name is not said.
                None => Err(missing(&format!("sentinel named `{name}`"))),
            }
        }
        About::Notification(id) => {
            let row = app.desk.read(move |reader| reader.notification(id)).await?;
            let sentinel: Option<SentinelId> = row.and_then(|row| row.sentinel);
            let look = move |kernel: &kernel::Kernel| kernel.sentinel_by_id(sentinel?, now);
            match app.desk.look(look).await?.filter(|view| has(view, tag)) {
                Some(_) => Ok(()),
                None => Err(missing(&format!("notification {}", id.0))),
            }
        }
    }
}

fn has(view: &SentinelView, tag: &str) -> bool {
    view.tags.iter().any(|own| own.to_lowercase() == tag.to_lowercase())
}

impl About {
    /// What a request is about; `None`: what no tag opens.
    pub(crate) fn of(request: &Request) -> Option<About> {
        let path = request.uri().path().strip_prefix("/api/v1/")?;
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let words: Vec<&str> = path.split('/').collect();
        let decoded = |word: &str| Some(percent_decode_str(word).decode_utf8().ok()?.into_owned());
        match words[..] {
            ["sentinels"] if is_read => query(request, "tag").map(About::Tag),
            ["sentinels", name] if is_read || *request.method() == Method::DELETE => {
                decoded(name).map(About::Sentinel)
            }
            ["sentinels", name, _] if is_read => decoded(name).map(About::Sentinel),
            ["sentinels", name, what] if DONE.contains(&what) => decoded(name).map(About::Sentinel),
            ["notifications"] if is_read => query(request, "sentinel").map(|name| {
                if name.is_empty() { About::Notifications } else { About::Sentinel(name) }
            }),
            ["notifications", id] if is_read => notification(id),
            ["notifications", id, "read"] => notification(id),
            _ => None,
        }
    }
}

fn notification(id: &str) -> Option<About> {
    id.parse().ok().map(|id| About::Notification(NotificationId(id)))
}

/// A parameter that stands there once; an empty one where it is missing.
fn query(request: &Request, wanted: &str) -> Option<String> {
    let query = request.uri().query().unwrap_or_default();
    let mut found =
        url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == wanted);
    let first = found.next().map(|(_, value)| value.into_owned()).unwrap_or_default();
    found.next().is_none().then_some(first)
}
