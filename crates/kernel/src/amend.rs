//! Clauses that change in place: name, weight, presentation, changehistory, notify.

use crate::io::{Announcement, Effect};
use crate::kernel::Kernel;
use crate::record::Record;
use crate::turns::Definition;
use crate::{hear, watch};
use chronon::SentinelId;
use sentinel::ast;

impl Kernel {
    /// Whether the text asks for the same looks and changes as before: then there is no new
    /// generation, and windows, counts and digests go on. `now` means what it meant before.
    pub(crate) fn changes_in_place(&self, id: SentinelId, definition: &Definition) -> bool {
        let row = &self.sentinels[&id].row;
        let (zone, chronon) = (&self.config.zone, self.config.schedule.chronon);
        let read = |text: &_| sentinel::recall(text, row.defined_at, zone, chronon).ok();
        let (before, after) = (read(&row.text), read(&definition.statement.canonical));
        before.zip(after).is_some_and(|(before, after)| {
            let ast::Sentinel { name, notify, change_history, weight, .. } = after.clone();
            ast::Sentinel { name, notify, change_history, weight, ..before } == after
        })
    }

    /// Takes over what changes in place. Where whom it tells, or when, is another, what was open of
    /// its digests goes out first.
    pub(crate) fn amend(&mut self, id: SentinelId, definition: Definition) {
        let statement = definition.statement;
        let whom = self.recipients_of(id.owner(), &statement.sentinel);
        let entry = self.sentinels.get_mut(&id).expect("a name leads to a sentinel");
        entry.row.name = statement.sentinel.name.as_str().into();
        entry.row.text = statement.canonical;
        entry.amended += 1;
        let tells_otherwise = entry.plan.whom != whom;
        let before = entry.plan.millionths();
        let history = statement.sentinel.change_history;
        entry.plan.whom = whom;
        entry.plan.weight = statement.sentinel.weight;
        entry.plan.history = history;
        let after = entry.plan.millionths();
        let (state, stream) = (entry.life.state, entry.life.stream);
        self.out.records.push(Record::Sentinel(Box::new(entry.row.clone())));
        self.retention.defined(id, history);
        self.tell_hear(hear::In::Keeps { sentinel: id, stream, history });
        if tells_otherwise {
            self.outbox.hurry(self.now, id);
        }
        if before != after {
            self.weigh(id);
            if let Some(stream) = stream {
                self.tell_watch(watch::In::Reweighed { stream, before, after });
            }
        }
        let announcement = Announcement::Sentinel { sentinel: id, state, at: self.now };
        self.out.effects.push(Effect::Announce(announcement));
    }
}
