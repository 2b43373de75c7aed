//! One channel's share of the outbox.

use crate::{ChannelId, ChannelRow};
use chronon::{Instant, NotificationId};
use std::collections::BTreeSet;

/// What is on its way on one channel.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) row: ChannelRow,
    /// Unfinished rows, held or not.
    pub(crate) unfinished: u64,
    /// As `load_count` said; only for the load.
    pub(crate) stored: u64,
    /// Unfinished rows in memory.
    pub(crate) held: BTreeSet<NotificationId>,
    /// Rows that gather members; all of them are held.
    pub(crate) open: u64,
    /// Those of them that wait for room, not for a window's end.
    pub(crate) gathering: BTreeSet<NotificationId>,
    /// Due rows that are held and not in flight.
    pub(crate) due: BTreeSet<(Instant, NotificationId)>,
    pub(crate) in_flight: u32,
    /// The last delivery failed.
    pub(crate) doubtful: bool,
    /// How it failed, as far as this process knows; nothing once something arrived.
    pub(crate) failure: Option<Box<str>>,
    /// Where the channel stands in `Lanes::wake`.
    pub(crate) wake: Option<Instant>,
    /// Due rows from here on are not held.
    pub(crate) horizon: Option<(Instant, NotificationId)>,
    /// More rows are being loaded; the rows that changed meanwhile, of which the load may be old.
    pub(crate) loading: Option<BTreeSet<NotificationId>>,
    /// The last load brought nothing new: wait until something changes.
    pub(crate) stalled: bool,
}

impl Channel {
    pub(crate) fn new(id: ChannelId) -> Channel {
        Channel {
            row: ChannelRow {
                id,
                name: "".into(),
                contact: None,
                disabled: None,
                course: Default::default(),
            },
            unfinished: 0,
            stored: 0,
            held: BTreeSet::new(),
            open: 0,
            gathering: BTreeSet::new(),
            due: BTreeSet::new(),
            in_flight: 0,
            doubtful: false,
            failure: None,
            wake: None,
            horizon: None,
            loading: None,
            stalled: false,
        }
    }

    pub(crate) fn unfinished(&self) -> u64 {
        self.unfinished.max(self.stored)
    }

    /// Unfinished rows that are not in memory.
    pub(crate) fn unheld(&self) -> u64 {
        self.unfinished().saturating_sub(self.held.len() as u64)
    }

    /// Unfinished rows that gather no more.
    pub(crate) fn backlog(&self) -> u64 {
        self.unfinished.saturating_sub(self.open)
    }
}
