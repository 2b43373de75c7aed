//! What is held of a sentinel.

use crate::record::{SentinelLife, SentinelRow, SentinelState, StreamSpec};
use crate::watch::{Ask, LastElement};
use chronon::Instant;
use outbox::ChannelId;
use sentinel::ast;

/// A sentinel: its rows, and what its text compiles to.
pub(crate) struct SentinelEntry {
    pub(crate) row: SentinelRow,
    pub(crate) life: SentinelLife,
    pub(crate) plan: Plan,
    /// What it is to listen to, from its definition until it does; later its text is read back.
    pub(crate) monitor: Option<Box<ast::Expr>>,
    /// What its source's weight holds of it, in millionths.
    pub(crate) weighed: u64,
    /// Changes in place since the process started: the generation stays the same.
    pub(crate) amended: u32,
}

/// The compiled clauses the kernel acts on; the condition lives in the graph.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) from: Instant,
    pub(crate) from_has_clock: bool,
    pub(crate) to: Option<Instant>,
    pub(crate) fetch: ast::Fetch,
    pub(crate) compare: ast::Compare,
    pub(crate) zone: chronon::Zone,
    pub(crate) weight: f64,
    pub(crate) history: u32,
    pub(crate) tags: Box<[Box<str>]>,
    pub(crate) whom: Vec<Recipient>,
}

impl Plan {
    /// The weight in whole numbers, so that the order of adding does not show.
    pub(crate) fn millionths(&self) -> u64 {
        millionths(self.weight)
    }
}

/// The tags as an entry holds them.
pub(crate) fn tags_of(ast: &ast::Sentinel) -> Box<[Box<str>]> {
    ast.tags.iter().map(|tag| tag.as_str().into()).collect()
}

/// A weight in whole numbers.
pub(crate) fn millionths(weight: f64) -> u64 {
    (weight * 1e6 + 0.5) as u64
}

/// Whom a sentinel tells, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Recipient {
    pub(crate) channel: ChannelId,
    pub(crate) frequency: ast::Frequency,
}

impl SentinelEntry {
    /// The sentinel hears, or will hear of what is still on its way.
    pub(crate) fn is_joined(&self) -> bool {
        self.life.stream.is_some()
    }

    pub(crate) fn is_active(&self) -> bool {
        self.life.state == SentinelState::Active
    }

    /// What it adds to its source's freshness demand, in millionths.
    pub(crate) fn fresh_weight(&self) -> u64 {
        let counts =
            self.is_active() && self.is_joined() && self.plan.fetch == ast::Fetch::OnChange;
        if counts { self.plan.millionths() } else { 0 }
    }

    /// The place in a stream that it asks for, to go on from `last`.
    pub(crate) fn ask(&self, last: Vec<LastElement>) -> Ask {
        let plan = &self.plan;
        let spec = match plan.fetch {
            ast::Fetch::OnChange => StreamSpec::OnChange,
            ast::Fetch::Every { period, slack } => {
                // Activation is at `from`, even where the step that notices comes later.
                StreamSpec::Every { t0: plan.from, period, slack, zone: plan.zone.clone() }
            }
        };
        Ask {
            source: self.row.source,
            spec,
            has_clock: plan.from_has_clock,
            is_windowed: matches!(plan.compare, ast::Compare::Every(_)),
            to: plan.to,
            weight: plan.millionths(),
            last,
        }
    }
}
