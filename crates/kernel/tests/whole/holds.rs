//! Hosts that ask for a pause.

use super::content;
use chronon::{Instant, Span};
use kernel::io::{
    Announcement, ApplyMode, Done, Effect, Fetched, Input, Output, Probe, ProbeEnd, RequestId,
    Task, Ticket,
};
use kernel::{Config, Kernel, Proposal, Record, Snapshot};

const START: Instant = Instant::from_millis(1_800_000_000_000);

fn probes(output: &Output) -> Vec<Ticket> {
    let ticket = |effect: &Effect| match effect {
        Effect::Start(Task::Probe(Probe { ticket, .. })) => Some(*ticket),
        _ => None,
    };
    output.effects.iter().filter_map(ticket).collect()
}

fn answer(kernel: &mut Kernel, at: Instant, ticket: Ticket, outcome: ProbeEnd) -> Output {
    let fetched =
        Fetched { outcome: outcome.into(), body_bytes: 1, wire_bytes: 1, took: Span::SECOND };
    kernel.step(at, Input::Done { ticket, done: Done::Fetched(fetched) })
}

fn busy(retry_after: Option<Span>) -> ProbeEnd {
    ProbeEnd::Failed {
        status: Some(503),
        reason: "the server answered 503".into(),
        holds_host: true,
        retry_after,
    }
}

/// Until when the step holds the host.
fn held(output: &Output) -> Option<Instant> {
    output.records.iter().find_map(|record| match record {
        Record::Host(row) => row.held_until,
        _ => None,
    })
}

fn config() -> Config {
    let mut config = Config::new(2);
    config.schedule.host_interval = Span::ZERO;
    config.schedule.host_in_flight = 2;
    config
}

/// Two pages of one host, both being looked at.
fn both_on_their_way() -> (Kernel, [Ticket; 2]) {
    let mut kernel = Kernel::load(config(), Snapshot::default(), START);
    kernel.step(START, Input::Started);
    let text = "create sentinel a using https://one.example/a monitor links\n\
                create sentinel b using https://one.example/b monitor links\n";
    let apply =
        kernel.application(START, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert));
    let mut tickets = probes(&kernel.step(START, apply));
    for second in 1..10 {
        tickets.extend(probes(&kernel.step(START + Span::from_secs(second), Input::Tick)));
    }
    let tickets = tickets.try_into().expect("each is looked at once");
    (kernel, tickets)
}

#[test]
fn a_later_shorter_pause_does_not_shorten_a_hold() {
    let (mut kernel, [first, second]) = both_on_their_way();
    let at = START + Span::from_secs(10);
    let until = held(&answer(&mut kernel, at, first, busy(Some(Span::from_secs(600)))));
    assert_eq!(until, Some(at + Span::from_secs(600)));
    let again = answer(&mut kernel, at, second, busy(Some(Span::from_secs(5))));
    assert_eq!(held(&again), until);
    let probed = |kernel: &mut Kernel| {
        (11..600)
            .flat_map(|s| probes(&kernel.step(START + Span::from_secs(s), Input::Tick)))
            .count()
    };
    assert_eq!(probed(&mut kernel), 0);
    // Nor does a start.
    let mut loaded = Kernel::load(config(), kernel.fold(at), at);
    loaded.step(at, Input::Started);
    assert_eq!(probed(&mut loaded), 0);
}

#[test]
fn an_answer_of_a_look_that_began_before_the_pause_does_not_undo_it() {
    let (mut kernel, [first, second]) = both_on_their_way();
    let at = START + Span::from_secs(10);
    assert_eq!(held(&answer(&mut kernel, at, first, busy(None))), Some(at + Span::MINUTE));
    answer(&mut kernel, at, second, content(1));
    // The next pause without a length is twice as long all the same.
    for second in 11..400 {
        let now = START + Span::from_secs(second);
        if let Some(&ticket) = probes(&kernel.step(now, Input::Tick)).first() {
            assert_eq!(
                held(&answer(&mut kernel, now, ticket, busy(None))),
                Some(now + Span::MINUTE.times(2))
            );
            return;
        }
    }
    panic!("the host is asked again");
}

#[test]
fn pauses_in_a_row_outlive_the_process_until_the_host_answers() {
    let (mut kernel, [first, second]) = both_on_their_way();
    let at = START + Span::from_secs(10);
    answer(&mut kernel, at, first, busy(None));
    let [row] = &kernel.fold(at).hosts[..] else { panic!("one host") };
    assert_eq!((row.held_until, row.holds), (Some(at + Span::MINUTE), 1));
    answer(&mut kernel, at, second, content(1));
    let mut kernel = Kernel::load(config(), kernel.fold(at), at);
    kernel.step(at, Input::Started);
    let later = at + Span::HOUR;
    let tickets = probes(&kernel.step(later, Input::Tick));
    let [failing, ..] = tickets[..] else { panic!("the hosts pause is over") };
    let until = held(&answer(&mut kernel, later, failing, busy(None)));
    assert_eq!(until, Some(later + Span::MINUTE.times(2)));
    for minute in 1..600 {
        let now = later + Span::MINUTE.times(minute);
        let Some(&ticket) = probes(&kernel.step(now, Input::Tick)).first() else { continue };
        let output = answer(&mut kernel, now, ticket, content(2));
        let is_gone = |record: &Record| *record == Record::HostGone("one.example".into());
        if output.records.iter().any(is_gone) {
            return assert_eq!(kernel.fold(now).hosts, []);
        }
    }
    panic!("a host that answers is forgotten");
}

#[test]
fn a_failed_look_is_announced_with_the_address_of_its_page() {
    let (mut kernel, [first, _]) = both_on_their_way();
    let output = answer(&mut kernel, START + Span::from_secs(20), first, busy(None));
    let announced: Vec<&str> = (output.effects.iter())
        .filter_map(|effect| match effect {
            Effect::Announce(Announcement::Probe { address, .. }) => Some(&**address),
            _ => None,
        })
        .collect();
    assert_eq!(announced, ["https://one.example/a"]);
}
