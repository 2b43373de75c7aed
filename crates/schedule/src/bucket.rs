//! Politeness: one host's bucket of tokens, and how many requests it has at once.

use crate::grid::Grid;
use crate::pairing::NIL;
use chronon::{Instant, Span};

/// How fast the price follows: over about 50 probes.
const PRICE_PACE: f64 = 0.02;

/// The bucket holds one token and starts empty. Kept as a debt (`owed` tokens since `since`), so
/// that a change of the interval holds for what is owed already.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    pub(crate) interval: Span,
    pub(crate) in_flight_max: u32,
    pub(crate) in_flight: u32,
    owed: u32,
    since: Instant,
    pub(crate) held_until: Instant,
    /// Sources there are.
    pub(crate) sources: u32,
    /// What the best source that was not probed would have brought lately, per cost.
    pub(crate) price: f32,
    /// The host's best candidate: here is room for it.
    pub(crate) root: u32,
}

impl Bucket {
    pub(crate) fn empty(now: Instant, interval: Span, in_flight_max: u32) -> Bucket {
        let held_until = Instant::from_millis(i64::MIN);
        Bucket {
            interval,
            in_flight_max,
            in_flight: 0,
            owed: 1,
            since: now,
            held_until,
            sources: 0,
            price: 0.0,
            root: NIL,
        }
    }

    /// A probe was picked; `margin` is the index per cost of the best of the others, 0 without.
    pub(crate) fn observe(&mut self, margin: f64) {
        let price = f64::from(self.price);
        self.price = (price + PRICE_PACE * (margin - price)) as f32;
    }

    /// When the bucket has its token, whoever holds the host.
    fn full_at(&self) -> Instant {
        self.since + Span::from_millis(self.interval.as_millis().max(0)).times(self.owed.into())
    }

    /// The start of the first chronon in which a request is polite.
    pub(crate) fn polite_at(&self, grid: Grid) -> Instant {
        grid.up(self.full_at())
    }

    /// The start of the first chronon in which a request is polite and the host takes one.
    pub(crate) fn ready_at(&self, grid: Grid) -> Instant {
        grid.up(self.full_at().max(self.held_until))
    }

    pub(crate) fn has_room(&self) -> bool {
        self.in_flight < self.in_flight_max
    }

    /// `requests` were or are made at `now`; what the bucket does not hold becomes a debt.
    pub(crate) fn spend(&mut self, now: Instant, requests: u32) {
        if requests == 0 {
            return;
        }
        if self.full_at() <= now {
            (self.since, self.owed) = (now, requests);
        } else {
            self.owed = self.owed.saturating_add(requests);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Instant {
        Instant::EPOCH + Span::from_secs(seconds)
    }

    #[test]
    fn hops_beyond_the_first_request_are_paid_back_before_the_next_probe() {
        let grid = Grid::new(Span::SECOND);
        let mut bucket = Bucket::empty(at(0), Span::from_secs(5), 1);
        assert_eq!(bucket.ready_at(grid), at(5));
        bucket.spend(at(7), 1);
        bucket.spend(at(8), 2);
        assert_eq!(bucket.ready_at(grid), at(22));
        bucket.spend(at(30), 1);
        assert_eq!(bucket.ready_at(grid), at(35));
    }

    #[test]
    fn a_new_interval_holds_for_the_debt_as_well() {
        let grid = Grid::new(Span::SECOND);
        let mut bucket = Bucket::empty(at(0), Span::DAY, 1);
        bucket.interval = Span::from_secs(2);
        assert_eq!(bucket.ready_at(grid), at(2));
        bucket.spend(at(10), 1);
        bucket.interval = Span::MINUTE;
        assert_eq!(bucket.ready_at(grid), at(70));
    }
}
