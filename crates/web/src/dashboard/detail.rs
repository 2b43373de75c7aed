//! Pages of one thing: a source, a sentinel, a notification.

use super::act::Refused;
use super::compare::{self, Choices};
use super::home::Card;
use super::shown::{self, AttemptLine, SentinelRow, SourceRow, Standing, When};
use super::told::{self, Change, Room};
use super::{Frame, Sorry, render};
use crate::App;
use crate::api;
use crate::diff;
use crate::drawing::{self, Drawing};
use crate::extract::{Params, PathPart};
use crate::keeper::Known;
use crate::look;
use crate::plan;
use crate::problem::Problem;
use crate::values::{Effort, Point};
use crate::wire::{self, Channel, What};
use crate::words::{self, Wall};
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use change::{Aspect, Habit, Key, View};
use chronon::{Instant, NotificationId, SourceId, VersionNo};
use kernel::record::{Cause, ProbeRow, SentinelState, Transition};
use kernel::view::Health;
use sentinel::ast::Expr;
use serde::Deserialize;
use store::{Reader, StoreError};

/// Versions and detections listed on a page.
const LISTED: usize = 20;
/// Changes shown of one comparison.
const CHANGES_SHOWN: usize = 200;
/// Sources of a sentinel of which it is said what is held back.
const SOURCES_SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "source.html")]
struct SourcePage {
    frame: Frame,
    source: SourceRow,
    host: String,
    weight: f64,
    expected: String,
    interval: String,
    probes_made: u64,
    changes_found: u64,
    measured: Option<String>,
    sentinels: Vec<String>,
    quiet: Vec<QuietLine>,
    drawing: Option<Drawing>,
    probes: Vec<ProbeLine>,
    versions: Choices,
    listed_max: usize,
    zone: String,
    diff: Option<DiffShown>,
    diff_problem: String,
}

struct ProbeLine {
    when: When,
    said: String,
    class: &'static str,
    why: String,
    took: String,
    size: String,
}

struct QuietLine {
    quiet: wire::Quiet,
    when: Option<When>,
}

struct DiffShown {
    from: u32,
    to: u32,
    changes: Vec<Change>,
    more: u32,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct DiffParams {
    from: Option<u32>,
    to: Option<u32>,
}

pub(super) async fn source(
    State(app): State<App>,
    place: Result<PathPart<u32>, Problem>,
    params: Result<Params<DiffParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { source_page(&app, SourceId(place?.0), params?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn source_page(app: &App, id: SourceId, params: DiffParams) -> Result<Response, Problem> {
    let wall = app.wall();
    let now = wall.now;
    let loaded = api::load_source(app, id).await?;
    let frame = Frame::new(app, shown::short(&loaded.view.row.url.shown())).at("watches");
    let ids = loaded.view.sentinels.clone();
    let rows = app.desk.look(move |kernel| {
        let views = ids.iter().take(LISTED).filter_map(|&id| kernel.sentinel_by_id(id, now));
        let rows: Vec<_> = views.map(|view| view.row).collect();
        (rows, kernel.rules().calendar())
    });
    let (rows, (zone, chronon)) = rows.await?;
    let read = rows
        .iter()
        .filter_map(|row| sentinel::recall(&row.text, row.defined_at, &zone, chronon).ok());
    let read: Vec<_> = read.collect();
    let page = shown::plain(&loaded.view.row.url.shown());
    let drawn = || drawing::changes::of(&page, &read, &frame.base);
    let drawing = (!read.is_empty()).then(drawn);
    let names = rows.into_iter().map(|row| row.name.into_string()).collect();
    let mut versions = compare::choices(app, id, &loaded.view.sentinels).await?;
    let quiet = app.desk.read(move |reader| api::quiet_of(reader, id)).await?;
    let asked = params.from.is_some() || params.to.is_some();
    let versions_asked =
        diff::Asked { from: params.from.map(VersionNo), to: params.to.map(VersionNo) };
    let diff = if asked || versions.all.len() > 1 {
        Some(diff::between(app, id, versions_asked, What::default()).await)
    } else {
        None
    };
    let (diff, diff_problem) = match diff {
        Some(Ok(diff)) => (Some(diff_shown(&diff)), String::new()),
        Some(Err(problem)) => (None, problem.detail().to_owned()),
        None => (None, String::new()),
    };
    (versions.from, versions.to) = diff.as_ref().map(|diff| (diff.from, diff.to)).unzip();
    let (view, learned) = (&loaded.view, &loaded.view.learned);
    Ok(render(&SourcePage {
        frame,
        source: SourceRow::of(view, loaded.current.as_ref(), loaded.probes.last(), &wall),
        host: view.row.host.to_string(),
        weight: view.weight,
        expected: words::expected(&view.expected),
        interval: words::rough(view.expected.interval),
        probes_made: learned.probes,
        changes_found: learned.changes,
        measured: plan::measured(&view.measured),
        sentinels: names,
        drawing,
        quiet: quiet
            .into_iter()
            .map(|quiet| {
                let when = quiet.since.map(|since| When::of(since.0, &wall));
                QuietLine { when, quiet }
            })
            .collect(),
        probes: loaded.probes.iter().rev().map(|probe| ProbeLine::of(probe, &wall)).collect(),
        versions,
        listed_max: LISTED,
        zone: app.config.zone.name().to_owned(),
        diff,
        diff_problem,
    }))
}

fn diff_shown(diff: &wire::Diff) -> DiffShown {
    let (changes, told) = told::changes(&diff.changes, CHANGES_SHOWN);
    let more = diff.changes_total.saturating_sub(told);
    DiffShown { from: diff.from_version, to: diff.to_version, changes, more }
}

impl ProbeLine {
    fn of(probe: &ProbeRow, wall: &Wall) -> ProbeLine {
        ProbeLine {
            when: When::of(probe.start, wall),
            said: shown::plain(&words::outcome(probe)),
            class: shown::class(&probe.outcome),
            why: words::reason(&probe.reason, &wall.zone),
            took: probe.took.to_string(),
            size: words::size(probe.body_bytes, probe.wire_bytes),
        }
    }
}

#[derive(Template)]
#[template(path = "sentinel.html")]
struct SentinelPage {
    frame: Frame,
    sentinel: SentinelRow,
    url: String,
    text: String,
    last: Option<ProbeLine>,
    generation: u32,
    transitions: Vec<TransitionLine>,
    detections: Vec<DetectionShown>,
    series: Vec<SeriesShown>,
    held: Vec<HeldLine>,
    refused: Option<Refused>,
    snoozes: [(&'static str, &'static str); 6],
    zone: String,
}

/// What a source does at most looks, of which `any change` does not tell.
struct HeldLine {
    source: u32,
    sample: String,
    because: String,
    /// How much else.
    more: usize,
}

/// A value over time.
struct SeriesShown {
    of: String,
    least: String,
    most: String,
    last: String,
    /// SVG of our own making.
    chart: String,
}

struct TransitionLine {
    when: When,
    standing: Standing,
    cause: &'static str,
}

struct DetectionShown {
    when: When,
    compared: Vec<wire::Compared>,
    leaves: String,
    changes: Vec<Change>,
    more: u32,
    held_back: u32,
    unreadable: &'static str,
}

pub(super) async fn sentinel(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { sentinel_page(&app, known, &place?.0, None).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

/// The page of a sentinel, with what could not be done.
pub(super) async fn refused(
    app: &App,
    known: Known,
    name: &str,
    refused: Refused,
) -> Result<Response, Problem> {
    sentinel_page(app, known, name, Some(refused)).await
}

async fn sentinel_page(
    app: &App,
    known: Known,
    name: &str,
    refused: Option<Refused>,
) -> Result<Response, Problem> {
    let frame = Frame::new(app, name).at("watches");
    let wall = app.wall();
    let (view, url) = api::sentinel_view(app, known, name).await?;
    let (id, source_id) = (view.row.id, view.row.source);
    // The source of one that has ended may be gone.
    let loaded = api::load_source(app, source_id).await.ok();
    let last = loaded.as_ref().and_then(|loaded| loaded.probes.last());
    let last = last.map(|probe| ProbeLine::of(probe, &wall));
    let trouble = api::trouble_of(app, &view).await?;
    let (transitions, detections) = app
        .desk
        .read(move |reader| {
            let rows = reader.detections(id, None, LISTED)?;
            let loaded = rows.iter().map(|row| Ok((row.at, diff::detection(reader, row)?)));
            let loaded = loaded.collect::<Result<Vec<_>, store::StoreError>>()?;
            Ok((reader.transitions(id)?, loaded))
        })
        .await?;
    let values = crate::values::values(app, known, name, Effort::Stored).await?;
    let sources: Vec<_> = view.row.sources().collect();
    let (zone, chronon) = app.desk.look(|kernel| kernel.rules().calendar()).await?;
    let read = sentinel::recall(&view.row.text, view.row.defined_at, &zone, chronon);
    let asks = |place: usize| read.as_ref().is_ok_and(|read| asks_for_any(&read.monitor, place));
    let asked = sources.into_iter().enumerate().filter(|(place, _)| asks(*place));
    let sources: Vec<SourceId> = asked.map(|(_, source)| source).collect();
    let held = app.desk.read(move |reader| held(reader, &sources)).await?;
    Ok(render(&SentinelPage {
        frame,
        snoozes: super::act::SNOOZES,
        zone: app.config.zone.name().to_owned(),
        series: values.series.iter().map(SeriesShown::of).collect(),
        sentinel: SentinelRow { trouble, ..SentinelRow::of(&view, &url, &wall) },
        url,
        text: view.row.text.shown().into_owned(),
        held,
        refused,
        last,
        generation: view.row.generation,
        transitions: (transitions.iter().rev())
            .map(|one| TransitionLine::of(one, view.row.created_at, &wall))
            .collect(),
        detections: detections.iter().map(|(at, one)| detection_shown(one, *at, &wall)).collect(),
    }))
}

/// Whether any change of the whole page is asked for of the source at this place.
fn asks_for_any(expr: &Expr, place: usize) -> bool {
    match expr {
        Expr::Leaf(leaf) => {
            leaf.primitive.aspect == Aspect::Any
                && View::of(&leaf.primitive.region) == View::Page
                && leaf.of.as_ref().is_none_or(|of| usize::from(of.source) == place)
        }
        Expr::Not(operand) => asks_for_any(operand, place),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().any(|operand| asks_for_any(operand, place))
        }
    }
}

/// What is held back of these sources now, outages aside: these are told where they last.
fn held(reader: &dyn Reader, sources: &[SourceId]) -> Result<Vec<HeldLine>, StoreError> {
    let mut held = Vec::new();
    for &source in sources.iter().take(SOURCES_SHOWN) {
        let is_outage = |key: &str| key.parse::<Key>().is_ok_and(|key| key.habit == Habit::Breaks);
        let is_held = |quiet: &wire::Quiet| !quiet.told && !is_outage(&quiet.key);
        let mut quiet = api::quiet_of(reader, source)?.into_iter().filter(is_held);
        if let Some(wire::Quiet { sample, because, .. }) = quiet.next() {
            held.push(HeldLine { source: source.0, sample, because, more: quiet.count() });
        }
    }
    Ok(held)
}

impl SeriesShown {
    fn of(series: &crate::values::Series) -> SeriesShown {
        let last = series.points.iter().rfind(|point| point.place == 0);
        let unit = series.points.iter().rfind(|point| point.value.is_some()).map(|one| &one.unit);
        // As the page writes it.
        let written = |bound: &Option<String>| {
            let is_it = |point: &&Point| point.value == *bound && Some(&point.unit) == unit;
            let found = bound.as_ref().and_then(|_| series.points.iter().find(is_it));
            found.map_or_else(String::new, |point| point.text.clone())
        };
        SeriesShown {
            of: series.of.clone(),
            least: written(&series.least),
            most: written(&series.most),
            last: last.map_or_else(String::new, |point| point.text.clone()),
            chart: series.chart().unwrap_or_default(),
        }
    }
}

impl TransitionLine {
    fn of(transition: &Transition, created: Instant, wall: &Wall) -> TransitionLine {
        let standing = Standing::of(transition.state, Health::Idle);
        let said = match transition.state {
            SentinelState::Pending if transition.at <= created => "created",
            SentinelState::Pending => "enabled",
            _ => standing.said,
        };
        TransitionLine {
            when: When::of(transition.at, wall),
            standing: Standing { said, ..standing },
            // Time passes by itself.
            cause: match transition.cause {
                Cause::User => "by you, ",
                Cause::Time => "",
                Cause::Rule => "by a rule, ",
            },
        }
    }
}

fn detection_shown(detection: &wire::Detection, at: Instant, wall: &Wall) -> DetectionShown {
    let by_clock = |mut change: wire::Change| {
        let old = change.old.take();
        let local = old.as_ref().and_then(|old| {
            let change_type = change.change_type;
            notice::by_clock(change_type, old, &wall.zone)
        });
        change.old = local.or(old);
        change
    };
    let changes: Vec<_> = detection.changes.iter().cloned().map(by_clock).collect();
    let (changes, told) = told::changes(&changes, LISTED);
    DetectionShown {
        when: When::of(at, wall),
        compared: detection.compared().to_vec(),
        leaves: detection.leaves.join(" · "),
        more: detection.changes_total.saturating_sub(told),
        held_back: detection.held_back,
        changes,
        unreadable: detection.unreadable.unwrap_or_default(),
    }
}

#[derive(Template)]
#[template(path = "notification.html")]
struct NotificationPage {
    frame: Frame,
    card: Card,
    kind: &'static str,
    key: String,
    sentinel: Option<String>,
    rule: Option<String>,
    channel: String,
    state_when: Option<When>,
    state_reason: String,
    attempts: Vec<AttemptLine>,
}

pub(super) async fn notification(
    State(app): State<App>,
    place: Result<PathPart<u64>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { notification_page(&app, NotificationId(place?.0)).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn notification_page(app: &App, id: NotificationId) -> Result<Response, Problem> {
    let wall = app.wall();
    let loaded = look::notification(app, id).await?;
    let attempts = app.desk.read(move |reader| reader.attempts(id)).await?;
    let one = &loaded.notification;
    let channel = one.channel.as_ref().map(Channel::words);
    let (state_at, reason) = one.state_detail();
    Ok(render(&NotificationPage {
        frame: Frame::new(app, one.title()).at("inbox"),
        kind: one.kind,
        key: one.key().to_owned(),
        sentinel: one.sentinel.clone(),
        rule: one.rule.clone(),
        channel: channel.unwrap_or_default(),
        state_when: state_at.map(|at| When::of(at, &wall)),
        state_reason: reason.unwrap_or_default().to_owned(),
        attempts: attempts.iter().map(|attempt| AttemptLine::of(attempt, &wall)).collect(),
        card: Card::of(&loaded, Room::PAGE, &wall),
    }))
}
