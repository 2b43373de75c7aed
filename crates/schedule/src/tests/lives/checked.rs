//! The slow twin: every pick is compared with a look at everybody.

use super::drawn::Life;
use super::polled::{Polled, next_chronon};
use super::scheduler;
use crate::class::Classes;
use crate::level;
use crate::price::Price;
use crate::rate::Pool;
use crate::scheduler::{Head, Next};
use crate::source::Flag;
use crate::urgency::Urgency;
use crate::week::Week;
use crate::{Event, Pick, Scheduler};
use chronon::{HostId, Instant, SourceId};
use std::collections::BTreeMap;

/// Polled at every chronon's start, and compared with a look at everybody. What all sources share
/// rests, so that nobody's worth is out of date.
pub(super) struct Checked {
    scheduler: Scheduler,
    shared: (Pool, Urgency, Price, Week),
    /// What was asked when everybody was planned.
    asked: f64,
    /// Until when sources are put off since they were last looked at, by their slots.
    put_off: BTreeMap<u32, Instant>,
    /// Looks that have begun and are not over.
    looks: BTreeMap<SourceId, LookStage>,
    arrivals: u32,
}

/// Where a look is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum LookStage {
    /// It asks nobody, and has not said whom it will ask.
    Begun,
    /// A server is asked.
    Asks,
    /// It came to a host that it was led to, as the so-manyth of all who were led anywhere.
    Waits(HostId, u32),
}

impl Checked {
    pub(super) fn new(life: &Life, price: f64) -> Checked {
        let mut scheduler = scheduler(life);
        for _ in 0..200 {
            scheduler.price.observe(price);
        }
        // So many were lost that a few more or less change nothing.
        for _ in 0..5_000 {
            scheduler.eis.urgency.lost();
        }
        let s = &scheduler;
        let shared = (s.pool.clone(), s.eis.urgency.clone(), s.price, s.week.clone());
        let (put_off, looks) = (BTreeMap::new(), BTreeMap::new());
        Checked { scheduler, shared, asked: 0.0, put_off, looks, arrivals: 0 }
    }

    /// What `event` does to looks.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Moved { source, host } if self.looks.contains_key(source) => {
                self.looks.insert(*source, LookStage::Waits(*host, self.arrivals));
                self.arrivals += 1;
            }
            Event::Probed { source, .. } | Event::SourceRemoved { source } => {
                self.looks.remove(source);
            }
            _ => {}
        }
    }

    /// Sources for which a server is asked.
    fn asking(&self) -> impl Iterator<Item = SourceId> {
        self.looks.iter().filter(|look| *look.1 == LookStage::Asks).map(|look| *look.0)
    }

    fn hanging(&self) -> usize {
        let s = &self.scheduler;
        self.asking()
            .filter(|&source| s.roster.slot(source).is_some_and(|at| self.hangs(at)))
            .count()
    }

    /// Sources that hang have half of the slots, and one where there is only one.
    fn half(&self) -> usize {
        (self.scheduler.config.in_flight_max as usize / 2).max(1)
    }

    /// The look that goes on at a host: of those that need wait no longer there, who came first.
    fn goes_on(&mut self, head: Head, now: Instant) {
        let able = self.led_on(now);
        let host = |source: &SourceId| match self.looks[source] {
            LookStage::Waits(host, arrival) => (self.scheduler.hosts.slot(host), arrival),
            _ => (None, 0),
        };
        let here = able.into_iter().filter(|source| host(source).0 == Some(head.host));
        let first = here.min_by_key(|source| host(source).1);
        self.scheduler.go_on(head);
        let mut started = Vec::new();
        self.scheduler.onward.clone().take_started(&mut started);
        assert_eq!(started.last(), first.as_ref(), "at {now}: somebody else came first");
        self.looks.extend(first.map(|source| (source, LookStage::Asks)));
        assert!(self.hanging() <= self.half(), "at {now}: too many that hang");
    }

    fn rest(&mut self) {
        let s = &mut self.scheduler;
        (s.pool, s.eis.urgency, s.price, s.week) = self.shared.clone();
        s.classes = Classes::default();
        for slot in 0..s.roster.slots() {
            if s.roster.is_taken(slot) {
                let rate = s.rate_of(slot);
                s.roster.believe(slot, rate);
            }
            s.plan(slot);
        }
        self.asked = s.thrift.asks();
        self.note_put_off();
    }

    /// Whether nothing but a better look later keeps a source from being a candidate.
    fn may_be_put_off(&self, slot: u32) -> bool {
        let s = &self.scheduler;
        let entry = s.roster.at(slot);
        let is_due = s.fresh_due(slot).is_some_and(|due| due <= s.now);
        let waits = entry.is(Flag::InFlight) || entry.is(Flag::Held) || entry.is(Flag::Asked);
        let is_alone = s.eis.stakes(slot).is_empty() && s.overdue(entry) > s.now;
        is_due && !waits && is_alone
    }

    /// Notes who is put off, and forgets of whom that is no matter any more.
    fn note_put_off(&mut self) {
        for slot in 0..self.scheduler.roster.slots() {
            let s = &self.scheduler;
            if !s.roster.is_taken(slot) || !self.may_be_put_off(slot) {
                self.put_off.remove(&slot);
            } else if let (None, until) = s.standing(slot)
                && s.better_later(slot, &s.value(slot)).is_some()
            {
                self.put_off.insert(slot, until);
            }
        }
    }

    /// What time brings takes effect at the start of a chronon.
    fn check_standings(&mut self, now: Instant) {
        self.note_put_off();
        let s = &self.scheduler;
        for slot in (0..s.roster.slots()).filter(|&slot| s.roster.is_taken(slot)) {
            let (entry, found) = (s.roster.at(slot), s.standing(slot).0);
            // Whether a look is put off is asked when its level moves; then it waits.
            let is_better_later = self.put_off.get(&slot).is_some_and(|&later| later > now);
            if is_better_later && (entry.level().is_none() || found.is_none()) {
                continue;
            }
            // Where captures are worth next to nothing, that may fall a little as time passes.
            let told = |found: Option<u16>| found.map(|found| found.max(level::of(1e-12)));
            assert_eq!(told(entry.level()), told(found), "at {now} of {entry:?}");
        }
    }

    /// Those who wait at hosts that take a request, and for whom there is a slot.
    fn led_on(&self, now: Instant) -> Vec<SourceId> {
        let (s, full) = (&self.scheduler, self.hanging() >= self.half());
        let able = |source: SourceId, host: HostId| {
            let (Some(slot), Some(host)) = (s.roster.slot(source), s.hosts.slot(host)) else {
                return false;
            };
            let bucket = s.hosts.bucket(host);
            let takes = bucket.has_room() && bucket.onward_at(s.grid) <= now;
            takes && !(full && self.hangs(slot))
        };
        let waiting = self.looks.iter().filter_map(|(&source, &stage)| match stage {
            LookStage::Waits(host, _) => Some((source, host)),
            LookStage::Begun | LookStage::Asks => None,
        });
        waiting.filter(|&(source, host)| able(source, host)).map(|(source, _)| source).collect()
    }

    fn hangs(&self, slot: u32) -> bool {
        let s = &self.scheduler;
        let record = s.roster.record(slot);
        let chance = f64::from(s.roster.at(slot).success) / 255.0;
        record.failures > 0 || record.last_success.is_none() || chance < 0.6
    }

    fn candidates(&self, now: Instant) -> Vec<(u16, SourceId)> {
        let s = &self.scheduler;
        let full = self.hanging() >= self.half();
        let slots = (0..s.roster.slots()).filter(|&slot| s.roster.is_taken(slot));
        let level = |slot| s.roster.at(slot).level();
        let able = |slot| {
            let bucket = s.hosts.bucket(s.roster.at(slot).host);
            bucket.has_room() && bucket.ready_at(s.grid) <= now
        };
        let able = slots.filter(|&slot| able(slot) && !(full && self.hangs(slot)));
        able.filter_map(|slot| Some((level(slot)?, s.roster.id(slot)))).collect()
    }
}

impl Polled for Checked {
    fn handle(&mut self, now: Instant, event: Event) {
        self.note(&event);
        self.scheduler.handle(now, event);
        self.rest();
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        self.scheduler.advance(now);
        if self.scheduler.thrift.asks() != self.asked {
            self.rest();
        }
        if self.scheduler.grid.up(now) == now {
            self.check_standings(now);
        }
        let mut picks = Vec::new();
        loop {
            let candidates = self.candidates(now);
            let Some(next) = self.scheduler.next_request() else {
                let s = &self.scheduler;
                assert!(s.in_flight >= s.config.in_flight_max || self.led_on(now).is_empty());
                let top = candidates.iter().map(|entry| entry.0).max();
                let cost = |source| s.roster.slot(source).map_or(1.0, |slot| s.roster.cost(slot));
                let mut first = candidates.iter().filter(|entry| Some(entry.0) == top);
                let paid = first.all(|entry| s.budget.allows(cost(entry.1)));
                let asked = Some(s.thrift.level()).filter(|_| !s.budget.overflows());
                let paid = paid && (asked.is_none() || top >= asked);
                let free = s.in_flight < s.config.in_flight_max && paid;
                assert!(!free || candidates.is_empty(), "{candidates:?} could be probed");
                break;
            };
            let head = match next {
                Next::Own(head) => head,
                Next::Onward(head) => {
                    self.goes_on(head, now);
                    continue;
                }
            };
            let (pick, _) = self.scheduler.pick(head);
            let level = candidates.iter().find(|entry| entry.1 == pick.source).map(|e| e.0);
            assert_eq!(level, candidates.iter().map(|entry| entry.0).max(), "at {now}");
            let slot = self.scheduler.roster.slot(pick.source).expect("just picked");
            let elsewhere = self.scheduler.roster.at(slot).is(Flag::Elsewhere);
            let stage = if elsewhere { LookStage::Begun } else { LookStage::Asks };
            self.looks.insert(pick.source, stage);
            assert_eq!(self.asking().count(), self.scheduler.in_flight as usize, "at {now}");
            picks.push(pick);
        }
        self.rest();
        picks
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.scheduler
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        next_chronon(&self.scheduler, now)
    }
}
