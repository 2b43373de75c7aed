//! One source: how often it is probed at a price, and what comes of it.

use super::market::PriceStep;
use super::{Demand, Limit, Watched};
use crate::{Config, value};
use chronon::Span;

/// Retries counted.
const TRIES_MAX: u32 = 20;
/// The least chance that a probe succeeds.
const SUCCESS_MIN: f64 = 1e-3;
/// Steps of the integral over two demands and more.
const STEPS: u32 = 32;

/// A source at any price.
#[derive(Debug, Clone)]
pub(super) struct Asker {
    /// WeekPlace of its host.
    pub(super) host: usize,
    /// w·λ·p/2 per cost: the index per cost is this times τ(τ + lag).
    pull: f64,
    lag: f64,
    success: f64,
    pub(super) cost: f64,
    /// Seconds between successful probes where probes cost nothing; infinite without weight.
    least: f64,
    /// What makes it that long.
    why_least: Limit,
    floor: f64,
    /// What retries add to the time between successful probes.
    retries: f64,
    is_down: bool,
    /// Demands per second.
    pub(super) pressing: f64,
    /// Weight or utility, times changes a second.
    pub(super) stake: f64,
    pub(super) looks: Vec<Look>,
}

/// A demand at any price.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) demand: Demand,
    period: f64,
    slack: f64,
    /// The index per cost at the interval's end, without freshness.
    worth: f64,
    /// Probes per interval, and the chance that one of them succeeds.
    tries: f64,
    pub(super) success: f64,
}

/// What is known of the tries of a source: the chance of one, those that failed in a row, and the
/// least time between two.
#[derive(Debug, Clone, Copy)]
struct Tries {
    success: f64,
    before: u32,
    apart: Span,
}

/// Whether nobody waits longer than [`Config::interval_max`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Floors {
    Kept,
    Dropped,
}

/// What a deadline may have to wait for: requests of others per second, and the seconds during
/// which each of them stands in the way.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Crowd {
    pub(super) host: (f64, f64),
    pub(super) budget: (f64, f64),
}

/// What comes of a price: per second, and seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Yield {
    pub(super) for_freshness: f64,
    pub(super) for_deadlines: f64,
    pub(super) captured: f64,
    pub(super) delay: f64,
}

impl Yield {
    pub(super) fn probes(&self) -> f64 {
        self.for_freshness + self.for_deadlines
    }

    /// This for a share of the time, `other` for the rest.
    pub(super) fn mixed(self, other: Yield, share: f64) -> Yield {
        let mix = |a: f64, b: f64| if share >= 1.0 { a } else { share * a + (1.0 - share) * b };
        let delay = match (self.delay.is_finite(), other.delay.is_finite()) {
            // Some of the intervals are served at random.
            (true, false) if share > 0.0 && share < 1.0 => self.delay * (2.0 - share) / share,
            _ => mix(self.delay, other.delay),
        };
        Yield {
            for_freshness: mix(self.for_freshness, other.for_freshness),
            for_deadlines: mix(self.for_deadlines, other.for_deadlines),
            captured: mix(self.captured, other.captured),
            delay,
        }
    }
}

/// A positive time as whole chronons, upwards.
pub(super) fn whole(seconds: f64, chronon: f64) -> f64 {
    libm::ceil(seconds / chronon - 1e-9) * chronon
}

impl Asker {
    pub(super) fn new(watched: &Watched, host: usize, config: &Config) -> Asker {
        let chronon = config.chronon.as_secs_f64().max(1e-3);
        let number = |x: f64, most: f64| if x.is_finite() { x.clamp(0.0, most) } else { 0.0 };
        let success = number(watched.success, 1.0).max(SUCCESS_MIN);
        let success = if watched.is_down() { SUCCESS_MIN } else { success };
        let (weight, rate) = (number(watched.weight, 1e12), number(watched.per_second, 1e9));
        let cost = number(watched.cost, 1e6).max(1e-3);
        let [least, most] = value::interval_bounds(config).map(Span::as_secs_f64);
        let least = least.max(chronon);
        let floor = whole(most.max(least), chronon);
        let wanted = config.yield_min / rate.max(1e-15);
        let (interval, why_least) = match wanted {
            short if short <= least => (least, Limit::Least),
            long if long >= floor => (floor, Limit::Floor),
            wanted => (wanted, Limit::Yield),
        };
        let pauses = |longest: f64| {
            let mut chance = 1.0;
            let mut sum = 0.0;
            for failures in 1..=TRIES_MAX {
                chance *= 1.0 - success;
                sum += chance * value::retry_pause(failures).as_secs_f64().min(longest);
            }
            // All later ones are the longest.
            sum + chance * (1.0 - success) / success * longest
        };
        // As `value` has it: nothing is known of what never answered but that it fails.
        let longest_retry = if watched.answered { interval } else { floor };
        let host_interval = watched.host_interval.max(config.chronon).max(Span::from_millis(1));
        let look = |demand: &Demand| {
            let worth = config.capture_worth.as_secs_f64() * number(demand.utility, 1e12);
            let tries = Tries { success, before: watched.failures, apart: host_interval };
            Look::new(demand, worth * success / cost, tries)
        };
        let looks: Vec<Look> = watched.demands.iter().map(look).collect();
        let utility = watched.demands.iter().fold(0.0, |sum, d| sum + number(d.utility, 1e12));
        Asker {
            host,
            pull: weight * rate * success / 2.0 / cost,
            lag: value::lag(success, chronon),
            success,
            cost,
            least: if weight > 0.0 { whole(interval, chronon) } else { f64::INFINITY },
            why_least,
            floor,
            retries: pauses(longest_retry),
            is_down: watched.is_down(),
            pressing: looks.iter().fold(0.0, |sum, look| sum + 1.0 / look.period),
            stake: (weight + utility) * rate,
            looks,
        }
    }

    /// Seconds after a probe until the index is worth `price`.
    fn reaches(&self, price: f64) -> f64 {
        if price <= 0.0 {
            return 0.0;
        }
        value::waits_until(price / self.pull.max(f64::MIN_POSITIVE), self.lag)
    }

    /// Seconds between successful probes for freshness.
    fn gap(&self, price: f64, floors: Floors) -> f64 {
        let gap = self.least.max(self.reaches(price));
        let gap = match floors {
            Floors::Kept if self.least.is_finite() => gap.min(self.floor),
            _ => gap,
        };
        gap + self.retries
    }

    /// The share of the intervals of `look` that are worth a probe, if nothing is in the way: those
    /// that open late enough after the last probe.
    fn taken(&self, look: &Look, price: f64, gap: f64) -> f64 {
        if look.worth >= price {
            return 1.0;
        }
        if self.least.is_infinite() {
            return 0.0;
        }
        let late = (self.reaches(price - look.worth) - look.slack).max(0.0);
        (1.0 - late / gap).clamp(0.0, 1.0)
    }

    /// [`Asker::taken`] of the two prices of a step.
    pub(super) fn share_taken(&self, look: &Look, step: PriceStep) -> f64 {
        let PriceStep { low, high, share, floors } = step;
        let taken = |price| self.taken(look, price, self.gap(price, floors));
        share * taken(low) + (1.0 - share) * taken(high)
    }

    /// Why it is not probed more often at `price`, which is that of `scarce`.
    pub(super) fn limit(&self, price: f64, floors: Floors, scarce: Limit) -> Limit {
        let gap = self.gap(price, floors);
        let dropped = |look: &Look| self.taken(look, price, gap) < super::SHARE_MET;
        // A page that is down is worth no price at which others are looked at.
        if self.looks.iter().any(dropped) {
            return if self.is_down { Limit::Failures } else { scarce };
        }
        if self.least.is_infinite() {
            return if self.looks.is_empty() { Limit::Nothing } else { Limit::Deadlines };
        }
        if self.is_down {
            return Limit::Failures;
        }
        let wanted = self.reaches(price);
        match floors {
            Floors::Kept if wanted.max(self.least) >= self.floor => Limit::Floor,
            _ if wanted > self.least => scarce,
            _ => self.why_least,
        }
    }

    /// What comes of `price`.
    pub(super) fn outcome(&self, price: f64, floors: Floors, crowd: Crowd) -> Yield {
        let gap = self.gap(price, floors);
        let share = |look: &Look| {
            let taken = self.taken(look, price, gap) * look.free(crowd);
            (taken * look.success, look.period)
        };
        let shares: Vec<(f64, f64)> = self.looks.iter().map(share).collect();
        Yield { delay: wait(&shares, gap), ..self.probing(price, floors, crowd) }
    }

    /// [`Asker::outcome`] without the delay, which is most of the work.
    pub(super) fn probing(&self, price: f64, floors: Floors, crowd: Crowd) -> Yield {
        let gap = self.gap(price, floors);
        let mut outcome = Yield::default();
        // Looks per second, and the share of the last one's that are captured.
        let (mut looks, mut captured) = (0.0, 0.0);
        for look in &self.looks {
            let taken = self.taken(look, price, gap) * look.free(crowd);
            looks += taken / look.period;
            outcome.for_deadlines += taken * look.tries / look.period;
            outcome.captured += taken * look.success / look.period;
            captured = taken * look.success;
        }
        let fresh = if gap.is_infinite() {
            0.0
        } else if let [look] = self.looks[..] {
            let between = (libm::ceil(look.period / gap - 1e-9) - 1.0).max(0.0) / look.period;
            captured * between + (1.0 - captured) / gap
        } else if looks > 0.0 {
            looks / libm::expm1((looks * gap).min(700.0))
        } else {
            1.0 / gap
        };
        outcome.for_freshness = fresh / self.success;
        outcome
    }
}

impl Look {
    fn new(demand: &Demand, worth: f64, tried: Tries) -> Look {
        let Tries { success, before, apart } = tried;
        let (period, slack) = (demand.period.as_secs_f64().max(1e-3), demand.slack.as_secs_f64());
        let (mut left, mut tries) = (demand.slack, 1);
        while tries < TRIES_MAX {
            let step = value::step_in_window(left, before.saturating_add(tries)).max(apart);
            if step > left {
                break;
            }
            (left, tries) = (left - step, tries + 1);
        }
        let caught = 1.0 - libm::pow(1.0 - success, f64::from(tries));
        Look { demand: *demand, period, slack, worth, tries: caught / success, success: caught }
    }

    /// Looks a day.
    pub(super) fn per_day(&self) -> f64 {
        super::DAY / self.period
    }

    /// The chance that nothing is in its way until it is too late.
    pub(super) fn free(&self, crowd: Crowd) -> f64 {
        let [host, budget] = self.waits(crowd);
        (1.0 - host) * (1.0 - budget)
    }

    /// The chances that a request to its host, and one anywhere, are in its way until it is too
    /// late.
    pub(super) fn waits(&self, crowd: Crowd) -> [f64; 2] {
        let own = self.tries / self.period;
        [crowd.host, crowd.budget].map(|(requests, wait)| {
            ((requests - own).max(0.0) * (wait - self.slack).max(0.0)).min(1.0)
        })
    }
}

/// Mean seconds from any moment to the next probe that succeeds: `shares` of their periods' looks
/// do, and freshness waits no longer than `gap`.
fn wait(shares: &[(f64, f64)], gap: f64) -> f64 {
    match shares {
        [] => gap / 2.0,
        &[(share, period)] if gap.is_infinite() => period * (2.0 - share) / (2.0 * share),
        &[(share, period)] => {
            let whole = (libm::ceil(period / gap - 1e-9) - 1.0).max(0.0);
            let rest = period - whole * gap;
            let regular = (whole * gap * gap + rest * rest) / (2.0 * period);
            share * regular + (1.0 - share) * gap / 2.0
        }
        shares => {
            let rate: f64 = shares.iter().map(|(share, period)| share / period).sum();
            let random = (rate * gap).min(700.0);
            let until = if gap.is_infinite() || random > 1e-6 {
                let ended = libm::exp(-random);
                (1.0 - ended * (1.0 + random)) / (rate * (1.0 - ended))
            } else {
                gap / 2.0
            };
            until.min(overlaid(shares))
        }
    }
}

/// Mean seconds to the next look of demands that know nothing of each other: the integral of the
/// chance that none of them comes sooner (Simpson's rule).
fn overlaid(shares: &[(f64, f64)]) -> f64 {
    let most = shares.iter().map(|&(_, period)| period).fold(f64::INFINITY, f64::min);
    if shares.iter().any(|&(share, _)| share < 0.5) {
        return f64::INFINITY;
    }
    let none = |x: f64| {
        shares.iter().fold(1.0, |none, (share, period)| none * (1.0 - share * x / period).max(0.0))
    };
    let step = most / f64::from(STEPS);
    let sum: f64 = (0..=STEPS)
        .map(|at| {
            let factor = match at {
                0 | STEPS => 1.0,
                at if at % 2 == 1 => 4.0,
                _ => 2.0,
            };
            factor * none(f64::from(at) * step)
        })
        .sum();
    sum * step / 3.0
}
