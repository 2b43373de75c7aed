//! The learner of `schedule` beside estimates of the whole history.

use policies::Dice;
use policies::rates::likeliest;
use schedule::rate::{Learner, Memory, Pool, Seen};

/// A pool that stays where it starts, for one source is next to nothing in it.
fn pool_of_strangers(memory: Memory) -> Pool {
    let mut pool = Pool::new(0.3, memory);
    pool.set_members(u32::MAX);
    pool
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
fn without_forgetting_it_is_nearly_as_sharp_as_the_likeliest_rate() {
    let mut dice = Dice::new(11);
    let memory = Memory::of_observations(1e9, 1e9);
    for truth in [0.2, 1.0, 2.0] {
        for exponential in [false, true] {
            let mut history = || -> Vec<(f64, bool)> {
                let mut one = || {
                    let gap = if exponential { dice.exponential().max(1e-3) } else { 1.0 };
                    (gap, dice.exponential() < truth * gap)
                };
                (0..100).map(|_| one()).collect()
            };
            let histories: Vec<Vec<(f64, bool)>> = (0..500).map(|_| history()).collect();
            let mut each = histories.iter();
            let (best, _) = errors(|| likeliest(each.next().unwrap()), truth);
            let mut each = histories.iter();
            let online = || {
                let mut pool = pool_of_strangers(memory);
                let mut learner = Learner::new();
                for &(gap, changed) in each.next().unwrap() {
                    let seen = if changed { Seen::Changed } else { Seen::Unchanged };
                    learner.learn(gap, seen, &mut pool);
                }
                learner.rate(&pool)
            };
            let (ours, mean) = errors(online, truth);
            assert!(ours <= 1.12 * best, "{truth} {exponential}: {ours}, the likeliest {best}");
            assert!((mean - 1.0).abs() < 0.07, "{truth} {exponential}: {mean}");
        }
    }
}
