//! Clauses that change in place: name, tag, weight, presentation, changehistory, notify.

use super::entry::tags_of;
use super::{Definition, Life, Notice, Out, Recipient};
use crate::io::{Announcement, AppliedWhat};
use crate::record::Record;
use chronon::{OwnerId, SentinelId};
use sentinel::{Canonical, ast};

impl Life {
    /// What applying this text to the owner's name does.
    pub(crate) fn meaning(&self, owner: OwnerId, name: &str, text: &Canonical) -> AppliedWhat {
        match self.names.get(owner, name) {
            None => AppliedWhat::Created,
            Some(id) if self.sentinels[&id].row.text == *text => AppliedWhat::Unchanged,
            Some(id) if self.changes_in_place(id, text) => AppliedWhat::Changed,
            Some(_) => AppliedWhat::Replaced,
        }
    }

    /// Whether the text asks for the same looks and changes as before: then there is no new
    /// generation, and windows, counts and digests go on. `now` means what it meant before.
    fn changes_in_place(&self, id: SentinelId, text: &Canonical) -> bool {
        let row = &self.sentinels[&id].row;
        let (zone, chronon) = (&self.zone, self.chronon);
        let read = |text: &_| sentinel::recall(text, row.defined_at, zone, chronon).ok();
        let (before, after) = (read(&row.text), read(text));
        before.zip(after).is_some_and(|(before, after)| {
            // A name here is one of a clause that changes in place.
            let ast::Sentinel { name, notify, change_history, .. } = after.clone();
            let ast::Sentinel { presentation, weight, tags, .. } = after.clone();
            let amended = ast::Sentinel { name, notify, change_history, ..before };
            ast::Sentinel { presentation, weight, tags, ..amended } == after
        })
    }

    /// Takes over what changes in place. Where whom it tells, or when, is another, what was open of
    /// its digests goes out first.
    pub(super) fn amend(&mut self, id: SentinelId, definition: Definition, whom: Vec<Recipient>) {
        let now = self.now;
        let statement = definition.statement;
        let tags = tags_of(&statement.sentinel);
        let before = std::mem::replace(&mut self.entry(id).plan_mut().tags, tags.clone());
        self.tags.remove(id, &before);
        self.tags.insert(id, &tags);
        let entry = self.entry(id);
        entry.row.name = statement.sentinel.name.as_str().into();
        entry.row.text = statement.canonical;
        entry.amended += 1;
        let tells_otherwise = entry.plan.whom != whom;
        let before = entry.plan.millionths();
        let history = statement.sentinel.change_history;
        let plan = entry.plan_mut();
        plan.whom = whom;
        plan.weight = statement.sentinel.weight;
        plan.history = history;
        let after = entry.plan.millionths();
        let (state, streams) = (entry.life.state, entry.life.streams().collect::<Vec<_>>());
        let row = entry.row.clone();
        self.record(Record::Sentinel(Box::new(row)));
        self.notice(Notice::Defined { sentinel: id, history });
        self.say(Out::Keeps { sentinel: id, streams: streams.clone(), history });
        if tells_otherwise {
            let held = self.entry(id).held(now);
            self.notice(Notice::Hurry { sentinel: id, held });
        }
        if before != after {
            self.weigh(id);
            for stream in streams {
                self.say(Out::Reweighed { stream, before, after });
            }
        }
        self.announce(Announcement::Sentinel { sentinel: id, state, at: self.now });
    }
}
