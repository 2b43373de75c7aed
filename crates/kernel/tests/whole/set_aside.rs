//! Pages for which the shell had no room.

use chronon::{Instant, Span};
use kernel::io::{ApplyMode, Done, Effect, Fetched, Input, Probe, ProbeEnd, RequestId, Task};
use kernel::record::{Record, Snapshot};
use kernel::{Config, Kernel, Proposal};
use schedule::Reason;

/// Every look of half a day ends so: the most failures in a row that were written down, and the
/// time that the last look was given.
fn half_a_day(outcome: &ProbeEnd) -> (u32, Span) {
    let start = Instant::from_millis(1_800_000_000_000);
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), start);
    kernel.step(start, Input::Started);
    let text = "create sentinel s using https://a.example/ fetch every 10 minutes";
    let mut inputs =
        vec![kernel.application(start, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert))];
    let (mut at, mut failures, mut given) = (start, 0, Span::ZERO);
    while at < start + Span::HOUR.times(12) {
        let output = kernel.step(at, inputs.pop().unwrap_or(Input::Tick));
        for record in output.records {
            if let Record::Source(row) = record {
                failures = failures.max(row.failures);
            }
        }
        for effect in output.effects {
            if let Effect::Start(Task::Probe(Probe { ticket, time_max, .. })) = effect {
                given = time_max;
                let fetched = Fetched {
                    outcome: outcome.clone().into(),
                    body_bytes: 1,
                    wire_bytes: 1,
                    took: Span::ZERO,
                };
                inputs.push(Input::Done { ticket, done: Done::Fetched(fetched) });
            }
        }
        if inputs.is_empty() {
            at = kernel.next_deadline().expect("there is always a next interval").max(at);
        }
    }
    assert!(kernel.counters().probes > 20);
    (failures, given)
}

#[test]
fn a_source_is_not_blamed_for_pages_that_were_set_aside() {
    let set_aside = ProbeEnd::SetAside { reason: "there was no memory".into() };
    assert_eq!(half_a_day(&set_aside), (0, Span::from_secs(30)));
    let failed = ProbeEnd::Failed {
        status: None,
        reason: "no answer".into(),
        holds_host: false,
        retry_after: None,
    };
    let (failures, given) = half_a_day(&failed);
    assert!(failures > 20 && given <= Span::from_secs(30), "{failures}");
}

#[test]
fn a_page_that_was_set_aside_is_tried_again_within_minutes_and_has_not_failed_for_the_scheduler() {
    let start = Instant::from_millis(1_800_000_000_000);
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), start);
    kernel.step(start, Input::Started);
    let text = "create sentinel s using https://a.example/";
    let mut inputs =
        vec![kernel.application(start, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert))];
    let (mut at, mut looks) = (start, Vec::new());
    while looks.len() < 12 {
        let output = kernel.step(at, inputs.pop().unwrap_or(Input::Tick));
        for record in output.records {
            if let Record::Probe(row) = record {
                looks.push((row.start, row.reason));
            }
        }
        for effect in output.effects {
            if let Effect::Start(Task::Probe(Probe { ticket, .. })) = effect {
                let outcome = match looks.len() {
                    0 => ProbeEnd::NotModified,
                    _ => ProbeEnd::SetAside { reason: "there was no memory".into() },
                };
                let took = Span::ZERO;
                let fetched =
                    Fetched { outcome: outcome.into(), body_bytes: 1, wire_bytes: 1, took };
                inputs.push(Input::Done { ticket, done: Done::Fetched(fetched) });
            }
        }
        if inputs.is_empty() {
            at = kernel.next_deadline().expect("there is always a next look").max(at);
        }
    }
    let retried = |(_, reason): &(Instant, Reason)| matches!(reason, Reason::Retry { .. });
    assert!(!looks.iter().any(retried), "{looks:?}");
    let gaps = looks[1..].windows(2).map(|pair| pair[1].0 - pair[0].0);
    assert!(gaps.clone().all(|gap| gap <= Span::MINUTE.times(9)), "{looks:?}");
    assert!(gaps.min() >= Some(Span::MINUTE), "{looks:?}");
}
