//! Retention: when the store is asked to let go of what nothing needs any more.

use crate::io::{Effect, FinishedPrune, Prune, SourcePrune};
use crate::kernel::Kernel;
use crate::record::Record;
use crate::state::Timer;
use chronon::{Instant, SentinelId, SourceId, Span};
use schedule::Event;
use std::collections::BTreeMap;

/// Notifications of a live sentinel kept in any case; more if its `changehistory` says so.
const NOTIFICATIONS_KEPT: u32 = 100;
/// Rows that one pruning of finished notifications looks at.
const ROWS_PER_PRUNE: u32 = 1_000;
/// So many new notifications, or so much time, call for the next pruning: what goes keeps pace
/// with what comes.
const NEW_PER_PRUNE: u64 = 500;
const PRUNE_EVERY: Span = Span::HOUR;
/// After time has jumped by this nothing is let go of for [`PRUNE_EVERY`]: if a clock was set
/// wrong, there is time to set it right.
const JUMP: Span = Span::DAY;

/// What is known of the store's finished rows.
#[derive(Default)]
pub(crate) struct Retention {
    /// `next_notification` at the last pruning.
    counted: u64,
    /// Sentinels whose `changehistory` is above [`NOTIFICATIONS_KEPT`].
    histories: BTreeMap<SentinelId, u32>,
    /// Nothing goes before this.
    not_before: Instant,
}

impl Retention {
    /// Time went from `before` to `now` in one step.
    pub(crate) fn jumped(&mut self, before: Instant, now: Instant) {
        if now - before > JUMP {
            self.not_before = now + PRUNE_EVERY;
        }
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
        self.retention.counted = self.meta.next_notification;
        self.timers.set(self.now + PRUNE_EVERY, Timer::PruneFinished);
    }

    /// Every hour, however few came.
    pub(crate) fn prune_hourly(&mut self) {
        self.timers.set(self.now + PRUNE_EVERY, Timer::PruneFinished);
        self.prune_finished();
    }

    /// When many came.
    pub(crate) fn prune_in_pace(&mut self) {
        if self.meta.next_notification - self.retention.counted >= NEW_PER_PRUNE {
            self.prune_finished();
        }
    }

    fn prune_finished(&mut self) {
        if self.now < self.retention.not_before {
            return;
        }
        self.retention.counted = self.meta.next_notification;
        let histories = &self.retention.histories;
        self.out.effects.push(Effect::Prune(Prune::Finished(FinishedPrune {
            before: self.now - self.config.retention,
            history: NOTIFICATIONS_KEPT,
            histories: histories.iter().map(|(&id, &history)| (id, history)).collect(),
            limit: ROWS_PER_PRUNE,
        })));
    }

    /// Once a day per source: what retention no longer keeps may go.
    pub(crate) fn prune_source(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get(&source) else { return };
        if self.now < self.retention.not_before {
            let spread = Span::from_secs(i64::from(source.0 % 3_600));
            self.timers.set(self.retention.not_before + spread, Timer::PruneSource(source));
            return;
        }
        self.timers.set(self.now + Span::DAY, Timer::PruneSource(source));
        let before = self.now - self.config.retention;
        let idle = entry.row.last_success.unwrap_or(entry.row.added_at);
        if entry.sentinels.is_empty() && idle < before && entry.probing_since.is_none() {
            self.forget_source(source);
            return;
        }
        let history = |id: &SentinelId| self.sentinels[id].plan.history;
        let needed = entry.streams.iter().flat_map(|&stream| self.graph.needed(stream));
        let held = entry.row.held.as_ref().map(|held| held.version);
        let current = chronon::VersionNo(entry.row.version);
        let keep = needed.chain(held).chain([current]).collect();
        self.out.effects.push(Effect::Prune(Prune::Source(SourcePrune {
            source,
            keep,
            history: entry.sentinels.iter().map(history).max().unwrap_or(1),
            before,
            versions_max: self.config.retention_versions,
            detections: entry.sentinels.iter().map(|id| (*id, history(id))).collect(),
        })));
    }

    /// No sentinel names it, and its history is past retention.
    fn forget_source(&mut self, source: SourceId) {
        let Some(entry) = self.sources.remove(&source) else { return };
        self.urls.remove(&entry.row.url);
        self.dirty.sources.remove(&source);
        self.scheduler.handle(self.now, Event::SourceRemoved { source });
        self.forget_soon(&entry.row.host);
        self.out.records.push(Record::SourceGone(source));
    }
}
