//! Events: what follows when several things happen.
//!
//! Comes in: [`In`], what happened; rules that are defined, and what was found in stored texts.
//! Goes out: [`Out`], what rules do, one thing at a time, so that its consequences come first.
//! Promises: what waits survives; a rule acts once on what it heard; cascades end.

mod agenda;
mod define;
mod judge;
mod load;
mod view;

pub(crate) use define::{Outline, RuleDefinition, sentinels_of};

use crate::config::Config;
use crate::io::{Announcement, Question};
use crate::life::Recipient;
use crate::record::{EventRow, FiringRow, Record, RuleLife, RuleRow};
use ::event::{Detector, Expr, Limits, Signal};
use address::SourceUrl;
use chronon::{EventId, Instant, OwnerId, Period, RuleId, SentinelId, Span, Zone};
use outbox::Part;
use sentinel::ast::rule::{Condition, Coupling, Happening};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Rules that may set each other off, one after the other.
pub(crate) const CASCADE_MAX: usize = 16;
/// Rules that other rules set off in one step.
const CASCADES_A_STEP_MAX: u32 = 1_000;
/// Firings that may wait; further ones are dropped, and counted.
const WAITING_MAX: usize = 10_000;

/// Rules, what they listen for, and what they are about to do.
pub(crate) struct Events {
    zone: Zone,
    chronon: Span,
    now: Instant,
    detector: Detector,
    rules: BTreeMap<RuleId, Box<RuleEntry>>,
    names: BTreeMap<(OwnerId, Box<str>), RuleId>,
    /// Events that rules listen to, by name in lower case.
    raised: BTreeMap<(OwnerId, Box<str>), EventId>,
    events: BTreeMap<EventId, EventEntry>,
    /// The rules that name a sentinel.
    naming: BTreeMap<SentinelId, BTreeSet<RuleId>>,
    /// Sentinels whose looks some rule listens for, and how many do.
    heeded: BTreeMap<SentinelId, u32>,
    /// What is to be done now, the next last.
    agenda: Vec<Task>,
    /// What is to be done at the end of the step, in order of arrival.
    deferred: Vec<Arc<FiringRow>>,
    /// What is to be done in a step of its own, or once stored texts were looked at.
    waiting: BTreeMap<u64, FiringRow>,
    /// Those of them that want a step now; of others texts are looked at.
    ready: BTreeSet<u64>,
    next_firing: u64,
    /// The rules that led to what happens now.
    cause: Vec<RuleId>,
    cascades: u32,
    touched: BTreeSet<RuleId>,
    out: VecDeque<Out>,
    counts: Counts,
}

/// A rule: its rows, and what its text compiles to.
pub(super) struct RuleEntry {
    pub(super) row: RuleRow,
    pub(super) life: RuleLife,
    pub(super) plan: Arc<Plan>,
}

/// The compiled clauses.
pub(super) struct Plan {
    pub(super) on: Expr<Happening>,
    pub(super) expr: Expr<Signal>,
    pub(super) when: Option<Condition>,
    pub(super) context: ::event::Context,
    pub(super) within: Option<::event::Step>,
    pub(super) priority: u32,
    pub(super) coupling: Coupling,
    pub(super) actions: Vec<Act>,
    /// The sentinels that its text names.
    pub(super) sentinels: BTreeSet<SentinelId>,
}

/// What a rule does.
pub(super) enum Act {
    /// All its `notify` clauses together.
    Notify(Vec<Recipient>),
    Probe {
        sources: Vec<SourceUrl>,
        within: Period,
    },
    Enable(Box<str>),
    Disable(Box<str>),
    Raise(Box<str>),
}

/// An event that some rule listens to.
pub(super) struct EventEntry {
    pub(super) row: EventRow,
    pub(super) listeners: BTreeSet<RuleId>,
}

/// What is to be done.
pub(super) enum Task {
    /// With what was found in stored texts, if that was asked for.
    Fire(Arc<FiringRow>, Vec<bool>),
    /// The rule's action at this place.
    Act(Arc<FiringRow>, Arc<Plan>, usize),
}

/// What happens.
#[derive(Debug)]
pub(crate) enum In {
    /// The first of a life: what waits is asked for again.
    Started,
    /// The time has come that some rule waits for.
    Timer,
    Happened {
        signal: Signal,
        /// The detection, if it is one.
        about: u64,
    },
    /// What of the conditions on texts and values holds.
    Judged { firing: u64, holds: Vec<bool> },
    /// It could not do what it was to do.
    Failed { rule: RuleId, why: Box<str> },
}

/// What comes of it.
#[derive(Debug)]
pub(crate) enum Out {
    Record(Record),
    Announce(Announcement),
    /// Stored texts are to be looked at.
    Judge {
        firing: u64,
        question: Question,
    },
    Notify(Box<Telling>),
    Probe {
        owner: OwnerId,
        sources: Vec<SourceUrl>,
        within: Period,
        zone: Zone,
    },
    Enable {
        rule: RuleId,
        name: Box<str>,
        is_enabled: bool,
    },
}

/// A rule tells what it heard.
#[derive(Debug)]
pub(crate) struct Telling {
    pub(crate) rule: RuleId,
    pub(crate) generation: u32,
    pub(crate) seq: u64,
    pub(crate) whom: Vec<Recipient>,
    /// Where digests begin, and whose days they count.
    pub(crate) from: Instant,
    pub(crate) zone: Zone,
    pub(crate) parts: Vec<Part>,
}

/// Counters since the start of this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) fired: u64,
    /// Rules that others set off and that were not carried out: the chain was too long.
    pub(crate) cut: u64,
    /// Firings for which there was no room.
    pub(crate) dropped: u64,
}

impl Events {
    pub(crate) fn new(config: &Config, now: Instant) -> Events {
        Events {
            zone: config.zone.clone(),
            chronon: config.schedule.chronon,
            now,
            detector: Detector::new(Limits::default()),
            rules: BTreeMap::new(),
            names: BTreeMap::new(),
            raised: BTreeMap::new(),
            events: BTreeMap::new(),
            naming: BTreeMap::new(),
            heeded: BTreeMap::new(),
            agenda: Vec::new(),
            deferred: Vec::new(),
            waiting: BTreeMap::new(),
            ready: BTreeSet::new(),
            next_firing: 1,
            cause: Vec::new(),
            cascades: 0,
            touched: BTreeSet::new(),
            out: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    pub(crate) fn handle(&mut self, now: Instant, input: In) {
        self.now = now;
        match input {
            In::Started => self.ask_again(),
            In::Timer => {
                let detected = self.detector.advance(now);
                self.hear(detected);
            }
            In::Happened { signal, about } => {
                let detected = self.detector.signal(signal, now, about);
                self.hear(detected);
            }
            In::Judged { firing, holds } => self.judged(firing, holds),
            In::Failed { rule, why } => self.note(rule, &why),
        }
    }

    /// When some rule waits for the time.
    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.detector.next_deadline()
    }

    /// What is detached wants a step of its own at once.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let is_ready = !self.ready.is_empty();
        [is_ready.then_some(self.now), self.next_timer()].into_iter().flatten().min()
    }

    /// Why the rule could not do something; empty if it could.
    fn note(&mut self, rule: RuleId, why: &str) {
        let Some(entry) = self.rules.get_mut(&rule) else { return };
        if *entry.life.trouble != *why {
            entry.life.trouble = why.into();
            self.touched.insert(rule);
        }
    }
}
