//! What the scheduler asks of a look, and what it has banked: kept over a restart, and where the
//! budget is set anew.

use super::Scheduler;
use chronon::{Instant, Span};

/// Numbers that are stored: what is asked, both readings of the price, what is banked in days of
/// the budget, the budget a day, and the minutes from the epoch until then.
pub(super) const STORED: usize = 6;
const MINUTE_MILLIS: f64 = 60_000.0;
/// What is stored is rounded by up to this many minutes.
const ROUNDED: f64 = 2.0;

impl Scheduler {
    pub(super) fn spending(&self) -> [f64; STORED] {
        let [price, low] = self.price.numbers();
        let banked = self.budget.banked_days();
        let minutes = self.now.as_millis() as f64 / MINUTE_MILLIS;
        [self.thrift.asks(), price, low, banked, self.a_day(), minutes]
    }

    /// Probes a day.
    fn a_day(&self) -> f64 {
        let chronons = Span::DAY.as_secs_f64() / self.config.chronon.as_secs_f64();
        self.budget.per_chronon() * chronons
    }

    /// Takes over what an earlier life stored, once the week is known; anything else is nothing.
    /// The bank is what is left if that life went on to spend as much as it may.
    pub(super) fn recall_spending(&mut self, now: Instant, numbers: &[f32]) {
        let sound = |number: &f32| number.is_finite() && *number >= 0.0;
        let &[asks, price, low, banked, a_day, minutes] = numbers else { return };
        if !numbers.iter().all(sound) {
            return;
        }
        self.thrift.recall(f64::from(asks) * eased(a_day.into(), self.a_day()));
        self.price.recall([price, low].map(f64::from));
        self.budget.bank_days(self.week.hours().swing());
        let minutes = now.as_millis() as f64 / MINUTE_MILLIS - f64::from(minutes) + ROUNDED;
        let since = minutes.max(0.0) * MINUTE_MILLIS / self.config.chronon.as_millis() as f64;
        // A smaller budget has saved less.
        let share = (f64::from(a_day) / self.a_day()).min(1.0);
        self.budget.recall_bank(banked.into(), share, since);
    }

    pub(super) fn set_budget(&mut self, per_chronon: f64) {
        let before = self.budget.per_chronon();
        self.budget.set(per_chronon);
        self.thrift.recall(self.thrift.asks() * eased(before, self.budget.per_chronon()));
    }
}

/// By what less is asked where a budget grew, or more where it shrank: gaps that pay are as long as
/// the root of what is asked.
fn eased(before: f64, after: f64) -> f64 {
    if before <= 0.0 || after <= 0.0 { 1.0 } else { before * before / (after * after) }
}
