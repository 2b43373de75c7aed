//! A stream: its last elements, and its listeners in groups that compare the same pairs.

use crate::interned::Id;
use crate::{Element, Entry, Position};
use change::StatusChange;
use chronon::{Instant, SentinelId, SourceId, VersionNo};
use sentinel::ast::Compare;
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;

/// Which pairs a group compares; with the stream it is the group's name. `n` is at least 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Window {
    /// (e_i−n+1, e_i) for each i; pairwise is `n` = 2.
    Moving { n: u32 },
    /// Where i ≡ `phase` modulo n − 1.
    Every { n: u32, phase: u32 },
}

impl Window {
    /// The window of a sentinel whose first element is `first_index`.
    pub(crate) fn of(compare: Compare, first_index: u64) -> Window {
        match compare {
            Compare::Pairwise => Window::Moving { n: 2 },
            Compare::Moving(n) => Window::Moving { n: n.max(2) },
            Compare::Every(n) => {
                let n = n.max(2);
                Window::Every { n, phase: (first_index % u64::from(n - 1)) as u32 }
            }
        }
    }

    pub(crate) fn n(self) -> u32 {
        match self {
            Window::Moving { n } | Window::Every { n, .. } => n,
        }
    }

    /// The number of the older element of the pair that is due when the `nth` element enters a
    /// history.
    fn older(self, history: u8, nth: u32) -> Option<u32> {
        let step = self.n() - 1;
        match self {
            Window::Every { .. } if nth % step != self.phase(history) => None,
            _ => nth.checked_sub(step),
        }
    }

    /// In a later history windows start with its first element.
    fn phase(self, history: u8) -> u32 {
        match self {
            Window::Moving { .. } => 0,
            Window::Every { phase, .. } if history == 0 => phase,
            Window::Every { n, .. } => 1 % (n - 1),
        }
    }

    /// The first number of history 0 from `nth` on at which a pair is due, were all elements there.
    pub(crate) fn due_from(self, nth: u64) -> u64 {
        match self {
            Window::Moving { .. } => nth,
            Window::Every { n, phase } => {
                let step = u64::from(n - 1);
                nth + (u64::from(phase) + step - nth % step) % step
            }
        }
    }

    /// Whether (`older`, `newer`) is its pair.
    fn pairs(self, older: Element, newer: Element) -> bool {
        match newer.place {
            Position::Within { history, nth } => {
                older.place.in_history().is_some_and(|(its, number)| {
                    its == history && self.older(history, nth) == Some(number)
                })
            }
            Position::Begins { against, .. } | Position::Aside { against } => {
                older.index == u64::from(against)
            }
            Position::Status { .. } => older.index == newer.index,
        }
    }
}

/// One sentinel on a stream.
#[derive(Debug, Clone)]
pub(crate) struct Listener {
    pub(crate) sentinel: SentinelId,
    pub(crate) since: Instant,
    /// `NEVER` while it has not ended.
    pub(crate) until: Instant,
    /// No pair with an older element of history 0 before this one concerns it; 0 where windows have
    /// no start.
    pub(crate) first_index: u64,
    /// Counts joins of the graph; a round in flight is for those who had joined when it began.
    pub(crate) join: u64,
}

impl Listener {
    pub(crate) fn hears(&self, older: Element, newer: Element) -> bool {
        let is_in_window = match (newer.place, older.place) {
            (Position::Within { history: 0, .. }, Position::Within { nth, .. }) => {
                self.first_index <= u64::from(nth)
            }
            _ => true,
        };
        self.since <= newer.fetched_at && newer.fetched_at < self.until && is_in_window
    }
}

/// The listeners of a group that share a whole expression. Most streams have one listener: the
/// lists have room for one in place.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    pub(crate) root: Id,
    /// No listener's `since` is earlier.
    since_min: Instant,
    pub(crate) listeners: SmallVec<[Listener; 1]>,
}

impl Bucket {
    /// Whether anyone hears of this pair. Finds the first who does: O(1) but for listeners that
    /// ended or joined only now.
    pub(crate) fn is_heard(&self, older: Element, newer: Element) -> bool {
        self.since_min <= newer.fetched_at
            && self.listeners.iter().any(|listener| listener.hears(older, newer))
    }
}

/// The listeners of a stream that compare the same pairs.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) window: Window,
    /// Ascending by root.
    pub(crate) buckets: SmallVec<[Bucket; 1]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Stream {
    pub(crate) source: SourceId,
    /// Elements are captures of several sources.
    pub(crate) captures: Option<Box<Captures>>,
    /// The last ones of each history, ascending.
    pub(crate) elements: Vec<Element>,
    /// Ascending by window.
    pub(crate) groups: SmallVec<[Group; 1]>,
    /// The listeners' `changehistory` and how many want it; ascending.
    histories: SmallVec<[(u32, u32); 2]>,
}

/// What the elements of a stream of captures are made of.
#[derive(Debug, Clone)]
pub(crate) struct Captures {
    pub(crate) sources: Box<[SourceId]>,
    /// For each element, the version of each source.
    pub(crate) versions: VecDeque<Box<[VersionNo]>>,
}

impl Stream {
    pub(crate) fn new(source: SourceId, elements: Vec<Element>) -> Stream {
        debug_assert!(elements.windows(2).all(|pair| pair[0].index < pair[1].index));
        Stream {
            source,
            captures: None,
            elements,
            groups: SmallVec::new(),
            histories: SmallVec::new(),
        }
    }

    /// The source at this place, and its versions in two elements.
    pub(crate) fn pair_of(
        &self,
        place: u16,
        older: Element,
        newer: Element,
    ) -> Option<(SourceId, VersionNo, VersionNo)> {
        let Some(captures) = &self.captures else {
            return Some((self.source, older.version, newer.version));
        };
        let version = |element: Element| {
            let at = self.elements.binary_search_by_key(&element.index, |one| one.index).ok()?;
            captures.versions.get(at)?.get(usize::from(place)).copied()
        };
        let source = captures.sources.get(usize::from(place)).copied()?;
        Some((source, version(older)?, version(newer)?))
    }

    /// The versions of the source at this place in the elements before `older`, in its history,
    /// newest first; each once.
    pub(crate) fn earlier(&self, place: u16, older: Element) -> Vec<VersionNo> {
        let before = self.elements.iter().rev().filter(|element| element.index < older.index);
        let alike = before.filter(|element| element.place.is_kept_with(older.place));
        let version = |&element: &Element| {
            let (_, version, _) = self.pair_of(place, element, element)?;
            Some(version)
        };
        let own = self.pair_of(place, older, older).map(|(_, version, _)| version);
        let mut versions: Vec<VersionNo> = alike.filter_map(version).collect();
        versions.dedup();
        versions.retain(|version| Some(*version) != own);
        versions
    }

    /// What two elements hold of each source, but for those of captures that did not change.
    pub(crate) fn evidence(
        &self,
        older: Element,
        newer: Element,
    ) -> Vec<(SourceId, VersionNo, VersionNo)> {
        if let Position::Status { place, .. } = newer.place {
            return self.pair_of(place, newer, newer).into_iter().collect();
        }
        let pairs = (0..self.width()).filter_map(|place| self.pair_of(place, older, newer));
        let is_told = |(_, from, to): &_| self.captures.is_none() || from != to;
        pairs.filter(is_told).collect()
    }

    /// How many sources its elements are made of.
    pub(crate) fn width(&self) -> u16 {
        self.captures.as_ref().map_or(1, |captures| captures.sources.len() as u16)
    }

    /// The index the next element will have.
    pub(crate) fn next_index(&self) -> u64 {
        self.elements.last().map_or(1, |newest| newest.index + 1)
    }

    pub(crate) fn element_at(&self, index: u64) -> Option<Element> {
        let at = self.elements.binary_search_by_key(&index, |element| element.index).ok()?;
        self.elements.get(at).copied()
    }

    /// The last element of a history.
    pub(crate) fn newest_of(&self, history: u8) -> Option<Element> {
        let of =
            |element: &&Element| element.place.in_history().is_some_and(|(its, _)| its == history);
        self.elements.iter().rev().find(of).copied()
    }

    /// The pairs wanted most lie at the end.
    fn nth_of(&self, history: u8, nth: u32) -> Option<Element> {
        let is_it = |element: &&Element| element.place.in_history() == Some((history, nth));
        self.elements.iter().rev().find(is_it).copied()
    }

    /// The groups with a pair due when `newer` enters, with the pair's older element.
    pub(crate) fn due_at(&self, newer: Element) -> impl Iterator<Item = (&Group, Element)> {
        self.groups.iter().filter_map(move |group| Some((group, self.older(group, newer)?)))
    }

    /// The older element of the pair of a group that is due when `newer` enters.
    fn older(&self, group: &Group, newer: Element) -> Option<Element> {
        match newer.place {
            Position::Within { history, nth } => {
                self.nth_of(history, group.window.older(history, nth)?)
            }
            Position::Begins { against, .. } | Position::Aside { against } => {
                self.element_at(u64::from(against))
            }
            Position::Status { .. } => Some(newer),
        }
    }

    /// The status that one look brought together with this content: the next element, if it was
    /// found at the same look.
    pub(crate) fn status_with(&self, content: Element) -> Option<StatusChange> {
        let next = self.element_at(content.index + 1).filter(|_| self.captures.is_none())?;
        match next.place {
            Position::Status { change, .. } if !content.place.is_status() => {
                (change.at == content.fetched_at).then_some(change)
            }
            _ => None,
        }
    }

    /// Whether somebody of a bucket hears of this status with the content that the same look
    /// brought.
    pub(crate) fn is_heard_with(&self, group: &Group, bucket: &Bucket, status: Element) -> bool {
        let content = status.index.checked_sub(1).and_then(|index| self.element_at(index));
        let Some(content) = content.filter(|&content| self.status_with(content).is_some()) else {
            return false;
        };
        let older = self.older(group, content);
        older.is_some_and(|older| bucket.is_heard(older, content))
    }

    /// The groups whose pair is (`older`, `newer`).
    pub(crate) fn groups_of(&self, older: Element, newer: Element) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.window.pairs(older, newer))
    }

    /// The place of an element that enters now.
    pub(crate) fn place(&self, entry: Entry) -> Position {
        let against = |shown| {
            let index = self.newest_of(shown).map_or(0, |element| element.index);
            u32::try_from(index).expect("elements are versions, numbered in 32 bits")
        };
        match entry {
            Entry::Next { history } => {
                let newest = self.newest_of(history).and_then(|newest| newest.place.in_history());
                Position::Within { history, nth: newest.map_or(0, |(_, nth)| nth) + 1 }
            }
            Entry::Begins { history, shown } => {
                Position::Begins { history, against: against(shown) }
            }
            Entry::Aside { shown } => Position::Aside { against: against(shown) },
        }
    }

    /// The elements of a history that are kept: the pairs of the last `rounds_open_max` rounds, and
    /// what listeners want.
    fn elements_kept(&self, rounds_open_max: u32) -> usize {
        let n_max = self.groups.iter().map(|group| group.window.n()).max().unwrap_or(1);
        let pairs = n_max.saturating_add(rounds_open_max).saturating_sub(1);
        pairs.max(self.history_max()).max(1) as usize
    }

    fn history_max(&self) -> u32 {
        self.histories.last().map_or(0, |&(history, _)| history)
    }

    /// Adds the newest element and forgets those kept with it that nobody can ask for any more;
    /// the last of each history stays.
    pub(crate) fn append(&mut self, element: Element, rounds_open_max: u32) {
        if self.elements.is_empty() {
            // Most pages do not change for long.
            self.elements.reserve_exact(1);
        }
        self.elements.push(element);
        let kept = self.elements_kept(rounds_open_max);
        let alike = |other: &Element| other.place.is_kept_with(element.place);
        let mut excess = self.elements.iter().filter(|other| alike(other)).count();
        while excess > kept {
            let Some(oldest) = self.elements.iter().position(alike) else { return };
            self.elements.remove(oldest);
            if let Some(captures) = &mut self.captures {
                captures.versions.remove(oldest);
            }
            excess -= 1;
        }
    }

    /// One more listener wants this number of elements kept.
    pub(crate) fn want_history(&mut self, history: u32) {
        match self.histories.binary_search_by_key(&history, |&(wanted, _)| wanted) {
            Ok(at) => self.histories[at].1 += 1,
            Err(at) => self.histories.insert(at, (history, 1)),
        }
    }

    /// One listener fewer does.
    pub(crate) fn unwant_history(&mut self, history: u32) {
        if let Ok(at) = self.histories.binary_search_by_key(&history, |&(wanted, _)| wanted) {
            self.histories[at].1 -= 1;
            if self.histories[at].1 == 0 {
                self.histories.remove(at);
            }
        }
    }

    /// Adds a listener and says at which position of its bucket, and whether the bucket is new.
    pub(crate) fn join(
        &mut self,
        window: Window,
        root: Id,
        listener: Listener,
        history: u32,
    ) -> Joined {
        self.want_history(history);
        let at = match self.groups.binary_search_by_key(&window, |group| group.window) {
            Ok(at) => at,
            Err(at) => {
                self.groups.insert(at, Group { window, buckets: SmallVec::new() });
                at
            }
        };
        let buckets = &mut self.groups[at].buckets;
        match buckets.binary_search_by_key(&root, |bucket| bucket.root) {
            Ok(at) => {
                let bucket = &mut buckets[at];
                bucket.since_min = bucket.since_min.min(listener.since);
                bucket.listeners.push(listener);
                Joined::Bucket { position: bucket.listeners.len() - 1 }
            }
            Err(at) => {
                let since_min = listener.since;
                let bucket = Bucket { root, since_min, listeners: smallvec![listener] };
                buckets.insert(at, bucket);
                Joined::NewBucket
            }
        }
    }

    pub(crate) fn bucket_mut(&mut self, window: Window, root: Id) -> Option<&mut Bucket> {
        let group = self.groups.binary_search_by_key(&window, |group| group.window).ok()?;
        let buckets = &mut self.groups[group].buckets;
        let bucket = buckets.binary_search_by_key(&root, |bucket| bucket.root).ok()?;
        Some(&mut buckets[bucket])
    }

    pub(crate) fn bucket(&self, window: Window, root: Id) -> Option<&Bucket> {
        let group = self.groups.binary_search_by_key(&window, |group| group.window).ok()?;
        let buckets = &self.groups[group].buckets;
        let bucket = buckets.binary_search_by_key(&root, |bucket| bucket.root).ok()?;
        Some(&buckets[bucket])
    }

    /// Removes the listener at `position` of a bucket; the last one of the bucket takes its place.
    pub(crate) fn leave(
        &mut self,
        window: Window,
        root: Id,
        position: usize,
        history: u32,
    ) -> Option<Left> {
        self.unwant_history(history);
        let at = self.groups.binary_search_by_key(&window, |group| group.window).ok()?;
        let group = &mut self.groups[at];
        let in_group = group.buckets.binary_search_by_key(&root, |bucket| bucket.root).ok()?;
        let listeners = &mut group.buckets[in_group].listeners;
        listeners.swap_remove(position);
        if let Some(moved) = listeners.get(position) {
            return Some(Left::Moved(moved.sentinel));
        }
        if !listeners.is_empty() {
            return Some(Left::Last);
        }
        group.buckets.remove(in_group);
        if group.buckets.is_empty() {
            self.groups.remove(at);
        }
        Some(Left::BucketGone)
    }
}

/// Where a listener came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    Bucket {
        position: usize,
    },
    /// The bucket keeps the reference to its root.
    NewBucket,
}

/// What leaving a bucket changed in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// This listener now has the position.
    Moved(SentinelId),
    /// It was the last in order.
    Last,
    /// It was the only one; its root is to be released.
    BucketGone,
}
