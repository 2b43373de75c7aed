//! The step: dispatch, timers, flush.

use crate::addresses::Addresses;
use crate::config::Config;
use crate::flights::{Flight, Flights};
use crate::generations::Earlier;
use crate::io::{Answer, Command, Done, Effect, Input, Output, RequestId, Ticket};
use crate::record::{ApplyingRow, Meta, Record, StreamRow};
use crate::retention::Retention;
use crate::spread::Beats;
use crate::state::{Hosts, SentinelEntry, SourceEntry, StreamEntry, Timer, Timers};
use crate::turns::{Turn, Turns};
use crate::vetting::Rules;
use crate::view::Counters;
use chronon::{Instant, SentinelId, SourceId, Span, StreamId, VersionNo};
use graph::Graph;
use outbox::Outbox;
use schedule::Scheduler;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// How far the store's newest time may lag behind what is written.
const NEWEST_EVERY: Span = Span::from_secs(30);

/// The kernel's whole state. See the crate's documentation for its contract.
pub struct Kernel {
    pub(crate) config: Config,
    pub(crate) now: Instant,
    pub(crate) meta: Meta,
    /// Boxed, as sources and streams are: nodes of a map filled in order are half empty.
    pub(crate) sentinels: BTreeMap<SentinelId, Box<SentinelEntry>>,
    /// By name in lower case.
    pub(crate) names: BTreeMap<Box<str>, SentinelId>,
    pub(crate) earlier: Earlier,
    pub(crate) sources: BTreeMap<SourceId, Box<SourceEntry>>,
    pub(crate) urls: Addresses,
    pub(crate) hosts: Hosts,
    pub(crate) hosts_held: BTreeMap<Box<str>, Instant>,
    /// Hosts that asked those for a pause whom redirects led there: until when, and how often in a
    /// row without saying how long.
    pub(crate) redirects_held: BTreeMap<Box<str>, Instant>,
    pub(crate) redirect_holds: BTreeMap<Box<str>, u32>,
    pub(crate) streams: BTreeMap<StreamId, Box<StreamEntry>>,
    pub(crate) beats: Beats,
    pub(crate) graph: Graph,
    pub(crate) scheduler: Scheduler,
    pub(crate) outbox: Outbox,
    pub(crate) retention: Retention,
    pub(crate) timers: Timers,
    pub(crate) flights: Flights,
    /// Sources whose first round waits for a place, in order of opening.
    pub(crate) ready: BTreeSet<(Instant, SourceId)>,
    /// Versions that wait for a place to be extracted again.
    pub(crate) stale: BTreeSet<(SourceId, VersionNo)>,
    pub(crate) next_ei: u64,
    pub(crate) dirty: Dirty,
    pub(crate) out: Output,
    pub(crate) counters: Counters,
    pub(crate) recent: VecDeque<(i64, u32)>,
    pub(crate) warnings: Vec<String>,
    pub(crate) rules: Arc<Rules>,
    /// Whoever changes names, one after the other.
    pub(crate) turns: Turns,
    /// What is stored of the file whose turn it is, once its first sentinels are defined.
    pub(crate) applying: Option<ApplyingRow>,
}

/// Rows that changed in this step; each is written once, at its end.
#[derive(Default)]
pub(crate) struct Dirty {
    pub(crate) meta: bool,
    pub(crate) sources: BTreeSet<SourceId>,
    pub(crate) lives: BTreeSet<SentinelId>,
    pub(crate) streams: BTreeSet<StreamId>,
}

impl Kernel {
    /// One step: pure but for the kernel's own state. `now` never goes back: an earlier one
    /// counts as the last.
    pub fn step(&mut self, now: Instant, input: Input) -> Output {
        self.retention.jumped(self.now, now);
        self.now = self.now.max(now);
        self.run_timers();
        self.handle(input);
        self.take_turns();
        self.run_timers();
        self.start_probes();
        self.start_rounds();
        self.start_reextractions();
        self.start_deliveries();
        self.prune_in_pace();
        self.flush()
    }

    /// When the kernel wants a `Tick`, if nothing else happens; at once if it is in the past.
    pub fn next_deadline(&self) -> Option<Instant> {
        let deadlines = [
            self.turns.is_waiting().then_some(self.now),
            self.timers.next(),
            self.scheduler.next_deadline(),
            self.outbox.next_deadline(),
        ];
        deadlines.into_iter().flatten().min()
    }

    /// Somebody who changes names has not come to an end: another step goes on at once.
    pub fn is_changing_names(&self) -> bool {
        self.turns.is_waiting()
    }

    fn handle(&mut self, input: Input) {
        match input {
            Input::Started => self.started(),
            Input::Tick => {}
            Input::BudgetSet { per_chronon } => {
                self.config.schedule.budget = per_chronon;
                self.scheduler.handle(self.now, schedule::Event::BudgetSet { per_chronon });
            }
            Input::Command { request, command } => self.command(request, command),
            Input::Done { ticket, done } => self.done(ticket, done),
            Input::DueLoaded { channel, mut rows } => {
                for row in &mut rows {
                    crate::load::bound_row(row, self.now);
                }
                self.outbox.due_loaded(self.now, channel, rows);
            }
        }
    }

    fn command(&mut self, request: RequestId, command: Command) {
        let answer = match command {
            Command::Apply { text, mode } => {
                return self.queue_turn(Turn::apply(request, *text, mode));
            }
            Command::Remove { name } => return self.queue_turn(Turn::Remove { request, name }),
            Command::Enable { name, enabled: true } => self.enable(&name),
            Command::Enable { name, enabled: false } => self.disable(&name),
            Command::ProbeNow { source } => self.probe_now(source),
            Command::ReadNotification { notification, row } => {
                self.read_notification(notification, row)
            }
            Command::ResendNotification { notification, row } => {
                self.resend_notification(notification, row)
            }
            Command::TestChannel { name, contact } => self.test_channel(&name, contact.as_ref()),
        };
        self.answer(request, answer);
    }

    fn done(&mut self, ticket: Ticket, done: Done) {
        match (self.flights.land(ticket), done) {
            (Some(Flight::Probe(probed)), Done::Fetched(fetched)) => self.fetched(probed, fetched),
            (Some(Flight::Reextract { source, version }), Done::Reextracted(row)) => {
                self.reextracted((source, version), row);
            }
            (Some(Flight::Compare { source, ticket }), Done::Compared { result, outline }) => {
                self.compared(source, &ticket, result, &outline);
            }
            (Some(Flight::Compose(notification)), Done::Composed { body }) => {
                self.outbox.composed(self.now, notification, body);
            }
            (Some(Flight::Compose(notification)), Done::NotComposed { reason }) => {
                self.outbox.not_composed(self.now, notification, &reason);
            }
            (Some(Flight::Deliver(notification)), Done::Delivered(result)) => {
                self.delivered(notification, result);
            }
            _ => self.counters.stale += 1,
        }
    }

    fn run_timers(&mut self) {
        while let Some(timer) = self.timers.pop_due(self.now) {
            match timer {
                Timer::Activate(sentinel) => self.activate_if_due(sentinel),
                Timer::End(sentinel) => self.end_if_due(sentinel),
                Timer::EiOver(stream) => self.ei_over(stream),
                Timer::SecondLook(source) => self.look_again(source),
                Timer::LookLate(source) => self.look_late(source),
                Timer::AskFirst(source) => self.plan_beginning(source),
                Timer::ForgetHost(host) => self.forget_host(host),
                Timer::PruneSource(source) => self.prune_source(source),
                Timer::PruneFinished => self.prune_hourly(),
            }
        }
    }

    pub(crate) fn answer(&mut self, request: RequestId, answer: Answer) {
        self.out.effects.push(Effect::Answer { request, answer });
    }

    /// Rows that changed become records, once each, after those that were pushed in order.
    fn flush(&mut self) -> Output {
        let dirty = std::mem::take(&mut self.dirty);
        let mut records = std::mem::take(&mut self.out.records);
        for id in dirty.sources {
            if let Some(source) = self.sources.get(&id) {
                records.push(Record::Source(Box::new(source.row.clone())));
            }
        }
        for id in dirty.streams {
            if let Some(row) = self.stream_row(id) {
                records.push(Record::Stream(row));
            }
        }
        for id in dirty.lives {
            if let Some(sentinel) = self.sentinels.get(&id) {
                records.push(Record::SentinelLife(sentinel.life.clone()));
            }
        }
        let mut learned = Vec::new();
        self.scheduler.take_records(&mut learned);
        let known = |record: &schedule::SourceRecord| self.sources.contains_key(&record.source);
        records.extend(learned.into_iter().filter(known).map(Record::Schedule));
        records.extend(self.scheduler.take_week().map(Record::Week));
        let mut outbox = Vec::new();
        self.outbox.take_records(&mut outbox);
        records.extend(outbox.into_iter().map(Record::Outbox));
        if dirty.meta || (!records.is_empty() && self.now - self.meta.newest >= NEWEST_EVERY) {
            self.meta.newest = self.meta.newest.max(self.now);
            records.push(Record::Meta(self.meta.clone()));
        }
        Output { records, effects: std::mem::take(&mut self.out.effects) }
    }

    /// The stream's row as it is to be stored: the graph knows which elements are still needed.
    pub(crate) fn stream_row(&self, id: StreamId) -> Option<StreamRow> {
        let row = self.streams.get(&id)?.row.clone();
        Some(StreamRow { elements: self.graph.elements(id).collect(), ..row })
    }
}
