//! Recurrences: t0 + kD, where D is elapsed time or steps of the calendar.

use crate::{Instant, LocalTime, Span, Zone};

/// A duration as the language means it: second, minute and hour are elapsed time, day and week
/// step the calendar of a zone, so that `every 1 day` from 09:00 stays at 09:00.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Period {
    /// Elapsed time, in milliseconds.
    Elapsed(Span),
    /// Calendar days.
    Days(u32),
}

impl Period {
    /// The period's nominal length: a calendar day counts 24 hours.
    pub fn nominal(self) -> Span {
        match self {
            Period::Elapsed(span) => span,
            Period::Days(days) => Span::DAY.times(i64::from(days)),
        }
    }

    /// `from` plus `k` periods, on the wall clock of `zone` for calendar periods. O(1).
    pub fn nth(self, from: Instant, k: u64, zone: &Zone) -> Instant {
        let k = i64::try_from(k).unwrap_or(i64::MAX);
        match self {
            Period::Elapsed(span) => from + span.times(k),
            Period::Days(days) => step_days(from, k.saturating_mul(i64::from(days)), zone),
        }
    }

    /// `from` minus one period.
    pub fn before(self, from: Instant, zone: &Zone) -> Instant {
        self.back(from, 1, zone)
    }

    /// `from` minus `k` periods. O(1).
    pub fn back(self, from: Instant, k: u64, zone: &Zone) -> Instant {
        let k = i64::try_from(k).unwrap_or(i64::MAX);
        match self {
            Period::Elapsed(span) => from - span.times(k),
            Period::Days(days) => step_days(from, -k.saturating_mul(i64::from(days)), zone),
        }
    }

    /// The largest k with `nth(from, k) <= at`; 0 if `at` is before `from`. O(1).
    pub fn index_at(self, from: Instant, at: Instant, zone: &Zone) -> u64 {
        let nominal = self.nominal().as_millis();
        if nominal <= 0 {
            return 0;
        }
        let mut k = (at.since(from).as_millis() / nominal) as u64;
        while k > 0 && self.nth(from, k, zone) > at {
            k -= 1;
        }
        while self.nth(from, k + 1, zone) <= at && k < u64::MAX / 2 {
            k += 1;
        }
        k
    }
}

fn step_days(from: Instant, days: i64, zone: &Zone) -> Instant {
    if days == 0 {
        return from;
    }
    let local = zone.local(from).0;
    let step = jiff::Span::new().try_days(days);
    match step.and_then(|step| local.checked_add(step)) {
        Ok(moved) => zone.instant(LocalTime(moved)),
        Err(_) if days > 0 => Instant::NEVER,
        Err(_) => Instant::EPOCH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_calendar_day_stays_at_the_same_hour_over_a_change_of_clocks() {
        let lisbon = Zone::parse("Europe/Lisbon").expect("zone");
        let nine = "2027-03-27T09:00".parse().expect("a time");
        let start = lisbon.instant(nine);
        let next = Period::Days(1).nth(start, 1, &lisbon);
        assert_eq!(next - start, Span::HOUR.times(23));
        assert_eq!(lisbon.local(next).to_string(), "2027-03-28 09:00");
    }

    proptest! {
        #[test]
        fn the_index_finds_the_period_that_holds_an_instant(
            from in 0i64..4_000_000_000_000,
            ahead in 0i64..400_000_000_000,
            days in 1u32..40,
            millis in 1i64..10_000_000_000,
        ) {
            let zone = Zone::parse("Europe/Lisbon").expect("zone");
            let (from, at) = (Instant::from_millis(from), Instant::from_millis(from + ahead));
            for period in [Period::Days(days), Period::Elapsed(Span::from_millis(millis))] {
                let k = period.index_at(from, at, &zone);
                prop_assert!(period.nth(from, k, &zone) <= at);
                prop_assert!(at < period.nth(from, k + 1, &zone));
            }
        }
    }
}
