//! What a text would have told of versions that are stored.
//!
//! The versions are shown to the whole server in virtual time, an hour apart, with two looks in
//! each hour: every one of them is met, in order. What is told carries the times and numbers of
//! the stored versions.

use anyhow::{Result, bail};
use chronon::{Instant, OwnerId, Span, Zone};
use kernel::{Kernel, Occasion, Purpose};
use sentinel::ast::Fetch;
use sentinel::{Parsed, Redefine, Statement};
use serde_json::{Value, json};
use sim::replay::{End, Recorded, RecordedVersion};
use std::sync::Arc;

/// When the first version is shown.
const BASE: Instant = Instant::from_millis(1_800_000_000_000);
/// From one version to the next.
const STEP: Span = Span::HOUR;

/// A version as the server keeps it.
pub struct Stored {
    pub number: u64,
    pub at: Instant,
    pub media_type: String,
    pub body: Arc<[u8]>,
}

/// A notification for each round that holds, oldest first.
pub fn told(
    config: &kernel::Config,
    statement: &Statement,
    stored: &[Stored],
) -> Result<Vec<Value>> {
    if stored.len() < 2 {
        return Ok(Vec::new());
    }
    let versions = stored.iter().zip(0..).map(|(version, nth)| RecordedVersion {
        at: BASE + STEP.times(nth),
        media_type: version.media_type.clone(),
        body: version.body.to_vec(),
    });
    let url = statement.sentinel.source().url.reveal().to_owned();
    let page = Recorded { url, versions: versions.collect() };
    let replayed = match sim::replay::run(config.clone(), &[page], &text(statement), End::AllTold) {
        Ok(replayed) => replayed,
        Err(error) => bail!("the versions cannot be replayed: {error}"),
    };
    let mut told = Vec::new();
    for sent in replayed.sent {
        let Ok(mut body) = serde_json::from_slice::<Value>(&sent.body) else { continue };
        let Some(newer) = body["sources"][0]["fetched_at"].as_str().and_then(|at| nth(at, stored))
        else {
            continue;
        };
        let at = newer.at.to_string();
        (body["detected_at"], body["composed_at"]) = (json!(at), json!(at));
        for source in body["sources"].as_array_mut().into_iter().flatten() {
            for (time, number) in
                [("fetched_at", "to_version"), ("from_fetched_at", "from_version")]
            {
                if let Some(one) = source[time].as_str().and_then(|at| nth(at, stored)) {
                    (source[time], source[number]) = (json!(one.at.to_string()), json!(one.number));
                }
            }
        }
        let bytes = body.to_string().into_bytes();
        let text = deliver::render_terminal(&bytes, deliver::Colour::Never);
        told.push(json!({"at": at, "body": body, "text": text}));
    }
    Ok(told)
}

/// Those that its looks would have met: all of them, or those current as an interval begins.
pub fn captured(statement: &Statement, versions: Vec<Stored>, now: Instant) -> Vec<Stored> {
    let sentinel = &statement.sentinel;
    let Fetch::Every { period, .. } = sentinel.fetch else { return versions };
    let Some(first) = versions.first().map(|version| version.at) else { return versions };
    let zone = &sentinel.zone;
    // The same time of day, before the first version.
    let from = sentinel.from.at().filter(|_| sentinel.from_has_clock);
    let ago =
        from.map_or(0, |from| (from - first).as_millis() / period.nominal().as_millis().max(1));
    let t0 = match from {
        Some(from) if from <= first => from,
        Some(from) => period.back(from, ago.max(0) as u64 + 2, zone),
        None => first,
    };
    let ends: Vec<Instant> =
        versions.iter().skip(1).map(|version| version.at).chain([now]).collect();
    let met = |at: Instant, end: Instant| {
        let mut k = period.index_at(t0, at, zone);
        while period.nth(t0, k, zone) < at {
            k += 1;
        }
        period.nth(t0, k, zone) < end
    };
    let pairs = versions.into_iter().zip(ends).enumerate();
    let kept = pairs.filter(|(nth, (version, end))| *nth == 0 || met(version.at, *end));
    kept.map(|(_, (version, _))| version).collect()
}

/// The version that was shown at this virtual time.
fn nth<'a>(at: &str, stored: &'a [Stored]) -> Option<&'a Stored> {
    let at = sentinel::instant(at, BASE, &chronon::Zone::utc(), Span::SECOND).ok()?;
    let nth = (at - BASE).as_millis().max(0) / STEP.as_millis();
    stored.get(usize::try_from(nth).ok()?)
}

/// What the text asks for, looked for often and told at once. Each canonical clause has a line
/// of its own.
fn text(statement: &Statement) -> String {
    let lines = statement.canonical.reveal().lines();
    let is_asked = |line: &&str| {
        let clause = line.trim_start().split(' ').next().unwrap_or_default();
        matches!(clause, "create" | "monitor" | "compare" | "presentation")
    };
    let lines = lines.filter(is_asked).map(|line| format!("{line}\n"));
    let lines: String = lines.collect();
    format!("{lines}  fetch every 30 minutes within 10 minutes\n  notify by terminal\n")
}

/// Shows stored versions to a text, for the dashboard.
pub struct Past {
    pub config: kernel::Config,
    /// The channels that the text may name.
    pub book: Arc<crate::book::Book>,
    pub clock: Arc<crate::clock::Clock>,
}

impl web::Rehearsal for Past {
    fn rehearse(&self, text: &str, versions: Vec<web::Stored>) -> Result<Vec<web::Told>, String> {
        let now = self.clock.now();
        let mut config = self.config.clone();
        config.know_channels(self.book.known());
        let kernel = Kernel::load(config, kernel::Snapshot::default(), now);
        let purpose = Purpose::Check(Redefine::Replace);
        let occasion = Occasion { owner: OwnerId::FIRST, purpose, now };
        let checked = kernel.vet(Parsed::of(text).compiled(), occasion).checked;
        let [statement] = &checked.statements[..] else {
            return Err("the text begins or ends with another sentinel".to_owned());
        };
        if statement.sentinel.sources.len() > 1 {
            return Err("the text watches several pages together".to_owned());
        }
        let stored = versions.into_iter().map(|version| Stored {
            number: version.number.into(),
            at: version.at,
            media_type: version.media_type,
            body: version.body,
        });
        let met = captured(statement, stored.collect(), now);
        let told = told(&self.config, statement, &met).map_err(|error| format!("{error:#}"))?;
        Ok(told.iter().filter_map(message).collect())
    }
}

/// A message, from what [`told`] says of it.
fn message(told: &Value) -> Option<web::Told> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let at = told["at"].as_str()?;
    let at = sentinel::instant(at, BASE, &Zone::utc(), Span::SECOND).ok()?;
    Some(web::Told { at, summary: text(&told["body"]["summary"]), text: text(&told["text"]) })
}
