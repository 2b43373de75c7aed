//! The server's scheduler at 10^4 to 10^6: what a probe and what an event of an EI costs, and what
//! a source and an EI take of memory.
//!
//! Times are processor time, so that neighbours do not count; their caches do.

use crate::{Figure, ROUNDS, median, process};
use anyhow::Result;
use chronon::{HostId, Instant, SourceId, Span};
use schedule::probing::Dice;
use schedule::rate::Learner;
use schedule::{CeiId, Config, EiId, Event, Outcome, Pick, Scheduler, SourceRecord};

const FEW: usize = 10_000;
const MIDDLE: usize = 100_000;
const MANY: usize = 1_000_000;
/// Probes per round.
const PROBES: usize = 100_000;
/// EIs per round at least, and chronons: processor time is told in ticks.
const EIS: u64 = 200_000;
const CHRONONS: u64 = 200;
/// Chronons that an EI is ahead, and open, at most.
const SPAN: u64 = 1_000;
/// EIs of a CEI at most.
const RANK: u64 = 3;

pub fn run() -> Result<Vec<Figure>> {
    let (few, _) = probes(FEW)?;
    let (middle, _) = probes(MIDDLE)?;
    let (many, source_bytes) = probes(MANY)?;
    let (few_eis, _) = eis(FEW)?;
    let (middle_eis, _) = eis(MIDDLE)?;
    let (many_eis, ei_bytes) = eis(MANY)?;
    let small = "the same at 10^4";
    let row = |name: &str, measured, (baseline_name, baseline), unit| Figure {
        name: name.into(),
        measured,
        baseline_name,
        baseline,
        unit,
    };
    Ok(vec![
        row("scheduler: ns per probe, 10^5 sources", middle, (small, few), "ns"),
        row("scheduler: ns per probe, 10^6 sources", many, (small, few), "ns"),
        row("scheduler: ns per probe, against the aim", many, ("the aim", 4_000.0), "ns"),
        row("scheduler: ns per EI event, 10^5 live EIs", middle_eis, (small, few_eis), "ns"),
        row("scheduler: ns per EI event, 10^6 live EIs", many_eis, (small, few_eis), "ns"),
        row("scheduler: ns per EI event, against the aim", many_eis, ("the aim", 400.0), "ns"),
        row("scheduler: bytes per source, ten a host", source_bytes, ("the aim", 100.0), "B"),
        row("scheduler: bytes per EI, its CEI included", ei_bytes, ("the aim", 100.0), "B"),
    ])
}

fn at(chronon: i64) -> Instant {
    Instant::from_millis(1_800_000_000_000 + chronon * 1_000)
}

/// No limit but the budget, which is used up.
fn config(budget: f64) -> Config {
    Config {
        budget,
        host_interval: Span::ZERO,
        host_in_flight: u32::MAX,
        in_flight_max: u32::MAX,
        interval_min: Span::SECOND,
        interval_max: Span::DAY.times(3_650),
        yield_min: 0.0,
        capture_worth: Span::HOUR,
        restart_spread: Span::ZERO,
        ..Config::standard()
    }
}

/// Freshness alone, everybody once in 1,000 chronons: nanoseconds per probe (picked, ended and
/// learned from), bytes per source.
fn probes(sources: usize) -> Result<(f64, f64)> {
    let mut dice = Dice::new(1);
    let before = process::resident_bytes(std::process::id())?;
    let mut scheduler = Scheduler::new(config(sources as f64 / 1_000.0), 7);
    let mut rates = Vec::with_capacity(sources);
    for id in 0..sources {
        rates.push((1e-4 * 10_f64.powf(2.0 * dice.unit())) as f32);
        let (source, host) = (SourceId(id as u32), HostId((id / 10) as u32));
        let seen = rates[id] * 1e4;
        let last = Some(at(-(dice.below(1_000) as i64)));
        let prior = SourceRecord {
            source,
            learned: Learner::from_numbers([seen, 1e4, seen, 1e4, 0.0, seen]),
            score: 0.0,
            last_probe: last,
            last_success: last,
            failures: 0,
            probes: 10,
            changes: 5,
        };
        scheduler.handle(at(0), Event::SourceAdded { source, host, prior: Some(prior) });
        scheduler.handle(at(0), Event::Weight { source, weight: 1.0 });
    }
    let after = process::resident_bytes(std::process::id())?;
    // The rates are ours.
    let bytes = after.saturating_sub(before) as f64 / sources as f64 - 4.0;
    let mut world = World { scheduler, rates, last: vec![0; sources], dice, now: 0 };
    world.probe(sources);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let began = process::thread_nanoseconds()?;
        let probes = world.probe(PROBES);
        times.push((process::thread_nanoseconds()? - began) / probes as f64);
    }
    Ok((median(times), bytes))
}

struct World {
    scheduler: Scheduler,
    /// Changes per second.
    rates: Vec<f32>,
    last: Vec<i64>,
    dice: Dice,
    now: i64,
}

impl World {
    /// At least so many probes; how many.
    fn probe(&mut self, count: usize) -> usize {
        let (mut done, mut picks, mut records) = (0, Vec::<Pick>::new(), Vec::new());
        while done < count {
            self.now += 1;
            self.scheduler.poll(at(self.now), &mut picks);
            done += picks.len();
            for pick in picks.drain(..) {
                let id = pick.source.0 as usize;
                let gap = (self.now - std::mem::replace(&mut self.last[id], self.now)) as f64;
                let changed = self.dice.exponential() < f64::from(self.rates[id]) * gap;
                let outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
                let probed = Event::Probed { source: pick.source, start: at(self.now), outcome };
                self.scheduler.handle(at(self.now), probed);
            }
            self.scheduler.take_records(&mut records);
            records.clear();
        }
        done
    }
}

/// Deadlines alone, so many live EIs, a quarter of which the budget could serve one by one:
/// nanoseconds per event (an EI comes, opens, ends: three each, probes included), bytes per EI.
fn eis(count: usize) -> Result<(f64, f64)> {
    let sources = count / 10;
    let per_chronon = count as u64 / SPAN;
    let mut crowd = Crowd {
        scheduler: Scheduler::new(config(per_chronon as f64 / 4.0), 7),
        dice: Dice::new(2),
        sources: sources as u64,
        eis: 0,
        ceis: 0,
        now: 0,
    };
    for id in 0..sources as u32 {
        let (source, host, prior) = (SourceId(id), HostId(id / 10), None);
        crowd.scheduler.handle(at(0), Event::SourceAdded { source, host, prior });
    }
    let before = process::resident_bytes(std::process::id())?;
    while crowd.eis < count as u64 {
        crowd.wish();
    }
    let bytes = process::resident_bytes(std::process::id())?.saturating_sub(before) as f64;
    crowd.pass(2 * SPAN as i64, per_chronon);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let (began, eis) = (process::thread_nanoseconds()?, crowd.eis);
        crowd.pass(CHRONONS.max(EIS / per_chronon) as i64, per_chronon);
        let events = 3 * (crowd.eis - eis);
        times.push((process::thread_nanoseconds()? - began) / events as f64);
    }
    Ok((median(times), bytes / count as f64))
}

struct Crowd {
    scheduler: Scheduler,
    dice: Dice,
    sources: u64,
    eis: u64,
    ceis: u64,
    now: i64,
}

impl Crowd {
    /// One more CEI.
    fn wish(&mut self) {
        self.ceis += 1;
        for _ in 0..=self.dice.below(RANK) {
            self.eis += 1;
            let source = SourceId(self.dice.below(self.sources) as u32);
            let start = self.now + self.dice.below(SPAN) as i64;
            let finish = at(start + self.dice.below(SPAN) as i64);
            let (ei, cei, start, utility) = (EiId(self.eis), CeiId(self.ceis), at(start), 1.0);
            let event = Event::EiAdded { ei, cei, source, start, finish, utility };
            self.scheduler.handle(at(self.now), event);
        }
    }

    fn pass(&mut self, chronons: i64, per_chronon: u64) {
        let (mut picks, mut records) = (Vec::<Pick>::new(), Vec::new());
        for _ in 0..chronons {
            self.now += 1;
            let enough = self.eis + per_chronon;
            while self.eis < enough {
                self.wish();
            }
            self.scheduler.poll(at(self.now), &mut picks);
            for pick in picks.drain(..) {
                let (source, start) = (pick.source, at(self.now));
                let probed = Event::Probed { source, start, outcome: Outcome::Unchanged };
                self.scheduler.handle(start, probed);
            }
            self.scheduler.take_records(&mut records);
            records.clear();
        }
    }
}
