//! The scheduler once more, slow and obvious: every poll looks at everything. The property tests
//! below hold [`Scheduler`] to it, pick by pick.

use crate::grid::Grid;
use crate::policy::{Class, EIS_PER_FRESH, next_interval, within_bounds};
use crate::{CeiId, Config, EiId, Event, Outcome, Pick, Reason, SourceRecord, chance};
use chronon::{HostId, Instant, SourceId, Span};
use std::collections::BTreeMap;

mod agreement;

#[derive(Debug, Clone)]
struct TwinSource {
    host: HostId,
    fresh: bool,
    held: bool,
    in_flight: bool,
    asked: Option<Instant>,
    baseline_since: Instant,
    due: Instant,
    learned: SourceRecord,
}

#[derive(Debug, Clone)]
struct TwinHost {
    interval: Span,
    in_flight_max: u32,
    /// Requests not yet paid for, the first of them made at `since`.
    owed: i64,
    since: Instant,
    held_until: Instant,
    passed: u8,
}

#[derive(Debug, Clone)]
struct TwinEi {
    id: EiId,
    cei: CeiId,
    source: SourceId,
    start: Instant,
    finish: Instant,
}

type Want = (Class, Instant);

pub(crate) struct Twin {
    config: Config,
    seed: u64,
    grid: Grid,
    sources: BTreeMap<SourceId, TwinSource>,
    hosts: BTreeMap<HostId, TwinHost>,
    eis: Vec<TwinEi>,
    /// In 10⁻⁹ probes.
    budget: i64,
    left: i64,
    chronon: Option<i64>,
    passed: u8,
    started: bool,
}

const PROBE: i64 = 1_000_000_000;

impl Twin {
    pub(crate) fn new(config: Config, seed: u64) -> Twin {
        Twin {
            grid: Grid::new(config.chronon),
            budget: (config.budget * PROBE as f64).round() as i64,
            config,
            seed,
            sources: BTreeMap::new(),
            hosts: BTreeMap::new(),
            eis: Vec::new(),
            left: 0,
            chronon: None,
            passed: 0,
            started: false,
        }
    }

    fn pass_time(&mut self, now: Instant) {
        let chronon = self.grid.index(now);
        for _ in self.chronon.unwrap_or(chronon)..chronon {
            self.left = (self.left + self.budget).min(self.budget.max(PROBE));
        }
        self.chronon = Some(chronon);
        self.eis.retain(|ei| ei.finish >= now);
    }

    pub(crate) fn handle(&mut self, now: Instant, event: Event) {
        self.pass_time(now);
        match event {
            Event::SourceAdded { source, host, prior } => self.add(now, source, host, prior),
            Event::SourceRemoved { source } => {
                self.sources.remove(&source);
                self.eis.retain(|ei| ei.source != source);
            }
            Event::EiAdded { ei, cei, source, start, finish, .. } => {
                let taken = self.eis.iter().any(|other| other.id == ei);
                let known = self.sources.contains_key(&source);
                if known && !taken && start <= finish && now <= finish {
                    self.eis.push(TwinEi { id: ei, cei, source, start, finish });
                }
            }
            Event::CeiDropped { cei } => self.eis.retain(|ei| ei.cei != cei),
            Event::HostUsed { host, requests } => self.host(now, host).spend(now, requests),
            Event::BudgetSet { per_chronon } => {
                self.budget = (per_chronon * PROBE as f64).round() as i64;
                self.left = self.left.min(self.budget.max(PROBE));
            }
            Event::HostLimitSet { host, interval, in_flight } => {
                let host = self.host(now, host);
                (host.interval, host.in_flight_max) = (interval, in_flight);
            }
            Event::HostHeld { host, until } => {
                let host = self.host(now, host);
                host.held_until = host.held_until.max(until);
            }
            Event::Weight { source, .. }
            | Event::Asked { source }
            | Event::SourceHeld { source, .. }
            | Event::Probed { source, .. } => {
                if let Some(mut entry) = self.sources.get(&source).cloned() {
                    self.change(now, &mut entry, event);
                    self.sources.insert(source, entry);
                }
            }
        }
    }

    fn host(&mut self, now: Instant, host: HostId) -> &mut TwinHost {
        self.hosts.entry(host).or_insert(TwinHost {
            interval: self.config.host_interval,
            in_flight_max: self.config.host_in_flight,
            owed: 1,
            since: now,
            held_until: Instant::EPOCH,
            passed: 0,
        })
    }

    fn add(&mut self, now: Instant, source: SourceId, host: HostId, prior: Option<SourceRecord>) {
        if self.sources.contains_key(&source) {
            return;
        }
        let mut learned = prior.unwrap_or(SourceRecord {
            source,
            interval: self.config.interval_initial,
            last_probe: None,
            failures: 0,
            probes: 0,
            changes: 0,
        });
        learned.source = source;
        learned.interval = within_bounds(learned.interval, &self.config);
        learned.last_probe = learned.last_probe.map(|last| last.min(now));
        let mut due = self.next_due(&learned);
        if !self.started && due <= now {
            let within = learned.interval.min(self.config.restart_spread);
            due = self.grid.up(now + chance::spread(self.seed, source, 0, within));
        }
        self.host(now, host);
        let (fresh, held, in_flight, asked) = (false, false, false, None);
        let baseline_since = now;
        let entry =
            TwinSource { host, fresh, held, in_flight, asked, baseline_since, due, learned };
        self.sources.insert(source, entry);
    }

    fn change(&mut self, now: Instant, entry: &mut TwinSource, event: Event) {
        match event {
            Event::Weight { weight, .. } => {
                if weight > 0.0 && !entry.fresh {
                    entry.baseline_since = now;
                }
                entry.fresh = weight > 0.0;
            }
            Event::Asked { .. } if !entry.in_flight => {
                entry.asked = Some(entry.asked.unwrap_or(now));
            }
            Event::SourceHeld { held, .. } => entry.held = held,
            Event::Probed { start, outcome, .. } => {
                let learned = &mut entry.learned;
                if let Some(last) = learned.last_probe {
                    let elapsed = start.since(last);
                    learned.interval =
                        next_interval(learned.interval, elapsed, outcome, &self.config);
                }
                learned.last_probe = learned.last_probe.max(Some(start));
                learned.probes += 1;
                learned.changes += u64::from(outcome == Outcome::Changed);
                if outcome == Outcome::Failed {
                    learned.failures += 1;
                } else {
                    learned.failures = 0;
                    entry.asked = entry.asked.filter(|asked| *asked > start);
                    let source = learned.source;
                    let inside = |ei: &TwinEi| ei.start <= start && start <= ei.finish;
                    self.eis.retain(|ei| ei.source != source || !inside(ei));
                }
                entry.in_flight = false;
                entry.due = self.next_due(&entry.learned);
            }
            _ => {}
        }
    }

    fn back_off(learned: &SourceRecord) -> Span {
        let minutes = (1..learned.failures).fold(1_i64, |minutes, _| minutes.saturating_mul(2));
        Span::MINUTE.times(minutes).min(learned.interval)
    }

    fn next_due(&self, learned: &SourceRecord) -> Instant {
        let wait = if learned.failures > 0 { Self::back_off(learned) } else { learned.interval };
        self.grid.up(learned.last_probe.unwrap_or(Instant::EPOCH) + wait)
    }

    /// The best this source wants now.
    fn want(&self, now: Instant, entry: &TwinSource) -> Option<Want> {
        if entry.held || entry.in_flight {
            return None;
        }
        let baseline = entry.fresh && entry.learned.last_probe.is_none();
        let first = [baseline.then_some(entry.baseline_since), entry.asked];
        if let Some(since) = first.into_iter().flatten().min() {
            return Some((Class::First, since));
        }
        let mine = self.eis.iter().filter(|ei| ei.source == entry.learned.source);
        let open = mine.filter(|ei| self.grid.up(ei.start) <= now && now <= ei.finish);
        if let Some(finish) = open.map(|ei| ei.finish).min() {
            let last = entry.learned.last_probe.filter(|_| entry.learned.failures > 0);
            let retry = last.map(|last| {
                let half = finish.since(last).divided_by(2).max(Span::from_millis(1));
                self.grid.up(last + half.min(Self::back_off(&entry.learned)))
            });
            if retry.is_none_or(|retry| retry <= now) {
                return Some((Class::Window, finish));
            }
        }
        (entry.fresh && entry.due <= now).then_some((Class::Fresh, entry.due))
    }

    /// The source of `host` that comes next.
    fn head(&self, now: Instant, host: HostId) -> Option<(Want, SourceId)> {
        let limits = &self.hosts[&host];
        let mine = || self.sources.iter().filter(move |(_, entry)| entry.host == host);
        let in_flight = mine().filter(|(_, entry)| entry.in_flight).count();
        let full = in_flight >= limits.in_flight_max as usize;
        if full || now < self.grid.up(limits.full_at().max(limits.held_until)) {
            return None;
        }
        let wants: Vec<(Want, SourceId)> =
            mine().filter_map(|(id, entry)| Some((self.want(now, entry)?, *id))).collect();
        best(wants, limits.passed)
    }

    pub(crate) fn poll(&mut self, now: Instant, picks: &mut Vec<Pick>) {
        self.pass_time(now);
        loop {
            let in_flight = self.sources.values().filter(|entry| entry.in_flight).count();
            if self.left < PROBE || in_flight >= self.config.in_flight_max as usize {
                return;
            }
            let hosts: Vec<HostId> = self.hosts.keys().copied().collect();
            let heads: Vec<(Want, HostId)> = hosts
                .into_iter()
                .filter_map(|host| Some((self.head(now, host)?.0, host)))
                .collect();
            let fresh_waits = heads.iter().any(|((class, _), _)| *class == Class::Fresh);
            let Some((_, host)) = best(heads, self.passed) else { return };
            let ((class, at), source) = self.head(now, host).expect("it has a head");
            self.passed = passed(self.passed, class, fresh_waits);
            picks.push(self.pick(now, (class, at), source));
        }
    }

    fn pick(&mut self, now: Instant, (class, at): Want, source: SourceId) -> Pick {
        (self.started, self.left) = (true, self.left - PROBE);
        let entry = self.sources.get_mut(&source).expect("it was a head");
        (entry.in_flight, entry.asked) = (true, None);
        let (host, learned) = (entry.host, entry.learned.clone());
        let fresh_waits = self.sources.values().any(|other| {
            other.host == host && matches!(self.want(now, other), Some((Class::Fresh, _)))
        });
        let limits = self.hosts.get_mut(&host).expect("a source has a host");
        limits.passed = passed(limits.passed, class, fresh_waits);
        limits.spend(now, 1);
        let reason = match class {
            Class::First if learned.last_probe.is_none() => Reason::Baseline,
            Class::First => Reason::Asked,
            Class::Window => Reason::Deadline { finish: at },
            Class::Fresh if learned.failures > 0 => Reason::Retry { failures: learned.failures },
            Class::Fresh => Reason::Freshness { interval: learned.interval },
        };
        Pick { source, reason }
    }
}

impl TwinHost {
    fn full_at(&self) -> Instant {
        self.since + self.interval.times(self.owed)
    }

    fn spend(&mut self, now: Instant, requests: u32) {
        if requests > 0 && self.full_at() <= now {
            (self.since, self.owed) = (now, 0);
        }
        self.owed += i64::from(requests);
    }
}

fn best<Id: Ord + Copy>(mut wants: Vec<(Want, Id)>, passed: u8) -> Option<(Want, Id)> {
    wants.sort();
    let first = *wants.first()?;
    let fresh = wants.iter().find(|((class, _), _)| *class == Class::Fresh);
    let its_turn = passed >= EIS_PER_FRESH && first.0.0 == Class::Window;
    Some(*fresh.filter(|_| its_turn).unwrap_or(&first))
}

fn passed(passed: u8, class: Class, fresh_waits: bool) -> u8 {
    match class {
        Class::First => passed,
        Class::Window if fresh_waits => passed + 1,
        Class::Window | Class::Fresh => 0,
    }
}
