//! What the papers prove, against the exact program; and that the bounds are bounds.

use lab::completeness::{bound, exact, offline};
use proptest::prelude::*;
use schedule::completeness::gain::Portfolio;
use schedule::completeness::local_ratio;
use schedule::completeness::packing::greedy_packing;
use schedule::completeness::rules::Kind;
use schedule::completeness::{Builder, DeadCeis, Instance, Preemption, Rule, Schedule, run_online};
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
    fn small()(
        ceis in prop::collection::vec(
            prop::collection::vec((0..3_u64, 0..5_u64, 0..3_u64), 1..4), 0..8),
        budget in prop::collection::vec(0..3_u8, 5),
    ) -> Instance {
        let ei = |(source, start, length): (u64, u64, u64)| {
            (source, start, (start + length).min(4))
        };
        build(ceis.into_iter().map(|cei| cei.into_iter().map(ei).collect()).collect(), budget)
    }
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

/// The best of all schedules, tried one by one.
fn brute_force(instance: &Instance) -> f64 {
    let sources = instance.numbers().len() as u32;
    let mut best = 0.0_f64;
    let mut open = vec![Schedule::default()];
    for &budget in instance.budget() {
        let sets = (0..1_u32 << sources).filter(|set| f64::from(set.count_ones()) <= budget);
        let sets: Vec<Vec<u32>> =
            sets.map(|set| (0..sources).filter(|s| set >> s & 1 == 1).collect()).collect();
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
        let gain = run_online(&instance, &mut Portfolio::new(&instance));
        let offline = offline::approximate(&instance).unwrap();
        for schedule in [gain, greedy_packing(&instance), offline] {
            prop_assert!(schedule.is_within_budget(&instance));
            prop_assert!(schedule.outcome(&instance).value <= limit);
        }
    }

    #[test]
    fn local_ratio_is_within_a_factor_k_of_the_bound_on_unit_intervals(instance in packings()) {
        let schedule = offline::approximate(&instance).unwrap();
        prop_assert!(schedule.is_within_budget(&instance));
        let captured = schedule.outcome(&instance).value;
        let choices = local_ratio::choices(&instance).unwrap();
        let relaxed = bound::relax_choices(&instance, &choices);
        prop_assert!(3.0 * captured + 1e-6 >= relaxed.bound);
    }
}

#[test]
fn offline_refuses_what_it_cannot_enumerate_with_a_sentence() {
    let long = build(vec![vec![(0, 0, 99), (1, 0, 99), (2, 0, 99)]], vec![1; 100]);
    let said = offline::approximate(&long).unwrap_err().to_string();
    assert!(said.contains("1000000 ways"), "{said}");
}
