//! Content that may not be what the page is watched for.

use super::content;
use chronon::{Instant, Span};
use kernel::io::{ApplyMode, Done, Effect, Fetched, Input, Probe, ProbeEnd, RequestId, Task};
use kernel::record::{ProbeOutcome, Snapshot};
use kernel::{Config, Kernel, Proposal, Record};
use page::Odd;

const START: Instant = Instant::from_millis(1_800_000_000_000);

fn empty(body: u8) -> ProbeEnd {
    let ProbeEnd::Content(mut facts, missing) = content(body) else {
        unreachable!("it is content")
    };
    facts.odd = Some(Odd::Empty);
    ProbeEnd::Content(facts, missing)
}

/// What became of looks with these answers, in their order.
fn looks(answers: Vec<ProbeEnd>) -> Vec<ProbeOutcome> {
    let mut kernel = Kernel::load(Config::new(2), Snapshot::default(), START);
    kernel.step(START, Input::Started);
    let text = "create sentinel s using https://a.example/ monitor any change";
    let mut inputs =
        vec![kernel.application(START, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert))];
    let (mut at, mut answers, mut looks) = (START, answers.into_iter(), Vec::new());
    loop {
        let output = kernel.step(at, inputs.pop().unwrap_or(Input::Tick));
        looks.extend(output.records.into_iter().filter_map(|record| match record {
            Record::Probe(row) => Some(row.outcome),
            _ => None,
        }));
        for effect in output.effects {
            if let Effect::Start(Task::Probe(Probe { ticket, .. })) = effect {
                let Some(outcome) = answers.next() else { return looks };
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
}

#[test]
fn a_page_that_was_empty_already_in_the_first_release_is_not_told_as_odd() {
    // The first release knew nothing of odd answers: an empty page was a version like another.
    let looks = looks(vec![content(1), empty(1), empty(1), empty(2)]);
    assert_eq!(looks[1..3], [ProbeOutcome::Same, ProbeOutcome::Same]);
    assert!(matches!(looks[3], ProbeOutcome::Held(_)), "another one is doubtful");
}
