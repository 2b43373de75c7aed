//! Limits and starting values of the scheduler, and what they may be.

use crate::budget::PER_CHRONON_MAX;
use chronon::Span;
use std::fmt;

/// Limits and starting values.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Length of a chronon.
    pub chronon: Span,
    /// Probes allowed per chronon, overall; may be a fraction, and 0.
    pub budget: f64,
    /// Least time between requests to one host, and most of them at once.
    pub host_interval: Span,
    /// Requests to one host at once, at most.
    pub host_in_flight: u32,
    /// Probes in flight at once, overall, at most.
    pub in_flight_max: u32,
    /// Where an on-change demand starts, before anything was learned.
    pub interval_initial: Span,
    /// An on-change demand is not served sooner than this after the last probe, and, unless the
    /// budget cannot pay it, not later.
    pub interval_min: Span,
    /// The longest interval between probes of an on-change demand, about: where more is wanted than
    /// can be paid, who waited so long comes first. It is longer where all sources, or those of a
    /// host, would take more than half of the budget, or of what politeness allows the host: so
    /// long that they take half.
    pub interval_max: Span,
    /// Changes that a probe for freshness must be expected to find: 0.1 is a probe in ten. 0: as
    /// often as the budget allows.
    pub yield_min: f64,
    /// One captured CEI of utility 1 is worth a change of weight 1 that is told this much earlier.
    pub capture_worth: Span,
    /// After a start, what is overdue is spread over the smaller of this and its interval.
    pub restart_spread: Span,
}

/// Longest of all times but one: a century.
const SPAN_MAX: Span = Span::DAY.times(36_525);
/// Longest [`Config::capture_worth`]: a price, not a time that anybody waits.
const WORTH_MAX: Span = Span::from_millis(1_000_000_000_000_000);
/// Largest [`Config::yield_min`]: a scheduler that waits for more is not looking.
const YIELD_MAX: f64 = 1e6;

/// What of a [`Config`] cannot be.
#[derive(Debug, Clone, Copy, PartialEq)]
// The fields are named after what they hold.
#[allow(missing_docs)]
pub enum ConfigError {
    /// A time outside its range.
    Time { field: &'static str, found: Span, least: Span, most: Span },
    /// A number outside its range, or none.
    Number { field: &'static str, found: f64, most: f64 },
    /// Nothing would ever be probed.
    Zero { field: &'static str },
    /// [`Config::interval_min`] is longer than [`Config::interval_max`].
    Intervals { least: Span, most: Span },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { field, found, least, most } => {
                write!(f, "{field} is {found}; expected {least} to {most}")
            }
            Self::Number { field, found, most } => {
                write!(f, "{field} is {found}; expected a number from 0 to {most}")
            }
            Self::Zero { field } => write!(f, "{field} is 0; expected at least 1"),
            Self::Intervals { least, most } => write!(
                f,
                "interval_min is {least}, longer than interval_max, {most}; expected at most as \
                 long"
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// The limits that suit most. A chronon is 1 s and has 10 probes; 256 may be in flight. A host
    /// gets one request at a time and one per 5 s. Intervals start at 1 h and stay between 30 s and
    /// a day, with one change expected in ten probes. A capture is worth 6 h, and what is overdue
    /// at a start is spread over 10 min.
    pub fn standard() -> Config {
        Config {
            chronon: Span::SECOND,
            budget: 10.0,
            host_interval: Span::from_secs(5),
            host_in_flight: 1,
            in_flight_max: 256,
            interval_initial: Span::HOUR,
            interval_min: Span::from_secs(30),
            interval_max: Span::DAY,
            yield_min: 0.1,
            capture_worth: Span::HOUR.times(6),
            restart_spread: Span::MINUTE.times(10),
        }
    }

    /// No limit but the budget, as experiments want it: hosts may be asked at any time, and looks
    /// that find nothing are no reason to look less.
    pub fn free(chronon: Span, budget: f64) -> Config {
        Config {
            chronon,
            budget,
            host_interval: Span::ZERO,
            host_in_flight: u32::MAX,
            in_flight_max: u32::MAX,
            interval_min: Span::ZERO,
            interval_max: Span::DAY.times(3_650),
            yield_min: 0.0,
            ..Config::standard()
        }
    }

    /// Whether all of it can be: times of at most a century, the chronon and the first interval of
    /// at least 1 ms; a budget of at most 10^8 probes a chronon; something in flight.
    ///
    /// # Errors
    /// The first that cannot be, with what was expected.
    pub fn check(&self) -> Result<(), ConfigError> {
        let millisecond = Span::from_millis(1);
        let times = [
            ("chronon", self.chronon, millisecond, SPAN_MAX),
            ("host_interval", self.host_interval, Span::ZERO, SPAN_MAX),
            ("interval_initial", self.interval_initial, millisecond, SPAN_MAX),
            ("interval_min", self.interval_min, Span::ZERO, SPAN_MAX),
            ("interval_max", self.interval_max, millisecond, SPAN_MAX),
            ("capture_worth", self.capture_worth, Span::ZERO, WORTH_MAX),
            ("restart_spread", self.restart_spread, Span::ZERO, SPAN_MAX),
        ];
        for (field, found, least, most) in times {
            if found < least || found > most {
                return Err(ConfigError::Time { field, found, least, most });
            }
        }
        if self.interval_min > self.interval_max {
            let (least, most) = (self.interval_min, self.interval_max);
            return Err(ConfigError::Intervals { least, most });
        }
        let numbers =
            [("budget", self.budget, PER_CHRONON_MAX), ("yield_min", self.yield_min, YIELD_MAX)];
        for (field, found, most) in numbers {
            if !(0.0..=most).contains(&found) {
                return Err(ConfigError::Number { field, found, most });
            }
        }
        let counts =
            [("host_in_flight", self.host_in_flight), ("in_flight_max", self.in_flight_max)];
        match counts.into_iter().find(|(_, count)| *count == 0) {
            Some((field, _)) => Err(ConfigError::Zero { field }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scheduler;

    fn wrong(change: impl FnOnce(&mut Config)) -> String {
        let mut config = Config::standard();
        change(&mut config);
        Scheduler::new(config, 1).expect_err("it cannot be").to_string()
    }

    #[test]
    fn what_suits_most_is_taken() {
        assert!(Scheduler::new(Config::standard(), 1).is_ok());
    }

    #[test]
    fn a_configuration_that_cannot_be_is_refused_with_its_field_and_what_was_expected() {
        for span in [Span::ZERO, Span::from_millis(i64::MIN), Span::from_millis(i64::MAX)] {
            assert!(wrong(|c| c.chronon = span).starts_with("chronon is "));
            assert!(wrong(|c| c.interval_initial = span).starts_with("interval_initial is "));
            assert!(wrong(|c| c.interval_max = span).starts_with("interval_max is "));
        }
        for span in [Span::from_millis(-1), Span::from_millis(i64::MAX)] {
            assert!(wrong(|c| c.host_interval = span).starts_with("host_interval is "));
            assert!(wrong(|c| c.interval_min = span).starts_with("interval_min is "));
            assert!(wrong(|c| c.capture_worth = span).starts_with("capture_worth is "));
            assert!(wrong(|c| c.restart_spread = span).starts_with("restart_spread is "));
        }
        for number in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
            assert!(wrong(|c| c.budget = number).starts_with("budget is "));
            assert!(wrong(|c| c.yield_min = number).starts_with("yield_min is "));
        }
        assert_eq!(wrong(|c| c.in_flight_max = 0), "in_flight_max is 0; expected at least 1");
        assert_eq!(wrong(|c| c.host_in_flight = 0), "host_in_flight is 0; expected at least 1");
        assert_eq!(
            wrong(|c| c.interval_min = Span::DAY.times(2)),
            "interval_min is 2 d, longer than interval_max, 1 d; expected at most as long"
        );
        assert_eq!(
            wrong(|c| c.budget = -1.0),
            "budget is -1; expected a number from 0 to 100000000"
        );
    }
}
