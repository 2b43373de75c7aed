//! The step: dispatch, timers, flush.

mod follow;
mod journal;
mod lines;
mod load;
mod look;
mod switch;
mod vet;

pub use journal::Mark;
pub use lines::WatchLine;

use crate::config::Config;
use crate::event::{self, Events};
use crate::flights::{Flight, Flights};
use crate::hear::{self, Hear};
use crate::io::{Actor, Answer, Command, Done, Effect, Input, Output, RequestId, Ticket};
use crate::life::{self, Life, Turn};
use crate::notices::Notices;
use crate::owners::{Called, Owners};
use crate::record::{Cause, LoudRow, Meta, Record, StreamRow};
use crate::vetting::Rules;
use crate::watch::{self, Sight, Watch};
use chronon::{Instant, SentinelId, Span};
use journal::Journal;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How far the store's newest time may lag behind what is written.
const NEWEST_EVERY: Span = Span::from_secs(30);

/// The kernel's whole state: its owners, whose state is their own, and what is between them. See
/// the crate's documentation for its contract.
pub struct Kernel {
    config: Config,
    now: Instant,
    meta: Meta,
    /// It is to be written in this step.
    meta_changed: bool,
    /// The ids that are next.
    owners: Owners,
    watch: Watch,
    hear: Hear,
    life: Life,
    /// What follows from what happened: rules.
    events: Events,
    notices: Notices,
    flights: Flights,
    out: Output,
    /// What changed of late.
    journal: Journal,
    /// Sentinels whose selectors were not looked for yet.
    unseen: BTreeSet<SentinelId>,
    /// Completions with an unknown or old ticket.
    stale: u64,
    warnings: Vec<String>,
    rules: Arc<Rules>,
}

impl Kernel {
    /// One step: pure but for the kernel's own state. `now` never goes back: an earlier one
    /// counts as the last.
    pub fn step(&mut self, now: Instant, input: Input) -> Output {
        let before = self.now;
        self.now = self.now.max(now);
        self.notices.passed(before, self.now);
        self.events.begin_step(self.now);
        self.tell_watch(watch::In::Passed { before });
        self.run_timers();
        self.handle(input);
        self.settle();
        self.take_turns();
        self.run_timers();
        self.watch.start(self.now);
        self.settle();
        self.hear.start(self.now, self.room());
        self.settle();
        self.watch.start_reextractions(self.room());
        self.settle();
        while self.events.end_step() {
            self.settle();
        }
        self.start_looks(self.room());
        self.start_deliveries();
        let prune = self.notices.prune(self.now, &self.owners);
        self.out.effects.extend(prune.map(Effect::Prune));
        self.flush()
    }

    /// When the kernel wants a `Tick`, if nothing else happens; at once if it is in the past.
    pub fn next_deadline(&self) -> Option<Instant> {
        let deadlines = [
            self.life.next_deadline(),
            self.watch.next_deadline(),
            self.events.next_deadline(),
            self.notices.next_deadline(),
        ];
        deadlines.into_iter().flatten().min()
    }

    /// Somebody who changes names has not come to an end: another step goes on at once.
    pub fn is_changing_names(&self) -> bool {
        self.life.is_changing_names()
    }

    fn tell_watch(&mut self, input: watch::In) {
        self.watch.handle(self.now, input);
        self.settle();
    }

    fn tell_hear(&mut self, input: hear::In) {
        self.hear.handle(self.now, input);
        self.settle();
    }

    fn tell_life(&mut self, input: life::In) {
        self.life.handle(self.now, input);
        self.settle();
    }

    fn tell_events(&mut self, input: event::In) {
        self.events.handle(self.now, input);
        self.settle();
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
            Input::DueLoaded { channel, rows } => self.notices.due_loaded(self.now, channel, rows),
        }
    }

    /// The first input of a life: a new epoch, and everything that was open starts again.
    fn started(&mut self) {
        self.meta.epoch += 1;
        self.meta.newest = self.now;
        self.meta_changed = true;
        self.flights.begin(self.meta.epoch);
        self.settle_all_windows();
        if !std::mem::replace(&mut self.meta.spread, true) {
            let loose = self.life.without_clock();
            self.tell_watch(watch::In::Spread { loose });
        }
        self.tell_watch(watch::In::Started);
        self.tell_events(event::In::Started);
        self.notices.start(self.now, &self.owners);
        self.take_back_ends();
    }

    fn command(&mut self, request: RequestId, Actor { owner, .. }: Actor, command: Command) {
        let now = self.now;
        let answer = match command {
            Command::Apply { text, mode } => {
                return self.life.queue_turn(Turn::apply(request, owner, *text, mode));
            }
            Command::Remove { name } => {
                return self.life.queue_turn(Turn::Remove { request, owner, name });
            }
            Command::Rename { name, to } => {
                return self.life.queue_turn(Turn::Rename { request, owner, name, to });
            }
            Command::Discard { name } => match self.named_by_rule(owner, &name) {
                Some(answer) => answer,
                None => self.life.discard(now, owner, &name),
            },
            Command::TakeBack { name } => match self.events.mark(owner, &name) {
                Some(_) => Answer::Conflict { name },
                None => self.life.take_back(now, owner, &name),
            },
            Command::Snooze { name, until } => self.life.snooze(now, owner, &name, until),
            Command::Enable { name, enabled } => {
                let rule = self.events.enable(now, Called { owner, name: &name }, enabled);
                rule.unwrap_or_else(|| {
                    self.enable(Called { owner, name: &name }, enabled, Cause::User)
                })
            }
            Command::Raise { name, key } => {
                self.events.raise_asked(now, Called { owner, name: &name }, key)
            }
            Command::ProbeNow { source } => self.watch.probe_now(now, owner, source),
            Command::Quiet { source, key, is_loud } => {
                let answer = self.watch.may(owner, source);
                let row = LoudRow { source, key, is_loud };
                self.out.records.extend((answer == Answer::Done).then_some(Record::Loud(row)));
                answer
            }
            Command::Glance { host } => self.watch.glance(now, &host),
            Command::GlanceOver { host, hold } => self.watch.glance_over(now, &host, hold),
            Command::ReadNotification { notification, row } => {
                self.notices.read(owner, notification, row.map(|row| *row))
            }
            Command::ResendNotification { notification, row } => {
                self.notices.resend(now, owner, notification, row.map(|row| *row))
            }
            Command::TestChannel { name, contact } => {
                self.notices.test(now, &mut self.owners.ids(owner), &name, contact.as_ref())
            }
            Command::KnowChannels(book) => self.know_channels(*book),
        };
        self.settle();
        self.out.effects.push(Effect::Answer { request, answer });
    }

    fn done(&mut self, ticket: Ticket, done: Done) {
        let now = self.now;
        match (self.flights.land(ticket), done) {
            (Some(Flight::Probe(probed, asked)), Done::Fetched(fetched)) => {
                self.tell_watch(watch::In::Fetched { probed, asked, fetched });
            }
            (Some(Flight::Reextract(stale)), Done::Reextracted(row)) => {
                self.tell_watch(watch::In::Reextracted { stale, row });
            }
            (Some(Flight::Look(source, version, asked)), Done::Seen(missing)) => {
                // A newer version has been looked at as it came.
                if self.watch.current_version(source) == Some(version) {
                    self.shown(source, &Sight { asked, missing });
                    self.settle();
                }
            }
            (Some(Flight::Compare(compared)), Done::Compared(outline, habits)) => {
                self.out.records.extend(habits.map(Record::Habits));
                self.tell_hear(hear::In::Compared { compared, outline });
            }
            (Some(Flight::Judge(firing)), Done::Judged(holds)) => {
                self.tell_events(event::In::Judged { firing, holds });
            }
            (Some(Flight::Compose(notification)), Done::Composed { body }) => {
                self.notices.composed(now, notification, body);
            }
            (Some(Flight::Compose(notification)), Done::NotComposed { reason }) => {
                self.notices.not_composed(now, notification, &reason);
            }
            (Some(Flight::Deliver(notification)), Done::Delivered(result)) => {
                let turns = self.notices.outbox().turns();
                self.notices.delivered(now, &mut self.owners, notification, result);
                // Whoever tells by a channel that came to fail, or to work, is listed otherwise.
                if self.notices.outbox().turns() != turns {
                    self.journal.forget();
                }
            }
            _ => self.stale += 1,
        }
    }

    /// Timers fire in order of time; at one moment rules come before lives, and lives change
    /// before looks are decided.
    fn run_timers(&mut self) {
        loop {
            let due = |at: Option<Instant>| at.filter(|&at| at <= self.now);
            let events = due(self.events.next_timer());
            let (life, watch) = (due(self.life.next_timer()), due(self.watch.next_timer()));
            let Some(first) = [events, life, watch].into_iter().flatten().min() else { return };
            if events == Some(first) {
                self.tell_events(event::In::Timer);
            } else if life == Some(first) {
                self.tell_life(life::In::Timer);
            } else {
                self.tell_watch(watch::In::Timer);
            }
        }
    }

    /// Comparisons and extractions that may start now.
    fn room(&self) -> u32 {
        self.config.comparisons_max.saturating_sub(self.flights.comparisons)
    }

    /// Rows that changed become records, once each, after those that were said in order.
    fn flush(&mut self) -> Output {
        let mut records = std::mem::take(&mut self.out.records);
        let sources = self.watch.take_sources().into_iter();
        records.extend(sources.map(|row| Record::Source(Box::new(row))));
        let mut streams = self.watch.take_streams();
        streams.append(&mut self.hear.take_streams());
        let rows = streams.into_iter().filter_map(|id| self.watch.stream_row(id));
        records.extend(rows.map(|row| Record::Stream(self.with_elements(row))));
        records.extend(self.life.take_lives().into_iter().map(Record::SentinelLife));
        records.extend(self.watch.take_learned().into_iter().map(Record::Schedule));
        records.extend(self.watch.take_week().map(Record::Week));
        records.extend(self.events.take_records());
        records.extend(self.notices.take_records().into_iter().map(Record::Outbox));
        let owners = self.owners.take_changed();
        let is_counted = !owners.is_empty();
        records.extend(owners.into_iter().map(Record::Owner));
        let is_new = self.watch.next_source() != self.meta.next_source;
        self.meta.next_source = self.watch.next_source();
        let is_late = !records.is_empty() && self.now - self.meta.newest >= NEWEST_EVERY;
        if std::mem::take(&mut self.meta_changed) || is_counted || is_new || is_late {
            self.meta.newest = self.meta.newest.max(self.now);
            records.push(Record::Meta(self.meta.clone()));
        }
        self.journal.note(&records);
        Output { records, effects: std::mem::take(&mut self.out.effects) }
    }

    /// The stream's row as it is to be stored: with the elements that are still needed.
    fn with_elements(&self, row: StreamRow) -> StreamRow {
        let mut row = row;
        row.elements = self.hear.elements(row.id).collect();
        if let Some(captures) = &mut row.captures {
            captures.versions = self.hear.captures(row.id);
        }
        row
    }
}
