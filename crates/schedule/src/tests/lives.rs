//! Random lives, lived by the scheduler, polled in two ways and checked by a look at everybody.

mod checked;
mod drawn;
mod polled;

use crate::invariant::{self, Started};
use crate::week::Week;
use crate::{Event, Outcome, Pick, Scheduler};
use checked::Checked;
use chronon::{HostId, Instant, SourceId, Span};
use drawn::{HOSTS, Life, START, host_of, life};
use polled::{ByDeadline, COSTS, Dear, EveryChronon, Polled, cost_of};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq)]
struct Log {
    picks: Vec<(Instant, Pick)>,
    /// Every request: picks that begin at their own host, and looks that go on.
    requests: Vec<Started>,
}

/// A scheduler with the life's pattern of the week.
fn scheduler(life: &Life) -> Scheduler {
    let mut scheduler = Scheduler::new(life.config.clone(), 7).expect("the configuration can be");
    let busy = |hour: usize| f64::from(life.hours[hour % life.hours.len()]);
    scheduler.week = Week::of(std::array::from_fn(busy));
    scheduler
}

/// Lives `life` and two minutes more.
fn live(life: &Life, scheduler: impl Polled) -> Log {
    live_late(life, &[0], scheduler)
}

/// Plays the same life on a machine that wakes up late, by each of `late` milliseconds in turn.
#[expect(clippy::too_many_lines, reason = "one life, told from its beginning to its end")]
fn live_late(life: &Life, late: &[i64], mut scheduler: impl Polled) -> Log {
    let mut log = Log::default();
    let mut in_flight: Vec<(Instant, Instant, SourceId, Outcome)> = Vec::new();
    // For the latest look: when it began, how it will end, and where it was led.
    let mut looks: BTreeMap<SourceId, (Instant, Outcome, HostId)> = BTreeMap::new();
    let mut elsewhere: BTreeMap<SourceId, bool> = BTreeMap::new();
    let mut now = Instant::from_millis(START);
    let mut acts = life.acts.iter();
    let mut act = acts.next();
    let mut act_at = act.map_or(now, |act| now + Span::from_millis(act.after));
    let (mut last, mut woken, mut ended) = (None, 0, 0);
    // Budgets count from the first event: give both the same one.
    scheduler.handle(now, Event::SourceRemoved { source: SourceId(99) });
    loop {
        let jumps = act.is_some_and(|act| act.jumps);
        let limit = last.unwrap_or(act_at);
        let ends = in_flight.iter().map(|probe| probe.0).min().filter(|_| !jumps);
        let wakes = scheduler.next(now).filter(|_| !jumps);
        let wakes = wakes.map(|at| at + Span::from_millis(late[woken % late.len()]));
        woken += 1;
        now = [Some(limit), ends, wakes].into_iter().flatten().min().expect("a limit").max(now);
        while let Some(due) = act.filter(|_| act_at <= now) {
            match due.event {
                Event::BeginsElsewhere { source, elsewhere: now } => {
                    let is_known = scheduler.scheduler().roster.slot(source).is_some();
                    elsewhere.insert(source, now && is_known);
                }
                Event::SourceRemoved { source } => {
                    elsewhere.remove(&source);
                }
                Event::Moved { source, host } => {
                    looks.entry(source).and_modify(|look| look.2 = host);
                }
                _ => {}
            }
            scheduler.handle(now, due.event.clone());
            act = acts.next();
            act_at = act.map_or(act_at, |next| act_at + Span::from_millis(next.after));
        }
        if act.is_none() && last.is_none() {
            last = Some(now + Span::from_secs(120));
        }
        let (over, still) = in_flight.into_iter().partition(|probe| probe.0 <= now);
        in_flight = still;
        let over: Vec<_> = over;
        for (_, start, source, outcome) in over {
            ended += 1;
            match life.hops[ended % life.hops.len()] {
                Some(host) => {
                    let host = HostId(host);
                    looks.entry(source).and_modify(|look| look.2 = host);
                    scheduler.handle(now, Event::Moved { source, host });
                }
                None => scheduler.handle(
                    now,
                    Event::Probed { source, start, outcome, found: 0, times: Vec::new() },
                ),
            }
        }
        loop {
            let picks = scheduler.poll(now);
            let mut onward = Vec::new();
            scheduler.scheduler().take_onward(&mut onward);
            if picks.is_empty() && onward.is_empty() {
                break;
            }
            for source in onward {
                let (start, outcome, host) = looks[&source];
                log.requests.push(Started { at: now, host });
                let took = life.ends[log.requests.len() % life.ends.len()].0;
                in_flight.push((now + Span::from_millis(took), start, source, outcome));
            }
            for pick in picks {
                let (source, host) = (pick.source, host_of(pick.source));
                let (took, outcome) = life.ends[log.picks.len() % life.ends.len()];
                log.picks.push((now, pick));
                if elsewhere.get(&source) == Some(&true) {
                    let host = HostId((host.0 + 1) % HOSTS);
                    looks.insert(source, (now, outcome, host));
                    scheduler.handle(now, Event::Moved { source, host });
                    continue;
                }
                looks.insert(source, (now, outcome, host));
                log.requests.push(Started { at: now, host });
                in_flight.push((now + Span::from_millis(took), now, source, outcome));
            }
        }
        if last.is_some_and(|last| now >= last) {
            return log;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn every_pick_is_the_best_that_a_look_at_everybody_finds(
        life in life(2), price in prop::sample::select(vec![0.0, 0.1, 5.0, 100.0]),
    ) {
        live(&life, Checked::new(&life, price));
    }

    #[test]
    fn deadlines_alone_give_the_same_probes_as_polling_every_chronon(life in life(2)) {
        let every = live(&life, EveryChronon(scheduler(&life)));
        let deadlines = live(&life, ByDeadline(scheduler(&life)));
        prop_assert_eq!(every, deadlines);
    }

    #[test]
    fn budget_and_politeness_hold_whatever_happens_and_however_late_the_machine_wakes(
        life in life(0),
        late in prop::collection::vec(prop_oneof![Just(0_i64), 1_i64..40, 1_i64..3_000], 1..5),
    ) {
        let config = life.config.clone();
        let log = live_late(&life, &late, ByDeadline(scheduler(&life)));
        let begun: Vec<Started> = (log.picks.iter())
            .map(|(at, pick)| Started { at: *at, host: host_of(pick.source) })
            .collect();
        prop_assert_eq!(invariant::budget(&begun, config.chronon, config.budget), Ok(()));
        let polite = invariant::politeness(&log.requests, config.chronon, |_| config.host_interval);
        prop_assert_eq!(polite, Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Since the first probe no more is spent than the budget of that time and what was kept
    /// before: a chronon's worth, a probe more where that is no whole number, the dearest probe.
    #[test]
    fn what_is_spent_keeps_the_budget_whatever_probes_cost(life in life(0)) {
        let log = live(&life, Dear(EveryChronon(scheduler(&life)))).picks;
        let budget = life.config.budget;
        let saved = if budget.fract() == 0.0 { budget } else { budget + 1.0 };
        let chronon = |at: Instant| at.as_millis().div_euclid(1_000) as f64;
        let mut spent = 0.0;
        for (at, pick) in &log {
            spent += cost_of(pick.source);
            let most = budget * (chronon(*at) - chronon(log[0].0)) + saved + COSTS[3];
            prop_assert!(spent <= most + 1e-6, "{spent} of {most} until {at}");
        }
    }
}

#[test]
fn random_lives_probe_for_every_reason_and_are_led_on() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    let mut led_on = 0;
    for _ in 0..100 {
        let life = life(2).new_tree(&mut runner).unwrap().current();
        let log = live(&life, ByDeadline(scheduler(&life)));
        led_on += log.requests.len().saturating_sub(log.picks.len());
        for (_, pick) in log.picks {
            let reason = match pick.reason {
                crate::Reason::Baseline => "baseline",
                crate::Reason::Asked => "asked",
                crate::Reason::Deadline { .. } => "deadline",
                crate::Reason::Freshness { .. } => "freshness",
                crate::Reason::Retry { .. } => "retry",
                crate::Reason::SecondLook => "second look",
            };
            *reasons.entry(reason).or_default() += 1;
        }
    }
    assert!(led_on >= 100, "{led_on}");
    assert!(reasons.len() == 5 && reasons.values().all(|&n| n >= 50), "{reasons:?}");
}
