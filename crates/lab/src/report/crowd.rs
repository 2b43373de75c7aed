//! T: how long the server's scheduler takes, by EIs. Like those of R7, its numbers are not the
//! same twice.

mod board;

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::sample::{exponent, short};
use super::speed::{Clock, LINEAR_MAX, points};
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use chronon::{HostId, Instant, SourceId, Span};
use policies::Dice;
use schedule::rate::Learner;
use schedule::{CeiId, Config, EiId, Event, Outcome, Scheduler, SourceRecord};

/// Chronons that an EI is ahead, and open, at most.
const SPAN: u64 = 1_000;
/// EIs of a CEI at most, EIs per source, and per probe that the budget pays.
const RANK: u64 = 3;
const PER_SOURCE: u64 = 10;
const PER_PROBE: f64 = 4.0;
/// An EI comes, opens and ends.
const EVENTS: f64 = 3.0;
/// Nanoseconds that an event may take, and how often that of the smallest size.
const EVENT_MAX: f64 = 400.0;
const GROWTH_MAX: f64 = 3.0;
/// Names of series.
const TOTAL: &str = "with EIs, all events and probes";
const PLAIN: &str = "as many probes without EIs";
const EVENT: &str = "an event, probes included";
const ADDED: &str = "an event, less the probes";
const BOARD: &str = "an event of gain-index";

/// A scheduler and its crowd; probes end at once.
struct Crowd {
    scheduler: Scheduler,
    dice: Dice,
    sources: u64,
    now: i64,
    eis: u64,
    ceis: u64,
    probes: u64,
}

fn at(chronon: i64) -> Instant {
    Instant::from_millis(1_800_000_000_000 + chronon * 1_000)
}

impl Crowd {
    /// For `live` EIs, or, where `prior` says so, for as many probes of the same sources without.
    fn new(live: u64, seed: u64, prior: impl Fn(SourceId) -> Option<SourceRecord>) -> Crowd {
        let config = Config {
            budget: live as f64 / SPAN as f64 / PER_PROBE,
            host_interval: Span::ZERO,
            host_in_flight: u32::MAX,
            in_flight_max: u32::MAX,
            interval_min: Span::SECOND,
            interval_max: Span::DAY.times(3_650),
            yield_min: 0.0,
            restart_spread: Span::ZERO,
            ..Config::standard()
        };
        let (scheduler, sources) = (Scheduler::new(config, seed), live / PER_SOURCE);
        let mut scheduler = scheduler.expect("a configuration of numbers that can be");
        for id in 0..sources as u32 {
            let (source, host) = (SourceId(id), HostId(id / 10));
            let prior = prior(source);
            let weight = if prior.is_some() { 1.0 } else { 0.0 };
            scheduler.handle(at(0), Event::SourceAdded { source, host, prior });
            scheduler.handle(at(0), Event::Weight { source, weight });
        }
        Crowd { scheduler, dice: Dice::new(seed), sources, now: 0, eis: 0, ceis: 0, probes: 0 }
    }

    /// So many EIs at least, in CEIs.
    fn wish(&mut self, count: u64) {
        let enough = self.eis + count;
        while self.eis < enough {
            self.ceis += 1;
            for _ in 0..=self.dice.below(RANK) {
                self.eis += 1;
                let source = SourceId(self.dice.below(self.sources) as u32);
                let start = self.now + self.dice.below(SPAN) as i64;
                let finish = at(start + self.dice.below(SPAN) as i64);
                let (ei, cei, start) = (EiId(self.eis), CeiId(self.ceis), at(start));
                let event = Event::EiAdded { ei, cei, source, start, finish, utility: 1.0 };
                self.scheduler.handle(at(self.now), event);
            }
        }
    }

    /// Plays two spans with `eis_per_chronon` EIs coming in each chronon.
    fn pass(&mut self, eis_per_chronon: u64) {
        let mut picks = Vec::new();
        for _ in 0..2 * SPAN {
            self.now += 1;
            self.wish(eis_per_chronon);
            let now = at(self.now);
            self.scheduler.poll(now, &mut picks);
            self.probes += picks.len() as u64;
            for pick in picks.drain(..) {
                let outcome = Outcome::Unchanged;
                let probed = Event::Probed {
                    source: pick.source,
                    start: now,
                    outcome,
                    found: 0,
                    times: Vec::new(),
                };
                self.scheduler.handle(now, probed);
            }
        }
    }
}

/// Seconds and EIs of a life of `live` EIs at once: as many at its start, and two times as many
/// while it lasts; and seconds of as many probes of the same sources, wanted for freshness alone.
fn life(live: u64, seed: u64) -> (f64, f64, f64) {
    let mut crowd = Crowd::new(live, seed, |_| None);
    let clock = Clock::start();
    crowd.wish(live);
    crowd.pass(live / SPAN);
    let seconds = clock.seconds();
    let mut plain = Crowd::new(live, seed, |source| {
        let last = at(-(i64::from(source.0) % 400));
        let learned = Learner::from_numbers([1.0, 1e3, 1.0, 1e3, 0.0, 1.0]);
        Some(SourceRecord::known(source, learned, 10, last))
    });
    let clock = Clock::start();
    plain.pass(0);
    let plain_seconds = clock.seconds() / plain.probes.max(1) as f64 * crowd.probes as f64;
    (seconds, crowd.eis as f64, plain_seconds)
}

/// T: total time against EIs.
///
/// # Errors
/// None.
pub fn time(bench: &Bench) -> Result<Finding, LabError> {
    let live = bench.pick(
        vec![1_000_u64, 2_000],
        vec![10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000],
    );
    let sizes = Places::Numbers(live.iter().map(|&live| live as f64).collect());
    let axes = Axes { x: "EIs live at once; three times as many come", y: "seconds" };
    let mut total = Sweep::new("total time", axes, sizes.clone());
    let mut events =
        Sweep::new("time per event", Axes { x: "EIs live at once", y: "nanoseconds" }, sizes);
    for (at, &live) in live.iter().enumerate() {
        bench.on(&format!("{live} EIs"));
        for &seed in &bench.seeds(1, 3) {
            let (seconds, eis, plain) = life(live, seed);
            total.add(TOTAL, at, seconds);
            total.add(PLAIN, at, plain);
            events.add(EVENT, at, seconds / (EVENTS * eis) * 1e9);
            events.add(ADDED, at, (seconds - plain) / (EVENTS * eis) * 1e9);
            events.add(BOARD, at, board::seconds_per_event(live, seed) * 1e9);
        }
    }
    let grows = exponent(&points(&total, TOTAL));
    let text = format!("grows as EIs^{}", short(grows));
    let linear = format!("total time grows linearly with the EIs (exponent ≤ {LINEAR_MAX})");
    let mut parts = vec![Part::plain(&linear, grows <= LINEAR_MAX, text)];
    let last = live.len() - 1;
    for name in [ADDED, EVENT, BOARD] {
        let (first, last) = (events.mean(name, 0), events.mean(name, last));
        let text = format!("{} ns at {}", short(last), live[live.len() - 1]);
        let within = Part::plain(&format!("{name} ≤ {EVENT_MAX} ns"), last <= EVENT_MAX, text);
        parts.push(within.because(MEMORY));
        let text = format!("{} times that at {}", short(last / first), live[0]);
        let most = format!("{name}: at most {GROWTH_MAX} times as long at the largest size");
        parts.push(Part::plain(&most, last <= GROWTH_MAX * first, text).because(MEMORY));
    }
    let finding = Finding {
        claim: "Target: the server's scheduler takes time linear in the EIs, at most 400 ns per \
                event of an EI and 4 µs per probe at 10^6, growing at most three times from 10^4; \
                and so does `gain-index`."
            .to_owned(),
        setup: setup(),
        parts,
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[total, events]);
    for panel in &mut finding.figure.panels {
        *panel = panel.clone().log_x();
    }
    let total = finding.figure.panels[0].clone();
    finding.figure.panels[0] = total.log_y();
    finding.figure.panels[1] = finding.figure.panels[1].clone().level("400 ns", EVENT_MAX);
    Ok(finding)
}

const MEMORY: &str = "10^6 EIs take 100 MB, far more than a processor keeps near: time goes into \
                      fetching them.";

fn setup() -> Vec<String> {
    vec![
        format!(
            "The server's scheduler as it is. CEIs of 1 to {RANK} EIs of random sources, one \
             source per {PER_SOURCE} live EIs; each starts within {SPAN} chronons and is open for \
             at most as many; as many come in each chronon as end. The budget pays a probe per \
             {PER_PROBE} EIs; probes end at once. An EI has three events: it comes, opens, ends."
        ),
        "“Less the probes”: less the time of as many probes of the same sources for freshness \
         alone. What a probe takes, with a rhythm and without, and what is taken of memory, is \
         measured by `cargo xtask bench scheduler`."
            .to_owned(),
        "`gain-index`: its board with as many sources and as many EIs active at once, each of \
         which starts and ends; every other one ends captured; a choice of a source per 4 EIs is \
         included."
            .to_owned(),
        "Processor time (elsewhere than on Linux wall time), three lives a size, on whatever \
         machine this ran, with its neighbours: **these numbers differ from run to run and from \
         machine to machine**, the ratios less."
            .to_owned(),
    ]
}
