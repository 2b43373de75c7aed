//! The state: rows that are on their way, by channel, and what is due when.

mod detect;
mod hold;
mod pace;
mod people;
mod send;
#[cfg(test)]
mod tests;

use crate::uptime::{Uptime, Waiting};
use crate::{Attempt, Channel, ChannelId, ChannelRow, Config, OutboxRecord, Row, State};
use address::Contact;
use chronon::{Instant, NotificationId, OwnerId, SentinelId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;

pub use people::Resent;

/// How many finished rows are remembered, to tell a row that is not held from one that is done.
const FINISHED_REMEMBERED_MAX: usize = 4_096;

/// Allocates the ids of one owner; the kernel has the counters. Ids are never used twice.
pub trait Ids {
    fn owner(&self) -> OwnerId;
    fn notification(&mut self) -> NotificationId;
    fn channel(&mut self) -> ChannelId;
}

/// A channel takes no more, and why; also in its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelDisabled {
    pub channel: ChannelId,
    pub reason: Box<str>,
}

/// How much is on its way, and what became of the rest since the start of this process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Unfinished rows that are not in flight.
    pub waiting: u64,
    pub in_flight: u32,
    pub composing: u32,
    /// Rows that still gather members.
    pub open: u64,
    /// Detections that joined a row because their channel was busy.
    pub merged: u64,
    pub delivered: u64,
    /// Attempts that failed.
    pub failures: u64,
    pub given_up: u64,
    pub cancelled: u64,
}

/// What identifies a row that gathers: no two open rows share it.
type Slot = (SentinelId, u32, ChannelId, Option<Instant>);

/// Notifications on their way to people.
///
/// Call order of a step: what happened, then [`Outbox::poll`], then [`Outbox::take_records`]; jobs
/// start once the records are durable. Every operation is O(log n) in the rows held, except those
/// on a whole sentinel or channel, which touch that sentinel's or channel's rows.
#[derive(Debug)]
pub struct Outbox {
    config: Config,
    channels: BTreeMap<ChannelId, Channel>,
    /// By whose they are, name and contact.
    names: BTreeMap<(OwnerId, Box<str>, Option<Contact>), ChannelId>,
    /// Unfinished rows: all that are open or closed, and of each channel the next due ones.
    rows: BTreeMap<NotificationId, Row>,
    by_sentinel: BTreeMap<SentinelId, BTreeSet<NotificationId>>,
    open: BTreeMap<Slot, NotificationId>,
    /// Digests that close when they are told to.
    awaiting: BTreeSet<NotificationId>,
    /// When other open rows are to be looked at.
    timers: BTreeSet<(Instant, NotificationId)>,
    /// Held rows with changes that are closed or due.
    on_the_way: BTreeMap<(SentinelId, ChannelId), u32>,
    to_compose: BTreeSet<NotificationId>,
    composing: BTreeSet<NotificationId>,
    flights: BTreeMap<NotificationId, Flight>,
    lanes: Lanes,
    /// Gathering rows that may close, as the row they waited for is finished.
    ripe: BTreeSet<NotificationId>,
    /// Channels that may need more rows, channels any of whose gathering rows may close, and
    /// channels that are disabled.
    hungry: BTreeSet<ChannelId>,
    loosened: BTreeSet<ChannelId>,
    disabled: BTreeSet<ChannelId>,
    gone: Gone,
    finished_lately: VecDeque<NotificationId>,
    /// Channels that take nothing and are to be told of, and why.
    complaints: BTreeMap<ChannelId, pace::Complaint>,
    turns: u64,
    uptime: Uptime,
    settled: bool,
    changed: Changed,
    totals: Counts,
}

/// A delivery that was started.
#[derive(Debug, Clone, Copy)]
struct Flight {
    at: Instant,
    /// The last answer of the row's channel was a failure.
    doubtful: bool,
}

/// Whose turn it is. Channels whose last delivery failed wait behind the others, and take at most
/// half of the deliveries in flight, however many they are.
#[derive(Debug, Default)]
struct Lanes {
    /// The earliest due row of every channel that may start one.
    wake: BTreeSet<(Instant, ChannelId)>,
    sound: BTreeSet<ChannelId>,
    doubtful: BTreeSet<ChannelId>,
    /// The channel served last.
    cursor: Option<ChannelId>,
    doubtful_in_flight: u32,
}

/// Sentinels that were removed: rows of theirs that are loaded later are cancelled.
#[derive(Debug, Default)]
struct Gone {
    removed: BTreeSet<SentinelId>,
    /// All sentinels that live, if the kernel said.
    live: Option<BTreeSet<SentinelId>>,
}

/// What is to be recorded.
#[derive(Debug, Default)]
struct Changed {
    rows: BTreeSet<NotificationId>,
    /// Rows that left memory.
    parted: BTreeMap<NotificationId, Row>,
    channels: BTreeSet<ChannelId>,
    attempts: Vec<Attempt>,
}

impl Outbox {
    pub fn new(config: Config) -> Outbox {
        Outbox {
            config,
            channels: BTreeMap::new(),
            names: BTreeMap::new(),
            rows: BTreeMap::new(),
            by_sentinel: BTreeMap::new(),
            open: BTreeMap::new(),
            awaiting: BTreeSet::new(),
            timers: BTreeSet::new(),
            on_the_way: BTreeMap::new(),
            to_compose: BTreeSet::new(),
            composing: BTreeSet::new(),
            flights: BTreeMap::new(),
            lanes: Lanes::default(),
            ripe: BTreeSet::new(),
            hungry: BTreeSet::new(),
            loosened: BTreeSet::new(),
            disabled: BTreeSet::new(),
            gone: Gone::default(),
            finished_lately: VecDeque::new(),
            complaints: BTreeMap::new(),
            turns: 0,
            uptime: Uptime::default(),
            settled: false,
            changed: Changed::default(),
            totals: Counts::default(),
        }
    }

    /// A channel of the store's snapshot. The `load_*` calls come before everything else, in any
    /// order.
    pub fn load_channel(&mut self, row: ChannelRow) {
        self.names.insert((row.id.owner(), row.name.clone(), row.contact.clone()), row.id);
        if row.disabled.is_some() {
            self.disabled.insert(row.id);
        }
        let id = row.id;
        self.channel_mut(id).row = row;
    }

    /// An unfinished row of the snapshot: every open and closed one, and of each channel the
    /// first [`Config::rows_loaded_per_channel`] due ones. Finished rows are ignored.
    pub fn load_row(&mut self, row: Row) {
        if !row.state.is_finished() {
            self.channel_mut(row.channel).unfinished += 1;
            self.hold(row);
        }
    }

    /// How many unfinished rows of a channel the store has, held or not.
    pub fn load_count(&mut self, channel: ChannelId, unfinished: u64) {
        self.channel_mut(channel).stored = unfinished;
    }

    /// The sentinels that live. With it, rows of removed sentinels that were not held when they
    /// were removed are cancelled when they are loaded, even after a crash in between.
    pub fn load_sentinels(&mut self, live: impl IntoIterator<Item = SentinelId>) {
        self.gone.live = Some(live.into_iter().collect());
    }

    /// The owner's id of a way to reach somebody; recorded when it is new.
    pub fn channel(
        &mut self,
        ids: &mut dyn Ids,
        name: &str,
        contact: Option<&Contact>,
    ) -> ChannelId {
        let identity = (ids.owner(), Box::from(name), contact.cloned());
        if let Some(&id) = self.names.get(&identity) {
            return id;
        }
        let id = ids.channel();
        let (_, name, contact) = identity.clone();
        self.channel_mut(id).row =
            ChannelRow { id, name, contact, disabled: None, course: Default::default() };
        self.names.insert(identity, id);
        self.changed.channels.insert(id);
        id
    }

    /// A channel's row.
    pub fn channel_row(&self, id: ChannelId) -> Option<&ChannelRow> {
        self.channels.get(&id).map(|channel| &channel.row)
    }

    /// Rows of the channels above `after`, by id.
    pub fn channel_rows_after(
        &self,
        after: Option<ChannelId>,
    ) -> impl Iterator<Item = &ChannelRow> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.channels.range((from, Bound::Unbounded)).map(|(_, channel)| &channel.row)
    }

    /// Every channel's row, by id.
    pub fn channel_rows(&self) -> impl Iterator<Item = &ChannelRow> {
        self.channels.values().map(|channel| &channel.row)
    }

    /// The rows of the channels that take no more, by id.
    pub fn disabled_channels(&self) -> impl Iterator<Item = &ChannelRow> {
        self.disabled.iter().filter_map(|id| self.channels.get(id)).map(|channel| &channel.row)
    }

    /// An unfinished row, if it is held.
    pub fn row(&self, id: NotificationId) -> Option<&Row> {
        self.rows.get(&id)
    }

    /// When [`Outbox::poll`] is to be called at the latest, if nothing happens before.
    pub fn next_deadline(&self) -> Option<Instant> {
        let timer = self.timers.first().map(|&(at, _)| at);
        let full = self.flights.len() >= self.config.in_flight_max as usize;
        let wake = self.lanes.wake.first().map(|&(at, _)| at).filter(|_| !full);
        let beat = (self.waiting() == Waiting::Something).then(|| self.uptime.next_beat());
        timer.into_iter().chain(wake).chain(beat).min()
    }

    fn waiting(&self) -> Waiting {
        if self.lanes.wake.is_empty() && self.flights.is_empty() {
            Waiting::Nothing
        } else {
            Waiting::Something
        }
    }

    /// Hands over what must survive: the present state of every row that changed, once.
    pub fn take_records(&mut self, out: &mut Vec<OutboxRecord>) {
        let changed = std::mem::take(&mut self.changed);
        for id in changed.channels {
            out.extend(self.channel_row(id).cloned().map(OutboxRecord::Channel));
        }
        let mut rows = changed.parted;
        for id in changed.rows {
            if let Some(row) = self.rows.get(&id) {
                rows.insert(id, row.clone());
            }
        }
        out.extend(rows.into_values().map(|row| OutboxRecord::Row(Box::new(row))));
        out.extend(changed.attempts.into_iter().map(OutboxRecord::Attempt));
    }

    /// For views and metrics. O(channels).
    pub fn counts(&self) -> Counts {
        let unfinished: u64 = self.channels.values().map(Channel::unfinished).sum();
        let in_flight = self.flights.len() as u32;
        Counts {
            waiting: unfinished.saturating_sub(u64::from(in_flight)),
            in_flight,
            composing: self.composing.len() as u32,
            open: self.open.len() as u64,
            ..self.totals
        }
    }

    pub(crate) fn channels(&self) -> impl Iterator<Item = (ChannelId, &Channel)> {
        self.channels.iter().map(|(&id, channel)| (id, channel))
    }

    pub(crate) fn held_rows(&self) -> &BTreeMap<NotificationId, Row> {
        &self.rows
    }

    fn channel_mut(&mut self, id: ChannelId) -> &mut Channel {
        self.channels.entry(id).or_insert_with(|| Channel::new(id))
    }
}

impl Gone {
    fn has(&self, sentinel: Option<SentinelId>) -> bool {
        sentinel.is_some_and(|id| {
            self.removed.contains(&id) || self.live.as_ref().is_some_and(|live| !live.contains(&id))
        })
    }

    fn remove(&mut self, sentinel: SentinelId) {
        self.removed.insert(sentinel);
    }

    fn live(&mut self, sentinel: SentinelId) {
        if let Some(live) = &mut self.live {
            live.insert(sentinel);
        }
    }
}

impl State {
    /// Nothing will happen to it any more, unless a person sends it again.
    pub fn is_finished(&self) -> bool {
        matches!(self, State::Delivered { .. } | State::GivenUp { .. } | State::Cancelled { .. })
    }
}
