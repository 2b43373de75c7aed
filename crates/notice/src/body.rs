//! The fields of a body, in the order of `docs/formats.md`, Webhook.
//!
//! Every body has all fields but those that are said to be left out; what does not apply is null or
//! empty. What is missing in a stored body, or of another kind, is read as its default.

use crate::read::{lenient, lenient_list, lenient_option, update_unless_known};
use change::{ChangeKind, Context, Piece, Spans, Thing};
use chronon::SentinelId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A notification.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Notice {
    /// Grows when a change of the format is more than an addition.
    #[serde(deserialize_with = "lenient")]
    pub format: u32,
    /// The idempotency key, as in the header `webhook-id`.
    #[serde(deserialize_with = "lenient")]
    pub id: String,
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub kind: Kind,
    /// The sentinel's name; null for a test.
    #[serde(deserialize_with = "lenient")]
    pub sentinel: Option<String>,
    #[serde(deserialize_with = "lenient")]
    #[schemars(with = "Option<u64>")]
    pub sentinel_id: Option<SentinelId>,
    /// Counts per sentinel.
    #[serde(deserialize_with = "lenient")]
    pub seq: u64,
    /// The rule's name, of type `rule` and in what a digest of a rule holds; else null.
    #[serde(deserialize_with = "lenient")]
    pub rule: Option<String>,
    /// One line for people.
    #[serde(deserialize_with = "lenient")]
    pub summary: String,
    #[serde(deserialize_with = "lenient")]
    pub detected_at: String,
    #[serde(deserialize_with = "lenient")]
    pub composed_at: String,
    /// What was compared.
    #[serde(deserialize_with = "lenient_list")]
    pub sources: Vec<Source>,
    /// The leaves that held, as the language writes them.
    #[serde(deserialize_with = "lenient_list")]
    pub leaves: Vec<String>,
    #[serde(deserialize_with = "lenient_list")]
    pub changes: Vec<Change>,
    /// More than are listed, if the list was cut.
    #[serde(deserialize_with = "lenient")]
    pub changes_total: u64,
    /// Changes of the same versions that count too little to be told; left out where none is.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_zero")]
    pub held_back: u64,
    /// Those of them that say little, wherever they stand; left out where none does.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_zero")]
    pub say_little: u64,
    /// Entries of feeds among them, by what became of them; left out where there is none.
    #[serde(deserialize_with = "lenient_list", skip_serializing_if = "Vec::is_empty")]
    pub slight: Vec<Counted>,
    /// One of them: the day that the page is of, where another stands there now; left out where
    /// there is none.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub dated: Option<Dated>,
    /// The leaves that held together: positions in `leaves`.
    #[serde(deserialize_with = "lenient_list")]
    pub combinations: Vec<Vec<u32>>,
    /// How the sentinel wants its changes shown; left out where it does not say.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub presentation: Option<Presentation>,
    /// What took part in what a rule waited for, in order of time; left out elsewhere.
    #[serde(deserialize_with = "lenient_list", skip_serializing_if = "Vec::is_empty")]
    pub occurrences: Vec<Occurrence>,
    /// Looks that were to follow what was found, and that nothing came of.
    #[serde(deserialize_with = "lenient_list")]
    pub missed: Vec<Missed>,
    /// Why a source or a channel fails, or which headings are new and gone of a page that was
    /// rebuilt or of which much changed; left out otherwise.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What a digest holds, each of type `change` or `rule`; of type `rule` what its sentinels
    /// found, each of type `change`. Left out otherwise.
    #[serde(deserialize_with = "lenient_option", skip_serializing_if = "Option::is_none")]
    pub notifications: Option<Vec<Notice>>,
    /// More than are listed, if the list was cut; left out where there is no such list.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub notifications_total: Option<u64>,
    /// A list was cut, or a text that is no part of a change.
    #[serde(deserialize_with = "lenient")]
    pub truncated: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A text in which another day stands now: "Last updated: 7 May 2026".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dated {
    pub old: String,
    pub new: String,
}

/// So many changes that are not told one by one, for people: "39 listed again".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    pub said: String,
    pub count: u64,
}

/// What a notification is about.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
pub enum Kind {
    #[default]
    #[serde(rename = "change")]
    Change,
    /// What a rule waited for occurred.
    #[serde(rename = "rule")]
    Rule,
    #[serde(rename = "digest")]
    Digest,
    #[serde(rename = "source.failing")]
    SourceFailing,
    #[serde(rename = "source.recovered")]
    SourceRecovered,
    #[serde(rename = "selector.missing")]
    SelectorMissing,
    #[serde(rename = "selector.found")]
    SelectorFound,
    #[serde(rename = "channel.test")]
    ChannelTest,
    /// Another channel takes nothing.
    #[serde(rename = "channel.failing")]
    ChannelFailing,
}

/// How changes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Presentation {
    #[serde(rename = "only change")]
    OnlyChange,
    /// Old and new side by side.
    #[serde(rename = "dual frame")]
    DualFrame,
    /// One text with what went and what came marked.
    #[serde(rename = "merged")]
    Merged,
}

/// A source, and the versions of it that were compared. Of a source's health, and of a page that
/// was missed, only the first two fields are told.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Source {
    /// Without user and password.
    #[serde(deserialize_with = "lenient")]
    pub url: String,
    /// As the sentinel calls it.
    #[serde(deserialize_with = "lenient")]
    pub name: Option<String>,
    /// As the newer version calls itself; left out where it does not, or it is not known.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where redirects led to; the newer version's, as everything below that does not begin with
    /// `from_`.
    #[serde(deserialize_with = "lenient")]
    pub final_url: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub media_type: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub from_version: Option<u32>,
    #[serde(deserialize_with = "lenient")]
    pub to_version: Option<u32>,
    #[serde(deserialize_with = "lenient")]
    pub from_fetched_at: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub fetched_at: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub modified_at: Option<String>,
    /// The beginning of what it held, of a page that was looked at because of what was found; left
    /// out elsewhere. Of such a page nothing is compared: `from_version` is null.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    /// What was compared where a limit kept the rest of the page out; left out otherwise.
    #[serde(deserialize_with = "lenient_list", skip_serializing_if = "Vec::is_empty")]
    pub parts_read: Vec<String>,
}

/// One change that a leaf keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Change {
    /// A position in `leaves`.
    #[serde(deserialize_with = "lenient")]
    pub leaf: u32,
    /// The change type without its words: `links`, `keywords`.
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub change_type: String,
    #[serde(deserialize_with = "update_unless_known")]
    pub kind: ChangeKind,
    /// A position in `sources`.
    #[serde(deserialize_with = "lenient")]
    pub source: u32,
    /// With the fields of its change type.
    #[serde(deserialize_with = "lenient")]
    pub old: Option<Thing>,
    #[serde(deserialize_with = "lenient")]
    pub new: Option<Thing>,
    #[serde(deserialize_with = "lenient")]
    pub context: Context,
    /// Old and new in one text, for `dual frame` and `merged`; left out otherwise.
    #[serde(deserialize_with = "lenient_list", skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    /// The parts of `old` and `new` that differ, as pairs of code point offsets; left out where
    /// they are no texts.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Spans::is_empty")]
    pub spans: Spans,
    /// The heading it stands under; left out where there is none.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// What leads to the list it stands in, as in "You may not:"; left out where nothing does.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub lead: Option<String>,
    /// The sentence a word or a phrase stands in; left out elsewhere.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// Further sentences in which the word came or went; left out where there are none.
    #[serde(deserialize_with = "lenient_list", skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<String>,
    /// How much it counts: 1 for the main content of a page, less for what stands around it.
    /// Left out in bodies of the first release.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Where the entry of a feed leads; left out elsewhere.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// A text of it was cut.
    #[serde(deserialize_with = "lenient")]
    pub truncated: bool,
}

/// Something that took part in what a rule waited for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Occurrence {
    #[serde(deserialize_with = "lenient")]
    pub at: String,
    /// `found`, `started`, `ended`, `fetched`, `failed`, `raised` or `clock`.
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub kind: String,
    /// The sentinel's name, or that of what was raised; null for the clock.
    #[serde(deserialize_with = "lenient")]
    pub name: Option<String>,
    /// What happened, for people.
    #[serde(deserialize_with = "lenient")]
    pub summary: String,
}

/// An interval that passed without an answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Missed {
    /// A position in `sources`.
    #[serde(deserialize_with = "lenient")]
    pub source: u32,
    #[serde(deserialize_with = "lenient")]
    pub start: String,
    #[serde(deserialize_with = "lenient")]
    pub finish: String,
    #[serde(deserialize_with = "lenient")]
    pub reason: String,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 9] = [
        Kind::Change,
        Kind::Rule,
        Kind::Digest,
        Kind::SourceFailing,
        Kind::SourceRecovered,
        Kind::SelectorMissing,
        Kind::SelectorFound,
        Kind::ChannelTest,
        Kind::ChannelFailing,
    ];

    /// The `type` of a body; stores keep it, too.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Change => "change",
            Kind::Rule => "rule",
            Kind::Digest => "digest",
            Kind::SourceFailing => "source.failing",
            Kind::SourceRecovered => "source.recovered",
            Kind::SelectorMissing => "selector.missing",
            Kind::SelectorFound => "selector.found",
            Kind::ChannelTest => "channel.test",
            Kind::ChannelFailing => "channel.failing",
        }
    }
}

impl Default for Change {
    fn default() -> Change {
        Change {
            leaf: 0,
            change_type: String::new(),
            kind: ChangeKind::Update,
            source: 0,
            old: None,
            new: None,
            context: Context::default(),
            pieces: Vec::new(),
            spans: Spans::default(),
            heading: None,
            lead: None,
            link: None,
            sentence: None,
            elsewhere: Vec::new(),
            weight: None,
            truncated: false,
        }
    }
}

impl Change {
    /// Whether two entries tell the same, but for the leaf that keeps them.
    pub fn is_same(&self, other: &Change) -> bool {
        (self.kind, self.source, &self.change_type)
            == (other.kind, other.source, &other.change_type)
            && (&self.old, &self.new) == (&other.old, &other.new)
            && self.context == other.context
    }
}
