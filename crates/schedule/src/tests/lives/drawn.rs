//! Lives drawn by chance.

use crate::rate::Learner;
use crate::{CeiId, Config, EiId, Event, Outcome, SourceRecord};
use chronon::{HostId, Instant, SourceId, Span};
use proptest::prelude::*;

/// Fifteen seconds before an hour.
pub(super) const START: i64 = 1_799_999_985_123;
pub(super) const HOSTS: u32 = 3;

/// What happens outside: at which millisecond, and whether the clock jumped there at once.
#[derive(Debug, Clone)]
pub(super) struct Act {
    pub(super) after: i64,
    pub(super) jumps: bool,
    pub(super) event: Event,
}

#[derive(Debug, Clone)]
pub(super) struct Life {
    pub(super) config: Config,
    /// How busy the hours of the week are, in turn.
    pub(super) hours: Vec<u32>,
    pub(super) acts: Vec<Act>,
    /// How long requests take, in milliseconds, and how they end; in turn.
    pub(super) ends: Vec<(i64, Outcome)>,
    /// Where they lead on, in turn; `None`: the look is over.
    pub(super) hops: Vec<Option<u32>>,
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
pub(super) fn host_of(source: SourceId) -> HostId {
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
            // Close companions: the links that say so.
            company: (0..interval as u8 % 4).flat_map(|id| [id, 0, 0, 0, 6, 0x83]).collect(),
            dates: failures as u8,
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
            let (outcome, times) = (Outcome::Unchanged, Vec::new());
            Event::Probed { source, start, outcome, found: 0, times }
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

pub(super) fn life(limits_change: u32) -> impl Strategy<Value = Life> {
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
