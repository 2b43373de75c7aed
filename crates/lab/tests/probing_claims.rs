//! Claims M1–M5 of `docs/reproduction/README.md`, on rates made here.

use clap::ValueEnum;
use lab::probing::family::Family;
use lab::probing::learning::{Candidate, LearningArgs, measure};
use lab::probing::{Process, Trial, simulate};
use policies::Dice;
use policies::probing::{NAMES, ProbingName, bounds};

fn trial(rates: Vec<f64>, budget: u32, chronons: u64) -> Trial {
    let (process, warm_up) = (Process::Poisson, chronons / 2);
    Trial { rates, after: None, budget, chronons, warm_up, process, seed: 7 }
}

/// Rates that differ by about three orders of magnitude.
fn skewed(nodes: usize, seed: u64) -> Vec<f64> {
    let mut dice = Dice::new(seed);
    let all: Vec<f64> = (0..nodes).map(|_| (7.0 * dice.unit()).exp()).collect();
    let total: f64 = all.iter().sum();
    all.iter().map(|rate| rate / total).collect()
}

fn cost(name: ProbingName, trial: &Trial) -> f64 {
    simulate(name, trial).cost()
}

#[test]
fn m1_no_policy_costs_less_than_a_lower_bound() {
    for budget in [1, 3] {
        let trial = trial(skewed(40, 1), budget, 30_000);
        let tight = bounds::tightest(&trial.rates, f64::from(budget));
        assert!(tight >= bounds::paper(&trial.rates, f64::from(budget)));
        for (text, name) in NAMES {
            // A finite window may begin and end within gaps: a thousandth for that.
            assert!(cost(name, &trial) >= tight * 0.999, "{text}");
        }
    }
}

#[test]
fn m2_max_gain_is_off_by_a_factor_that_grows_with_n_on_halving_rates() {
    for n in [6, 9, 12] {
        let rates: Vec<f64> = (1..=n).map(|i| 0.5_f64.powi(i)).collect();
        let trial = trial(rates, 1, 1 << (n + 3));
        let cost = cost(ProbingName::MaxGain, &trial);
        let expected = f64::from(n + 1) / 2.0;
        assert!((cost / expected - 1.0).abs() < 0.1, "n = {n}: {cost}, not {expected}");
        assert!(bounds::tightest(&trial.rates, 1.0) < 3.5);
    }
}

#[test]
fn m3_cyclic_is_within_twice_the_bound_for_every_budget() {
    for budget in [1, 2, 5] {
        let trial = trial(skewed(200, 2), budget, 40_000);
        let bound = bounds::tightest(&trial.rates, f64::from(budget));
        let ratio = cost(ProbingName::Cyclic, &trial) / bound;
        assert!(ratio <= 2.0, "{ratio}");
    }
}

#[test]
fn m4_memoryless_costs_the_square_of_the_summed_roots_and_is_within_twice_the_bound() {
    let trial = trial(skewed(50, 3), 1, 200_000);
    let roots: f64 = trial.rates.iter().map(|rate| rate.sqrt()).sum();
    let cost = cost(ProbingName::Memoryless, &trial);
    assert!((cost / (roots * roots) - 1.0).abs() < 0.02, "{cost} {}", roots * roots);
    assert!(cost <= 2.0 * bounds::tightest(&trial.rates, 1.0) * 1.02);
}

#[test]
fn m5_adaptive_converges_to_memoryless_and_keeps_old_rates_long_after_a_change() {
    let rates = skewed(100, 4);
    let mut after = rates.clone();
    after.reverse();
    after.rotate_left(37);
    let steady = trial(rates.clone(), 1, 60_000);
    let ratio = cost(ProbingName::Adaptive, &steady) / cost(ProbingName::Memoryless, &steady);
    assert!((0.95..1.1).contains(&ratio), "{ratio}");
    // As long after the change as before it the estimate still carries half of the old rate.
    let changed = |warm_up, chronons| Trial {
        after: Some((20_000, after.clone())),
        warm_up,
        ..trial(rates.clone(), 1, chronons)
    };
    let soon = cost(ProbingName::Adaptive, &changed(21_000, 23_000));
    let later = cost(ProbingName::Adaptive, &changed(200_000, 220_000));
    let target = cost(ProbingName::Memoryless, &changed(200_000, 220_000));
    assert!(soon > 1.15 * target, "{soon} {target}");
    assert!(later < 1.15 * target, "{later} {target}");
}

#[test]
fn index_is_within_two_thousandths_of_the_bound_in_short_windows_of_every_family() {
    for family in Family::value_variants() {
        for budget in [1, 100] {
            let rates = family.rates(1_000, 0.5, &mut Dice::new(5));
            let chronons = 10_000 / u64::from(budget);
            // The command line's own warm-up: a tenth.
            let trial = Trial { warm_up: chronons / 10, ..trial(rates, budget, chronons) };
            let ratio =
                cost(ProbingName::Whittle, &trial) / bounds::tightest(&trial.rates, budget.into());
            assert!(ratio <= 1.002, "{family:?}, {budget} a chronon: {ratio}");
        }
    }
}

#[test]
fn index_neither_loses_nor_beats_the_bound_once_every_cycle_is_complete() {
    for family in [Family::Pareto, Family::TwoValued] {
        let rates = family.rates(1_000, 0.5, &mut Dice::new(6));
        let trial = Trial { warm_up: 10_000, ..trial(rates, 1, 30_000) };
        let ratio = cost(ProbingName::Whittle, &trial) / bounds::tightest(&trial.rates, 1.0);
        assert!((0.999..=1.002).contains(&ratio), "{family:?}: {ratio}");
    }
}

#[test]
fn learned_index_comes_near_the_bound_and_back_to_it_after_all_rates_are_permuted() {
    let options = LearningArgs {
        sources: 500,
        budget: 1,
        seeds: 1,
        family: Vec::new(),
        per_probe: Vec::new(),
        policy: Vec::new(),
        law: false,
        json: false,
    };
    // A tenth more than the targets: half as many nodes as they are set for, and a single seed.
    for (family, start, after) in [(Family::Pareto, 1.11, 1.165), (Family::TwoValued, 1.11, 1.165)]
    {
        let row = measure(&options, Candidate::Policy(ProbingName::LearnedWhittle), family, 0.5);
        assert!((1.0..start).contains(&row.start), "{family:?}: {}", row.start);
        assert!((1.0..after).contains(&row.permuted), "{family:?}: {}", row.permuted);
        assert!(row.permuted < row.permuted_at_once && row.later < row.start, "{row:?}");
    }
}
