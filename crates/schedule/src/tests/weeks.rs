//! Months of a world that changes by day, watched with the pattern of the week and without.

use crate::week::Week;
use crate::{Config, Event, Outcome, Scheduler};
use chronon::{HostId, Instant, SourceId, Span};
use std::collections::BTreeMap;

const BY_DAY: u32 = 15;
const SOURCES: u32 = 20;
const WEEKS_LEARNING: i64 = 4;
const WEEKS_COUNTED: i64 = 3;
const DAY: i64 = 86_400;
/// A Thursday, 0:00 UTC.
const START: i64 = 2_900 * 7 * DAY;

fn at(second: i64) -> Instant {
    Instant::from_millis((START + second) * 1000)
}

/// Whether a source changes in that minute: three times a day on average, the first fifteen from 8
/// to 18 on five days of the week, the others at any time.
fn changes(source: u32, minute: i64) -> bool {
    let (hour, day) = (minute / 60 % 24, minute / 1440 % 7);
    let at_work = (8..18).contains(&hour) && day != 2 && day != 3;
    let share = if source >= BY_DAY {
        1.0
    } else if at_work {
        24.0 / 10.0 * 7.0 / 5.0
    } else {
        0.0
    };
    let draw =
        crate::chance::spread(9, SourceId(source), minute as u64, Span::from_millis(1 << 40));
    (draw.as_millis() as f64) < share * 3.0 / 1440.0 * (1_u64 << 40) as f64
}

/// The same, where all sources change from 8 to 18 on five days of the week.
fn changes_at_work(source: u32, minute: i64) -> bool {
    changes(source % BY_DAY, minute)
}

/// Whether a source changes in that minute: every other day on average, at an hour of its own.
fn changes_at_its_hour(source: u32, minute: i64) -> bool {
    let day = (minute / 1440) as u64;
    let draw = crate::chance::spread(9, SourceId(source), day, Span::from_millis(2));
    minute % 1440 == i64::from(source * 7 % 24) * 60 + 20 && draw == Span::ZERO
}

fn is_day(second: i64) -> bool {
    let day = second / DAY % 7;
    (8..18).contains(&(second / 3600 % 24)) && day != 2 && day != 3
}

/// What was seen of the sources that change by day, and of the others.
#[derive(Debug, Default, Clone, Copy)]
struct Daily {
    probes: u32,
    by_day: u32,
    changes: u32,
    delay_hours: f64,
}

impl Daily {
    fn mean(&self) -> f64 {
        self.delay_hours / f64::from(self.changes)
    }
}

struct Watch {
    scheduler: Scheduler,
    changes: fn(u32, i64) -> bool,
    now: i64,
    /// Up to which minute the changes of each source were looked through.
    looked: Vec<i64>,
    /// What is known of the week instead of what would be learned.
    instead: Option<Week>,
    seen: [Daily; 2],
    /// When each source was probed last, and was said to be probed next.
    said: BTreeMap<SourceId, [Instant; 2]>,
    /// The intervals that were said, as shares of those that came.
    shares: Vec<f64>,
}

impl Watch {
    fn new(config: Config, learns: bool) -> Watch {
        let mut scheduler = Scheduler::new(config, 7).expect("the configuration can be");
        // Who changes at the same hours looks like company; here the pattern alone is asked.
        scheduler.kin.is_deaf = true;
        for id in 0..SOURCES {
            let source = SourceId(id);
            scheduler.handle(at(0), Event::SourceAdded { source, host: HostId(id), prior: None });
            scheduler.handle(at(0), Event::Weight { source, weight: 1.0 });
        }
        let looked = vec![0; SOURCES as usize];
        let instead = (!learns).then(Week::new);
        let (seen, said, shares) = ([Daily::default(); 2], BTreeMap::new(), Vec::new());
        Watch { scheduler, changes, now: 0, looked, instead, seen, said, shares }
    }

    /// Probes end at once. Only what is found after `from` counts.
    fn run(&mut self, until: i64, from: i64) {
        let mut picks = Vec::new();
        while let Some(due) = self.scheduler.next_deadline().filter(|&due| due <= at(until)) {
            self.now = self.now.max((due - at(0)).as_millis() / 1000);
            self.scheduler.poll(at(self.now), &mut picks);
            // As the server stores it, once an hour.
            self.scheduler.take_week();
            for pick in picks.drain(..) {
                let outcome = self.look(pick.source.0, self.now > from);
                let (source, start) = (pick.source, at(self.now));
                self.scheduler.handle(
                    start,
                    Event::Probed { source, start, outcome, found: 0, times: Vec::new() },
                );
                let due = self.scheduler.outlook(start, source).due.expect("it is watched");
                if let Some([last, said]) = self.said.insert(source, [start, due]) {
                    let after = |at: Instant| at.since(last).as_secs_f64();
                    self.shares.push(after(said) / after(start));
                }
                if let Some(week) = &self.instead {
                    self.scheduler.week = week.clone();
                }
            }
        }
        self.now = until;
    }

    fn look(&mut self, source: u32, counts: bool) -> Outcome {
        let (now, since) = (self.now / 60, self.looked[source as usize]);
        self.looked[source as usize] = now;
        let found = (since..now).filter(|&minute| (self.changes)(source, minute));
        let waited: Vec<f64> = found.map(|minute| (now - minute) as f64 / 60.0).collect();
        if counts {
            let seen = &mut self.seen[usize::from(source >= BY_DAY)];
            seen.probes += 1;
            seen.by_day += u32::from(is_day(self.now));
            seen.changes += waited.len() as u32;
            seen.delay_hours += waited.iter().sum::<f64>();
        }
        if waited.is_empty() { Outcome::Unchanged } else { Outcome::Changed }
    }

    /// What was seen after the weeks of learning.
    fn months(mut self) -> [Daily; 2] {
        let learning = WEEKS_LEARNING * 7 * DAY;
        self.run(learning + WEEKS_COUNTED * 7 * DAY, learning);
        self.seen
    }

    /// One that has learned for weeks, and of which all counts from now on.
    fn learned(config: Config) -> Watch {
        let mut watch = Watch::new(config, true);
        watch.run(WEEKS_LEARNING * 7 * DAY, i64::MAX);
        watch
    }

    /// A new life with what this one told.
    fn restarted(&mut self, config: Config) -> Scheduler {
        let mut scheduler = Scheduler::new(config, 7).expect("the configuration can be");
        let week = self.scheduler.week_record().expect("something was seen").clone();
        assert!(scheduler.recall_week(at(self.now), &week));
        let ids = (0..SOURCES).map(SourceId);
        for record in ids.filter_map(|id| self.scheduler.record(id)) {
            let (source, host) = (record.source, HostId(record.source.0));
            let event = Event::SourceAdded { source, host, prior: Some(record) };
            scheduler.handle(at(self.now), event);
            scheduler.handle(at(self.now), Event::Weight { source, weight: 1.0 });
        }
        scheduler
    }
}

fn config(yield_min: f64, a_day: f64) -> Config {
    let (chronon, budget) = (Span::MINUTE, a_day / 1440.0);
    Config { chronon, budget, yield_min, ..Config::standard() }
}

/// What is probed at night, as a share of 1: 14 of 24 hours, and two days, are night.
fn by_night(seen: Daily) -> f64 {
    f64::from(seen.probes - seen.by_day) / f64::from(seen.probes)
}

#[test]
fn a_source_that_changes_only_by_day_is_looked_at_by_day_and_its_changes_are_told_sooner() {
    let with = Watch::new(config(0.1, 10_000.0), true).months();
    // Without the pattern, at more probes.
    let without = Watch::new(config(0.09, 10_000.0), false).months();
    println!("with the pattern {with:?}\nwithout {without:?}");
    assert!(without[0].probes >= with[0].probes && without[1].probes >= with[1].probes);
    assert!(by_night(without[0]) > 0.68 && by_night(with[0]) < 0.52);
    assert!(with[0].mean() < 0.8 * without[0].mean());
    // Who changes around the clock is looked at around the clock.
    assert!((by_night(with[1]) - by_night(without[1])).abs() < 0.03);
}

#[test]
fn where_the_budget_is_short_changes_are_told_no_later_with_the_pattern_of_the_week() {
    let [with, without] =
        [true, false].map(|learns| Watch::new(config(0.0, 80.0), learns).months());
    println!("with the pattern {with:?}\nwithout {without:?}");
    let sum = |seen: [Daily; 2]| {
        (seen[0].probes + seen[1].probes, seen[0].delay_hours + seen[1].delay_hours)
    };
    assert!(sum(with).0.abs_diff(sum(without).0) < 50);
    assert!(sum(with).1 < sum(without).1);
    // Days are 0.3 of the week: more than that is spent on them, of what nights have saved.
    let by_day =
        |seen: [Daily; 2]| f64::from(seen[0].by_day + seen[1].by_day) / f64::from(sum(seen).0);
    assert!(by_day(with) > 0.33 && by_day(without) < 0.31, "{} {}", by_day(with), by_day(without));
}

#[test]
fn where_all_change_at_work_nights_and_weekends_pay_for_the_hours_of_work() {
    let [with, without] = [true, false].map(|learns| {
        let watch = Watch::new(config(0.0, 80.0), learns);
        Watch { changes: changes_at_work, ..watch }.months()
    });
    println!("with the pattern {with:?}\nwithout {without:?}");
    let sum = |of: fn(Daily) -> f64, seen: [Daily; 2]| of(seen[0]) + of(seen[1]);
    let by_day = sum(|seen| seen.by_day.into(), with) / sum(|seen| seen.probes.into(), with);
    let delay = |seen| sum(|seen| seen.delay_hours, seen);
    assert!(by_day > 0.52, "{by_day}");
    assert!(delay(with) < 0.65 * delay(without), "{} {}", delay(with), delay(without));
}

#[test]
fn a_burst_of_looks_worth_much_does_not_hide_what_others_are_worth() {
    let [plain, burst] = [false, true].map(|bursts| {
        let mut watch = Watch::learned(config(0.0, 80.0));
        for day in WEEKS_LEARNING * 7..(WEEKS_LEARNING + WEEKS_COUNTED) * 7 {
            watch.run(day * DAY + DAY / 2, 0);
            if bursts {
                watch.scheduler.price.recall([1e12; 2]);
            }
        }
        watch.seen
    });
    println!("plain {plain:?}\nwith bursts {burst:?}");
    let delay = |seen: [Daily; 2]| seen[0].delay_hours + seen[1].delay_hours;
    assert!(delay(burst) < 1.1 * delay(plain), "{} {}", delay(burst), delay(plain));
}

#[test]
fn a_source_with_an_hour_of_its_own_is_looked_at_after_that_hour() {
    let [with, without] = [true, false].map(|learns| {
        let watch = Watch::new(config(0.0, 80.0), learns);
        Watch { changes: changes_at_its_hour, ..watch }.months()
    });
    println!("with its own hours {with:?}\nwithout {without:?}");
    let mean = |[some, others]: [Daily; 2]| {
        (some.delay_hours + others.delay_hours) / f64::from(some.changes + others.changes)
    };
    assert!(mean(with) < 0.9 * mean(without), "{} {}", mean(with), mean(without));
}

#[test]
fn who_is_started_anew_each_noon_looks_nearly_as_often_and_hears_nearly_as_soon() {
    let config = || config(0.0, 80.0);
    let [plain, restarted] = [false, true].map(|is_restarted| {
        let mut watch = Watch::learned(config());
        for day in WEEKS_LEARNING * 7..(WEEKS_LEARNING + WEEKS_COUNTED) * 7 {
            watch.run(day * DAY + DAY / 2, 0);
            if is_restarted {
                watch.scheduler = watch.restarted(config());
                watch.scheduler.kin.is_deaf = true;
            }
        }
        watch.seen
    });
    println!("plain {plain:?}\nstarted anew {restarted:?}");
    let sum = |seen: [Daily; 2]| {
        let probes = f64::from(seen[0].probes + seen[1].probes);
        (probes, seen[0].delay_hours + seen[1].delay_hours)
    };
    assert!(sum(restarted).0 > 0.9 * sum(plain).0);
    assert!(sum(restarted).1 < 1.15 * sum(plain).1);
}

#[test]
fn looks_that_the_budget_puts_off_are_said_to_come_when_they_come() {
    for [yield_min, a_day] in [[0.0, 80.0], [0.1, 80.0], [0.0, 400.0]] {
        let mut watch = Watch::learned(config(yield_min, a_day));
        watch.shares.clear();
        watch.run((WEEKS_LEARNING + 1) * 7 * DAY, 0);
        watch.shares.sort_by(f64::total_cmp);
        let part = |share: f64| watch.shares[(watch.shares.len() as f64 * share) as usize];
        let [early, middle, late] = [0.1, 0.5, 0.9].map(part);
        let fits = early > 0.75 && (0.9..1.1).contains(&middle) && late < 1.3;
        assert!(fits, "{a_day} looks a day: {early}, {middle}, {late}");
    }
}

#[test]
fn a_budget_that_is_told_again_changes_nothing() {
    let config = || config(0.0, 80.0);
    let [once, often] = [false, true].map(|is_told| {
        let mut watch = Watch::learned(config());
        for hour in WEEKS_LEARNING * 7 * 24..(WEEKS_LEARNING + 1) * 7 * 24 {
            watch.run(hour * 3600, 0);
            if is_told {
                let again = Event::BudgetSet { per_chronon: config().budget };
                watch.scheduler.handle(at(watch.now), again);
            }
        }
        format!("{:?}", watch.seen)
    });
    assert_eq!(once, often);
}

#[test]
fn the_pattern_and_who_keeps_to_it_survive_a_restart() {
    let mut watch = Watch::new(config(0.1, 10_000.0), true);
    watch.run(WEEKS_LEARNING * 7 * DAY, 0);
    let other = watch.restarted(config(0.1, 10_000.0));
    let mut flat = 0;
    for id in 0..SOURCES {
        // How much longer the next interval is than at a steady rate.
        let stretched = |scheduler: &Scheduler| {
            let expected = scheduler.expectation(SourceId(id)).expect("it is watched");
            expected.interval.as_secs_f64() * expected.per_second / 0.1
        };
        let (before, after) = (stretched(&watch.scheduler), stretched(&other));
        // What all sources share of their rates is learned anew.
        assert!((before / after - 1.0).abs() < 0.05, "{id}: {before} and {after}");
        flat += u32::from((after - 1.0).abs() < 0.01);
    }
    assert!((3..=8).contains(&flat), "{flat} of {SOURCES} know no hours");
}
