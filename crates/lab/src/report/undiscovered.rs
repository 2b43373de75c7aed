//! M1 to M5: probing cost.

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::sample::{Sample, short, slope};
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use crate::probing::{Process, Trial, simulate};
use policies::Dice;
use policies::probing::{NAMES, ProbingName, bounds, cyclic_periods};

/// A finite window may begin and end within gaps: by so much a measured cost may lie under a bound.
const WINDOW: f64 = 1e-3;

/// Kinds of rates; every kind sums to 1 item per chronon.
pub const KINDS: [&str; 4] = ["equal", "uniform", "Pareto", "lognormal"];

/// Rates of a kind: equal; uniform in 0 … 1; Pareto with index 1.2; lognormal with σ = 2.
#[must_use]
pub fn rates(kind: &str, nodes: usize, seed: u64) -> Vec<f64> {
    let mut dice = Dice::new(seed);
    let mut one = || match kind {
        "equal" => 1.0,
        "uniform" => dice.unit(),
        "Pareto" => (1.0 - dice.unit()).powf(-1.0 / 1.2),
        _ => (2.0 * normal(&mut dice)).exp(),
    };
    let all: Vec<f64> = (0..nodes).map(|_| one()).collect();
    let total: f64 = all.iter().sum();
    all.iter().map(|rate| rate / total).collect()
}

/// Box and Muller.
fn normal(dice: &mut Dice) -> f64 {
    let (radius, turn) = ((2.0 * dice.exponential()).sqrt(), dice.unit());
    radius * (std::f64::consts::TAU * turn).cos()
}

/// A world of Poisson items without a change of rates; its first half does not count.
#[must_use]
pub fn world(rates: Vec<f64>, budget: u32, chronons: u64, seed: u64) -> Trial {
    let process = Process::Poisson;
    Trial { rates, after: None, budget, chronons, warm_up: chronons / 2, process, seed }
}

fn cost(name: ProbingName, world: &Trial) -> f64 {
    simulate(name, world).cost()
}

fn tightest(world: &Trial) -> f64 {
    bounds::tightest(&world.rates, f64::from(world.budget))
}

fn names(all: &[&str]) -> Places {
    Places::Names(all.iter().map(|&name| name.to_owned()).collect())
}

/// M1: no schedule is below the lower bound.
///
/// # Errors
/// None.
pub fn m1(bench: &Bench) -> Result<Finding, LabError> {
    let (nodes, chronons) = bench.pick((8, 400), (200, 40_000));
    let seeds = bench.seeds(2, 5);
    let mut sweeps = Vec::new();
    let (mut tight, mut paper, mut runs) = (f64::INFINITY, f64::INFINITY, 0);
    for budget in [1_u32, 5] {
        let title = format!("c = {budget}");
        let axes = Axes { x: "rates", y: "cost ÷ tightest lower bound" };
        let mut sweep = Sweep::new(&title, axes, names(&KINDS));
        for (at, kind) in KINDS.iter().enumerate() {
            bench.on(kind);
            for &seed in &seeds {
                let world = world(rates(kind, nodes, seed), budget, chronons, seed);
                let bound = tightest(&world);
                for (text, name) in NAMES {
                    let cost = cost(name, &world);
                    sweep.add(text, at, cost / bound);
                    tight = tight.min(cost / bound);
                    paper = paper.min(cost / bounds::paper(&world.rates, f64::from(budget)));
                    runs += 1;
                }
            }
        }
        sweeps.push(sweep);
    }
    let least = |ratio: f64| format!("least cost ÷ bound in {runs} runs: {}", short(ratio));
    let finding = Finding {
        claim: "No schedule costs less than max{Σπ, (Σ√π)²/(2c)}; nor (derived) less than the \
                bound for whole gaps, max over ν of Σ min over ℓ (π(ℓ+1)/2 + ν/ℓ) − νc."
            .to_owned(),
        setup: vec![
            format!(
                "n = {nodes} nodes, Σπ = 1 item per chronon, c = 1 and 5, {chronons} chronons, the \
                 second half counted, {} repetitions; Poisson items.",
                seeds.len()
            ),
            "Rates: equal; uniform; Pareto with index 1.2; lognormal with σ = 2.".to_owned(),
            format!("A window cut out of a schedule may lie {WINDOW} under the bound."),
        ],
        parts: vec![
            Part::plain("the paper's bound holds", paper >= 1.0 - WINDOW, least(paper)),
            Part::plain("the tightest bound holds", tight >= 1.0 - WINDOW, least(tight)),
        ],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &sweeps))
}

/// M2: max-gain on halving rates.
///
/// # Errors
/// None.
pub fn m2(bench: &Bench) -> Result<Finding, LabError> {
    let sizes: Vec<u32> = bench.pick(vec![4, 6, 8], vec![4, 6, 8, 10, 12, 14, 16, 18]);
    let axes = Axes { x: "n, nodes", y: "cost, undiscovered items" };
    let places = Places::Numbers(sizes.iter().map(|&n| f64::from(n)).collect());
    let mut sweep = Sweep::new("π_i = 2^−i, c = 1", axes, places);
    for (at, &n) in sizes.iter().enumerate() {
        bench.on(&format!("n = {n}"));
        let rates: Vec<f64> = (1..=n).map(|i| 0.5_f64.powi(i as i32)).collect();
        let world = world(rates, 1, 1 << (n + 3), bench.seed);
        for name in ["max-gain", "whittle", "price-dyadic"] {
            sweep.add(name, at, cost(ProbingName::parse(name).expect("it is one of ours"), &world));
        }
        sweep.add("bound (tightest)", at, tightest(&world));
    }
    let ratio = |name: &str| -> Vec<(f64, f64)> {
        let each = sizes.iter().enumerate();
        each.map(|(at, &n)| {
            (f64::from(n), sweep.mean(name, at) / sweep.mean("bound (tightest)", at))
        })
        .collect()
    };
    let (greedy, ours) = (ratio("max-gain"), ratio("whittle"));
    let expected: f64 = (0..sizes.len())
        .map(|at| (sweep.mean("max-gain", at) / (f64::from(sizes[at] + 1) / 2.0) - 1.0).abs())
        .fold(0.0, f64::max);
    let last = |of: &[(f64, f64)]| short(of[of.len() - 1].1);
    let grows = slope(&greedy);
    let finding = Finding {
        claim: "max-gain (probe the largest π·τ) is Ω(n) off: on π_i = 2^−i its cost is (n+1)/2 \
                while the bound stays below 3.5."
            .to_owned(),
        setup: vec![
            format!("n = {}; c = 1; 2^(n+3) chronons, the second half counted.", list(&sizes)),
            "No chance is in it: expected items, given the schedule.".to_owned(),
        ],
        parts: vec![
            Part::plain(
                "cost ÷ bound of max-gain grows with n (slope ≥ 0.1)",
                grows >= 0.1,
                format!("slope {}, {} at the last n", short(grows), last(&greedy)),
            ),
            Part::plain(
                "its cost is (n+1)/2 (within 10 %)",
                expected <= 0.1,
                format!("largest relative difference {}", short(expected)),
            ),
            Part::plain(
                "the bound stays below 3.5",
                sweep.mean("bound (tightest)", sizes.len() - 1) < 3.5,
                short(sweep.mean("bound (tightest)", sizes.len() - 1)),
            ),
            Part::plain(
                "whittle stays at the bound (within 20 %)",
                ours.iter().all(|point| point.1 <= 1.2),
                format!("whittle ÷ bound {} at the last n", last(&ours)),
            ),
        ],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &[sweep]))
}

fn list(all: &[u32]) -> String {
    all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// Ratios to the tightest bound of some policies by budget, a panel for each of some rates.
fn by_budget(bench: &Bench, policies: &[&str], seeds: &[u64]) -> Vec<Sweep> {
    let (nodes, chronons) = bench.pick((30, 5_000), (500, 50_000));
    let budgets: &[u32] = bench.pick(&[1, 4], &[1, 2, 4, 8]);
    let mut sweeps = Vec::new();
    for kind in ["Pareto", "lognormal"] {
        let places = Places::Numbers(budgets.iter().map(|&c| f64::from(c)).collect());
        let axes = Axes { x: "c, probes per chronon", y: "cost ÷ tightest lower bound" };
        let mut sweep = Sweep::new(&format!("{kind}, n = {nodes}"), axes, places);
        for (at, &budget) in budgets.iter().enumerate() {
            bench.on(&format!("{kind}, c = {budget}"));
            for &seed in seeds {
                let chronons = chronons / u64::from(budget);
                let world = world(rates(kind, nodes, seed), budget, chronons, seed);
                for &policy in policies {
                    let name = ProbingName::parse(policy).expect("it is one of ours");
                    sweep.add(policy, at, cost(name, &world) / tightest(&world));
                }
            }
        }
        sweeps.push(sweep);
    }
    sweeps
}

fn by_budget_setup(bench: &Bench, repetitions: usize) -> String {
    let (nodes, chronons, budgets) = bench.pick((30, 5_000, "1, 4"), (500, 50_000, "1, 2, 4, 8"));
    format!(
        "n = {nodes}, Σπ = 1, Pareto (index 1.2) and lognormal (σ = 2) rates; c = {budgets}; \
         {chronons}/c chronons, the second half counted; {repetitions} repetitions."
    )
}

/// A policy's factor is at most `most(c)` at every budget.
fn factor(sweeps: &[Sweep], name: &str, statement: &str, most: fn(f64) -> f64) -> Part {
    let mut conditions = Vec::new();
    let mut largest = 0.0_f64;
    for sweep in sweeps {
        let Places::Numbers(budgets) = &sweep.places else { continue };
        for (at, &budget) in budgets.iter().enumerate() {
            let Sample { mean, error, .. } = Sample::of(sweep.at(name, at));
            largest = largest.max(mean);
            let place = format!("{} ({})", sweep.place(at), sweep.panel);
            conditions.push((place, mean - 2.0 * error <= most(budget)));
        }
    }
    Part::under(statement, &conditions).with(&format!("largest ratio {}", short(largest)))
}

/// M3: cyclic.
///
/// # Errors
/// None.
pub fn m3(bench: &Bench) -> Result<Finding, LabError> {
    let seeds = bench.seeds(2, 5);
    let sweeps = by_budget(bench, &["cyclic", "price-dyadic", "whittle"], &seeds);
    let (exact, nodes) = periods_are_kept(bench);
    let finding = Finding {
        claim: "cyclic is within 3 + (c−1)/c of the optimum (derived: within 2); node i is probed \
                exactly every 2^r_i."
            .to_owned(),
        setup: vec![
            by_budget_setup(bench, seeds.len()),
            "Ratios to the tightest bound, which is below the optimum: a factor that holds here \
             holds against the optimum."
                .to_owned(),
            "Periods: c = 1, every gap between two probes of a node is compared with 2^r_i."
                .to_owned(),
        ],
        parts: vec![
            factor(&sweeps, "cyclic", "cost ≤ 3 + (c−1)/c times optimal", |c| 4.0 - 1.0 / c),
            factor(&sweeps, "cyclic", "cost ≤ 2 times optimal", |_| 2.0),
            Part::plain(
                "node i is probed exactly every 2^r_i",
                exact == nodes,
                format!("every gap of {exact} of {nodes} nodes"),
            ),
        ],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &sweeps))
}

/// Counts the nodes that were probed at least twice: those whose every gap is the planned period,
/// and all.
fn periods_are_kept(bench: &Bench) -> (usize, usize) {
    let rates = rates("lognormal", bench.pick(20, 200), bench.seed);
    let periods = cyclic_periods(&rates);
    let mut policy = ProbingName::Cyclic.start(&rates, 1, bench.seed);
    let mut probes = vec![Vec::new(); rates.len()];
    let mut picks = Vec::new();
    for now in 0..bench.pick(4_000, 100_000_u64) {
        picks.clear();
        policy.choose(now, &mut picks);
        picks.iter().for_each(|&node| probes[node as usize].push(now));
    }
    let twice = probes.iter().zip(&periods).filter(|(own, _)| own.len() > 1);
    let kept = |own: &[u64], period: Option<u32>| {
        let wanted = period.map(|r| 1_u64 << r);
        own.windows(2).all(|pair| Some(pair[1] - pair[0]) == wanted)
    };
    let all: Vec<bool> = twice.map(|(own, &period)| kept(own, period)).collect();
    (all.iter().filter(|&&kept| kept).count(), all.len())
}

/// M4: memoryless.
///
/// # Errors
/// None.
pub fn m4(bench: &Bench) -> Result<Finding, LabError> {
    let seeds = bench.seeds(2, 5);
    let sweeps = by_budget(bench, &["memoryless", "cyclic", "whittle"], &seeds);
    let (nodes, chronons) = bench.pick((20, 20_000), (100, 400_000));
    let exact: Vec<f64> = seeds
        .iter()
        .map(|&seed| {
            let world = world(rates("Pareto", nodes, seed), 1, chronons, seed);
            let roots: f64 = world.rates.iter().map(|rate| rate.sqrt()).sum();
            cost(ProbingName::Memoryless, &world) / (roots * roots)
        })
        .collect();
    let sample = Sample::of(&exact);
    let near = (sample.mean - 1.0).abs() <= 0.02_f64.max(2.0 * sample.error);
    let finding = Finding {
        claim: "memoryless (each probe drawn with p ∝ √π) costs (Σ√π)² at c = 1, and is within \
                2 + (c−1)/c of the optimum."
            .to_owned(),
        setup: vec![
            by_budget_setup(bench, seeds.len()),
            format!("(Σ√π)²: n = {nodes}, Pareto rates, c = 1, {chronons} chronons."),
        ],
        parts: vec![
            Part::plain(
                "it costs (Σ√π)² at c = 1 (within 2 % or two standard errors)",
                near,
                format!("cost ÷ (Σ√π)² = {}", sample.text()),
            ),
            factor(&sweeps, "memoryless", "cost ≤ 2 + (c−1)/c times optimal", |c| {
                3.0 - 1.0 / c
            }),
        ],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &sweeps))
}

/// Windows of the M5 worlds, in probes per node from the last change on.
const WINDOWS: [u64; 13] = [0, 2, 5, 10, 15, 20, 30, 50, 80, 130, 200, 350, 600];

/// Costs in windows after a start or a change, over those of memoryless with the true rates.
fn windows(bench: &Bench, title: &str, change: Option<u64>) -> Sweep {
    let nodes = bench.pick(20, 200);
    let count = bench.pick(6, WINDOWS.len());
    let from = change.unwrap_or(0);
    let middles = WINDOWS[..count].windows(2).map(|pair| (pair[0] + pair[1]) as f64 / 2.0);
    let axes = Axes { x: "probes per node since then", y: "cost ÷ tightest lower bound" };
    let mut sweep = Sweep::new(title, axes, Places::Numbers(middles.collect()));
    for seed in bench.seeds(2, 5) {
        bench.on(&format!("{title}, seed {seed}"));
        let before: Vec<f64> =
            rates("lognormal", nodes, seed).iter().map(|rate| rate / 2.0).collect();
        let after = permuted(&before, seed);
        for (at, pair) in WINDOWS[..count].windows(2).enumerate() {
            let [start, end] = [pair[0], pair[1]].map(|probes| (from + probes) * nodes as u64);
            let world = Trial {
                rates: before.clone(),
                after: change.map(|probes| (probes * nodes as u64, after.clone())),
                warm_up: start,
                ..world(before.clone(), 1, end, seed)
            };
            let bound = tightest(&world);
            for policy in ["adaptive", "learned-whittle", "memoryless"] {
                let name = ProbingName::parse(policy).expect("it is one of ours");
                sweep.add(policy, at, cost(name, &world) / bound);
            }
        }
    }
    sweep
}

/// The same rates at other nodes.
#[must_use]
pub fn permuted(rates: &[f64], seed: u64) -> Vec<f64> {
    let mut dice = Dice::new(seed ^ 0x7065_726d);
    let mut all = rates.to_vec();
    for at in (1..all.len()).rev() {
        all.swap(at, dice.below(at as u64 + 1) as usize);
    }
    all
}

/// M5: adaptive.
///
/// # Errors
/// None.
pub fn m5(bench: &Bench) -> Result<Finding, LabError> {
    let change = bench.pick(20, 50);
    let start = windows(bench, "from the start", None);
    let later =
        windows(bench, &format!("after a change at {change} probes per node"), Some(change));
    let recovered = |sweep: &Sweep, name: &str, against: &str| {
        let near = |at: usize| sweep.mean(name, at) <= 1.1 * sweep.mean(against, at);
        let Places::Numbers(middles) = &sweep.places else { return None };
        let last_bad = (0..middles.len()).rev().find(|&at| !near(at));
        last_bad.map_or(Some(0), |bad| (bad + 1 < middles.len()).then_some(WINDOWS[bad + 1]))
    };
    let said = |probes: Option<u64>| {
        let last = WINDOWS[later.places.len()];
        probes.map_or(format!("not within {last} probes per node"), |probes| {
            format!("after {probes} probes per node")
        })
    };
    let at_end = start.places.len() - 1;
    let ratio = start.mean("adaptive", at_end) / start.mean("memoryless", at_end);
    let ours = recovered(&later, "learned-whittle", "memoryless");
    let theirs = recovered(&later, "adaptive", "memoryless");
    let finding = Finding {
        claim: "adaptive (rates unknown, Algorithm 1) converges to memoryless; after a change of \
                the rates: the time to recover."
            .to_owned(),
        setup: vec![
            format!(
                "n = {}, lognormal (σ = 2) rates, half an item per probe (Σπ = 1/2, c = 1); after \
                 {change} probes per node all rates are permuted, and nobody who learns is told; \
                 {} repetitions.",
                bench.pick(20, 200),
                bench.seeds(2, 5).len()
            ),
            "A point is the mean over a window of probes per node; memoryless knows the rates."
                .to_owned(),
        ],
        parts: vec![
            Part::plain(
                "adaptive comes within 10 % of memoryless",
                ratio <= 1.1,
                format!(
                    "adaptive ÷ memoryless {} over the last window; within 10 % {}",
                    short(ratio),
                    said(recovered(&start, "adaptive", "memoryless"))
                ),
            )
            .because("The estimate is max(1, items)/t: a node not probed yet counts 1/t."),
            Part::plain(
                "after the change adaptive is again within 10 % of memoryless in the time it had \
                 before",
                theirs.is_some_and(|probes| probes <= change),
                format!("adaptive {}; learned-whittle {}", said(theirs), said(ours)),
            )
            .because(
                "Its estimate is a mean over all time: s steps after a change at t0 it still \
                 carries t0/(t0 + s) of the old rate.",
            ),
        ],
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[start, later]);
    for panel in &mut finding.figure.panels {
        *panel = panel.clone().level("lower bound", 1.0).log_x();
    }
    Ok(finding)
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    #[test]
    fn a_factor_holds_up_to_what_two_standard_errors_allow() {
        let verdict = |ratio: f64| {
            let places = Places::Numbers(vec![1.0, 2.0]);
            let mut sweep = Sweep::new("p", Axes { x: "c, probes", y: "ratio" }, places);
            for at in 0..2 {
                [0.0, 0.01].iter().for_each(|more| sweep.add("cyclic", at, ratio + more));
            }
            factor(&[sweep], "cyclic", "s", |c| 2.0 + c / 100.0).verdict
        };
        assert_eq!(verdict(1.5), Verdict::Holds);
        assert_eq!(verdict(2.005), Verdict::Holds);
        assert_eq!(verdict(2.025), Verdict::InPart);
        assert_eq!(verdict(2.5), Verdict::Fails);
    }

    #[test]
    fn rates_sum_to_one_and_a_permutation_keeps_them() {
        for kind in KINDS {
            let all = rates(kind, 50, 3);
            assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{kind}");
            let mut sorted = permuted(&all, 4);
            let mut before = all.clone();
            sorted.sort_by(f64::total_cmp);
            before.sort_by(f64::total_cmp);
            assert_eq!(sorted, before);
        }
    }
}
