//! A trace of postings through the whole server: how long each waited for its message.

use super::delay::Delays;
use crate::cli::{Common, Replay};
use crate::commands::Exit;
use anyhow::{Context, Result, bail};
use chronon::{Instant, Span};
use lab::delay::{Posting, Trace, read_trace};
use serde_json::json;
use sim::replay::{End, Recorded, Replayed, Wait};

/// Postings of one trace: each is a version of its feed, held in memory.
const POSTINGS_MAX: usize = 100_000;
/// The laboratory's chronon.
const CHRONON: Span = Span::from_secs(300);

/// Replays the trace, and prints the delay of what was posted after the first days.
pub fn run(replay: &Replay, common: &Common) -> Result<Exit> {
    let trace = read_trace(&replay.dir)?;
    let postings: usize = trace.postings.iter().map(Vec::len).sum();
    if postings > POSTINGS_MAX {
        bail!("the trace has {postings} postings; replay at most {POSTINGS_MAX} at once");
    }
    let settings = crate::commands::settings(common, &[])?;
    let config = super::config(replay, &settings, Some(CHRONON))?;
    let start = instant(trace.first_day());
    let measured = start + Span::DAY.times(replay.train_days.into());
    let end = instant(trace.end());
    let (pages, text) = feeds(&trace, start);
    let replayed = sim::replay::run(config, &pages, &text, End::LastVersion)
        .with_context(|| replay.dir.display().to_string())?;
    summarize(&delays(&replayed, measured, end), &replayed, common);
    Ok(Exit::Done)
}

fn instant(seconds: f64) -> Instant {
    Instant::from_millis((seconds * 1000.0).round() as i64)
}

/// A feed and a sentinel for each source.
fn feeds(trace: &Trace, start: Instant) -> (Vec<Recorded>, String) {
    let feed = |(number, postings): (usize, &Vec<Posting>)| {
        let times: Vec<Instant> = postings.iter().map(|posting| instant(posting.time)).collect();
        sim::replay::trace(number + 1, start, &times)
    };
    trace.postings.iter().enumerate().map(feed).unzip()
}

/// From each posting since `measured` to its message; what waits at the end is found then, as in
/// the laboratory.
fn delays(replayed: &Replayed, measured: Instant, end: Instant) -> Delays {
    let untold = replayed.untold.iter().map(|&appeared| Wait { appeared, end });
    let all = replayed.told.iter().copied().chain(untold);
    Delays::of(all.filter(|wait| wait.appeared >= measured))
}

fn summarize(delays: &Delays, replayed: &Replayed, common: &Common) {
    let (mean, median) = (delays.mean().unwrap_or(0.0), delays.median().unwrap_or(0.0));
    let (looks, messages) = (replayed.looks, replayed.sent.len());
    if common.json {
        let summary = json!({
            "postings": delays.count(), "mean_delay_seconds": mean,
            "median_delay_seconds": median, "looks": looks, "notifications": messages,
        });
        println!("{summary}");
        return;
    }
    let postings = super::count(delays.count(), "posting");
    let (looks, messages) = (super::count(looks, "look"), super::count(messages as u64, "message"));
    let (mean, median) = (mean / 60.0, median / 60.0);
    println!("{postings}: mean delay {mean:.1} minutes, median {median:.1}; {looks}, {messages}.");
}
