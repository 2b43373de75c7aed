//! `tidings lab unified`: deadlines and freshness on one budget.
//!
//! The server's own scheduler on a synthetic world whose rates it knows: sources that change at
//! random, and CEIs of one to `rank` of them that come at random. What counts is one sum, per
//! chronon: the weighted changes that wait to be found, and κ for every CEI missed. The scheduler
//! adds both into one index; a *fixed priority* always serves the one before the other. Both are
//! the same code: a fixed priority is a scheduler that decides by a κ of 10⁶ or of 10⁻⁶ times the
//! true one.

use crate::cli::LabError;
use crate::progress::Progress;
use crate::table::Table;
use chronon::{HostId, Instant, SourceId, Span};
use clap::Args;
use policies::Dice;
use schedule::rate::Learner;
use schedule::{CeiId, Config, EiId, Event, Outcome, Pick, Scheduler, SourceRecord};
use serde::Serialize;
use std::io::Write;

/// Whether one index for deadlines and freshness beats always serving one before the other
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub struct UnifiedArgs {
    /// Sources
    #[arg(long, default_value_t = 300)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub sources: u32,
    /// Probes per chronon
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub budget: u32,
    /// Largest CEI
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub rank: u32,
    /// EIs that come per chronon ÷ budget
    #[arg(long, value_delimiter = ',', default_values_t = [0.2, 0.5, 0.8, 1.1])]
    pub loads: Vec<f64>,
    /// What a captured CEI is worth, in multiples of the price of a probe for freshness alone
    #[arg(long, value_delimiter = ',', default_values_t = [0.3, 1.0, 3.0, 10.0, 30.0])]
    pub worths: Vec<f64>,
    /// Longest EI, in chronons
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub length: u32,
    /// Chronons of a world; an eighth of them is left out
    #[arg(long, default_value_t = 4_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    pub chronons: u32,
    /// Worlds per cell
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub repetitions: u32,
    /// Chooses the chances: the same seed gives the same output
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// One cell, means over its worlds. Costs are in changes waiting, κ included.
#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    pub load: f64,
    pub worth: f64,
    /// The mean cost of the index, and of each fixed priority.
    pub unified: f64,
    pub deadlines_first: f64,
    pub freshness_first: f64,
    /// `unified` ÷ the smaller of the two; 1.02 is the limit.
    pub ratio: f64,
    /// Shares of the CEIs captured, in the same order.
    pub captured: f64,
    pub captured_deadlines_first: f64,
    pub captured_freshness_first: f64,
}

/// Most EIs expected of a world: they are held in memory.
const EIS_MAX: f64 = 1e8;

/// What stands before what, as the factor on κ by which the scheduler decides.
const PRIORITIES: [f64; 3] = [1.0, 1e6, 1e-6];

/// Runs the grid.
///
/// # Errors
/// A load or worth that is no number above 0, and failures to write.
pub fn run(args: &UnifiedArgs, out: &mut dyn Write) -> Result<(), LabError> {
    for (name, values) in [("--loads", &args.loads), ("--worths", &args.worths)] {
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v > 0.0 && **v < 1e6)) {
            let said = format!("{name}: {bad}; expected a number above 0 and below 10^6");
            return Err(LabError::Input(said));
        }
    }
    let most = args.loads.iter().copied().fold(0.0, f64::max);
    let eis = most * f64::from(args.budget) * f64::from(args.chronons);
    if eis > EIS_MAX {
        let what = format!("{eis:e} EIs expected, at most {EIS_MAX:e} are made");
        return Err(LabError::Input(format!("--loads, --budget, --chronons: {what}")));
    }
    let cells = args.loads.len() * args.worths.len();
    let progress = Progress::new(cells as u64);
    let columns = vec![
        ("load", 6),
        ("worth", 9),
        ("unified", 10),
        ("deadlines_first", 15),
        ("freshness_first", 15),
        ("ratio", 8),
        ("captured", 9),
    ];
    let mut table = Table::new(columns, args.json, out);
    for &load in &args.loads {
        for &worth in &args.worths {
            let cell = measure(args, load, worth);
            progress.step();
            progress.aside(|| table.fields(&cell))?;
        }
    }
    Ok(())
}

/// One cell of the grid.
#[must_use]
pub fn measure(args: &UnifiedArgs, load: f64, worth: f64) -> Cell {
    let mut costs = [0.0; 3];
    let mut captured = [0.0; 3];
    for repetition in 0..args.repetitions {
        let seed = args.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(repetition));
        let world = Mixture::new(args, load, seed);
        let price = world.freshness_price(args);
        for (policy, factor) in PRIORITIES.into_iter().enumerate() {
            let outcome = world.live(args, price * worth, factor);
            costs[policy] += outcome.cost / f64::from(args.repetitions);
            captured[policy] += outcome.captured / f64::from(args.repetitions);
        }
    }
    let [unified, deadlines_first, freshness_first] = costs;
    let ratio = unified / deadlines_first.min(freshness_first);
    let [captured, captured_deadlines_first, captured_freshness_first] = captured;
    Cell {
        load,
        worth,
        unified,
        deadlines_first,
        freshness_first,
        ratio,
        captured,
        captured_deadlines_first,
        captured_freshness_first,
    }
}

/// A CEI: when it is told of, and its EIs as source, start and finish.
struct Wish {
    known: i64,
    eis: Vec<(u32, i64, i64)>,
}

struct Mixture {
    /// Changes per chronon.
    rates: Vec<f64>,
    wishes: Vec<Wish>,
}

struct Lived {
    cost: f64,
    captured: f64,
}

/// The chronon as a time.
pub(crate) fn at(chronon: i64) -> Instant {
    Instant::from_millis(1_800_000_000_000 + chronon * 1_000)
}

/// A scheduler's configuration that leaves it nothing but to decide: neither politeness nor places
/// in flight bound it.
pub(crate) fn deciding(budget: f64) -> Config {
    Config {
        budget,
        host_interval: Span::ZERO,
        host_in_flight: u32::MAX,
        in_flight_max: u32::MAX,
        interval_min: Span::from_millis(1),
        interval_max: Span::DAY.times(36_500),
        yield_min: 0.0,
        restart_spread: Span::ZERO,
        ..Config::standard()
    }
}

impl Mixture {
    fn new(args: &UnifiedArgs, load: f64, seed: u64) -> Mixture {
        let mut dice = Dice::new(seed);
        // Pareto with exponent 1.5: some sources change much more often than others.
        let rate = |dice: &mut Dice| 0.01 * (1.0 - dice.unit()).powf(-1.0 / 1.5);
        let rates = (0..args.sources).map(|_| rate(&mut dice).min(10.0)).collect();
        let ranks = f64::from(args.rank);
        let mean_rank = (ranks + 1.0) / 2.0;
        let per_chronon = load * f64::from(args.budget) / mean_rank;
        let mut wishes = Vec::new();
        for chronon in 0..i64::from(args.chronons) {
            for _ in 0..dice.poisson(per_chronon) {
                let rank = 1 + dice.below(args.rank.into());
                let span = 2 * u64::from(args.length);
                let ei = |dice: &mut Dice, first: bool| {
                    let start = chronon + if first { 0 } else { dice.below(span) as i64 };
                    let length = dice.below(args.length.into()) as i64;
                    (dice.below(args.sources.into()) as u32, start, start + length)
                };
                let eis = (0..rank).map(|i| ei(&mut dice, i == 0)).collect();
                wishes.push(Wish { known: chronon, eis });
            }
        }
        Mixture { rates, wishes }
    }

    /// The price of a probe if there were only freshness: gaps √(2ν/λ) that use up the budget.
    fn freshness_price(&self, args: &UnifiedArgs) -> f64 {
        let roots: f64 = self.rates.iter().map(|rate| rate.sqrt()).sum();
        (roots / f64::from(args.budget)).powi(2) / 2.0
    }

    /// Lives the world, with κ and the factor on it by which the scheduler decides.
    fn live(&self, args: &UnifiedArgs, worth: f64, factor: f64) -> Lived {
        let mut scheduler = self.scheduler(args, worth * factor);
        let mut lived = Lives::new(self);
        let mut wishes = self.wishes.iter().enumerate().peekable();
        let mut picks: Vec<Pick> = Vec::new();
        let (mut id, mut waiting, mut counted) = (0, 0.0, 0);
        let warm_up = i64::from(args.chronons) / 8;
        for now in 0..i64::from(args.chronons) {
            while let Some((cei, wish)) = wishes.next_if(|(_, wish)| wish.known <= now) {
                for &(source, start, finish) in &wish.eis {
                    id += 1;
                    let (ei, cei, source) = (EiId(id), CeiId(cei as u64), SourceId(source));
                    let (start, finish, utility) = (at(start), at(finish), 1.0);
                    let event = Event::EiAdded { ei, cei, source, start, finish, utility };
                    scheduler.handle(at(now), event);
                }
            }
            picks.clear();
            scheduler.poll(at(now), &mut picks);
            for pick in &picks {
                let outcome = Outcome::Unchanged;
                let probed = Event::Probed {
                    source: pick.source,
                    start: at(now),
                    outcome,
                    found: 0,
                    times: Vec::new(),
                };
                scheduler.handle(at(now), probed);
                lived.probed(pick.source.0, now);
            }
            if now >= warm_up {
                waiting += lived.waiting(now);
                counted += 1;
            }
        }
        let (captured, all) = lived.captures(warm_up, i64::from(args.chronons));
        let chronons = f64::from(counted);
        let cost = waiting / chronons + worth * (all - captured) / chronons;
        Lived { cost, captured: captured / all.max(1.0) }
    }

    fn scheduler(&self, args: &UnifiedArgs, worth: f64) -> Scheduler {
        let capture_worth = Span::from_millis((worth * 1e3).clamp(0.0, 1e15) as i64);
        let config = Config { capture_worth, ..deciding(f64::from(args.budget)) };
        let mut scheduler =
            Scheduler::new(config, 1).expect("a configuration of numbers that can be");
        for (source, &rate) in self.rates.iter().enumerate() {
            let source = SourceId(source as u32);
            // Enough evidence that nothing more is learned.
            let (items, watched) = ((rate * 1e12) as f32, 1e12);
            let learned = Learner::from_numbers([items, watched, items, watched, 0.0, 1e6]);
            let prior = SourceRecord::known(source, learned, 1_000_000, at(-1));
            let host = HostId(source.0);
            scheduler.handle(at(-1), Event::SourceAdded { source, host, prior: Some(prior) });
            scheduler.handle(at(-1), Event::Weight { source, weight: 1.0 });
        }
        scheduler
    }
}

/// What became of a world: kept apart from the scheduler, which is not asked.
struct Lives<'a> {
    world: &'a Mixture,
    last: Vec<i64>,
    /// Probes by source, in order.
    probes: Vec<Vec<i64>>,
}

impl<'a> Lives<'a> {
    fn new(world: &'a Mixture) -> Lives<'a> {
        let n = world.rates.len();
        Lives { world, last: vec![-1; n], probes: vec![Vec::new(); n] }
    }

    fn probed(&mut self, source: u32, now: i64) {
        self.last[source as usize] = now;
        self.probes[source as usize].push(now);
    }

    /// Changes expected to wait: Σ λ·τ.
    fn waiting(&self, now: i64) -> f64 {
        let gaps = self.last.iter().zip(&self.world.rates);
        gaps.map(|(last, rate)| rate * (now - last) as f64).sum()
    }

    /// CEIs captured, and all, of those that began and ended in [`from`, `to`).
    fn captures(&self, from: i64, to: i64) -> (f64, f64) {
        let whole =
            |wish: &&Wish| wish.known >= from && wish.eis.iter().all(|&(_, _, finish)| finish < to);
        let captured = |&(source, start, finish): &(u32, i64, i64)| {
            let probes = &self.probes[source as usize];
            let first = probes.partition_point(|&at| at < start);
            probes.get(first).is_some_and(|&at| at <= finish)
        };
        let all: Vec<&Wish> = self.world.wishes.iter().filter(whole).collect();
        let got = all.iter().filter(|wish| wish.eis.iter().all(captured)).count();
        (got as f64, all.len() as f64)
    }
}
