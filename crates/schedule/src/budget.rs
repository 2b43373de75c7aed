//! Probes per chronon, overall.

/// One probe, in the units the budget counts in: fractions are exact to 10⁻⁹ of a probe, so that
/// many small refills and one large one give the same.
const PROBE: i64 = 1_000_000_000;
/// Probes per chronon at most; a larger budget counts as this.
pub(crate) const PER_CHRONON_MAX: f64 = 1e8;

/// A budget that starts empty and is refilled at each chronon's start. It holds at most one
/// chronon's worth or one probe, whichever is larger; where that would lose a fraction, it holds up
/// to one probe more, so that the fraction is paid in full. No chronon gets more probes than the
/// budget rounded up. What overflows is saved only for probes that cost more than the budget holds,
/// up to the cost of the dearest. Nothing is lost while such a probe is waited for: a chronon's
/// overflow is at most what is held, and this and the savings together do not pay for the probe
/// yet.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    rate: i64,
    left: i64,
    saved: i64,
    /// The largest cost there is.
    dearest: i64,
    /// The chronon `left` is of; none before the first.
    chronon: Option<i64>,
}

impl Budget {
    pub(crate) fn new(per_chronon: f64) -> Budget {
        Budget { rate: rate(per_chronon), left: 0, saved: 0, dearest: 0, chronon: None }
    }

    /// Refills up to `chronon`, in one step however many chronons have passed. O(1).
    pub(crate) fn settle(&mut self, chronon: i64) {
        let passed = self.chronon.map_or(0, |then| chronon.saturating_sub(then).max(0));
        self.chronon = Some(self.chronon.map_or(chronon, |then| then.max(chronon)));
        let refill = self.rate.saturating_mul(passed);
        let left = self.left.saturating_add(refill);
        self.left = left.min(self.holds());
        let room = if self.dearest > self.holds() { self.dearest } else { 0 };
        self.saved = self.saved.saturating_add(left - self.left).min(room);
    }

    /// One chronon's worth, or one probe; and what would be lost of a fraction.
    fn holds(&self) -> i64 {
        let lost = match self.rate {
            0 => 0,
            // One probe takes several chronons.
            few if few < PROBE => (PROBE + few - 1) / few * few - PROBE,
            many => many % PROBE,
        };
        // What rounding makes of a whole number of chronons is not lost.
        if lost < PROBE / 1_000_000 { self.rate.max(PROBE) } else { self.rate + PROBE - 1 }
    }

    /// There are probes of this cost.
    pub(crate) fn save_for(&mut self, cost: f64) {
        self.dearest = self.dearest.max(units(cost));
    }

    pub(crate) fn per_chronon(&self) -> f64 {
        self.rate as f64 / PROBE as f64
    }

    /// Whether there is something that only a probe that costs more than is held may take.
    pub(crate) fn has_saved(&self) -> bool {
        self.saved > 0
    }

    /// A new rate, from the next chronon on; what is left of this one is cut to the new limit, and
    /// a rate of zero leaves nothing.
    pub(crate) fn set(&mut self, per_chronon: f64) {
        self.rate = rate(per_chronon);
        self.left = self.left.min(self.holds());
        if self.rate == 0 {
            (self.left, self.saved) = (0, 0);
        }
    }

    /// Whether a probe of this cost may start.
    pub(crate) fn allows(&self, cost: f64) -> bool {
        self.missing(cost) <= 0
    }

    fn missing(&self, cost: f64) -> i64 {
        let cost = units(cost);
        let saved = if cost > self.holds() { self.saved } else { 0 };
        cost - self.left - saved
    }

    /// Takes one probe; only after [`Budget::allows`].
    pub(crate) fn take(&mut self, cost: f64) {
        let after = self.left - units(cost);
        self.left = after.max(0);
        self.saved = (self.saved + after.min(0)).max(0);
    }

    /// The first chronon that allows a probe of this cost; `None` if the budget is zero or nothing
    /// happened yet.
    pub(crate) fn next(&self, cost: f64) -> Option<i64> {
        let chronon = self.chronon?;
        let missing = self.missing(cost);
        if missing <= 0 {
            return Some(chronon);
        }
        if self.rate == 0 {
            return None;
        }
        let chronons = missing / self.rate + i64::from(missing % self.rate > 0);
        Some(chronon.saturating_add(chronons))
    }
}

/// Rounded up: 120 chronons of a 120th of a probe are a probe.
fn rate(per_chronon: f64) -> i64 {
    libm::ceil(per_chronon.clamp(0.0, PER_CHRONON_MAX) * PROBE as f64 - 1e-3) as i64
}

fn units(probes: f64) -> i64 {
    libm::round(probes.clamp(0.0, PER_CHRONON_MAX) * PROBE as f64) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(budget: &mut Budget, chronon: i64) -> u32 {
        budget.settle(chronon);
        let mut taken = 0;
        while budget.allows(1.0) {
            budget.take(1.0);
            taken += 1;
        }
        taken
    }

    #[test]
    fn a_tenth_of_a_probe_per_chronon_is_one_probe_in_ten_chronons() {
        let mut budget = Budget::new(0.1);
        let picks: Vec<i64> = (0..40).filter(|&c| taken(&mut budget, c) == 1).collect();
        assert_eq!(picks, [10, 20, 30]);
    }

    #[test]
    fn an_hourly_budget_that_is_no_whole_number_per_chronon_is_kept_to_the_chronon() {
        for per_hour in [1_u32, 7, 30, 90, 1_800, 3_000, 9_000] {
            let mut budget = Budget::new(f64::from(per_hour) / 3_600.0);
            let picks: u32 = (0..=360_000).map(|chronon| taken(&mut budget, chronon)).sum();
            assert!((per_hour * 100).abs_diff(picks) <= 1, "{per_hour}: {picks}");
        }
    }

    #[test]
    fn a_clock_that_jumps_brings_one_chronons_worth_and_no_more() {
        let mut budget = Budget::new(3.0);
        assert_eq!(taken(&mut budget, 0), 0);
        assert_eq!(taken(&mut budget, 1_000_000_000), 3);
        assert_eq!(budget.next(1.0), Some(1_000_000_001));
    }

    #[test]
    fn what_overflows_is_saved_for_a_probe_that_costs_more_than_a_chronon_has() {
        let mut budget = Budget::new(1.0);
        budget.save_for(3.0);
        budget.settle(0);
        assert_eq!((budget.next(3.0), budget.next(1.0)), (Some(3), Some(1)));
        budget.settle(2);
        assert!(!budget.allows(3.0));
        budget.settle(9);
        assert!(budget.allows(3.0));
        budget.take(1.0);
        assert!(!budget.allows(1.0) && budget.allows(3.0), "what is saved is for others");
        budget.take(3.0);
        assert_eq!((budget.next(3.0), budget.next(1.0)), (Some(12), Some(10)));
    }

    #[test]
    fn a_smaller_budget_holds_at_once_and_a_larger_one_from_the_next_chronon() {
        let mut budget = Budget::new(5.0);
        budget.settle(0);
        budget.settle(1);
        budget.set(2.0);
        budget.set(4.0);
        assert_eq!(taken(&mut budget, 1), 2);
        assert_eq!(taken(&mut budget, 2), 4);
    }

    #[test]
    fn a_budget_of_zero_or_nonsense_allows_nothing() {
        for nonsense in [0.0, -1.0, f64::NAN] {
            let mut budget = Budget::new(nonsense);
            assert_eq!((taken(&mut budget, 9), budget.next(1.0)), (0, None));
            let mut budget = Budget::new(2.0);
            budget.save_for(9.0);
            budget.settle(0);
            budget.settle(9);
            budget.set(nonsense);
            assert_eq!((taken(&mut budget, 9), budget.next(1.0)), (0, None));
            assert!(!budget.allows(9.0) && taken(&mut budget, 99) == 0);
        }
    }
}
