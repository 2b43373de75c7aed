//! Captures: looks at several sources that count together, or not at all.
//!
//! The intervals of all sources are one CEI for the scheduler: one worth, captured whole or void.
//! With a clock, capture k is made of each source's EI k. Without one, a change that is found in a
//! source asks for a look at each other one soon. A change that a person's look finds between two
//! intervals does so, too. A complete capture in which any source shows another version than in the
//! last complete one is the stream's next element.

use super::intervals::Wanted;
use super::streams::{Ask, CountedLook, StreamEntry, Together};
use super::{Out, Timer, Watch};
use crate::record::{CapturesRow, OpenCapture, Strand, StreamRow, StreamSpec};
use crate::view::Missed;
use chronon::{Instant, SourceId, Span, StreamId, VersionNo};
use schedule::{CeiId, EiId, Event};

/// Captures that may wait at once, each for a change of its own: with more, the last ones are one.
const OPEN_MAX: usize = 8;

/// What a stream of captures has that others have not.
pub(super) struct Captures {
    /// The first is the stream's.
    pub(super) sources: Vec<SourceId>,
    within: Span,
    /// What each showed at the last complete capture.
    last: Option<Box<[Shown]>>,
    /// What each showed when it was looked at last.
    seen: Vec<VersionNo>,
    open: Vec<Open>,
    /// Since the start of this process.
    pub(super) complete: u64,
    pub(super) void: u64,
}

/// What a source shows.
#[derive(Debug, Clone, Copy)]
struct Shown {
    version: VersionNo,
    /// Not known of what a store holds of an earlier release.
    strand: Option<Strand>,
}

impl Shown {
    /// The same content, whatever version it was found as.
    fn equals(&self, other: &Shown) -> bool {
        let alike = self.strand.is_some() && self.strand == other.strand;
        self.version == other.version || alike
    }
}

/// A CEI that is not complete.
#[derive(Debug, Clone)]
struct Open {
    /// As the scheduler knows it.
    cei: Option<CeiId>,
    what: Wanted,
    start: Instant,
    finish: Instant,
    captured: Vec<bool>,
}

impl Open {
    fn new(what: Wanted, start: Instant, finish: Instant, sources: usize) -> Open {
        Open { cei: None, what, start, finish, captured: vec![false; sources] }
    }

    fn holds(&self, start: Instant) -> bool {
        self.start <= start && start <= self.finish
    }

    fn is_complete(&self) -> bool {
        self.captured.iter().all(|captured| *captured)
    }
}

/// What captures of some sources have come to, for another text to go on from.
#[derive(Debug, Clone)]
pub(crate) struct SoFar {
    sources: Vec<SourceId>,
    last: Box<[Shown]>,
    /// Those that changes opened.
    open: Vec<Open>,
}

/// A capture that is not complete.
pub(crate) struct Incomplete {
    pub(crate) stream: StreamId,
    pub(crate) start: Instant,
    pub(crate) finish: Instant,
    pub(crate) made: Vec<SourceId>,
    pub(crate) waits_for: Vec<SourceId>,
}

impl Captures {
    /// Those that wait for looks in an interval, or will.
    pub(super) fn incomplete(&self, stream: StreamId) -> impl Iterator<Item = Incomplete> {
        let open = self.open.iter().filter(|open| open.what == Wanted::Interval);
        open.map(move |open| {
            let of = |is_captured: bool| {
                let all = self.sources.iter().zip(&open.captured);
                let some = all.filter(move |(_, captured)| **captured == is_captured);
                some.map(|(&source, _)| source).collect()
            };
            let (start, finish) = (open.start, open.finish);
            Incomplete { stream, start, finish, made: of(true), waits_for: of(false) }
        })
    }
}

impl SoFar {
    /// It is of these sources, in whatever order.
    pub(crate) fn is_of(&self, sources: impl Iterator<Item = SourceId>) -> bool {
        let (mut own, mut others) = (self.sources.clone(), sources.collect::<Vec<_>>());
        own.sort_unstable();
        others.sort_unstable();
        own == others
    }

    /// The same with its sources in this order, if it is of these.
    fn ordered(self, sources: &[SourceId]) -> Option<SoFar> {
        let place = |source| self.sources.iter().position(|own| own == source);
        let order: Vec<usize> = sources.iter().map(place).collect::<Option<_>>()?;
        let (last, mut open) = (&self.last, self.open.clone());
        for one in &mut open {
            one.captured = order.iter().map(|&at| one.captured[at]).collect();
        }
        let last = order.iter().map(|&at| last[at]).collect();
        Some(SoFar { sources: sources.to_vec(), last, open })
    }
}

/// A capture that is complete, and differs from the one before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Captured {
    pub(crate) stream: StreamId,
    pub(crate) source: SourceId,
    /// When the probe started that completed it.
    pub(crate) fetched_at: Instant,
    /// What each source shows.
    pub(crate) versions: Box<[VersionNo]>,
}

impl Captures {
    pub(super) fn new(sources: Vec<SourceId>, within: Span) -> Captures {
        let seen = vec![VersionNo(0); sources.len()];
        Captures { sources, within, last: None, seen, open: Vec::new(), complete: 0, void: 0 }
    }

    /// Those that were over while nobody ran are void.
    pub(super) fn load(stream: &StreamRow, row: &CapturesRow, now: Instant) -> Captures {
        let mut captures = Captures::new(row.sources.clone(), row.within);
        let elements = stream.elements.iter().zip(&row.versions).rev();
        let mut captures_of = elements.filter(|(element, _)| element.place.in_history().is_some());
        let last = captures_of.next().map(|(_, versions)| &**versions);
        let whole = last.filter(|versions| versions.len() == row.sources.len());
        captures.last = whole.map(|versions| {
            let strand = |at: usize| stream.strands.get(at).copied();
            let shown = |(at, &version)| Shown { version, strand: strand(at) };
            versions.iter().enumerate().map(shown).collect()
        });
        let fits =
            |open: &&OpenCapture| now <= open.finish && open.captured.len() == row.sources.len();
        let interval = match &stream.spec {
            StreamSpec::Every { t0, period, zone, .. } => {
                Some(period.nth(*t0, stream.next_ei, zone))
            }
            StreamSpec::OnChange => None,
        };
        let open = row.open.iter().filter(fits).map(|open| Open {
            cei: None,
            what: match interval {
                _ if open.is_baseline => Wanted::Baseline,
                Some(interval) if open.start != interval => Wanted::Asked,
                _ => Wanted::Interval,
            },
            start: open.start,
            finish: open.finish,
            captured: open.captured.clone(),
        });
        captures.open = open.collect();
        captures.void = (row.open.len() - captures.open.len()) as u64;
        captures
    }

    /// The row but for the versions of elements, which are not this owner's. What no look has come
    /// to of an interval is not kept: it follows from the clock.
    pub(super) fn row(&self, spec: &StreamSpec) -> CapturesRow {
        let is_kept = |open: &&Open| {
            *spec == StreamSpec::OnChange || open.captured.iter().any(|captured| *captured)
        };
        let row = |open: &Open| OpenCapture {
            is_baseline: open.what == Wanted::Baseline,
            start: open.start,
            finish: open.finish,
            captured: open.captured.clone(),
        };
        CapturesRow {
            sources: self.sources.clone(),
            within: self.within,
            versions: Vec::new(),
            open: self.open.iter().filter(is_kept).map(row).collect(),
        }
    }

    /// What each source showed at the last complete capture, for the row of the stream; nothing if
    /// that is not known of all.
    pub(super) fn strands(&self) -> Vec<Strand> {
        let all = self.last.iter().flatten().map(|shown| shown.strand);
        all.collect::<Option<_>>().unwrap_or_default()
    }

    /// It has a complete capture.
    pub(super) fn has_begun(&self) -> bool {
        self.last.is_some()
    }
}

impl Watch {
    /// A new stream of captures, which goes on from others of the same sources, if there were any.
    /// Else, where all sources are under watch already, what they show is the first capture of one
    /// without a clock, and otherwise the next look at each is asked for.
    pub(super) fn open_captures(&mut self, ask: &Ask, together: Together) -> StreamId {
        let Together { others, within, so_far } = together;
        let sources: Vec<SourceId> = std::iter::once(ask.source).chain(others).collect();
        let row = &mut self.entry(ask.source).row;
        let id = StreamId::of(ask.source, row.next_stream);
        row.next_stream += 1;
        self.touched.sources.insert(ask.source);
        let shown = |source: &SourceId| self.shown(*source).is_some();
        let known: Vec<bool> = sources.iter().map(shown).collect();
        let next_ei = super::intervals::first_open_ei(&ask.spec, self.now).unwrap_or(0);
        let mut captures = Captures::new(sources.clone(), within);
        captures.seen = sources.iter().map(|source| self.version_of(*source)).collect();
        let so_far = so_far.and_then(|so_far| so_far.ordered(&sources));
        let goes_on = so_far.is_some();
        if let Some(so_far) = so_far {
            captures.last = Some(so_far.last);
            if ask.spec == StreamSpec::OnChange {
                captures.open = so_far.open;
            }
        } else if ask.spec == StreamSpec::OnChange {
            let baseline = Open {
                captured: known,
                ..Open::new(Wanted::Baseline, self.now, Instant::NEVER, sources.len())
            };
            captures.open.push(baseline);
        }
        let mut entry = StreamEntry::new(ask.source, ask.spec.clone(), next_ei);
        entry.captures = Some(Box::new(captures));
        self.out.push_back(Out::CapturesOpened { stream: id, sources });
        self.insert_stream(id, entry);
        if goes_on {
            self.enter_capture(id, self.now);
        }
        self.complete_captures(id, self.now);
        id
    }

    /// What a stream of captures has come to, if it has a complete one.
    pub(crate) fn captures_so_far(&self, stream: StreamId) -> Option<SoFar> {
        let entry = self.streams.get(&stream)?;
        let captures = entry.captures.as_ref()?;
        let last = captures.last.clone()?;
        let on_change = entry.spec == StreamSpec::OnChange;
        let open = captures.open.iter().filter(|_| on_change);
        let open = open.map(|open| Open { cei: None, ..open.clone() }).collect();
        Some(SoFar { sources: captures.sources.clone(), last, open })
    }

    /// What a source shows now.
    fn shows(&self, source: SourceId) -> Shown {
        let row = &self.sources[&source].row;
        let strand = Strand { kind: row.kind, fingerprint: row.fingerprint };
        Shown { version: VersionNo(row.version), strand: Some(strand) }
    }

    /// The current version of a source.
    fn version_of(&self, source: SourceId) -> VersionNo {
        VersionNo(self.sources.get(&source).map_or(0, |entry| entry.row.version))
    }

    /// After a load: what the sources show now has been seen.
    pub(super) fn recall_seen(&mut self, id: StreamId) {
        let Some(captures) = self.streams.get(&id).and_then(|stream| stream.captures.as_ref())
        else {
            return;
        };
        let seen = captures.sources.iter().map(|source| self.version_of(*source)).collect();
        if let Some(captures) = self.captures_mut(id) {
            captures.seen = seen;
        }
    }

    fn captures_mut(&mut self, id: StreamId) -> Option<&mut Captures> {
        self.streams.get_mut(&id)?.captures.as_deref_mut()
    }

    /// Tells the scheduler of what is open, and of a stream with a clock its next capture.
    pub(super) fn want_captures(&mut self, id: StreamId) {
        let now = self.now;
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let utility = stream.utility();
        let Some(captures) = &mut stream.captures else { return };
        let has_next = captures.open.iter().any(|open| open.what != Wanted::Asked);
        if let StreamSpec::Every { t0, period, slack, ref zone } = stream.spec
            && !has_next
        {
            let next = period.nth(t0, stream.next_ei, zone);
            let is_new = stream.next_ei == 0 && !captures.has_begun();
            let (what, start, finish) = if is_new && now < next {
                (Wanted::Baseline, now, next - Span::from_millis(1))
            } else {
                (Wanted::Interval, next, next + slack)
            };
            captures.open.push(Open::new(what, start, finish, captures.sources.len()));
        }
        let mut told = Vec::new();
        let waiting = captures.open.iter_mut().filter(|open| open.cei.is_none());
        for open in waiting {
            let missing = captures.sources.iter().zip(&open.captured).filter(|(_, done)| !**done);
            let missing: Vec<SourceId> = missing.map(|(source, _)| *source).collect();
            // One that waits as long as it must has no EI: its looks are asked for.
            let is_timed = open.finish < Instant::NEVER;
            told.push((is_timed, open.start, open.finish, missing));
        }
        for (is_timed, start, finish, missing) in told {
            let cei = self.tell_captures((is_timed, start, finish), &missing, utility);
            let opened = self
                .captures_mut(id)
                .and_then(|captures| captures.open.iter_mut().find(|open| open.cei.is_none()));
            if let Some(open) = opened {
                open.cei = Some(cei);
            }
            self.timers.set(finish + Span::from_millis(1), Timer::EiOver(id));
        }
    }

    fn tell_captures(
        &mut self,
        (is_timed, start, finish): (bool, Instant, Instant),
        missing: &[SourceId],
        utility: f64,
    ) -> CeiId {
        let mut cei = None;
        for &source in missing {
            let entry = self.entry(source);
            entry.eis = entry.eis.wrapping_add(1);
            let number = (u64::from(source.0) << 32) | u64::from(entry.eis);
            let cei = *cei.get_or_insert(CeiId(number));
            let ei = EiId(number);
            let event = if is_timed {
                Event::EiAdded { ei, cei, source, start, finish, utility }
            } else {
                Event::Asked { source }
            };
            self.scheduler.handle(self.now, event);
        }
        // Nothing is missing of what completes in this step.
        cei.unwrap_or(CeiId(0))
    }

    /// A look counts. Whether it found a change that a capture is to compare.
    pub(super) fn look_for_captures(&mut self, id: StreamId, look: CountedLook) -> bool {
        let CountedLook { source, start, for_person, .. } = look;
        let version = self.version_of(source);
        let is_asked = for_person && self.differs_for_person(id, source);
        let Some(stream) = self.streams.get_mut(&id) else { return false };
        let on_change = stream.spec == StreamSpec::OnChange;
        let Some(captures) = &mut stream.captures else { return false };
        let at = captures.sources.iter().position(|&other| other == source);
        let Some(at) = at else { return false };
        let is_change = captures.has_begun();
        let is_new = std::mem::replace(&mut captures.seen[at], version) != version;
        let mut is_awaited = false;
        for open in &mut captures.open {
            if open.holds(start) && !open.captured[at] {
                open.captured[at] = true;
                is_awaited = true;
            }
        }
        let mut replaced = None;
        let (what, within) = match &stream.spec {
            StreamSpec::OnChange => (Wanted::Interval, captures.within),
            StreamSpec::Every { slack, .. } => (Wanted::Asked, *slack),
        };
        let opens = (on_change && is_new || is_asked) && !is_awaited && captures.has_begun();
        if opens {
            let sources = captures.sources.len();
            let last = captures.open.iter().rposition(|open| open.what == what);
            if let Some(last) = last.filter(|_| captures.open.len() >= OPEN_MAX) {
                // What the last one waits for, this one does.
                replaced = captures.open.remove(last).cei;
            }
            let mut open = Open::new(what, start, start + within, sources);
            open.captured[at] = true;
            captures.open.push(open);
        }
        if let Some(cei) = replaced {
            self.scheduler.handle(self.now, Event::CeiDropped { cei });
        }
        if is_awaited || opens {
            self.touched.streams.insert(id);
        }
        self.complete_captures(id, start);
        if opens {
            self.want_captures(id);
        }
        is_change && is_new && (is_awaited || opens)
    }

    /// Whether what a person asked to look at is to be compared with the other sources of a
    /// capture: it shows something new, or the person asked for another of them, too.
    fn differs_for_person(&self, id: StreamId, source: SourceId) -> bool {
        let captures = self.streams.get(&id).and_then(|stream| stream.captures.as_ref());
        let Some(captures) = captures else { return false };
        let mut all = captures.sources.iter().zip(captures.last.iter().flatten());
        all.any(|(&other, last)| {
            let is_new = other == source && !self.shows(source).equals(last);
            is_new || (other != source && self.sources[&other].is_asked())
        })
    }

    /// Captures all of whose sources are captured are done with, in the order in which they began.
    fn complete_captures(&mut self, id: StreamId, start: Instant) {
        while let Some(captures) = self.captures_mut(id) {
            let Some(at) = captures.open.iter().position(Open::is_complete) else { return };
            let open = captures.open.remove(at);
            self.capture_completed(id, start);
            let stream = self.streams.get_mut(&id).expect("it was there");
            let Some(captures) = &mut stream.captures else { return };
            match (open.what, &stream.spec) {
                (Wanted::Interval, StreamSpec::Every { .. }) => {
                    captures.complete += 1;
                    stream.count_captured();
                    self.counts.captures_complete += 1;
                    self.counts.eis_captured += 1;
                    self.next_interval(id);
                }
                (Wanted::Interval, StreamSpec::OnChange) => {
                    captures.complete += 1;
                    self.counts.captures_complete += 1;
                }
                (Wanted::Baseline, StreamSpec::Every { .. }) => {
                    if let Some(cei) = open.cei {
                        self.scheduler.handle(self.now, Event::CeiDropped { cei });
                    }
                    self.want_captures(id);
                }
                (Wanted::Asked, _) | (Wanted::Baseline, StreamSpec::OnChange) => {}
            }
        }
    }

    /// All sources are captured: what they show is an element, unless it is what they showed the
    /// last time. A source that shows that again has not changed, whatever it showed meanwhile.
    fn capture_completed(&mut self, id: StreamId, start: Instant) {
        let Some(captures) = self.streams.get(&id).and_then(|stream| stream.captures.as_ref())
        else {
            return;
        };
        let mut shown: Box<[Shown]> =
            captures.sources.iter().map(|source| self.shows(*source)).collect();
        let is_first = captures.last.is_none();
        let mut differs = is_first;
        for (now, before) in shown.iter_mut().zip(captures.last.iter().flatten()) {
            if now.equals(before) {
                *now = *before;
            } else {
                differs = true;
            }
        }
        self.touched.streams.insert(id);
        if !differs {
            return;
        }
        if let Some(captures) = self.captures_mut(id) {
            captures.last = Some(shown);
        }
        self.enter_capture(id, start);
    }

    /// The last complete capture is the stream's next element.
    fn enter_capture(&mut self, id: StreamId, start: Instant) {
        let Some(stream) = self.streams.get(&id) else { return };
        let source = stream.source;
        let Some(captures) = &stream.captures else { return };
        let versions = captures.last.iter().flatten().map(|shown| shown.version).collect();
        let captured = Captured { stream: id, source, fetched_at: start, versions };
        self.out.push_back(Out::Captured(captured));
    }

    /// A capture whose finish has passed is void, unless a probe in flight may still complete it.
    pub(super) fn captures_over(&mut self, id: StreamId) {
        while let Some((at, source)) = self.void_capture(id) {
            let Some(captures) = self.captures_mut(id) else { return };
            let open = captures.open.remove(at);
            if let Some(cei) = open.cei {
                self.scheduler.handle(self.now, Event::CeiDropped { cei });
            }
            self.touched.streams.insert(id);
            if open.what == Wanted::Baseline {
                // The first interval is to bring the first element.
                self.want_captures(id);
                continue;
            }
            if open.what == Wanted::Asked {
                // The next interval brings what it found.
                continue;
            }
            self.counts.captures_void += 1;
            let (why, tried) = self.why_missed(source, open.start);
            self.note_void(id, why);
            if self.streams.get(&id).is_some_and(|stream| stream.spec != StreamSpec::OnChange) {
                self.count_missed(id, why, tried);
                self.next_interval(id);
            }
        }
    }

    fn note_void(&mut self, id: StreamId, why: Missed) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.misses_mut().why = Some(why);
        if let Some(captures) = &mut stream.captures {
            captures.void += 1;
        }
    }

    /// The first capture that is over, and the source that it lacks.
    fn void_capture(&self, id: StreamId) -> Option<(usize, SourceId)> {
        let captures = self.streams.get(&id)?.captures.as_ref()?;
        let is_over = |open: &Open| {
            let mut missing =
                captures.sources.iter().zip(&open.captured).filter(|(_, done)| !**done);
            let is_coming = |(source, _): (&SourceId, &bool)| {
                let since = self.sources[source].probing_since;
                since.is_some_and(|start| open.holds(start))
            };
            open.finish < self.now && !missing.any(is_coming)
        };
        let at = captures.open.iter().position(is_over)?;
        let missing = captures.open[at].captured.iter().position(|done| !done)?;
        Some((at, captures.sources[missing]))
    }

    /// What the scheduler knows of the stream's captures is not so any more.
    pub(super) fn renew_captures(&mut self, id: StreamId) {
        let Some(captures) = self.captures_mut(id) else { return };
        let known: Vec<CeiId> =
            captures.open.iter_mut().filter_map(|open| open.cei.take()).collect();
        for cei in known {
            self.scheduler.handle(self.now, Event::CeiDropped { cei });
        }
        self.want_captures(id);
    }

    /// The stream is gone.
    pub(super) fn drop_captures(&mut self, captures: &Captures) {
        for cei in captures.open.iter().filter_map(|open| open.cei) {
            self.scheduler.handle(self.now, Event::CeiDropped { cei });
        }
    }
}
