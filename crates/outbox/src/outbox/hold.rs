//! Which rows are in memory, and the indices over them.
//!
//! A prefix of a channel's due rows, by due time then id, is held; the rest is a count. Rows that
//! become due later than the last one held join the rest at once (`horizon`).

use super::{FINISHED_REMEMBERED_MAX, Outbox};
use crate::{ChannelId, Job, Kind, Row, State};
use chronon::{Instant, NotificationId, SentinelId};

impl Outbox {
    /// Puts a row into memory and into every index.
    pub(super) fn hold(&mut self, row: Row) {
        let (id, channel) = (row.id, row.channel);
        if let Some(sentinel) = row.sentinel {
            self.by_sentinel.entry(sentinel).or_default().insert(id);
        }
        let flying = self.flights.contains_key(&id);
        let composing = self.composing.contains(&id);
        let slot = row.slot();
        let awaits = self.awaiting.contains(&id);
        if let Some(pair) = row.blocks() {
            *self.on_the_way.entry(pair).or_default() += 1;
        }
        let retry_max = self.config.retry_max;
        let held = self.channel_mut(channel);
        held.held.insert(id);
        match row.state {
            State::Open { closes } => {
                held.open += 1;
                if closes.is_none() {
                    held.gathering.insert(id);
                }
                if !awaits {
                    self.timers.insert((closes.unwrap_or(row.created_at + retry_max), id));
                }
                self.open.extend(slot.map(|slot| (slot, id)));
            }
            State::Closed if !composing => {
                self.to_compose.insert(id);
            }
            State::Due { at } if !flying => {
                held.due.insert((at, id));
                self.place(channel);
            }
            _ => {}
        }
        self.rows.insert(id, row);
    }

    /// Takes a row out of memory and out of every index.
    pub(super) fn release(&mut self, id: NotificationId) -> Option<Row> {
        let row = self.rows.remove(&id)?;
        if let Some(sentinel) = row.sentinel
            && let Some(ids) = self.by_sentinel.get_mut(&sentinel)
        {
            ids.remove(&id);
            if ids.is_empty() {
                self.by_sentinel.remove(&sentinel);
            }
        }
        if let Some(pair) = row.blocks()
            && let Some(count) = self.on_the_way.get_mut(&pair)
        {
            *count -= 1;
            if *count == 0 {
                self.on_the_way.remove(&pair);
                let from = (pair.0, 0, ChannelId(0), None);
                let waiting = self.open.range(from..).take_while(|(slot, _)| slot.0 == pair.0);
                let waiting = waiting.filter(|(slot, _)| slot.2 == pair.1 && slot.3.is_none());
                self.ripe.extend(waiting.map(|(_, &id)| id));
            }
        }
        if let Some(slot) = row.slot() {
            self.open.remove(&slot);
        }
        let retry_max = self.config.retry_max;
        let held = self.channel_mut(row.channel);
        held.held.remove(&id);
        match row.state {
            State::Open { closes } => {
                held.open -= 1;
                held.gathering.remove(&id);
                self.timers.remove(&(closes.unwrap_or(row.created_at + retry_max), id));
            }
            State::Closed => {
                self.to_compose.remove(&id);
            }
            State::Due { at } if held.due.remove(&(at, id)) => self.place(row.channel),
            _ => {}
        }
        self.hungry.insert(row.channel);
        Some(row)
    }

    /// Changes a row that is held, and has it recorded. A row that becomes due beyond what is
    /// held of its channel leaves memory; one that is finished does too.
    pub(super) fn change(&mut self, id: NotificationId, change: impl FnOnce(&mut Row)) {
        let Some(mut row) = self.release(id) else { return };
        change(&mut row);
        self.keep(row);
    }

    /// Holds a row that is new or changed, and has it recorded.
    pub(super) fn keep(&mut self, row: Row) {
        let (id, channel) = (row.id, row.channel);
        if !matches!(row.state, State::Open { closes: Some(_) }) {
            self.awaiting.remove(&id);
        }
        let held = self.channel_mut(channel);
        held.stalled = false;
        if let Some(touched) = &mut held.loading {
            touched.insert(id);
        }
        if row.state.is_finished() {
            held.unfinished = held.unfinished.saturating_sub(1);
            self.finished(row);
            return;
        }
        let due = matches!(row.state, State::Due { .. });
        self.changed.parted.remove(&id);
        self.changed.rows.insert(id);
        self.hold(row);
        if due {
            self.trim(channel);
        }
    }

    /// A row nobody knew.
    pub(super) fn create(&mut self, row: Row) {
        self.channel_mut(row.channel).unfinished += 1;
        self.keep(row);
    }

    fn finished(&mut self, row: Row) {
        match row.state {
            State::Delivered { .. } => self.totals.delivered += 1,
            State::GivenUp { .. } => self.totals.given_up += 1,
            _ => self.totals.cancelled += 1,
        }
        self.composing.remove(&row.id);
        self.changed.rows.remove(&row.id);
        if self.finished_lately.len() == FINISHED_REMEMBERED_MAX {
            self.finished_lately.pop_front();
        }
        self.finished_lately.push_back(row.id);
        let max = u64::from(self.config.outbox_rows_max);
        if self.channel_mut(row.channel).backlog() + 1 == max {
            self.loosened.insert(row.channel);
        }
        self.hungry.insert(row.channel);
        self.changed.parted.insert(row.id, row);
    }

    /// Lets go of due rows beyond the limit or beyond the horizon, latest first.
    fn trim(&mut self, channel: ChannelId) {
        let limit = self.config.rows_loaded_per_channel as usize;
        let held = self.channel_mut(channel);
        let mut leaving = Vec::new();
        while let Some(&last) = held.due.last() {
            let beyond = held.horizon.is_some_and(|horizon| last >= horizon);
            if held.due.len() <= limit && !beyond {
                break;
            }
            held.due.remove(&last);
            held.horizon = Some(held.horizon.map_or(last, |horizon| horizon.min(last)));
            leaving.push(last.1);
        }
        for id in leaving {
            if let Some(row) = self.release(id)
                && self.changed.rows.remove(&id)
            {
                self.changed.parted.insert(id, row);
            }
        }
        self.place(channel);
    }

    /// After the load: what the store has beyond what it handed over.
    pub(super) fn settle(&mut self) {
        if std::mem::replace(&mut self.settled, true) {
            return;
        }
        let channels: Vec<ChannelId> = self.channels.keys().copied().collect();
        for &id in &channels {
            let held = self.channel_mut(id);
            held.unfinished = held.unfinished();
            held.stored = 0;
            if held.unheld() > 0 {
                let first = (Instant::from_millis(i64::MIN), NotificationId(0));
                held.horizon = Some(held.due.last().map_or(first, |&(at, id)| next_after(at, id)));
            }
        }
        self.hungry.extend(&channels);
        self.loosened.extend(&channels);
    }

    /// Asks for the next due rows of channels that run out of held ones.
    pub(super) fn ask_for_more(&mut self, jobs: &mut Vec<Job>) {
        let limit = self.config.rows_loaded_per_channel as usize;
        for id in std::mem::take(&mut self.hungry) {
            let held = self.channel_mut(id);
            let low = held.due.len() * 4 < limit;
            if low && held.unheld() > 0 && held.loading.is_none() && !held.stalled {
                held.loading = Some(Default::default());
                held.horizon = None;
                jobs.push(Job::LoadDue { channel: id });
            }
        }
    }

    /// The answer to [`Job::LoadDue`].
    pub fn due_loaded(&mut self, now: Instant, channel: ChannelId, rows: Vec<Row>) {
        let Some(touched) = self.channel_mut(channel).loading.take() else { return };
        let short = rows.len() < self.config.rows_loaded_per_channel as usize;
        let mut end = rows.iter().map(position).max().filter(|_| !short);
        let mut news = 0;
        for row in rows {
            let known = self.rows.contains_key(&row.id) || touched.contains(&row.id);
            if known || row.channel != channel || row.state.is_finished() {
                if !self.rows.contains_key(&row.id) {
                    // It may still be due: what comes after it waits for the next load.
                    end = Some(end.map_or(position(&row), |end| end.min(position(&row))));
                }
                continue;
            }
            news += 1;
            let (id, cancelled) = (row.id, self.gone.has(row.sentinel));
            self.hold(row);
            if cancelled {
                self.change(id, |row| row.state = State::Cancelled { at: now });
            }
        }
        let held = self.channel_mut(channel);
        if short && touched.is_empty() {
            // The store has no others: it is right, whatever was counted.
            held.unfinished = held.held.len() as u64;
        }
        held.stalled = news == 0 && touched.is_empty();
        if held.unheld() == 0 {
            held.horizon = None;
        } else if let Some((at, id)) = end {
            let next = next_after(at, id);
            held.horizon = Some(held.horizon.map_or(next, |horizon| horizon.min(next)));
        }
        self.hungry.insert(channel);
        self.loosened.insert(channel);
        self.trim(channel);
    }
}

/// Where a row stands in the store's list of due rows.
fn position(row: &Row) -> (Instant, NotificationId) {
    match row.state {
        State::Due { at } => (at, row.id),
        _ => (row.closed_at.unwrap_or(row.created_at), row.id),
    }
}

fn next_after(at: Instant, id: NotificationId) -> (Instant, NotificationId) {
    (at, NotificationId(id.0.saturating_add(1)))
}

impl Row {
    /// What a row that gathers is found by.
    pub(super) fn slot(&self) -> Option<super::Slot> {
        match (&self.state, self.sentinel) {
            (State::Open { closes }, Some(sentinel)) => {
                Some((sentinel, self.generation, self.channel, *closes))
            }
            _ => None,
        }
    }

    /// The pair that best effort waits for while this row is unfinished.
    fn blocks(&self) -> Option<(SentinelId, ChannelId)> {
        let changes = matches!(self.kind, Kind::Change | Kind::Rule | Kind::Digest);
        let closed = matches!(self.state, State::Closed | State::Due { .. });
        self.sentinel.filter(|_| changes && closed).map(|sentinel| (sentinel, self.channel))
    }
}
