//! What `docs/theory.md`, Completeness says of the rules.

use super::rules::Kind;
use super::*;

type RawCei = Vec<(u64, u64, u64)>;

fn instance(chronons: usize, profiles: &[Vec<RawCei>]) -> Instance {
    let mut builder = Builder::new();
    for (id, ceis) in profiles.iter().enumerate() {
        builder.profile(id as u64, 1.0, ceis.clone());
    }
    builder.build(vec![1.0; chronons]).expect("the instance is well formed")
}

fn captured(instance: &Instance, kind: Kind, preemption: Preemption) -> u64 {
    let mut rule = Rule::new(kind, preemption, DeadCeis::Drop);
    run_online(instance, &mut rule).outcome(instance).captured
}

/// The values of one EI under the three rules at chronon 10, with `probed` captured before.
fn values(ceis: Vec<RawCei>, probed: &[(u32, u32)], ei: usize) -> [i64; 3] {
    let instance = instance(40, &[ceis]);
    let mut state = State::new(&instance);
    for chronon in 0..=10 {
        state.enter(chronon);
        let now = probed.iter().filter(|probe| probe.0 == chronon).map(|probe| probe.1);
        state.apply(&now.collect::<Vec<_>>());
    }
    [Kind::SEdf, Kind::Mrsf, Kind::MEdf]
        .map(|kind| Rule::new(kind, Preemption::On, DeadCeis::Drop).value(&state, ei))
}

#[test]
fn example_1_has_the_values_5_4_and_22() {
    let cei = vec![(0, 8, 14), (1, 16, 21), (2, 22, 27), (3, 28, 32)];
    assert_eq!(values(vec![cei], &[], 0), [5, 4, 22]);
}

#[test]
fn example_2_is_decided_for_the_first_by_two_rules_and_for_the_second_by_the_third() {
    let first = vec![(0, 0, 2), (1, 3, 5), (2, 8, 14), (3, 20, 33)];
    let second = vec![(4, 9, 15), (5, 18, 22), (6, 24, 28)];
    assert_eq!(values(vec![first], &[(1, 0), (4, 1)], 2), [5, 2, 19]);
    assert_eq!(values(vec![second], &[], 0), [6, 3, 16]);
}

#[test]
fn proposition_2_does_not_hold_mrsf_captures_1_of_20_where_no_cei_is_longer_than_2() {
    let begin = |t: u64| vec![vec![(4 * t, t, t), (4 * t + 1, 44, 44)]];
    let late = |t: u64| vec![vec![(4 * t + 2, t, t), (4 * t + 3, 20 + t, 20 + t)]];
    let profiles: Vec<_> = (0..20).map(begin).chain((0..20).map(late)).collect();
    let counter = instance(45, &profiles);
    assert_eq!(captured(&counter, Kind::Mrsf, Preemption::On), 1);
    let mut best = Schedule::empty(45);
    for t in 0..20 {
        best.picks[t].push(4 * t as u32 + 2);
        best.picks[20 + t].push(4 * t as u32 + 3);
    }
    assert!(best.is_within_budget(&counter));
    assert_eq!(best.outcome(&counter).captured, 20);
}

#[test]
fn proposition_3_does_not_hold_where_ceis_of_a_profile_have_unequal_sizes() {
    let p0 = vec![vec![(0, 0, 0)], vec![(1, 5, 5), (2, 6, 6), (3, 7, 7)]];
    let p1 = vec![vec![(4, 0, 0), (5, 2, 2)]];
    let p2 = vec![vec![(6, 2, 2)]];
    let counter = instance(8, &[p0, p1, p2]);
    assert_eq!(captured(&counter, Kind::Mrsf, Preemption::On), 2);
    assert_eq!(captured(&counter, Kind::MEdf, Preemption::On), 3);
}

#[test]
fn a_source_that_does_not_fit_is_passed_over() {
    let mut builder = Builder::new();
    builder.profile(0, 1.0, vec![vec![(0, 0, 0)], vec![(1, 0, 1)]]).costs(vec![3.0, 1.0]);
    let costly = builder.build(vec![2.0; 2]).unwrap();
    let mut rule = Rule::new(Kind::SEdf, Preemption::On, DeadCeis::Drop);
    let schedule = run_online(&costly, &mut rule);
    assert_eq!(schedule.picks, vec![vec![1], vec![]]);
}

#[test]
fn a_budget_is_kept_whatever_the_unit_of_costs() {
    let kept = |unit: f64, budget: f64| {
        let mut builder = Builder::new();
        let all_at_once = (0..9).map(|source| vec![(source, 0, 0)]).collect();
        builder.profile(0, 1.0, all_at_once).costs(vec![0.1 * unit; 9]);
        let instance = builder.build(vec![budget * unit]).expect("the instance is well formed");
        let mut rule = Rule::new(Kind::SEdf, Preemption::On, DeadCeis::Drop);
        run_online(&instance, &mut rule).picks[0].len()
    };
    for unit in [1e-12, 1e-6, 1.0, 1e9] {
        assert_eq!((kept(unit, 0.0), kept(unit, 0.3), kept(unit, 0.79)), (0, 3, 7), "{unit:e}");
    }
}

#[test]
fn a_malformed_instance_is_refused_with_its_place() {
    let refused = |ei, budget: Vec<f64>| {
        let mut builder = Builder::new();
        builder.profile(7, 1.0, vec![vec![(0, 0, 0)], vec![(0, 1, 1), ei]]);
        builder.build(budget).unwrap_err().to_string()
    };
    assert!(refused((0, 3, 2), vec![1.0; 9]).starts_with("profile 7, CEI 1, EI 1: it finishes"));
    assert!(refused((0, 3, 9), vec![1.0; 9]).ends_with("expected finish < 9"));
    assert!(refused((0, 3, 3), vec![-1.0; 9]).starts_with("budget of chronon 0 is -1"));
}
