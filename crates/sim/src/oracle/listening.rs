//! Streams and their listeners, slowly and obviously: every element is kept, nothing is shared.

use crate::world::{Compare, Content, Spec, Wall};
use chronon::{Instant, Span, StreamId};
use kernel::record::{StreamRow, StreamSpec};
use std::collections::BTreeMap;

/// What a selector found last is looked for among twenty versions.
const LOOKED_BACK: usize = 20;

/// A version: its number and what it showed.
pub(super) type Version = (u32, Content);

/// What a look came to.
#[derive(Debug)]
pub(super) enum Showing {
    /// Nothing that is believed.
    Nothing,
    /// For at least the second time, nothing is on the page.
    Blank(Version),
    /// What counts: the version then current, after the first of its kind if it was doubted.
    Versions(Vec<Version>),
}

/// A pair that a sentinel is to hear of, if its condition holds.
#[derive(Debug)]
pub(super) struct ToldPair {
    pub(super) name: Box<str>,
    pub(super) from: Version,
    pub(super) to: Version,
    /// What the stream compared before `from`, the newest first: where a selector finds nothing in
    /// it, what it found last is looked for there.
    pub(super) earlier: Vec<Content>,
}

/// What one successful probe brought.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) pairs: Vec<ToldPair>,
    pub(super) captured: u64,
}

/// An interval in which a page is to be looked at.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) finish: Instant,
    pub(super) is_captured: bool,
}

#[derive(Debug)]
struct Stream {
    url: Box<str>,
    /// Period and slack; `None`: every version.
    every: Option<(Span, Span)>,
    /// Where days are days.
    wall: Wall,
    /// When the first interval begins: the clock that was written, else what the server chose, once
    /// it said.
    t0: Option<Instant>,
    /// No clock is written: the first interval waits a period longer for a baseline.
    is_loose: bool,
    id: Option<StreamId>,
    /// No interval may begin so late that it ends after the sentinel that opened the stream.
    latest: Instant,
    /// All that ever counted, of all kinds.
    elements: Vec<Version>,
    /// The one it shows.
    shown: usize,
    /// The last blank page that was told.
    blank: u32,
    members: BTreeMap<Box<str>, Member>,
    opened_at: Instant,
    /// The numbers of the intervals that were captured, ascending.
    captured: Vec<i64>,
    closed_at: Instant,
}

#[derive(Debug)]
struct Member {
    compare: Compare,
    since: Instant,
    until: Instant,
    /// How many elements of the stream's first kind came before its windows start.
    first: usize,
}

#[derive(Debug, Default)]
pub(super) struct Listening {
    /// In order of opening; closed ones stay for the record.
    streams: Vec<Stream>,
    /// When a person last asked for a look at a page that has brought nothing since.
    asked: BTreeMap<Box<str>, Instant>,
}

/// What an earlier text leaves to one that asks for the same source.
#[derive(Debug)]
pub(super) struct Legacy {
    since: Instant,
    /// The last element of each kind.
    last: Vec<Version>,
    /// Which of them was shown.
    shown: usize,
}

impl Listening {
    /// A sentinel begins; `current` is what its source showed last, if it was ever seen.
    pub(super) fn join(
        &mut self,
        now: Instant,
        spec: &Spec,
        (current, legacy): (Option<Version>, Option<Legacy>),
    ) {
        let since = legacy.as_ref().map_or(now, |legacy| legacy.since);
        let (last, shown) = legacy.map_or((Vec::new(), 0), |legacy| (legacy.last, legacy.shown));
        let every = spec.every;
        let fits = |stream: &Stream| {
            let clock = spec.from.filter(|_| every.is_some());
            let meet = every.is_none() || stream.wall.name == spec.wall.name;
            let same = stream.every == every && meet && (clock.is_none() || stream.t0 == clock);
            let goes_on = last.is_empty() || stream.stands_where((&last, shown));
            // Windows of `every n` begin where there is one kind only.
            let begins = !matches!(spec.compare, Compare::Every(_)) || stream.kinds() < 2;
            stream.is_open() && stream.url == spec.url && same && goes_on && begins
        };
        let is_watched = self.streams.iter().any(|stream| {
            stream.is_open() && stream.url == spec.url && !stream.elements.is_empty()
        });
        let at = self.streams.iter().position(fits).unwrap_or(self.streams.len());
        if at == self.streams.len() {
            let cached = current.filter(|_| every.is_none() && is_watched && last.is_empty());
            self.streams.push(Stream {
                url: spec.url.clone(),
                every,
                wall: spec.wall,
                t0: spec.from,
                is_loose: spec.from.is_none(),
                id: None,
                latest: spec.to.unwrap_or(Instant::NEVER),
                elements: last.into_iter().chain(cached).collect(),
                shown,
                blank: 0,
                members: BTreeMap::new(),
                opened_at: now,
                captured: Vec::new(),
                closed_at: Instant::NEVER,
            });
        }
        let stream = &mut self.streams[at];
        let member = Member {
            compare: spec.compare,
            since,
            until: Instant::NEVER,
            first: stream.of_first_kind().saturating_sub(1),
        };
        stream.members.insert(spec.name.clone(), member);
    }

    pub(super) fn end(&mut self, name: &str, to: Instant) {
        for stream in &mut self.streams {
            if let Some(member) = stream.members.get_mut(name) {
                member.until = to;
            }
        }
    }

    pub(super) fn leave(&mut self, name: &str, now: Instant) {
        self.part(name);
        self.close_unheard(now);
    }

    /// Leaves a stream, which stays open until it is known who else wants it.
    pub(super) fn part(&mut self, name: &str) -> Option<Legacy> {
        let mut legacy = None;
        for stream in &mut self.streams {
            if let Some(Member { since, .. }) = stream.members.remove(name) {
                let (last, shown) = stream.last_of_each_kind();
                legacy = Some(Legacy { since, last, shown });
            }
        }
        legacy
    }

    /// A sentinel's text is replaced: what looks before `until` find it hears still, as `key`.
    pub(super) fn set_apart(&mut self, name: &str, key: &str, until: Instant) -> Option<Legacy> {
        let mut legacy = None;
        for stream in &mut self.streams {
            if let Some(member) = stream.members.remove(name) {
                let (last, shown) = stream.last_of_each_kind();
                legacy = Some(Legacy { since: member.since, last, shown });
                let until = until.min(member.until);
                stream.members.insert(key.into(), Member { until, ..member });
            }
        }
        legacy
    }

    pub(super) fn close_unheard(&mut self, now: Instant) {
        for stream in &mut self.streams {
            if stream.is_open() && stream.members.is_empty() {
                stream.closed_at = now;
            }
        }
    }

    /// What the next versions of a page are compared with, of each kind.
    pub(super) fn last_elements(&self, url: &str) -> impl Iterator<Item = u32> {
        let open =
            self.streams.iter().filter(move |stream| stream.is_open() && *stream.url == *url);
        open.flat_map(|stream| stream.last_of_each_kind().0).map(|(number, _)| number)
    }

    /// A person asks for a look at a page; nobody may ask for one that nobody watches.
    pub(super) fn asked(&mut self, url: &str, at: Instant) {
        if self.streams.iter().any(|stream| stream.is_open() && *stream.url == *url) {
            self.asked.insert(url.into(), at);
        }
    }

    /// A look that started at `start` came to `showing`.
    pub(super) fn probed(&mut self, url: &str, start: Instant, showing: &Showing) -> Heard {
        let mut heard = Heard::default();
        let for_person = self.asked.get(url).is_some_and(|at| *at <= start);
        if for_person {
            self.asked.remove(url);
        }
        for stream in &mut self.streams {
            if *stream.url != *url || !stream.is_open() {
                continue;
            }
            let mut k = None;
            if let (Some((_, slack)), Some(t0)) = (stream.every, stream.t0) {
                let number = stream.number_at(start).unwrap_or_default();
                // One that was over before anybody was there is nobody's.
                let holds = |at: Instant| start.max(stream.opened_at) <= at + slack;
                let inside = start >= t0 && stream.nth(number).is_some_and(holds);
                // Before its first interval a stream wants its first element.
                if start < t0 && start >= stream.opened_at && stream.elements.is_empty() {
                    if let Showing::Versions(versions) = showing
                        && let Some(newest) = versions.last()
                    {
                        stream.enter(start, newest, &mut heard.pairs);
                    }
                    continue;
                }
                let is_new = inside && stream.captured.last().is_none_or(|&last| last < number);
                if !is_new && (!for_person || stream.elements.is_empty()) {
                    continue;
                }
                k = is_new.then_some(number);
            }
            match showing {
                Showing::Nothing => {}
                Showing::Blank(version) => stream.tell_blank(start, version, &mut heard.pairs),
                Showing::Versions(versions) => {
                    heard.captured += k.iter().count() as u64;
                    stream.captured.extend(k);
                    // Where times are fixed there is one element a capture; and one baseline.
                    let all = stream.every.is_none() && !stream.elements.is_empty();
                    let skipped = if all { 0 } else { versions.len() - 1 };
                    for version in &versions[skipped..] {
                        stream.enter(start, version, &mut heard.pairs);
                    }
                }
            }
        }
        heard
    }

    /// The server says where the intervals of a stream begin: where a clock is written, there; else
    /// within a period after it was opened, and a period later while nobody could look for a
    /// baseline.
    pub(super) fn begun(&mut self, url: &str, row: &StreamRow) -> Result<(), String> {
        let StreamSpec::Every { t0, period, slack, zone } = &row.spec else { return Ok(()) };
        let every = Some((period.nominal(), *slack));
        let known = self.streams.iter_mut().find(|stream| stream.id == Some(row.id));
        if let Some(stream) = known {
            let waits = stream.is_loose && stream.elements.is_empty();
            let later = stream.nth(1).filter(|_| waits);
            return if stream.t0 == Some(*t0) {
                Ok(())
            } else if later == Some(*t0) {
                stream.t0 = later;
                Ok(())
            } else {
                Err(format!("the intervals of {url} moved to {t0}"))
            };
        }
        let fits = |stream: &&mut Stream| {
            let begins = stream.t0.is_none_or(|begins| begins == *t0);
            let is_like = stream.every == every && stream.wall.name == zone.name();
            stream.id.is_none() && *stream.url == *url && is_like && begins
        };
        let Some(stream) = self.streams.iter_mut().find(fits) else { return Ok(()) };
        stream.id = Some(row.id);
        if stream.t0.replace(*t0).is_none() {
            let from = stream.opened_at;
            let latest = (from + period.nominal()).min(stream.latest - *slack).max(from);
            if *t0 < from || *t0 > latest {
                return Err(format!("{url} is to begin by {latest}, and begins at {t0}"));
            }
        }
        Ok(())
    }

    /// The last look in the window of a digest of this period that ends then.
    pub(super) fn last_look(&self, name: &str, (digest, ends): (Span, Instant)) -> Option<Look> {
        let stream = self.streams.iter().find(|stream| stream.members.contains_key(name))?;
        let ((_, slack), t0) = (stream.every?, stream.t0?);
        let about = (ends - t0).as_millis() / digest.as_millis();
        let window = (about - 1..=about + 1).find(|&k| stream.after(t0, digest, k) == ends)?;
        let begins = stream.after(t0, digest, window - 1);
        let number = stream.number_at(ends - Span::from_millis(1)).filter(|number| *number >= 0)?;
        let start = stream.nth(number).filter(|start| begins <= *start)?;
        let is_captured = stream.captured.last().is_some_and(|&last| last >= number);
        Some(Look { finish: start + slack, is_captured })
    }

    /// Every interval that starts between two moments, of a stream that was open all the while, is
    /// captured.
    pub(super) fn all_captured(&self, (from, to): (Instant, Instant)) -> Result<(), String> {
        for stream in &self.streams {
            let first = stream.number_at(from).map_or(0, |number| number + 1);
            for k in first.max(0).. {
                let Some(start) = stream.nth(k) else { break };
                if start >= to || stream.closed_at <= to || stream.ends_by(to) {
                    break;
                }
                if !stream.captured.contains(&k) && start >= stream.opened_at {
                    let url = &stream.url;
                    return Err(format!("L-QUIET: the interval at {start} of {url} was missed"));
                }
            }
        }
        Ok(())
    }
}

impl Stream {
    /// When its interval of this number begins.
    fn nth(&self, number: i64) -> Option<Instant> {
        let ((period, _), t0) = (self.every?, self.t0?);
        Some(self.after(t0, period, number))
    }

    /// So many periods later; what comes every day comes at the same time of day.
    fn after(&self, t0: Instant, period: Span, number: i64) -> Instant {
        if period == Span::DAY {
            self.wall.days_after(t0, number)
        } else {
            t0 + period.times(number)
        }
    }

    /// The last interval that begins by then.
    fn number_at(&self, at: Instant) -> Option<i64> {
        let since = at - self.t0?;
        // No day is longer than 25 hours, or shorter than 23.
        let about = since.as_millis().div_euclid(self.every?.0.as_millis());
        (about - 1..=about + 1).rev().find(|&number| self.nth(number).is_some_and(|nth| nth <= at))
    }

    fn is_open(&self) -> bool {
        self.closed_at == Instant::NEVER
    }

    fn ends_by(&self, at: Instant) -> bool {
        self.members.values().all(|member| member.until <= at)
    }

    fn kinds(&self) -> usize {
        self.last_of_each_kind().0.len()
    }

    fn of_first_kind(&self) -> usize {
        let Some((_, first)) = self.elements.first() else { return 0 };
        self.elements.iter().filter(|(_, content)| content.kind == first.kind).count()
    }

    /// In the order of versions, and which of them is shown.
    fn last_of_each_kind(&self) -> (Vec<Version>, usize) {
        let mut last: Vec<usize> = Vec::new();
        for (at, (_, content)) in self.elements.iter().enumerate() {
            last.retain(|&other| self.elements[other].1.kind != content.kind);
            last.push(at);
        }
        let shown = last.iter().position(|&at| at == self.shown).unwrap_or(0);
        (last.into_iter().map(|at| self.elements[at].clone()).collect(), shown)
    }

    /// It goes on from the same contents.
    fn stands_where(&self, (last, shown): (&[Version], usize)) -> bool {
        let (mine, mine_shown) = self.last_of_each_kind();
        let content = |version: &Version| version.1.clone();
        mine.len() == last.len()
            && mine.iter().all(|one| last.iter().any(|other| one.1 == other.1))
            && mine.get(mine_shown).map(content) == last.get(shown).map(content)
    }

    /// Who is there hears once of a page that stays blank, however they compare.
    fn tell_blank(&mut self, start: Instant, version: &Version, pairs: &mut Vec<ToldPair>) {
        if self.elements.is_empty() || self.blank == version.0 {
            return;
        }
        self.blank = version.0;
        let from = self.elements[self.shown].clone();
        for (name, member) in &self.members {
            if member.since <= start && start < member.until {
                let (name, from, to) = (name.clone(), from.clone(), version.clone());
                pairs.push(ToldPair { name, from, to, earlier: Vec::new() });
            }
        }
    }

    fn enter(&mut self, start: Instant, version: &Version, pairs: &mut Vec<ToldPair>) {
        let content = &version.1;
        let alike: Vec<usize> = (0..self.elements.len())
            .filter(|&at| self.elements[at].1.kind == content.kind)
            .collect();
        if let Some(&last) = alike.last()
            && self.elements[last].1 == *content
        {
            self.shown = last;
            return;
        }
        let before = std::mem::replace(&mut self.shown, self.elements.len());
        self.elements.push(version.clone());
        let is_first_kind = self.elements[0].1.kind == content.kind;
        for (name, member) in &self.members {
            let step = match member.compare {
                Compare::Pairwise => 1,
                Compare::Moving(n) | Compare::Every(n) => n as usize - 1,
            };
            let first = if is_first_kind { member.first } else { 0 };
            let nth = alike.len();
            let is_due = match member.compare {
                Compare::Every(_) => nth > first && (nth - first).is_multiple_of(step),
                _ => true,
            };
            let older = if alike.is_empty() {
                // A new kind: all hear of it once, against what was there.
                (self.elements.len() > 1).then_some(before)
            } else {
                (is_due && nth >= step).then(|| alike[nth - step])
            };
            let Some(older) = older else { continue };
            if member.since <= start && start < member.until {
                let (from, to) = (self.elements[older].clone(), version.clone());
                let is_alike = from.1.kind == to.1.kind;
                let before = self.elements[..older].iter().rev().map(|(_, content)| content);
                let alike = before.filter(|before| is_alike && before.kind == to.1.kind);
                let earlier = alike.take(LOOKED_BACK).cloned().collect();
                pairs.push(ToldPair { name: name.clone(), from, to, earlier });
            }
        }
    }
}
