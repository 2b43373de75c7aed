//! When looks without a clock begin: spread over their period, away from the others of their host.

use crate::kernel::Kernel;
use crate::record::StreamSpec;
use chronon::{HostId, Instant, SourceId, StreamId};
use schedule::Event;
use schedule::spread::{Beat, Newcomer, first_look};
use std::collections::BTreeMap;

/// The looks of each host that come again and again, by stream.
#[derive(Default)]
pub(crate) struct Beats(BTreeMap<HostId, HostBeats>);

#[derive(Default)]
struct HostBeats {
    streams: Vec<StreamId>,
    /// One of each stream.
    beats: Vec<Beat>,
}

impl Beats {
    pub(crate) fn insert(&mut self, host: HostId, stream: StreamId, spec: &StreamSpec) {
        let StreamSpec::Every { t0, period, .. } = spec else { return };
        let of_host = self.0.entry(host).or_default();
        of_host.streams.push(stream);
        of_host.beats.push(Beat { first: *t0, period: period.nominal() });
    }

    /// O(n) for the streams of the host.
    pub(crate) fn remove(&mut self, host: HostId, stream: StreamId) {
        let Some(of_host) = self.0.get_mut(&host) else { return };
        let Some(at) = of_host.streams.iter().position(|&other| other == stream) else { return };
        of_host.streams.swap_remove(at);
        of_host.beats.swap_remove(at);
        if of_host.beats.is_empty() {
            self.0.remove(&host);
        }
    }

    fn of(&self, host: HostId) -> &[Beat] {
        self.0.get(&host).map_or(&[], |of_host| of_host.beats.as_slice())
    }
}

impl Kernel {
    /// Chooses the t0 of a new stream of `source`, whose sentinel begins now and ends at `to`.
    pub(crate) fn spread(&self, spec: &mut StreamSpec, source: SourceId, to: Option<Instant>) {
        let turn = self.meta.next_stream.wrapping_sub(1);
        if let StreamSpec::Every { t0, .. } = spec {
            *t0 = self.now;
        }
        if let Some(first) = self.even_look(spec, (source, to), turn)
            && let StreamSpec::Every { t0, .. } = spec
        {
            *t0 = first;
        }
    }

    /// From now on within a period, as far from the other looks of its host as can be.
    fn even_look(
        &self,
        spec: &StreamSpec,
        (source, to): (SourceId, Option<Instant>),
        turn: u32,
    ) -> Option<Instant> {
        let StreamSpec::Every { period, slack, .. } = spec else { return None };
        let (from, period) = (self.now, period.nominal());
        let latest = to.map_or(from + period, |to| (to - *slack).min(from + period));
        let newcomer = Newcomer { from, latest, period, turn };
        let host = self.sources[&source].host;
        Some(first_look(&newcomer, self.beats.of(host), self.config.schedule.chronon))
    }

    /// Once, in the first life under this release: streams without a clock began where they were
    /// applied, all of a text at one moment. Each goes on, with the same count, from a moment of
    /// its own within a period from now.
    pub(crate) fn spread_the_first(&mut self) {
        if std::mem::replace(&mut self.meta.spread, true) {
            return;
        }
        self.beats = Beats::default();
        let mut without_clock = Vec::new();
        for (&id, stream) in &self.streams {
            let mut plans = stream.listeners.iter().map(|id| &self.sentinels[id].plan);
            let keeps = stream.listeners.is_empty() || plans.any(|plan| plan.from_has_clock);
            if keeps {
                self.beats.insert(self.sources[&stream.row.source].host, id, &stream.row.spec);
            } else if stream.row.spec != StreamSpec::OnChange {
                without_clock.push(id);
            }
        }
        for (turn, id) in without_clock.into_iter().enumerate() {
            self.spread_anew(id, turn as u32);
        }
    }

    fn spread_anew(&mut self, id: StreamId, turn: u32) {
        let stream = &self.streams[&id];
        let ends = stream.listeners.iter().map(|id| self.sentinels[id].plan.to);
        let to = ends.max_by_key(|to| to.unwrap_or(Instant::NEVER)).flatten();
        let (source, k) = (stream.row.source, stream.row.next_ei);
        let Some(first) = self.even_look(&stream.row.spec, (source, to), turn) else { return };
        let host = self.sources[&source].host;
        let stream = self.streams.get_mut(&id).expect("looked up above");
        if let StreamSpec::Every { t0, period, zone, .. } = &mut stream.row.spec {
            *t0 = period.back(first, k, zone);
        }
        self.beats.insert(host, id, &stream.row.spec);
        let open = stream.ei.take();
        self.dirty.streams.insert(id);
        if let Some(open) = open {
            self.scheduler.handle(self.now, Event::CeiDropped { cei: open.cei });
        }
        self.want_ei(id);
    }
}
