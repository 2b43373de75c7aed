//! The scheduler as its callers see it: events in, probes out.

use chronon::{HostId, Instant, SourceId, Span};
use schedule::rate::Learner;
use schedule::{
    CeiId, Config, EiId, Event, Obstacle, Outcome, Pick, Reason, Scheduler, SourceRecord,
};
use std::collections::BTreeSet;

const NEWS: SourceId = SourceId(1);
const SHOP: SourceId = SourceId(2);
const HOST: HostId = HostId(1);
const OTHER_HOST: HostId = HostId(2);

fn config() -> Config {
    Config { interval_min: Span::MINUTE, ..Config::standard() }
}

fn at(seconds: i64) -> Instant {
    Instant::from_millis(1_800_000_000_000) + Span::from_secs(seconds)
}

/// A scheduler and the moment its story has come to.
struct Story {
    scheduler: Scheduler,
    now: i64,
}

impl Story {
    fn new(config: Config) -> Story {
        Story { scheduler: Scheduler::new(config, 7).expect("the configuration can be"), now: 0 }
    }

    fn tell(&mut self, event: Event) {
        self.scheduler.handle(at(self.now), event);
    }

    fn watch(&mut self, source: SourceId, host: HostId) {
        self.tell(Event::SourceAdded { source, host, prior: None });
        self.tell(Event::Weight { source, weight: 1.0 });
    }

    fn ei(&mut self, ei: u64, source: SourceId, from: i64, to: i64) {
        let (ei, cei) = (EiId(ei), CeiId(ei));
        let (start, finish) = (at(from), at(to));
        self.tell(Event::EiAdded { ei, cei, source, start, finish, utility: 1.0 });
    }

    /// Runs by the deadlines alone up to `until`; every probe ends at once. Seconds and picks.
    fn run(&mut self, until: i64, outcome: Outcome) -> Vec<(i64, Pick)> {
        let mut story = Vec::new();
        while let Some(pick) = self.next_pick(until) {
            self.probed(pick.source, outcome);
            story.push((self.now, pick));
        }
        story
    }

    /// The next pick by `until`, in flight.
    fn next_pick(&mut self, until: i64) -> Option<Pick> {
        loop {
            let deadline = self.scheduler.next_deadline().filter(|&due| due <= at(until));
            self.now = deadline.map_or(until, |due| self.now.max((due - at(0)).as_millis() / 1000));
            deadline?;
            let mut picks = Vec::new();
            self.scheduler.poll(at(self.now), &mut picks);
            assert!(picks.len() <= 1, "these stories start one probe at a time");
            if let Some(pick) = picks.pop() {
                return Some(pick);
            }
        }
    }

    fn probed(&mut self, source: SourceId, outcome: Outcome) {
        self.tell(Event::Probed {
            source,
            start: at(self.now),
            outcome,
            found: 0,
            times: Vec::new(),
        });
    }
}

fn seconds(story: &[(i64, Pick)]) -> Vec<i64> {
    story.iter().map(|(second, _)| *second).collect()
}

#[test]
fn a_new_source_gets_its_baseline_when_its_hosts_first_token_is_there_and_then_every_hour() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    let first = story.next_pick(3_600).expect("a baseline");
    assert_eq!((story.now, first.reason), (5, Reason::Baseline));
    story.probed(NEWS, Outcome::Unchanged);
    let next = story.next_pick(10_000).expect("a second look");
    assert_eq!((story.now, next.reason), (3_605, Reason::Freshness { interval: Span::HOUR }));
}

#[test]
fn a_source_that_changes_is_looked_at_more_often_and_one_that_rests_less_often() {
    let gaps = |outcome| -> Vec<i64> {
        let mut story = Story::new(config());
        story.watch(NEWS, HOST);
        let seconds = seconds(&story.run(200_000, outcome));
        seconds.windows(2).map(|pair| pair[1] - pair[0]).collect()
    };
    let (changing, resting) = (gaps(Outcome::Changed), gaps(Outcome::Unchanged));
    assert_eq!((changing[0], resting[0]), (3_600, 3_600));
    assert!(changing[4] < 1_000, "{changing:?}");
    assert!(resting[..8].is_sorted() && resting[7] > 2 * 3_600, "{resting:?}");
}

#[test]
fn the_interval_stays_within_its_bounds() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    let gap = |story: &[(i64, Pick)]| story[story.len() - 1].0 - story[story.len() - 2].0;
    assert_eq!(gap(&story.run(40_000, Outcome::Changed)), 60);
    assert_eq!(gap(&story.run(40_000_000, Outcome::Unchanged)), 86_400);
}

#[test]
fn the_ei_that_ends_first_is_probed_first_and_one_probe_captures_all_of_its_source() {
    let mut story = Story::new(config());
    for source in [NEWS, SHOP] {
        story.tell(Event::SourceAdded { source, host: HOST, prior: None });
    }
    story.ei(1, NEWS, 10, 60);
    story.ei(2, NEWS, 10, 40);
    story.ei(3, SHOP, 10, 50);
    let story = story.run(1_000, Outcome::Unchanged);
    let deadline = |finish| Reason::Deadline { finish: at(finish) };
    let expected = [
        (10, Pick { source: NEWS, reason: deadline(40) }),
        (15, Pick { source: SHOP, reason: deadline(50) }),
    ];
    assert_eq!(story, expected);
}

#[test]
fn a_failed_probe_leaves_the_ei_open_and_it_is_tried_three_times_more_in_its_haste() {
    let mut story = Story::new(config());
    story.tell(Event::SourceAdded { source: NEWS, host: HOST, prior: None });
    story.ei(1, NEWS, 100, 200);
    assert_eq!(seconds(&story.run(1_000, Outcome::Failed)), [100, 150, 175, 188]);
    assert_eq!(story.scheduler.next_deadline(), None, "without a demand nobody tries again");
}

#[test]
fn failures_of_a_freshness_demand_back_off_from_a_minute_up_to_its_interval() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    let first = story.run(4, Outcome::Unchanged);
    assert_eq!(first.len(), 0);
    let first = story.next_pick(5).expect("a baseline");
    story.probed(first.source, Outcome::Unchanged);
    let tries = story.run(3_605 + 14_500, Outcome::Failed);
    let gaps: Vec<i64> = seconds(&tries).windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    assert_eq!(tries[4].1.reason, Reason::Retry { failures: 4 });
    assert_eq!(story.scheduler.record(NEWS).unwrap().failures, 9);
}

#[test]
fn an_answer_that_was_set_aside_is_asked_for_again_within_minutes_and_counts_for_nothing() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.run(4, Outcome::Unchanged);
    let first = story.next_pick(5).expect("a baseline");
    story.probed(first.source, Outcome::Unchanged);
    let chance = |story: &Story| story.scheduler.expectation(NEWS).unwrap().success;
    let before = chance(&story);
    let tries = story.run(3_605 + 3_600, Outcome::SetAside);
    let gaps: Vec<i64> = seconds(&tries).windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [60, 120, 240, 480, 480, 480, 480, 480, 480]);
    assert!(tries.iter().all(|(_, pick)| !matches!(pick.reason, Reason::Retry { .. })));
    assert_eq!(story.scheduler.record(NEWS).unwrap().failures, 0);
    assert_eq!(chance(&story), before);
}

#[test]
fn a_source_that_never_answered_is_asked_ever_more_rarely_down_to_once_a_day() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    let tries = story.run(10 * 86_400, Outcome::Failed);
    let gaps: Vec<i64> = seconds(&tries).windows(2).map(|pair| pair[1] - pair[0]).collect();
    let doubling: Vec<i64> = (0..11).map(|n| 60 << n).collect();
    assert_eq!(gaps[..11], doubling);
    assert!(gaps[11..].iter().all(|&gap| gap == 86_400) && gaps.len() > 17, "{gaps:?}");
}

#[test]
fn who_is_asked_for_comes_before_an_ei() {
    let mut story = Story::new(config());
    for source in [NEWS, SHOP] {
        story.tell(Event::SourceAdded { source, host: HOST, prior: None });
    }
    story.ei(1, NEWS, 0, 60);
    story.tell(Event::Asked { source: SHOP });
    story.tell(Event::Probed {
        source: SHOP,
        start: at(-9),
        outcome: Outcome::Unchanged,
        found: 0,
        times: Vec::new(),
    });
    let story = story.run(60, Outcome::Unchanged);
    assert_eq!(story[0], (5, Pick { source: SHOP, reason: Reason::Asked }));
    assert_eq!(story[1].1.source, NEWS);
}

/// A page whose EIs would take the whole budget, and another whose freshness wants some of it.
fn contest(capture_worth: Span) -> Vec<SourceId> {
    let (host_interval, restart_spread) = (Span::ZERO, Span::ZERO);
    let interval_min = Span::SECOND;
    let config = Config { host_interval, restart_spread, budget: 1.0, ..config() };
    let config = Config { capture_worth, interval_min, ..config };
    let mut story = Story::new(config);
    let learned = Learner::from_numbers([50.0, 5e3, 5e4, 5e6, 0.0, 500.0]);
    let prior = SourceRecord::known(SHOP, learned, 100, at(-60));
    story.tell(Event::SourceAdded { source: SHOP, host: OTHER_HOST, prior: Some(prior) });
    story.tell(Event::Weight { source: SHOP, weight: 1.0 });
    story.tell(Event::SourceAdded { source: NEWS, host: HOST, prior: None });
    for ei in 0..200 {
        story.ei(ei, NEWS, ei as i64, ei as i64);
    }
    story.run(199, Outcome::Unchanged).into_iter().map(|(_, pick)| pick.source).collect()
}

#[test]
fn the_longer_a_page_was_not_looked_at_the_more_it_is_worth_until_deadlines_give_way() {
    let shops = |picks: Vec<SourceId>| picks.into_iter().filter(|&source| source == SHOP).count();
    assert_eq!(shops(contest(Span::HOUR.times(100))), 0, "a deadline is worth 100 hours");
    let some = shops(contest(Span::from_secs(60)));
    assert!((1..50).contains(&some), "a deadline is worth a minute: {some}");
    assert!(shops(contest(Span::from_millis(1))) > 2 * some);
}

#[test]
fn an_interval_of_several_sources_is_void_when_one_of_them_is_missed() {
    let mut story = Story::new(config());
    let cei = CeiId(1);
    for (source, host, from, to) in [(NEWS, HOST, 0, 3), (SHOP, OTHER_HOST, 20, 40)] {
        story.tell(Event::SourceAdded { source, host, prior: None });
        let (start, finish, ei) = (at(from), at(to), EiId(source.0.into()));
        story.tell(Event::EiAdded { ei, cei, source, start, finish, utility: 1.0 });
    }
    // The host's bucket fills after 5 s: too late for the first.
    assert_eq!(story.next_pick(1_000), None);
}

#[test]
fn a_host_that_asks_for_a_pause_gets_it_and_people_can_see_why() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    let obstacle = |story: &Story| story.scheduler.outlook(at(story.now), NEWS).waits_for;
    assert_eq!(obstacle(&story), Some(Obstacle::Politeness { until: at(5) }));
    story.tell(Event::HostHeld { host: HOST, until: at(300) });
    assert_eq!(obstacle(&story), Some(Obstacle::HostHeld { until: at(300) }));
    story.next_pick(1_000).expect("a baseline");
    assert_eq!((story.now, obstacle(&story)), (300, Some(Obstacle::InFlight)));
    story.probed(NEWS, Outcome::Unchanged);
    let outlook = story.scheduler.outlook(at(300), NEWS);
    assert_eq!((outlook.due, outlook.waits_for), (Some(at(3_900)), None));
    assert_eq!(outlook.reason, Some(Reason::Freshness { interval: Span::HOUR }));
    // A pause that is over by then changes nothing; a longer one is told before it is due.
    for (until, expected) in [(3_900, None), (9_000, Some(Obstacle::HostHeld { until: at(9_000) }))]
    {
        story.tell(Event::HostHeld { host: HOST, until: at(until) });
        let outlook = story.scheduler.outlook(at(300), NEWS);
        assert_eq!((outlook.due, outlook.waits_for), (Some(at(3_900)), expected));
    }
}

#[test]
fn a_source_whose_rounds_wait_gets_no_probe_until_they_are_done() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.tell(Event::SourceHeld { source: NEWS, held: true });
    assert_eq!(story.next_pick(100), None);
    let outlook = story.scheduler.outlook(at(100), NEWS);
    assert_eq!((outlook.due, outlook.waits_for), (None, Some(Obstacle::Rounds)));
    story.tell(Event::SourceHeld { source: NEWS, held: false });
    assert!(story.next_pick(100).is_some());
}

#[test]
fn redirect_hops_are_paid_for_by_the_host_before_its_next_probe() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.watch(SHOP, HOST);
    story.next_pick(5).expect("a baseline");
    story.tell(Event::HostUsed { host: HOST, requests: 3 });
    story.probed(NEWS, Outcome::Unchanged);
    story.next_pick(100).expect("the other baseline");
    assert_eq!(story.now, 25);
}

#[test]
fn the_other_source_of_a_host_waits_until_the_one_request_at_once_is_over() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.watch(SHOP, HOST);
    story.next_pick(5).expect("a baseline");
    assert_eq!(story.next_pick(60), None);
    story.probed(NEWS, Outcome::Unchanged);
    assert!(story.next_pick(60).is_some());
    story.tell(Event::SourceRemoved { source: SHOP });
    story.watch(SourceId(3), HOST);
    assert!(story.next_pick(70).is_some(), "a removed source gives its place back");
}

#[test]
fn a_source_nobody_wants_is_left_alone_and_keeps_what_it_learned() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.run(5_000, Outcome::Changed);
    let learned = story.scheduler.record(NEWS);
    story.tell(Event::Weight { source: NEWS, weight: 0.0 });
    assert_eq!(story.next_pick(1_000_000), None);
    story.tell(Event::Weight { source: NEWS, weight: 2.0 });
    assert_eq!(story.scheduler.record(NEWS), learned);
    assert!(story.next_pick(1_000_000).is_some());
}

#[test]
fn what_was_learned_is_told_once_per_change() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.run(4_000, Outcome::Unchanged);
    let mut records = Vec::new();
    story.scheduler.take_records(&mut records);
    assert_eq!(records, [story.scheduler.record(NEWS).unwrap()]);
    assert_eq!((records[0].probes, records[0].changes), (2, 0));
    story.scheduler.take_records(&mut records);
    assert_eq!(records.len(), 1);
}

#[test]
fn after_a_start_what_is_overdue_is_spread_over_ten_minutes() {
    let mut story = Story::new(Config { budget: 1_000.0, ..config() });
    for id in 0..600 {
        let source = SourceId(id);
        let prior = SourceRecord::known(source, Learner::new(), 9, at(-100_000));
        story.tell(Event::SourceAdded { source, host: HostId(id), prior: Some(prior) });
        story.tell(Event::Weight { source, weight: 1.0 });
    }
    let mut per_minute = [0; 10];
    for second in 0..=600 {
        let mut picks = Vec::new();
        story.scheduler.poll(at(second), &mut picks);
        for pick in picks {
            let minute = (second / 60).min(9);
            per_minute[minute as usize] += 1;
            let (source, outcome) = (pick.source, Outcome::Unchanged);
            story.scheduler.handle(
                at(second),
                Event::Probed { source, start: at(second), outcome, found: 0, times: Vec::new() },
            );
        }
    }
    assert_eq!(per_minute.iter().sum::<u32>(), 600);
    assert!(per_minute.iter().all(|&n| (30..=90).contains(&n)), "{per_minute:?}");
}

#[test]
fn a_server_that_never_lives_long_looks_at_everybody_all_the_same() {
    const PAGES: u32 = 200;
    let mut seen = BTreeSet::new();
    // A minute each, of the ten over which what is overdue is spread.
    for life in 0..100 {
        let mut story = Story::new(Config { budget: 1_000.0, ..config() });
        story.now = life * 1_000;
        for id in 0..PAGES {
            let source = SourceId(id);
            let prior = SourceRecord::known(source, Learner::new(), 9, at(-1_000_000));
            story.tell(Event::SourceAdded { source, host: HostId(id), prior: Some(prior) });
            story.tell(Event::Weight { source, weight: 1.0 });
        }
        let mut picks = Vec::new();
        for second in story.now..story.now + 60 {
            story.scheduler.poll(at(second), &mut picks);
        }
        seen.extend(picks.into_iter().map(|pick| pick.source));
    }
    assert_eq!(seen.len(), PAGES as usize);
}

#[test]
fn a_clock_that_jumps_by_years_brings_no_burst() {
    let mut story = Story::new(config());
    for id in 0..100 {
        story.watch(SourceId(id), HostId(id));
    }
    let mut picks = Vec::new();
    story.scheduler.poll(at(1_000_000_000), &mut picks);
    story.scheduler.poll(at(1_000_000_000), &mut picks);
    assert_eq!(picks.len(), 10);
    assert_eq!(story.scheduler.next_deadline(), Some(at(1_000_000_001)));
}

#[test]
fn unknown_names_and_names_taken_already_are_ignored() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.ei(1, NEWS, 0, 100);
    let before = story.scheduler.outlook(at(0), NEWS);
    let source = SHOP;
    story.tell(Event::SourceRemoved { source });
    story.tell(Event::Weight { source, weight: 1.0 });
    story.tell(Event::Asked { source });
    story.tell(Event::SourceHeld { source, held: true });
    story.ei(2, SHOP, 0, 100);
    story.ei(1, NEWS, 0, 50);
    story.ei(3, NEWS, 50, 40);
    story.tell(Event::CeiDropped { cei: CeiId(99) });
    story.probed(SHOP, Outcome::Changed);
    story.tell(Event::SourceAdded { source: NEWS, host: OTHER_HOST, prior: None });
    story.tell(Event::HostUsed { host: HostId(77), requests: u32::MAX });
    assert_eq!(story.scheduler.outlook(at(0), NEWS), before);
    assert_eq!(story.scheduler.record(SHOP), None);
    assert_eq!(seconds(&story.run(1_000, Outcome::Unchanged)), [5]);
}

#[test]
fn the_eis_of_a_dropped_cei_are_no_longer_wanted() {
    let mut story = Story::new(config());
    story.tell(Event::SourceAdded { source: NEWS, host: HOST, prior: None });
    story.ei(1, NEWS, 10, 60);
    story.tell(Event::CeiDropped { cei: CeiId(1) });
    assert_eq!(story.next_pick(1_000), None);
}

/// Seconds from a change of a page to the next.
fn period(page: u32, count: u32) -> f64 {
    60.0 * f64::from(1 + page * 180 / count)
}

/// Pages that change every minute to every three hours, on hosts of their own, all known well.
fn known_pages(count: u32, config: Config) -> Story {
    let mut story = Story::new(config);
    for id in 0..count {
        let source = SourceId(id);
        let per_second = 1.0 / period(id, count);
        let (items, watched) = ((per_second * 1e10) as f32, 1e10);
        let learned = Learner::from_numbers([items, watched, items, watched, 0.0, 1e6]);
        let prior = SourceRecord::known(source, learned, 1_000, at(-i64::from(id % 100)));
        story.tell(Event::SourceAdded { source, host: HostId(id), prior: Some(prior) });
        story.tell(Event::Weight { source, weight: 1.0 });
    }
    story
}

/// Picks of each second; probes find what changed.
fn seconds_of(story: &mut Story, count: u32, seconds: i64) -> Vec<Vec<SourceId>> {
    let mut all = Vec::new();
    for _ in 0..seconds {
        story.now += 1;
        let mut picks = Vec::new();
        story.scheduler.poll(at(story.now), &mut picks);
        for pick in &picks {
            let last = story.scheduler.record(pick.source).and_then(|record| record.last_probe);
            let changes = |time: Instant| {
                ((time - at(-1_000)).as_secs_f64() / period(pick.source.0, count)).floor()
            };
            let changed = last.is_some_and(|last| changes(last) < changes(at(story.now)));
            let outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
            story.probed(pick.source, outcome);
        }
        all.push(picks.into_iter().map(|pick| pick.source).collect());
    }
    all
}

fn crowded(budget: f64) -> Config {
    let (host_interval, restart_spread) = (Span::ZERO, Span::ZERO);
    let (yield_min, interval_min) = (0.0, Span::SECOND);
    Config { budget, host_interval, restart_spread, yield_min, interval_min, ..config() }
}

/// Changes that are expected to wait, as a mean over some seconds.
fn waiting(story: &mut Story, count: u32, seconds: i64) -> f64 {
    let mut sum = 0.0;
    for _ in 0..seconds {
        seconds_of(story, count, 1);
        for page in 0..count {
            let record = story.scheduler.record(SourceId(page)).expect("it is watched");
            let last = record.last_probe.expect("it was probed");
            sum += (at(story.now) - last).as_secs_f64() / period(page, count);
        }
    }
    sum / seconds as f64
}

#[test]
fn a_budget_ten_times_as_large_is_met_after_two_cycles() {
    const PAGES: u32 = 1_000;
    let mut story = known_pages(PAGES, crowded(2.0));
    seconds_of(&mut story, PAGES, 1_500);
    story.tell(Event::BudgetSet { per_chronon: 20.0 });
    // A mean cycle has 50 s now.
    let picks = seconds_of(&mut story, PAGES, 100);
    assert!(picks.iter().skip(1).all(|picks| picks.len() == 20));
    let soon = waiting(&mut story, PAGES, 50);
    seconds_of(&mut story, PAGES, 500);
    let later = waiting(&mut story, PAGES, 50);
    assert!((soon / later - 1.0).abs() < 0.05, "{soon} and {later}");
}

#[test]
fn a_page_of_little_weight_is_still_looked_at_once_in_the_longest_interval() {
    let interval_max = Span::from_secs(600);
    let mut story = known_pages(100, Config { interval_max, ..crowded(1.0) });
    let light = SourceId(99);
    story.tell(Event::Weight { source: light, weight: 1e-6 });
    let picks = seconds_of(&mut story, 100, 6_000);
    let times = picks.iter().filter(|picks| picks.contains(&light)).count();
    assert!((8..=10).contains(&times), "{times} times in ten intervals");
}

/// The longest that a page waits which nearly never changes, in seconds, among as many that change
/// every minute or so, in the second half of 12,000 s; and how often each of those is looked at.
fn wait_of_quiet_pages(hosts: u32, config: Config) -> (i64, f64) {
    const PAGES: u32 = 100;
    const UNTIL: i64 = 12_000;
    let mut story = Story::new(Config { interval_max: Span::from_secs(600), ..config });
    let learned = |items| Learner::from_numbers([items, 1e10, items, 1e10, 0.0, 1e6]);
    for id in 0..PAGES {
        let (source, learned) = (SourceId(id), learned(if id < PAGES / 2 { 1.0 } else { 1.6e8 }));
        let prior = SourceRecord::known(source, learned, 1_000, at(-6 * i64::from(id)));
        let (host, prior) = (HostId(id % hosts), Some(prior));
        story.tell(Event::SourceAdded { source, host, prior });
        story.tell(Event::Weight { source, weight: 1.0 });
    }
    let (mut last, mut longest, mut busy) = ([0; PAGES as usize], 0, 0);
    let picks = seconds_of(&mut story, PAGES, UNTIL);
    for (second, source) in
        (0..).zip(picks).flat_map(|(at, all)| all.into_iter().map(move |s| (at, s)))
    {
        let last = &mut last[source.0 as usize];
        let waited = second - std::mem::replace(last, second);
        let is_counted = second >= UNTIL / 2;
        if is_counted && source.0 < PAGES / 2 {
            longest = longest.max(waited);
        } else if is_counted {
            busy += 1;
        }
    }
    let still = last[..PAGES as usize / 2].iter().map(|last| UNTIL - last).max();
    (longest.max(still.unwrap_or(0)), f64::from(busy) / f64::from(PAGES / 2))
}

#[test]
fn pages_that_change_take_no_budget_from_the_longest_interval_of_those_that_rest() {
    let (longest, busy) = wait_of_quiet_pages(100, crowded(0.5));
    assert!(longest < 800, "a quiet page waited {longest} s, not 600 s");
    // The quiet ones do change now and then, with others, which tell of them.
    assert!(busy > 40.0, "the others got {busy} probes each, of 50 left by the quiet ones");
}

#[test]
fn pages_that_change_take_no_turn_of_their_host_from_the_longest_interval_of_those_that_rest() {
    let host_interval = Span::from_secs(2);
    let (longest, busy) = wait_of_quiet_pages(1, Config { host_interval, ..crowded(9.0) });
    assert!(longest < 800, "a quiet page waited {longest} s, not 600 s");
    // The quiet ones do change now and then, with others, which tell of them.
    assert!(busy > 40.0, "the others got {busy} probes each, of 50 left by the quiet ones");
}

#[test]
fn where_the_longest_interval_would_take_all_the_budget_half_is_left_for_what_changes() {
    // All of them once take 1,000 s.
    let (longest, busy) = wait_of_quiet_pages(100, crowded(0.1));
    assert!((1_500..2_500).contains(&longest), "a quiet page waited {longest} s");
    assert!(busy > 8.0, "the others got {busy} probes each, of 12");
}

#[test]
fn a_new_page_is_looked_at_soon_where_others_have_waited_long() {
    let mut story = known_pages(100, Config { capture_worth: Span::SECOND, ..crowded(0.1) });
    seconds_of(&mut story, 100, 3_000);
    story.watch(SourceId(100), HostId(100));
    let picks = seconds_of(&mut story, 100, 200);
    assert!(picks.iter().flatten().any(|&source| source == SourceId(100)));
}

#[test]
fn a_probe_that_costs_more_must_bring_more() {
    let mut story = Story::new(crowded(12.0));
    for id in 0..1_000 {
        let (source, host, prior) = (SourceId(id), HostId(id), None);
        story.tell(Event::SourceAdded { source, host, prior });
        story.tell(Event::Weight { source, weight: 1.0 });
        story.tell(Event::Cost { source, cost: if id % 2 == 0 { 1.0 } else { 4.0 } });
    }
    seconds_of(&mut story, 1_000, 1_000);
    let picks = seconds_of(&mut story, 1_000, 2_000);
    let count = |odd| picks.iter().flatten().filter(|source| source.0 % 2 == odd).count() as f64;
    // The index grows with the square of the gap: at four times the cost a gap twice as long.
    let ratio = count(0) / count(1);
    assert!((1.8..2.2).contains(&ratio), "{ratio}");
    let spent = count(0) + 4.0 * count(1);
    // What does not suffice for the next is lost.
    assert!((0.9..=1.0).contains(&(spent / 24_000.0)), "{spent}");
}

#[test]
fn a_new_page_of_a_busy_site_is_looked_at_sooner_than_one_of_a_quiet_site() {
    let mut story = Story::new(Config { budget: 0.01, ..config() });
    let (busy, quiet) = (HostId(1), HostId(2));
    let known = |id: u32, changes: f32| {
        let learned = Learner::from_numbers([changes, 1e6, changes, 1e6, 0.0, changes]);
        SourceRecord::known(SourceId(id), learned, 100, at(-60))
    };
    for id in 0..20 {
        let (source, is_busy) = (SourceId(id), id % 2 == 0);
        let host = if is_busy { busy } else { quiet };
        let prior = Some(known(id, if is_busy { 50.0 } else { 0.5 }));
        story.tell(Event::SourceAdded { source, host, prior });
    }
    let (new_busy, new_quiet) = (SourceId(100), SourceId(101));
    story.watch(new_quiet, quiet);
    story.watch(new_busy, busy);
    let looks = story.run(86_400 * 3, Outcome::Unchanged);
    let second = |source: SourceId| {
        looks.iter().filter(|(_, pick)| pick.source == source).nth(1).map(|(at, _)| *at)
    };
    let (busy, quiet) = (second(new_busy).expect("it is looked at"), second(new_quiet));
    assert!(quiet.is_none_or(|quiet| 2 * quiet > 3 * busy), "{busy} {quiet:?}");
}
