//! One detection: remembered, and handed to the outbox.

use crate::io::{Announcement, Effect};
use crate::kernel::Kernel;
use crate::record::{Record, SentinelState};
use chronon::SentinelId;
use graph::Heard;
use outbox::Detection;

impl Kernel {
    pub(crate) fn note_evaluation(&mut self, id: SentinelId, note: &str) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        if *entry.life.not_evaluated != *note {
            entry.life.not_evaluated = note.into();
            self.dirty.lives.insert(id);
        }
    }

    /// One detection: remembered, and handed to the outbox.
    pub(crate) fn detect(&mut self, heard: Heard) {
        self.note_evaluation(heard.sentinel, "");
        let Some(heard_by) = self.sentinels.get(&heard.sentinel) else { return };
        if heard_by.life.state == SentinelState::Disabled {
            return;
        }
        let generation = heard_by.row.generation;
        let sentinel = self.heir(heard.sentinel);
        let Some(entry) = self.sentinels.get_mut(&sentinel) else { return };
        entry.life.seq += 1;
        let seq = entry.life.seq;
        let id = self.owners.detection(sentinel.owner());
        let Heard { sentinel: listener, evidence, combinations } = heard;
        let at = self.now;
        let row = Detection { id, sentinel, generation, at, seq, evidence, combinations };
        self.dirty.lives.insert(sentinel);
        self.counts.detections += 1;
        let whom = self.whom(listener, sentinel, generation);
        self.tell_detection(&row, &whom);
        self.out.records.push(Record::Detection(Box::new(row)));
        let announcement = Announcement::Detection { sentinel, detection: id, at };
        self.out.effects.push(Effect::Announce(announcement));
    }
}
