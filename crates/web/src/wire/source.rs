//! Sources, their looks and their versions, as the API shows them.

use super::{Next, Time};
use crate::words::{self, Wall};
use chronon::Zone;
use kernel::record::{ProbeOutcome, ProbeRow, VersionRow};
use kernel::view::SourceView;
use serde::Serialize;
use utoipa::ToSchema;

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
    /// What the scheduler has learned: seconds after the last probe, which may have failed, before
    /// which freshness wants no other.
    interval_seconds: f64,
    /// Changes a day that it expects; a guess while `last_success` is null.
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
    /// When the doubt began; of what is confirmed, the last look that showed it.
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

pub(crate) fn outcome_name(outcome: &ProbeOutcome) -> &'static str {
    match outcome {
        ProbeOutcome::Version(_) => "version",
        ProbeOutcome::Same => "same",
        ProbeOutcome::NotModified => "not_modified",
        ProbeOutcome::Held(_) => "held",
        ProbeOutcome::Failed { .. } => "failed",
    }
}
