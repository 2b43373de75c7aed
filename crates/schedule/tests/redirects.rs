//! Stories of looks that redirects lead on to other hosts.

use chronon::{HostId, Instant, SourceId, Span};
use schedule::invariant::{self, Started};
use schedule::{Config, Event, Obstacle, Outcome, Scheduler};

/// What redirects lead to.
const GOAL: HostId = HostId(1_000);
/// A page of that host.
const NEAR: SourceId = SourceId(1_000);

fn at(seconds: i64) -> Instant {
    Instant::from_millis(1_800_000_000_000) + Span::from_secs(seconds)
}

/// A scheduler that began a minute ago, so that buckets are full.
fn scheduler(config: Config) -> Scheduler {
    let mut scheduler = Scheduler::new(config, 1).expect("the configuration can be");
    let (source, host, prior) = (SourceId(0), HostId(0), None);
    scheduler.handle(at(-60), Event::SourceAdded { source, host, prior });
    scheduler
}

/// Sources on hosts of their own that somebody asked for, and that begin elsewhere if told so.
fn far(scheduler: &mut Scheduler, count: u32, elsewhere: bool) {
    for n in 1..=count {
        let (source, host, prior) = (SourceId(n), HostId(n), None);
        scheduler.handle(at(-60), Event::SourceAdded { source, host, prior });
        scheduler.handle(at(-60), Event::BeginsElsewhere { source, elsewhere });
        scheduler.handle(at(-60), Event::Asked { source });
    }
}

/// Sources on hosts of their own that answered, and that somebody asked for.
fn answering(scheduler: &mut Scheduler, ids: std::ops::RangeInclusive<u32>) {
    for n in ids {
        let (source, host, prior) = (SourceId(n), HostId(n), None);
        let (start, outcome) = (at(-60), Outcome::Unchanged);
        scheduler.handle(at(-60), Event::SourceAdded { source, host, prior });
        scheduler
            .handle(at(-60), Event::Probed { source, start, outcome, found: 0, times: Vec::new() });
        scheduler.handle(at(-60), Event::Asked { source });
    }
}

fn near(scheduler: &mut Scheduler) {
    let (source, host, prior) = (NEAR, GOAL, None);
    scheduler.handle(at(-60), Event::SourceAdded { source, host, prior });
    scheduler.handle(at(-60), Event::Asked { source });
}

/// Who is picked, and who goes on.
fn poll(scheduler: &mut Scheduler, now: Instant) -> (Vec<SourceId>, Vec<SourceId>) {
    let (mut picks, mut onward) = (Vec::new(), Vec::new());
    scheduler.poll(now, &mut picks);
    scheduler.take_onward(&mut onward);
    (picks.into_iter().map(|pick| pick.source).collect(), onward)
}

#[test]
fn a_look_that_is_led_on_waits_for_a_token_and_holds_no_place_in_flight_meanwhile() {
    let mut scheduler = scheduler(Config { in_flight_max: 2, ..Config::standard() });
    answering(&mut scheduler, 1..=3);
    let (picks, _) = poll(&mut scheduler, at(0));
    assert_eq!(picks.len(), 2);
    for source in picks {
        scheduler.handle(at(0), Event::Moved { source, host: GOAL });
    }
    let (others, first) = poll(&mut scheduler, at(0));
    assert_eq!((others.len(), first.len()), (1, 1), "one goes on, one waits, another begins");
    assert_eq!(scheduler.outlook(at(0), first[0]).waits_for, Some(Obstacle::InFlight));
    let (start, outcome) = (at(0), Outcome::Unchanged);
    scheduler.handle(
        at(1),
        Event::Probed { source: first[0], start, outcome, found: 0, times: Vec::new() },
    );
    assert_eq!(poll(&mut scheduler, at(4)).1, [], "one request in 5 s");
    assert_eq!(poll(&mut scheduler, at(5)).1.len(), 1);
}

/// Half an hour at a host whose page somebody asks for all the time while looks of `far` others
/// are led there: requests for the page, for the others, and all.
fn crowded(others: u32, elsewhere: bool) -> (usize, usize, Vec<Started>) {
    let mut scheduler = scheduler(Config::standard());
    far(&mut scheduler, others, elsewhere);
    near(&mut scheduler);
    let (mut own, mut led, mut log) = (0, 0, Vec::new());
    for now in (0..1_800).map(at) {
        let (mut picks, onward) = poll(&mut scheduler, now);
        let (start, outcome) = (now, Outcome::Unchanged);
        for source in onward {
            led += 1;
            log.push(Started { at: now, host: GOAL });
            scheduler
                .handle(now, Event::Probed { source, start, outcome, found: 0, times: Vec::new() });
            scheduler.handle(now, Event::Asked { source });
        }
        for source in picks.drain(..) {
            if source == NEAR {
                own += 1;
                log.push(Started { at: now, host: GOAL });
                scheduler.handle(
                    now,
                    Event::Probed { source, start, outcome, found: 0, times: Vec::new() },
                );
                scheduler.handle(now, Event::Asked { source });
            } else {
                scheduler.handle(now, Event::Moved { source, host: GOAL });
            }
        }
    }
    (own, led, log)
}

#[test]
fn looks_that_are_led_to_a_host_take_turns_with_its_own_however_many_they_are() {
    for (others, elsewhere) in [(40, false), (400, false), (40, true)] {
        let (own, led, log) = crowded(others, elsewhere);
        // The budget takes the first seconds to let all of them begin.
        assert!(own >= 175 && own + led >= 359, "{own} own, {led} led there");
        let interval = |_| Span::from_secs(5);
        assert_eq!(invariant::politeness(&log, Span::SECOND, interval), Ok(()));
    }
    assert!(crowded(0, false).0 >= 359);
}

#[test]
fn a_source_that_begins_elsewhere_takes_no_token_of_its_own_host() {
    let mut scheduler = scheduler(Config::standard());
    for n in 1..=3 {
        let (source, host, prior) = (SourceId(n), HostId(1), None);
        scheduler.handle(at(-60), Event::SourceAdded { source, host, prior });
        scheduler.handle(at(-60), Event::BeginsElsewhere { source, elsewhere: n < 3 });
        scheduler.handle(at(-60), Event::Asked { source });
    }
    assert_eq!(poll(&mut scheduler, at(0)).0.len(), 3);
}

#[test]
fn a_pause_for_redirects_is_none_for_the_pages_of_the_host_itself() {
    let mut scheduler = scheduler(Config::standard());
    far(&mut scheduler, 1, true);
    near(&mut scheduler);
    scheduler.handle(at(0), Event::RedirectsHeld { host: GOAL, until: at(90) });
    let (picks, _) = poll(&mut scheduler, at(0));
    assert_eq!(picks.len(), 2);
    scheduler.handle(at(0), Event::Moved { source: SourceId(1), host: GOAL });
    let (start, outcome) = (at(0), Outcome::Unchanged);
    scheduler
        .handle(at(1), Event::Probed { source: NEAR, start, outcome, found: 0, times: Vec::new() });
    assert_eq!(poll(&mut scheduler, at(89)).1, []);
    assert_eq!(poll(&mut scheduler, at(90)).1, [SourceId(1)]);
}

#[test]
fn a_source_that_is_paused_is_not_picked_before_and_says_so() {
    let mut scheduler = scheduler(Config::standard());
    near(&mut scheduler);
    scheduler.handle(at(0), Event::SourcePaused { source: NEAR, until: at(90) });
    assert_eq!(poll(&mut scheduler, at(89)).0, []);
    assert_eq!(scheduler.outlook(at(89), NEAR).due, Some(at(90)));
    let held = Some(Obstacle::HostHeld { until: at(90) });
    assert_eq!(scheduler.hindrance(at(89), NEAR), held);
    assert_eq!(scheduler.next_deadline(), Some(at(90)));
    assert_eq!(poll(&mut scheduler, at(90)).0, [NEAR]);
}

#[test]
fn a_host_that_only_redirects_led_to_is_forgotten_when_nothing_keeps_it() {
    let mut scheduler = scheduler(Config::standard());
    far(&mut scheduler, 1, false);
    assert_eq!(scheduler.forget_host(at(0), HostId(1)), Err(Instant::NEVER), "it has a source");
    let source = poll(&mut scheduler, at(0)).0[0];
    scheduler.handle(at(0), Event::Moved { source, host: GOAL });
    assert_eq!(scheduler.forget_host(at(0), GOAL), Err(Instant::NEVER), "somebody waits");
    assert_eq!(poll(&mut scheduler, at(0)).1, [source]);
    assert_eq!(scheduler.forget_host(at(1), GOAL), Err(Instant::NEVER), "it is asked");
    let (start, outcome) = (at(0), Outcome::Unchanged);
    scheduler.handle(at(1), Event::Probed { source, start, outcome, found: 0, times: Vec::new() });
    assert_eq!(scheduler.forget_host(at(1), GOAL), Err(at(5)), "its bucket fills");
    assert_eq!(scheduler.forget_host(at(5), GOAL), Ok(()));
}

/// Ids from here on: hosts that take a request and never answer.
const HANGING: u32 = 2_000;

/// Eight slots.
fn small() -> Scheduler {
    scheduler(Config { budget: 100.0, in_flight_max: 8, ..Config::standard() })
}

#[test]
fn hosts_that_hang_behind_redirects_leave_half_of_the_slots_to_those_that_answer() {
    for elsewhere in [false, true] {
        let mut scheduler = small();
        far(&mut scheduler, 100, elsewhere);
        answering(&mut scheduler, 501..=510);
        let (mut hung, mut answered) = (0, 0);
        for now in (0..600).map(at) {
            // What moves makes room for others.
            loop {
                let (picks, onward) = poll(&mut scheduler, now);
                if picks.is_empty() && onward.is_empty() {
                    break;
                }
                hung += onward.len();
                for source in picks {
                    if source.0 <= 100 {
                        let host = HostId(HANGING + source.0);
                        scheduler.handle(now, Event::Moved { source, host });
                        continue;
                    }
                    answered += 1;
                    let (start, outcome) = (now, Outcome::Unchanged);
                    scheduler.handle(
                        now,
                        Event::Probed { source, start, outcome, found: 0, times: Vec::new() },
                    );
                    scheduler.handle(now, Event::Asked { source });
                }
            }
        }
        assert_eq!(hung, 4, "they never end");
        assert!(answered >= 1_190, "{answered} looks at ten that take one in 5 s");
    }
}

/// Four who hang hold their slots; a fifth waits for `GOAL`, and behind it two who answered.
fn crowd_at_goal(scheduler: &mut Scheduler) {
    far(scheduler, 5, true);
    answering(scheduler, 501..=502);
    let (source, host, prior) = (NEAR, GOAL, None);
    let (start, outcome) = (at(-60), Outcome::Unchanged);
    scheduler.handle(at(-60), Event::SourceAdded { source, host, prior });
    scheduler
        .handle(at(-60), Event::Probed { source, start, outcome, found: 0, times: Vec::new() });
    let mut picked = poll(scheduler, at(0)).0;
    picked.sort();
    assert_eq!(picked, [1, 2, 3, 4, 5, 501, 502].map(SourceId));
    for n in 1..=4 {
        let (source, host) = (SourceId(n), HostId(HANGING + n));
        scheduler.handle(at(0), Event::Moved { source, host });
    }
    assert_eq!(poll(scheduler, at(0)).1, [1, 2, 3, 4].map(SourceId));
    for source in [5, 501, 502].map(SourceId) {
        scheduler.handle(at(0), Event::Moved { source, host: GOAL });
    }
}

#[test]
fn who_waits_for_a_slot_of_those_that_hang_lets_others_pass_at_the_same_host() {
    let mut scheduler = small();
    crowd_at_goal(&mut scheduler);
    let (start, outcome) = (at(0), Outcome::Unchanged);
    let mut passed = Vec::new();
    for seconds in [0, 5, 10] {
        if seconds == 5 {
            scheduler.handle(at(5), Event::Asked { source: NEAR });
        }
        let (picks, onward) = poll(&mut scheduler, at(seconds));
        for source in picks.into_iter().chain(onward) {
            passed.push((seconds, source.0));
            scheduler.handle(
                at(seconds),
                Event::Probed { source, start, outcome, found: 0, times: Vec::new() },
            );
        }
    }
    assert_eq!(passed, [(0, 501), (5, NEAR.0), (10, 502)], "they take turns");
}

#[test]
fn who_waits_for_a_slot_of_those_that_hang_goes_on_when_one_is_free_and_nobody_polls_before() {
    let mut scheduler = small();
    crowd_at_goal(&mut scheduler);
    let (start, outcome) = (at(0), Outcome::Failed);
    for source in [501, 502].map(SourceId) {
        scheduler.handle(
            at(0),
            Event::Probed {
                source,
                start,
                outcome: Outcome::Unchanged,
                found: 0,
                times: Vec::new(),
            },
        );
    }
    assert_eq!(poll(&mut scheduler, at(0)).1, []);
    assert!(scheduler.next_deadline().is_none_or(|due| due > at(60)), "it would be polled in vain");
    scheduler.handle(
        at(40),
        Event::Probed { source: SourceId(2), start, outcome, found: 0, times: Vec::new() },
    );
    assert_eq!(scheduler.next_deadline(), Some(at(40)));
    assert_eq!(poll(&mut scheduler, at(40)).1, [SourceId(5)]);
}
