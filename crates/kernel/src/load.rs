//! From a store's snapshot to a running kernel, and back: what a snapshot of it would hold.

use crate::config::Config;
use crate::flights::Flights;
use crate::generations::Earlier;
use crate::hear::{self, Hear};
use crate::io::Output;
use crate::kernel::{Counts, Dirty, Kernel};
use crate::owners::{Names, Owners};
use crate::record::{Cause, Meta, Record, SentinelLife, SentinelRow, SentinelState, Snapshot};
use crate::retention::Retention;
use crate::state::{SentinelEntry, Timer};
use crate::timers::Timers;
use crate::turns::Turns;
use crate::vetting::Rules;
use crate::watch::{self, Watch};
use crate::watchers::BySource;
use chronon::{Instant, SentinelId, Span};
use graph::Phase;
use outbox::{Outbox, Row, State};
use sentinel::ast;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Kernel {
    /// Rebuilds the state from what a store holds. The first input must be `Started`; it yields the
    /// effects of every open intent. Stored times ahead of `now` (a clock was wrong, or is) stay as
    /// they are; nothing waits for them, and a [warning](Kernel::take_warnings) says so.
    ///
    /// # Panics
    /// When `config.schedule` cannot be: see [`schedule::Config::check`].
    pub fn load(config: Config, snapshot: Snapshot, now: Instant) -> Kernel {
        let mut config = config;
        config.outbox.instance = snapshot.meta.instance;
        let meta = counting_from_one(snapshot.meta.clone());
        let next = watch::Next { source: meta.next_source, stream: meta.next_stream };
        let mut kernel = Kernel {
            now,
            meta,
            owners: Owners::load(snapshot.owners.iter().cloned()),
            sentinels: BTreeMap::new(),
            names: Names::default(),
            earlier: Earlier::default(),
            watchers: BySource::new(),
            watch: Watch::new(config.clone(), now, next),
            hear: Hear::new(config.rounds_waiting_max, now),
            outbox: Outbox::new(config.outbox.clone()),
            waiting: BTreeMap::new(),
            retention: Retention::default(),
            timers: Timers::default(),
            flights: Flights::default(),
            dirty: Dirty::default(),
            out: Output::default(),
            counts: Counts::default(),
            warnings: Vec::new(),
            rules: Arc::new(Rules::of(&config)),
            turns: Turns::default(),
            applying: None,
            config,
        };
        let applying = snapshot.applying.clone();
        kernel.load_outbox(&snapshot);
        kernel.watch.load_sources(&snapshot);
        kernel.settle();
        kernel.load_sentinels(snapshot);
        kernel.begin_anew_what_was_lost();
        kernel.load_applying(applying);
        kernel
    }

    /// A repaired store may have lost rows that others name. A sentinel whose source or stream is
    /// gone begins anew: what its page shows next is its baseline. The first step writes it down.
    fn begin_anew_what_was_lost(&mut self) {
        let is_lost = |entry: &SentinelEntry| {
            let stream = entry.life.stream;
            !self.watch.knows_source(entry.row.source)
                || stream.is_some_and(|stream| !self.watch.knows_stream(stream))
        };
        let lost: Vec<SentinelId> =
            self.sentinels.iter().filter(|(_, entry)| is_lost(entry)).map(|(&id, _)| id).collect();
        for id in lost {
            let source = self.watch.source_of(self.now, &self.recall(id).source);
            self.name_source(source, id);
            let entry = self.sentinels.get_mut(&id).expect("listed above");
            if std::mem::replace(&mut entry.row.source, source) != source {
                entry.weighed = 0;
            }
            (entry.life.stream, entry.life.since, entry.life.first_index) = (None, None, 0);
            let said = format!("what sentinel `{}` compared with is lost", entry.row.name);
            self.warnings.push(said + "; what its page shows next is its baseline");
            let (active, from) = (entry.is_active(), entry.plan.from);
            self.out.records.push(Record::Sentinel(Box::new(entry.row.clone())));
            self.dirty.lives.insert(id);
            if active {
                self.transition(id, SentinelState::Pending, Cause::Time);
                self.timers.set(from.max(self.now), Timer::Activate(id));
            }
            self.weigh(id);
        }
    }

    /// The first input of a life: a new epoch, and everything that was open starts again.
    pub(crate) fn started(&mut self) {
        self.meta.epoch += 1;
        self.meta.newest = self.now;
        self.dirty.meta = true;
        self.flights.begin(self.meta.epoch);
        self.settle_all_windows();
        self.spread_the_first();
        self.tell_watch(watch::In::Started);
        self.start_retention();
        self.take_back_ends();
    }

    /// A clock that ran ahead ended sentinels whose `to` has not come: they go on.
    fn take_back_ends(&mut self) {
        let now = self.now;
        let mut early = Vec::new();
        for (&id, entry) in &self.sentinels {
            let ended = entry.life.state == SentinelState::Ended && !self.earlier.contains(id);
            // A clock a little behind that of the last life is no wrong one.
            let to_come = entry.plan.to.is_none_or(|to| to > now + Span::MINUTE);
            if ended && to_come && entry.row.defined_at <= now {
                early.push(id);
            }
        }
        for id in early {
            self.take_back_end(id);
        }
    }

    /// Once, in the first life under this release: streams of sentinels without a clock are spread
    /// over their period.
    fn spread_the_first(&mut self) {
        if std::mem::replace(&mut self.meta.spread, true) {
            return;
        }
        let (mut clocks, mut loose) = (BTreeSet::new(), BTreeMap::new());
        for entry in self.sentinels.values() {
            let Some(stream) = entry.life.stream else { continue };
            if entry.plan.from_has_clock {
                clocks.insert(stream);
            }
            let to = entry.plan.to.unwrap_or(Instant::NEVER);
            let last = loose.entry(stream).or_insert(to);
            *last = to.max(*last);
        }
        loose.retain(|stream, _| !clocks.contains(stream));
        let ends = |to| Some(to).filter(|&to| to < Instant::NEVER);
        let loose = loose.into_iter().map(|(stream, to)| (stream, ends(to))).collect();
        self.tell_watch(watch::In::Spread { loose });
    }

    fn load_outbox(&mut self, snapshot: &Snapshot) {
        for channel in &snapshot.channels {
            self.outbox.load_channel(channel.clone());
        }
        let live = snapshot.sentinels.iter().map(|(row, _)| row.id);
        self.outbox.load_sentinels(live);
        for &(channel, count) in &snapshot.outbox_counts {
            self.outbox.load_count(channel, count);
        }
        let mut ahead = 0;
        for row in &snapshot.outbox {
            let mut row = row.clone();
            ahead += u32::from(bound_row(&mut row, self.now));
            self.outbox.load_row(row);
        }
        if ahead > 0 {
            let said = format!("{ahead} notifications were due in the far future; they go now");
            self.warnings.push(said);
        }
    }

    fn load_sentinels(&mut self, snapshot: Snapshot) {
        let texts: Vec<_> = snapshot.sentinels.iter().map(|(row, _)| self.read_back(row)).collect();
        // Streams whose first interval a person fixed: it is where their text says.
        let fixed = |((_, life), ast): (&(SentinelRow, SentinelLife), &Option<ast::Sentinel>)| {
            let ast = ast.as_ref().filter(|ast| ast.from_has_clock)?;
            Some((life.stream?, ast.from))
        };
        let by_hand: BTreeMap<_, _> =
            snapshot.sentinels.iter().zip(&texts).filter_map(fixed).collect();
        for row in snapshot.streams {
            if self.watch.load_stream(&row, by_hand.get(&row.id).copied()) {
                self.hear.load_stream(row.id, row.source, row.elements);
            }
        }
        self.settle();
        let mut weights = BTreeMap::new();
        for ((row, life), ast) in snapshot.sentinels.into_iter().zip(texts) {
            let Some(ast) = ast else {
                self.warnings
                    .push(format!("sentinel `{}` cannot be read back; apply it again", row.name));
                continue;
            };
            if life.since.is_some_and(|since| since > self.now + Span::DAY) {
                let said = format!("sentinel `{}` began in the far future", row.name);
                self.warnings.push(said + "; it hears from now on");
            }
            let id = row.id;
            self.load_sentinel(row, life, &ast);
            self.rejoin(id, &ast);
            if let Some((source, _, weight)) = self.share(id) {
                *weights.entry(source).or_default() += weight;
            }
        }
        for (source, after) in weights.into_iter().filter(|weight| weight.1 > 0) {
            self.watch.handle(self.now, watch::In::Weighed { source, before: 0, after });
        }
        // As they were opened: a source's rounds run in version order, whatever their streams.
        let mut rounds = snapshot.rounds;
        rounds.sort_by_key(|round| (round.opened_at, round.id));
        for round in rounds {
            if self.watch.knows_stream(round.id.stream) {
                self.watch.load_round(round.id.stream);
                self.hear.load_round(round);
            }
        }
        self.settle();
        let sentinels: Vec<SentinelId> = self.sentinels.keys().copied().collect();
        for id in sentinels {
            self.wait_again(id);
        }
        // What loading touched is what the store holds; nothing is to be written for it.
        self.dirty = Dirty::default();
        self.out = Output::default();
        self.watch.loaded();
        drop(self.hear.take_streams());
        self.outbox.take_records(&mut Vec::new());
        self.owners.take_changed();
    }

    /// The sentinel as its stored text says.
    fn read_back(&self, row: &SentinelRow) -> Option<ast::Sentinel> {
        let chronon = self.config.schedule.chronon;
        sentinel::recall(&row.text, row.defined_at, &self.config.zone, chronon).ok()
    }

    /// The first of two with one name is the sentinel, the other an earlier generation of it.
    fn load_sentinel(&mut self, row: SentinelRow, life: SentinelLife, ast: &ast::Sentinel) {
        let id = row.id;
        match self.names.get(id.owner(), &row.name) {
            Some(heir) => {
                self.earlier.insert(id, heir);
                let to = life.until;
                self.insert_sentinel(row, life, &ast::Sentinel { to, ..ast.clone() });
            }
            None => {
                self.names.insert(&row.name, id);
                if self.watch.knows_source(row.source) {
                    self.name_source(row.source, id);
                    if life.failing_told.is_some() {
                        self.watchers.entry(row.source).or_default().told.insert(id);
                    }
                }
                self.insert_sentinel(row, life, ast);
            }
        }
    }

    fn rejoin(&mut self, id: SentinelId, ast: &ast::Sentinel) {
        let life = &self.sentinels[&id].life;
        let (until, state) = (life.until, life.state);
        let Some(stream) = life.stream.filter(|&stream| self.watch.knows_stream(stream)) else {
            return;
        };
        let phase = Phase { first_index: life.first_index };
        self.watch.rejoin(stream, self.sentinels[&id].plan.millionths());
        self.settle();
        self.listen(id, stream, ast, Some(phase));
        if let (SentinelState::Ended, Some(until)) = (state, until) {
            self.tell_hear(hear::In::Ended { sentinel: id, at: until });
            self.leaves_soon(id);
        }
    }

    /// What was strange about the snapshot, for the log.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// What a snapshot would hold if everything said so far is durable (I-FOLD): equal for this
    /// kernel and for one loaded from the store, whatever is in flight. Hosts whose pause is over
    /// count as gone; a round's time of opening is left out.
    pub fn fold(&self, now: Instant) -> Snapshot {
        let mut fold = Snapshot { meta: self.meta.clone(), ..Snapshot::default() };
        fold.owners = self.owners.rows().cloned().collect();
        fold.sentinels = self.sentinels.values().map(|s| (s.row.clone(), s.life.clone())).collect();
        self.watch.fold(now, &mut fold);
        let streams = std::mem::take(&mut fold.streams);
        fold.streams = streams.into_iter().map(|row| self.with_elements(row)).collect();
        fold.rounds = self.hear.fold();
        fold.applying = self.applying.clone();
        fold
    }
}

/// Ids start at 1: 0 is what people read as "none".
fn counting_from_one(mut meta: Meta) -> Meta {
    for counter in [&mut meta.next_source, &mut meta.next_stream] {
        *counter = (*counter).max(1);
    }
    meta
}

/// Brings back to `now` what a notification waits for, and says whether it did: no retry is more
/// than a day ahead, and a window that was opened in the far future is over.
pub(crate) fn bound_row(row: &mut Row, now: Instant) -> bool {
    let created = row.created_at > now + Span::DAY;
    match &mut row.state {
        State::Open { closes: Some(closes) } if created => *closes = now,
        State::Due { at } if created || *at > now + Span::DAY => *at = now,
        _ => return false,
    }
    true
}
