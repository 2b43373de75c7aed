//! What people ask for: a test, the same once more, "I have read it".

use super::{Ids, Outbox};
use crate::{ChannelId, Effort, Kind, Row, State, key};
use chronon::{Instant, NotificationId};

/// What became of a wish to send a notification again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resent {
    /// It is due again, with the same key and body.
    Queued,
    /// It is on its way already.
    OnItsWay,
    /// It was cancelled: its sentinel is gone.
    Cancelled,
    /// A row's channel takes no more, and why. A channel test that arrives enables it again.
    ChannelDisabled(Box<str>),
    NotFound,
}

impl Outbox {
    /// A notification that shows whether a channel works. It goes out even on a disabled channel,
    /// and enables it again if it arrives.
    pub fn test(&mut self, now: Instant, ids: &mut dyn Ids, channel: ChannelId) -> NotificationId {
        self.settle();
        let id = ids.notification();
        let mut row = Row::new(id, Kind::ChannelTest, channel, now);
        let to = &self.channel_mut(channel).row.clone();
        row.key = key::test_key(&self.config.instance, to, id);
        row.closed_at = Some(now);
        self.create(row);
        id
    }

    /// A delivered or given-up row becomes due again. `row`: as the store has it. Attempts go on
    /// counting; the time until it is given up starts anew.
    pub fn resend(&mut self, now: Instant, id: NotificationId, row: Option<Row>) -> Resent {
        self.settle();
        if self.rows.contains_key(&id) {
            return Resent::OnItsWay;
        }
        let row = self.changed.parted.get(&id).cloned().or(row).filter(|row| row.id == id);
        let Some(mut row) = row else { return Resent::NotFound };
        match row.state {
            State::Delivered { .. } | State::GivenUp { .. } => {}
            State::Cancelled { .. } => return Resent::Cancelled,
            State::Open { .. } | State::Closed | State::Due { .. } => return Resent::OnItsWay,
        }
        let to = &self.channel_mut(row.channel).row;
        if let Some(reason) = to.disabled.clone().filter(|_| row.kind != Kind::ChannelTest) {
            return Resent::ChannelDisabled(reason);
        }
        row.first_attempt = None;
        row.effort = Effort::default();
        row.closed_at.get_or_insert(now);
        row.state = if row.body.is_some() { State::Due { at: now } } else { State::Closed };
        self.finished_lately.retain(|&finished| finished != id);
        self.create(row);
        Resent::Queued
    }

    /// A person has read it. `row`: as the store has it, for rows that are not held. Says whether
    /// there is such a row that was not just finished behind the reader's back.
    pub fn read(&mut self, id: NotificationId, row: Option<Row>) -> bool {
        self.settle();
        if let Some(row) = self.rows.get_mut(&id) {
            row.read = true;
            self.changed.rows.insert(id);
            let channel = row.channel;
            if let Some(touched) = &mut self.channel_mut(channel).loading {
                touched.insert(id);
            }
            return true;
        }
        let row = self.changed.parted.get(&id).cloned().or(row).filter(|row| row.id == id);
        let Some(mut row) = row else { return false };
        if !row.state.is_finished() && self.finished_lately.contains(&id) {
            return false;
        }
        row.read = true;
        if let Some(touched) = &mut self.channel_mut(row.channel).loading {
            touched.insert(id);
        }
        self.changed.parted.insert(id, row);
        true
    }
}
