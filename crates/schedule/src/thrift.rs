//! What a probe must be worth while a later one may be worth more.
//!
//! Postings come by day and not by night. Where the budget is short, a look that is worth less than
//! what is asked waits, and its probe is banked ([`crate::budget`]). The bank is as large as the
//! hours of the week are uneven; where they are all alike there is none, and nobody waits.
//!
//! What is asked follows the budget by itself, and as slowly as a week goes by: it is one price for
//! the busy hours and the quiet ones. Where the bank is empty, it rises towards looks that are
//! worth more. Where the bank overflows, looks that are worth less are made all the same, and it
//! falls towards those. Between the two it is the lower the fuller the bank.

use crate::budget::Budget;
use crate::level;
use chronon::Instant;

/// What is asked changes this often, so that time alone need not be looked at in every chronon.
const PERIOD_MILLIS: i64 = 300_000;
/// How far a fuller bank lowers what is asked: by this logarithm from empty to full.
const PULL: f64 = 1.0;
/// A bank that stays full or empty moves what is asked by this logarithm a day.
const DRIFT: f64 = 0.05;
/// What a full bank makes of what is asked: e^(−[`PULL`] ÷ 2).
const LEAST_SHARE: f64 = 0.606_530_659_712_633_4;
/// How fast it follows looks made because the bank overflows, and those not paid: over the budget
/// of this time. Nights and weekends of one week must not be what the next is asked by.
const PACE_DAYS: f64 = 7.0;
/// How fast it follows what is not paid where there is no bank: over about 50 polls.
const PACE: f64 = 0.02;
/// Less is nothing.
const LEAST: f64 = 1e-12;
const DAY_MILLIS: f64 = 86_400_000.0;

/// What is asked, in item-seconds per unit of cost; 0 where the budget has sufficed so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Thrift {
    /// With the bank half full.
    asks: f64,
    level: u16,
    /// The period `level` is of.
    period: Option<i64>,
}

impl Thrift {
    /// Who is below this level waits.
    pub(crate) fn level(self) -> u16 {
        self.level
    }

    /// What is asked as a mean.
    pub(crate) fn asks(self) -> f64 {
        self.asks
    }

    /// Takes over what was asked as a mean, from the next turn on.
    pub(crate) fn recall(&mut self, asks: f64) {
        self.asks = if asks < LEAST { 0.0 } else { asks };
    }

    /// Brings what is asked up to `now`. O(1).
    pub(crate) fn renew(&mut self, budget: &Budget, now: Instant) {
        let period = now.as_millis().div_euclid(PERIOD_MILLIS);
        let passed = self.period.map_or(1, |then| period.saturating_sub(then));
        if passed <= 0 {
            return;
        }
        self.period = Some(period);
        let days = passed as f64 * (PERIOD_MILLIS as f64 / DAY_MILLIS);
        let over = budget.fullness() - 0.5;
        self.asks *= libm::exp(-2.0 * DRIFT * days * over);
        if self.asks < LEAST {
            self.asks = 0.0;
        }
        let asked = self.asks * libm::exp(-PULL * over);
        self.level = if asked > 0.0 { level::of(asked) } else { level::LOWEST };
    }

    /// When what is asked changes next.
    pub(crate) fn next(self) -> Option<Instant> {
        let period = self.period?.saturating_add(1);
        Some(Instant::from_millis(period.saturating_mul(PERIOD_MILLIS)))
    }

    /// The least that may be asked while the mean stays: with the bank full.
    pub(crate) fn least(self) -> f64 {
        self.asks * LEAST_SHARE
    }

    /// A probe worth `index`, which costs the budget of `days`, was made because the bank
    /// overflowed.
    pub(crate) fn overflowed(&mut self, index: f64, days: f64) {
        if index < self.asks {
            self.follow(index, days);
        }
    }

    /// The best look that nothing is left for is worth `margin`, after the budget of `days` was
    /// spent at once. Without a bank that is all there is to go by; with one, what it is worth
    /// less says only that it was withheld long enough.
    pub(crate) fn fell_short(&mut self, margin: f64, days: f64, banks: bool) {
        if !banks {
            self.asks += PACE * (margin - self.asks);
        } else if margin > self.asks {
            self.follow(margin, days);
        }
    }

    fn follow(&mut self, worth: f64, days: f64) {
        self.asks -= libm::expm1(-days / PACE_DAYS) * (worth - self.asks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::Span;

    #[test]
    fn what_is_asked_rises_to_what_was_not_paid_and_falls_as_the_bank_fills_and_overflows() {
        let mut thrift = Thrift::default();
        assert_eq!((thrift.level(), thrift.next()), (level::LOWEST, None));
        (0..500).for_each(|_| thrift.fell_short(8.0, 0.1, true));
        assert!((thrift.asks() - 8.0).abs() < 0.01);
        (0..500).for_each(|_| thrift.fell_short(4.0, 0.1, true));
        assert!(thrift.asks() > 7.9, "a bank tells");
        let at = |minute: i64| Instant::EPOCH + Span::MINUTE.times(minute);
        let mut budget = Budget::new(1.0, Span::HOUR);
        budget.bank_days(0.5);
        budget.settle(0);
        thrift.renew(&budget, at(0));
        let empty = thrift.level();
        assert_eq!(thrift.next(), Some(at(5)));
        budget.withhold(true);
        budget.settle(30);
        thrift.renew(&budget, at(1));
        assert_eq!(thrift.level(), empty, "within the period");
        thrift.renew(&budget, at(5));
        assert!(thrift.level() < empty);
        assert!(level::of(thrift.least()) <= thrift.level());
        (0..500).for_each(|_| thrift.overflowed(1.0, 0.001));
        assert!(thrift.asks() > 7.4, "a night says little: {}", thrift.asks());
        (0..500).for_each(|_| thrift.overflowed(1.0, 0.1));
        assert!((thrift.asks() - 1.0).abs() < 0.01);
        (0..500).for_each(|_| thrift.fell_short(0.5, 0.1, false));
        assert!((thrift.asks() - 0.5).abs() < 0.01, "without a bank what falls short tells");
    }
}
