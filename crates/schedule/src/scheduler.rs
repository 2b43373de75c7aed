//! The seam: events in, picks out.

mod choice;
mod company;
mod glance;
mod prior;
mod spending;
mod standing;
mod time;
mod told;
mod waits;

use crate::budget::Budget;
use crate::class::Classes;
use crate::eis::Eis;
use crate::experience::{self, Diary, Experience};
use crate::grid::Grid;
use crate::kin::{self, Kin};
use crate::measured::Accounts;
use crate::onward::Onward;
use crate::price::Price;
use crate::radix::{Radix, Room};
use crate::rate::{Memory, Pool};
use crate::ready::Ready;
use crate::roster::{Hosts, Roster};
use crate::source::{Flag, Lane};
use crate::thrift::Thrift;
use crate::value::{self, Scale, Value};
use crate::week::Week;
use crate::{Config, ConfigError, Event, Pick, SourceRecord, WeekRecord};
use chronon::{HostId, Instant, SourceId};
use std::collections::BTreeSet;
use told::{Look, Window};

/// Sources that are asked for each pick, in turn, whether rate or price have moved: nobody waits
/// for news of them longer than a cycle of picks.
const REFRESHED_PER_PICK: usize = 4;

/// A host and whose slot its next probe takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) host: u32,
    pub(crate) lane: Lane,
}

/// Whom a host is asked for next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Next {
    /// A look that a redirect leads on to it.
    Onward(Head),
    /// A source of its own.
    Own(Head),
}

/// Decides which sources are probed in this chronon: those whose probe is worth most per cost, in
/// one currency for deadlines and freshness (`value`), as far as budget and politeness allow.
///
/// `now` never goes back: an earlier one counts as the latest seen. Ids that are unknown, or taken
/// already, are ignored; so are EIs that are over or end before they start, and those that are too
/// many ([`Scheduler::eis_refused`]). EIs are told apart by their CEI alone: one that is added
/// twice is wanted twice. A host is known from the first event that names it, and its bucket starts
/// empty then; one that only a redirect leads to starts as it would be if it were known from the
/// beginning. [`Scheduler::forget_host`] forgets those that need not be known.
///
/// Where redirects lead on to a host, their looks wait in its queue, first come, first served; they
/// and the looks of the host's own sources take the tokens of its bucket in turn. They take nothing
/// of the budget.
///
/// A source that did not answer lately, or was never asked, is not picked while half of the probes
/// in flight are of such sources: servers that hang leave the other half to those that answer. A
/// look that is led on waits for such a slot too, and lets those of other sources pass meanwhile.
///
/// A picked source is in flight until [`Event::Probed`] or [`Event::SourceRemoved`]. `Probed` for a
/// source that is not in flight (content that was pushed) teaches and captures all the same.
/// Somebody who asks while a probe is in flight is answered by that probe.
///
/// After a start, that is before the first pick, sources added with a prior that are overdue are
/// spread over [`Config::restart_spread`] or their interval, whichever is smaller.
///
/// A source among the candidates has a level; it changes when its index crosses the next one, which
/// it knows ahead (`wakes`), or falls as a busier hour begins. So the pick is the best up to a
/// level (`level`); among sources below four fifths of the price without an open EI, the first
/// that came. Each event costs O(log n) for each source it concerns, and the end of a probe a look
/// at the EIs of its source; nothing is scanned per chronon. A clock that jumps ahead, however far,
/// costs a few looks at each source, and what its EIs cost that it makes due.
#[derive(Debug, Clone)]
pub struct Scheduler {
    pub(crate) config: Config,
    seed: u64,
    pub(crate) grid: Grid,
    pub(crate) now: Instant,
    /// Time of the first event: what was overdue then is spread from here.
    began: Option<Instant>,
    /// A probe was picked: what is added from now on is not what a start found overdue.
    started: bool,
    pub(crate) roster: Roster,
    pub(crate) hosts: Hosts,
    pub(crate) eis: Eis,
    pub(crate) pool: Pool,
    pub(crate) classes: Classes,
    pub(crate) week: Week,
    pub(crate) kin: Kin,
    pub(crate) accounts: Accounts,
    pub(crate) diary: Diary,
    pub(crate) budget: Budget,
    pub(crate) price: Price,
    pub(crate) thrift: Thrift,
    pub(crate) in_flight: u32,
    /// Slots of the sources in flight that did not answer lately.
    doubtful: BTreeSet<u32>,
    /// The least cost that was ever told, at most 1.
    cheapest: f64,
    /// Sources by when their standing may change; one entry holds for each, the others are old.
    wakes: Radix<u32>,
    wakes_room: Room<u32>,
    /// By [`Lane`].
    ready: [Ready; 2],
    pub(crate) onward: Onward,
    /// Hosts that want a probe and wait for their bucket.
    agenda: BTreeSet<(Instant, u32)>,
    refreshed: u32,
    /// The highest price, read low, of the last cycle of refreshing and of this one.
    highest: [f64; 2],
    eis_refused: u64,
    #[cfg(test)]
    pub(crate) looks: u64,
    /// Slots to be planned anew.
    touched: Vec<u32>,
    /// Sources whose record changed, each once.
    dirty: Vec<SourceId>,
}

/// What to store with the week: what is known of company, how late changes were found of late, what
/// is asked and saved, and in how many weeks nearly all `keep` to the pattern. Then how long this
/// went on, and how late changes were found in all.
fn numbers(
    (kin, diary, accounts): (&Kin, &Diary, &Accounts),
    spending: [f64; spending::STORED],
    keep: f64,
) -> Vec<f32> {
    let of_late = kin.numbers().chain(diary.numbers()).chain(spending);
    let all = of_late.chain([keep, diary.age()]).chain(accounts.numbers());
    all.map(|number| number as f32).collect()
}

impl Scheduler {
    /// Nothing to watch yet. `seed` spreads what is overdue after a start.
    ///
    /// # Errors
    /// [`Config::check`].
    pub fn new(config: Config, seed: u64) -> Result<Scheduler, ConfigError> {
        config.check()?;
        Ok(Scheduler {
            budget: Budget::new(config.budget, config.chronon),
            grid: Grid::new(config.chronon),
            pool: Pool::new(value::rate_guessed(&config), Memory::standard()),
            classes: Classes::default(),
            week: Week::new(),
            kin: Kin::new(),
            accounts: Accounts::new(),
            diary: Diary::new(),
            eis: Eis::new(Grid::new(config.chronon)),
            config,
            seed,
            now: Instant::from_millis(i64::MIN),
            began: None,
            started: false,
            roster: Roster::default(),
            hosts: Hosts::default(),
            price: Price::default(),
            thrift: Thrift::default(),
            in_flight: 0,
            doubtful: BTreeSet::new(),
            cheapest: 1.0,
            wakes: Radix::new(),
            wakes_room: Room::new(),
            ready: [Ready::new(), Ready::new()],
            onward: Onward::default(),
            agenda: BTreeSet::new(),
            refreshed: 0,
            highest: [0.0; 2],
            eis_refused: 0,
            #[cfg(test)]
            looks: 0,
            touched: Vec::new(),
            dirty: Vec::new(),
        })
    }

    /// Takes note of `event`, which happened by `now`. What it makes possible, the next
    /// [`Scheduler::poll`] picks: ask [`Scheduler::next_deadline`] again.
    pub fn handle(&mut self, now: Instant, event: Event) {
        self.advance(now);
        match event {
            Event::SourceAdded { source, host, prior } => self.add(source, host, prior),
            Event::KindKnown { source, kind } => self.handle_kind(source, kind),
            Event::SourceRemoved { source } => self.remove(source),
            Event::Weight { source, weight } => self.handle_weight(source, weight),
            Event::Cost { source, cost } => {
                let cost = told::sound(cost).clamp(0.001, 1e6) as f32;
                self.budget.save_for(f64::from(cost));
                self.cheapest = self.cheapest.min(f64::from(cost));
                self.change(source, |roster, slot| roster.set_cost(slot, cost));
            }
            Event::Asked { source } => {
                self.change(source, |roster, slot| {
                    let entry = roster.at_mut(slot);
                    if !entry.is(Flag::InFlight) {
                        entry.set(Flag::Asked);
                    }
                });
            }
            Event::SourceHeld { source, held } => self.change(source, |roster, slot| {
                let entry = roster.at_mut(slot);
                if held {
                    entry.set(Flag::Held)
                } else {
                    entry.clear(Flag::Held)
                };
            }),
            Event::EiAdded { cei, source, start, finish, utility, .. } => {
                self.add_ei(cei, source, Window { start, finish }, utility);
            }
            Event::CeiDropped { cei } => {
                self.eis.drop_cei(cei, &mut self.touched);
                self.plan_touched();
            }
            Event::Probed { source, start, outcome, found, times } => {
                self.handle_probed(source, start, Look { outcome, found, times: &times });
            }
            Event::HostUsed { host, requests } => {
                let (now, grid) = (self.now, self.grid);
                self.change_host(host, |bucket| bucket.spend(now, requests, grid));
            }
            Event::Moved { source, host } => self.handle_moved(source, host),
            Event::BeginsElsewhere { source, elsewhere } => {
                let Some(slot) = self.roster.slot(source) else { return };
                let entry = self.roster.at_mut(slot);
                if elsewhere {
                    entry.set(Flag::Elsewhere)
                } else {
                    entry.clear(Flag::Elsewhere)
                };
            }
            Event::BudgetSet { per_chronon } => self.set_budget(per_chronon),
            Event::HostLimitSet { host, interval, in_flight } => {
                self.change_host(host, |bucket| {
                    (bucket.interval, bucket.in_flight_max) = (interval, in_flight);
                });
            }
            Event::HostHeld { host, until } => {
                self.change_host(host, |bucket| bucket.held_until = bucket.held_until.max(until));
            }
            Event::RedirectsHeld { host, until } => self.change_host(host, |bucket| {
                bucket.redirects_held_until = bucket.redirects_held_until.max(until);
            }),
            Event::SourcePaused { source, until } => {
                self.change(source, |roster, slot| roster.set_pause(slot, until));
            }
        }
    }

    /// Appends the probes to start now, best first. However often it is called within a chronon,
    /// it picks no more than the budget allows for one. O(log n) per pick.
    pub fn poll(&mut self, now: Instant, picks: &mut Vec<Pick>) {
        self.advance(now);
        let (mut last, mut spent) = (None, 0.0);
        loop {
            let before = picks.len();
            while let Some(next) = self.next_request() {
                match next {
                    Next::Onward(head) => self.go_on(head),
                    Next::Own(head) => {
                        let days = self.budget.days(self.head_cost(head));
                        let overflows = self.budget.overflows();
                        let (pick, index) = self.pick(head);
                        if overflows {
                            self.thrift.overflowed(index, days);
                        }
                        spent += days;
                        picks.push(pick);
                        last = Some(index);
                    }
                }
            }
            let picked = picks.len() - before;
            if picked == 0 {
                break;
            }
            // Among these there may be one to be picked.
            self.refresh(picked * REFRESHED_PER_PICK);
        }
        if let Some(index) = last {
            let next = self.best().filter(|_| self.in_flight < self.config.in_flight_max);
            if let Some(margin) = self.margin(next) {
                let margin = margin.min(index);
                self.price.observe(margin);
                if next.is_some_and(|head| self.budget.lacks(self.head_cost(head))) {
                    self.thrift.fell_short(margin, spent, self.budget.banks());
                }
            }
        }
    }

    /// Appends the sources whose look goes on since the last call: the last [`Scheduler::poll`]
    /// gave it a token of the host that [`Event::Moved`] named.
    pub fn take_onward(&mut self, out: &mut Vec<SourceId>) {
        self.onward.take_started(out);
    }

    /// Forgets a host without sources that nothing keeps: nobody waits for it, nothing is in
    /// flight, its bucket is full and nobody holds it. If something does, when to ask again:
    /// `NEVER` where only an event can end it.
    ///
    /// # Errors
    /// The host must be kept.
    pub fn forget_host(&mut self, now: Instant, host: HostId) -> Result<(), Instant> {
        self.advance(now);
        let Some(slot) = self.hosts.slot(host) else { return Ok(()) };
        let bucket = self.hosts.bucket(slot);
        if bucket.sources > 0 || bucket.in_flight > 0 || self.onward.is_awaited(slot) {
            return Err(Instant::NEVER);
        }
        let full = bucket.onward_at(self.grid);
        if full > self.now {
            return Err(full);
        }
        self.place(slot);
        self.hosts.remove(slot);
        self.classes.forget_host(slot);
        Ok(())
    }

    pub(crate) fn value(&self, slot: u32) -> Value<'_> {
        self.scale().value(slot, self.roster.at(slot), self.now)
    }

    /// What a probe of this value brings, per cost, its floor aside.
    pub(crate) fn index(&self, slot: u32, value: &Value<'_>) -> f64 {
        value.index() / self.roster.cost(slot)
    }

    /// Appends the record of each source that learned something since the last call, one row per
    /// source, in the order of their first change. Nothing for sources removed since.
    pub fn take_records(&mut self, out: &mut Vec<SourceRecord>) {
        for source in std::mem::take(&mut self.dirty) {
            let Some(slot) = self.roster.slot(source) else { continue };
            if self.roster.at_mut(slot).clear(Flag::Dirty) {
                out.push(self.record_at(slot));
            }
        }
    }

    /// Takes over what an earlier life learned of the week, before anything else; whether it could
    /// be read. If not, nothing was seen.
    pub fn recall_week(&mut self, now: Instant, record: &WeekRecord) -> bool {
        self.week.recall(record, now) && {
            let all = record.company.len();
            let (company, experience) = record.company.split_at(kin::STORED.min(all));
            self.kin.recall_numbers(company);
            let all = experience.len();
            let (experience, spending) = experience.split_at(experience::STORED.min(all));
            let (spending, rest) = spending.split_at(spending::STORED.min(spending.len()));
            self.recall_spending(now, spending);
            let (single, accounts) = rest.split_at(rest.len().min(2));
            self.week.keepers_mut().recall(single.first().copied());
            self.diary.recall(experience, single.get(1).copied());
            self.accounts.recall(accounts);
            true
        }
    }

    /// What is known of the week, if that changed; at most once an hour.
    pub fn take_week(&mut self) -> Option<WeekRecord> {
        let (spending, keep) = (self.spending(), self.week.keepers().number());
        let known = (&self.kin, &self.diary, &self.accounts);
        self.week.take(self.now, || numbers(known, spending, keep))
    }

    /// What is known of the week now; `None` while nothing is.
    #[must_use]
    pub fn latest_week(&self) -> Option<WeekRecord> {
        let keep = self.week.keepers().number();
        let known = (&self.kin, &self.diary, &self.accounts);
        self.week.record(numbers(known, self.spending(), keep))
    }

    /// What looks of late cost and brought, for a forecast.
    #[must_use]
    pub fn experience(&self) -> Experience {
        self.diary.at(self.now)
    }

    /// What was told of the week last.
    #[must_use]
    pub fn week_record(&self) -> Option<&WeekRecord> {
        self.week.told()
    }

    /// What is known of one source; `None` if it is not watched.
    #[must_use]
    pub fn record(&self, source: SourceId) -> Option<SourceRecord> {
        self.roster.slot(source).map(|slot| self.record_at(slot))
    }

    fn record_at(&self, slot: u32) -> SourceRecord {
        let mut company = self.kin.record(slot, |other| self.roster.id(other));
        company.extend(self.week.own(slot).into_iter().flatten());
        SourceRecord { company, ..self.roster.record(slot) }
    }

    /// What the best probe not made would have brought lately, in item-seconds per cost; 0 while
    /// the budget is not used up.
    #[must_use]
    pub fn price(&self) -> f64 {
        self.price.get()
    }

    /// EIs that were not taken for want of room: a CEI has at most [`crate::CEI_EIS_MAX`] that are
    /// not captured yet, and 2^30 may live in all.
    #[must_use]
    pub fn eis_refused(&self) -> u64 {
        self.eis_refused
    }

    pub(crate) fn scale(&self) -> Scale<'_> {
        let Scheduler { config, grid, eis, week, pool, .. } = self;
        Scale { config, grid: *grid, eis, week, pooled: pool.mean() }
    }
}
