//! Short words for tests: leaves, expressions, a graph with one stream, outlines by leaf.

use change::{Aspect, ChangeType, Leaf, RoundRequest};
use chronon::{BlobId, Instant, SentinelId, SourceId, StreamId, VersionNo};
use graph::{Arrival, Closed, Due, Element, Entry, Graph, Join, Limits, Outline, Phase, RoundId};
use sentinel::ast::{self, Compare, Expr, Primitive};

pub(crate) const STREAM: StreamId = StreamId(1);
pub(crate) const SOURCE: SourceId = SourceId(3);

pub(crate) fn at(millis: i64) -> Instant {
    Instant::from_millis(millis)
}

pub(crate) fn leaf(primitive: Primitive) -> Expr {
    Expr::Leaf(ast::Leaf { primitive, of: None, directions: vec![], matching: None })
}

pub(crate) fn keywords(words: &[&str]) -> Expr {
    leaf(Primitive::of(Aspect::Keywords, words.iter().copied()))
}

pub(crate) fn and(operands: &[&Expr]) -> Expr {
    Expr::And(operands.iter().map(|&operand| operand.clone()).collect())
}

pub(crate) fn or(operands: &[&Expr]) -> Expr {
    Expr::Or(operands.iter().map(|&operand| operand.clone()).collect())
}

pub(crate) fn not(operand: &Expr) -> Expr {
    Expr::Not(Box::new(operand.clone()))
}

/// A graph with one stream whose element i is version i, fetched at i seconds.
pub(crate) struct Bench {
    pub(crate) graph: Graph,
    newest: u32,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Bench {
        let mut graph = Graph::new(limits);
        graph.stream_opened(STREAM, SOURCE, vec![]);
        Bench { graph, newest: 0 }
    }

    /// Sentinel `id` joins half a second after the newest version was fetched.
    pub(crate) fn join(&mut self, id: u64, compare: Compare, monitor: &Expr) -> Phase {
        let since = at(i64::from(self.newest) * 1_000 + 500);
        let sentinel = SentinelId(id);
        let join = Join { sentinel, stream: STREAM, compare, monitor, since, history: 1 };
        self.graph.joined(join, None)
    }

    pub(crate) fn version(&mut self) -> RoundId {
        self.enters(Entry::Next { history: 0 })
    }

    pub(crate) fn enters(&mut self, entry: Entry) -> RoundId {
        self.newest += 1;
        let fetched_at = at(i64::from(self.newest) * 1_000);
        let arrival = Arrival { version: VersionNo(self.newest), fetched_at, entry };
        let element = self.graph.element(STREAM, arrival);
        assert_eq!(element, Element { index: u64::from(self.newest), ..element });
        RoundId { stream: STREAM, index: element.index }
    }

    pub(crate) fn versions(&mut self, count: u32) {
        for _ in 0..count {
            self.version();
        }
    }

    pub(crate) fn due(&self, round: RoundId) -> Due {
        self.graph.due(round).expect("the round is due")
    }

    /// Closes a round in which the leaves that `holding` says hold.
    pub(crate) fn close(&self, due: &Due, holding: impl Fn(&Leaf) -> bool) -> Closed {
        self.graph.close(&due.ticket, &outline(&due.request, holding))
    }

    pub(crate) fn waits(&self, id: u64) -> Option<u64> {
        self.graph.waits(SentinelId(id))
    }
}

pub(crate) fn outline(request: &RoundRequest, holding: impl Fn(&Leaf) -> bool) -> Outline {
    let hits = |leaf: &Leaf| u32::from(holding(leaf));
    let comparisons = (request.comparisons.iter())
        .map(|comparison| Some(comparison.leaves.iter().map(hits).collect()));
    Outline { result: BlobId::default(), comparisons: comparisons.collect() }
}

/// The pairs of a request, each once.
pub(crate) fn pairs(due: &Due) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> =
        due.request.comparisons.iter().map(|c| (c.from.0, c.to.0)).collect();
    pairs.dedup();
    pairs
}

pub(crate) fn heard(closed: &Closed) -> Vec<u64> {
    closed.heard.iter().map(|heard| heard.sentinel.0).collect()
}

/// A one-word name of a leaf: its words, or its type.
pub(crate) fn name(leaf: &Leaf) -> String {
    let ChangeType { aspect, terms, .. } = &leaf.change_type;
    match aspect {
        Aspect::Keywords => terms.iter().cloned().collect::<Vec<_>>().join("+"),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// The combinations a sentinel heard of, by name.
pub(crate) fn combinations(due: &Due, closed: &Closed, id: u64) -> Vec<Vec<String>> {
    let heard = closed.heard.iter().find(|heard| heard.sentinel == SentinelId(id));
    let rows = heard.map(|heard| heard.combinations.clone()).unwrap_or_default();
    let leaf = |r: &change::LeafRef| {
        name(&due.request.comparisons[r.comparison as usize].leaves[r.leaf as usize])
    };
    rows.iter().map(|row| row.iter().map(leaf).collect()).collect()
}
