//! The server's own scheduler, told what a server is told.
//!
//! `server` and `server-dated` know only what their own looks found: they live through the training
//! days too, and are started anew from their records in the middle of them. `server-dated` is told
//! when each item came, as feeds with dates tell it. A history that is told counts as one look at
//! its end.

use super::{DAY, DelayPolicy, Posting, Setting};
use chronon::{HostId, Instant, SourceId, Span};
use schedule::forecast::{Workload, forecast};
use schedule::{Config, Event, Outcome, Scheduler};

/// What a find tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// How much came.
    Counts,
    /// And when.
    Times,
}

/// [`Scheduler`] behind the seam of the experiments.
#[derive(Debug)]
pub struct Served {
    setting: Setting,
    /// By source; each has its own if there are none.
    hosts: Vec<u32>,
    told: Told,
    scheduler: Scheduler,
    /// When it starts anew from its records.
    restart: Option<f64>,
}

fn instant(seconds: f64) -> Instant {
    Instant::from_millis(libm::round(seconds * 1000.0) as i64)
}

impl Served {
    /// Watches nothing yet. `hosts`: the number of each source's host; without, each has its own.
    #[must_use]
    pub fn new(setting: Setting, hosts: Vec<u32>, told: Told) -> Served {
        Served { setting, hosts, told, scheduler: scheduler(setting), restart: None }
    }

    /// Begins to watch at `start`; ends and starts anew at `restart`.
    #[must_use]
    pub fn begun(mut self, start: f64, restart: Option<f64>) -> Served {
        self.restart = restart;
        for id in 0..self.setting.sources as u32 {
            let (source, host) = (SourceId(id), self.host(id));
            let added = Event::SourceAdded { source, host, prior: None };
            self.scheduler.handle(instant(start), added);
            self.scheduler.handle(instant(start), Event::Weight { source, weight: 1.0 });
        }
        self
    }

    fn host(&self, source: u32) -> HostId {
        HostId(self.hosts.get(source as usize).copied().unwrap_or(source))
    }

    /// What a server does that is stopped and started.
    fn start_anew(&mut self, now: Instant) {
        let mut scheduler = scheduler(self.setting);
        if let Some(week) = self.scheduler.latest_week() {
            scheduler.recall_week(now, &week);
        }
        for id in 0..self.setting.sources as u32 {
            let (source, host) = (SourceId(id), self.host(id));
            let prior = self.scheduler.record(source);
            scheduler.handle(now, Event::SourceAdded { source, host, prior });
            scheduler.handle(now, Event::Weight { source, weight: 1.0 });
        }
        self.scheduler = scheduler;
    }
}

/// The server's limits in experiments: none but the budget, which is used up.
#[must_use]
pub fn config(setting: Setting) -> Config {
    let chronon = Span::from_millis(libm::round(setting.chronon_seconds * 1000.0) as i64);
    Config::free(chronon, setting.per_chronon())
}

fn scheduler(setting: Setting) -> Scheduler {
    Scheduler::new(config(setting), setting.seed).expect("a setting of numbers that can be")
}

impl DelayPolicy for Served {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        let outcome = if postings.is_empty() { Outcome::Unchanged } else { Outcome::Changed };
        let times = match self.told {
            Told::Counts => Vec::new(),
            Told::Times => postings.iter().map(|posting| instant(posting.time)).collect(),
        };
        let (source, start, found) = (SourceId(source), instant(now), postings.len() as u32);
        self.scheduler.handle(start, Event::Probed { source, start, outcome, found, times });
    }

    fn plan(&mut self, now: f64) {
        if self.restart.is_some_and(|restart| restart <= now) {
            self.restart = None;
            self.start_anew(instant(now));
        }
    }

    fn choose(&mut self, now: f64, _room: usize, picks: &mut Vec<u32>) {
        let mut picked = Vec::new();
        self.scheduler.poll(instant(now), &mut picked);
        picks.extend(picked.iter().map(|pick| pick.source.0));
    }

    /// What `tidings plan` would say.
    fn forecast(&self) -> Option<f64> {
        let ids = 0..self.setting.sources as u32;
        let watched = |id| self.scheduler.watched(SourceId(id), self.host(id));
        let sources = ids.filter_map(watched).collect();
        let (config, experience) = (config(self.setting), self.scheduler.experience());
        forecast(&Workload { config, sources, experience }).totals.delay
    }
}

/// The middle of the training days, at a start of a day.
#[must_use]
pub fn middle(start: f64, measured: f64) -> f64 {
    libm::floor(f64::midpoint(start, measured) / DAY) * DAY
}
