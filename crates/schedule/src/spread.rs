//! When looks that come again and again begin, so that they are spread as evenly as possible.
//!
//! Comes in: from when to when the first look may come, and the looks of its host. Goes out: the
//! moment in that range which is farthest from all of them, now and in every later period: the
//! middle of the largest gap on the circle that the period is. Where each chronon has a look, it is
//! a chronon with the fewest. Turns decide which of several, and where the host has no others: the
//! binary digits of a count, reversed, fill any circle evenly (van der Corput), and so the looks of
//! all hosts are spread. Promises: pure; the same facts give the same moment; at most
//! [`BEATS_MAX`] looks and [`PLACES_MAX`] places on the circle are looked at.

use chronon::{Instant, Span};

/// Looks of a host beyond which turns decide for it too.
pub const BEATS_MAX: usize = 512;
/// Places on the circle that are looked at.
pub const PLACES_MAX: usize = 2_048;

/// Looks that come again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    /// One of them.
    pub first: Instant,
    /// From one to the next.
    pub period: Span,
}

/// Looks whose beginning is to be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Newcomer {
    /// The first look comes no sooner.
    pub from: Instant,
    /// It comes no later, and less than a period after `from`.
    pub latest: Instant,
    /// From one look to the next.
    pub period: Span,
    /// Tells newcomers apart, of all hosts: those of consecutive turns are spread evenly.
    pub turn: u32,
}

/// The moment of the first look: the start of a chronon, or `from`. O(n log n) for the places of
/// the host's looks on the circle.
#[must_use]
pub fn first_look(newcomer: &Newcomer, host: &[Beat], chronon: Span) -> Instant {
    let circle = newcomer.period.as_millis().max(1);
    let room = newcomer.latest.since(newcomer.from).as_millis().clamp(0, circle - 1);
    let places = places(newcomer, circle, host);
    let whole = chronon.as_millis().max(1);
    let place = match farthest(&places, circle, room) {
        Some((apart, place)) if apart >= whole || apart >= room => place,
        Some(_) => emptiest(newcomer, [circle, room], host, whole),
        None => in_turn(newcomer.turn, room + 1),
    };
    let at = newcomer.from + Span::from_millis(place);
    let start = Instant::from_millis(at.as_millis() - at.as_millis().rem_euclid(whole));
    start.max(newcomer.from)
}

/// Where on the circle of the newcomer, counted from its `from`, looks of others may fall in some
/// of its periods; ascending, each once. Those that fall nearly everywhere are left out.
fn places(newcomer: &Newcomer, circle: i64, host: &[Beat]) -> Vec<i64> {
    let mut places = Vec::new();
    if host.len() > BEATS_MAX {
        return places;
    }
    for beat in host {
        let step = common(circle, beat.period.as_millis().max(1));
        let copies = (circle / step) as usize;
        if copies <= PLACES_MAX - places.len().min(PLACES_MAX) {
            let ahead = beat.first.as_millis().saturating_sub(newcomer.from.as_millis());
            let first = ahead.rem_euclid(step);
            places.extend((0..copies as i64).map(|copy| first + copy * step));
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// How far from its neighbours among `places` the farthest place in [0, `room`] is, and that place,
/// the first of several; `None` where there are none.
fn farthest(places: &[i64], circle: i64, room: i64) -> Option<(i64, i64)> {
    let (&first, &last) = (places.first()?, places.last()?);
    let gaps = places.windows(2).map(|pair| (pair[0], pair[1]));
    // One gap holds the beginning of the circle: both of its ends are looked at.
    let around = [(last - circle, first), (last, first + circle)];
    let best = gaps.chain(around).filter_map(|(before, after)| {
        let (low, high) = (before.max(0), after.min(room));
        let place = (before + (after - before) / 2).clamp(low, high.max(low));
        (low <= high).then(|| ((place - before).min(after - place), std::cmp::Reverse(place)))
    });
    best.max().map(|(apart, std::cmp::Reverse(place))| (apart, place))
}

/// The chronon in [0, `room`] in which the fewest looks of the host begin, as a mean over periods;
/// long circles are divided into [`PLACES_MAX`] parts instead. O(looks · places).
fn emptiest(newcomer: &Newcomer, [circle, room]: [i64; 2], host: &[Beat], chronon: i64) -> i64 {
    let width = chronon.max(circle / PLACES_MAX as i64 + 1);
    // Chronons begin where the clock says, not where the newcomer does.
    let begun = newcomer.from.as_millis().rem_euclid(chronon);
    let mut looks = vec![0.0; circle as usize / width as usize + 1];
    let around = looks.len() - usize::from(circle % width == 0);
    for beat in host {
        let period = beat.period.as_millis().max(1);
        let step = common(circle, period);
        let ahead = beat.first.as_millis().saturating_sub(newcomer.from.as_millis());
        let (first, copies) = (ahead.rem_euclid(step), circle / step);
        // It falls everywhere.
        if copies > PLACES_MAX as i64 {
            continue;
        }
        for copy in 0..copies {
            let place = (first + copy * step + begun) / width;
            looks[place as usize % around] += step as f64 / period as f64;
        }
    }
    looks.truncate((room / width) as usize + 1);
    let fewest = looks.iter().copied().fold(f64::INFINITY, f64::min);
    let is_empty = |place: &usize| looks[*place] <= fewest + 1e-9;
    let places: Vec<usize> = (0..looks.len()).filter(is_empty).collect();
    let turn = in_turn(host.len() as u32, places.len() as i64);
    (places[turn as usize] as i64 * width).min(room)
}

/// 0, ½, ¼, ¾, ⅛, … of `length`: any run of turns is even.
fn in_turn(turn: u32, length: i64) -> i64 {
    ((i128::from(turn.reverse_bits()) * i128::from(length)) >> 32) as i64
}

/// The greatest common divisor.
fn common(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Instant {
        Instant::from_millis(1_800_000_000_000) + Span::from_secs(seconds)
    }

    fn newcomer(from: i64, period: i64, turn: u32) -> Newcomer {
        let period = Span::from_secs(period);
        Newcomer { from: at(from), latest: at(from) + period, period, turn }
    }

    /// How near the looks of a newcomer that begins `first` ever come to those of others: slowly,
    /// pair by pair.
    fn nearest(first: Instant, period: Span, host: &[Beat]) -> i64 {
        let apart = |beat: &Beat| {
            let looks =
                beat.period.as_millis() / common(period.as_millis(), beat.period.as_millis());
            let pair = |k: i64| {
                let look = first + period.times(k);
                let since =
                    (look.as_millis() - beat.first.as_millis()).rem_euclid(beat.period.as_millis());
                since.min(beat.period.as_millis() - since)
            };
            (0..looks).map(pair).min().unwrap_or(i64::MAX)
        };
        host.iter().map(apart).min().unwrap_or(i64::MAX)
    }

    #[test]
    fn a_page_alone_is_looked_at_at_once_and_the_second_of_its_host_half_a_period_later() {
        let alone = newcomer(7, 600, 0);
        assert_eq!(first_look(&alone, &[], Span::SECOND), at(7));
        let beat = Beat { first: at(7), period: Span::from_secs(600) };
        let second = first_look(&newcomer(7, 600, 1), &[beat], Span::SECOND);
        assert_eq!(second, at(307));
        let other = Beat { first: second, ..beat };
        assert_eq!(first_look(&newcomer(7, 600, 2), &[beat, other], Span::SECOND), at(157));
    }

    #[test]
    fn more_pages_of_a_host_than_chronons_in_their_period_are_as_many_in_each() {
        let mut host = Vec::new();
        let mut each = [0; 60];
        for turn in 0..240 {
            // Another host has every other turn.
            let first = first_look(&newcomer(0, 60, 2 * turn), &host, Span::SECOND);
            each[first.since(at(0)).as_secs_f64() as usize] += 1;
            host.push(Beat { first, period: Span::MINUTE });
        }
        assert_eq!(each, [4; 60]);
    }

    /// The oldest look goes as each new one comes.
    #[test]
    fn looks_of_a_full_host_that_are_replaced_one_by_one_spread_over_their_new_period() {
        let mut host: Vec<Beat> = Vec::new();
        for turn in 0..30 {
            let first = first_look(&newcomer(0, 15, turn), &host, Span::SECOND);
            host.push(Beat { first, period: Span::from_secs(15) });
        }
        let mut each = [0; 40];
        for turn in 30..60 {
            host.remove(0);
            let from = newcomer(20, 40, turn);
            let from = Newcomer { from: from.from + Span::from_millis(400), ..from };
            let first = first_look(&from, &host, Span::SECOND);
            each[(first.since(at(20)).as_secs_f64() as usize) % 40] += 1;
            host.push(Beat { first, period: Span::from_secs(40) });
        }
        assert!(each.iter().all(|looks| *looks <= 1), "{each:?}");
    }

    #[test]
    fn a_newcomer_begins_before_its_end_even_where_that_is_near() {
        let beat = Beat { first: at(0), period: Span::HOUR };
        let short = Newcomer { latest: at(60), ..newcomer(0, 3_600, 9) };
        assert_eq!(first_look(&short, &[beat], Span::SECOND), at(60));
        assert_eq!(first_look(&Newcomer { latest: at(-5), ..short }, &[], Span::SECOND), at(0));
    }

    #[test]
    fn hosts_of_very_many_looks_and_periods_of_any_length_are_spread_too() {
        let beat = Beat { first: at(0), period: Span::from_millis(999_983) };
        let host = vec![beat; BEATS_MAX + 1];
        let whole = newcomer(0, 86_400, 1);
        assert_eq!(first_look(&whole, &host, Span::SECOND), at(43_200));
        // It falls everywhere in time: turns decide.
        assert_eq!(first_look(&whole, &host[..1], Span::SECOND), at(43_200));
        let odd = Newcomer { period: Span::ZERO, ..whole };
        assert_eq!(first_look(&odd, &host[..1], Span::ZERO), at(0));
    }

    proptest! {
        #[test]
        fn no_other_moment_is_farther_from_the_looks_of_the_host(
            beats in prop::collection::vec((0i64..4_000, 0usize..6), 1..12),
            from in 0i64..4_000,
            period in 0usize..6,
            room in 0i64..1_000,
        ) {
            let periods = [60, 90, 120, 240, 360, 720];
            let host: Vec<Beat> = beats.iter().map(|&(first, period)| {
                Beat { first: at(first), period: Span::from_secs(periods[period]) }
            }).collect();
            let newcomer = newcomer(from, periods[period], 3);
            let newcomer = Newcomer { latest: newcomer.from + Span::from_secs(room), ..newcomer };
            let found = first_look(&newcomer, &host, Span::from_millis(1));
            let last = room.min(periods[period] - 1);
            prop_assert!(newcomer.from <= found && found <= newcomer.from + Span::from_secs(room));
            let best = (0..=last).map(|second| {
                nearest(newcomer.from + Span::from_secs(second), newcomer.period, &host)
            }).max();
            prop_assert!(Some(nearest(found, newcomer.period, &host)) >= best);
        }

        #[test]
        fn whatever_order_streams_come_in_the_looks_of_a_host_stay_even(
            froms in prop::collection::vec(0i64..90_000, 2..60),
        ) {
            let period = Span::from_secs(3_600);
            let mut host: Vec<Beat> = Vec::new();
            for (turn, &from) in froms.iter().enumerate() {
                let first = first_look(&newcomer(from, 3_600, turn as u32), &host, Span::SECOND);
                prop_assert!(at(from) <= first && first < at(from + 3_600));
                host.push(Beat { first, period });
            }
            let mut places: Vec<i64> =
                host.iter().map(|beat| beat.first.as_millis().rem_euclid(3_600_000)).collect();
            places.sort_unstable();
            let around = places[0] + 3_600_000;
            let gaps: Vec<i64> = places
                .iter()
                .zip(places[1..].iter().chain([&around]))
                .map(|(a, b)| b - a)
                .collect();
            let (least, most) = (gaps.iter().min().unwrap(), gaps.iter().max().unwrap());
            // Halves of halves, and what whole seconds take.
            prop_assert!(*most <= 2 * least + 4_000, "{gaps:?}");
        }

        #[test]
        fn any_run_of_turns_fills_a_circle_evenly(first in any::<u32>(), count in 1u32..400) {
            let places: Vec<i64> =
                (0..count).map(|turn| in_turn(first.wrapping_add(turn), 1_000_000)).collect();
            for (start, length) in [(0, 250_000), (310_000, 100_000), (640_000, 333_000)] {
                let inside =
                    places.iter().filter(|at| (start..start + length).contains(*at)).count() as f64;
                let even = f64::from(count) * length as f64 / 1e6;
                let most = 2.0 + f64::from(count).log2();
                prop_assert!((inside - even).abs() <= most, "{inside} instead of {even}");
            }
        }
    }
}
