//! After an upgrade: what is compared with later is extracted again, from the stored bytes.

use crate::flights::Flight;
use crate::io::{Computation, Effect, Task};
use crate::kernel::Kernel;
use crate::record::{Record, VersionRow};
use chronon::{SentinelId, SourceId, VersionNo};
use schedule::Event;
use std::collections::BTreeSet;

impl Kernel {
    /// The stored bytes of a source were extracted by another extractor: no probes until all that a
    /// fingerprint is kept of is extracted again.
    pub(crate) fn want_reextractions(&mut self) {
        let sources: Vec<SourceId> = self.sources.keys().copied().collect();
        for source in sources {
            let stale = self.stale_versions(source);
            if stale.is_empty() {
                continue;
            }
            self.stale.extend(stale.iter().map(|&version| (source, version)));
            self.sources.get_mut(&source).expect("listed above").stale = stale;
            self.hold(source);
        }
    }

    /// The current version, what is held, and the last element of each kind in each stream.
    fn stale_versions(&self, source: SourceId) -> BTreeSet<VersionNo> {
        let entry = &self.sources[&source];
        if entry.row.extractor == page::EXTRACTOR {
            return BTreeSet::new();
        }
        let current = Some(VersionNo(entry.row.version)).filter(|version| version.0 > 0);
        let held = entry.row.held.as_ref().map(|held| held.version);
        let last = entry.streams.iter().flat_map(|&stream| self.last_elements(stream));
        last.map(|last| last.version).chain(current).chain(held).collect()
    }

    /// Starts waiting extractions while there is room: they share it with the comparisons.
    pub(crate) fn start_reextractions(&mut self) {
        while self.flights.comparisons < self.config.comparisons_max {
            let Some((source, version)) = self.stale.pop_first() else { return };
            if self.sources.contains_key(&source) {
                let ticket = self.flights.start(Flight::Reextract { source, version });
                let reextract = Computation::Reextract { ticket, source, version };
                self.out.effects.push(Effect::Start(Task::Compute(reextract)));
            }
        }
    }

    /// The same version under the present extractor; it never causes an alert.
    pub(crate) fn reextracted(
        &mut self,
        (source, version): (SourceId, VersionNo),
        row: Option<Box<VersionRow>>,
    ) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.stale.remove(&version);
        (entry.row.etag, entry.row.last_modified) = (None, None);
        if entry.stale.is_empty() {
            entry.row.extractor = page::EXTRACTOR;
        }
        self.take_over(source, version, row.as_deref());
        self.out.records.extend(row.map(Record::Version));
        self.dirty.sources.insert(source);
        self.hold(source);
    }

    /// Every fingerprint that is kept of a version becomes the one of its new extract. Bytes that
    /// cannot be read any more make the next content a new baseline.
    fn take_over(&mut self, source: SourceId, version: VersionNo, row: Option<&VersionRow>) {
        let fingerprint = row.map_or([0; 32], |row| row.facts.fingerprint);
        for stream in self.sources[&source].streams.clone() {
            let last = self.last_elements(stream).into_iter().find(|l| l.version == version);
            let Some(last) = last else { continue };
            let strands =
                &mut self.streams.get_mut(&stream).expect("a source's stream").row.strands;
            let kind = row.map_or(last.strand.kind, |row| row.facts.kind);
            let is_free = strands.iter().all(|strand| strand.kind != kind);
            if let Some(strand) = strands.iter_mut().find(|s| s.kind == last.strand.kind) {
                strand.fingerprint = fingerprint;
                strand.kind = if is_free { kind } else { strand.kind };
            }
            self.dirty.streams.insert(stream);
        }
        let entry = &mut self.sources.get_mut(&source).expect("the caller holds it").row;
        let is_current = entry.version == version.0;
        if is_current {
            entry.fingerprint = fingerprint;
            entry.kind = row.map_or(entry.kind, |row| row.facts.kind);
        }
        if let Some(held) = entry.held.as_mut().filter(|held| held.version == version) {
            match row {
                Some(row) => {
                    (held.fingerprint, held.kind) = (fingerprint, row.facts.kind);
                    held.odd = row.facts.odd;
                }
                None => entry.held = None,
            }
        }
        if is_current && row.is_none() {
            self.start_streams_anew(source);
        }
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
        let held = !entry.stale.is_empty() || entry.rounds.len() >= max;
        if held != entry.held {
            entry.held = held;
            self.counters.sources_held += u64::from(held);
            self.scheduler.handle(self.now, Event::SourceHeld { source, held });
        }
    }
}
