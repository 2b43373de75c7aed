//! What the kernel holds of sentinels, sources and streams.

use crate::ids::Ids;
use crate::record::{SentinelLife, SentinelRow, SentinelState, SourceRow, StreamRow};
use crate::redirects::{Beginning, Look};
use crate::view::Missed;
use crate::windows::Waiting;
use chronon::{HostId, Instant, SentinelId, SourceId, StreamId, VersionNo};
use graph::RoundId;
use outbox::ChannelId;
use schedule::CeiId;
use sentinel::ast;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A sentinel: its rows, and what its text compiles to.
pub(crate) struct SentinelEntry {
    pub(crate) row: SentinelRow,
    pub(crate) life: SentinelLife,
    pub(crate) plan: Plan,
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
    pub(crate) whom: Vec<Recipient>,
}

/// Whom a sentinel tells, and when.
#[derive(Clone, Copy, PartialEq)]
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
        if counts { (self.plan.weight * 1e6 + 0.5) as u64 } else { 0 }
    }
}

/// A source: its row, and what is going on at it.
pub(crate) struct SourceEntry {
    pub(crate) row: SourceRow,
    pub(crate) host: HostId,
    pub(crate) streams: Vec<StreamId>,
    /// Every sentinel whose row names it, active or not.
    pub(crate) sentinels: Ids,
    /// Those of them that were told that it fails.
    pub(crate) told: Ids,
    /// Those of them that have ended and may still hear of what is on its way.
    pub(crate) leaving: BTreeSet<SentinelId>,
    /// The sum of the weights of those that want it fresh, in millionths: whole numbers, so that
    /// the order of joining does not show.
    pub(crate) weight: u64,
    /// When the probe in flight started.
    pub(crate) probing_since: Option<Instant>,
    /// The look that is under way, and where the next one begins if not at the source's own URL.
    pub(crate) look: Option<Box<Look>>,
    pub(crate) beginning: Option<Beginning>,
    /// The probe whose rounds are not all compared.
    pub(crate) verdict: Option<Verdict>,
    /// Open rounds, oldest first; the first may be in flight.
    pub(crate) rounds: VecDeque<RoundId>,
    /// When the last round was opened, as far as this process knows.
    pub(crate) round_opened_at: Instant,
    pub(crate) comparing: bool,
    /// Versions whose stored bytes are still to be extracted again.
    pub(crate) stale: BTreeSet<VersionNo>,
    pub(crate) held: bool,
}

/// What a successful probe led to, as far as it is known.
pub(crate) struct Verdict {
    pub(crate) start: Instant,
    /// Somebody was told.
    pub(crate) told: bool,
}

impl SourceEntry {
    /// The source's freshness demand.
    pub(crate) fn fresh_weight(&self) -> f64 {
        self.weight as f64 / 1e6
    }

    pub(crate) fn new(row: SourceRow, host: HostId) -> SourceEntry {
        SourceEntry {
            row,
            host,
            streams: Vec::new(),
            sentinels: Ids::default(),
            told: Ids::default(),
            leaving: BTreeSet::new(),
            weight: 0,
            probing_since: None,
            look: None,
            beginning: None,
            verdict: None,
            rounds: VecDeque::new(),
            round_opened_at: Instant::EPOCH,
            comparing: false,
            stale: BTreeSet::new(),
            held: false,
        }
    }
}

/// A stream: its row without the elements (the graph holds them), and its listeners.
pub(crate) struct StreamEntry {
    pub(crate) row: StreamRow,
    pub(crate) listeners: Ids,
    /// The EI the scheduler was told of, if the stream has any.
    pub(crate) ei: Option<OpenEi>,
    /// EIs missed since the start of this process, and what stood in the way of the last one.
    pub(crate) missed: u64,
    pub(crate) missed_why: Option<Missed>,
    /// EIs in a row, of this process, that passed without a try: the next is worth that much more.
    pub(crate) passed_over: u32,
    /// EIs that are decided, the rounds they led to included.
    pub(crate) settled: u64,
    pub(crate) waiting: Waiting,
}

/// An EI that waits for its capture.
#[derive(Clone, Copy)]
pub(crate) struct OpenEi {
    pub(crate) cei: CeiId,
    pub(crate) what: Wanted,
    pub(crate) start: Instant,
    pub(crate) finish: Instant,
}

impl OpenEi {
    /// A probe that starts then is inside.
    pub(crate) fn holds(&self, start: Instant) -> bool {
        self.start <= start && start <= self.finish
    }
}

/// What the capture of an EI brings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The stream's first element, before its first interval begins.
    Baseline,
    /// What the interval of this stream is for: `next_ei` counts it.
    Interval,
}

/// Hosts by name; a host's id means nothing beyond this process, and is used again.
#[derive(Default)]
pub(crate) struct Hosts {
    by_name: BTreeMap<Box<str>, HostId>,
    names: Vec<Box<str>>,
    free: Vec<HostId>,
    /// How often in a row a host asked for a pause.
    pub(crate) holds: BTreeMap<HostId, u32>,
}

impl Hosts {
    /// The id of `name`, given to it now if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> HostId {
        if let Some(&host) = self.by_name.get(name) {
            return host;
        }
        let host = match self.free.pop() {
            Some(host) => {
                self.names[host.0 as usize] = name.into();
                host
            }
            None => {
                self.names.push(name.into());
                HostId(self.names.len() as u32 - 1)
            }
        };
        self.by_name.insert(name.into(), host);
        host
    }

    pub(crate) fn get(&self, name: &str) -> Option<HostId> {
        self.by_name.get(name).copied()
    }

    /// Gives its id free; its name, if it was known.
    pub(crate) fn forget(&mut self, host: HostId) -> Option<Box<str>> {
        let name = std::mem::take(self.names.get_mut(host.0 as usize)?);
        self.holds.remove(&host);
        let known = self.by_name.remove(&name).is_some();
        if known {
            self.free.push(host);
        }
        known.then_some(name)
    }

    pub(crate) fn len(&self) -> usize {
        self.by_name.len()
    }

    pub(crate) fn name(&self, host: HostId) -> &str {
        &self.names[host.0 as usize]
    }
}

/// What is due at an instant, besides what scheduler and outbox keep themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Timer {
    Activate(SentinelId),
    End(SentinelId),
    /// The stream's EI is over: captured, missed, or decided by the probe in flight.
    EiOver(StreamId),
    /// What the source showed is doubtful.
    SecondLook(SourceId),
    /// A look waits for a host that redirects lead to.
    LookLate(SourceId),
    /// The source's own address is to be asked again.
    AskFirst(SourceId),
    ForgetHost(HostId),
    PruneSource(SourceId),
    PruneFinished,
}

/// A queue by time. Entries are never cancelled: what they name is looked at when they fire.
#[derive(Default)]
pub(crate) struct Timers(BTreeSet<(Instant, Timer)>);

impl Timers {
    pub(crate) fn set(&mut self, at: Instant, timer: Timer) {
        if at < Instant::NEVER {
            self.0.insert((at, timer));
        }
    }

    pub(crate) fn next(&self) -> Option<Instant> {
        self.0.first().map(|&(at, _)| at)
    }

    pub(crate) fn pop_due(&mut self, now: Instant) -> Option<Timer> {
        let &(at, timer) = self.0.first()?;
        (at <= now).then(|| {
            self.0.pop_first();
            timer
        })
    }
}
