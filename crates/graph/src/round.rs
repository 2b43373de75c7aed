//! Rounds: which comparisons one element makes due, and who hears when they are in.

use crate::evaluate::{Evaluation, Truth, UNCHANGED};
use crate::graph::Graph;
use crate::interned::Id;
use crate::stream::{Bucket, Group, Stream};
use crate::{Closed, Due, Element, Heard, Outline, Position, RoundId, Ticket};
use change::{
    ChangeType, Comparison, Evidence, Leaf, LeafRef, Pairing, RoundRequest, StatusChange,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// One pair of a round, and where its leaves stand in the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    older: Element,
    /// Ascending by id.
    places: Vec<(Id, LeafRef)>,
}

/// The leaves one pair is asked for.
#[derive(Default)]
struct Wanted {
    seen: FxHashSet<Id>,
    leaves: Vec<Id>,
}

impl Graph {
    /// Whether anyone is to hear of a comparison that this element makes due.
    pub fn is_due(&self, round: RoundId) -> bool {
        let Some(stream) = self.streams.get(&round.stream) else { return false };
        let Some(newer) = stream.element_at(round.index) else { return false };
        let is_asked = |(group, older)| self.asked(stream, group, (older, newer)).next().is_some();
        stream.due_at(newer).any(is_asked)
    }

    /// The buckets of a group in which somebody hears of the pair, and asks for what it says. Who
    /// asks for content, too, hears of a status with what the same look brought.
    fn asked<'a>(
        &'a self,
        stream: &'a Stream,
        group: &'a Group,
        (older, newer): (Element, Element),
    ) -> impl Iterator<Item = &'a Bucket> {
        group.buckets.iter().filter(move |bucket| {
            let concerns = |status| self.expressions.concerns(bucket.root, status);
            let is_told_with = newer.place.is_status()
                && concerns(None)
                && stream.is_heard_with(group, bucket, newer);
            concerns(newer.place.of_status()) && bucket.is_heard(older, newer) && !is_told_with
        })
    }

    /// The comparisons of a round: one per pair, view and aspect, for the leaves of those who hear
    /// of the pair, with the union of their words (of `words`, the intersection of the
    /// exceptions). `None`: nobody hears of anything.
    ///
    /// The order is by pair, older first, then by the leaves' values: it depends on who listens
    /// to what, not on how the graph came to be, so that the same round is asked for in the same
    /// words after a restart. Costs the groups of the stream and the nodes that are due.
    pub fn due(&self, round: RoundId) -> Option<Due> {
        let stream = self.streams.get(&round.stream)?;
        let newer = stream.element_at(round.index)?;
        let mut wanted: BTreeMap<u64, (Element, Wanted)> = BTreeMap::new();
        for (group, older) in stream.due_at(newer) {
            for bucket in self.asked(stream, group, (older, newer)) {
                let (_, wanted) =
                    wanted.entry(older.index).or_insert_with(|| (older, Wanted::default()));
                self.expressions.leaves(bucket.root, &mut wanted.seen, &mut wanted.leaves);
            }
        }
        if wanted.is_empty() {
            return None;
        }
        let mut request = RoundRequest { comparisons: Vec::new(), sources: Vec::new() };
        let pairs = (wanted.into_values())
            .map(|(older, wanted)| self.ask(stream, (older, newer), wanted.leaves, &mut request))
            .collect();
        if stream.captures.is_none() {
            request.sources.clear();
        }
        Some(Due {
            source: stream.source,
            request,
            ticket: Ticket { round, newer, joins: self.joins, pairs },
        })
    }

    /// Adds the comparisons of one pair to the request: none of a source that shows in the newer
    /// element what it showed in the older one.
    fn ask(
        &self,
        stream: &Stream,
        (older, newer): (Element, Element),
        leaves: Vec<Id>,
        request: &mut RoundRequest,
    ) -> Pair {
        let value = |id| {
            let leaf = self.expressions.leaf(id).expect("a leaf in use has a value");
            (self.expressions.source(id), leaf, id)
        };
        let mut leaves: Vec<(u16, Leaf, Id)> = leaves.into_iter().map(value).collect();
        leaves.sort_unstable();
        let mut places = Vec::with_capacity(leaves.len());
        let pairing = match newer.place {
            Position::Within { .. } | Position::Status { .. } => Pairing::Alike,
            Position::Begins { .. } | Position::Aside { .. } => Pairing::Unlike,
        };
        let evidence = stream.evidence(older, newer);
        let akin = |(a, of, _): &(u16, Leaf, Id), (b, other, _): &(u16, Leaf, Id)| {
            a == b && of.change_type.is_akin(&other.change_type)
        };
        let with = stream.status_with(newer);
        for alike in leaves.chunk_by(akin) {
            let status = status_of(&alike[0], newer.place, with);
            let is_asked = status.is_some() || is_content(&alike[0], newer.place);
            let pair = stream.pair_of(alike[0].0, older, newer).filter(|_| is_asked);
            let place = evidence.iter().position(|piece| Some(*piece) == pair);
            let (Some((source, from, to)), Some(evidence)) = (pair, place) else {
                let nowhere = LeafRef { evidence: 0, comparison: UNCHANGED, leaf: 0 };
                places.extend(alike.iter().map(|&(_, _, id)| (id, nowhere)));
                continue;
            };
            let comparison = request.comparisons.len() as u32;
            for (leaf, &(_, _, id)) in (0..).zip(alike) {
                places.push((id, LeafRef { evidence: evidence as u32, comparison, leaf }));
            }
            let leaves: Vec<Leaf> = alike.iter().map(|(_, leaf, _)| leaf.clone()).collect();
            let change_type = change_type_for(&leaves);
            let earlier = match pairing {
                Pairing::Alike => stream.earlier(alike[0].0, older),
                Pairing::Unlike => Vec::new(),
            };
            let comparison = Comparison { from, to, change_type, leaves, pairing, earlier, status };
            request.comparisons.push(comparison);
            request.sources.push(source);
        }
        places.sort_unstable();
        Pair { older, places }
    }

    /// Who hears of a round, now that its comparisons are in.
    ///
    /// Those hear who were there when [`Graph::due`] made the ticket, have not left since, and
    /// whose expression holds. An outline that lacks a comparison counts as its failure. Tickets
    /// may be closed late and in any order: nothing of one round depends on another. Each distinct
    /// node is evaluated once per pair; both lists ascend by sentinel.
    pub fn close(&self, ticket: &Ticket, outline: &Outline) -> Closed {
        let mut closed = Closed::default();
        let Some(stream) = self.streams.get(&ticket.round.stream) else { return closed };
        let newer = ticket.newer;
        for pair in &ticket.pairs {
            let mut evaluation = Evaluation {
                expressions: &self.expressions,
                places: &pair.places,
                outline,
                combinations_max: self.limits.combinations_max as usize,
                truths: FxHashMap::default(),
                combinations: FxHashMap::default(),
            };
            let groups = stream.groups_of(pair.older, newer);
            for bucket in groups.flat_map(|group| self.asked(stream, group, (pair.older, newer))) {
                let truth = evaluation.truth(bucket.root);
                if truth == Truth::HoldsNot {
                    continue;
                }
                let told = (bucket.listeners.iter())
                    .filter(|l| l.join < ticket.joins && l.hears(pair.older, newer))
                    .map(|listener| listener.sentinel);
                if truth == Truth::NotEvaluated {
                    closed.not_evaluated.extend(told);
                    continue;
                }
                let combinations = evaluation.combinations(bucket.root);
                let pieces = stream.evidence(pair.older, newer).into_iter();
                let result = outline.result;
                let piece = |(source, from, to)| Evidence { source, from, to, result };
                let evidence: Vec<Evidence> = pieces.map(piece).collect();
                closed.heard.extend(told.map(|sentinel| Heard {
                    sentinel,
                    evidence: evidence.clone(),
                    combinations: combinations.to_vec(),
                }));
            }
        }
        closed.heard.sort_unstable_by_key(|heard| heard.sentinel);
        closed.not_evaluated.sort_unstable();
        closed
    }
}

/// The change that a leaf about a status compares: that of an element which is one, or `with`,
/// which the look brought together with content.
fn status_of(
    (source, leaf, _): &(u16, Leaf, Id),
    newer: Position,
    with: Option<StatusChange>,
) -> Option<StatusChange> {
    let change = match newer {
        Position::Status { place, change } => Some(change).filter(|_| *source == place),
        _ => with,
    };
    change.filter(|_| leaf.change_type.aspect == change::Aspect::Status)
}

/// Whether a leaf is about content, and the element has some.
fn is_content((_, leaf, _): &(u16, Leaf, Id), newer: Position) -> bool {
    leaf.change_type.aspect != change::Aspect::Status && !newer.is_status()
}

/// One comparison's change type, for all its leaves: never narrower than any of them.
fn change_type_for(leaves: &[Leaf]) -> ChangeType {
    let mut types = leaves.iter().map(|leaf| &leaf.change_type);
    let mut joint = types.next().expect("a comparison serves a leaf").clone();
    types.for_each(|other| joint.widen(other));
    joint
}
