//! A feed that is out, as the API and the dashboard show it.

use super::Time;
use crate::App;
use crate::problem::Problem;
use serde::Serialize;
use store::{FeedOf, FeedRow};
use utoipa::ToSchema;

/// A feed that is out.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Feed {
    pub(crate) id: u64,
    /// `all`, `tag` or `sentinel`.
    pub(crate) of: &'static str,
    pub(crate) tag: Option<String>,
    /// The sentinel's name; null if it is gone, or the feed is of none.
    pub(crate) sentinel: Option<String>,
    pub(crate) made_at: Time,
    /// The address as Atom, which is secret: null for those who may only read.
    pub(crate) atom: Option<String>,
    /// The address as JSON Feed, likewise.
    pub(crate) json: Option<String>,
}

/// A row as somebody may see it who may, or may not, see its address.
pub(crate) async fn feed_of(app: &App, row: &FeedRow, secrets: bool) -> Result<Feed, Problem> {
    let (of, tag, sentinel) = match &row.of {
        FeedOf::All => ("all", None, None),
        FeedOf::Tag(tag) => ("tag", Some(tag.to_string()), None),
        FeedOf::Sentinel(id) => {
            let (id, now) = (*id, app.now());
            let name = app.desk.look(move |kernel| kernel.sentinel_by_id(id, now)).await?;
            ("sentinel", None, name.map(|view| view.row.name.to_string()))
        }
    };
    let secret = app.config.links.as_ref().filter(|_| secrets).map(|key| key.feed(row.nonce));
    let address = |kind: &str| secret.map(|secret| app.config.feed(secret, kind));
    let (atom, json) = (address("atom"), address("json"));
    Ok(Feed { id: row.id, of, tag, sentinel, made_at: Time(row.made_at), atom, json })
}
