//! Rules as the API shows them.

use super::{Time, some_text};
use kernel::record::{RuleLife, RuleRow};
use kernel::view::{NodeView, OpenView, RuleLine, RuleView};
use serde::Serialize;
use utoipa::ToSchema;

/// A rule as it stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Rule {
    pub(crate) id: u64,
    pub(crate) name: String,
    /// `enabled` or `disabled`.
    pub(crate) state: &'static str,
    /// Counts definitions under this name.
    pub(crate) generation: u32,
    /// Canonical text.
    pub(crate) text: String,
    pub(crate) created_at: Time,
    /// What `now` means in its text.
    pub(crate) defined_at: Time,
    /// How often it was carried out, and when the last time.
    pub(crate) carried_out: u64,
    pub(crate) carried_out_at: Option<Time>,
    /// Notifications so far.
    pub(crate) notifications: u64,
    /// Occurrences that wait for more.
    pub(crate) open: usize,
    /// How often it is still to be carried out for what it heard already.
    pub(crate) to_carry_out: usize,
    /// Why it could not do something the last time; null if it could.
    pub(crate) trouble: Option<String>,
}

impl Rule {
    pub(crate) fn of(line: &RuleLine) -> Rule {
        Rule {
            open: line.open_total,
            to_carry_out: line.firings,
            ..Rule::from((&line.row, &line.life))
        }
    }

    /// With its text in full: for those who may see that.
    pub(crate) fn with_secrets(self, row: &RuleRow) -> Rule {
        Rule { text: row.text.reveal().to_owned(), ..self }
    }
}

impl From<(&RuleRow, &RuleLife)> for Rule {
    fn from((row, life): (&RuleRow, &RuleLife)) -> Rule {
        Rule {
            id: row.id.0,
            name: row.name.to_string(),
            state: if life.is_enabled { "enabled" } else { "disabled" },
            generation: row.generation,
            text: row.text.shown().into_owned(),
            created_at: Time(row.created_at),
            defined_at: Time(row.defined_at),
            carried_out: life.fired,
            carried_out_at: life.fired_at.map(Time),
            notifications: life.seq,
            open: 0,
            to_carry_out: 0,
            trouble: some_text(&life.trouble),
        }
    }
}

/// A rule with what its event is made of, and what is open.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RuleInFull {
    #[serde(flatten)]
    pub(crate) rule: Rule,
    /// Parts before what they are parts of, the whole last; empty while it is disabled.
    pub(crate) nodes: Vec<EventNode>,
    /// What waits for more: the first 100 of `open`.
    pub(crate) open_occurrences: Vec<OpenOccurrence>,
}

impl RuleInFull {
    pub(crate) fn of(view: &RuleView) -> RuleInFull {
        let rule = Rule {
            open: view.open_total,
            to_carry_out: view.firings,
            ..Rule::from((&view.row, &view.life))
        };
        RuleInFull {
            rule,
            nodes: view.nodes.iter().map(EventNode::from).collect(),
            open_occurrences: view.open.iter().map(OpenOccurrence::from).collect(),
        }
    }
}

/// A part of what a rule listens to. Equal parts of several rules are one.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct EventNode {
    pub(crate) id: u64,
    /// As the language writes it.
    pub(crate) event: String,
    /// `or`, `and`, `;`, `not`, `each`, `all`, `every`, `collect`, `+`, `any`; null where it is
    /// made of nothing else.
    pub(crate) operator: Option<&'static str>,
    /// Other nodes, in the order written.
    pub(crate) parts: Vec<u64>,
    /// Open occurrences that a limit dropped here, since the server started.
    pub(crate) dropped: u64,
}

impl From<&NodeView> for EventNode {
    fn from(node: &NodeView) -> EventNode {
        EventNode {
            id: node.id,
            event: node.label.clone(),
            operator: node.operator,
            parts: node.parts.clone(),
            dropped: node.dropped,
        }
    }
}

/// Something that occurred, and waits for more.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct OpenOccurrence {
    /// Where it waits.
    pub(crate) node: u64,
    pub(crate) start: Time,
    pub(crate) end: Time,
    /// What took part, in order of time.
    pub(crate) parts: Vec<TookPart>,
    /// In words.
    pub(crate) waits_for: String,
    /// When the clock goes on with it; null: it does not.
    pub(crate) due: Option<Time>,
    /// When that happened which must not; null: it did not.
    pub(crate) spoiled: Option<Time>,
}

impl From<&OpenView> for OpenOccurrence {
    fn from(open: &OpenView) -> OpenOccurrence {
        let part = |(at, what): &(chronon::Instant, String)| TookPart {
            at: Time(*at),
            what: what.clone(),
        };
        OpenOccurrence {
            node: open.node,
            start: Time(open.start),
            end: Time(open.end),
            parts: open.parts.iter().map(part).collect(),
            waits_for: open.waits_for.clone(),
            due: open.due.map(Time),
            spoiled: open.spoiled.map(Time),
        }
    }
}

/// Something that happened.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TookPart {
    pub(crate) at: Time,
    /// As the language writes it: `down`, `start(sale)`, `event deploy`.
    pub(crate) what: String,
}

/// One message of a rule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RuleTold {
    pub(crate) id: u64,
    pub(crate) generation: u32,
    pub(crate) detected_at: Time,
    pub(crate) seq: u64,
    /// What took part, in order of time.
    pub(crate) parts: Vec<TookPart>,
}
