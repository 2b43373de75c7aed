//! Retention: once a day per source, what nothing needs any more may go.

use super::{Out, Timer, Watch};
use crate::record::Record;
use chronon::{Instant, SourceId, Span, StreamId, VersionNo};
use schedule::Event;

/// After time has jumped by this nothing is let go of for [`CALM`]: if a clock was set wrong,
/// there is time to set it right.
const JUMP: Span = Span::DAY;
const CALM: Span = Span::HOUR;

/// When something may go again after a jump of time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NotBefore(pub(crate) Instant);

impl NotBefore {
    /// Time went from `before` to `now` in one step.
    pub(crate) fn jumped(&mut self, before: Instant, now: Instant) {
        if now - before > JUMP {
            self.0 = now + CALM;
        }
    }
}

/// Versions of one source that may go, but for those its streams still need.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outdated {
    pub(crate) source: SourceId,
    pub(crate) streams: Vec<StreamId>,
    /// What is held, and the current version.
    pub(crate) keep: Vec<VersionNo>,
    pub(crate) before: Instant,
}

impl Watch {
    /// Once a day per source: what retention no longer keeps may go.
    pub(super) fn prune_source(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get(&source) else { return };
        if self.now < self.not_before.0 {
            let spread = Span::from_secs(i64::from(source.0 % 3_600));
            return self.timers.set(self.not_before.0 + spread, Timer::PruneSource(source));
        }
        self.timers.set(self.now + Span::DAY, Timer::PruneSource(source));
        let before = self.now - self.config.retention;
        let idle = entry.row.last_success.unwrap_or(entry.row.added_at);
        let is_idle = idle < before && entry.probing_since.is_none();
        if !entry.is_named && is_idle && !self.demands.want(source) {
            return self.forget_source(source);
        }
        let held = entry.row.held.as_ref().map(|held| held.version);
        let keep = held.into_iter().chain([VersionNo(entry.row.version)]).collect();
        let streams = entry.streams.to_vec();
        self.out.push_back(Out::Outdated(Outdated { source, streams, keep, before }));
    }

    /// No sentinel names it, and its history is past retention.
    fn forget_source(&mut self, source: SourceId) {
        let Some(entry) = self.sources.remove(&source) else { return };
        self.addresses.remove(&entry.row);
        self.stale_of.remove(&source);
        self.touched.sources.remove(&source);
        self.scheduler.handle(self.now, Event::SourceRemoved { source });
        self.forget_soon(&entry.row.host);
        self.record(Record::SourceGone(source));
    }
}
