//! The shapes of the JSON API. Domain types are converted here and nowhere else.

mod feed;
mod rule;
mod what;

pub(crate) use feed::{Feed, feed_of};
pub(crate) use rule::{OpenOccurrence, Rule, RuleInFull, RuleTold, TookPart};
pub(crate) use what::What;

use crate::trouble::Trouble;
use crate::words::{self, Wall};
use address::Contact;
use chronon::{Instant, Zone};
use kernel::record::{ProbeOutcome, ProbeRow, VersionRow};
use kernel::view::{SentinelView, SourceView};
use outbox::{Attempt, ChannelRow, DeliveryResult, Row, Stage};
use schedule::Outlook;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An instant as RFC 3339 in UTC with milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) Instant);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl PartialSchema for Time {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).build().into()
    }
}

impl ToSchema for Time {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Time")
    }
}

/// A page of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// Give it as `cursor` for the next page; null if this was the last.
    pub(crate) next: Option<String>,
}

impl<T> Page<T> {
    /// `items` were asked for with `limit`; `cursor` names the place after an item.
    pub(crate) fn of<C: ToString>(
        items: Vec<T>,
        limit: usize,
        cursor: impl Fn(&T) -> C,
    ) -> Page<T> {
        let full = items.len() >= limit;
        let next = items.last().filter(|_| full).map(|last| cursor(last).to_string());
        Page { items, next }
    }
}

impl<T> Page<T> {
    /// A part of a whole list that is ordered by number.
    pub(crate) fn part(
        all: Vec<T>,
        params: &crate::extract::ListParams,
        id: impl Fn(&T) -> u64,
    ) -> Result<Page<T>, crate::problem::Problem> {
        let (limit, after) = (params.limit()?, params.cursor::<u64>()?);
        let rest = all.into_iter().filter(|one| after.is_none_or(|after| id(one) > after));
        Ok(Page::of(rest.take(limit).collect(), limit, id))
    }
}

/// What is wrong with a text, where, and what to write instead. Columns count code points from 1.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Diagnostic {
    message: String,
    /// `error` or `warning`.
    severity: &'static str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    help: Option<String>,
}

/// Bytes of messages that one answer has.
const DIAGNOSTICS_BYTES_MAX: usize = 256 << 10;

impl Diagnostic {
    /// The first of `all`; if they are too long for one answer, the last one says how many follow.
    pub(crate) fn first_of(all: &[sentinel::Diagnostic]) -> Vec<Diagnostic> {
        let mut bytes = 0;
        let fits = |one: &&sentinel::Diagnostic| {
            bytes += 100 + one.message.len() + one.help.as_ref().map_or(0, String::len);
            bytes <= DIAGNOSTICS_BYTES_MAX
        };
        let mut first: Vec<Diagnostic> = all.iter().take_while(fits).map(Into::into).collect();
        let left = &all[first.len()..];
        if let Some(next) = left.first() {
            let is_error = |one: &sentinel::Diagnostic| one.severity == sentinel::Severity::Error;
            let worst = left.iter().find(|one| is_error(one)).unwrap_or(next);
            first.push(Diagnostic {
                message: format!("and {} more", left.len()),
                help: Some("correct these first, then check again".to_owned()),
                ..Diagnostic::from(worst)
            });
        }
        first
    }
}

impl From<&sentinel::Diagnostic> for Diagnostic {
    fn from(diagnostic: &sentinel::Diagnostic) -> Diagnostic {
        Diagnostic {
            message: diagnostic.message.clone(),
            severity: match diagnostic.severity {
                sentinel::Severity::Error => "error",
                sentinel::Severity::Warning => "warning",
            },
            line: diagnostic.line,
            column: diagnostic.column,
            end_line: diagnostic.end_line,
            end_column: diagnostic.end_column,
            help: diagnostic.help.clone(),
        }
    }
}

/// When a source is looked at next, and why.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Next {
    /// Null: it is being probed, held, or nothing wants it.
    due: Option<Time>,
    /// `baseline`, `asked`, `deadline`, `freshness` or `retry`.
    reason: Option<&'static str>,
    /// `in_flight`, `budget`, `politeness`, `host_held` or `rounds`.
    waits_for: Option<&'static str>,
    /// The same for people.
    text: String,
}

impl Next {
    pub(crate) fn of(outlook: &Outlook, wall: &Wall) -> Next {
        Next {
            due: outlook.due.map(Time),
            reason: outlook.reason.as_ref().map(words::reason_name),
            waits_for: outlook.waits_for.as_ref().map(words::obstacle_name),
            text: words::outlook(outlook, wall),
        }
    }
}

/// A source by name.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SourceRef {
    pub(crate) id: u32,
    pub(crate) url: String,
}

/// A sentinel as it stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Sentinel {
    pub(crate) id: u64,
    pub(crate) name: String,
    /// `pending`, `active`, `disabled` or `ended`.
    pub(crate) state: &'static str,
    /// Since when it hears; null before.
    since: Option<Time>,
    until: Option<Time>,
    /// Counts definitions under this name.
    generation: u32,
    /// Canonical text.
    text: String,
    /// As they were written, in order without case.
    tags: Vec<String>,
    /// The first of its sources.
    source: SourceRef,
    /// All of them, in the order written.
    sources: Vec<SourceRef>,
    /// Where its sources are captured together: since the start of the server.
    captures: Option<Captures>,
    created_at: Time,
    defined_at: Time,
    /// Notifications so far.
    notifications: u64,
    /// `well`, `new`, `doubtful`, `failing`, or `idle` where it is not active.
    health: &'static str,
    /// What is wrong with it, and what to do; null where it works.
    trouble: Option<Trouble>,
    /// Why its last round was not evaluated; null if it was.
    not_evaluated: Option<String>,
    /// Looks missed since the server started, and why the last one.
    missed: u64,
    missed_why: Option<String>,
    next: Next,
    /// When its looks come, if it says how often; else null.
    looks: Option<Looks>,
    /// What it finds is told then, as one digest; null: in its own time.
    snoozed_until: Option<Time>,
    /// Somebody removed it, and it is gone then; null: it stays.
    gone_at: Option<Time>,
}

/// Looks at several sources that count together or not at all.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Captures {
    complete: u64,
    /// An interval of one source passed without an answer.
    void: u64,
}

/// Looks that come again and again.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Looks {
    /// Where the next interval begins, or the one that is open began.
    next: Time,
    /// From one to the next: "10 min".
    every: String,
    /// How long each interval lasts.
    within: String,
}

impl Looks {
    fn of(looks: &kernel::view::Looks) -> Looks {
        Looks {
            next: Time(looks.next),
            every: words::lasting(looks.period.nominal().as_secs_f64()),
            within: words::lasting(looks.slack.as_secs_f64()),
        }
    }
}

impl Sentinel {
    pub(crate) fn in_trouble(self, trouble: Option<Trouble>) -> Sentinel {
        Sentinel { trouble, ..self }
    }

    /// With its text in full: for those who may see that.
    pub(crate) fn with_secrets(self, view: &SentinelView) -> Sentinel {
        Sentinel { text: view.row.text.reveal().to_owned(), ..self }
    }

    pub(crate) fn of(view: &SentinelView, url: &str, wall: &Wall) -> Sentinel {
        let (row, life) = (&view.row, &view.life);
        Sentinel {
            id: row.id.0,
            name: row.name.to_string(),
            state: life.state.name(),
            since: life.since.map(Time),
            until: life.until.map(Time),
            generation: row.generation,
            text: row.text.shown().into_owned(),
            tags: view.tags.iter().map(ToString::to_string).collect(),
            source: SourceRef { id: row.source.0, url: url.to_owned() },
            sources: (row.sources().zip(&view.urls))
                .map(|(id, url)| SourceRef { id: id.0, url: url.to_string() })
                .collect(),
            captures: view
                .captures
                .map(|captures| Captures { complete: captures.complete, void: captures.void }),
            created_at: Time(row.created_at),
            defined_at: Time(row.defined_at),
            notifications: life.seq,
            health: view.health.name(),
            trouble: None,
            not_evaluated: some_text(&life.not_evaluated),
            missed: view.missed,
            missed_why: (view.missed_why.as_ref()).map(|why| words::missed(why, &wall.zone)),
            next: Next::of(&view.outlook, wall),
            looks: view.looks.as_ref().map(Looks::of),
            snoozed_until: life.snoozed.filter(|&until| until > wall.now).map(Time),
            gone_at: life.going.map(Time),
        }
    }
}

/// A sentinel with its history of states.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SentinelInFull {
    #[serde(flatten)]
    pub(crate) sentinel: Sentinel,
    /// The last 100 changes of state, oldest first.
    pub(crate) transitions: Vec<Transition>,
}

/// A change of state.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Transition {
    at: Time,
    state: &'static str,
    /// `user` or `time`.
    cause: &'static str,
}

impl From<&kernel::record::Transition> for Transition {
    fn from(transition: &kernel::record::Transition) -> Transition {
        Transition {
            at: Time(transition.at),
            state: transition.state.name(),
            cause: transition.cause.name(),
        }
    }
}

/// A source as it stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Source {
    pub(crate) id: u32,
    url: String,
    host: String,
    added_at: Time,
    /// The last time it answered with content or "not modified".
    last_success: Option<Time>,
    /// Failed probes in a row.
    failures: u32,
    failing_since: Option<Time>,
    /// Sum of the weights of the active sentinels that leave the time to the scheduler.
    weight: f64,
    /// The first of those that watch it: at most 1,000, and fewer in a list of sources.
    sentinels: Vec<u64>,
    sentinels_total: usize,
    waiting_rounds: u32,
    /// Probes so far, and how many of them found something to tell.
    probes: u64,
    changes: u64,
    /// What the scheduler has learned: seconds after the last probe before which
    /// freshness wants no other.
    interval_seconds: f64,
    /// Changes a day that it expects.
    changes_per_day: f64,
    /// The chance that a probe succeeds, from 0 to 1.
    success: f64,
    /// What a probe would bring now, in seconds by which a change of weight 1 is told earlier; and
    /// what probes are worth that the budget cannot pay (0 while it pays all).
    worth: f64,
    price: f64,
    next: Next,
    /// The number of the current version, the last that counts; null before the first.
    version: Option<u32>,
    /// What the source shows since it is doubtful; null while it is not.
    held: Option<Held>,
    /// The current version itself.
    pub(crate) current: Option<Version>,
}

/// Content that does not count until a second look shows it again.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Held {
    /// The version as which it is stored.
    version: u32,
    #[schema(value_type = String)]
    kind: page::Kind,
    /// `empty`: it shows nothing. null: it is of another kind than the current version.
    #[schema(value_type = Option<String>)]
    odd: Option<page::Odd>,
    /// The last look that showed it.
    seen: Time,
    /// A second look showed it too: it is odd, and known for it.
    confirmed: bool,
}

impl From<&kernel::record::Held> for Held {
    fn from(held: &kernel::record::Held) -> Held {
        Held {
            version: held.version.0,
            kind: held.kind,
            odd: held.odd,
            seen: Time(held.seen),
            confirmed: held.confirmed,
        }
    }
}

impl Source {
    pub(crate) fn of(view: &SourceView, current: Option<&VersionRow>, wall: &Wall) -> Source {
        let row = &view.row;
        Source {
            id: row.id.0,
            url: row.url.to_string(),
            host: row.host.to_string(),
            added_at: Time(row.added_at),
            last_success: row.last_success.map(Time),
            held: row.held.as_deref().map(Held::from),
            failures: row.failures,
            failing_since: row.failing_since.map(Time),
            weight: view.weight,
            sentinels: view.sentinels.iter().map(|id| id.0).collect(),
            sentinels_total: view.sentinels_total,
            waiting_rounds: view.waiting_rounds,
            probes: view.learned.probes,
            changes: view.learned.changes,
            interval_seconds: view.expected.interval.as_secs_f64(),
            changes_per_day: view.expected.per_second * 86_400.0,
            success: view.expected.success,
            worth: view.expected.worth,
            price: view.expected.price,
            next: Next::of(&view.outlook, wall),
            version: Some(row.version).filter(|&version| version > 0),
            current: current.map(Version::from),
        }
    }
}

/// A source with its last probes.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SourceInFull {
    #[serde(flatten)]
    pub(crate) source: Source,
    /// The last 100, oldest first.
    pub(crate) recent_probes: Vec<Probe>,
}

/// Something that a page does at most looks, and that makes no alert.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Quiet {
    /// Names it in the addresses that bring it back.
    pub(crate) key: String,
    /// Since when the evidence goes; null where a person said that it is noise.
    pub(crate) since: Option<Time>,
    /// A text of it, or the heading it stands under.
    pub(crate) sample: String,
    /// Why it is held back, as a clause.
    pub(crate) because: String,
    /// Somebody asked to hear of it all the same.
    pub(crate) told: bool,
}

impl Quiet {
    pub(crate) fn of(quiet: change::Quiet, loud: &[change::Key]) -> Quiet {
        Quiet {
            key: quiet.key.to_string(),
            since: Some(Time(quiet.since)),
            sample: quiet.sample.into(),
            because: quiet.because,
            told: loud.contains(&quiet.key),
        }
    }

    /// What a person said is noise, with a text of it if the page has one.
    pub(crate) fn noise(key: change::Key, sample: Option<String>) -> Quiet {
        Quiet {
            key: key.to_string(),
            since: None,
            sample: sample.unwrap_or_else(|| "a text that the page does not show now".to_owned()),
            because: "somebody said that it is noise".to_owned(),
            told: false,
        }
    }
}

/// One visit to a source.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Probe {
    /// Counts the source's probes.
    number: u64,
    start: Time,
    took_ms: i64,
    /// Bytes of the body, decompressed.
    body_bytes: u64,
    /// What the answer took on the wire: headers, and the body as it came.
    wire_bytes: u64,
    /// `version`, `same`, `not_modified` or `failed`.
    outcome: &'static str,
    /// Where redirects led, if not to the source's own address.
    led_to: Option<String>,
    /// The version it made, or as which its content is held.
    version: Option<u32>,
    /// The HTTP status of a failure, and what failed.
    status: Option<u16>,
    failure: Option<String>,
    /// Why the source was probed.
    reason: &'static str,
    why: String,
}

impl Probe {
    pub(crate) fn of(row: &ProbeRow, zone: &Zone) -> Probe {
        let (version, status, failure) = match &row.outcome {
            ProbeOutcome::Version(number) | ProbeOutcome::Held(number) => {
                (Some(number.0), None, None)
            }
            ProbeOutcome::Failed { status, reason } => (None, *status, Some(reason.to_string())),
            ProbeOutcome::Same | ProbeOutcome::NotModified => (None, None, None),
        };
        Probe {
            number: row.number,
            start: Time(row.start),
            took_ms: row.took.as_millis(),
            body_bytes: row.body_bytes,
            wire_bytes: row.wire_bytes,
            outcome: outcome_name(&row.outcome),
            led_to: row.led_to.as_deref().map(str::to_owned),
            version,
            status,
            failure,
            reason: words::reason_name(&row.reason),
            why: words::reason(&row.reason, zone),
        }
    }
}

/// A version of a source.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Version {
    pub(crate) source_id: u32,
    pub(crate) number: u32,
    fetched_at: Time,
    modified_at: Option<Time>,
    /// `html`, `feed`, `xml`, `json` or `text`.
    #[schema(value_type = String)]
    kind: page::Kind,
    status: u16,
    media_type: String,
    final_url: String,
    etag: Option<String>,
    last_modified: Option<String>,
    fingerprint: String,
    extractor: u32,
    /// What was found, for people: "page, 214 words, 37 links".
    summary: String,
    /// It was doubtful, and counts for no comparison.
    held: bool,
    /// `empty`: it shows nothing.
    #[schema(value_type = Option<String>)]
    odd: Option<page::Odd>,
}

impl From<&VersionRow> for Version {
    fn from(row: &VersionRow) -> Version {
        let facts = &row.facts;
        Version {
            source_id: row.source.0,
            number: row.number.0,
            fetched_at: Time(row.fetched_at),
            modified_at: facts.modified_at.map(Time),
            kind: facts.kind,
            status: facts.status,
            media_type: facts.media_type.to_string(),
            final_url: facts.final_url.to_string(),
            etag: facts.etag.as_deref().map(str::to_owned),
            last_modified: facts.last_modified.as_deref().map(str::to_owned),
            fingerprint: blake3::Hash::from_bytes(facts.fingerprint).to_hex().to_string(),
            extractor: facts.extractor(),
            summary: facts.summary.to_string(),
            held: row.held,
            odd: facts.odd,
        }
    }
}

/// One typed difference between two versions; the fields as in a webhook's body.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Change {
    /// Positions in `leaves`; empty in a plain diff.
    pub(crate) leaves: Vec<u32>,
    #[serde(rename = "type")]
    pub(crate) change_type: &'static str,
    /// A position in `evidence`, if there is such a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<u32>,
    #[schema(value_type = String)]
    pub(crate) kind: change::ChangeKind,
    #[schema(value_type = Option<Object>)]
    pub(crate) old: Option<change::Thing>,
    #[schema(value_type = Option<Object>)]
    pub(crate) new: Option<change::Thing>,
    #[schema(value_type = Object)]
    pub(crate) context: change::Context,
}

/// What differs between two versions of a source.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Diff {
    pub(crate) source_id: u32,
    pub(crate) from_version: u32,
    pub(crate) to_version: u32,
    #[serde(rename = "type")]
    #[schema(inline)]
    pub(crate) what: What,
    pub(crate) changes: Vec<Change>,
    /// How many there are; more than `changes` holds if the list was cut.
    pub(crate) changes_total: u32,
}

/// One time a sentinel's condition held.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Detection {
    pub(crate) id: u64,
    sentinel_id: u64,
    generation: u32,
    #[serde(flatten)]
    pub(crate) first: Compared,
    /// All that was compared, if it is more than two versions of one source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) evidence: Vec<Compared>,
    detected_at: Time,
    seq: u64,
    /// The leaves that held, as the language writes them.
    pub(crate) leaves: Vec<String>,
    /// Which leaves held together: positions in `leaves`.
    pub(crate) combinations: Vec<Vec<u32>>,
    pub(crate) changes: Vec<Change>,
    pub(crate) changes_total: u32,
    /// Why the changes cannot be shown, if they cannot.
    pub(crate) unreadable: Option<&'static str>,
}

/// Two versions of a source that were compared.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub(crate) struct Compared {
    pub(crate) source_id: u32,
    pub(crate) from_version: u32,
    pub(crate) to_version: u32,
}

impl Detection {
    pub(crate) fn of(row: &outbox::Detection) -> Detection {
        let mut evidence: Vec<Compared> = row.evidence.iter().map(Compared::of).collect();
        let first = evidence.first().cloned().unwrap_or_default();
        if evidence.len() == 1 {
            evidence.clear();
        }
        Detection {
            id: row.id.0,
            sentinel_id: row.sentinel.0,
            generation: row.generation,
            first,
            evidence,
            detected_at: Time(row.at),
            seq: row.seq,
            leaves: Vec::new(),
            combinations: Vec::new(),
            changes: Vec::new(),
            changes_total: 0,
            unreadable: None,
        }
    }

    /// All that was compared.
    pub(crate) fn compared(&self) -> &[Compared] {
        if self.evidence.is_empty() { std::slice::from_ref(&self.first) } else { &self.evidence }
    }
}

impl Compared {
    fn of(piece: &change::Evidence) -> Compared {
        Compared { source_id: piece.source.0, from_version: piece.from.0, to_version: piece.to.0 }
    }
}

/// A way to reach somebody.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Channel {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) contact: Option<String>,
    /// Why it takes no more; null if it does.
    pub(crate) disabled: Option<String>,
    /// Until when it hears nothing: quiet hours, or the pause between two messages; else null.
    pub(crate) waits_until: Option<Time>,
    /// Since when it takes nothing; null if it does.
    pub(crate) failing_since: Option<Time>,
}

impl Channel {
    /// A channel as a kernel has it.
    pub(crate) fn of(row: &ChannelRow, waits_until: Option<Instant>) -> Channel {
        Channel {
            waits_until: waits_until.map(Time),
            failing_since: row.course.failing.map(|failing| Time(failing.since)),
            id: row.id.0,
            name: row.name.to_string(),
            contact: row.contact.as_ref().map(Contact::to_string),
            disabled: row.disabled.as_deref().map(str::to_owned),
        }
    }
}

/// A channel with a name of its own, without its secrets.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct NamedChannel {
    pub(crate) name: String,
    /// Where it is from: `configuration`, to be changed there, or `made`, here.
    from: &'static str,
    /// As under `[channels.NAME]`, with `…` in the place of what is secret.
    #[schema(value_type = Object)]
    settings: serde_json::Map<String, serde_json::Value>,
    /// Why it cannot be used, and what to do; null if it can.
    trouble: Option<String>,
}

impl NamedChannel {
    pub(crate) fn of(one: crate::roster::NamedChannel) -> NamedChannel {
        let crate::roster::NamedChannel { name, settings, is_made, trouble } = one;
        let from = if is_made { "made" } else { "configuration" };
        NamedChannel { name, from, settings, trouble }
    }
}

/// A message on one channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Notification {
    pub(crate) id: u64,
    key: String,
    /// `change`, `digest`, `source.failing`, `source.recovered`, `selector.missing`,
    /// `selector.found`, `channel.test` or `channel.failing`.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    sentinel_id: Option<u64>,
    pub(crate) sentinel: Option<String>,
    /// The name of the rule that tells it; null: no rule does, or it was removed.
    pub(crate) rule: Option<String>,
    seq: u64,
    pub(crate) channel: Option<Channel>,
    source_id: Option<u32>,
    detections: Vec<u64>,
    /// Detections beyond those: "and 312 more".
    more: u64,
    note: Option<String>,
    created_at: Time,
    composed_at: Option<Time>,
    /// `open`, `closed`, `due`, `delivered`, `given_up` or `cancelled`.
    state: &'static str,
    #[serde(skip)]
    stage: Stage,
    /// When it closes, is due, or ended.
    state_at: Option<Time>,
    /// Why it was given up.
    state_reason: Option<String>,
    attempts_made: u32,
    read: bool,
    /// One sentence; null until it is composed.
    pub(crate) summary: Option<String>,
}

impl Notification {
    pub(crate) fn of(row: &Row) -> Notification {
        let stage = row.state.stage();
        Notification {
            id: row.id.0,
            key: row.key.0.to_string(),
            kind: row.kind.name(),
            sentinel_id: row.sentinel.map(|id| id.0),
            sentinel: None,
            rule: None,
            seq: row.seq,
            channel: None,
            source_id: row.source.map(|id| id.0),
            detections: row.members.iter().map(|id| id.0).collect(),
            more: row.more,
            note: some_text(&row.note),
            created_at: Time(row.created_at),
            composed_at: row.closed_at.map(Time),
            state: stage.words().name,
            stage,
            state_at: row.state.at().map(Time),
            state_reason: row.state.reason().map(str::to_owned),
            attempts_made: row.attempts,
            read: row.read,
            summary: None,
        }
    }
}

impl Notification {
    /// Whether this detection is told by it.
    pub(crate) fn tells(&self, detection: outbox::DetectionId) -> bool {
        self.detections.contains(&detection.0)
    }

    pub(crate) fn created(&self) -> Instant {
        self.created_at.0
    }

    /// Not read yet; what is still being gathered is no news.
    pub(crate) fn is_news(&self) -> bool {
        !self.read && self.stage != Stage::Open
    }

    /// What the notification is about, in two or three words.
    pub(crate) fn title(&self) -> String {
        let name = self.sentinel.clone().or_else(|| self.rule.clone());
        let name = name.or_else(|| self.sentinel_id.map(|id| format!("sentinel s{id}, removed")));
        match (self.kind, name) {
            ("change", Some(name)) => name,
            ("digest", Some(name)) => format!("{name}: digest"),
            ("source.failing", Some(name)) => format!("{name}: its source fails"),
            ("source.recovered", Some(name)) => format!("{name}: its source is back"),
            ("selector.missing", Some(name)) => format!("{name}: finds nothing"),
            ("selector.found", Some(name)) => format!("{name}: finds again"),
            (_, Some(name)) => name,
            ("channel.failing", None) => "A channel fails".to_owned(),
            (_, None) => "Test of a channel".to_owned(),
        }
    }

    /// What is said before there is a summary.
    pub(crate) fn waiting_words(&self) -> String {
        match (self.stage, self.note.as_deref()) {
            (_, Some(note)) => note.to_owned(),
            (Stage::Open, None) => {
                let changes = self.detections.len() as u64 + self.more;
                let until = match self.state_at {
                    Some(_) => "its window ends",
                    None => "what went before has arrived",
                };
                format!("{changes} so far; told when {until}")
            }
            (Stage::GivenUp | Stage::Cancelled, None) => "had not been written yet".to_owned(),
            _ => "is being written".to_owned(),
        }
    }

    pub(crate) fn state_words(&self) -> &'static str {
        match self.stage {
            Stage::Due if self.attempts_made > 0 => "will be tried again",
            stage => stage.words().said,
        }
    }

    /// When the state's time comes or came, and why it was given up.
    pub(crate) fn state_detail(&self) -> (Option<Instant>, Option<&str>) {
        (self.state_at.map(|at| at.0), self.state_reason.as_deref())
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }
}

/// A notification with what it says and how its delivery went.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct NotificationInFull {
    #[serde(flatten)]
    pub(crate) notification: Notification,
    /// The body as a webhook gets it; null until it is composed.
    #[schema(value_type = Option<Object>)]
    pub(crate) body: Option<Box<RawValue>>,
    /// The last attempts, oldest first.
    pub(crate) attempts: Vec<DeliveryAttempt>,
}

/// One attempt to deliver.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DeliveryAttempt {
    number: u32,
    at: Time,
    /// `delivered`, `failed` or `gone`.
    result: &'static str,
    reason: Option<String>,
}

impl From<&Attempt> for DeliveryAttempt {
    fn from(attempt: &Attempt) -> DeliveryAttempt {
        let (result, reason) = match &attempt.result {
            DeliveryResult::Delivered => ("delivered", None),
            DeliveryResult::Failed { reason, .. } => ("failed", Some(reason.to_string())),
            DeliveryResult::Gone { reason } => ("gone", Some(reason.to_string())),
        };
        DeliveryAttempt { number: attempt.number, at: Time(attempt.at), result, reason }
    }
}

fn some_text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

pub(crate) fn outcome_name(outcome: &ProbeOutcome) -> &'static str {
    match outcome {
        ProbeOutcome::Version(_) => "version",
        ProbeOutcome::Same => "same",
        ProbeOutcome::NotModified => "not_modified",
        ProbeOutcome::Held(_) => "held",
        ProbeOutcome::Failed { .. } => "failed",
    }
}
