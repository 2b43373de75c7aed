//! A machine that believed in a far future wrote its store, and then learned the time.

use super::content;
use chronon::{BlobId, Instant, OwnerId, Span};
use graph::Outline;
use kernel::io::{
    Answer, ApplyMode, Computation, Done, Effect, Fetched, Input, Output, Probe, RequestId, Task,
};
use kernel::record::{Meta, SentinelState, Snapshot, StreamSpec};
use kernel::{Config, Kernel, Proposal, Record};
use outbox::{OutboxRecord, Row};

const TEXT: &str = "create sentinel s using https://a.example/ monitor links
    fetch every 10 minutes notify by webhook https://me.example/ every 1 hour";

/// Answers every probe with another page and every comparison with a change; the digests that come
/// of it.
fn answer(kernel: &mut Kernel, now: Instant, output: Output, version: &mut u8) -> Vec<Row> {
    let (mut waiting, mut rows) = (output.effects, Vec::new());
    while let Some(effect) = waiting.pop() {
        let input = match effect {
            Effect::Start(Task::Probe(Probe { ticket, .. })) => {
                *version = version.wrapping_add(1);
                let (body_bytes, took) = (1, Span::ZERO);
                let outcome = content(*version);
                let outcome = outcome.into();
                let fetched = Fetched { outcome, body_bytes, wire_bytes: 1, took };
                Input::Done { ticket, done: Done::Fetched(fetched) }
            }
            Effect::Start(Task::Compute(Computation::Compare { ticket, request, .. })) => {
                let hits = request.comparisons.iter().map(|c| Some(vec![1; c.leaves.len()]));
                let outline = Outline { result: BlobId([9; 32]), comparisons: hits.collect() };
                Input::Done { ticket, done: Done::Compared(outline, None) }
            }
            _ => continue,
        };
        let output = kernel.step(now, input);
        waiting.extend(output.effects);
        rows.extend(output.records.into_iter().filter_map(|record| match record {
            Record::Outbox(OutboxRecord::Row(row)) => Some(*row),
            _ => None,
        }));
    }
    rows
}

/// A kernel that begins to watch now.
fn begun(now: Instant) -> Kernel {
    begun_with(TEXT, now)
}

fn begun_with(text: &str, now: Instant) -> Kernel {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), now);
    kernel.step(now, Input::Started);
    let apply = kernel.application(now, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert));
    let output = kernel.step(now, apply);
    let applied =
        |effect: &Effect| matches!(effect, Effect::Answer { answer: Answer::Applied(_), .. });
    assert!(output.effects.iter().any(applied), "{:?}", output.effects);
    kernel
}

/// Steps to `until` by deadlines, answering everything.
fn run(kernel: &mut Kernel, from: Instant, until: Instant, version: &mut u8) {
    let mut at = from;
    while let Some(next) = kernel.next_deadline().filter(|&next| next <= until) {
        at = at.max(next);
        let output = kernel.step(at, Input::Tick);
        answer(kernel, at, output, version);
    }
    let output = kernel.step(until, Input::Tick);
    answer(kernel, until, output, version);
}

/// A kernel that starts again at `now` from what this one would have stored.
fn again(kernel: &Kernel, then: Instant, now: Instant) -> Kernel {
    let mut snapshot = kernel.fold(then);
    snapshot.channels = kernel.channels();
    let mut kernel = Kernel::load(Config::new(1), snapshot, now);
    kernel.step(now, Input::Started);
    kernel
}

/// The next probe comes in time, if none is in `output` already.
fn probes_by(kernel: &mut Kernel, mut output: Output, (now, latest): (Instant, Instant)) {
    let mut at = now;
    while !output
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Start(Task::Probe(Probe { .. }))))
    {
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
        output.effects.iter().any(|effect| {
            matches!(effect, Effect::Start(Task::Compute(Computation::Compose { .. })))
        })
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

/// Noon of 15 January 2027, UTC.
const BEGIN: Instant = Instant::from_millis(1_800_014_400_000);
const WRITTEN: &str = "create sentinel month using https://a.example/ monitor links
    fetch every 1 hour from now to now + 30 days
  create sentinel nine using https://b.example/ monitor links
    fetch every 1 day from 2027-01-10 09:00
  create sentinel fresh using https://c.example/ monitor links";

#[test]
fn a_boot_in_2020_ends_nothing_and_moves_no_time_that_a_person_wrote() {
    let begin = BEGIN;
    let mut kernel = begun_with(WRITTEN, begin);
    let (mut version, mut now) = (0, begin + Span::HOUR.times(23));
    run(&mut kernel, begin, now, &mut version);
    let before = kernel.fold(now);

    let wrong = Instant::from_millis(1_577_836_800_000);
    let mut kernel = again(&kernel, now, wrong);
    run(&mut kernel, wrong, wrong + Span::HOUR, &mut version);
    // The network told the time, first to this process, then to one that starts anew.
    now += Span::HOUR;
    run(&mut kernel, now, now, &mut version);
    let mut kernel = again(&kernel, now, now);
    run(&mut kernel, now, now + Span::HOUR.times(2), &mut version);
    let after = kernel.fold(now);
    for ((old, _), (new, life)) in before.sentinels.iter().zip(&after.sentinels) {
        assert_eq!(life.state, SentinelState::Active, "{}", new.name);
        assert_eq!((old.defined_at, &old.text), (new.defined_at, &new.text));
    }
    let nine = |snapshot: &Snapshot| {
        let source = snapshot.sentinels.iter().find(|(row, _)| &*row.name == "nine");
        let source = source.expect("it is there").0.source;
        let stream = snapshot.streams.iter().find(|row| row.source == source).expect("a stream");
        let StreamSpec::Every { t0, .. } = stream.spec else { panic!("{:?}", stream.spec) };
        (t0, stream.elements.first().map(|element| element.version))
    };
    assert_eq!(nine(&before), nine(&after), "09:00 stays, and so does what it compares with");
    let end = begin + Span::DAY.times(30);
    kernel.step(end - Span::HOUR, Input::Tick);
    let state = |kernel: &Kernel| {
        kernel.sentinel(OwnerId::FIRST, "month", end).expect("it is there").life.state
    };
    assert_eq!(state(&kernel), SentinelState::Active);
    kernel.step(end, Input::Tick);
    assert_eq!(state(&kernel), SentinelState::Ended, "its own end");
}

#[test]
fn intervals_that_an_earlier_release_moved_are_where_the_text_says_again() {
    let begin = BEGIN;
    let kernel = begun_with(WRITTEN, begin);
    let mut snapshot = kernel.fold(begin);
    snapshot.channels = kernel.channels();
    let midnight = begin - Span::HOUR.times(12);
    let written: Vec<_> = snapshot.streams.iter().map(|row| row.spec.clone()).collect();
    for row in &mut snapshot.streams {
        if let StreamSpec::Every { t0, period: chronon::Period::Days(_), .. } = &mut row.spec {
            *t0 = midnight;
        }
    }
    let kernel = Kernel::load(Config::new(1), snapshot, begin);
    let specs: Vec<_> = kernel.fold(begin).streams.into_iter().map(|row| row.spec).collect();
    assert_eq!(specs, written);
}

#[test]
fn a_clock_that_ran_ahead_and_came_back_ends_nothing_for_good() {
    let begin = BEGIN;
    let mut kernel = begun_with(WRITTEN, begin);
    let (mut version, ahead) = (0, begin + Span::DAY.times(2_000));
    run(&mut kernel, begin, begin + Span::HOUR, &mut version);
    let output = kernel.step(ahead, Input::Tick);
    answer(&mut kernel, ahead, output, &mut version);
    let state = |kernel: &Kernel| {
        kernel.sentinel(OwnerId::FIRST, "month", ahead).expect("it is there").life.state
    };
    assert_eq!(state(&kernel), SentinelState::Ended, "by a clock that is wrong");

    let back = begin + Span::HOUR.times(2);
    assert!(kernel.fold(ahead).meta.doubts(back));
    let mut kernel = again(&kernel, ahead, back);
    assert!(!kernel.fold(back).meta.doubts(back), "a clock that is believed is not doubted again");
    run(&mut kernel, back, back + Span::HOUR.times(22), &mut version);
    assert_eq!(state(&kernel), SentinelState::Active);
    let looked =
        |name: &str| kernel.sentinel(OwnerId::FIRST, name, back).expect("it is there").row.source;
    for source in ["month", "nine", "fresh"].map(looked) {
        let last = kernel.source(source, back).expect("a source").row.last_success;
        assert!(last.is_some_and(|last| last < ahead && last > back), "{source}: {last:?}");
    }
}

#[test]
fn a_jump_of_time_lets_go_of_nothing_for_an_hour() {
    let begin = BEGIN;
    let mut kernel = begun_with(WRITTEN, begin);
    let (mut version, ahead) = (0, begin + Span::DAY.times(400));
    run(&mut kernel, begin, begin + Span::HOUR, &mut version);
    let prunes = |output: &Output| {
        output.effects.iter().filter(|effect| matches!(effect, Effect::Prune(_))).count()
    };
    let mut at = ahead;
    let mut pruned = Vec::new();
    for _ in 0..2_000 {
        let output = kernel.step(at, Input::Tick);
        if prunes(&output) > 0 {
            pruned.push(at);
        }
        answer(&mut kernel, at, output, &mut version);
        at = kernel.next_deadline().expect("an interval to come").max(at);
        if at > ahead + Span::HOUR.times(2) {
            break;
        }
    }
    let first = pruned.first().expect("retention goes on");
    assert!(*first >= ahead + Span::HOUR, "{first}");
}

#[test]
fn a_clock_is_doubted_when_it_is_more_than_a_minute_behind_the_store() {
    let newest = Instant::from_millis(1_800_000_000_000);
    let meta = Meta { newest, ..Meta::default() };
    assert!(!meta.doubts(newest - Span::MINUTE));
    assert!(meta.doubts(newest - Span::MINUTE - Span::from_millis(1)));
}
