//! Where a source stands among the candidates, and a host among those that are ready.

use super::Scheduler;
use crate::onward::{Gate, Turn};
use crate::source::{Flag, Lane, UNPROBED};
use crate::value::Value;
use crate::{chance, level, pairing, value};
use chronon::Instant;

/// A source of whose changes more than this share comes with those of one other is not put off.
const COMPANY_MAX: f64 = 0.2;
/// Below this share of the price, sources without an open EI are not told apart. Those with one
/// are: where more looks are due than can be made, the price lags, and weights must decide.
const TOLD_APART: f64 = 0.8;
/// Their level.
pub(super) const LOW: u16 = level::LOWEST + 1;

impl Scheduler {
    /// The source's level, if it wants a probe now, and when to look again.
    pub(crate) fn standing(&self, slot: u32) -> (Option<u16>, Instant) {
        let (entry, scale) = (self.roster.at(slot), self.scale());
        if entry.is(Flag::Held) || entry.is(Flag::InFlight) {
            return (None, Instant::NEVER);
        }
        if let Some(until) = self.roster.pause(slot).filter(|&until| until > self.now) {
            return (None, until);
        }
        if entry.is(Flag::Asked) {
            return (Some(level::ASKED), Instant::NEVER);
        }
        let windows = scale.windows_due(slot, entry);
        let fresh = self.fresh_due(slot);
        let due = windows.into_iter().chain(fresh).min().unwrap_or(Instant::NEVER);
        if due > self.now {
            return (None, due);
        }
        self.standing_due(slot, windows)
    }

    /// Whether the source stands among the candidates for freshness alone: it was due, and will be
    /// until something happens to it.
    pub(super) fn is_due_still(&self, slot: u32) -> bool {
        let level = self.roster.level_of(slot);
        level.is_some_and(|level| level != level::ASKED)
            && self.scale().windows_due(slot, self.roster.at(slot)).is_none()
    }

    /// The standing of a source that is due; its open EIs are worth a try from `windows` on.
    pub(super) fn standing_due(
        &self,
        slot: u32,
        windows: Option<Instant>,
    ) -> (Option<u16>, Instant) {
        let (entry, scale) = (self.roster.at(slot), self.scale());
        let mut value = scale.value(slot, entry, self.now);
        let mut wake = self.floor_comes(entry);
        if let Some(later) = windows.filter(|&due| due > self.now) {
            (value.captures, wake) = (0.0, wake.min(later));
        }
        let (level, next) = self.level(slot, &value);
        if level != LOW
            && windows.is_none()
            && let Some(later) = self.better_later(slot, &value)
        {
            return (None, later);
        }
        (Some(level), wake.min(next))
    }

    /// When a look for freshness is better than now, if it is, for a source that is looked at by
    /// its week: more comes soon, and the look after it is far. Who is mostly found in company is
    /// not put off: others tell of it.
    pub(crate) fn better_later(&self, slot: u32, value: &Value<'_>) -> Option<Instant> {
        let wait = value.wait.as_ref().filter(|_| value.hearsay.is_none())?;
        let entry = self.roster.at(slot);
        if entry.is_tried_again() || self.floor(slot) > 0.0 {
            return None;
        }
        let told = self.kin.links(slot).map(|link| link.is_told).fold(0.0, f64::max);
        if told * self.kin.trust() > COMPANY_MAX {
            return None;
        }
        let later = wait.better_later(self.pays() * self.roster.cost(slot) / value.flow)?;
        let later = self.grid.up(value::after(self.now, later)).min(self.floor_comes(entry));
        (later > self.now).then_some(later)
    }

    /// What a look must bring to be made, in item-seconds per cost: what is asked as a mean, or
    /// what the best look not made brought while nothing is asked.
    pub(crate) fn pays(&self) -> f64 {
        match self.thrift.asks() {
            asks if asks > 0.0 => asks,
            _ => self.price.low(),
        }
    }

    /// The level of a candidate, and when it may reach the next.
    pub(super) fn level(&self, slot: u32, value: &Value) -> (u16, Instant) {
        let (scale, cost) = (self.scale(), self.roster.cost(slot));
        let floor = self.floor(slot);
        let index = self.index(slot, value).max(floor);
        let told_apart = self.least_price() * TOLD_APART;
        if index < told_apart && value.captures <= 0.0 {
            return (LOW, scale.reaches(value, told_apart * cost, self.now));
        }
        let level = level::of(index);
        let ends = [level - 1, level].map(|level| level::end(level) * cost);
        let moves = scale.moves(value, ends, self.now);
        (level, moves.min(self.floor_reaches(slot, floor, level::end(level))))
    }

    /// Who is worth less than this is not picked: the price, or what is asked with the bank full.
    /// The price is not read while looks are withheld. After a burst of looks that are worth much
    /// it would hold all others for alike.
    pub(super) fn least_price(&self) -> f64 {
        let price = self.price.low();
        if self.budget.banks() { price.min(self.thrift.least()) } else { price }
    }

    /// From when the freshness demand wants a probe; `None` if there is none.
    pub(crate) fn fresh_due(&self, slot: u32) -> Option<Instant> {
        let entry = self.roster.at(slot);
        if entry.weight <= 0.0 {
            return None;
        }
        if entry.last_probe() == UNPROBED {
            return Some(Instant::from_millis(i64::MIN));
        }
        let due = self.scale().fresh_due(slot, entry);
        let began = self.began.filter(|_| entry.is(Flag::Spread));
        let Some(began) = began else { return Some(due) };
        let within = self.config.restart_spread.min(self.scale().interval(slot, entry));
        // Another turn at each start: else who is late in it waits until one lives so long.
        let start = began.as_millis().cast_unsigned();
        let share = chance::spread(self.seed, self.roster.id(slot), start, within);
        Some(self.grid.up(began + share).max(due))
    }

    /// Puts the source at `slot` at a level among those of its host, or takes it out.
    pub(super) fn stand(&mut self, slot: u32, level: Option<u16>) {
        let entry = self.roster.at(slot);
        let (host, lane, before) = (entry.host, entry.lane(), entry.level());
        if before == level {
            return;
        }
        let head = self.hosts.root(host, lane);
        let mut root = head;
        if before.is_some() {
            root = pairing::remove(&mut self.roster, root, slot);
        }
        self.roster.at_mut(slot).set_level(level);
        if level.is_some() {
            root = pairing::push(&mut self.roster, root, slot);
        }
        self.hosts.set_root(host, lane, root);
        if root != head || root == slot {
            self.place(host);
        }
    }

    /// Works out where `host` stands: ready with its best source, waiting for its bucket, or
    /// neither (full, or nothing wanted); and whether it takes a look that a redirect led here.
    pub(super) fn place(&mut self, host: u32) {
        let roots = Lane::ALL.map(|lane| self.hosts.root(host, lane));
        let bucket = self.hosts.bucket(host);
        let (mut levels, mut wake) = ([None; 2], Instant::NEVER);
        if roots != [pairing::NIL; 2] && bucket.has_room() {
            let ready_at = bucket.ready_at(self.grid);
            if ready_at <= self.now {
                levels = roots.map(|root| self.roster.level_of(root))
            } else {
                wake = ready_at
            }
        }
        for lane in Lane::ALL {
            self.ready[lane as usize].set(host, levels[lane as usize]);
        }
        let mut gate = Gate::Shut;
        if bucket.has_room() && self.onward.is_awaited(host) {
            let ready_at = bucket.onward_at(self.grid);
            if ready_at > self.now {
                gate = Gate::From(ready_at);
                wake = wake.min(ready_at);
            } else {
                let alone = levels == [None; 2];
                gate = Gate::Open(if alone { Turn::Onward } else { bucket.turn });
            }
        }
        self.onward.set_gate(host, gate);
        let before = self.hosts.set_wake(host, wake);
        if before != wake {
            self.agenda.remove(&(before, host));
            if wake != Instant::NEVER {
                self.agenda.insert((wake, host));
            }
        }
    }
}
