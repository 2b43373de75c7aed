//! Detections and sources' health become rows; windows end.

use super::Ids;
use super::Outbox;
use crate::{
    ChannelId, Closes, Detection, Frequency, Health, Key, Kind, Row, State, Whom, Window,
    WindowPlace, key,
};
use chronon::{Instant, NotificationId, SentinelId};
use std::collections::BTreeSet;

impl Outbox {
    /// A sentinel's expression held, and is told `now`: one row, or a place in a gathering row, per
    /// channel. The same channel named twice is told once at once and once per digest.
    pub fn detected(&mut self, now: Instant, ids: &mut dyn Ids, told: &Detection, whom: &[Whom]) {
        self.settle();
        self.gone.live(told.sentinel);
        // What ended before gathers nothing of now.
        self.close_windows(now);
        let over: Vec<bool> = whom.iter().map(|whom| self.is_full(whom.channel)).collect();
        for (nth, one) in whom.iter().enumerate() {
            let window = one.frequency.window();
            let ends = window.map(|window| window.ends);
            let earlier = &whom[..nth];
            let again = |other: &Whom| {
                let others = other.frequency.window().map(|window| window.ends);
                other.channel == one.channel && others == ends
            };
            if !earlier.iter().any(again) {
                self.tell(ids, told, &Way { now, one, window, over: over[nth] });
            }
        }
    }

    fn tell(&mut self, ids: &mut dyn Ids, told: &Detection, way: &Way<'_>) {
        let channel = way.one.channel;
        let slot = |closes| (told.sentinel, told.generation, channel, closes);
        let ends = way.window.map(|window| window.ends);
        if let Some(&open) = ends.and_then(|_| self.open.get(&slot(ends))) {
            return self.append(open, told);
        }
        let busy = way.one.frequency == Frequency::BestEffort
            && (self.on_the_way.contains_key(&(told.sentinel, channel))
                || self.open.contains_key(&slot(None))
                || self.channel_mut(channel).unheld() > 0);
        let (key, state) = if way.over || busy {
            self.totals.merged += 1;
            if let Some(&open) = self.open.get(&slot(None)) {
                return self.append(open, told);
            }
            (self.change_key(told, channel), State::Open { closes: None })
        } else if let Some(window) = way.window {
            let row = &self.channel_mut(channel).row.clone();
            let key = key::digest_key(&self.config.instance, row, told, &window);
            (key, State::Open { closes: Some(window.ends) })
        } else {
            let free = self.free_for_news(channel, way.now);
            if let Some(&open) = self.open.get(&slot(Some(free))) {
                return self.append(open, told);
            }
            let waits = free > way.now;
            let state = if waits { State::Open { closes: Some(free) } } else { State::Closed };
            (self.change_key(told, channel), state)
        };
        let windowed = way.window.is_some() && matches!(state, State::Open { closes: Some(_) });
        let kind = match (windowed, told.is_of_rule()) {
            (true, _) => Kind::Digest,
            (false, true) => Kind::Rule,
            (false, false) => Kind::Change,
        };
        let mut row = Row::new(ids.notification(), kind, channel, way.now);
        row.closed_at = (state == State::Closed).then_some(way.now);
        row.members.push(told.id);
        (row.sentinel, row.generation, row.seq) = (Some(told.sentinel), told.generation, told.seq);
        (row.key, row.state) = (key, state);
        if windowed && way.window.is_some_and(|window| window.closes == Closes::WhenSaid) {
            self.awaiting.insert(row.id);
        }
        self.create(row);
    }

    /// One more member. A row that gathered a single change becomes a digest.
    fn append(&mut self, id: NotificationId, told: &Detection) {
        let (instance, members_max) = (self.config.instance, self.config.members_max as usize);
        let Some(row) = self.rows.get(&id) else { return };
        if row.members.last() == Some(&told.id) {
            return;
        }
        let channel = self.channel_mut(row.channel).row.clone();
        self.change(id, |row| {
            if matches!(row.kind, Kind::Change | Kind::Rule) {
                row.kind = Kind::Digest;
                row.key = key::gathered_key(&instance, &channel, &row.key);
            }
            if row.members.len() < members_max {
                row.members.push(told.id);
            } else {
                row.more += 1;
            }
            row.seq = told.seq;
        });
    }

    fn change_key(&mut self, told: &Detection, channel: ChannelId) -> Key {
        key::change_key(&self.config.instance.clone(), &self.channel_mut(channel).row, told)
    }

    fn is_full(&self, channel: ChannelId) -> bool {
        let max = u64::from(self.config.outbox_rows_max);
        self.channels.get(&channel).is_some_and(|channel| channel.backlog() >= max)
    }

    /// A source fails, or is back: one row per channel, at once.
    pub fn health(
        &mut self,
        now: Instant,
        ids: &mut dyn Ids,
        health: &Health,
        channels: &[ChannelId],
    ) {
        self.settle();
        self.gone.live(health.sentinel);
        for (nth, &channel) in channels.iter().enumerate() {
            if channels[..nth].contains(&channel) {
                continue;
            }
            let mut row = Row::new(ids.notification(), health.kind, channel, now);
            let to = &self.channel_mut(channel).row.clone();
            row.key = key::health_key(&self.config.instance, to, health);
            row.sentinel = Some(health.sentinel);
            (row.generation, row.seq) = (health.generation, health.seq);
            (row.source, row.note) = (Some(health.source), health.note.clone());
            row.closed_at = Some(now);
            self.create(row);
        }
    }

    /// The sentinel ended: a pending digest goes at once, or when it is `held` no more.
    pub fn ended(&mut self, now: Instant, sentinel: SentinelId, held: Option<Instant>) {
        self.hurry(now, sentinel, held);
    }

    /// The sentinel has a new text: what was pending of earlier generations goes out at once, or
    /// when the sentinel is `held` no more.
    pub fn replaced(
        &mut self,
        now: Instant,
        sentinel: SentinelId,
        generation: u32,
        held: Option<Instant>,
    ) {
        self.close_all(now, (sentinel, held), |row| {
            row.generation < generation && matches!(row.state, State::Open { .. })
        });
    }

    /// The sentinel is gone: what is not in flight is cancelled, and so is what is in flight if
    /// it fails.
    pub fn removed(&mut self, now: Instant, sentinel: SentinelId) {
        self.settle();
        self.gone.remove(sentinel);
        for id in self.rows_of(sentinel) {
            if !self.flights.contains_key(&id) {
                self.change(id, |row| row.state = State::Cancelled { at: now });
            }
        }
    }

    fn rows_of(&self, sentinel: SentinelId) -> Vec<NotificationId> {
        self.by_sentinel.get(&sentinel).into_iter().flatten().copied().collect()
    }

    /// Closes rows of a sentinel. Until it is held back no more, digests wait instead.
    fn close_all(
        &mut self,
        now: Instant,
        (sentinel, held): (SentinelId, Option<Instant>),
        which: impl Fn(&Row) -> bool,
    ) {
        self.settle();
        for id in self.rows_of(sentinel) {
            let Some(row) = self.rows.get(&id).filter(|row| which(row)) else { continue };
            match (held, &row.state) {
                (None, _) => self.close(now, id),
                (Some(until), State::Open { closes: Some(_) }) => self.postpone(now, id, until),
                // It goes once its channel has room, as it would have without the silence.
                (Some(_), _) => {}
            }
        }
    }

    /// One step freezes members and key.
    fn close(&mut self, now: Instant, id: NotificationId) {
        self.change(id, |row| {
            row.state = State::Closed;
            row.closed_at = Some(now);
        });
    }

    /// Ends windows whose time has come. On a full channel a digest goes on gathering.
    pub(super) fn close_windows(&mut self, now: Instant) {
        while let Some(&(at, id)) = self.timers.first().filter(|&&(at, _)| at <= now) {
            self.timers.remove(&(at, id));
            let Some(row) = self.rows.get(&id) else { continue };
            match row.state {
                State::Open { closes: Some(_) } => self.end_window(now, id),
                State::Open { closes: None } => {
                    self.loosened.insert(row.channel);
                }
                _ => {}
            }
        }
    }

    fn end_window(&mut self, now: Instant, id: NotificationId) {
        let Some(row) = self.rows.get(&id) else { return };
        let free = self.free_for_news(row.channel, now);
        if free > now {
            return self.postpone(now, id, free);
        }
        let slot = row.sentinel.map(|s| (s, row.generation, row.channel, None));
        let gathers_already = slot.is_some_and(|slot| self.open.contains_key(&slot));
        if self.is_full(row.channel) && !gathers_already {
            self.change(id, |row| row.state = State::Open { closes: None })
        } else {
            self.close(now, id)
        }
    }

    /// What the digests of this window waited for has come: they close.
    pub fn window_over(&mut self, now: Instant, place: &WindowPlace) {
        self.settle();
        if let Some(id) = self.in_window(place).filter(|id| self.awaiting.contains(id)) {
            self.end_window(now, id);
        }
    }

    /// After a load: the digest of this window closes when [`Outbox::window_over`] says so.
    pub fn await_word(&mut self, place: &WindowPlace) {
        if let Some(id) = self.in_window(place) {
            self.awaiting.insert(id);
            self.timers.remove(&(place.ends, id));
        }
    }

    /// Nobody will say any more when windows of this sentinel are over: they close at their ends.
    pub fn no_word(&mut self, sentinel: SentinelId) {
        for id in self.rows_of(sentinel) {
            if self.awaiting.remove(&id)
                && let Some(State::Open { closes: Some(ends) }) =
                    self.rows.get(&id).map(|r| &r.state)
            {
                self.timers.insert((*ends, id));
            }
        }
    }

    /// What is open of a sentinel's digests goes out at once, or when it is `held` no more.
    pub fn hurry(&mut self, now: Instant, sentinel: SentinelId, held: Option<Instant>) {
        let is_digest = |row: &Row| matches!(row.state, State::Open { closes: Some(_) });
        self.close_all(now, (sentinel, held), is_digest);
    }

    /// What a sentinel gathers until `before` goes on gathering until `until`; `None`: it gathers
    /// no more. Digests that would go earlier wait, too.
    pub fn hold_back(
        &mut self,
        now: Instant,
        sentinel: SentinelId,
        before: Option<Instant>,
        until: Option<Instant>,
    ) {
        self.settle();
        for id in self.rows_of(sentinel) {
            let Some(row) = self.rows.get(&id) else { continue };
            let State::Open { closes: Some(closes) } = row.state else { continue };
            let was_held = before == Some(closes);
            match until {
                None if was_held => self.end_window(now, id),
                None => {}
                Some(until) if was_held || closes < until => self.postpone(now, id, until),
                // The last look may be over before the silence is.
                Some(_) if self.awaiting.contains(&id) => self.postpone(now, id, closes),
                Some(_) => {}
            }
        }
    }

    /// A digest gathers until then, whatever it waited for; where one does already, they are one.
    fn postpone(&mut self, now: Instant, id: NotificationId, until: Instant) {
        let Some(row) = self.rows.get(&id) else { return };
        let slot = row.sentinel.map(|s| (s, row.generation, row.channel, Some(until)));
        match slot.and_then(|slot| self.open.get(&slot).copied()) {
            Some(into) if into != id => self.merge(now, id, into),
            _ => {
                self.awaiting.remove(&id);
                self.change(id, |row| row.state = State::Open { closes: Some(until) });
            }
        }
    }

    /// What one digest gathered goes with another.
    fn merge(&mut self, now: Instant, id: NotificationId, into: NotificationId) {
        let members_max = self.config.members_max as usize;
        let Some(gone) = self.rows.get(&id).cloned() else { return };
        let instance = self.config.instance;
        let channel = self.channel_mut(gone.channel).row.clone();
        self.change(into, |row| {
            if matches!(row.kind, Kind::Change | Kind::Rule) {
                row.kind = Kind::Digest;
                row.key = key::gathered_key(&instance, &channel, &row.key);
            }
            let members = row.members.iter().chain(&gone.members).copied();
            let members: BTreeSet<_> = members.collect();
            let beyond = members.len().saturating_sub(members_max);
            row.more += gone.more + beyond as u64;
            row.members = members.into_iter().take(members_max).collect();
            row.seq = row.seq.max(gone.seq);
        });
        self.change(id, |row| row.state = State::Cancelled { at: now });
    }

    /// The windows of a sentinel's open digests.
    pub fn windows_of(&self, sentinel: SentinelId) -> Vec<WindowPlace> {
        let rows = self.rows_of(sentinel).into_iter().filter_map(|id| self.rows.get(&id));
        let place = |row: &Row| match row.state {
            State::Open { closes: Some(ends) } => {
                let (generation, channel) = (row.generation, row.channel);
                Some(WindowPlace { sentinel, generation, channel, ends })
            }
            _ => None,
        };
        rows.filter_map(place).collect()
    }

    fn in_window(&self, place: &WindowPlace) -> Option<NotificationId> {
        let &WindowPlace { sentinel, generation, channel, ends } = place;
        self.open.get(&(sentinel, generation, channel, Some(ends))).copied()
    }

    /// Closes gathering rows whose channel has room again, oldest first.
    pub(super) fn close_gathered(&mut self, now: Instant) {
        for id in std::mem::take(&mut self.ripe) {
            let channel = self.rows.get(&id).map(|row| row.channel);
            if channel.is_some_and(|channel| !self.is_full(channel)) && self.may_close(now, id) {
                self.close(now, id);
            }
        }
        for channel in std::mem::take(&mut self.loosened) {
            if self.is_full(channel) {
                continue;
            }
            let gathering: Vec<_> = self.channel_mut(channel).gathering.iter().copied().collect();
            for id in gathering {
                if self.is_full(channel) {
                    break;
                }
                if self.may_close(now, id) {
                    self.close(now, id);
                }
            }
        }
    }

    /// A gathering row waits for the earlier rows of its sentinel on its channel. Those that are
    /// not held cannot be told apart; for them it waits `retry_max` at most.
    fn may_close(&self, now: Instant, id: NotificationId) -> bool {
        let Some(row) = self.rows.get(&id) else { return false };
        let Some(sentinel) = row.sentinel else { return true };
        if row.state != (State::Open { closes: None }) {
            return false;
        }
        let hidden = self.channels.get(&row.channel).is_some_and(|channel| channel.unheld() > 0);
        let waited = row.created_at + self.config.retry_max <= now || row.created_at > now;
        !self.on_the_way.contains_key(&(sentinel, row.channel)) && (!hidden || waited)
    }
}

/// How one detection goes to one channel.
struct Way<'a> {
    now: Instant,
    one: &'a Whom,
    window: Option<Window>,
    /// The channel has as many rows as it may.
    over: bool,
}

impl Frequency {
    /// For digests.
    fn window(&self) -> Option<Window> {
        match self {
            Frequency::Immediately | Frequency::BestEffort => None,
            Frequency::Digest(window) => Some(*window),
        }
    }
}

impl Row {
    /// A closed row of no sentinel, to be filled in.
    pub(super) fn new(id: NotificationId, kind: Kind, channel: ChannelId, now: Instant) -> Row {
        Row {
            id,
            key: Key("".into()),
            kind,
            sentinel: None,
            generation: 0,
            channel,
            seq: 0,
            members: Vec::new(),
            more: 0,
            source: None,
            note: "".into(),
            created_at: now,
            closed_at: None,
            body: None,
            attempts: 0,
            first_attempt: None,
            effort: crate::Effort::default(),
            state: State::Closed,
            read: false,
        }
    }
}
