//! Values become columns and back: the words in which enumerations are stored, the few lists kept
//! as JSON, and the column lists in the order in which both sides count.

mod known;
mod summary;

pub(crate) use known::Said;
pub(crate) use summary::Summary;

use crate::packed;
use address::{Method, Particulars, Rendering, Way};
use change::{Evidence, LeafRef, StatusChange};
use chronon::{BlobId, Instant, Period, SourceId, Span, StreamId, VersionNo, Zone};
use graph::{Element, Position};
use kernel::record::{
    Back, CapturesRow, Cause, ExtractRef, Extracts, Held, OpenCapture, Place, ProbeOutcome,
    SentinelState, Strand, StreamSpec, Worry,
};
use outbox::{DeliveryResult, DetectionId, Key, Part, Stage, State};
use page::{Kind, View};
use rusqlite::types::{FromSql, ToSqlOutput, Type, Value, ValueRef};
use rusqlite::{Error, Result, Row};

pub(crate) const META: &str = "instance, epoch, next_source, newest, spread";
pub(crate) const OWNER: &str = "next_sentinel, next_detection, next_notification, next_channel";
pub(crate) const SENTINEL: &str = "name, generation, text, source, created_at, defined_at, others";
pub(crate) const LIFE: &str = "state, since, until, stream, first_index, seq, not_evaluated, \
    failing_told, told_of_page, back_at, back_as_before, blind, others, snoozed, going, started, \
    from_at, to_at";
pub(crate) const SOURCE: &str = "url, way, owner, host, added_at, version, fingerprint, kind, extractor, \
    newest, held_version, held_fingerprint, held_kind, held_odd, held_seen, held_confirmed, \
    last_success, last_unconditional, etag, last_modified, validators_url, failures, failing_since, \
    failing_told, redirect_to, redirect_looks, redirect_asked, unfinished_at, unfinished_hops, \
    pause_host, pause_until, next_stream, asked";
pub(crate) const HOST: &str = "held_until, holds";
pub(crate) const SCHEDULE: &str = "last_probe, last_success, failures, probes, changes, \
    fast_items, fast_exposure, slow_items, slow_exposure, lead, changed, score, company, dates";
pub(crate) const WEEK: &str = "discounted, hours, company";
pub(crate) const HABITS: &str = "version, learned";
pub(crate) const PROBE: &str = "number, start, took, body_bytes, outcome, version, status, \
    failure, reason, reason_value, wire_bytes, led_to";
pub(crate) const VERSION: &str = "fetched_at, held, fingerprint, kind, odd, \
    (SELECT id FROM blobs WHERE blobs.number = body) AS body, status, \
    media_type, coalesce(final_url, (SELECT url FROM sources WHERE id = source), '') AS final_url, \
    etag, last_modified, modified_at, summary, \
    (SELECT json_group_array(json_array(view, extractor, hex(id))) FROM extracts \
    LEFT JOIN blobs ON blobs.number = extract WHERE extracts.source = versions.source AND version = versions.number) AS extracts";
pub(crate) const VERSION_WRITTEN: &str = "fetched_at, held, fingerprint, kind, odd, #body, status, \
    media_type, ^final_url, etag, last_modified, modified_at, summary";
pub(crate) const EXTRACT: &str = "extractor, #extract";
pub(crate) const STREAM: &str = "source, spec, t0, period_unit, period, slack, zone, elements, \
    kinds, last_fingerprint, shown, next_ei, captures";
pub(crate) const ROUND: &str = "source, opened_at";
pub(crate) const DETECTION: &str = "sentinel, generation, at, seq, combinations, \
    (SELECT json_group_array(json_array(place, source, from_version, to_version, \
    hex(blobs.id)) ORDER BY place) FROM evidence \
    LEFT JOIN blobs ON number = result WHERE detection = detections.id) AS evidence, \
    parts, follow";
pub(crate) const DETECTION_WRITTEN: &str =
    "sentinel, generation, at, seq, combinations, parts, follow";
pub(crate) const EVIDENCE: &str = "source, from_version, to_version, #result";
pub(crate) const CHANNEL: &str = "name, contact, disabled, next_at, failing_since, failing_told";
pub(crate) const OUTBOX: &str = "key, kind, sentinel, generation, channel, seq, members, more, \
    source, note, created_at, created_at + closed_after AS closed_at, \
    (SELECT id FROM blobs WHERE number = body) AS body, attempts, \
    created_at + first_after AS first_attempt, tries, tried_up, \
    created_at + tried_after AS tried_at, state, created_at + state_after AS state_at, \
    state_reason, read";
pub(crate) const OUTBOX_WRITTEN: &str = "key, kind, sentinel, generation, channel, seq, members, \
    more, source, note, created_at, closed_after, #body, attempts, first_after, tries, \
    tried_up, tried_after, state, state_after, state_reason, read, due_at";
pub(crate) const APPLYING: &str = "now, owner, texts";
pub(crate) const RULE: &str = "name, generation, text, zone, created_at, defined_at";
pub(crate) const RULE_LIFE: &str = "is_enabled, root, seq, fired, fired_at, trouble";
pub(crate) const EVENT: &str = "name, keys";
pub(crate) const DETECTOR: &str = "next";
pub(crate) const NODE: &str = "shape, dropped";
pub(crate) const OPEN: &str = "role, start, end, gathered, marks, note";
pub(crate) const FIRING: &str = "rule, generation, start, end, gathered, marks, chain";
pub(crate) const DEMAND: &str = "start, finish, weight, sources, about";
pub(crate) const ATTEMPT: &str = "number, at, result, reason, after";

/// Takes the columns of a row from left to right.
pub(crate) struct Columns<'a> {
    row: &'a Row<'a>,
    next: usize,
}

impl<'a> Columns<'a> {
    pub(crate) fn of(row: &'a Row<'a>) -> Columns<'a> {
        Columns { row, next: 0 }
    }

    pub(crate) fn packed(&mut self) -> Result<Vec<u8>> {
        let stored = self.take()?;
        packed::unpack(self.next - 1, stored)
    }

    pub(crate) fn take<T: FromSql>(&mut self) -> Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }

    pub(crate) fn number(&mut self) -> Result<u64> {
        self.take::<i64>().map(|number| number as u64)
    }

    pub(crate) fn instant(&mut self) -> Result<Instant> {
        self.take().map(Instant::from_millis)
    }

    pub(crate) fn maybe_instant(&mut self) -> Result<Option<Instant>> {
        Ok(self.take::<Option<i64>>()?.map(Instant::from_millis))
    }

    pub(crate) fn span(&mut self) -> Result<Span> {
        self.take().map(Span::from_millis)
    }

    pub(crate) fn text(&mut self) -> Result<Box<str>> {
        self.take::<Box<str>>()
    }

    pub(crate) fn maybe_text(&mut self) -> Result<Option<Box<str>>> {
        self.take::<Option<Box<str>>>()
    }

    /// The text of a column of any type: as it stands there, or as a number says it briefly.
    pub(crate) fn said(&mut self) -> Result<Box<str>> {
        match self.row.get_ref(self.next)? {
            ValueRef::Integer(place) => {
                self.next += 1;
                let text = known::known(place).map(Box::from);
                text.ok_or_else(|| self.strange(&place.to_string()))
            }
            _ => self.take(),
        }
    }

    /// What a page is, in one line.
    pub(crate) fn summary(&mut self) -> Result<Box<str>> {
        match self.row.get_ref(self.next)? {
            ValueRef::Blob(_) => {
                let counts: Vec<u8> = self.take()?;
                summary::said(&counts).map(Box::from).ok_or_else(|| self.strange("no counts"))
            }
            _ => self.take(),
        }
    }

    /// The key of a notification, as [`key_value`] stores it.
    pub(crate) fn key(&mut self) -> Result<Key> {
        match self.row.get_ref(self.next)? {
            ValueRef::Blob(_) => {
                self.take().map(|bytes| Key(digits(u128::from_be_bytes(bytes)).into()))
            }
            _ => self.take().map(Key),
        }
    }

    /// A stored word, read by `read`.
    pub(crate) fn word<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let word = self.said()?;
        read(&word).ok_or_else(|| self.strange(&word))
    }

    pub(crate) fn maybe_word<T>(&mut self, read: fn(&str) -> Option<T>) -> Result<Option<T>> {
        match self.row.get_ref(self.next)? {
            ValueRef::Null => {
                self.next += 1;
                Ok(None)
            }
            _ => self.word(read).map(Some),
        }
    }

    /// The last column taken holds what no version of this format writes.
    pub(crate) fn strange(&self, found: &str) -> Error {
        let said = format!("column {} holds `{found}`", self.next - 1);
        Error::FromSqlConversionFailure(self.next - 1, Type::Text, said.into())
    }
}

macro_rules! words {
    ($type:ty, $to:ident, $from:ident, $($variant:path = $word:literal),+ $(,)?) => {
        pub(crate) fn $to(value: $type) -> &'static str {
            match value { $($variant => $word),+ }
        }
        pub(crate) fn $from(word: &str) -> Option<$type> {
            match word { $($word => Some($variant),)+ _ => None }
        }
    };
}

pub(crate) fn sentinel_state(word: &str) -> Option<SentinelState> {
    SentinelState::ALL.into_iter().find(|state| state.name() == word)
}

pub(crate) fn cause(word: &str) -> Option<Cause> {
    Cause::ALL.into_iter().find(|cause| cause.name() == word)
}

pub(crate) fn notification_kind(word: &str) -> Option<outbox::Kind> {
    outbox::Kind::ALL.into_iter().find(|kind| kind.name() == word)
}

words!(
    Kind,
    kind_text,
    kind,
    Kind::Html = "html",
    Kind::Feed = "feed",
    Kind::Xml = "xml",
    Kind::Json = "json",
    Kind::Text = "text"
);
words!(
    page::Odd,
    odd_text,
    odd,
    page::Odd::Empty = "empty",
    page::Odd::Error = "error",
    page::Odd::Wall = "wall",
    page::Odd::Foreign = "foreign",
    page::Odd::Small = "small"
);

pub(crate) fn outcome_columns(
    outcome: &ProbeOutcome,
) -> (&'static str, Option<u32>, Option<u16>, Option<&str>) {
    match outcome {
        ProbeOutcome::Version(version) => ("version", Some(version.0), None, None),
        ProbeOutcome::Same => ("same", None, None, None),
        ProbeOutcome::NotModified => ("not modified", None, None, None),
        ProbeOutcome::Held(version) => ("held", Some(version.0), None, None),
        ProbeOutcome::Failed { status, reason } => ("failed", None, *status, Some(reason)),
    }
}

pub(crate) fn outcome(columns: &mut Columns<'_>) -> Result<ProbeOutcome> {
    let word = columns.said()?;
    let strange = columns.strange(&word);
    let version: Option<u32> = columns.take()?;
    let status: Option<u16> = columns.take()?;
    let failure = columns.maybe_text()?;
    match (&*word, version, failure) {
        ("version", Some(version), _) => Ok(ProbeOutcome::Version(VersionNo(version))),
        ("same", ..) => Ok(ProbeOutcome::Same),
        ("not modified", ..) => Ok(ProbeOutcome::NotModified),
        ("held", Some(version), _) => Ok(ProbeOutcome::Held(VersionNo(version))),
        ("failed", _, Some(reason)) => Ok(ProbeOutcome::Failed { status, reason }),
        _ => Err(strange),
    }
}

pub(crate) fn reason_columns(reason: schedule::Reason) -> (&'static str, Option<i64>) {
    use schedule::Reason;
    match reason {
        Reason::Baseline => ("baseline", None),
        Reason::Asked => ("asked", None),
        Reason::Deadline { finish } => ("deadline", Some(finish.as_millis())),
        Reason::Freshness { interval } => ("freshness", Some(interval.as_millis())),
        Reason::Retry { failures } => ("retry", Some(i64::from(failures))),
        Reason::SecondLook => ("second look", None),
    }
}

pub(crate) fn reason(columns: &mut Columns<'_>) -> Result<schedule::Reason> {
    use schedule::Reason;
    let word = columns.said()?;
    let strange = columns.strange(&word);
    match (&*word, columns.take::<Option<i64>>()?) {
        ("baseline", _) => Ok(Reason::Baseline),
        ("asked", _) => Ok(Reason::Asked),
        ("second look", _) => Ok(Reason::SecondLook),
        ("deadline", Some(at)) => Ok(Reason::Deadline { finish: Instant::from_millis(at) }),
        ("freshness", Some(span)) => Ok(Reason::Freshness { interval: Span::from_millis(span) }),
        ("retry", Some(failures)) => match u32::try_from(failures) {
            Ok(failures) => Ok(Reason::Retry { failures }),
            Err(_) => Err(strange),
        },
        _ => Err(strange),
    }
}

/// The columns of a [`StreamSpec`].
pub(crate) struct SpecColumns<'a> {
    pub(crate) name: &'static str,
    pub(crate) t0: Option<i64>,
    pub(crate) period_unit: Option<&'static str>,
    pub(crate) period: Option<i64>,
    pub(crate) slack: Option<i64>,
    pub(crate) zone: Option<&'a str>,
}

pub(crate) fn spec_columns(spec: &StreamSpec) -> SpecColumns<'_> {
    match spec {
        StreamSpec::OnChange => SpecColumns {
            name: "on change",
            t0: None,
            period_unit: None,
            period: None,
            slack: None,
            zone: None,
        },
        StreamSpec::Every { t0, period, slack, zone } => {
            let (unit, length) = match period {
                Period::Elapsed(span) => ("millisecond", span.as_millis()),
                Period::Days(days) => ("day", i64::from(*days)),
            };
            SpecColumns {
                name: "every",
                t0: Some(t0.as_millis()),
                period_unit: Some(unit),
                period: Some(length),
                slack: Some(slack.as_millis()),
                zone: Some(zone.name()),
            }
        }
    }
}

pub(crate) fn spec(columns: &mut Columns<'_>) -> Result<StreamSpec> {
    let name = columns.text()?;
    let strange = columns.strange(&name);
    let t0 = columns.maybe_instant()?;
    let unit = columns.maybe_text()?;
    let length: Option<i64> = columns.take()?;
    let slack = columns.take::<Option<i64>>()?.map(Span::from_millis);
    let zone = columns.maybe_text()?.and_then(|zone| Zone::parse(&zone).ok());
    let period = match (unit.as_deref(), length) {
        (Some("millisecond"), Some(millis)) => Some(Period::Elapsed(Span::from_millis(millis))),
        (Some("day"), Some(days)) => u32::try_from(days).ok().map(Period::Days),
        _ => None,
    };
    match (&*name, t0, period, slack, zone) {
        ("on change", ..) => Ok(StreamSpec::OnChange),
        ("every", Some(t0), Some(period), Some(slack), Some(zone)) => {
            Ok(StreamSpec::Every { t0, period, slack, zone })
        }
        _ => Err(strange),
    }
}

/// The number that rows have for a stage. Conditions of `read` and `prune` and the indexes count
/// on their order.
const fn stage_number(stage: Stage) -> i64 {
    match stage {
        Stage::Open => 0,
        Stage::Closed => 1,
        Stage::Due => 2,
        Stage::Delivered => 3,
        Stage::GivenUp => 4,
        Stage::Cancelled => 5,
    }
}

pub(crate) fn outbox_state_columns(state: &State) -> (i64, Option<&str>) {
    (stage_number(state.stage()), state.reason())
}

pub(crate) fn outbox_state(columns: &mut Columns<'_>) -> Result<State> {
    let number: i64 = columns.take()?;
    let strange = columns.strange(&number.to_string());
    let stage = Stage::ALL.into_iter().find(|stage| stage_number(*stage) == number);
    let at = columns.maybe_instant()?;
    let reason = columns.maybe_text()?;
    match (stage, at, reason) {
        (Some(Stage::Open), closes, _) => Ok(State::Open { closes }),
        (Some(Stage::Closed), ..) => Ok(State::Closed),
        (Some(Stage::Due), Some(at), _) => Ok(State::Due { at }),
        (Some(Stage::Delivered), Some(at), _) => Ok(State::Delivered { at }),
        (Some(Stage::GivenUp), Some(at), Some(reason)) => Ok(State::GivenUp { at, reason }),
        (Some(Stage::Cancelled), Some(at), _) => Ok(State::Cancelled { at }),
        _ => Err(strange),
    }
}

pub(crate) fn delivery_columns(
    result: &DeliveryResult,
) -> (&'static str, Option<&str>, Option<i64>) {
    match result {
        DeliveryResult::Delivered => ("delivered", None, None),
        DeliveryResult::Failed { reason, after } => {
            ("failed", Some(reason), after.map(Span::as_millis))
        }
        DeliveryResult::Gone { reason } => ("gone", Some(reason), None),
    }
}

pub(crate) fn delivery(columns: &mut Columns<'_>) -> Result<DeliveryResult> {
    let word = columns.said()?;
    let strange = columns.strange(&word);
    let reason = columns.maybe_text()?;
    let after = columns.take::<Option<i64>>()?.map(Span::from_millis);
    match (&*word, reason) {
        ("delivered", _) => Ok(DeliveryResult::Delivered),
        ("failed", Some(reason)) => Ok(DeliveryResult::Failed { reason, after }),
        // The first releases stored no reason.
        ("gone", reason) => {
            let reason = reason.unwrap_or_else(|| DeliveryResult::GONE.into());
            Ok(DeliveryResult::Gone { reason })
        }
        _ => Err(strange),
    }
}

/// A key as it is stored: 32 hexadecimal digits as their bytes.
pub(crate) fn key_value(key: &Key) -> ToSqlOutput<'_> {
    match u128::from_str_radix(&key.0, 16) {
        Ok(number) if digits(number) == *key.0 => {
            ToSqlOutput::Owned(Value::Blob(number.to_be_bytes().to_vec()))
        }
        _ => ToSqlOutput::Borrowed(ValueRef::Text(key.0.as_bytes())),
    }
}

fn digits(number: u128) -> String {
    format!("{number:032x}")
}

pub(crate) fn json<T: serde::Serialize>(list: &T) -> String {
    serde_json::to_string(list).expect("a list of numbers or texts has a JSON form")
}

pub(crate) fn texts_json<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    json(&texts.collect::<Vec<_>>())
}

pub(crate) fn texts<T: From<Box<str>>>(columns: &mut Columns<'_>) -> Result<Vec<T>> {
    let text = columns.text()?;
    // They may hold secrets: what is wrong with them is not said.
    let strange = |_| columns.strange("…");
    let texts: Vec<Box<str>> = serde_json::from_str(&text).map_err(strange)?;
    Ok(texts.into_iter().map(T::from).collect())
}

/// What a rule's detection tells of.
pub(crate) fn parts(columns: &mut Columns<'_>) -> Result<Vec<Part>> {
    let text = columns.said()?;
    serde_json::from_str(&text).map_err(|_| columns.strange(&text))
}

/// What a column keeps as JSON.
pub(crate) fn kept<T: serde::de::DeserializeOwned>(columns: &mut Columns<'_>) -> Result<T> {
    let text = columns.text()?;
    serde_json::from_str(&text).map_err(|_| columns.strange(&text))
}

/// The same, where there is any.
pub(crate) fn maybe_kept<T: serde::de::DeserializeOwned>(
    columns: &mut Columns<'_>,
) -> Result<Option<T>> {
    let Some(text) = columns.maybe_text()? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|_| columns.strange(&text))
}

/// What a way is made of, in order.
type Made = (Box<str>, Vec<(Box<str>, Box<str>)>, Box<str>, Option<Box<str>>);

/// Nothing for a plain GET.
pub(crate) fn way_text(way: &Way) -> Option<String> {
    let made = way.particulars()?;
    let credentials = made.credentials.as_ref().map(|credentials| credentials.reveal());
    Some(json(&(made.method.name(), &made.headers, made.rendering.name(), credentials)))
}

pub(crate) fn way(columns: &mut Columns<'_>) -> Result<Way> {
    // It may hold secrets, too.
    let read = |text: &str| {
        let (method, headers, rendering, credentials): Made = serde_json::from_str(text).ok()?;
        Some(Way::of(Particulars {
            method: Method::ALL.into_iter().find(|one| one.name() == &*method)?,
            headers,
            rendering: Rendering::ALL.into_iter().find(|one| one.name() == &*rendering)?,
            credentials: credentials.map(|credentials| (&*credentials).into()),
        }))
    };
    match columns.maybe_text()? {
        None => Ok(Way::default()),
        Some(text) => read(&text).ok_or_else(|| columns.strange("…")),
    }
}

fn read_json<T: serde::de::DeserializeOwned>(columns: &mut Columns<'_>) -> Result<T> {
    let text = columns.text()?;
    serde_json::from_str(&text).map_err(|_| columns.strange(&text))
}

/// Numbers of four bytes, little endian.
pub(crate) fn hours_bytes(hours: &[f32]) -> Vec<u8> {
    hours.iter().flat_map(|hour| hour.to_le_bytes()).collect()
}

/// Damaged bytes give other numbers, or another count of them: callers check.
pub(crate) fn hours(columns: &mut Columns<'_>) -> Result<Vec<f32>> {
    let bytes: Vec<u8> = columns.take()?;
    let hours = bytes.chunks(4).map(|hour| hour.try_into().map_or(f32::NAN, f32::from_le_bytes));
    Ok(hours.collect())
}

/// An element as it is stored. The short form is that of the first format: of a stream that showed
/// one kind only.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum ElementRow {
    Placed(u64, u32, i64, PlaceWord, u8, u32),
    Plain(u64, u32, i64),
    /// Place of the source, and how it answers otherwise.
    Status(u64, u32, u16, StatusChange),
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum PlaceWord {
    Within,
    Begins,
    Aside,
}

pub(crate) fn elements_text(elements: &[Element]) -> String {
    let row = |e: &Element| {
        let (index, version, at) = (e.index, e.version.0, e.fetched_at.as_millis());
        let placed =
            |word, history, number| ElementRow::Placed(index, version, at, word, history, number);
        match e.place {
            Position::Within { history: 0, nth } if u64::from(nth) == index => {
                ElementRow::Plain(index, version, at)
            }
            Position::Within { history, nth } => placed(PlaceWord::Within, history, nth),
            Position::Begins { history, against } => placed(PlaceWord::Begins, history, against),
            Position::Aside { against } => placed(PlaceWord::Aside, 0, against),
            Position::Status { place, change } => ElementRow::Status(index, version, place, change),
        }
    };
    json(&elements.iter().map(row).collect::<Vec<_>>())
}

pub(crate) fn elements(columns: &mut Columns<'_>) -> Result<Vec<Element>> {
    let rows: Vec<ElementRow> = read_json(columns)?;
    let element = |index, version, at, place| Element {
        index,
        version: VersionNo(version),
        fetched_at: Instant::from_millis(at),
        place,
    };
    let read = |row| match row {
        ElementRow::Placed(index, version, at, word, history, number) => {
            let place = match word {
                PlaceWord::Within => Position::Within { history, nth: number },
                PlaceWord::Begins => Position::Begins { history, against: number },
                PlaceWord::Aside => Position::Aside { against: number },
            };
            Ok(element(index, version, at, place))
        }
        ElementRow::Status(index, version, place, change) => {
            let at = change.at.as_millis();
            Ok(element(index, version, at, Position::Status { place, change }))
        }
        ElementRow::Plain(index, version, at) => {
            let nth = u32::try_from(index).map_err(|_| columns.strange(&index.to_string()))?;
            Ok(element(index, version, at, Position::Within { history: 0, nth }))
        }
    };
    rows.into_iter().map(read).collect()
}

/// The numbers of sources.
pub(crate) fn sources_text(sources: &[SourceId]) -> String {
    json(&sources.iter().map(|source| source.0).collect::<Vec<_>>())
}

pub(crate) fn sources(columns: &mut Columns<'_>) -> Result<Vec<SourceId>> {
    let numbers: Vec<u32> = read_json(columns)?;
    Ok(numbers.into_iter().map(SourceId).collect())
}

/// Stream, first index, since when it was told that the source fails, and that a selector finds
/// nothing in it.
type PlaceStem = (Option<u64>, u64, Option<i64>, Option<i64>);
/// The same, whether it was told what the page has become instead, since when it is back, and
/// whether as before.
type PlaceFull = (Option<u64>, u64, Option<i64>, Option<i64>, bool, Option<i64>, bool);

/// A place, as it is written, and as it was.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum PlaceRow {
    Full(PlaceFull),
    Stem(PlaceStem),
}

/// Since when a source fails, whether the page was told instead, since when it is back, and whether
/// as before.
type WorryRow = (Option<i64>, bool, Option<i64>, bool);

pub(crate) fn worry_row(worry: Option<Worry>) -> WorryRow {
    let Some(Worry { since, is_of_page, back }) = worry else { return (None, false, None, false) };
    let at = back.map(|back| back.at.as_millis());
    (Some(since.as_millis()), is_of_page, at, back.is_some_and(|back| back.is_as_before))
}

pub(crate) fn worry((since, is_of_page, back, is_as_before): WorryRow) -> Option<Worry> {
    let back = back.map(|at| Back { at: Instant::from_millis(at), is_as_before });
    Some(Worry { since: Instant::from_millis(since?), is_of_page, back })
}

pub(crate) fn places_text(places: &[Place]) -> String {
    let row = |place: &Place| {
        let stream = place.stream.map(|stream| stream.0);
        let (told, is_of_page, back, is_as_before) = worry_row(place.worry);
        let blind = place.blind.map(Instant::as_millis);
        PlaceRow::Full((stream, place.first_index, told, blind, is_of_page, back, is_as_before))
    };
    json(&places.iter().map(row).collect::<Vec<_>>())
}

pub(crate) fn places(columns: &mut Columns<'_>) -> Result<Box<[Place]>> {
    let rows: Vec<PlaceRow> = read_json(columns)?;
    let place = |row| {
        let (stream, first_index, told, blind, is_of_page, back, is_as_before) = match row {
            PlaceRow::Full(row) => row,
            PlaceRow::Stem((stream, first_index, told, blind)) => {
                (stream, first_index, told, blind, false, None, false)
            }
        };
        Place {
            stream: stream.map(StreamId),
            first_index,
            worry: worry((told, is_of_page, back, is_as_before)),
            blind: blind.map(Instant::from_millis),
        }
    };
    Ok(rows.into_iter().map(place).collect())
}

#[derive(serde::Serialize, serde::Deserialize)]
struct CapturesText {
    sources: Vec<u32>,
    within: i64,
    versions: Vec<Vec<u32>>,
    open: Vec<(bool, i64, i64, Vec<bool>)>,
}

pub(crate) fn captures_text(captures: Option<&CapturesRow>) -> Option<String> {
    let captures = captures?;
    let open = |open: &OpenCapture| {
        let (start, finish) = (open.start.as_millis(), open.finish.as_millis());
        (open.is_baseline, start, finish, open.captured.clone())
    };
    let numbers = |versions: &[VersionNo]| versions.iter().map(|version| version.0).collect();
    Some(json(&CapturesText {
        sources: captures.sources.iter().map(|source| source.0).collect(),
        within: captures.within.as_millis(),
        versions: captures.versions.iter().map(|versions| numbers(versions)).collect(),
        open: captures.open.iter().map(open).collect(),
    }))
}

pub(crate) fn captures(columns: &mut Columns<'_>) -> Result<Option<Box<CapturesRow>>> {
    let Some(text) = columns.maybe_text()? else { return Ok(None) };
    let strange = |_| columns.strange(&text);
    let read: CapturesText = serde_json::from_str(&text).map_err(strange)?;
    let open = |(is_baseline, start, finish, captured)| OpenCapture {
        is_baseline,
        start: Instant::from_millis(start),
        finish: Instant::from_millis(finish),
        captured,
    };
    Ok(Some(Box::new(CapturesRow {
        sources: read.sources.into_iter().map(SourceId).collect(),
        within: Span::from_millis(read.within),
        versions: (read.versions.into_iter())
            .map(|versions| versions.into_iter().map(VersionNo).collect())
            .collect(),
        open: read.open.into_iter().map(open).collect(),
    })))
}

/// The kinds of a stream's strands, and their fingerprints one after the other.
pub(crate) fn strands_columns(strands: &[Strand]) -> (String, Vec<u8>) {
    let kinds: Vec<&str> = strands.iter().map(|strand| kind_text(strand.kind)).collect();
    let fingerprints = strands.iter().flat_map(|strand| strand.fingerprint);
    (kinds.join(" "), fingerprints.collect())
}

pub(crate) fn strands(columns: &mut Columns<'_>) -> Result<Vec<Strand>> {
    let kinds = columns.text()?;
    let strange = || columns.strange(&kinds);
    let read = kinds.split_whitespace().map(|word| kind(word).ok_or_else(strange));
    let read: Vec<Kind> = read.collect::<Result<_>>()?;
    let fingerprints: Vec<u8> = columns.take()?;
    // The first format has zeros where there is none.
    if !read.is_empty() && fingerprints.len() != 32 * read.len() {
        return Err(columns.strange("fingerprints of another number of kinds"));
    }
    let strand = |(kind, bytes): (Kind, &[u8])| Strand {
        kind,
        fingerprint: bytes.try_into().expect("chunks of 32 bytes"),
    };
    Ok(read.into_iter().zip(fingerprints.chunks_exact(32)).map(strand).collect())
}

/// What a source holds back; all columns are empty if it holds nothing.
pub(crate) fn held(columns: &mut Columns<'_>) -> Result<Option<Box<Held>>> {
    let version: Option<u32> = columns.take()?;
    let fingerprint: Option<[u8; 32]> = columns.take()?;
    let kind_word = columns.maybe_text()?;
    let odd = columns.maybe_word(odd)?;
    let seen = columns.maybe_instant()?;
    let confirmed: bool = columns.take()?;
    let Some(version) = version.map(VersionNo) else { return Ok(None) };
    let kind = kind_word.as_deref().and_then(kind);
    match (fingerprint, kind, seen) {
        (Some(fingerprint), Some(kind), Some(seen)) => {
            Ok(Some(Box::new(Held { version, fingerprint, kind, odd, seen, confirmed })))
        }
        _ => Err(columns.strange("half of what is held")),
    }
}

/// The number of the only detection, or a list of them.
pub(crate) fn members_value(members: &[DetectionId]) -> Value {
    match members {
        [only] => Value::Integer(only.0 as i64),
        _ => Value::Text(json(&members.iter().map(|member| member.0).collect::<Vec<_>>())),
    }
}

pub(crate) fn members(columns: &mut Columns<'_>) -> Result<Vec<DetectionId>> {
    match columns.row.get_ref(columns.next)? {
        ValueRef::Integer(_) => Ok(vec![DetectionId(columns.number()?)]),
        _ => Ok(read_json::<Vec<u64>>(columns)?.into_iter().map(DetectionId).collect()),
    }
}

pub(crate) fn combinations_text(combinations: &[Vec<LeafRef>]) -> String {
    let leaf = |leaf: &LeafRef| (leaf.evidence, leaf.comparison, leaf.leaf);
    let leaves = |leaves: &Vec<LeafRef>| leaves.iter().map(leaf).collect::<Vec<_>>();
    json(&combinations.iter().map(leaves).collect::<Vec<_>>())
}

pub(crate) fn combinations(columns: &mut Columns<'_>) -> Result<Vec<Vec<LeafRef>>> {
    let text = columns.said()?;
    let read = serde_json::from_str::<Vec<Vec<(u32, u32, u32)>>>(&text);
    let rows = read.map_err(|_| columns.strange(&text))?;
    let leaf = |(evidence, comparison, leaf)| LeafRef { evidence, comparison, leaf };
    Ok(rows.into_iter().map(|row| row.into_iter().map(leaf).collect()).collect())
}

/// The rows of a version in `extracts`, gathered into a column. There may be none: where one was
/// lost, the body is extracted again.
pub(crate) fn extracts(columns: &mut Columns<'_>) -> Result<Extracts> {
    let rows: Vec<(String, u32, String)> = read_json(columns)?;
    let extract = |(view, extractor, blob): (String, u32, String)| {
        let blob = BlobId::parse_hex(&blob)?;
        Some((View::of_key(&view), ExtractRef { extractor, blob }))
    };
    let extracts: Option<Extracts> = rows.into_iter().map(extract).collect();
    extracts.ok_or_else(|| columns.strange("an extract without bytes"))
}

/// The rows of a detection in `evidence`, gathered into a column; a rule's has none. A list
/// without its first pieces is as strange as a word that nobody writes.
pub(crate) fn evidence(columns: &mut Columns<'_>) -> Result<Vec<Evidence>> {
    let rows: Vec<(u32, u32, u32, u32, String)> = read_json(columns)?;
    let mut pieces = Vec::with_capacity(rows.len());
    for (place, source, from, to, result) in rows {
        let result = BlobId::parse_hex(&result).filter(|_| place as usize == pieces.len());
        let result = result.ok_or_else(|| columns.strange("half a piece of evidence"))?;
        let (source, from, to) = (SourceId(source), VersionNo(from), VersionNo(to));
        pieces.push(Evidence { source, from, to, result });
    }
    Ok(pieces)
}
