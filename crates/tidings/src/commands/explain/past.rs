//! What a text would have told of versions that are stored.
//!
//! The versions are shown to the whole server in virtual time, an hour apart, with two looks in
//! each hour: every one of them is met, in order. What is told carries the times and numbers of
//! the stored versions.

use super::Stored;
use anyhow::{Result, bail};
use chronon::{Instant, Span};
use sentinel::Statement;
use serde_json::{Value, json};
use sim::replay::{End, Recorded, RecordedVersion};

/// When the first version is shown.
const BASE: Instant = Instant::from_millis(1_800_000_000_000);
/// From one version to the next.
const STEP: Span = Span::HOUR;

/// A notification for each round that holds, oldest first.
pub(super) fn told(
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
        body: version.body.clone(),
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
