//! What the papers prove, against the exact program; and that the bounds are bounds.

use lab::completeness::{bound, exact, offline};
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome, Variable};
use policies::completeness::gain::GainPlan;
use policies::completeness::local_ratio;
use policies::completeness::packing::greedy_packing;
use policies::completeness::rules::Kind;
use policies::completeness::wic::Wic;
use policies::completeness::{Builder, DeadCeis, Instance, Preemption, Rule, Schedule, run_online};
use proptest::prelude::*;
use std::time::Duration;

/// More than any of these small programs needs.
const LIMIT: Duration = Duration::from_secs(120);

type RawCei = Vec<(u64, u64, u64)>;

fn build(ceis: Vec<RawCei>, budget: Vec<u8>) -> Instance {
    let mut builder = Builder::new();
    for (id, cei) in ceis.into_iter().enumerate() {
        builder.profile(id as u64, 1.0, vec![cei]);
    }
    builder.build(budget.into_iter().map(f64::from).collect()).expect("it is well formed")
}

prop_compose! {
    /// Rank 1; the EIs of a source follow one another.
    fn rank_1()(
        sources in prop::collection::vec(prop::collection::vec((0..3_u64, 0..5_u64), 0..5), 1..6),
        budget in prop::collection::vec(0..3_u8, 20),
    ) -> Instance {
        let mut ceis = Vec::new();
        for (source, eis) in sources.into_iter().enumerate() {
            let mut start = 0;
            for (gap, length) in eis {
                start += gap;
                if start + length < 20 {
                    ceis.push(vec![(source as u64, start, start + length)]);
                }
                start += length + 1;
            }
        }
        build(ceis, budget)
    }
}

prop_compose! {
    /// Rank 1, EIs of one chronon, no two of them in one place.
    fn rank_1_unit()(
        places in prop::collection::btree_set((0..6_u64, 0..12_u64), 0..40),
        budget in prop::collection::vec(0..4_u8, 12),
    ) -> Instance {
        build(places.into_iter().map(|(source, t)| vec![(source, t, t)]).collect(), budget)
    }
}

prop_compose! {
    /// Up to three sources and five chronons; utilities, costs and budgets of all kinds.
    fn small()(
        ceis in prop::collection::vec(
            (prop::collection::vec((0..3_u64, 0..5_u64, 0..3_u64), 1..4), 0..4_u8), 0..8),
        budget in prop::collection::vec(0..7_u8, 5),
        costs in prop_oneof![Just(vec![2_u8; 3]), prop::collection::vec(1..6_u8, 3)],
    ) -> Instance {
        let ei = |(source, start, length): (u64, u64, u64)| {
            (source, start, (start + length).min(4))
        };
        let mut builder = Builder::new();
        for (id, (cei, utility)) in ceis.into_iter().enumerate() {
            let cei = cei.into_iter().map(ei).collect();
            builder.profile(id as u64, f64::from(utility) * 0.75, vec![cei]);
        }
        let half = |number: u8| f64::from(number) / 2.0;
        builder.costs(costs.into_iter().map(half).collect());
        builder.build(budget.into_iter().map(half).collect()).expect("it is well formed")
    }
}

/// Every online policy, by name.
fn online(instance: &Instance) -> Vec<(&'static str, Schedule)> {
    let mut all = Vec::new();
    let rules = [("s-edf", Kind::SEdf), ("mrsf", Kind::Mrsf), ("m-edf", Kind::MEdf)];
    for (name, kind) in rules {
        for preemption in [Preemption::On, Preemption::Off] {
            let mut rule = Rule::new(kind, preemption, DeadCeis::Drop);
            all.push((name, run_online(instance, &mut rule)));
        }
    }
    all.push(("wic", run_online(instance, &mut Wic::default())));
    all.push(("gain", run_online(instance, &mut GainPlan::new())));
    all
}

prop_compose! {
    /// P[1], C = 1, rank 3 and no two EIs on one source.
    fn packings()(starts in prop::collection::vec(prop::collection::vec(0..8_u64, 3), 1..10))
        -> Instance {
        let ei = |cei: usize, at: usize, t: u64| ((cei * 3 + at) as u64, t, t);
        let one = |(cei, starts): (usize, Vec<u64>)| {
            starts.into_iter().enumerate().map(|(at, t)| ei(cei, at, t)).collect()
        };
        build(starts.into_iter().enumerate().map(one).collect(), vec![1; 8])
    }
}

type Profiles = Vec<Vec<RawCei>>;

prop_compose! {
    /// Profiles whose CEIs have the profile's rank each, on sources with large numbers.
    fn profiles()(
        profiles in prop::collection::vec(
            (1..4_usize).prop_flat_map(|rank| prop::collection::vec(
                prop::collection::vec((0..9_u64, 0..24_u64, 0..6_u64), rank), 0..7)),
            1..8),
    ) -> Profiles {
        let ei = |(source, start, length): (u64, u64, u64)| {
            (source * 400_000_000, start, (start + length).min(23))
        };
        let cei = |cei: RawCei| cei.into_iter().map(ei).collect();
        profiles.into_iter().map(|ceis| ceis.into_iter().map(cei).collect()).collect()
    }
}

/// What each online policy probes in each chronon, by the sources' own numbers.
fn choices(profiles: &Profiles) -> Vec<(&'static str, Vec<Vec<u64>>)> {
    let mut builder = Builder::new();
    for (id, ceis) in profiles.iter().enumerate().filter(|(_, ceis)| !ceis.is_empty()) {
        builder.profile(id as u64, 1.0 + id as f64, ceis.clone());
    }
    let instance =
        builder.build((0..24).map(|t| f64::from(t % 3)).collect()).expect("it is well formed");
    let number = |source: &u32| instance.numbers()[*source as usize];
    let own = |schedule: Schedule| -> Vec<Vec<u64>> {
        schedule.picks.iter().map(|picks| picks.iter().map(number).collect()).collect()
    };
    online(&instance).into_iter().map(|(name, schedule)| (name, own(schedule))).collect()
}

/// The best of all schedules, tried one by one.
fn brute_force(instance: &Instance) -> f64 {
    let sources = instance.numbers().len() as u32;
    let mut best = 0.0_f64;
    let mut open = vec![Schedule::default()];
    for &budget in instance.budget() {
        let cost = |set: &Vec<u32>| set.iter().map(|&s| instance.costs()[s as usize]).sum::<f64>();
        let sets = (0..1_u32 << sources).map(|set| (0..sources).filter(move |s| set >> s & 1 == 1));
        let sets: Vec<Vec<u32>> =
            sets.map(Iterator::collect).filter(|set| cost(set) <= budget).collect();
        let longer = |schedule: &Schedule, set: &Vec<u32>| {
            let mut schedule = schedule.clone();
            schedule.picks.push(set.clone());
            schedule
        };
        let all = open.iter().flat_map(|one| sets.iter().map(move |set| longer(one, set)));
        open = all.collect();
    }
    for schedule in open {
        best = best.max(schedule.outcome(instance).value);
    }
    best
}

#[test]
fn the_exact_program_does_not_mind_what_unit_utilities_are_in() {
    // Two want one source, and who goes by deadline or by size takes the other, which is first.
    for unit in [1e-12, 1e-9, 1.0, 1e9] {
        let mut builder = Builder::new();
        for (id, source) in [(0, 0), (1, 1), (2, 1)] {
            builder.profile(id, unit, vec![vec![(source, 0, 0)]]);
        }
        let found = exact::solve(&builder.build(vec![1.0]).expect("it is well formed"), LIMIT);
        assert!(found.optimal && (found.bound / unit - 2.0).abs() < 1e-6, "{unit}: {found:?}");
    }
}

#[test]
fn the_exact_program_buys_whole_probes_with_a_budget_in_parts() {
    // Thirty sources wanted in each of twenty chronons; 1.9 buys one probe.
    let all = (0..20).flat_map(|t| (0..30).map(move |source| vec![(source, t, t)]));
    let mut builder = Builder::new();
    for (id, cei) in all.enumerate() {
        builder.profile(id as u64, 1.0, vec![cei]);
    }
    let instance = builder.build(vec![1.9; 20]).expect("it is well formed");
    let found = exact::solve(&instance, LIMIT);
    assert!(
        found.optimal && (found.bound - 20.0).abs() < 1e-6,
        "{} {}",
        found.bound,
        found.optimal
    );
}

#[test]
fn no_part_of_a_probe_counts_in_the_exact_program_where_utilities_are_far_apart() {
    // Both EIs of the large one do not fit, and a part of one is nothing.
    let mut builder = Builder::new();
    builder.profile(7, 0.5, vec![vec![(0, 1, 1)]]);
    builder.profile(8, 1000.0, vec![vec![(1, 1, 1), (0, 1, 1)]]);
    let instance = builder.build(vec![1.0, 1.2, 2.5]).expect("it is well formed");
    let found = exact::solve(&instance, LIMIT);
    assert!(found.optimal && (found.bound - 0.5).abs() < 1e-6, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn proposition_1_s_edf_is_optimal_for_rank_1_without_intra_resource_overlap(
        instance in rank_1(),
    ) {
        prop_assert!(!instance.has_intra_resource_overlap());
        let optimum = exact::solve(&instance, LIMIT);
        prop_assert!(optimum.optimal);
        let mut rule = Rule::new(Kind::SEdf, Preemption::On, DeadCeis::Drop);
        let captured = run_online(&instance, &mut rule).outcome(&instance).value;
        prop_assert_eq!(captured, optimum.schedule.outcome(&instance).value);
    }

    #[test]
    fn a_file_cut_after_a_chronon_demands_the_same_choices_until_then(
        profiles in profiles(), cut in 0..24_u64,
    ) {
        let begun = |cei: &&RawCei| cei.iter().any(|ei| ei.1 <= cut);
        let known = |ceis: &Vec<RawCei>| ceis.iter().filter(begun).cloned().collect();
        let part: Profiles = profiles.iter().map(known).collect();
        for ((name, whole), (_, part)) in choices(&profiles).into_iter().zip(choices(&part)) {
            let until = cut as usize + 1;
            prop_assert_eq!(&whole[..until], &part[..until], "{}", name);
        }
    }

    #[test]
    fn s_edf_and_wic_are_optimal_for_rank_1_and_unit_intervals_without_overlap(
        instance in rank_1_unit(),
    ) {
        let optimum = exact::solve(&instance, LIMIT);
        prop_assert!(optimum.optimal);
        for (name, schedule) in online(&instance) {
            if ["s-edf", "wic"].contains(&name) {
                prop_assert_eq!(schedule.outcome(&instance).value, optimum.bound);
            }
        }
    }

    #[test]
    fn the_bound_is_the_optimum_that_a_simplex_finds(instance in small()) {
        let relaxed = bound::relax(&instance);
        let simplex = simplex(&instance);
        prop_assert!(relaxed.optimal);
        // A simplex may find 10^-35 where there is nothing.
        let slack = 1e-6 * simplex + 1e-12;
        prop_assert!((relaxed.bound - simplex).abs() <= slack, "{relaxed:?} {simplex}");
    }

    #[test]
    fn a_bound_in_no_time_is_a_bound_all_the_same(instance in small()) {
        let hasty = bound::relax_within(&instance, Duration::ZERO);
        prop_assert!(hasty.bound + 1e-12 >= simplex(&instance) * (1.0 - 1e-9));
        if let Ok(offline) = offline::approximate(&instance, Duration::ZERO) {
            prop_assert!(offline.is_within_budget(&instance));
        }
        let exact = exact::solve(&instance, Duration::ZERO);
        prop_assert!(exact.schedule.is_within_budget(&instance));
        let value = exact.schedule.outcome(&instance).value;
        let best = brute_force(&instance);
        prop_assert!(value <= best && best <= exact.bound + 1e-9);
        prop_assert!(!exact.optimal || value == best);
    }

    #[test]
    fn the_exact_program_finds_what_trying_everything_finds(instance in small()) {
        let optimum = exact::solve(&instance, LIMIT);
        prop_assert!(optimum.optimal);
        prop_assert!(optimum.schedule.is_within_budget(&instance));
        prop_assert_eq!(optimum.schedule.outcome(&instance).value, brute_force(&instance));
        prop_assert!((optimum.bound - brute_force(&instance)).abs() < 1e-6);
    }

    #[test]
    fn no_schedule_is_worth_more_than_the_bound(instance in small()) {
        let relaxed = bound::relax(&instance);
        prop_assert!(relaxed.optimal);
        let limit = relaxed.bound + 1e-6;
        prop_assert!(brute_force(&instance) <= limit);
        let offline = offline::approximate(&instance, LIMIT);
        prop_assert_eq!(offline.is_err(), instance.costs().iter().any(|cost| *cost != 1.0));
        let online = online(&instance).into_iter().map(|(_, schedule)| schedule);
        for schedule in online.chain([greedy_packing(&instance)]).chain(offline) {
            prop_assert!(schedule.is_within_budget(&instance));
            prop_assert!(schedule.outcome(&instance).value <= limit);
        }
    }

    #[test]
    fn local_ratio_is_within_a_factor_k_of_the_bound_on_unit_intervals(instance in packings()) {
        let schedule = offline::approximate(&instance, LIMIT).unwrap();
        prop_assert!(schedule.is_within_budget(&instance));
        let captured = schedule.outcome(&instance).value;
        let choices = local_ratio::choices(&instance).unwrap();
        let relaxed = bound::relax_choices(&instance, &choices, LIMIT);
        prop_assert!(3.0 * captured + 1e-6 >= relaxed.bound);
    }
}

/// The linear relaxation chronon by chronon, by another algorithm.
fn simplex(instance: &Instance) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let y: Vec<Variable> =
        instance.ceis().iter().map(|cei| problem.add_var(cei.utility, (0.0, 1.0))).collect();
    let sources = instance.numbers().len();
    let slots = instance.chronons() as usize * sources;
    let s: Vec<Variable> = (0..slots).map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    for ei in instance.eis() {
        let mut row = LinearExpr::empty();
        row.add(y[ei.cei as usize], 1.0);
        for t in ei.start..=ei.finish {
            row.add(s[t as usize * sources + ei.source as usize], -1.0);
        }
        problem.add_constraint(row, ComparisonOp::Le, 0.0);
    }
    for (t, &budget) in instance.budget().iter().enumerate() {
        let mut row = LinearExpr::empty();
        for (source, &cost) in instance.costs().iter().enumerate() {
            row.add(s[t * sources + source], cost);
        }
        problem.add_constraint(row, ComparisonOp::Le, budget);
    }
    match problem.solve().expect("it is a program") {
        SolveOutcome::Solution(solution) => solution.objective(),
        _ => f64::NAN,
    }
}

#[test]
fn a_bound_on_what_cannot_be_captured_at_all_is_0() {
    let mut builder = Builder::new();
    builder.profile(0, 3.0, vec![vec![(0, 0, 1), (1, 2, 3)]]);
    builder.profile(1, 0.0, vec![vec![(0, 2, 2)]]);
    let instance = builder.build(vec![0.0, 0.0, 1.0, 1.0]).unwrap();
    let relaxed = bound::relax(&instance);
    assert_eq!((relaxed.bound, relaxed.optimal), (0.0, true));
}

#[test]
fn proposition_2_does_not_hold_the_exact_program_captures_20_of_what_mrsf_captures_1_of() {
    let begin = |t: u64| vec![(4 * t, t, t), (4 * t + 1, 44, 44)];
    let late = |t: u64| vec![(4 * t + 2, t, t), (4 * t + 3, 20 + t, 20 + t)];
    let ceis = (0..20).map(begin).chain((0..20).map(late)).collect();
    let instance = build(ceis, vec![1; 45]);
    let mut mrsf = Rule::new(Kind::Mrsf, Preemption::On, DeadCeis::Drop);
    assert_eq!(run_online(&instance, &mut mrsf).outcome(&instance).captured, 1);
    let optimum = exact::solve(&instance, LIMIT);
    assert!(optimum.optimal);
    assert_eq!(optimum.bound, 20.0);
}

#[test]
fn offline_refuses_what_it_cannot_enumerate_with_a_sentence() {
    let long = build(vec![vec![(0, 0, 99), (1, 0, 99), (2, 0, 99)]], vec![1; 100]);
    let said = offline::approximate(&long, LIMIT).unwrap_err().to_string();
    assert!(said.contains("1000000 ways"), "{said}");
}
