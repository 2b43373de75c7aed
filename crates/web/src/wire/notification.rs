//! Notifications and their attempts, as the API shows them.

use super::{Channel, Time, some_text};
use chronon::Instant;
use outbox::{Attempt, ChannelId, DeliveryResult, Row, Stage};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// The channel that is the inbox alone.
const INBOX: &str = "interactive";

/// A message on one channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Notification {
    pub(crate) id: u64,
    key: String,
    /// `change`, `digest`, `source.failing`, `source.recovered`, `selector.missing`,
    /// `selector.found`, `channel.test` or `channel.failing`.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    sentinel_id: Option<u64>,
    pub(crate) sentinel: Option<String>,
    /// What the sentinel was called as it told.
    #[serde(skip)]
    pub(crate) called: Option<String>,
    /// The name of the rule that tells it; null: no rule does, or it was removed.
    pub(crate) rule: Option<String>,
    seq: u64,
    pub(crate) channel: Option<Channel>,
    #[serde(skip)]
    channel_id: ChannelId,
    source_id: Option<u32>,
    detections: Vec<u64>,
    /// Detections beyond those: "and 312 more".
    more: u64,
    note: Option<String>,
    created_at: Time,
    composed_at: Option<Time>,
    /// `open`, `closed`, `due`, `delivered`, `given_up` or `cancelled`.
    state: &'static str,
    #[serde(skip)]
    stage: Stage,
    /// When it closes, is due, or ended.
    state_at: Option<Time>,
    /// Why it was given up.
    state_reason: Option<String>,
    attempts_made: u32,
    read: bool,
    /// One sentence; null until it is composed.
    pub(crate) summary: Option<String>,
}

impl Notification {
    pub(crate) fn of(row: &Row) -> Notification {
        let stage = row.state.stage();
        Notification {
            id: row.id.0,
            key: row.key.0.to_string(),
            kind: row.kind.name(),
            sentinel_id: row.sentinel.map(|id| id.0),
            sentinel: None,
            called: None,
            rule: None,
            seq: row.seq,
            channel: None,
            channel_id: row.channel,
            source_id: row.source.map(|id| id.0),
            detections: row.members.iter().map(|id| id.0).collect(),
            more: row.more,
            note: some_text(&row.note),
            created_at: Time(row.created_at),
            composed_at: row.closed_at.map(Time),
            state: stage.words().name,
            stage,
            state_at: row.state.at().map(Time),
            state_reason: row.state.reason().map(str::to_owned),
            attempts_made: row.attempts,
            read: row.read,
            summary: None,
        }
    }
}

/// "email me@example.org, ops · delivered; desk · will be tried again", of one alert on its
/// channels; nothing of what is in the inbox alone and complete.
pub(crate) fn delivery_words<'n>(all: impl Iterator<Item = &'n Notification>) -> String {
    let mut by_state: Vec<(&str, Vec<String>)> = Vec::new();
    for one in all {
        let channel = one.channel.as_ref().filter(|channel| channel.name != INBOX);
        if channel.is_none() && one.channel.is_some() && one.has_arrived() {
            continue;
        }
        let state = one.state_words();
        let at = by_state.iter().position(|(said, _)| *said == state).unwrap_or_else(|| {
            by_state.push((state, Vec::new()));
            by_state.len() - 1
        });
        by_state[at].1.extend(channel.map(Channel::words));
    }
    let said = by_state.into_iter().map(|(state, channels)| match channels.join(", ") {
        none if none.is_empty() => state.to_owned(),
        channels => format!("{channels} · {state}"),
    });
    said.collect::<Vec<_>>().join("; ")
}

impl Notification {
    /// Whether this detection is told by it.
    pub(crate) fn tells(&self, detection: outbox::DetectionId) -> bool {
        self.detections.contains(&detection.0)
    }

    /// Whether both say the same, each on a channel of its own: of the same finds, or where there
    /// are none, in the same words.
    pub(crate) fn says_the_same(&self, other: &Notification) -> bool {
        // A digest of one find is that find, told later.
        let kind = |one: &Notification| match one.kind {
            "digest" if one.finds() == 1 => "change",
            kind => kind,
        };
        let what = |one: &Notification| (kind(one), one.sentinel_id, one.source_id, one.more);
        let is_of_finds = !self.detections.is_empty();
        what(self) == what(other)
            && self.created_at.0 == other.created_at.0
            && self.detections == other.detections
            && self.rule == other.rule
            && (is_of_finds || (self.summary.is_some() && self.summary == other.summary))
            && self.channel_id != other.channel_id
    }

    /// How many finds it tells.
    fn finds(&self) -> u64 {
        self.detections.len() as u64 + self.more
    }

    pub(crate) fn created(&self) -> Instant {
        self.created_at.0
    }

    /// Whether more may come to it: what it will say is not known yet.
    pub(crate) fn is_gathering(&self) -> bool {
        self.stage == Stage::Open
    }

    /// Not read yet; what is still being gathered is no news.
    pub(crate) fn is_news(&self) -> bool {
        !self.read && !self.is_gathering()
    }

    pub(crate) fn has_arrived(&self) -> bool {
        self.stage == Stage::Delivered
    }

    /// What the notification is about, in two or three words.
    pub(crate) fn title(&self) -> String {
        let name = self.sentinel.clone().or_else(|| self.rule.clone());
        let removed = |id: u64| match &self.called {
            Some(called) => format!("{called}, removed"),
            None => format!("sentinel s{id}, removed"),
        };
        let name = name.or_else(|| self.sentinel_id.map(removed));
        match (self.kind, name) {
            ("digest", Some(name)) if self.finds() > 1 => format!("{name}: digest"),
            ("source.failing", Some(name)) => format!("{name}: its source fails"),
            ("source.recovered", Some(name)) => format!("{name}: its source is back"),
            ("selector.missing", Some(name)) => format!("{name}: finds nothing"),
            ("selector.found", Some(name)) => format!("{name}: finds again"),
            (_, Some(name)) => name,
            ("channel.failing", None) => "A channel fails".to_owned(),
            (_, None) => "Test of a channel".to_owned(),
        }
    }

    /// What is said before there is a summary.
    pub(crate) fn waiting_words(&self) -> String {
        match (self.stage, self.note.as_deref()) {
            (_, Some(note)) => note.to_owned(),
            (Stage::Open, None) => {
                let changes = self.finds();
                let until = match self.state_at {
                    Some(_) => "its window ends",
                    None => "what went before has arrived",
                };
                format!("{changes} so far; told when {until}")
            }
            (Stage::GivenUp | Stage::Cancelled, None) => "ended before it was ready".to_owned(),
            _ => "is being prepared".to_owned(),
        }
    }

    pub(crate) fn state_words(&self) -> &'static str {
        match self.stage {
            Stage::Due if self.attempts_made > 0 => "will be tried again",
            stage => stage.words().said,
        }
    }

    /// When the state's time comes or came, and why it was given up.
    pub(crate) fn state_detail(&self) -> (Option<Instant>, Option<&str>) {
        (self.state_at.map(|at| at.0), self.state_reason.as_deref())
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }
}

/// A notification with what it says and how its delivery went.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct NotificationInFull {
    #[serde(flatten)]
    pub(crate) notification: Notification,
    /// The body as a webhook gets it; null until it is composed.
    #[schema(value_type = Option<Object>)]
    pub(crate) body: Option<Box<RawValue>>,
    /// The last attempts, oldest first.
    pub(crate) attempts: Vec<DeliveryAttempt>,
}

/// One attempt to deliver.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DeliveryAttempt {
    number: u32,
    at: Time,
    /// `delivered`, `failed` or `gone`.
    result: &'static str,
    reason: Option<String>,
}

impl From<&Attempt> for DeliveryAttempt {
    fn from(attempt: &Attempt) -> DeliveryAttempt {
        let (result, reason) = match &attempt.result {
            DeliveryResult::Delivered => ("delivered", None),
            DeliveryResult::Failed { reason, .. } => ("failed", Some(reason.to_string())),
            DeliveryResult::Gone { reason } => ("gone", Some(reason.to_string())),
        };
        DeliveryAttempt { number: attempt.number, at: Time(attempt.at), result, reason }
    }
}
