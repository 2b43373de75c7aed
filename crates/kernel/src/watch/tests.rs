//! Watch against a slow twin that goes through every interval and every look.

use super::{Address, Ask, Asked, In, Out, Watch, Weighed};
use crate::config::Config;
use crate::io::{Fetched, ProbeEnd, Shown};
use crate::record::{ExtractRef, ProbeOutcome, Record, StreamSpec, VersionFacts};
use address::Way;
use chronon::{BlobId, Instant, Period, SourceId, Span, StreamId, VersionNo, Zone};
use proptest::prelude::*;

const T0: Instant = Instant::from_millis(1_800_000_000_000);

#[derive(Debug, Clone)]
enum Op {
    Pass {
        seconds: i64,
    },
    /// The look under way ends: it shows this page, or fails.
    Answer {
        page: Option<u8>,
    },
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (1i64..200).prop_map(|seconds| Op::Pass { seconds }),
        2 => proptest::option::weighted(0.7, 0u8..3).prop_map(|page| Op::Answer { page }),
    ]
}

/// One source, with a stream of every change and one of every five minutes.
struct Bench {
    watch: Watch,
    now: Instant,
    every: StreamId,
    asked: Option<Asked>,
    /// When the looks began that brought a page, and which.
    shown: Vec<(Instant, u8)>,
    looks: u32,
    entered: Vec<(StreamId, VersionNo)>,
    versions: Vec<u8>,
}

fn period() -> Period {
    Period::Elapsed(Span::MINUTE.times(5))
}

const SLACK: Span = Span::MINUTE;
/// Where the intervals begin.
const BEGIN: Instant = Instant::from_millis(T0.as_millis() + 600_000);

impl Bench {
    fn new() -> Bench {
        let mut config = Config::new(1);
        config.schedule.host_interval = Span::SECOND;
        let mut watch = Watch::new(config, T0, 1);
        let (url, way) = ("https://a.example/".into(), Way::default());
        let source = watch.source_of(T0, &Address { url: &url, way: &way, owner: None });
        watch.handle(T0, In::Named { source, is_named: true });
        let mut join = |spec| {
            let (has_clock, is_windowed, to, weight, last) = (true, false, None, 1_000_000, vec![]);
            watch.join(
                T0,
                Ask { source, spec, has_clock, is_windowed, to, weight, last, together: None },
            )
        };
        join(StreamSpec::OnChange);
        let (t0, zone) = (BEGIN, Zone::utc());
        let every = join(StreamSpec::Every { t0, period: period(), slack: SLACK, zone });
        watch.handle(T0, In::Weighed(Weighed { source, before: 0, after: 1_000_000 }));
        let (asked, shown, entered, versions) = Default::default();
        Bench { watch, now: T0, every, asked, shown, looks: 0, entered, versions }
    }

    fn play(&mut self, op: &Op) {
        match *op {
            Op::Pass { seconds } => self.pass(self.now + Span::from_secs(seconds)),
            Op::Answer { page } => self.answer(page),
        }
    }

    /// As a shell steps: at every deadline on the way.
    fn pass(&mut self, until: Instant) {
        while let Some(at) = self.watch.next_deadline().filter(|&at| at <= until) {
            self.now = self.now.max(at);
            while self.watch.next_timer().is_some_and(|at| at <= self.now) {
                self.watch.handle(self.now, In::Timer);
                self.listen();
            }
            self.watch.start(self.now);
            self.listen();
        }
        self.now = until;
    }

    fn answer(&mut self, page: Option<u8>) {
        let Some(asked) = self.asked.take() else { return };
        let end = match page {
            Some(page) => {
                self.shown.push((asked.probed.start, page));
                ProbeEnd::Content(Box::new(content(page)), Shown::default())
            }
            None => ProbeEnd::Failed {
                status: Some(500),
                reason: "the server answered 500".into(),
                holds_host: false,
                retry_after: None,
            },
        };
        let (outcome, took) = (end.into(), self.now - asked.probed.start);
        let fetched = Fetched { outcome, body_bytes: 0, wire_bytes: 0, took };
        self.watch
            .handle(self.now, In::Fetched { probed: asked.probed, asked: Box::default(), fetched });
        self.listen();
    }

    fn listen(&mut self) {
        while let Some(out) = self.watch.poll() {
            match out {
                Out::Ask(asked) => {
                    assert!(self.asked.replace(*asked).is_none(), "one look at a time");
                    self.looks += 1;
                }
                Out::Looked { source, start, .. } => {
                    let is_told = false;
                    self.watch.handle(self.now, In::Judged { source, start, is_told });
                }
                Out::Entered(entered) => self.entered.push((entered.stream, entered.version)),
                Out::Record(Record::Version(row)) => {
                    assert_eq!(row.number, VersionNo(self.versions.len() as u32 + 1));
                    self.versions.push(row.facts.fingerprint[0]);
                }
                Out::Record(Record::Probe(row)) => {
                    let failed = matches!(row.outcome, ProbeOutcome::Failed { .. });
                    assert_eq!(failed, self.shown.last().is_none_or(|last| last.0 != row.start));
                }
                _ => {}
            }
        }
    }

    /// When the intervals begin: a period later while no look for a baseline was made.
    fn begin(&self) -> Instant {
        match self.watch.stream_row(self.every).expect("it is open").spec {
            StreamSpec::Every { t0, .. } => t0,
            StreamSpec::OnChange => BEGIN,
        }
    }

    /// The intervals that were decided, one by one: how many a look with a page fell into, and how
    /// many none did.
    fn intervals(&self) -> (u64, u64) {
        let next = self.watch.stream_row(self.every).expect("it is open").next_ei;
        let start = |k| period().nth(self.begin(), k, &Zone::utc());
        let is_captured = |k: &u64| {
            let inside = |at: Instant| start(*k) <= at && at <= start(*k) + SLACK;
            self.shown.iter().any(|&(at, _)| inside(at))
        };
        let captured = (0..next).filter(is_captured).count() as u64;
        (captured, next - captured)
    }

    /// The versions that enter a stream whose looks are these: all but those that equal the last.
    fn elements(&self, looks: impl Fn(Instant) -> bool) -> Vec<VersionNo> {
        let (mut last, mut version, mut all) = (None, 0, Vec::new());
        let mut current = None;
        for &(at, page) in &self.shown {
            if current != Some(page) {
                (current, version) = (Some(page), version + 1);
            }
            if looks(at) && last != Some(page) {
                last = Some(page);
                all.push(VersionNo(version));
            }
        }
        all
    }

    fn entered(&self, stream: StreamId) -> Vec<VersionNo> {
        self.entered.iter().filter(|one| one.0 == stream).map(|one| one.1).collect()
    }
}

fn content(page: u8) -> VersionFacts {
    VersionFacts {
        fingerprint: [page; 32],
        kind: page::Kind::Html,
        odd: None,
        body: BlobId([page; 32]),
        extracts: ExtractRef { extractor: page::EXTRACTOR, blob: BlobId([page; 32]) }.of_page(),
        status: 200,
        media_type: "text/html".into(),
        final_url: "https://a.example/".into(),
        etag: None,
        last_modified: None,
        modified_at: None,
        summary: "page".into(),
    }
}

proptest! {
    #[test]
    fn what_entered_and_what_was_missed_follows_from_the_looks(
        ops in prop::collection::vec(op(), 1..120),
    ) {
        let mut bench = Bench::new();
        bench.pass(T0);
        for op in &ops {
            bench.play(op);
        }
        let counts = bench.watch.counts().clone();
        prop_assert_eq!((counts.eis_captured, counts.eis_missed), bench.intervals());
        prop_assert_eq!(counts.requests, u64::from(bench.looks));
        prop_assert_eq!(bench.entered(StreamId::of(SourceId(1), 1)), bench.elements(|_| true));
        let begin = bench.begin();
        let start = |at| period().index_at(begin, at, &Zone::utc());
        let began = |at| period().nth(begin, start(at), &Zone::utc());
        let first = bench.shown.first().map(|first| first.0);
        let concerns = |at: Instant| {
            let is_baseline = Some(at) == first && at < begin;
            is_baseline || (began(at) <= at && at <= began(at) + SLACK)
        };
        prop_assert_eq!(bench.entered(bench.every), bench.elements(concerns));
        prop_assert!(bench.watch.sizes() == (1, 2, 1));
        prop_assert_eq!(bench.watch.url(SourceId(1)).is_some(), true);
    }
}
