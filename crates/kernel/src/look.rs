//! Reading the live state, for people. Nothing here changes anything.

use crate::kernel::Kernel;
use crate::record::StreamSpec;
use crate::state::{SentinelEntry, SourceEntry, StreamEntry};
use crate::view::{BudgetView, Counters, Looks, SentinelView, SourceView};
use address::SourceUrl;
use chronon::{Instant, SentinelId, SourceId};
use outbox::ChannelId;
use schedule::Outlook;
use schedule::forecast::{Demand, Watched, World};
use std::ops::Bound;

/// Sentinels that the view of one source names.
const SENTINELS_MAX: usize = 1_000;
/// Sentinels that a list of sources names, and those it names of each source in any case.
const LISTED_MAX: usize = 10_000;
const LISTED_MIN: usize = 10;
/// Sentinels of a stream whose weights a forecast adds up; more count as these do on average.
const WEIGHED_MAX: usize = 1_000;

impl Kernel {
    /// Sources above `after` in order of id, at most `limit`. O(limit), for it names few of the
    /// sentinels of each where they are many.
    pub fn sources(&self, after: Option<SourceId>, limit: usize, now: Instant) -> Vec<SourceView> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let range = self.sources.range((from, Bound::Unbounded)).take(limit);
        let mut left = LISTED_MAX;
        let mut view = |entry: &SourceEntry| {
            let view = self.source_view(entry, now, left.clamp(LISTED_MIN, SENTINELS_MAX));
            left = left.saturating_sub(view.sentinels.len());
            view
        };
        range.map(|(_, entry)| view(entry)).collect()
    }

    pub fn source(&self, id: SourceId, now: Instant) -> Option<SourceView> {
        self.sources.get(&id).map(|entry| self.source_view(entry, now, SENTINELS_MAX))
    }

    pub fn source_url(&self, id: SourceId) -> Option<&SourceUrl> {
        self.sources.get(&id).map(|entry| &entry.row.url)
    }

    /// The source with this URL, in full or as it is shown.
    pub fn source_by_url(&self, url: &str) -> Option<SourceId> {
        self.urls.meant(url)
    }

    /// Sentinels above `after` in order of id, at most `limit`.
    pub fn sentinels(
        &self,
        after: Option<SentinelId>,
        limit: usize,
        now: Instant,
    ) -> Vec<SentinelView> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let range = self.sentinels.range((from, Bound::Unbounded));
        let range = range.filter(|(id, _)| !self.earlier.contains(**id)).take(limit);
        range.map(|(_, entry)| self.sentinel_view(entry, now)).collect()
    }

    /// The sentinel of this name, in any case.
    pub fn sentinel(&self, name: &str, now: Instant) -> Option<SentinelView> {
        let id = self.names.get(&*name.to_lowercase())?;
        Some(self.sentinel_view(&self.sentinels[id], now))
    }

    pub fn sentinel_by_id(&self, id: SentinelId, now: Instant) -> Option<SentinelView> {
        self.sentinels.get(&id).map(|entry| self.sentinel_view(entry, now))
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How many sentinels, sources and streams there are.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (self.names.len(), self.sources.len(), self.streams.len())
    }

    /// Hosts whose limits are kept: those of sources, and those that redirects led to lately.
    pub fn hosts_known(&self) -> usize {
        self.hosts.len()
    }

    pub fn channels(&self) -> Vec<outbox::ChannelRow> {
        self.outbox.channel_rows().cloned().collect()
    }

    /// Channels above `after` in order of id, at most `limit`.
    pub fn channels_after(
        &self,
        after: Option<ChannelId>,
        limit: usize,
    ) -> Vec<outbox::ChannelRow> {
        self.outbox.channel_rows_after(after).take(limit).cloned().collect()
    }

    pub fn channel(&self, id: ChannelId) -> Option<&outbox::ChannelRow> {
        self.outbox.channel_row(id)
    }

    /// The first `limit` channels that take no more, each with the reason in its row.
    pub fn disabled_channels(&self, limit: usize) -> Vec<outbox::ChannelRow> {
        self.outbox.disabled_channels().take(limit).cloned().collect()
    }

    /// The outbox's part of [`Kernel::fold`].
    pub fn outbox_fold(&self) -> outbox::Fold {
        self.outbox.fold()
    }

    pub fn budget(&self, now: Instant) -> BudgetView {
        let chronon = self.config.schedule.chronon.as_millis().max(1);
        let last = now.as_millis() / chronon;
        let mut recent = vec![0; 60];
        for &(at, picks) in &self.recent {
            if let Ok(ago @ 0..60) = usize::try_from(last - at) {
                recent[59 - ago] = picks;
            }
        }
        BudgetView {
            per_chronon: self.config.schedule.budget,
            recent,
            probes_in_flight: self.flights.probes,
            probes_in_flight_max: self.config.schedule.in_flight_max,
            comparisons_in_flight: self.flights.comparisons,
            deliveries_in_flight: self.flights.deliveries,
            outbox: self.outbox.counts(),
        }
    }

    /// What the scheduler works for, to forecast what it will do. O(n) for n sources and sentinels:
    /// whoever may not wait for that asks piece by piece.
    pub fn world(&self) -> World {
        World { config: self.schedule_config(), sources: self.watched(None, usize::MAX) }
    }

    pub fn schedule_config(&self) -> schedule::Config {
        self.config.schedule.clone()
    }

    /// A piece of the [`World`]: sources above `after` in order of id, at most `limit`. O(limit).
    pub fn watched(&self, after: Option<SourceId>, limit: usize) -> Vec<Watched> {
        let watched = |entry: &SourceEntry| {
            let watched = self.scheduler.watched(entry.row.id, entry.host);
            let watched = watched.expect("the scheduler knows every source");
            let streams = entry.streams.iter().filter_map(|id| self.streams.get(id));
            Watched {
                demands: streams.filter_map(|stream| self.demand(stream)).collect(),
                ..watched
            }
        };
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let range = self.sources.range((from, Bound::Unbounded)).take(limit);
        range.map(|(_, entry)| watched(entry)).collect()
    }

    /// What a stream with a clock asks of its source.
    fn demand(&self, stream: &StreamEntry) -> Option<Demand> {
        let StreamSpec::Every { t0, period, slack, ref zone } = stream.row.spec else {
            return None;
        };
        if stream.listeners.is_empty() {
            return None;
        }
        let next = stream.row.next_ei;
        let length = period.nth(t0, next + 1, zone) - period.nth(t0, next, zone);
        let weights = stream.listeners.iter().map(|id| self.sentinels[id].plan.weight);
        let some: f64 = weights.take(WEIGHED_MAX).sum();
        let all = stream.listeners.len() as f64;
        let utility = some * (all / all.min(WEIGHED_MAX as f64));
        let ahead = period.nth(t0, next, zone) - self.now;
        Some(Demand { period: length, slack, utility, ahead })
    }

    fn source_view(&self, entry: &SourceEntry, now: Instant, sentinels_max: usize) -> SourceView {
        let id = entry.row.id;
        let known = "the scheduler knows every source";
        SourceView {
            row: entry.row.clone(),
            outlook: self.outlook(id, now),
            learned: self.scheduler.record(id).expect(known),
            expected: self.scheduler.expectation(id).expect(known),
            weight: entry.fresh_weight(),
            sentinels: entry.sentinels.iter().take(sentinels_max).copied().collect(),
            sentinels_total: entry.sentinels.len(),
            waiting_rounds: entry.rounds.len() as u32,
        }
    }

    fn sentinel_view(&self, entry: &SentinelEntry, now: Instant) -> SentinelView {
        let stream = entry.life.stream.and_then(|stream| self.streams.get(&stream));
        let idle = Outlook { due: None, reason: None, waits_for: None };
        let outlook = if entry.is_active() { self.outlook(entry.row.source, now) } else { idle };
        SentinelView {
            row: entry.row.clone(),
            life: entry.life.clone(),
            outlook,
            looks: stream.filter(|_| entry.is_active()).and_then(|stream| looks(stream)),
            missed: stream.map_or(0, |stream| stream.missed),
            missed_why: stream.and_then(|stream| stream.missed_why),
        }
    }
}

fn looks(stream: &StreamEntry) -> Option<Looks> {
    let StreamSpec::Every { t0, period, slack, zone } = &stream.row.spec else { return None };
    let next = period.nth(*t0, stream.row.next_ei, zone);
    Some(Looks { next, period: *period, slack: *slack, zone: zone.clone() })
}
