//! The detector: nodes shared by all rules, what moves through them, and the time.

use crate::expr::{Context, Expr, Operator, Shape, Signal, Step, TooMuch};
use crate::occurrence::{Mark, Occurrence, What};
use crate::operate::{Bench, Bounds, Open, Queues, Site, Touched};
use crate::rows::{Change, Key, NodeId, Note, Row};
use chronon::{Instant, RuleId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// What bounds the detector. What a bound drops is counted, by node and in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Occurrences that wait as one part of one node; the oldest goes. Default 1,000.
    pub open_max: usize,
    /// Occurrences that wait at all nodes. Default 1,000,000.
    pub open_all_max: usize,
    /// What takes part in one occurrence; the newest stay. Default 1,000.
    pub marks_max: usize,
    /// Occurrences that one node raises at one moment. Default 1,000.
    pub raised_max: usize,
    /// Nodes of one expression. Default 200.
    pub nodes_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            open_max: 1_000,
            open_all_max: 1_000_000,
            marks_max: 1_000,
            raised_max: 1_000,
            nodes_max: 200,
        }
    }
}

/// Types that `any` may choose from.
pub(crate) const TYPES_MAX: usize = 64;

/// Who is told when an expression occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub rule: RuleId,
    /// The longest interval that counts: te − ts at most this.
    pub within: Option<Step>,
}

/// The expression of a rule occurred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    pub rule: RuleId,
    pub occurrence: Occurrence,
}

/// An occurrence that waits at a node of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub node: NodeId,
    /// As which of the node's parts it waits.
    pub role: u8,
    pub occurrence: Occurrence,
    pub note: Note,
}

/// How much there is in a detector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    pub rules: usize,
    pub nodes: usize,
    /// Occurrences that wait.
    pub open: usize,
    pub timers: usize,
    /// What the limits have cost, as far as the nodes still stand.
    pub dropped: u64,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub id: NodeId,
    pub shape: Shape,
    /// Its parts' places.
    pub parts: Vec<usize>,
    /// Where what it raises goes, and as which part.
    pub whole: Vec<(usize, u8)>,
    pub subscriptions: Vec<Subscription>,
    /// It never raises anything that lasts.
    pub is_instant: bool,
    pub queues: Queues,
    pub dropped: u64,
    /// What this moment brings it.
    inbox: Vec<(u8, Occurrence)>,
    fired: Vec<u64>,
}

/// A detector of composite events. See the crate's documentation.
#[derive(Debug, Default)]
pub struct Detector {
    pub(crate) limits: Limits,
    pub(crate) nodes: Vec<Option<Node>>,
    pub(crate) free: Vec<usize>,
    /// Nodes of one shape, oldest first: a rule that comes later shares the newest if that is
    /// empty.
    pub(crate) shapes: FxHashMap<Shape, Vec<usize>>,
    pub(crate) roots: BTreeMap<RuleId, usize>,
    pub(crate) bench: Bench,
    pub(crate) dropped: u64,
    /// The number that the store knows as the next.
    pub(crate) written: u64,
    /// Nodes with something in their inbox: parts before what they are parts of.
    awake: BinaryHeap<Reverse<(NodeId, usize)>>,
    detected: Vec<Detected>,
}

impl Detector {
    /// An empty detector.
    pub fn new(limits: Limits) -> Detector {
        Detector { limits, bench: Bench { next: 1, ..Bench::default() }, ..Detector::default() }
    }

    /// Defines or replaces what a rule listens for, from `now` on. O(size of the expression).
    ///
    /// # Errors
    /// When the expression is larger than a detector takes.
    pub fn add(
        &mut self,
        now: Instant,
        expr: &Expr,
        context: Context,
        subscription: Subscription,
    ) -> Result<NodeId, TooMuch> {
        check(expr, self.limits.nodes_max)?;
        self.remove(subscription.rule);
        let root = self.place(now, expr, context);
        self.subscribe(root, subscription);
        Ok(self.node(root).id)
    }

    /// The rule listens no more. What waited for it alone is dropped.
    pub fn remove(&mut self, rule: RuleId) {
        let Some(root) = self.roots.remove(&rule) else { return };
        self.node_mut(root).subscriptions.retain(|other| other.rule != rule);
        self.release(root);
    }

    /// A signal occurs at `at`; timers that are due by then come first. An earlier instant than
    /// the last counts as it stands: the caller's time never goes back.
    pub fn signal(&mut self, signal: Signal, at: Instant, about: u64) -> Vec<Detected> {
        self.advance_all(at);
        if let Some(leaf) = self.newest(&Shape::Signal(signal)) {
            let number = self.bench.next;
            self.bench.next += 1;
            let mark = Mark { number, at, what: What::Signal(signal), about };
            self.deliver(leaf, 0, Occurrence::primitive(mark));
            self.settle();
        }
        std::mem::take(&mut self.detected)
    }

    /// The clock shows `to`: what is due by then occurs.
    pub fn advance(&mut self, to: Instant) -> Vec<Detected> {
        self.advance_all(to);
        std::mem::take(&mut self.detected)
    }

    /// When [`Detector::advance`] has something to do.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.bench.timers.first().map(|timer| timer.0)
    }

    /// What changed of the rows since the last call; each row once.
    pub fn changes(&mut self) -> Vec<Change> {
        let mut changed = std::mem::take(&mut self.bench.changed);
        changed.sort_unstable_by_key(|touched| (touched.node, touched.seq));
        changed.dedup_by_key(|touched| (touched.node, touched.seq));
        let mut changes: Vec<Change> =
            changed.iter().map(|&touched| self.change(touched)).collect();
        if self.bench.next != self.written {
            self.written = self.bench.next;
            changes.push(Change::Put(Row::Next(self.written)));
        }
        changed.clear();
        self.bench.changed = changed;
        changes
    }

    /// The row as it stands now.
    fn change(&self, touched: Touched) -> Change {
        let Touched { node: id, place, role, seq } = touched;
        let node = self.nodes[place].as_ref().filter(|node| node.id == id);
        if seq == 0 {
            return match node {
                Some(Node { shape, dropped, .. }) => {
                    Change::Put(Row::Node { id, shape: shape.clone(), dropped: *dropped })
                }
                None => Change::Drop(Key::Node(id)),
            };
        }
        let queue = node.map(|node| &node.queues[usize::from(role)]);
        let open = queue.and_then(|queue| {
            queue.binary_search_by_key(&seq, |open| open.seq).ok().map(|at| &queue[at])
        });
        match open {
            Some(Open { occurrence, note, .. }) => {
                let (occurrence, note) = (occurrence.clone(), *note);
                Change::Put(Row::Open { node: id, role, seq, occurrence, note })
            }
            None => Change::Drop(Key::Open { node: id, seq }),
        }
    }

    /// How much there is.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            rules: self.roots.len(),
            nodes: self.nodes.len() - self.free.len(),
            open: self.bench.open,
            timers: self.bench.timers.len(),
            dropped: self.dropped,
        }
    }

    /// The root of what a rule listens for.
    pub fn root(&self, rule: RuleId) -> Option<NodeId> {
        self.roots.get(&rule).map(|&root| self.node(root).id)
    }

    /// The nodes of a rule, parts before what they are parts of, with what limits dropped there.
    pub fn nodes_of(&self, rule: RuleId) -> Vec<(NodeId, &Shape, u64)> {
        let places = self.places_of(rule);
        places.into_iter().map(|at| self.node(at)).map(|n| (n.id, &n.shape, n.dropped)).collect()
    }

    /// How many occurrences are open at the nodes of a rule. O(nodes of the rule).
    pub fn open_at(&self, rule: RuleId) -> usize {
        let nodes = self.places_of(rule).into_iter().map(|place| self.node(place));
        let open = nodes.filter(|node| !self.is_over(node));
        open.flat_map(|node| node.queues.iter().map(|queue| queue.len())).sum()
    }

    /// Whether nothing comes any more of what waits at a node. In recent context the newest
    /// beginning stays for the next end. Where that is a while after the beginning, and has passed,
    /// there is none before another beginning takes its place.
    fn is_over(&self, node: &Node) -> bool {
        let Shape::Composed { operator, context: Context::Recent, .. } = &node.shape else {
            return false;
        };
        let closes = match operator {
            Operator::Not | Operator::All => 2,
            Operator::Seq | Operator::Collect(_) => 1,
            _ => return false,
        };
        let (opens, closes) = (node.parts[0], self.node(node.parts[closes]));
        let is_while_after = matches!(
            &closes.shape,
            Shape::Composed { operator: Operator::Plus(_), .. } if closes.parts == [opens]
        );
        let comes = |open: &Open| {
            closes.queues[0].iter().any(|timer| timer.occurrence.end == open.occurrence.end)
        };
        is_while_after && !node.queues[0].iter().any(comes)
    }

    /// What waits at the nodes of a rule, and something may come of it: the first `limit`, parts
    /// before what they are parts of, the oldest of each first.
    pub fn waiting(&self, rule: RuleId, limit: usize) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        for place in self.places_of(rule) {
            let node = self.node(place);
            if self.is_over(node) {
                continue;
            }
            for (role, queue) in (0_u8..).zip(&node.queues) {
                let room = limit - waiting.len();
                waiting.extend(queue.iter().take(room).map(|open| {
                    let Open { occurrence, note, .. } = open.clone();
                    Waiting { node: node.id, role, occurrence, note }
                }));
            }
        }
        waiting
    }

    fn places_of(&self, rule: RuleId) -> Vec<usize> {
        let mut found = BTreeMap::new();
        let mut ahead: Vec<usize> = self.roots.get(&rule).copied().into_iter().collect();
        while let Some(place) = ahead.pop() {
            let node = self.node(place);
            if found.insert(node.id, place).is_none() {
                ahead.extend(&node.parts);
            }
        }
        found.into_values().collect()
    }

    pub(crate) fn node(&self, place: usize) -> &Node {
        self.nodes[place].as_ref().expect("places of nodes are handed on only while they stand")
    }

    fn node_mut(&mut self, place: usize) -> &mut Node {
        self.nodes[place].as_mut().expect("places of nodes are handed on only while they stand")
    }

    fn newest(&self, shape: &Shape) -> Option<usize> {
        self.shapes.get(shape).and_then(|places| places.last().copied())
    }

    /// The node of an expression: one that stands and is as good as new, or a new one.
    fn place(&mut self, now: Instant, expr: &Expr, context: Context) -> usize {
        let parts: Vec<usize> =
            expr.parts().into_iter().map(|part| self.place(now, part, context)).collect();
        let shape = match (expr, expr.operator()) {
            (Expr::Signal(signal), _) => Shape::Signal(*signal),
            (Expr::At(at), _) => Shape::At(*at),
            (_, Some(operator)) => {
                let context = if operator == Operator::Or { Context::Recent } else { context };
                let parts = parts.iter().map(|&part| self.node(part).id).collect();
                Shape::Composed { operator, context, parts }
            }
            (_, None) => unreachable!("only signals and instants have no operator"),
        };
        if let Some(place) = self.newest(&shape).filter(|&place| self.is_as_new(place, now)) {
            return place;
        }
        let id = NodeId(self.bench.next);
        self.bench.next += 1;
        let place = self.insert(id, shape, parts);
        self.bench.changed.push(Touched { node: id, place, role: 0, seq: 0 });
        if let Expr::At(at) = expr
            && *at >= now
        {
            let occurrence = Occurrence::stored(*at, *at, 0, vec![Mark::clock(*at)]);
            let seq = self.bench.next;
            self.bench.next += 1;
            let note = Note::Due { at: *at, k: 1 };
            self.bench.changed.push(Touched { node: id, place, role: 0, seq });
            self.restore(place, 0, Open { seq, occurrence, note });
        }
        place
    }

    /// Nobody could tell it from a new one.
    fn is_as_new(&self, place: usize, now: Instant) -> bool {
        let node = self.node(place);
        let waits = node.queues.iter().any(|queue| !queue.is_empty());
        match node.shape {
            Shape::At(at) => waits || at < now,
            _ => !waits,
        }
    }

    pub(crate) fn insert(&mut self, id: NodeId, shape: Shape, parts: Vec<usize>) -> usize {
        let place = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            self.nodes.len() - 1
        });
        for (role, &part) in (0_u8..).zip(&parts) {
            self.node_mut(part).whole.push((place, role));
        }
        let queues = match &shape {
            Shape::Signal(_) | Shape::Composed { operator: Operator::Or, .. } => 0,
            Shape::At(_) => 1,
            Shape::Composed { operator: Operator::Not, .. } => 1,
            Shape::Composed { operator: Operator::Each | Operator::All, .. } => 2,
            Shape::Composed { operator: Operator::Seq | Operator::Plus(_), .. } => 1,
            Shape::Composed { operator: Operator::Every(_) | Operator::Collect(_), .. } => 1,
            Shape::Composed { operator: Operator::And | Operator::Any(_), .. } => parts.len(),
        };
        let is_instant = match &shape {
            Shape::Signal(_) | Shape::At(_) => true,
            Shape::Composed { operator, .. } => match operator {
                Operator::Every(_) | Operator::Plus(_) => true,
                Operator::Or => parts.iter().all(|&part| self.node(part).is_instant),
                _ => false,
            },
        };
        self.shapes.entry(shape.clone()).or_default().push(place);
        self.nodes[place] = Some(Node {
            id,
            shape,
            parts,
            whole: Vec::new(),
            subscriptions: Vec::new(),
            is_instant,
            queues: (0..queues).map(|_| Default::default()).collect(),
            dropped: 0,
            inbox: Vec::new(),
            fired: Vec::new(),
        });
        place
    }

    pub(crate) fn restore(&mut self, place: usize, role: u8, open: Open) {
        if let Note::Due { at, .. } = open.note {
            self.bench.timers.insert((at, open.seq, place));
        }
        self.bench.open += 1;
        self.node_mut(place).queues[usize::from(role)].push_back(open);
    }

    pub(crate) fn subscribe(&mut self, root: usize, subscription: Subscription) {
        self.roots.insert(subscription.rule, root);
        let subscriptions = &mut self.node_mut(root).subscriptions;
        let at = subscriptions.partition_point(|other| other.rule < subscription.rule);
        subscriptions.insert(at, subscription);
    }

    /// The node goes if nobody needs it, and what it alone needed.
    fn release(&mut self, place: usize) {
        let mut ahead = vec![place];
        while let Some(place) = ahead.pop() {
            let is_free = |node: &mut Node| node.whole.is_empty() && node.subscriptions.is_empty();
            let Some(node) = self.nodes[place].take_if(is_free) else { continue };
            self.free.push(place);
            if let Some(same) = self.shapes.get_mut(&node.shape) {
                same.retain(|&other| other != place);
                if same.is_empty() {
                    self.shapes.remove(&node.shape);
                }
            }
            for open in node.queues.iter().flatten() {
                if let Note::Due { at, .. } = open.note {
                    self.bench.timers.remove(&(at, open.seq, place));
                }
                self.bench.open -= 1;
                let seq = open.seq;
                self.bench.changed.push(Touched { node: node.id, place, role: 0, seq });
            }
            self.dropped -= node.dropped;
            self.bench.changed.push(Touched { node: node.id, place, role: 0, seq: 0 });
            for part in node.parts {
                self.node_mut(part).whole.retain(|&(whole, _)| whole != place);
                ahead.push(part);
            }
        }
    }

    fn advance_all(&mut self, to: Instant) {
        while let Some(&(due, ..)) = self.bench.timers.first() {
            if due > to {
                return;
            }
            // All that is due at one moment occurs at once.
            while let Some(&(at, seq, place)) = self.bench.timers.first()
                && at == due
            {
                self.work_at(place, |site| site.catch_up(seq, to));
                if self.bench.timers.remove(&(at, seq, place)) {
                    let node = self.node_mut(place);
                    node.fired.push(seq);
                    if node.fired.len() + node.inbox.len() == 1 {
                        let id = node.id;
                        self.awake.push(Reverse((id, place)));
                    }
                }
            }
            self.moment(due);
        }
    }

    fn settle(&mut self) {
        self.moment(Instant::NEVER);
    }

    fn deliver(&mut self, place: usize, role: u8, occurrence: Occurrence) {
        let node = self.node_mut(place);
        node.inbox.push((role, occurrence));
        if node.fired.len() + node.inbox.len() == 1 {
            let id = node.id;
            self.awake.push(Reverse((id, place)));
        }
    }

    /// Everything that one moment brings, up through the nodes.
    fn moment(&mut self, now: Instant) {
        while let Some(Reverse((_, place))) = self.awake.pop() {
            let node = self.node_mut(place);
            let mut inbox = std::mem::take(&mut node.inbox);
            let mut fired = std::mem::take(&mut node.fired);
            match &node.shape {
                Shape::Signal(_) => self.bench.raised.extend(inbox.drain(..).map(|it| it.1)),
                Shape::At(_) => {
                    let (id, opened) = (node.id, node.queues[0].pop_front());
                    if let Some(Open { seq, occurrence, .. }) = opened {
                        self.bench.open -= 1;
                        self.bench.changed.push(Touched { node: id, place, role: 0, seq });
                        self.bench.raised.push(occurrence);
                    }
                }
                Shape::Composed { operator, .. } => {
                    if inbox.len() > 1 {
                        inbox.sort_by_key(|(role, _)| operator.rank(*role));
                    }
                    self.work_at(place, |site| {
                        fired.drain(..).for_each(|seq| site.fire(seq, now));
                        inbox.drain(..).for_each(|(role, it)| site.take(role, it));
                    });
                }
            }
            // The room is used again.
            let node = self.node_mut(place);
            fired.clear();
            (node.inbox, node.fired) = (inbox, fired);
            self.hand_on(place);
        }
    }

    /// Hands on what a node raised.
    fn hand_on(&mut self, place: usize) {
        if self.bench.raised.is_empty() {
            return;
        }
        let mut raised = std::mem::take(&mut self.bench.raised);
        for occurrence in raised.drain(..) {
            for nth in 0..self.node(place).whole.len() {
                let (whole, role) = self.node(place).whole[nth];
                self.deliver(whole, role, occurrence.clone());
            }
            let node = self.nodes[place].as_ref().expect("a node stands while it works");
            for Subscription { rule, within } in &node.subscriptions {
                let counts = within
                    .as_ref()
                    .is_none_or(|step| occurrence.end <= step.nth(occurrence.start, 1));
                if counts {
                    let (rule, occurrence) = (*rule, occurrence.clone());
                    self.detected.push(Detected { rule, occurrence });
                }
            }
        }
        // The room is used again.
        self.bench.raised = raised;
    }

    fn work_at(&mut self, place: usize, work: impl FnOnce(&mut Site)) {
        let closes = match self.node(place).parts.last() {
            Some(&part) => self.node(part).is_instant,
            None => return,
        };
        let Limits { open_max, open_all_max, marks_max, raised_max, .. } = self.limits;
        let Some(node) = self.nodes[place].as_mut() else { return };
        let Shape::Composed { operator, context, .. } = &node.shape else { return };
        work(&mut Site {
            id: node.id,
            index: place,
            operator,
            context: *context,
            is_closed_at_once: closes,
            queues: &mut node.queues,
            bench: &mut self.bench,
            bounds: Bounds { open_max, open_all_max, marks_max, raised_max },
        });
        let lost = std::mem::take(&mut self.bench.dropped);
        if lost > 0 {
            node.dropped += lost;
            self.dropped += lost;
            let node = node.id;
            self.bench.changed.push(Touched { node, place, role: 0, seq: 0 });
        }
    }
}

fn check(expr: &Expr, nodes_max: usize) -> Result<(), TooMuch> {
    let mut ahead = vec![expr];
    let mut nodes = 0;
    while let Some(expr) = ahead.pop() {
        let parts = expr.parts();
        nodes += 1;
        if parts.len() > TYPES_MAX {
            return Err(TooMuch::Types(TYPES_MAX));
        }
        if nodes > nodes_max {
            return Err(TooMuch::Nodes(nodes_max));
        }
        ahead.extend(parts);
    }
    Ok(())
}
