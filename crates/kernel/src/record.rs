//! What survives: one type per table. Records are idempotent upserts or deletes of single rows.

use address::{SourceUrl, Way};
use chronon::{
    BlobId, EventId, Instant, OwnerId, RuleId, SentinelId, SourceId, Span, StreamId, VersionNo,
    Zone,
};
use event::{Mark, NodeId};
use graph::{Element, RoundId};
use outbox::{ChannelId, ChannelRow, Detection, DetectionId, OutboxRecord};
use page::{Kind, Odd, View};
use sentinel::Canonical;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One change of the store.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Meta(Meta),
    Owner(OwnerRow),
    Sentinel(Box<SentinelRow>),
    SentinelLife(SentinelLife),
    /// With its life; detections and notifications stay as history.
    SentinelGone(SentinelId),
    /// An entry of the sentinel's ring of the last 100 changes of state.
    Transition(Transition),
    Source(Box<SourceRow>),
    SourceGone(SourceId),
    Schedule(schedule::SourceRecord),
    /// What is learned of the source's pages; nothing if the source is gone.
    Habits(HabitsRow),
    /// Whether something quiet of the source is told all the same; nothing if the source is gone.
    Loud(LoudRow),
    /// One row: at which hours of the week pages change.
    Week(schedule::WeekRecord),
    /// An entry of the source's ring of the last 100 probes.
    Probe(ProbeRow),
    Version(Box<VersionRow>),
    /// A version that was held counts from now on.
    Counted(SourceId, VersionNo),
    Stream(StreamRow),
    StreamGone(StreamId),
    Round(RoundRow),
    RoundGone(RoundId),
    Detection(Box<Detection>),
    Rule(Box<RuleRow>),
    RuleLife(RuleLife),
    /// With its life; detections and notifications stay as history.
    RuleGone(RuleId),
    /// An event that rules listen to, by its name.
    Event(EventRow),
    EventGone(EventId),
    /// What the detector of events knows.
    Detector(event::Change),
    /// A rule is to be carried out later: an intent.
    Firing(Box<FiringRow>),
    FiringGone(u64),
    /// Looks that are wanted by some time: an intent.
    Demand(DemandRow),
    DemandGone(u64),
    Outbox(OutboxRecord),
    Host(HostRow),
    /// Nothing is to be known of it.
    HostGone(Box<str>),
    /// One row: what is left of a large file.
    Applying(Box<ApplyingRow>),
    ApplyingGone,
}

/// One row: identity, and the counters of what belongs to nobody. Ids are never used twice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meta {
    /// Random, made by the shell with the store; hashed into keys.
    pub instance: [u8; 16],
    /// Counts starts.
    pub epoch: u64,
    pub next_source: u32,
    /// When something was written last, half a minute of lag aside. A clock that is behind it is
    /// doubted: see [`Meta::doubts`].
    pub newest: Instant,
    /// Looks without a clock begin spread; those of the first release all began where they were
    /// applied.
    pub spread: bool,
}

/// How far a clock may be behind what the store has seen and be believed all the same.
const BEHIND_MAX: Span = Span::MINUTE;

impl Meta {
    /// Whether `now` cannot be, by what the store has seen: more than a minute before it.
    pub fn doubts(&self, now: Instant) -> bool {
        self.newest - now > BEHIND_MAX
    }
}

/// The counters of one owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerRow {
    pub id: OwnerId,
    pub next_sentinel: u64,
    pub next_detection: u64,
    pub next_notification: u64,
    pub next_channel: u64,
}

impl OwnerRow {
    /// Nothing has been made yet. Numbers start at 1: 0 is what people read as "none".
    pub fn new(id: OwnerId) -> OwnerRow {
        let [next_sentinel, next_detection, next_notification, next_channel] = [1; 4];
        OwnerRow { id, next_sentinel, next_detection, next_notification, next_channel }
    }
}

/// A sentinel's definition; written when it is created or replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct SentinelRow {
    pub id: SentinelId,
    pub name: Box<str>,
    /// Counts definitions under this name, from 1.
    pub generation: u32,
    /// Canonical text with inheritance and defaults resolved; `now` means `defined_at`.
    pub text: Canonical,
    /// The first source.
    pub source: SourceId,
    /// The others, in the order written.
    pub others: Box<[SourceId]>,
    pub created_at: Instant,
    pub defined_at: Instant,
}

impl SentinelRow {
    /// All sources, in the order written.
    pub fn sources(&self) -> impl Iterator<Item = SourceId> {
        std::iter::once(self.source).chain(self.others.iter().copied())
    }
}

/// A sentinel's state; written whenever it changes.
#[derive(Debug, Clone, PartialEq)]
pub struct SentinelLife {
    pub id: SentinelId,
    pub state: SentinelState,
    /// Since when it hears: activation or enabling; `None` before.
    pub since: Option<Instant>,
    /// When it ended, if it did.
    pub until: Option<Instant>,
    /// When it started: disabling and enabling begin no new life.
    pub started: Option<Instant>,
    /// When it begins and ends, where that counts from another life and is known.
    pub from: Option<Instant>,
    pub to: Option<Instant>,
    pub stream: Option<StreamId>,
    /// Where its windows start in the stream (`every n`).
    pub first_index: u64,
    /// Notifications so far.
    pub seq: u64,
    /// Why its last round was not evaluated; empty if it was.
    pub not_evaluated: Box<str>,
    /// A selector of it finds nothing, since when, and that was told; `None`: all find something,
    /// as far as is known.
    pub blind: Option<Instant>,
    /// It was told that its source fails, or what the page has become; that it is over, it was not.
    pub worry: Option<Worry>,
    /// Where it stands with its other sources, in the order written.
    pub others: Box<[Place]>,
    /// What it finds is told then, as one digest; in the past: at once.
    pub snoozed: Option<Instant>,
    /// Somebody removed it: it is gone then, unless they take that back. Meanwhile it goes on, and
    /// tells nothing.
    pub going: Option<Instant>,
}

/// Where a sentinel stands with one of its further sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// Nothing where all sources are captured together: then the life's own stream is of them all.
    pub stream: Option<StreamId>,
    pub first_index: u64,
    pub worry: Option<Worry>,
    pub blind: Option<Instant>,
}

/// What a sentinel was told of a source, which it was not told is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worry {
    /// Since when the source fails.
    pub since: Instant,
    /// It was told what the page has become, and not that the source fails.
    pub is_of_page: bool,
    /// It is over, and that is yet to be told.
    pub back: Option<Back>,
}

/// A source answers again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Back {
    pub at: Instant,
    /// It has shown since then what it showed before it failed.
    pub is_as_before: bool,
}

impl SentinelLife {
    /// The streams that it listens to.
    pub fn streams(&self) -> impl Iterator<Item = StreamId> {
        self.stream.into_iter().chain(self.others.iter().filter_map(|place| place.stream))
    }
}

/// pending → active ⇄ disabled → ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SentinelState {
    Pending,
    Active,
    Disabled,
    Ended,
}

impl SentinelState {
    /// Every state.
    pub const ALL: [SentinelState; 4] = [
        SentinelState::Pending,
        SentinelState::Active,
        SentinelState::Disabled,
        SentinelState::Ended,
    ];

    /// The word that stores keep, and that people see.
    pub const fn name(self) -> &'static str {
        match self {
            SentinelState::Pending => "pending",
            SentinelState::Active => "active",
            SentinelState::Disabled => "disabled",
            SentinelState::Ended => "ended",
        }
    }
}

/// A change of state, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    pub sentinel: SentinelId,
    pub at: Instant,
    pub state: SentinelState,
    pub cause: Cause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    User,
    Time,
    /// A rule enabled or disabled it.
    Rule,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 3] = [Cause::User, Cause::Time, Cause::Rule];

    /// The word that stores keep.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::User => "user",
            Cause::Time => "time",
            Cause::Rule => "rule",
        }
    }
}

/// A source, and what the last probes said.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceRow {
    pub id: SourceId,
    pub url: SourceUrl,
    /// With the URL, and whose it is, it makes the source.
    pub way: Way,
    /// Whose it is, if its credentials make it somebody's; others are shared by all.
    pub owner: Option<OwnerId>,
    pub host: Arc<str>,
    pub added_at: Instant,
    /// The current version, the last one that counts; 0 before the first.
    pub version: u32,
    /// The current version's.
    pub fingerprint: [u8; 32],
    /// The current version's; means nothing before the first.
    pub kind: Kind,
    /// The number of the extractor that read the current version, and what is held.
    pub extractor: u32,
    /// The number of the newest version, held or not.
    pub newest: u32,
    /// What the source shows since it is doubtful.
    pub held: Option<Box<Held>>,
    /// Last content or not modified.
    pub last_success: Option<Instant>,
    /// Last content without validators, for `revalidate_after`.
    pub last_unconditional: Option<Instant>,
    /// What the last answer that counts said for conditional looks.
    pub validators: KeptValidators,
    pub failures: u32,
    pub failing_since: Option<Instant>,
    /// It has failed for so long that whoever watches it is told; see
    /// [`SentinelLife::worry`].
    pub failing_told: bool,
    /// Where its redirects lead; nothing if it has none.
    pub trail: Option<Box<Trail>>,
    /// When a person last asked for a look; no look that counts has begun since.
    pub asked: Option<Instant>,
    /// The number of its next stream.
    pub next_stream: u32,
}

impl SourceRow {
    /// A source of everybody that nobody has looked at yet.
    pub fn new(id: SourceId, url: SourceUrl, added_at: Instant) -> SourceRow {
        SourceRow {
            id,
            host: host_name(url.reveal()).into(),
            url,
            way: Way::default(),
            owner: None,
            added_at,
            version: 0,
            fingerprint: [0; 32],
            kind: Kind::Html,
            extractor: 0,
            newest: 0,
            held: None,
            last_success: None,
            last_unconditional: None,
            validators: KeptValidators::default(),
            failures: 0,
            failing_since: None,
            failing_told: false,
            trail: None,
            asked: None,
            next_stream: 1,
        }
    }

    /// What an answer from `url` said for looks to come. Most come from the source's own address,
    /// which is not kept twice.
    pub fn keep_validators(&mut self, etag: Option<&str>, modified: Option<&str>, url: &str) {
        let url = if *url == *self.url.shown() { "" } else { url };
        self.validators = KeptValidators::new(etag, modified, url);
    }

    /// The final URL of the answer that gave the validators.
    pub fn validators_url(&self) -> Cow<'_, str> {
        match self.validators.url() {
            "" => self.url.shown(),
            url => Cow::Borrowed(url),
        }
    }

    /// `owner` may watch it.
    pub fn is_for(&self, owner: OwnerId) -> bool {
        self.owner.is_none_or(|its| its == owner)
    }
}

/// The validators of an answer, and the URL that gave them, which is empty where it is the source's
/// own. One text holds them all: three take twice the memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptValidators(Box<str>);

impl KeptValidators {
    /// Nothing is kept without validators, nor if one of them is no header of one line.
    pub fn new(etag: Option<&str>, modified: Option<&str>, url: &str) -> KeptValidators {
        let [etag, modified] = [etag, modified].map(Option::unwrap_or_default);
        let is_nothing = etag.is_empty() && modified.is_empty();
        if is_nothing || [etag, modified, url].iter().any(|part| part.contains('\n')) {
            return KeptValidators::default();
        }
        KeptValidators([etag, modified, url].join("\n").into())
    }

    fn part(&self, place: usize) -> &str {
        self.0.split('\n').nth(place).unwrap_or_default()
    }

    pub fn etag(&self) -> Option<&str> {
        Some(self.part(0)).filter(|etag| !etag.is_empty())
    }

    pub fn last_modified(&self) -> Option<&str> {
        Some(self.part(1)).filter(|modified| !modified.is_empty())
    }

    /// Empty: the source's own.
    pub fn url(&self) -> &str {
        self.part(2)
    }
}

/// Who answers for sources, where there is something to be known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRow {
    pub name: Box<str>,
    /// It asked to be left alone until then.
    pub held_until: Option<Instant>,
    /// How often in a row it asked for that.
    pub holds: u32,
}

/// What redirects taught of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail {
    /// Where they led in the end, the last time; empty if that is not known.
    pub to: Box<str>,
    /// How many looks in a row were led there.
    pub looks: u32,
    /// When the source's own address was last asked.
    pub asked: Instant,
    /// Where the next look goes on because the last one ran out of time, and after how many
    /// redirects.
    pub unfinished: Option<(Box<str>, u32)>,
    /// The host they led to that asked for a pause, and until when.
    pub pause: Option<(Box<str>, Instant)>,
}

/// Content that does not count: a second look decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub version: VersionNo,
    pub fingerprint: [u8; 32],
    pub kind: Kind,
    /// `None`: it is held for being of another kind than the current version.
    pub odd: Option<Odd>,
    /// While a second look is to decide: when the doubt began. Then: when the last look started
    /// that showed it.
    pub seen: Instant,
    /// It is odd, and a second look showed it again: it is known for what it is.
    pub confirmed: bool,
}

impl Held {
    /// A second look is to decide.
    pub fn is_pending(&self) -> bool {
        !self.confirmed
    }
}

/// One probe, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeRow {
    pub source: SourceId,
    /// Counts the source's probes; the ring's position is this modulo 100.
    pub number: u64,
    pub start: Instant,
    pub took: Span,
    /// Bytes of the answer's body, decompressed.
    pub body_bytes: u64,
    /// What the answer took on the wire: headers, and the body as it came.
    pub wire_bytes: u64,
    pub outcome: ProbeOutcome,
    pub reason: schedule::Reason,
    /// Where redirects led it.
    pub led_to: Option<Box<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// Content that made this version.
    Version(VersionNo),
    /// Content with the fingerprint of the current version.
    Same,
    /// Content that does not count: it is held as this version.
    Held(VersionNo),
    NotModified,
    Failed {
        status: Option<u16>,
        reason: Box<str>,
    },
}

/// What the shell found in an answer with content. The blobs travel beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionFacts {
    /// The whole page gives fingerprint, kind, oddness and summary.
    pub fingerprint: [u8; 32],
    pub kind: Kind,
    /// Why the content is odd, if it is.
    pub odd: Option<Odd>,
    pub body: BlobId,
    pub extracts: Extracts,
    pub status: u16,
    pub media_type: Box<str>,
    pub final_url: Box<str>,
    /// Already dropped where the one-second-clock rule says so.
    pub etag: Option<Box<str>>,
    pub last_modified: Option<Box<str>>,
    /// The server's Last-Modified, whatever it is worth as validator.
    pub modified_at: Option<Instant>,
    /// "page, 214 words, 37 links, a feed at https://…".
    pub summary: Box<str>,
}

/// The extracts of a version, by view.
pub type Extracts = BTreeMap<View, ExtractRef>;

/// Where an extract is stored, and the number of the extractor that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtractRef {
    pub extractor: u32,
    pub blob: BlobId,
}

impl ExtractRef {
    /// The extracts of a version of which only the whole page was extracted.
    pub fn of_page(self) -> Extracts {
        Extracts::from([(View::Page, self)])
    }
}

impl VersionFacts {
    /// The number of the extractor that read the whole page; 0 if there is no extract of it.
    pub fn extractor(&self) -> u32 {
        self.extracts.get(&View::Page).map_or(0, |extract| extract.extractor)
    }

    /// Where the extract of the whole page is.
    pub fn whole(&self) -> Option<BlobId> {
        self.extracts.get(&View::Page).map(|extract| extract.blob)
    }
}

/// A version, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionRow {
    pub source: SourceId,
    pub number: VersionNo,
    pub fetched_at: Instant,
    /// It was doubtful, and counts for no comparison.
    pub held: bool,
    pub facts: VersionFacts,
}

/// A stream and the elements its groups may still need.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRow {
    pub id: StreamId,
    pub source: SourceId,
    pub spec: StreamSpec,
    /// Oldest first.
    pub elements: Vec<Element>,
    /// The kinds of content it showed, in the order in which they came: the histories of the graph.
    /// A stream of captures keeps here what each source showed at the last complete one; nothing
    /// if that is not known.
    pub strands: Vec<Strand>,
    /// The position of the one it shows.
    pub shown: u8,
    /// The next EI's number, for `Every`.
    pub next_ei: u64,
    /// Elements are captures of several sources.
    pub captures: Option<Box<CapturesRow>>,
}

/// What a stream of captures has beside its elements. An element's version is its number.
#[derive(Debug, Clone, PartialEq)]
pub struct CapturesRow {
    /// The first is the stream's.
    pub sources: Vec<SourceId>,
    /// How long the others have after a change in one, for `OnChange`.
    pub within: Span,
    /// For each element, the version of each source.
    pub versions: Vec<Box<[VersionNo]>>,
    /// Those that wait for some of their sources, oldest first; of `Every` only what is captured
    /// in part.
    pub open: Vec<OpenCapture>,
}

/// A CEI that is not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCapture {
    /// It brings the first element, before the first interval or change.
    pub is_baseline: bool,
    pub start: Instant,
    /// `NEVER`: it waits as long as it must.
    pub finish: Instant,
    /// Which sources are captured.
    pub captured: Vec<bool>,
}

/// One kind of content that a stream showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strand {
    pub kind: Kind,
    /// The last element's. An equal one makes no new element.
    pub fingerprint: [u8; 32],
}

/// Which versions enter a stream.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamSpec {
    /// Every version.
    OnChange,
    /// One capture per EI [t0 + k·period, t0 + k·period + slack], days stepping in `zone`.
    Every { t0: Instant, period: chronon::Period, slack: Span, zone: chronon::Zone },
}

/// A round that is open: an intent. The request is computed from the stream again.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundRow {
    pub id: RoundId,
    pub source: SourceId,
    pub opened_at: Instant,
}

/// A rule's definition; written when it is created or replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleRow {
    /// Drawn from the numbers of its owner's sentinels, so that each is one of both.
    pub id: RuleId,
    pub name: Box<str>,
    /// Counts definitions under this name, from 1.
    pub generation: u32,
    /// Canonical text; `now` means `defined_at`.
    pub text: Canonical,
    /// Whose days its durations step, and whose clocks it shows.
    pub zone: Zone,
    pub created_at: Instant,
    pub defined_at: Instant,
}

/// A rule's state; written whenever it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleLife {
    pub id: RuleId,
    pub is_enabled: bool,
    /// Where the detector says what it listens for; nothing while it is disabled.
    pub root: Option<NodeId>,
    /// Notifications so far.
    pub seq: u64,
    /// How often it was carried out, and when the last time.
    pub fired: u64,
    pub fired_at: Option<Instant>,
    /// Why it could not do something the last time; empty if it could.
    pub trouble: Box<str>,
}

/// An event that people and rules raise by name, because some rule listens to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Drawn from the numbers of its owner's sentinels.
    pub id: EventId,
    pub name: Box<str>,
    /// The last keys under which people raised it, oldest first.
    pub keys: Vec<RaiseKey>,
}

/// Names one occasion of raising an event, so that who got no answer may ask again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaiseKey(pub [u8; 16]);

/// A rule heard what it waited for, and has not acted on it yet.
#[derive(Debug, Clone, PartialEq)]
pub struct FiringRow {
    /// In the order of detection.
    pub number: u64,
    pub rule: RuleId,
    pub generation: u32,
    pub start: Instant,
    pub end: Instant,
    /// How many a closed interval gathered; 0 elsewhere.
    pub gathered: u32,
    /// What took part.
    pub marks: Vec<Mark>,
    /// The rules that led to this, first to last.
    pub chain: Vec<RuleId>,
}

/// Looks at some sources that are wanted in an interval, together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemandRow {
    pub number: u64,
    pub start: Instant,
    pub finish: Instant,
    /// What they are worth to whoever wants them, in millionths of a weight.
    pub weight: u64,
    /// Those that are still to be looked at.
    pub sources: Vec<SourceId>,
    /// The detection that they follow, and that waits for them; nothing where a rule wants them.
    pub about: Option<DetectionId>,
}

/// What is left of a file that is applied a piece per step: an intent. Sentinels of it that are
/// defined as they stand here are done with.
#[derive(Debug, Clone, PartialEq)]
pub struct ApplyingRow {
    /// What `now` means in it.
    pub now: Instant,
    /// Whose they are.
    pub owner: OwnerId,
    /// One canonical text for each sentinel, in order.
    pub texts: Vec<Canonical>,
}

/// What a source's pages do at most looks, as far as a version. The kernel passes it on: whoever
/// compares reads it, and a comparison that is made again learns the same again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HabitsRow {
    pub source: SourceId,
    /// The last version that was learned from.
    pub version: VersionNo,
    /// [`change::Habits`], encoded.
    pub learned: Arc<[u8]>,
}

/// A person's word on something quiet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoudRow {
    pub source: SourceId,
    pub key: change::Key,
    /// It is told; false: no more than other quiet things.
    pub is_loud: bool,
}

/// Everything the kernel's state is rebuilt from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    pub meta: Meta,
    pub owners: Vec<OwnerRow>,
    pub sentinels: Vec<(SentinelRow, SentinelLife)>,
    pub sources: Vec<SourceRow>,
    pub schedule: Vec<schedule::SourceRecord>,
    pub week: Option<schedule::WeekRecord>,
    pub streams: Vec<StreamRow>,
    pub rounds: Vec<RoundRow>,
    pub channels: Vec<ChannelRow>,
    /// Rows that are open, closed or due: all of them open or closed, and per channel the first
    /// 100 due ones.
    pub outbox: Vec<outbox::Row>,
    /// Unfinished rows per channel.
    pub outbox_counts: Vec<(ChannelId, u64)>,
    pub hosts: Vec<HostRow>,
    pub applying: Option<ApplyingRow>,
    pub rules: Vec<(RuleRow, RuleLife)>,
    pub events: Vec<EventRow>,
    /// The rows of the detector.
    pub detector: Vec<event::Row>,
    pub firings: Vec<FiringRow>,
    pub demands: Vec<DemandRow>,
    /// The detections that demands are about, in order of id.
    pub waiting: Vec<Detection>,
}

/// The unit of politeness: host and, if it is not the scheme's own, port.
pub(crate) fn host_name(url: &str) -> Box<str> {
    let Ok(url) = url::Url::parse(url) else { return url.into() };
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}").into(),
        None => host.into(),
    }
}
