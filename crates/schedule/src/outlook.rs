//! When a source will be looked at next, why, and what stands in the way: for people.

use crate::scheduler::Scheduler;
use crate::source::{Flag, UNPROBED};
use crate::value;
use crate::{Expectation, Measured, Obstacle, Outlook, Reason};
use chronon::{Instant, SourceId};

/// EIs looked through for the next one, of each stage.
const EIS_LOOKED_THROUGH: usize = 1_000;

impl Scheduler {
    /// `due` is when the source wants its next probe (in the past if it waits already), `waits_for`
    /// the first obstacle if it is due: its host's hold, politeness, a full house, the budget. A
    /// hold that lasts longer is named before it is due, too.
    /// Where the budget is short, a look for freshness is due when it brings what others bring
    /// that are made now; until then it waits for the budget. An unknown source has no outlook.
    /// O(1), and O(1) per EI of the source.
    pub fn outlook(&self, now: Instant, source: SourceId) -> Outlook {
        let nothing = Outlook { due: None, reason: None, waits_for: None };
        let Some(slot) = self.roster.slot(source) else { return nothing };
        let entry = self.roster.at(slot);
        if entry.is(Flag::InFlight) {
            return Outlook { waits_for: Some(Obstacle::InFlight), ..nothing };
        }
        let Some((due, reason, before)) = self.next_demand(slot, now) else { return nothing };
        if entry.is(Flag::Held) {
            return Outlook { due: None, reason: Some(reason), waits_for: Some(Obstacle::Rounds) };
        }
        let due = due.max(self.roster.pause(slot).unwrap_or(due));
        let waits_for = if due <= now {
            self.obstacle(slot, now)
        } else {
            self.held_beyond(slot, due).or(before)
        };
        Outlook { due: Some(due), reason: Some(reason), waits_for }
    }

    /// What keeps `source` from being probed at `now`, whether or not it is due: a probe on its
    /// way, its host, a full house, or the budget, which does so too while better probes are left
    /// over than it can pay ([`Scheduler::price`]). `None`: nothing, or it is unknown. O(1).
    pub fn hindrance(&self, now: Instant, source: SourceId) -> Option<Obstacle> {
        let slot = self.roster.slot(source)?;
        if self.roster.at(slot).is(Flag::InFlight) {
            return Some(Obstacle::InFlight);
        }
        if let Some(until) = self.roster.pause(slot).filter(|&until| until > now) {
            return Some(Obstacle::HostHeld { until });
        }
        let contested = self.price() > 0.0;
        self.obstacle(slot, now).or(contested.then_some(Obstacle::Budget))
    }

    /// What is expected of `source` now; `None` if it is not watched. O(1), and O(1) per open EI.
    pub fn expectation(&self, source: SourceId) -> Option<Expectation> {
        let slot = self.roster.slot(source)?;
        let (entry, scale) = (self.roster.at(slot), self.scale());
        Some(Expectation {
            per_second: entry.rate.into(),
            answered: entry.last_success() != UNPROBED,
            interval: scale.pause(slot, entry),
            success: value::success(entry),
            worth: scale.value(slot, entry, self.now).index() / self.roster.cost(slot),
            price: self.price(),
        })
    }

    /// How late changes of `source` were found that had times; nothing of one that has none.
    #[must_use]
    pub fn measured(&self, source: SourceId) -> Measured {
        self.roster.slot(source).map(|slot| self.accounts.of(slot)).unwrap_or_default()
    }

    /// The same of all sources together.
    #[must_use]
    pub fn measured_of_all(&self) -> Measured {
        self.accounts.all()
    }

    /// The demand that will be served next: of those due the one that comes first, else the one
    /// that is due first; and what stands in its way until then.
    fn next_demand(&self, slot: u32, now: Instant) -> Option<(Instant, Reason, Option<Obstacle>)> {
        let (entry, scale) = (self.roster.at(slot), self.scale());
        let never = entry.last_probe() == UNPROBED;
        if entry.is(Flag::Asked) || entry.wants_baseline() {
            return Some((now, if never { Reason::Baseline } else { Reason::Asked }, None));
        }
        let eis = self.eis.open(slot).take(EIS_LOOKED_THROUGH);
        let eis = eis.chain(self.eis.waiting(slot).take(EIS_LOOKED_THROUGH));
        let windows = eis.filter(|ei| ei.finish() >= now).filter_map(|ei| {
            let due = scale.window_due(entry, ei).max(self.grid.up(ei.start()).min(ei.finish()));
            // A retry that comes after the end comes never.
            (due <= ei.finish()).then_some((due, Reason::Deadline { finish: ei.finish() }, None))
        });
        let fresh = self.fresh_due(slot).map(|due| {
            // It was due, and is put off.
            let is_put_off = due <= now && entry.level().is_none();
            let later = is_put_off.then(|| self.better_later(slot, &self.value(slot))).flatten();
            let paid = self.comes_to_pay(slot).filter(|&at| at > due.max(now));
            let before = paid.filter(|_| later.is_none()).map(|_| Obstacle::Budget);
            let due = later.or(paid).unwrap_or(due);
            let reason = match entry.tries.failures() {
                0 => Reason::Freshness { interval: due.since(entry.last_probe()) },
                failures => Reason::Retry { failures },
            };
            (due, reason, before)
        });
        let earliest = windows.min_by_key(|&(due, ..)| due);
        let wanted = [earliest, fresh];
        let due = wanted.iter().flatten().find(|(due, ..)| *due <= now);
        due.or(wanted.iter().flatten().min_by_key(|(due, ..)| *due)).copied()
    }

    /// When a look for freshness brings what looks bring that the budget just pays, as things are,
    /// if not yet.
    fn comes_to_pay(&self, slot: u32) -> Option<Instant> {
        let price = self.pays();
        let (entry, value) = (self.roster.at(slot), self.value(slot));
        if self.index(slot, &value).max(self.floor(slot)) >= price {
            return None;
        }
        let at = self.scale().reaches(&value, price * self.roster.cost(slot), self.now);
        Some(at.min(self.floor_begins(entry)))
    }

    /// The pause that the host asked for, if it goes on at `due`.
    fn held_beyond(&self, slot: u32, due: Instant) -> Option<Obstacle> {
        let bucket = self.hosts.bucket(self.roster.at(slot).host);
        let until = bucket.ready_at(self.grid);
        let is_held = until > due && bucket.polite_at() < until;
        is_held.then_some(Obstacle::HostHeld { until })
    }

    fn obstacle(&self, slot: u32, now: Instant) -> Option<Obstacle> {
        let entry = self.roster.at(slot);
        let bucket = self.hosts.bucket(entry.host);
        let until = bucket.ready_at(self.grid);
        if until > now {
            let polite = bucket.polite_at() >= until;
            return Some(if polite {
                Obstacle::Politeness { until }
            } else {
                Obstacle::HostHeld { until }
            });
        }
        if !bucket.has_room() || self.in_flight >= self.config.in_flight_max {
            return Some(Obstacle::InFlight);
        }
        let cost = self.roster.cost(slot);
        if entry.level() < Some(self.thrift.level()) && !self.budget.overflows() {
            return Some(Obstacle::Budget);
        }
        let affordable = self.budget.next(cost).is_some_and(|at| at <= self.grid.index(now));
        (!affordable).then_some(Obstacle::Budget)
    }
}
