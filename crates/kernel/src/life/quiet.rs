//! Quiet: snoozed for a while, removed with time to take that back; and another name.
//!
//! Looks and rounds go on all the while. What is found is gathered, one digest per channel, which
//! the outbox holds back until it may go (docs/decisions/062).

use super::states::not_found;
use super::{Life, Notice, Out, Timer, Turn};
use crate::io::{Announcement, Answer};
use crate::record::{Record, SentinelLife, SentinelState};
use chronon::{Instant, OwnerId, SentinelId, Span};
use sentinel::limits::NAME_CHARS_MAX;

/// How long a removal can be taken back.
const REGRET: Span = Span::from_secs(600);
/// The longest that a sentinel is snoozed.
const SNOOZE_MAX: Span = Span::from_secs(366 * 86_400);

impl Life {
    pub(crate) fn snooze(
        &mut self,
        now: Instant,
        owner: OwnerId,
        name: &str,
        until: Option<Instant>,
    ) -> Answer {
        self.now = now;
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        let said = |until| self.zone.moment(until);
        let sentence = match until {
            Some(_) if self.sentinels[&id].life.state == SentinelState::Ended => {
                format!("`{name}` has ended already")
            }
            Some(until) if until <= now => {
                format!("{} has passed; name a later time", said(until))
            }
            Some(until) if until - now > SNOOZE_MAX => {
                format!("{} is more than a year ahead; disable `{name}` instead", said(until))
            }
            _ => {
                // One that is over is kept: a restart wakes it again.
                let until = until.unwrap_or(now);
                self.hold(id, |life| life.snoozed = Some(until));
                self.timers.set(until, Timer::Wake(id));
                return Answer::Done;
            }
        };
        Answer::Unable(sentence.into())
    }

    /// It is removed soon, and tells nothing meanwhile.
    pub(crate) fn discard(&mut self, now: Instant, owner: OwnerId, name: &str) -> Answer {
        self.now = now;
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        if self.sentinels[&id].life.going.is_none() {
            let going = now + REGRET;
            self.hold(id, |life| life.going = Some(going));
            self.timers.set(going, Timer::Go(id));
        }
        Answer::Done
    }

    pub(crate) fn take_back(&mut self, now: Instant, owner: OwnerId, name: &str) -> Answer {
        self.now = now;
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        self.keep(id);
        Answer::Done
    }

    /// A rule names it: if it was to go, it stays.
    pub(crate) fn keep_named(&mut self, now: Instant, id: SentinelId) {
        self.now = now;
        if self.sentinels.contains_key(&id) {
            self.keep(id);
        }
    }

    /// It is not removed after all.
    pub(super) fn keep(&mut self, id: SentinelId) {
        if self.sentinels[&id].life.going.is_some() {
            self.hold(id, |life| life.going = None);
        }
    }

    /// Changes until when it is held back.
    fn hold(&mut self, id: SentinelId, change: impl FnOnce(&mut SentinelLife)) {
        let now = self.now;
        let entry = self.entry(id);
        let before = entry.held(now);
        change(&mut entry.life);
        let (until, state) = (entry.held(now), entry.life.state);
        self.touched.insert(id);
        if before != until {
            self.notice(Notice::Held { sentinel: id, before, until });
        }
        self.wake_if_due(id);
        self.announce(Announcement::Sentinel { sentinel: id, state, at: now });
    }

    /// Nothing holds it back any more: its selectors are looked for, as what they find now was not
    /// told meanwhile.
    pub(super) fn wake_if_due(&mut self, id: SentinelId) {
        let entry = self.sentinels.get(&id);
        if entry.is_some_and(|entry| entry.is_active() && entry.held(self.now).is_none()) {
            self.say(Out::Wakes(id));
        }
    }

    fn is_going(&self, id: SentinelId) -> bool {
        let going = self.sentinels.get(&id).and_then(|entry| entry.life.going);
        going.is_some_and(|going| going <= self.now)
    }

    pub(super) fn go_if_due(&mut self, id: SentinelId) {
        if self.is_going(id) {
            self.queue_turn(Turn::Go(id));
        }
    }

    /// The time has come, unless somebody wanted it back before its turn came.
    pub(super) fn go(&mut self, id: SentinelId) {
        if self.is_going(id) {
            let name = self.sentinels[&id].row.name.clone();
            self.remove(self.now, id.owner(), &name);
        }
    }

    /// The same sentinel under another name. Earlier generations take it, too: by the name they
    /// are known.
    pub(crate) fn rename(&mut self, owner: OwnerId, name: &str, to: &str) -> Answer {
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        if self.names.get(owner, to).is_some_and(|other| other != id) {
            return Answer::Conflict { name: to.into() };
        }
        if to.to_lowercase() != name.to_lowercase()
            && let Some(waiting) = self.counts_from(owner, name)
        {
            let sentence = format!(
                "`{waiting}` begins or ends with `{name}`; apply a text for it that does not, then \
                 rename"
            );
            return Answer::Unable(sentence.into());
        }
        let (zone, chronon) = (self.zone.clone(), self.chronon);
        let ids: Vec<SentinelId> = std::iter::once(id).chain(self.earlier.of(id)).collect();
        let renamed = |id: &SentinelId| {
            let row = &self.sentinels[id].row;
            let text = row.text.renamed(to)?;
            let read = sentinel::recall(&text, row.defined_at, &zone, chronon).ok()?;
            (read.name == to).then_some(text)
        };
        let Some(texts) = ids.iter().map(renamed).collect::<Option<Vec<_>>>() else {
            let chars = to.chars().count();
            let sentence = if chars > NAME_CHARS_MAX {
                format!("the name has {chars} characters; {NAME_CHARS_MAX} are allowed")
            } else {
                format!("`{to}` cannot be a name; use letters, digits, `-` and `_`")
            };
            return Answer::Unable(sentence.into());
        };
        self.names.remove(owner, name);
        self.names.insert(to, id);
        for (id, text) in ids.into_iter().zip(texts) {
            let entry = self.entry(id);
            entry.row.name = to.into();
            entry.row.text = text;
            entry.amended += 1;
            let row = entry.row.clone();
            self.record(Record::Sentinel(Box::new(row)));
        }
        self.retime(id);
        let (state, at) = (self.sentinels[&id].life.state, self.now);
        self.announce(Announcement::Sentinel { sentinel: id, state, at });
        Answer::Done
    }
}
