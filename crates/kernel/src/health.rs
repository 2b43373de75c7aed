//! Health: who hears that a source fails, and that it is back.
//!
//! Each active sentinel on a failing source is told once, whenever it came; that the source is
//! back is told to those who were told that it fails, and to nobody else. What was told is in the
//! sentinel's life.

use crate::kernel::Kernel;
use chronon::{Instant, SentinelId, SourceId};
use outbox::{ChannelId, Health, Kind};

impl Kernel {
    /// A probe of a source that counts as failing has failed: those who watch it and were not told
    /// hear it now.
    pub(crate) fn tell_failing(&mut self, source: SourceId, since: Instant, why: &str) {
        let untold = |id: &&SentinelId| {
            let sentinel = &self.sentinels[id];
            sentinel.is_active() && sentinel.life.failing_told.is_none()
        };
        let Some(watchers) = self.watchers.get(&source) else { return };
        let untold: Vec<SentinelId> = watchers.all.iter().filter(untold).copied().collect();
        for id in untold {
            self.sentinels.get_mut(&id).expect("listed above").life.failing_told = Some(since);
            self.watchers.entry(source).or_default().told.insert(id);
            self.tell_health((id, source), Kind::SourceFailing, since, why);
        }
    }

    /// A probe has succeeded. Who is disabled hears of it once enabled, at the next success.
    pub(crate) fn tell_recovered(&mut self, source: SourceId) {
        let Some(watchers) = self.watchers.get_mut(&source) else { return };
        if watchers.told.is_empty() {
            return;
        }
        let active = |id: &SentinelId| self.sentinels[id].is_active();
        let hearing: Vec<SentinelId> = watchers.told.iter().copied().filter(active).collect();
        watchers.told.retain(|id| !active(id));
        for id in hearing {
            let told = self.sentinels.get_mut(&id).expect("listed above").life.failing_told.take();
            let since = told.unwrap_or(self.now);
            self.tell_health((id, source), Kind::SourceRecovered, since, "it answers again");
        }
    }

    fn tell_health(
        &mut self,
        (id, source): (SentinelId, SourceId),
        kind: Kind,
        failing_since: Instant,
        note: &str,
    ) {
        let entry = self.sentinels.get_mut(&id).expect("the caller holds it");
        entry.life.seq += 1;
        let (seq, generation) = (entry.life.seq, entry.row.generation);
        let channels: Vec<ChannelId> = entry.plan.whom.iter().map(|w| w.channel).collect();
        self.dirty.lives.insert(id);
        let now = self.now;
        let (outbox, mut ids) = self.outbox(id.owner());
        let note = note.into();
        let health = Health { kind, source, failing_since, note, sentinel: id, generation, seq };
        outbox.health(now, &mut ids, &health, &channels);
    }

    /// A sentinel has a new text: what it was told of its source still holds if it is the same.
    pub(crate) fn carry_health(&mut self, id: SentinelId, before: SourceId) {
        let entry = self.sentinels.get_mut(&id).expect("the caller holds it");
        if entry.life.failing_told.is_none() {
            return;
        }
        if entry.row.source == before {
            self.watchers.entry(before).or_default().told.insert(id);
        } else {
            entry.life.failing_told = None;
        }
    }
}
