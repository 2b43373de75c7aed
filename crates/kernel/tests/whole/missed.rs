//! Intervals that pass while a look of before is still on its way.

use super::content;
use chronon::{Instant, OwnerId, Span};
use kernel::io::{ApplyMode, Done, Effect, Fetched, Input, Probe, RequestId, Task};
use kernel::record::Snapshot;
use kernel::view::Missed;
use kernel::{Config, Kernel, Proposal};
use schedule::Obstacle;

#[test]
fn every_interval_that_a_long_look_covers_is_counted_as_missed() {
    let start = Instant::from_millis(1_800_000_000_000);
    let mut config = Config::new(1);
    config.schedule.host_interval = Span::SECOND;
    let mut kernel = Kernel::load(config, Snapshot::default(), start);
    kernel.step(start, Input::Started);
    let text = "create sentinel s using https://a.example/ fetch every 10 seconds within 2 seconds";
    let apply =
        kernel.application(start, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert));
    let mut output = kernel.step(start, apply);
    let mut at = start;
    let ticket = loop {
        let probe = output.effects.iter().find_map(|effect| match effect {
            Effect::Start(Task::Probe(Probe { ticket, .. })) => Some(*ticket),
            _ => None,
        });
        if let Some(ticket) = probe {
            break ticket;
        }
        at = kernel.next_deadline().expect("the first look is due").max(at);
        output = kernel.step(at, Input::Tick);
    };
    assert!(at <= start + Span::from_secs(2), "the look starts inside the first interval");
    let (body_bytes, took) = (1, Span::from_secs(45));
    let fetched = Fetched { outcome: content(1).into(), body_bytes, wire_bytes: 1, took };
    let end = start + Span::from_secs(45);
    kernel.step(end, Input::Done { ticket, done: Done::Fetched(fetched) });
    let view = kernel.sentinel(OwnerId::FIRST, "s", end).expect("it was applied");
    // The first was captured; those at 10, 20, 30 and 40 s passed meanwhile.
    assert_eq!((kernel.counters().eis_captured, kernel.counters().eis_missed), (1, 4));
    assert_eq!(view.missed, 4);
}

#[test]
fn a_first_look_that_comes_too_soon_for_its_host_blames_no_looks_of_before() {
    let start = Instant::from_millis(1_800_000_000_000);
    let mut config = Config::new(1);
    config.schedule.host_interval = Span::from_secs(5);
    let mut kernel = Kernel::load(config, Snapshot::default(), start);
    kernel.step(start, Input::Started);
    let text = "create sentinel s using https://a.example/ fetch every 1 minute within 2 seconds \
                from 2027-01-15 08:00";
    let apply =
        kernel.application(start, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert));
    kernel.step(start, apply);
    let end = start + Span::from_secs(3);
    while kernel.next_deadline().is_some_and(|at| at <= end) {
        let at = kernel.next_deadline().expect("it was there").max(start);
        let effects = kernel.step(at, Input::Tick).effects;
        let looks = |effect: &Effect| matches!(effect, Effect::Start(Task::Probe(_)));
        assert!(!effects.iter().any(looks), "the host's bucket starts empty");
    }
    let view = kernel.sentinel(OwnerId::FIRST, "s", end).expect("it was applied");
    assert_eq!(view.missed, 1);
    let why = view.missed_why.map(|why| why.said());
    assert_eq!(why, Some("its host could not be asked so soon"));
}

#[test]
fn looks_that_the_budget_cannot_pay_at_once_take_turns_and_say_so() {
    let start = Instant::from_millis(1_800_000_000_000);
    let mut config = Config::new(1);
    config.schedule.budget = 0.2;
    let mut kernel = Kernel::load(config, Snapshot::default(), start);
    kernel.step(start, Input::Started);
    let text: String = ["a", "b", "c"]
        .map(|name| {
            format!(
                "create sentinel {name} using https://{name}.example/ \
                 fetch every 1 minute from 2027-01-15 08:00\n"
            )
        })
        .concat();
    let apply =
        kernel.application(start, RequestId(1), Proposal::of_system(&text, ApplyMode::Upsert));
    let (mut at, end) = (start, start + Span::MINUTE.times(12));
    let mut inputs = vec![apply];
    let mut probed = std::collections::BTreeMap::<_, u32>::new();
    while at < end {
        let input = inputs.pop().unwrap_or(Input::Tick);
        for effect in kernel.step(at, input).effects {
            if let Effect::Start(Task::Probe(Probe { ticket, source, .. })) = effect {
                *probed.entry(source).or_default() += 1;
                let (body_bytes, took) = (1, Span::ZERO);
                let fetched =
                    Fetched { outcome: content(1).into(), body_bytes, wire_bytes: 1, took };
                inputs.push(Input::Done { ticket, done: Done::Fetched(fetched) });
            }
        }
        if inputs.is_empty() {
            at = kernel.next_deadline().expect("there is always a next interval").max(at);
        }
    }
    // Two of the three fit into the six seconds of an interval: nobody waits for two intervals.
    assert!(probed.len() == 3 && probed.values().all(|&count| count >= 6), "{probed:?}");
    let counters = kernel.counters();
    assert!(counters.eis_missed > 0 && counters.eis_passed_over == counters.eis_missed);
    for name in ["a", "b", "c"] {
        let why = kernel.sentinel(OwnerId::FIRST, name, end).expect("it was applied").missed_why;
        assert_eq!(why, Some(Missed::Waited(Obstacle::Budget)), "{name}");
        assert_eq!(why.map(|why| why.said()), Some("the budget went to other looks"));
    }
}
