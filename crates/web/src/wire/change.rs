//! What differs between versions, and what sentinels made of it, as the API shows it.

use super::{Time, What};
use serde::Serialize;
use utoipa::ToSchema;

/// One typed difference between two versions; the fields as in a webhook's body.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Change {
    /// Positions in `leaves`; empty in a plain diff.
    pub(crate) leaves: Vec<u32>,
    #[serde(rename = "type")]
    pub(crate) change_type: &'static str,
    /// A position in `evidence`, if there is such a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<u32>,
    #[schema(value_type = String)]
    pub(crate) kind: change::ChangeKind,
    #[schema(value_type = Option<Object>)]
    pub(crate) old: Option<change::Thing>,
    #[schema(value_type = Option<Object>)]
    pub(crate) new: Option<change::Thing>,
    #[schema(value_type = Object)]
    pub(crate) context: change::Context,
    /// The heading it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) heading: Option<String>,
    /// What leads to the list it stands in: "You may not:".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lead: Option<String>,
    /// The sentence that a word or a phrase stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
    /// Further sentences in which the word came or went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) elsewhere: Vec<String>,
    /// Where the entry of a feed leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) link: Option<String>,
    /// Why it is held back, as a clause; only in a plain diff of what a sentinel would weigh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) held_back: Option<&'static str>,
}

/// What differs between two versions of a source.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Diff {
    pub(crate) source_id: u32,
    pub(crate) from_version: u32,
    pub(crate) to_version: u32,
    #[serde(rename = "type")]
    #[schema(inline)]
    pub(crate) what: What,
    pub(crate) changes: Vec<Change>,
    /// How many there are; more than `changes` holds if the list was cut.
    pub(crate) changes_total: u32,
}

/// One time a sentinel's condition held.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Detection {
    pub(crate) id: u64,
    sentinel_id: u64,
    generation: u32,
    #[serde(flatten)]
    pub(crate) first: Compared,
    /// All that was compared, if it is more than two versions of one source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) evidence: Vec<Compared>,
    detected_at: Time,
    seq: u64,
    /// The leaves that held, as the language writes them.
    pub(crate) leaves: Vec<String>,
    /// Which leaves held together: positions in `leaves`.
    pub(crate) combinations: Vec<Vec<u32>>,
    pub(crate) changes: Vec<Change>,
    pub(crate) changes_total: u32,
    /// Changes of the same versions that count too little to be told.
    pub(crate) held_back: u32,
    /// Why the changes cannot be shown, if they cannot.
    pub(crate) unreadable: Option<&'static str>,
}

/// Two versions of a source that were compared.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub(crate) struct Compared {
    pub(crate) source_id: u32,
    pub(crate) from_version: u32,
    pub(crate) to_version: u32,
}

impl Detection {
    pub(crate) fn of(row: &outbox::Detection) -> Detection {
        let mut evidence: Vec<Compared> = row.evidence.iter().map(Compared::of).collect();
        let first = evidence.first().cloned().unwrap_or_default();
        if evidence.len() == 1 {
            evidence.clear();
        }
        Detection {
            id: row.id.0,
            sentinel_id: row.sentinel.0,
            generation: row.generation,
            first,
            evidence,
            detected_at: Time(row.at),
            seq: row.seq,
            leaves: Vec::new(),
            combinations: Vec::new(),
            changes: Vec::new(),
            changes_total: 0,
            held_back: 0,
            unreadable: None,
        }
    }

    /// All that was compared.
    pub(crate) fn compared(&self) -> &[Compared] {
        if self.evidence.is_empty() { std::slice::from_ref(&self.first) } else { &self.evidence }
    }
}

impl Compared {
    fn of(piece: &change::Evidence) -> Compared {
        Compared { source_id: piece.source.0, from_version: piece.from.0, to_version: piece.to.0 }
    }
}
