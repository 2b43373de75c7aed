//! What is known of a source's pages, put together from what the store has.

use crate::{Reader, StoreError};
use change::{Habits, Key, Known};
use chronon::{SourceId, VersionNo};
use std::collections::BTreeSet;

/// A source's habits, and those of them that are to be told all the same.
#[derive(Debug, Default)]
pub struct Acquaintance {
    /// What its pages do at most looks.
    pub habits: Habits,
    /// As far as this version; `None`: nothing is learned yet.
    pub version: Option<VersionNo>,
    /// What somebody wants to hear of although it is a habit.
    pub loud: BTreeSet<Key>,
}

impl Acquaintance {
    /// Habits that another release wrote are learned anew: they count as none.
    ///
    /// # Errors
    /// What the store says.
    pub fn of(reader: &dyn Reader, source: SourceId) -> Result<Acquaintance, StoreError> {
        let row = reader.habits(source)?;
        let learned = row.and_then(|row| Some((Habits::decode(&row.learned).ok()?, row.version)));
        let (habits, version) = learned.unzip();
        let loud = reader.loud(source)?.into_iter().collect();
        Ok(Acquaintance { habits: habits.unwrap_or_default(), version, loud })
    }

    /// As a comparison takes it.
    pub fn known(&self) -> Known<'_> {
        Known { habits: &self.habits, loud: &self.loud }
    }
}
