//! Random lives, lived by the scheduler, polled in two ways and checked by a look at everybody.

use crate::invariant::{self, Started};
use crate::price::Price;
use crate::rate::{Learner, Pool};
use crate::scheduler::{Head, Next};
use crate::source::Flag;
use crate::urgency::Urgency;
use crate::week::Week;
use crate::{CeiId, Config, EiId, Event, Outcome, Pick, Scheduler, SourceRecord};
use chronon::{HostId, Instant, SourceId, Span};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Fifteen seconds before an hour.
const START: i64 = 1_799_999_985_123;
const HOSTS: u32 = 3;

/// What happens outside: at which millisecond, and whether the clock jumped there at once.
#[derive(Debug, Clone)]
struct Act {
    after: i64,
    jumps: bool,
    event: Event,
}

#[derive(Debug, Clone)]
struct Life {
    config: Config,
    /// How busy the hours of the week are, in turn.
    hours: Vec<u32>,
    acts: Vec<Act>,
    /// How long requests take, in milliseconds, and how they end; in turn.
    ends: Vec<(i64, Outcome)>,
    /// Where they lead on, in turn; `None`: the look is over.
    hops: Vec<Option<u32>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Log {
    picks: Vec<(Instant, Pick)>,
    /// Every request: picks that begin at their own host, and looks that go on.
    requests: Vec<Started>,
}

trait Polled {
    fn handle(&mut self, now: Instant, event: Event);
    fn poll(&mut self, now: Instant) -> Vec<Pick>;
    fn scheduler(&mut self) -> &mut Scheduler;
    /// The next time to poll, strictly after `now` or at once.
    fn next(&self, now: Instant) -> Option<Instant>;
}

/// Polled at every chronon's start, when any bucket fills, and after every event.
struct EveryChronon(Scheduler);
/// The same, where probes have their [`COSTS`].
struct Dear(EveryChronon);
/// Polled when it says so.
struct ByDeadline(Scheduler);
/// Polled at every chronon's start, and compared with a look at everybody. What all sources share
/// rests, so that nobody's worth is out of date.
struct Checked {
    scheduler: Scheduler,
    shared: (Pool, Urgency, Price, Week),
    /// Looks that have begun and are not over.
    looks: BTreeMap<SourceId, LookStage>,
    arrivals: u32,
}

/// Where a look is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum LookStage {
    /// It asks nobody, and has not said whom it will ask.
    Begun,
    /// A server is asked.
    Asks,
    /// It came to a host that it was led to, as the so-manyth of all who were led anywhere.
    Waits(HostId, u32),
}

/// A scheduler with the life's pattern of the week.
fn scheduler(life: &Life) -> Scheduler {
    let mut scheduler = Scheduler::new(life.config.clone(), 7).expect("the configuration can be");
    let busy = |hour: usize| f64::from(life.hours[hour % life.hours.len()]);
    scheduler.week = Week::of(std::array::from_fn(busy));
    scheduler
}

/// The start of the chronon after `now`.
fn next_chronon(scheduler: &Scheduler, now: Instant) -> Option<Instant> {
    Some(scheduler.grid.start(scheduler.grid.index(now) + 1))
}

/// When the first bucket of all fills after `now`.
fn next_token(s: &Scheduler, now: Instant) -> Option<Instant> {
    let slots = (0..HOSTS).filter_map(|host| s.hosts.slot(HostId(host)));
    slots.map(|slot| s.hosts.bucket(slot).polite_at()).filter(|&at| at > now).min()
}

impl Polled for EveryChronon {
    fn handle(&mut self, now: Instant, event: Event) {
        self.0.handle(now, event);
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        let mut picks = Vec::new();
        self.0.poll(now, &mut picks);
        picks
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.0
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        next_chronon(&self.0, now).into_iter().chain(next_token(&self.0, now)).min()
    }
}

/// Cheap ones, and some that no chronon's budget pays.
const COSTS: [f64; 4] = [0.5, 1.0, 2.75, 4.0];

fn cost_of(source: SourceId) -> f64 {
    COSTS[source.0 as usize % 4]
}

impl Polled for Dear {
    fn handle(&mut self, now: Instant, event: Event) {
        let added = match event {
            Event::SourceAdded { source, .. } => Some(source),
            _ => None,
        };
        self.0.handle(now, event);
        if let Some(source) = added {
            self.0.handle(now, Event::Cost { source, cost: cost_of(source) });
        }
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        self.0.poll(now)
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        self.0.scheduler()
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        self.0.next(now)
    }
}

impl Checked {
    fn new(life: &Life, price: f64) -> Checked {
        let mut scheduler = scheduler(life);
        for _ in 0..200 {
            scheduler.price.observe(price);
        }
        // So many were lost that a few more or less change nothing.
        for _ in 0..5_000 {
            scheduler.eis.urgency.lost();
        }
        let s = &scheduler;
        let shared = (s.pool.clone(), s.eis.urgency.clone(), s.price, s.week.clone());
        Checked { scheduler, shared, looks: BTreeMap::new(), arrivals: 0 }
    }

    /// What `event` does to looks.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Moved { source, host } if self.looks.contains_key(source) => {
                self.looks.insert(*source, LookStage::Waits(*host, self.arrivals));
                self.arrivals += 1;
            }
            Event::Probed { source, .. } | Event::SourceRemoved { source } => {
                self.looks.remove(source);
            }
            _ => {}
        }
    }

    /// Sources for which a server is asked.
    fn asking(&self) -> impl Iterator<Item = SourceId> {
        self.looks.iter().filter(|look| *look.1 == LookStage::Asks).map(|look| *look.0)
    }

    fn hanging(&self) -> usize {
        let s = &self.scheduler;
        self.asking()
            .filter(|&source| s.roster.slot(source).is_some_and(|at| self.hangs(at)))
            .count()
    }

    /// Sources that hang have half of the slots, and one where there is only one.
    fn half(&self) -> usize {
        (self.scheduler.config.in_flight_max as usize / 2).max(1)
    }

    /// The look that goes on at a host: of those that need wait no longer there, who came first.
    fn goes_on(&mut self, head: Head, now: Instant) {
        let able = self.led_on(now);
        let host = |source: &SourceId| match self.looks[source] {
            LookStage::Waits(host, arrival) => (self.scheduler.hosts.slot(host), arrival),
            _ => (None, 0),
        };
        let here = able.into_iter().filter(|source| host(source).0 == Some(head.host));
        let first = here.min_by_key(|source| host(source).1);
        self.scheduler.go_on(head);
        let mut started = Vec::new();
        self.scheduler.onward.clone().take_started(&mut started);
        assert_eq!(started.last(), first.as_ref(), "at {now}: somebody else came first");
        self.looks.extend(first.map(|source| (source, LookStage::Asks)));
        assert!(self.hanging() <= self.half(), "at {now}: too many that hang");
    }

    fn rest(&mut self) {
        let s = &mut self.scheduler;
        (s.pool, s.eis.urgency, s.price, s.week) = self.shared.clone();
        for slot in 0..s.roster.slots() {
            s.roster.believe(slot, &s.pool);
            s.plan(slot);
        }
    }

    /// Those who wait at hosts that take a request, and for whom there is a slot.
    fn led_on(&self, now: Instant) -> Vec<SourceId> {
        let (s, full) = (&self.scheduler, self.hanging() >= self.half());
        let able = |source: SourceId, host: HostId| {
            let (Some(slot), Some(host)) = (s.roster.slot(source), s.hosts.slot(host)) else {
                return false;
            };
            let bucket = s.hosts.bucket(host);
            let takes = bucket.has_room() && bucket.onward_at(s.grid) <= now;
            takes && !(full && self.hangs(slot))
        };
        let waiting = self.looks.iter().filter_map(|(&source, &stage)| match stage {
            LookStage::Waits(host, _) => Some((source, host)),
            LookStage::Begun | LookStage::Asks => None,
        });
        waiting.filter(|&(source, host)| able(source, host)).map(|(source, _)| source).collect()
    }

    fn hangs(&self, slot: u32) -> bool {
        let s = &self.scheduler;
        let record = s.roster.record(slot);
        let chance = f64::from(s.roster.at(slot).success) / 255.0;
        record.failures > 0 || record.last_success.is_none() || chance < 0.6
    }

    fn candidates(&self, now: Instant) -> Vec<(u16, SourceId)> {
        let s = &self.scheduler;
        let full = self.hanging() >= self.half();
        let slots = (0..s.roster.slots()).filter(|&slot| s.roster.is_taken(slot));
        let level = |slot| s.roster.at(slot).level();
        let able = |slot| {
            let bucket = s.hosts.bucket(s.roster.at(slot).host);
            bucket.has_room() && bucket.ready_at(s.grid) <= now
        };
        let able = slots.filter(|&slot| able(slot) && !(full && self.hangs(slot)));
        able.filter_map(|slot| Some((level(slot)?, s.roster.id(slot)))).collect()
    }
}

impl Polled for Checked {
    fn handle(&mut self, now: Instant, event: Event) {
        self.note(&event);
        self.scheduler.handle(now, event);
        self.rest();
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        self.scheduler.advance(now);
        let s = &self.scheduler;
        // What time brings takes effect at the start of a chronon.
        let starts = s.grid.up(now) == now;
        for slot in (0..s.roster.slots()).filter(|&slot| starts && s.roster.is_taken(slot)) {
            let entry = s.roster.at(slot);
            assert_eq!(entry.level(), s.standing(slot).0, "at {now} of {entry:?}");
        }
        let mut picks = Vec::new();
        loop {
            let candidates = self.candidates(now);
            let Some(next) = self.scheduler.next_request() else {
                let s = &self.scheduler;
                assert!(s.in_flight >= s.config.in_flight_max || self.led_on(now).is_empty());
                let top = candidates.iter().map(|entry| entry.0).max();
                let cost = |source| s.roster.slot(source).map_or(1.0, |slot| s.roster.cost(slot));
                let mut first = candidates.iter().filter(|entry| Some(entry.0) == top);
                let paid = first.all(|entry| s.budget.allows(cost(entry.1)));
                let free = s.in_flight < s.config.in_flight_max && paid;
                assert!(!free || candidates.is_empty(), "{candidates:?} could be probed");
                break;
            };
            let head = match next {
                Next::Own(head) => head,
                Next::Onward(head) => {
                    self.goes_on(head, now);
                    continue;
                }
            };
            let (pick, _) = self.scheduler.pick(head);
            let level = candidates.iter().find(|entry| entry.1 == pick.source).map(|e| e.0);
            assert_eq!(level, candidates.iter().map(|entry| entry.0).max(), "at {now}");
            let slot = self.scheduler.roster.slot(pick.source).expect("just picked");
            let elsewhere = self.scheduler.roster.at(slot).is(Flag::Elsewhere);
            let stage = if elsewhere { LookStage::Begun } else { LookStage::Asks };
            self.looks.insert(pick.source, stage);
            assert_eq!(self.asking().count(), self.scheduler.in_flight as usize, "at {now}");
            picks.push(pick);
        }
        self.rest();
        picks
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.scheduler
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        next_chronon(&self.scheduler, now)
    }
}

impl Polled for ByDeadline {
    fn handle(&mut self, now: Instant, event: Event) {
        self.0.handle(now, event);
        let promised = self.0.next_deadline().is_some_and(|due| due <= now);
        let (mut copy, mut picks, mut onward) = (self.0.clone(), Vec::new(), Vec::new());
        copy.poll(now, &mut picks);
        copy.take_onward(&mut onward);
        let any = !picks.is_empty() || !onward.is_empty();
        assert_eq!(promised, any, "a deadline that has come means a pick");
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        let mut picks = Vec::new();
        self.0.poll(now, &mut picks);
        picks
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.0
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        let deadline = self.0.next_deadline();
        assert!(deadline.is_none_or(|due| due > now), "at {now} it would spin");
        deadline
    }
}

/// Lives `life` and two minutes more.
fn live(life: &Life, scheduler: impl Polled) -> Log {
    live_late(life, &[0], scheduler)
}

/// The same on a machine that wakes up so many milliseconds late, in turn.
#[expect(clippy::too_many_lines, reason = "one life, told from its beginning to its end")]
fn live_late(life: &Life, late: &[i64], mut scheduler: impl Polled) -> Log {
    let mut log = Log::default();
    let mut in_flight: Vec<(Instant, Instant, SourceId, Outcome)> = Vec::new();
    // Of the latest look: when it began, how it will end, and where it was led.
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
                None => scheduler.handle(now, Event::Probed { source, start, outcome }),
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

fn config() -> impl Strategy<Value = Config> {
    let limits = (
        prop::sample::select(vec![0.0, 0.15, 0.3, 1.0, 2.0, 2.5]),
        prop::sample::select(vec![0, 700, 1_500, 5_000, 20_000]),
        1u32..3,
        1u32..5,
    );
    let times = (5_000i64..200_000, 1_000i64..20_000, 0i64..60_000);
    (limits, times).prop_map(|((budget, host, host_in_flight, in_flight_max), times)| Config {
        chronon: Span::SECOND,
        budget,
        host_interval: Span::from_millis(host),
        host_in_flight,
        in_flight_max,
        interval_initial: Span::from_millis(times.0),
        interval_min: Span::from_millis(times.1),
        interval_max: Span::from_millis(300_000),
        yield_min: 0.3,
        capture_worth: Span::MINUTE,
        restart_spread: Span::from_millis(times.2),
    })
}

fn source() -> impl Strategy<Value = SourceId> {
    (0u32..8).prop_map(SourceId)
}

fn host() -> impl Strategy<Value = HostId> {
    (0..HOSTS).prop_map(HostId)
}

/// Sources stay on their host, so that a log tells the host.
fn host_of(source: SourceId) -> HostId {
    HostId(source.0 % HOSTS)
}

fn added() -> impl Strategy<Value = Event> {
    let score = prop::sample::select(vec![0.0, 2.5, 20.0, 20.0]);
    let learned = (1i64..400_000, prop::option::of(0i64..500_000), 0u32..4, score);
    (source(), prop::option::of(learned)).prop_map(|(source, prior)| {
        let prior = prior.map(|(interval, ago, failures, score)| SourceRecord {
            source,
            score,
            learned: Learner::from_numbers([0.5, interval as f32, 1.0, interval as f32, 0.0, 1.0]),
            last_probe: ago.map(|ago| Instant::from_millis(START - ago)),
            last_success: ago.map(|ago| Instant::from_millis(START - ago - 1_000)),
            failures: if ago.is_some() { failures } else { 0 },
            probes: 5,
            changes: 2,
        });
        Event::SourceAdded { source, host: host_of(source), prior }
    })
}

/// Starts within `ahead` of the time reached, at least a chronon long.
fn ei(reached: i64, ahead: std::ops::Range<i64>) -> impl Strategy<Value = Event> {
    (0u64..200, 0u64..12, source(), ahead, 1_000i64..30_000).prop_map(
        move |(ei, cei, source, ahead, length)| {
            let start = Instant::from_millis(START + reached + ahead);
            let finish = start + Span::from_millis(length);
            Event::EiAdded { ei: EiId(ei), cei: CeiId(cei), source, start, finish, utility: 1.0 }
        },
    )
}

fn demand(reached: i64) -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => added(),
        4 => (source(), prop::sample::select(vec![0.0, 1.0, 1.0, 3.5]))
            .prop_map(|(source, weight)| Event::Weight { source, weight }),
        8 => ei(reached, -3_000..20_000),
        1 => source().prop_map(|source| Event::SourceRemoved { source }),
        3 => source().prop_map(|source| Event::Asked { source }),
        1 => (source(), any::<bool>())
            .prop_map(|(source, held)| Event::SourceHeld { source, held }),
        1 => (0u64..12).prop_map(|cei| Event::CeiDropped { cei: CeiId(cei) }),
        1 => (source(), host()).prop_map(|(source, host)| Event::Moved { source, host }),
        2 => (source(), any::<bool>())
            .prop_map(|(source, elsewhere)| Event::BeginsElsewhere { source, elsewhere }),
        1 => (host(), 0i64..40_000).prop_map(move |(host, ahead)| {
            let until = Instant::from_millis(START + reached + ahead);
            Event::RedirectsHeld { host, until }
        }),
        1 => (source(), 0i64..40_000).prop_map(move |(source, ahead)| {
            let until = Instant::from_millis(START + reached + ahead);
            Event::SourcePaused { source, until }
        }),
        1 => (host(), 0i64..40_000).prop_map(move |(host, ahead)| {
            let until = Instant::from_millis(START + reached + ahead);
            Event::HostHeld { host, until }
        }),
        1 => (source(), 0i64..9_000).prop_map(move |(source, ago)| {
            let start = Instant::from_millis(START + reached - ago);
            Event::Probed { source, start, outcome: Outcome::Unchanged }
        }),
    ]
}

fn limit() -> impl Strategy<Value = Event> {
    prop_oneof![
        prop::sample::select(vec![0.0, 0.2, 1.0, 3.0])
            .prop_map(|per_chronon| Event::BudgetSet { per_chronon }),
        (source(), prop::sample::select(vec![0.5, 1.0, 2.0, 4.0]))
            .prop_map(|(source, cost)| Event::Cost { source, cost }),
        (host(), 0i64..15_000, 0u32..3).prop_map(|(host, interval, in_flight)| {
            Event::HostLimitSet { host, interval: Span::from_millis(interval), in_flight }
        }),
    ]
}

fn life(limits_change: u32) -> impl Strategy<Value = Life> {
    let after = prop_oneof![3 => Just(0i64), 6 => 1i64..4_000, 1 => 4_000i64..30_000];
    let times = prop::collection::vec((after, prop::bool::weighted(0.03)), 10..90);
    let acts = times.prop_flat_map(move |times| {
        let mut reached = 0;
        let acts: Vec<_> = times
            .into_iter()
            .map(|(after, jumps)| {
                let after = if jumps { after + 100_000_000 } else { after };
                reached += after;
                let event =
                    prop_oneof![20 => demand(reached).boxed(), limits_change => limit().boxed()];
                event.prop_map(move |event| Act { after, jumps, event })
            })
            .collect();
        acts
    });
    let outcome = prop::sample::select(vec![
        Outcome::Changed,
        Outcome::Unchanged,
        Outcome::Unchanged,
        Outcome::Failed,
        Outcome::Doubtful,
        Outcome::SetAside,
    ]);
    let ends = prop::collection::vec((0i64..9_000, outcome), 1..9);
    // Some are watched from the start, and some lives are crowded with EIs.
    let watched = prop::collection::vec(added(), 0..8);
    let crowd = prop_oneof![Just(0usize..1), Just(0usize..100)]
        .prop_flat_map(|count| prop::collection::vec(ei(0, 0..100_000), count));
    let first = (watched, crowd).prop_map(|(watched, crowd)| [watched, crowd].concat());
    let hours = prop::collection::vec(prop::sample::select(vec![0_u32, 30, 500]), 2..5);
    let hop = prop_oneof![3 => Just(None), 1 => (0..HOSTS).prop_map(Some)];
    let hops = prop_oneof![Just(vec![None]), prop::collection::vec(hop, 1..9)];
    let ends = (ends, hops);
    (config(), hours, first, acts, ends).prop_map(|(config, hours, first, acts, (ends, hops))| {
        let first = first.into_iter().flat_map(|event| match event {
            Event::SourceAdded { source, .. } => vec![event, Event::Weight { source, weight: 1.0 }],
            _ => vec![event],
        });
        let first = first.map(|event| Act { after: 0, jumps: false, event });
        Life { config, hours, acts: first.chain(acts).collect(), ends, hops }
    })
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

    /// Over any time no more is spent than the budget of it and what is kept at most: a chronon's
    /// worth, a probe more where that is no whole number, and the dearest probe.
    #[test]
    fn what_is_spent_keeps_the_budget_whatever_probes_cost(life in life(0)) {
        let log = live(&life, Dear(EveryChronon(scheduler(&life)))).picks;
        let budget = life.config.budget;
        let saved = if budget.fract() == 0.0 { budget } else { budget + 1.0 };
        let chronon = |at: Instant| at.as_millis().div_euclid(1_000) as f64;
        for (i, (from, _)) in log.iter().enumerate() {
            let mut spent = 0.0;
            for (at, pick) in &log[i..] {
                spent += cost_of(pick.source);
                let most = budget * (chronon(*at) - chronon(*from)) + saved + COSTS[3];
                prop_assert!(spent <= most + 1e-6, "{spent} of {most} from {from} to {at}");
            }
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
        // So much evidence that nothing more is learned: ten changes a day.
        let learned = Learner::from_numbers([1e8, 8.64e11, 1e8, 8.64e11, 0.0, 1e6]);
        let prior =
            SourceRecord { score, ..SourceRecord::known(source, learned, (1_000, two_hours_ago)) };
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
fn sources_that_come_and_go_leave_nothing_behind() {
    let mut scheduler = Scheduler::new(Config::standard(), 7).expect("the configuration can be");
    let (source, host, prior) = (SourceId(1), HostId(1), None);
    let now = Instant::from_millis(START);
    let stays = SourceId(2);
    scheduler.handle(now, Event::SourceAdded { source: stays, host, prior: None });
    let outcome = Outcome::Unchanged;
    scheduler.handle(now, Event::Probed { source: stays, start: now, outcome });
    for _ in 0..20_000 {
        scheduler.handle(now, Event::SourceAdded { source, host, prior: prior.clone() });
        scheduler.handle(now, Event::Weight { source, weight: 1.0 });
        scheduler.handle(now, Event::Probed { source, start: now, outcome: Outcome::Unchanged });
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
        let known = SourceRecord::known(source, learned, (1_000, start - Span::HOUR));
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
            scheduler.handle(now, Event::Probed { source, start: now, outcome });
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
        scheduler.handle(now, Event::Probed { source, start: now, outcome });
    }
    let lane = |s: &Scheduler| s.roster.at(s.roster.slot(source).expect("there")).lane();
    assert_eq!(lane(&scheduler), crate::source::Lane::Doubtful);
    for _ in 0..10 {
        now += Span::MINUTE;
        let outcome = Outcome::Unchanged;
        scheduler.handle(now, Event::Probed { source, start: now, outcome });
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
    // So much evidence that nothing more is learned: a change a day.
    let learned = Learner::from_numbers([1e7, 8.64e11, 1e7, 8.64e11, 0.0, 1e6]);
    for id in 0..40 {
        let (source, host) = (SourceId(id), HostId(id));
        let last = start - Span::HOUR.times(i64::from(id));
        let prior = SourceRecord::known(source, learned, (1_000, last));
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
            scheduler.handle(now, Event::Probed { source, start: now, outcome });
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
        let prior = SourceRecord::known(SourceId(id), learned, (5, at(-1)));
        let prior = Some(SourceRecord { score: 20.0, ..prior });
        let (source, host) = (SourceId(id), HostId(id));
        scheduler.handle(at(0), Event::SourceAdded { source, host, prior });
        scheduler.handle(at(0), Event::Weight { source, weight: 1.0 });
    }
    scheduler.looks = 0;
    scheduler.poll(at(24 * 365_250), &mut Vec::new());
    assert!(scheduler.looks < 2_000, "{} looks", scheduler.looks);
}
