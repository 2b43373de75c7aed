//! The slow twin of the rounding: looks at every choice, every time; and the comparison.

use super::least::Least;
use super::rounding::{is_left, keep, round_while};
use super::{Choice, Refusal, choices, round};
use crate::completeness::{Builder, Instance, Schedule};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

fn round_slowly(instance: &Instance, choices: &[Choice], x: &[f64]) -> Schedule {
    let mut ratio = SlowLocalRatio::new(instance, choices, x);
    let mut stack = Vec::new();
    while let Some(choice) = ratio.least_crowded() {
        ratio.push(choice);
        stack.push(choice);
    }
    keep(instance, choices, &stack)
}

/// The largest 1/C among the chronons in which the two probe different sources; 0 if none.
fn conflict(a: &Choice, b: &Choice, budget: &[f64]) -> f64 {
    let pairs = a.segments.iter().flat_map(|p| b.segments.iter().map(move |q| (p, q)));
    let clashes = pairs.filter(|(p, q)| p.1 == q.1 && p.0 != q.0);
    clashes.map(|(p, _)| 1.0 / budget[p.1 as usize].max(1.0)).fold(0.0, f64::max)
}

struct SlowLocalRatio<'a> {
    instance: &'a Instance,
    choices: &'a [Choice],
    x: &'a [f64],
    weight: Vec<f64>,
    /// Choices with weight left.
    live: Vec<u32>,
    /// Sum of x over the live choices, per CEI, per chronon, per source and chronon.
    of_cei: Vec<f64>,
    at: Vec<f64>,
    on: FxHashMap<(u32, u32), f64>,
}

impl<'a> SlowLocalRatio<'a> {
    fn new(instance: &'a Instance, choices: &'a [Choice], x: &'a [f64]) -> Self {
        let weight: Vec<f64> =
            choices.iter().map(|choice| instance.ceis[choice.cei as usize].utility).collect();
        let mut new = Self {
            instance,
            choices,
            x,
            live: (0..choices.len() as u32).filter(|&j| weight[j as usize] > 0.0).collect(),
            weight,
            of_cei: vec![0.0; instance.ceis.len()],
            at: vec![0.0; instance.budget.len()],
            on: FxHashMap::default(),
        };
        for at in 0..new.live.len() {
            let choice = new.live[at] as usize;
            new.count(choice, x[choice]);
        }
        new
    }

    fn count(&mut self, choice: usize, x: f64) {
        let choice = &self.choices[choice];
        self.of_cei[choice.cei as usize] += x;
        for &(source, chronon) in &choice.segments {
            self.at[chronon as usize] += x;
            *self.on.entry((source, chronon)).or_insert(0.0) += x;
        }
    }

    fn crowd(&self, choice: u32) -> f64 {
        let choice = &self.choices[choice as usize];
        let others = choice.segments.iter().map(|&(source, chronon)| {
            let others = self.at[chronon as usize] - self.on[&(source, chronon)];
            others / self.instance.budget[chronon as usize].max(1.0)
        });
        self.of_cei[choice.cei as usize] + others.sum::<f64>()
    }

    fn least_crowded(&self) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for &choice in &self.live {
            let crowd = self.crowd(choice);
            if best.is_none_or(|(least, _)| crowd < least - 1e-12) {
                best = Some((crowd, choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// Takes the weight of `pushed` off everything it conflicts with, and itself.
    fn push(&mut self, pushed: u32) {
        let own = &self.choices[pushed as usize];
        let weight = self.weight[pushed as usize];
        let mut dead = Vec::new();
        let (choices, weights, instance) = (self.choices, &mut self.weight, self.instance);
        self.live.retain(|&other| {
            let share = if choices[other as usize].cei == own.cei {
                1.0
            } else {
                conflict(own, &choices[other as usize], &instance.budget)
            };
            weights[other as usize] -= weight * share;
            let left = is_left(weights[other as usize], instance, &choices[other as usize]);
            let alive = other != pushed && left;
            if !alive {
                dead.push(other as usize);
            }
            alive
        });
        for choice in dead {
            self.count(choice, -self.x[choice]);
        }
    }
}

prop_compose! {
    /// Up to 40 CEIs of up to three EIs; utilities and budgets of all kinds.
    fn instances()(
        ceis in prop::collection::vec(
            (prop::collection::vec((0..6_u64, 0..9_u64, 0..3_u64), 1..4), 0..4_u8), 0..40),
        budget in prop::collection::vec(0..5_u8, 9),
        unit in any::<bool>(),
        worth in prop_oneof![Just(1.0), Just(1e-13), Just(1e13)],
    ) -> Instance {
        let mut builder = Builder::new();
        let ei = |(source, start, length): (u64, u64, u64)| {
            (source, start, if unit { start } else { (start + length).min(8) })
        };
        for (id, (cei, utility)) in ceis.into_iter().enumerate() {
            let utility = worth * if unit { 1.0 } else { f64::from(utility) * 0.75 };
            builder.profile(id as u64, utility, vec![cei.into_iter().map(ei).collect()]);
        }
        let budget = budget.into_iter().map(|c| if unit { 1.0 } else { f64::from(c) / 2.0 });
        builder.build(budget.collect()).expect("it is well formed")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rounding_keeps_what_looking_at_every_choice_every_time_keeps(
        instance in instances(),
        x in prop::collection::vec(prop_oneof![
            (0..5_u8).prop_map(|x| f64::from(x) / 4.0),
            0.0..1.0,
            // As near to each other as a solver leaves them.
            (0..9_u8).prop_map(|x| 0.5 + f64::from(x) * 0.4e-12),
        ], 40),
    ) {
        let choices = choices(&instance).expect("there are few");
        let x: Vec<f64> = (0..choices.len()).map(|at| x[at % x.len()]).collect();
        let fast = round(&instance, &choices, &x);
        prop_assert!(fast.is_within_budget(&instance));
        prop_assert_eq!(fast, round_slowly(&instance, &choices, &x));
        for pushes in 0..3 {
            let mut asked = 0;
            let cut = round_while(&instance, &choices, &x, || {
                asked += 1;
                asked <= pushes
            });
            prop_assert!(asked <= pushes + 1 && cut.is_within_budget(&instance));
            let worth = choices.iter().any(|c| instance.ceis[c.cei as usize].utility > 0.0);
            prop_assert!(!worth || cut.outcome(&instance).captured > 0, "the rest comes last");
        }
    }

    #[test]
    fn the_first_of_the_least_is_the_one_somebody_finds_who_goes_through(
        values in prop::collection::vec((0..20_u32, prop_oneof![
            (0..6_u8).prop_map(f64::from),
            (0..9_u8).prop_map(|x| 1.0 - f64::from(x) * 0.4e-3),
            Just(f64::INFINITY),
        ]), 0..80),
    ) {
        let (mut all, mut least) = ([f64::INFINITY; 20], Least::new(20));
        for (at, value) in values {
            all[at as usize] = value;
            least.set(at, value);
            let mut found: Option<u32> = None;
            for (at, &value) in (0..).zip(&all).filter(|(_, value)| value.is_finite()) {
                if found.is_none_or(|found| value < all[found as usize] - 1e-3) {
                    found = Some(at);
                }
            }
            prop_assert_eq!(least.first(1e-3), found);
        }
    }
}

/// Everything costs as much with utilities in another unit.
#[test]
fn utilities_far_below_1_are_no_nothing() {
    let instance = |utility: f64| {
        let mut builder = Builder::new();
        for id in 0..3 {
            builder.profile(id, utility, vec![vec![(id, id, id)]]);
        }
        builder.build(vec![1.0; 3]).expect("it is well formed")
    };
    for utility in [1.0, 1e-13] {
        let instance = instance(utility);
        let choices = choices(&instance).expect("there are three");
        assert_eq!(round(&instance, &choices, &[1.0; 3]).outcome(&instance).captured, 3);
    }
}

/// Thirteen EIs of two chronons make 8,192 choices, each of which makes `probes` probes.
fn wide(probes: u64) -> Instance {
    let mut builder = Builder::new();
    let long = (0..13).map(|source| (source, 0, 1));
    let short = (13..probes).map(|source| (source, 2, 2));
    builder.profile(0, 1.0, vec![long.chain(short).collect()]);
    builder.build(vec![1e4; 3]).expect("it is well formed")
}

#[test]
fn choices_of_too_many_probes_are_refused() {
    assert_eq!(choices(&wide(1_300)), Err(Refusal::TooManyProbes));
    assert_eq!(choices(&wide(20)).map(|choices| choices.len()), Ok(1 << 13));
}
