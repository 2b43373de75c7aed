//! After an upgrade: the newest versions are extracted again, within the limits.

use super::content;
use chronon::{Instant, Span};
use kernel::io::{ApplyMode, Effect, Fetched, Input, Output, RequestId, Ticket};
use kernel::record::Snapshot;
use kernel::{Config, Kernel};

const SOURCES: usize = 12;

fn probes(output: &Output) -> Vec<Ticket> {
    let ticket = |effect: &Effect| match effect {
        Effect::Probe { ticket, .. } => Some(*ticket),
        _ => None,
    };
    output.effects.iter().filter_map(ticket).collect()
}

fn extractions(output: &Output) -> Vec<Ticket> {
    let ticket = |effect: &Effect| match effect {
        Effect::Reextract { ticket, .. } => Some(*ticket),
        _ => None,
    };
    output.effects.iter().filter_map(ticket).collect()
}

/// What a store holds of sources that were probed once, by an earlier extractor.
fn old_store(now: Instant) -> Snapshot {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), now);
    kernel.step(now, Input::Started);
    let text: String = (0..SOURCES)
        .map(|n| format!("create sentinel s{n} using https://h{n}.example/ monitor links\n"))
        .collect();
    let apply = kernel.application(now, RequestId(1), (&text, ApplyMode::Upsert));
    kernel.step(now, apply);
    let (mut at, mut probed) = (now, 0);
    while probed < SOURCES {
        at += Span::SECOND;
        for ticket in probes(&kernel.step(at, Input::Tick)) {
            let (body_bytes, took) = (1, Span::ZERO);
            let fetched = Fetched { outcome: content(1), body_bytes, wire_bytes: 1, took };
            kernel.step(at, Input::Fetched { ticket, fetched });
            probed += 1;
        }
    }
    let mut snapshot = kernel.fold(at);
    snapshot.channels = kernel.channels();
    for source in &mut snapshot.sources {
        source.extractor = page::EXTRACTOR.wrapping_sub(1);
    }
    snapshot
}

#[test]
fn versions_are_extracted_again_within_the_limit_of_comparisons_and_all_of_them() {
    let now = Instant::from_millis(1_800_000_000_000);
    let config = Config::new(1);
    let max = config.comparisons_max as usize;
    let mut kernel = Kernel::load(config, old_store(now), now + Span::MINUTE);
    let started = kernel.step(now + Span::MINUTE, Input::Started);
    let mut open = extractions(&started);
    assert_eq!(open.len(), max);
    let mut done = 0;
    while let Some(ticket) = open.pop() {
        done += 1;
        let output = kernel.step(now + Span::MINUTE, Input::Reextracted { ticket, row: None });
        open.extend(extractions(&output));
        assert!(open.len() <= max, "{} at once", open.len());
    }
    assert_eq!(done, SOURCES);
}
