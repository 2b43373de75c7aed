//! What a budget buys: probes a day, expected delays, and deadlines met.
//!
//! A [`Workload`] comes in: what is known of each source and asked of it. A [`Forecast`] goes out,
//! and `tidings plan` shows it. The forecast is pure. The probes of a source never rise with the
//! price, those of all sources never exceed the budget, and those of a host never exceed its
//! bucket.
//!
//! The scheduler probes whichever source is worth most per cost. In the long run that is as if each
//! probe had a price ν and every source were probed as soon as its index is worth it (`value`). The
//! forecast finds the ν at which the probes are as many as the budget pays for. A host that is
//! wanted more often than its bucket allows gets a price of its own. Where a price lies on a step
//! (many sources alike), a share of the time goes to either side of it.
//!
//! What becomes of deadlines is not a matter of the long run, for many may be due at one moment: a
//! day of them is played through by the scheduler itself (`rehearsal`), or less where a day is too
//! much; where even minutes are, prices tell.
//!
//! Rates know no hours and no company. What came of late, beside what rates would have made of as
//! many probes, corrects every delay ([`Experience`]).
//!
//! Left out, hence no promise: pauses that hosts ask for, redirects, rates that move.

mod asker;
mod market;
mod rehearsal;
#[cfg(test)]
mod tests;

use crate::scheduler::Scheduler;
use crate::source::UNPROBED;
use crate::value;
use crate::{Config, Experience};
use asker::{Asker, Yield};
use chronon::{HostId, SourceId, Span};
use market::Market;
use rehearsal::Played;

const DAY: f64 = 86_400.0;
/// A demand of which less than this share is captured is told of.
const SHARE_MET: f64 = 0.99;
/// Looks and probes that are played for a forecast, and for each of those under other budgets.
const EVENTS: f64 = 50_000.0;
const EVENTS_OF_OTHERS: f64 = 10_000.0;
/// Changes that must have been found until half of what they say is believed.
const DOUBT: f64 = 8.0;

/// What is known of every source, and the limits. The budget is [`Config::budget`].
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// The limits.
    pub config: Config,
    /// In any order; each once.
    pub sources: Vec<Watched>,
    /// How late changes were found of late; nothing, where nobody knows.
    pub experience: Experience,
}

/// A source, what is known of it and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Watched {
    /// Which one.
    pub source: SourceId,
    /// Where it is.
    pub host: HostId,
    /// Least time between requests to its host.
    pub host_interval: Span,
    /// The freshness demand; 0: none.
    pub weight: f64,
    /// Changes a second; a guess while it has not [`answered`](Watched::answered).
    pub per_second: f64,
    /// Whether a probe of it ever succeeded.
    pub answered: bool,
    /// The chance that a probe succeeds, above 0, at most 1.
    pub success: f64,
    /// Probes that failed in a row so far. A source that [`Watched::is_down`] goes on failing.
    pub failures: u32,
    /// What one probe takes of the budget, above 0.
    pub cost: f64,
    /// Deadlines the source has to meet.
    pub demands: Vec<Demand>,
}

impl Watched {
    /// Whether four tries in a row failed: the next will too, and none is made in haste.
    #[must_use]
    pub fn is_down(&self) -> bool {
        self.failures > value::TRIES_IN_HASTE
    }
}

/// A probe in every interval of length `slack` that begins each `period`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// From one start to the next.
    pub period: Span,
    /// From the start to the last moment of a probe.
    pub slack: Span,
    /// What each is worth, in captures of weight 1.
    pub utility: f64,
    /// Until the next begins; below zero if it has begun.
    pub ahead: Span,
}

/// What is to be expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// Over all.
    pub totals: Totals,
    /// One per source, in the order of the world's.
    pub shares: Vec<Share>,
    /// Demands of which less than 99 % are captured, in the order of the world's.
    pub unmet: Vec<Unmet>,
}

/// What is to be expected over all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Cost per day that the budget allows.
    pub allowed_per_day: f64,
    /// Cost per day of all probes that were worth it if the budget had no limit.
    pub wanted_per_day: f64,
    /// Probes, failed ones included.
    pub probes_per_day: f64,
    /// Their cost.
    pub cost_per_day: f64,
    /// ν, item-seconds per unit of cost; 0 where the budget is not used up.
    pub price: f64,
    /// Changes a day, of all sources that somebody wants to hear of and that ever answered.
    pub changes_per_day: f64,
    /// Mean seconds from a change to the probe that finds it, by what changes weigh, of the sources
    /// that are probed; `None` if nothing is found.
    pub delay: Option<f64>,
    /// Sources that somebody asks for and that are never probed.
    pub unprobed: usize,
    /// Deadlines a day.
    pub deadlines_per_day: f64,
    /// How many of them are captured.
    pub captured_per_day: f64,
    /// Demands not met.
    pub unmet: usize,
}

/// What one source gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Which one.
    pub source: SourceId,
    /// All probes, failed ones included.
    pub probes_per_day: f64,
    /// Those that are made for deadlines.
    pub deadline_probes_per_day: f64,
    /// Mean seconds from a change at any time to the probe that finds it; `None`: it is never
    /// probed, or none of its probes succeeds.
    pub delay: Option<f64>,
    /// What keeps it from being probed more often.
    pub limit: Limit,
    /// Deadlines a day.
    pub deadlines_per_day: f64,
    /// How many of them are captured.
    pub captured_per_day: f64,
    /// Weight or utility times changes a second: what a second of delay costs.
    pub stake: f64,
}

/// What keeps a source from being probed more often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Nobody asks for it.
    Nothing,
    /// It is probed for its deadlines only.
    Deadlines,
    /// A probe more would find too little ([`Config::yield_min`]).
    Yield,
    /// [`Config::interval_min`].
    Least,
    /// [`Config::interval_max`]: it is probed more often than it is worth.
    Floor,
    /// Probes of it fail, and retries wait ever longer: at most its interval, or
    /// [`Config::interval_max`] where it never answered.
    Failures,
    /// The bucket of its host.
    Host,
    /// The budget.
    Budget,
}

/// A demand that is not met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unmet {
    /// Whose.
    pub source: SourceId,
    /// Which.
    pub demand: Demand,
    /// The share of its intervals that get their probe, 0 to 1.
    pub captured: f64,
    /// What costs most of them.
    pub shortage: Shortage,
}

/// What is missing for a demand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shortage {
    /// The bucket of the source's host is too small.
    Host {
        /// Probes of the host a day that deadlines need.
        needed: f64,
        /// Those the bucket allows.
        allowed: f64,
    },
    /// The budget; other probes may be worth more.
    Budget {
        /// Cost a day that all deadlines need.
        needed: f64,
        /// Cost a day that the budget pays.
        allowed: f64,
    },
    /// The wait after another request to its host may be longer than the interval.
    HostWait {
        /// Least time between two requests to the host.
        wait: Span,
    },
    /// The wait until the budget has a probe may be longer than the interval.
    BudgetWait {
        /// Time in which the budget gains a probe.
        wait: Span,
    },
    /// More looks are due at one moment than its host allows.
    HostCrowd {
        /// Least time between two requests to the host.
        wait: Span,
    },
    /// More looks are due at one moment than the budget allows.
    Crowd,
    /// The source's probes fail too often.
    Failures {
        /// The chance that one succeeds.
        success: f64,
    },
}

/// Works out what is to be expected. O(n) per step of a bisection of some 40, for n sources; with
/// deadlines, some 50,000 probes are played.
#[must_use]
pub fn forecast(world: &Workload) -> Forecast {
    expect(world, &Market::of(world), world.config.budget, EVENTS)
}

fn expect(world: &Workload, market: &Market, per_chronon: f64, events: f64) -> Forecast {
    let book = market.settle(per_chronon);
    let pace = market.events(&book);
    let mut played = rehearsal::play(world, per_chronon, pace, events).into_iter();
    let mut forecast =
        Forecast { totals: market.totals(&book), shares: Vec::new(), unmet: Vec::new() };
    let mut delay = Mean::default();
    let foresight = market.foresight();
    for (asker, watched) in market.askers().iter().zip(&world.sources) {
        let outcome = market.outcome(&book, asker);
        let mut share = share_of(watched, asker, &outcome, market.limit(&book, asker, &outcome));
        share.delay = share.delay.filter(|_| !watched.is_down()).map(|delay| delay * foresight);
        let played: Vec<Option<f64>> =
            asker.looks.iter().map(|_| played.next().and_then(Played::share)).collect();
        let told = market.told(&book, asker, &played);
        share.captured_per_day =
            told.iter().zip(&asker.looks).map(|(s, look)| s * look.per_day()).sum();
        match share.delay {
            Some(one) => delay.add(one, share.stake),
            None if watched.is_down() => {}
            None => forecast.totals.unprobed += usize::from(share.limit != Limit::Nothing),
        }
        forecast.totals.changes_per_day +=
            if share.stake > 0.0 && watched.answered { watched.per_second * DAY } else { 0.0 };
        forecast.totals.deadlines_per_day += share.deadlines_per_day;
        forecast.totals.captured_per_day += share.captured_per_day;
        forecast.unmet.extend(market.unmet(&book, watched, asker, &told));
        forecast.shares.push(share);
    }
    forecast.totals.delay = delay.mean();
    forecast.totals.unmet = forecast.unmet.len();
    forecast
}

/// The totals under each of these budgets, in probes per chronon. As [`forecast`], per budget.
#[must_use]
pub fn under(world: &Workload, budgets: &[f64]) -> Vec<Totals> {
    let market = Market::of(world);
    let other = |&budget: &f64| expect(world, &market, budget, EVENTS_OF_OTHERS).totals;
    budgets.iter().map(other).collect()
}

/// [`forecast`], and [`under`] these budgets, for the price of the latter.
#[must_use]
pub fn with_others(world: &Workload, budgets: &[f64]) -> (Forecast, Vec<Totals>) {
    let market = Market::of(world);
    let forecast = expect(world, &market, world.config.budget, EVENTS);
    let other = |&budget: &f64| {
        let same = budget.to_bits() == world.config.budget.to_bits();
        if same { forecast.totals } else { expect(world, &market, budget, EVENTS_OF_OTHERS).totals }
    };
    let others = budgets.iter().map(other).collect();
    (forecast, others)
}

fn share_of(watched: &Watched, asker: &Asker, outcome: &Yield, limit: Limit) -> Share {
    Share {
        source: watched.source,
        probes_per_day: outcome.probes() * DAY,
        deadline_probes_per_day: outcome.for_deadlines * DAY,
        delay: outcome.delay.is_finite().then_some(outcome.delay),
        limit,
        deadlines_per_day: asker.pressing * DAY,
        captured_per_day: outcome.captured * DAY,
        stake: asker.stake,
    }
}

/// A weighted mean.
#[derive(Default)]
struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value * weight;
        self.weight += weight;
    }

    fn mean(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

impl Scheduler {
    /// What is known of `source` on `host`, without its demands; `None` if it is not watched. O(1).
    pub fn watched(&self, source: SourceId, host: HostId) -> Option<Watched> {
        let slot = self.roster.slot(source)?;
        let entry = self.roster.at(slot);
        Some(Watched {
            source,
            host,
            host_interval: self.hosts.bucket(entry.host).interval,
            weight: entry.weight.into(),
            per_second: entry.rate.into(),
            answered: entry.last_success() != UNPROBED,
            success: value::success(entry),
            failures: entry.tries.failures(),
            cost: self.roster.cost(slot),
            demands: Vec::new(),
        })
    }
}
