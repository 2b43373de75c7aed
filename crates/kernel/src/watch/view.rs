//! What may be asked of sources and streams; nothing of it changes anything.

use super::sources::SourceEntry;
use super::streams::StreamEntry;
use super::{Address, Counts, Incomplete, Watch};
use crate::record::{SourceRow, StreamRow, StreamSpec};
use crate::view::{self, Missed};
use address::{SourceUrl, Way};
use chronon::{Instant, OwnerId, SourceId, StreamId, VersionNo};
use schedule::forecast::{Demand, Watched};
use schedule::{Expectation, Measured, Outlook, SourceRecord};
use std::collections::BTreeSet;
use std::ops::Bound;

/// A source as far as it is watched.
pub(crate) struct Seen<'a> {
    pub(crate) row: &'a SourceRow,
    pub(crate) outlook: Outlook,
    pub(crate) learned: SourceRecord,
    pub(crate) expected: Expectation,
    pub(crate) measured: Measured,
    pub(crate) weight: f64,
}

impl Watch {
    pub(crate) fn seen(&self, source: SourceId, now: Instant) -> Option<Seen<'_>> {
        let entry = self.sources.get(&source)?;
        Some(Seen {
            row: &entry.row,
            outlook: self.outlook(source, now),
            learned: self.scheduler.record(source)?,
            expected: self.scheduler.expectation(source)?,
            measured: self.scheduler.measured(source),
            weight: entry.fresh_weight(),
        })
    }

    /// How late changes were found of late, over all, and what that took.
    pub(crate) fn experience(&self) -> schedule::Experience {
        self.scheduler.experience()
    }

    /// How late changes that had times were found, over all.
    pub(crate) fn measured(&self) -> Measured {
        self.scheduler.measured_of_all()
    }

    /// Sources above `after` in order of id.
    pub(crate) fn after(&self, after: Option<SourceId>) -> impl Iterator<Item = SourceId> {
        self.range(after).map(|entry| entry.row.id)
    }

    fn range(&self, after: Option<SourceId>) -> impl Iterator<Item = &SourceEntry> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.sources.range((from, Bound::Unbounded)).map(|(_, entry)| &**entry)
    }

    pub(crate) fn knows_source(&self, source: SourceId) -> bool {
        self.sources.contains_key(&source)
    }

    /// When the last look at the source began, if the scheduler does not know of it: the last
    /// process died before all that it led to was compared.
    pub(crate) fn unjudged(&self, source: SourceId) -> Option<Instant> {
        let start = self.sources.get(&source)?.row.last_success?;
        let known = self.scheduler.record(source).and_then(|record| record.last_probe);
        (known < Some(start)).then_some(start)
    }

    pub(crate) fn knows_stream(&self, stream: StreamId) -> bool {
        self.streams.contains_key(&stream)
    }

    pub(crate) fn row(&self, source: SourceId) -> Option<&SourceRow> {
        self.sources.get(&source).map(|entry| &entry.row)
    }

    pub(crate) fn url(&self, source: SourceId) -> Option<&SourceUrl> {
        self.sources.get(&source).map(|entry| &entry.row.url)
    }

    /// The source that `owner` means: the one with this URL that is looked at in the plain way,
    /// else the oldest that is shown as it.
    pub(crate) fn meant(&self, owner: OwnerId, url: &str) -> Option<SourceId> {
        let (full, plain) = (url.into(), Way::default());
        let exact = self.known_at(&Address::of(owner, &full, &plain));
        exact.or_else(|| self.addresses.shown(owner, url))
    }

    pub(super) fn known_at(&self, address: &Address<'_>) -> Option<SourceId> {
        self.addresses.exact(address, |id| self.sources.get(&id).map(|entry| &entry.row))
    }

    /// When the probe in flight started.
    pub(crate) fn probing_since(&self, source: SourceId) -> Option<Instant> {
        self.sources.get(&source)?.probing_since
    }

    pub(crate) fn source_of_stream(&self, stream: StreamId) -> Option<SourceId> {
        self.streams.get(&stream).map(|stream| stream.source)
    }

    pub(crate) fn streams_of(&self, source: SourceId) -> Vec<StreamId> {
        self.sources.get(&source).map_or(Vec::new(), |entry| entry.streams.to_vec())
    }

    /// The version that counts; `None` before the first.
    pub(crate) fn current_version(&self, source: SourceId) -> Option<VersionNo> {
        let version = self.sources.get(&source)?.row.version;
        (version > 0).then_some(VersionNo(version))
    }

    /// How many sources, streams and hosts there are.
    pub(crate) fn sizes(&self) -> (usize, usize, usize) {
        (self.sources.len(), self.streams.len(), self.hosts.len())
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    pub(crate) fn schedule_config(&self) -> &schedule::Config {
        &self.config.schedule
    }

    /// Probes started in each of the last 60 chronons, oldest first.
    pub(crate) fn recent(&self, now: Instant) -> Vec<u32> {
        let last = now.as_millis() / self.config.schedule.chronon.as_millis().max(1);
        let mut recent = vec![0; 60];
        for &(at, picks) in &self.recent {
            if let Ok(ago @ 0..60) = usize::try_from(last - at) {
                recent[59 - ago] = picks;
            }
        }
        recent
    }

    /// The stream's next look, for people.
    pub(crate) fn next_look(&self, stream: StreamId) -> Option<view::Looks> {
        let stream = self.streams.get(&stream)?;
        let StreamSpec::Every { t0, period, slack, zone } = &stream.spec else { return None };
        let next = period.nth(*t0, stream.next_ei, zone);
        Some(view::Looks { next, period: *period, slack: *slack, zone: zone.clone() })
    }

    /// EIs of the stream missed since the start of this process, and why the last.
    pub(crate) fn missed_of(&self, stream: StreamId) -> (u64, Option<Missed>) {
        let misses = self.streams.get(&stream).and_then(|stream| stream.misses.as_deref());
        misses.map_or((0, None), |misses| (misses.missed, misses.why))
    }

    /// Captures that wait for looks, stream by stream.
    pub(crate) fn incomplete(&self) -> impl Iterator<Item = Incomplete> {
        let of_captures = self.streams.iter().filter_map(|(&id, stream)| {
            let captures = stream.captures.as_ref()?;
            Some(captures.incomplete(id))
        });
        of_captures.flatten()
    }

    /// Captures of the stream, since the start of this process, if that is what it is of.
    pub(crate) fn captures_of(&self, stream: StreamId) -> Option<view::Captures> {
        let captures = self.streams.get(&stream)?.captures.as_ref()?;
        Some(view::Captures { complete: captures.complete, void: captures.void })
    }

    /// What comes next of these sources.
    pub(crate) fn first_outlook(
        &self,
        sources: impl Iterator<Item = SourceId>,
        now: Instant,
    ) -> Option<Outlook> {
        let outlooks = sources.map(|source| self.outlook(source, now));
        outlooks.min_by_key(|outlook| outlook.due.unwrap_or(Instant::NEVER))
    }

    /// What the scheduler works for, of sources above `after`, at most `limit`.
    pub(crate) fn watched(&self, after: Option<SourceId>, limit: usize) -> Vec<Watched> {
        let watched = |entry: &SourceEntry| {
            let watched = self.scheduler.watched(entry.row.id, entry.host)?;
            let streams = entry.streams.iter().filter_map(|id| self.streams.get(id));
            let demands = streams.filter_map(|stream| demand(stream, self.now)).collect();
            Some(Watched { demands, ..watched })
        };
        self.range(after).take(limit).filter_map(watched).collect()
    }

    /// The rows of sources that changed since the last call.
    pub(crate) fn take_sources(&mut self) -> Vec<SourceRow> {
        let touched = std::mem::take(&mut self.touched.sources);
        let row = |id| self.sources.get(&id).map(|entry| entry.row.clone());
        touched.into_iter().filter_map(row).collect()
    }

    /// What was learned since the last call.
    pub(crate) fn take_learned(&mut self) -> Vec<SourceRecord> {
        let mut learned = Vec::new();
        self.scheduler.take_records(&mut learned);
        learned.retain(|record| self.sources.contains_key(&record.source));
        learned
    }

    pub(crate) fn take_week(&mut self) -> Option<schedule::WeekRecord> {
        self.scheduler.take_week()
    }

    /// The streams whose rows changed since the last call.
    pub(crate) fn take_streams(&mut self) -> BTreeSet<StreamId> {
        std::mem::take(&mut self.touched.streams)
    }

    /// The stream's row but for its elements.
    pub(crate) fn stream_row(&self, id: StreamId) -> Option<StreamRow> {
        self.streams.get(&id).map(|stream| stream.row(id))
    }
}

/// What a stream with a clock asks of its source.
fn demand(stream: &StreamEntry, now: Instant) -> Option<Demand> {
    let StreamSpec::Every { t0, period, slack, ref zone } = stream.spec else { return None };
    if stream.listeners == 0 {
        return None;
    }
    let next = stream.next_ei;
    let length = period.nth(t0, next + 1, zone) - period.nth(t0, next, zone);
    let utility = stream.weight as f64 / 1e6;
    Some(Demand { period: length, slack, utility, ahead: period.nth(t0, next, zone) - now })
}
