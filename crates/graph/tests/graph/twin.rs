//! I-TWIN: the graph says what its slow twin says, whatever joins, ends, leaves and fails, however
//! late rounds are closed, and after a restart at any moment.

use crate::bench::{and, at, keywords, leaf, not, or};
use change::{Aspect, ChangeType, Evidence, Leaf};
use chronon::{BlobId, Instant, SentinelId, SourceId, StreamId, VersionNo};
use graph::slow::{SlowGraph, SlowTicket, Told, Versions};
use graph::{Arrival, Closed, Due, Entry, Graph, Join, Limits, Outline, Phase, RoundId, Sizes};
use proptest::prelude::*;
use sentinel::ast::{Compare, Direction, Expr, Primitive};
use std::collections::{BTreeMap, BTreeSet};

/// One step of a random life.
#[derive(Debug, Clone)]
enum Step {
    /// Hears since `ago` before now: a clock that stands still lets instants meet.
    Join {
        sentinel: u64,
        stream: u32,
        compare: Compare,
        monitor: Box<Expr>,
        history: u32,
        ago: i64,
    },
    End {
        sentinel: u64,
    },
    Leave {
        sentinel: u64,
    },
    /// Goes on under an id of the upper dozen, whoever has it leaves.
    Rename {
        sentinel: u64,
    },
    /// A version, whose probe started `ago` before now.
    Version {
        stream: u32,
        ago: i64,
        content: Content,
    },
    /// Asks for an open round.
    Ask {
        which: prop::sample::Index,
    },
    /// Closes one that was asked for.
    Close {
        which: prop::sample::Index,
        answers: u64,
    },
    Reopen {
        stream: u32,
    },
    /// The graph is built again from what would be stored; rounds asked for are asked again.
    Restart,
}

/// What a version holds.
#[derive(Debug, Clone, Copy)]
enum Content {
    /// What the stream shows.
    Alike,
    Kind(u8),
    Odd,
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        8 => Just(Content::Alike),
        2 => (0..3_u8).prop_map(Content::Kind),
        1 => Just(Content::Odd),
    ]
}

fn small_leaf() -> impl Strategy<Value = Expr> {
    let word = || prop::collection::btree_set(prop::sample::select(vec!["a", "b", "c*"]), 1..3);
    let primitive = prop_oneof![
        Just(Primitive::plain(Aspect::Any)),
        Just(Primitive::plain(Aspect::Links)),
        word().prop_map(move |words| Primitive::of(Aspect::Words, words)),
        word().prop_map(move |words| Primitive::of(Aspect::Keywords, words)),
        word().prop_map(move |words| Primitive::of(Aspect::Phrases, words)),
    ];
    let directions = prop_oneof![
        3 => Just(vec![]),
        1 => Just(vec![Direction::Added]),
        1 => Just(vec![Direction::Removed, Direction::Moved]),
    ];
    let matching = prop_oneof![4 => Just(None), 1 => Just(Some("a".to_owned()))];
    (primitive, directions, matching).prop_map(|(primitive, directions, matching)| {
        Expr::Leaf(sentinel::ast::Leaf { primitive, of: None, directions, matching })
    })
}

fn expr() -> impl Strategy<Value = Expr> {
    let [a, b, c] = ["a", "b", "c"].map(|word| keywords(&[word]));
    let links = leaf(Primitive::plain(Aspect::Links));
    // A few expressions many use, and many that few use.
    let common = vec![
        links.clone(),
        a.clone(),
        and(&[&or(&[&a, &b]), &c]),
        and(&[&c, &or(&[&b, &a])]),
        or(&[&links, &not(&a)]),
        and(&[&or(&[&a, &b, &links]), &or(&[&b, &c]), &or(&[&a, &c])]),
    ];
    let random = small_leaf().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|operand| not(&operand)),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::And),
            2 => prop::collection::vec(inner, 2..4).prop_map(Expr::Or),
        ]
    });
    prop_oneof![prop::sample::select(common), random]
}

fn compare() -> impl Strategy<Value = Compare> {
    prop_oneof![
        2 => Just(Compare::Pairwise),
        1 => (2..5_u32).prop_map(Compare::Moving),
        3 => (2..5_u32).prop_map(Compare::Every),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let which = any::<prop::sample::Index>;
    prop_oneof![
        6 => (0..12_u64, 0..2_u32, compare(), expr(), (1..16_u32, 0..9_i64)).prop_map(
            |(sentinel, stream, compare, monitor, (history, ago))| {
                let monitor = Box::new(monitor);
                Step::Join { sentinel, stream, compare, monitor, history, ago }
            }
        ),
        1 => (0..24_u64).prop_map(|sentinel| Step::End { sentinel }),
        2 => (0..24_u64).prop_map(|sentinel| Step::Leave { sentinel }),
        2 => (0..12_u64).prop_map(|sentinel| Step::Rename { sentinel }),
        10 => (0..2_u32, 0..5_i64, content())
            .prop_map(|(stream, ago, content)| Step::Version { stream, ago, content }),
        8 => which().prop_map(|which| Step::Ask { which }),
        8 => (which(), any::<u64>()).prop_map(|(which, answers)| Step::Close { which, answers }),
        1 => (0..2_u32).prop_map(|stream| Step::Reopen { stream }),
        2 => Just(Step::Restart),
    ]
}

/// A sentinel as it would be stored.
#[derive(Debug, Clone)]
struct Stored {
    stream: StreamId,
    compare: Compare,
    monitor: Expr,
    since: Instant,
    until: Option<Instant>,
    history: u32,
    phase: Phase,
}

/// A graph and its twin, living the same life.
struct Pair {
    fast: Graph,
    slow: SlowGraph,
    stored: BTreeMap<SentinelId, Stored>,
    now: i64,
    versions: u32,
    open: Vec<RoundId>,
    asked: Vec<(Due, SlowTicket)>,
    /// Versions that are stored if retention keeps nothing but what it must.
    kept: BTreeSet<VersionNo>,
    /// Numbers the streams, which are named only once; which one stands for 0 and 1.
    streams: [StreamId; 2],
    /// Their kinds, in the order in which they came, and the one shown.
    kinds: [(Vec<u8>, u8); 2],
}

fn limits() -> Limits {
    Limits { combinations_max: 5, rounds_open_max: 3 }
}

/// What the bench answers about a leaf of a pair; `None`: the comparison failed.
fn answer(answers: u64, versions: Versions, leaf: &Leaf) -> Option<bool> {
    let mix = |text: String| {
        text.bytes().fold(answers | 1, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        })
    };
    let failed = mix(format!("{versions:?} {:?}", leaf.change_type.aspect)) % 8 == 0;
    (!failed).then(|| mix(format!("{versions:?} {leaf:?}")) % 2 == 0)
}

impl Pair {
    fn new() -> Pair {
        let mut pair = Pair {
            fast: Graph::new(limits()),
            slow: SlowGraph::new(limits()),
            stored: BTreeMap::new(),
            now: 1_000,
            versions: 0,
            open: vec![],
            asked: vec![],
            kept: BTreeSet::new(),
            streams: [StreamId(0), StreamId(1)],
            kinds: Default::default(),
        };
        for stream in pair.streams {
            pair.fast.stream_opened(stream, SourceId(stream.0 as u32), vec![]);
            pair.slow.stream_opened(stream);
        }
        pair
    }

    fn live(&mut self, step: Step) {
        self.now += 3;
        match step {
            Step::Join { sentinel, stream, compare, monitor, history, ago } => {
                let is_mixed = self.kinds[stream as usize].0.len() > 1;
                if matches!(compare, Compare::Every(_)) && is_mixed {
                    return;
                }
                let (sentinel, stream) = (SentinelId(sentinel), self.streams[stream as usize]);
                let since = at(self.now - ago);
                let join = Join { sentinel, stream, compare, monitor: &monitor, since, history };
                let phase = self.fast.joined(join, None);
                assert_eq!(phase, self.slow.joined(join));
                let until = None;
                let monitor = *monitor;
                let stored = Stored { stream, compare, monitor, since, until, history, phase };
                self.stored.insert(sentinel, stored);
            }
            Step::End { sentinel } => {
                let sentinel = SentinelId(sentinel);
                self.fast.ended(sentinel, at(self.now));
                self.slow.ended(sentinel, at(self.now));
                if let Some(stored) = self.stored.get_mut(&sentinel) {
                    stored.until.get_or_insert(at(self.now));
                }
            }
            Step::Leave { sentinel } => {
                self.fast.left(SentinelId(sentinel));
                self.slow.left(SentinelId(sentinel));
                self.stored.remove(&SentinelId(sentinel));
            }
            Step::Rename { sentinel } => {
                let (sentinel, to) = (SentinelId(sentinel), SentinelId(sentinel + 12));
                self.live(Step::Leave { sentinel: to.0 });
                self.fast.renamed(sentinel, to);
                self.slow.renamed(sentinel, to);
                if let Some(stored) = self.stored.remove(&sentinel) {
                    self.stored.insert(to, stored);
                }
            }
            Step::Version { stream, ago, content } => self.version(stream as usize, ago, content),
            Step::Ask { which } if !self.open.is_empty() => {
                let round = self.open.remove(which.index(self.open.len()));
                self.ask(round);
            }
            Step::Close { which, answers } if !self.asked.is_empty() => {
                let (due, ticket) = self.asked.remove(which.index(self.asked.len()));
                self.close(&due, &ticket, answers);
            }
            Step::Ask { .. } | Step::Close { .. } => {}
            Step::Reopen { stream } => {
                let old = self.streams[stream as usize];
                let new = StreamId(self.streams[0].0.max(self.streams[1].0) + 1);
                self.fast.stream_closed(old);
                self.slow.stream_closed(old);
                self.stored.retain(|_, stored| stored.stream != old);
                self.fast.stream_opened(new, SourceId(stream), vec![]);
                self.slow.stream_opened(new);
                self.streams[stream as usize] = new;
                self.kinds[stream as usize] = Default::default();
            }
            Step::Restart => self.restart(),
        }
        let needed = self.streams.iter().flat_map(|&stream| self.fast.needed(stream)).collect();
        self.kept = self.kept.intersection(&needed).copied().collect();
    }

    /// How a version with this content enters; `None`: it does not.
    fn entry(&mut self, stream: usize, content: Content) -> Option<Entry> {
        let (kinds, shown) = &mut self.kinds[stream];
        let was = *shown;
        let kind = match content {
            Content::Odd if kinds.is_empty() => return None,
            Content::Odd => return Some(Entry::Aside { shown: was }),
            Content::Alike => kinds.get(usize::from(was)).copied().unwrap_or(0),
            Content::Kind(kind) => kind,
        };
        let known = kinds.iter().position(|other| *other == kind);
        *shown = known.unwrap_or(kinds.len()) as u8;
        if known.is_none() {
            kinds.push(kind);
        }
        Some(match (known, kinds.len()) {
            (None, 2..) => Entry::Begins { history: *shown, shown: was },
            _ => Entry::Next { history: *shown },
        })
    }

    fn version(&mut self, stream: usize, ago: i64, content: Content) {
        let Some(entry) = self.entry(stream, content) else { return };
        let stream = self.streams[stream];
        self.versions += 1;
        let (version, fetched_at) = (VersionNo(self.versions), at(self.now - ago));
        let arrival = Arrival { version, fetched_at, entry };
        let element = self.fast.element(stream, arrival);
        self.slow.element(stream, arrival);
        self.kept.insert(version);
        self.open.push(RoundId { stream, index: element.index });
    }

    fn ask(&mut self, round: RoundId) {
        let expected = self.slow.due(round);
        assert_eq!(self.fast.is_due(round), !expected.is_empty());
        let Some(due) = self.fast.due(round) else {
            assert_eq!(expected, BTreeSet::new());
            return;
        };
        let mut asked = BTreeSet::new();
        let mut kinds = BTreeSet::new();
        for comparison in &due.request.comparisons {
            let versions = (comparison.from, comparison.to);
            let kind = format!("{versions:?} {:?}", comparison.change_type.aspect);
            assert!(kinds.insert(kind), "one comparison per pair and change type");
            for leaf in &comparison.leaves {
                assert!(covers(&comparison.change_type, &leaf.change_type));
                assert!(asked.insert((versions, leaf.clone())), "each leaf once");
            }
        }
        assert_eq!(asked, expected);
        let versions = due.request.comparisons.iter().flat_map(|c| [c.from, c.to]);
        versions.for_each(|version| assert!(self.kept.contains(&version), "{version} is stored"));
        self.asked.push((due, self.slow.ticket(round).expect("the twin has it due")));
    }

    fn close(&self, due: &Due, ticket: &SlowTicket, answers: u64) {
        let comparisons = due.request.comparisons.iter().map(|c| {
            let hits = |leaf: &Leaf| Some(u32::from(answer(answers, (c.from, c.to), leaf)?));
            c.leaves.iter().map(hits).collect::<Option<Vec<u32>>>()
        });
        let outline = Outline { result: BlobId::default(), comparisons: comparisons.collect() };
        let fast = by_content(due, &self.fast.close(&due.ticket, &outline));
        let slow = self.slow.close(ticket, &|versions, leaf| answer(answers, versions, leaf));
        assert_eq!(fast, slow);
    }

    fn restart(&mut self) {
        let mut fast = Graph::new(limits());
        for (source, stream) in (0..).zip(self.streams) {
            fast.stream_opened(stream, SourceId(source), self.fast.elements(stream).collect());
        }
        // In another order than they came.
        for (&sentinel, stored) in self.stored.iter().rev() {
            let Stored { stream, compare, monitor, since, until, history, phase } = stored.clone();
            let monitor = &monitor;
            let join = Join { sentinel, stream, compare, monitor, since, history };
            assert_eq!(fast.joined(join, Some(phase)), phase);
            if let Some(until) = until {
                fast.ended(sentinel, until);
            }
        }
        assert_eq!(fast.sizes(), self.fast.sizes());
        for stream in self.streams {
            assert!(fast.needed(stream).eq(self.fast.needed(stream)));
            assert_eq!(fast.listeners(stream), self.fast.listeners(stream));
        }
        for sentinel in self.stored.keys() {
            assert_eq!(fast.waits(*sentinel), self.fast.waits(*sentinel));
        }
        for &round in &self.open {
            let request = |graph: &Graph| graph.due(round).map(|due| due.request);
            assert_eq!(request(&fast), request(&self.fast), "the same words after a restart");
        }
        self.fast = fast;
        for (due, _) in std::mem::take(&mut self.asked) {
            self.ask(due.ticket.round);
        }
    }

    fn end_all(&mut self) {
        (0..24).for_each(|sentinel| self.live(Step::Leave { sentinel }));
        let sizes = self.fast.sizes();
        assert_eq!(sizes, Sizes { streams: 2, elements: sizes.elements, ..Sizes::default() });
    }
}

/// Whether a comparison of `joint` finds all that `own` asks for.
fn covers(joint: &ChangeType, own: &ChangeType) -> bool {
    joint.aspect == own.aspect
        && match own.aspect {
            Aspect::Words => joint.terms.is_subset(&own.terms),
            _ => own.terms.is_subset(&joint.terms),
        }
}

fn by_content(due: &Due, closed: &Closed) -> BTreeMap<SentinelId, Told> {
    let leaf = |at: &change::LeafRef| {
        due.request.comparisons[at.comparison as usize].leaves[at.leaf as usize].clone()
    };
    let heard = closed.heard.iter().map(|heard| {
        let combinations = &heard.combinations;
        let combinations = combinations.iter().map(|row| row.iter().map(leaf).collect()).collect();
        let &[Evidence { source, from, to, .. }] = &*heard.evidence else {
            panic!("a round has one pair of versions: {heard:?}");
        };
        assert_eq!(source, due.source);
        (heard.sentinel, Told::Heard { versions: (from, to), combinations })
    });
    let failed = closed.not_evaluated.iter().map(|&sentinel| (sentinel, Told::NotEvaluated));
    let told: Vec<(SentinelId, Told)> = heard.chain(failed).collect();
    let by_sentinel: BTreeMap<SentinelId, Told> = told.iter().cloned().collect();
    assert_eq!(by_sentinel.len(), told.len(), "each sentinel once");
    by_sentinel
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(512)
    })]

    #[test]
    fn the_graph_says_what_its_slow_twin_says(steps in prop::collection::vec(step(), 1..120)) {
        let mut pair = Pair::new();
        steps.into_iter().for_each(|step| pair.live(step));
        let asked = std::mem::take(&mut pair.asked);
        asked.iter().for_each(|(due, ticket)| pair.close(due, ticket, 7));
        pair.end_all();
    }
}
