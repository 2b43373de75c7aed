//! Where in its cycle a node starts.
//!
//! If all start together, the first cycle is not like the later ones: nodes of equal rate stay
//! together in one block, and while a block passes everybody else waits. With two rates 100 apart
//! that costs 1 % for ever, with a few fast nodes in a short window up to 2 %.

use super::bounds;

/// The golden ratio's part after the point: the multiples of it fill 0 … 1 most evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// No node starts farther back than this, in chronons: it is to stay exact as an f64.
const AGE_MAX: f64 = 1e12;

/// For each node how many chronons before chronon 0 it counts as probed: spread evenly over its
/// ideal gap (that of the continuous bound) among the nodes with rates like its own. O(n log n).
pub fn ages(rates: &[f64], budget: u32) -> Vec<u64> {
    let per_root = bounds::frequency_per_root(rates, f64::from(budget));
    let mut order: Vec<u32> = (0..rates.len() as u32).collect();
    order.sort_by(|&a, &b| rates[a as usize].total_cmp(&rates[b as usize]).then(a.cmp(&b)));
    let mut ages = vec![0; rates.len()];
    for (place, &node) in order.iter().enumerate() {
        let frequency = per_root * libm::sqrt(rates[node as usize]);
        if frequency > 0.0 && frequency < 1.0 {
            let phase = (place as f64 + 0.5) * GOLDEN;
            let phase = phase - libm::floor(phase);
            ages[node as usize] = libm::floor((phase / frequency).min(AGE_MAX)) as u64;
        }
    }
    ages
}

#[cfg(test)]
mod tests {
    use super::ages;

    #[test]
    fn as_many_nodes_come_due_in_every_stretch_of_time_as_the_budget_allows() {
        let rates: Vec<f64> = (0..2_000).map(|i| 1.0 / f64::from(1 + i % 97)).collect();
        let gaps =
            |rate: f64| 1.0 / (super::bounds::frequency_per_root(&rates, 10.0) * rate.sqrt());
        let mut due = vec![0_u32; 60];
        for (&rate, &age) in rates.iter().zip(&ages(&rates, 10)) {
            let gap = gaps(rate);
            let mut at = gap - age as f64;
            assert!(at > 0.0, "{rate}: {age} of {gap}");
            while at < 600.0 {
                due[(at / 10.0) as usize] += 1;
                at += gap;
            }
        }
        // 100 probes in ten chronons; by chance there would be 75 to 125.
        assert!(due.iter().all(|&n| (85..=115).contains(&n)), "{due:?}");
    }
}
