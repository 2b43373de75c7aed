//! A periodic posting rate, ready to say what an interval between two probes costs.

/// A rate that is constant within each of a period's equal bins, summed once and twice. Interval
/// costs are O(1) and exact at the edges of bins.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    rate: Vec<f64>,
    /// L: the items until each edge of two periods.
    items: Vec<f64>,
    /// A: the integral of L until each edge of two periods.
    integral: Vec<f64>,
}

impl Curve {
    /// From items per bin, at least one bin, each ≥ 0.
    #[must_use]
    pub fn new(rate: Vec<f64>) -> Curve {
        let (mut items, mut integral) = (vec![0.0], vec![0.0]);
        let (mut l, mut a) = (0.0, 0.0);
        for &r in rate.iter().chain(&rate) {
            a += l + r / 2.0;
            l += r;
            items.push(l);
            integral.push(a);
        }
        Curve { rate, items, integral }
    }

    /// How many bins a period has.
    #[must_use]
    pub fn bins(&self) -> usize {
        self.rate.len()
    }

    /// The items of a whole period.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.items[self.bins()]
    }

    /// Items until edge `t`, continued past the period.
    fn items_until(&self, t: usize) -> f64 {
        if let Some(&items) = self.items.get(t) {
            return items;
        }
        let (periods, rest) = (t / self.bins(), t % self.bins());
        periods as f64 * self.total() + self.items[rest]
    }

    /// The integral of [`Curve::items_until`]: A(t + T) = A(t) + A(T) + t·L(T).
    fn integral_until(&self, t: usize) -> f64 {
        if let Some(&integral) = self.integral.get(t) {
            return integral;
        }
        let bins = self.bins();
        let (k, rest) = ((t / bins) as f64, t % bins);
        let whole = k * self.integral[bins];
        let earlier = self.total() * bins as f64 * k * (k - 1.0) / 2.0;
        whole + earlier + self.integral[rest] + k * self.total() * rest as f64
    }

    /// What the items between a probe at edge `a` and the next, `d` bins later, wait in sum:
    /// `A[a+d] − A[a] − L[a]·d`, in items × bins.
    #[must_use]
    pub fn cost(&self, a: usize, d: usize) -> f64 {
        let (end, start) = (self.integral_until(a + d), self.integral_until(a));
        end - start - self.items_until(a) * d as f64
    }

    /// What probes at these edges (ascending, within one period, at least one) cost a period.
    #[must_use]
    pub fn cost_of(&self, points: &[usize]) -> f64 {
        let first = points[0] + self.bins();
        let next = points.iter().skip(1).copied().chain([first]);
        points.iter().zip(next).map(|(&a, b)| self.cost(a, b - a)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Curve;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_interval_costs_what_its_items_wait_bin_by_bin(
            rate in prop::collection::vec(0.0_f64..5.0, 1..12), a in 0_usize..20, d in 0_usize..40,
        ) {
            let curve = Curve::new(rate.clone());
            let slow: f64 = (a..a + d)
                .map(|bin| rate[bin % rate.len()] * ((a + d - bin) as f64 - 0.5))
                .sum();
            prop_assert!((curve.cost(a, d) - slow).abs() < 1e-9 * (1.0 + slow));
        }
    }
}
