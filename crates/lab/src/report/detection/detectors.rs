//! Three ways to find out whom a new version concerns: they share nothing, comparisons, or all.

use super::super::speed::Clock;
use super::made::Crowd;
use change::{Aspect, ChangeType, Comparison, Leaf, Limits, Pairing, RoundRequest, RoundResult};
use chronon::{BlobId, Instant, SentinelId, SourceId, StreamId, VersionNo};
use graph::{Arrival, Entry, Graph, Join, Outline, RoundId};
use page::Extract;
use sentinel::ast::{Compare, Expr};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a detector is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detector {
    /// Each sentinel compares what it asks for itself.
    Naive,
    /// A comparison per page and type for all sentinels; each evaluates its own condition.
    Hash,
    /// The graph that the server runs.
    Graph,
}

pub const ALL: [Detector; 3] = [Detector::Naive, Detector::Hash, Detector::Graph];

/// What a detector did for a crowd.
pub struct Outcome {
    /// Page, older version, sentinel.
    pub told: BTreeSet<(usize, VersionNo, usize)>,
    pub comparisons: usize,
    /// Leaves and ANDs and ORs held in memory.
    pub kept: usize,
    /// Comparing and evaluating.
    pub seconds: f64,
}

impl Detector {
    pub fn name(self) -> &'static str {
        match self {
            Detector::Naive => "naive",
            Detector::Hash => "hash",
            Detector::Graph => "graph",
        }
    }

    pub fn run(self, crowd: &Crowd) -> Outcome {
        match self {
            Detector::Naive => naive(crowd),
            Detector::Hash => hash(crowd),
            Detector::Graph => graph(crowd),
        }
    }
}

fn compared(versions: &[Arc<Extract>], comparisons: Vec<Comparison>) -> RoundResult {
    let mut load =
        |version: VersionNo, _: &change::View| Ok(Arc::clone(&versions[version.0 as usize - 1]));
    let request = RoundRequest { comparisons, sources: vec![] };
    change::run(&request, &mut load, &Limits::default())
}

fn comparison(
    (from, to): (VersionNo, VersionNo),
    change_type: ChangeType,
    leaves: Vec<Leaf>,
) -> Comparison {
    let pairing = Pairing::Alike;
    Comparison { from, to, change_type, leaves, pairing, earlier: vec![], status: None }
}

/// The leaves of a condition, as often as they stand in it.
fn leaves(expr: &Expr) -> Vec<Leaf> {
    match expr {
        Expr::Leaf(leaf) => {
            let terms = leaf.primitive.terms.iter().map(String::as_str);
            let change_type = ChangeType::of(leaf.primitive.aspect, terms);
            vec![Leaf { change_type, directions: BTreeSet::new(), matching: None }]
        }
        Expr::Not(part) => leaves(part),
        Expr::And(parts) | Expr::Or(parts) => parts.iter().flat_map(leaves).collect(),
    }
}

/// Leaves, ANDs, ORs and NOTs of a condition.
fn size(expr: &Expr) -> usize {
    match expr {
        Expr::Leaf(_) => 1,
        Expr::Not(part) => 1 + size(part),
        Expr::And(parts) | Expr::Or(parts) => 1 + parts.iter().map(size).sum::<usize>(),
    }
}

/// Whether a condition holds, if its leaves hold as `held` says in their order.
fn holds(expr: &Expr, held: &mut impl Iterator<Item = bool>) -> bool {
    match expr {
        Expr::Leaf(_) => held.next().unwrap_or(false),
        Expr::Not(part) => !holds(part, held),
        // Every part takes its leaves off the list, whatever came before.
        Expr::And(parts) => parts.iter().filter(|part| !holds(part, held)).count() == 0,
        Expr::Or(parts) => parts.iter().filter(|part| holds(part, held)).count() > 0,
    }
}

fn naive(crowd: &Crowd) -> Outcome {
    let (mut told, mut comparisons) = (BTreeSet::new(), 0);
    let clock = Clock::start();
    for (id, asked) in crowd.asked.iter().enumerate() {
        let leaves = leaves(&asked.monitor);
        for pair in Crowd::pairs() {
            let held: Vec<bool> = (leaves.iter())
                .map(|leaf| {
                    let wanted = comparison(pair, leaf.change_type.clone(), vec![leaf.clone()]);
                    let made = compared(&crowd.pages[asked.page], vec![wanted]);
                    made.comparisons[0].leaves[0].hits_total > 0
                })
                .collect();
            comparisons += held.len();
            if holds(&asked.monitor, &mut held.into_iter()) {
                told.insert((asked.page, pair.0, id));
            }
        }
    }
    let seconds = clock.seconds();
    let kept = crowd.asked.iter().map(|asked| size(&asked.monitor)).sum();
    Outcome { told, comparisons, kept, seconds }
}

fn hash(crowd: &Crowd) -> Outcome {
    let (mut told, mut comparisons) = (BTreeSet::new(), 0);
    // By page and type: every leaf that is asked for.
    let mut table: BTreeMap<(usize, Aspect), BTreeSet<Leaf>> = BTreeMap::new();
    let asked: Vec<Vec<Leaf>> = crowd.asked.iter().map(|asked| leaves(&asked.monitor)).collect();
    for (one, leaves) in crowd.asked.iter().zip(&asked) {
        for leaf in leaves {
            table.entry((one.page, leaf.change_type.aspect)).or_default().insert(leaf.clone());
        }
    }
    let clock = Clock::start();
    for (page, versions) in crowd.pages.iter().enumerate() {
        for pair in Crowd::pairs() {
            let of_page = table.iter().filter(|((of, _), _)| *of == page);
            let wanted: Vec<Comparison> = of_page
                .map(|((_, aspect), leaves)| {
                    let terms = leaves.iter().flat_map(|leaf| leaf.change_type.terms.iter());
                    let change_type = ChangeType::of(*aspect, terms.cloned());
                    comparison(pair, change_type, leaves.iter().cloned().collect())
                })
                .collect();
            comparisons += wanted.len();
            let made = compared(versions, wanted);
            let hits = made.comparisons.iter().flat_map(|it| &it.leaves);
            let held: BTreeMap<&Leaf, bool> =
                hits.map(|hit| (&hit.leaf, hit.hits_total > 0)).collect();
            for (id, one) in crowd.asked.iter().enumerate().filter(|(_, one)| one.page == page) {
                let mut of_one = asked[id].iter().map(|leaf| held[leaf]);
                if holds(&one.monitor, &mut of_one) {
                    told.insert((page, pair.0, id));
                }
            }
        }
    }
    let seconds = clock.seconds();
    let kept = crowd.asked.iter().map(|asked| size(&asked.monitor)).sum();
    Outcome { told, comparisons, kept, seconds }
}

fn graph(crowd: &Crowd) -> Outcome {
    let (mut told, mut comparisons) = (BTreeSet::new(), 0);
    let mut graph = Graph::new(graph::Limits::default());
    for page in 0..crowd.pages.len() {
        graph.stream_opened(stream(page), SourceId(page as u32), vec![]);
    }
    for (id, asked) in crowd.asked.iter().enumerate() {
        let join = Join {
            sentinel: SentinelId(id as u64),
            stream: stream(asked.page),
            compare: Compare::Pairwise,
            monitor: &asked.monitor,
            since: Instant::EPOCH,
            history: 1,
        };
        graph.joined(join, None);
    }
    let sizes = graph.sizes();
    let clock = Clock::start();
    for (page, versions) in crowd.pages.iter().enumerate() {
        for number in 1..=versions.len() as u32 {
            let fetched_at = Instant::from_millis(i64::from(number) * 1_000);
            let entry = Entry::Next { history: 0 };
            let arrival = Arrival { version: VersionNo(number), fetched_at, entry };
            let index = graph.element(stream(page), arrival).index;
            let Some(due) = graph.due(RoundId { stream: stream(page), index }) else { continue };
            comparisons += due.request.comparisons.len();
            let made = compared(versions, due.request.comparisons.clone());
            let closed = graph.close(&due.ticket, &Outline::of(&made, BlobId::default()));
            let older = VersionNo(number - 1);
            told.extend(closed.heard.iter().map(|it| (page, older, it.sentinel.0 as usize)));
        }
    }
    let seconds = clock.seconds();
    Outcome { told, comparisons, kept: sizes.nodes + sizes.leaves, seconds }
}

fn stream(page: usize) -> StreamId {
    StreamId(page as u64 + 1)
}
