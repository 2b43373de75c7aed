//! What may be asked of rules; nothing of it changes anything.

use super::{Events, RuleEntry};
use crate::view::{NodeView, OpenView, RuleLine, RuleView};
use ::event::{Mark, NodeId, Note, Operator, Shape, Signal, Sizes, What};
use chronon::{EventId, Instant, OwnerId, RuleId, SentinelId};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Open occurrences that one view of a rule lists.
const OPEN_MAX: usize = 100;

impl Events {
    pub(crate) fn sizes(&self) -> Sizes {
        self.detector.sizes()
    }

    /// Sentinels whose looks some rule listens for.
    pub(crate) fn heeded(&self) -> &BTreeMap<SentinelId, u32> {
        &self.heeded
    }

    pub(crate) fn generation(&self, id: RuleId) -> Option<u32> {
        self.rules.get(&id).map(|entry| entry.row.generation)
    }

    pub(crate) fn counts(&self) -> (&super::Counts, usize) {
        (&self.counts, self.waiting.len())
    }

    /// The owner's rules above `after`, in order of id.
    pub(crate) fn after(
        &self,
        owner: OwnerId,
        after: Option<RuleId>,
    ) -> impl Iterator<Item = RuleId> {
        let (first, last) = RuleId::all_of(owner).into_inner();
        let from =
            after.map_or(Bound::Included(first), |after| Bound::Excluded(after.clamp(first, last)));
        self.rules.range((from, Bound::Included(last))).map(|(id, _)| *id)
    }

    /// The owner's rule of this name, in any case.
    pub(crate) fn named(&self, owner: OwnerId, name: &str) -> Option<RuleId> {
        self.names.get(&(owner, name.to_lowercase().into())).copied()
    }

    /// The rules that name a sentinel.
    pub(crate) fn of_sentinel(&self, sentinel: SentinelId) -> Vec<Box<str>> {
        let rules = self.naming.get(&sentinel).into_iter().flatten();
        rules.filter_map(|id| Some(self.rules.get(id)?.row.name.clone())).collect()
    }

    /// The events of an owner that rules listen to.
    pub(crate) fn events_of(&self, owner: OwnerId) -> Vec<Box<str>> {
        let all = EventId::all_of(owner);
        self.events.range(all).map(|(_, entry)| entry.row.name.clone()).collect()
    }

    /// Rules in a line each; those that are not there are left out.
    pub(crate) fn lines(&self, ids: impl Iterator<Item = RuleId>) -> Vec<RuleLine> {
        let mut firings: BTreeMap<RuleId, usize> = BTreeMap::new();
        for firing in self.waiting.values() {
            *firings.entry(firing.rule).or_default() += 1;
        }
        let line = |id: RuleId| {
            let RuleEntry { row, life, .. } = &**self.rules.get(&id)?;
            Some(RuleLine {
                row: row.clone(),
                life: life.clone(),
                open_total: self.detector.open_at(id),
                firings: firings.get(&id).copied().unwrap_or(0),
            })
        };
        ids.filter_map(line).collect()
    }

    /// A rule as it stands; `name` tells what a sentinel is called.
    pub(crate) fn view(
        &self,
        id: RuleId,
        name: &dyn Fn(SentinelId) -> Option<Box<str>>,
    ) -> Option<RuleView> {
        let RuleEntry { row, life, .. } = &**self.rules.get(&id)?;
        let nodes = self.nodes(id, name);
        let waiting = self.detector.waiting(id, OPEN_MAX);
        let open = waiting.into_iter().map(|one| {
            let node = nodes.get(&one.node);
            let parts = node.map_or(&[][..], |node| &node.parts);
            let label = |role: usize| {
                let part = parts.get(role).and_then(|part| nodes.get(part));
                part.map_or_else(|| "its end".to_owned(), |part| part.label.clone())
            };
            let operator = node.and_then(|node| node.operator.as_ref());
            OpenView {
                node: one.node.0,
                start: one.occurrence.start,
                end: one.occurrence.end,
                parts: self.told(one.occurrence.marks(), name),
                waits_for: waits_for(operator, usize::from(one.role), parts.len(), &label),
                due: match one.note {
                    Note::Due { at, .. } => Some(at),
                    _ => None,
                },
                spoiled: match one.note {
                    Note::Spoiled(at) => Some(at),
                    _ => None,
                },
            }
        });
        let open = open.collect();
        let firings = self.waiting.values().filter(|firing| firing.rule == id).count();
        let nodes = nodes.into_iter().map(|(id, node)| NodeView {
            id: id.0,
            label: node.label,
            operator: node.operator.as_ref().map(operator_name),
            parts: node.parts.iter().map(|part| part.0).collect(),
            dropped: node.dropped,
        });
        Some(RuleView {
            row: row.clone(),
            life: life.clone(),
            nodes: nodes.collect(),
            open,
            open_total: self.detector.open_at(id),
            firings,
        })
    }

    fn nodes(
        &self,
        rule: RuleId,
        name: &dyn Fn(SentinelId) -> Option<Box<str>>,
    ) -> BTreeMap<NodeId, Node> {
        let mut nodes: BTreeMap<NodeId, Node> = BTreeMap::new();
        for (id, shape, dropped) in self.detector.nodes_of(rule) {
            let (label, operator, parts) = match shape {
                Shape::Signal(signal) => (self.signal_text(*signal, name), None, Vec::new()),
                Shape::At(at) => (format!("at {}", self.zone.local(*at)), None, Vec::new()),
                Shape::Composed { operator, parts, .. } => {
                    let label = |part: &NodeId| {
                        nodes.get(part).map_or_else(String::new, |node| node.inner())
                    };
                    let parts_text: Vec<String> = parts.iter().map(label).collect();
                    (composed(operator, &parts_text), Some(operator.clone()), parts.clone())
                }
            };
            nodes.insert(id, Node { label, operator, parts, dropped });
        }
        nodes
    }

    fn signal_text(&self, signal: Signal, name: &dyn Fn(SentinelId) -> Option<Box<str>>) -> String {
        let called = |id: SentinelId| name(id).map_or_else(|| id.to_string(), String::from);
        match signal {
            Signal::Detected(id) => called(id),
            Signal::Started(id) => format!("start({})", called(id)),
            Signal::Ended(id) => format!("end({})", called(id)),
            Signal::Fetched(id) => format!("fetched({})", called(id)),
            Signal::Failed(id) => format!("failed({})", called(id)),
            Signal::Raised(id) => {
                let name = self.events.get(&id).map(|entry| entry.row.name.to_string());
                format!("event {}", name.unwrap_or_else(|| id.to_string()))
            }
        }
    }

    /// What took part, in order of time.
    fn told(
        &self,
        marks: &[Mark],
        name: &dyn Fn(SentinelId) -> Option<Box<str>>,
    ) -> Vec<(Instant, String)> {
        let mut told: Vec<(Instant, String)> = marks
            .iter()
            .map(|mark| match mark.what {
                What::Signal(signal) => (mark.at, self.signal_text(signal, name)),
                What::Clock => (mark.at, "the clock".to_owned()),
            })
            .collect();
        told.sort_by_key(|one| one.0);
        told
    }
}

/// A node on its way into a view.
struct Node {
    label: String,
    operator: Option<Operator>,
    parts: Vec<NodeId>,
    dropped: u64,
}

impl Node {
    /// In parentheses where it is made of others.
    fn inner(&self) -> String {
        match self.operator {
            Some(Operator::Plus(_) | Operator::Any(_)) | None => self.label.clone(),
            Some(_) => format!("({})", self.label),
        }
    }
}

/// As the language writes it.
fn composed(operator: &Operator, parts: &[String]) -> String {
    let part = |at: usize| parts.get(at).map_or("", String::as_str);
    let between = |what: String, opens: usize, closes: usize| {
        format!("{what} between {} and {}", part(opens), part(closes))
    };
    let step = |step: &::event::Step| crate::view::period_text(step.period);
    match operator {
        Operator::Or => format!("{} or {}", part(0), part(1)),
        Operator::And => format!("{} and {}", part(0), part(1)),
        Operator::Seq => format!("{} ; {}", part(0), part(1)),
        Operator::Not => between(format!("not ({})", part(1)), 0, 2),
        Operator::Each => between(format!("each {}", part(1)), 0, 2),
        Operator::All => between(format!("all {}", part(1)), 0, 2),
        Operator::Every(by) => between(format!("every {}", step(by)), 0, 1),
        Operator::Collect(by) => between(format!("collect every {}", step(by)), 0, 1),
        Operator::Plus(by) => format!("{} + {}", part(0), step(by)),
        Operator::Any(least) => format!("any {least} of ({})", parts.join(", ")),
    }
}

fn operator_name(operator: &Operator) -> &'static str {
    match operator {
        Operator::Or => "or",
        Operator::And => "and",
        Operator::Seq => ";",
        Operator::Not => "not",
        Operator::Each => "each",
        Operator::All => "all",
        Operator::Every(_) => "every",
        Operator::Collect(_) => "collect",
        Operator::Plus(_) => "+",
        Operator::Any(_) => "any",
    }
}

/// What an occurrence that came as part `role` of a node waits for.
fn waits_for(
    operator: Option<&Operator>,
    role: usize,
    parts: usize,
    label: &dyn Fn(usize) -> String,
) -> String {
    match operator {
        None => "its time".to_owned(),
        Some(Operator::Or) => String::new(),
        Some(Operator::And) => label(1 - role.min(1)),
        Some(Operator::Seq) => label(1),
        Some(Operator::Not) => format!("{}, without {} before", label(2), label(1)),
        Some(Operator::Each) => format!("{}, until {}", label(1), label(2)),
        Some(Operator::All) => label(2),
        Some(Operator::Every(_)) => format!("its next tick, until {}", label(1)),
        Some(Operator::Collect(_)) => label(1),
        Some(Operator::Plus(_)) => "the time to pass".to_owned(),
        Some(Operator::Any(least)) => {
            let others: Vec<String> =
                (0..parts).filter(|&other| other != role).map(label).collect();
            format!("{least} in all, of {} too", others.join(", "))
        }
    }
}
