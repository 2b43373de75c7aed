//! Sentinels by the source that they name.

use crate::ids::Ids;
use chronon::{SentinelId, SourceId};
use std::collections::{BTreeMap, BTreeSet};

/// The sentinels of one source.
#[derive(Default)]
pub(crate) struct Watchers {
    /// Every sentinel whose row names it, active or not.
    pub(crate) all: Ids,
    /// Those of them that were told that it fails.
    pub(crate) told: Ids,
    /// Those of them that have ended and may still hear of what is on its way.
    pub(crate) leaving: BTreeSet<SentinelId>,
}

/// One entry for each source that a sentinel names.
pub(crate) type BySource = BTreeMap<SourceId, Watchers>;
