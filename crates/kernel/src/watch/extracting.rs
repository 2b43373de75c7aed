//! After an upgrade: what is compared with later is extracted again, from the stored bytes.

use super::{Out, Watch};
use crate::record::{KeptValidators, Record, VersionRow};
use chronon::{SourceId, VersionNo};
use schedule::Event;
use std::collections::BTreeSet;

/// A version that the present extractor is to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stale {
    pub(crate) source: SourceId,
    pub(crate) version: VersionNo,
}

impl Watch {
    /// The stored bytes of a source were extracted by another extractor: no probes until all that a
    /// fingerprint is kept of is extracted again.
    pub(super) fn want_reextractions(&mut self) {
        let sources: Vec<SourceId> = self.sources.keys().copied().collect();
        for source in sources {
            let stale = self.stale_versions(source);
            if stale.is_empty() {
                continue;
            }
            self.stale.extend(stale.iter().map(|&version| Stale { source, version }));
            self.stale_of.insert(source, stale);
            self.hold(source);
        }
    }

    /// The current version, what is held, and the last element of each kind in each stream.
    fn stale_versions(&self, source: SourceId) -> BTreeSet<VersionNo> {
        let entry = &self.sources[&source];
        if entry.row.extractor == page::EXTRACTOR {
            return BTreeSet::new();
        }
        let current = VersionNo(entry.row.version);
        let held = entry.row.held.as_ref().map(|held| held.version);
        let last = entry.streams.iter().flat_map(|stream| &self.streams[stream].strands);
        let all = last.map(|last| last.version).chain([current]).chain(held);
        all.filter(|version| version.0 > 0).collect()
    }

    /// Starts at most `room` waiting extractions.
    pub(crate) fn start_reextractions(&mut self, room: u32) {
        let mut left = room;
        while left > 0 {
            let Some(stale) = self.stale.pop_first() else { return };
            if self.sources.contains_key(&stale.source) {
                left -= 1;
                self.out.push_back(Out::Reextract(stale));
            }
        }
    }

    /// The same version under the present extractor; it never causes an alert.
    pub(super) fn reextracted(&mut self, done: Stale, row: Option<Box<VersionRow>>) {
        let source = done.source;
        let Some(entry) = self.sources.get_mut(&source) else { return };
        if let Some(left) = self.stale_of.get_mut(&source) {
            left.remove(&done.version);
        }
        let is_done = self.stale_of.get(&source).is_none_or(BTreeSet::is_empty);
        entry.row.validators = KeptValidators::default();
        if is_done {
            self.stale_of.remove(&source);
            entry.row.extractor = page::EXTRACTOR;
        }
        self.take_over(done, row.as_deref());
        if let Some(row) = row {
            self.record(Record::Version(row));
        }
        self.touched.sources.insert(source);
        self.hold(source);
    }

    /// Every fingerprint that is kept of a version becomes the one of its new extract. Bytes that
    /// cannot be read any more make the next content a new baseline.
    fn take_over(&mut self, Stale { source, version }: Stale, row: Option<&VersionRow>) {
        let fingerprint = row.map_or([0; 32], |row| row.facts.fingerprint);
        let Some(entry) = self.sources.get_mut(&source) else { return };
        for id in entry.streams.iter() {
            let Some(stream) = self.streams.get_mut(id) else { continue };
            let strands = &mut stream.strands;
            let Some(at) = strands.iter().position(|last| last.version == version) else {
                continue;
            };
            let kind = row.map_or(strands[at].strand.kind, |row| row.facts.kind);
            let is_free = strands.iter().all(|last| last.strand.kind != kind);
            let strand = &mut strands[at].strand;
            strand.fingerprint = fingerprint;
            strand.kind = if is_free { kind } else { strand.kind };
            self.touched.streams.insert(*id);
        }
        let of_source = &mut entry.row;
        let is_current = of_source.version == version.0;
        if is_current {
            of_source.fingerprint = fingerprint;
            of_source.kind = row.map_or(of_source.kind, |row| row.facts.kind);
        }
        if let Some(held) = of_source.held.as_mut().filter(|held| held.version == version) {
            match row {
                Some(row) => {
                    (held.fingerprint, held.kind) = (fingerprint, row.facts.kind);
                    held.odd = row.facts.odd;
                }
                None => of_source.held = None,
            }
        }
        if is_current && row.is_none() {
            self.out.push_back(Out::BeginsAnew(source));
        }
    }

    /// Holds the source's probes, or lets them go, as its state says.
    pub(super) fn hold(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        let held = self.stale_of.contains_key(&source) || entry.is_full;
        if held != entry.is_held {
            entry.is_held = held;
            self.counts.sources_held += u64::from(held);
            self.scheduler.handle(self.now, Event::SourceHeld { source, held });
        }
    }
}
