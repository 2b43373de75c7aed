//! The graph's state: who listens on which stream to what.

use crate::expression::Expressions;
use crate::interned::Id;
use crate::stream::{Joined, Left, Listener, Stream, Window};
use crate::{Arrival, Element, Join, Limits, Phase, Sizes};
use change::View;
use chronon::{Instant, SentinelId, SourceId, StreamId, VersionNo};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

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

/// The change detection graph (`docs/theory.md`, The change detection graph).
///
/// Level 0 is the stream of a source; level 1 its groups, one per compare option and phase; above
/// them the sentinels' expressions, whose leaves and operators are shared by all who use them.
#[derive(Debug, Clone)]
pub struct Graph {
    pub(crate) limits: Limits,
    pub(crate) streams: FxHashMap<StreamId, Stream>,
    seats: FxHashMap<SentinelId, Seat>,
    pub(crate) expressions: Expressions,
    /// Joins so far.
    pub(crate) joins: u64,
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
        self.streams.insert(stream, Stream::new(source, elements));
    }

    /// Removes a stream and whoever is left on it. The open rounds are no longer due.
    pub fn stream_closed(&mut self, stream: StreamId) {
        let Some(closed) = self.streams.remove(&stream) else { return };
        for bucket in closed.groups.into_iter().flat_map(|group| group.buckets) {
            for listener in bucket.listeners {
                self.seats.remove(&listener.sentinel);
            }
            self.expressions.release(bucket.root);
        }
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
        let root = self.expressions.build(join.monitor);
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
        let position = match stream.join(window, root, listener, join.history) {
            Joined::NewBucket => 0,
            Joined::Bucket { position } => {
                self.expressions.release(root);
                u32::try_from(position).expect("sentinels are numbered in 32 bits")
            }
        };
        let place = Seat { stream: join.stream, window, root, position, history: join.history };
        self.seats.insert(join.sentinel, place);
        phase
    }

    /// The sentinel hears only of versions whose probe started before `at`. It stays, for rounds
    /// that are open, until [`Graph::left`]. The earlier of two ends counts.
    pub fn ended(&mut self, sentinel: SentinelId, at: Instant) {
        let Some(place) = self.seats.get(&sentinel) else { return };
        let stream = self.streams.get_mut(&place.stream);
        let bucket = stream.and_then(|stream| stream.bucket_mut(place.window, place.root));
        let bucket = bucket.expect("a place names a bucket that is there");
        let until = &mut bucket.listeners[place.position as usize].until;
        *until = at.min(*until);
    }

    /// A sentinel wants another number of elements kept from now on.
    pub fn keeps(&mut self, sentinel: SentinelId, history: u32) {
        let Some(place) = self.seats.get_mut(&sentinel) else { return };
        let before = std::mem::replace(&mut place.history, history);
        let stream = self.streams.get_mut(&place.stream).expect("a place's stream is open");
        stream.unwant_history(before);
        stream.want_history(history);
    }

    /// A sentinel goes on under another id, which is not there yet; rounds that are open know it.
    pub fn renamed(&mut self, sentinel: SentinelId, to: SentinelId) {
        let Some(place) = self.seats.remove(&sentinel) else { return };
        let stream = self.streams.get_mut(&place.stream);
        let bucket = stream.and_then(|stream| stream.bucket_mut(place.window, place.root));
        let bucket = bucket.expect("a place names a bucket that is there");
        bucket.listeners[place.position as usize].sentinel = to;
        self.seats.insert(to, place);
    }

    /// Removes a sentinel and every node nobody else uses. It hears no more, of open rounds
    /// neither. Nothing happens if it is not there.
    pub fn left(&mut self, sentinel: SentinelId) {
        let Some(place) = self.seats.remove(&sentinel) else { return };
        let stream = self.streams.get_mut(&place.stream).expect("a place's stream is open");
        let position = place.position as usize;
        let left = stream.leave(place.window, place.root, position, place.history);
        match left.expect("a place names a bucket that is there") {
            Left::Last => {}
            Left::BucketGone => self.expressions.release(place.root),
            Left::Moved(moved) => {
                let moved = self.seats.get_mut(&moved).expect("every listener has a place");
                moved.position = place.position;
            }
        }
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

    /// The views that those who listen to a stream ask for, besides the whole page. O(their
    /// distinct expressions).
    pub fn views(&self, stream: StreamId) -> BTreeSet<View> {
        let roots = self.buckets(stream).flat_map(|bucket| self.expressions.views(bucket.root));
        roots.collect()
    }

    /// Whether a sentinel looks at a part of a page.
    pub fn points(&self, sentinel: SentinelId) -> bool {
        let seat = self.seats.get(&sentinel);
        seat.is_some_and(|seat| !self.expressions.views(seat.root).is_empty())
    }

    /// Each sentinel on a stream that looks at parts: why the first of them shows nothing, as
    /// `missing` says; `None`: all do. O(their distinct expressions and the sentinels on them).
    pub fn sights(
        &self,
        stream: StreamId,
        missing: &BTreeMap<View, Box<str>>,
    ) -> Vec<(SentinelId, Option<Box<str>>)> {
        let mut sights = Vec::new();
        for bucket in self.buckets(stream) {
            let views = self.expressions.views(bucket.root);
            if views.is_empty() {
                continue;
            }
            let why = views.iter().find_map(|view| missing.get(view));
            sights.extend(bucket.listeners.iter().map(|one| (one.sentinel, why.cloned())));
        }
        sights.sort_unstable_by_key(|(sentinel, _)| *sentinel);
        sights
    }

    fn buckets(&self, stream: StreamId) -> impl Iterator<Item = &crate::stream::Bucket> {
        let stream = self.streams.get(&stream).into_iter();
        stream.flat_map(|stream| &stream.groups).flat_map(|group| &group.buckets)
    }

    /// How many more elements of history 0 a sentinel waits for until a pair of its is due.
    pub fn waits(&self, sentinel: SentinelId) -> Option<u64> {
        let place = self.seats.get(&sentinel)?;
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
            listeners: self.seats.len(),
            groups: streams().map(|stream| stream.groups.len()).sum(),
            nodes: self.expressions.operators_len(),
            leaves: self.expressions.leaves_len(),
            words: self.expressions.words_len(),
        }
    }
}
