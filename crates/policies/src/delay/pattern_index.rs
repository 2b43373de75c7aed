//! `pattern-index`: probe what costs most to leave waiting, as soon as that is more than a probe is
//! worth.
//!
//! Where bursts are allowed, the source's plan ([`Ahead`]) says when that is: it knows that after
//! the working day comes the night. Where sources mostly post in company, others tell sooner than
//! any plan, and under a flat cap there is no price to plan with: there the index alone decides,
//! and it ranks every source that is due.
//!
//! Each source has a [`Backlog`] on the shared pattern times its own [`Habits`]. Sources that post
//! together tell of each other ([`Families`]): a find at one adds to what is expected to wait at
//! the other, and a probe that finds nothing takes away what the other posts only in its company.
//! Both count as far as the links have predicted well ([`Trust`]). The price of a probe follows the
//! budget.

use super::history::HALF_LIFE;
use super::sleepers::Sleepers;
use super::{DAY, DelayPolicy, History, Posting, Setting};
use schedule::company::{Families, TOGETHER, Trust};
use schedule::pattern::{Backlog, Habits, Own, Pattern};
use schedule::plan::Ahead;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The price follows what was spent with this time constant, in days.
const PRICE_DAYS: f64 = 14.0;
/// A day's budget saved or overspent moves the threshold by e to this.
const SAVED_PULL: f64 = 0.5;
/// Prices of plans lie between these, seconds²: of a gap of a second, and of a thousand years.
const PRICES: (f64, f64) = (0.5, 5e20);
/// The most that may be overspent: in days of budget, and as a share of the budget that there has
/// been so far.
const DEBT_DAYS: f64 = 1.0;
const DEBT_SHARE: f64 = 0.05;
/// Postings are remembered for links as long.
const FAMILY_MEMORY: f64 = 60.0 * DAY;
/// A source sleeps until its index has come this share of the way to what is asked for.
const SLEEP_SHARE: f64 = 0.7;

/// A source of whose postings at least this share comes in the company of one other is not planned
/// for.
const COMPANY_MAX: f64 = 0.3;

/// The last occasion that linked sources told a source of, and the items added for it.
#[derive(Debug, Clone, Copy)]
struct Told {
    time: f64,
    items: f64,
}

const NOTHING: Told = Told { time: f64::NEG_INFINITY, items: 0.0 };

/// A source and its index: greater is better, then the smaller number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ranked {
    index: f64,
    source: u32,
}

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.index.total_cmp(&other.index).then(other.source.cmp(&self.source))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The online index policy. A chronon costs O(log n) for each source whose index comes near the
/// price, a probe O(links), a day O(n).
#[derive(Debug, Clone)]
pub struct PatternIndex {
    setting: Setting,
    history: History,
    families: Families,
    trust: Trust,
    waits: Vec<Backlog>,
    told: Vec<Told>,
    habits: Vec<Habits>,
    shared: Pattern,
    /// A plan per source; none under a flat cap.
    plans: Vec<Ahead>,
    /// Whether a source is probed by its plan.
    by_plan: Vec<bool>,
    sleepers: Sleepers,
    price: f64,
    saved: f64,
    /// Probes that there has been a budget for so far.
    granted: f64,
    start: f64,
    planned: bool,
    /// Indices worked out so far.
    looks: u64,
}

impl PatternIndex {
    /// Begins to watch at `start`.
    #[must_use]
    pub fn new(setting: Setting, start: f64) -> PatternIndex {
        let history = History::new(setting.sources, start);
        let wait = Backlog::new(start, history.pooled(), 1.0);
        let flat = setting.burst_max <= setting.per_chronon() * (1.0 + 1e-9);
        PatternIndex {
            setting,
            history,
            families: Families::new(setting.sources),
            trust: Trust::new(setting.sources),
            waits: vec![wait; setting.sources],
            told: vec![NOTHING; setting.sources],
            habits: vec![Habits::default(); setting.sources],
            shared: Pattern::flat(),
            plans: vec![Ahead::default(); if flat { 0 } else { setting.sources }],
            by_plan: vec![false; setting.sources],
            sleepers: Sleepers::new(setting.sources),
            price: 0.0,
            saved: 0.0,
            granted: 0.0,
            start,
            planned: false,
            looks: 0,
        }
    }

    /// How many times the index of a source has been worked out so far.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// The price at which a stationary world would use just the budget: every gap is √(2ν/λ).
    fn stationary_price(&self) -> f64 {
        let per_second = self.setting.per_day / DAY;
        let roots: f64 = self.waits.iter().map(|w| libm::sqrt(w.rate * w.weight)).sum();
        roots * roots / (2.0 * per_second * per_second)
    }

    fn own(&self, source: u32) -> Own<'_> {
        Own::new(&self.shared, &self.habits[source as usize])
    }

    fn ranked(&self, source: u32, now: f64) -> Ranked {
        Ranked { index: self.waits[source as usize].index(&self.own(source), now), source }
    }

    /// What an index is to exceed: the price, less while budget is saved.
    fn threshold(&self) -> f64 {
        self.price * libm::exp(-SAVED_PULL * self.saved / self.setting.per_day)
    }

    /// Renews the plans, and says anew which sources follow theirs. O(bins·log bins) for a plan
    /// that is stale.
    fn look_ahead(&mut self, now: f64) {
        let threshold = self.threshold();
        for source in 0..self.plans.len() {
            let links = self.families.links(source as u32);
            let company = links.iter().map(|link| link.chance).fold(0.0, f64::max);
            self.by_plan[source] = company * self.trust.of(source as u32) < COMPANY_MAX;
            if self.by_plan[source] {
                let wait = &self.waits[source];
                let price = threshold / (wait.rate * wait.weight).max(f64::MIN_POSITIVE);
                let own = Own::new(&self.shared, &self.habits[source]);
                self.plans[source].renew(&own, price.clamp(PRICES.0, PRICES.1), now);
            }
        }
    }

    /// When a source is due by its plan, from `now` on; `None` if it has none.
    fn due(&self, source: u32, now: f64) -> Option<f64> {
        let plan = self.plans.get(source as usize).filter(|_| self.by_plan[source as usize])?;
        let (wait, own) = (&self.waits[source as usize], self.own(source));
        Some(plan.best(&own, wait.pending(&own, now).items / wait.rate, now))
    }

    /// What a probe of `source` says of the sources linked to it: with each of its postings they
    /// were likely to post too, and without any less likely. O(links).
    fn tell_family(&mut self, source: u32, now: f64, postings: &[Posting]) {
        for link in self.families.links(source) {
            let (wait, told) =
                (&mut self.waits[link.source as usize], &mut self.told[link.source as usize]);
            wait.cover(link.covers, now);
            let mut before = f64::NEG_INFINITY;
            for posting in postings {
                let burst = posting.time - before < TOGETHER;
                before = posting.time;
                if burst || wait.last >= posting.time {
                    continue;
                }
                // Several members that tell of one occasion say it once.
                let known = (posting.time - told.time).abs() < TOGETHER;
                let so_far = if known { told.items } else { 0.0 };
                if link.chance > so_far {
                    *told = Told { time: posting.time, items: link.chance };
                    wait.tell(link.chance - so_far, posting.time);
                    self.sleepers.wake(link.source);
                }
            }
        }
    }

    /// Compares what a probe found with what the links told, and with what the rate alone said.
    fn score_links(&mut self, source: u32, now: f64, any: bool) {
        let wait = self.waits[source as usize];
        if wait.told <= 0.0 && wait.covered <= 0.0 {
            return;
        }
        // A burst is one occasion, and links tell of occasions.
        let rate = wait.rate * self.families.occasions(source);
        let own = self.own(source);
        let expected = |trust: f64| Backlog { rate, trust, ..wait }.pending(&own, now).items;
        let (linked, alone) = (expected(1.0), expected(0.0));
        self.trust.score(source, linked, alone, any);
    }

    /// The sources with the greatest indices above `threshold`, at most `room`, best first.
    fn best(&mut self, now: f64, room: usize, threshold: f64) -> Vec<Ranked> {
        self.sleepers.wake_due(now);
        if room == 0 {
            return Vec::new();
        }
        let awake = self.sleepers.take_awake();
        let mut seen = Vec::with_capacity(awake.len());
        let mut best = BinaryHeap::new();
        let mut awake = awake.into_iter();
        let cut = loop {
            let full = best.len() == room;
            let worst = best.peek().filter(|_| full);
            let cut = worst.map_or(threshold, |worst: &Reverse<Ranked>| worst.0.index);
            let next = awake.next().or_else(|| self.sleepers.wake_above(cut));
            let Some(source) = next else { break cut };
            self.looks += 1;
            let due = self.due(source, now);
            if let Some(due) = due.filter(|&due| due > now) {
                self.sleepers.sleep(source, 0.0, due);
                continue;
            }
            let ranked = self.ranked(source, now);
            seen.push(ranked);
            if ranked.index > threshold || due.is_some() {
                best.push(Reverse(ranked));
                if best.len() > room {
                    best.pop();
                }
            }
        };
        // Those that `wake_above` woke are among those seen.
        self.sleepers.take_awake();
        for ranked in seen {
            self.rest(ranked, cut, now);
        }
        best.into_sorted_vec().into_iter().map(|Reverse(ranked)| ranked).collect()
    }

    /// Puts a source to sleep, or leaves it awake if it is soon wanted.
    fn rest(&mut self, ranked: Ranked, cut: f64, now: f64) {
        let Ranked { index, source } = ranked;
        if self.by_plan[source as usize] {
            return self.sleepers.keep(source);
        }
        let value = index + SLEEP_SHARE * (cut - index);
        let wait = &self.waits[source as usize];
        let soon = now + self.setting.chronon_seconds;
        let end = if index < value { wait.reaches(&self.own(source), value, now) } else { now };
        if end > soon {
            self.sleepers.sleep(source, value, end);
        } else {
            self.sleepers.keep(source);
        }
    }
}

impl DelayPolicy for PatternIndex {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        self.score_links(source, now, !postings.is_empty());
        self.history.learn(source, now, postings);
        for posting in postings {
            self.families.learn(source, posting.time);
        }
        let (i, rate) = (source as usize, self.history.rate(source as usize));
        let fresh = Backlog::new(now, rate, self.waits[i].weight);
        self.waits[i] = Backlog { trust: self.trust.of(source), ..fresh };
        self.told[i] = NOTHING;
        if let Some(plan) = self.plans.get_mut(i).filter(|_| !postings.is_empty()) {
            plan.outdate();
        }
        self.sleepers.wake(source);
        if self.planned {
            self.tell_family(source, now, postings);
        }
    }

    fn plan(&mut self, now: f64) {
        self.history.pool();
        self.families.forget(now - FAMILY_MEMORY, libm::exp2(-DAY / HALF_LIFE));
        self.shared = self.history.shared();
        self.families.expect_strangers(self.shared.densities(), now - self.start);
        let hours = self.history.shared_hours();
        for source in 0..self.setting.sources {
            self.habits[source] = self.history.habits(source, &hours);
            self.waits[source].rate = self.history.rate(source);
            self.waits[source].weight = self.history.weight(source);
            self.waits[source].trust = self.trust.of(source as u32);
        }
        self.sleepers.wake_all();
        if !self.planned {
            self.planned = true;
            self.price = self.stationary_price();
        }
        self.look_ahead(now);
    }

    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>) {
        let a_chronon = self.setting.per_chronon();
        self.saved += a_chronon;
        self.granted += a_chronon;
        let debt_max = (DEBT_DAYS * self.setting.per_day).min(DEBT_SHARE * self.granted);
        let affordable = (self.saved + debt_max).max(0.0) as usize;
        let threshold = if self.plans.is_empty() { 0.0 } else { self.threshold() };
        let best = self.best(now, room.min(affordable), threshold);
        picks.extend(best.iter().map(|ranked| ranked.source));
        let used = best.len() as f64;
        self.saved -= used;
        // Gap ∝ √price: a surplus of probes of one part in x asks for a price 2x higher. What stays
        // saved for days says that the price is too high, or it would stay saved for ever.
        let excess = (used - a_chronon) / a_chronon;
        let saved_days = self.saved / self.setting.per_day;
        let pull = self.setting.chronon_seconds / (PRICE_DAYS * DAY);
        self.price *= libm::exp(pull * (2.0 * excess - saved_days));
    }
}

#[cfg(test)]
mod tests;
