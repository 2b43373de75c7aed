//! From stored rows to sources and streams, and back.

use super::streams::StreamEntry;
use super::{Out, Watch};
use crate::packed::pack;
use crate::record::{Snapshot, StreamRow, StreamSpec};
use chronon::{Instant, Span, StreamId};
use schedule::Event;
use std::collections::BTreeMap;

impl Watch {
    /// Sources, what was learned of them, and the pauses of hosts.
    pub(crate) fn load_sources(&mut self, snapshot: &Snapshot) {
        self.load_week(snapshot);
        let now = self.now;
        let mut priors: BTreeMap<_, _> =
            snapshot.schedule.iter().map(|record| (record.source, record.clone())).collect();
        for row in &snapshot.sources {
            let mut row = row.clone();
            row.newest = row.newest.max(row.version);
            // Stores of before have the source's own URL here.
            let kept = std::mem::take(&mut row.validators);
            row.keep_validators(kept.etag(), kept.last_modified(), kept.url());
            row.asked = row.asked.map(|at| at.min(now));
            let mut prior = priors.remove(&row.id);
            if let Some(prior) = &mut prior {
                let times = [&mut prior.last_probe, &mut prior.last_success];
                let ahead = times.into_iter().map(|time| bound(time, now)).filter(|ahead| *ahead);
                if ahead.count() > 0 {
                    let said = format!("{} was looked at in the far future", row.url.logged());
                    self.warn(said + "; it is looked at as if that were now");
                }
            }
            let id = row.id;
            self.insert_source(row, prior);
            self.load_trail(id);
        }
        for row in &snapshot.hosts {
            let mut row = row.clone();
            let latest = now + self.config.host_hold_max;
            row.held_until = row.held_until.map(|until| until.min(latest));
            let host = self.hosts.intern(&row.name);
            self.hosts.own.load(&row);
            if let Some(until) = row.held_until.filter(|&until| until > now) {
                self.scheduler.handle(now, Event::HostHeld { host, until });
            }
            self.forget_soon(&row.name);
        }
    }

    fn load_week(&mut self, snapshot: &Snapshot) {
        let Some(week) = &snapshot.week else { return };
        if !self.scheduler.recall_week(self.now, week) {
            let said = "the hours at which pages change could not be read; they are learned anew";
            self.warn(said.into());
        }
    }

    /// A stream of a source that is there, without listeners. `written` is where the text of one of
    /// its sentinels says that its intervals begin. Whether it could be.
    pub(crate) fn load_stream(&mut self, row: &StreamRow, written: Option<Instant>) -> bool {
        if !self.sources.contains_key(&row.source) {
            self.warn(format!("stream {} has no source; left out", row.id));
            return false;
        }
        let mut entry = StreamEntry::load(row, self.now);
        if entry.sources().iter().any(|source| !self.sources.contains_key(source)) {
            self.warn(format!("stream {} lacks a source; left out", row.id));
            return false;
        }
        if let StreamSpec::Every { t0, period, zone, .. } = &mut entry.spec {
            let far = *t0 > period.nth(self.now, 1, zone);
            let begins = written.unwrap_or(if far { self.now } else { *t0 });
            if begins != *t0 {
                (*t0, entry.next_ei, entry.settled) = (begins, 0, 0);
                let said = format!("the intervals of {} were moved by a wrong clock", row.id);
                self.warn(format!("{said}; they begin at {begins}"));
            }
        }
        self.insert_stream(row.id, entry);
        self.recall_seen(row.id);
        true
    }

    /// A round of the stream is open. Which of its looks led to it is not stored: of those done
    /// with, the last.
    pub(crate) fn load_round(&mut self, id: StreamId) {
        if let Some(stream) = self.streams.get_mut(&id) {
            stream.settled = stream.settled.saturating_sub(1);
        }
    }

    /// One who listened before the load does so again.
    pub(crate) fn rejoin(&mut self, id: StreamId, weight: u64) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        self.counts.eis_missed += stream.catch_up(self.now);
        self.seat(id, weight);
    }

    /// What loading touched is what the store holds; nothing is to be written for it.
    pub(crate) fn loaded(&mut self) {
        self.touched = super::Touched::default();
        self.scheduler.take_records(&mut Vec::new());
        pack(&mut self.sources);
        pack(&mut self.streams);
        self.timers.pack();
    }

    /// Puts into a snapshot what it would hold if everything said so far is durable.
    pub(crate) fn fold(&self, now: Instant, fold: &mut Snapshot) {
        fold.sources = self.sources.values().map(|entry| entry.row.clone()).collect();
        fold.schedule =
            self.sources.keys().filter_map(|&source| self.scheduler.record(source)).collect();
        fold.week = self.scheduler.week_record().cloned();
        let stream = |id: &StreamId| {
            let mut row = self.streams[id].row(*id);
            // An EI that only a probe in flight may still capture is missed if that is lost.
            let open = super::intervals::first_open_ei(&row.spec, now);
            row.next_ei = row.next_ei.max(open.unwrap_or(0));
            if let Some(captures) = &mut row.captures {
                captures.open.retain(|open| now <= open.finish);
            }
            row
        };
        fold.streams = self.streams.keys().map(stream).collect();
        fold.hosts = self.hosts.own.rows().collect();
        fold.demands = self.demands.rows(now);
    }

    fn warn(&mut self, said: String) {
        self.out.push_back(Out::Warning(said));
    }
}

/// Brings a time more than a day ahead of `now` back to it; says whether it did.
fn bound(time: &mut Option<Instant>, now: Instant) -> bool {
    let ahead = time.is_some_and(|time| time > now + Span::DAY);
    if ahead {
        *time = Some(now);
    }
    ahead
}
