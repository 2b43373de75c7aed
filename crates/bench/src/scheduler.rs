//! The server's scheduler at 10^4 to 10^6: what a probe and what an event of an EI costs, and what
//! a source and an EI take of memory.
//!
//! Times are processor time, so that neighbours do not count; their caches do. Memory is what a
//! process of its own gains once everybody was probed twice, or two generations of EIs came and
//! went. Room that was left and is not used again counts.

mod families;

use crate::{Figure, ROUNDS, median, process};
use anyhow::{Context, Result};
use chronon::{HostId, Instant, SourceId, Span};
use policies::Dice;
use schedule::rate::Learner;
use schedule::{CeiId, Config, EiId, Event, Outcome, Pick, Scheduler, SourceRecord, WeekRecord};
use std::process::Command;

/// Asks for [`bytes`] on the command line.
pub const BYTES: &str = "--bytes";
const FEW: usize = 10_000;
const MIDDLE: usize = 100_000;
const MANY: usize = 1_000_000;
/// Probes per round.
const PROBES: usize = 100_000;
/// Chronons of a round with rhythms: an hour, so that each holds the turn of one.
const HOUR: i64 = 3_600;
/// Rounds of these; at 10^6 one, of 3.6 million probes.
const HOURS: usize = 3;
/// EIs per round at least, and chronons: processor time is told in ticks.
const EIS: u64 = 200_000;
const CHRONONS: u64 = 200;
/// Chronons that an EI is ahead, and open, at most.
const SPAN: u64 = 1_000;
/// EIs of a CEI at most.
const RANK: u64 = 3;

pub fn run() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let mut add = |name: &str, measured, (baseline_name, baseline), unit| {
        figures.push(Figure { name: name.into(), measured, baseline_name, baseline, unit });
    };
    let small = "the same at 10^4";
    let few = probes(FEW)?;
    add("scheduler: ns per probe, 10^5 sources", probes(MIDDLE)?, (small, few), "ns");
    let many = probes(MANY)?;
    add("scheduler: ns per probe, 10^6 sources", many, (small, few), "ns");
    add("scheduler: ns per probe, against the aim", many, ("the aim", 4_000.0), "ns");
    let few = rhythms(FEW)?;
    add("scheduler: by the week, 10^5 sources", rhythms(MIDDLE)?, (small, few), "ns");
    let many = rhythms(MANY)?;
    add("scheduler: by the week, 10^6 sources", many, (small, few), "ns");
    add("scheduler: by the week, against the aim", many, ("the aim", 4_000.0), "ns");
    let few = families(FEW)?;
    add("scheduler: in company, 10^5 sources", families(MIDDLE)?, (small, few), "ns");
    let many = families(MANY)?;
    add("scheduler: in company, 10^6 sources", many, (small, few), "ns");
    add("scheduler: in company, against the aim", many, ("the aim", 5_000.0), "ns");
    let (few, middle, many) = (eis(FEW)?, eis(MIDDLE)?, eis(MANY)?);
    let aim = ("the aim", 400.0);
    let name = |what: &str| format!("scheduler: ns per EI event, {what}");
    add(&name("10^5 EIs"), middle.added, (small, few.added), "ns");
    add(&name("10^6 EIs"), many.added, (small, few.added), "ns");
    add(&name("against the aim"), many.added, aim, "ns");
    add(&name("probes in it, 10^5"), middle.all, (small, few.all), "ns");
    add(&name("probes in it, 10^6"), many.all, (small, few.all), "ns");
    let hundred = ("the aim", 100.0);
    add("scheduler: bytes per source, ten a host", in_a_process("sources")?, hundred, "B");
    let aim = ("the aim", 200.0);
    add("scheduler: bytes per source in company", in_a_process("families")?, aim, "B");
    add("scheduler: bytes per EI, its CEI included", in_a_process("eis")?, hundred, "B");
    Ok(figures)
}

/// [`bytes`] in a process of its own: what earlier worlds left to this one would be used again.
fn in_a_process(what: &str) -> Result<f64> {
    let output = Command::new(std::env::current_exe()?).args([BYTES, what]).output()?;
    let text = String::from_utf8(output.stdout)?;
    text.trim().parse().with_context(|| format!("{BYTES} {what} said {text:?}"))
}

/// Bytes that a source or an EI takes, once everybody was probed twice or two generations of EIs
/// came and went.
pub fn bytes(what: &str) -> Result<f64> {
    let resident = || process::resident_bytes(std::process::id());
    if what == "sources" {
        let before = resident()?;
        let mut world = Load::new(MANY, MANY as f64 / 1_000.0, Demand::Freshness);
        world.pass_until(|world| world.probes >= 2 * MANY);
        // The rates and times of the last probes are ours.
        return Ok((resident()? - before) as f64 / MANY as f64 - 12.0);
    }
    if what == "families" {
        let before = resident()?;
        let mut world = Load::new(MANY, MANY as f64 / 1_000.0, Demand::InCompany);
        world.pass_until(|world| world.probes >= 2 * MANY);
        return Ok((resident()? - before) as f64 / MANY as f64 - 12.0);
    }
    let mut world = Load::new(MANY / 10, MANY as f64 / SPAN as f64 / 4.0, Demand::Deadlines);
    let before = resident()?;
    world.crowd(MANY as u64);
    // The times are ours of a tenth as many sources.
    Ok((resident()? - before) as f64 / MANY as f64 - 0.8)
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
/// learned from).
fn probes(sources: usize) -> Result<f64> {
    let mut world = Load::new(sources, sources as f64 / 1_000.0, Demand::Freshness);
    world.pass_until(|world| world.probes >= sources);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let (began, probes) = (process::thread_nanoseconds()?, world.probes);
        world.pass_until(|world| world.probes >= probes + PROBES);
        let passed = process::thread_nanoseconds()? - began;
        times.push(passed / (world.probes - probes) as f64);
    }
    Ok(median(times))
}

/// The same where everybody keeps to the week, more or less, over whole hours.
fn rhythms(sources: usize) -> Result<f64> {
    let mut world = Load::new(sources, sources as f64 / 1_000.0, Demand::ByTheWeek);
    world.pass_until(|world| world.probes >= sources);
    let mut times = Vec::new();
    let rounds = if sources == MANY { 1 } else { HOURS };
    for _ in 0..rounds {
        let (began, probes, now) = (process::thread_nanoseconds()?, world.probes, world.now);
        world.pass_until(|world| world.now >= now + HOUR);
        let passed = process::thread_nanoseconds()? - began;
        times.push(passed / (world.probes - probes) as f64);
    }
    Ok(median(times))
}

/// Families that change together and at hours of their own, everybody looked at every five hours
/// and a half: nanoseconds per probe.
fn families(sources: usize) -> Result<f64> {
    let mut world = Load::new(sources, sources as f64 / 1_000.0, Demand::InCompany);
    world.pass_until(|world| world.probes >= sources);
    let mut times = Vec::new();
    for _ in 0..HOURS {
        let (began, probes) = (process::thread_nanoseconds()?, world.probes);
        world.pass_until(|world| world.probes >= probes + PROBES);
        let passed = process::thread_nanoseconds()? - began;
        times.push(passed / (world.probes - probes) as f64);
    }
    Ok(median(times))
}

/// What an event of an EI costs, in nanoseconds.
struct EiCosts {
    /// All time by events: probes included.
    all: f64,
    /// Less what as many probes of as many sources take without EIs.
    added: f64,
}

/// Deadlines alone, live EIs of a tenth as many sources, a quarter of which the budget
/// could serve one by one. Each EI has three events: it comes, opens, ends.
fn eis(count: usize) -> Result<EiCosts> {
    let (sources, per_chronon) = (count / 10, count as u64 / SPAN);
    let budget = per_chronon as f64 / 4.0;
    let mut plain = Load::new(sources, budget, Demand::Freshness);
    plain.pass_until(|world| world.now >= 2 * SPAN as i64);
    let mut crowd = Load::new(sources, budget, Demand::Deadlines);
    crowd.crowd(count as u64);
    let chronons = CHRONONS.max(EIS / per_chronon) as i64;
    let mut costs = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let time = |world: &mut Load| -> Result<(f64, f64, f64)> {
            let (probes, eis, now) = (world.probes, world.eis, world.now);
            let began = process::thread_nanoseconds()?;
            world.pass_until(|world| world.now >= now + chronons);
            let passed = process::thread_nanoseconds()? - began;
            Ok((passed, (world.probes - probes) as f64, 3.0 * (world.eis - eis) as f64))
        };
        let ((passed, probes, events), without) = (time(&mut crowd)?, time(&mut plain)?);
        costs.0.push(passed / events);
        costs.1.push((passed - probes * without.0 / without.1) / events);
    }
    let (all, added) = (median(costs.0), median(costs.1));
    Ok(EiCosts { all, added })
}

/// What the sources of a world are watched for.
#[derive(Clone, Copy, PartialEq)]
enum Demand {
    Freshness,
    /// That, and each believes in the pattern of the week, one more, the other less.
    ByTheWeek,
    /// By the week, at hours of their own, in families.
    InCompany,
    Deadlines,
}

impl Demand {
    fn keeps_to_the_week(self) -> bool {
        matches!(self, Demand::ByTheWeek | Demand::InCompany)
    }

    /// Seconds of a chronon.
    fn chronon(self) -> i64 {
        if self == Demand::InCompany { families::CHRONON } else { 1 }
    }
}

struct Load {
    scheduler: Scheduler,
    demand: Demand,
    /// Changes per second.
    rates: Vec<f32>,
    last: Vec<i64>,
    dice: Dice,
    now: i64,
    probes: usize,
    eis: u64,
    ceis: u64,
    eis_per_chronon: u64,
}

impl Load {
    fn new(sources: usize, budget: f64, demand: Demand) -> Load {
        let chronon = Span::from_secs(demand.chronon());
        let config = Config { chronon, ..config(budget) };
        let mut scheduler = Scheduler::new(config, 7).expect("its numbers can be");
        let by_the_week = demand.keeps_to_the_week();
        if by_the_week {
            let busy = |hour: usize| if (8..18).contains(&(hour % 24)) { 900.0 } else { 150.0 };
            let hours = (0..336).map(busy).collect();
            let week = WeekRecord { discounted: at(0), hours, company: Vec::new() };
            assert!(scheduler.recall_week(at(0), &week), "it is a week");
        }
        let (mut dice, mut rates) = (Dice::new(1), Vec::with_capacity(sources));
        for id in 0..sources {
            rates.push(match demand {
                Demand::InCompany => families::rate(id),
                _ => (1e-4 * 10_f64.powf(2.0 * dice.unit())) as f32,
            });
            let (source, host) = (SourceId(id as u32), HostId((id / 10) as u32));
            let watched = 1e4 * demand.chronon() as f32;
            let seen = rates[id] * watched;
            let last = at(-(dice.below(1_000) as i64) * demand.chronon());
            let learned = Learner::from_numbers([seen, watched, seen, watched, 0.0, seen]);
            let prior = (demand != Demand::Deadlines).then(|| SourceRecord {
                score: if by_the_week { 2.5 + 10.0 * dice.unit() as f32 } else { 0.0 },
                company: match demand {
                    Demand::InCompany => families::record(id),
                    _ => Vec::new(),
                },
                ..SourceRecord::known(source, learned, 10, last)
            });
            let weight = if prior.is_some() { 1.0 } else { 0.0 };
            scheduler.handle(at(0), Event::SourceAdded { source, host, prior });
            scheduler.handle(at(0), Event::Weight { source, weight });
        }
        let last = vec![0; sources];
        let (now, probes, eis, ceis, eis_per_chronon) = (0, 0, 0, 0, 0);
        Load { scheduler, demand, rates, last, dice, now, probes, eis, ceis, eis_per_chronon }
    }

    /// One more CEI.
    fn wish(&mut self) {
        self.ceis += 1;
        for _ in 0..=self.dice.below(RANK) {
            self.eis += 1;
            let source = SourceId(self.dice.below(self.rates.len() as u64) as u32);
            let start = self.now + self.dice.below(SPAN) as i64;
            let finish = at(start + self.dice.below(SPAN) as i64);
            let (ei, cei, start, utility) = (EiId(self.eis), CeiId(self.ceis), at(start), 1.0);
            let event = Event::EiAdded { ei, cei, source, start, finish, utility };
            self.scheduler.handle(at(self.now), event);
        }
    }

    /// So many EIs at once, then as many in each span of theirs; two spans pass.
    fn crowd(&mut self, count: u64) {
        while self.eis < count {
            self.wish();
        }
        self.eis_per_chronon = count / SPAN;
        let now = self.now;
        self.pass_until(|world| world.now >= now + 2 * SPAN as i64);
    }

    /// The probe of a source, now.
    fn look(&mut self, id: usize) -> Event {
        let since = std::mem::replace(&mut self.last[id], self.now);
        let (source, start) = (SourceId(id as u32), at(self.now));
        let times = match self.demand {
            Demand::InCompany => families::changes(id, since, self.now).map(at).collect(),
            _ => Vec::new(),
        };
        let found = times.len() as u32;
        let expected = f64::from(self.rates[id]) * (self.now - since) as f64;
        let changed = match self.demand {
            Demand::InCompany => found > 0,
            _ => self.dice.exponential() < expected,
        };
        let outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
        Event::Probed { source, start, outcome, found, times }
    }

    /// Probes end at once.
    fn pass_until(&mut self, enough: impl Fn(&Load) -> bool) {
        let (mut picks, mut records) = (Vec::<Pick>::new(), Vec::new());
        while !enough(self) {
            self.now += self.demand.chronon();
            let eis = self.eis + self.eis_per_chronon;
            while self.eis < eis {
                self.wish();
            }
            self.scheduler.poll(at(self.now), &mut picks);
            self.probes += picks.len();
            for pick in picks.drain(..) {
                let probed = self.look(pick.source.0 as usize);
                self.scheduler.handle(at(self.now), probed);
            }
            self.scheduler.take_records(&mut records);
            records.clear();
        }
    }
}
