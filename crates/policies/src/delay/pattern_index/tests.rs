//! The lazy choice beside a look at every source, and what links and plans are worth.

use super::{PatternIndex, Ranked};
use crate::Dice;
use crate::delay::{DAY, DelayPolicy, Posting, Setting};
use proptest::prelude::*;

/// The slow twin looks at every source.
fn scan(online: &PatternIndex, now: f64, room: usize, threshold: f64) -> Vec<Ranked> {
    let all = (0..online.setting.sources).map(|source| online.ranked(source as u32, now));
    let mut all: Vec<Ranked> = all.filter(|ranked| ranked.index > threshold).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.truncate(room);
    all
}

/// Sources that post by the hour of the day, some of them together.
fn posted(source: usize, from: f64, to: f64) -> Vec<Posting> {
    let every = DAY * [0.25, 1.0, 1.0, 3.0, 7.0][source % 5];
    let phase = (source / 3) as f64 * 5000.0;
    let first = libm::ceil((from - phase) / every) as i64;
    (first..)
        .map(|k| Posting { time: phase + k as f64 * every, weight: 1.0 })
        .take_while(|posting| posting.time < to)
        .filter(|posting| posting.time >= from)
        .collect()
}

/// Lives from `begin` on for a number of chronons, when all that was posted before is known;
/// tells `after` of each chronon how many probes it had.
fn live(
    online: &mut PatternIndex,
    begin: f64,
    chronons: u32,
    news: &dyn Fn(u32, f64, f64) -> Vec<Posting>,
    mut after: impl FnMut(u32, usize),
) {
    let Setting { sources, chronon_seconds, burst_max, .. } = online.setting;
    let (mut picks, mut until) = (Vec::new(), vec![begin; sources]);
    for source in 0..sources as u32 {
        online.retrieved(source, begin, &news(source, 0.0, begin));
    }
    for chronon in 0..chronons {
        let now = begin + f64::from(chronon) * chronon_seconds;
        if now.rem_euclid(DAY) == 0.0 {
            online.plan(now);
        }
        picks.clear();
        online.choose(now, burst_max as usize, &mut picks);
        for &source in &picks {
            let from = std::mem::replace(&mut until[source as usize], now);
            online.retrieved(source, now, &news(source, from, now));
        }
        after(chronon, picks.len());
    }
}

/// What the best link tells a source, times how far it is believed, as a mean over eight sources.
/// Half a year has passed; source s posted in chronon c if `posts(c, s)`.
fn belief(posts: impl Fn(u64, u64) -> bool) -> f64 {
    let (sources, chronon_seconds) = (8_usize, 1800.0);
    let setting = Setting { sources, per_day: 8.0, chronon_seconds, burst_max: 2.0, seed: 1 };
    let mut online = PatternIndex::new(setting, 0.0);
    let news = |source: u32, from: f64, to: f64| -> Vec<Posting> {
        let time = |c: u64| c as f64 * chronon_seconds + 10.0 * f64::from(source);
        let [from, to] = [from, to].map(|time| (time / chronon_seconds) as u64);
        let own = (from..to).filter(|&c| posts(c, u64::from(source)));
        own.map(|c| Posting { time: time(c), weight: 1.0 }).collect()
    };
    live(&mut online, 60.0 * DAY, 48 * 180, &news, |_, _| ());
    let mut told = vec![0.0_f64; sources];
    for source in 0..sources as u32 {
        for link in online.families.links(source) {
            let told = &mut told[link.source as usize];
            *told = told.max(link.chance * online.trust.of(link.source));
        }
    }
    told.iter().sum::<f64>() / sources as f64
}

#[test]
fn what_was_saved_because_the_first_price_was_wrong_is_spent_in_the_end() {
    let (sources, per_day, chronon_seconds) = (3_u32, 36.0, 1800.0);
    let setting =
        Setting { sources: sources as usize, per_day, chronon_seconds, burst_max: 10.0, seed: 1 };
    let mut online = PatternIndex::new(setting, 0.0);
    // Six postings a day, all before noon.
    let news = |source: u32, from: f64, to: f64| -> Vec<Posting> {
        let time = |k: i32| {
            let (day, part) = (f64::from(k / 6), f64::from(k % 6));
            day * DAY + part * 7_200.0 + 700.0 * f64::from(source)
        };
        let all = (0..6 * 120).map(time).filter(|time| (from..to).contains(time));
        all.map(|time| Posting { time, weight: 1.0 }).collect()
    };
    live(&mut online, 40.0 * DAY, 48 * 60, &news, |_, _| ());
    let days = online.saved / per_day;
    assert!(days.abs() < 0.5, "{days} days' budget are left over");
}

#[test]
fn no_more_than_a_twentieth_is_overspent_where_nothing_is_known_yet() {
    let (sources, per_day, chronon_seconds) = (20_usize, 10.0, 1800.0);
    let setting = Setting { sources, per_day, chronon_seconds, burst_max: 10.0, seed: 1 };
    let mut online = PatternIndex::new(setting, 0.0);
    let news = |source: u32, from, to| posted(source as usize, from, to);
    let mut spent = 0;
    live(&mut online, 0.0, 48 * 20, &news, |chronon, picked| {
        spent += picked;
        let granted = f64::from(chronon + 1) * setting.per_chronon();
        assert!(spent as f64 <= granted * 1.05 + 1e-9, "{spent} of {granted}");
    });
}

#[test]
fn links_stay_where_sources_post_together_and_fade_where_only_the_clock_is_the_same() {
    let mut dice = Dice::new(7);
    let chances: Vec<u64> = (0..48 * 240).map(|_| dice.bits()).collect();
    let one_in = |chance: u64, n: u64| (chance >> 8).is_multiple_of(n);
    // About every two days, at any time, all but one in eight.
    let families = belief(|c, s| {
        let chance = chances[c as usize];
        one_in(chance, 96) && chance & 7 != s
    });
    // At nine o'clock, each on every other day of its own.
    let clocks = belief(|c, s| c % 48 == 18 && chances[c as usize] >> s & 1 == 1);
    assert!(families > 0.6 && clocks < 0.1, "{families} {clocks}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn the_sources_awake_hold_the_best_of_all(
        sources in 3_usize..40, room in 1_usize..4, pull in 0.3_f64..2.0, flat in 0_u8..2,
        seed in 0_u64..9,
    ) {
        let per_day = sources as f64 * 0.7;
        let chronon_seconds = 1800.0;
        let setting =
            Setting { sources, per_day, chronon_seconds, burst_max: room as f64, seed };
        // By the index alone: by plan one is due at any price.
        let mut online = PatternIndex { plans: Vec::new(), ..PatternIndex::new(setting, 0.0) };
        let begin = 20.0 * DAY;
        let mut last = vec![begin; sources];
        for source in 0..sources {
            online.retrieved(source as u32, begin, &posted(source, 0.0, begin));
        }
        let mut looked = 0;
        for tick in 0_u32..240 {
            let now = begin + f64::from(tick) * chronon_seconds;
            if tick % 48 == 0 {
                online.plan(now);
            }
            // The threshold moves both ways.
            let wave = libm::exp(pull * libm::sin(f64::from(tick) / 9.0 + seed as f64));
            let threshold = if flat == 0 { online.price * wave } else { 0.0 };
            let slow = scan(&online, now, room, threshold);
            let before = online.looks();
            let best = online.best(now, room, threshold);
            looked += online.looks() - before;
            prop_assert_eq!(&best, &slow, "tick {}", tick);
            for ranked in best {
                let source = ranked.source as usize;
                online.retrieved(ranked.source, now, &posted(source, last[source], now));
                last[source] = now;
            }
        }
        prop_assert!(looked > 0 && looked <= 240 * sources as u64);
    }
}
