//! The sources of one host that want a probe, best first: a pairing heap (Fredman, Sedgewick,
//! Sleator, Tarjan 1986) whose links live with the sources, so that a host without any costs
//! nothing and anybody can leave at any time.

/// Nobody.
pub(crate) const NIL: u32 = u32::MAX;

/// Links of one node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Links {
    child: u32,
    sibling: u32,
    /// The left sibling; of a first child, the parent.
    left: u32,
}

impl Links {
    pub(crate) const ALONE: Links = Links { child: NIL, sibling: NIL, left: NIL };
}

/// Where the nodes are kept.
pub(crate) trait Nodes {
    fn links(&mut self, node: u32) -> &mut Links;
    /// Whether `a` comes before `b`; a strict total order.
    fn precedes(&self, a: u32, b: u32) -> bool;
}

/// Adds `node`, which is alone; the new root. O(1).
pub(crate) fn push(nodes: &mut impl Nodes, root: u32, node: u32) -> u32 {
    *nodes.links(node) = Links::ALONE;
    merge(nodes, root, node)
}

/// Takes `node` out of the heap of `root`; the new root. O(log n) amortised.
pub(crate) fn remove(nodes: &mut impl Nodes, root: u32, node: u32) -> u32 {
    let Links { child, sibling, left } = *nodes.links(node);
    let below = merge_siblings(nodes, child);
    *nodes.links(node) = Links::ALONE;
    if node == root {
        return below;
    }
    if nodes.links(left).child == node {
        nodes.links(left).child = sibling;
    } else {
        nodes.links(left).sibling = sibling;
    }
    if sibling != NIL {
        nodes.links(sibling).left = left;
    }
    merge(nodes, root, below)
}

fn merge(nodes: &mut impl Nodes, a: u32, b: u32) -> u32 {
    if a == NIL || b == NIL {
        return if a == NIL { b } else { a };
    }
    let (first, second) = if nodes.precedes(b, a) { (b, a) } else { (a, b) };
    let child = nodes.links(first).child;
    *nodes.links(second) = Links { sibling: child, left: first, ..*nodes.links(second) };
    if child != NIL {
        nodes.links(child).left = second;
    }
    nodes.links(first).child = second;
    *nodes.links(first) = Links { sibling: NIL, left: NIL, ..*nodes.links(first) };
    first
}

/// Merges a list of siblings in pairs from the left, then the pairs from the right.
fn merge_siblings(nodes: &mut impl Nodes, first: u32) -> u32 {
    let (mut next, mut pairs) = (first, NIL);
    while next != NIL {
        let a = next;
        let b = nodes.links(a).sibling;
        next = if b == NIL { NIL } else { nodes.links(b).sibling };
        for node in [a, b] {
            if node != NIL {
                (nodes.links(node).sibling, nodes.links(node).left) = (NIL, NIL);
            }
        }
        let pair = merge(nodes, a, b);
        nodes.links(pair).sibling = pairs;
        pairs = pair;
    }
    let mut root = NIL;
    while pairs != NIL {
        let rest = std::mem::replace(&mut nodes.links(pairs).sibling, NIL);
        root = merge(nodes, root, pairs);
        pairs = rest;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    struct Keyed {
        links: Vec<Links>,
        keys: Vec<u32>,
    }

    impl Nodes for Keyed {
        fn links(&mut self, node: u32) -> &mut Links {
            &mut self.links[node as usize]
        }
        fn precedes(&self, a: u32, b: u32) -> bool {
            (self.keys[a as usize], a) < (self.keys[b as usize], b)
        }
    }

    proptest! {
        #[test]
        fn the_root_is_the_first_of_those_inside(
            acts in prop::collection::vec((0_u32..20, 0_u32..50), 1..200),
        ) {
            let mut nodes = Keyed { links: vec![Links::ALONE; 20], keys: vec![0; 20] };
            let (mut root, mut inside) = (NIL, BTreeSet::new());
            for (node, key) in acts {
                if inside.remove(&(nodes.keys[node as usize], node)) {
                    root = remove(&mut nodes, root, node);
                } else {
                    nodes.keys[node as usize] = key;
                    root = push(&mut nodes, root, node);
                    inside.insert((key, node));
                }
                prop_assert_eq!(root, inside.first().map_or(NIL, |&(_, node)| node));
            }
        }
    }
}
