//! All sentinels of somebody: searched, filtered, sorted, failing first; and what is done to many.

use super::shown::{SentinelRow, plain};
use super::{Frame, ROWS, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::Params;
use crate::keeper::Known;
use crate::problem::Problem;
use crate::trouble;
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
use std::cmp::Reverse;
use std::ops::Range;

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
    sentinels: Vec<SentinelRow>,
    found: usize,
    total: usize,
    failing: usize,
    /// A tag, how many watches have it, and where they are listed.
    tags: Vec<(String, usize, String)>,
    /// Pages of which it is not known yet whether they are in doubt.
    unread: usize,
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
    let (total, failing, unread) = (all.lines.len(), all.failing(), all.unread);
    let tags = all.tags;
    let found = wanted(all.lines, &params);
    let pages = found.len().div_ceil(ROWS).max(1);
    let page = params.page.min(pages - 1);
    let first = page * ROWS;
    let shown = page_of(&found, &params.sort, first..first + ROWS);
    let link = |page: usize| query(&WatchParams { page, done: String::new(), ..params.clone() });
    let tags = tags.into_iter().map(|(tag, count)| {
        let params = WatchParams { tag: tag.clone(), page: 0, ..params.clone() };
        let link = query(&WatchParams { done: String::new(), ..params });
        (tag, count, link)
    });
    let tags = tags.collect();
    Ok(render(&WatchesPage {
        frame,
        last: first + shown.len(),
        sentinels: rows(app, shown).await?,
        found: found.len(),
        total,
        failing,
        tags,
        unread,
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

/// A sentinel of the list.
struct Listed {
    line: WatchLine,
    /// A page of it hardly shows what somebody wants to watch.
    in_doubt: bool,
}

impl std::ops::Deref for Listed {
    type Target = WatchLine;

    fn deref(&self) -> &WatchLine {
        &self.line
    }
}

impl Listed {
    fn is_in_trouble(&self) -> bool {
        (self.in_doubt || matches!(self.health, Health::Failing | Health::Doubtful))
            && self.going.is_none()
    }
}

/// Every sentinel of somebody.
struct All {
    lines: Vec<Listed>,
    /// Pages of which it is not known yet whether they are in doubt.
    unread: usize,
    /// The first tags in small letters, and how many sentinels have each.
    tags: Vec<(String, usize)>,
}

impl All {
    fn failing(&self) -> usize {
        self.lines.iter().filter(|line| line.is_in_trouble()).count()
    }
}

/// What the overview says of the sentinels of somebody.
pub(super) struct Overview {
    /// The first of them, those in trouble before all others.
    pub(super) sentinels: Vec<SentinelRow>,
    pub(super) total: usize,
    pub(super) failing: usize,
    pub(super) tags: Vec<(String, usize)>,
}

pub(super) async fn overview(app: &App, known: Known) -> Result<Overview, Problem> {
    let all = lines(app, known).await?;
    Ok(Overview {
        sentinels: rows(app, page_of(&all.lines, "", 0..ROWS)).await?,
        total: all.lines.len(),
        failing: all.failing(),
        tags: all.tags,
    })
}

/// Every sentinel of the owner, in pieces that hold nobody up.
async fn lines(app: &App, known: Known) -> Result<All, Problem> {
    let owner = known.actor().owner;
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let piece = app.desk.look(move |kernel| kernel.lines(owner, after, LINES_AT_ONCE)).await?;
        let is_last = piece.len() < LINES_AT_ONCE;
        after = piece.last().map(|line| line.id);
        all.extend(piece);
        if is_last {
            break;
        }
    }
    let active = all.iter().filter(|line| line.state == SentinelState::Active);
    let pages = active.flat_map(|line| line.sources.iter().copied()).collect();
    let doubts = app.doubts.among(&app.desk, pages).await?;
    let listed = |line: WatchLine| {
        let is_active = line.state == SentinelState::Active;
        let in_doubt =
            is_active && line.sources.iter().any(|(one, _)| doubts.sources.contains(one));
        Listed { line, in_doubt }
    };
    let tags = app.desk.look(move |kernel| kernel.tags(owner, TAGS)).await?;
    Ok(All { lines: all.into_iter().map(listed).collect(), unread: doubts.unread, tags })
}

fn wanted(mut lines: Vec<Listed>, params: &WatchParams) -> Vec<Listed> {
    let (q, tag) = (params.q.trim().to_lowercase(), params.tag.to_lowercase());
    lines.retain(|line| {
        let is_found = q.is_empty()
            || line.name.to_lowercase().contains(&q)
            || line.url.to_lowercase().contains(&q);
        let has_tag = tag.is_empty() || line.tags.iter().any(|one| one.to_lowercase() == tag);
        let is_so = match params.state.as_str() {
            "" => true,
            "failing" => line.is_in_trouble(),
            "snoozed" => line.snoozed.is_some(),
            "removed" => line.going.is_some(),
            state => line.state.name() == state,
        };
        is_found && has_tag && is_so
    });
    lines
}

/// Those between these places of the list as it is sorted. O(lines), not O(lines · log lines): the
/// others are put in no order.
fn page_of(lines: &[Listed], sort: &str, places: Range<usize>) -> Vec<SentinelId> {
    match sort {
        "name" => between(lines, places, |line| line.name.to_lowercase()),
        "new" => between(lines, places, |line| Reverse(line.id)),
        "told" => between(lines, places, |line| Reverse(line.told)),
        _ => between(lines, places, |line| {
            let rank = match (line.health, line.state) {
                _ if line.going.is_some() => 4,
                (Health::Failing, _) => 0,
                (Health::Doubtful, _) => 1,
                _ if line.in_doubt => 1,
                (_, SentinelState::Ended) => 3,
                _ => 2,
            };
            (rank, line.name.to_lowercase())
        }),
    }
}

fn between<K: Ord>(
    lines: &[Listed],
    places: Range<usize>,
    key: impl Fn(&Listed) -> K,
) -> Vec<SentinelId> {
    let mut keyed: Vec<(K, SentinelId)> = lines.iter().map(|line| (key(line), line.id)).collect();
    if places.end < keyed.len() {
        keyed.select_nth_unstable(places.end);
        keyed.truncate(places.end);
    }
    keyed.sort_unstable();
    keyed.into_iter().skip(places.start).map(|(_, id)| id).collect()
}

/// Sentinels with what is wrong with them, in this order; one that is gone is left out.
pub(super) async fn rows(app: &App, ids: Vec<SentinelId>) -> Result<Vec<SentinelRow>, Problem> {
    let (wall, now) = (app.wall(), app.now());
    let views = app.desk.look(move |kernel| {
        let found = ids.iter().filter_map(|&id| kernel.sentinel_by_id(id, now));
        let with_source = found.map(|view| {
            let sources = api::sources_of(kernel, &view, now);
            (api::with_url(kernel, view), sources)
        });
        with_source.collect::<Vec<_>>()
    });
    let views = views.await?;
    let rows = app.desk.read(move |reader| {
        let row = |((view, url), sources): &((_, String), Vec<_>)| {
            let trouble = trouble::of(reader, view, sources)?;
            Ok(SentinelRow { trouble, ..SentinelRow::of(view, url, &wall) })
        };
        views.iter().map(row).collect::<Result<Vec<_>, store::StoreError>>()
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
        let found = wanted(lines(app, known).await?.lines, &params);
        found.into_iter().take(BULK_MAX).map(|listed| listed.line.name).collect()
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
