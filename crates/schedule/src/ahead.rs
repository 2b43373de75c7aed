//! When a source is best looked at next, if a look has a price and its hours differ.
//!
//! Who looks at `b` after `a` lets c(a, b) wait: what comes between the two. Backwards from a
//! horizon, V(a) = price + min c(a, b) + V(b), over later marks b. Beyond the horizon a second of
//! density d costs gap·√d, which is what looks at their best distance cost where hours are long
//! beside it. Where gaps are long beside a week, only the first look is worked out. What follows it
//! then costs gap·d. So the mean cost need not be known, and nothing is kept.
//!
//! All is per item and second of mean rate: costs in seconds², the price in half of gap².

/// Marks in a gap. An hour has at least one while the first look is looked for.
const MARKS_A_GAP: f64 = 12.0;
const STEP_MAX: f64 = 3_600.0;
/// Where the density falls below this share of it there is a mark: looks are best as it falls.
const FALLS: f64 = 0.8;
/// The horizon is `GAPS` gaps and a day away, for short gaps `GAPS_A_DAY` gaps instead of the day.
/// Where that is more than the most, it is now.
const GAPS: f64 = 2.0;
const DAY: f64 = 86_400.0;
const GAPS_A_DAY: f64 = 24.0;
const HORIZON_MAX: f64 = 14.0 * DAY;
/// Looks after the horizon are at most this number of gaps and half a day behind it.
const GAPS_AFTER: f64 = 1.5;
/// An answer is no further away: it is asked for again then.
const AHEAD_MAX: f64 = 172_800.0;
/// What is gained by putting off a look is at least this share of its price.
const GAIN_MIN: f64 = 0.1;

/// A time at which a look may come.
#[derive(Debug, Clone, Copy)]
struct Mark {
    /// Seconds from now.
    at: f64,
    /// What waits then, if nobody looks, and how long that has waited since now.
    items: f64,
    waited: f64,
    /// What all before it costs by the rule beyond the horizon.
    tail: f64,
}

impl Mark {
    /// c: what waits at `later` of what came since a look here.
    fn until(&self, later: &Mark) -> f64 {
        later.waited - self.waited - self.items * (later.at - self.at)
    }
}

/// How far ahead is looked, and how closely.
#[derive(Debug, Clone, Copy)]
struct Scope {
    gap: f64,
    horizon: f64,
    end: f64,
}

impl Scope {
    fn of(price: f64) -> Scope {
        let gap = libm::sqrt(2.0 * price);
        let day = DAY.min(GAPS_A_DAY * gap);
        let horizon = GAPS * gap + day;
        if horizon > HORIZON_MAX {
            return Scope { gap, horizon: 0.0, end: AHEAD_MAX };
        }
        Scope { gap, horizon, end: horizon + GAPS_AFTER * gap + day / 2.0 }
    }

    /// The step from a mark on.
    fn step(&self, at: f64) -> f64 {
        let step = self.gap / MARKS_A_GAP;
        if at < AHEAD_MAX.min(GAPS_AFTER * self.gap) { step.min(STEP_MAX) } else { step }
    }

    /// The marks from now on, where so much waits. A piece is its seconds and its density.
    fn marks(&self, waits: f64, pieces: impl Iterator<Item = (f64, f64)>) -> Vec<Mark> {
        let mut mark = Mark { at: 0.0, items: waits, waited: 0.0, tail: 0.0 };
        let (mut marks, mut pieces) = (vec![mark], pieces.peekable());
        while let Some((seconds, density)) = pieces.next().filter(|_| mark.at < self.end) {
            let a_second = if self.horizon > 0.0 { libm::sqrt(density) } else { density };
            let parts = libm::ceil(seconds / self.step(mark.at)).max(1.0);
            let part = seconds / parts;
            let falls = pieces.peek().is_some_and(|&(_, next)| next < FALLS * density);
            for left in (0..parts as usize).rev() {
                mark.waited += (mark.items + density * part / 2.0) * part;
                mark.items += density * part;
                mark.tail += self.gap * a_second * part;
                mark.at += part;
                let last = marks.last().map_or(0.0, |last| last.at);
                if left == 0 && falls || mark.at - last > 0.99 * self.step(last) {
                    marks.push(mark);
                }
            }
        }
        marks
    }
}

/// Seconds from now at which a look is better than now, if it is by a tenth of its `price`, and
/// `waits` now. `pieces` follow from now on without an end, each its seconds and density. At most
/// two days: what is further away is asked for again then.
pub(crate) fn better_later(
    price: f64,
    waits: f64,
    pieces: impl Iterator<Item = (f64, f64)>,
) -> Option<f64> {
    if !price.is_finite() || price <= 0.0 {
        return None;
    }
    let scope = Scope::of(price);
    let marks = scope.marks(waits, pieces);
    let mut after = vec![0.0; marks.len()];
    // The best look after a later one is never sooner.
    let mut last = marks.len() - 1;
    for (from, mark) in marks.iter().enumerate().rev() {
        if mark.at >= scope.horizon {
            after[from] = -mark.tail;
            continue;
        }
        let mut best = (f64::INFINITY, last);
        for to in from + 1..=last {
            let cost = mark.until(&marks[to]) + after[to];
            if cost < best.0 {
                best = (cost, to);
            }
        }
        after[from] = price + best.0;
        last = best.1;
    }
    let mut best = (after[0] - GAIN_MIN * price, None);
    for (mark, after) in marks.iter().zip(&after).skip(1) {
        if mark.waited + after < best.0 {
            best = (mark.waited + after, Some(mark.at.min(AHEAD_MAX)));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::{AHEAD_MAX, GAIN_MIN, better_later};
    use proptest::prelude::*;

    const HOUR: f64 = 3_600.0;
    const DAY: f64 = 24.0 * HOUR;

    /// What waits in these hours until their end, nobody looking.
    fn waiting(density: &[f64], waits: f64) -> f64 {
        let (mut items, mut cost) = (waits, 0.0);
        for &density in density {
            cost += (items + density * HOUR / 2.0) * HOUR;
            items += density * HOUR;
        }
        cost
    }

    /// The least cost of the hours to come by trying all looks, by the hour of the first.
    fn least(density: &[f64], waits: f64, price: f64) -> Vec<f64> {
        let hours = density.len();
        let mut after = vec![0.0; hours + 1];
        for from in (0..hours).rev() {
            let cost = |to: usize| waiting(&density[from..to], 0.0) + after[to];
            after[from] = price + (from + 1..=hours).map(cost).fold(f64::INFINITY, f64::min);
        }
        (0..48).map(|first| waiting(&density[..first], waits) + after[first]).collect()
    }

    fn repeated(day: &[f64; 24], from: usize) -> impl Iterator<Item = (f64, f64)> {
        (from..).map(move |hour| (HOUR, day[hour % 24]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        /// The slow twin tries all hours of eight days, the first look at any hour of two.
        #[test]
        fn who_looks_then_pays_little_more_than_the_best_of_all_plans(
            day in prop::array::uniform24(0.05..1.0_f64), busy in 0_usize..24,
            times in 1.0..40.0_f64,
            gap in 8.0..30.0_f64, from in 0_usize..24, waits in 0.0..20.0_f64,
        ) {
            let mut day = day;
            day[busy] *= times;
            let mean = day.iter().sum::<f64>() / 24.0;
            let day = day.map(|density| density / mean);
            let (price, waits) = ((gap * HOUR).powi(2) / 2.0, waits * HOUR);
            let density: Vec<f64> = (from..from + 192).map(|hour| day[hour % 24]).collect();
            let all = least(&density, waits, price);
            let best = all.iter().copied().fold(f64::INFINITY, f64::min);
            let later = better_later(price, waits, repeated(&day, from)).unwrap_or(0.0);
            let found = all[(libm::round(later / HOUR) as usize).min(47)];
            prop_assert!(found - best <= (GAIN_MIN + 0.1) * price, "{later}: {found} {best}");
        }
    }

    #[test]
    fn a_clock_that_strikes_beyond_the_gap_that_pays_is_waited_for() {
        let day = core::array::from_fn(|hour| if hour == 12 { 23.0 } else { 1.0 / 23.0 });
        let later = |hour, waits: f64, gap: f64| {
            better_later((gap * HOUR).powi(2) / 2.0, waits * HOUR, repeated(&day, hour))
        };
        // The next strike is 22 hours away, and hardly anything waits.
        assert_eq!(later(15, 1.0, 24.0), Some(22.0 * HOUR));
        assert_eq!(later(13, 23.0, 24.0), None, "it has just struck");
        assert_eq!(later(10, 1.0, 24.0), Some(3.0 * HOUR));
    }

    #[test]
    fn where_hours_are_alike_a_look_is_put_off_until_its_gap_is_over_and_no_longer() {
        let even = || std::iter::repeat((HOUR, 1.0));
        for hours in [6.0, 24.0, 100.0, 300.0] {
            let gap = hours * HOUR;
            assert_eq!(better_later(gap * gap / 2.0, gap, even()), None, "{hours}");
            let later = better_later(gap * gap / 2.0, 0.0, even()).expect("it was looked at");
            assert!((later - gap.min(AHEAD_MAX)).abs() <= gap / 12.0 + 1.0, "{hours}: {later}");
        }
    }

    #[test]
    fn what_is_no_price_puts_nothing_off() {
        for price in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(better_later(price, DAY, std::iter::repeat((HOUR, 1.0))), None);
        }
    }
}
