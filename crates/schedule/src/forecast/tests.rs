//! The forecast beside its promises, and beside the scheduler itself.

use super::*;
use crate::{CeiId, EiId, Event, Outcome as Ended, Pick};
use chronon::Instant;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// By prices alone, where nothing is due together.
fn priced(world: &Workload) -> Forecast {
    expect(world, &Market::of(world), world.config.budget, 0.0)
}

fn priced_under(world: &Workload, budgets: &[f64]) -> Vec<Totals> {
    let market = Market::of(world);
    budgets.iter().map(|&budget| expect(world, &market, budget, 0.0).totals).collect()
}

fn watched(source: u32, host: u32) -> Watched {
    Watched {
        source: SourceId(source),
        host: HostId(host),
        host_interval: Span::from_secs(5),
        weight: 1.0,
        per_second: 1.0 / 3_600.0,
        answered: true,
        success: 1.0,
        failures: 0,
        cost: 1.0,
        demands: Vec::new(),
    }
}

fn every(period: i64, slack: i64) -> Demand {
    let (period, slack) = (Span::from_secs(period), Span::from_secs(slack));
    Demand { period, slack, utility: 1.0, ahead: Span::ZERO }
}

fn world(budget: f64, sources: Vec<Watched>) -> Workload {
    let (config, experience) = (Config { budget, ..Config::standard() }, Experience::default());
    Workload { config, sources, experience }
}

#[test]
fn a_page_alone_is_looked_at_when_a_tenth_of_a_change_is_expected() {
    let forecast = priced(&world(10.0, vec![watched(1, 1)]));
    let share = forecast.shares[0];
    assert_eq!((share.limit, share.probes_per_day), (Limit::Yield, 240.0));
    assert_eq!((share.delay, forecast.totals.price), (Some(180.0), 0.0));
    assert_eq!(forecast.totals.delay, Some(180.0));
}

#[test]
fn each_limit_has_its_name() {
    let mut sources: Vec<Watched> = (0..5).map(|at| watched(at, at)).collect();
    sources[0].per_second = 1.0;
    sources[1].per_second = 1e-9;
    sources[2].weight = 0.0;
    sources[3].demands = vec![every(60, 20)];
    let limits = |world: &Workload| -> Vec<Limit> {
        priced(world).shares.iter().map(|share| share.limit).collect()
    };
    use Limit::{Deadlines, Floor, Host, Least, Nothing, Yield};
    let mut world = world(10.0, sources);
    assert_eq!(limits(&world), [Least, Floor, Nothing, Deadlines, Yield]);
    world.config.budget = 0.005;
    assert_eq!(limits(&world)[4], Limit::Budget);
    world.config.budget = 10.0;
    for source in &mut world.sources {
        (source.host, source.host_interval) = (HostId(9), Span::MINUTE);
    }
    assert_eq!(limits(&world)[4], Host);
}

#[test]
fn twelve_times_the_weight_brings_three_and_a_half_times_the_probes_when_the_budget_is_short() {
    let mut sources: Vec<Watched> = (0..40).map(|at| watched(at, at)).collect();
    sources.iter_mut().step_by(2).for_each(|source| source.weight = 12.0);
    let forecast = priced(&world(0.02, sources));
    let ratio = forecast.shares[0].probes_per_day / forecast.shares[1].probes_per_day;
    assert!((ratio / 12.0_f64.sqrt() - 1.0).abs() < 0.01, "{ratio}");
    assert!((forecast.totals.probes_per_day - 0.02 * DAY).abs() < 1e-3);
}

#[test]
fn a_deadline_that_cannot_be_met_says_why_and_by_how_much() {
    let only = |source, host, demand| {
        let demands = vec![demand];
        Watched { weight: 0.0, demands, ..watched(source, host) }
    };
    let unmet = |world: Workload| priced(&world).unmet;
    assert_eq!(unmet(world(10.0, vec![only(1, 1, every(60, 6))])), []);
    // Twenty looks a minute, where the host takes twelve.
    let crowd = (0..20).map(|at| only(at, 1, every(60, 60))).collect();
    let missed = unmet(world(10.0, crowd));
    assert_eq!(missed.len(), 20);
    assert!((missed[0].captured - 0.6).abs() < 1e-6, "{:?}", missed[0]);
    let (needed, allowed) = (28_800.0, 17_280.0);
    assert_eq!(missed[0].shortage, Shortage::Host { needed, allowed });
    // One probe in ten minutes, two looks.
    let two = (0..2).map(|at| only(at, at, every(600, 600))).collect();
    let missed = unmet(world(1.0 / 600.0, two));
    assert!((missed[1].captured - 0.5).abs() < 1e-6, "{:?}", missed[1]);
    assert_eq!(missed[1].shortage, Shortage::Budget { needed: 288.0, allowed: 144.0 });
    // A second is too short where another page of the host is read every 30 s.
    let mut neighbour = watched(2, 1);
    neighbour.per_second = 1.0;
    let missed = unmet(world(10.0, vec![only(1, 1, every(60, 1)), neighbour]));
    assert!((missed[0].captured - (1.0 - 4.0 / 30.0)).abs() < 0.01, "{:?}", missed[0]);
    assert_eq!(missed[0].shortage, Shortage::HostWait { wait: Span::from_secs(5) });
    let mut failing = only(1, 1, every(600, 10));
    failing.success = 0.5;
    let shortage = unmet(world(10.0, vec![failing]))[0].shortage;
    assert_eq!(shortage, Shortage::Failures { success: 0.5 });
}

#[test]
fn nothing_watched_and_no_budget_are_worlds_too() {
    let nothing = priced(&world(10.0, vec![]));
    assert_eq!((nothing.totals.probes_per_day, nothing.totals.delay), (0.0, None));
    let stopped = priced(&world(0.0, vec![watched(1, 1)]));
    assert!(stopped.totals.probes_per_day < 1e-6);
    assert_eq!(stopped.shares[0].limit, Limit::Budget);
}

fn some_source() -> impl Strategy<Value = Watched> {
    let demands = prop::collection::vec((60i64..90_000, 1i64..4_000, 0.1f64..5.0), 0..3);
    let numbers = (0u32..6, prop::sample::select(vec![0.0, 1.0, 1.0, 7.0]), -16.0f64..0.0);
    (numbers, 0.1f64..1.0, demands).prop_map(|((host, weight, rate), success, demands)| Watched {
        weight,
        per_second: libm::exp(rate),
        success,
        demands: demands
            .into_iter()
            .map(|(period, slack, utility)| Demand { utility, ..every(period, slack) })
            .collect(),
        ..watched(0, host)
    })
}

fn some_world() -> impl Strategy<Value = Workload> {
    let sources = prop::collection::vec(some_source(), 1..40);
    (sources, -8.0f64..3.0, prop::sample::select(vec![0.0, 0.1, 0.5])).prop_map(
        |(sources, budget, yield_min)| {
            let mut world = world(libm::exp(budget), sources);
            world.config.yield_min = yield_min;
            for (at, source) in world.sources.iter_mut().enumerate() {
                source.source = SourceId(at as u32);
            }
            world
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_budget_and_no_host_is_overdrawn(world in some_world()) {
        let forecast = priced(&world);
        let totals = forecast.totals;
        prop_assert!(totals.cost_per_day <= world.config.budget * DAY * (1.0 + 1e-6));
        let mut hosts: BTreeMap<HostId, f64> = BTreeMap::new();
        for (share, watched) in forecast.shares.iter().zip(&world.sources) {
            *hosts.entry(watched.host).or_default() += share.probes_per_day;
            prop_assert!(share.probes_per_day >= 0.0 && share.probes_per_day.is_finite());
            prop_assert!(share.delay.is_none_or(|delay| delay > 0.0 && delay.is_finite()));
            prop_assert!(share.captured_per_day <= share.deadlines_per_day * (1.0 + 1e-9));
        }
        for probes in hosts.values() {
            // Prices are found without the waits that crowds bring; those make a few tries more.
            prop_assert!(*probes <= DAY / 5.0 * 1.01, "{probes} of {}", DAY / 5.0);
        }
        for unmet in &forecast.unmet {
            prop_assert!((0.0..SHARE_MET).contains(&unmet.captured));
        }
    }

    #[test]
    fn a_larger_budget_brings_no_fewer_probes_at_no_higher_price(world in some_world()) {
        let budgets: Vec<f64> = (0..8).map(|at| libm::exp(f64::from(at) * 1.3 - 7.0)).collect();
        let totals = priced_under(&world, &budgets);
        for pair in totals.windows(2) {
            let (less, more) = (pair[0], pair[1]);
            prop_assert!(more.cost_per_day >= less.cost_per_day * (1.0 - 1e-6));
            prop_assert!(more.wanted_per_day == less.wanted_per_day);
        }
        let plenty = priced_under(&world, &[1e6])[0];
        prop_assert!(plenty.price == 0.0 && plenty.cost_per_day >= plenty.wanted_per_day * 0.999);
    }

    #[test]
    fn a_price_that_is_found_is_the_one_a_walk_over_prices_finds(world in some_world()) {
        let market = Market::of(&world);
        let book = market.settle(world.config.budget);
        let totals = market.totals(&book);
        if totals.price > 0.0 && totals.price < 1e30 {
            let spent = totals.cost_per_day / totals.allowed_per_day;
            prop_assert!((spent - 1.0).abs() < 1e-6, "{spent} of the budget");
        }
    }
}

/// Plays `world` with the scheduler itself, for `days` after one to settle: probes a day,
/// and mean seconds to the next probe, per source.
fn played(world: &Workload, days: i64) -> Vec<(f64, f64)> {
    let start = Instant::from_millis(1_800_000_000_000);
    let mut scheduler = Scheduler::new(world.config.clone(), 7).expect("the configuration can be");
    let (from, until) = (start + Span::DAY, start + Span::DAY.times(days + 1));
    let mut probes: Vec<Vec<Instant>> = vec![Vec::new(); world.sources.len()];
    let mut next_ei = 0;
    let mut add = |scheduler: &mut Scheduler, now: Instant, watched: &Watched, start: Instant| {
        next_ei += 1;
        let demand = watched.demands[0];
        let event = Event::EiAdded {
            ei: EiId(next_ei),
            cei: CeiId(next_ei),
            source: watched.source,
            start,
            finish: start + demand.slack,
            utility: demand.utility,
        };
        scheduler.handle(now, event);
        start + demand.period
    };
    // Where changes come evenly they come together, and a forecast knows no company.
    scheduler.kin.is_deaf = true;
    let mut openings = std::collections::BTreeSet::new();
    for (at, watched) in world.sources.iter().enumerate() {
        let &Watched { source, host, weight, .. } = watched;
        // What it would have learned in a long life.
        let seen = (watched.per_second * 1e7) as f32;
        let learned = crate::rate::Learner::from_numbers([seen, 1e7, seen, 1e7, 0.0, seen]);
        let prior = crate::SourceRecord::known(source, learned, 1_000, start);
        scheduler.handle(start, Event::SourceAdded { source, host, prior: Some(prior) });
        scheduler.handle(start, Event::Weight { source, weight });
        if let Some(demand) = watched.demands.first() {
            let phase = demand.period.as_millis() / 997 * (at as i64 * 613 % 997);
            openings.insert((start + Span::from_millis(phase), at));
        }
    }
    let (mut now, mut picks) = (start, Vec::<Pick>::new());
    let mut changes: Vec<f64> = vec![0.0; world.sources.len()];
    while now < until {
        while let Some((opens, at)) = openings.first().copied().filter(|first| first.0 <= now) {
            openings.pop_first();
            openings.insert((add(&mut scheduler, now, &world.sources[at], opens), at));
        }
        scheduler.poll(now, &mut picks);
        for pick in picks.drain(..) {
            let at = pick.source.0 as usize;
            // Changes come evenly, so that what was learned stays.
            let before = probes[at].last().copied().unwrap_or(start);
            let expected = world.sources[at].per_second * now.since(before).as_secs_f64();
            changes[at] += 1.0 - libm::exp(-expected);
            let outcome = if changes[at] >= 1.0 { Ended::Changed } else { Ended::Unchanged };
            changes[at] -= if changes[at] >= 1.0 { 1.0 } else { 0.0 };
            probes[at].push(now);
            scheduler.handle(
                now,
                Event::Probed {
                    source: pick.source,
                    start: now,
                    outcome,
                    found: 0,
                    times: Vec::new(),
                },
            );
        }
        let opens = openings.first().map(|first| first.0);
        let next = scheduler.next_deadline().filter(|&at| at > now);
        now = next.into_iter().chain(opens).min().unwrap_or(until).max(now + Span::SECOND);
    }
    probes.iter().map(|times| told(times, from, days)).collect()
}

/// Probes a day from a moment on, and the mean wait for the next.
fn told(times: &[Instant], from: Instant, days: i64) -> (f64, f64) {
    let times = times.iter().filter(|at| **at >= from);
    let times: Vec<f64> = times.map(|at| at.since(from).as_secs_f64()).collect();
    let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let (sum, squares) = gaps.fold((0.0, 0.0), |(a, b), gap| (a + gap, b + gap * gap));
    (times.len() as f64 / days as f64, squares / 2.0 / sum)
}

/// A world of every kind of source: rates over four decades, weights, deadlines, a crowded host.
fn mixed(budget: f64, count: u32) -> Workload {
    let sources = (0..count).map(|at| {
        let host = if at % 5 == 0 { 1_000 + at % 2 } else { at };
        let mut source = watched(at, host);
        source.host_interval = Span::from_secs(20);
        source.per_second = 1e-3 * libm::exp(-f64::from(at * 7 % 13) / 1.7);
        source.weight = f64::from(1 + at % 3);
        if at % 4 == 1 {
            let period = 900 * i64::from(1 + at % 7);
            source.demands = vec![every(period, period / 10)];
            source.weight = if at % 8 == 1 { 0.0 } else { source.weight };
        }
        source
    });
    world(budget, sources.collect())
}

/// Compares all sources that are probed often enough to be counted.
fn compare(world: &Workload, days: i64) {
    let forecast = priced(world);
    let played = played(world, days);
    let total: f64 = played.iter().map(|one| one.0).sum();
    let told = forecast.totals.probes_per_day;
    assert!((told / total - 1.0).abs() < 0.05, "{told} probes a day told, {total} played");
    let (mut wrong, mut delays) = (Vec::new(), (0.0, 0.0));
    for (share, &(probes, delay)) in forecast.shares.iter().zip(&played) {
        let near = (share.probes_per_day - probes).abs() <= 0.15 * probes + 1.0;
        if !near {
            wrong.push((share.source, share.limit, share.probes_per_day, probes));
        }
        delays.0 += share.delay.unwrap_or(0.0) * share.stake;
        delays.1 += delay * share.stake;
    }
    assert!(wrong.len() * 20 <= played.len(), "told and played a day: {wrong:?}");
    let (told, played) = delays;
    assert!((told / played - 1.0).abs() < 0.08, "weighted delay: {told} told, {played} played");
}

#[test]
fn where_the_budget_is_plenty_the_scheduler_does_what_was_forecast() {
    compare(&mixed(10.0, 60), 3);
}

#[test]
fn where_the_budget_is_short_the_scheduler_does_what_was_forecast() {
    compare(&mixed(1.0 / 30.0, 60), 6);
}

fn looks(count: u32, hosts: u32, ahead: impl Fn(u32) -> i64) -> Vec<Watched> {
    let source = |at: u32| {
        let demand = Demand { ahead: Span::from_secs(ahead(at)), ..every(600, 60) };
        Watched { weight: 0.0, demands: vec![demand], ..watched(at, at % hosts) }
    };
    (0..count).map(source).collect()
}

#[test]
fn a_page_that_is_down_is_blamed_and_its_healthy_neighbours_are_not() {
    // Eight looks a minute apart, each with less time than a request to the host stands in its way.
    // Four pages are down, as their last ten looks tell in part only.
    let mut sources = looks(12, 1, |at| 60 * i64::from(at) + 30);
    sources.iter_mut().for_each(|source| source.host_interval = Span::from_secs(20));
    for down in &mut sources[..4] {
        (down.success, down.failures) = (0.35, 9);
        down.demands[0] = Demand { ahead: Span::ZERO, ..every(600, 600) };
    }
    for healthy in &mut sources[4..] {
        healthy.demands[0].slack = Span::from_secs(10);
    }
    let forecast = forecast(&world(10.0, sources));
    let blamed: Vec<(u32, Shortage)> =
        forecast.unmet.iter().map(|unmet| (unmet.source.0, unmet.shortage)).collect();
    let fails = Shortage::Failures { success: 0.0 };
    assert_eq!(blamed, [(0, fails), (1, fails), (2, fails), (3, fails)]);
    // Nothing is found on them, and each is asked once in an interval of its looks.
    let down = forecast.shares[0];
    assert_eq!((down.delay, down.captured_per_day), (None, 0.0));
    assert!((144.0..150.0).contains(&down.probes_per_day), "{}", down.probes_per_day);
    assert_eq!(forecast.totals.unprobed, 0);
}

#[test]
fn a_page_that_is_down_where_the_budget_is_short_lacks_answers_and_not_budget() {
    let mut sources = looks(4, 4, |_| 30);
    sources[0].failures = 9;
    let shares = priced(&world(2.0 / 600.0, sources)).shares;
    assert_eq!((shares[0].limit, shares[1].limit), (Limit::Failures, Limit::Budget));
}

/// A page that answers `answers` times and fails from then on, beside `pages` that change every
/// ten minutes, after `days` of looks as the scheduler asks for them.
struct Failing {
    scheduler: Scheduler,
    now: Instant,
    /// For each look but the first, how long after the one before it came, and was said to come.
    came: Vec<[f64; 2]>,
}

impl Failing {
    const PAGE: SourceId = SourceId(0);

    fn play(answers: usize, pages: u32, budget: f64, days: i64) -> Failing {
        let config = Config { budget, ..Config::standard() };
        let scheduler = Scheduler::new(config, 7).expect("it can be");
        let begun = Instant::from_millis(1_800_000_000_000);
        let mut played = Failing { scheduler, now: begun, came: Vec::new() };
        for id in 0..=pages {
            let (source, host) = (SourceId(id), HostId(id));
            let added = Event::SourceAdded { source, host, prior: None };
            played.scheduler.handle(begun, added);
            played.scheduler.handle(begun, Event::Weight { source, weight: 1.0 });
        }
        let mut seen = vec![0; pages as usize + 1];
        let (mut picks, mut looks, mut said) = (Vec::<Pick>::new(), 0, None);
        while played.now < begun + Span::DAY.times(days) {
            let now = played.now;
            played.scheduler.poll(now, &mut picks);
            for Pick { source, .. } in picks.drain(..) {
                let shown = now.since(begun).as_millis() / 600_000;
                let before = std::mem::replace(&mut seen[source.0 as usize], shown);
                let outcome = match source {
                    Failing::PAGE if looks >= answers => Ended::Failed,
                    _ if source != Failing::PAGE && before != shown => Ended::Changed,
                    _ => Ended::Unchanged,
                };
                let (start, times) = (now, Vec::new());
                let ended = Event::Probed { source, start, outcome, found: 0, times };
                played.scheduler.handle(now, ended);
                if source == Failing::PAGE {
                    looks += 1;
                    let due = played.scheduler.outlook(now, source).due.expect("it is due");
                    if let Some((last, due)) = said.replace((now, due)) {
                        let after = |at: Instant| at.since(last).as_secs_f64();
                        played.came.push([now, due].map(after));
                    }
                }
            }
            let next = played.scheduler.next_deadline().filter(|&at| at > now);
            played.now = next.unwrap_or(now + Span::SECOND);
        }
        played
    }
}

#[test]
fn the_plan_the_outlook_and_the_pace_of_a_page_that_fails_say_the_same() {
    // What never answered is asked once a day in the end, however busy its neighbour is; what did,
    // once in its interval. No rate is known of the former.
    for answers in [0, 3] {
        let Failing { scheduler, now, came } = Failing::play(answers, 1, 10.0, 5);
        let down = Failing::PAGE;
        let said = scheduler.expectation(down).expect("it is watched");
        assert_eq!(said.answered, answers > 0);
        let last = scheduler.record(down).and_then(|record| record.last_probe).expect("a look");
        let due = scheduler.outlook(now, down).due.expect("it is due some time");
        let chronon = Config::standard().chronon;
        assert!((last + said.interval..=last + said.interval + chronon).contains(&due), "{due:?}");
        if answers == 0 {
            assert_eq!(said.interval, Span::DAY);
            assert!(came.len() > 10 && came.iter().all(|[came, said]| came == said), "{came:?}");
        }
        let sources = [0, 1].map(|id| scheduler.watched(SourceId(id), HostId(id)));
        let sources = sources.into_iter().flatten().collect();
        let plan = priced(&world(10.0, sources)).shares[0];
        let looks = DAY / said.interval.as_secs_f64();
        assert!((plan.probes_per_day / looks - 1.0).abs() < 0.02, "{plan:?}, but {looks}");
        assert_eq!((plan.limit, plan.delay), (Limit::Failures, None));
    }
}

#[test]
fn a_retry_that_the_budget_puts_off_is_said_to_come_when_it_comes() {
    // A look a day and page. The first tries would be due after minutes; they come after hours.
    let Failing { came, .. } = Failing::play(0, 100, 101.0 / DAY, 10);
    assert!(came.len() > 8 && came[..4].iter().all(|[came, _]| *came > 3_600.0), "{came:?}");
    // While most first looks are still to come, nobody knows what looks will bring.
    let late = &came[4..];
    for [came, said] in late {
        assert!(
            (0.8..1.25).contains(&(said / came)),
            "said {said} s, came after {came} s: {late:?}"
        );
    }
}

#[test]
fn a_host_that_may_be_asked_four_times_a_second_is_forecast_as_it_is_asked() {
    // Two a second are all made, and half of eight.
    for (pages, share) in [(120, 1.0), (480, 0.5)] {
        let mut sources = looks(pages, 1, |at| i64::from(at) % 60);
        for source in &mut sources {
            source.host_interval = Span::from_millis(250);
            source.demands[0] = Demand { ahead: source.demands[0].ahead, ..every(60, 59) };
        }
        let totals = forecast(&world(100.0, sources)).totals;
        let told = totals.captured_per_day / totals.deadlines_per_day;
        assert!((told - share).abs() < 0.03, "{pages} pages: {told}");
    }
}

#[test]
fn looks_that_begin_between_chronons_are_forecast_as_they_are_made() {
    // In each minute 124 looks for 240 turns; some have a second.
    let mut sources = looks(102, 1, |at| i64::from(at) % 60);
    for (at, source) in sources.iter_mut().enumerate() {
        let demand = if at < 100 { every(60, 6) } else { every(5, 1) };
        let ahead = source.demands[0].ahead + Span::from_millis(400);
        source.host_interval = Span::from_millis(250);
        source.demands[0] = Demand { ahead, ..demand };
    }
    let totals = forecast(&world(10.0, sources)).totals;
    assert_eq!(totals.captured_per_day, totals.deadlines_per_day);
}

#[test]
fn a_crowded_host_is_forecast_alike_whatever_the_budget() {
    let pages = (0..15).map(|at| {
        let mut page = watched(at, 1);
        page.host_interval = Span::from_secs(2);
        page.demands = vec![every(3 + i64::from(at % 4), 1)];
        page
    });
    let world = world(10.0, pages.collect());
    let (own, others) = with_others(&world, &[2.5, 5.0, 10.0, 20.0]);
    let share = |totals: &Totals| totals.captured_per_day / totals.deadlines_per_day;
    for totals in &others {
        let [own, other] = [share(&own.totals), share(totals)];
        assert!((own - other).abs() < 0.005, "{own} and {other}");
    }
}

#[test]
fn looks_that_are_due_together_are_not_all_made_and_those_that_are_spread_are() {
    let together = forecast(&world(10.0, looks(20, 1, |_| 0)));
    let share = together.totals.captured_per_day / together.totals.deadlines_per_day;
    // Thirteen in the minute of each ten that the host is asked in: at 0, 5, … 60 s.
    assert!((share - 13.0 / 20.0).abs() < 0.03, "{share}");
    let by_host = |unmet: &Unmet| matches!(unmet.shortage, Shortage::HostCrowd { .. });
    assert!(together.unmet.iter().all(by_host));
    let spread = forecast(&world(10.0, looks(20, 1, |at| i64::from(at) * 30)));
    assert_eq!((spread.totals.unmet, spread.unmet), (0, vec![]));
    assert_eq!(spread.totals.captured_per_day, spread.totals.deadlines_per_day);
    // A moment of all hosts that the budget cannot pay: 61 of 120 probes, one a second.
    let crowd = forecast(&world(1.0, looks(120, 120, |_| 0)));
    let share = crowd.totals.captured_per_day / crowd.totals.deadlines_per_day;
    assert!((share - 61.0 / 120.0).abs() < 0.03, "{share}");
    assert!(crowd.unmet.iter().all(|unmet| unmet.shortage == Shortage::Crowd));
}

#[test]
fn what_weighs_more_is_looked_at_first_where_not_all_can_be() {
    let mut sources = looks(20, 1, |_| 0);
    sources.iter_mut().skip(15).for_each(|source| source.demands[0].utility = 9.0);
    let forecast = forecast(&world(10.0, sources));
    let made = |share: &Share| share.captured_per_day / share.deadlines_per_day;
    assert!(forecast.shares[15..].iter().all(|share| made(share) > 0.95), "{:?}", forecast.shares);
}

#[test]
fn a_world_too_large_to_play_is_told_by_its_prices() {
    let world = world(10.0, looks(20, 1, |_| 0));
    let played = expect(&world, &Market::of(&world), 10.0, 1.0);
    assert_eq!(played, priced(&world));
}

/// What comes of a day of looks at 40 pages, of changes that `share` of the delay by rates remains.
fn experienced(found: f64, share: f64) -> Forecast {
    let mut world = mixed(0.5, 40);
    let by_rates = priced(&world).totals;
    let (delay, lived) = (by_rates.delay.expect("pages are probed"), 7.0 * DAY);
    let (waited, cost) = (found * delay * share, by_rates.cost_per_day * 7.0);
    world.experience = Experience { found, waited, cost, lived };
    priced(&world)
}

#[test]
fn delays_are_told_as_they_came_once_enough_changes_were_found() {
    let by_rates = priced(&mixed(0.5, 40)).totals.delay.expect("pages are probed");
    let ratio = |forecast: Forecast| forecast.totals.delay.expect("pages are probed") / by_rates;
    assert!((ratio(experienced(1e6, 0.4)) - 0.4).abs() < 1e-3);
    assert!((ratio(experienced(8.0, 0.4)) - 0.7).abs() < 1e-3);
    assert!((ratio(experienced(1e6, 1e-9)) - 0.05).abs() < 1e-3);
    assert!((ratio(experienced(0.0, 0.4)) - 1.0).abs() < 1e-9);
    let (all, few) = (priced(&mixed(0.5, 40)), experienced(1e6, 0.4));
    assert_eq!(all.totals.probes_per_day, few.totals.probes_per_day);
    for (before, after) in all.shares.iter().zip(&few.shares) {
        let ratio = after.delay.zip(before.delay).map_or(0.4, |(after, before)| after / before);
        assert!((ratio - 0.4).abs() < 1e-3);
    }
}
