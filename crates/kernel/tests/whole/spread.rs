//! Looks without a clock are spread: over the hosts, and over the period of each.

use super::content;
use chronon::{Instant, OwnerId, Period, Span};
use kernel::io::{
    Answer, AppliedWhat, ApplyMode, Done, Effect, Fetched, Input, Probe, RequestId, Task,
};
use kernel::record::{Record, Snapshot, StreamRow, StreamSpec};
use kernel::{Config, Kernel, Proposal};
use std::collections::BTreeMap;

const START: Instant = Instant::from_millis(1_800_000_000_000);

fn started() -> Kernel {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), START);
    kernel.step(START, Input::Started);
    kernel
}

fn apply(kernel: &Kernel, text: &str) -> Input {
    kernel.application(START, RequestId(1), Proposal::of_system(text, ApplyMode::Upsert))
}

fn pages(count: usize, clauses: &str, host: impl Fn(usize) -> usize) -> String {
    let page = |n: usize| {
        format!("create sentinel s{n} using https://h{}.example/{n} {clauses}\n", host(n))
    };
    (0..count).map(page).collect()
}

/// Answers every probe at once until `end`; when they left.
fn live(kernel: &mut Kernel, text: &str, end: Instant) -> Vec<Instant> {
    let input = apply(kernel, text);
    go_on(kernel, vec![input], (START, end))
}

fn live_on(kernel: &mut Kernel, span: (Instant, Instant)) {
    go_on(kernel, Vec::new(), span);
}

fn go_on(
    kernel: &mut Kernel,
    mut inputs: Vec<Input>,
    (mut at, end): (Instant, Instant),
) -> Vec<Instant> {
    let mut probes = Vec::new();
    while at < end {
        let input = inputs.pop().unwrap_or(Input::Tick);
        for effect in kernel.step(at, input).effects {
            if let Effect::Start(Task::Probe(Probe { ticket, .. })) = effect {
                probes.push(at);
                let (body_bytes, took) = (1, Span::ZERO);
                let outcome = content(1);
                let fetched = Fetched { outcome: outcome.into(), body_bytes, wire_bytes: 1, took };
                inputs.push(Input::Done { ticket, done: Done::Fetched(fetched) });
            }
        }
        if inputs.is_empty() {
            at = kernel.next_deadline().expect("there is always a next look").max(at);
        }
    }
    probes
}

#[test]
fn twenty_pages_of_one_host_get_all_their_looks() {
    let mut kernel = started();
    let text = pages(20, "fetch every 10 minutes", |_| 1);
    live(&mut kernel, &text, START + Span::MINUTE.times(40));
    let counters = kernel.counters();
    assert_eq!(counters.eis_missed, 0);
    assert!(counters.eis_captured >= 60, "{} looks in forty minutes", counters.eis_captured);
}

#[test]
fn a_host_that_is_nearly_full_gets_all_its_looks() {
    let mut kernel = started();
    // 110 of the 120 looks that politeness allows in ten minutes.
    let text = pages(110, "fetch every 10 minutes", |_| 1);
    live(&mut kernel, &text, START + Span::HOUR);
    let counters = kernel.counters();
    let all = counters.eis_captured + counters.eis_missed;
    assert!(counters.eis_missed * 50 <= all, "{} of {all} missed", counters.eis_missed);
}

#[test]
fn a_thousand_pages_of_many_hosts_make_no_burst() {
    let mut kernel = started();
    let text = pages(1_000, "fetch every 1 hour", |n| n % 300);
    let probes = live(&mut kernel, &text, START + Span::HOUR.times(3));
    let mut minutes = BTreeMap::<i64, u32>::new();
    for at in probes {
        *minutes.entry((at - START).as_millis() / 60_000).or_default() += 1;
    }
    // The baselines come as soon as the budget allows, within two minutes; then 16.7 a minute.
    let later = minutes.range(60..);
    let most = later.map(|(_, count)| *count).max();
    assert!(most <= Some(25), "{most:?} looks in a minute");
    assert_eq!(kernel.counters().eis_missed, 0);
}

#[test]
fn a_page_is_seen_at_once_however_late_its_first_interval() {
    let mut kernel = started();
    let text = pages(2, "fetch every 1 day", |_| 1);
    let probes = live(&mut kernel, &text, START + Span::HOUR.times(20));
    assert!(probes[1] <= START + Span::from_secs(12), "both baselines: {probes:?}");
    let view = kernel.sentinel(OwnerId::FIRST, "s1", START).expect("it was applied");
    let looks = view.looks.expect("it says how often");
    assert_eq!(looks.next, START + Span::HOUR.times(36), "half a day after the other, next day");
    assert_eq!(looks.period, Period::Days(1));
}

/// A store as the first release left it: all intervals began at one moment.
fn first_release(count: usize, clauses: &str) -> Snapshot {
    let mut kernel = started();
    let apply = apply(&kernel, &pages(count, clauses, |_| 1));
    let output = kernel.step(START, apply);
    let mut snapshot = kernel.fold(START);
    assert!(output.records.iter().any(|record| matches!(record, Record::Stream(_))));
    for stream in &mut snapshot.streams {
        if let StreamSpec::Every { t0, .. } = &mut stream.spec {
            *t0 = START;
        }
        stream.next_ei = 7;
    }
    snapshot.meta.spread = false;
    snapshot
}

fn begins(row: &StreamRow) -> Instant {
    match &row.spec {
        StreamSpec::Every { t0, period, zone, .. } => period.nth(*t0, row.next_ei, zone),
        StreamSpec::OnChange => unreachable!("all ask for looks"),
    }
}

#[test]
fn looks_of_the_first_release_are_spread_once_and_go_on_counting() {
    let now = START + Span::MINUTE.times(68);
    let snapshot = first_release(10, "fetch every 10 minutes");
    let mut kernel = Kernel::load(Config::new(1), snapshot, now);
    let output = kernel.step(now, Input::Started);
    let rows: Vec<StreamRow> = (output.records.into_iter())
        .filter_map(|record| match record {
            Record::Stream(row) => Some(row),
            _ => None,
        })
        .collect();
    assert_eq!(rows.len(), 10);
    let mut starts: Vec<Instant> = rows.iter().map(begins).collect();
    starts.sort();
    assert!(rows.iter().all(|row| row.next_ei == 7), "the count goes on");
    assert!(now <= starts[0] && starts[9] < now + Span::MINUTE.times(10));
    let apart = starts.windows(2).map(|pair| pair[1] - pair[0]).min();
    assert!(apart >= Some(Span::from_secs(36)), "{starts:?}");
    let again = Kernel::load(Config::new(1), kernel.fold(now), now);
    assert_eq!(again.fold(now).streams, kernel.fold(now).streams);
    let mut again = again;
    let output = again.step(now, Input::Started);
    assert!(!output.records.iter().any(|record| matches!(record, Record::Stream(_))), "only once");
}

#[test]
fn a_clock_that_was_written_stays_at_the_upgrade() {
    let snapshot = first_release(3, "fetch every 10 minutes from 2027-01-15 08:00");
    let mut kernel = Kernel::load(Config::new(1), snapshot, START);
    let output = kernel.step(START, Input::Started);
    assert!(!output.records.iter().any(|record| matches!(record, Record::Stream(_))));
}

#[test]
fn who_weighs_more_is_looked_at_first_also_after_a_change_in_place() {
    let clauses = "fetch every 10 minutes within 20 seconds from 2027-01-15 08:00";
    let mut kernel = started();
    let text = pages(10, clauses, |_| 1);
    live(&mut kernel, &text, START + Span::MINUTE.times(5));
    // Five of ten looks fit into the twenty seconds: these shall be among them.
    let heavy = [7, 8, 9];
    for n in heavy {
        let before =
            kernel.sentinel(OwnerId::FIRST, &format!("s{n}"), START).expect("it was applied");
        let text =
            format!("create sentinel s{n} using https://h1.example/{n} {clauses} weight 100");
        let now = START + Span::MINUTE.times(5);
        let apply =
            kernel.application(now, RequestId(2), Proposal::of_system(&text, ApplyMode::Upsert));
        let output = kernel.step(START + Span::MINUTE.times(5), apply);
        let said = output.effects.iter().any(|effect| match effect {
            Effect::Answer { answer: Answer::Applied(applied), .. } => {
                applied[0].what == AppliedWhat::Changed
            }
            _ => false,
        });
        assert!(said, "{:?}", output.effects);
        let after =
            kernel.sentinel(OwnerId::FIRST, &format!("s{n}"), START).expect("it was applied");
        assert_eq!(after.row.generation, before.row.generation, "it goes on");
        assert!(after.row.text != before.row.text);
    }
    let missed = |kernel: &Kernel, n: usize| {
        kernel.sentinel(OwnerId::FIRST, &format!("s{n}"), START).expect("it was applied").missed
    };
    let before = heavy.map(|n| missed(&kernel, n));
    live_on(&mut kernel, (START + Span::MINUTE.times(5), START + Span::HOUR));
    assert_eq!(heavy.map(|n| missed(&kernel, n)), before, "none of theirs is missed from now on");
    let light: u64 = (0..7).map(|n| missed(&kernel, n)).sum();
    assert!(light > 10, "the others take turns: {light} missed");
}
