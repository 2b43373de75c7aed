//! Politeness: one host's bucket of tokens, and how many requests it has at once.

use crate::grid::Grid;
use crate::onward::Turn;
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
    /// The same for requests that redirects lead here.
    pub(crate) redirects_held_until: Instant,
    /// Who goes first where both wait.
    pub(crate) turn: Turn,
    /// Sources there are.
    pub(crate) sources: u32,
    /// What the best source that was not probed would have brought lately, per cost.
    pub(crate) price: f32,
    /// The host's best candidate: here is room for it.
    pub(crate) root: u32,
}

impl Bucket {
    /// Counts from `since`.
    pub(crate) fn empty(since: Instant, interval: Span, in_flight_max: u32) -> Bucket {
        let held_until = Instant::from_millis(i64::MIN);
        Bucket {
            interval,
            in_flight_max,
            in_flight: 0,
            owed: 1,
            since,
            held_until,
            redirects_held_until: held_until,
            turn: Turn::Own,
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

    /// When the bucket has its token, and a request is polite, holds of the host aside.
    pub(crate) fn polite_at(&self) -> Instant {
        self.since + self.interval().times(self.owed.into())
    }

    /// When a request is polite and the host takes one.
    pub(crate) fn ready_at(&self, grid: Grid) -> Instant {
        self.polite_at().max(grid.up(self.held_until))
    }

    /// The same for requests that redirects lead here.
    pub(crate) fn onward_at(&self, grid: Grid) -> Instant {
        self.ready_at(grid).max(grid.up(self.redirects_held_until))
    }

    fn interval(&self) -> Span {
        self.interval.max(Span::ZERO)
    }

    pub(crate) fn has_room(&self) -> bool {
        self.in_flight < self.in_flight_max
    }

    /// `requests` were or are made at `now`; what the bucket does not hold becomes a debt.
    ///
    /// A request later than the token, by less than a chronon and an interval, pays from when the
    /// token came: so a host with work waiting is asked once per interval, however late each
    /// request is started. Hence two requests are never closer than the interval minus a chronon,
    /// and any n intervals hold at most n + 1 requests.
    pub(crate) fn spend(&mut self, now: Instant, requests: u32, grid: Grid) {
        if requests == 0 {
            return;
        }
        let token = self.polite_at();
        if token > now {
            self.owed = self.owed.saturating_add(requests);
            return;
        }
        let late = now - token < grid.length().min(self.interval());
        self.since = if late { token } else { grid.began(now, self.interval()) };
        self.owed = requests;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Instant {
        Instant::EPOCH + Span::from_secs(seconds)
    }

    #[test]
    fn hops_beyond_the_first_request_are_paid_back_before_the_next_probe() {
        let grid = Grid::new(Span::SECOND);
        let mut bucket = Bucket::empty(at(0), Span::from_secs(5), 1);
        assert_eq!(bucket.ready_at(grid), at(5));
        bucket.spend(at(7), 1, grid);
        bucket.spend(at(8), 2, grid);
        assert_eq!(bucket.ready_at(grid), at(22));
        bucket.spend(at(30), 1, grid);
        assert_eq!(bucket.ready_at(grid), at(35));
    }

    #[test]
    fn a_new_interval_holds_for_the_debt_as_well() {
        let grid = Grid::new(Span::SECOND);
        let mut bucket = Bucket::empty(at(0), Span::DAY, 1);
        bucket.interval = Span::from_secs(2);
        assert_eq!(bucket.ready_at(grid), at(2));
        bucket.spend(at(10), 1, grid);
        bucket.interval = Span::MINUTE;
        assert_eq!(bucket.ready_at(grid), at(70));
    }

    /// Requests at a host with work waiting, each `late` milliseconds after it is polite.
    fn requests(chronon: i64, interval: i64, late: &[i64]) -> Vec<i64> {
        let grid = Grid::new(Span::from_millis(chronon));
        let mut bucket = Bucket::empty(at(0), Span::from_millis(interval), 1);
        let request = |&late: &i64| {
            let now = bucket.ready_at(grid) + Span::from_millis(late);
            bucket.spend(now, 1, grid);
            now.as_millis()
        };
        late.iter().map(request).collect()
    }

    #[test]
    fn a_request_that_starts_a_few_milliseconds_late_makes_the_next_no_later() {
        let starts = requests(1_000, 5_000, &[3, 12, 0, 7]);
        assert_eq!(starts, [5_003, 10_012, 15_000, 20_007]);
        assert_eq!(requests(1_000, 1_500, &[1, 2, 3, 4]), [1_501, 3_002, 4_503, 6_004]);
        assert_eq!(requests(60_000, 5_000, &[4, 9, 4]), [5_004, 10_009, 15_004]);
    }

    #[test]
    fn a_request_that_nobody_waited_for_is_paid_from_the_start_of_its_chronon() {
        let grid = Grid::new(Span::SECOND);
        let mut bucket = Bucket::empty(at(0), Span::from_secs(5), 1);
        bucket.spend(at(60) + Span::from_millis(400), 1, grid);
        assert_eq!(bucket.ready_at(grid), at(65));
    }

    proptest! {
        #[test]
        fn a_host_with_work_waiting_gets_its_rate_and_any_n_intervals_at_most_n_and_one_requests(
            chronon in 1_i64..4_000,
            interval in 1_i64..9_000,
            share in 0.0_f64..1.0,
            late in prop::collection::vec(0.0_f64..1.0, 2..60),
        ) {
            let most = chronon.min(interval) as f64 * share;
            let late: Vec<i64> = late.iter().map(|late| (late * most) as i64).collect();
            let starts = requests(chronon, interval, &late);
            let apart = chronon.min(interval);
            for (i, start) in starts.iter().enumerate() {
                // No request is later than its turn and the time it was late itself.
                prop_assert_eq!(*start, interval * (i as i64 + 1) + late[i]);
                for (j, later) in starts.iter().enumerate().skip(i + 1) {
                    let least = interval * (j - i) as i64 - apart;
                    prop_assert!(later - start > least, "{}: {} to {}", j - i, start, later);
                }
            }
        }

        #[test]
        fn whenever_requests_come_any_n_intervals_hold_at_most_n_and_one(
            chronon in 1_i64..4_000,
            interval in 1_i64..9_000,
            pauses in prop::collection::vec(0_i64..20_000, 2..60),
        ) {
            let starts = requests(chronon, interval, &pauses);
            for (i, first) in starts.iter().enumerate() {
                for n in 1..=starts.len() as i64 {
                    let inside = starts[i..].iter().filter(|&&at| at < first + n * interval);
                    prop_assert!(inside.count() as i64 <= n + 1, "{n} from {first}: {starts:?}");
                }
                for later in &starts[i + 1..] {
                    prop_assert!(later - first > interval - chronon);
                }
            }
        }
    }
}
