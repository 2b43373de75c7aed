//! All sentinels of somebody: searched, filtered, sorted, failing first; and what is done to many.

use super::shown::{SentinelRow, plain};
use super::{Frame, ROWS, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::Params;
use crate::keeper::Known;
use crate::lists::{Line, List, Search};
use crate::problem::Problem;
use crate::trouble;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::{Instant, OwnerId, SentinelId};
use kernel::Kernel;
use kernel::io::{Answer, Command};
use kernel::record::SentinelState;
use kernel::view::Health;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use tokio::sync::OwnedMutexGuard;

/// Names that one look at the kernel lists: about two milliseconds.
const NAMES_AT_ONCE: usize = 5_000;
/// Sentinels that are put in the order of their names by themselves.
const FEW: usize = 1_000;
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
    [("", "trouble first"), ("name", "name"), ("new", "newest first"), ("told", "found most")];

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
    let Chosen { groups, found, total, failing, unread, page } =
        Chosen::of(&*list(app, known).await?, &params, app.now());
    let shown = page_of(app, known, groups).await?;
    let (first, pages) = (page * ROWS, found.div_ceil(ROWS));
    let link = |page: usize| query(&WatchParams { page, done: String::new(), ..params.clone() });
    let tags = tags(app, known).await?.into_iter().map(|(tag, count)| {
        let params = WatchParams { tag: tag.clone(), page: 0, ..params.clone() };
        let link = query(&WatchParams { done: String::new(), ..params });
        (tag, count, link)
    });
    let tags = tags.collect();
    Ok(render(&WatchesPage {
        frame,
        last: first + shown.len(),
        sentinels: rows(app, shown).await?,
        found,
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

/// What a page shows of a list.
struct Chosen {
    groups: Vec<Group>,
    found: usize,
    total: usize,
    failing: usize,
    unread: usize,
    /// The last, if less are found than lie before the one that was asked for.
    page: usize,
}

impl Chosen {
    fn of(list: &List, params: &WatchParams, now: Instant) -> Chosen {
        let found = wanted(list, params, now);
        let page = params.page.min(found.len().div_ceil(ROWS).saturating_sub(1));
        let first = page * ROWS;
        Chosen {
            groups: groups(&found, &params.sort, first..first + ROWS),
            found: found.len(),
            total: list.lines().len(),
            failing: list.failing(),
            unread: list.unread(),
            page,
        }
    }
}

async fn list(app: &App, known: Known) -> Result<OwnedMutexGuard<List>, Problem> {
    app.lists.of(known.actor().owner, &app.desk, &app.doubts).await
}

/// The first tags in small letters, and how many sentinels have each.
async fn tags(app: &App, known: Known) -> Result<Vec<(String, usize)>, Problem> {
    let owner = known.actor().owner;
    Ok(app.desk.look(move |kernel| kernel.tags(owner, TAGS)).await?)
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
    let (groups, total, failing) = {
        let list = list(app, known).await?;
        let lines: Vec<&Line> = list.lines().iter().collect();
        (groups(&lines, "", 0..ROWS), lines.len(), list.failing())
    };
    let shown = page_of(app, known, groups).await?;
    let sentinels = rows(app, shown).await?;
    Ok(Overview { sentinels, total, failing, tags: tags(app, known).await? })
}

/// Sentinels that stand together in a list, and which places among them are shown.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    /// In order.
    ids: Vec<SentinelId>,
    shown: Range<usize>,
}

impl Group {
    /// Those shown, by name. The names of a large group are walked from the first one, until all
    /// that are shown are met: no list is put in order as a whole.
    async fn by_name(self, app: &App, owner: OwnerId) -> Result<Vec<SentinelId>, Problem> {
        let Group { ids, shown } = self;
        if ids.len() <= FEW {
            let named = move |kernel: &Kernel| {
                let name = |id| Some((kernel.name_of(id)?.to_lowercase(), id));
                let mut named: Vec<_> = ids.into_iter().filter_map(name).collect();
                named.sort_unstable();
                named.into_iter().map(|(_, id)| id).skip(shown.start).take(shown.len()).collect()
            };
            return Ok(app.desk.look(named).await?);
        }
        let (ids, mut met, mut after) = (Arc::new(ids), Vec::new(), None::<Box<str>>);
        while met.len() < shown.end {
            let (ids, missing) = (Arc::clone(&ids), shown.end - met.len());
            let look = move |kernel: &Kernel| {
                let (mut met, mut walked, mut last) = (Vec::new(), 0, "");
                let names = kernel.by_name(owner, after.as_deref());
                for (name, id) in names.take(NAMES_AT_ONCE) {
                    met.extend(ids.binary_search(&id).is_ok().then_some(id));
                    (walked, last) = (walked + 1, name);
                    if met.len() == missing {
                        return (met, None);
                    }
                }
                (met, (walked == NAMES_AT_ONCE).then(|| Box::from(last)))
            };
            let (more, last) = app.desk.look(look).await?;
            met.extend(more);
            after = last;
            if after.is_none() {
                break;
            }
        }
        Ok(met.into_iter().skip(shown.start).take(shown.len()).collect())
    }
}

/// Those that the search finds, and that are as `state` says.
fn wanted<'l>(list: &'l List, params: &WatchParams, now: Instant) -> Vec<&'l Line> {
    let (text, tag) = (params.q.trim().to_lowercase(), params.tag.to_lowercase());
    let is_as_asked = |line: &&Line| match params.state.as_str() {
        "" => true,
        "failing" => line.is_in_trouble(),
        "snoozed" => line.snoozed.is_some_and(|until| until > now),
        "removed" => line.is_going,
        state => line.state.name() == state,
    };
    list.found(&Search { text, tag }).filter(is_as_asked).collect()
}

/// Those between these places of the list as it is sorted.
async fn page_of(app: &App, known: Known, groups: Vec<Group>) -> Result<Vec<SentinelId>, Problem> {
    let mut page = Vec::new();
    for group in groups {
        page.extend(group.by_name(app, known.actor().owner).await?);
    }
    Ok(page)
}

/// The groups that have some of these places. Those of one group go by their names.
fn groups(lines: &[&Line], sort: &str, places: Range<usize>) -> Vec<Group> {
    match sort {
        "name" => between(lines, places, |_| ()),
        "new" => {
            let newest = lines.iter().rev().map(|line| line.id);
            let ids: Vec<SentinelId> = newest.skip(places.start).take(places.len()).collect();
            ids.into_iter().map(|id| Group { ids: vec![id], shown: 0..1 }).collect()
        }
        "told" => between(lines, places, |line| Reverse(line.told)),
        _ => between(lines, places, |line| match (line.health, line.state) {
            _ if line.is_going => 4,
            (Health::Failing, _) => 0,
            (Health::Doubtful, _) => 1,
            _ if line.in_doubt => 1,
            (_, SentinelState::Ended) => 3,
            _ => 2,
        }),
    }
}

/// Those that have the same `key` are a group, in the order of their ids.
fn between<K: Ord>(lines: &[&Line], places: Range<usize>, key: impl Fn(&Line) -> K) -> Vec<Group> {
    let mut keyed: BTreeMap<K, Vec<SentinelId>> = BTreeMap::new();
    for line in lines {
        keyed.entry(key(line)).or_default().push(line.id);
    }
    let (mut groups, mut before) = (Vec::new(), 0);
    for ids in keyed.into_values() {
        let (of, place) = (ids.len(), |at: usize| at.saturating_sub(before).min(ids.len()));
        let shown = place(places.start)..place(places.end);
        if !shown.is_empty() {
            groups.push(Group { ids, shown });
        }
        before += of;
    }
    groups
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
            let trouble = trouble::of(reader, view, sources, &wall.zone)?;
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
        let ids: Vec<SentinelId> = {
            let list = list(app, known).await?;
            let found = wanted(&list, &params, app.now());
            found.iter().take(BULK_MAX).map(|line| line.id).collect()
        };
        let named = move |kernel: &Kernel| {
            let names = ids.iter().filter_map(|&id| kernel.name_of(id));
            names.map(Box::from).collect()
        };
        app.desk.look(named).await?
    } else {
        let ticked = fields.iter().filter(|(name, _)| name == "name");
        ticked.take(BULK_MAX).map(|(_, name)| name.as_str().into()).collect()
    };
    let what = field("do");
    if names.is_empty() {
        let place = WatchParams { done: "none-0".to_owned(), ..params };
        return Ok(Redirect::to(&format!("/watches{}", query(&place))).into_response());
    }
    if what == "look" {
        let looks = names.iter().map(|name| super::act::ask_looks(app, known, name));
        // The pages of one that has ended may be gone.
        let asked = futures_util::future::join_all(looks).await;
        let count = asked.iter().filter(|asked| asked.is_ok()).count();
        let place = WatchParams { done: format!("look-{count}"), ..params };
        return Ok(Redirect::to(&format!("/watches{}", query(&place))).into_response());
    }
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
        "none" => return Some("Nothing was done: tick a watch first.".to_owned()),
        "enable" => "enabled",
        "disable" => "disabled",
        "remove" => "removed; for ten minutes you can take that back",
        "restore" => "back",
        "snooze" => "snoozed",
        "wake" => "awake again",
        "look" => "to be looked at as soon as their hosts may be asked",
        _ => return None,
    };
    let noun = if count == 1 { "watch" } else { "watches" };
    Some(plain(&format!("{} {noun} {said}.", notice::grouped(count))))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_goes_by_trouble_by_name_by_age_or_by_what_was_told() {
        let lines = [(2, 0), (3, 7), (4, 0), (5, 1), (6, 2), (9, 1)].map(|(id, told)| {
            let health = if id == 9 { Health::Failing } else { Health::Well };
            let mut line = Line::active(SentinelId(id), health);
            (line.told, line.is_going, line.in_doubt) = (told, id == 3, id == 2);
            line
        });
        let lines = lines.each_ref();
        // Groups, each in the order of ids.
        let orders: [(&str, &[&[u64]]); 4] = [
            ("", &[&[9], &[2], &[4, 5, 6], &[3]]),
            ("name", &[&[2, 3, 4, 5, 6, 9]]),
            ("new", &[&[9], &[6], &[5], &[4], &[3], &[2]]),
            ("told", &[&[3], &[6], &[5, 9], &[2, 4]]),
        ];
        for (sort, order) in orders {
            let whole = |ids: &&[u64]| Group {
                ids: ids.iter().copied().map(SentinelId).collect(),
                shown: 0..ids.len(),
            };
            let all: Vec<Group> = order.iter().map(whole).collect();
            assert_eq!(groups(&lines, sort, 0..9), all, "{sort}");
        }
        let some = |places| {
            let groups = groups(&lines, "", places).into_iter();
            groups.map(|group| (group.ids.len(), group.shown)).collect::<Vec<_>>()
        };
        assert_eq!(some(1..4), [(1, 0..1), (3, 0..2)]);
        assert_eq!(some(3..9), [(3, 1..3), (1, 0..1)]);
        assert_eq!(some(6..8), []);
    }
}
