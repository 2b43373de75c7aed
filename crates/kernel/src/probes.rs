//! Probes: from a pick to what came of it.

use crate::flights::Flight;
use crate::io::{Announcement, Answer, Effect, FetchOutcome, Fetched, Validators};
use crate::kernel::Kernel;
use crate::record::{ProbeOutcome, ProbeRow, Record, VersionFacts, VersionRow};
use crate::state::Verdict;
use chronon::{HostId, Instant, SentinelId, SourceId, Span, VersionNo};
use schedule::{Event, Outcome, Reason};

/// A probe that has come back.
#[derive(Clone, Copy)]
pub(crate) struct Probed {
    pub(crate) source: SourceId,
    pub(crate) start: Instant,
    pub(crate) reason: Reason,
    pub(crate) conditional: bool,
}

impl Kernel {
    pub(crate) fn start_probes(&mut self) {
        let mut picks = Vec::new();
        self.scheduler.poll(self.now, &mut picks);
        if picks.is_empty() {
            return;
        }
        self.count_recent(picks.len() as u32);
        for pick in picks {
            let (source, start) = (pick.source, self.now);
            let revalidate_after = self.config.revalidate_after;
            let Some(entry) = self.sources.get_mut(&source) else { continue };
            entry.probing_since = Some(start);
            let long_ago = |last| start - last >= revalidate_after || last > start;
            let due = entry.row.last_unconditional.is_none_or(long_ago);
            let validators = match due || entry.row.version == 0 {
                true => Validators::default(),
                false => Validators {
                    url: entry.row.validators_url.clone(),
                    etag: entry.row.etag.clone(),
                    last_modified: entry.row.last_modified.clone(),
                },
            };
            let url = entry.row.url.clone();
            let conditional = validators.etag.is_some() || validators.last_modified.is_some();
            let flight = Flight::Probe { source, start, reason: pick.reason, conditional };
            let ticket = self.flights.start(flight);
            let reason = pick.reason;
            self.out.effects.push(Effect::Probe { ticket, source, url, validators, reason });
        }
    }

    fn count_recent(&mut self, picks: u32) {
        self.counters.probes += u64::from(picks);
        let chronon = self.now.as_millis() / self.config.schedule.chronon.as_millis().max(1);
        match self.recent.back_mut() {
            Some((last, count)) if *last == chronon => *count += picks,
            _ => self.recent.push_back((chronon, picks)),
        }
        if self.recent.len() > 60 {
            self.recent.pop_front();
        }
    }

    pub(crate) fn fetched(&mut self, probed: Probed, fetched: Fetched) {
        for &(ref host, requests) in &fetched.extra_requests {
            if let Some(host) = self.hosts.intern_hop(host) {
                self.scheduler.handle(self.now, Event::HostUsed { host, requests });
            }
        }
        let Probed { source, start, .. } = probed;
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.probing_since = None;
        let host = entry.host;
        let (took, body_bytes) = (fetched.took, fetched.body_bytes);
        let wire_bytes = fetched.wire_bytes;
        let was_set_aside = matches!(fetched.outcome, FetchOutcome::SetAside { .. });
        let outcome = match fetched.outcome {
            FetchOutcome::SetAside { reason } => {
                self.counters.set_aside += 1;
                ProbeOutcome::Failed { status: None, reason }
            }
            FetchOutcome::Content(facts) => self.content(probed, *facts),
            FetchOutcome::NotModified => {
                self.counters.not_modified += 1;
                ProbeOutcome::NotModified
            }
            FetchOutcome::Failed { status, reason, holds_host, held_host, retry_after } => {
                self.counters.failed += 1;
                if holds_host {
                    self.hold_host(host, retry_after);
                    let other = held_host.and_then(|name| self.hosts.intern_hop(&name));
                    if let Some(other) = other.filter(|&other| other != host) {
                        self.hold_host(other, retry_after);
                    }
                }
                ProbeOutcome::Failed { status, reason }
            }
        };
        let number = self.scheduler.record(source).map_or(0, |learned| learned.probes) + 1;
        if let ProbeOutcome::Failed { reason, .. } = &outcome {
            self.scheduler
                .handle(self.now, Event::Probed { source, start, outcome: Outcome::Failed });
            self.settle_streams(source);
            if !was_set_aside {
                self.count_failure(source, reason);
            }
        } else {
            self.hosts.holds.remove(&host);
            for (hop, _) in &fetched.extra_requests {
                if let Some(hop) = self.hosts.intern_hop(hop) {
                    self.hosts.holds.remove(&hop);
                }
            }
            self.count_success(probed);
            self.advance_streams(source, start);
            self.settle_streams(source);
            self.sources.get_mut(&source).expect("looked up above").verdict =
                Some(Verdict { start, told: false });
            self.judge(source);
        }
        let row = ProbeRow {
            source,
            number,
            start,
            took,
            body_bytes,
            wire_bytes,
            outcome,
            reason: probed.reason,
        };
        self.record_probe(row);
        self.leave_when_quiet(source);
    }

    /// Content: a version, if its fingerprint differs from the current one's.
    fn content(&mut self, probed: Probed, facts: VersionFacts) -> ProbeOutcome {
        let Probed { source, start, .. } = probed;
        let row = &mut self.sources.get_mut(&source).expect("the caller holds it").row;
        row.last_unconditional = Some(start);
        row.etag = facts.etag.clone();
        row.last_modified = facts.last_modified.clone();
        row.validators_url = facts.final_url.clone();
        if row.version > 0
            && row.fingerprint == facts.fingerprint
            && row.extractor == facts.extractor
        {
            return ProbeOutcome::Same;
        }
        row.version += 1;
        row.fingerprint = facts.fingerprint;
        row.extractor = facts.extractor;
        let number = VersionNo(row.version);
        let version = VersionRow { source, number, fetched_at: start, facts };
        self.out.records.push(Record::Version(Box::new(version)));
        self.counters.versions += 1;
        let announcement = Announcement::Version { source, version: number, at: self.now };
        self.out.effects.push(Effect::Announce(announcement));
        ProbeOutcome::Version(number)
    }

    fn hold_host(&mut self, host: HostId, retry_after: Option<Span>) {
        let holds = self.hosts.holds.entry(host).or_insert(0);
        let doubled = self.config.host_hold_first.times(1 << (*holds).min(20));
        *holds += 1;
        let pause = retry_after.unwrap_or(doubled).min(self.config.host_hold_max);
        let name: Box<str> = self.hosts.name(host).into();
        let held = self.hosts_held.get(&name).copied().unwrap_or(self.now);
        let until = held.max(self.now + pause);
        self.hosts_held.insert(name.clone(), until);
        self.out.records.push(Record::HostHeld { host: name, until });
        self.scheduler.handle(self.now, Event::HostHeld { host, until });
    }

    fn count_failure(&mut self, source: SourceId, reason: &str) {
        let now = self.now;
        let (tries, after) = (self.config.failing_tries, self.config.failing_after);
        let row = &mut self.sources.get_mut(&source).expect("the caller holds it").row;
        row.failures += 1;
        let since = *row.failing_since.get_or_insert(now);
        self.dirty.sources.insert(source);
        let long = now - since >= after || since > now;
        row.failing_told |= row.failures >= tries && long;
        if row.failing_told {
            self.tell_failing(source, since, reason);
        }
    }

    fn count_success(&mut self, probed: Probed) {
        let row = &mut self.sources.get_mut(&probed.source).expect("the caller holds it").row;
        row.failing_told = false;
        row.failing_since = None;
        row.failures = 0;
        row.last_success = Some(probed.start);
        if !probed.conditional {
            row.last_unconditional = Some(probed.start);
        }
        self.dirty.sources.insert(probed.source);
        self.tell_recovered(probed.source);
    }

    fn record_probe(&mut self, row: ProbeRow) {
        let (source, at, outcome) = (row.source, self.now, row.outcome.clone());
        self.out.effects.push(Effect::Announce(Announcement::Probe { source, at, outcome }));
        self.out.records.push(Record::Probe(row));
    }

    /// For the scheduler a probe ends when all it led to is compared: only then is it known
    /// whether anybody would be told. Noise teaches no shorter interval, and a source whose rounds
    /// wait is not probed meanwhile.
    pub(crate) fn judge(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        if !entry.rounds.is_empty() {
            return;
        }
        let Some(Verdict { start, told }) = entry.verdict.take() else { return };
        let outcome = if told { Outcome::Changed } else { Outcome::Unchanged };
        self.scheduler.handle(self.now, Event::Probed { source, start, outcome });
    }

    pub(crate) fn probe_now(&mut self, source: SourceId) -> Answer {
        let Some(entry) = self.sources.get(&source) else {
            return Answer::NotFound { what: format!("source {}", source.0).into() };
        };
        if entry.streams.is_empty() {
            let sentence = "no active sentinel watches this source; enable one first";
            return Answer::Unable(sentence.into());
        }
        self.scheduler.handle(self.now, Event::Asked { source });
        Answer::Done
    }

    /// The stored bytes of a source's newest version were extracted by another extractor: no
    /// probes until they are extracted again.
    pub(crate) fn want_reextractions(&mut self) {
        let stale = |entry: &crate::state::SourceEntry| {
            entry.row.version > 0 && entry.row.extractor != page::EXTRACTOR
        };
        let sources: Vec<SourceId> =
            self.sources.iter().filter(|(_, entry)| stale(entry)).map(|(&id, _)| id).collect();
        for source in sources {
            self.sources.get_mut(&source).expect("listed above").reextracting = true;
            self.hold(source);
            self.stale.insert(source);
        }
    }

    /// Starts waiting extractions while there is room: they share it with the comparisons.
    pub(crate) fn start_reextractions(&mut self) {
        while self.flights.comparisons < self.config.comparisons_max {
            let Some(source) = self.stale.pop_first() else { return };
            let Some(entry) = self.sources.get(&source) else { continue };
            let version = VersionNo(entry.row.version);
            let ticket = self.flights.start(Flight::Reextract { source });
            self.out.effects.push(Effect::Reextract { ticket, source, version });
        }
    }

    /// The same version under the present extractor; it never causes an alert. Bytes that cannot
    /// be read any more make the next content a new baseline.
    pub(crate) fn reextracted(&mut self, source: SourceId, row: Option<Box<VersionRow>>) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.reextracting = false;
        entry.row.etag = None;
        entry.row.last_modified = None;
        entry.row.extractor = page::EXTRACTOR;
        let streams = entry.streams.clone();
        match row {
            Some(row) => {
                let old = std::mem::replace(&mut entry.row.fingerprint, row.facts.fingerprint);
                for stream in streams {
                    let entry = self.streams.get_mut(&stream).expect("a source's stream");
                    if entry.row.last_fingerprint == old {
                        entry.row.last_fingerprint = row.facts.fingerprint;
                        self.dirty.streams.insert(stream);
                    }
                }
                self.out.records.push(Record::Version(row));
            }
            None => {
                entry.row.fingerprint = [0; 32];
                self.start_streams_anew(source);
            }
        }
        self.dirty.sources.insert(source);
        self.hold(source);
    }

    /// Everybody leaves and joins again: the next element is a baseline.
    fn start_streams_anew(&mut self, source: SourceId) {
        for id in self.sources[&source].leaving.clone() {
            self.leave_ended(id);
        }
        let joined = |id: &&SentinelId| self.sentinels[id].is_joined();
        let listeners: Vec<SentinelId> =
            self.sources[&source].sentinels.iter().filter(joined).copied().collect();
        for &id in &listeners {
            self.leave(id);
        }
        for id in listeners {
            if self.sentinels[&id].is_active() {
                self.join(id);
                self.weigh(id);
            }
        }
    }

    /// Holds the source's probes, or lets them go, as its state says.
    pub(crate) fn hold(&mut self, source: SourceId) {
        let max = self.config.rounds_waiting_max;
        let Some(entry) = self.sources.get_mut(&source) else { return };
        let held = entry.reextracting || entry.rounds.len() >= max;
        if held != entry.held {
            entry.held = held;
            self.counters.sources_held += u64::from(held);
            self.scheduler.handle(self.now, Event::SourceHeld { source, held });
        }
    }
}
