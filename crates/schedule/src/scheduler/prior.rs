//! What is believed of a source, from its own looks and from those like it.

use super::Scheduler;
use crate::class::{Class, Kind};
use crate::rate::Seen;
use chronon::SourceId;

impl Scheduler {
    /// The class of the source at a slot that is taken.
    pub(super) fn class_of(&self, slot: u32) -> Class {
        let host = self.roster.at(slot).host;
        let at_host = self.hosts.bucket(host).sources;
        Class { kind: self.roster.learned(slot).kind, host, at_host }
    }

    /// What a source of the class is believed to change, per second, that has shown nothing.
    pub(super) fn prior_of(&self, class: Class) -> f64 {
        self.classes.mean(class, self.pool.mean(), self.roster.len())
    }

    /// What the source at a slot that is taken is believed to change, per second.
    pub(crate) fn rate_of(&self, slot: u32) -> f64 {
        let prior = self.prior_of(self.class_of(slot));
        self.roster.learned(slot).learner.rate_as(prior, &self.pool)
    }

    /// A look of the source at `slot` saw so much, after so long a time of its own pattern.
    pub(super) fn learn_rate(&mut self, slot: u32, lived: f64, seen: Seen) {
        let class = self.class_of(slot);
        let prior = self.prior_of(class);
        let (_, learned) = self.roster.with_learned(slot);
        if let Some(said) = learned.learner.learn_as(prior, (lived, seen), &mut self.pool) {
            self.classes.learn(class, said);
        }
        self.roster.at_mut(slot).rate = self.rate_of(slot) as f32;
    }

    pub(super) fn handle_kind(&mut self, source: SourceId, kind: Kind) {
        let Some(slot) = self.roster.slot(source) else { return };
        let class = self.class_of(slot);
        if class.kind == kind {
            return;
        }
        let (_, learned) = self.roster.with_learned(slot);
        learned.kind = kind;
        self.classes.turn(class, kind, learned.learner.of_late());
        self.roster.at_mut(slot).rate = self.rate_of(slot) as f32;
        self.plan(slot);
    }
}
