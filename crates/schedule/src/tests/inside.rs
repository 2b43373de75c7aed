//! What only a look inside the scheduler tells.

use crate::rate::Learner;
use crate::week::Week;
use crate::{Config, Event, Outcome, Scheduler, SourceRecord};
use chronon::{HostId, Instant, SourceId, Span};

/// Fifteen seconds before an hour.
const START: i64 = 1_799_999_985_123;

#[test]
fn who_waits_steps_back_as_a_busier_hour_begins() {
    let config = Config { budget: 0.0, restart_spread: Span::ZERO, ..Config::standard() };
    let mut scheduler = Scheduler::new(config, 7).expect("the configuration can be");
    // The hour of the start is quiet, the next one busy, and so on.
    let quiet = START / 3_600_000 % 2;
    let busy = |hour: usize| if hour as i64 % 2 == quiet { 0.0 } else { 500.0 };
    scheduler.week = Week::of(std::array::from_fn(busy));
    let two_hours_ago = Instant::from_millis(START - 7_200_000);
    for (id, score) in [(1, 20.0), (2, 0.0)] {
        let (source, host) = (SourceId(id), HostId(id));
        // Enough evidence that nothing more is learned: ten changes a day.
        let learned = Learner::from_numbers([1e8, 8.64e11, 1e8, 8.64e11, 0.0, 1e6]);
        let prior =
            SourceRecord { score, ..SourceRecord::known(source, learned, 1_000, two_hours_ago) };
        let start = Instant::from_millis(START);
        scheduler.handle(start, Event::SourceAdded { source, host, prior: Some(prior) });
        scheduler.handle(start, Event::Weight { source, weight: 1.0 });
    }
    let mut other = scheduler.clone();
    let first = |scheduler: &mut Scheduler, seconds: i64| {
        let now = Instant::from_millis(START) + Span::from_secs(seconds);
        let mut picks = Vec::new();
        scheduler.handle(now, Event::BudgetSet { per_chronon: 1.0 });
        scheduler.poll(now + Span::from_secs(2), &mut picks);
        picks[0].source
    };
    assert_eq!(first(&mut scheduler, 8), SourceId(1), "nothing new is to come for an hour");
    assert_eq!(first(&mut other, 20), SourceId(2), "the first had better wait");
}

#[test]
fn who_is_put_off_waits_no_longer_than_the_longest_interval() {
    let wake = |longest: Span| {
        let config = Config {
            interval_min: Span::SECOND,
            interval_max: longest,
            yield_min: 0.0,
            restart_spread: Span::ZERO,
            ..Config::standard()
        };
        let mut scheduler = Scheduler::new(config, 7).expect("the configuration can be");
        // The next hour is busy, and what a probe costs buys a gap of two minutes and a half.
        let quiet = START / 3_600_000 % 2;
        let busy = |hour: usize| if hour as i64 % 2 == quiet { 30.0 } else { 500.0 };
        scheduler.week = Week::of(std::array::from_fn(busy));
        (0..200).for_each(|_| scheduler.price.observe(1.32));
        let (source, host, now) = (SourceId(1), HostId(1), Instant::from_millis(START));
        let learned = Learner::from_numbers([1e8, 8.64e11, 1e8, 8.64e11, 0.0, 1e6]);
        let prior = SourceRecord::known(source, learned, 1_000, now - Span::from_secs(400));
        let prior = Some(SourceRecord { score: 20.0, ..prior });
        scheduler.handle(now, Event::SourceAdded { source, host, prior });
        scheduler.handle(now, Event::Weight { source, weight: 1.0 });
        scheduler.advance(now + Span::from_secs(13));
        let slot = scheduler.roster.slot(source).expect("it is watched");
        let (level, wake) = scheduler.standing(slot);
        assert_eq!(level, None, "it is put off");
        wake.since(now).as_secs_f64()
    };
    let (long, short) = (wake(Span::DAY), wake(Span::from_secs(415)));
    assert!(long > 25.0 && (15.0..17.0).contains(&short), "{long} s, {short} s");
}

#[test]
fn sources_that_come_and_go_leave_nothing_behind() {
    let mut scheduler = Scheduler::new(Config::standard(), 7).expect("the configuration can be");
    let (source, host, prior) = (SourceId(1), HostId(1), None);
    let now = Instant::from_millis(START);
    let stays = SourceId(2);
    scheduler.handle(now, Event::SourceAdded { source: stays, host, prior: None });
    let outcome = Outcome::Unchanged;
    scheduler.handle(
        now,
        Event::Probed { source: stays, start: now, outcome, found: 0, times: Vec::new() },
    );
    for _ in 0..20_000 {
        scheduler.handle(now, Event::SourceAdded { source, host, prior: prior.clone() });
        scheduler.handle(now, Event::Weight { source, weight: 1.0 });
        scheduler.handle(
            now,
            Event::Probed {
                source,
                start: now,
                outcome: Outcome::Unchanged,
                found: 0,
                times: Vec::new(),
            },
        );
        scheduler.handle(now, Event::Asked { source });
        scheduler.poll(now + Span::MINUTE, &mut Vec::new());
        scheduler.handle(now, Event::Moved { source, host: HostId(2) });
        scheduler.handle(now, Event::SourceRemoved { source });
    }
    assert_eq!(scheduler.onward.len(), 0);
    assert!(scheduler.wakes() < 2_000, "{}", scheduler.wakes());
    assert!(scheduler.dirty() < 2_000, "{}", scheduler.dirty());
    let mut records = Vec::new();
    scheduler.take_records(&mut records);
    assert_eq!(records.iter().map(|record| record.source).collect::<Vec<_>>(), [stays]);
}

#[test]
fn servers_that_hang_leave_half_of_the_slots_to_those_that_answer() {
    let config = Config { budget: 100.0, in_flight_max: 8, ..Config::standard() };
    let mut scheduler = Scheduler::new(config, 7).expect("the configuration can be");
    let start = Instant::from_millis(START);
    let learned = Learner::from_numbers([1e7, 8.64e8, 1e7, 8.64e8, 0.0, 1e6]);
    // A hundred that were never heard of, and ten that answered an hour ago.
    for id in 0..110 {
        let (source, host) = (SourceId(id), HostId(id));
        let known = SourceRecord::known(source, learned, 1_000, start - Span::HOUR);
        let prior = (id >= 100).then_some(known);
        scheduler.handle(start, Event::SourceAdded { source, host, prior });
        scheduler.handle(start, Event::Weight { source, weight: 1.0 });
    }
    let (mut now, mut hung, mut answered) = (start, 0, 0);
    for _ in 0..3_600 {
        now += Span::SECOND;
        let mut picks = Vec::new();
        scheduler.poll(now, &mut picks);
        for pick in picks {
            let source = pick.source;
            if source.0 < 100 {
                hung += 1;
                continue;
            }
            answered += 1;
            let outcome = Outcome::Changed;
            scheduler.handle(
                now,
                Event::Probed { source, start: now, outcome, found: 0, times: Vec::new() },
            );
        }
    }
    assert_eq!(hung, 4, "they never end");
    assert!(answered > 100, "{answered} looks at those that answer");
}

#[test]
fn who_fails_every_other_time_takes_no_slot_of_those_that_answer() {
    let config = Config { budget: 100.0, in_flight_max: 8, ..Config::standard() };
    let mut scheduler = Scheduler::new(config, 7).expect("the configuration can be");
    let (source, host) = (SourceId(1), HostId(1));
    let mut now = Instant::from_millis(START);
    scheduler.handle(now, Event::SourceAdded { source, host, prior: None });
    for turn in 0..40 {
        now += Span::MINUTE;
        let outcome = if turn % 2 == 0 { Outcome::Failed } else { Outcome::Unchanged };
        scheduler.handle(
            now,
            Event::Probed { source, start: now, outcome, found: 0, times: Vec::new() },
        );
    }
    let lane = |s: &Scheduler| s.roster.at(s.roster.slot(source).expect("there")).lane();
    assert_eq!(lane(&scheduler), crate::source::Lane::Doubtful);
    for _ in 0..10 {
        now += Span::MINUTE;
        let outcome = Outcome::Unchanged;
        scheduler.handle(
            now,
            Event::Probed { source, start: now, outcome, found: 0, times: Vec::new() },
        );
    }
    assert_eq!(lane(&scheduler), crate::source::Lane::Answering);
}

/// Probes of sources that cost 1 and of as many that cost `cost`, all else being alike, in a day
/// of minutes.
fn probes_by_cost(budget: f64, cost: f64) -> [f64; 2] {
    let config = Config {
        chronon: Span::MINUTE,
        budget,
        interval_max: Span::DAY.times(100),
        yield_min: 0.0,
        ..Config::standard()
    };
    let mut scheduler = Scheduler::new(config, 7).expect("the configuration can be");
    let start = Instant::from_millis(START);
    // Enough evidence that nothing more is learned: a change a day.
    let learned = Learner::from_numbers([1e7, 8.64e11, 1e7, 8.64e11, 0.0, 1e6]);
    for id in 0..40 {
        let (source, host) = (SourceId(id), HostId(id));
        let last = start - Span::HOUR.times(i64::from(id));
        let prior = SourceRecord::known(source, learned, 1_000, last);
        scheduler.handle(start, Event::SourceAdded { source, host, prior: Some(prior) });
        scheduler.handle(start, Event::Weight { source, weight: 1.0 });
        if id % 2 == 1 {
            scheduler.handle(start, Event::Cost { source, cost });
        }
    }
    let (mut now, mut probes, mut picks) = (start, [0.0; 2], Vec::new());
    while let Some(next) = scheduler.next_deadline().filter(|&next| next < start + Span::DAY) {
        now = now.max(next);
        scheduler.poll(now, &mut picks);
        for pick in picks.drain(..) {
            probes[pick.source.0 as usize % 2] += 1.0;
            let (source, outcome) = (pick.source, Outcome::Unchanged);
            scheduler.handle(
                now,
                Event::Probed { source, start: now, outcome, found: 0, times: Vec::new() },
            );
        }
    }
    probes
}

#[test]
fn where_some_probes_cost_more_than_a_chronon_has_no_budget_is_lost() {
    for (budget, cost) in [(3.0, 4.0), (0.3, 2.0), (1.5, 16.0)] {
        let [cheap, dear] = probes_by_cost(budget, cost);
        let spent = (cheap + cost * dear) / (budget * 1_440.0);
        // Gaps are as the roots of costs.
        let share = dear / cheap * libm::sqrt(cost);
        assert!(spent > 0.97 && (0.85..1.15).contains(&share), "{cost}: {spent}, share {share}");
    }
}

/// Everybody keeps to the hours of the week, and so is looked at in every hour that is lived.
#[test]
fn a_jump_of_a_thousand_years_costs_no_more_than_a_few_looks_at_everybody() {
    let mut scheduler = Scheduler::new(Config::standard(), 7).expect("the configuration can be");
    scheduler.week = Week::of(std::array::from_fn(|hour| (hour % 24) as f64));
    let at = |hours: i64| Instant::from_millis(START) + Span::HOUR.times(hours);
    for id in 0..100 {
        let learned = Learner::from_numbers([0.5, 1e7, 1.0, 1e7, 0.0, 1.0]);
        let prior = SourceRecord::known(SourceId(id), learned, 5, at(-1));
        let prior = Some(SourceRecord { score: 20.0, ..prior });
        let (source, host) = (SourceId(id), HostId(id));
        scheduler.handle(at(0), Event::SourceAdded { source, host, prior });
        scheduler.handle(at(0), Event::Weight { source, weight: 1.0 });
    }
    scheduler.looks = 0;
    scheduler.poll(at(24 * 365_250), &mut Vec::new());
    assert!(scheduler.looks < 2_000, "{} looks", scheduler.looks);
}
