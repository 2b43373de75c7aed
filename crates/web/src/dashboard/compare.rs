//! Two versions of a page as people read them: the whole text, with what changed marked.

use super::shown::{When, plain, short};
use super::told::{self, Part};
use super::{Frame, Sorry, render};
use crate::App;
use crate::api;
use crate::diff::{self, Asked, Pair};
use crate::extract::{Params, PathPart};
use crate::keeper::Known;
use crate::problem::Problem;
use crate::words::{self, Wall};
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use change::{ChangeKind, Row};
use chronon::{SentinelId, SourceId, VersionNo};
use kernel::record::VersionRow;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Versions that are offered, the newest ones.
const VERSIONS: usize = 200;
/// Sentinels whose detections say what was told, and detections of each.
const TELLERS: usize = 20;
const DETECTIONS: usize = 200;
/// Blocks that stayed, on each side of one that changed.
const AROUND: usize = 2;
/// Blocks that are listed.
const LINES_MAX: usize = 4_000;
/// Characters of a block.
const BLOCK_CHARS_MAX: usize = 4_000;
/// Bytes of folded text that come with the page; beyond that it is counted.
const FOLDED_BYTES_MAX: usize = 48 << 10;

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct CompareParams {
    from: Option<u32>,
    to: Option<u32>,
    /// `side`; empty: inline.
    view: String,
    /// `1`: nothing is folded.
    whole: String,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    frame: Frame,
    source: u32,
    url: String,
    short: String,
    zone: String,
    versions: Choices,
    compared: Option<Compared>,
    /// Why nothing is compared.
    problem: String,
    is_side: bool,
    is_whole: bool,
}

/// The versions of a source that can be chosen.
pub(super) struct Choices {
    /// Newest first.
    pub(super) all: Vec<Choice>,
    /// Those that are compared, if two are.
    pub(super) from: Option<u32>,
    pub(super) to: Option<u32>,
}

pub(super) struct Choice {
    pub(super) number: u32,
    pub(super) when: When,
    pub(super) date: String,
    pub(super) summary: String,
    pub(super) media_type: String,
    /// Somebody was told of what it brought.
    pub(super) told: bool,
    /// It counts for no comparison.
    pub(super) held: bool,
    /// The version before that counts, if this one does.
    pub(super) before: Option<u32>,
}

struct Compared {
    from: Side,
    to: Side,
    stretches: Vec<Stretch>,
    changed: usize,
    left_out: usize,
}

struct Side {
    number: u32,
    when: When,
}

/// Neighbouring blocks.
struct Stretch {
    /// How many there are, where they are folded; their lines may be left out.
    folded: Option<usize>,
    lines: Vec<Line>,
}

struct Line {
    /// `same`, `insert`, `delete`, `update` or `move`.
    class: &'static str,
    sign: &'static str,
    word: &'static str,
    is_heading: bool,
    parts: Vec<Part>,
    was: bool,
    is: bool,
}

pub(super) async fn compare(
    State(app): State<App>,
    place: Result<PathPart<u32>, Problem>,
    params: Result<Params<CompareParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { build(&app, SourceId(place?.0), params?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

/// The same of the first source of a sentinel: messages know its name.
pub(super) async fn of_sentinel(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
    params: Result<Params<CompareParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let (view, _) = api::sentinel_view(&app, known, &place?.0).await?;
        build(&app, view.row.source, params?.0).await
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

async fn build(app: &App, source: SourceId, params: CompareParams) -> Result<Response, Problem> {
    let wall = app.wall();
    let loaded = api::load_source(app, source).await?;
    let url = loaded.view.row.url.shown().into_owned();
    let mut versions = choices(app, source, &loaded.view.sentinels).await?;
    // A notification may name versions that many have followed.
    let asked = Asked { from: params.from.map(VersionNo), to: params.to.map(VersionNo) };
    let is_whole = params.whole == "1";
    let compared = diff::of_pair(app, source, asked, move |pair| {
        let (stretches, counts) = stretches(&pair, is_whole);
        let side =
            |row: &VersionRow| Side { number: row.number.0, when: When::of(row.fetched_at, &wall) };
        let (from, to) = (side(&pair.older), side(&pair.newer));
        Compared { from, to, stretches, changed: counts.changed, left_out: counts.left_out }
    });
    let (compared, problem) = match compared.await {
        Ok(compared) => (Some(compared), String::new()),
        Err(problem) => (None, problem.detail().to_owned()),
    };
    let both = compared.as_ref();
    (versions.from, versions.to) = both.map(|both| (both.from.number, both.to.number)).unzip();
    Ok(render(&ComparePage {
        frame: Frame::new(app, format!("Compare {}", short(&url))).at("watches"),
        source: source.0,
        short: short(&url),
        url,
        zone: app.config.zone.name().to_owned(),
        versions,
        compared,
        problem,
        is_side: params.view == "side",
        is_whole,
    }))
}

/// The versions of a source, newest first, and which of them somebody was told of.
pub(super) async fn choices(
    app: &App,
    source: SourceId,
    tellers: &[SentinelId],
) -> Result<Choices, Problem> {
    let tellers: Vec<SentinelId> = tellers.iter().copied().take(TELLERS).collect();
    let wall = app.wall();
    let all = app.desk.read(move |reader| {
        let mut told = BTreeSet::new();
        for sentinel in tellers {
            let detections = reader.detections(sentinel, None, DETECTIONS)?;
            let evidence = detections.iter().flat_map(|one| &one.evidence);
            told.extend(evidence.filter(|one| one.source == source).map(|one| one.to));
        }
        let rows = reader.versions(source, None, VERSIONS)?;
        let before = |at: usize| rows[at + 1..].iter().find(|row| !row.held);
        let choice = |(at, row)| Choice::of(row, before(at), &told, &wall);
        Ok(rows.iter().enumerate().map(choice).collect())
    });
    Ok(Choices { all: all.await?, from: None, to: None })
}

impl Choices {
    pub(super) fn is_picked(&self, side: &str, one: &Choice) -> bool {
        let picked = if side == "from" { self.from } else { self.to };
        picked == Some(one.number)
    }
}

impl Choice {
    fn of(
        row: &VersionRow,
        before: Option<&VersionRow>,
        told: &BTreeSet<VersionNo>,
        wall: &Wall,
    ) -> Choice {
        Choice {
            number: row.number.0,
            when: When::of(row.fetched_at, wall),
            date: words::dated(row.fetched_at, &wall.zone),
            summary: plain(&row.facts.summary),
            media_type: row.facts.media_type.to_string(),
            told: told.contains(&row.number),
            held: row.held,
            before: before.filter(|_| !row.held).map(|row| row.number.0),
        }
    }
}

#[derive(Default)]
struct Counts {
    changed: usize,
    left_out: usize,
}

/// The text, with what stayed folded where it is long.
fn stretches(pair: &Pair, is_whole: bool) -> (Vec<Stretch>, Counts) {
    let mut rows = change::aligned(&pair.old, &pair.new, &change::Limits::default());
    let changed = rows.iter().filter(|row| row.kind.is_some()).count();
    let mut near = vec![is_whole; rows.len()];
    for (at, row) in rows.iter().enumerate() {
        if row.kind.is_some() {
            let last = (at + AROUND).min(rows.len() - 1);
            near[at.saturating_sub(AROUND)..=last].fill(true);
        }
    }
    let left_out = rows.len().saturating_sub(LINES_MAX);
    rows.truncate(LINES_MAX);
    let (mut stretches, mut room, mut at) = (Vec::new(), FOLDED_BYTES_MAX, 0);
    for piece in near[..rows.len()].chunk_by(|a, b| a == b) {
        let rows = &rows[at..at + piece.len()];
        at += piece.len();
        if piece[0] {
            stretches.push(Stretch { folded: None, lines: rows.iter().map(Line::of).collect() });
            continue;
        }
        let bytes: usize = rows.iter().filter_map(|row| Some(row.new?.text.len())).sum();
        let mut lines = Vec::new();
        if let Some(left) = room.checked_sub(bytes) {
            room = left;
            lines = rows.iter().map(Line::of).collect();
        }
        stretches.push(Stretch { folded: Some(rows.len()), lines });
    }
    (stretches, Counts { changed, left_out })
}

impl Line {
    fn of(row: &Row<'_>) -> Line {
        let (class, sign, word) = match row.kind {
            None => ("same", "", ""),
            Some(ChangeKind::Insert) => ("insert", "+", "added"),
            Some(ChangeKind::Delete) => ("delete", "−", "removed"),
            Some(ChangeKind::Move) => ("move", "↕", "moved"),
            Some(ChangeKind::Update) => ("update", "~", "changed"),
        };
        let text = |block: &page::Block| {
            plain(&block.text.chars().take(BLOCK_CHARS_MAX).collect::<String>())
        };
        let (old, new) = (row.old.map(text), row.new.map(text));
        Line {
            class,
            sign,
            word,
            is_heading: row.new.or(row.old).is_some_and(|block| block.heading > 0),
            parts: told::parts(old.as_deref(), new.as_deref()),
            was: old.is_some() && row.kind != Some(ChangeKind::Move),
            is: new.is_some(),
        }
    }
}
