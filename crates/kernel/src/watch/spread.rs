//! When looks without a clock begin: spread over their period, away from the others of their host.

use super::Watch;
use super::streams::Ask;
use crate::record::StreamSpec;
use chronon::{HostId, Instant, StreamId};
use schedule::spread::{Beat, Newcomer, first_look};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The looks of each host that come again and again, by stream.
#[derive(Default)]
pub(super) struct Beats(BTreeMap<HostId, HostBeats>);

#[derive(Default)]
struct HostBeats {
    streams: Vec<StreamId>,
    /// One of each stream.
    beats: Vec<Beat>,
}

impl Beats {
    pub(super) fn insert(&mut self, host: HostId, stream: StreamId, spec: &StreamSpec) {
        let StreamSpec::Every { t0, period, .. } = spec else { return };
        let of_host = self.0.entry(host).or_default();
        of_host.streams.push(stream);
        of_host.beats.push(Beat { first: *t0, period: period.nominal() });
    }

    /// O(n) for the streams of the host.
    pub(super) fn remove(&mut self, host: HostId, stream: StreamId) {
        let Some(of_host) = self.0.get_mut(&host) else { return };
        let Some(at) = of_host.streams.iter().position(|&other| other == stream) else { return };
        of_host.streams.swap_remove(at);
        of_host.beats.swap_remove(at);
        if of_host.beats.is_empty() {
            self.0.remove(&host);
        }
    }

    fn of(&self, hosts: &BTreeSet<HostId>) -> Cow<'_, [Beat]> {
        let of = |host| self.0.get(host).map_or(&[][..], |of_host| of_host.beats.as_slice());
        match hosts.first().filter(|_| hosts.len() == 1) {
            Some(host) => Cow::Borrowed(of(host)),
            None => hosts.iter().flat_map(of).copied().collect(),
        }
    }
}

/// When a look may begin for the first time.
struct Opening {
    hosts: BTreeSet<HostId>,
    /// Nobody wants it later than this.
    to: Option<Instant>,
    /// Which of the newcomers it is; any run of them is even.
    turn: u32,
}

impl Watch {
    /// Chooses the t0 of a new stream, whose sentinel begins now.
    pub(super) fn spread(&self, ask: &mut Ask) {
        // Sources are counted as they come, so that those of one text are a run.
        let opened = self.sources[&ask.source].row.next_stream;
        let turn = ask.source.0.wrapping_add(opened).wrapping_sub(2);
        let hosts = ask.sources().map(|source| self.sources[&source].host).collect();
        let first = self.even_look(&ask.spec, &Opening { hosts, to: ask.to, turn });
        if let StreamSpec::Every { t0, .. } = &mut ask.spec {
            *t0 = first.unwrap_or(self.now);
        }
    }

    /// From now on within a period, as far from the other looks of its host as can be.
    fn even_look(&self, spec: &StreamSpec, opening: &Opening) -> Option<Instant> {
        let StreamSpec::Every { period, slack, .. } = spec else { return None };
        let (from, period) = (self.now, period.nominal());
        let latest = opening.to.map_or(from + period, |to| (to - *slack).min(from + period));
        let newcomer = Newcomer { from, latest, period, turn: opening.turn };
        let beats = self.beats.of(&opening.hosts);
        Some(first_look(&newcomer, &beats, self.config.schedule.chronon))
    }

    /// Once, in the first life under this release: streams without a clock began where they were
    /// applied, all of a text at one moment. Each goes on, with the same count, from a moment of
    /// its own within a period from now. `loose` are those streams, and when the last of their
    /// sentinels ends.
    pub(super) fn spread_anew(&mut self, loose: &BTreeMap<StreamId, Option<Instant>>) {
        self.beats = Beats::default();
        for (id, stream) in &self.streams {
            if !loose.contains_key(id) {
                self.beats.insert(self.sources[&stream.source].host, *id, &stream.spec);
            }
        }
        let has_looks = |id: &StreamId| self.streams.get(id).is_some_and(|s| s.looks().is_some());
        let loose: Vec<_> = loose.iter().filter(|(id, _)| has_looks(id)).collect();
        for (turn, (&id, &to)) in loose.into_iter().enumerate() {
            self.move_looks(id, to, turn as u32);
        }
    }

    fn move_looks(&mut self, id: StreamId, to: Option<Instant>, turn: u32) {
        let Some(stream) = self.streams.get(&id) else { return };
        let (source, k) = (stream.source, stream.next_ei);
        let host = self.sources[&source].host;
        let hosts = BTreeSet::from([host]);
        let Some(first) = self.even_look(&stream.spec, &Opening { hosts, to, turn }) else {
            return;
        };
        let Some(stream) = self.streams.get_mut(&id) else { return };
        if let StreamSpec::Every { t0, period, zone, .. } = &mut stream.spec {
            *t0 = period.back(first, k, zone);
        }
        self.beats.insert(host, id, &stream.spec);
        self.touched.streams.insert(id);
        self.renew_ei(id);
    }
}
