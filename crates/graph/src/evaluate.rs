//! Which expressions hold once the comparisons of a round are in, and by which combinations.

use crate::Outline;
use crate::expression::{Expressions, Operation};
use crate::interned::Id;
use change::LeafRef;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A way to make an expression hold: leaves in the order they are written, each once.
pub(crate) type Combination = Vec<LeafRef>;

/// Stands where a leaf's comparison would: its source shows what it showed.
pub(crate) const UNCHANGED: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Truth {
    Holds,
    HoldsNot,
    /// A comparison below failed.
    NotEvaluated,
}

/// One pair of one round: every node's truth is found at most once.
#[derive(Debug)]
pub(crate) struct Evaluation<'a> {
    pub(crate) expressions: &'a Expressions,
    /// Where each leaf stands in the request; ascending by id.
    pub(crate) places: &'a [(Id, LeafRef)],
    pub(crate) outline: &'a Outline,
    pub(crate) combinations_max: usize,
    pub(crate) truths: FxHashMap<Id, Truth>,
    pub(crate) combinations: FxHashMap<Id, Rc<[Combination]>>,
}

impl Evaluation<'_> {
    /// Whether a node holds. A failed comparison spoils everything above it: with one operand
    /// unknown not even OR with a true operand, or AND with a false one, is evaluated.
    pub(crate) fn truth(&mut self, id: Id) -> Truth {
        let id = self.expressions.canonical(id);
        if let Some(&truth) = self.truths.get(&id) {
            return truth;
        }
        let expressions = self.expressions;
        let truth = match expressions.operation(id) {
            Some(Operation::Leaf(_)) => self.leaf_truth(id),
            Some(Operation::Not(operand)) => match self.truth(*operand) {
                Truth::Holds => Truth::HoldsNot,
                Truth::HoldsNot => Truth::Holds,
                Truth::NotEvaluated => Truth::NotEvaluated,
            },
            Some(Operation::And(operands)) => self.decided_by(operands, Truth::HoldsNot),
            Some(Operation::Or(operands)) => self.decided_by(operands, Truth::Holds),
            None => Truth::NotEvaluated,
        };
        self.truths.insert(id, truth);
        truth
    }

    /// `decisive` if any operand is that and all are evaluated: false for AND, true for OR.
    fn decided_by(&mut self, operands: &[Id], decisive: Truth) -> Truth {
        let mut met = false;
        for &operand in operands {
            match self.truth(operand) {
                Truth::NotEvaluated => return Truth::NotEvaluated,
                truth => met |= truth == decisive,
            }
        }
        match (met, decisive) {
            (true, _) => decisive,
            (false, Truth::Holds) => Truth::HoldsNot,
            (false, _) => Truth::Holds,
        }
    }

    fn place(&self, leaf: Id) -> Option<LeafRef> {
        let at = self.places.binary_search_by_key(&leaf, |&(id, _)| id).ok()?;
        Some(self.places[at].1)
    }

    /// A leaf the outline is silent about counts as failed: rather not evaluated than wrong.
    fn leaf_truth(&self, leaf: Id) -> Truth {
        if self.place(leaf).is_some_and(|place| place.comparison == UNCHANGED) {
            return Truth::HoldsNot;
        }
        let changes = self.place(leaf).and_then(|place| {
            let compared = self.outline.comparisons.get(place.comparison as usize)?;
            compared.as_ref()?.get(place.leaf as usize)
        });
        match changes {
            None => Truth::NotEvaluated,
            Some(0) => Truth::HoldsNot,
            Some(_) => Truth::Holds,
        }
    }

    /// The combinations of a node that holds, in Figure 5.11's order.
    pub(crate) fn combinations(&mut self, id: Id) -> Rc<[Combination]> {
        if let Some(known) = self.combinations.get(&id) {
            return Rc::clone(known);
        }
        let expressions = self.expressions;
        let mut kept = Kept::new(self.combinations_max);
        match expressions.operation(id) {
            Some(Operation::Leaf(_)) => kept.add(self.place(id).into_iter().collect()),
            Some(Operation::Not(_)) => kept.add(Combination::new()),
            Some(Operation::Or(operands)) => {
                for &operand in operands {
                    if self.truth(operand) == Truth::Holds {
                        let combinations = self.combinations(operand);
                        combinations.iter().for_each(|c| kept.add(c.clone()));
                    }
                }
            }
            Some(Operation::And(operands)) => {
                kept.add(Combination::new());
                for &operand in operands {
                    let combinations = self.combinations(operand);
                    kept = kept.times(&combinations);
                }
            }
            None => {}
        }
        let found: Rc<[Combination]> = kept.list.into();
        self.combinations.insert(id, Rc::clone(&found));
        found
    }
}

/// The first `max` different combinations; two with the same leaves are the same.
struct Kept {
    list: Vec<Combination>,
    sets: BTreeSet<Combination>,
    max: usize,
}

impl Kept {
    fn new(max: usize) -> Kept {
        Kept { list: Vec::new(), sets: BTreeSet::new(), max }
    }

    fn add(&mut self, combination: Combination) {
        if self.list.len() < self.max {
            let mut set = combination.clone();
            set.sort_unstable();
            if self.sets.insert(set) {
                self.list.push(combination);
            }
        }
    }

    /// Each combination joined with each of `others`.
    fn times(self, others: &[Combination]) -> Kept {
        let mut product = Kept::new(self.max);
        for (first, second) in self.list.iter().flat_map(|c| others.iter().map(move |o| (c, o))) {
            if product.list.len() == product.max {
                break;
            }
            let mut joint = first.clone();
            joint.extend(second.iter().filter(|leaf| !first.contains(leaf)));
            product.add(joint);
        }
        product
    }
}
