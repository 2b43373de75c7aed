//! Owners: how much each has made.
//!
//! A number says nothing without its owner: two of them may use the same.

use crate::record::OwnerRow;
use chronon::{ChannelId, DetectionId, NotificationId, OwnerId, SentinelId};
use std::collections::{BTreeMap, BTreeSet};

/// What somebody calls something of theirs, in any case of letters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Called<'a> {
    pub(crate) owner: OwnerId,
    pub(crate) name: &'a str,
}

/// The counters of every owner.
#[derive(Default)]
pub(crate) struct Owners {
    rows: BTreeMap<OwnerId, OwnerRow>,
    changed: BTreeSet<OwnerId>,
    /// Notifications of all of them since the process started.
    notifications: u64,
}

impl Owners {
    pub(crate) fn load(rows: impl IntoIterator<Item = OwnerRow>) -> Owners {
        let rows = rows.into_iter().map(|row| (row.id, row)).collect();
        Owners { rows, ..Owners::default() }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &OwnerRow> {
        self.rows.values()
    }

    /// The rows that changed since the last call.
    pub(crate) fn take_changed(&mut self) -> Vec<OwnerRow> {
        let changed = std::mem::take(&mut self.changed);
        changed.iter().filter_map(|id| self.rows.get(id).cloned()).collect()
    }

    pub(crate) fn notifications(&self) -> u64 {
        self.notifications
    }

    pub(crate) fn sentinel(&mut self, owner: OwnerId) -> SentinelId {
        SentinelId::of(owner, count(&mut self.row(owner).next_sentinel))
    }

    pub(crate) fn detection(&mut self, owner: OwnerId) -> DetectionId {
        DetectionId::of(owner, count(&mut self.row(owner).next_detection))
    }

    /// What the outbox draws the ids of `owner` from.
    pub(crate) fn ids(&mut self, owner: OwnerId) -> Ids<'_> {
        Ids { owners: self, owner }
    }

    /// The row of `owner`, which is about to change.
    fn row(&mut self, owner: OwnerId) -> &mut OwnerRow {
        self.changed.insert(owner);
        self.rows.entry(owner).or_insert_with(|| OwnerRow::new(owner))
    }
}

fn count(next: &mut u64) -> u64 {
    *next += 1;
    *next - 1
}

/// Hands out ids of one owner.
pub(crate) struct Ids<'a> {
    owners: &'a mut Owners,
    owner: OwnerId,
}

impl outbox::Ids for Ids<'_> {
    fn owner(&self) -> OwnerId {
        self.owner
    }

    fn notification(&mut self) -> NotificationId {
        self.owners.notifications += 1;
        NotificationId::of(self.owner, count(&mut self.owners.row(self.owner).next_notification))
    }

    fn channel(&mut self) -> ChannelId {
        ChannelId::of(self.owner, count(&mut self.owners.row(self.owner).next_channel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outbox::Ids as _;

    const SECOND: OwnerId = OwnerId(2);

    #[test]
    fn owners_count_apart_and_only_those_who_counted_have_changed() {
        let mut owners = Owners::load([OwnerRow { next_sentinel: 7, ..OwnerRow::new(SECOND) }]);
        assert_eq!(owners.sentinel(SECOND), SentinelId::of(SECOND, 7));
        assert_eq!(owners.sentinel(OwnerId::FIRST), SentinelId(1));
        assert_eq!(owners.ids(SECOND).notification(), NotificationId::of(SECOND, 1));
        let changed = owners.take_changed();
        assert_eq!(changed.iter().map(|row| row.next_sentinel).collect::<Vec<_>>(), [2, 8]);
        assert_eq!((owners.take_changed(), owners.notifications()), (vec![], 1));
    }
}
