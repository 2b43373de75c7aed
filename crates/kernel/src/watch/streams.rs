//! Streams: which versions the sentinels of a source compare.

use super::captures::{Captures, SoFar};
use super::intervals::{OpenEi, first_open_ei};
use super::probes::Probed;
use super::{Out, Watch};
use crate::record::{Record, Strand, StreamRow, StreamSpec};
use crate::view::Missed;
use chronon::{Instant, SourceId, Span, StreamId, VersionNo};
use graph::{Element, Entry};
use schedule::Event;
use std::collections::BTreeSet;

/// A stream: its row without the elements, which are not this owner's, and who listens.
pub(super) struct StreamEntry {
    pub(super) source: SourceId,
    pub(super) spec: StreamSpec,
    /// The next EI's number, for `Every`.
    pub(super) next_ei: u64,
    /// The last element of each kind of content that it showed, in the order in which the kinds
    /// came.
    pub(super) strands: Vec<Last>,
    /// The position of the kind that it shows.
    pub(super) shown: u8,
    /// How many listen, and what their looks are worth together, in millionths.
    pub(super) listeners: u32,
    pub(super) weight: u64,
    /// The EI the scheduler was told of, if the stream has any. Boxed, as what follows is: streams
    /// without intervals are most.
    pub(super) ei: Option<Box<OpenEi>>,
    /// What went wrong with its EIs; nothing while nothing did.
    pub(super) misses: Option<Box<Misses>>,
    /// EIs that are decided, the rounds they led to included.
    pub(super) settled: u64,
    /// Elements are captures of several sources; then it has no strands, and no EI of its own.
    pub(super) captures: Option<Box<Captures>>,
}

/// EIs of a stream that brought nothing, of this process.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Misses {
    /// How many, and what stood in the way of the last one.
    pub(super) missed: u64,
    pub(super) why: Option<Missed>,
    /// How many in a row passed without a try: the next is worth that much more.
    pub(super) passed_over: u32,
    /// The look for a baseline had not come when the first interval began.
    pub(super) baseline: bool,
}

/// The last element of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Last {
    pub(super) version: VersionNo,
    pub(super) fetched_at: Instant,
    pub(super) strand: Strand,
}

/// A look that showed what counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CountedLook {
    pub(super) source: SourceId,
    pub(super) start: Instant,
    /// What the first look at a new kind showed, if this is the second.
    pub(super) began: Option<Last>,
    /// It is the first since a person asked for one.
    pub(super) for_person: bool,
}

/// A version that the next one of its kind is to be compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LastElement {
    pub(super) last: Last,
    pub(super) is_shown: bool,
}

/// A sentinel asks for a place in a stream of a source.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) source: SourceId,
    /// Which versions it compares; `t0` is where it begins.
    pub(crate) spec: StreamSpec,
    /// A person said at what time of day `t0` is: nobody moves it.
    pub(crate) has_clock: bool,
    /// It compares windows that count elements.
    pub(crate) is_windowed: bool,
    pub(crate) to: Option<Instant>,
    /// What a look is worth to it, in millionths.
    pub(crate) weight: u64,
    /// What it goes on from; if empty, from what comes.
    pub(crate) last: Vec<LastElement>,
    /// It asks for captures of its source with others.
    pub(crate) together: Option<Together>,
}

/// Sources that are captured with the first, and how long they have after a change in one.
#[derive(Debug, Clone)]
pub(crate) struct Together {
    pub(crate) others: Box<[SourceId]>,
    pub(crate) within: Span,
    /// What captures of the same sources have come to, to go on from.
    pub(crate) so_far: Option<Box<SoFar>>,
}

impl Ask {
    /// The sources that are looked at for it.
    pub(super) fn sources(&self) -> impl Iterator<Item = SourceId> {
        let others = self.together.iter().flat_map(|together| together.others.iter().copied());
        std::iter::once(self.source).chain(others)
    }
}

impl StreamEntry {
    /// It has brought something, or captures do.
    pub(super) fn has_begun(&self) -> bool {
        !self.strands.is_empty()
            || self.captures.as_ref().is_some_and(|captures| captures.has_begun())
    }

    /// The sources that are looked at for it.
    pub(super) fn sources(&self) -> Vec<SourceId> {
        self.captures.as_ref().map_or(vec![self.source], |captures| captures.sources.clone())
    }

    pub(super) fn new(source: SourceId, spec: StreamSpec, next_ei: u64) -> StreamEntry {
        StreamEntry {
            source,
            spec,
            next_ei,
            strands: Vec::new(),
            shown: 0,
            listeners: 0,
            weight: 0,
            ei: None,
            misses: None,
            settled: next_ei,
            captures: None,
        }
    }

    /// What went wrong with its EIs, to add to it.
    pub(super) fn misses_mut(&mut self) -> &mut Misses {
        self.misses.get_or_insert_default()
    }

    /// What a look of its next EI is worth: more, the more passed without a try, and twice as much
    /// while nothing is known of the page. On a crowded host first looks come before second ones.
    pub(super) fn utility(&self) -> f64 {
        let passed_over = self.misses.as_ref().map_or(0, |misses| misses.passed_over);
        let is_first = self.strands.is_empty() && self.captures.is_none();
        self.weight as f64 / 1e6 * (1.0 + f64::from(passed_over) + f64::from(u8::from(is_first)))
    }

    /// One of its EIs is captured.
    pub(super) fn count_captured(&mut self) {
        if let Some(misses) = &mut self.misses {
            misses.passed_over = 0;
        }
    }

    /// As stored: a history's last element is the last of its kind.
    pub(super) fn load(row: &StreamRow, now: Instant) -> StreamEntry {
        let mut entry = StreamEntry::new(row.source, row.spec.clone(), row.next_ei);
        let captures = row.captures.as_ref();
        if let Some(captures) = captures {
            entry.captures = Some(Box::new(Captures::load(row, captures, now)));
            return entry;
        }
        let last = |(at, &strand): (usize, &Strand)| {
            let of = |element: &&Element| {
                element.place.in_history().is_some_and(|(history, _)| usize::from(history) == at)
            };
            let element = row.elements.iter().rfind(of);
            Last {
                version: element.map_or(VersionNo(0), |element| element.version),
                fetched_at: element.map_or(Instant::EPOCH, |element| element.fetched_at),
                strand,
            }
        };
        entry.strands = row.strands.iter().enumerate().map(last).collect();
        entry.shown = row.shown;
        entry
    }

    /// The row but for the elements.
    pub(super) fn row(&self, id: StreamId) -> StreamRow {
        StreamRow {
            id,
            source: self.source,
            spec: self.spec.clone(),
            elements: Vec::new(),
            strands: match &self.captures {
                Some(captures) => captures.strands(),
                None => self.strands.iter().map(|last| last.strand).collect(),
            },
            shown: self.shown,
            next_ei: self.next_ei,
            captures: self.captures.as_ref().map(|captures| Box::new(captures.row(&self.spec))),
        }
    }

    /// The last element of each kind, in the order of versions.
    fn last_elements(&self) -> Vec<LastElement> {
        let last = |(at, &last)| LastElement { last, is_shown: at == usize::from(self.shown) };
        let mut all: Vec<LastElement> = self.strands.iter().enumerate().map(last).collect();
        // A damaged store may lack the element.
        all.retain(|one| one.last.version.0 > 0);
        all.sort_by_key(|one| one.last.version);
        all
    }

    /// Takes an element as the last of its kind; says how it enters the histories.
    fn take(&mut self, element: Last) -> Entry {
        let shown = self.shown;
        let known = self.strands.iter().position(|last| last.strand.kind == element.strand.kind);
        let at = known.unwrap_or(self.strands.len());
        match known {
            Some(at) => self.strands[at] = element,
            None => {
                // Most pages are of one kind for ever.
                self.strands.reserve_exact(1);
                self.strands.push(element);
            }
        }
        self.shown = at as u8;
        let history = self.shown;
        if known.is_some() || at == 0 {
            Entry::Next { history }
        } else {
            Entry::Begins { history, shown }
        }
    }
}

impl Watch {
    /// A sentinel takes its place in the stream that exists already, if it compares the same
    /// versions (and goes on from `last`), else in a new one. Windows of `every n` start with an
    /// element of the only kind that a stream showed: else in a stream of their own.
    pub(super) fn place(&mut self, mut ask: Ask) -> StreamId {
        if let Some(together) = ask.together.clone() {
            if !ask.has_clock {
                self.spread(&mut ask);
            }
            let id = self.open_captures(&ask, together);
            self.seat(id, ask.weight);
            return id;
        }
        let fits = |stream: &&StreamId| {
            let stream = &self.streams[stream];
            stream.captures.is_none()
                && joins(&stream.spec, &ask.spec, ask.has_clock)
                && (ask.last.is_empty() || goes_on(stream, &ask.last))
                && !(ask.is_windowed && stream.strands.len() > 1)
        };
        let found = self.sources[&ask.source].streams.iter().find(fits).copied();
        let id = found.unwrap_or_else(|| {
            if !ask.has_clock {
                self.spread(&mut ask);
            }
            self.open_stream(&ask)
        });
        self.seat(id, ask.weight);
        id
    }

    /// Somebody more listens, to whom a look is worth `weight`.
    pub(super) fn seat(&mut self, id: StreamId, weight: u64) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.listeners += 1;
        stream.weight += weight;
        self.want_ei(id);
    }

    /// Somebody listens no more; the stream stays open.
    pub(super) fn unseat(&mut self, id: StreamId, weight: u64) {
        if let Some(stream) = self.streams.get_mut(&id) {
            stream.listeners -= 1;
            stream.weight -= weight;
        }
    }

    /// A new stream. The first elements are `last`; else what the source shows, if that is under
    /// watch already; else the next probe's version.
    fn open_stream(&mut self, ask: &Ask) -> StreamId {
        let (source, last) = (ask.source, &ask.last);
        let row = &mut self.entry(source).row;
        let id = StreamId::of(source, row.next_stream);
        row.next_stream += 1;
        self.touched.sources.insert(source);
        let on_change = ask.spec == StreamSpec::OnChange;
        let next_ei = first_open_ei(&ask.spec, self.now).unwrap_or(0);
        self.out.push_back(Out::Opened { stream: id, source });
        let cached = self.shown(source).filter(|_| on_change && last.is_empty());
        self.insert_stream(id, StreamEntry::new(source, ask.spec.clone(), next_ei));
        let current = self.sources[&source].row.fingerprint;
        let mut is_up_to_date = false;
        for first in last.iter().chain(&cached) {
            is_up_to_date |= first.is_shown && first.last.strand.fingerprint == current;
            self.add_element(id, first.last, Heed::Nobody);
        }
        if let Some(shown) = last.iter().position(|last| last.is_shown)
            && let Some(stream) = self.streams.get_mut(&id)
        {
            stream.shown = shown as u8;
        }
        if on_change && !is_up_to_date {
            self.scheduler.handle(self.now, Event::Asked { source });
        }
        id
    }

    /// What a source under watch shows.
    pub(super) fn shown(&self, source: SourceId) -> Option<LastElement> {
        let entry = &self.sources[&source];
        let watched = entry.streams.iter().any(|id| self.streams[id].has_begun());
        self.last_seen(source).filter(|_| watched)
    }

    /// What a source showed last, whether anybody watches it still or not.
    pub(crate) fn last_seen(&self, source: SourceId) -> Option<LastElement> {
        let row = &self.sources.get(&source)?.row;
        (row.version > 0).then(|| LastElement {
            last: Last {
                version: VersionNo(row.version),
                fetched_at: row.last_success.map_or(self.now, |at| at.min(self.now)),
                strand: Strand { kind: row.kind, fingerprint: row.fingerprint },
            },
            is_shown: true,
        })
    }

    /// The last element of each kind that a stream showed, in the order of versions.
    pub(crate) fn last_elements(&self, stream: StreamId) -> Vec<LastElement> {
        self.streams.get(&stream).map_or(Vec::new(), |stream| stream.last_elements())
    }

    pub(super) fn insert_stream(&mut self, id: StreamId, entry: StreamEntry) {
        let mut hosts = BTreeSet::new();
        for source in entry.sources() {
            let Some(source) = self.sources.get_mut(&source) else { continue };
            source.streams.push(id);
            if hosts.insert(source.host) {
                self.beats.insert(source.host, id, &entry.spec);
            }
        }
        self.streams.insert(id, Box::new(entry));
        self.touched.streams.insert(id);
    }

    /// Closes the stream if nobody listens any more.
    pub(super) fn close_unheard(&mut self, id: StreamId) {
        if self.streams.get(&id).is_none_or(|stream| stream.listeners > 0) {
            return;
        }
        let Some(stream) = self.streams.remove(&id) else { return };
        if let Some(open) = &stream.ei {
            self.scheduler.handle(self.now, Event::CeiDropped { cei: open.cei });
        }
        if let Some(captures) = &stream.captures {
            self.drop_captures(captures);
        }
        self.record(Record::StreamGone(id));
        self.touched.streams.remove(&id);
        for source in stream.sources() {
            let Some(source) = self.sources.get_mut(&source) else { continue };
            source.streams.retain(|other| *other != id);
            self.beats.remove(source.host, id);
        }
        self.out.push_back(Out::Closed { stream: id, source: stream.source });
    }

    /// The source's `version` is current: the streams that the look concerns get their element.
    /// What the first look at a new kind showed is one, too, where every version is an element.
    /// Whether captures of several sources wait for others to compare what it found.
    pub(super) fn advance_streams(&mut self, look: CountedLook) -> bool {
        let CountedLook { source, start, began, for_person } = look;
        let entry = &self.sources[&source];
        let (row, streams) = (&entry.row, entry.streams.to_vec());
        let strand = Strand { kind: row.kind, fingerprint: row.fingerprint };
        let current = Last { version: VersionNo(row.version), fetched_at: start, strand };
        // All streams get what the first of two looks showed before any gets the second's: a
        // source's rounds open in the order of its versions.
        if let Some(began) = began.filter(|began| began.version != current.version) {
            for &id in &streams {
                let stream = &self.streams[&id];
                if stream.spec == StreamSpec::OnChange && !stream.strands.is_empty() {
                    self.enter(id, began);
                }
            }
        }
        let mut feeds_capture = false;
        for id in streams {
            let stream = &self.streams[&id];
            if stream.captures.is_some() {
                feeds_capture |= self.look_for_captures(id, look);
                continue;
            }
            match (&stream.spec, stream.ei.as_deref()) {
                (StreamSpec::OnChange, _) => self.enter(id, current),
                (StreamSpec::Every { .. }, Some(open)) if open.holds(start) => {
                    let what = open.what;
                    self.enter(id, current);
                    self.captured(id, what);
                }
                // Outside their intervals a person's look is heard by all who have a baseline.
                _ if for_person && !stream.strands.is_empty() => self.enter(id, current),
                _ => {}
            }
        }
        feeds_capture
    }

    /// A version enters the stream, unless its fingerprint equals that of the last element of its
    /// kind.
    fn enter(&mut self, id: StreamId, element: Last) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        if let Some(at) = stream.strands.iter().position(|last| last.strand == element.strand) {
            let is_back = stream.shown != at as u8;
            stream.shown = at as u8;
            if is_back {
                self.touched.streams.insert(id);
            }
            return;
        }
        self.add_element(id, element, Heed::Listeners);
    }

    /// The next element of its kind, or the first of a new one.
    fn add_element(&mut self, id: StreamId, element: Last, heed: Heed) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let (source, entry) = (stream.source, stream.take(element));
        let Last { version, fetched_at, .. } = element;
        self.touched.streams.insert(id);
        let entered = Entered { stream: id, source, version, fetched_at, entry, heed };
        self.out.push_back(Out::Entered(entered));
    }

    /// A look that started at `start` showed once more that `odd` is what the source has become:
    /// the streams that it concerns tell it, each once, and compare nothing with it.
    pub(super) fn tell_odd(&mut self, look: Probed, odd: VersionNo, for_person: bool) {
        let Probed { source, start, .. } = look;
        for &id in self.sources[&source].streams.iter() {
            let stream = &self.streams[&id];
            let is_looked_at = for_person
                || stream.spec == StreamSpec::OnChange
                || stream.ei.as_ref().is_some_and(|ei| ei.holds(start));
            if stream.strands.is_empty() || !is_looked_at {
                continue;
            }
            let (entry, heed) = (Entry::Aside { shown: stream.shown }, Heed::ListenersOnce);
            let (stream, version, fetched_at) = (id, odd, start);
            let entered = Entered { stream, source, version, fetched_at, entry, heed };
            self.out.push_back(Out::Entered(entered));
        }
    }
}

/// An element has entered a stream.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entered {
    pub(crate) stream: StreamId,
    pub(crate) source: SourceId,
    pub(crate) version: VersionNo,
    /// When the probe started that made it an element.
    pub(crate) fetched_at: Instant,
    pub(crate) entry: Entry,
    pub(crate) heed: Heed,
}

/// Who is to hear of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heed {
    /// It is there to be compared with.
    Nobody,
    Listeners,
    /// Unless the version has entered the stream before.
    ListenersOnce,
}

/// Whether a stream stands where `last` ends: the same kinds, each with the same content.
fn goes_on(stream: &StreamEntry, last: &[LastElement]) -> bool {
    let shows = |one: &LastElement| {
        let at = stream.strands.iter().position(|last| last.strand == one.last.strand);
        at.is_some_and(|at| (at == usize::from(stream.shown)) == one.is_shown)
    };
    stream.strands.len() == last.len() && last.iter().all(shows)
}

/// Whether a sentinel that asks for `asked` joins a stream of `spec`: the same period and slack,
/// and the same t0 where it wrote a clock.
fn joins(spec: &StreamSpec, asked: &StreamSpec, has_clock: bool) -> bool {
    match (spec, asked) {
        (StreamSpec::OnChange, StreamSpec::OnChange) => true,
        (
            StreamSpec::Every { t0, period, slack, zone },
            StreamSpec::Every { t0: t1, period: p1, slack: s1, zone: z1 },
        ) => period == p1 && slack == s1 && zone == z1 && (!has_clock || t0 == t1),
        _ => false,
    }
}
