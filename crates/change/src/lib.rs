//! Two extracts and a change type become changes.
//!
//! Comes in: the [`page::Extract`]s of an older and a newer version and a [`RoundRequest`] that
//! says what to look for. Goes out: a [`RoundResult`], the list of typed changes and which of them
//! each leaf keeps. Shells call [`run`] on worker threads and store the result before they hand
//! the kernel its outline. Promises: pure; bounded by [`Limits`]; applying the reported changes to
//! the old extract gives the new one (checked by a property test).
//!
//! Start reading at [`run`]; each aspect has a file of its own in `aspects/`.

mod aligned;
mod aspects;
mod behind;
mod change_type;
mod dated;
mod evidence;
mod exchanged;
mod fold;
mod found;
mod fuzz;
mod habits;
mod hashes;
mod keyed;
mod leads;
mod leaf;
mod limits;
mod number;
mod outline;
mod passing;
mod path;
mod pattern;
mod pieces;
mod prompts;
mod reading;
mod room;
mod run;
mod seen;
mod sentences;
mod slight;
mod spans;
mod status;
mod struck;

pub use aligned::{Row, aligned};
pub use aspect::{Amount, Aspect, Terms};
pub use behind::Behind;
pub use change_type::ChangeType;
pub use dated::Dated;
pub use evidence::{Evidence, LeafRef};
pub use exchanged::{Exchanged, exchanged};
#[doc(hidden)]
pub use fuzz::fuzz;
pub use habits::{
    Arrived, Breaks, CELL, Habit, Habits, Key, NoKey, Outage, Quiet, Unreadable, says_when,
};
pub use hashes::{short_hashes, short_hashes_of_both};
pub use leaf::label;
pub use limits::Limits;
pub use number::amount;
pub use outline::{Headings, Outline};
pub use page::{View, between_words, standing, struck, without_marks};
pub use pieces::{Fate, Piece, pieces};
pub use run::{Blocks, Known, Loaded, compare, compare_knowing, run, run_knowing};
pub use sentences::around as sentence_around;
pub use slight::Slight;
pub use spans::{Differing, Spans, differing, spans, windows};
pub use status::{Status, StatusChange, say_where};
pub use struck::{Run, struck_runs};

use chronon::{SourceId, VersionNo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What happened to a thing between two versions.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Insert,
    Delete,
    Update,
    Move,
}

/// The thing that changed, with the fields of its change type (`docs/formats.md`, Webhook).
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(untagged)]
pub enum Thing {
    Link {
        href: String,
        text: String,
    },
    Image {
        src: String,
        alt: String,
    },
    /// A number as the page writes it, and what it is: `1299.5`, with a unit if it has one.
    Value {
        value: String,
        unit: Option<String>,
        text: String,
    },
    /// An entry of a feed; `href` is empty where it leads nowhere.
    Item {
        id: String,
        title: String,
        href: String,
    },
    /// A word and how often it occurs.
    Word {
        word: String,
        count: u32,
    },
    Text {
        text: String,
    },
}

impl Thing {
    /// What people read: an anchor, what an image is called, a word, a text; may be empty.
    pub fn text(&self) -> &str {
        match self {
            Thing::Link { text, .. } | Thing::Value { text, .. } | Thing::Text { text } => text,
            Thing::Item { title, .. } => title,
            Thing::Image { alt, .. } => alt,
            Thing::Word { word, .. } => word,
        }
    }

    /// Where a link leads, or an image comes from.
    pub fn address(&self) -> Option<&str> {
        match self {
            Thing::Link { href, .. } => Some(href),
            Thing::Item { href, .. } => Some(&**href).filter(|href| !href.is_empty()),
            Thing::Image { src, .. } => Some(src),
            Thing::Word { .. } | Thing::Value { .. } | Thing::Text { .. } => None,
        }
    }

    /// How often a word occurs.
    pub fn count(&self) -> Option<u32> {
        match self {
            Thing::Word { count, .. } => Some(*count),
            _ => None,
        }
    }
}

/// The text around a change, for people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Context {
    pub before: String,
    pub after: String,
}

/// One typed difference between two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub kind: ChangeKind,
    pub old: Option<Thing>,
    pub new: Option<Thing>,
    /// The patterns (of keywords or phrases) that this change is about; empty for other types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    pub context: Context,
    /// The words of `old` and `new` that differ, where both are texts.
    #[serde(default, skip_serializing_if = "Spans::is_empty")]
    pub spans: Spans,
    /// The heading it stands under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The heading names the one thing which it is of: an offer of a list, a row, a section beside
    /// others with the same label.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_of_thing: bool,
    /// It is a heading of the main content.
    #[serde(default, skip_serializing_if = "is_false")]
    pub heads: bool,
    /// It is a heading of the main content that the older version says nowhere there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub heads_anew: bool,
    /// What leads to the list it stands in: "You may not:".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<String>,
    /// The sentence a word or a phrase stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// Further sentences in which the word came or went, at most 4.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<String>,
    #[serde(default, skip_serializing_if = "Weight::is_full")]
    pub weight: Weight,
    /// Where the entry of a feed leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Something of `old` or `new` was left out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(said: &bool) -> bool {
    !said
}

/// How much a change counts, in hundredths: 100 for one of the main content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Weight(pub u8);

impl Weight {
    /// Less than any change weighs.
    pub const NONE: Weight = Weight(0);
    /// A change of the main content.
    pub const FULL: Weight = Weight(100);
    /// A change of the frame around it.
    pub const FRAME: Weight = Weight(20);
    /// A change that says only that time has passed, or that somebody asked.
    pub const PASSING: Weight = Weight(10);
    /// A change of what changes at most looks.
    pub const QUIET: Weight = Weight(15);
    /// A change of numbers that were others at one of the latest looks, too, or that count what
    /// came and went.
    pub const AGAIN: Weight = Weight(90);
    /// What counts less is held back by `any change`.
    pub const ENOUGH: Weight = Weight(50);

    /// Why [`ENOUGH`](Weight::ENOUGH) is not reached, as a clause; `None`: it is.
    pub fn held_back_because(self) -> Option<&'static str> {
        match self {
            _ if self >= Weight::ENOUGH => None,
            _ if self <= Weight::PASSING => {
                Some("it says little, such as a date, an order or a token")
            }
            _ if self <= Weight::QUIET => {
                Some("it changes at most looks, comes and goes, or was marked as noise")
            }
            _ => Some("it stands around the content, such as a menu, a footer or a label"),
        }
    }

    /// As much as one of the main content.
    pub fn is_full(&self) -> bool {
        *self >= Weight::FULL
    }
}

impl Default for Weight {
    fn default() -> Weight {
        Weight::FULL
    }
}

impl Change {
    /// A change of which nothing is said but what it was and what it is.
    pub fn between(kind: ChangeKind, old: Option<Thing>, new: Option<Thing>) -> Change {
        Change {
            kind,
            old,
            new,
            patterns: Vec::new(),
            context: Context::default(),
            spans: Spans::default(),
            heading: None,
            is_of_thing: false,
            heads: false,
            heads_anew: false,
            lead: None,
            sentence: None,
            elsewhere: Vec::new(),
            weight: Weight::FULL,
            link: None,
            truncated: false,
        }
    }

    /// A text that says the same with another date, number in front, or punctuation.
    pub fn says_little(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
                passing::are_of_another_date(old, new)
                    || passing::are_of_same_words(old, new)
                    || passing::are_renumbered(old, new)
            }
            _ => false,
        }
    }
}

/// One leaf of a monitor expression, as the graph shares it: a change type with the leaf's *own*
/// words, the directions it keeps (empty: all) and a regular expression its changes must match.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Leaf {
    pub change_type: ChangeType,
    pub directions: BTreeSet<ChangeKind>,
    pub matching: Option<String>,
}

/// One comparison that is due: two versions of one source, one change type with the union of its
/// leaves' words (for `words`: the intersection of their exceptions), and the leaves it serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    pub from: VersionNo,
    pub to: VersionNo,
    pub change_type: ChangeType,
    pub leaves: Vec<Leaf>,
    /// How the two versions belong together.
    #[serde(default)]
    pub pairing: Pairing,
    /// Where a view shows nothing in `from`, or the page was odd there beside what came before and
    /// after, what it showed last in one of these is compared: the versions that went before it in
    /// the same stream, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<VersionNo>,
    /// The page answers otherwise: nothing else is compared, and no version is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusChange>,
}

/// Whether what two versions hold can be compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairing {
    #[default]
    Alike,
    /// The newer one is of another kind, or odd: `any` tells what it is now, nothing else is
    /// compared. Versions of two kinds are unlike whatever a request says.
    Unlike,
}

/// All comparisons due because one new element entered a stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundRequest {
    pub comparisons: Vec<Comparison>,
    /// Whose versions each of them compares, where a round is of several sources; else empty: all
    /// are of the round's source.
    #[serde(default)]
    pub sources: Vec<SourceId>,
}

/// What one comparison found. Self-contained: it is stored, and notifications are composed from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    pub from: VersionNo,
    pub to: VersionNo,
    /// The earlier version that was compared with `to`, where the page was odd in `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<VersionNo>,
    pub change_type: ChangeType,
    /// Those that some leaf keeps, at most `Limits::changes_max` (but each leaf that holds has its
    /// first one).
    pub changes: Vec<Change>,
    /// How many there were before the list was cut.
    pub changes_total: u32,
    /// In the order of the request's leaves.
    pub leaves: Vec<LeafHits>,
    /// Why the comparison could not be made; then nothing above it is evaluated.
    pub failed: Option<String>,
    /// What was compared where a limit kept the rest out of a version, for people:
    /// `only the first 20,000 of 21,005 links`. Also what was missed of a feed that turned over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts_read: Vec<String>,
    /// What the newer version calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The one heading of the first level that both versions have, where it says something else
    /// than the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// How much of the newer version's text is new, in hundredths, where that is most of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebuilt: Option<u8>,
    /// What is new and gone in outline, where it was rebuilt or much of it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<Outline>,
    /// Changes that count too little for any of its leaves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub held_back: u32,
    /// Those of them that say little, wherever they stand, or come at most looks.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub say_little: u32,
    /// Those of them that are entries of a feed of which more is said.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub slight: BTreeMap<Slight, u32>,
    /// The day that the page is of, where another stands there now and that says little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<Dated>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The changes one leaf keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeafHits {
    pub leaf: Leaf,
    /// Indices into `Compared::changes`, ascending.
    pub hits: Vec<u32>,
    /// How many changes of this leaf there were before the list was cut. The leaf holds iff > 0.
    pub hits_total: u32,
}

/// The result of a round, in the order of the request's comparisons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundResult {
    pub comparisons: Vec<Compared>,
}

/// A stored result that cannot be read back: it was damaged, or a newer Tidings wrote it.
#[derive(Debug, thiserror::Error)]
#[error("a stored comparison cannot be read: {0}")]
pub struct DecodeError(#[from] serde_json::Error);

/// The result as JSON, for the store.
pub fn encode(result: &RoundResult) -> Vec<u8> {
    serde_json::to_vec(result).expect("strings, numbers and lists always have a JSON form")
}

/// The inverse of [`encode`].
pub fn decode(bytes: &[u8]) -> Result<RoundResult, DecodeError> {
    Ok(serde_json::from_slice(bytes)?)
}
