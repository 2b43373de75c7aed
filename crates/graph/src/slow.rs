//! The slow twin of [`crate::Graph`]: keeps each sentinel's expression and every element, shares
//! nothing, and recomputes everything per sentinel. Tests hold the graph against it (I-TWIN).
//!
//! It answers by content, not by position: a combination is a list of [`Leaf`]s. It says the
//! comparison of a leaf failed if the caller's oracle says so for its pair.

use crate::{Arrival, Entry, Join, Limits, Phase, RoundId};
use change::{ChangeKind, ChangeType, Leaf};
use chronon::{Instant, SentinelId, StreamId, VersionNo};
use sentinel::ast::{self, Compare, Direction, Expr};
use std::collections::{BTreeMap, BTreeSet};

/// What the twin knows of one sentinel.
#[derive(Debug, Clone)]
struct Member {
    stream: StreamId,
    compare: Compare,
    monitor: Expr,
    since: Instant,
    until: Option<Instant>,
    history: u32,
    first_index: u64,
    /// Counts joins.
    join: u64,
}

/// One element, as the twin sees it.
#[derive(Debug, Clone, Copy)]
struct Element {
    index: u64,
    version: VersionNo,
    fetched_at: Instant,
    /// `None`: in no history.
    history: Option<u8>,
    /// It is told against this one, windows or not.
    told_against: Option<u64>,
    forgotten: bool,
}

/// Every element a stream ever had.
#[derive(Debug, Clone, Default)]
struct Stream {
    elements: Vec<Element>,
}

impl Stream {
    /// The indices of a history's elements, in order.
    fn history(&self, history: Option<u8>) -> Vec<u64> {
        let of = self.elements.iter().filter(|element| element.history == history);
        of.map(|element| element.index).collect()
    }

    fn find(&self, index: u64) -> Option<Element> {
        self.elements.iter().find(|e| e.index == index && !e.forgotten).copied()
    }
}

/// See the module.
#[derive(Debug, Clone)]
pub struct SlowGraph {
    limits: Limits,
    members: BTreeMap<SentinelId, Member>,
    streams: BTreeMap<StreamId, Stream>,
    joins: u64,
}

/// Who was to hear of what when a round was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowTicket {
    fetched_at: Instant,
    /// By the number of the join, which stays whatever the sentinel is called.
    pairs: BTreeMap<u64, Versions>,
}

/// A pair of versions: older, newer.
pub type Versions = (VersionNo, VersionNo);

/// What one sentinel gets of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    NotEvaluated,
    Heard { versions: Versions, combinations: Vec<Vec<Leaf>> },
}

/// The combinations of an expression: `None` if a comparison under it failed; empty if it does
/// not hold.
type Combinations = Option<Vec<Vec<Leaf>>>;

impl SlowGraph {
    /// An empty twin.
    pub fn new(limits: Limits) -> SlowGraph {
        SlowGraph { limits, members: BTreeMap::new(), streams: BTreeMap::new(), joins: 0 }
    }

    /// See [`crate::Graph::stream_opened`]; always a new stream.
    pub fn stream_opened(&mut self, stream: StreamId) {
        self.stream_closed(stream);
        self.streams.insert(stream, Stream::default());
    }

    /// See [`crate::Graph::stream_closed`].
    pub fn stream_closed(&mut self, stream: StreamId) {
        self.streams.remove(&stream);
        self.members.retain(|_, member| member.stream != stream);
    }

    /// See [`crate::Graph::joined`].
    pub fn joined(&mut self, join: Join<'_>) -> Phase {
        let stream = self.streams.get(&join.stream);
        let first_index = stream.map_or(0, |stream| stream.history(Some(0)).len()).max(1) as u64;
        let member = Member {
            stream: join.stream,
            compare: join.compare,
            monitor: join.monitor.clone(),
            since: join.since,
            until: None,
            history: join.history,
            first_index,
            join: self.joins,
        };
        self.joins += 1;
        self.members.insert(join.sentinel, member);
        Phase { first_index }
    }

    /// See [`crate::Graph::ended`].
    pub fn ended(&mut self, sentinel: SentinelId, at: Instant) {
        if let Some(member) = self.members.get_mut(&sentinel) {
            member.until = Some(member.until.map_or(at, |until| until.min(at)));
        }
    }

    /// See [`crate::Graph::renamed`].
    pub fn renamed(&mut self, sentinel: SentinelId, to: SentinelId) {
        if let Some(member) = self.members.remove(&sentinel) {
            self.members.insert(to, member);
        }
    }

    /// See [`crate::Graph::left`].
    pub fn left(&mut self, sentinel: SentinelId) {
        self.members.remove(&sentinel);
    }

    /// See [`crate::Graph::element`]. Nothing happens if the stream is not open.
    pub fn element(&mut self, id: StreamId, arrival: Arrival) {
        let Arrival { version, fetched_at, entry } = arrival;
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let index = stream.elements.len() as u64 + 1;
        let (history, shown) = match entry {
            Entry::Next { history } => (Some(history), None),
            Entry::Begins { history, shown } => (Some(history), Some(shown)),
            Entry::Aside { shown } => (None, Some(shown)),
        };
        let told_against = shown.and_then(|shown| stream.history(Some(shown)).last().copied());
        let forgotten = false;
        let element = Element { index, version, fetched_at, history, told_against, forgotten };
        stream.elements.push(element);
        let members = || self.members.values().filter(|member| member.stream == id);
        let n_max = members().map(|member| width(member.compare)).max().unwrap_or(1);
        let history_max = members().map(|member| u64::from(member.history)).max().unwrap_or(1);
        let kept = (n_max + u64::from(self.limits.rounds_open_max) - 1).max(history_max);
        let alike = stream.elements.iter_mut().filter(|other| other.history == history);
        alike.rev().skip(kept as usize).for_each(|old| old.forgotten = true);
    }

    /// The pair a sentinel is to hear of in this round, if it is there and hears at all.
    fn pair(&self, round: RoundId, sentinel: SentinelId) -> Option<Versions> {
        let member = self.members.get(&sentinel).filter(|m| m.stream == round.stream)?;
        let stream = self.streams.get(&round.stream)?;
        let newer = stream.find(round.index)?;
        let older = match newer.told_against {
            Some(against) => stream.find(against)?,
            None => stream.find(windowed(member, &stream.history(newer.history), newer)?)?,
        };
        let hears = member.since <= newer.fetched_at
            && member.until.is_none_or(|until| newer.fetched_at < until);
        hears.then_some((older.version, newer.version))
    }

    /// Each leaf of each pair that someone hears of.
    pub fn due(&self, round: RoundId) -> BTreeSet<(Versions, Leaf)> {
        let mut due = BTreeSet::new();
        for (&sentinel, member) in &self.members {
            if let Some(versions) = self.pair(round, sentinel) {
                let mut leaves = Vec::new();
                collect_leaves(&member.monitor, &mut leaves);
                due.extend(leaves.into_iter().map(|leaf| (versions, leaf)));
            }
        }
        due
    }

    /// What closes the round; `None`: nobody is to hear of anything.
    pub fn ticket(&self, round: RoundId) -> Option<SlowTicket> {
        let pairs: BTreeMap<u64, Versions> = (self.members.iter())
            .filter_map(|(&id, member)| Some((member.join, self.pair(round, id)?)))
            .collect();
        let elements = &self.streams.get(&round.stream)?.elements;
        let newer = elements.iter().find(|element| element.index == round.index)?;
        (!pairs.is_empty()).then_some(SlowTicket { fetched_at: newer.fetched_at, pairs })
    }

    /// Who gets what. `holds` says of a leaf and a pair whether it holds; `None`: the comparison
    /// failed.
    pub fn close(
        &self,
        ticket: &SlowTicket,
        holds: &dyn Fn(Versions, &Leaf) -> Option<bool>,
    ) -> BTreeMap<SentinelId, Told> {
        let mut told = BTreeMap::new();
        for (&sentinel, member) in &self.members {
            let Some(&versions) = ticket.pairs.get(&member.join) else { continue };
            let ended = member.until.is_some_and(|until| until <= ticket.fetched_at);
            if ended || !self.streams.contains_key(&member.stream) {
                continue;
            }
            match self.combinations(&member.monitor, &|leaf| holds(versions, leaf)) {
                None => drop(told.insert(sentinel, Told::NotEvaluated)),
                Some(combinations) if combinations.is_empty() => {}
                Some(combinations) => {
                    told.insert(sentinel, Told::Heard { versions, combinations });
                }
            }
        }
        told
    }

    fn combinations(&self, expr: &Expr, holds: &dyn Fn(&Leaf) -> Option<bool>) -> Combinations {
        let all = |operands: &[Expr]| -> Option<Vec<Vec<Vec<Leaf>>>> {
            operands.iter().map(|operand| self.combinations(operand, holds)).collect()
        };
        let found = match expr {
            Expr::Leaf(leaf) => {
                let leaf = leaf_of(leaf);
                if holds(&leaf)? { vec![vec![leaf]] } else { vec![] }
            }
            Expr::Not(operand) => {
                if self.combinations(operand, holds)?.is_empty() {
                    vec![vec![]]
                } else {
                    vec![]
                }
            }
            Expr::Or(operands) => all(operands)?.concat(),
            Expr::And(operands) => {
                let mut product = vec![vec![]];
                for operand in all(operands)? {
                    let joint =
                        |first: &Vec<Leaf>, second: &Vec<Leaf>| [&first[..], second].concat();
                    let rows =
                        product.iter().flat_map(|a| operand.iter().map(move |b| joint(a, b)));
                    product = self.bounded(rows.collect());
                }
                product
            }
        };
        Some(self.bounded(found))
    }

    /// Each leaf once per combination, each set of leaves once, and no more than the limit.
    fn bounded(&self, combinations: Vec<Vec<Leaf>>) -> Vec<Vec<Leaf>> {
        let mut kept: Vec<Vec<Leaf>> = Vec::new();
        for combination in combinations {
            let mut once: Vec<Leaf> = Vec::new();
            for leaf in combination {
                if !once.contains(&leaf) {
                    once.push(leaf);
                }
            }
            let same = |other: &Vec<Leaf>| {
                other.len() == once.len() && once.iter().all(|leaf| other.contains(leaf))
            };
            if !kept.iter().any(same) {
                kept.push(once);
            }
        }
        kept.truncate(self.limits.combinations_max as usize);
        kept
    }
}

/// The older end of the member's window that ends with `newer`, among the indices of its history.
fn windowed(member: &Member, history: &[u64], newer: Element) -> Option<u64> {
    let step = width(member.compare) as usize - 1;
    let at = history.iter().position(|&index| index == newer.index)?;
    if let Compare::Every(_) = member.compare {
        let first = if newer.history == Some(0) { member.first_index as usize - 1 } else { 0 };
        let passed = at.checked_sub(first)?;
        if passed == 0 || !passed.is_multiple_of(step) {
            return None;
        }
    }
    history.get(at.checked_sub(step)?).copied()
}

/// The elements a pair spans, both ends included.
fn width(compare: Compare) -> u64 {
    match compare {
        Compare::Pairwise => 2,
        Compare::Moving(n) | Compare::Every(n) => u64::from(n.max(2)),
    }
}

fn collect_leaves(expr: &Expr, leaves: &mut Vec<Leaf>) {
    match expr {
        Expr::Leaf(leaf) => leaves.push(leaf_of(leaf)),
        Expr::Not(operand) => collect_leaves(operand, leaves),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| collect_leaves(operand, leaves));
        }
    }
}

/// A leaf of the language as comparisons know it.
pub fn leaf_of(leaf: &ast::Leaf) -> Leaf {
    Leaf {
        change_type: ChangeType::of(leaf.primitive.aspect, leaf.primitive.terms.iter().cloned())
            .in_view(change::View::of(&leaf.primitive.region)),
        directions: (leaf.directions.iter())
            .map(|direction| match direction {
                Direction::Added => ChangeKind::Insert,
                Direction::Removed => ChangeKind::Delete,
                Direction::Updated => ChangeKind::Update,
                Direction::Moved => ChangeKind::Move,
            })
            .collect(),
        matching: leaf.matching.clone(),
    }
}
