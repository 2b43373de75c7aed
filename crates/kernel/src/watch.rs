//! Watch: which sources are looked at and when, what they show, and which of it enters a stream.
//!
//! Comes in: [`In`], who joins and leaves, what a look brought, what rounds came to. Goes out:
//! [`Out`], requests to make, elements of streams, which sources fail. Promises: it knows sources,
//! hosts and streams, and of sentinels only how many listen to a stream and what that is worth.

mod addresses;
mod captures;
mod dates;
mod demands;
mod doubt;
mod extracting;
mod glance;
mod hosts;
mod intervals;
mod load;
mod probes;
mod redirects;
mod sources;
mod spread;
mod status;
mod streams;
#[cfg(test)]
mod tests;
mod versions;
mod view;

pub(crate) use addresses::Address;
pub(crate) use captures::{Captured, Incomplete, SoFar};
pub(crate) use demands::Wanted;
pub(crate) use extracting::Stale;
pub(crate) use intervals::Looks;
pub(crate) use probes::Probed;
pub(crate) use redirects::Asked;
pub(crate) use status::Answered;
pub(crate) use streams::{Ask, Entered, Heed, LastElement, Together};
pub(crate) use versions::{NotBefore, Outdated};

use crate::config::Config;
use crate::io::{Announcement, Fetched, Missing};
use crate::queue;
use crate::record::{Record, VersionRow};
use crate::timers::Timers;
use addresses::Addresses;
use chronon::{HostId, Instant, SourceId, StreamId, VersionNo};
use demands::Demands;
use hosts::Hosts;
use outbox::{Came, DetectionId};
use page::View;
use schedule::{Event, Scheduler};
use sources::SourceEntry;
use spread::Beats;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use streams::StreamEntry;

/// Sources, hosts and streams, and when they are looked at.
pub(crate) struct Watch {
    config: Config,
    now: Instant,
    /// When the process began.
    loaded: Instant,
    next_source: u32,
    /// Boxed, as streams are: nodes of a map filled in order are half empty.
    sources: BTreeMap<SourceId, Box<SourceEntry>>,
    addresses: Addresses,
    hosts: Hosts,
    streams: BTreeMap<StreamId, Box<StreamEntry>>,
    beats: Beats,
    scheduler: Scheduler,
    timers: Timers<Timer>,
    demands: Demands,
    not_before: NotBefore,
    /// Versions that wait for a place to be extracted again.
    stale: BTreeSet<Stale>,
    /// The versions of each source that are still to be extracted again, if there are any.
    stale_of: BTreeMap<SourceId, BTreeSet<VersionNo>>,
    touched: Touched,
    out: VecDeque<Out>,
    counts: Counts,
    /// Probes started, by chronon.
    recent: VecDeque<(i64, u32)>,
}

/// What a sentinel, a look, or a round does to sources and streams.
#[derive(Debug)]
pub(crate) enum In {
    /// The first of a life: what was open is asked for again.
    Started,
    /// Time went on from then to now.
    Passed {
        before: Instant,
    },
    /// A timer is due.
    Timer,
    /// Once: these streams' looks are spread, and none of their sentinels listens after the time.
    Spread {
        loose: BTreeMap<StreamId, Option<Instant>>,
    },
    BudgetSet {
        per_chronon: f64,
    },
    Fetched {
        probed: Probed,
        /// The views that its answer was looked at with.
        asked: Box<[View]>,
        fetched: Fetched,
    },
    Reextracted {
        stale: Stale,
        row: Option<Box<VersionRow>>,
    },
    /// Some sentinel names the source from now on, or none does.
    Named {
        source: SourceId,
        is_named: bool,
    },
    /// Somebody listens no more, whose looks were worth `weight`.
    Left {
        stream: StreamId,
        weight: u64,
    },
    /// The stream closes if nobody listens.
    Unheard(StreamId),
    /// Looks of the stream are worth something else to one who listens.
    Reweighed {
        stream: StreamId,
        before: u64,
        after: u64,
    },
    /// Somebody who wants the source fresh weighs something else.
    Weighed(Weighed),
    /// As many rounds of the source wait as may, or no longer.
    Full {
        source: SourceId,
        is_full: bool,
    },
    Wanted(Wanted),
    /// Somebody asks how the source's own address answers.
    AsksFirst(SourceId),
    /// All that a look led to is compared: somebody was told, or nobody.
    Judged {
        source: SourceId,
        start: Instant,
        is_told: bool,
    },
}

/// What one sentinel adds to the worth of a fresh source, in millionths, before and from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weighed {
    pub(crate) source: SourceId,
    pub(crate) before: u64,
    pub(crate) after: u64,
}

/// What comes of it.
#[derive(Debug)]
pub(crate) enum Out {
    Record(Record),
    Announce(Announcement),
    Warning(String),
    /// A request is to be made.
    Ask(Box<Asked>),
    Reextract(Stale),
    Outdated(Outdated),
    Opened {
        stream: StreamId,
        source: SourceId,
    },
    Closed {
        stream: StreamId,
        source: SourceId,
    },
    Entered(Entered),
    /// A stream of captures of these sources.
    CapturesOpened {
        stream: StreamId,
        sources: Vec<SourceId>,
    },
    Captured(Captured),
    /// An interval of the stream is captured or missed.
    Decided {
        stream: StreamId,
        source: SourceId,
    },
    /// What counts as its content was looked at.
    Shown {
        source: SourceId,
        sight: Sight,
    },
    /// A source answers otherwise than at the look before.
    Answered(Answered),
    /// A look that began at `start` succeeded; all that it led to has entered.
    Looked {
        source: SourceId,
        start: Instant,
        /// It found a change for captures, which are compared once their other sources are in.
        feeds_capture: bool,
    },
    /// What has come of a look that a detection waits for.
    Followed {
        detection: DetectionId,
        source: SourceId,
        came: Came,
    },
    /// All looks that a detection waited for are made, or their time is over.
    FollowOver(DetectionId),
    /// A look brought what counts, or failed.
    Ended {
        source: SourceId,
        is_well: bool,
    },
    /// No look is under way.
    Still(SourceId),
    /// It has failed for so long that whoever watches it is told.
    Failing {
        source: SourceId,
        since: Instant,
        why: Box<str>,
        /// It showed something else than its content, which may have been told, and does so no
        /// more since long ago.
        otherwise: bool,
    },
    /// A look succeeded; it brought what the last one that did had, or not.
    Answers {
        source: SourceId,
        is_as_before: bool,
        was_failing: bool,
    },
    /// What the source showed cannot be read any more: the next look's content is a baseline.
    BeginsAnew(SourceId),
    /// The next look at the source is to begin where redirects have led.
    Led(SourceId),
}

/// With which views content was looked at, and which of them show nothing.
#[derive(Debug)]
pub(crate) struct Sight {
    pub(crate) asked: Box<[View]>,
    pub(crate) missing: Missing,
}

/// What is due at an instant, besides what the scheduler keeps itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
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
    /// Looks that were wanted until now.
    DemandOver(u64),
}

/// Rows that changed in this step.
#[derive(Default)]
struct Touched {
    sources: BTreeSet<SourceId>,
    streams: BTreeSet<StreamId>,
}

/// Counters since the start of this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) probes: u64,
    pub(crate) requests: u64,
    pub(crate) redirects: u64,
    pub(crate) redirects_late: u64,
    pub(crate) not_modified: u64,
    pub(crate) failed: u64,
    pub(crate) doubtful: u64,
    pub(crate) versions: u64,
    pub(crate) eis_captured: u64,
    pub(crate) eis_missed: u64,
    pub(crate) eis_passed_over: u64,
    /// Looks that rules and detections wanted by some time: all of them made, or not.
    pub(crate) demands_met: u64,
    pub(crate) demands_missed: u64,
    /// Captures of several sources.
    pub(crate) captures_complete: u64,
    pub(crate) captures_void: u64,
    pub(crate) sources_held: u64,
    pub(crate) set_aside: u64,
}

impl Watch {
    /// Nothing to watch yet.
    ///
    /// # Panics
    /// When `config.schedule` cannot be: see [`schedule::Config::check`].
    pub(crate) fn new(config: Config, now: Instant, next_source: u32) -> Watch {
        let seed = u64::from_le_bytes(*config.outbox.instance.first_chunk().expect("16 bytes"));
        Watch {
            loaded: now,
            now,
            next_source,
            sources: BTreeMap::new(),
            addresses: Addresses::default(),
            hosts: Hosts::default(),
            streams: BTreeMap::new(),
            beats: Beats::default(),
            scheduler: Scheduler::new(config.schedule.clone(), seed)
                .expect("whoever makes a configuration checks it"),
            timers: Timers::default(),
            demands: Demands::default(),
            not_before: NotBefore::default(),
            stale: BTreeSet::new(),
            stale_of: BTreeMap::new(),
            touched: Touched::default(),
            out: VecDeque::new(),
            counts: Counts::default(),
            recent: VecDeque::new(),
            config,
        }
    }

    pub(crate) fn handle(&mut self, now: Instant, input: In) {
        self.now = now;
        match input {
            In::Started => {
                self.ask_for_baselines();
                self.ask_for_second_looks();
                self.ask_for_people();
                self.want_reextractions();
                self.plan_beginnings();
            }
            In::Passed { before } => self.not_before.jumped(before, now),
            In::Timer => self.run_timer(),
            In::Spread { loose } => self.spread_anew(&loose),
            In::BudgetSet { per_chronon } => {
                self.config.schedule.budget = per_chronon;
                self.scheduler.handle(now, Event::BudgetSet { per_chronon });
            }
            In::Fetched { probed, asked, fetched } => self.fetched(probed, asked, fetched),
            In::Reextracted { stale, row } => self.reextracted(stale, row),
            In::Named { source, is_named } => {
                if let Some(entry) = self.sources.get_mut(&source) {
                    entry.is_named = is_named;
                }
            }
            In::Left { stream, weight } => self.unseat(stream, weight),
            In::Unheard(stream) => self.close_unheard(stream),
            In::Reweighed { stream, before, after } => self.reweigh(stream, before, after),
            In::Weighed(weighed) => self.weigh(weighed),
            In::Full { source, is_full } => {
                if let Some(entry) = self.sources.get_mut(&source) {
                    entry.is_full = is_full;
                    self.hold(source);
                }
            }
            In::Wanted(wanted) => self.want(wanted),
            In::AsksFirst(source) => self.begin_at_first(source),
            In::Judged { source, start, is_told } => self.judged(source, start, is_told),
        }
    }

    /// Takes a place in a stream for somebody who listens.
    pub(crate) fn join(&mut self, now: Instant, ask: Ask) -> StreamId {
        self.now = now;
        self.place(ask)
    }

    /// Starts the requests that are due.
    pub(crate) fn start(&mut self, now: Instant) {
        self.now = now;
        self.start_probes();
    }

    /// The next of what has come of it.
    pub(crate) fn poll(&mut self) -> Option<Out> {
        queue::next(&mut self.out)
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.next()
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        [self.timers.next(), self.scheduler.next_deadline()].into_iter().flatten().min()
    }

    pub(crate) fn next_source(&self) -> u32 {
        self.next_source
    }

    fn run_timer(&mut self) {
        match self.timers.pop_due(self.now) {
            Some(Timer::EiOver(stream)) => self.ei_over(stream),
            Some(Timer::SecondLook(source)) => self.look_again(source),
            Some(Timer::LookLate(source)) => self.look_late(source),
            Some(Timer::AskFirst(source)) => self.plan_beginning(source),
            Some(Timer::ForgetHost(host)) => self.forget_host(host),
            Some(Timer::PruneSource(source)) => self.prune_source(source),
            Some(Timer::DemandOver(number)) => self.demand_over(number),
            None => {}
        }
    }

    fn record(&mut self, record: Record) {
        self.out.push_back(Out::Record(record));
    }

    fn announce(&mut self, announcement: Announcement) {
        self.out.push_back(Out::Announce(announcement));
    }
}
