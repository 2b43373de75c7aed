//! Metrics as Prometheus text: what the engine last said of itself.

use chronon::Instant;
use kernel::Kernel;
use kernel::view::{BudgetView, Counters, RuleCounts};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use web::PlaceCounts;

/// The engine's numbers, taken between two batches, at most once a second; how long it was held;
/// and what goes on at the web's door and in the memory for pages.
pub struct Pulse {
    last: Mutex<Option<Beat>>,
    rooms: OnceLock<Box<dyn Fn() -> Rooms + Send + Sync>>,
    holds: Holds,
    places: Arc<PlaceCounts>,
}

/// How full the memory for pages is.
pub struct Rooms {
    pub bodies: fetch::memory::Usage,
    pub waiting_readers: u64,
    /// Pages so far of which a limit kept something out.
    pub pages_cut: u64,
}

/// How long one step or one look held the engine.
struct Holds {
    all: Histogram,
    max: Gauge<f64, AtomicU64>,
}

impl Default for Pulse {
    fn default() -> Pulse {
        // 0.1 ms, doubled up to 3.3 s.
        let all = Histogram::new(exponential_buckets(0.000_1, 2.0, 16));
        let holds = Holds { all, max: Gauge::default() };
        let (last, rooms, places) = (Mutex::default(), OnceLock::new(), Arc::default());
        Pulse { last, rooms, holds, places }
    }
}

struct Beat {
    at: Instant,
    counters: Counters,
    budget: BudgetView,
    rules: RuleCounts,
    sentinels: usize,
    sources: usize,
    streams: usize,
}

/// A counter: its name, what it counts, where it stands.
type Count = (&'static str, &'static str, fn(&Beat) -> u64);

const COUNTERS: &[Count] = &[
    ("probes", "Probes started", |b| b.counters.probes),
    ("requests", "Requests to hosts, including redirects", |b| b.counters.requests),
    ("redirects", "Redirects that probes followed", |b| b.counters.redirects),
    (
        "redirects_late",
        "Probes that a redirect led to a host without a turn for them in time",
        |b| b.counters.redirects_late,
    ),
    ("probes_not_modified", "Probes answered with 304", |b| b.counters.not_modified),
    ("probes_failed", "Probes that failed", |b| b.counters.failed),
    ("answers_doubtful", "Answers held for a second look, or odd", |b| b.counters.doubtful),
    ("versions", "New versions", |b| b.counters.versions),
    ("rounds", "Rounds opened", |b| b.counters.rounds),
    ("comparisons", "Comparisons asked for", |b| b.counters.comparisons),
    ("comparisons_failed", "Comparisons that could not be made", |b| b.counters.comparisons_failed),
    ("detections", "Detections", |b| b.counters.detections),
    ("deliveries", "Notifications delivered", |b| b.counters.delivered),
    ("delivery_failures", "Attempts to deliver that failed", |b| b.counters.delivery_failures),
    ("notifications_given_up", "Notifications given up", |b| b.budget.outbox.given_up),
    ("detections_merged", "Detections merged because a channel was busy", |b| {
        b.budget.outbox.merged
    }),
    ("intervals_captured", "Execution intervals captured", |b| b.counters.eis_captured),
    ("intervals_missed", "Execution intervals missed", |b| b.counters.eis_missed),
    ("intervals_passed_over", "Execution intervals missed without a try", |b| {
        b.counters.eis_passed_over
    }),
    ("captures_complete", "Captures of several sources that were complete", |b| {
        b.counters.captures_complete
    }),
    ("captures_void", "Captures of several sources that a missed interval made void", |b| {
        b.counters.captures_void
    }),
    ("follow_ups_complete", "Looks that followed something and were all made in time", |b| {
        b.counters.demands_met
    }),
    ("follow_ups_missed", "Looks that followed something and of which one was missed", |b| {
        b.counters.demands_missed
    }),
    ("completions_stale", "Completions with an unknown or old ticket", |b| b.counters.stale),
    ("looks_set_aside", "Looks for whose pages there was no memory or no turn", |b| {
        b.counters.set_aside
    }),
    ("sources_held", "Times a source waited for its rounds", |b| b.counters.sources_held),
    ("rules_carried_out", "Times a rule was carried out", |b| b.rules.fired),
    ("rules_cut", "Rules set off by others and not carried out", |b| b.rules.cut),
    ("rules_left_out", "Rules to carry out for which there was no room", |b| b.rules.left_out),
    ("event_occurrences_dropped", "Open occurrences of events that a limit dropped", |b| {
        b.rules.dropped
    }),
];

/// A gauge: its name, what it measures, where it stands.
type Level = (&'static str, &'static str, fn(&Beat) -> f64);

const GAUGES: &[Level] = &[
    ("sentinels", "Sentinels", |b| b.sentinels as f64),
    ("sources", "Sources", |b| b.sources as f64),
    ("streams", "Streams", |b| b.streams as f64),
    ("probes_in_flight", "Probes in flight", |b| f64::from(b.budget.probes_in_flight)),
    ("comparisons_in_flight", "Rounds in flight", |b| f64::from(b.budget.comparisons_in_flight)),
    ("deliveries_in_flight", "Deliveries in flight", |b| f64::from(b.budget.deliveries_in_flight)),
    ("outbox_waiting", "Unfinished notifications", |b| b.budget.outbox.waiting as f64),
    ("rules", "Rules", |b| b.rules.rules as f64),
    ("rules_waiting", "Times that rules are still to be carried out", |b| b.rules.waiting as f64),
    ("event_nodes", "Nodes of the events of rules, equal ones once", |b| b.rules.nodes as f64),
    ("event_occurrences_open", "Open occurrences of events", |b| b.rules.open as f64),
    ("event_timers", "Timers of events", |b| b.rules.timers as f64),
    ("budget_per_chronon", "Probes allowed per chronon", |b| b.budget.per_chronon),
];

/// The same of the memory for pages.
type Fill = (&'static str, &'static str, fn(&Rooms) -> u64);

const FILLS: &[Fill] = &[
    ("body_bytes_held", "Bytes of page bodies held in memory", |r| r.bodies.held_bytes),
    ("bodies_waiting", "Looks that wait for memory for a body", |r| r.bodies.waiting),
    ("readings_waiting", "Pages that wait to be read", |r| r.waiting_readers),
];

impl Pulse {
    /// Where the memory for pages can be asked how full it is; once.
    pub fn watch(&self, rooms: impl Fn() -> Rooms + Send + Sync + 'static) {
        // Only the first counts; there is no second.
        let _ = self.rooms.set(Box::new(rooms));
    }

    /// Called by the engine after each step and each look, with the time it took.
    pub fn held(&self, span: Duration) {
        let seconds = span.as_secs_f64();
        self.holds.all.observe(seconds);
        if seconds > self.holds.max.get() {
            self.holds.max.set(seconds);
        }
    }

    /// Where the web counts its connections.
    pub fn places(&self) -> Arc<PlaceCounts> {
        Arc::clone(&self.places)
    }

    /// Called by the engine after a batch; cheap when the last beat is fresh.
    pub fn beat(&self, kernel: &Kernel, now: Instant) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_some_and(|last| now.since(last.at) < chronon::Span::SECOND) {
            return;
        }
        let (sentinels, sources, streams) = kernel.sizes();
        let (counters, budget) = (kernel.counters(), kernel.budget(now));
        let rules = kernel.rule_counts();
        *last = Some(Beat { at: now, counters, budget, rules, sentinels, sources, streams });
    }

    /// Everything, in the text format of Prometheus.
    pub fn render(&self) -> String {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        let Some(beat) = &*last else { return text };
        let mut registry = Registry::with_prefix("tidings");
        for (name, help, value) in COUNTERS {
            let counter = Counter::<u64>::default();
            counter.inc_by(value(beat));
            registry.register(*name, *help, counter);
        }
        for (name, help, value) in GAUGES {
            let gauge = Gauge::<f64, std::sync::atomic::AtomicU64>::default();
            gauge.set(value(beat));
            registry.register(*name, *help, gauge);
        }
        if let Some(rooms) = self.rooms.get().map(|rooms| rooms()) {
            for (name, help, value) in FILLS {
                let gauge = Gauge::<f64, std::sync::atomic::AtomicU64>::default();
                gauge.set(value(&rooms) as f64);
                registry.register(*name, *help, gauge);
            }
            for (name, help, value) in [
                ("body_waits", "Times a body waited for memory", rooms.bodies.waits),
                ("pages_cut", "Pages of which a limit kept something out", rooms.pages_cut),
            ] {
                let counter = Counter::<u64>::default();
                counter.inc_by(value);
                registry.register(name, help, counter);
            }
        }
        self.register(&mut registry);
        encode(&mut text, &registry).expect("a String takes everything");
        text
    }

    /// What is counted where it happens.
    fn register(&self, registry: &mut Registry) {
        let help = "How long one step or one look held the engine";
        registry.register("engine_hold_seconds", help, self.holds.all.clone());
        let help = "The longest that one step or one look held the engine";
        registry.register("engine_hold_seconds_max", help, self.holds.max.clone());
        let open = Gauge::<f64, AtomicU64>::default();
        open.set(self.places.open.load(Ordering::Relaxed) as f64);
        registry.register("web_connections", "Open web connections", open);
        let displaced = Counter::<u64>::default();
        displaced.inc_by(self.places.displaced.load(Ordering::Relaxed));
        let help = "Connections of strangers that were closed to make room";
        registry.register("web_connections_displaced", help, displaced);
        let wrong = Counter::<u64>::default();
        wrong.inc_by(self.places.wrong_tokens.load(Ordering::Relaxed));
        registry.register("web_wrong_tokens", "Wrong tokens and links that were sent", wrong);
    }
}
