//! The detector from its rows, and the rows of a detector.

use crate::detector::{Detector, Limits, Node, Subscription, TYPES_MAX};
use crate::expr::{Operator, Shape};
use crate::operate::Open;
use crate::rows::{Corrupt, NodeId, Row};
use std::collections::BTreeMap;

impl Detector {
    /// The detector that wrote these rows, whatever their order, with the rules and the roots that
    /// it named when they were added. O(n log n).
    ///
    /// # Errors
    /// When the rows do not fit together.
    pub fn load(
        limits: Limits,
        rows: impl IntoIterator<Item = Row>,
        subscriptions: impl IntoIterator<Item = (Subscription, NodeId)>,
    ) -> Result<Detector, Corrupt> {
        let mut detector = Detector::new(limits);
        let (mut nodes, mut opens) = (BTreeMap::new(), BTreeMap::new());
        for row in rows {
            match row {
                Row::Next(next) => detector.bench.next = next,
                Row::Node { id, shape, dropped } => drop(nodes.insert(id, (shape, dropped))),
                Row::Open { node, role, seq, occurrence, note } => {
                    opens.insert(seq, (node, role, Open { seq, occurrence, note }));
                }
            }
        }
        detector.written = detector.bench.next;
        let mut places: BTreeMap<NodeId, usize> = BTreeMap::new();
        for (id, (shape, dropped)) in nodes {
            let mut parts = Vec::new();
            if let Shape::Composed { operator, parts: named, .. } = &shape {
                let fits = match operator {
                    Operator::Or | Operator::And | Operator::Seq => named.len() == 2,
                    Operator::Not | Operator::Each | Operator::All => named.len() == 3,
                    Operator::Every(_) | Operator::Collect(_) => named.len() == 2,
                    Operator::Plus(_) => named.len() == 1,
                    Operator::Any(_) => (1..=TYPES_MAX).contains(&named.len()),
                };
                if !fits {
                    return Err(Corrupt(format!("node {} has {} parts", id.0, named.len())));
                }
                for part in named {
                    let place = places.get(part).copied();
                    let missing = || Corrupt(format!("node {} lacks its part {}", id.0, part.0));
                    parts.push(place.ok_or_else(missing)?);
                }
            }
            let place = detector.insert(id, shape, parts);
            places.insert(id, place);
            if let Some(node) = &mut detector.nodes[place] {
                node.dropped = dropped;
            }
            detector.dropped += dropped;
        }
        for (seq, (node, role, open)) in opens {
            let place = places.get(&node).copied();
            let has_queue = |&place: &usize| usize::from(role) < detector.node(place).queues.len();
            let Some(place) = place.filter(has_queue) else {
                return Err(Corrupt(format!("occurrence {seq} waits nowhere (node {})", node.0)));
            };
            detector.restore(place, role, open);
        }
        for (subscription, root) in subscriptions {
            let rule = subscription.rule;
            let missing = || Corrupt(format!("rule {rule} listens to node {}, of none", root.0));
            detector.subscribe(places.get(&root).copied().ok_or_else(missing)?, subscription);
        }
        Ok(detector)
    }

    /// All rows, by number.
    pub fn rows(&self) -> Vec<Row> {
        let mut nodes: Vec<&Node> = self.nodes.iter().flatten().collect();
        nodes.sort_by_key(|node| node.id);
        let mut rows = vec![Row::Next(self.bench.next)];
        for node in nodes {
            let Node { id, shape, dropped, .. } = node;
            rows.push(Row::Node { id: *id, shape: shape.clone(), dropped: *dropped });
            for (role, queue) in (0_u8..).zip(&node.queues) {
                rows.extend(queue.iter().cloned().map(|Open { seq, occurrence, note }| {
                    Row::Open { node: *id, role, seq, occurrence, note }
                }));
            }
        }
        rows
    }
}
