//! When a digest goes: after the look of its window, whatever else happens.

use super::content;
use chronon::{BlobId, Instant, Span};
use graph::Outline;
use kernel::io::{
    ApplyMode, Computation, Done, Effect, Fetched, Input, Output, Probe, RequestId, Task,
};
use kernel::record::{Record, Snapshot};
use kernel::{Config, Kernel, Proposal};
use outbox::{OutboxRecord, Row, State};

const START: Instant = Instant::from_millis(1_800_000_000_000);
const TEXT: &str = "create sentinel s using https://a.example/ monitor links
    fetch every 10 minutes within 2 minutes from 2027-01-15 08:00
    notify by webhook https://me.example/ every 10 minutes";

/// A server whose page is another at each look, and whose comparisons always find something.
struct Desk {
    kernel: Kernel,
    now: Instant,
    version: u8,
    rows: Vec<Row>,
}

impl Desk {
    fn new() -> Desk {
        let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), START);
        kernel.step(START, Input::Started);
        let apply =
            kernel.application(START, RequestId(1), Proposal::of_system(TEXT, ApplyMode::Upsert));
        let mut desk = Desk { kernel, now: START, version: 0, rows: Vec::new() };
        let output = desk.kernel.step(START, apply);
        desk.work(output);
        desk
    }

    fn work(&mut self, output: Output) {
        let mut effects = output.effects;
        self.keep(output.records);
        while let Some(effect) = effects.pop() {
            let input = match effect {
                Effect::Start(Task::Probe(Probe { ticket, .. })) => {
                    self.version += 1;
                    let (body_bytes, took) = (1, Span::ZERO);
                    let outcome = content(self.version);
                    let fetched =
                        Fetched { outcome: outcome.into(), body_bytes, wire_bytes: 1, took };
                    Input::Done { ticket, done: Done::Fetched(fetched) }
                }
                Effect::Start(Task::Compute(Computation::Compare { ticket, request, .. })) => {
                    let hits = request.comparisons.iter().map(|c| Some(vec![1; c.leaves.len()]));
                    let outline = Outline { result: BlobId([9; 32]), comparisons: hits.collect() };
                    Input::Done { ticket, done: Done::Compared(outline, None) }
                }
                _ => continue,
            };
            let output = self.kernel.step(self.now, input);
            self.keep(output.records);
            effects.extend(output.effects);
        }
    }

    fn keep(&mut self, records: Vec<Record>) {
        for record in records {
            if let Record::Outbox(OutboxRecord::Row(row)) = record {
                self.rows.retain(|other| other.id != row.id);
                self.rows.push(*row);
            }
        }
    }

    fn live_until(&mut self, end: Instant) {
        while let Some(next) = self.kernel.next_deadline().filter(|&next| next <= end) {
            self.now = next.max(self.now);
            let output = self.kernel.step(self.now, Input::Tick);
            self.work(output);
        }
        self.now = end;
    }

    fn states(&self) -> Vec<(&State, usize)> {
        self.rows.iter().map(|row| (&row.state, row.members.len())).collect()
    }
}

#[test]
fn a_digest_goes_when_the_look_of_its_window_is_compared() {
    let mut desk = Desk::new();
    desk.live_until(START + Span::from_secs(605));
    assert_eq!(desk.states(), [(&State::Closed, 1)], "seconds after the look, not at 08:20");
    assert_eq!(desk.rows[0].closed_at, Some(START + Span::from_secs(600)));
}

#[test]
fn a_window_whose_look_was_missed_while_nobody_ran_closes_at_the_start() {
    let mut desk = Desk::new();
    let text = TEXT.replace("fetch every 10", "fetch every 5").replace("within 2 minutes ", "");
    let apply = desk.kernel.application(
        desk.now,
        RequestId(2),
        Proposal::of_system(&text, ApplyMode::Upsert),
    );
    let output = desk.kernel.step(desk.now, apply);
    desk.work(output);
    desk.live_until(START + Span::from_secs(605));
    let open: Vec<&Row> =
        desk.rows.iter().filter(|row| matches!(row.state, State::Open { .. })).collect();
    assert_eq!(open.len(), 1, "the look at 08:15 is still to come: {:?}", desk.states());
    let mut snapshot = desk.kernel.fold(desk.now);
    snapshot.outbox = desk.rows.clone();
    snapshot.channels = desk.kernel.channels();
    let now = START + Span::from_secs(1_000);
    let mut kernel = Kernel::load(Config::new(1), snapshot, now);
    let output = kernel.step(now, Input::Started);
    let closed = output.records.iter().any(|record| match record {
        Record::Outbox(OutboxRecord::Row(row)) => row.closed_at == Some(now),
        _ => false,
    });
    assert!(closed, "{:?}", output.records);
}
