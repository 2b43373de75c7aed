//! What is kept of one source: 72 bytes.

use crate::SourceRecord;
use crate::policy::Key;
use chronon::{HostId, Instant, SourceId, Span};

/// `last_probe` of a source never probed.
pub(crate) const UNPROBED: Instant = Instant::from_millis(i64::MIN);

/// Learned state, demands but for EIs (see `windows`), and where it stands in the queues.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) host: HostId,
    pub(crate) failures: u32,
    pub(crate) probes: u32,
    pub(crate) changes: u32,
    pub(crate) interval: Span,
    pub(crate) last_probe: Instant,
    /// Start of the chronon from which the freshness demand wants it; since when it wants its
    /// baseline, if it was never probed.
    pub(crate) due: Instant,
    /// Since when somebody asks; `NEVER` if nobody does.
    pub(crate) asked: Instant,
    /// Its key in the queue of its host; `Key::NONE` if it is not in it.
    pub(crate) key: Key,
    /// When its key may become better; `NEVER` if it waits for no time.
    pub(crate) wake: Instant,
    /// It has a freshness demand.
    pub(crate) fresh: bool,
    pub(crate) held: bool,
    pub(crate) in_flight: bool,
    /// Its record waits to be taken.
    pub(crate) dirty: bool,
}

impl Source {
    pub(crate) fn new(host: HostId, interval: Span, now: Instant) -> Source {
        Source {
            host,
            failures: 0,
            probes: 0,
            changes: 0,
            interval,
            last_probe: UNPROBED,
            due: now,
            asked: Instant::NEVER,
            key: Key::NONE,
            wake: Instant::NEVER,
            fresh: false,
            held: false,
            in_flight: false,
            dirty: false,
        }
    }

    /// Takes over what an earlier life learned. Times in the future become `now`.
    pub(crate) fn recall(&mut self, prior: &SourceRecord, now: Instant) {
        self.interval = prior.interval;
        self.last_probe = prior.last_probe.map_or(UNPROBED, |at| at.min(now));
        self.failures = prior.failures;
        self.probes = u32::try_from(prior.probes).unwrap_or(u32::MAX);
        self.changes = u32::try_from(prior.changes).unwrap_or(u32::MAX);
    }

    pub(crate) fn record(&self, source: SourceId) -> SourceRecord {
        SourceRecord {
            source,
            interval: self.interval,
            last_probe: (self.last_probe != UNPROBED).then_some(self.last_probe),
            failures: self.failures,
            probes: self.probes.into(),
            changes: self.changes.into(),
        }
    }

    /// Since when it comes before all others: asked for, or without its baseline.
    pub(crate) fn first_since(&self) -> Option<Instant> {
        let baseline = self.fresh && self.last_probe == UNPROBED;
        let since = if baseline { self.due.min(self.asked) } else { self.asked };
        (since != Instant::NEVER).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_takes_72_bytes() {
        assert_eq!(size_of::<Source>(), 72);
    }
}
