//! Rates that nobody knows: two ways to learn them.
//!
//! The first part plans as it learns: `learned-whittle` probes a thousand feeds and comes near to
//! what one could do who knew. The second only learns: one source of which a probe says "changed"
//! or "not", and which one day changes ten times as often.
//!
//! `cargo run -p policies --example learned_rates`

use policies::Dice;
use policies::probing::{Found, LearnedWhittle, ProbingPolicy, bounds};
use schedule::rate::{Learner, Memory, Pool, Seen};

fn main() {
    plan_and_learn();
    notice_a_change();
}

fn plan_and_learn() {
    let (feeds, budget) = (1_000, 10);
    let mut dice = Dice::new(1);
    let rates: Vec<f64> = (0..feeds).map(|_| 0.03 * libm::exp(-5.0 * dice.unit())).collect();
    let bound = bounds::tightest(&rates, f64::from(budget));
    let mut policy = LearnedWhittle::new(feeds, budget);
    let (mut last, mut picks) = (vec![0; feeds], Vec::new());
    println!("probes per feed: undiscovered items, to the bound of those who know the rates");
    for stretch in 1..=6_u64 {
        let mut sum = 0.0;
        for now in (stretch - 1) * 500 + 1..=stretch * 500 {
            let undiscovered = rates.iter().zip(&last).map(|(rate, &at)| rate * (now - at) as f64);
            sum += undiscovered.sum::<f64>();
            picks.clear();
            policy.choose(now, &mut picks);
            for &node in &picks {
                let gap = now - std::mem::replace(&mut last[node as usize], now);
                let items = dice.poisson(rates[node as usize] * gap as f64);
                policy.found(now, Found { node, gap, items });
            }
        }
        println!("{:>3} to {:>3}: {:.3}", stretch * 5 - 5, stretch * 5, sum / 500.0 / bound);
    }
}

fn notice_a_change() {
    let mut dice = Dice::new(2);
    let hour = 3_600.0;
    let mut pool = Pool::new(1.0 / (24.0 * hour), Memory::of_observations(6.0, 200.0));
    let mut source = Learner::new();
    println!("a page probed every hour: changes a day, the truth and what is believed");
    for probe in 1..=300 {
        let rate = if probe <= 200 { 2.0 } else { 20.0 } / (24.0 * hour);
        let changed = dice.poisson(rate * hour) > 0;
        let seen = if changed { Seen::Changed } else { Seen::Unchanged };
        source.learn(hour, seen, &mut pool);
        if [10, 50, 200, 205, 210, 220, 250, 300].contains(&probe) {
            let day = 24.0 * hour;
            println!("{probe:>3}: {:>4.0} {:>6.1}", rate * day, source.rate(&pool) * day);
        }
    }
}
