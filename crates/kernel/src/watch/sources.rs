//! Sources: what is known of each, and what is going on at it.

use super::dates::Changes;
use super::redirects::{Beginning, Look};
use super::{Address, Timer, Watch, Weighed};
use crate::few::Few;
use crate::record::{SourceRow, Worry};
use chronon::{HostId, Instant, SourceId, Span, StreamId, VersionNo};
use schedule::Event;

/// A source: its row, and what is going on at it.
pub(super) struct SourceEntry {
    pub(super) row: SourceRow,
    pub(super) host: HostId,
    pub(super) streams: Few<StreamId>,
    /// The sum of the weights of those that want it fresh, in millionths: whole numbers, so that
    /// the order of joining does not show.
    pub(super) weight: u64,
    /// When the probe in flight started.
    pub(super) probing_since: Option<Instant>,
    /// What the last look's content says of when it changed, until that look is judged.
    pub(super) changes: Option<Box<Changes>>,
    /// What it had become before it was back, as this version shows.
    pub(super) over: Option<Box<(VersionNo, Worry)>>,
    /// The look that is under way, and where the next one begins if not at the source's own URL.
    pub(super) look: Option<Box<Look>>,
    pub(super) beginning: Option<Box<Beginning>>,
    /// Some sentinel names it, active or not.
    pub(super) is_named: bool,
    /// As many of its rounds wait as may.
    pub(super) is_full: bool,
    pub(super) is_held: bool,
    /// EIs of its streams that the scheduler was told of.
    pub(super) eis: u32,
}

impl SourceEntry {
    /// A person waits for a look at it, and somebody watches it.
    pub(super) fn is_asked(&self) -> bool {
        self.row.asked.is_some() && !self.streams.is_empty()
    }

    fn new(row: SourceRow, host: HostId) -> SourceEntry {
        SourceEntry {
            row,
            host,
            streams: Few::default(),
            weight: 0,
            probing_since: None,
            changes: None,
            over: None,
            look: None,
            beginning: None,
            is_named: false,
            is_full: false,
            is_held: false,
            eis: 0,
        }
    }

    /// The source's freshness demand.
    pub(super) fn fresh_weight(&self) -> f64 {
        self.weight as f64 / 1e6
    }
}

impl Watch {
    /// The source with this address, known from now on.
    pub(crate) fn source_of(&mut self, now: Instant, address: &Address<'_>) -> SourceId {
        self.now = now;
        if let Some(source) = self.known_at(address) {
            return source;
        }
        let Address { url, way, owner } = *address;
        let id = SourceId(self.next_source);
        self.next_source += 1;
        let row =
            SourceRow { way: way.clone(), owner, ..SourceRow::new(id, url.clone(), self.now) };
        self.insert_source(row, None);
        self.touched.sources.insert(id);
        id
    }

    pub(super) fn insert_source(
        &mut self,
        mut row: SourceRow,
        prior: Option<schedule::SourceRecord>,
    ) {
        let (id, host) = (row.id, self.hosts.intern(&row.host));
        row.host = self.hosts.name(host);
        let known = &self.sources;
        self.addresses.insert(&row, |id| known.get(&id).map(|entry| &entry.row));
        self.scheduler.handle(self.now, Event::SourceAdded { source: id, host, prior });
        let spread = Span::from_millis(i64::from(id.0 % 86_400) * 1_000);
        self.timers.set(self.now + Span::DAY + spread, Timer::PruneSource(id));
        self.sources.insert(id, Box::new(SourceEntry::new(row, host)));
        self.say_kind(id);
    }

    /// The scheduler learns what a source shows, once that is known.
    pub(super) fn say_kind(&mut self, source: SourceId) {
        let row = &self.entry(source).row;
        if row.version == 0 {
            return;
        }
        let kind = match row.kind {
            page::Kind::Html | page::Kind::Text => schedule::Kind::Page,
            page::Kind::Feed => schedule::Kind::Feed,
            page::Kind::Xml | page::Kind::Json => schedule::Kind::Data,
        };
        self.scheduler.handle(self.now, Event::KindKnown { source, kind });
    }

    /// A source that the caller was given as one that is there.
    pub(super) fn entry(&mut self, source: SourceId) -> &mut SourceEntry {
        self.sources.get_mut(&source).expect("sources are forgotten between looks only")
    }

    /// The scheduler learns what all who want the source fresh weigh together.
    pub(super) fn weigh(&mut self, Weighed { source, before, after }: Weighed) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.weight = entry.weight + after - before;
        let weight = entry.fresh_weight();
        self.scheduler.handle(self.now, Event::Weight { source, weight });
    }
}
