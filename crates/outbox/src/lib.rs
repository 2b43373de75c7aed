//! Notifications: rows, digests, retries, giving up.
//!
//! Comes in: detections with whom to tell and how often, answers of channels. Goes out: [`Job`]s
//! (compose a body, deliver it, load more rows) and rows to remember. The kernel calls [`Outbox`];
//! shells do the jobs. Promises: pure; a notification is delivered at least once and always with
//! the same key and body; nothing is dropped silently; a failing channel delays no other.
//!
//! Start reading at [`Outbox`]; [`State`] is its state machine, drawn:
//!
//! ```text
//!           window closes,                        2xx
//!   Open ──── channel has room ──► Closed ──────► Due ──► Delivered ─┐ resend
//!                                    ▲  composed  │ ▲                │
//!   a detection told at once ────────┘     fails  └─┘ ◄──────────────┤
//!                                                 │ a day, disabled  │
//!   any of them, not in flight ──► Cancelled      └──► GivenUp ──────┘
//! ```

mod channel;
mod fold;
mod key;
mod manners;
mod outbox;
mod uptime;

pub use fold::Fold;
pub use key::change_key;
pub use manners::{Course, Failing, Manners, Quiet};
pub use notice::Kind;
pub use outbox::{ChannelDisabled, Counts, Ids, Outbox, Resent};

use address::Contact;
use change::{Evidence, LeafRef};
use channel::Channel;
use chronon::{BlobId, Instant, NotificationId, SentinelId, SourceId, Span, VersionNo};
pub use chronon::{ChannelId, DetectionId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The idempotency key of a notification on a channel: 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub Box<str>);

/// When a sentinel's notifications on a channel go out.
#[derive(Debug, Clone, PartialEq)]
pub enum Frequency {
    Immediately,
    BestEffort,
    /// In one message with the rest of its window.
    Digest(Window),
}

/// The window [t0 + kD, t0 + (k+1)D) of a digest, the first that is not closed when something is
/// told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// With `number` it makes the key.
    pub t0: Instant,
    /// k.
    pub number: u64,
    /// The nominal end; the windows of a sentinel on a channel are told apart by it.
    pub ends: Instant,
    pub closes: Closes,
}

/// One window of one sentinel on one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowPlace {
    pub sentinel: SentinelId,
    pub generation: u32,
    pub channel: ChannelId,
    pub ends: Instant,
}

/// When a window gathers no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closes {
    AtItsEnd,
    /// When [`Outbox::window_over`] says so, sooner or later than that.
    WhenSaid,
}

/// Where a row is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Gathers members until its window closes, which ends then (a digest). Without a window it
    /// gathers until the sentinel's earlier rows on the channel are finished and the channel is
    /// below its limit.
    Open {
        closes: Option<Instant>,
    },
    /// Members and key are frozen; the body is not composed yet.
    Closed,
    /// The body is frozen; the next attempt is due.
    Due {
        at: Instant,
    },
    Delivered {
        at: Instant,
    },
    /// Given up after a day of being up and trying, or as the channel is disabled; kept, and the
    /// reason told.
    GivenUp {
        at: Instant,
        reason: Box<str>,
    },
    Cancelled {
        at: Instant,
    },
}

/// A state without its times and reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Open,
    Closed,
    Due,
    Delivered,
    GivenUp,
    Cancelled,
}

/// The words for a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageWords {
    /// In the API (`docs/formats.md`).
    pub name: &'static str,
    /// For people.
    pub said: &'static str,
}

const STAGES: [(Stage, StageWords); 6] = [
    (Stage::Open, StageWords { name: "open", said: "gathering" }),
    (Stage::Closed, StageWords { name: "closed", said: "being prepared" }),
    (Stage::Due, StageWords { name: "due", said: "waiting to be sent" }),
    (Stage::Delivered, StageWords { name: "delivered", said: "delivered" }),
    (Stage::GivenUp, StageWords { name: "given_up", said: "given up" }),
    (Stage::Cancelled, StageWords { name: "cancelled", said: "cancelled" }),
];

impl Stage {
    /// The words for it.
    pub fn words(self) -> StageWords {
        STAGES[self as usize].1
    }

    /// All of them, in the order in which a notification comes to them.
    pub const ALL: [Stage; 6] = [
        Stage::Open,
        Stage::Closed,
        Stage::Due,
        Stage::Delivered,
        Stage::GivenUp,
        Stage::Cancelled,
    ];
}

impl DeliveryResult {
    /// What the first releases meant, which stored no reason.
    pub const GONE: &str = "the recipient answered 410 Gone: it wants no more notifications";
}

impl State {
    /// The state without its times and reasons.
    pub fn stage(&self) -> Stage {
        match self {
            State::Open { .. } => Stage::Open,
            State::Closed => Stage::Closed,
            State::Due { .. } => Stage::Due,
            State::Delivered { .. } => Stage::Delivered,
            State::GivenUp { .. } => Stage::GivenUp,
            State::Cancelled { .. } => Stage::Cancelled,
        }
    }

    /// When its time comes or came.
    pub fn at(&self) -> Option<Instant> {
        match self {
            State::Open { closes } => *closes,
            State::Closed => None,
            State::Due { at }
            | State::Delivered { at }
            | State::GivenUp { at, .. }
            | State::Cancelled { at } => Some(*at),
        }
    }

    /// Why it was given up.
    pub fn reason(&self) -> Option<&str> {
        match self {
            State::GivenUp { reason, .. } => Some(reason),
            _ => None,
        }
    }
}

/// One notification on one channel, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub id: NotificationId,
    pub key: Key,
    pub kind: Kind,
    /// `None` for a channel test.
    pub sentinel: Option<SentinelId>,
    pub generation: u32,
    pub channel: ChannelId,
    /// Counts per sentinel.
    pub seq: u64,
    /// The detections told, oldest first, at most `members_max`.
    pub members: Vec<DetectionId>,
    /// Members beyond `members_max`: "and 312 more".
    pub more: u64,
    /// For `source.failing` and `source.recovered`.
    pub source: Option<SourceId>,
    /// Since when the source fails, or why; empty otherwise.
    pub note: Box<str>,
    pub created_at: Instant,
    /// When members were frozen; `composed_at` of the body.
    pub closed_at: Option<Instant>,
    pub body: Option<BlobId>,
    pub attempts: u32,
    pub first_attempt: Option<Instant>,
    /// What was spent since it was queued, or sent again.
    pub effort: Effort,
    pub state: State,
    pub read: bool,
}

/// What trying to deliver a row has cost so far; see [`Config::give_up_after`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    pub tries: u32,
    /// How long the process was up between its tries.
    pub up: Span,
    /// When it was tried last.
    pub last: Option<Instant>,
}

/// One attempt to deliver, as stored (the last 50 of a row).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub notification: NotificationId,
    pub number: u32,
    pub at: Instant,
    pub result: DeliveryResult,
}

/// How a delivery ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryResult {
    Delivered,
    /// Try again later; `after` if the recipient said when.
    Failed {
        reason: Box<str>,
        after: Option<Span>,
    },
    /// The recipient wants no more of anything, or is no more: the channel is disabled.
    Gone {
        reason: Box<str>,
    },
}

/// One work for the shell.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    Compose(NotificationId),
    /// Attempt `number` (from 1) of a row whose body is frozen.
    Deliver {
        notification: NotificationId,
        channel: ChannelId,
        key: Key,
        body: BlobId,
        number: u32,
    },
    /// Load the next due rows of this channel: the first [`Config::rows_loaded_per_channel`] of the
    /// store's, by due time, then id; those held already may be among them.
    LoadDue {
        channel: ChannelId,
    },
}

/// What must survive.
#[derive(Debug, Clone, PartialEq)]
pub enum OutboxRecord {
    Row(Box<Row>),
    Attempt(Attempt),
    Channel(ChannelRow),
}

/// A channel as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelRow {
    pub id: ChannelId,
    /// `interactive`, `terminal`, `email`, `webhook` or a configured name.
    pub name: Box<str>,
    pub contact: Option<Contact>,
    /// Why it takes no more, if it is disabled.
    pub disabled: Option<Box<str>>,
    pub course: Course,
}

/// Limits, with their units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Hashed into every key.
    pub instance: [u8; 16],
    pub in_flight_max: u32,
    pub in_flight_per_channel_max: u32,
    /// Rows of a channel held in memory.
    pub rows_loaded_per_channel: u32,
    /// Unfinished rows of a channel beyond which new ones merge per sentinel.
    pub outbox_rows_max: u32,
    pub members_max: u32,
    pub retry_first: Span,
    pub retry_max: Span,
    /// The most that a recipient's Retry-After delays the next try.
    pub retry_after_max: Span,
    /// Given up is what was tried for so long while the process was up, and so often.
    pub give_up_after: Span,
    pub give_up_tries: u32,
    /// A channel that takes nothing for so long is told of on another.
    pub tell_of_failing_after: Span,
    /// By the channel's name.
    pub manners: BTreeMap<Box<str>, Manners>,
}

impl Config {
    /// The limits that suit most: 64 deliveries in flight, 4 per channel; 100 rows of a channel
    /// held, 10,000 unfinished ones before they merge; 500 members. Retries come after 5 s,
    /// doubling to 1 h, Retry-After up to 6 h, until 24 h of being up and 12 tries. A channel that
    /// takes nothing for a day is told of.
    pub fn standard(instance: [u8; 16]) -> Config {
        Config {
            instance,
            in_flight_max: 64,
            in_flight_per_channel_max: 4,
            rows_loaded_per_channel: 100,
            outbox_rows_max: 10_000,
            members_max: 500,
            retry_first: Span::from_secs(5),
            retry_max: Span::HOUR,
            retry_after_max: Span::HOUR.times(6),
            give_up_after: Span::DAY,
            give_up_tries: 12,
            tell_of_failing_after: Span::DAY,
            manners: BTreeMap::new(),
        }
    }
}

/// One time a sentinel's expression held, or what a rule waited for occurred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    pub id: DetectionId,
    /// Rules are numbered with sentinels: of a rule, its number.
    pub sentinel: SentinelId,
    pub generation: u32,
    pub at: Instant,
    pub seq: u64,
    /// What it rests on; with sentinel and generation it identifies the fact.
    pub evidence: Vec<Evidence>,
    /// The leaves that held together, each a position in `evidence`.
    pub combinations: Vec<Vec<LeafRef>>,
    /// What took part in what a rule detected, in order of time; none of a sentinel's.
    pub parts: Vec<Part>,
    /// The looks that followed it, where its sentinel asks for some.
    pub follow: Option<Box<Follow>>,
}

/// Looks that a detection led to; its notification waits for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Follow {
    /// They were to begin by then.
    #[serde(with = "chronon::millis")]
    pub finish: Instant,
    /// One for each source, in the order written.
    pub looks: Vec<FollowingLook>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowingLook {
    pub source: SourceId,
    /// As the sentinel calls it.
    pub name: Option<Box<str>>,
    pub came: Came,
}

/// What has come of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Came {
    /// Nothing yet.
    Nothing,
    /// A look that began at that time found the source as this version has it.
    Shown(VersionNo, #[serde(with = "chronon::millis")] Instant),
    /// Nothing that counts, for this reason.
    Missed(Box<str>),
}

impl Follow {
    /// What has come of the look at a source; whether that is news. What was shown stays.
    pub fn came(&mut self, source: SourceId, came: &Came) -> bool {
        let look = self.looks.iter_mut().find(|look| look.source == source);
        let Some(look) = look.filter(|look| !matches!(look.came, Came::Shown(..))) else {
            return false;
        };
        let is_news = look.came != *came;
        look.came.clone_from(came);
        is_news
    }
}

/// Something that took part in what a rule detected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    #[serde(with = "chronon::millis")]
    pub at: Instant,
    pub what: PartKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// A sentinel found something.
    Found(SentinelId, DetectionId),
    Started(SentinelId),
    Ended(SentinelId),
    Fetched(SentinelId),
    Failed(SentinelId),
    /// An event of this name was raised.
    Raised(Box<str>),
    /// The time came that the rule waited for.
    Clock,
}

impl Detection {
    /// A rule made it.
    pub fn is_of_rule(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// Whom a detection is told to, and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Whom {
    pub channel: ChannelId,
    pub frequency: Frequency,
}

/// A source's health to be told to one sentinel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// [`Kind::SourceFailing`] or [`Kind::SourceRecovered`], of a selector
    /// [`Kind::SelectorMissing`] or [`Kind::SelectorFound`].
    pub kind: Kind,
    pub source: SourceId,
    /// Since when it fails, or failed; with the source it identifies the fact.
    pub failing_since: Instant,
    /// A sentence for people: "the server answered 503".
    pub note: Box<str>,
    pub sentinel: SentinelId,
    pub generation: u32,
    pub seq: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: SourceId = SourceId(1);
    const SECOND: SourceId = SourceId(2);

    #[test]
    fn what_a_following_look_shows_is_news_once_and_stays() {
        let look = |source| FollowingLook { source, name: None, came: Came::Nothing };
        let finish = Instant::EPOCH;
        let mut follow = Follow { finish, looks: vec![look(FIRST), look(SECOND)] };
        let missed = Came::Missed("the server answered 503".into());
        let shown = |version| Came::Shown(VersionNo(version), finish);
        assert!(!follow.came(SourceId(3), &missed), "nobody waits for it");
        assert!(follow.came(SECOND, &missed));
        assert!(!follow.came(SECOND, &missed), "the same again is no news");
        assert!(follow.came(SECOND, &shown(7)), "a later try shows it");
        assert!(!follow.came(SECOND, &missed), "what was shown stays");
        assert!(!follow.came(SECOND, &shown(8)));
        let came: Vec<&Came> = follow.looks.iter().map(|look| &look.came).collect();
        assert_eq!(came, [&Came::Nothing, &shown(7)]);
    }
}
