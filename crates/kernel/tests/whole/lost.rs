//! Stores that lost rows: what was repaired is served, and says what it lost.

use chronon::{Instant, OwnerId, Span};
use kernel::io::{Actor, Answer, ApplyMode, Command, Effect, Input, Output, RequestId};
use kernel::record::{SentinelState, Snapshot};
use kernel::{Config, Kernel, Proposal};

const NOW: Instant = Instant::from_millis(1_800_000_000_000);
const TEXT: &str = "create sentinel a using https://a.example/ to now + 2 days
  create sentinel b using https://a.example/ fetch every 1 hour
  create sentinel c using https://c.example/ from now + 1 hour";

fn answers(output: &Output) -> Vec<Answer> {
    let answer = |effect: &Effect| match effect {
        Effect::Answer { answer, .. } => Some(answer.clone()),
        _ => None,
    };
    output.effects.iter().filter_map(answer).collect()
}

/// What a store would hold of three sentinels.
fn stored() -> Snapshot {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), NOW);
    kernel.step(NOW, Input::Started);
    let input = kernel.application(NOW, RequestId(1), Proposal::of_system(TEXT, ApplyMode::Upsert));
    kernel.step(NOW, input);
    while kernel.next_deadline().is_some_and(|at| at <= NOW) {
        kernel.step(NOW, Input::Tick);
    }
    let mut snapshot = kernel.fold(NOW);
    snapshot.channels = kernel.channels();
    snapshot
}

fn lives(snapshot: Snapshot) {
    let mut kernel = Kernel::load(Config::new(1), snapshot, NOW);
    let mut at = NOW;
    kernel.step(at, Input::Started);
    for _ in 0..200 {
        let Some(next) = kernel.next_deadline().filter(|next| *next < NOW + Span::DAY) else {
            break;
        };
        at = at.max(next);
        kernel.step(at, Input::Tick);
    }
    at = NOW + Span::DAY;
    kernel.step(at, Input::Tick);
    for name in ["a", "b", "c"] {
        let view = kernel.sentinel(OwnerId::FIRST, name, at).expect("it is there");
        assert_eq!(view.life.state, SentinelState::Active, "{name}");
        assert!(kernel.source(view.row.source, at).is_some_and(|s| !s.sentinels.is_empty()));
    }
    kernel.step(NOW + Span::DAY.times(3), Input::Tick);
    at = NOW + Span::DAY.times(3);
    let disable = Input::Command {
        actor: Actor::SYSTEM,
        request: RequestId(2),
        command: Command::Enable { name: "b".into(), enabled: false },
    };
    assert_eq!(answers(&kernel.step(at, disable)), [Answer::Done]);
    for name in ["a", "b", "c"] {
        let remove = Input::Command {
            actor: Actor::SYSTEM,
            request: RequestId(3),
            command: Command::Remove { name: name.into() },
        };
        assert_eq!(answers(&kernel.step(at, remove)), [Answer::Done]);
    }
}

#[test]
fn a_sentinel_whose_source_or_stream_was_lost_begins_anew() {
    lives(stored());
    for lost in 0..stored().sources.len() {
        let mut snapshot = stored();
        snapshot.sources.remove(lost);
        lives(snapshot);
    }
    for lost in 0..stored().streams.len() {
        let mut snapshot = stored();
        snapshot.streams.remove(lost);
        lives(snapshot);
    }
    let warns = |snapshot: Snapshot| {
        let mut kernel = Kernel::load(Config::new(1), snapshot, NOW);
        kernel.take_warnings().join("\n")
    };
    assert_eq!(warns(stored()), "");
    let mut snapshot = stored();
    snapshot.streams.clear();
    assert!(warns(snapshot).contains("what sentinel `a` compared with is lost"));
}
