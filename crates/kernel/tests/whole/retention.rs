//! When the store is asked to let go of finished notifications.

use chronon::{Instant, SentinelId, Span};
use kernel::io::{Actor, ApplyMode, Command, Effect, FinishedPrune, Prune, RequestId};
use kernel::{Config, Input, Kernel, Output, Proposal, Snapshot};

const START: Instant = Instant::from_millis(1_800_000_000_000);

fn started() -> Kernel {
    let mut kernel = Kernel::load(Config::new(2), Snapshot::default(), START);
    kernel.step(START, Input::Started);
    kernel
}

fn prunings(output: &Output) -> Vec<FinishedPrune> {
    let finished = |effect: &Effect| match effect {
        Effect::Prune(Prune::Finished(prune)) => Some(prune.clone()),
        _ => None,
    };
    output.effects.iter().filter_map(finished).collect()
}

#[test]
fn finished_notifications_are_pruned_once_an_hour_with_longer_histories_named() {
    let mut kernel = started();
    let text = "create sentinel long using https://one.example/ changehistory 300\n\
                create sentinel short using https://two.example/ changehistory 100\n\
                create sentinel gone using https://two.example/ changehistory 500\n";
    let request = RequestId(1);
    let apply = kernel.application(START, request, Proposal::of_system(text, ApplyMode::Upsert));
    kernel.step(START, apply);
    kernel.step(
        START,
        Input::Command {
            actor: Actor::SYSTEM,
            request,
            command: Command::Remove { name: "gone".into() },
        },
    );
    let early = kernel.step(START + Span::MINUTE.times(59), Input::Tick);
    assert_eq!(prunings(&early), []);
    for hour in 1..=3 {
        let now = START + Span::HOUR.times(hour);
        let [prune] = &prunings(&kernel.step(now, Input::Tick))[..] else { panic!("hour {hour}") };
        assert_eq!(prune.before, now - Span::DAY.times(90));
        assert_eq!((prune.history, &prune.histories), (100, &vec![(SentinelId(1), 300)]));
    }
}

#[test]
fn what_goes_keeps_pace_with_what_comes() {
    let mut kernel = started();
    let mut asked = Vec::new();
    for n in 1..=1_500 {
        let (request, name) = (RequestId(n), "interactive".into());
        let output = kernel.step(
            START,
            Input::Command {
                actor: Actor::SYSTEM,
                request,
                command: Command::TestChannel { name, contact: None },
            },
        );
        for prune in prunings(&output) {
            asked.push(n);
            assert!(prune.limit >= 2 * 500, "looks at more than came");
        }
    }
    assert_eq!(asked, [500, 1_000, 1_500]);
    assert_eq!(kernel.fold(START).owners[0].next_notification, 1_501);
}
