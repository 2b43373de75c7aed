//! Rows: what the detector's state is loaded from. A row is small, and is put or dropped whole.

use crate::expr::Shape;
use crate::occurrence::Occurrence;
use chronon::Instant;
use serde::{Deserialize, Serialize};

/// A node of the event graph. Numbers grow, and none is used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u64);

/// One row of the detector's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// One row: the number that comes next, of nodes and of what happens.
    Next(u64),
    /// A node; `dropped` counts what its limits cost.
    Node { id: NodeId, shape: Shape, dropped: u64 },
    /// An open occurrence: it waits at a node as an occurrence of its part `role`.
    Open { node: NodeId, role: u8, seq: u64, occurrence: Occurrence, note: Note },
}

/// What names a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    Next,
    Node(NodeId),
    Open { node: NodeId, seq: u64 },
}

/// What a node knows of an open occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Note {
    #[default]
    Plain,
    /// What must not happen did, and was over then.
    Spoiled(#[serde(with = "chronon::millis")] Instant),
    /// The clock raises it: its tick `k` is due.
    Due {
        #[serde(with = "chronon::millis")]
        at: Instant,
        k: u64,
    },
    /// Which parts of `any` it has, a bit for each.
    Types(u64),
}

/// A change of the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Put(Row),
    Drop(Key),
}

impl Row {
    /// What names it.
    pub fn key(&self) -> Key {
        match self {
            Row::Next(_) => Key::Next,
            Row::Node { id, .. } => Key::Node(*id),
            Row::Open { node, seq, .. } => Key::Open { node: *node, seq: *seq },
        }
    }
}

impl Change {
    /// Which row it changes.
    pub fn key(&self) -> Key {
        match self {
            Change::Put(row) => row.key(),
            Change::Drop(key) => *key,
        }
    }
}

/// Rows that no detector wrote: what is wrong with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt(pub String);

impl std::fmt::Display for Corrupt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the stored events do not fit together: {}", self.0)
    }
}

impl std::error::Error for Corrupt {}
