//! Who waits longest: the least that a probe is worth, whatever it brings, and the prices by which
//! that is measured.

use crate::scheduler::{Head, Scheduler};
use crate::source::{Flag, Lane, Source, UNPROBED};
use crate::{level, pairing, value};
use chronon::{Instant, Span};

/// The longest interval leaves the others this part of the budget, and of a host's requests.
const LEFT_BY_FLOOR: f64 = 0.5;
/// A first look is worth at least this many times the price.
const FIRST_LOOK: f64 = 2.0;

impl Scheduler {
    /// What a probe is worth at least, per cost, whatever it brings: of who waits longer than the
    /// longest interval the price, and the more the longer, as everybody's worth grows.
    pub(crate) fn floor(&self, slot: u32) -> f64 {
        let entry = self.roster.at(slot);
        let first = entry.wants_baseline();
        if !first && self.overdue(entry) > self.now {
            return 0.0;
        }
        let asked = self.price.get().max(2.0 * self.thrift.asks());
        let price = asked.max(self.hosts.bucket(entry.host).price.into());
        if first {
            return FIRST_LOOK * price;
        }
        let late = self.now.since(entry.last_probe()).as_secs_f64() / self.longest(entry);
        price * late * late
    }

    /// When a floor may reach `wanted`.
    pub(crate) fn floor_reaches(&self, slot: u32, floor: f64, wanted: f64) -> Instant {
        let entry = self.roster.at(slot);
        if floor <= 0.0 || entry.wants_baseline() {
            return Instant::NEVER;
        }
        let waited = self.now.since(entry.last_probe()).as_secs_f64();
        let at = value::after(entry.last_probe(), waited * libm::sqrt(wanted / floor));
        self.grid.up(at.max(self.now + Span::from_millis(1)))
    }

    /// The longest interval that budget and politeness can pay beside others, seconds: see
    /// [`LEFT_BY_FLOOR`].
    fn longest(&self, entry: &Source) -> f64 {
        let bucket = self.hosts.bucket(entry.host);
        let by_host = f64::from(bucket.sources) * bucket.interval.as_secs_f64();
        let chronon = self.config.chronon.as_secs_f64();
        let by_budget = f64::from(self.roster.len()) * chronon / self.budget.per_chronon();
        let least = by_host.max(by_budget) / (1.0 - LEFT_BY_FLOOR);
        self.config.interval_max.as_secs_f64().max(least)
    }

    /// When the source gets its floor, or a little earlier, if that is still to come; else never.
    pub(crate) fn floor_comes(&self, entry: &Source) -> Instant {
        match self.overdue(entry) {
            at if at > self.now => at,
            _ => Instant::NEVER,
        }
    }

    /// When the source gets its floor, or a little earlier, if that is still to come; long ago, if
    /// it has it.
    pub(crate) fn overdue(&self, entry: &Source) -> Instant {
        if entry.last_probe() == UNPROBED || entry.weight <= 0.0 {
            return Instant::NEVER;
        }
        let early = self.grid.up(entry.last_probe() + self.config.interval_max);
        if early > self.now {
            return early;
        }
        self.floor_begins(entry)
    }

    /// When the source, which was probed and has a weight, has its floor if it is not probed.
    pub(crate) fn floor_begins(&self, entry: &Source) -> Instant {
        self.grid.up(value::after(entry.last_probe(), self.longest(entry)))
    }

    /// What the best probe of `host`, which was not picked, would bring now, per cost; 0 without
    /// one. `None` where its floor makes it the best: that says nothing of what others bring.
    pub(crate) fn margin(&self, head: Option<Head>) -> Option<f64> {
        let Some(Head { host, lane }) = head else { return Some(0.0) };
        let slot = self.hosts.root(host, lane);
        let index = self.index(slot, &self.value(slot));
        (index >= self.floor(slot)).then_some(index)
    }

    /// What the best of those left at a host would bring, as far as its level says; the same.
    pub(crate) fn margin_of_host(&self, host: u32) -> Option<f64> {
        let roots = Lane::ALL.map(|lane| self.hosts.root(host, lane));
        let roots = roots.into_iter().filter(|&root| root != pairing::NIL);
        let Some(slot) = roots.max_by_key(|&root| self.roster.at(root).level()) else {
            return Some(0.0);
        };
        let entry = self.roster.at(slot);
        let by_worth = !entry.is(Flag::Asked) && self.floor(slot) <= 0.0;
        entry.level().filter(|_| by_worth).map(|level| level::end(level - 1))
    }
}
