//! Reading the live state, for people. Nothing here changes anything.

use super::Kernel;
use crate::life::Seen;
use crate::view::{BudgetView, Counters, SentinelView, SourceView, Together};
use address::SourceUrl;
use chronon::{Instant, OwnerId, SentinelId, SourceId};
use outbox::ChannelId;
use schedule::Outlook;
use schedule::forecast::{Watched, Workload};

/// Sentinels that the view of one source names.
const SENTINELS_MAX: usize = 1_000;
/// Sentinels that a list of sources names, and those it names of each source in any case.
const LISTED_MAX: usize = 10_000;
const LISTED_MIN: usize = 10;

impl Kernel {
    /// Sources above `after` in order of id, at most `limit`. O(limit), for it names few of the
    /// sentinels of each where they are many.
    pub fn sources(&self, after: Option<SourceId>, limit: usize, now: Instant) -> Vec<SourceView> {
        let mut left = LISTED_MAX;
        let view = |id| {
            let view = self.source_view(id, now, left.clamp(LISTED_MIN, SENTINELS_MAX))?;
            left = left.saturating_sub(view.sentinels.len());
            Some(view)
        };
        self.watch.after(after).take(limit).filter_map(view).collect()
    }

    pub fn source(&self, id: SourceId, now: Instant) -> Option<SourceView> {
        self.source_view(id, now, SENTINELS_MAX)
    }

    pub fn source_url(&self, id: SourceId) -> Option<&SourceUrl> {
        self.watch.url(id)
    }

    /// The source that `owner` means by this URL, in full or as it is shown.
    pub fn source_by_url(&self, owner: OwnerId, url: &str) -> Option<SourceId> {
        self.watch.meant(owner, url)
    }

    /// Sentinels of `owner` above `after` in order of id, at most `limit`.
    pub fn sentinels(
        &self,
        owner: OwnerId,
        after: Option<SentinelId>,
        limit: usize,
        now: Instant,
    ) -> Vec<SentinelView> {
        let some = self.life.after(owner, after).take(limit);
        some.map(|seen| self.sentinel_view(&seen, now)).collect()
    }

    /// Sentinels of `owner` with this tag, in any case, above `after` in order of id.
    /// O(log n) for each that is taken.
    pub fn tagged<'k>(
        &'k self,
        owner: OwnerId,
        tag: &'k str,
        after: Option<SentinelId>,
        now: Instant,
    ) -> impl Iterator<Item = SentinelView> + 'k {
        self.life.tagged(owner, tag, after).map(move |seen| self.sentinel_view(&seen, now))
    }

    /// The tags of `owner` in small letters, at most `limit`, and how many sentinels have each.
    pub fn tags(&self, owner: OwnerId, limit: usize) -> Vec<(String, usize)> {
        let some = self.life.tags(owner).take(limit);
        some.map(|(tag, sentinels)| (tag.to_owned(), sentinels)).collect()
    }

    /// The owner's sentinel of this name, in any case.
    pub fn sentinel(&self, owner: OwnerId, name: &str, now: Instant) -> Option<SentinelView> {
        Some(self.sentinel_view(&self.life.named(owner, name)?, now))
    }

    pub fn sentinel_by_id(&self, id: SentinelId, now: Instant) -> Option<SentinelView> {
        Some(self.sentinel_view(&self.life.seen(id)?, now))
    }

    /// Until when a channel hears nothing, by its quiet hours and its pause.
    pub fn channel_waits(&self, id: ChannelId, now: Instant) -> Option<Instant> {
        let free = self.notices.outbox().free_at(id, now);
        (free > now).then_some(free)
    }

    /// Why nothing can be sent by a channel as things are.
    pub fn channel_trouble(&self, id: ChannelId) -> Option<&str> {
        self.config.trouble_of(&self.channel(id)?.name)
    }

    /// How the last delivery by a channel failed, as far as it is known.
    pub fn channel_failure(&self, id: ChannelId) -> Option<&str> {
        self.notices.outbox().failure(id)
    }

    /// What happened since the start of this process.
    pub fn counters(&self) -> Counters {
        let (watch, hear) = (self.watch.counts(), self.hear.counts());
        let notices = self.notices.counts();
        Counters {
            probes: watch.probes,
            requests: watch.requests,
            redirects: watch.redirects,
            redirects_late: watch.redirects_late,
            not_modified: watch.not_modified,
            failed: watch.failed,
            doubtful: watch.doubtful,
            versions: watch.versions,
            rounds: hear.rounds,
            comparisons: hear.comparisons,
            comparisons_failed: hear.comparisons_failed,
            detections: notices.detections,
            delivered: notices.delivered,
            delivery_failures: notices.delivery_failures,
            eis_captured: watch.eis_captured,
            eis_missed: watch.eis_missed,
            eis_passed_over: watch.eis_passed_over,
            stale: self.stale,
            captures_complete: watch.captures_complete,
            captures_void: watch.captures_void,
            demands_met: watch.demands_met,
            demands_missed: watch.demands_missed,
            sources_held: watch.sources_held,
            set_aside: watch.set_aside,
        }
    }

    /// How many sentinels, sources and streams there are.
    pub fn sizes(&self) -> (usize, usize, usize) {
        let (sources, streams, _) = self.watch.sizes();
        (self.life.len(), sources, streams)
    }

    /// Hosts whose limits are kept: those of sources, and those that redirects led to lately.
    pub fn hosts_known(&self) -> usize {
        self.watch.sizes().2
    }

    pub fn channels(&self) -> Vec<outbox::ChannelRow> {
        self.notices.outbox().channel_rows().cloned().collect()
    }

    /// Channels above `after` in order of id, at most `limit`.
    pub fn channels_after(
        &self,
        after: Option<ChannelId>,
        limit: usize,
    ) -> Vec<outbox::ChannelRow> {
        self.notices.outbox().channel_rows_after(after).take(limit).cloned().collect()
    }

    pub fn channel(&self, id: ChannelId) -> Option<&outbox::ChannelRow> {
        self.notices.outbox().channel_row(id)
    }

    /// The first `limit` channels that take no more, each with the reason in its row.
    pub fn disabled_channels(&self, limit: usize) -> Vec<outbox::ChannelRow> {
        self.notices.outbox().disabled_channels().take(limit).cloned().collect()
    }

    /// The outbox's part of [`Kernel::fold`].
    pub fn outbox_fold(&self) -> outbox::Fold {
        self.notices.outbox().fold()
    }

    pub fn budget(&self, now: Instant) -> BudgetView {
        let schedule = self.watch.schedule_config();
        BudgetView {
            chronon: schedule.chronon,
            per_chronon: schedule.budget,
            recent: self.watch.recent(now),
            probes_in_flight: self.flights.probes,
            probes_in_flight_max: schedule.in_flight_max,
            comparisons_in_flight: self.flights.comparisons,
            deliveries_in_flight: self.flights.deliveries,
            outbox: self.notices.outbox().counts(),
        }
    }

    /// What the scheduler works for, to forecast what it will do. O(n) for n sources and sentinels:
    /// whoever may not wait for that asks piece by piece.
    pub fn world(&self) -> Workload {
        let (config, experience) = (self.schedule_config(), self.experience());
        Workload { config, sources: self.watched(None, usize::MAX), experience }
    }

    pub fn schedule_config(&self) -> schedule::Config {
        self.watch.schedule_config().clone()
    }

    /// Looks that belong together, `limit` at most: those that follow what was found, and captures
    /// of several sources that are not complete. O(streams).
    pub fn together(&self, limit: usize) -> Vec<Together> {
        let urls = |sources: &[SourceId]| -> Vec<Box<str>> {
            let url = |&source: &SourceId| Some(self.watch.url(source)?.to_string().into());
            sources.iter().filter_map(url).collect()
        };
        let name = |id| self.life.seen(id).map(|seen| seen.row.name.clone());
        let wanted = self.watch.wanted().map(|row| {
            let found = row.about.and_then(|detection| self.notices.waits(detection));
            let looks = found.and_then(|found| found.follow.as_ref());
            let looks = looks.iter().flat_map(|follow| &follow.looks).map(|look| look.source);
            let made: Vec<SourceId> = looks.filter(|one| !row.sources.contains(one)).collect();
            Together {
                sentinel: found.and_then(|found| name(found.sentinel)),
                start: row.start,
                finish: row.finish,
                made: urls(&made),
                waits_for: urls(&row.sources),
            }
        });
        let captures = self.watch.incomplete().map(|capture| {
            let all = self.life.of_source(capture.stream.source()).iter();
            let mut listeners = all.filter(|id| {
                self.life.seen(**id).is_some_and(|seen| seen.life.stream == Some(capture.stream))
            });
            Together {
                sentinel: listeners.next().and_then(|&id| name(id)),
                start: capture.start,
                finish: capture.finish,
                made: urls(&capture.made),
                waits_for: urls(&capture.waits_for),
            }
        });
        wanted.chain(captures).take(limit).collect()
    }

    /// A piece of the [`Workload`]: sources above `after` in order of id, at most `limit`.
    /// O(limit).
    pub fn watched(&self, after: Option<SourceId>, limit: usize) -> Vec<Watched> {
        self.watch.watched(after, limit)
    }

    /// How late changes were found of late, over all sources, for a forecast.
    pub fn experience(&self) -> schedule::Experience {
        self.watch.experience()
    }

    /// How late changes that had times were found, over all sources, since the store began.
    pub fn measured(&self) -> schedule::Measured {
        self.watch.measured()
    }

    fn source_view(&self, id: SourceId, now: Instant, sentinels_max: usize) -> Option<SourceView> {
        let seen = self.watch.seen(id, now)?;
        let all = self.life.of_source(id);
        Some(SourceView {
            row: seen.row.clone(),
            outlook: seen.outlook,
            learned: seen.learned,
            expected: seen.expected,
            measured: seen.measured,
            weight: seen.weight,
            sentinels: all.iter().take(sentinels_max).copied().collect(),
            sentinels_total: all.len(),
            waiting_rounds: self.hear.rounds(id) as u32,
        })
    }

    fn sentinel_view(&self, seen: &Seen<'_>, now: Instant) -> SentinelView {
        let idle = Outlook { due: None, reason: None, waits_for: None };
        let outlook = if seen.is_active() {
            self.watch.first_outlook(seen.row.sources(), now).unwrap_or(idle)
        } else {
            idle
        };
        let stream = seen.life.stream;
        let missed: Vec<_> =
            seen.life.streams().map(|stream| self.watch.missed_of(stream)).collect();
        let missed_why = missed.iter().rev().find_map(|(_, why)| *why);
        let missed = missed.iter().map(|(missed, _)| missed).sum();
        let url = |source| self.watch.url(source).map_or("".into(), |url| url.to_string().into());
        SentinelView {
            urls: seen.row.sources().map(url).collect(),
            row: seen.row.clone(),
            life: seen.life.clone(),
            tags: seen.tags().into(),
            outlook,
            looks: stream
                .filter(|_| seen.is_active())
                .and_then(|stream| self.watch.next_look(stream)),
            missed,
            missed_why,
            captures: stream.and_then(|stream| self.watch.captures_of(stream)),
            health: self.health(seen),
            mute: self.mute(seen),
            begins: seen.begins(),
            ends: seen.ends(),
        }
    }
}
