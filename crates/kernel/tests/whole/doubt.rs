//! Content that may not be what the page is watched for.

use super::content;
use chronon::{Instant, SourceId, Span};
use kernel::io::{Actor, ApplyMode, Command, Done, Effect, Fetched, Input};
use kernel::io::{Probe, ProbeEnd, RequestId, Task};
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
    let wanted = answers.len();
    let (mut at, mut answers, mut looks) = (START, answers.into_iter(), Vec::new());
    while looks.len() < wanted {
        let output = kernel.step(at, inputs.pop().unwrap_or(Input::Tick));
        looks.extend(output.records.into_iter().filter_map(|record| match record {
            Record::Probe(row) => Some(row.outcome),
            _ => None,
        }));
        for effect in output.effects {
            if let Effect::Start(Task::Probe(Probe { ticket, .. })) = effect {
                let outcome = answers.next().expect("an answer for each look");
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
    looks
}

#[test]
fn a_page_that_was_empty_already_in_the_first_release_is_not_told_as_odd() {
    // The first release knew nothing of odd answers: an empty page was a version like another.
    let looks = looks(vec![content(1), empty(1), empty(1), empty(2)]);
    assert_eq!(looks[1..3], [ProbeOutcome::Same, ProbeOutcome::Same]);
    assert!(matches!(looks[3], ProbeOutcome::Held(_)), "another one is doubtful");
}

/// A page that is odd like that, by habit.
fn by_habit(body: u8, odd: Odd, told: u16) -> ProbeEnd {
    let ProbeEnd::Content(mut facts, mut shown) = content(body) else {
        unreachable!("it is content")
    };
    facts.odd = Some(odd);
    shown.breaks = Some(change::Breaks { until: START + Span::DAY.times(30), told });
    ProbeEnd::Content(facts, shown)
}

/// How long after the beginning it is told that a source is odd, which shows these in turn after
/// its first look, and was so before, which was `told`; a person asks for a look after `asked`.
fn told_after(shows: &[Odd], told: u16, asked: Option<Span>) -> Span {
    let mut kernel = Kernel::load(Config::new(2), Snapshot::default(), START);
    kernel.step(START, Input::Started);
    let text = "create sentinel s using https://a.example/ fetch every 10 minutes";
    let proposal = Proposal::of_system(text, ApplyMode::Upsert);
    let mut inputs = vec![kernel.application(START, RequestId(1), proposal)];
    let (mut at, mut asked, mut shown) = (START, asked, 0u8);
    let source = SourceId(1);
    loop {
        let output = kernel.step(at, inputs.pop().unwrap_or(Input::Tick));
        let is_told = |kernel: &Kernel| {
            let held = kernel.source(source, at).and_then(|source| source.row.held.clone());
            held.is_some_and(|held| held.confirmed)
        };
        if is_told(&kernel) || at > START + Span::DAY {
            return at - START;
        }
        for effect in output.effects {
            if let Effect::Start(Task::Probe(Probe { ticket, .. })) = effect {
                let outcome = match shown.checked_sub(1) {
                    None => content(1),
                    Some(nth) => by_habit(2, shows[usize::from(nth) % shows.len()], told),
                };
                shown += 1;
                let (outcome, took) = (outcome.into(), Span::ZERO);
                let fetched = Fetched { outcome, body_bytes: 1, wire_bytes: 1, took };
                inputs.push(Input::Done { ticket, done: Done::Fetched(fetched) });
            }
        }
        if inputs.is_empty() {
            at = kernel.next_deadline().expect("there is always a next look").max(at);
            if let Some(after) = asked.take_if(|after| START + *after <= at) {
                at = START + after;
                let (request, actor) = (RequestId(2), Actor::SYSTEM);
                let command = Command::ProbeNow { source };
                inputs.push(Input::Command { request, actor, command });
            }
        }
    }
}

#[test]
fn an_outage_by_habit_is_told_once_it_lasts_whatever_its_form() {
    use Odd::{Empty, Error};
    for shows in [&[Error][..], &[Error, Empty], &[Error, Error, Empty, Empty]] {
        for (told, least) in [(2, 6.0), (3, 12.0)] {
            let hours = told_after(shows, told, None).as_secs_f64() / 3600.0;
            assert!((least..least + 0.5).contains(&hours), "{shows:?}: after {hours} h");
        }
    }
}

#[test]
fn a_person_who_asks_hears_of_an_outage_by_habit_at_once() {
    let after = Span::HOUR + Span::MINUTE.times(2);
    let told = told_after(&[Odd::Error], 2, Some(after));
    assert!(after <= told && told < after + Span::MINUTE.times(2), "{told:?}");
}

#[test]
fn an_error_that_may_be_a_state_counts_when_it_is_seen_twice() {
    let of = |body, odd| {
        let ProbeEnd::Content(mut facts, shown) = content(body) else {
            unreachable!("it is content")
        };
        (facts.odd, facts.kind) = (odd, page::Kind::Json);
        ProbeEnd::Content(facts, shown)
    };
    let sold_out = || of(2, Some(Odd::Error));
    let looks = looks(vec![of(1, None), sold_out(), sold_out()]);
    assert!(matches!(looks[1], ProbeOutcome::Held(_)), "{looks:?}");
    assert!(matches!(looks[2], ProbeOutcome::Version(_)), "{looks:?}");
}
