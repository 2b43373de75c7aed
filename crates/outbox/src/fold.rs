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

#[cfg(test)]
mod tests {
    use super::{Fold, Share};
    use crate::{ChannelId, ChannelRow, Effort, Key, Kind, Row, State};
    use chronon::{Instant, NotificationId, SentinelId};

    const C1: ChannelId = ChannelId(1);

    fn row(id: u64, state: State) -> Row {
        Row {
            id: NotificationId(id),
            key: Key(format!("k{id}").into()),
            kind: Kind::Change,
            sentinel: Some(SentinelId(1)),
            generation: 1,
            channel: C1,
            seq: id,
            members: Vec::new(),
            more: 0,
            source: None,
            note: "".into(),
            created_at: Instant::EPOCH,
            closed_at: None,
            body: None,
            attempts: 0,
            first_attempt: None,
            effort: Effort::default(),
            state,
            read: false,
        }
    }

    fn due(id: u64) -> Row {
        row(id, State::Due { at: Instant::EPOCH })
    }

    /// Three rows are unfinished; those given are held.
    fn fold(rows: &[Row]) -> Fold {
        let channel = ChannelRow {
            id: C1,
            name: "webhook".into(),
            contact: None,
            disabled: None,
            course: Default::default(),
        };
        let share = Share { row: channel, unfinished: 3, unheld: 3 - rows.len() as u64 };
        let rows = rows.iter().map(|row| (row.id, row.clone())).collect();
        Fold { channels: [(C1, share)].into(), rows }
    }

    #[test]
    fn due_rows_may_be_counted_instead_of_held() {
        let all = fold(&[due(1), due(2), due(3)]);
        assert_eq!(all, fold(&[due(2)]));
        assert_eq!(fold(&[]), all);
        assert_eq!(fold(&[due(1)]), fold(&[due(3)]));
    }

    #[test]
    fn a_row_that_is_neither_held_nor_counted_or_is_not_due_makes_a_difference() {
        let all = fold(&[due(1), due(2), due(3)]);
        let mut uncounted = fold(&[due(1), due(2)]);
        uncounted.channels.get_mut(&C1).expect("made above").unheld = 0;
        assert_ne!(all, uncounted);
        assert_ne!(uncounted, all);
        assert_ne!(fold(&[row(1, State::Closed), due(2)]), fold(&[due(2)]));
    }

    #[test]
    fn rows_channels_and_counts_that_differ_make_a_difference() {
        assert_ne!(fold(&[due(1)]), fold(&[row(1, State::Closed)]));
        let change = |change: fn(&mut Fold)| {
            let mut other = fold(&[due(1)]);
            change(&mut other);
            other
        };
        let share = |fold: &mut Fold| fold.channels.remove(&C1).expect("made above");
        let several = [
            change(|fold| fold.channels.clear()),
            change(|fold| fold.channels.get_mut(&C1).expect("made above").unfinished = 4),
            change(|fold| {
                fold.channels.get_mut(&C1).expect("made above").row.disabled = Some("gone".into());
            }),
        ];
        for other in several {
            assert_ne!(fold(&[due(1)]), other);
            assert_ne!(other, fold(&[due(1)]));
        }
        let mut moved = fold(&[due(1)]);
        let its = share(&mut moved);
        moved.channels.insert(ChannelId(2), its);
        assert_ne!(fold(&[due(1)]), moved);
    }
}
