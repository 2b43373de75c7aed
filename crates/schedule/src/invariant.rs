//! I-BUDGET: probes per chronon and per host never exceed the limits.
//!
//! Predicates over a log of picks, in the order they were made, under limits that did not change
//! meanwhile. O(n) and O(n log n); they share no code with the scheduler.

use crate::budget::BANK_DAYS;
use chronon::{HostId, Instant, Span};
use std::collections::BTreeMap;
use std::fmt;

/// One probe that was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// When.
    pub at: Instant,
    /// On which host.
    pub host: HostId,
}

/// How I-BUDGET was broken.
#[derive(Debug, Clone, Copy, PartialEq)]
// The fields are named after what they hold.
#[allow(missing_docs)]
pub enum Breach {
    /// More probes in the chronon that holds `at` than the budget had for it.
    Budget { at: Instant, per_chronon: f64 },
    /// A probe of a host came so long after the one whose turn was an interval before.
    Politeness { at: Instant, host: HostId, after: Span, interval: Span },
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Breach::Budget { at, per_chronon } => {
                write!(f, "at {at} one probe too many for a budget of {per_chronon} per chronon")
            }
            Breach::Politeness { at, host, after, interval } => {
                write!(
                    f,
                    "at {at} host {host} was probed {after} after the turn before, not {interval}"
                )
            }
        }
    }
}

impl std::error::Error for Breach {}

/// At most four times `per_chronon` probes in each chronon, or this rounded up. Since the first
/// probe, at most the budget of the time that passed and of one chronon, and a probe more if that
/// is no whole number. Over any time, at most the budget of three days more than its own.
pub fn budget(log: &[Started], chronon: Span, per_chronon: f64) -> Result<(), Breach> {
    // Floats may lose this much of a probe over a long log.
    const SLACK: f64 = 1e-6;
    let whole = per_chronon.fract() == 0.0;
    let most = if whole { per_chronon.max(1.0) } else { per_chronon + 1.0 };
    let burst = libm::floor(4.0 * per_chronon + SLACK).max(libm::ceil(per_chronon)).max(1.0);
    let kept = per_chronon * (BANK_DAYS * 86_400_000.0 / chronon.as_millis().max(1) as f64);
    let (mut left, mut last, mut in_chronon) = (most, None, 0.0);
    for started in log {
        let index = started.at.as_millis().div_euclid(chronon.as_millis().max(1));
        let passed = last.map_or(0, |last| index - last);
        left = (left + per_chronon * passed as f64).min(most + kept) - 1.0;
        in_chronon = if last == Some(index) { in_chronon + 1.0 } else { 1.0 };
        last = Some(index);
        if left < -SLACK || in_chronon > burst {
            return Err(Breach::Budget { at: started.at, per_chronon });
        }
    }
    Ok(())
}

/// Probes of one host keep its interval on the whole: of any of them the n-th after it starts no
/// sooner than n intervals later, less one chronon, or one interval where that is shorter. So two
/// are never closer than the interval minus a chronon, and n intervals hold at most n + 1.
pub fn politeness(
    log: &[Started],
    chronon: Span,
    interval: impl Fn(HostId) -> Span,
) -> Result<(), Breach> {
    // Per host: how many came before, and the latest start of all, each counted back to the first.
    let mut hosts: BTreeMap<HostId, (i64, Instant)> = BTreeMap::new();
    for &Started { at, host } in log {
        let interval = interval(host).max(Span::ZERO);
        let (number, latest) = hosts.entry(host).or_insert((0, at));
        let counted_back = at - interval.times(*number);
        let early = *latest - counted_back;
        if early > Span::ZERO && early >= chronon.min(interval) {
            let after = interval - early;
            return Err(Breach::Politeness { at, host, after, interval });
        }
        (*number, *latest) = (*number + 1, counted_back.max(*latest));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(starts: &[(i64, u32)]) -> Vec<Started> {
        let started = |&(ms, host)| Started { at: Instant::from_millis(ms), host: HostId(host) };
        starts.iter().map(started).collect()
    }

    #[test]
    fn more_than_four_times_the_budget_in_a_chronon_is_a_breach_however_much_was_banked() {
        let burst = |probes: i64| {
            let starts: Vec<(i64, u32)> =
                [(0, 1)].into_iter().chain((0..probes).map(|n| (90_000 + n, 1))).collect();
            budget(&log(&starts), Span::SECOND, 1.5)
        };
        assert_eq!(burst(6), Ok(()));
        assert!(burst(7).is_err());
    }

    #[test]
    fn one_probe_too_many_in_the_first_chronon_is_a_breach() {
        let three = log(&[(1_000, 1), (1_500, 2), (1_999, 3)]);
        assert_eq!(budget(&three, Span::SECOND, 3.0), Ok(()));
        let at = Instant::from_millis(1_999);
        let breach = Err(Breach::Budget { at, per_chronon: 2.0 });
        assert_eq!(budget(&three, Span::SECOND, 2.0), breach);
    }

    #[test]
    fn fractions_of_a_probe_add_up_to_one_and_not_to_two() {
        let spaced = log(&[(0, 1), (10_000, 1), (90_000, 1), (100_000, 1)]);
        assert_eq!(budget(&spaced, Span::SECOND, 0.1), Ok(()));
        let too_soon = log(&[(0, 1), (10_000, 1), (11_000, 1), (12_000, 1)]);
        assert!(budget(&too_soon, Span::SECOND, 0.1).is_err());
        let at_once = log(&[(0, 1), (90_000, 1), (90_500, 1)]);
        assert!(budget(&at_once, Span::SECOND, 0.1).is_err());
    }

    #[test]
    fn two_probes_of_one_host_too_close_are_a_breach_and_of_two_hosts_are_not() {
        let starts = log(&[(0, 1), (4_000, 2), (5_000, 1), (8_001, 2)]);
        assert_eq!(politeness(&starts, Span::SECOND, |_| Span::from_secs(5)), Ok(()));
        let starts = log(&[(0, 1), (4_000, 2), (5_000, 1), (8_000, 2)]);
        let breach = politeness(&starts, Span::SECOND, |_| Span::from_secs(5)).unwrap_err();
        assert!(matches!(breach, Breach::Politeness { host: HostId(2), .. }), "{breach}");
    }

    #[test]
    fn what_one_probe_came_too_soon_the_next_ones_must_not() {
        let late_once = log(&[(900, 1), (5_000, 1), (10_000, 1), (15_000, 1)]);
        assert_eq!(politeness(&late_once, Span::SECOND, |_| Span::from_secs(5)), Ok(()));
        let ever_sooner = log(&[(900, 1), (5_400, 1), (9_900, 1), (14_400, 1)]);
        assert!(politeness(&ever_sooner, Span::SECOND, |_| Span::from_secs(5)).is_err());
    }

    #[test]
    fn an_interval_shorter_than_a_chronon_allows_two_at_once_and_never_three() {
        let two = log(&[(0, 1), (1, 1), (501, 1)]);
        assert_eq!(politeness(&two, Span::MINUTE, |_| Span::from_millis(500)), Ok(()));
        let three = log(&[(0, 1), (1, 1), (2, 1)]);
        assert!(politeness(&three, Span::MINUTE, |_| Span::from_millis(500)).is_err());
    }
}
