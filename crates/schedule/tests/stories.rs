//! The scheduler as its callers see it: events in, probes out.

use chronon::{HostId, Instant, SourceId, Span};
use schedule::rate::Learner;
use schedule::{
    CeiId, Config, EiId, Event, Obstacle, Outcome, Pick, Reason, Scheduler, SourceRecord,
};

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
        Story { scheduler: Scheduler::new(config, 7), now: 0 }
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
        self.tell(Event::Probed { source, start: at(self.now), outcome });
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
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    assert_eq!(seconds(&story.run(6_900, Outcome::Changed)), [5, 3_605, 5_405, 6_305, 6_755]);
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    assert_eq!(seconds(&story.run(14_000, Outcome::Unchanged)), [5, 3_605, 8_105, 13_730]);
}

#[test]
fn the_interval_stays_within_its_bounds() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.run(20_000, Outcome::Changed);
    assert_eq!(story.scheduler.record(NEWS).unwrap().interval, Span::MINUTE);
    story.run(2_000_000, Outcome::Unchanged);
    assert_eq!(story.scheduler.record(NEWS).unwrap().interval, Span::DAY);
}

#[test]
fn looking_often_for_an_ei_does_not_drive_the_freshness_interval_up() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    story.run(5, Outcome::Unchanged);
    for ei in 0..36 {
        story.ei(ei, NEWS, 100 + 100 * ei as i64, 110 + 100 * ei as i64);
    }
    story.run(3_605, Outcome::Unchanged);
    let interval = story.scheduler.record(NEWS).unwrap().interval;
    assert!(interval > Span::HOUR && interval < Span::MINUTE.times(80), "{interval}");
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
fn a_failed_probe_leaves_the_ei_open_and_it_is_tried_at_ever_shorter_steps_until_its_finish() {
    let mut story = Story::new(config());
    story.tell(Event::SourceAdded { source: NEWS, host: HOST, prior: None });
    story.ei(1, NEWS, 100, 200);
    assert_eq!(seconds(&story.run(1_000, Outcome::Failed)), [100, 150, 175, 188, 194, 199]);
    assert_eq!(story.scheduler.next_deadline(), None, "without a demand nobody tries again");
}

#[test]
fn failures_of_a_freshness_demand_back_off_from_a_minute_up_to_its_interval() {
    let mut story = Story::new(config());
    story.watch(NEWS, HOST);
    let tries = story.run(14_500, Outcome::Failed);
    let gaps: Vec<i64> = seconds(&tries).windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    assert_eq!(tries[3].1.reason, Reason::Retry { failures: 3 });
    let record = story.scheduler.record(NEWS).unwrap();
    assert_eq!((record.failures, record.interval), (9, Span::HOUR));
}

#[test]
fn who_is_asked_for_comes_before_an_ei() {
    let mut story = Story::new(config());
    for source in [NEWS, SHOP] {
        story.tell(Event::SourceAdded { source, host: HOST, prior: None });
    }
    story.ei(1, NEWS, 0, 60);
    story.tell(Event::Asked { source: SHOP });
    story.tell(Event::Probed { source: SHOP, start: at(-9), outcome: Outcome::Unchanged });
    let story = story.run(60, Outcome::Unchanged);
    assert_eq!(story[0], (5, Pick { source: SHOP, reason: Reason::Asked }));
    assert_eq!(story[1].1.source, NEWS);
}

#[test]
fn eis_do_not_starve_freshness() {
    let (host_interval, restart_spread) = (Span::ZERO, Span::ZERO);
    let config = Config { host_interval, restart_spread, budget: 1.0, ..config() };
    let mut story = Story::new(config);
    let prior = |source, last| SourceRecord {
        source,
        interval: Span::HOUR,
        last_probe: Some(at(last)),
        failures: 0,
        probes: 1,
        changes: 0,
    };
    let prior = Some(prior(SHOP, -3_600));
    story.tell(Event::SourceAdded { source: SHOP, host: OTHER_HOST, prior });
    story.tell(Event::Weight { source: SHOP, weight: 1.0 });
    story.tell(Event::SourceAdded { source: NEWS, host: HOST, prior: None });
    for ei in 0..100 {
        story.ei(ei, NEWS, ei as i64, ei as i64);
    }
    let story = story.run(100, Outcome::Unchanged);
    let shop = story.iter().position(|(_, pick)| pick.source == SHOP);
    assert_eq!(shop, Some(7), "after seven EIs that passed it");
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
        let (interval, last_probe) = (Span::HOUR, Some(at(-100_000)));
        let prior =
            SourceRecord { source, interval, last_probe, failures: 0, probes: 9, changes: 1 };
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
            story
                .scheduler
                .handle(at(second), Event::Probed { source, start: at(second), outcome });
        }
    }
    assert_eq!(per_minute.iter().sum::<u32>(), 600);
    assert!(per_minute.iter().all(|&n| (30..=90).contains(&n)), "{per_minute:?}");
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
