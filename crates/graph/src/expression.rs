//! The sentinels' expressions as one graph: a leaf or an operator that many use is there once.

use crate::interned::{Id, Interned, hash_of};
use change::{Aspect, ChangeKind, ChangeType, Leaf, View};
use rustc_hash::FxHashSet;
use sentinel::ast::{self, Direction, Expr};
use std::collections::BTreeSet;

/// Elements of a stream among which it is looked for what a selector found last.
const LOOKED_BACK: u32 = 21;

/// A leaf: an aspect with its own words, directions and pattern, all interned.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct LeafNode {
    /// Which source of a capture it is about; 0 where there is one.
    source: u16,
    aspect: Aspect,
    /// The text of its region; `None`: the whole page.
    region: Option<Id>,
    /// One bit per [`Direction`]; none: all directions.
    directions: u8,
    /// In the order of their text.
    words: Box<[Id]>,
    matching: Option<Id>,
}

/// What a node does with its operands, in the order they are written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Leaf(LeafNode),
    Not(Id),
    And(Box<[Id]>),
    Or(Box<[Id]>),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Node {
    operation: Operation,
    /// The node with the same truth and its operands in one order, each once: `links and images`
    /// and `images and links` share it. `None`: this node itself. Combinations come from the node
    /// as written, so that their order is the writer's.
    canonical: Option<Id>,
    /// A hash of what the node says, whatever ids it got: canonical order goes by it, so that
    /// the same sentinels make the same nodes after a restart.
    content: u64,
}

/// All expressions. Building and removing one costs its size.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expressions {
    words: Interned<Box<str>>,
    nodes: Interned<Node>,
    leaves: usize,
}

impl Expressions {
    pub(crate) fn words_len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn leaves_len(&self) -> usize {
        self.leaves
    }

    /// AND, OR and NOT nodes.
    pub(crate) fn operators_len(&self) -> usize {
        self.nodes.len() - self.leaves
    }

    pub(crate) fn operation(&self, id: Id) -> Option<&Operation> {
        self.nodes.get(id).map(|node| &node.operation)
    }

    /// The node that decides whether `id` holds.
    pub(crate) fn canonical(&self, id: Id) -> Id {
        self.nodes.get(id).and_then(|node| node.canonical).unwrap_or(id)
    }

    /// The node of `expr`, with one reference for the caller. Recursion is as deep as the
    /// expression is nested, which the language bounds.
    pub(crate) fn build(&mut self, expr: &Expr) -> Id {
        let operation = match expr {
            Expr::Leaf(leaf) => Operation::Leaf(self.leaf_node(leaf)),
            Expr::Not(operand) => Operation::Not(self.build(operand)),
            Expr::And(operands) | Expr::Or(operands) if operands.len() == 1 => {
                return self.build(&operands[0]);
            }
            Expr::And(operands) => Operation::And(self.build_all(operands)),
            Expr::Or(operands) => Operation::Or(self.build_all(operands)),
        };
        self.intern(operation)
    }

    fn build_all(&mut self, operands: &[Expr]) -> Box<[Id]> {
        operands.iter().map(|operand| self.build(operand)).collect()
    }

    fn leaf_node(&mut self, leaf: &ast::Leaf) -> LeafNode {
        let words: BTreeSet<&str> = leaf.primitive.terms.iter().map(String::as_str).collect();
        let region = View::of(&leaf.primitive.region);
        let region = Some(region.key()).filter(|key| !key.is_empty()).map(|key| self.word(key));
        LeafNode {
            source: leaf.of.as_ref().map_or(0, |of| of.source),
            aspect: leaf.primitive.aspect,
            region,
            directions: leaf.directions.iter().fold(0, |bits, &direction| bits | bit(direction)),
            words: words.into_iter().map(|word| self.word(word)).collect(),
            matching: leaf.matching.as_deref().map(|pattern| self.word(pattern)),
        }
    }

    fn word(&mut self, text: &str) -> Id {
        match self.words.find(text) {
            Some(id) => {
                self.words.retain(id);
                id
            }
            None => self.words.insert(text.into()),
        }
    }

    /// The node of an operation whose operands the caller holds one reference to each; they pass
    /// to the node.
    fn intern(&mut self, operation: Operation) -> Id {
        let canonical = self.intern_canonical(&operation);
        let content = self.content(&operation);
        let node = Node { operation, canonical, content };
        if let Some(id) = self.nodes.find(&node) {
            self.nodes.retain(id);
            self.release_parts(node);
            return id;
        }
        if matches!(node.operation, Operation::Leaf(_)) {
            self.leaves += 1;
        }
        self.nodes.insert(node)
    }

    fn content(&self, operation: &Operation) -> u64 {
        let node = |&id: &Id| self.nodes.get(id).map(|node| node.content);
        let word = |&id: &Id| self.words.get(id);
        match operation {
            Operation::Leaf(leaf) => {
                let words: Vec<_> = leaf.words.iter().map(word).collect();
                let matching = leaf.matching.as_ref().map(word);
                let region = leaf.region.as_ref().map(word);
                hash_of(&(leaf.source, leaf.aspect, region, leaf.directions, words, matching))
            }
            Operation::Not(operand) => hash_of(&("not", node(operand))),
            Operation::And(operands) => {
                hash_of(&("and", operands.iter().map(node).collect::<Vec<_>>()))
            }
            Operation::Or(operands) => {
                hash_of(&("or", operands.iter().map(node).collect::<Vec<_>>()))
            }
        }
    }

    /// The canonical form of `operation` unless it is its own, with one reference.
    fn intern_canonical(&mut self, operation: &Operation) -> Option<Id> {
        let operands: &[Id] = match operation {
            Operation::Leaf(_) => &[],
            Operation::Not(operand) => std::slice::from_ref(operand),
            Operation::And(operands) | Operation::Or(operands) => operands,
        };
        let mut sorted: Vec<Id> = operands.iter().map(|&id| self.canonical(id)).collect();
        sorted.sort_unstable_by_key(|&id| (self.nodes.get(id).map(|node| node.content), id));
        sorted.dedup();
        if sorted == operands {
            return None;
        }
        sorted.iter().for_each(|&id| self.nodes.retain(id));
        Some(match operation {
            Operation::Not(_) => self.intern(Operation::Not(sorted[0])),
            _ if sorted.len() == 1 => sorted[0],
            Operation::Or(_) => self.intern(Operation::Or(sorted.into())),
            _ => self.intern(Operation::And(sorted.into())),
        })
    }

    /// Gives back one reference, and with the last one the node and all that only it used.
    pub(crate) fn release(&mut self, id: Id) {
        if let Some(node) = self.nodes.release(id) {
            self.leaves -= usize::from(matches!(node.operation, Operation::Leaf(_)));
            self.release_parts(node);
        }
    }

    fn release_parts(&mut self, node: Node) {
        match node.operation {
            Operation::Leaf(leaf) => {
                for &word in leaf.words.iter().chain(&leaf.matching).chain(&leaf.region) {
                    self.words.release(word);
                }
            }
            Operation::Not(operand) => self.release(operand),
            Operation::And(operands) | Operation::Or(operands) => {
                operands.iter().for_each(|&operand| self.release(operand));
            }
        }
        if let Some(canonical) = node.canonical {
            self.release(canonical);
        }
    }

    /// Adds the leaves under `root` that `seen` has not met yet to `leaves`.
    pub(crate) fn leaves(&self, root: Id, seen: &mut FxHashSet<Id>, leaves: &mut Vec<Id>) {
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.operation(id) {
                Some(Operation::Leaf(_)) => leaves.push(id),
                Some(Operation::Not(operand)) => waiting.push(*operand),
                Some(Operation::And(operands) | Operation::Or(operands)) => {
                    waiting.extend(operands);
                }
                None => {}
            }
        }
    }

    /// The views under `root` besides the whole page: of leaves about the source at this place of
    /// captures, if one is named.
    pub(crate) fn views(&self, root: Id, place: Option<u16>) -> BTreeSet<View> {
        let (mut seen, mut leaves) = (FxHashSet::default(), Vec::new());
        self.leaves(root, &mut seen, &mut leaves);
        let view = |id: Id| match self.operation(id)? {
            Operation::Leaf(leaf) if place.is_some_and(|place| place != leaf.source) => None,
            Operation::Leaf(leaf) => self.words.get(leaf.region?).map(|key| View::of_key(key)),
            _ => None,
        };
        leaves.into_iter().filter_map(view).collect()
    }

    /// Whether a leaf under `root` is about a part of a page.
    pub(crate) fn points(&self, root: Id) -> bool {
        let points = |&id: &Id| self.points(id);
        match self.operation(root) {
            Some(Operation::Leaf(leaf)) => leaf.region.is_some(),
            Some(Operation::Not(operand)) => self.points(*operand),
            Some(Operation::And(operands) | Operation::Or(operands)) => operands.iter().any(points),
            None => false,
        }
    }

    /// Whether a leaf under `root` is about how the source at this place answers; `None`: about
    /// what sources show.
    pub(crate) fn concerns(&self, root: Id, status: Option<u16>) -> bool {
        let concerns = |&id: &Id| self.concerns(id, status);
        match self.operation(root) {
            Some(Operation::Leaf(leaf)) => match status {
                Some(place) => leaf.aspect == Aspect::Status && leaf.source == place,
                None => leaf.aspect != Aspect::Status,
            },
            Some(Operation::Not(operand)) => self.concerns(*operand, status),
            Some(Operation::And(operands) | Operation::Or(operands)) => {
                operands.iter().any(concerns)
            }
            None => false,
        }
    }

    /// The elements of its stream that one with this expression wants kept: where it looks at
    /// parts, those before the last that may show what a selector found last, too.
    pub(crate) fn kept(&self, root: Id, history: u32) -> u32 {
        if self.points(root) { history.max(LOOKED_BACK) } else { history }
    }

    /// Which source of a capture a leaf is about.
    pub(crate) fn source(&self, id: Id) -> u16 {
        match self.operation(id) {
            Some(Operation::Leaf(leaf)) => leaf.source,
            _ => 0,
        }
    }

    /// A leaf as comparisons know it; `None` if `id` is none, or gone.
    pub(crate) fn leaf(&self, id: Id) -> Option<Leaf> {
        let Operation::Leaf(leaf) = self.operation(id)? else { return None };
        let text = |&id: &Id| self.words.get(id).expect("a leaf holds its words").to_string();
        let words = leaf.words.iter().map(text);
        let view = leaf.region.as_ref().map_or(View::Page, |key| View::of_key(&text(key)));
        Some(Leaf {
            change_type: ChangeType::of(leaf.aspect, words).in_view(view),
            directions: (DIRECTIONS.into_iter())
                .filter(|&(direction, _)| leaf.directions & bit(direction) != 0)
                .map(|(_, kind)| kind)
                .collect(),
            matching: leaf.matching.as_ref().map(text),
        })
    }
}

/// What the language and comparisons call the directions.
const DIRECTIONS: [(Direction, ChangeKind); 4] = [
    (Direction::Added, ChangeKind::Insert),
    (Direction::Removed, ChangeKind::Delete),
    (Direction::Updated, ChangeKind::Update),
    (Direction::Moved, ChangeKind::Move),
];

fn bit(direction: Direction) -> u8 {
    1 << direction as u8
}

#[cfg(test)]
mod tests {
    use super::Expressions;
    use change::Aspect;
    use sentinel::ast::{Expr, Leaf, Primitive};

    fn leaf(primitive: Primitive) -> Expr {
        Expr::Leaf(Leaf { primitive, of: None, directions: Vec::new(), matching: None })
    }

    #[test]
    fn expressions_that_differ_in_order_or_repetition_are_evaluated_as_one() {
        let (links, images) =
            (leaf(Primitive::plain(Aspect::Links)), leaf(Primitive::plain(Aspect::Images)));
        let and = |operands: &[&Expr]| Expr::And(operands.iter().copied().cloned().collect());
        let mut expressions = Expressions::default();
        let mut form = |expr: &Expr| {
            let id = expressions.build(expr);
            expressions.canonical(id)
        };
        let one = form(&and(&[&links, &images]));
        assert_eq!(form(&and(&[&images, &links])), one);
        assert_eq!(form(&and(&[&images, &links, &images])), one);
        assert_eq!(form(&and(&[&links, &links])), form(&links));
        let either = Expr::Or(vec![links.clone(), images.clone()]);
        assert_ne!(form(&either), one);
        let not = |expr: &Expr| Expr::Not(Box::new(expr.clone()));
        assert_eq!(form(&not(&and(&[&images, &links]))), form(&not(&and(&[&links, &images]))));
    }
}
