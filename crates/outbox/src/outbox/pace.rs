//! When a channel may be told: quiet hours and pauses. And who is told where one takes nothing.

use super::{Ids, Outbox};
use crate::{ChannelId, ChannelRow, Failing, Kind, Manners, Row, key};
use chronon::{Instant, NotificationId, Span};
use std::collections::BTreeMap;

impl Outbox {
    /// When nothing of a channel's manners stands in the way any more; `now`: nothing does.
    pub fn free_at(&self, channel: ChannelId, now: Instant) -> Instant {
        let Some(held) = self.channels.get(&channel) else { return now };
        let Some(manners) = self.manners(channel) else { return now };
        let pause = manners.pause.zip(held.row.course.next_at);
        // A clock that was wrong must not make a pause longer than it is.
        let rested = pause.map_or(now, |(pause, next)| next.min(now + pause).max(now));
        let quiet = manners.quiet.as_ref().and_then(|quiet| quiet.until(rested));
        quiet.unwrap_or(rested)
    }

    /// The same for what is told now: where a pause follows each message, what waits goes first,
    /// also what waits to be tried again.
    pub(super) fn free_for_news(&self, channel: ChannelId, now: Instant) -> Instant {
        let free = self.free_at(channel, now);
        let pause = self.manners(channel).and_then(|manners| manners.pause);
        let Some(held) = self.channels.get(&channel).filter(|held| held.backlog() > 0) else {
            return free;
        };
        let next = held.due.first().map_or(now, |&(at, _)| at);
        pause.filter(|_| free == now).map_or(free, |pause| next.max(now + pause))
    }

    /// How channels want to be told from now on, by name. What gathers already goes on gathering
    /// until the time it had; whatever is due keeps to the new manners. O(channels · log channels).
    pub fn set_manners(&mut self, manners: BTreeMap<Box<str>, Manners>) {
        self.config.manners = manners;
        let channels: Vec<ChannelId> = self.channels.keys().copied().collect();
        for channel in channels {
            self.place(channel);
        }
    }

    /// Channels of these names became others: none is disabled or failing for what it answered
    /// before. O(channels).
    pub fn renew(&mut self, names: &[Box<str>]) {
        for (&channel, held) in &mut self.channels {
            if !names.contains(&held.row.name) {
                continue;
            }
            let was_disabled = held.row.disabled.take().is_some();
            let was_failing = held.row.course.failing.take().is_some();
            held.failure = None;
            self.disabled.remove(&channel);
            if was_disabled || was_failing {
                self.turns += 1;
                self.changed.channels.insert(channel);
            }
        }
    }

    fn manners(&self, channel: ChannelId) -> Option<&Manners> {
        if self.config.manners.is_empty() {
            return None;
        }
        self.config.manners.get(&self.channels.get(&channel)?.row.name)
    }

    /// The first due row that may go now: while a channel wants to hear nothing, only tests.
    /// O(log n); O(due rows held) meanwhile.
    pub(super) fn next_due(
        &self,
        channel: ChannelId,
        now: Instant,
    ) -> Option<(Instant, NotificationId)> {
        let due = &self.channels.get(&channel)?.due;
        if self.free_at(channel, now) <= now {
            return due.first().copied();
        }
        self.next_test(channel).filter(|(at, _)| *at <= now)
    }

    /// The first test that is due or to be tried again. O(due rows held).
    pub(super) fn next_test(&self, channel: ChannelId) -> Option<(Instant, NotificationId)> {
        let is_test = |id: &NotificationId| {
            self.rows.get(id).is_some_and(|row| row.kind == Kind::ChannelTest)
        };
        let due = &self.channels.get(&channel)?.due;
        due.iter().find(|(_, id)| is_test(id)).copied()
    }

    /// A delivery that is no test starts: a pause follows.
    pub(super) fn pause(&mut self, now: Instant, channel: ChannelId) {
        let pause = self.manners(channel).and_then(|manners| manners.pause);
        let Some(pause) = pause.filter(|pause| *pause > Span::ZERO) else { return };
        self.channel_mut(channel).row.course.next_at = Some(now + pause);
        self.changed.channels.insert(channel);
    }

    /// A delivery arrived: the channel works.
    pub(super) fn fares_well(&mut self, channel: ChannelId) {
        self.complaints.remove(&channel);
        let held = self.channel_mut(channel);
        held.failure = None;
        if held.row.course.failing.take().is_some() {
            self.turns += 1;
            self.changed.channels.insert(channel);
        }
    }

    /// A delivery of `row` failed. What it cost is in the row already.
    pub(super) fn fares_ill(&mut self, channel: ChannelId, ill: Ill<'_>) {
        let Some(row) = self.rows.get(&ill.row) else { return };
        let (effort, first) = (row.effort, row.first_attempt.unwrap_or(ill.began));
        let after = self.config.tell_of_failing_after;
        let held = self.channel_mut(channel);
        held.failure = Some(ill.reason.into());
        let fresh = held.row.course.failing.is_none();
        let failing =
            held.row.course.failing.get_or_insert(Failing { since: ill.began, told: false });
        // A day of trying, not a night of sleep with a failure before and after; and nothing else
        // arrived since.
        let is_long = effort.up >= after && effort.tries >= TRIES_LEAST && first >= failing.since;
        let is_to_be_told = !failing.told && (ill.last || is_long);
        if fresh {
            self.turns += 1;
            self.changed.channels.insert(channel);
        }
        if is_to_be_told {
            let hours = effort.up.as_millis() / Span::HOUR.as_millis();
            self.complaints.insert(channel, Complaint { hours, reason: ill.reason.into() });
        }
    }

    /// How the last delivery on a channel failed before the start of this process.
    pub fn load_failure(&mut self, channel: ChannelId, reason: Box<str>) {
        self.channel_mut(channel).failure = Some(reason);
    }

    /// How the last delivery on a channel failed, as far as it is known.
    pub fn failure(&self, channel: ChannelId) -> Option<&str> {
        self.channels.get(&channel)?.failure.as_deref()
    }

    /// Counts how often a channel came to fail, to take no more, or to work again.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Tells of channels that take nothing, each once, on the channel configured for that or on
    /// another that works. `reaches`: the channel of this name is configured, and needs no contact.
    /// Call it after [`Outbox::delivered`], with the ids of the same owner.
    pub fn tell_of_failing(
        &mut self,
        now: Instant,
        ids: &mut dyn Ids,
        reaches: &dyn Fn(&str) -> bool,
    ) {
        for (channel, Complaint { hours, reason }) in std::mem::take(&mut self.complaints) {
            let to = self.stand_in(ids, channel, reaches);
            let Some(held) = self.channels.get_mut(&channel) else { continue };
            let Some(failing) = &mut held.row.course.failing else { continue };
            failing.told = true;
            let failed = held.row.clone();
            self.changed.channels.insert(channel);
            let name = match &failed.contact {
                Some(contact) => format!("{} ({contact})", failed.name),
                None => failed.name.to_string(),
            };
            let note = match &failed.disabled {
                Some(_) => format!("the channel {name} takes no more: {reason}"),
                None => format!(
                    "the channel {name} took nothing in {hours} h of trying; the last: {reason}"
                ),
            };
            let mut row = Row::new(ids.notification(), Kind::ChannelFailing, to, now);
            let to = self.channel_mut(to).row.clone();
            row.key = key::failing_key(&self.config.instance, &to, &failed);
            (row.closed_at, row.note) = (Some(now), note.into());
            self.create(row);
        }
    }

    /// Whom to tell that a channel takes nothing: whoever is configured for it, where that works;
    /// else another that works and is no terminal; else the dashboard. Nobody is told whom a
    /// sentinel alone names: that channel is for what it finds.
    fn stand_in(
        &mut self,
        ids: &mut dyn Ids,
        failing: ChannelId,
        reaches: &dyn Fn(&str) -> bool,
    ) -> ChannelId {
        let wanted = self.manners(failing).and_then(|manners| manners.fallback.clone());
        if let Some(name) = wanted.filter(|name| reaches(name)) {
            let id = self.channel(ids, &name, None);
            if id != failing && self.works(id) {
                return id;
            }
        }
        let built_in = |name: &str| matches!(name, "interactive" | "terminal");
        let is_other = |row: &&ChannelRow| {
            row.id != failing
                && row.id.owner() == ids.owner()
                && row.contact.is_none()
                && !built_in(&row.name)
                && reaches(&row.name)
                && self.works(row.id)
        };
        let other = self.channel_rows().find(is_other).map(|row| row.id);
        match other {
            Some(id) => id,
            None => self.channel(ids, "interactive", None),
        }
    }

    fn works(&self, channel: ChannelId) -> bool {
        let row = self.channel_row(channel);
        row.is_some_and(|row| row.disabled.is_none() && row.course.failing.is_none())
    }
}

/// Tries of one notification, at least, before a channel is said to take nothing.
const TRIES_LEAST: u32 = 4;

/// A channel takes nothing: how long one notification was tried while the process was up, and what
/// the last try ended with.
#[derive(Debug)]
pub(super) struct Complaint {
    hours: i64,
    reason: Box<str>,
}

/// How a delivery failed.
pub(super) struct Ill<'a> {
    pub(super) row: NotificationId,
    pub(super) began: Instant,
    pub(super) reason: &'a str,
    /// The channel is disabled by it.
    pub(super) last: bool,
}
