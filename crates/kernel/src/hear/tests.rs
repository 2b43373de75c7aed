//! Rounds against a slow twin that goes through lists.

use super::{Compare, Hear, In, Out};
use crate::record::{Record, RoundRow};
use crate::watch::{Entered, Heed};
use change::Aspect;
use chronon::{BlobId, Instant, SentinelId, SourceId, Span, StreamId, VersionNo};
use graph::{Entry, Join, Outline, RoundId};
use proptest::prelude::*;
use sentinel::ast::{self, Expr, Primitive};

/// Rounds of a source that may wait.
const MAX: usize = 2;
const SOURCES: u32 = 2;
/// Streams of each source.
const STREAMS: u32 = 2;

#[derive(Debug, Clone)]
enum Op {
    /// A look at a source shows something new to these of its streams.
    Look {
        source: u32,
        streams: Vec<bool>,
    },
    Start {
        room: u32,
    },
    /// One of those in flight comes back, with a hit or without.
    Finish {
        nth: usize,
        hit: bool,
    },
    Close {
        stream: u32,
    },
}

fn op() -> impl Strategy<Value = Op> {
    let streams = prop::collection::vec(any::<bool>(), STREAMS as usize);
    prop_oneof![
        4 => (1..=SOURCES, streams).prop_map(|(source, streams)| Op::Look { source, streams }),
        3 => (0u32..3).prop_map(|room| Op::Start { room }),
        4 => (0usize..3, any::<bool>()).prop_map(|(nth, hit)| Op::Finish { nth, hit }),
        1 => (1..=SOURCES * STREAMS).prop_map(|stream| Op::Close { stream }),
    ]
}

/// A look that is not judged.
struct Look {
    source: SourceId,
    start: Instant,
    is_told: bool,
}

struct Bench {
    hear: Hear,
    now: Instant,
    closed: Vec<StreamId>,
    flights: Vec<Compare>,
    /// What the slow twin knows: rounds in the order in which they were opened.
    open: Vec<(SourceId, RoundId)>,
    looks: Vec<Look>,
    heard: u32,
}

impl Bench {
    fn new() -> Bench {
        let now = Instant::from_millis(1_800_000_000_000);
        let mut hear = Hear::new(MAX, now);
        let leaf = ast::Leaf {
            primitive: Primitive::plain(Aspect::Links),
            of: None,
            directions: vec![],
            matching: None,
        };
        let monitor = Expr::Leaf(leaf);
        for number in 1..=SOURCES * STREAMS {
            let stream = stream_of(number);
            let source = stream.source();
            hear.handle(now, In::Opened { stream, source });
            let heed = Heed::Nobody;
            let (version, entry) = (VersionNo(1), Entry::Next { history: 0 });
            let entered = Entered { stream, source, version, fetched_at: now, entry, heed };
            hear.handle(now, In::Entered(entered));
            let (sentinel, compare) = (SentinelId(u64::from(number)), ast::Compare::Pairwise);
            let (monitor, since) = (&monitor, now);
            hear.join(Join { sentinel, stream, compare, monitor, since, history: 1 }, None);
        }
        let (closed, flights, open, looks) = Default::default();
        Bench { hear, now, closed, flights, open, looks, heard: 0 }
    }

    fn play(&mut self, op: Op) {
        self.now += Span::SECOND;
        match op {
            Op::Look { source, streams } => self.look(SourceId(source), &streams),
            Op::Start { room } => self.hear.start(self.now, room),
            Op::Finish { nth, hit } => self.finish(nth, hit),
            Op::Close { stream } => self.close(stream_of(stream)),
        }
        self.listen();
    }

    fn look(&mut self, source: SourceId, news: &[bool]) {
        // What was seen before is judged first, and no more rounds wait than may.
        let waiting = self.open.iter().filter(|(of, _)| *of == source).count();
        if self.looks.iter().any(|look| look.source == source) || waiting >= MAX {
            return;
        }
        let start = self.now;
        for (nth, _) in news.iter().enumerate().filter(|(_, is_new)| **is_new) {
            let stream = StreamId::of(source, nth as u32 + 1);
            if self.closed.contains(&stream) {
                continue;
            }
            let last = self.hear.elements(stream).last().expect("it has a first");
            let version = VersionNo(last.version.0 + 1);
            let (entry, heed) = (Entry::Next { history: 0 }, Heed::Listeners);
            let entered = Entered { stream, source, version, fetched_at: start, entry, heed };
            self.hear.handle(self.now, In::Entered(entered));
            self.open.push((source, RoundId { stream, index: last.index + 1 }));
        }
        self.looks.push(Look { source, start, is_told: false });
        self.hear.handle(self.now, In::Looked { source, start, feeds_capture: false });
    }

    fn finish(&mut self, nth: usize, hit: bool) {
        if nth >= self.flights.len() {
            return;
        }
        let Compare { compared, request } = self.flights.remove(nth);
        let hits = |c: &change::Comparison| Some(vec![u32::from(hit); c.leaves.len()]);
        let comparisons = request.comparisons.iter().map(hits).collect();
        let outline = Outline { result: BlobId([0; 32]), comparisons };
        let done = (compared.source, compared.ticket.round);
        if let Some(at) = self.open.iter().position(|open| *open == done) {
            self.open.remove(at);
            self.heard += u32::from(hit);
            if let Some(look) = self.looks.iter_mut().find(|look| look.source == done.0) {
                look.is_told |= hit;
            }
        }
        self.hear.handle(self.now, In::Compared { compared, outline });
    }

    fn close(&mut self, stream: StreamId) {
        if !self.closed.contains(&stream) {
            self.closed.push(stream);
            self.open.retain(|(_, round)| round.stream != stream);
            let source = stream.source();
            self.hear.handle(self.now, In::Closed { stream, source });
        }
    }

    /// Whatever was said follows from the lists.
    fn listen(&mut self) {
        while let Some(out) = self.hear.poll() {
            match out {
                Out::Compare(compare) => {
                    let source = compare.compared.source;
                    let first = self.open.iter().find(|(of, _)| *of == source);
                    assert_eq!(first, Some(&(source, compare.compared.ticket.round)));
                    assert!(self.flights.iter().all(|other| other.compared.source != source));
                    self.flights.push(*compare);
                }
                Out::Judged { source, start, is_told } => {
                    let at = self.looks.iter().position(|look| look.source == source);
                    let look = self.looks.remove(at.expect("a look is judged once"));
                    assert_eq!((look.start, look.is_told), (start, is_told));
                }
                Out::Heard(_) => self.heard -= 1,
                Out::Record(Record::Round(RoundRow { id, source, .. })) => {
                    assert!(self.open.contains(&(source, id)));
                }
                Out::Record(Record::RoundGone(id)) => {
                    assert!(self.open.iter().all(|(_, open)| *open != id));
                }
                Out::Quiet(source) => assert!(self.open.iter().all(|(of, _)| *of != source)),
                Out::Settled(stream) => assert!(!self.hear.is_open(stream.source(), stream)),
                Out::Full { source, is_full } => {
                    assert_eq!(is_full, self.hear.rounds(source) >= MAX);
                }
                Out::Record(_) | Out::NotEvaluated(_) => unreachable!("nothing else is said"),
            }
        }
        assert_eq!(self.heard, 0, "who is told is told once");
        for source in (1..=SOURCES).map(SourceId) {
            let of = |rounds: Vec<(SourceId, RoundId)>| {
                rounds.into_iter().filter(|(of, _)| *of == source).collect::<Vec<_>>()
            };
            let folded = self.hear.fold().iter().map(|row| (row.source, row.id)).collect();
            assert_eq!(of(folded), of(self.open.clone()));
            let is_open = self.open.iter().any(|(of, _)| *of == source);
            assert!(is_open || self.looks.iter().all(|look| look.source != source));
        }
    }
}

/// Each source has as many streams as the others.
fn stream_of(number: u32) -> StreamId {
    let (before, nth) = ((number - 1) / STREAMS, (number - 1) % STREAMS);
    StreamId::of(SourceId(before + 1), nth + 1)
}

proptest! {
    #[test]
    fn rounds_run_in_order_each_once_and_every_look_is_judged(
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let mut bench = Bench::new();
        ops.into_iter().for_each(|op| bench.play(op));
        // Whatever is open comes to its end.
        while !bench.open.is_empty() {
            bench.play(Op::Start { room: 1 });
            bench.play(Op::Finish { nth: 0, hit: false });
        }
        prop_assert!(bench.looks.is_empty());
    }
}

#[test]
fn what_was_told_as_odd_is_not_told_again() {
    let mut bench = Bench::new();
    let (stream, source, fetched_at) = (stream_of(1), SourceId(1), bench.now);
    for _ in 0..2 {
        let (version, heed) = (VersionNo(9), Heed::ListenersOnce);
        let entry = Entry::Aside { shown: 0 };
        let odd = Entered { stream, source, version, fetched_at, entry, heed };
        bench.hear.handle(fetched_at, In::Entered(odd));
    }
    assert_eq!(bench.hear.rounds(source), 1);
}

/// Whether a sentinel is said not to have been evaluated once a round's comparisons failed.
fn is_said_to_fail(entry: Entry) -> bool {
    let mut bench = Bench::new();
    let (stream, source, fetched_at) = (stream_of(1), SourceId(1), bench.now);
    let (version, heed) = (VersionNo(9), Heed::Listeners);
    let entered = Entered { stream, source, version, fetched_at, entry, heed };
    bench.hear.handle(fetched_at, In::Entered(entered));
    bench.hear.start(fetched_at, 1);
    let out = std::iter::from_fn(|| bench.hear.poll()).collect::<Vec<_>>();
    let compare = out.into_iter().find_map(|out| match out {
        Out::Compare(compare) => Some(*compare),
        _ => None,
    });
    let Compare { compared, request } = compare.expect("somebody listens");
    let comparisons = request.comparisons.iter().map(|_| None).collect();
    let outline = Outline { result: BlobId([0; 32]), comparisons };
    bench.hear.handle(fetched_at, In::Compared { compared, outline });
    std::iter::from_fn(|| bench.hear.poll()).any(|out| matches!(out, Out::NotEvaluated(_)))
}

#[test]
fn what_stands_for_a_page_is_no_fault_of_who_watches_it() {
    assert!(!is_said_to_fail(Entry::Aside { shown: 0 }));
    assert!(is_said_to_fail(Entry::Next { history: 0 }));
}
