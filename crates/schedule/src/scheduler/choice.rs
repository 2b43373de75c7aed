//! Who is asked next, and when there may be somebody.

use super::{Head, Next, Scheduler, standing};
use crate::onward::Turn;
use crate::source::{Flag, Lane, UNPROBED};
use crate::{Pick, Reason};
use chronon::Instant;

/// One in this many of the probes in flight may be of a source that did not answer lately. The
/// other places are kept for sources that do, however many servers hang, drip or have no address.
const DOUBTFUL_SHARE: u32 = 2;

/// Below this share of the highest price of a cycle of refreshing those who waited for it stand
/// elsewhere: above the share of the price from which sources are told apart, so never too late.
const FELL: f64 = 0.9;

impl Scheduler {
    /// Which host is asked next, and for whom. A look that goes on is let pass where its turn has
    /// come, and where none of those that begin can.
    pub(crate) fn next_request(&self) -> Option<Next> {
        if self.in_flight >= self.config.in_flight_max {
            return None;
        }
        let onward = self.onward.ready(self.open_lanes());
        match onward.filter(|(turn, _)| *turn == Turn::Onward) {
            Some((_, head)) => Some(Next::Onward(head)),
            None => {
                let own = self.next_head().map(Next::Own);
                own.or(onward.map(|(_, head)| Next::Onward(head)))
            }
        }
    }

    /// Works out anew where the next `count` sources stand, if that may have changed: their wakes
    /// were right for the rate and the price at the time.
    pub(super) fn refresh(&mut self, count: usize) {
        let mut slots = std::mem::take(&mut self.touched);
        let low = self.least_price();
        for _ in 0..count {
            let next = self.roster.after(self.refreshed);
            if next <= self.refreshed {
                self.highest = [self.highest[1], low];
            }
            self.refreshed = next;
            self.highest[1] = self.highest[1].max(low);
            let fell = low < FELL * self.highest[0].max(self.highest[1]);
            let is_low = self.roster.level_of(next) == Some(standing::LOW);
            if !self.roster.is_taken(next) {
                continue;
            }
            let rate = self.rate_of(next);
            if self.roster.believe(next, rate) || fell && is_low {
                slots.push(next);
            }
        }
        self.touched = slots;
        self.plan_touched();
    }

    /// The host of the best probe, if it may be made now.
    pub(crate) fn next_head(&self) -> Option<Head> {
        let head = self.best().filter(|_| self.in_flight < self.config.in_flight_max)?;
        if self.is_withheld(head) && !self.budget.overflows() {
            return None;
        }
        self.budget.allows(self.head_cost(head)).then_some(head)
    }

    /// Where the best probe is for which its lane has a slot; of two at one level, that of a source
    /// that answers.
    pub(super) fn best(&self) -> Option<Head> {
        let heads = self.open_lanes().filter_map(|lane| {
            let (level, host) = self.ready[lane as usize].best()?;
            Some((level, Head { host, lane }))
        });
        heads.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, head)| head)
    }

    /// Whether the best probe is worth less than is asked.
    pub(super) fn is_withheld(&self, head: Head) -> bool {
        let level = self.roster.at(self.hosts.root(head.host, head.lane)).level();
        level < Some(self.thrift.level())
    }

    /// Lanes that have a slot, if there is any.
    pub(super) fn open_lanes(&self) -> impl Iterator<Item = Lane> {
        let most = (self.config.in_flight_max / DOUBTFUL_SHARE).max(1) as usize;
        let is_full = self.doubtful.len() >= most;
        Lane::ALL.into_iter().filter(move |&lane| lane == Lane::Answering || !is_full)
    }

    pub(super) fn head_cost(&self, head: Head) -> f64 {
        self.roster.cost(self.hosts.root(head.host, head.lane))
    }

    /// When [`Scheduler::poll`] could have something to pick, never too late. A time that is not
    /// after the latest `now` means at once: then it has something. Any other is the start of a
    /// chronon to come, or the moment between two at which a host's bucket fills. The time is early
    /// where what was waited for ends first: an EI opens while its source backs off; a source's
    /// level changes while its host is blocked; a host gets a token for a source whose kind has no
    /// slot. It is also early where it would be more than a month away. `None`: only an event can
    /// bring something. O(log n).
    #[must_use]
    pub fn next_deadline(&self) -> Option<Instant> {
        if self.in_flight >= self.config.in_flight_max {
            return None;
        }
        if self.onward.ready(self.open_lanes()).is_some() {
            return Some(self.now);
        }
        // Those who are led on need no budget.
        let onward = self.onward.next_wake(self.open_lanes());
        self.next_pick().into_iter().chain(onward).min()
    }

    /// When there could be something to pick, if there is room.
    pub(super) fn next_pick(&self) -> Option<Instant> {
        let Some(head) = self.best() else { return self.next_turn() };
        if self.is_withheld(head) && !self.budget.overflows() {
            let asked = self.thrift.next().map(|at| self.grid.up(at));
            let full = self.budget.next_overflow().map(|at| self.grid.start(at));
            let end = self.eis.next_end().map(|at| self.grid.up(at));
            return [asked, full, end, self.next_turn()].into_iter().flatten().min();
        }
        let cost = self.head_cost(head);
        if self.budget.allows(cost) {
            return Some(self.now);
        }
        let affordable = |cost| Some(self.grid.start(self.budget.next(cost)?));
        let saved = self.budget.has_saved();
        if cost <= self.cheapest && !saved {
            return affordable(cost);
        }
        // Who costs less, or what was saved is for, may come first before this one can be paid.
        let end = self.eis.next_end().map(|at| self.grid.up(at));
        let turn = self.next_turn().into_iter().chain(end).min();
        let least = if saved { Some(self.now) } else { affordable(self.cheapest) };
        let other = turn.zip(least).map(|(a, b)| a.max(b));
        affordable(cost).into_iter().chain(other).min()
    }

    /// When time alone may next bring a candidate, or put one before others.
    pub(super) fn next_turn(&self) -> Option<Instant> {
        let wakes = self.wakes.first().map(|chronon| self.grid.start(chronon));
        let agenda = self.agenda.first().map(|&(at, _)| at);
        [wakes, agenda, self.eis.next_opening()].into_iter().flatten().min()
    }

    /// Starts the probe at the head of `host`, which is ready; its index per cost.
    pub(crate) fn pick(&mut self, Head { host, lane }: Head) -> (Pick, f64) {
        let slot = self.hosts.root(host, lane);
        let reason = self.reason(slot);
        let index = self.index(slot, &self.value(slot)).max(self.floor(slot));
        let (source, cost) = (self.roster.id(slot), self.roster.cost(slot));
        let entry = self.roster.at_mut(slot);
        entry.set(Flag::InFlight);
        entry.clear(Flag::Asked);
        let elsewhere = entry.is(Flag::Elsewhere);
        self.started = true;
        self.budget.take(cost);
        self.roster.end_pause(slot);
        if elsewhere {
            self.onward.begin(slot);
        } else {
            self.take_token(host);
            if lane == Lane::Doubtful {
                self.doubtful.insert(slot);
            }
            self.hosts.bucket_mut(host).turn = Turn::Onward;
        }
        self.plan(slot);
        self.cover_company(slot);
        if let Some(margin) = self.margin_of_host(host) {
            self.hosts.bucket_mut(host).observe(margin.min(index));
        }
        (Pick { source, reason }, index)
    }

    pub(super) fn reason(&self, slot: u32) -> Reason {
        let entry = self.roster.at(slot);
        if entry.is(Flag::Asked) || entry.wants_baseline() {
            return if entry.last_probe() == UNPROBED { Reason::Baseline } else { Reason::Asked };
        }
        let windows = self.scale().windows_due(slot, entry).filter(|&due| due <= self.now);
        if windows.is_some()
            && let Some(finish) = self.eis.open(slot).map(|ei| ei.finish()).min()
        {
            return Reason::Deadline { finish };
        }
        match entry.tries.failures() {
            0 => Reason::Freshness { interval: self.now.since(entry.last_probe()) },
            failures => Reason::Retry { failures },
        }
    }
}
