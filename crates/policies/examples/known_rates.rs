//! A thousand pages whose rates are known, ten probes a minute: what does it cost to be wise?
//!
//! `cargo run -p policies --example known_rates`

use policies::Dice;
use policies::probing::{ProbingName, bounds};

const PAGES: usize = 1_000;
const BUDGET: u32 = 10;
const MINUTES: u64 = 5_000;

fn main() {
    // A few pages change every few minutes, most of them hardly ever.
    let mut dice = Dice::new(1);
    let rates: Vec<f64> = (0..PAGES).map(|_| 0.2 * libm::exp(-7.0 * dice.unit())).collect();
    let bound = bounds::tightest(&rates, f64::from(BUDGET));
    println!("no schedule can keep fewer than {bound:.1} changes waiting, on average");
    for name in ["round-robin", "max-gain", "memoryless", "cyclic", "price-dyadic", "whittle"] {
        let policy = ProbingName::parse(name).expect("these are its policies");
        println!("{name:<13} {:>7.1}", waiting(policy, &rates));
    }
}

/// The mean number of changes nobody has seen yet, over the second half.
fn waiting(name: ProbingName, rates: &[f64]) -> f64 {
    let mut policy = name.start(rates, BUDGET, 1);
    let (mut waiting, mut sum) = (vec![0.0; rates.len()], 0.0);
    let mut picks = Vec::new();
    for now in 0..MINUTES {
        if now >= MINUTES / 2 {
            sum += waiting.iter().sum::<f64>();
        }
        picks.clear();
        policy.choose(now, &mut picks);
        picks.iter().for_each(|&page| waiting[page as usize] = 0.0);
        waiting.iter_mut().zip(rates).for_each(|(waiting, rate)| *waiting += rate);
    }
    sum / (MINUTES - MINUTES / 2) as f64
}
