//! The first policy: what comes first, how soon to look again. Everything a better policy replaces
//! is here; nothing here knows of queues, budgets or hosts.
//!
//! - *First* what somebody asked for and baselines, in the order they were wanted.
//! - Then *EIs*, earliest deadline first (S-EDF: the smallest finish). Utility is not looked at.
//! - Then *freshness*, the longest due first. A weight says that there is a demand, not how much.
//!
//! So that EIs cannot starve freshness, [`EIS_PER_FRESH`] EIs in a row that passed a waiting
//! freshness demand are followed by one freshness demand; counted once over all hosts and once
//! within each host. Under any load freshness keeps an eighth of the probes of what EIs and
//! freshness share, and EIs keep the rest: an absolute age limit would let an overload of freshness
//! starve EIs instead.

use crate::grid::Grid;
use crate::source::Source;
use crate::{Config, Outcome};
use chronon::{Instant, Span};

/// EIs that may pass a waiting freshness demand before it is served.
pub(crate) const EIS_PER_FRESH: u8 = 7;

/// A change halves the interval, an unchanged probe makes it [`GROWTH`] as long. The two balance
/// where ln 1.25 ÷ (ln 1.25 + ln 2) = 24 % of the probes find a change: for changes at random, an
/// interval of 0.28 of the mean time between them. Fast down, slow up: a source that wakes is
/// followed within a few probes, one that pauses is not given up at once.
const SHRINK_BY: i64 = 2;
const GROWTH: f64 = 1.25;

/// The first retry after a failure; each further failure doubles it, up to the source's interval.
const RETRY_FIRST: Span = Span::MINUTE;

/// Order of the candidates: smaller first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    First,
    Window,
    Fresh,
}

const INSTANT_BITS: u32 = 62;

impl Key {
    pub(crate) const NONE: Key = Key(u64::MAX);
    pub(crate) const MIN: Key = Key(0);
    /// The smallest key of a freshness demand.
    pub(crate) const FRESH: Key = Key((Class::Fresh as u64) << INSTANT_BITS);

    /// The class, then the instant (clamped to 1970 and the year 146 million).
    pub(crate) fn new(class: Class, at: Instant) -> Key {
        let millis = at.as_millis().clamp(0, (1 << INSTANT_BITS) - 1) as u64;
        Key(((class as u64) << INSTANT_BITS) | millis)
    }

    pub(crate) fn class(self) -> Class {
        match self.0 >> INSTANT_BITS {
            0 => Class::First,
            1 => Class::Window,
            _ => Class::Fresh,
        }
    }
}

/// Counts EIs that passed a waiting freshness demand.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Turns(u8);

impl Turns {
    /// Whether a waiting freshness demand comes before EIs now.
    pub(crate) fn is_fresh(self) -> bool {
        self.0 >= EIS_PER_FRESH
    }

    pub(crate) fn picked(&mut self, class: Class, fresh_waits: bool) {
        match class {
            Class::First => {}
            Class::Window if fresh_waits => self.0 = self.0.saturating_add(1),
            Class::Window | Class::Fresh => self.0 = 0,
        }
    }
}

/// Where a source stands now: its key if it is due, and when that may become better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) key: Key,
    pub(crate) wake: Instant,
}

/// The EIs of one source: the earliest finish of the open ones, the opening of the next.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Eis {
    pub(crate) finish: Option<Instant>,
    pub(crate) opens: Option<Instant>,
}

/// What `source` wants at `now`.
pub(crate) fn plan(source: &Source, eis: Eis, grid: Grid, now: Instant) -> Plan {
    let mut plan = Plan { key: Key::NONE, wake: Instant::NEVER };
    if source.held || source.in_flight {
        return plan;
    }
    if let Some(since) = source.first_since() {
        plan.key = Key::new(Class::First, since);
        return plan;
    }
    plan.wake = eis.opens.unwrap_or(Instant::NEVER);
    if let Some(finish) = eis.finish {
        let at = window_due(source, finish, grid);
        if at <= now {
            plan.key = Key::new(Class::Window, finish);
        } else {
            plan.wake = plan.wake.min(at);
        }
    }
    if source.fresh && plan.key == Key::NONE {
        if source.due <= now {
            plan.key = Key::new(Class::Fresh, source.due);
        } else {
            plan.wake = plan.wake.min(source.due);
        }
    }
    plan
}

/// From when an open EI is worth a try: at once, but after a failed probe only when its retry is
/// due, or half of what was left of the EI has passed, whichever is earlier. So an EI is tried at
/// ever shorter steps towards its finish, never twice in a chronon; the host's bucket keeps them
/// polite.
pub(crate) fn window_due(source: &Source, finish: Instant, grid: Grid) -> Instant {
    if source.failures == 0 {
        return Instant::from_millis(i64::MIN);
    }
    let half = finish.since(source.last_probe).divided_by(2).max(Span::from_millis(1));
    grid.up(source.last_probe + half.min(back_off(source.failures, source.interval)))
}

/// From when freshness wants a source that was probed at `last_probe`.
pub(crate) fn fresh_due(source: &Source, grid: Grid) -> Instant {
    let wait = match source.failures {
        0 => source.interval,
        failures => back_off(failures, source.interval),
    };
    grid.up(source.last_probe + wait)
}

/// From the start of a failed probe to the next try: 1, 2, 4 … minutes, at most the interval.
fn back_off(failures: u32, interval: Span) -> Span {
    let doublings = failures.saturating_sub(1).min(32);
    RETRY_FIRST.times(1 << doublings).min(interval)
}

/// The interval after a probe `elapsed` after the one before. A failure teaches nothing. An
/// unchanged probe that came early (for an EI, or because somebody asked) lengthens the interval
/// by its share of it only, or a short `fetch every` would drive it to its maximum.
pub(crate) fn next_interval(
    interval: Span,
    elapsed: Span,
    outcome: Outcome,
    config: &Config,
) -> Span {
    let next = match outcome {
        Outcome::Failed => interval,
        Outcome::Changed => interval.divided_by(SHRINK_BY),
        Outcome::Unchanged => {
            let length = interval.as_millis().max(1) as f64;
            let share = (elapsed.as_millis() as f64 / length).clamp(0.0, 1.0);
            Span::from_millis(libm::round(length * libm::pow(GROWTH, share)) as i64)
        }
    };
    within_bounds(next, config)
}

/// `interval` within the configured bounds (at least 1 ms).
pub(crate) fn within_bounds(interval: Span, config: &Config) -> Span {
    let least = config.interval_min.max(Span::from_millis(1));
    interval.clamp(least, config.interval_max.max(least))
}
