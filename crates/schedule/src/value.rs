//! What a probe of a source is worth now, in one currency: seconds that a change of weight 1 is
//! told earlier ("item-seconds", `docs/theory.md`, One scheduler).
//!
//!   I = p·(F + κ·V)
//!
//! p is the chance that the probe succeeds. F is freshness, w·λ·½·τ(τ + (2/p − 1)·c): the Whittle
//! index of changes at a steady rate λ, τ after the last probe, with chronons of c and failed
//! probes tried again. V is what the open EIs bring by being captured now (`urgency`), κ what one
//! capture is worth ([`Config::capture_worth`]). Where a source keeps to the pattern of the week
//! (`week`), F is the index of its [`Wait`]. Chronons and retries then add ½·w·D·(2/p − 1)·c, where
//! D is the changes expected since the last probe. While a source is hardly known F is a little
//! more: 1 + 1/n times as much at its n-th probe.

use crate::Config;
use crate::eis::{Eis, LiveEi};
use crate::grid::Grid;
use crate::hours::{Gap, Hearsay, Wait};
use crate::source::{Source, UNPROBED};
use crate::week::Week;
use chronon::{Instant, Span};

/// A source with more open EIs is valued by this many of them.
const EIS_VALUED: usize = 64;
/// The first retry after a failure; each further failure doubles it, up to the source's interval,
/// or, if it never answered, to the longest.
const RETRY_FIRST: Span = Span::MINUTE;
/// Failures in a row after which what is left of an EI hurries no try.
pub(crate) const TRIES_IN_HASTE: u32 = 3;
/// An answer that was set aside is tried again after [`RETRY_FIRST`], then twice as long each time,
/// up to this multiple of it.
const SET_ASIDE_MAX: u32 = 8;
/// Expected changes at which a source is due where no yield is asked for: what
/// [`Config::interval_initial`] means for the first guess of a rate.
const YIELD_GUESSED: f64 = 0.1;
/// The rate of a source that others tell of is at least this share of the mean of all.
const RATE_TOLD: f64 = 0.1;
/// Beyond this, in seconds, rhythms do not matter.
const YIELD_FAR: f64 = 1e9;
/// So many probes a source is looked at every [`Config::interval_initial`] at least.
const PROBES_EARLY: u32 = 3;

/// The rate that everybody is guessed to have before anything was seen, per second.
pub(crate) fn rate_guessed(config: &Config) -> f64 {
    let interval = config.interval_initial.max(Span::from_millis(1)).as_secs_f64();
    config.yield_min.max(YIELD_GUESSED) / interval
}

/// (2/p − 1)·c, seconds: what retries and chronons of `chronon` seconds add to a wait.
pub(crate) fn lag(success: f64, chronon: f64) -> f64 {
    (2.0 / success - 1.0) * chronon
}

/// The seconds τ after the last probe at which τ(τ + lag) is `area`: when F of a steady rate, which
/// is half of that times w·λ, reaches a value.
pub(crate) fn waits_until(area: f64, lag: f64) -> f64 {
    (libm::sqrt(lag * lag + 4.0 * area) - lag) / 2.0
}

/// The pause after `failures` in a row, 1 or more: 1, 2, 4 … minutes.
pub(crate) fn retry_pause(failures: u32) -> Span {
    RETRY_FIRST.times(1 << (failures - 1).min(32))
}

/// From the last of `failures` in a row to the next try for an EI that then has `left`: half of
/// that, at most the pause, so that a short EI is tried again, never twice in a chronon. After
/// [`TRIES_IN_HASTE`] the pause alone counts: a page that is gone is asked once in each EI.
pub(crate) fn step_in_window(left: Span, failures: u32) -> Span {
    let pause = retry_pause(failures.max(1));
    match failures {
        0..=TRIES_IN_HASTE => left.divided_by(2).max(Span::from_millis(1)).min(pause),
        _ => pause,
    }
}

/// The least and the longest freshness interval.
pub(crate) fn interval_bounds(config: &Config) -> [Span; 2] {
    let least = config.interval_min.max(Span::from_millis(1));
    [least, config.interval_max.max(least)]
}

/// The interval, within its bounds, in which [`Config::yield_min`] changes take `seconds`.
pub(crate) fn interval_of(config: &Config, seconds: f64) -> Span {
    let [least, most] = interval_bounds(config);
    Span::from_millis(libm::round((seconds * 1000.0).clamp(0.0, 9e15)) as i64).clamp(least, most)
}

/// What is needed to value sources.
#[derive(Clone, Copy)]
pub(crate) struct Scale<'a> {
    pub(crate) config: &'a Config,
    pub(crate) grid: Grid,
    pub(crate) eis: &'a Eis,
    pub(crate) week: &'a Week,
    /// The mean rate of all sources.
    pub(crate) pooled: f64,
}

/// What stands behind the worth of a probe.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Value<'a> {
    /// p.
    pub(crate) success: f64,
    /// F, and λ·w, its growth.
    pub(crate) freshness: f64,
    pub(crate) flow: f64,
    /// Seconds since the last probe.
    pub(crate) waited: f64,
    /// The wait behind F, weighed, where the source keeps to a pattern.
    pub(crate) wait: Option<Wait<'a>>,
    /// What waits where others told of it.
    pub(crate) hearsay: Option<Hearsay>,
    /// κ·V, and the least slack of the EIs in it that may still grow, if any: one without slack is
    /// worth the same until it ends.
    pub(crate) captures: f64,
    pub(crate) slack: Option<u32>,
}

impl Value<'_> {
    /// The index.
    pub(crate) fn index(&self) -> f64 {
        self.success * (self.freshness + self.captures)
    }
}

/// The chance that a probe of `source` succeeds.
pub(crate) fn success(source: &Source) -> f64 {
    f64::from(source.success.max(8)) / 255.0
}

/// The chance that a probe of `source` succeeds, after one more probe: an average over about ten.
pub(crate) fn success_after(source: &Source, succeeded: bool) -> u8 {
    let (before, now) = (f64::from(source.success), f64::from(u8::from(succeeded)) * 255.0);
    let step = (now - before) * 0.1;
    let step = if step > 0.0 { libm::ceil(step) } else { libm::floor(step) };
    (before + step).clamp(0.0, 255.0) as u8
}

/// So many seconds after `at`, or a little earlier: that is only looked at again.
pub(crate) fn after(at: Instant, seconds: f64) -> Instant {
    let millis = libm::floor(seconds.max(0.0) * 1000.0 * (1.0 - 1e-9));
    if millis < 9e15 { at + Span::from_millis(millis as i64) } else { Instant::NEVER }
}

impl<'a> Scale<'a> {
    /// What a probe of the source at `slot` would be worth at `now`, whether or not it may be made.
    pub(crate) fn value(&self, slot: u32, source: &Source, now: Instant) -> Value<'a> {
        let mut value = Value { success: success(source), ..Value::default() };
        let weight = f64::from(source.weight);
        if source.wants_baseline() {
            value.captures = self.config.capture_worth.as_secs_f64() * weight;
        } else if weight > 0.0 {
            // Both are long ago where nothing is known.
            let last = match source.last_success() {
                UNPROBED => source.last_probe(),
                at => at,
            };
            value.waited = now.since(last).as_secs_f64().max(0.0);
            value.flow =
                weight * f64::from(source.rate) * (1.0 + 1.0 / f64::from(source.probes.max(1)));
            let lag = self.lag(&value);
            let (hours, gap) = (self.week.hours(), Gap::new(last, now));
            let taste = self.week.taste(slot, source);
            value.wait = taste.map(|taste| hours.wait(gap, taste, value.flow, lag));
            value.hearsay = self.hearsay(source, &value, lag);
            value.freshness = match (&value.hearsay, &value.wait) {
                (Some(hearsay), wait) => hearsay.freshness(wait.as_ref()),
                (None, Some(wait)) => wait.freshness(),
                (None, None) => 0.5 * value.flow * value.waited * (value.waited + lag),
            };
        }
        self.add_captures(&mut value, slot, now);
        value
    }

    /// What waits at the source, if others told of it.
    fn hearsay(&self, source: &Source, value: &Value<'_>, lag: f64) -> Option<Hearsay> {
        if source.told <= 0.0 && source.covered <= 0.0 {
            return None;
        }
        // Who is told of changes is no source that never has any.
        let (own, rate) =
            (f64::from(source.rate), f64::from(source.rate).max(RATE_TOLD * self.pooled));
        Some(Hearsay {
            waited: value.waited,
            rate,
            weight: value.flow / own,
            told: source.told.into(),
            covered: source.covered.into(),
            lag,
        })
    }

    /// A time before which F does not reach `wanted`.
    fn freshness_reaches(&self, value: &Value<'_>, wanted: f64, now: Instant) -> Instant {
        let area = 2.0 * wanted / value.flow;
        after(now, waits_until(area, self.lag(value)) - value.waited)
    }

    /// The first start of a chronon at which the index may have left its level. It may have reached
    /// the level's upper end, or fallen below the lower one. It falls only as an hour begins, and
    /// only if the source keeps to a pattern.
    pub(crate) fn moves(&self, value: &Value<'_>, [low, high]: [f64; 2], now: Instant) -> Instant {
        let least = low / value.success - value.captures;
        self.grows(value, high, now, least)
    }

    fn lag(&self, value: &Value<'_>) -> f64 {
        lag(value.success, self.config.chronon.as_secs_f64())
    }

    fn add_captures(&self, value: &mut Value<'_>, slot: u32, now: Instant) {
        if let Some((captures, slack)) = self.captures(slot, self.grid.index(now)) {
            value.captures += captures;
            value.slack = slack;
        }
    }

    /// κ·V in a chronon, of the EIs that are open now, and the least slack of those that have some.
    fn captures(&self, slot: u32, chronon: i64) -> Option<(f64, Option<u32>)> {
        let stakes = self.eis.stakes(slot);
        if stakes.is_empty() {
            return None;
        }
        let worth = self.eis.urgency.measure();
        let (mut sum, mut least) = (0.0, u32::MAX);
        for stake in stakes.iter().take(EIS_VALUED) {
            let slack = stake.slack(chronon as u32);
            sum += f64::from(stake.utility) * worth.of(stake.missing, slack);
            // Less one, so that none is the most.
            least = least.min(slack.wrapping_sub(1));
        }
        // Those beyond are as good as these on average.
        let share = stakes.len() as f64 / stakes.len().min(EIS_VALUED) as f64;
        let slack = least.checked_add(1);
        Some((self.config.capture_worth.as_secs_f64() * sum * share, slack))
    }

    /// The first start of a chronon at which the index may reach `wanted`: never too late.
    pub(crate) fn reaches(&self, value: &Value<'_>, wanted: f64, now: Instant) -> Instant {
        self.grows(value, wanted, now, f64::NEG_INFINITY)
    }

    /// That, or at which F may be less than `least` as an hour begins.
    fn grows(&self, value: &Value<'_>, wanted: f64, now: Instant, least: f64) -> Instant {
        let missing = wanted / value.success - value.freshness - value.captures;
        if missing.is_nan() {
            return Instant::NEVER;
        }
        let grows_both = value.flow > 0.0 && value.captures > 0.0 && value.slack.is_some();
        // Where two grow, one makes at least half of the way.
        let step = if grows_both { missing / 2.0 } else { missing };
        let mut at = Instant::NEVER;
        if value.flow > 0.0 {
            let wanted = value.freshness + step;
            at = at.min(match (&value.hearsay, &value.wait) {
                (Some(hearsay), wait) => after(now, hearsay.reaches(wait.as_ref(), wanted, least)),
                (None, Some(wait)) => after(now, wait.reaches(wanted, least)),
                (None, None) => self.freshness_reaches(value, wanted, now),
            });
        }
        if let Some(slack) = value.slack.filter(|_| value.captures > 0.0) {
            // It grows at the start of each chronon.
            let chronons = self.eis.urgency.lasts(slack, 1.0 + step.max(0.0) / value.captures);
            let since = self.grid.start(self.grid.index(now));
            at = at.min(after(since, chronons * self.config.chronon.as_secs_f64()));
        }
        self.grid.up(at.max(now + Span::from_millis(1)))
    }

    /// The freshness interval, since the last probe: until one probe is worth [`Config::yield_min`]
    /// changes, within the bounds; a source that is hardly known is looked at early.
    pub(crate) fn interval(&self, slot: u32, source: &Source) -> Span {
        let interval = interval_of(self.config, self.yields(slot, source));
        if source.probes > PROBES_EARLY {
            return interval;
        }
        interval.min(self.config.interval_initial).max(interval_bounds(self.config)[0])
    }

    /// How long after the last probe [`Config::yield_min`] changes are expected, seconds.
    fn yields(&self, slot: u32, source: &Source) -> f64 {
        let missing = (self.config.yield_min - f64::from(source.told)).max(0.0);
        let steady = missing / f64::from(source.rate) + f64::from(source.covered);
        if source.last_probe() == UNPROBED || steady <= 0.0 || steady >= YIELD_FAR {
            return steady.max(0.0);
        }
        match self.week.taste(slot, source) {
            Some(taste) => self.week.hours().until_items(source.last_probe(), &taste, steady),
            None => steady,
        }
    }

    /// From when freshness wants a source that was probed: its interval after the last probe, or,
    /// after a failure, 1, 2, 4 … minutes, at most the interval; at most [`Config::interval_max`]
    /// where no probe has ever succeeded, and at most 8 where the answer was set aside.
    pub(crate) fn fresh_due(&self, slot: u32, source: &Source) -> Instant {
        self.grid.up(source.last_probe() + self.pause(slot, source))
    }

    /// The time from the last probe to the next that freshness wants.
    pub(crate) fn pause(&self, slot: u32, source: &Source) -> Span {
        let (failures, set_aside) = (source.tries.failures(), source.tries.set_aside());
        if set_aside > 0 {
            let times = (1 << (set_aside - 1)).min(SET_ASIDE_MAX);
            return RETRY_FIRST.times(times.into()).min(self.interval(slot, source));
        }
        if failures == 0 {
            return self.interval(slot, source);
        }
        let most = match source.last_success() {
            // Nothing is known of it but that it fails.
            UNPROBED => self.config.interval_max.max(RETRY_FIRST),
            _ => self.interval(slot, source),
        };
        retry_pause(failures).min(most)
    }

    /// From when an open EI is worth a try: at once, but where a probe failed since its start only
    /// when a retry is due.
    pub(crate) fn window_due(&self, source: &Source, ei: &LiveEi) -> Instant {
        let last = source.last_probe();
        if !source.is_tried_again() || last < ei.start() {
            return Instant::from_millis(i64::MIN);
        }
        let left = ei.finish().since(last);
        let put_off = source.tries.set_aside().min(TRIES_IN_HASTE);
        self.grid.up(last + step_in_window(left, source.tries.failures().max(put_off)))
    }

    /// From when the open EIs of the source are worth a try; `None` if it has none.
    pub(crate) fn windows_due(&self, slot: u32, source: &Source) -> Option<Instant> {
        if !source.is_tried_again() {
            let some = !self.eis.stakes(slot).is_empty();
            return some.then_some(Instant::from_millis(i64::MIN));
        }
        let open = self.eis.open(slot).take(EIS_VALUED);
        open.map(|ei| self.window_due(source, ei)).min()
    }
}
