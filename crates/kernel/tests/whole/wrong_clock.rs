//! A machine that believed in a far future wrote its store, and then learned the time.

use super::content;
use chronon::{BlobId, Instant, Span};
use graph::Outline;
use kernel::io::{ApplyMode, Effect, Fetched, Input, Output, RequestId};
use kernel::record::Snapshot;
use kernel::{Config, Kernel, Record};
use outbox::{OutboxRecord, Row};

const TEXT: &str = "create sentinel s using https://a.example/ monitor links
    fetch every 10 minutes notify by webhook https://me.example/ every 1 hour";

/// Answers every probe with another page and every comparison with a change; the digests that come
/// of it.
fn answer(kernel: &mut Kernel, now: Instant, output: Output, version: &mut u8) -> Vec<Row> {
    let (mut waiting, mut rows) = (output.effects, Vec::new());
    while let Some(effect) = waiting.pop() {
        let input = match effect {
            Effect::Probe { ticket, .. } => {
                *version += 1;
                let (extra_requests, body_bytes, took) = (Vec::new(), 1, Span::ZERO);
                let outcome = content(*version);
                Input::Fetched {
                    ticket,
                    fetched: Fetched { outcome, extra_requests, body_bytes, wire_bytes: 1, took },
                }
            }
            Effect::Compare { ticket, request, .. } => {
                let hits = request.comparisons.iter().map(|c| Some(vec![1; c.leaves.len()]));
                let outline = Outline { comparisons: hits.collect() };
                Input::Compared { ticket, result: BlobId([9; 32]), outline }
            }
            _ => continue,
        };
        let output = kernel.step(now, input);
        waiting.extend(output.effects);
        rows.extend(output.records.into_iter().filter_map(|record| match record {
            Record::Outbox(OutboxRecord::Row(row)) => Some(row),
            _ => None,
        }));
    }
    rows
}

/// A kernel that begins to watch now.
fn begun(now: Instant) -> Kernel {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), now);
    kernel.step(now, Input::Started);
    let (request, mode) = (RequestId(1), ApplyMode::Upsert);
    let patterns = Default::default();
    kernel.step(now, Input::Apply { request, text: TEXT.into(), patterns, mode });
    kernel
}

/// The next probe comes in time, if none is in `output` already.
fn probes_by(kernel: &mut Kernel, mut output: Output, (now, latest): (Instant, Instant)) {
    let mut at = now;
    while !output.effects.iter().any(|effect| matches!(effect, Effect::Probe { .. })) {
        at = kernel.next_deadline().expect("an interval to come").max(at);
        assert!(at <= latest, "no probe until {at}");
        output = kernel.step(at, Input::Tick);
    }
}

#[test]
fn intervals_and_digests_of_a_far_future_come_back_to_the_present() {
    let future = Instant::from_millis(4_000_000_000_000);
    let mut kernel = begun(future);
    let (mut at, mut version, mut rows) = (future, 0, Vec::new());
    while version < 2 {
        at = kernel.next_deadline().expect("an interval to come").max(at);
        let output = kernel.step(at, Input::Tick);
        rows.extend(answer(&mut kernel, at, output, &mut version));
    }
    let mut snapshot = kernel.fold(at);
    snapshot.channels = kernel.channels();
    snapshot.outbox = rows;
    assert_eq!(snapshot.outbox.len(), 1, "a digest gathers");

    let now = Instant::from_millis(1_800_000_000_000);
    let mut kernel = Kernel::load(Config::new(1), snapshot, now);
    assert!(!kernel.take_warnings().is_empty());
    let output = kernel.step(now, Input::Started);
    let composes = |output: &Output| {
        output.effects.iter().any(|effect| matches!(effect, Effect::Compose { .. }))
    };
    assert!(composes(&output), "the digest goes out");
    probes_by(&mut kernel, output, (now, now + Span::MINUTE.times(10)));
}

#[test]
fn intervals_captured_while_the_clock_was_ahead_are_asked_for_when_they_come() {
    let start = Instant::from_millis(1_800_000_000_000);
    let mut kernel = begun(start);
    let (mut at, mut version) = (start, 0);
    for (wanted, jump) in [(1, Span::ZERO), (2, Span::DAY.times(30))] {
        at += jump;
        while version < wanted {
            at = kernel.next_deadline().expect("an interval to come").max(at);
            let output = kernel.step(at, Input::Tick);
            answer(&mut kernel, at, output, &mut version);
        }
    }
    assert!(at >= start + Span::DAY.times(30));
    let mut snapshot = kernel.fold(at);
    snapshot.channels = kernel.channels();

    let now = start + Span::HOUR;
    let mut kernel = Kernel::load(Config::new(1), snapshot, now);
    let output = kernel.step(now, Input::Started);
    probes_by(&mut kernel, output, (now, now + Span::MINUTE.times(11)));
}
