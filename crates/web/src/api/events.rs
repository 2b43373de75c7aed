//! GET /events: what happens now, as server-sent events.

use crate::App;
use crate::extract::Params;
use crate::keeper::Known;
use crate::live::{Numbered, Subscription};
use crate::problem::Problem;
use crate::wire::{Time, outcome_name};
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use kernel::io::Announcement;
use kernel::record::ProbeOutcome;
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use tokio_stream::wrappers::BroadcastStream;
use utoipa::IntoParams;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct EventParams {
    /// Resume after this id, as `Last-Event-ID` does; for a first connection.
    after: Option<u64>,
}

/// Probes, versions, detections, notifications, sentinels, and rules that are carried out, as they
/// happen. `Last-Event-ID` resumes over the last 10,000 events; if some are lost, `gap` comes
/// first.
#[utoipa::path(get, path = "/events", tag = "server", params(EventParams),
    responses((status = OK, body = String, content_type = "text/event-stream")))]
pub(super) async fn events(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    headers: HeaderMap,
    Params(params): Params<EventParams>,
) -> Result<impl IntoResponse, Problem> {
    let seat = app.seats.take().ok_or_else(|| {
        let detail = "Too many event streams are open; close some, or read the lists instead.";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    })?;
    // An id that is no number is one we never gave: everything before is lost to its owner.
    let last = headers
        .get("last-event-id")
        .map(|id| id.to_str().ok().and_then(|id| id.trim().parse().ok()).unwrap_or(u64::MAX));
    let subscription = app.desk.live().subscribe(last.or(params.after));
    let newest = app.desk.live().newest();
    let (now, every) = (Arc::clone(&app.config.now), app.config.limits.comment_every);
    let end = app.keeper.end_of(known.by, now, every);
    let events = flow(subscription, newest).take_until(end).map(move |event| {
        let _held_while_the_stream_lives = &seat;
        Ok::<_, Infallible>(event)
    });
    let every = KeepAlive::new().interval(app.config.limits.comment_every);
    // Without it an nginx that was told nothing keeps the events until it has 4 KB of them.
    Ok(([("x-accel-buffering", "no")], Sse::new(events).keep_alive(every)))
}

fn flow(subscription: Subscription, newest: u64) -> impl Stream<Item = Event> {
    let Subscription { gap, missed, coming } = subscription;
    let gap = gap.then(|| {
        let resumed = missed.first().map_or(newest, |first| first.id.saturating_sub(1));
        let data = json!({ "resumed_after": resumed }).to_string();
        Event::default().event("gap").id(resumed.to_string()).data(data)
    });
    // A reader that lags loses its stream: it comes back with its last id, and misses nothing.
    let coming = BroadcastStream::new(coming)
        .take_while(|item| std::future::ready(item.is_ok()))
        .filter_map(|item| std::future::ready(item.ok()));
    let numbered = stream::iter(missed).chain(coming);
    stream::iter(gap).chain(numbered.map(|numbered: Arc<Numbered>| render(&numbered)))
}

fn render(numbered: &Numbered) -> Event {
    let (name, data) = describe(&numbered.announcement);
    Event::default().event(name).id(numbered.id.to_string()).data(data.to_string())
}

fn describe(announcement: &Announcement) -> (&'static str, Value) {
    match announcement {
        Announcement::Probe { source, at, outcome, .. } => {
            let (version, failure) = match outcome {
                ProbeOutcome::Version(number) | ProbeOutcome::Held(number) => {
                    (Some(number.0), None)
                }
                ProbeOutcome::Failed { reason, .. } => (None, Some(reason)),
                ProbeOutcome::Same | ProbeOutcome::NotModified => (None, None),
            };
            let outcome = outcome_name(outcome);
            let data = json!({ "source_id": source.0, "at": Time(*at), "outcome": outcome,
                "version": version, "failure": failure });
            ("probe", data)
        }
        Announcement::Version { source, version, at } => {
            ("version", json!({ "source_id": source.0, "version": version.0, "at": Time(*at) }))
        }
        Announcement::Detection { sentinel, detection, at } => (
            "detection",
            json!({ "sentinel_id": sentinel.0, "detection_id": detection.0, "at": Time(*at) }),
        ),
        Announcement::Notification { notification, at } => {
            ("notification", json!({ "notification_id": notification.0, "at": Time(*at) }))
        }
        Announcement::Sentinel { sentinel, state, at } => (
            "sentinel",
            json!({ "sentinel_id": sentinel.0, "state": state.name(), "at": Time(*at) }),
        ),
        Announcement::Rule { rule, at } => ("rule", json!({ "rule_id": rule.0, "at": Time(*at) })),
    }
}
