//! S1 to S3: how often and when to look, where the rates are known.

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::sample::{Order, Sample, compare, short};
use super::sweep::{Axes, Sweep};
use super::undiscovered::rates;
use crate::cli::LabError;
use crate::delay::{Delay, Trace, simulate};
use policies::Dice;
use policies::delay::allocation::{age_optimal, proportional, square_root};
use policies::delay::{Curve, DAY, DelayName, NAMES, Posting, points};
use std::path::PathBuf;

/// S1: the √ allocation.
///
/// # Errors
/// None.
pub fn s1(bench: &Bench) -> Result<Finding, LabError> {
    let exponents = [0.0, 0.25, 0.4, 0.5, 0.6, 0.75, 1.0];
    let seeds = bench.seeds(3, 10);
    let nodes = bench.pick(10, 100);
    let places = Places::Numbers(exponents.to_vec());
    let axes =
        Axes { x: "γ, exponent: probes ∝ (wλ)^γ", y: "weighted delay ÷ that of √(wλ)" };
    let mut sweep = Sweep::new("allocation, Poisson postings", axes, places);
    let (mut beaten, mut moves, mut age_ratios) = (0, 0, Vec::new());
    for &seed in &seeds {
        let world = Homogeneous::new(nodes, seed);
        let best = world.measured(&square_root(&world.demand(), world.budget), seed);
        for (at, &exponent) in exponents.iter().enumerate() {
            let parts: Vec<f64> = world.demand().iter().map(|d| d.powf(exponent)).collect();
            let share = proportional(&parts, world.budget);
            sweep.add("proportional to (wλ)^γ", at, world.measured(&share, seed) / best);
        }
        let age = age_optimal(&world.rates, &world.weights, world.budget);
        let age = world.measured(&age, seed) / best;
        age_ratios.push(age);
        let (better, tried) = world.random_moves(seed, bench.pick(100, 1_000));
        (beaten, moves) = (beaten + better, moves + tried);
    }
    let online = online(bench, &seeds);
    let age = Sample::of(&age_ratios);
    let least: Vec<(String, bool)> = (0..exponents.len())
        .filter(|&at| exponents[at] != 0.5)
        .map(|at| {
            let ones = vec![1.0; seeds.len()];
            let worse = compare(sweep.at("proportional to (wλ)^γ", at), &ones) != Order::Below;
            (sweep.place(at), worse)
        })
        .collect();
    let finding = Finding {
        claim: "Theorem 1: with homogeneous rates the weighted delay is least if a source gets \
                probes in proportion to √(wλ)."
            .to_owned(),
        setup: vec![
            format!(
                "n = {nodes} sources, lognormal (σ = 2) rates, weights uniform in ½ … 2, two \
                 probes per posting, evenly spaced; Poisson postings over 200 mean gaps between \
                 the probes of a source; {} repetitions.",
                seeds.len()
            ),
            format!("{moves} random moves of probes between sources, by the formula Σ wλ/(2m)."),
            "Right: the policies of `lab delay`, which learn the rates, on Poisson traces of 100 \
             days (50 of them known), 40 sources, 1 probe per posting."
                .to_owned(),
        ],
        parts: vec![
            Part::under("no other exponent has less delay (beyond two standard errors)", &least),
            Part::plain(
                "no random move lowers the expected delay",
                beaten == 0,
                format!("{beaten} of {moves} do"),
            ),
        ],
        notes: vec![format!(
            "The age-optimal allocation (Cho and Garcia-Molina), made for copies that are old or \
             not, has {} times the delay.",
            age.text()
        )],
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[sweep, online]);
    let first = &mut finding.figure.panels[0];
    *first = first.clone().level("age-optimal allocation", age.mean);
    Ok(finding)
}

/// Sources with constant rates.
struct Homogeneous {
    rates: Vec<f64>,
    weights: Vec<f64>,
    /// Probes per unit of time.
    budget: f64,
}

impl Homogeneous {
    fn new(nodes: usize, seed: u64) -> Homogeneous {
        let mut dice = Dice::new(seed ^ 0x7765_6967);
        let weights = (0..nodes).map(|_| 0.5 + 1.5 * dice.unit()).collect();
        Homogeneous { rates: rates("lognormal", nodes, seed), weights, budget: 2.0 }
    }

    fn demand(&self) -> Vec<f64> {
        self.rates.iter().zip(&self.weights).map(|(rate, weight)| rate * weight).collect()
    }

    /// Weighted delay per unit of time of postings drawn at random, with probes evenly spaced.
    fn measured(&self, share: &[f64], seed: u64) -> f64 {
        let mut dice = Dice::new(seed);
        let mut total = 0.0;
        for ((&rate, &weight), &share) in self.rates.iter().zip(&self.weights).zip(share) {
            let (gap, gaps) = (1.0 / share, 200.0);
            let count = dice.poisson(rate * gap * gaps);
            let waited: f64 = (0..count).map(|_| gap * dice.unit()).sum();
            total += weight * waited / (gap * gaps);
        }
        total
    }

    /// Moves probes from one source to another at random, `tries` times: the count of moves that
    /// lower the delay, and `tries`.
    fn random_moves(&self, seed: u64, tries: u64) -> (u64, u64) {
        let mut dice = Dice::new(seed ^ 0x6d6f_7665);
        let demand = self.demand();
        let best = square_root(&demand, self.budget);
        let delay = |m: &[f64]| -> f64 { demand.iter().zip(m).map(|(d, m)| d / m / 2.0).sum() };
        let least = delay(&best);
        let helps = |_: &u64| {
            let mut other = best.clone();
            let nodes = other.len() as u64;
            let (from, to) = (dice.below(nodes) as usize, dice.below(nodes) as usize);
            let moved = other[from] * dice.unit() * 0.99;
            other[from] -= moved;
            other[to] += moved;
            delay(&other) < least * (1.0 - 1e-12)
        };
        ((0..tries).filter(helps).count() as u64, tries)
    }
}

/// The options of `lab delay` for a trace that is in memory.
#[must_use]
pub fn options(budget_per_day: f64, train_days: u32, seed: u64) -> Delay {
    Delay {
        trace: PathBuf::new(),
        budget_per_day,
        train_days,
        days: None,
        policy: Vec::new(),
        chronon_seconds: 300.0,
        max_per_chronon: None,
        items: None,
        seed,
        json: true,
    }
}

/// How many probes a chronon may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// 4 × the mean, at least 1.
    Bursts,
    /// The mean.
    Flat,
    None,
}

impl Cap {
    /// The mean delay of [`minutes`] under this cap.
    #[must_use]
    pub fn minutes(self, policy: DelayName, trace: &Trace, options: &Delay) -> f64 {
        let max_per_chronon = match self {
            Cap::Bursts => None,
            Cap::Flat => Some(options.budget_per_day * options.chronon_seconds / DAY),
            Cap::None => Some(1e9),
        };
        minutes(policy, trace, &Delay { max_per_chronon, ..options.clone() })
    }
}

/// The mean weighted delay that a policy of `lab delay` reaches, in minutes.
#[must_use]
pub fn minutes(policy: DelayName, trace: &Trace, options: &Delay) -> f64 {
    Sample::of(&simulate(policy, trace, options).delays).mean / 60.0
}

/// The name that the command line gives a policy.
fn name_of(policy: DelayName) -> &'static str {
    NAMES.iter().find(|row| row.1 == policy).map_or("", |row| row.0)
}

/// The policies that learn, on Poisson postings.
fn online(bench: &Bench, seeds: &[u64]) -> Sweep {
    let policies = [
        DelayName::Uniform,
        DelayName::Sqrt,
        DelayName::Sia,
        DelayName::Joint,
        DelayName::PatternIndex,
    ];
    let texts: Vec<String> = policies.iter().map(|&p| name_of(p).to_owned()).collect();
    let axes = Axes { x: "policy", y: "mean delay ÷ that of sqrt" };
    let mut sweep = Sweep::new("learned rates, Poisson postings", axes, Places::Names(texts));
    let (sources, days) = bench.pick((3, 6), (40, 100));
    for &seed in seeds.iter().take(5) {
        let mut dice = Dice::new(seed ^ 0x7472_6163);
        let mut postings = Vec::new();
        let all = rates("lognormal", sources, seed);
        for rate in &all {
            let per_day = rate * sources as f64;
            let count = dice.poisson(per_day * f64::from(days));
            let time = |_| Posting { time: f64::from(days) * DAY * dice.unit(), weight: 1.0 };
            postings.push((0..count).map(time).collect::<Vec<_>>());
        }
        let names = (0..sources).map(|source| format!("s{source}")).collect();
        let trace = Trace::new(names, postings);
        let options = options(sources as f64, days / 2, seed);
        let delays = policies.map(|policy| minutes(policy, &trace, &options));
        for (at, delay) in delays.iter().enumerate() {
            sweep.add("learned rates", at, delay / delays[1]);
        }
    }
    sweep
}

/// The busy half of Example 1: rate 1 in the first half of a period of 2, then 0.
fn busy_half(bins: usize) -> Curve {
    let each = 2.0 / bins as f64;
    Curve::new((0..bins).map(|bin| if bin < bins / 2 { each } else { 0.0 }).collect())
}

/// S2: Example 1.
///
/// # Errors
/// None.
pub fn s2(bench: &Bench) -> Result<Finding, LabError> {
    let bins = bench.pick(40, 200);
    let curve = busy_half(bins);
    let unit = 2.0 / bins as f64;
    let times: Vec<f64> = (0..bins).map(|bin| bin as f64 * unit).collect();
    let axes = Axes { x: "τ, time of the retrieval in a period of 2", y: "delay per period" };
    let mut one = Sweep::new("one retrieval", axes, Places::Numbers(times));
    let costs: Vec<f64> = (0..bins).map(|bin| curve.cost_of(&[bin]) * unit).collect();
    costs.iter().enumerate().for_each(|(at, &cost)| one.add("retrieval at τ", at, cost));
    let many: Vec<usize> = (1..=6).collect();
    let axes = Axes { x: "m, retrievals per period", y: "delay per period" };
    let places = Places::Numbers(many.iter().map(|&m| m as f64).collect());
    let mut more = Sweep::new("more retrievals", axes, places);
    for (at, &m) in many.iter().enumerate() {
        let even = |phase: usize| {
            let mut points: Vec<usize> = (0..m).map(|j| (j * bins / m + phase) % bins).collect();
            points.sort_unstable();
            points.dedup();
            curve.cost_of(&points) * unit
        };
        let phases: Vec<f64> = (0..bins).map(even).collect();
        more.add("optimum", at, curve.cost_of(&points::exact(&curve, m)) * unit);
        more.add("evenly spaced, mean phase", at, Sample::of(&phases).mean);
        more.add("evenly spaced, best phase", at, phases.iter().copied().fold(1e9, f64::min));
    }
    let best = points::exact(&curve, 1)[0];
    let (least, mean) = (costs[best], Sample::of(&costs).mean);
    let worst = costs.iter().copied().fold(0.0, f64::max);
    let near = |value: f64, wanted: f64| (value / wanted - 1.0).abs() <= 0.01;
    let ratio = |value: f64| format!("{} times", short(value / least));
    let finding = Finding {
        claim:
            "Example 1: of a source that posts at rate 1 in the first half of a period of 2, one \
                retrieval at the end of the busy half costs ½, 3 times less than at the worst \
                time, 2 times less than on average."
                .to_owned(),
        setup: vec![format!("{bins} bins a period; costs by the integral, no chance in it.")],
        parts: vec![
            Part::plain(
                "the best time is the end of the busy half",
                best == bins / 2,
                format!("τ = {}", short(best as f64 * unit)),
            ),
            Part::plain("it costs ½", near(least, 0.5), short(least)),
            Part::plain("the worst costs 3 times as much", near(worst / least, 3.0), ratio(worst)),
            Part::plain("the average costs 2 times as much", near(mean / least, 2.0), ratio(mean)),
        ],
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[one, more]);
    finding.tables.remove(0);
    Ok(finding)
}

/// A random periodic rate: three humps of such widths over a floor.
fn humps(bins: usize, least: f64, most: f64, dice: &mut Dice) -> Curve {
    let mut rate = vec![0.1; bins];
    for _ in 0..3 {
        let (middle, height) = (dice.unit() * bins as f64, 3.0 * dice.unit());
        let wide = bins as f64 * (least + (most - least) * dice.unit());
        for (bin, rate) in rate.iter_mut().enumerate() {
            let off = (bin as f64 + 0.5 - middle).abs();
            let off = off.min(bins as f64 - off) / wide;
            *rate += height * (-0.5 * off * off).exp();
        }
    }
    Curve::new(rate)
}

/// Numbers of points that S3 looks at.
const POINTS: [usize; 6] = [1, 2, 3, 4, 6, 8];

/// Every search on random curves, over the dynamic program's optimum.
fn searches(bench: &Bench, curves: u32) -> Sweep {
    let places = Places::Numbers(POINTS.iter().map(|&m| m as f64).collect());
    let axes =
        Axes { x: "m, retrievals per period", y: "delay ÷ that of the optimum on the grid" };
    let mut sweep = Sweep::new("24 bins", axes, places);
    for (at, &m) in POINTS.iter().enumerate() {
        bench.on(&format!("m = {m}"));
        let mut dice = Dice::new(bench.seed ^ 0x6875_6d70);
        for _ in 0..curves {
            let curve = humps(24, 0.03, 0.15, &mut dice);
            let best = curve.cost_of(&points::exact(&curve, m));
            let ratio = |plan: &[usize]| curve.cost_of(plan) / best;
            if m <= 4 {
                sweep.add("exhaustive search", at, ratio(&points::exhaustive(&curve, m)));
            }
            sweep.add("iterative refinement", at, ratio(&points::refined(&curve, m)));
            sweep.add("fast planner", at, ratio(&points::good(&curve, m)));
            let even: Vec<usize> = (0..m).map(|j| j * 24 / m).collect();
            sweep.add("evenly spaced", at, ratio(&even));
        }
    }
    sweep
}

/// Where every repetition of a series is at most `most`.
fn at_most(sweep: &Sweep, name: &str, most: f64, statement: &str) -> Part {
    let all = |at: usize| sweep.at(name, at).iter().copied();
    let measured = (0..sweep.places.len()).filter(|&at| !sweep.at(name, at).is_empty());
    let conditions: Vec<(String, bool)> =
        measured.clone().map(|at| (sweep.place(at), all(at).all(|v| v <= most + 1e-9))).collect();
    let values: Vec<f64> = measured.flat_map(all).collect();
    let within = values.iter().filter(|&&value| value <= most + 1e-9).count();
    let largest = values.iter().copied().fold(0.0, f64::max);
    Part::under(statement, &conditions).with(&format!(
        "in {within} of {} cases; largest ratio {}",
        values.len(),
        short(largest)
    ))
}

/// Widths of the humps on which grids are tried, as parts of the period.
const HUMPS: [(&str, (f64, f64)); 3] =
    [("σ 3–8 %", (0.03, 0.08)), ("σ 8–15 %", (0.08, 0.15)), ("σ 15–25 %", (0.15, 0.25))];

/// S3: refinement and exhaustive search against dynamic programming.
///
/// # Errors
/// None.
pub fn s3(bench: &Bench) -> Result<Finding, LabError> {
    let curves = bench.pick(5, 200);
    let sweep = searches(bench, curves);
    let grid = grid_loss(bench);
    let mut parts = vec![
        at_most(&sweep, "exhaustive search", 1.0, "exhaustive search reaches the optimum"),
        at_most(&sweep, "iterative refinement", 1.0, "refinement reaches the optimum").because(
            "Moving one point at a time can stop where only moving two at once would help.",
        ),
    ];
    for (bins, most) in [(12, 0.011), (24, 0.005)] {
        let place = if bins == 12 { 0 } else { 1 };
        let mean = |name: &str| grid.mean(name, place);
        let conditions: Vec<(String, bool)> =
            HUMPS.iter().map(|hump| (hump.0.to_owned(), mean(hump.0) <= 1.0 + most)).collect();
        let means = HUMPS.map(|hump| short(mean(hump.0))).join(", ");
        let statement = format!("{bins} bins are within {} % of 192", short(100.0 * most));
        let part = Part::under(&statement, &conditions).with(&format!("means {means}"));
        parts.push(part.because("Humps that are narrower than a bin need narrower bins."));
    }
    let finding = Finding {
        claim:
            "Iterative refinement and exhaustive search with pruning reach the optimum, that of \
                dynamic programming on a grid; 12 bins are within 1.1 % of the continuous optimum, \
                24 within 0.5 %."
                .to_owned(),
        setup: vec![
            format!(
                "{curves} random daily rates: three humps, σ 3–15 % of the period, heights up to \
                 3, over a floor of 0.1; m = {POINTS:?}; exhaustive search up to m = 4."
            ),
            "Refinement starts from the quantiles of √rate, turned to every bin; `fast planner` is \
             what the policies here use: refinement from some starts, then dynamic programming \
             through its best points."
                .to_owned(),
            "Grids: m = 3 on 12, 24, 48 and 96 bins against 192 of the same rate, humps of three \
             widths."
                .to_owned(),
        ],
        parts,
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[sweep, grid]);
    finding.figure.panels[0].series.retain(|series| series.name != "evenly spaced");
    Ok(finding)
}

/// What the best plan on a coarse grid costs on a fine one, over the best there.
fn grid_loss(bench: &Bench) -> Sweep {
    let sizes = [12_usize, 24, 48, 96];
    let places = Places::Numbers(sizes.iter().map(|&bins| bins as f64).collect());
    let axes = Axes { x: "bins of the grid", y: "delay ÷ that of the optimum on 192 bins" };
    let mut sweep = Sweep::new("grids, m = 3", axes, places);
    let mut dice = Dice::new(bench.seed ^ 0x6772_6964);
    for (name, (least, most)) in HUMPS {
        for _ in 0..bench.pick(2, 30) {
            let fine = humps(192, least, most, &mut dice);
            let best = fine.cost_of(&points::exact(&fine, 3));
            for (at, &bins) in sizes.iter().enumerate() {
                let each = 192 / bins;
                let items = |bin: usize| (0..each).map(|b| fine_rate(&fine, bin * each + b)).sum();
                let coarse = Curve::new((0..bins).map(items).collect());
                let plan: Vec<usize> =
                    points::exact(&coarse, 3).into_iter().map(|bin| bin * each).collect();
                sweep.add(name, at, fine.cost_of(&plan) / best);
            }
        }
    }
    sweep
}

/// The items of one bin: what they wait until its end is half a bin each.
fn fine_rate(curve: &Curve, bin: usize) -> f64 {
    2.0 * curve.cost(bin, 1)
}
