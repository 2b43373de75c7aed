//! Probes per chronon, overall, and what is saved of them.

use chronon::Span;

/// What may be banked: a weekend, and the nights around it.
pub(crate) const BANK_DAYS: f64 = 3.0;
/// So many times the budget may be spent in a chronon of what was banked.
const BURST: i64 = 4;
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
///
/// While looks are withheld because a later hour needs their probes more ([`crate::thrift`]), what
/// overflows goes to a bank of at most the budget of [`BANK_DAYS`] days. With it a chronon may
/// spend [`BURST`] times the budget, or one probe.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    rate: i64,
    left: i64,
    saved: i64,
    banked: i64,
    /// Taken in this chronon.
    spent: i64,
    /// What is withheld overflows into the bank.
    withheld: bool,
    /// A day's chronons, and of how many of them the bank holds the budget.
    a_day: f64,
    kept: i64,
    /// The largest cost there is.
    dearest: i64,
    /// The chronon `left` is of; none before the first.
    chronon: Option<i64>,
}

impl Budget {
    pub(crate) fn new(per_chronon: f64, chronon: Span) -> Budget {
        Budget {
            rate: rate(per_chronon),
            left: 0,
            saved: 0,
            banked: 0,
            spent: 0,
            withheld: false,
            a_day: Span::DAY.as_millis() as f64 / chronon.as_millis().max(1) as f64,
            kept: 0,
            dearest: 0,
            chronon: None,
        }
    }

    /// The bank holds the budget of `days`, 0 to [`BANK_DAYS`].
    pub(crate) fn bank_days(&mut self, days: f64) {
        self.kept = libm::round(days.clamp(0.0, BANK_DAYS) * self.a_day) as i64;
        self.banked = self.banked.min(self.bank());
    }

    /// The bank holds the budget of `days`, as in an earlier life of this `share` of the budget.
    /// What may have been spent of it in the chronons `since` is taken as spent.
    pub(crate) fn recall_bank(&mut self, days: f64, share: f64, since: f64) {
        let kept = days.clamp(0.0, BANK_DAYS) * self.a_day - (BURST - 1) as f64 * since;
        let banked = self.rate as f64 * share.clamp(0.0, 1.0) * kept.max(0.0);
        self.banked = (banked as i64).min(self.bank());
    }

    /// From now on, whether there are looks that are withheld.
    pub(crate) fn withhold(&mut self, withheld: bool) {
        self.withheld = withheld;
    }

    /// Refills up to `chronon`, in one step however many chronons have passed. O(1).
    pub(crate) fn settle(&mut self, chronon: i64) {
        let passed = self.chronon.map_or(0, |then| chronon.saturating_sub(then).max(0));
        self.chronon = Some(self.chronon.map_or(chronon, |then| then.max(chronon)));
        if passed > 0 {
            self.spent = 0;
        }
        let refill = self.rate.saturating_mul(passed);
        let left = self.left.saturating_add(refill);
        self.left = left.min(self.holds());
        let over = left - self.left;
        let room = if self.dearest > self.holds() { self.dearest } else { 0 };
        let saved = self.saved.saturating_add(over).min(room);
        if self.withheld {
            let over = over - (saved - self.saved).max(0);
            self.banked = self.banked.saturating_add(over).min(self.bank());
        }
        self.saved = saved;
    }

    /// What the bank holds at most.
    fn bank(&self) -> i64 {
        self.rate.saturating_mul(self.kept)
    }

    /// How full the bank is, 0 to 1.
    pub(crate) fn fullness(&self) -> f64 {
        if self.bank() > 0 { self.banked as f64 / self.bank() as f64 } else { 1.0 }
    }

    /// What is banked, in days of the budget.
    pub(crate) fn banked_days(&self) -> f64 {
        if self.rate > 0 { self.banked as f64 / (self.rate as f64 * self.a_day) } else { 0.0 }
    }

    /// Whether there is a bank worth the name.
    pub(crate) fn banks(&self) -> bool {
        self.bank() >= PROBE
    }

    /// What is not taken now is lost.
    pub(crate) fn overflows(&self) -> bool {
        !self.banks() || self.banked >= self.bank() && self.left > self.holds() - self.rate
    }

    /// The first chronon in which that is so, if nothing is taken and all else is banked.
    pub(crate) fn next_overflow(&self) -> Option<i64> {
        let chronon = self.chronon.filter(|_| self.rate > 0)?;
        let room = (self.holds() - self.left).max(0).saturating_add(self.bank() - self.banked);
        let missing = if self.banked >= self.bank() {
            self.holds() - self.rate + 1 - self.left
        } else {
            room
        };
        Some(chronon.saturating_add(chronons(missing, self.rate)))
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
        self.banked = self.banked.min(self.bank());
        if self.rate == 0 {
            (self.left, self.saved) = (0, 0);
        }
    }

    /// Whether a probe of this cost may start.
    pub(crate) fn allows(&self, cost: f64) -> bool {
        let missing = self.missing(cost);
        missing <= 0 || missing <= self.banked && self.spent + units(cost) <= self.burst()
    }

    /// Whether nothing is left for a probe of this cost, here or in the bank. Where something is,
    /// and the probe may not start, this chronon has spent enough.
    pub(crate) fn lacks(&self, cost: f64) -> bool {
        self.missing(cost) > self.banked
    }

    /// A cost in days of the budget, which is above 0.
    pub(crate) fn days(&self, cost: f64) -> f64 {
        units(cost) as f64 / (self.rate as f64 * self.a_day)
    }

    /// What a chronon may spend with what was banked.
    fn burst(&self) -> i64 {
        self.rate.saturating_mul(BURST).max(PROBE)
    }

    /// What a probe needs of the bank.
    fn missing(&self, cost: f64) -> i64 {
        let cost = units(cost);
        let saved = if cost > self.holds() { self.saved } else { 0 };
        cost - self.left - saved
    }

    /// Takes one probe; only after [`Budget::allows`].
    pub(crate) fn take(&mut self, cost: f64) {
        let banked = self.missing(cost).clamp(0, self.banked);
        self.banked -= banked;
        self.spent += units(cost);
        let after = self.left + banked - units(cost);
        self.left = after.max(0);
        self.saved = (self.saved + after.min(0)).max(0);
    }

    /// The first chronon that allows a probe of this cost; `None` if the budget is zero or nothing
    /// happened yet.
    pub(crate) fn next(&self, cost: f64) -> Option<i64> {
        let chronon = self.chronon?;
        if self.allows(cost) {
            return Some(chronon);
        }
        if self.rate == 0 {
            return None;
        }
        let banked = if units(cost) > self.burst() { 0 } else { self.banked };
        // A burst that is over leaves some of the bank for the next chronon.
        let missing = (self.missing(cost) - banked).max(1);
        Some(chronon.saturating_add(chronons(missing, self.rate)))
    }
}

/// How many bring what is `missing`.
fn chronons(missing: i64, rate: i64) -> i64 {
    missing.max(0) / rate + i64::from(missing.max(0) % rate > 0)
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
        let mut budget = Budget::new(0.1, Span::SECOND);
        let picks: Vec<i64> = (0..40).filter(|&c| taken(&mut budget, c) == 1).collect();
        assert_eq!(picks, [10, 20, 30]);
    }

    #[test]
    fn an_hourly_budget_that_is_no_whole_number_per_chronon_is_kept_to_the_chronon() {
        for per_hour in [1_u32, 7, 30, 90, 1_800, 3_000, 9_000] {
            let mut budget = Budget::new(f64::from(per_hour) / 3_600.0, Span::SECOND);
            let picks: u32 = (0..=360_000).map(|chronon| taken(&mut budget, chronon)).sum();
            assert!((per_hour * 100).abs_diff(picks) <= 1, "{per_hour}: {picks}");
        }
    }

    #[test]
    fn a_clock_that_jumps_brings_one_chronons_worth_and_no_more() {
        let mut budget = Budget::new(3.0, Span::SECOND);
        assert_eq!(taken(&mut budget, 0), 0);
        assert_eq!(taken(&mut budget, 1_000_000_000), 3);
        assert_eq!(budget.next(1.0), Some(1_000_000_001));
    }

    #[test]
    fn what_is_withheld_is_banked_and_spent_at_up_to_four_times_the_budget() {
        let mut budget = Budget::new(2.5, Span::HOUR);
        budget.bank_days(0.5);
        budget.settle(0);
        budget.settle(5);
        assert_eq!(taken(&mut budget.clone(), 5), 3, "nothing was withheld");
        budget.withhold(true);
        let full = budget.next_overflow().expect("there is a budget");
        budget.settle(full - 1);
        assert!(!budget.overflows() && budget.fullness() > 0.9);
        budget.settle(full);
        assert!(budget.overflows() && budget.next_overflow() == Some(full));
        budget.withhold(false);
        let spent: Vec<u32> = (full..full + 6).map(|chronon| taken(&mut budget, chronon)).collect();
        assert_eq!(spent[..4], [10, 10, 10, 10]);
        assert!(spent[5] <= 3, "{spent:?}");
    }

    #[test]
    fn what_overflows_is_saved_for_a_probe_that_costs_more_than_a_chronon_has() {
        let mut budget = Budget::new(1.0, Span::SECOND);
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
        let mut budget = Budget::new(5.0, Span::SECOND);
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
            let mut budget = Budget::new(nonsense, Span::SECOND);
            assert_eq!((taken(&mut budget, 9), budget.next(1.0)), (0, None));
            let mut budget = Budget::new(2.0, Span::SECOND);
            budget.save_for(9.0);
            budget.settle(0);
            budget.settle(9);
            budget.set(nonsense);
            assert_eq!((taken(&mut budget, 9), budget.next(1.0)), (0, None));
            assert!(!budget.allows(9.0) && taken(&mut budget, 99) == 0);
        }
    }
}
