//! Retention: when the store is asked to let go of what nothing needs any more.

use crate::io::{Effect, FinishedPrune, Prune, SourcePrune};
use crate::kernel::Kernel;
use crate::state::Timer;
use crate::watch::{NotBefore, Outdated};
use chronon::{Instant, SentinelId, Span};
use std::collections::BTreeMap;

/// Notifications of a live sentinel kept in any case; more if its `changehistory` says so.
const NOTIFICATIONS_KEPT: u32 = 100;
/// Rows that one pruning of finished notifications looks at.
const ROWS_PER_PRUNE: u32 = 1_000;
/// So many new notifications, or so much time, call for the next pruning: what goes keeps pace
/// with what comes.
const NEW_PER_PRUNE: u64 = 500;
const PRUNE_EVERY: Span = Span::HOUR;

/// What is known of the store's finished rows.
#[derive(Default)]
pub(crate) struct Retention {
    /// Notifications of this process at the last pruning.
    counted: u64,
    /// Sentinels whose `changehistory` is above [`NOTIFICATIONS_KEPT`].
    histories: BTreeMap<SentinelId, u32>,
    not_before: NotBefore,
}

impl Retention {
    /// Time went from `before` to `now` in one step.
    pub(crate) fn jumped(&mut self, before: Instant, now: Instant) {
        self.not_before.jumped(before, now);
    }

    pub(crate) fn defined(&mut self, sentinel: SentinelId, history: u32) {
        if history > NOTIFICATIONS_KEPT {
            self.histories.insert(sentinel, history);
        } else {
            self.histories.remove(&sentinel);
        }
    }

    pub(crate) fn removed(&mut self, sentinel: SentinelId) {
        self.histories.remove(&sentinel);
    }
}

impl Kernel {
    pub(crate) fn start_retention(&mut self) {
        self.retention.counted = self.owners.notifications();
        self.timers.set(self.now + PRUNE_EVERY, Timer::PruneFinished);
    }

    /// Every hour, however few came.
    pub(crate) fn prune_hourly(&mut self) {
        self.timers.set(self.now + PRUNE_EVERY, Timer::PruneFinished);
        self.prune_finished();
    }

    /// When many came.
    pub(crate) fn prune_in_pace(&mut self) {
        if self.owners.notifications() - self.retention.counted >= NEW_PER_PRUNE {
            self.prune_finished();
        }
    }

    fn prune_finished(&mut self) {
        if self.now < self.retention.not_before.0 {
            return;
        }
        self.retention.counted = self.owners.notifications();
        let histories = &self.retention.histories;
        self.out.effects.push(Effect::Prune(Prune::Finished(FinishedPrune {
            before: self.now - self.config.retention,
            history: NOTIFICATIONS_KEPT,
            histories: histories.iter().map(|(&id, &history)| (id, history)).collect(),
            limit: ROWS_PER_PRUNE,
        })));
    }

    /// What retention no longer keeps of a source may go: versions, and what was detected on it.
    pub(crate) fn prune_source(&mut self, outdated: Outdated) {
        let Outdated { source, streams, keep, before } = outdated;
        let all = self.watchers.get(&source).map_or(&[][..], |watchers| &watchers.all);
        let kept = |id: &SentinelId| (*id, self.sentinels[id].plan.history);
        let detections: Vec<(SentinelId, u32)> = all.iter().map(kept).collect();
        let needed = streams.iter().flat_map(|&stream| self.hear.needed(stream));
        self.out.effects.push(Effect::Prune(Prune::Source(SourcePrune {
            source,
            keep: needed.chain(keep).collect(),
            history: detections.iter().map(|kept| kept.1).max().unwrap_or(1),
            before,
            versions_max: self.config.retention_versions,
            detections,
        })));
    }
}
