//! Life: the sentinels of all owners, from a text that is applied to their end.
//!
//! Comes in: [`In`], what people ask, which sources fail, what was found a place. Goes out:
//! [`Out`], who joins a stream and who leaves, what sources are worth, whom to tell of their
//! health. Promises: a name leads to one sentinel; who changes names takes turns; a generation
//! hears of all that was found while its text was in force.

mod amend;
mod chains;
mod entry;
mod generations;
mod health;
mod ids;
mod load;
mod names;
mod quiet;
mod states;
mod tags;
#[cfg(test)]
mod tests;
mod turns;
mod view;
mod watchers;

pub(crate) use entry::{Reach, Recipient, millionths};
pub(crate) use health::Told;
pub(crate) use load::Loaded;
pub(crate) use turns::{Definition, Piece, Turn, Work};
pub(crate) use view::{Following, Seen, Teller};

use crate::config::Config;
use crate::io::{Announcement, Answer, Effect, RequestId};
use crate::queue;
use crate::record::{ApplyingRow, Record, Worry};
use crate::timers::Timers;
use crate::watch::{Ask, LastElement, SoFar, Weighed};
use chains::Chains;
use chronon::{Instant, SentinelId, SourceId, Span, StreamId, Zone};
use entry::{Plan, SentinelEntry};
use generations::Earlier;
use names::Names;
use sentinel::ast;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use tags::Tags;
use turns::Turns;
use watchers::BySource;

/// Sentinels: what they ask for, and what has become of them.
pub(crate) struct Life {
    zone: Zone,
    chronon: Span,
    sentinels_max: usize,
    now: Instant,
    /// Boxed, as sources and streams are: nodes of a map filled in order are half empty.
    sentinels: BTreeMap<SentinelId, Box<SentinelEntry>>,
    names: Names,
    tags: Tags,
    /// What the last definition compiled to.
    last_plan: Option<Arc<Plan>>,
    earlier: Earlier,
    watchers: BySource,
    /// Sentinels by the sources that are looked at once they find something.
    followers: BTreeMap<SourceId, BTreeSet<SentinelId>>,
    chains: Chains,
    timers: Timers<Timer>,
    /// Those who change names, one after the other.
    turns: Turns,
    /// What is stored of the file whose turn it is, once its first sentinels are defined.
    applying: Option<ApplyingRow>,
    /// Sentinels whose life changed in this step.
    touched: BTreeSet<SentinelId>,
    out: VecDeque<Out>,
}

/// What happens to sentinels.
#[derive(Debug)]
pub(crate) enum In {
    /// A timer is due.
    Timer,
    /// What was asked for by [`Out::Join`] is a place in this stream, and windows start there.
    Joined { sentinel: SentinelId, place: usize, stream: StreamId, first_index: u64 },
    /// A clock that ran ahead ended it; it goes on from `last` of each of its sources.
    EndedEarly { sentinel: SentinelId, last: Vec<(SourceId, Vec<LastElement>)> },
    /// No round of the source is open; since when a look is under way, if one is.
    Still { source: SourceId, probing: Option<Instant> },
    /// It has failed since then, for so long that whoever watches it is told.
    /// `otherwise`: it showed something else than its content, which may have been told, and does
    /// so no more since long ago.
    Failing { source: SourceId, since: Instant, why: Box<str>, otherwise: bool },
    /// It is told what the source has become.
    KnowsOdd { sentinel: SentinelId, source: SourceId, worry: Worry },
    /// It is told what the source shows, or how it answers, which is none of what has become of it.
    Shown { sentinel: SentinelId, source: SourceId },
    /// A look succeeded.
    Answers { source: SourceId, is_as_before: bool, was_failing: bool },
    /// What the source showed cannot be read any more: the next look's content is a baseline.
    BeginsAnew(SourceId),
    /// The sentinel's last round could not be evaluated.
    NotEvaluated(SentinelId),
    /// What it points at was looked for in what `source` shows: why it finds nothing, if so.
    Sight { sentinel: SentinelId, source: SourceId, missing: Option<Box<str>> },
}

/// What comes of it.
#[derive(Debug)]
pub(crate) enum Out {
    Record(Record),
    Effect(Effect),
    Warning(String),
    Join(Box<Join>),
    /// It listens no more.
    Left {
        sentinel: SentinelId,
        stream: StreamId,
        weight: u64,
    },
    /// The stream closes if nobody listens.
    Unheard(StreamId),
    /// It hears of looks before `at` only.
    Ended {
        sentinel: SentinelId,
        at: Instant,
    },
    /// What is on its way is heard under another id.
    Renamed {
        sentinel: SentinelId,
        to: SentinelId,
    },
    /// It wants this number of elements kept; a new text says so.
    Keeps {
        sentinel: SentinelId,
        streams: Vec<StreamId>,
        history: u32,
    },
    /// A look of the stream is worth something else to it.
    Reweighed {
        stream: StreamId,
        before: u64,
        after: u64,
    },
    /// Somebody who wants the source fresh weighs something else.
    Weighed(Weighed),
    /// Some sentinel names the source from now on, or none does.
    Named {
        source: SourceId,
        is_named: bool,
    },
    /// Somebody leaves once the source is still: is it?
    Leaving(SourceId),
    /// A life of the sentinel starts; disabling and enabling it starts no other.
    Starts(SentinelId),
    /// The life of the sentinel is over, at its end.
    Ends(SentinelId),
    /// It tells again, after it was held back.
    Wakes(SentinelId),
    Notice(Notice),
}

/// What becomes of the notifications of a sentinel.
#[derive(Debug)]
pub(crate) enum Notice {
    /// It is defined, and keeps this number of notifications in any case.
    Defined {
        sentinel: SentinelId,
        history: u32,
    },
    /// No look is waited for any more.
    Parted(SentinelId),
    /// Whom it tells, or when, is another. `held`: until when it tells nothing, here and below.
    Hurry {
        sentinel: SentinelId,
        held: Option<Instant>,
    },
    Ended {
        sentinel: SentinelId,
        held: Option<Instant>,
    },
    /// What earlier generations than this had pending goes out.
    Replaced {
        sentinel: SentinelId,
        generation: u32,
        held: Option<Instant>,
    },
    Removed(SentinelId),
    /// An earlier generation is gone.
    Forgotten(SentinelId),
    Health(Box<Told>),
    /// What it tells was held back until `before`, and is until `until` from now on.
    Held {
        sentinel: SentinelId,
        before: Option<Instant>,
        until: Option<Instant>,
    },
}

/// A sentinel asks for a place in a stream, to listen to `monitor`.
#[derive(Debug)]
pub(crate) struct Join {
    pub(crate) sentinel: SentinelId,
    /// Which of its places it is.
    pub(crate) place: usize,
    pub(crate) ask: Ask,
    pub(crate) monitor: Box<ast::Expr>,
    pub(crate) compare: ast::Compare,
    pub(crate) history: u32,
    /// It hears of looks from here on.
    pub(crate) since: Instant,
}

/// What the others know of a name's sentinel, and of what its new text names.
#[derive(Debug)]
pub(crate) struct Bearings {
    /// The sources, in the order written.
    pub(crate) sources: Vec<SourceId>,
    pub(crate) reach: Reach,
    /// Where the sentinel that has the name stands with each of its sources.
    pub(crate) before: Vec<Standpoint>,
    /// What its captures have come to, if it has any.
    pub(crate) so_far: Option<Box<SoFar>>,
}

/// Where a sentinel stands with a source.
#[derive(Debug)]
pub(crate) struct Standpoint {
    pub(crate) source: SourceId,
    pub(crate) probing: Option<Instant>,
    /// Rounds of its source are open.
    pub(crate) has_rounds: bool,
    /// The last elements of its stream.
    pub(crate) last: Vec<LastElement>,
}

/// What is due at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    Activate(SentinelId),
    End(SentinelId),
    /// Somebody removed it ten minutes ago.
    Go(SentinelId),
    /// Somebody snoozed it until now.
    Wake(SentinelId),
}

impl Life {
    pub(crate) fn new(config: &Config, now: Instant) -> Life {
        Life {
            zone: config.zone.clone(),
            chronon: config.schedule.chronon,
            sentinels_max: config.sentinels_max,
            now,
            sentinels: BTreeMap::new(),
            names: Names::default(),
            tags: Tags::default(),
            last_plan: None,
            earlier: Earlier::default(),
            watchers: BySource::new(),
            followers: BTreeMap::new(),
            chains: Chains::default(),
            timers: Timers::default(),
            turns: Turns::default(),
            applying: None,
            touched: BTreeSet::new(),
            out: VecDeque::new(),
        }
    }

    pub(crate) fn handle(&mut self, now: Instant, input: In) {
        self.now = now;
        match input {
            In::Timer => match self.timers.pop_due(now) {
                Some(Timer::Activate(sentinel)) => self.begin_if_due(sentinel),
                Some(Timer::End(sentinel)) => self.end_if_due(sentinel),
                Some(Timer::Go(sentinel)) => self.go_if_due(sentinel),
                Some(Timer::Wake(sentinel)) => self.wake_if_due(sentinel),
                None => {}
            },
            In::Joined { sentinel, place, stream, first_index } => {
                self.joined(sentinel, place, stream, first_index);
            }
            In::EndedEarly { sentinel, last } => self.take_back_end(sentinel, last),
            In::Still { source, probing } => self.leave_when_still(source, probing),
            In::Failing { source, since, why, otherwise } => {
                self.tell_failing(source, since, &why, otherwise);
            }
            In::KnowsOdd { sentinel, source, worry } => self.know_odd(sentinel, source, worry),
            In::Shown { sentinel, source } => self.know_back(sentinel, source),
            In::Answers { source, is_as_before, was_failing } => {
                self.note_back(source, is_as_before, was_failing);
            }
            In::BeginsAnew(source) => self.start_streams_anew(source),
            In::Sight { sentinel, source, missing } => self.tell_sight(sentinel, source, missing),
            In::NotEvaluated(sentinel) => self.note_evaluation(
                sentinel,
                "a version could not be read; its last round was not evaluated",
            ),
        }
    }

    /// The next of what has come of it.
    pub(crate) fn poll(&mut self) -> Option<Out> {
        queue::next(&mut self.out)
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.next()
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        if self.is_changing_names() { Some(self.now) } else { self.timers.next() }
    }

    fn say(&mut self, out: Out) {
        self.out.push_back(out);
    }

    fn record(&mut self, record: Record) {
        self.say(Out::Record(record));
    }

    fn notice(&mut self, notice: Notice) {
        self.say(Out::Notice(notice));
    }

    fn announce(&mut self, announcement: Announcement) {
        self.say(Out::Effect(Effect::Announce(announcement)));
    }

    fn answer(&mut self, request: RequestId, answer: Answer) {
        self.say(Out::Effect(Effect::Answer { request, answer }));
    }
}
