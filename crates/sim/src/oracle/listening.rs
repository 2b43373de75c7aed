//! Streams and their listeners, slowly and obviously: every element is kept, nothing is shared.

use crate::world::{Compare, Content, Spec};
use chronon::{Instant, Span, StreamId};
use kernel::record::{StreamRow, StreamSpec};
use std::collections::BTreeMap;

/// A version: its number and what it showed.
pub(super) type Version = (u32, Content);

/// A pair that a sentinel is to hear of, if its condition holds.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) name: Box<str>,
    pub(super) from: Version,
    pub(super) to: Version,
}

/// What one successful probe brought.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) pairs: Vec<Place>,
    pub(super) captured: u64,
}

#[derive(Debug)]
struct Stream {
    url: Box<str>,
    /// Period and slack; `None`: every version.
    every: Option<(Span, Span)>,
    /// Of the first interval: the clock that was written, else what the server chose, once it said.
    t0: Option<Instant>,
    id: Option<StreamId>,
    /// No interval may begin so late that it ends after the sentinel that opened the stream.
    latest: Instant,
    elements: Vec<Version>,
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
    /// Position of the element where its windows start.
    first: usize,
}

#[derive(Debug, Default)]
pub(super) struct Listening {
    /// In order of opening; closed ones stay for the record.
    streams: Vec<Stream>,
}

/// What an earlier text leaves to one that asks for the same source.
#[derive(Debug)]
pub(super) struct Legacy {
    since: Instant,
    last: Option<Version>,
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
        let last = legacy.and_then(|legacy| legacy.last);
        let every = spec.every;
        let fits = |stream: &Stream| {
            let clock = spec.from.filter(|_| every.is_some());
            let same = stream.every == every && (clock.is_none() || stream.t0 == clock);
            let shows = stream.elements.last().map(|(_, content)| content);
            let goes_on = last.as_ref().is_none_or(|(_, content)| shows == Some(content));
            stream.is_open() && stream.url == spec.url && same && goes_on
        };
        let is_watched = self.streams.iter().any(|stream| {
            stream.is_open() && stream.url == spec.url && !stream.elements.is_empty()
        });
        let at = self.streams.iter().position(fits).unwrap_or(self.streams.len());
        if at == self.streams.len() {
            let cached = current.filter(|_| every.is_none() && is_watched);
            self.streams.push(Stream {
                url: spec.url.clone(),
                every,
                t0: spec.from,
                id: None,
                latest: spec.to.unwrap_or(Instant::NEVER),
                elements: last.or(cached).into_iter().collect(),
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
            first: stream.elements.len().saturating_sub(1),
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
                legacy = Some(Legacy { since, last: stream.elements.last().cloned() });
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

    /// A probe that started at `start` succeeded, and `version` is current.
    pub(super) fn probed(&mut self, url: &str, start: Instant, version: (u32, &Content)) -> Heard {
        let mut heard = Heard::default();
        for stream in &mut self.streams {
            if *stream.url != *url || !stream.is_open() {
                continue;
            }
            if let (Some((period, slack)), Some(t0)) = (stream.every, stream.t0) {
                let since = start - t0;
                let k = since.as_millis().div_euclid(period.as_millis());
                let inside = since >= Span::ZERO && start <= t0 + period.times(k) + slack;
                // Before its first interval a stream wants its first element.
                if start < t0 && start >= stream.opened_at && stream.elements.is_empty() {
                    stream.enter(start, version, &mut heard.pairs);
                    continue;
                }
                if !inside || stream.captured.last().is_some_and(|&last| last >= k) {
                    continue;
                }
                stream.captured.push(k);
                heard.captured += 1;
            }
            stream.enter(start, version, &mut heard.pairs);
        }
        heard
    }

    /// The server says where the intervals of a stream begin: where a clock is written, there; else
    /// within a period after it was opened, once and for all.
    pub(super) fn begun(&mut self, url: &str, row: &StreamRow) -> Result<(), String> {
        let StreamSpec::Every { t0, period, slack, .. } = &row.spec else { return Ok(()) };
        let every = Some((period.nominal(), *slack));
        let known = self.streams.iter().find(|stream| stream.id == Some(row.id));
        if let Some(stream) = known {
            let moved = stream.t0 != Some(*t0);
            return if moved {
                Err(format!("the intervals of {url} moved to {t0}"))
            } else {
                Ok(())
            };
        }
        let fits = |stream: &&mut Stream| {
            let begins = stream.t0.is_none_or(|begins| begins == *t0);
            stream.id.is_none() && *stream.url == *url && stream.every == every && begins
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

    /// Every interval that starts between two moments, of a stream that was open all the while, is
    /// captured.
    pub(super) fn all_captured(&self, (from, to): (Instant, Instant)) -> Result<(), String> {
        for stream in &self.streams {
            let (Some((period, _)), Some(t0)) = (stream.every, stream.t0) else { continue };
            let first = (from - t0).as_millis().div_euclid(period.as_millis()) + 1;
            for k in first.max(0).. {
                let start = t0 + period.times(k);
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
    fn is_open(&self) -> bool {
        self.closed_at == Instant::NEVER
    }

    fn ends_by(&self, at: Instant) -> bool {
        self.members.values().all(|member| member.until <= at)
    }

    fn enter(
        &mut self,
        start: Instant,
        (number, content): (u32, &Content),
        pairs: &mut Vec<Place>,
    ) {
        if self.elements.last().is_some_and(|(_, last)| last == content) {
            return;
        }
        self.elements.push((number, content.clone()));
        let newest = self.elements.len() - 1;
        for (name, member) in &self.members {
            let step = match member.compare {
                Compare::Pairwise => 1,
                Compare::Moving(n) | Compare::Every(n) => n as usize - 1,
            };
            let is_due = match member.compare {
                Compare::Every(_) => {
                    newest > member.first && (newest - member.first).is_multiple_of(step)
                }
                _ => true,
            };
            if is_due && newest >= step && member.since <= start && start < member.until {
                let (from, to) =
                    (self.elements[newest - step].clone(), self.elements[newest].clone());
                pairs.push(Place { name: name.clone(), from, to });
            }
        }
    }
}
