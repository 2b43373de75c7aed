//! What the online estimate promises, on worlds of known rates.

use super::{Learner, Memory, Pool};
use crate::rate::Seen;
use crate::tests::draws::Draws;
use proptest::prelude::*;

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 1e-3_f64..1e6,
        1 => prop::num::f64::ANY,
        1 => Just(0.0),
        1 => Just(f64::INFINITY),
    ]
}

fn any_seen() -> impl Strategy<Value = Seen> {
    prop_oneof![
        3 => Just(Seen::Unchanged),
        3 => Just(Seen::Changed),
        2 => (0_u32..20).prop_map(Seen::Items),
        1 => any::<u32>().prop_map(Seen::Items),
    ]
}

proptest! {
    #[test]
    fn no_input_makes_an_estimate_that_is_not_positive_and_finite(
        initial in any_number(),
        stored in prop::array::uniform6(prop_oneof![prop::num::f32::ANY, 0_f32..1e3]),
        observations in prop::collection::vec((any_number(), any_seen()), 0..60),
    ) {
        let mut pool = Pool::new(initial, Memory::standard());
        let mut learner = Learner::from_numbers(stored);
        for (gap, seen) in observations {
            learner.learn(gap, seen, &mut pool);
            let rate = learner.rate(&pool);
            prop_assert!(rate.is_finite() && rate > 0.0, "{rate} {learner:?} {pool:?}");
            prop_assert!(pool.mean().is_finite() && pool.mean() > 0.0);
            prop_assert_eq!(Learner::from_numbers(learner.numbers()), learner);
            let again = Pool::from_numbers(pool.numbers(), Memory::standard());
            prop_assert!((again.mean() / pool.mean() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn changes_claim_no_more_than_their_gaps_can_show(
        initial in 1e-4_f64..1e2,
        observations in prop::collection::vec((0.1_f64..10.0, prop::bool::weighted(0.9)), 1..80),
    ) {
        claims_no_more_than_its_gaps_can_show(initial, &observations);
    }
}

fn claims_no_more_than_its_gaps_can_show(initial: f64, observations: &[(f64, bool)]) {
    let mut pool = Pool::new(initial, Memory::of_observations(6.0, 200.0));
    let (mut learner, mut n, mut shortest, mut prior) = (Learner::new(), 0.0, 1e9_f64, initial);
    for &(gap, changed) in observations {
        if changed {
            n += 1.0;
            shortest = shortest.min(gap);
        }
        learner.learn(gap, if changed { Seen::Changed } else { Seen::Unchanged }, &mut pool);
        prior = prior.max(pool.mean());
        let most = libm::log(2.0 * n + 1.0) / shortest;
        let rate = learner.rate(&pool);
        assert!(rate <= prior.max(most) * (1.0 + 1e-5), "{rate} of {prior} and {most}");
    }
}

#[test]
fn evidence_too_small_for_an_f32_claims_nothing() {
    let surprises = [4.205017518425184, 6.356325726566839, 1.4905355020172124, 0.1];
    let observations = surprises.map(|gap| (gap, true));
    claims_no_more_than_its_gaps_can_show(76.01392962311725, &observations);
}

#[test]
fn a_source_alone_in_its_pool_does_not_count_what_it_saw_twice() {
    let memory = Memory::of_observations(1e9, 1e9);
    let mut pool = Pool::new(1.0, memory);
    let mut alone = Learner::new();
    // Nothing in 9.5: half a change in ½ + 9.5 of time is what is known.
    alone.learn(9.5, Seen::Items(0), &mut pool);
    assert!((alone.rate(&pool) - 0.05).abs() < 1e-6, "{}", alone.rate(&pool));
    pool.set_members(1_000);
    let newcomer = Learner::new().rate(&pool);
    assert!((newcomer - 0.05).abs() < 1e-3, "others' evidence is all there is: {newcomer}");
}

#[test]
fn a_learner_is_24_bytes() {
    assert_eq!(size_of::<Learner>(), 24);
}

/// A pool that only this source is in and that stays where it starts.
fn fixed(mean: f64, memory: Memory) -> Pool {
    Pool { members: f64::INFINITY, ..Pool::new(mean, memory) }
}

/// Root mean square of ln(estimate ÷ truth), and the mean of estimate ÷ truth.
fn errors(mut estimate: impl FnMut() -> f64, truth: f64) -> (f64, f64) {
    let all: Vec<f64> = (0..500).map(|_| estimate() / truth).collect();
    let square = |x: f64| libm::log(x) * libm::log(x);
    let n = all.len() as f64;
    let rms = libm::sqrt(all.iter().map(|&x| square(x)).sum::<f64>() / n);
    (rms, all.iter().sum::<f64>() / n)
}

#[test]
fn counts_are_learned_as_sharply_as_counting_does() {
    let mut draws = Draws::new(12);
    let online = || {
        let mut pool = fixed(0.5, Memory::standard());
        let mut learner = Learner::new();
        for _ in 0..100 {
            learner.learn(10.0, Seen::Items(draws.poisson(2.0)), &mut pool);
        }
        learner.rate(&pool)
    };
    let (rms, mean) = errors(online, 0.2);
    // 200 items: 1/√200 = .071.
    assert!(rms < 0.08 && (mean - 1.0).abs() < 0.02, "{rms} {mean}");
}

#[test]
fn a_tenfold_change_of_rate_is_noticed_within_forty_probes() {
    let mut draws = Draws::new(13);
    for (before, after) in [(0.1, 1.0), (1.0, 0.1)] {
        let online = || {
            let mut pool = fixed(0.3, Memory::of_observations(6.0, 200.0));
            let mut learner = Learner::new();
            for i in 0..240 {
                let rate = if i < 200 { before } else { after };
                let changed = draws.exponential() < rate;
                let seen = if changed { Seen::Changed } else { Seen::Unchanged };
                learner.learn(1.0, seen, &mut pool);
            }
            learner.rate(&pool)
        };
        let (rms, mean) = errors(online, after);
        // Forty probes that know nothing of the time before would have .18 and .5.
        assert!(rms < 0.6 && (0.8..1.6).contains(&mean), "{before} {after}: {rms} {mean}");
    }
}

#[test]
fn a_pool_that_is_recalled_is_about_the_pool_that_was() {
    // Some change every hour, some every day; each is probed ten times as often.
    let (mut pool, gaps) = (Pool::new(1e-4, Memory::standard()), [360.0, 8640.0]);
    let mut learners = [Learner::new(); 40];
    pool.set_members(40);
    let mut draws = Draws::new(5);
    for minute in 0_u32..60 * 24 * 14 {
        for (id, learner) in learners.iter_mut().enumerate() {
            let gap = gaps[id % 2];
            if (minute + 7 * id as u32).is_multiple_of((gap / 60.0) as u32) {
                let changed = draws.unit() < -libm::expm1(-0.1);
                learner.learn(
                    gap,
                    if changed { Seen::Changed } else { Seen::Unchanged },
                    &mut pool,
                );
            }
        }
    }
    let mut again = Pool::new(1e-4, Memory::standard());
    again.set_members(40);
    for learner in &learners {
        again.recall(learner);
    }
    let ratio = again.mean() / pool.mean();
    assert!((0.6..1.6).contains(&ratio), "{ratio}");
}

#[test]
fn counts_that_no_learner_can_reach_are_nothing_seen() {
    let stored = [1.0, 1e5, 1.0, 1e5, 0.0, 1.0];
    for (place, count) in [(0, 1e30), (1, 1e38), (2, 1e20), (3, f32::INFINITY), (5, 1e9)] {
        let mut damaged = stored;
        damaged[place] = count;
        assert_eq!(Learner::from_numbers(damaged), Learner::new(), "{place}");
    }
    assert_ne!(Learner::from_numbers(stored), Learner::new());
}
