//! The engine in virtual time, woken a few milliseconds late as every machine is: how often it asks
//! a host with work waiting.

use super::*;
use chronon::{OwnerId, Span};

use kernel::io::{Actor, Announcement, ApplyMode, Command, Done, Fetched, Probe, ProbeEnd, Task};
use kernel::{Occasion, Purpose};
use sentinel::Parsed;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use store::MemoryStore;

/// 2027-01-01T00:00:00.123Z.
const START: Instant = Instant::from_millis(1_798_761_600_123);
/// How long the engine is watched.
const WATCHED: Span = Span::MINUTE.times(5);
/// Pages of one host, wanted at all times by turns: so work is always waiting.
const PAGES: usize = 300;

/// Reads tokio's clock, 0 to 10 ms later each time.
fn late_clock() -> Clock {
    let (first, number) = (tokio::time::Instant::now(), AtomicI64::new(0));
    Clock::of(Box::new(move || {
        let late = number.fetch_add(7, Ordering::Relaxed) % 11;
        let now = tokio::time::Instant::now() + Duration::from_millis(late.unsigned_abs());
        let since = Span::from_millis(now.duration_since(first).as_millis() as i64);
        (START + since, now.into_std())
    }))
}

/// Starts tasks, and shows nobody anything.
struct Hand(Box<dyn Fn(Task) + Send>);

impl Hands for Hand {
    fn start(&self, task: Task) {
        (self.0)(task);
    }
    fn announce(&self, _: Announcement) {}
}

/// When the engine asks the host within [`WATCHED`], in milliseconds from the start.
async fn requests(schedule: schedule::Config) -> Vec<i64> {
    let clock = Arc::new(late_clock());
    let config = kernel::Config { schedule, ..kernel::Config::new(1) };
    let store = MemoryStore::new([7; 16]);
    let snapshot = store.reader().snapshot().expect("an empty store");
    let kernel = Kernel::load(config, snapshot, clock.now());
    let (completions, completions_in) = mpsc::channel(WAITING_MAX);
    let (requests, requests_in) = mpsc::channel(8);
    let (stop, stopped) = watch::channel(false);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (log, now, done) = (Arc::clone(&asked), Arc::clone(&clock), completions.clone());
    let hands = Hand(Box::new(move |task| {
        let Task::Probe(Probe { ticket, .. }) = task else { return };
        log.lock().expect("nobody panics").push((now.now() - START).as_millis());
        let done = done.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(40)).await;
            let (outcome, took) = (ProbeEnd::NotModified.into(), Span::ZERO);
            let fetched = Fetched { outcome, body_bytes: 0, wire_bytes: 0, took };
            // The engine may have stopped.
            let _ = done.send(Input::Done { ticket, done: Done::Fetched(fetched) }.into()).await;
        });
    }));
    let page = |n| {
        let (period, slack) = (10 + n % 7, 9 + n % 7);
        format!(
            "create sentinel s{n} using https://a.example/{n} monitor links \
             fetch every {period} seconds within {slack} seconds"
        )
    };
    let text: String = (0..PAGES).map(page).collect::<Vec<_>>().join("\n");
    let (owner, purpose) = (OwnerId::FIRST, Purpose::Apply);
    let occasion = Occasion { owner, purpose, now: clock.now() };
    let text = kernel.vet(Parsed::of(text), occasion);
    let mode = ApplyMode::Upsert;
    let command = Box::new(Command::Apply { text: Box::new(text), mode });
    let engine = Engine::new(kernel, Box::new(store), Arc::clone(&clock), Box::new(hands));
    let (reply, _answer) = oneshot::channel();
    assert!(requests.try_send(Request::Ask { actor: Actor::SYSTEM, command, reply }).is_ok());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(WATCHED.as_millis().unsigned_abs())).await;
        // The engine listens until then.
        let _ = stop.send(true);
    });
    let inlets = Inlets {
        completions: completions_in,
        requests: requests_in,
        stop: stopped,
        _open: completions,
    };
    assert_eq!(engine.run(inlets).await, Ended::Stopped);

    asked.lock().expect("nobody panics").clone()
}

fn at_the_limit(chronon: i64, interval: i64) {
    let schedule = schedule::Config {
        chronon: Span::from_millis(chronon),
        host_interval: Span::from_millis(interval),
        budget: chronon as f64,
        ..schedule::Config::standard()
    };
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().expect("a runtime");
    let asked = runtime.block_on(requests(schedule));
    let most = WATCHED.as_millis() / interval + 1;
    let least = (WATCHED.as_millis() - chronon - 50) / interval - 1;
    let count = asked.len() as i64;
    assert!((least..=most).contains(&count), "{count}, not {least} to {most}: {asked:?}");
    for (i, first) in asked.iter().enumerate() {
        for (n, later) in asked.iter().enumerate().skip(i + 1) {
            // The log is a moment later than the decision.
            let apart = (n - i) as i64 * interval - chronon.min(interval) - 25;
            assert!(later - first > apart, "{first} and {later} of {asked:?}");
        }
    }
}

#[test]
fn a_host_with_work_waiting_is_asked_once_per_interval_of_whole_chronons() {
    for interval in [5_000, 2_000, 1_000] {
        at_the_limit(1_000, interval);
    }
}

#[test]
fn a_host_with_work_waiting_is_asked_once_per_interval_of_any_length() {
    for (chronon, interval) in [(1_000, 1_500), (1_000, 250), (10_000, 5_000), (7_000, 9_300)] {
        at_the_limit(chronon, interval);
    }
}
