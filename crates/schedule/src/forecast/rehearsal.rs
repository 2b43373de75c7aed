//! Deadlines as they will come: the scheduler itself plays them through.
//!
//! Prices say what is worth a probe in the long run, not what happens when many looks are due at
//! one moment. So a world with deadlines is played: each look opens at its time, on its host, and
//! the scheduler picks among them and among what freshness wants.

use super::{Demand, Watched, Workload};
use crate::rate::Learner;
use crate::scheduler::Scheduler;
use crate::{CeiId, Config, EiId, Event, Outcome, Pick, SourceRecord, chance, value};
use chronon::{Instant, SourceId, Span};
use std::collections::BTreeSet;

const START: Instant = Instant::from_millis(1_800_000_000_000);
/// What comes first, until buckets and turns are as they will be.
const SETTLING: Span = Span::HOUR;
/// How much of all that is played it takes at most.
const SETTLING_SHARE: f64 = 0.25;
/// Looks at a time of day come once; longer is only more of the same.
const LONGEST: Span = Span::DAY;
/// Less than this says nothing.
const SHORTEST: Span = Span::MINUTE.times(10);
/// As if a source had been watched so long, seconds.
const WATCHED: f64 = 1e7;
const SEED: u64 = 18;

/// What became of one demand.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Played {
    pub(super) looks: u32,
    pub(super) captured: u32,
}

impl Played {
    pub(super) fn share(self) -> Option<f64> {
        (self.looks > 0).then(|| f64::from(self.captured) / f64::from(self.looks))
    }
}

/// Plays `world` with `per_chronon` probes, `events_per_second` being what is expected to
/// happen, `events_max` how much of it may be played. Per demand of each source, in order; nothing
/// if there is none, or a few minutes are too much already.
pub(super) fn play(
    world: &Workload,
    per_chronon: f64,
    events_per_second: f64,
    events_max: f64,
) -> Vec<Played> {
    let demands = world.sources.iter().any(|watched| !watched.demands.is_empty());
    let whole = events_max / events_per_second.max(1e-9);
    let settling = (whole * SETTLING_SHARE).min(SETTLING.as_secs_f64());
    let length = (whole - settling).clamp(0.0, LONGEST.as_secs_f64());
    if !demands || length < SHORTEST.as_secs_f64() {
        return Vec::new();
    }
    let config = Config { budget: per_chronon, ..world.config.clone() };
    let Ok(scheduler) = Scheduler::new(config, SEED) else { return Vec::new() };
    let from = START + Span::from_millis((settling * 1_000.0) as i64);
    let until = from + Span::from_millis((length * 1_000.0) as i64);
    let mut stage = Stage::new(world, scheduler, (from, until));
    stage.play();
    stage.looks.into_iter().map(|look| look.played).collect()
}

/// One demand on the stage.
struct PlayedLook<'w> {
    source: usize,
    demand: &'w Demand,
    start: Instant,
    /// EIs in a row that passed without a try: the next is worth that much more.
    passed_over: u32,
    open: bool,
    played: Played,
}

impl PlayedLook<'_> {
    fn finish(&self) -> Instant {
        self.start + self.demand.slack
    }
}

/// What the scheduler does not keep of a source.
struct PlayedPage {
    first_look: usize,
    last_probe: Instant,
    last_try: Instant,
    probes: u64,
    /// Changes expected and not found: they come evenly, so that what was learned stays.
    due: f64,
}

struct Stage<'w> {
    world: &'w Workload,
    scheduler: Scheduler,
    /// Looks that begin in this span are counted.
    counted: (Instant, Instant),
    looks: Vec<PlayedLook<'w>>,
    pages: Vec<PlayedPage>,
    /// Looks by when they open, or are over.
    turns: BTreeSet<(Instant, usize)>,
    next_ei: u64,
    places: rustc_hash::FxHashMap<SourceId, usize>,
}

impl<'w> Stage<'w> {
    fn new(world: &'w Workload, scheduler: Scheduler, counted: (Instant, Instant)) -> Stage<'w> {
        let mut stage = Stage {
            world,
            scheduler,
            counted,
            looks: Vec::new(),
            pages: Vec::new(),
            turns: BTreeSet::new(),
            next_ei: 0,
            places: Default::default(),
        };
        for (place, watched) in world.sources.iter().enumerate() {
            stage.enter(place, watched);
        }
        stage
    }

    fn enter(&mut self, place: usize, watched: &'w Watched) {
        let &Watched { source, host, host_interval, weight, cost, .. } = watched;
        let config = &self.world.config;
        let interval = value::interval_of(config, config.yield_min / watched.per_second.max(1e-12));
        let last = START - chance::spread(SEED, source, 0, interval);
        let seen = (watched.per_second * WATCHED) as f32;
        let watched_for = WATCHED as f32;
        let learned = Learner::from_numbers([seen, watched_for, seen, watched_for, 0.0, seen]);
        let known = SourceRecord::known(source, learned, 1_000, last);
        let never = watched.failures > 0 && !watched.answered;
        let last_success = known.last_success.filter(|_| !never);
        let prior = Some(SourceRecord { failures: watched.failures, last_success, ..known });
        let in_flight = config.host_in_flight;
        let events = [
            Event::SourceAdded { source, host, prior },
            Event::HostLimitSet { host, interval: host_interval, in_flight },
            Event::Cost { source, cost },
            Event::Weight { source, weight },
        ];
        events.into_iter().for_each(|event| self.scheduler.handle(START, event));
        self.places.insert(source, place);
        let first_look = self.looks.len();
        self.pages.push(PlayedPage {
            first_look,
            last_probe: last,
            last_try: last,
            probes: 0,
            due: 0.0,
        });
        for demand in &watched.demands {
            let start = START + demand.ahead;
            let played = Played::default();
            let look =
                PlayedLook { source: place, demand, start, passed_over: 0, open: false, played };
            self.turns.insert((start.max(START), self.looks.len()));
            self.looks.push(look);
        }
    }

    fn play(&mut self) {
        let (mut now, mut picks) = (START, Vec::<Pick>::new());
        let chronon = self.world.config.chronon.max(Span::from_millis(1));
        // What opened in time may be captured after it.
        while let Some(turn) = self.turns.first().map(|&(at, _)| at) {
            let next = self.scheduler.next_deadline().map_or(turn, |at| at.min(turn));
            now = next.max(now);
            if now > self.counted.1 + Span::DAY {
                return;
            }
            self.turn(now);
            self.scheduler.poll(now, &mut picks);
            let picked = !picks.is_empty();
            for pick in picks.drain(..) {
                self.probe(now, pick.source);
            }
            let is_ahead = |at: Option<Instant>| at.is_none_or(|at| at > now);
            let waits = is_ahead(self.scheduler.next_deadline());
            if !picked && !waits && is_ahead(self.turns.first().map(|&(at, _)| at)) {
                // Nothing to pick after all: the next chronon may bring it.
                now += chronon;
            }
        }
    }

    /// Looks open, and looks that are over are missed.
    fn turn(&mut self, now: Instant) {
        while let Some(&(at, place)) = self.turns.first() {
            if at > now {
                return;
            }
            self.turns.pop_first();
            let look = &mut self.looks[place];
            if !look.open {
                self.open(now, place);
            } else if look.finish() < now {
                let tried = self.pages[look.source].last_try >= look.start;
                look.passed_over = if tried { 0 } else { look.passed_over + 1 };
                self.count(place, false);
                self.next(place);
            } else {
                self.turns.insert((look.finish() + Span::from_millis(1), place));
            }
        }
    }

    fn open(&mut self, now: Instant, place: usize) {
        self.next_ei += 1;
        let look = &mut self.looks[place];
        look.open = true;
        let (ei, cei) = (EiId(self.next_ei), CeiId(self.next_ei));
        let utility = look.demand.utility * (1.0 + f64::from(look.passed_over));
        let source = self.world.sources[look.source].source;
        let (start, finish) = (look.start, look.finish());
        self.turns.insert((finish + Span::from_millis(1), place));
        self.scheduler.handle(now, Event::EiAdded { ei, cei, source, start, finish, utility });
    }

    fn count(&mut self, place: usize, captured: bool) {
        let look = &mut self.looks[place];
        if self.counted.0 <= look.start && look.start < self.counted.1 {
            look.played.looks += 1;
            look.played.captured += u32::from(captured);
        }
    }

    /// The next interval; none after the last that is counted.
    fn next(&mut self, place: usize) {
        let look = &mut self.looks[place];
        self.turns.remove(&(look.finish() + Span::from_millis(1), place));
        look.open = false;
        look.start += look.demand.period.max(Span::from_millis(1));
        if look.start < self.counted.1 {
            self.turns.insert((look.start, place));
        }
    }

    fn probe(&mut self, now: Instant, source: SourceId) {
        let Some(&place) = self.places.get(&source) else { return };
        let watched = &self.world.sources[place];
        let page = &mut self.pages[place];
        page.probes += 1;
        page.last_try = now;
        // Failures come in a row: drawn one by one, each would be tried again in haste, and take
        // the turns of others on its host.
        let succeeds =
            !watched.is_down() && chance::share(SEED, source, page.probes) < watched.success;
        let outcome = if succeeds {
            let since = now.since(page.last_probe).as_secs_f64();
            page.due += 1.0 - libm::exp(-watched.per_second * since);
            page.last_probe = now;
            let found = page.due >= 1.0;
            page.due -= f64::from(u8::from(found));
            if found { Outcome::Changed } else { Outcome::Unchanged }
        } else {
            Outcome::Failed
        };
        let looks = page.first_look..page.first_look + watched.demands.len();
        self.scheduler.handle(
            now,
            Event::Probed { source, start: now, outcome, found: 0, times: Vec::new() },
        );
        for place in looks {
            let look = &mut self.looks[place];
            if succeeds && look.open && look.start <= now && now <= look.finish() {
                look.passed_over = 0;
                self.count(place, true);
                self.next(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::HostId;

    #[test]
    fn sources_were_looked_at_last_anywhere_in_their_interval() {
        let config = Config::standard();
        let watched = |source| Watched {
            source: SourceId(source),
            host: HostId(source),
            host_interval: Span::ZERO,
            weight: 1.0,
            per_second: config.yield_min / 86_400.0,
            answered: true,
            success: 1.0,
            failures: 0,
            cost: 1.0,
            demands: Vec::new(),
        };
        let sources = (0..100).map(watched).collect();
        let experience = crate::Experience::default();
        let world = Workload { sources, config: config.clone(), experience };
        let scheduler = Scheduler::new(config.clone(), SEED).expect("the standard can be");
        let stage = Stage::new(&world, scheduler, (START, START));
        let late = |page: &&PlayedPage| START.since(page.last_probe) > Span::HOUR.times(12);
        assert!((30..70).contains(&stage.pages.iter().filter(late).count()));
    }
}
