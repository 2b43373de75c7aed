//! The seam: events in, picks out.

use crate::bucket::Bucket;
use crate::budget::Budget;
use crate::grid::Grid;
use crate::policy::{self, Class, Eis, Key, Plan};
use crate::queues::Queues;
use crate::roster::Roster;
use crate::source::{Source, UNPROBED};
use crate::windows::{Window, Windows};
use crate::{Config, EiId, Event, Outcome, Pick, Reason, SourceRecord, chance};
use chronon::{HostId, Instant, SourceId};
use rustc_hash::FxHashMap;

/// Decides which sources are probed in this chronon.
///
/// `now` never goes back: an earlier one counts as the latest seen. Ids that are unknown, or taken
/// already, are ignored; so are EIs that are over or end before they start. A host is known from
/// the first event that names it, and its bucket starts empty then; it is never forgotten.
///
/// A picked source is in flight until [`Event::Probed`] or [`Event::SourceRemoved`]. `Probed` for a
/// source that is not in flight (content that was pushed) teaches and captures all the same.
/// Somebody who asks while a probe is in flight is answered by that probe.
///
/// After a start, that is before the first pick, sources added with a prior that are overdue are
/// spread over [`Config::restart_spread`] or their interval, whichever is smaller.
///
/// Each event costs O(log n), an EI or a source that time moves O(log n) once; nothing is scanned
/// per chronon, and a clock that jumps ahead costs no more than what it makes due.
#[derive(Debug, Clone)]
pub struct Scheduler {
    pub(crate) config: Config,
    seed: u64,
    pub(crate) grid: Grid,
    now: Instant,
    /// A probe was picked: what is added from now on is not what a start found overdue.
    started: bool,
    pub(crate) sources: Roster,
    pub(crate) hosts: FxHashMap<HostId, Bucket>,
    pub(crate) windows: Windows,
    queues: Queues,
    pub(crate) budget: Budget,
    pub(crate) in_flight: u32,
    turns: policy::Turns,
    /// Sources whose record changed, each once.
    dirty: Vec<SourceId>,
}

impl Scheduler {
    /// Nothing to watch yet. `seed` spreads what is overdue after a start.
    pub fn new(config: Config, seed: u64) -> Scheduler {
        let grid = Grid::new(config.chronon);
        Scheduler {
            budget: Budget::new(config.budget),
            config,
            seed,
            grid,
            now: Instant::from_millis(i64::MIN),
            started: false,
            sources: Roster::default(),
            hosts: FxHashMap::default(),
            windows: Windows::new(grid),
            queues: Queues::default(),
            in_flight: 0,
            turns: policy::Turns::default(),
            dirty: Vec::new(),
        }
    }

    /// Takes note of `event`, which happened by `now`. What it makes possible, the next
    /// [`Scheduler::poll`] picks: ask [`Scheduler::next_deadline`] again.
    pub fn handle(&mut self, now: Instant, event: Event) {
        self.advance(now);
        match event {
            Event::SourceAdded { source, host, prior } => self.add(source, host, prior),
            Event::SourceRemoved { source } => self.remove(source),
            Event::Weight { source, weight } => self.handle_weight(source, weight),
            Event::Asked { source } => self.handle_asked(source),
            Event::SourceHeld { source, held } => {
                if let Some(entry) = self.sources.get_mut(source) {
                    entry.held = held;
                }
                self.replan(source);
            }
            Event::EiAdded { ei, cei, source, start, finish, utility: _ } => {
                self.handle_ei(ei, Window { cei, source, start, finish });
            }
            Event::CeiDropped { cei } => {
                while let Some(source) = self.windows.drop_one(cei) {
                    self.replan(source);
                }
            }
            Event::Probed { source, start, outcome } => self.handle_probed(source, start, outcome),
            Event::HostUsed { host, requests } => {
                let now = self.now;
                self.change_host(host, |bucket| bucket.spend(now, requests));
            }
            Event::BudgetSet { per_chronon } => self.budget.set(per_chronon),
            Event::HostLimitSet { host, interval, in_flight } => {
                self.change_host(host, |bucket| {
                    (bucket.interval, bucket.in_flight_max) = (interval, in_flight);
                });
            }
            Event::HostHeld { host, until } => {
                self.change_host(host, |bucket| bucket.held_until = bucket.held_until.max(until));
            }
        }
    }

    /// Appends the probes to start now, best first. However often it is called within a chronon,
    /// it picks no more than the budget allows for one. O(log n) per pick.
    pub fn poll(&mut self, now: Instant, picks: &mut Vec<Pick>) {
        self.advance(now);
        while self.budget.allows() && self.in_flight < self.config.in_flight_max {
            let Some((key, host)) = self.queues.best(self.turns) else { break };
            picks.push(self.pick(key, host));
        }
    }

    /// When [`Scheduler::poll`] could have something to pick: at once, if that is not after the
    /// latest `now`, and then it has; else the start of a chronon to come. Never too late. It is
    /// early only where an EI ends while its source waits for host or budget, or opens while its
    /// source backs off: at most twice per EI a poll picks nothing, and the next deadline is later.
    /// `None`: only an event can bring something. O(log n).
    pub fn next_deadline(&self) -> Option<Instant> {
        if self.in_flight >= self.config.in_flight_max {
            return None;
        }
        let wanted = match self.queues.any_ready() {
            true => self.now,
            false => self.queues.next_host()?.0,
        };
        match self.budget.allows() {
            true => Some(wanted),
            false => Some(self.grid.start(self.budget.next()?).max(wanted)),
        }
    }

    /// Appends the record of each source that learned something since the last call, one row per
    /// source, in the order of their first change. Nothing for sources removed since.
    pub fn take_records(&mut self, out: &mut Vec<SourceRecord>) {
        for source in self.dirty.drain(..) {
            if let Some(entry) = self.sources.get_mut(source).filter(|entry| entry.dirty) {
                entry.dirty = false;
                out.push(entry.record(source));
            }
        }
    }

    /// What is known of one source; `None` if it is not watched.
    pub fn record(&self, source: SourceId) -> Option<SourceRecord> {
        self.sources.get(source).map(|entry| entry.record(source))
    }

    fn add(&mut self, source: SourceId, host: HostId, prior: Option<SourceRecord>) {
        if self.sources.contains(source) {
            return;
        }
        let interval = policy::within_bounds(self.config.interval_initial, &self.config);
        let mut entry = Source::new(host, interval, self.now);
        if let Some(prior) = prior {
            entry.recall(&prior, self.now);
            entry.interval = policy::within_bounds(entry.interval, &self.config);
        }
        if entry.last_probe != UNPROBED {
            entry.due = policy::fresh_due(&entry, self.grid);
            if entry.due <= self.now && !self.started {
                let within = self.config.restart_spread.min(entry.interval);
                let after = chance::spread(self.seed, source, 0, within);
                entry.due = self.grid.up(self.now + after);
            }
        }
        self.sources.insert(source, entry);
        self.change_host(host, |_| {});
        self.replan(source);
    }

    fn remove(&mut self, source: SourceId) {
        let Some(entry) = self.sources.remove(source) else { return };
        self.windows.forget(source);
        let from = Plan { key: entry.key, wake: entry.wake };
        let nowhere = Plan { key: Key::NONE, wake: Instant::NEVER };
        self.queues.move_source(entry.host, source, from, nowhere);
        if entry.in_flight {
            self.release(entry.host);
        }
        self.place(entry.host);
    }

    fn handle_weight(&mut self, source: SourceId, weight: f64) {
        let Some(entry) = self.sources.get_mut(source) else { return };
        let fresh = weight > 0.0;
        if fresh && !entry.fresh && entry.last_probe == UNPROBED {
            entry.due = self.now;
        }
        entry.fresh = fresh;
        self.replan(source);
    }

    fn handle_asked(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get_mut(source) else { return };
        if !entry.in_flight {
            entry.asked = entry.asked.min(self.now);
            self.replan(source);
        }
    }

    fn handle_ei(&mut self, ei: EiId, window: Window) {
        let known = self.sources.contains(window.source);
        let alive = window.start <= window.finish && self.now <= window.finish;
        if known && alive && self.windows.add(ei, window) {
            self.replan(window.source);
        }
    }

    fn handle_probed(&mut self, source: SourceId, start: Instant, outcome: Outcome) {
        let Some(entry) = self.sources.get_mut(source) else { return };
        let start = start.min(self.now);
        let (host, was_in_flight) = (entry.host, std::mem::take(&mut entry.in_flight));
        if entry.last_probe != UNPROBED {
            let elapsed = start.since(entry.last_probe);
            entry.interval = policy::next_interval(entry.interval, elapsed, outcome, &self.config);
        }
        entry.last_probe = entry.last_probe.max(start);
        entry.probes = entry.probes.saturating_add(1);
        entry.changes = entry.changes.saturating_add(u32::from(outcome == Outcome::Changed));
        if outcome == Outcome::Failed {
            entry.failures = entry.failures.saturating_add(1);
        } else {
            entry.failures = 0;
            if entry.asked <= start {
                entry.asked = Instant::NEVER;
            }
            self.windows.capture(source, start);
        }
        entry.due = policy::fresh_due(entry, self.grid);
        if !std::mem::replace(&mut entry.dirty, true) {
            self.dirty.push(source);
        }
        if was_in_flight {
            self.release(host);
        }
        self.replan(source);
    }

    fn release(&mut self, host: HostId) {
        self.in_flight = self.in_flight.saturating_sub(1);
        if let Some(bucket) = self.hosts.get_mut(&host) {
            bucket.in_flight = bucket.in_flight.saturating_sub(1);
        }
    }

    fn change_host(&mut self, host: HostId, change: impl FnOnce(&mut Bucket)) {
        let config = &self.config;
        let empty = || Bucket::empty(self.now, config.host_interval, config.host_in_flight);
        change(self.hosts.entry(host).or_insert_with(empty));
        self.place(host);
    }

    /// Brings everything up to `now` that time alone moves.
    fn advance(&mut self, now: Instant) {
        self.now = self.now.max(now);
        self.budget.settle(self.grid.index(self.now));
        while let Some(source) = self.windows.expire_one(self.now) {
            self.replan(source);
        }
        while let Some((at, host)) = self.queues.next_host() {
            if at > self.now {
                break;
            }
            self.place(host);
        }
    }

    /// Works out anew where `source` and its host stand.
    fn replan(&mut self, source: SourceId) {
        if let Some(host) = self.plan_source(source) {
            self.place(host);
        }
    }

    fn plan_source(&mut self, source: SourceId) -> Option<HostId> {
        let entry = self.sources.get_mut(source)?;
        self.windows.open(source, self.now);
        let opens = self.windows.opening(source).map(|(opens, _)| opens);
        let eis = Eis { finish: self.windows.finish(source), opens };
        let to = policy::plan(entry, eis, self.grid, self.now);
        let from = Plan { key: entry.key, wake: entry.wake };
        (entry.key, entry.wake) = (to.key, to.wake);
        self.queues.move_source(entry.host, source, from, to);
        Some(entry.host)
    }

    /// Works out where `host` stands: ready with its best source, waiting for a time, or neither
    /// (full, or nothing wanted). While it is blocked its sources are left alone.
    fn place(&mut self, host: HostId) {
        let mut to = Plan { key: Key::NONE, wake: Instant::NEVER };
        let Some(bucket) = self.hosts.get(&host).cloned() else { return };
        let ready_at = bucket.ready_at(self.grid);
        if bucket.has_room() && ready_at <= self.now {
            while let Some((_, source)) = self.queues.waking(host).filter(|w| w.0 <= self.now) {
                self.plan_source(source);
            }
            to.key = self.queues.head(host, bucket.turns).map_or(Key::NONE, |(key, _)| key);
            to.wake = self.queues.waking(host).map_or(Instant::NEVER, |(wake, _)| wake);
        } else if bucket.has_room() {
            let due = self.queues.head(host, bucket.turns).map(|_| ready_at);
            let waking = self.queues.waking(host).map(|(wake, _)| wake.max(ready_at));
            to.wake = due.or(waking).unwrap_or(Instant::NEVER);
        }
        self.queues.move_host(host, to);
    }

    /// Starts the probe at the head of `host`, which is ready with `key`.
    fn pick(&mut self, key: Key, host: HostId) -> Pick {
        let class = key.class();
        let fresh_waits = self.queues.fresh_waits();
        let bucket = self.hosts.get_mut(&host).expect("a ready host has a bucket");
        let (_, source) =
            self.queues.head(host, bucket.turns).expect("a ready host has a due source");
        let reason = self.reason(source, class);
        let entry = self.sources.get_mut(source).expect("a queued source is watched");
        (entry.in_flight, entry.asked) = (true, Instant::NEVER);
        self.started = true;
        self.in_flight += 1;
        self.budget.take();
        self.turns.picked(class, fresh_waits);
        self.plan_source(source);
        let fresh_waits = self.queues.fresh_waits_in(host);
        let bucket = self.hosts.get_mut(&host).expect("a ready host has a bucket");
        bucket.in_flight += 1;
        bucket.spend(self.now, 1);
        bucket.turns.picked(class, fresh_waits);
        self.place(host);
        Pick { source, reason }
    }

    fn reason(&self, source: SourceId, class: Class) -> Reason {
        let entry = self.sources.get(source).expect("a queued source is watched");
        match (class, self.windows.finish(source)) {
            (Class::First, _) if entry.last_probe == UNPROBED => Reason::Baseline,
            (Class::First, _) => Reason::Asked,
            (Class::Window, Some(finish)) => Reason::Deadline { finish },
            _ if entry.failures > 0 => Reason::Retry { failures: entry.failures },
            _ => Reason::Freshness { interval: entry.interval },
        }
    }
}
