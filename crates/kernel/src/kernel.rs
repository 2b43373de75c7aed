//! The step: dispatch, timers, flush.

use crate::config::Config;
use crate::flights::{Flight, Flights};
use crate::generations::Earlier;
use crate::hear::{self, Hear};
use crate::io::{Actor, Answer, Command, Done, Effect, Input, Output, RequestId, Ticket};
use crate::owners::{Names, Owners};
use crate::record::{ApplyingRow, Meta, Record, StreamRow};
use crate::retention::Retention;
use crate::state::{SentinelEntry, Timer};
use crate::timers::Timers;
use crate::turns::{Turn, Turns};
use crate::vetting::Rules;
use crate::watch::{self, Watch};
use crate::watchers::BySource;
use crate::windows::Waiting;
use chronon::{Instant, SentinelId, Span, StreamId};
use outbox::Outbox;
use std::collections::{BTreeMap, BTreeSet};
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
    pub(crate) owners: Owners,
    pub(crate) names: Names,
    pub(crate) earlier: Earlier,
    pub(crate) watchers: BySource,
    pub(crate) watch: Watch,
    pub(crate) hear: Hear,
    pub(crate) outbox: Outbox,
    pub(crate) waiting: BTreeMap<StreamId, Waiting>,
    pub(crate) retention: Retention,
    pub(crate) timers: Timers<Timer>,
    pub(crate) flights: Flights,
    pub(crate) dirty: Dirty,
    pub(crate) out: Output,
    pub(crate) counts: Counts,
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
    pub(crate) lives: BTreeSet<SentinelId>,
}

/// Counters since the start of this process.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) detections: u64,
    pub(crate) delivered: u64,
    pub(crate) delivery_failures: u64,
    pub(crate) stale: u64,
}

impl Kernel {
    /// One step: pure but for the kernel's own state. `now` never goes back: an earlier one
    /// counts as the last.
    pub fn step(&mut self, now: Instant, input: Input) -> Output {
        self.retention.jumped(self.now, now);
        let before = self.now;
        self.now = self.now.max(now);
        self.tell_watch(watch::In::Passed { before });
        self.run_timers();
        self.handle(input);
        self.take_turns();
        self.run_timers();
        self.watch.start(self.now);
        self.settle();
        self.hear.start(self.now, self.room());
        self.settle();
        self.watch.start_reextractions(self.room());
        self.settle();
        self.start_deliveries();
        self.prune_in_pace();
        self.flush()
    }

    /// When the kernel wants a `Tick`, if nothing else happens; at once if it is in the past.
    pub fn next_deadline(&self) -> Option<Instant> {
        let deadlines = [
            self.turns.is_waiting().then_some(self.now),
            self.timers.next(),
            self.watch.next_deadline(),
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
                self.tell_watch(watch::In::BudgetSet { per_chronon });
            }
            Input::Command { request, actor, command } => self.command(request, actor, command),
            Input::Done { ticket, done } => self.done(ticket, done),
            Input::DueLoaded { channel, mut rows } => {
                for row in &mut rows {
                    crate::load::bound_row(row, self.now);
                }
                self.outbox.due_loaded(self.now, channel, rows);
            }
        }
    }

    fn command(&mut self, request: RequestId, Actor { owner, .. }: Actor, command: Command) {
        let answer = match command {
            Command::Apply { text, mode } => {
                return self.queue_turn(Turn::apply(request, owner, *text, mode));
            }
            Command::Remove { name } => {
                return self.queue_turn(Turn::Remove { request, owner, name });
            }
            Command::Enable { name, enabled: true } => self.enable(owner, &name),
            Command::Enable { name, enabled: false } => self.disable(owner, &name),
            Command::ProbeNow { source } => self.watch.probe_now(self.now, source),
            Command::ReadNotification { notification, row } => {
                self.read_notification(owner, notification, row.map(|row| *row))
            }
            Command::ResendNotification { notification, row } => {
                self.resend_notification(owner, notification, row.map(|row| *row))
            }
            Command::TestChannel { name, contact } => {
                self.test_channel(owner, &name, contact.as_ref())
            }
        };
        self.answer(request, answer);
    }

    fn done(&mut self, ticket: Ticket, done: Done) {
        match (self.flights.land(ticket), done) {
            (Some(Flight::Probe(probed)), Done::Fetched(fetched)) => {
                self.tell_watch(watch::In::Fetched { probed, fetched });
            }
            (Some(Flight::Reextract(stale)), Done::Reextracted(row)) => {
                self.tell_watch(watch::In::Reextracted { stale, row });
            }
            (Some(Flight::Compare(compared)), Done::Compared(outline)) => {
                self.tell_hear(hear::In::Compared { compared, outline });
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
            _ => self.counts.stale += 1,
        }
    }

    fn run_timers(&mut self) {
        loop {
            let of_watch = self.watch.next_timer().filter(|&at| at <= self.now);
            let own = self.timers.next().filter(|&at| at <= self.now);
            match (own, of_watch) {
                (None, None) => return,
                (Some(own), of_watch) if of_watch.is_none_or(|at| own <= at) => self.run_timer(),
                _ => self.tell_watch(watch::In::Timer),
            }
        }
    }

    fn run_timer(&mut self) {
        match self.timers.pop_due(self.now) {
            Some(Timer::Activate(sentinel)) => self.activate_if_due(sentinel),
            Some(Timer::End(sentinel)) => self.end_if_due(sentinel),
            Some(Timer::PruneFinished) => self.prune_hourly(),
            None => {}
        }
    }

    /// Comparisons and extractions that may start now.
    fn room(&self) -> u32 {
        self.config.comparisons_max.saturating_sub(self.flights.comparisons)
    }

    pub(crate) fn answer(&mut self, request: RequestId, answer: Answer) {
        self.out.effects.push(Effect::Answer { request, answer });
    }

    /// Rows that changed become records, once each, after those that were pushed in order.
    fn flush(&mut self) -> Output {
        let dirty = std::mem::take(&mut self.dirty);
        let mut records = std::mem::take(&mut self.out.records);
        let sources = self.watch.take_sources();
        records.extend(sources.into_iter().map(|row| Record::Source(Box::new(row))));
        let mut streams = self.watch.take_streams();
        streams.append(&mut self.hear.take_streams());
        let rows = streams.into_iter().filter_map(|id| self.watch.stream_row(id));
        records.extend(rows.map(|row| Record::Stream(self.with_elements(row))));
        for id in dirty.lives {
            if let Some(sentinel) = self.sentinels.get(&id) {
                records.push(Record::SentinelLife(sentinel.life.clone()));
            }
        }
        records.extend(self.watch.take_learned().into_iter().map(Record::Schedule));
        records.extend(self.watch.take_week().map(Record::Week));
        let mut outbox = Vec::new();
        self.outbox.take_records(&mut outbox);
        records.extend(outbox.into_iter().map(Record::Outbox));
        let owners = self.owners.take_changed();
        let watch::Next { source, stream } = self.watch.next_ids();
        let is_new = dirty.meta
            || !owners.is_empty()
            || (source, stream) != (self.meta.next_source, self.meta.next_stream);
        (self.meta.next_source, self.meta.next_stream) = (source, stream);
        records.extend(owners.into_iter().map(Record::Owner));
        if is_new || (!records.is_empty() && self.now - self.meta.newest >= NEWEST_EVERY) {
            self.meta.newest = self.meta.newest.max(self.now);
            records.push(Record::Meta(self.meta.clone()));
        }
        Output { records, effects: std::mem::take(&mut self.out.effects) }
    }

    /// The stream's row as it is to be stored: with the elements that are still needed.
    pub(crate) fn with_elements(&self, row: StreamRow) -> StreamRow {
        StreamRow { elements: self.hear.elements(row.id).collect(), ..row }
    }
}
