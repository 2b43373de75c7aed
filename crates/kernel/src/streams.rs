//! Streams: which versions the sentinels of a source compare, and the EIs that feed them.

use crate::generations::LastElement;
use crate::ids::Ids;
use crate::kernel::Kernel;
use crate::record::{Record, Strand, StreamRow, StreamSpec};
use crate::state::{OpenEi, StreamEntry, Timer, Wanted};
use crate::view::Missed;
use chronon::{Instant, SentinelId, SourceId, Span, StreamId, VersionNo};
use graph::{Element, Entry};
use schedule::{CeiId, EiId, Event, Obstacle};
use sentinel::ast::{Compare, Fetch};

impl Kernel {
    /// The stream a sentinel that activates now joins: one that exists already, if it compares
    /// the same versions (and goes on from `last`), else a new one. Windows of `every n` start with
    /// an element of the only kind that a stream showed: else in a stream of their own.
    pub(crate) fn stream_for(
        &mut self,
        id: SentinelId,
        source: SourceId,
        last: &[LastElement],
    ) -> StreamId {
        let plan = &self.sentinels[&id].plan;
        let mut spec = match plan.fetch {
            Fetch::OnChange => StreamSpec::OnChange,
            Fetch::Every { period, slack } => {
                // Activation is at `from`, even where the step that notices comes later.
                let t0 = plan.from;
                StreamSpec::Every { t0, period, slack, zone: plan.zone.clone() }
            }
        };
        let phase_matters = plan.from_has_clock;
        let windowed = matches!(plan.compare, Compare::Every(_));
        let fits = |stream: &&StreamId| {
            let row = &self.streams[stream].row;
            joins(&row.spec, &spec, phase_matters)
                && (last.is_empty() || goes_on(row, last))
                && !(windowed && row.strands.len() > 1)
        };
        match self.sources[&source].streams.iter().find(fits) {
            Some(&stream) => stream,
            None => {
                if !phase_matters {
                    self.spread(&mut spec, source, self.sentinels[&id].plan.to);
                }
                self.open_stream(source, spec, last)
            }
        }
    }

    /// A new stream. The first elements are `last`; else what the source shows, if that is under
    /// watch already; else the next probe's version.
    fn open_stream(
        &mut self,
        source: SourceId,
        spec: StreamSpec,
        last: &[LastElement],
    ) -> StreamId {
        let id = StreamId(self.meta.next_stream);
        self.meta.next_stream += 1;
        self.dirty.meta = true;
        let on_change = spec == StreamSpec::OnChange;
        let next_ei = match &spec {
            StreamSpec::OnChange => 0,
            StreamSpec::Every { t0, period, slack, zone } => {
                first_open_ei((*t0, *period, *slack), zone, self.now)
            }
        };
        let row = StreamRow {
            id,
            source,
            spec,
            elements: Vec::new(),
            strands: Vec::new(),
            shown: 0,
            next_ei,
        };
        self.graph.stream_opened(id, source, Vec::new());
        let cached = self.shown(source).filter(|_| on_change && last.is_empty());
        self.insert_stream(row);
        let current = self.sources[&source].row.fingerprint;
        let mut is_up_to_date = false;
        for first in last.iter().chain(&cached) {
            is_up_to_date |= first.is_shown && first.strand.fingerprint == current;
            self.add_element(id, (first.version, first.fetched_at), first.strand);
        }
        if let Some(shown) = last.iter().position(|last| last.is_shown) {
            self.streams.get_mut(&id).expect("inserted above").row.shown = shown as u8;
        }
        if on_change && !is_up_to_date {
            self.scheduler.handle(self.now, Event::Asked { source });
        }
        id
    }

    /// What a source under watch shows.
    fn shown(&self, source: SourceId) -> Option<LastElement> {
        let entry = &self.sources[&source];
        let watched = entry.streams.iter().any(|s| self.graph.elements(*s).next().is_some());
        self.last_seen(source).filter(|_| watched)
    }

    /// What a source showed last, whether anybody watches it still or not.
    pub(crate) fn last_seen(&self, source: SourceId) -> Option<LastElement> {
        let entry = &self.sources[&source];
        (entry.row.version > 0).then(|| LastElement {
            version: chronon::VersionNo(entry.row.version),
            fetched_at: entry.row.last_success.map_or(self.now, |at| at.min(self.now)),
            strand: Strand { kind: entry.row.kind, fingerprint: entry.row.fingerprint },
            is_shown: true,
        })
    }

    pub(crate) fn insert_stream(&mut self, row: StreamRow) {
        let id = row.id;
        let source = self.sources.get_mut(&row.source).expect("a stream has a source");
        if source.streams.is_empty() {
            // Most sources have one.
            source.streams.reserve_exact(1);
        }
        source.streams.push(id);
        self.beats.insert(source.host, id, &row.spec);
        let entry = StreamEntry {
            settled: row.next_ei,
            waiting: Default::default(),
            row,
            listeners: Ids::default(),
            ei: None,
            missed: 0,
            missed_why: None,
            passed_over: 0,
        };
        self.streams.insert(id, Box::new(entry));
        self.dirty.streams.insert(id);
    }

    /// Nobody listens any more.
    pub(crate) fn close_stream(&mut self, id: StreamId) {
        let Some(stream) = self.streams.remove(&id) else { return };
        if let Some(open) = stream.ei {
            self.scheduler.handle(self.now, Event::CeiDropped { cei: open.cei });
        }
        self.graph.stream_closed(id);
        self.out.records.push(Record::StreamGone(id));
        self.dirty.streams.remove(&id);
        let source = self.sources.get_mut(&stream.row.source).expect("a stream has a source");
        source.streams.retain(|&other| other != id);
        self.beats.remove(source.host, id);
        self.drop_rounds(stream.row.source, id);
    }

    /// Tells the scheduler of the stream's next EI, unless it knows it. A look brings what all
    /// that were passed over before it would have brought: so where more are due at one moment
    /// than can be made, they take turns.
    pub(crate) fn want_ei(&mut self, id: StreamId) {
        let Some(stream) = self.streams.get(&id) else { return };
        let StreamSpec::Every { t0, period, slack, ref zone } = stream.row.spec else { return };
        if stream.ei.is_some() {
            return;
        }
        let next = period.nth(t0, stream.row.next_ei, zone);
        let is_new = stream.row.next_ei == 0 && self.graph.elements(id).next().is_none();
        // What the first interval brings as well is not urgent before that is.
        let (what, start, until, finish) = if is_new && self.now < next {
            (Wanted::Baseline, self.now, next - Span::from_millis(1), next + slack)
        } else {
            (Wanted::Interval, next, next + slack, next + slack)
        };
        let weight: f64 = stream.listeners.iter().map(|s| self.sentinels[s].plan.weight).sum();
        let utility = weight * (1.0 + f64::from(stream.passed_over));
        self.next_ei += 1;
        let (ei, cei) = (EiId(self.next_ei), CeiId(self.next_ei));
        let source = stream.row.source;
        self.scheduler.handle(self.now, Event::EiAdded { ei, cei, source, start, finish, utility });
        let stream = self.streams.get_mut(&id).expect("looked up above");
        stream.ei = Some(OpenEi { cei, what, start, finish: until });
        // One millisecond past the finish: a probe that starts at the finish is inside.
        self.timers.set(until + Span::from_millis(1), Timer::EiOver(id));
    }

    /// The EI's finish has passed: it is missed, unless the probe in flight may still capture it.
    pub(crate) fn ei_over(&mut self, id: StreamId) {
        let Some(stream) = self.streams.get(&id) else { return };
        let Some(open) = stream.ei.filter(|open| open.finish < self.now) else { return };
        let probing = self.sources[&stream.row.source].probing_since;
        if probing.is_some_and(|start| open.start <= start && start <= open.finish) {
            return;
        }
        if open.what == Wanted::Baseline {
            return self.baseline_over(id);
        }
        let source = &self.sources[&stream.row.source];
        let last_probe = self.scheduler.record(source.row.id).and_then(|record| record.last_probe);
        let tried = last_probe.is_some_and(|start| open.start <= start);
        let doubtful = source.row.held.as_ref().is_some_and(|held| open.start <= held.seen);
        let why = match self.scheduler.hindrance(self.now, source.row.id) {
            _ if doubtful => Missed::Doubtful,
            _ if tried && source.row.failures > 0 => Missed::Failed,
            Some(obstacle) => Missed::Waited(obstacle),
            None => Missed::TooShort,
        };
        self.counters.eis_missed += 1;
        self.counters.eis_passed_over += u64::from(!tried);
        let stream = self.streams.get_mut(&id).expect("looked up above");
        (stream.missed, stream.missed_why) = (stream.missed + 1, Some(why));
        stream.passed_over = if tried { 0 } else { stream.passed_over.saturating_add(1) };
        self.next_interval(id);
    }

    /// The first element is there, or its first interval is to bring it.
    fn baseline_over(&mut self, id: StreamId) {
        let open = self.streams.get_mut(&id).expect("the caller holds it").ei.take();
        if let Some(open) = open {
            self.scheduler.handle(self.now, Event::CeiDropped { cei: open.cei });
        }
        self.want_ei(id);
    }

    /// The stream's EI is done with; on to the first that is not over. Those between passed while
    /// the look that decided this one was on its way.
    fn next_interval(&mut self, id: StreamId) {
        let now = self.now;
        let stream = self.streams.get_mut(&id).expect("the caller holds it");
        let StreamSpec::Every { t0, period, slack, ref zone } = stream.row.spec else { return };
        let open = first_open_ei((t0, period, slack), zone, now);
        let next = stream.row.next_ei + 1;
        let skipped = open.saturating_sub(next);
        if skipped > 0 {
            self.counters.eis_missed += skipped;
            stream.missed += skipped;
            stream.missed_why = Some(Missed::Waited(Obstacle::InFlight));
        }
        stream.row.next_ei = next + skipped;
        stream.ei = None;
        self.dirty.streams.insert(id);
        self.settle_windows(id);
        self.want_ei(id);
    }

    /// A probe of `source` that started at `start` succeeded, and `source.version` is current:
    /// the streams it concerns get their element. If it is the second look that shows a new kind,
    /// `began` is what the first look showed: every version is an element where all of them are.
    pub(crate) fn advance_streams(
        &mut self,
        source: SourceId,
        start: Instant,
        began: Option<LastElement>,
    ) {
        let streams = self.sources[&source].streams.clone();
        let current = VersionNo(self.sources[&source].row.version);
        if let Some(began) = began.filter(|began| began.version != current) {
            self.enter_first(&streams, (start, began));
        }
        for id in streams {
            let stream = &self.streams[&id];
            match (&stream.row.spec, stream.ei) {
                (StreamSpec::OnChange, _) => self.enter_current(id, start),
                (StreamSpec::Every { .. }, Some(open)) if open.holds(start) => {
                    self.enter_current(id, start);
                    self.captured(id, open.what);
                }
                _ => {}
            }
        }
    }

    /// What the first of two looks showed, before any stream gets the second's: a source's rounds
    /// open in the order of its versions.
    fn enter_first(&mut self, streams: &[StreamId], (start, began): (Instant, LastElement)) {
        for &id in streams {
            let row = &self.streams[&id].row;
            if row.spec == StreamSpec::OnChange && !row.strands.is_empty() {
                self.enter(id, (began.version, start), began.strand);
            }
        }
    }

    fn captured(&mut self, id: StreamId, what: Wanted) {
        if what == Wanted::Baseline {
            return self.baseline_over(id);
        }
        self.counters.eis_captured += 1;
        self.streams.get_mut(&id).expect("the caller holds it").passed_over = 0;
        self.next_interval(id);
    }

    /// The EIs that waited for a probe in flight which failed.
    pub(crate) fn settle_streams(&mut self, source: SourceId) {
        for id in self.sources[&source].streams.clone() {
            self.ei_over(id);
        }
    }

    fn enter_current(&mut self, id: StreamId, start: Instant) {
        let source = &self.sources[&self.streams[&id].row.source].row;
        let strand = Strand { kind: source.kind, fingerprint: source.fingerprint };
        self.enter(id, (VersionNo(source.version), start), strand);
    }

    /// A version enters the stream, unless its fingerprint equals that of the last element of its
    /// kind.
    fn enter(&mut self, id: StreamId, version: (VersionNo, Instant), strand: Strand) {
        let row = &mut self.streams.get_mut(&id).expect("the caller holds it").row;
        if let Some(at) = row.strands.iter().position(|known| *known == strand) {
            let is_back = row.shown != at as u8;
            row.shown = at as u8;
            if is_back {
                self.dirty.streams.insert(id);
            }
            return;
        }
        let element = self.add_element(id, version, strand);
        self.dirty.streams.insert(id);
        let source = self.streams[&id].row.source;
        self.open_round(source, graph::RoundId { stream: id, index: element.index });
    }

    /// The next element of its kind, or the first of a new one; nobody is told yet.
    fn add_element(
        &mut self,
        id: StreamId,
        version: (VersionNo, Instant),
        strand: Strand,
    ) -> Element {
        let row = &mut self.streams.get_mut(&id).expect("the caller holds it").row;
        let shown = row.shown;
        let known = row.strands.iter().position(|known| known.kind == strand.kind);
        let at = known.unwrap_or(row.strands.len());
        match known {
            Some(at) => row.strands[at] = strand,
            None => {
                // Most pages are of one kind for ever.
                row.strands.reserve_exact(1);
                row.strands.push(strand);
            }
        }
        row.shown = at as u8;
        let history = at as u8;
        let entry = if known.is_some() || at == 0 {
            Entry::Next { history }
        } else {
            Entry::Begins { history, shown }
        };
        self.graph.element(id, version, entry)
    }

    /// A look that started at `start` showed once more that `odd` is what the source has become:
    /// the streams that it concerns tell it, each once, and compare nothing with it.
    pub(crate) fn tell_odd(&mut self, source: SourceId, start: Instant, odd: VersionNo) {
        for id in self.sources[&source].streams.clone() {
            let stream = &self.streams[&id];
            let (row, shown) = (&stream.row, stream.row.shown);
            let is_looked_at =
                row.spec == StreamSpec::OnChange || stream.ei.is_some_and(|ei| ei.holds(start));
            let is_told = self.graph.elements(id).any(|element| element.version == odd);
            if row.strands.is_empty() || !is_looked_at || is_told {
                continue;
            }
            let element = self.graph.element(id, (odd, start), Entry::Aside { shown });
            self.dirty.streams.insert(id);
            self.open_round(source, graph::RoundId { stream: id, index: element.index });
        }
    }
}

/// Whether a stream stands where `last` ends: the same kinds, each with the same content.
fn goes_on(row: &StreamRow, last: &[LastElement]) -> bool {
    let shows = |last: &LastElement| {
        let at = row.strands.iter().position(|strand| *strand == last.strand);
        at.is_some_and(|at| (at == usize::from(row.shown)) == last.is_shown)
    };
    row.strands.len() == last.len() && last.iter().all(shows)
}

/// Whether a sentinel that asks for `asked` joins a stream of `spec`: the same period and slack,
/// and the same t0 where it wrote a clock.
fn joins(spec: &StreamSpec, asked: &StreamSpec, phase_matters: bool) -> bool {
    match (spec, asked) {
        (StreamSpec::OnChange, StreamSpec::OnChange) => true,
        (
            StreamSpec::Every { t0, period, slack, zone },
            StreamSpec::Every { t0: t1, period: p1, slack: s1, zone: z1 },
        ) => period == p1 && slack == s1 && zone == z1 && (!phase_matters || t0 == t1),
        _ => false,
    }
}

/// The first k whose EI [t0 + kD, t0 + kD + S] is not over at `now`.
pub(crate) fn first_open_ei(
    (t0, period, slack): (Instant, chronon::Period, Span),
    zone: &chronon::Zone,
    now: Instant,
) -> u64 {
    let k = period.index_at(t0, now, zone);
    if period.nth(t0, k, zone) + slack >= now { k } else { k + 1 }
}
