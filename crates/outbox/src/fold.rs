//! I-FOLD: an outbox rebuilt from the store equals the one that lived.

use crate::{ChannelId, ChannelRow, Outbox, Row, State};
use chronon::NotificationId;
use std::collections::BTreeMap;

/// An outbox's durable state, without what is in flight. Two are equal if their channels, the
/// number of unfinished rows of each, and all rows that both hold are; a due row that only one
/// holds is counted, but not held, by the other.
#[derive(Debug, Clone)]
pub struct Fold {
    channels: BTreeMap<ChannelId, Share>,
    rows: BTreeMap<NotificationId, Row>,
}

#[derive(Debug, Clone)]
struct Share {
    row: ChannelRow,
    unfinished: u64,
    unheld: u64,
}

impl Outbox {
    /// For comparing with an outbox that was loaded from the store. O(rows held).
    pub fn fold(&self) -> Fold {
        let share = |channel: &crate::Channel| Share {
            row: channel.row.clone(),
            unfinished: channel.unfinished(),
            unheld: channel.unheld(),
        };
        Fold {
            channels: self.channels().map(|(id, channel)| (id, share(channel))).collect(),
            rows: self.held_rows().clone(),
        }
    }
}

impl Fold {
    /// All rows that `other` does not hold are due, and counted there.
    fn covers(&self, other: &Fold) -> bool {
        let missing = other.rows.values().filter(|row| !self.rows.contains_key(&row.id));
        let mut counted: BTreeMap<ChannelId, u64> =
            self.channels.iter().map(|(&id, share)| (id, share.unheld)).collect();
        missing.into_iter().all(|row| {
            let unheld = counted.entry(row.channel).or_default();
            let counts = *unheld > 0 && matches!(row.state, State::Due { .. });
            *unheld = unheld.saturating_sub(1);
            counts
        })
    }
}

impl PartialEq for Fold {
    fn eq(&self, other: &Fold) -> bool {
        let channels = self.channels.len() == other.channels.len()
            && self.channels.iter().zip(&other.channels).all(|((id, mine), (other_id, theirs))| {
                id == other_id && mine.row == theirs.row && mine.unfinished == theirs.unfinished
            });
        let rows = self.rows.values().all(|row| other.rows.get(&row.id).is_none_or(|r| r == row));
        channels && rows && self.covers(other) && other.covers(self)
    }
}
