//! Execution intervals of streams: wanted, captured, missed, and whose turn it is.

use super::streams::StreamEntry;
use super::{Out, Timer, Watch};
use crate::record::{Held, StreamSpec};
use crate::view::Missed;
use chronon::{Instant, Period, SourceId, Span, StreamId, Zone};
use schedule::{CeiId, EiId, Event, Obstacle};

/// An EI that waits for its capture.
#[derive(Clone, Copy)]
pub(super) struct OpenEi {
    pub(super) cei: CeiId,
    pub(super) what: Wanted,
    start: Instant,
    finish: Instant,
}

impl OpenEi {
    /// A probe that starts then is inside.
    pub(super) fn holds(&self, start: Instant) -> bool {
        self.start <= start && start <= self.finish
    }
}

/// What the capture of an EI brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The stream's first element, before its first interval begins.
    Baseline,
    /// What the interval of this stream is for: `next_ei` counts it.
    Interval,
    /// What a person asked for, between two intervals of a capture.
    Asked,
}

/// The looks of a stream with a clock, and how many of them are done with, rounds and all.
#[derive(Debug, Clone)]
pub(crate) struct Looks {
    pub(crate) t0: Instant,
    pub(crate) period: Period,
    pub(crate) zone: Zone,
    pub(crate) settled: u64,
}

impl StreamEntry {
    pub(super) fn looks(&self) -> Option<Looks> {
        let StreamSpec::Every { t0, period, ref zone, .. } = self.spec else { return None };
        Some(Looks { t0, period, zone: zone.clone(), settled: self.settled })
    }

    /// EIs that passed while nobody ran are missed; the count starts at the first open one. It
    /// may be captured already, but none after it, unless a clock was ahead for a while: what was
    /// captured then is asked for again when it comes. Says how many were missed.
    pub(super) fn catch_up(&mut self, now: Instant) -> u64 {
        let Some(open) = first_open_ei(&self.spec, now).filter(|_| self.ei.is_none()) else {
            return 0;
        };
        let missed = open.saturating_sub(self.next_ei);
        let believable = self.next_ei <= open + 1;
        self.next_ei = if believable { open.max(self.next_ei) } else { open };
        missed
    }
}

impl Watch {
    /// Tells the scheduler of the stream's next EI, unless it knows it. A look brings what all
    /// that were passed over before it would have brought: so where more are due at one moment
    /// than can be made, they take turns.
    pub(super) fn want_ei(&mut self, id: StreamId) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        if stream.captures.is_some() {
            return self.want_captures(id);
        }
        let StreamSpec::Every { t0, period, slack, ref zone } = stream.spec else { return };
        if stream.ei.is_some() {
            return;
        }
        let next = period.nth(t0, stream.next_ei, zone);
        let is_new = stream.next_ei == 0 && stream.strands.is_empty();
        // What the first interval brings as well is not urgent before that is.
        let (what, start, until, finish) = if is_new && self.now < next {
            (Wanted::Baseline, self.now, next - Span::from_millis(1), next + slack)
        } else {
            (Wanted::Interval, next, next + slack, next + slack)
        };
        let (utility, source) = (stream.utility(), stream.source);
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.eis = entry.eis.wrapping_add(1);
        let number = (u64::from(source.0) << 32) | u64::from(entry.eis);
        let (ei, cei) = (EiId(number), CeiId(number));
        stream.ei = Some(Box::new(OpenEi { cei, what, start, finish: until }));
        self.scheduler.handle(self.now, Event::EiAdded { ei, cei, source, start, finish, utility });
        // One millisecond past the finish: a probe that starts at the finish is inside.
        self.timers.set(until + Span::from_millis(1), Timer::EiOver(id));
    }

    /// The look that the stream waits for is worth what its listeners weigh now.
    pub(super) fn reweigh(&mut self, id: StreamId, before: u64, after: u64) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.weight = stream.weight + after - before;
        self.renew_ei(id);
    }

    /// The EI's finish has passed: it is missed, unless the probe in flight may still capture it.
    pub(super) fn ei_over(&mut self, id: StreamId) {
        let Some(stream) = self.streams.get(&id) else { return };
        if stream.captures.is_some() {
            return self.captures_over(id);
        }
        let Some(open) = stream.ei.as_deref().copied().filter(|open| open.finish < self.now) else {
            return;
        };
        let probing = self.sources[&stream.source].probing_since;
        if probing.is_some_and(|start| open.holds(start)) {
            return;
        }
        match open.what {
            Wanted::Baseline => self.baseline_over(id),
            Wanted::Interval | Wanted::Asked => self.missed(id, open),
        }
    }

    /// The first interval begins before the look for a baseline came: it is to bring it.
    fn baseline_over(&mut self, id: StreamId) {
        if let Some(stream) = self.streams.get_mut(&id) {
            stream.misses_mut().baseline = true;
        }
        self.renew_ei(id);
    }

    /// Nobody could look for a baseline until the first interval was over: the intervals begin a
    /// period later, and the look is wanted until then. The longer it waits, the more others of
    /// its host give way. Where a clock is written there is no such look.
    fn put_off(&mut self, id: StreamId) -> bool {
        let Some(stream) = self.streams.get_mut(&id) else { return false };
        let waits = stream.misses.as_ref().is_some_and(|misses| misses.baseline);
        let StreamSpec::Every { t0, period, zone, .. } = &mut stream.spec else { return false };
        if !waits || stream.next_ei > 0 || !stream.strands.is_empty() {
            return false;
        }
        *t0 = period.nth(*t0, 1, zone);
        let misses = stream.misses_mut();
        misses.passed_over = misses.passed_over.saturating_add(1);
        self.touched.streams.insert(id);
        self.renew_ei(id);
        true
    }

    fn missed(&mut self, id: StreamId, open: OpenEi) {
        let Some(stream) = self.streams.get(&id) else { return };
        let (why, tried) = self.why_missed(stream.source, open.start);
        if !tried && self.put_off(id) {
            return;
        }
        self.count_missed(id, why, tried);
        self.next_interval(id);
    }

    /// Why a look at the source that was wanted from `start` on did not come, and whether it was
    /// tried.
    pub(super) fn why_missed(&self, source: SourceId, start: Instant) -> (Missed, bool) {
        let row = &self.sources[&source].row;
        let last_probe = self.scheduler.record(row.id).and_then(|record| record.last_probe);
        let tried = last_probe.is_some_and(|last| start <= last);
        // Only the beginning of doubt that goes on is known; no look since then brought anything.
        let is_open = |held: &Held| tried && held.is_pending() && row.failures == 0;
        let held = row.held.as_deref();
        let doubtful = held.is_some_and(|held| start <= held.seen || is_open(held));
        let why = match self.scheduler.hindrance(self.now, row.id) {
            _ if doubtful => Missed::Doubtful,
            _ if tried && row.failures > 0 => Missed::Failed,
            Some(obstacle) => Missed::Waited(obstacle),
            None => Missed::TooShort,
        };
        (why, tried)
    }

    pub(super) fn count_missed(&mut self, id: StreamId, why: Missed, tried: bool) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        self.counts.eis_missed += 1;
        self.counts.eis_passed_over += u64::from(!tried);
        let misses = stream.misses_mut();
        (misses.missed, misses.why) = (misses.missed + 1, Some(why));
        misses.passed_over = if tried { 0 } else { misses.passed_over.saturating_add(1) };
    }

    /// What the scheduler knows of the stream's EI is not so any more.
    pub(super) fn renew_ei(&mut self, id: StreamId) {
        self.renew_captures(id);
        let open = self.streams.get_mut(&id).and_then(|stream| stream.ei.take());
        if let Some(open) = open {
            self.scheduler.handle(self.now, Event::CeiDropped { cei: open.cei });
        }
        self.want_ei(id);
    }

    /// The stream's EI is done with; on to the first that is not over. Those between passed while
    /// the look that decided this one was on its way.
    pub(super) fn next_interval(&mut self, id: StreamId) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let Some(open) = first_open_ei(&stream.spec, self.now) else { return };
        let next = stream.next_ei + 1;
        let skipped = open.saturating_sub(next);
        if skipped > 0 {
            self.counts.eis_missed += skipped;
            let misses = stream.misses_mut();
            misses.missed += skipped;
            misses.why = Some(Missed::Waited(Obstacle::InFlight));
        }
        stream.next_ei = next + skipped;
        stream.ei = None;
        let source = stream.source;
        self.touched.streams.insert(id);
        self.out.push_back(Out::Decided { stream: id, source });
        self.want_ei(id);
    }

    pub(super) fn captured(&mut self, id: StreamId, what: Wanted) {
        if what == Wanted::Baseline {
            return self.renew_ei(id);
        }
        self.counts.eis_captured += 1;
        if let Some(stream) = self.streams.get_mut(&id) {
            stream.count_captured();
        }
        self.next_interval(id);
    }

    /// The EIs that waited for a probe in flight which is over.
    pub(super) fn settle_streams(&mut self, source: SourceId) {
        let streams = self.sources[&source].streams.clone();
        for &id in streams.iter() {
            self.ei_over(id);
        }
    }

    /// No round of the stream is open: what is decided is done with. Gives its looks, if any.
    pub(crate) fn settle(&mut self, id: StreamId) -> Option<Looks> {
        let stream = self.streams.get_mut(&id)?;
        stream.settled = stream.next_ei;
        stream.looks()
    }

    pub(crate) fn looks(&self, id: StreamId) -> Option<Looks> {
        self.streams.get(&id)?.looks()
    }
}

/// The first k whose EI [t0 + kD, t0 + kD + S] is not over at `now`.
pub(super) fn first_open_ei(spec: &StreamSpec, now: Instant) -> Option<u64> {
    let StreamSpec::Every { t0, period, slack, zone } = spec else { return None };
    let k = period.index_at(*t0, now, zone);
    Some(if period.nth(*t0, k, zone) + *slack >= now { k } else { k + 1 })
}
