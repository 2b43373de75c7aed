//! From a store's snapshot to a running kernel, and back: what a snapshot of it would hold.

use crate::addresses::Addresses;
use crate::config::Config;
use crate::flights::Flights;
use crate::generations::Earlier;
use crate::io::Output;
use crate::kernel::{Dirty, Kernel};
use crate::record::{
    Cause, Meta, Record, SentinelLife, SentinelRow, SentinelState, Snapshot, StreamSpec,
};
use crate::retention::Retention;
use crate::spread::Beats;
use crate::state::{Hosts, SentinelEntry, Timer, Timers};
use crate::turns::Turns;
use crate::vetting::Rules;
use crate::view::Counters;
use chronon::{Instant, SentinelId, Span};
use graph::{Graph, Phase};
use outbox::{Outbox, Row, State};
use schedule::{Event, Scheduler};
use sentinel::ast;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
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
        let seed = u64::from_le_bytes(*snapshot.meta.instance.first_chunk().expect("16 bytes"));
        let mut kernel = Kernel {
            now,
            meta: counting_from_one(snapshot.meta.clone()),
            sentinels: BTreeMap::new(),
            names: BTreeMap::new(),
            earlier: Earlier::default(),
            sources: BTreeMap::new(),
            urls: Addresses::default(),
            hosts: Hosts::default(),
            hosts_held: BTreeMap::new(),
            redirects_held: BTreeMap::new(),
            redirect_holds: BTreeMap::new(),
            streams: BTreeMap::new(),
            beats: Beats::default(),
            graph: Graph::new(graph::Limits::default()),
            scheduler: Scheduler::new(config.schedule.clone(), seed)
                .expect("whoever makes a configuration checks it"),
            outbox: Outbox::new(config.outbox.clone()),
            retention: Retention::default(),
            timers: Timers::default(),
            flights: Flights::default(),
            ready: BTreeSet::new(),
            stale: BTreeSet::new(),
            next_ei: 0,
            dirty: Dirty::default(),
            out: Output::default(),
            counters: Counters::default(),
            recent: VecDeque::new(),
            warnings: Vec::new(),
            rules: Arc::new(Rules::of(&config)),
            turns: Turns::default(),
            applying: None,
            config,
        };
        let applying = snapshot.applying.clone();
        kernel.load_week(&snapshot);
        kernel.load_outbox(&snapshot);
        kernel.load_sources(&snapshot);
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
            !self.sources.contains_key(&entry.row.source)
                || stream.is_some_and(|stream| !self.streams.contains_key(&stream))
        };
        let lost: Vec<SentinelId> =
            self.sentinels.iter().filter(|(_, entry)| is_lost(entry)).map(|(&id, _)| id).collect();
        for id in lost {
            let source = self.source_of(&self.recall(id).source);
            self.sources.get_mut(&source).expect("known from now on").sentinels.insert(id);
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
        self.ask_for_baselines();
        self.ask_for_second_looks();
        self.want_reextractions();
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

    /// Streams that wait for their first element were promised a probe as soon as possible.
    /// Sources that fail go on at their own pace.
    fn ask_for_baselines(&mut self) {
        let mut sources = Vec::new();
        for (&id, entry) in &self.streams {
            let source = entry.row.source;
            let wanted = entry.row.spec == StreamSpec::OnChange && !entry.listeners.is_empty();
            let waits = self.graph.elements(id).next().is_none();
            if wanted && waits && self.sources[&source].row.failures == 0 {
                sources.push(source);
            }
        }
        for source in sources {
            self.scheduler.handle(self.now, Event::Asked { source });
        }
    }

    fn load_week(&mut self, snapshot: &Snapshot) {
        let Some(week) = &snapshot.week else { return };
        if !self.scheduler.recall_week(self.now, week) {
            let said = "the hours at which pages change could not be read; they are learned anew";
            self.warnings.push(said.into());
        }
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

    fn load_sources(&mut self, snapshot: &Snapshot) {
        let now = self.now;
        let mut priors: BTreeMap<_, _> =
            snapshot.schedule.iter().map(|record| (record.source, record.clone())).collect();
        for row in &snapshot.sources {
            let mut row = row.clone();
            row.newest = row.newest.max(row.version);
            let mut prior = priors.remove(&row.id);
            if let Some(prior) = &mut prior {
                let times = [&mut prior.last_probe, &mut prior.last_success];
                let ahead = times.into_iter().map(|time| bound(time, now)).filter(|ahead| *ahead);
                if ahead.count() > 0 {
                    let said = format!("{} was looked at in the far future", row.url);
                    self.warnings.push(said + "; it is looked at as if that were now");
                }
            }
            let id = row.id;
            self.insert_source(row, prior);
            self.load_trail(id);
        }
        for (host, until) in &snapshot.hosts_held {
            let until = (*until).min(now + self.config.host_hold_max);
            let id = self.hosts.intern(host);
            if until > now {
                self.hosts_held.insert(host.clone(), until);
                self.scheduler.handle(now, Event::HostHeld { host: id, until });
            }
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
        for mut row in snapshot.streams {
            if !self.sources.contains_key(&row.source) {
                self.warnings.push(format!("stream {} has no source; left out", row.id));
                continue;
            }
            if let StreamSpec::Every { t0, period, zone, .. } = &mut row.spec {
                let written = by_hand.get(&row.id).copied();
                let far = *t0 > period.nth(self.now, 1, zone);
                let begins = written.unwrap_or(if far { self.now } else { *t0 });
                if begins != *t0 {
                    (*t0, row.next_ei) = (begins, 0);
                    let said = format!("the intervals of {} were moved by a wrong clock", row.id);
                    self.warnings.push(format!("{said}; they begin at {begins}"));
                }
            }
            self.graph.stream_opened(row.id, row.source, row.elements.clone());
            self.insert_stream(row);
        }
        let mut weighed = BTreeSet::new();
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
            weighed.extend(self.count_weight(id));
        }
        for source in weighed {
            self.tell_weight(source);
        }
        // As they were opened: a source's rounds run in version order, whatever their streams.
        let mut rounds = snapshot.rounds;
        rounds.sort_by_key(|round| (round.opened_at, round.id));
        for round in rounds {
            if let Some(stream) = self.streams.get_mut(&round.id.stream) {
                // Which of its looks led to it is not stored: of those done with, the last.
                stream.settled = stream.settled.saturating_sub(1);
                self.queue_round(round);
            }
        }
        let sentinels: Vec<SentinelId> = self.sentinels.keys().copied().collect();
        for id in sentinels {
            self.wait_again(id);
        }
        // What loading touched is what the store holds; nothing is to be written for it.
        self.dirty = Dirty::default();
        self.out = Output::default();
        let mut nothing = Vec::new();
        self.scheduler.take_records(&mut nothing);
        self.outbox.take_records(&mut Vec::new());
    }

    /// The sentinel as its stored text says.
    fn read_back(&self, row: &SentinelRow) -> Option<ast::Sentinel> {
        let chronon = self.config.schedule.chronon;
        sentinel::recall(&row.text, row.defined_at, &self.config.zone, chronon).ok()
    }

    /// The first of two with one name is the sentinel, the other an earlier generation of it.
    fn load_sentinel(&mut self, row: SentinelRow, life: SentinelLife, ast: &ast::Sentinel) {
        let (id, name) = (row.id, row.name.to_lowercase());
        match self.names.get(&*name) {
            Some(&heir) => {
                self.earlier.insert(id, heir);
                let to = life.until;
                self.insert_sentinel(row, life, &ast::Sentinel { to, ..ast.clone() });
            }
            None => {
                self.names.insert(name.into(), id);
                if let Some(source) = self.sources.get_mut(&row.source) {
                    source.sentinels.insert(id);
                    if life.failing_told.is_some() {
                        source.told.insert(id);
                    }
                }
                self.insert_sentinel(row, life, ast);
            }
        }
    }

    fn rejoin(&mut self, id: SentinelId, ast: &ast::Sentinel) {
        let life = &self.sentinels[&id].life;
        let (until, state) = (life.until, life.state);
        let Some(stream) = life.stream.filter(|stream| self.streams.contains_key(stream)) else {
            return;
        };
        self.catch_up(stream);
        let phase = Phase { first_index: self.sentinels[&id].life.first_index };
        self.join_as(id, ast, Some(phase));
        if let (SentinelState::Ended, Some(until)) = (state, until) {
            self.graph.ended(id, until);
            self.leaves_soon(id);
        }
    }

    /// EIs that passed while nobody ran are missed; the count starts at the first open one. It
    /// may be captured already, but none after it, unless a clock was ahead for a while: what was
    /// captured then is asked for again when it comes.
    fn catch_up(&mut self, id: chronon::StreamId) {
        let now = self.now;
        let stream = self.streams.get_mut(&id).expect("the caller looked");
        let StreamSpec::Every { t0, period, slack, ref zone } = stream.row.spec else { return };
        if stream.ei.is_some() {
            return;
        }
        let open = crate::streams::first_open_ei((t0, period, slack), zone, now);
        let missed = open.saturating_sub(stream.row.next_ei);
        let believable = stream.row.next_ei <= open + 1;
        stream.row.next_ei = if believable { open.max(stream.row.next_ei) } else { open };
        self.counters.eis_missed += missed;
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
        fold.sentinels = self.sentinels.values().map(|s| (s.row.clone(), s.life.clone())).collect();
        fold.sources = self.sources.values().map(|s| s.row.clone()).collect();
        fold.schedule =
            self.sources.keys().filter_map(|&source| self.scheduler.record(source)).collect();
        fold.week = self.scheduler.week_record().cloned();
        fold.streams = self.streams.keys().filter_map(|&id| self.stream_row(id)).collect();
        for stream in &mut fold.streams {
            // An EI that only a probe in flight may still capture is missed if that is lost.
            if let StreamSpec::Every { t0, period, slack, zone } = &stream.spec {
                let open = crate::streams::first_open_ei((*t0, *period, *slack), zone, now);
                stream.next_ei = stream.next_ei.max(open);
            }
        }
        for (&source, entry) in &self.sources {
            let opened_at = Instant::EPOCH;
            let rows =
                entry.rounds.iter().map(|&id| crate::record::RoundRow { id, source, opened_at });
            fold.rounds.extend(rows);
        }
        fold.applying = self.applying.clone();
        fold.hosts_held = (self.hosts_held.iter())
            .filter(|&(_, &until)| until > now)
            .map(|(host, &until)| (host.clone(), until))
            .collect();
        fold
    }
}

/// Ids start at 1: 0 is what people read as "none".
fn counting_from_one(mut meta: Meta) -> Meta {
    for counter in [
        &mut meta.next_sentinel,
        &mut meta.next_source,
        &mut meta.next_stream,
        &mut meta.next_channel,
    ] {
        *counter = (*counter).max(1);
    }
    meta.next_detection = meta.next_detection.max(1);
    meta.next_notification = meta.next_notification.max(1);
    meta
}

/// Brings a time more than a day ahead of `now` back to it; says whether it did.
fn bound(time: &mut Option<Instant>, now: Instant) -> bool {
    let ahead = time.is_some_and(|time| time > now + Span::DAY);
    if ahead {
        *time = Some(now);
    }
    ahead
}

/// The same for what a notification waits for: no retry is more than a day ahead, and a window
/// that was opened in the far future is over.
pub(crate) fn bound_row(row: &mut Row, now: Instant) -> bool {
    let created = row.created_at > now + Span::DAY;
    match &mut row.state {
        State::Open { closes: Some(closes) } if created => *closes = now,
        State::Due { at } if created || *at > now + Span::DAY => *at = now,
        _ => return false,
    }
    true
}
