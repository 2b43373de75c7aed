//! When a channel may be told: quiet hours and pauses. And who is told where one takes nothing.

use super::{Ids, Outbox};
use crate::{ChannelId, Failing, Kind, Manners, Row, key};
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

    /// The same for what is told now: where a pause follows each message, what waits goes first.
    pub(super) fn free_for_news(&self, channel: ChannelId, now: Instant) -> Instant {
        let free = self.free_at(channel, now);
        let pause = self.manners(channel).and_then(|manners| manners.pause);
        let waits = self.channels.get(&channel).is_some_and(|held| held.backlog() > 0);
        pause.filter(|_| waits && free == now).map_or(free, |pause| now + pause)
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
        let is_test = |id: &NotificationId| {
            self.rows.get(id).is_some_and(|row| row.kind == Kind::ChannelTest)
        };
        due.iter().take_while(|(at, _)| *at <= now).find(|(_, id)| is_test(id)).copied()
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
        if self.channel_mut(channel).row.course.failing.take().is_some() {
            self.changed.channels.insert(channel);
        }
    }

    /// A delivery that was started at `began` failed. `last`: no other will be tried.
    pub(super) fn fares_ill(&mut self, now: Instant, channel: ChannelId, ill: Ill<'_>) {
        let after = self.config.tell_of_failing_after;
        let held = self.channel_mut(channel);
        let fresh = held.row.course.failing.is_none();
        let failing =
            held.row.course.failing.get_or_insert(Failing { since: ill.began, told: false });
        let is_to_be_told = !failing.told && (ill.last || now - failing.since >= after);
        if fresh {
            self.changed.channels.insert(channel);
        }
        if is_to_be_told {
            self.complaints.insert(channel, ill.reason.into());
        }
    }

    /// Tells of channels that take nothing, each once, on the channel configured for that or on
    /// another that works. Call it after [`Outbox::delivered`], with the ids of the same owner.
    pub fn tell_of_failing(&mut self, now: Instant, ids: &mut dyn Ids) {
        for (channel, reason) in std::mem::take(&mut self.complaints) {
            let to = self.stand_in(ids, channel);
            let Some(held) = self.channels.get_mut(&channel) else { continue };
            let Some(failing) = &mut held.row.course.failing else { continue };
            failing.told = true;
            let since = failing.since;
            let failed = held.row.clone();
            self.changed.channels.insert(channel);
            let name = match &failed.contact {
                Some(contact) => format!("{} ({contact})", failed.name),
                None => failed.name.to_string(),
            };
            let hours = (now - since).as_millis() / Span::HOUR.as_millis();
            let note = match &failed.disabled {
                Some(_) => format!("the channel {name} takes no more: {reason}"),
                None => {
                    format!("the channel {name} took nothing for {hours} h; the last: {reason}")
                }
            };
            let mut row = Row::new(ids.notification(), Kind::ChannelFailing, to, now);
            let to = self.channel_mut(to).row.clone();
            row.key = key::failing_key(&self.config.instance, &to, &failed);
            (row.closed_at, row.note) = (Some(now), note.into());
            self.create(row);
        }
    }

    /// Whom to tell that a channel takes nothing: whoever is configured for it, where that works;
    /// else another that works and is no terminal; else the dashboard.
    fn stand_in(&mut self, ids: &mut dyn Ids, failing: ChannelId) -> ChannelId {
        let works = |id: &ChannelId, held: &crate::Channel| {
            let row = &held.row;
            *id != failing
                && id.owner() == ids.owner()
                && row.disabled.is_none()
                && row.course.failing.is_none()
        };
        let wanted = self.manners(failing).and_then(|manners| manners.fallback.clone());
        let working = self.channels.iter().filter(|(id, held)| works(id, held));
        let mut others = working.clone().map(|(id, held)| (*id, &held.row));
        let found = match &wanted {
            Some(name) => others.find(|(_, row)| row.name == *name),
            None => None,
        };
        if let Some((id, _)) = found {
            return id;
        }
        if let Some(name) = wanted {
            let is_known = self.channels.values().any(|held| held.row.name == name);
            if !is_known {
                return self.channel(ids, &name, None);
            }
        }
        let built_in = |name: &str| matches!(name, "interactive" | "terminal");
        let other =
            working.map(|(id, held)| (*id, &held.row)).find(|(_, row)| !built_in(&row.name));
        match other.map(|(id, _)| id) {
            Some(id) => id,
            None => self.channel(ids, "interactive", None),
        }
    }
}

/// How a delivery failed.
pub(super) struct Ill<'a> {
    pub(super) began: Instant,
    pub(super) reason: &'a str,
    /// The channel is disabled by it.
    pub(super) last: bool,
}
