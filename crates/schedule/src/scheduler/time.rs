//! What time brings: EIs that open and end, sources that wake, buckets that fill.

use super::Scheduler;
use crate::level;
use crate::radix::{Radix, Room};
use chronon::Instant;
use std::hint::black_box;

/// Sources that are fetched at once.
const FETCHED_AT_ONCE: usize = 32;
/// Turns of what is asked that are taken one after the other where nothing happens in between.
const PERIODS: usize = 64;
/// Wakes that are kept however old most of them are.
const WAKES_KEPT: usize = 1_024;
/// So many looks at sources, and turns of time, are taken one after the other when the clock jumps.
const LOOKS_PER_SOURCE: usize = 4;
const LOOKS: usize = 1_024;

impl Scheduler {
    /// Brings everything up to `now` that time alone moves.
    pub(crate) fn advance(&mut self, now: Instant) {
        // What time brings lies after `self.now`, but for an EI that comes late.
        if now > self.now {
            self.budget.bank_days(self.week.hours().swing());
            self.pass(now);
            self.save_until(now, now);
            self.thrift.renew(&self.budget, now);
        }
    }

    /// Refills the budget until the chronon of `turn`, but not beyond `now`: the next one's refill
    /// comes after the turn. What is banked, and what is asked, is the same however rarely time is
    /// brought up.
    fn save_until(&mut self, turn: Instant, now: Instant) {
        let until = self.grid.index(turn).min(self.grid.index(now));
        for _ in 0..PERIODS {
            let renewed = self.thrift.next().map(|at| self.grid.up(at));
            let Some(renewed) = renewed.filter(|&at| self.grid.index(at) < until) else { break };
            self.save(self.grid.index(renewed));
            self.thrift.renew(&self.budget, renewed);
        }
        self.save(until);
    }

    fn save(&mut self, chronon: i64) {
        let is_wanted = self.thrift.level() > level::LOWEST && self.best().is_some();
        self.budget.withhold(is_wanted);
        self.budget.settle(chronon);
    }

    /// Lives up to `now`, not before `self.now`, in the order of time; the rest at once, where
    /// everybody would be looked at again and again on the way.
    pub(super) fn pass(&mut self, now: Instant) {
        let mut looks = LOOKS_PER_SOURCE * self.roster.len() as usize + LOOKS;
        loop {
            let next = self.next_turn().into_iter().chain(self.eis.next_end()).min();
            let Some(next) = next.filter(|&at| at <= now) else { break };
            self.save_until(next, now);
            self.now = self.now.max(if looks > 0 { next } else { now });
            self.eis.expire(self.now, &mut self.touched);
            self.eis.open_due(self.now, &mut self.touched);
            looks = looks.saturating_sub(1 + self.touched.len());
            self.plan_touched();
            self.wake();
            looks = looks.saturating_sub(self.touched.len());
            self.plan_each(Scheduler::plan_woken);
            while let Some(&(_, host)) = self.agenda.first().filter(|&&(at, _)| at <= self.now) {
                self.place(host);
            }
        }
        self.now = now;
    }

    /// Touches the sources whose wakes have come.
    pub(super) fn wake(&mut self) {
        let (first, now) = (self.touched.len(), self.grid.index(self.now));
        while let Some(slot) = self.wakes.pop(&mut self.wakes_room, now) {
            self.touched.push(slot);
        }
        let mut kept = first;
        for at in first..self.touched.len() {
            let slot = self.touched[at];
            if self.roster.at_mut(slot).wakes(now) {
                self.touched[kept] = slot;
                kept += 1;
            }
        }
        self.touched.truncate(kept);
    }

    pub(super) fn plan_touched(&mut self) {
        self.plan_each(Scheduler::plan);
    }

    fn plan_each(&mut self, plan: fn(&mut Scheduler, u32)) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        for slots in touched.chunks(FETCHED_AT_ONCE) {
            if slots.len() > 1 {
                // What these need is fetched at once, not one after the other.
                let hosts = self.hosts.fetch(slots.iter().map(|&slot| self.roster.at(slot).host));
                let known = self.week.fetch(slots) ^ self.kin.fetch(slots);
                black_box(hosts ^ known ^ self.eis.fetch(slots));
            }
            for &slot in slots {
                plan(self, slot);
            }
        }
        touched.clear();
        self.touched = touched;
    }

    /// Works out anew where the source at `slot` stands, and when that may change.
    pub(crate) fn plan(&mut self, slot: u32) {
        #[cfg(test)]
        {
            self.looks += 1;
        }
        if self.roster.is_taken(slot) {
            self.settle(slot, self.standing(slot));
        }
    }

    /// The same for a source whose wake has come: since it was planned only time has passed.
    fn plan_woken(&mut self, slot: u32) {
        if !self.is_due_still(slot) {
            return self.plan(slot);
        }
        #[cfg(test)]
        {
            self.looks += 1;
        }
        self.settle(slot, self.standing_due(slot, None));
    }

    fn settle(&mut self, slot: u32, (level, wake): (Option<u16>, Instant)) {
        self.stand(slot, level);
        if wake == Instant::NEVER {
            return;
        }
        let now = self.grid.index(self.now);
        // Waking early is only looking again: an earlier wake stays.
        if let Some(wake) = self.roster.at_mut(slot).wake_by(self.grid.index_up(wake), now) {
            self.wakes.push(&mut self.wakes_room, now, wake, slot);
            self.sweep_wakes();
        }
    }

    #[cfg(test)]
    pub(crate) fn wakes(&self) -> usize {
        self.wakes.len()
    }

    #[cfg(test)]
    pub(crate) fn dirty(&self) -> usize {
        self.dirty.len()
    }

    /// Drops what is old of the wakes, once that is most of them: sources that come and go leave
    /// theirs behind. O(1) amortised.
    pub(super) fn sweep_wakes(&mut self) {
        let kept = self.roster.slots() as usize;
        if self.wakes.len() < kept + kept / 4 + WAKES_KEPT {
            return;
        }
        (self.wakes, self.wakes_room) = (Radix::new(), Room::new());
        let now = self.grid.index(self.now);
        for slot in 0..self.roster.slots() {
            if let Some(wake) = self.roster.at(slot).wake(now) {
                self.wakes.push(&mut self.wakes_room, now, wake, slot);
            }
        }
    }
}
