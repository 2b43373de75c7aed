//! The plans of `schedule` beside the slow ones of this crate.

use policies::delay::{Curve, price};
use proptest::prelude::*;
use schedule::pattern::rhythm::BINS;
use schedule::pattern::{Habits, Own, Pattern, Rhythm};
use schedule::plan::Ahead;

fn pattern(seed: u64) -> Pattern {
    let mut postings = [0.0; BINS];
    for (b, p) in postings.iter_mut().enumerate() {
        let x = (b as u64 / 12 % 24 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        *p = (x % 10) as f64 * if b / 288 < 5 { 1.0 } else { 0.2 };
    }
    Pattern::new(&postings)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// The slow twin is the plan that tries every end of every interval.
    #[test]
    fn the_plan_costs_what_the_one_that_tries_all_intervals_costs(
        seed in 0_u64..99, gap in 25.0_f64..120.0,
    ) {
        let pattern = pattern(seed);
        let own = Own::new(&pattern, &Habits::default());
        let (price, mut ahead) = ((gap * 3600.0).powi(2) / 2.0, Ahead::default());
        ahead.renew(&own, price, 0.0);
        // In items × hours, at one item an hour.
        let edge = |h: u32| f64::from(h) * 3600.0;
        let hours = (0..168).map(|h| own.expected(edge(h), edge(h + 1)));
        let curve = Curve::new(hours.map(|seconds| seconds / 3600.0).collect());
        let slow = price::plan(&curve, gap * gap / 2.0, (2.0 * gap) as usize + 48);
        prop_assert!((ahead.cost() / 3600.0 / slow.cost - 1.0).abs() < 1e-4);
    }
}
