//! Bodies are composed, deliveries start, end, are tried again or given up.

use super::pace::Ill;
use super::{ChannelDisabled, Flight, Outbox};
use crate::{Attempt, ChannelId, DeliveryResult, Job, Kind, Row, State, key};
use chronon::{BlobId, Instant, NotificationId, Span};
use std::ops::Bound;

/// Why a row is given up: what was done, and how the last try ended.
fn given_up(row: &Row, now: Instant, reason: &str) -> String {
    let hours = |span: Span| (span.as_millis() + 1_800_000) / 3_600_000;
    let took = hours(now - row.first_attempt.unwrap_or(now));
    let up = hours(row.effort.up);
    let tries = row.effort.tries;
    if took > up + 2 {
        format!("{tries} tries in {took} h, up for {up} h of them; the last: {reason}")
    } else {
        format!("{tries} tries in {took} h; the last: {reason}")
    }
}

impl Outbox {
    /// Starts what is due, within the limits: every job handed over is then in flight. Windows
    /// whose time has come are closed first. Call it at the end of every step.
    pub fn poll(&mut self, now: Instant, jobs: &mut Vec<Job>) {
        self.settle();
        self.uptime.beat(now, self.waiting());
        self.close_windows(now);
        self.close_gathered(now);
        self.give_up_disabled(now);
        self.start_compositions(jobs);
        self.start_deliveries(now, jobs);
        self.ask_for_more(jobs);
    }

    /// The body of a closed row is stored under `body`.
    pub fn composed(&mut self, now: Instant, id: NotificationId, body: BlobId) {
        if self.composing.remove(&id) {
            self.change(id, |row| {
                row.body = Some(body);
                row.state = State::Due { at: now };
            });
        }
    }

    /// The body of a closed row cannot be made, and trying again would not help: it is given up,
    /// and says why.
    pub fn not_composed(&mut self, now: Instant, id: NotificationId, reason: &str) {
        if self.composing.remove(&id) {
            let reason = format!("its text could not be composed: {reason}").into();
            self.change(id, |row| row.state = State::GivenUp { at: now, reason });
        }
    }

    /// A delivery ended; says if that disabled its channel. One that is not in flight is ignored.
    pub fn delivered(
        &mut self,
        now: Instant,
        id: NotificationId,
        result: DeliveryResult,
    ) -> Option<ChannelDisabled> {
        self.uptime.beat(now, self.waiting());
        let flight = self.flights.remove(&id)?;
        let channel = self.rows.get(&id)?.channel;
        self.lanes.doubtful_in_flight -= u32::from(flight.doubtful);
        let held = self.channel_mut(channel);
        held.in_flight -= 1;
        held.doubtful = result != DeliveryResult::Delivered;
        let since = self.rows.get(&id)?.effort.last.unwrap_or(flight.at);
        let up = self.uptime.between(since, now);
        self.change(id, |row| {
            row.attempts = row.attempts.saturating_add(1);
            row.first_attempt.get_or_insert(flight.at);
            row.effort.tries = row.effort.tries.saturating_add(1);
            row.effort.up = row.effort.up + up;
            row.effort.last = Some(now);
        });
        self.place(channel);
        let row = self.rows.get(&id)?;
        let (notification, number) = (id, row.attempts);
        let attempt = Attempt { notification, number, at: flight.at, result: result.clone() };
        self.changed.attempts.push(attempt);
        let began = flight.at;
        match result {
            DeliveryResult::Delivered => {
                self.fares_well(channel);
                self.arrived(now, id, channel);
            }
            DeliveryResult::Failed { reason, after } => {
                self.fares_ill(channel, Ill { row: id, began, reason: &reason, last: false });
                self.failed(now, id, &reason, after);
            }
            DeliveryResult::Gone { reason } => {
                self.fares_ill(channel, Ill { row: id, began, reason: &reason, last: true });
                return Some(self.refused(now, id, channel, reason));
            }
        }
        None
    }

    fn arrived(&mut self, now: Instant, id: NotificationId, channel: ChannelId) {
        let test = self.rows.get(&id).is_some_and(|row| row.kind == Kind::ChannelTest);
        self.change(id, |row| row.state = State::Delivered { at: now });
        let held = self.channel_mut(channel);
        if test && held.row.disabled.take().is_some() {
            self.disabled.remove(&channel);
            self.turns += 1;
            self.changed.channels.insert(channel);
        }
    }

    fn failed(&mut self, now: Instant, id: NotificationId, reason: &str, after: Option<Span>) {
        self.totals.failures += 1;
        let Some(row) = self.rows.get(&id) else { return };
        if self.gone.has(row.sentinel) {
            return self.change(id, |row| row.state = State::Cancelled { at: now });
        }
        let next = now + self.retry_after(row, after);
        let config = &self.config;
        let spent =
            row.effort.up >= config.give_up_after && row.effort.tries >= config.give_up_tries;
        let told = spent.then(|| given_up(row, now, reason).into());
        self.change(id, |row| {
            row.state = match told {
                None => State::Due { at: next },
                Some(reason) => State::GivenUp { at: now, reason },
            };
        });
    }

    /// 5 s, doubling to 1 h, ± 20 %; at least what the recipient asked for, up to 6 h.
    fn retry_after(&self, row: &Row, after: Option<Span>) -> Span {
        let doublings = row.attempts.saturating_sub(1).min(40);
        let nominal = self.config.retry_first.times(1 << doublings).min(self.config.retry_max);
        let thousandths = 800 + key::jitter(&self.config.instance, &row.key, row.attempts);
        let wait = nominal.times(thousandths).divided_by(1_000);
        after.map_or(wait, |after| wait.max(after.min(self.config.retry_after_max)))
    }

    fn refused(
        &mut self,
        now: Instant,
        id: NotificationId,
        channel: ChannelId,
        reason: Box<str>,
    ) -> ChannelDisabled {
        let disabled = ChannelDisabled { channel, reason: reason.clone() };
        self.change(id, |row| row.state = State::GivenUp { at: now, reason: reason.clone() });
        self.channel_mut(channel).row.disabled = Some(reason);
        self.disabled.insert(channel);
        self.turns += 1;
        self.changed.channels.insert(channel);
        disabled
    }

    /// Rows of disabled channels are given up, and say why. Channel tests go out.
    fn give_up_disabled(&mut self, now: Instant) {
        let channels: Vec<ChannelId> = self.disabled.iter().copied().collect();
        for channel in channels {
            let held = self.channel_mut(channel);
            if held.held.is_empty() {
                continue;
            }
            let rows = held.held.clone();
            let reason = held.row.disabled.clone().unwrap_or_default();
            let reason: Box<str> =
                format!("the channel is disabled: {reason}; a channel test enables it again")
                    .into();
            for id in rows {
                let test = self.rows.get(&id).is_some_and(|row| row.kind == Kind::ChannelTest);
                if !test && !self.flights.contains_key(&id) {
                    self.change(id, |row| {
                        row.closed_at.get_or_insert(now);
                        row.state = State::GivenUp { at: now, reason: reason.clone() };
                    });
                }
            }
        }
    }

    fn start_compositions(&mut self, jobs: &mut Vec<Job>) {
        while self.composing.len() < self.config.in_flight_max as usize {
            let Some(id) = self.to_compose.pop_first() else { break };
            self.composing.insert(id);
            jobs.push(Job::Compose(id));
        }
    }

    fn start_deliveries(&mut self, now: Instant, jobs: &mut Vec<Job>) {
        while let Some(&(_, channel)) = self.lanes.wake.first().filter(|&&(at, _)| at <= now) {
            self.wake(now, channel);
        }
        while self.flights.len() < self.config.in_flight_max as usize {
            let Some(channel) = self.next_channel() else { break };
            self.start(now, channel, jobs);
        }
    }

    /// Round robin over the sound channels, then over the doubtful ones.
    fn next_channel(&mut self) -> Option<ChannelId> {
        let doubtful_max = (self.config.in_flight_max / 2).max(1);
        let lanes = &mut self.lanes;
        let may_doubt = lanes.doubtful_in_flight < doubtful_max;
        let lane = match (lanes.sound.is_empty(), lanes.doubtful.is_empty()) {
            (false, _) => &lanes.sound,
            (true, false) if may_doubt => &lanes.doubtful,
            _ => return None,
        };
        let after = lanes.cursor.map_or(Bound::Unbounded, Bound::Excluded);
        let next = lane.range((after, Bound::Unbounded)).next().or(lane.first()).copied();
        lanes.cursor = next;
        next
    }

    /// Starts the first due row of a channel that is ready.
    fn start(&mut self, now: Instant, channel: ChannelId, jobs: &mut Vec<Job>) {
        self.lanes.sound.remove(&channel);
        self.lanes.doubtful.remove(&channel);
        let Some(next) = self.next_due(channel, now) else { return self.place(channel) };
        let held = self.channel_mut(channel);
        let doubtful = held.doubtful;
        held.due.remove(&next);
        held.in_flight += 1;
        let (_, id) = next;
        if self.rows.get(&id).is_some_and(|row| row.kind != Kind::ChannelTest) {
            self.pause(now, channel);
        }
        self.hungry.insert(channel);
        self.flights.insert(id, Flight { at: now, doubtful });
        self.lanes.doubtful_in_flight += u32::from(doubtful);
        self.place(channel);
        self.wake(now, channel);
        let Some(row) = self.rows.get(&id) else { return };
        jobs.push(Job::Deliver {
            notification: id,
            channel,
            key: row.key.clone(),
            body: row
                .body
                .expect("a due row has a body: only `composed` and `resend` make one due"),
            number: row.attempts.saturating_add(1),
        });
    }

    /// Moves a channel that is due now from waiting to ready.
    fn wake(&mut self, now: Instant, channel: ChannelId) {
        let next = self.next_due(channel, now);
        let mut free = self.free_at(channel, now);
        if next.is_none()
            && let Some((test, _)) = self.next_test(channel)
        {
            free = free.min(test);
        }
        let held = self.channel_mut(channel);
        let Some(at) = held.wake.filter(|&at| at <= now) else { return };
        if next.is_none() {
            held.wake = Some(free);
            self.lanes.wake.remove(&(at, channel));
            self.lanes.wake.insert((free, channel));
            return;
        }
        held.wake = None;
        let doubtful = held.doubtful;
        self.lanes.wake.remove(&(at, channel));
        let lane = if doubtful { &mut self.lanes.doubtful } else { &mut self.lanes.sound };
        lane.insert(channel);
    }

    /// Puts a channel where its due rows and its deliveries in flight say.
    pub(super) fn place(&mut self, channel: ChannelId) {
        let per_channel = self.config.in_flight_per_channel_max;
        let held = self.channels.entry(channel).or_insert_with(|| crate::Channel::new(channel));
        if let Some(at) = held.wake.take() {
            self.lanes.wake.remove(&(at, channel));
        }
        self.lanes.sound.remove(&channel);
        self.lanes.doubtful.remove(&channel);
        if held.in_flight < per_channel
            && let Some(&(at, _)) = held.due.first()
        {
            held.wake = Some(at);
            self.lanes.wake.insert((at, channel));
        }
    }
}
