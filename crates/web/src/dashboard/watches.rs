//! All sentinels of somebody: searched, filtered, sorted, failing first; and what is done to many.

use super::shown::{SentinelRow, plain};
use super::{Frame, ROWS, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::Params;
use crate::keeper::Known;
use crate::problem::Problem;
use crate::trouble::{self, Trouble};
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::SentinelId;
use kernel::io::{Answer, Command};
use kernel::record::SentinelState;
use kernel::view::{Health, WatchLine};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Sentinels that one look at the kernel lists: about two milliseconds.
const LINES_AT_ONCE: usize = 2_000;
/// Sentinels that one press of a button is for.
const BULK_MAX: usize = 1_000;
/// Tags that are offered as filters.
const TAGS: usize = 30;

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct WatchParams {
    /// In the name or the address.
    q: String,
    tag: String,
    /// `failing`, `active`, `disabled`, `ended`, `pending`; empty: all.
    state: String,
    /// `name`, `new`, `told`; empty: failing first, then by name.
    sort: String,
    page: usize,
    /// What was done before.
    done: String,
}

#[derive(Template)]
#[template(path = "watches.html")]
struct WatchesPage {
    frame: Frame,
    params: WatchParams,
    rows: Vec<Row>,
    found: usize,
    total: usize,
    failing: usize,
    tags: Vec<(String, usize)>,
    states: [(&'static str, &'static str); 8],
    snoozes: [(&'static str, &'static str); 6],
    sorts: [(&'static str, &'static str); 4],
    first: usize,
    last: usize,
    previous: Option<String>,
    next: Option<String>,
    done: Option<String>,
    bulk_max: usize,
}

struct Row {
    sentinel: SentinelRow,
    trouble: Option<Trouble>,
}

const STATES: [(&str, &str); 8] = [
    ("", "all"),
    ("failing", "in trouble"),
    ("active", "active"),
    ("disabled", "disabled"),
    ("pending", "not begun"),
    ("ended", "ended"),
    ("snoozed", "snoozed"),
    ("removed", "removed just now"),
];

const SORTS: [(&str, &str); 4] =
    [("", "trouble first"), ("name", "name"), ("new", "newest first"), ("told", "told most")];

pub(super) async fn watches(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    params: Result<Params<WatchParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { build(&app, known, params?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn build(app: &App, known: Known, params: WatchParams) -> Result<Response, Problem> {
    let frame = Frame::new(app, "Watches").at("watches");
    let all = lines(app, known).await?;
    let total = all.len();
    let failing = all.iter().filter(|line| is_in_trouble(line)).count();
    let mut tags: BTreeMap<String, usize> = BTreeMap::new();
    for tag in all.iter().flat_map(|line| line.tags.iter()) {
        *tags.entry(tag.to_lowercase()).or_default() += 1;
    }
    let found = sorted(wanted(all, &params), &params);
    let pages = found.len().div_ceil(ROWS).max(1);
    let page = params.page.min(pages - 1);
    let shown: Vec<SentinelId> = found.iter().skip(page * ROWS).take(ROWS).map(|l| l.id).collect();
    let first = page * ROWS;
    let link = |page: usize| query(&WatchParams { page, done: String::new(), ..params.clone() });
    let mut tags: Vec<(String, usize)> = tags.into_iter().collect();
    tags.truncate(TAGS);
    Ok(render(&WatchesPage {
        frame,
        last: first + shown.len(),
        rows: rows(app, shown).await?,
        found: found.len(),
        total,
        failing,
        tags,
        states: STATES,
        snoozes: super::act::SNOOZES,
        sorts: SORTS,
        first,
        previous: page.checked_sub(1).map(link),
        next: (page + 1 < pages).then(|| link(page + 1)),
        done: done_words(&params.done),
        params,
        bulk_max: BULK_MAX,
    }))
}

/// Every sentinel of the owner, in pieces that hold nobody up.
async fn lines(app: &App, known: Known) -> Result<Vec<WatchLine>, Problem> {
    let owner = known.actor().owner;
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let piece = app.desk.look(move |kernel| kernel.lines(owner, after, LINES_AT_ONCE)).await?;
        let is_last = piece.len() < LINES_AT_ONCE;
        after = piece.last().map(|line| line.id);
        all.extend(piece);
        if is_last {
            return Ok(all);
        }
    }
}

fn is_in_trouble(line: &WatchLine) -> bool {
    matches!(line.health, Health::Failing | Health::Doubtful) && line.going.is_none()
}

fn wanted(mut lines: Vec<WatchLine>, params: &WatchParams) -> Vec<WatchLine> {
    let (q, tag) = (params.q.trim().to_lowercase(), params.tag.to_lowercase());
    lines.retain(|line| {
        let is_found = q.is_empty()
            || line.name.to_lowercase().contains(&q)
            || line.url.to_lowercase().contains(&q);
        let has_tag = tag.is_empty() || line.tags.iter().any(|one| one.to_lowercase() == tag);
        let is_so = match params.state.as_str() {
            "" => true,
            "failing" => is_in_trouble(line),
            "snoozed" => line.snoozed.is_some(),
            "removed" => line.going.is_some(),
            state => line.state.name() == state,
        };
        is_found && has_tag && is_so
    });
    lines
}

fn sorted(mut lines: Vec<WatchLine>, params: &WatchParams) -> Vec<WatchLine> {
    match params.sort.as_str() {
        "name" => lines.sort_by_cached_key(|line| line.name.to_lowercase()),
        "new" => lines.sort_by_key(|line| std::cmp::Reverse(line.id)),
        "told" => lines.sort_by_key(|line| std::cmp::Reverse(line.told)),
        _ => lines.sort_by_cached_key(|line| {
            let rank = match (line.health, line.state) {
                _ if line.going.is_some() => 4,
                (Health::Failing, _) => 0,
                (Health::Doubtful, _) => 1,
                (_, SentinelState::Ended) => 3,
                _ => 2,
            };
            (rank, line.name.to_lowercase())
        }),
    }
    lines
}

async fn rows(app: &App, ids: Vec<SentinelId>) -> Result<Vec<Row>, Problem> {
    let now = app.now();
    let views = app.desk.look(move |kernel| {
        let found = ids.iter().filter_map(|&id| kernel.sentinel_by_id(id, now));
        let with_source = found.map(|view| {
            let source = kernel.source(view.row.source, now);
            (api::with_url(kernel, view), source)
        });
        with_source.collect::<Vec<_>>()
    });
    let views = views.await?;
    let rows = app.desk.read(move |reader| {
        let row = |((view, url), source): &((_, String), Option<_>)| {
            let trouble = match source {
                Some(source) => trouble::of(reader, view, source)?,
                None => None,
            };
            Ok(Row { sentinel: SentinelRow::of(view, url, now), trouble })
        };
        views.iter().map(row).collect::<Result<Vec<Row>, store::StoreError>>()
    });
    Ok(rows.await?)
}

/// A button is for those that are ticked, or for all that the filter finds.
pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = act_on(&app, known, &form).await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn act_on(app: &App, known: Known, form: &[u8]) -> Result<Response, Problem> {
    let fields: Vec<(String, String)> = url::form_urlencoded::parse(form).into_owned().collect();
    let field = |wanted: &str| {
        let found = fields.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let params = WatchParams {
        q: field("q"),
        tag: field("tag"),
        state: field("state"),
        sort: field("sort"),
        page: field("page").parse().unwrap_or(0),
        done: String::new(),
    };
    let names: Vec<Box<str>> = if field("scope") == "all" {
        let found = wanted(lines(app, known).await?, &params);
        found.into_iter().take(BULK_MAX).map(|line| line.name).collect()
    } else {
        let ticked = fields.iter().filter(|(name, _)| name == "name");
        ticked.take(BULK_MAX).map(|(_, name)| name.as_str().into()).collect()
    };
    let what = field("do");
    let until = super::act::after(app.now(), &app.config.zone, &field("for"));
    let command = |name: Box<str>| match (what.as_str(), until) {
        ("snooze", Some(_)) => Some(Command::Snooze { name, until }),
        (what, _) => super::act::simple(what, &name),
    };
    let asked = names.into_iter().filter_map(command);
    let asked = asked.map(|command| app.desk.ask(known.actor(), command));
    let answers = futures_util::future::join_all(asked).await;
    let mut done = 0_usize;
    for answer in answers {
        done += usize::from(matches!(answer?, Answer::Done));
    }
    let place = WatchParams { done: format!("{what}-{done}"), ..params };
    let place = format!("/watches{}", query(&place));
    Ok(Redirect::to(&place).into_response())
}

/// What a button did, out of the address: only what we could have written.
fn done_words(done: &str) -> Option<String> {
    let (what, count) = done.split_once('-')?;
    let count: usize = count.parse().ok()?;
    let said = match what {
        "enable" => "enabled",
        "disable" => "disabled",
        "remove" => "removed; for ten minutes you can take that back",
        "restore" => "back",
        "snooze" => "snoozed",
        "wake" => "awake again",
        _ => return None,
    };
    let noun = if count == 1 { "watch" } else { "watches" };
    Some(plain(&format!("{count} {noun} {said}.")))
}

fn query(params: &WatchParams) -> String {
    let mut all = url::form_urlencoded::Serializer::new(String::new());
    let texts = [
        ("q", &params.q),
        ("tag", &params.tag),
        ("state", &params.state),
        ("sort", &params.sort),
        ("done", &params.done),
    ];
    for (name, value) in texts.into_iter().filter(|(_, value)| !value.is_empty()) {
        all.append_pair(name, value);
    }
    if params.page > 0 {
        all.append_pair("page", &params.page.to_string());
    }
    match all.finish() {
        all if all.is_empty() => all,
        all => format!("?{all}"),
    }
}
