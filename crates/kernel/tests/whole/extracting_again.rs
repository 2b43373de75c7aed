//! After an upgrade: the newest versions are extracted again, within the limits.

use super::content;
use chronon::{Instant, SourceId, Span, VersionNo};
use graph::{Element, Position};
use kernel::io::{
    ApplyMode, Computation, Done, Effect, Fetched, Input, Output, Probe, ProbeEnd, RequestId, Task,
    Ticket,
};
use kernel::record::{Held, Snapshot, Strand, VersionFacts, VersionRow};
use kernel::{Config, Kernel, Proposal};

const SOURCES: usize = 12;

fn probes(output: &Output) -> Vec<Ticket> {
    let ticket = |effect: &Effect| match effect {
        Effect::Start(Task::Probe(Probe { ticket, .. })) => Some(*ticket),
        _ => None,
    };
    output.effects.iter().filter_map(ticket).collect()
}

fn extractions(output: &Output) -> Vec<Ticket> {
    let ticket = |effect: &Effect| match effect {
        Effect::Start(Task::Compute(Computation::Reextract { ticket, .. })) => Some(*ticket),
        _ => None,
    };
    output.effects.iter().filter_map(ticket).collect()
}

/// Lets the pages answer that are asked at `at`; how many they are.
fn answer_probes(kernel: &mut Kernel, at: Instant) -> usize {
    let mut waiting = probes(&kernel.step(at, Input::Tick));
    let mut answered = 0;
    while let Some(ticket) = waiting.pop() {
        let (body_bytes, took) = (1, Span::ZERO);
        let fetched = Fetched { outcome: content(1).into(), body_bytes, wire_bytes: 1, took };
        let done = Input::Done { ticket, done: Done::Fetched(fetched) };
        waiting.extend(probes(&kernel.step(at, done)));
        answered += 1;
    }
    answered
}

/// What a store holds of sources that were probed once, by an earlier extractor.
fn old_store(now: Instant) -> Snapshot {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), now);
    kernel.step(now, Input::Started);
    let text: String = (0..SOURCES)
        .map(|n| format!("create sentinel s{n} using https://h{n}.example/ monitor links\n"))
        .collect();
    let apply =
        kernel.application(now, RequestId(1), Proposal::of_system(&text, ApplyMode::Upsert));
    kernel.step(now, apply);
    let (mut at, mut probed) = (now, 0);
    while probed < SOURCES {
        at += Span::SECOND;
        probed += answer_probes(&mut kernel, at);
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
        let output =
            kernel.step(now + Span::MINUTE, Input::Done { ticket, done: Done::Reextracted(None) });
        open.extend(extractions(&output));
        assert!(open.len() <= max, "{} at once", open.len());
    }
    assert_eq!(done, SOURCES);
}

#[test]
fn no_source_is_probed_before_what_it_showed_can_be_compared_with() {
    let now = Instant::from_millis(1_800_000_000_000);
    let mut kernel = Kernel::load(Config::new(1), old_store(now), now);
    let mut open = extractions(&kernel.step(now, Input::Started));
    // All are long due by then.
    let later = now + Span::DAY.times(40);
    assert_eq!(probes(&kernel.step(later, Input::Tick)).len(), 0);
    assert_eq!(kernel.counters().sources_held, SOURCES as u64);
    let mut asked = 0;
    while let Some(ticket) = open.pop() {
        let done = Input::Done { ticket, done: Done::Reextracted(None) };
        let output = kernel.step(later, done);
        open.extend(extractions(&output));
        asked += probes(&output).len();
    }
    let mut at = later;
    while asked < SOURCES && at < later + Span::DAY {
        at += Span::MINUTE;
        asked += answer_probes(&mut kernel, at);
    }
    assert_eq!(asked, SOURCES);
}

/// A row of `version` as another extractor reads it.
fn reread(version: VersionNo, kind: page::Kind, fingerprint: u8) -> Box<VersionRow> {
    let ProbeEnd::Content(facts, _) = content(fingerprint) else { unreachable!("content is") };
    let facts = VersionFacts { kind, ..*facts };
    let (source, fetched_at) = (SourceId(1), Instant::EPOCH);
    Box::new(VersionRow { source, number: version, fetched_at, held: false, facts })
}

#[test]
fn every_fingerprint_that_is_kept_is_carried_over() {
    let now = Instant::from_millis(1_800_000_000_000);
    let mut snapshot = old_store(now);
    // One stream has seen a feed too, and the source holds something back.
    let strand = |kind, fingerprint| Strand { kind, fingerprint: [fingerprint; 32] };
    let stream = &mut snapshot.streams[0];
    stream.strands = vec![strand(page::Kind::Html, 1), strand(page::Kind::Feed, 2)];
    let place = Position::Begins { history: 1, against: 1 };
    let feed = Element { index: 2, version: VersionNo(2), fetched_at: now, place };
    stream.elements.push(feed);
    let source = &mut snapshot.sources[0];
    source.newest = 3;
    source.held = Some(Box::new(Held {
        version: VersionNo(3),
        fingerprint: [3; 32],
        kind: page::Kind::Json,
        odd: None,
        seen: now,
        confirmed: false,
    }));
    let mut kernel = Kernel::load(Config::new(4), snapshot, now);
    let mut output = kernel.step(now, Input::Started);
    loop {
        let asked: Vec<(Ticket, SourceId, VersionNo)> = (output.effects.iter())
            .filter_map(|effect| match effect {
                Effect::Start(Task::Compute(Computation::Reextract {
                    ticket,
                    source,
                    version,
                })) => Some((*ticket, *source, *version)),
                _ => None,
            })
            .collect();
        if asked.is_empty() {
            break;
        }
        output = Output::default();
        for (ticket, source, version) in asked {
            let kinds = [page::Kind::Html, page::Kind::Feed, page::Kind::Json];
            let kind = kinds[version.0 as usize - 1];
            let row = (source == SourceId(1)).then(|| reread(version, kind, 10 + version.0 as u8));
            let step = kernel.step(now, Input::Done { ticket, done: Done::Reextracted(row) });
            output.effects.extend(step.effects);
        }
    }
    let fold = kernel.fold(now);
    let source = &fold.sources[0];
    assert_eq!((source.fingerprint, source.extractor), ([11; 32], page::EXTRACTOR));
    assert_eq!(source.held.as_ref().map(|held| held.fingerprint), Some([13; 32]));
    let strands = [strand(page::Kind::Html, 11), strand(page::Kind::Feed, 12)];
    assert_eq!(fold.streams[0].strands, strands);
}
