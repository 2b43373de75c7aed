//! What events change: sources that come and go, demands, probes that end, looks that move on.

use super::company::News;
use super::waits::Finds;
use super::{Head, Scheduler};
use crate::bucket::Bucket;
use crate::class::Class;
use crate::dates::Dates;
use crate::eis::NewEi;
use crate::hours::Gap;
use crate::onward::{Turn, Vacated};
use crate::own::Own;
use crate::rate::Seen;
use crate::roster::Roster;
use crate::source::{Flag, Lane, Learned, Source, Tries, UNPROBED};
use crate::{CeiId, Outcome, SourceRecord, chance, kin, value, week};
use chronon::{HostId, Instant, SourceId};

/// Sources whose record changed that are kept however many of them left.
const DIRTY_KEPT: usize = 1_024;

/// When an EI can be captured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) start: Instant,
    pub(super) finish: Instant,
}

/// What a probe brought.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) outcome: Outcome,
    pub(super) found: u32,
    pub(super) times: &'a [Instant],
}

/// What a probe says of changes.
struct Sight {
    what: Seen,
    /// When, as far as that is told and believed; in the gap since the look before.
    times: Vec<Instant>,
}

impl Look<'_> {
    /// `None`: it says nothing.
    fn seen(&self, gap: Gap, dates: &mut Dates) -> Option<Sight> {
        let plain = |what| Some(Sight { what, times: Vec::new() });
        match self.outcome {
            Outcome::Failed | Outcome::Doubtful | Outcome::SetAside => None,
            Outcome::Unchanged => plain(Seen::Unchanged),
            Outcome::Changed => match dates.believe(self.times, gap) {
                None => plain(Seen::Changed),
                Some(times) if self.found == 0 => Some(Sight { what: Seen::Changed, times }),
                Some(times) => Some(Sight { what: Seen::Items(self.found), times }),
            },
        }
    }
}

impl Scheduler {
    pub(super) fn add_ei(&mut self, cei: CeiId, source: SourceId, window: Window, utility: f64) {
        let Window { start, finish } = window;
        let Some(slot) = self.roster.slot(source) else { return };
        if finish < start || finish < self.now {
            return;
        }
        let (utility, now) = (sound(utility) as f32, self.now);
        let ei = NewEi { source: slot, start, finish, utility, now };
        let taken = self.eis.add(cei, ei, &mut self.touched);
        self.eis_refused += u64::from(!taken);
        if start <= now {
            self.pass(now);
        }
        self.plan_touched();
    }

    pub(super) fn add(&mut self, source: SourceId, host: HostId, prior: Option<SourceRecord>) {
        if self.roster.slot(source).is_some() {
            return;
        }
        let began = *self.began.get_or_insert(self.now);
        self.change_host(host, |_| {});
        let host = self.hosts.slot(host).expect("changed above");
        let (mut entry, mut learned) = (Source::new(host), Learned::default());
        let mut company = None;
        if let Some(prior) = prior {
            learned = entry.recall(&prior, self.now);
            self.pool.recall(&prior.learned);
            company = Some(prior.company);
        }
        let bucket = self.hosts.bucket_mut(host);
        bucket.sources += 1;
        let class = Class { kind: learned.kind, host, at_host: bucket.sources };
        self.classes.join(class, learned.learner.of_late());
        entry.rate = learned.learner.rate_as(self.prior_of(class), &self.pool) as f32;
        self.week.joins(&entry);
        let probed = entry.last_probe() != UNPROBED;
        let slot = self.roster.insert(source, entry, learned);
        self.pool.set_members(self.roster.len());
        if let Some(company) = company {
            self.recall_company(slot, &company);
        }
        let due = self.scale().fresh_due(slot, self.roster.at(slot));
        if probed && !self.started && due <= began {
            self.roster.at_mut(slot).set(Flag::Spread);
        }
        self.plan(slot);
    }

    /// Takes over the windows and links of an earlier life, of 6 bytes each, and the hours behind
    /// them, if there are any: the rest tells which release wrote them.
    fn recall_company(&mut self, slot: u32, bytes: &[u8]) {
        let (cells, own) = Own::split_from(bytes, kin::CELL);
        if let Some(own) = own {
            self.week.recall_own(slot, own);
        }
        self.kin.recall(slot, cells, |source| self.roster.slot(source));
    }

    pub(super) fn remove(&mut self, source: SourceId) {
        let Some(slot) = self.roster.slot(source) else { return };
        self.eis.forget(slot, &mut self.touched);
        self.plan_touched();
        self.stand(slot, None);
        if self.roster.at(slot).is(Flag::InFlight) {
            self.leave(slot);
        }
        self.leave_company(slot);
        self.week.forget(slot, self.roster.at(slot));
        self.accounts.forget(slot);
        self.diary.take_told(slot);
        self.classes.leave(self.roster.learned(slot).kind);
        let entry = self.roster.remove(slot);
        self.hosts.bucket_mut(entry.host).sources -= 1;
        self.pool.set_members(self.roster.len());
        self.place(entry.host);
        self.sweep_dirty();
    }

    /// Drops those that left, once they are most of the sources whose record changed. O(1)
    /// amortised.
    pub(super) fn sweep_dirty(&mut self) {
        let roster = &mut self.roster;
        if self.dirty.len() < 2 * roster.len() as usize + DIRTY_KEPT {
            return;
        }
        // Who left and came again may stand there twice.
        self.dirty.retain(|&source| {
            roster.slot(source).is_some_and(|slot| roster.at_mut(slot).clear(Flag::Dirty))
        });
        for &source in &self.dirty {
            if let Some(slot) = roster.slot(source) {
                roster.at_mut(slot).set(Flag::Dirty);
            }
        }
    }

    pub(super) fn change(&mut self, source: SourceId, change: impl FnOnce(&mut Roster, u32)) {
        let Some(slot) = self.roster.slot(source) else { return };
        // What a level says is per cost.
        self.stand(slot, None);
        change(&mut self.roster, slot);
        self.plan(slot);
    }

    pub(super) fn handle_weight(&mut self, source: SourceId, weight: f64) {
        let Some(slot) = self.roster.slot(source) else { return };
        self.roster.at_mut(slot).weight = sound(weight) as f32;
        self.plan(slot);
    }

    pub(super) fn handle_probed(&mut self, source: SourceId, start: Instant, look: Look<'_>) {
        let outcome = look.outcome;
        let Some(slot) = self.roster.slot(source) else { return };
        let start = start.min(self.now);
        // A source that was not in flight may stand among the candidates, by what changes now.
        self.stand(slot, None);
        let (entry, learned) = self.roster.with_learned(slot);
        let (host, was_in_flight) = (entry.host, entry.clear(Flag::InFlight));
        let last = entry.last_success();
        let (gap, mut windows, mut changed_at) = (Gap::new(last, start), Vec::new(), None);
        let seen = look.seen(gap, &mut learned.dates);
        let (seen, times) = (seen.as_ref().map(|seen| seen.what), seen.map(|seen| seen.times));
        let times = times.unwrap_or_default();
        if last != UNPROBED {
            self.accounts.note(slot, [entry.last_probe(), start], &times);
        }
        self.diary.probed(start, self.roster.cost(slot));
        self.week.note_spent();
        if let Some(seen) = seen.filter(|_| last != UNPROBED) {
            changed_at =
                self.note_wait(slot, gap, Finds { seen, count: look.found, times: &times });
            windows = self.learn(slot, gap, seen, &times);
        }
        let (entry, learned) = self.roster.with_learned(slot);
        if seen.is_some() {
            (entry.told, entry.said, entry.covered) = (0.0, 0.0, 0.0);
        }
        entry.probes = entry.probes.saturating_add(1);
        learned.changes = learned.changes.saturating_add(u32::from(outcome == Outcome::Changed));
        if !matches!(outcome, Outcome::Doubtful | Outcome::SetAside) {
            entry.success = value::success_after(entry, seen.is_some());
        }
        entry.clear(Flag::Spread);
        if seen.is_some() {
            entry.tries = Tries::default();
            entry.set_probed(entry.last_probe().max(start), last.max(start));
            self.eis.capture(slot, start, &mut self.touched);
        } else {
            entry.tries = match outcome {
                Outcome::SetAside => entry.tries.put_off(),
                _ => entry.tries.failed(),
            };
            entry.set_probed(entry.last_probe().max(start), last);
        }
        if !entry.set(Flag::Dirty) {
            self.dirty.push(source);
        }
        if was_in_flight {
            self.leave(slot);
        }
        self.plan(slot);
        self.place(host);
        self.plan_touched();
        if seen.is_some() && last != UNPROBED {
            self.tell_company(slot, News { windows: &windows, changed_at, start });
        }
    }

    /// Learns how often and when the source at `slot` changes, from what a look at the end of `gap`
    /// brought; when it changed.
    fn learn(&mut self, slot: u32, gap: Gap, seen: Seen, times: &[Instant]) -> Vec<kin::Window> {
        let source = self.roster.id(slot);
        let entry = self.roster.at(slot);
        let lived = self.week.lived(slot, entry, gap.from, gap.to);
        let any = seen != Seen::Unchanged;
        let (from, to) = (week::seconds(gap.from), week::seconds(gap.to));
        let rate = f64::from(entry.rate);
        let alone = rate * lived.max(self.week.came(from, to));
        if entry.said > 0.0 {
            self.kin.judge(entry.said.into(), alone, any);
        } else {
            self.kin.judge_unsaid(alone, any);
        }
        self.learn_rate(slot, lived, seen);
        if !any {
            return Vec::new();
        }
        let windows = kin::windows(times, gap);
        let probes = self.roster.at(slot).probes;
        let share = chance::share(self.seed, source, probes.into());
        let is_told = !times.is_empty() && windows.iter().all(|window| window.to <= window.from);
        let items = match seen {
            Seen::Items(count) => f64::from(count.max(1)),
            Seen::Changed | Seen::Unchanged => 1.0,
        };
        for window in &windows {
            let at = |seconds: f64| Instant::from_millis(libm::round(seconds * 1e3) as i64);
            let minute = if is_told { 60.0 } else { 0.0 };
            let gap = Gap::new(at(window.from - minute), at(window.to + minute));
            let change = week::Change { gap, share, is_told, rate: rate / items };
            self.week.found(slot, self.roster.at_mut(slot), change);
        }
        windows
    }

    /// The look of a source in flight is no longer where it was.
    pub(super) fn leave(&mut self, slot: u32) {
        self.doubtful.remove(&slot);
        let host = match self.onward.leave(slot) {
            Vacated::Nothing => return,
            Vacated::Queue(host) => return self.place(host),
            Vacated::Own => self.roster.at(slot).host,
            Vacated::Request(host) => host,
        };
        self.in_flight = self.in_flight.saturating_sub(1);
        let bucket = self.hosts.bucket_mut(host);
        bucket.in_flight = bucket.in_flight.saturating_sub(1);
        self.place(host);
    }

    pub(super) fn handle_moved(&mut self, source: SourceId, host: HostId) {
        let Some(slot) = self.roster.slot(source) else { return };
        if !self.roster.at(slot).is(Flag::InFlight) {
            return;
        }
        self.leave(slot);
        // Nobody asked it before: it is as full as if it were known from the beginning.
        let since = self.began.unwrap_or(self.now);
        let config = &self.config;
        let empty = || Bucket::empty(since, config.host_interval, config.host_in_flight);
        let host = self.hosts.slot_or_insert(host, empty);
        self.onward.wait(slot, Head { host, lane: self.roster.at(slot).lane() });
        self.place(host);
    }

    /// The first of a lane that wait for the host takes its token, and a slot of the lane.
    pub(crate) fn go_on(&mut self, head: Head) {
        let started = self.onward.start(head, |slot| self.roster.id(slot));
        self.doubtful.extend(started.filter(|_| head.lane == Lane::Doubtful));
        self.take_token(head.host);
        self.hosts.bucket_mut(head.host).turn = Turn::Own;
        self.place(head.host);
    }

    pub(super) fn take_token(&mut self, host: u32) {
        self.in_flight += 1;
        let (now, grid) = (self.now, self.grid);
        let bucket = self.hosts.bucket_mut(host);
        bucket.in_flight += 1;
        bucket.spend(now, 1, grid);
    }

    pub(super) fn change_host(&mut self, host: HostId, change: impl FnOnce(&mut Bucket)) {
        let config = &self.config;
        // Rounded up: a bucket is never full before its first interval is over.
        let since = if config.host_interval < self.grid.length() {
            self.now
        } else {
            self.grid.up(self.now)
        };
        let empty = || Bucket::empty(since, config.host_interval, config.host_in_flight);
        let slot = self.hosts.slot_or_insert(host, empty);
        change(self.hosts.bucket_mut(slot));
        self.place(slot);
    }
}

/// A weight, utility or cost as callers should give it.
pub(super) fn sound(number: f64) -> f64 {
    if number.is_finite() { number.clamp(0.0, 1e12) } else { 0.0 }
}
