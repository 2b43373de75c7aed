//! What the scheduler asks of a look, and what it has banked: kept over a restart, and where the
//! budget is set anew.

use super::Scheduler;
use chronon::Span;

/// Numbers that are stored: what is asked, both readings of the price, how full the bank is, and
/// the budget a day.
pub(super) const STORED: usize = 5;

impl Scheduler {
    pub(super) fn spending(&self) -> [f64; STORED] {
        let [price, low] = self.price.numbers();
        let fullness = if self.budget.banks() { self.budget.fullness() } else { 0.0 };
        [self.thrift.asks(), price, low, fullness, self.a_day()]
    }

    /// Probes a day.
    fn a_day(&self) -> f64 {
        let chronons = Span::DAY.as_secs_f64() / self.config.chronon.as_secs_f64();
        self.budget.per_chronon() * chronons
    }

    /// Takes over what an earlier life stored, once the week is known; anything else is nothing.
    pub(super) fn recall_spending(&mut self, numbers: &[f32]) {
        let sound = |number: &f32| number.is_finite() && *number >= 0.0;
        let &[asks, price, low, fullness, a_day] = numbers else { return };
        if !numbers.iter().all(sound) {
            return;
        }
        self.thrift.recall(f64::from(asks) * eased(a_day.into(), self.a_day()));
        self.price.recall([price, low].map(f64::from));
        self.budget.bank_share(self.week.hours().unevenness());
        self.budget.recall_bank(fullness.into());
    }

    pub(super) fn set_budget(&mut self, per_chronon: f64) {
        let before = self.budget.per_chronon();
        self.budget.set(per_chronon);
        self.thrift.recall(self.thrift.asks() * eased(before, self.budget.per_chronon()));
    }
}

/// By what less is asked where a budget grew: gaps that pay are as long as the root of what is
/// asked. Where it shrank what is asked rises by itself.
fn eased(before: f64, after: f64) -> f64 {
    if after <= 0.0 { 0.0 } else { (before * before / (after * after)).min(1.0) }
}
