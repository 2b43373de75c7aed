//! Pieces of the first page, for the script: the rows that changed, and the budget.

use super::alert::{self, Alert};
use super::home::source_rows;
use super::shown::{Budget, SentinelRow, SourceRow};
use super::{Frame, ROWS, render, watches};
use crate::App;
use crate::extract::Params;
use crate::keeper::Known;
use crate::problem::Problem;
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use chronon::{SentinelId, SourceId};
use serde::Deserialize;

/// Ids separated by commas; at most [`ROWS`] of each.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RowParams {
    sources: String,
    sentinels: String,
    notifications: String,
}

#[derive(Template)]
#[template(path = "rows.html")]
struct Rows {
    frame: Frame,
    sentinels: Vec<SentinelRow>,
    sources: Vec<SourceRow>,
    notifications: Vec<Alert>,
}

#[derive(Template)]
#[template(path = "budget.html")]
struct BudgetPiece {
    budget: Budget,
}

/// Rows of what was asked for and still exists, in the order asked for.
pub(super) async fn rows(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<RowParams>,
) -> Result<Response, Problem> {
    let wall = app.wall();
    let now = wall.now;
    let source_ids = ids(&params.sources)?.into_iter().map(SourceId).collect::<Vec<_>>();
    let mut sentinel_ids = ids(&params.sentinels)?.into_iter().map(SentinelId).collect::<Vec<_>>();
    sentinel_ids.retain(|id| id.owner() == known.actor().owner);
    let views = app.desk.look(move |kernel| {
        source_ids.iter().filter_map(|&id| kernel.source(id, now)).collect::<Vec<_>>()
    });
    let views = views.await?;
    let sentinels = watches::rows(&app, sentinel_ids).await?;
    let sources = source_rows(&app, views, &wall).await?;
    let wanted = ids::<u64>(&params.notifications)?;
    let notifications = if wanted.is_empty() {
        Vec::new()
    } else {
        alert::newest(&app, |id| wanted.contains(&id), &wall).await?
    };
    let frame = Frame::new(&app, "");
    Ok(render(&Rows { frame, sentinels, sources, notifications }))
}

/// The budget's use.
pub(super) async fn budget(State(app): State<App>) -> Result<Response, Problem> {
    let now = app.now();
    let budget = app.desk.look(move |kernel| Budget::of(&kernel.budget(now))).await?;
    Ok(render(&BudgetPiece { budget }))
}

fn ids<T: std::str::FromStr>(list: &str) -> Result<Vec<T>, Problem> {
    let parts = list.split(',').filter(|part| !part.is_empty()).take(ROWS);
    let parsed = parts.map(|part| part.parse().ok()).collect::<Option<Vec<T>>>();
    parsed.ok_or_else(|| Problem::bad_request("Ids are numbers, separated by commas."))
}
