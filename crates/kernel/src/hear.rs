//! Hear: who hears of what entered a stream.
//!
//! Comes in: [`In`], elements, who listens to what, comparisons that are done. Goes out: [`Out`],
//! comparisons to make, who heard what. Promises: the rounds of a source run one after the other,
//! in the order of its versions, each closes once, and open ones survive.

mod rounds;
#[cfg(test)]
mod tests;

use crate::queue;
use crate::record::{Record, RoundRow, StreamRow};
use crate::watch::{Answered, Captured, Entered, Heed};
use change::RoundRequest;
use chronon::{Instant, SentinelId, SourceId, StreamId, VersionNo};
use graph::{Arrival, Element, Graph, Heard, Join, Outline, Phase, RoundId};
use page::View;
use rounds::Queue;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The graph, and the rounds that are open in it.
pub(crate) struct Hear {
    /// Rounds of one source that may wait before it gets no more probes.
    rounds_waiting_max: usize,
    now: Instant,
    graph: Graph,
    /// One for each source with something open.
    queues: BTreeMap<SourceId, Queue>,
    /// Sources whose first round waits for a place, in order of opening.
    ready: BTreeSet<(Instant, SourceId)>,
    /// Streams whose elements changed in this step.
    touched: BTreeSet<StreamId>,
    out: VecDeque<Out>,
    counts: Counts,
}

/// What happens to streams and to those who listen.
#[derive(Debug)]
pub(crate) enum In {
    Opened {
        stream: StreamId,
        source: SourceId,
    },
    Closed {
        stream: StreamId,
        source: SourceId,
    },
    Entered(Entered),
    /// A stream of captures of these sources.
    CapturesOpened {
        stream: StreamId,
        sources: Vec<SourceId>,
    },
    Captured(Captured),
    /// A source with these streams answers otherwise than before.
    Answered {
        answered: Answered,
        streams: Vec<StreamId>,
    },
    /// A look succeeded; all that it led to has entered.
    Looked {
        source: SourceId,
        start: Instant,
        /// What it found is part of captures, whose rounds say nothing of this look.
        feeds_capture: bool,
    },
    /// The comparisons of a round are in.
    Compared {
        compared: Compared,
        outline: Outline,
    },
    /// The sentinel hears of looks before `at` only.
    Ended {
        sentinel: SentinelId,
        at: Instant,
    },
    Left {
        sentinel: SentinelId,
        stream: StreamId,
    },
    /// It goes on under another id.
    Renamed {
        sentinel: SentinelId,
        to: SentinelId,
    },
    /// It wants another number of elements kept.
    Keeps {
        sentinel: SentinelId,
        streams: Vec<StreamId>,
        history: u32,
    },
}

/// What comes of it.
#[derive(Debug)]
pub(crate) enum Out {
    Record(Record),
    Compare(Box<Compare>),
    /// A sentinel's expression holds in a round.
    Heard(Heard),
    /// It could not be told whether it holds: a comparison failed.
    NotEvaluated(SentinelId),
    /// As many rounds of the source wait as may, or no longer.
    Full {
        source: SourceId,
        is_full: bool,
    },
    /// No round of the stream is open any more.
    Settled(StreamId),
    /// No round of the source is open any more.
    Quiet(SourceId),
    /// All that the look which began at `start` led to is compared.
    Judged {
        source: SourceId,
        start: Instant,
        is_told: bool,
    },
}

/// The comparisons that a round asks for.
#[derive(Debug)]
pub(crate) struct Compare {
    pub(crate) compared: Compared,
    pub(crate) request: RoundRequest,
}

/// Which comparisons of which source are done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compared {
    pub(crate) source: SourceId,
    pub(crate) ticket: graph::Ticket,
}

/// Counters since the start of this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) rounds: u64,
    pub(crate) comparisons: u64,
    pub(crate) comparisons_failed: u64,
}

impl Hear {
    pub(crate) fn new(rounds_waiting_max: usize, now: Instant) -> Hear {
        Hear {
            rounds_waiting_max,
            now,
            graph: Graph::new(graph::Limits::default()),
            queues: BTreeMap::new(),
            ready: BTreeSet::new(),
            touched: BTreeSet::new(),
            out: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    pub(crate) fn handle(&mut self, now: Instant, input: In) {
        self.now = now;
        match input {
            In::Opened { stream, source } => self.graph.stream_opened(stream, source, Vec::new()),
            In::Closed { stream, source } => self.closed(stream, source),
            In::Entered(entered) => self.entered(entered),
            In::CapturesOpened { stream, sources } => {
                self.graph.captures_opened(stream, &sources, Vec::new());
            }
            In::Captured(captured) => self.captured(captured),
            In::Answered { answered, streams } => self.answered(answered, &streams),
            In::Looked { source, start, feeds_capture } => {
                self.looked(source, start, feeds_capture);
            }
            In::Compared { compared, outline } => self.compared(&compared, &outline),
            In::Ended { sentinel, at } => self.graph.ended(sentinel, at),
            In::Left { sentinel, stream } => {
                self.graph.left_stream(sentinel, stream);
                self.touched.insert(stream);
            }
            In::Renamed { sentinel, to } => self.graph.renamed(sentinel, to),
            In::Keeps { sentinel, streams, history } => {
                self.graph.keeps(sentinel, history);
                self.touched.extend(streams);
            }
        }
    }

    /// A sentinel listens from now on; says where its windows start. `phase` is what a stored life
    /// says.
    pub(crate) fn join(&mut self, join: Join<'_>, phase: Option<Phase>) -> Phase {
        self.touched.insert(join.stream);
        self.graph.joined_too(join, phase)
    }

    /// The next of what has come of it.
    pub(crate) fn poll(&mut self) -> Option<Out> {
        queue::next(&mut self.out)
    }

    /// Rounds of the source that are open.
    pub(crate) fn rounds(&self, source: SourceId) -> usize {
        self.queues.get(&source).map_or(0, |queue| queue.rounds.len())
    }

    /// A round of the stream is open.
    pub(crate) fn is_open(&self, source: SourceId, stream: StreamId) -> bool {
        let queue = self.queues.get(&source);
        queue.is_some_and(|queue| queue.rounds.iter().any(|round| round.stream == stream))
    }

    /// The elements of the stream that are still needed.
    pub(crate) fn elements(&self, stream: StreamId) -> impl Iterator<Item = Element> {
        self.graph.elements(stream)
    }

    /// The versions of each element of a stream of captures.
    pub(crate) fn captures(&self, stream: StreamId) -> Vec<Box<[VersionNo]>> {
        self.graph.captures(stream).cloned().collect()
    }

    /// The versions of the source that retention must keep for the stream.
    pub(crate) fn needed(&self, stream: StreamId, source: SourceId) -> Vec<VersionNo> {
        self.graph.needed_of(stream, source)
    }

    /// The streams whose elements changed since the last call.
    pub(crate) fn take_streams(&mut self) -> BTreeSet<StreamId> {
        std::mem::take(&mut self.touched)
    }

    /// The views that those who listen to these streams ask for, each once, in order.
    pub(crate) fn views(&self, source: SourceId, streams: &[StreamId]) -> Vec<View> {
        let views = streams.iter().flat_map(|&stream| self.graph.views(stream, source));
        views.collect::<BTreeSet<View>>().into_iter().collect()
    }

    /// Somebody on these streams asks how the source answers.
    pub(crate) fn asks_status(&self, source: SourceId, streams: &[StreamId]) -> bool {
        streams.iter().any(|&stream| self.graph.asks_status(stream, source))
    }

    /// The sentinel looks at a part of a page.
    pub(crate) fn points(&self, sentinel: SentinelId) -> bool {
        self.graph.points(sentinel)
    }

    /// Those on the streams who look at parts.
    pub(crate) fn pointing(&self, source: SourceId, streams: &[StreamId]) -> Vec<SentinelId> {
        streams.iter().flat_map(|&stream| self.graph.pointing(stream, source)).collect()
    }

    /// Those who look at parts that were all seen, and why one of them shows nothing, if so.
    pub(crate) fn sights(
        &self,
        stream: StreamId,
        source: SourceId,
        seen: &BTreeMap<View, Option<Box<str>>>,
    ) -> Vec<(SentinelId, Option<Box<str>>)> {
        self.graph.sights(stream, source, seen)
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// A stored stream, before anybody listens.
    pub(crate) fn load_stream(&mut self, row: StreamRow) {
        let StreamRow { id, source, elements, captures, .. } = row;
        match captures {
            None => self.graph.stream_opened(id, source, elements),
            Some(captures) => {
                let elements = elements.into_iter().zip(captures.versions).collect();
                self.graph.captures_opened(id, &captures.sources, elements);
            }
        }
    }

    /// Stored rounds come as they were opened: a source's rounds run in the order of versions,
    /// whatever their streams. `unjudged` is the beginning of the look that led to it, if what
    /// came of that is still to be judged.
    pub(crate) fn load_round(&mut self, round: RoundRow, unjudged: Option<Instant>) {
        let source = round.source;
        self.queue_round(round);
        if let Some(start) = unjudged {
            self.looked(source, start, false);
        }
    }

    /// The rounds a snapshot would hold; when they were opened is left out.
    pub(crate) fn fold(&self) -> Vec<RoundRow> {
        let opened_at = Instant::EPOCH;
        let of = |(&source, queue): (&SourceId, &Queue)| {
            let row = move |&id: &RoundId| RoundRow { id, source, opened_at };
            queue.rounds.iter().map(row).collect::<Vec<_>>()
        };
        self.queues.iter().flat_map(of).collect()
    }

    fn captured(&mut self, captured: Captured) {
        let Captured { stream, source, fetched_at, versions } = captured;
        self.touched.insert(stream);
        let element = self.graph.captured(stream, fetched_at, versions);
        self.open_round(source, RoundId { stream, index: element.index });
    }

    fn answered(&mut self, answered: Answered, streams: &[StreamId]) {
        let Answered { source, version, change } = answered;
        for &stream in streams {
            let element = self.graph.answered(stream, (source, version), change);
            if let Some(element) = element {
                self.touched.insert(stream);
                // Rounds of captures are those of their first source.
                let id = RoundId { stream, index: element.index };
                self.open_round(stream.source(), id);
            }
        }
    }

    fn entered(&mut self, entered: Entered) {
        let Entered { stream, source, version, fetched_at, entry, heed } = entered;
        let is_it = |element: Element| element.version == version && !element.place.is_status();
        let is_known = || self.graph.elements(stream).any(is_it);
        if heed == Heed::ListenersOnce && is_known() {
            return;
        }
        self.touched.insert(stream);
        let element = self.graph.element(stream, Arrival { version, fetched_at, entry });
        if heed != Heed::Nobody {
            self.open_round(source, RoundId { stream, index: element.index });
        }
    }
}
