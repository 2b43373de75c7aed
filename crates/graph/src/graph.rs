//! The graph's state: who listens on which stream to what.

use crate::expression::Expressions;
use crate::interned::Id;
use crate::stream::{Captures, Joined, Left, Listener, Stream, Window};
use crate::{Arrival, Element, Entry, Join, Limits, Phase, Position, Sizes};
use change::{StatusChange, View};
use chronon::{Instant, SentinelId, SourceId, StreamId, VersionNo};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where a sentinel listens.
#[derive(Debug, Clone)]
struct Seat {
    stream: StreamId,
    window: Window,
    root: Id,
    /// In the listeners of its bucket.
    position: u32,
    history: u32,
}

/// Where a sentinel listens, in the order of joining; never empty. Most have one source.
type Seats = SmallVec<[Seat; 1]>;

/// The open streams. Boxed: a third of a hash map's places are empty.
type Streams = FxHashMap<StreamId, Box<Stream>>;

/// The change detection graph (`docs/theory.md`, The change detection graph).
///
/// Level 0 is the stream of a source; level 1 its groups, one per compare option and phase; above
/// them the sentinels' expressions, whose leaves and operators are shared by all who use them.
#[derive(Debug, Clone)]
pub struct Graph {
    pub(crate) limits: Limits,
    pub(crate) streams: Streams,
    seats: FxHashMap<SentinelId, Seats>,
    pub(crate) expressions: Expressions,
    /// Joins so far.
    pub(crate) joins: u64,
}

/// The listener whose seat it is.
fn listener<'a>(streams: &'a mut Streams, seat: &Seat) -> &'a mut Listener {
    let stream = streams.get_mut(&seat.stream);
    let bucket = stream.and_then(|stream| stream.bucket_mut(seat.window, seat.root));
    let bucket = bucket.expect("a place names a bucket that is there");
    &mut bucket.listeners[seat.position as usize]
}

impl Graph {
    /// An empty graph.
    pub fn new(limits: Limits) -> Graph {
        Graph {
            limits,
            streams: FxHashMap::default(),
            seats: FxHashMap::default(),
            expressions: Expressions::default(),
            joins: 0,
        }
    }

    /// A new stream, or at load one with the elements [`Graph::elements`] gave, ascending. A stream
    /// of this name that is open is closed first.
    pub fn stream_opened(&mut self, stream: StreamId, source: SourceId, elements: Vec<Element>) {
        self.stream_closed(stream);
        self.streams.insert(stream, Box::new(Stream::new(source, elements)));
    }

    /// As [`Graph::stream_opened`], of captures of these sources: the elements are what
    /// [`Graph::captured`] makes, each with the versions that [`Graph::captures`] gave.
    pub fn captures_opened(
        &mut self,
        stream: StreamId,
        sources: &[SourceId],
        elements: Vec<(Element, Box<[VersionNo]>)>,
    ) {
        let Some(&first) = sources.first() else { return };
        let (elements, versions): (Vec<Element>, VecDeque<_>) = elements.into_iter().unzip();
        self.stream_opened(stream, first, elements);
        let captures = Captures { sources: sources.into(), versions };
        if let Some(stream) = self.streams.get_mut(&stream) {
            stream.captures = Some(Box::new(captures));
        }
    }

    /// Removes a stream and whoever is left on it. The open rounds are no longer due.
    pub fn stream_closed(&mut self, stream: StreamId) {
        let Some(closed) = self.streams.remove(&stream) else { return };
        for bucket in closed.groups.into_iter().flat_map(|group| group.buckets) {
            for listener in bucket.listeners {
                self.unseat(listener.sentinel, stream);
            }
            self.expressions.release(bucket.root);
        }
    }

    /// Takes a seat of a sentinel away.
    fn unseat(&mut self, sentinel: SentinelId, stream: StreamId) -> Option<Seat> {
        let seats = self.seats.get_mut(&sentinel)?;
        let at = seats.iter().position(|seat| seat.stream == stream)?;
        let seat = seats.remove(at);
        if seats.is_empty() {
            self.seats.remove(&sentinel);
        }
        Some(seat)
    }

    /// A sentinel starts to listen; one that already does starts anew.
    ///
    /// `phase` is what an earlier call returned (at load) or `None`: then, for `every n`, the
    /// newest element of history 0 counts as the first, or the next one if there is none yet.
    /// Returns the phase to persist. Costs the size of the expression.
    ///
    /// # Panics
    /// If the stream is not open.
    pub fn joined(&mut self, join: Join<'_>, phase: Option<Phase>) -> Phase {
        self.left(join.sentinel);
        self.joined_too(join, phase)
    }

    /// As [`Graph::joined`], for a sentinel that goes on listening to other streams as well.
    ///
    /// # Panics
    /// If the stream is not open.
    pub fn joined_too(&mut self, join: Join<'_>, phase: Option<Phase>) -> Phase {
        self.left_stream(join.sentinel, join.stream);
        let root = self.expressions.build(join.monitor);
        let history = self.expressions.kept(root, join.history);
        let stream = self.streams.get_mut(&join.stream).expect("a stream is opened before joined");
        let newest = stream.newest_of(0).and_then(|newest| newest.place.in_history());
        let newest = newest.map_or(1, |(_, nth)| u64::from(nth));
        let phase = phase.unwrap_or(Phase { first_index: newest });
        let window = Window::of(join.compare, phase.first_index);
        let windowed = matches!(window, Window::Every { .. });
        let listener = Listener {
            sentinel: join.sentinel,
            since: join.since,
            until: Instant::NEVER,
            first_index: if windowed { phase.first_index } else { 0 },
            join: self.joins,
        };
        self.joins += 1;
        let position = match stream.join(window, root, listener, history) {
            Joined::NewBucket => 0,
            Joined::Bucket { position } => {
                self.expressions.release(root);
                u32::try_from(position).expect("sentinels are numbered in 32 bits")
            }
        };
        let seat = Seat { stream: join.stream, window, root, position, history };
        self.seats.entry(join.sentinel).or_default().push(seat);
        phase
    }

    /// The sentinel hears only of versions whose probe started before `at`. It stays, for rounds
    /// that are open, until [`Graph::left`]. The earlier of two ends counts.
    pub fn ended(&mut self, sentinel: SentinelId, at: Instant) {
        let Graph { seats, streams, .. } = self;
        for seat in seats.get(&sentinel).into_iter().flatten() {
            let until = &mut listener(streams, seat).until;
            *until = at.min(*until);
        }
    }

    /// A sentinel wants another number of elements kept from now on.
    pub fn keeps(&mut self, sentinel: SentinelId, history: u32) {
        let Graph { seats, streams, expressions, .. } = self;
        for seat in seats.get_mut(&sentinel).into_iter().flatten() {
            let history = expressions.kept(seat.root, history);
            let before = std::mem::replace(&mut seat.history, history);
            let stream = streams.get_mut(&seat.stream).expect("a place's stream is open");
            stream.unwant_history(before);
            stream.want_history(history);
        }
    }

    /// A sentinel goes on under another id, which is not there yet; rounds that are open know it.
    pub fn renamed(&mut self, sentinel: SentinelId, to: SentinelId) {
        let Some(seats) = self.seats.remove(&sentinel) else { return };
        for seat in seats.iter() {
            listener(&mut self.streams, seat).sentinel = to;
        }
        self.seats.insert(to, seats);
    }

    /// Removes a sentinel and every node nobody else uses. It hears no more, of open rounds
    /// neither. Nothing happens if it is not there.
    pub fn left(&mut self, sentinel: SentinelId) {
        let Some(seats) = self.seats.remove(&sentinel) else { return };
        seats.into_vec().iter().for_each(|seat| self.give_up(seat));
    }

    /// As [`Graph::left`], of one stream alone.
    pub fn left_stream(&mut self, sentinel: SentinelId, stream: StreamId) {
        if let Some(seat) = self.unseat(sentinel, stream) {
            self.give_up(&seat);
        }
    }

    fn give_up(&mut self, seat: &Seat) {
        let stream = self.streams.get_mut(&seat.stream).expect("a place's stream is open");
        let position = seat.position as usize;
        let left = stream.leave(seat.window, seat.root, position, seat.history);
        match left.expect("a place names a bucket that is there") {
            Left::Last => {}
            Left::BucketGone => self.expressions.release(seat.root),
            Left::Moved(moved) => {
                let mut seats = self.seats.get_mut(&moved).into_iter().flatten();
                let moved = seats.find(|other| other.stream == seat.stream);
                moved.expect("every listener has a place").position = seat.position;
            }
        }
    }

    /// A capture entered a stream of captures: the next element, with the version that each source
    /// shows now.
    ///
    /// # Panics
    /// If no stream of captures is open there.
    pub fn captured(
        &mut self,
        stream: StreamId,
        fetched_at: Instant,
        versions: Box<[VersionNo]>,
    ) -> Element {
        let opened = "a stream of captures is opened before its elements";
        let stream = self.streams.get_mut(&stream).expect(opened);
        let index = stream.next_index();
        let number = u32::try_from(index).expect("a capture is one of 32 bits");
        let place = stream.place(Entry::Next { history: 0 });
        let element = Element { index, version: VersionNo(number), fetched_at, place };
        let captures = stream.captures.as_mut().expect(opened);
        captures.versions.push_back(versions);
        stream.append(element, self.limits.rounds_open_max);
        element
    }

    /// A source answers otherwise than before: an element in no history, if anybody on the stream
    /// asks for that. `version` is what the source shows, or showed last.
    pub fn answered(
        &mut self,
        stream: StreamId,
        (source, version): (SourceId, VersionNo),
        change: StatusChange,
    ) -> Option<Element> {
        if !self.asks_status(stream, source) {
            return None;
        }
        let place = Position::Status { place: self.place_of(stream, source).unwrap_or(0), change };
        let stream = self.streams.get_mut(&stream)?;
        let element = Element { index: stream.next_index(), version, fetched_at: change.at, place };
        if let Some(captures) = &mut stream.captures {
            let shown = |&other: &SourceId| if other == source { version } else { VersionNo(0) };
            captures.versions.push_back(captures.sources.iter().map(shown).collect());
        }
        stream.append(element, self.limits.rounds_open_max);
        Some(element)
    }

    /// Somebody on the stream asks how the source answers.
    pub fn asks_status(&self, stream: StreamId, source: SourceId) -> bool {
        let place = self.place_of(stream, source).unwrap_or(0);
        self.buckets(stream).any(|bucket| self.expressions.concerns(bucket.root, Some(place)))
    }

    /// Whether the elements of a stream are captures of several sources.
    pub fn is_of_captures(&self, stream: StreamId) -> bool {
        self.streams.get(&stream).is_some_and(|stream| stream.captures.is_some())
    }

    /// The versions of each element of a stream of captures, ascending; nothing for others.
    pub fn captures(&self, stream: StreamId) -> impl Iterator<Item = &Box<[VersionNo]>> {
        let captures = self.streams.get(&stream).and_then(|stream| stream.captures.as_ref());
        captures.into_iter().flat_map(|captures| &captures.versions)
    }

    /// The versions of one source that retention must keep for a stream: see [`Graph::needed`].
    pub fn needed_of(&self, stream: StreamId, source: SourceId) -> Vec<VersionNo> {
        let Some(open) = self.streams.get(&stream) else { return Vec::new() };
        let Some(captures) = &open.captures else { return self.needed(stream).collect() };
        let at = captures.sources.iter().position(|&other| other == source);
        let of = |at: usize| captures.versions.iter().map(move |versions| versions[at]);
        at.map_or(Vec::new(), |at| of(at).collect())
    }

    /// A version entered a stream; those that are in a history come in ascending order. Elements
    /// that no pair of the last `rounds_open_max` rounds, no window and no listener needs are
    /// forgotten, but for the last of each history.
    ///
    /// # Panics
    /// If the stream is not open.
    pub fn element(&mut self, stream: StreamId, arrival: Arrival) -> Element {
        let Arrival { version, fetched_at, entry } = arrival;
        let stream = self.streams.get_mut(&stream).expect("a stream is opened before elements");
        let counted = |element: &&Element| element.place.in_history().is_some();
        let newest = stream.elements.iter().rev().find(counted).map(|newest| newest.version);
        debug_assert!(entry.stands_aside() || newest.is_none_or(|newest| newest < version));
        let (index, place) = (stream.next_index(), stream.place(entry));
        let element = Element { index, version, fetched_at, place };
        stream.append(element, self.limits.rounds_open_max);
        element
    }

    /// The elements to persist and to hand to [`Graph::stream_opened`] at load; ascending.
    pub fn elements(&self, stream: StreamId) -> impl Iterator<Item = Element> {
        self.streams.get(&stream).into_iter().flat_map(|stream| stream.elements.iter().copied())
    }

    /// The versions that retention must keep, ascending: those of all elements the graph knows.
    /// Among them are the newest, the pairs of rounds that may be open, the older ends of pairs to
    /// come (window bases too) and the listeners' history. All of them, because a sentinel that
    /// joins may ask for a pair of any two.
    pub fn needed(&self, stream: StreamId) -> impl Iterator<Item = VersionNo> {
        self.elements(stream).map(|element| element.version)
    }

    /// The sentinels on a stream, ended ones that have not left included.
    pub fn listeners(&self, stream: StreamId) -> usize {
        let stream = self.streams.get(&stream).into_iter();
        let buckets = stream.flat_map(|stream| &stream.groups).flat_map(|group| &group.buckets);
        buckets.map(|bucket| bucket.listeners.len()).sum()
    }

    /// The views of a source that those who listen to a stream ask for, besides the whole page.
    /// O(their distinct expressions).
    pub fn views(&self, stream: StreamId, source: SourceId) -> BTreeSet<View> {
        let place = self.place_of(stream, source);
        let views = |root| self.expressions.views(root, place);
        let roots = self.buckets(stream).flat_map(|bucket| views(bucket.root));
        roots.collect()
    }

    /// Whether a sentinel looks at a part of a page.
    pub fn points(&self, sentinel: SentinelId) -> bool {
        let points = |seat: &Seat| self.expressions.points(seat.root);
        self.seats.get(&sentinel).is_some_and(|seats| seats.iter().any(points))
    }

    /// Each sentinel on a stream that looks at parts, all of which `seen` knows: why the first of
    /// them shows nothing; `None`: all do. O(their distinct expressions and the sentinels on them).
    pub fn sights(
        &self,
        stream: StreamId,
        source: SourceId,
        seen: &BTreeMap<View, Option<Box<str>>>,
    ) -> Vec<(SentinelId, Option<Box<str>>)> {
        let place = self.place_of(stream, source);
        let mut sights = Vec::new();
        for bucket in self.buckets(stream) {
            let views = self.expressions.views(bucket.root, place);
            let seen: Option<Vec<_>> = views.iter().map(|view| seen.get(view)).collect();
            let Some(seen) = seen.filter(|seen| !seen.is_empty()) else { continue };
            let why = seen.into_iter().find_map(Option::as_ref);
            sights.extend(bucket.listeners.iter().map(|one| (one.sentinel, why.cloned())));
        }
        sights.sort_unstable_by_key(|(sentinel, _)| *sentinel);
        sights
    }

    /// The sentinels on a stream that look at parts of a source. O(their distinct expressions and
    /// the sentinels on them).
    pub fn pointing(&self, stream: StreamId, source: SourceId) -> Vec<SentinelId> {
        let place = self.place_of(stream, source);
        let points = |root| !self.expressions.views(root, place).is_empty();
        let pointing = self.buckets(stream).filter(|bucket| points(bucket.root));
        pointing.flat_map(|bucket| &bucket.listeners).map(|one| one.sentinel).collect()
    }

    /// Where a source stands among those of captures; `None`: the stream has one source.
    fn place_of(&self, stream: StreamId, source: SourceId) -> Option<u16> {
        let captures = self.streams.get(&stream)?.captures.as_ref()?;
        captures.sources.iter().position(|&other| other == source).map(|at| at as u16)
    }

    fn buckets(&self, stream: StreamId) -> impl Iterator<Item = &crate::stream::Bucket> {
        let stream = self.streams.get(&stream).into_iter();
        stream.flat_map(|stream| &stream.groups).flat_map(|group| &group.buckets)
    }

    /// How many more elements of history 0 a sentinel waits for until a pair of its is due.
    /// Where it listens to several streams, the first counts.
    pub fn waits(&self, sentinel: SentinelId) -> Option<u64> {
        let place = self.seats.get(&sentinel)?.first()?;
        let stream = self.streams.get(&place.stream)?;
        let bucket = stream.bucket(place.window, place.root)?;
        let number = |element: &Element| match element.place.in_history() {
            Some((0, nth)) => Some(u64::from(nth)),
            _ => None,
        };
        let next = stream.elements.iter().rev().find_map(number).map_or(1, |nth| nth + 1);
        let first = match bucket.listeners[place.position as usize].first_index {
            0 => stream.elements.iter().find_map(number).unwrap_or(next),
            first => first,
        };
        let first_due = first + u64::from(place.window.n() - 1);
        Some(place.window.due_from(next.max(first_due)) + 1 - next)
    }

    /// How much there is, for metrics. Costs one visit per stream.
    pub fn sizes(&self) -> Sizes {
        // Sums only: the order in which the map is walked cannot show.
        let streams = || self.streams.values();
        Sizes {
            streams: self.streams.len(),
            elements: streams().map(|stream| stream.elements.len()).sum(),
            listeners: self.seats.values().map(SmallVec::len).sum(),
            groups: streams().map(|stream| stream.groups.len()).sum(),
            nodes: self.expressions.operators_len(),
            leaves: self.expressions.leaves_len(),
            words: self.expressions.words_len(),
        }
    }
}
