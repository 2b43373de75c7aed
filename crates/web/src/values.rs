//! The values that a sentinel watches, version by version: what a chart shows, and a table.
//!
//! A series is read from the versions that are stored, older ones than the sentinel included.
//! Where a version was not looked at with the selector, its stored bytes are.

use crate::App;
use crate::api::sentinel_view;
use crate::keeper::Known;
use crate::problem::Problem;
use crate::wire::Time;
use change::{Amount, Aspect, ChangeType, Leaf, View, amount, label};
use chronon::{Instant, SentinelId, SourceId, VersionNo};
use kernel::record::VersionRow;
use kernel::view::SentinelView;
use page::{Extract, Hints, Limits};
use sentinel::ast::{Expr, Sentinel};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use store::{LIST_ROWS_MAX, Reader, StoreError};
use utoipa::ToSchema;

/// Versions that one series shows, the newest ones.
const VERSIONS_MAX: usize = 1_000;
/// Versions whose bytes are read again for one answer to somebody who wants all of it.
const READ_AGAIN_MAX: usize = 50;
/// Series that are read at one time; whoever comes next waits.
pub(crate) const READERS: usize = 2;
/// Characters of what the page writes.
const TEXT_CHARS_MAX: usize = 500;
/// Members of a list that are shown.
const MEMBERS_MAX: usize = 20;

/// The series of a sentinel, one for each selector whose value it watches.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Values {
    pub(crate) sentinel: String,
    pub(crate) series: Vec<Series>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Series {
    /// As the language writes it, without its tests; of several sources with the name of its own.
    pub(crate) of: String,
    pub(crate) source_id: u32,
    /// The least number in the unit of the newest one.
    pub(crate) least: Option<String>,
    /// The largest.
    pub(crate) most: Option<String>,
    /// Oldest first.
    pub(crate) points: Vec<Point>,
    /// Older versions were left out: there are too many, or too many would have to be read again.
    pub(crate) is_cut: bool,
}

/// One number of one version.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Point {
    pub(crate) at: Time,
    pub(crate) version: u32,
    /// Which member of the list that the selector finds, from 0.
    pub(crate) place: u32,
    /// A decimal number; null: there was none, or the selector found nothing.
    pub(crate) value: Option<String>,
    /// `%`, the code of a currency, `kg`.
    pub(crate) unit: Option<String>,
    /// As the page writes it, or why there is nothing.
    pub(crate) text: String,
    /// The sentinel told of this version.
    pub(crate) told: bool,
    #[serde(skip)]
    #[schema(ignore)]
    amount: Option<Amount>,
}

/// How much is done for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// What looks have read with the selector; a page that is shown again and again costs no more.
    Stored,
    /// Older versions are read again, up to a limit.
    Again,
}

impl Effort {
    fn room(self) -> usize {
        match self {
            Effort::Stored => 0,
            Effort::Again => READ_AGAIN_MAX,
        }
    }
}

/// The values of a sentinel of the one who asks.
pub(crate) async fn values(
    app: &App,
    known: Known,
    name: &str,
    effort: Effort,
) -> Result<Values, Problem> {
    let (view, _) = sentinel_view(app, known, name).await?;
    let (zone, chronon) = app.desk.look(|kernel| kernel.rules().calendar()).await?;
    let text = sentinel::recall(&view.row.text, view.row.defined_at, &zone, chronon).ok();
    let id = view.row.id;
    let sentinel = view.row.name.to_string();
    let watched = text.map_or_else(Vec::new, |text| Watched::of(&view, &text));
    if watched.is_empty() {
        return Ok(Values { sentinel, series: Vec::new() });
    }
    let seat = Arc::clone(&app.series).acquire_owned().await;
    let seat = seat.map_err(|_| crate::Closed::default())?;
    let series = app.desk.read(move |reader| {
        let _held_while_reading = seat;
        Versions { id, room: effort.room() }.all(reader, &watched)
    });
    let series = series.await?;
    Ok(Values { sentinel, series })
}

/// The values that are watched of one source.
struct Watched {
    source: SourceId,
    /// What it is called where there are several.
    called: Option<String>,
    views: BTreeSet<View>,
}

impl Watched {
    /// Those of each source of which some are.
    fn of(view: &SentinelView, text: &Sentinel) -> Vec<Watched> {
        let several = !view.row.others.is_empty();
        let watched = view.row.sources().enumerate().map(|(place, source)| {
            let mut views = BTreeSet::new();
            collect(&text.monitor, place, &mut views);
            let called = several.then(|| place_called(view, text, place));
            Watched { source, called, views }
        });
        watched.filter(|watched| !watched.views.is_empty()).collect()
    }
}

/// What a source is called: as its sentinel does, else by its address.
pub(crate) fn place_called(view: &SentinelView, text: &Sentinel, place: usize) -> String {
    let named = text.sources.get(place).and_then(|source| source.name.clone());
    let url = || view.urls.get(place).map(ToString::to_string).unwrap_or_default();
    named.unwrap_or_else(url)
}

/// The values of the source at this place.
fn collect(expr: &Expr, place: usize, views: &mut BTreeSet<View>) {
    match expr {
        Expr::Leaf(leaf) => {
            let is_meant = leaf.of.as_ref().is_none_or(|of| usize::from(of.source) == place);
            if leaf.primitive.aspect == Aspect::Value && is_meant {
                views.insert(View::of(&leaf.primitive.region));
            }
        }
        Expr::Not(operand) => collect(operand, place, views),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| collect(operand, place, views));
        }
    }
}

/// What is read of a sentinel's sources.
struct Versions {
    id: SentinelId,
    /// Versions whose bytes may still be read again.
    room: usize,
}

impl Versions {
    fn all(mut self, reader: &dyn Reader, watched: &[Watched]) -> Result<Vec<Series>, StoreError> {
        let told = reader.detections(self.id, None, LIST_ROWS_MAX)?;
        let ends = |one: &outbox::Detection| {
            one.evidence.iter().map(|piece| (piece.source, piece.to)).collect::<Vec<_>>()
        };
        let told: BTreeSet<(SourceId, VersionNo)> = told.iter().flat_map(ends).collect();
        let mut series = Vec::new();
        for one in watched {
            let versions = reader.versions(one.source, None, VERSIONS_MAX)?;
            for view in &one.views {
                let mut of_view = self.of_view(reader, &versions, view, &told)?;
                if let Some(called) = &one.called {
                    of_view.of.push_str(&format!(" of {called}"));
                }
                series.push(Series { source_id: one.source.0, ..of_view });
            }
        }
        Ok(series)
    }

    /// The series of what a view shows of these versions.
    fn of_view(
        &mut self,
        reader: &dyn Reader,
        versions: &[VersionRow],
        view: &View,
        told: &BTreeSet<(SourceId, VersionNo)>,
    ) -> Result<Series, StoreError> {
        let mut is_cut = versions.len() == VERSIONS_MAX;
        let mut points = Vec::new();
        for row in versions.iter().filter(|row| !row.held) {
            let Some(extract) = shown(reader, row, view, &mut self.room)? else {
                is_cut = true;
                break;
            };
            points.extend(of_version(row, &extract, told.contains(&(row.source, row.number))));
        }
        points.sort_by_key(|point| (point.version, point.place));
        let leaf = Leaf {
            change_type: ChangeType::plain(Aspect::Value).in_view(view.clone()),
            directions: BTreeSet::new(),
            matching: None,
        };
        let (least, most) = bounds(&points);
        Ok(Series { of: label(&leaf), source_id: 0, least, most, points, is_cut })
    }
}

/// What a view shows of a version; `None`: its bytes would have to be read, and there is no room,
/// or they are gone.
fn shown(
    reader: &dyn Reader,
    row: &VersionRow,
    view: &View,
    room: &mut usize,
) -> Result<Option<Extract>, StoreError> {
    let made = row.facts.extracts.get(view);
    if let Some(made) = made.filter(|made| Some(made.extractor) == view.extractor())
        && let Some(bytes) = bytes(reader, made.blob)?
        && let Ok(extract) = page::decode(&bytes)
    {
        return Ok(Some(extract));
    }
    let Some(left) = room.checked_sub(1) else { return Ok(None) };
    *room = left;
    let Some(body) = bytes(reader, row.facts.body)? else { return Ok(None) };
    let Ok(url) = url::Url::parse(&row.facts.final_url) else { return Ok(None) };
    let content_type = Some(&*row.facts.media_type).filter(|header| !header.is_empty());
    let hints = Hints { content_type, url: &url };
    let made = page::extract(&body, &hints, &Limits::default(), [view.clone()]);
    Ok(made.ok().and_then(|mut made| made.remove(view)))
}

fn bytes(reader: &dyn Reader, id: chronon::BlobId) -> Result<Option<Arc<[u8]>>, StoreError> {
    match reader.blob(id) {
        Err(StoreError::Damaged(_)) => Ok(None),
        other => other,
    }
}

fn of_version(row: &VersionRow, extract: &Extract, told: bool) -> Vec<Point> {
    let point = |place: usize, text: &str, amount: Option<Amount>| Point {
        at: Time(row.fetched_at),
        version: row.number.0,
        place: place as u32,
        value: amount.as_ref().map(|amount| amount.number.to_string()),
        unit: amount.as_ref().and_then(|amount| amount.unit.as_deref().map(str::to_owned)),
        text: text.chars().take(TEXT_CHARS_MAX).collect(),
        told,
        amount,
    };
    if let Some(missing) = &extract.missing {
        return vec![point(0, missing, None)];
    }
    let members = extract.blocks.iter().take(MEMBERS_MAX).enumerate();
    let language = extract.language.as_deref();
    members.map(|(at, one)| point(at, &one.text, amount(&one.text, language))).collect()
}

/// The least and the largest number in the unit of the newest.
fn bounds(points: &[Point]) -> (Option<String>, Option<String>) {
    let amounts = || points.iter().filter_map(|point| point.amount.as_ref());
    let Some(newest) = amounts().next_back() else { return (None, None) };
    let alike = || amounts().filter(|amount| amount.unit == newest.unit);
    let shown = |amount: Option<&Amount>| amount.map(|amount| amount.number.to_string());
    (shown(alike().min_by_key(|a| a.number)), shown(alike().max_by_key(|a| a.number)))
}

impl Values {
    /// As a table with a head. A text that a spreadsheet would compute stands behind an apostrophe.
    pub(crate) fn csv(&self) -> String {
        let mut csv = "of,at,version,place,value,unit,text,told\r\n".to_owned();
        for series in &self.series {
            for point in &series.points {
                let cells = [
                    cell(&series.of),
                    point.at.0.to_string(),
                    point.version.to_string(),
                    point.place.to_string(),
                    point.value.clone().unwrap_or_default(),
                    cell(point.unit.as_deref().unwrap_or_default()),
                    cell(&point.text),
                    point.told.to_string(),
                ];
                csv.push_str(&cells.join(","));
                csv.push_str("\r\n");
            }
        }
        csv
    }
}

fn cell(text: &str) -> String {
    let computed = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if computed { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Width and height of a chart, and the margin around its line.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 140.0;
const MARGIN: f64 = 10.0;

impl Series {
    /// A line through the first member of each version, with a mark where something was told: SVG
    /// without scripts and styles. `None`: fewer than two numbers of one unit.
    pub(crate) fn chart(&self) -> Option<String> {
        let first = self.points.iter().filter(|point| point.place == 0);
        let shown: Vec<(Instant, f64, &Point)> = first
            .filter_map(|point| {
                let number = point.amount.as_ref()?.number.to_f64();
                Some((point.at.0, number, point))
            })
            .collect();
        let unit = &shown.last()?.2.unit;
        let shown: Vec<_> = shown.iter().filter(|(_, _, point)| point.unit == *unit).collect();
        if shown.len() < 2 {
            return None;
        }
        let times = || shown.iter().map(|(at, ..)| at.as_millis() as f64);
        let numbers = || shown.iter().map(|(_, number, _)| *number);
        let range = |all: &dyn Fn() -> Vec<f64>| {
            let all = all();
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (least, (most - least).max(f64::MIN_POSITIVE))
        };
        let (start, lasts) = range(&|| times().collect());
        let (least, spread) = range(&|| numbers().collect());
        let place = |at: Instant, number: f64| {
            let x = MARGIN + (at.as_millis() as f64 - start) / lasts * (WIDTH - 2.0 * MARGIN);
            let height = HEIGHT - 2.0 * MARGIN;
            (x, MARGIN + height - (number - least) / spread * height)
        };
        let mut line = String::new();
        let mut marks = String::new();
        let mut before = None;
        for (at, number, point) in &shown {
            let (x, y) = place(*at, *number);
            // A value holds until the next version.
            if let Some(before) = before {
                let _ = write!(line, "{x:.1},{before:.1} ");
            }
            let _ = write!(line, "{x:.1},{y:.1} ");
            before = Some(y);
            if point.told {
                let _ = write!(marks, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
            }
        }
        Some(format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             xmlns=\"http://www.w3.org/2000/svg\"><title>{} numbers, least {}, most {}</title>\
             <polyline points=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\
             <g fill=\"currentColor\">{marks}</g></svg>",
            shown.len(),
            self.least.as_deref().unwrap_or_default(),
            self.most.as_deref().unwrap_or_default(),
            line.trim_end(),
        ))
    }
}
