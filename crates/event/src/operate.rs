//! What each operator keeps, and what it raises, in each context.
//!
//! A node has a queue for each of its parts. Occurrences arrive in the order of their ends, so
//! those that ended before a given start are the head of a queue.

use crate::expr::{Context, Operator, Step};
use crate::occurrence::{Making, Occurrence};
use crate::rows::{NodeId, Note};
use chronon::Instant;
use std::collections::{BTreeSet, VecDeque};
use std::ops::RangeInclusive;

/// An occurrence that waits at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Open {
    pub seq: u64,
    pub occurrence: Occurrence,
    pub note: Note,
}

/// What waits at a node, by part; oldest first.
pub(crate) type Queues = Vec<VecDeque<Open>>;

/// A timer: when it is due, the number of the occurrence, and where that waits.
pub(crate) type Timer = (Instant, u64, usize);

/// A row that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Touched {
    pub node: NodeId,
    pub place: usize,
    pub role: u8,
    /// The occurrence's number; 0 for the node itself.
    pub seq: u64,
}

/// What the nodes share while they work.
#[derive(Debug, Default)]
pub(crate) struct Bench {
    pub next: u64,
    /// The open occurrences that changed: where they wait or waited, as which part, and their
    /// number; the node's own row is the number 0.
    pub changed: Vec<Touched>,
    pub timers: BTreeSet<Timer>,
    /// Open occurrences of all nodes.
    pub open: usize,
    /// What the node at work raises.
    pub raised: Vec<Occurrence>,
    /// What the limits cost the node at work.
    pub dropped: u64,
}

/// The limits that a node keeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub open_max: usize,
    pub open_all_max: usize,
    pub marks_max: usize,
    pub raised_max: usize,
}

/// A node at work.
pub(crate) struct Site<'a> {
    pub id: NodeId,
    pub index: usize,
    pub operator: &'a Operator,
    pub context: Context,
    /// What closes its intervals has no duration.
    pub is_closed_at_once: bool,
    pub queues: &'a mut Queues,
    pub bench: &'a mut Bench,
    pub bounds: Bounds,
}

const OPENS: u8 = 0;
const INSIDE: u8 = 1;
/// The queue of partial occurrences of `any` in continuous context.
const PARTIAL: u8 = 0;
/// How many overdue ticks a timer makes up for; earlier ones are dropped.
const LATE_TICKS_MAX: u64 = 100;

impl Site<'_> {
    /// An occurrence of the part `role` arrives.
    pub fn take(&mut self, role: u8, it: Occurrence) {
        match (self.operator, role) {
            (Operator::Or, _) => self.raise_once(it),
            (Operator::And, role) => self.and(role, it),
            (Operator::Seq, OPENS) => self.open(it, Note::Plain),
            (Operator::Seq, _) => self.seq(&it),
            (Operator::Not, OPENS) => {
                self.forget_spoiled(it.end);
                self.open(it, Note::Plain);
            }
            (Operator::Not, INSIDE) => self.spoil(&it),
            (Operator::Not, _) => self.not(&it),
            (Operator::Each | Operator::All, OPENS) => {
                if self.context == Context::Recent {
                    self.clear(INSIDE);
                }
                self.open(it, Note::Plain);
            }
            (Operator::Each, INSIDE) => self.each(it),
            (Operator::All, INSIDE) => self.gather(it),
            (Operator::Each, _) => self.each_over(&it),
            (Operator::All, _) => self.all(&it),
            (Operator::Every(step), OPENS) => {
                let at = step.nth(it.end, 1);
                self.open(it, Note::Due { at, k: 1 });
            }
            (Operator::Every(_), _) => self.every_over(&it),
            (Operator::Collect(_), OPENS) => self.open(it, Note::Plain),
            (Operator::Collect(step), _) => self.collect(&it, step),
            (Operator::Plus(step), _) => self.plus(it, step),
            (Operator::Any(least), role) => self.any(*least as usize, role, it),
        }
    }

    /// The clock comes to what is due here.
    pub fn fire(&mut self, seq: u64, now: Instant) {
        let Ok(place) = self.queues[0].binary_search_by_key(&seq, |open| open.seq) else { return };
        match self.operator {
            Operator::Plus(_) => self.fire_plus(place, now),
            Operator::Every(step) => self.fire_every(place, now, step),
            _ => {}
        }
    }

    fn and(&mut self, role: u8, it: Occurrence) {
        let other = 1 - role;
        let pair = |with: &Occurrence| Making::new().with(with).with(&it);
        match self.context {
            Context::Recent => {
                if let Some(newest) = self.queues[usize::from(other)].back() {
                    let made = pair(&newest.occurrence);
                    self.make(made, it.end);
                }
                self.put(role, it, Note::Plain);
            }
            Context::Chronicle => match self.pop(other) {
                Some(oldest) => self.make(pair(&oldest.occurrence), it.end),
                None => self.put(role, it, Note::Plain),
            },
            Context::Continuous | Context::Cumulative => {
                let partners = self.drain(other);
                if partners.is_empty() {
                    return self.put(role, it, Note::Plain);
                }
                self.with_each_or_all(&partners, &it);
            }
        }
    }

    fn seq(&mut self, it: &Occurrence) {
        let pair = |with: &Open| Making::new().with(&with.occurrence).with(it);
        match self.context {
            Context::Recent => {
                let newest = self.queues[0].back().filter(|open| open.occurrence.end < it.start);
                if let Some(made) = newest.map(pair) {
                    self.make(made, it.end);
                }
            }
            Context::Chronicle => {
                if let Some(oldest) = self.pop_before(it.start) {
                    self.make(pair(&oldest), it.end);
                }
            }
            Context::Continuous | Context::Cumulative => {
                let before = self.drain_before(it.start);
                self.with_each_or_all(&before, it);
            }
        }
    }

    /// What must not happen between has happened.
    fn spoil(&mut self, it: &Occurrence) {
        let spoiled = |open: &Open| matches!(open.note, Note::Spoiled(_));
        let from = self.queues[0].partition_point(spoiled);
        for place in from..self.queues[0].len() {
            let open = &mut self.queues[0][place];
            if open.occurrence.end >= it.start {
                return;
            }
            open.note = Note::Spoiled(it.end);
            self.write(OPENS, place);
        }
    }

    /// Where what closes has no duration, an interval that was spoiled earlier never holds.
    fn forget_spoiled(&mut self, now: Instant) {
        if !self.is_closed_at_once {
            return;
        }
        while let Some(Open { note: Note::Spoiled(at), .. }) = self.queues[0].front()
            && *at < now
        {
            self.pop(OPENS);
        }
    }

    fn not(&mut self, it: &Occurrence) {
        let holds = |open: &Open| !matches!(open.note, Note::Spoiled(at) if at < it.start);
        match self.context {
            Context::Recent => {
                let newest = self.queues[0].back().filter(|open| open.occurrence.end < it.start);
                match newest {
                    Some(open) if holds(open) => {
                        let made = Making::new().with(&open.occurrence).with(it);
                        self.make(made, it.end);
                    }
                    Some(_) => self.clear(OPENS),
                    None => {}
                }
            }
            Context::Chronicle => {
                while let Some(oldest) = self.pop_before(it.start) {
                    if holds(&oldest) {
                        return self.make(Making::new().with(&oldest.occurrence).with(it), it.end);
                    }
                }
            }
            Context::Continuous | Context::Cumulative => {
                let mut before = self.drain_before(it.start);
                before.retain(holds);
                self.with_each_or_all(&before, it);
            }
        }
    }

    fn each(&mut self, it: Occurrence) {
        let pair = |open: &Open| Making::new().with(&open.occurrence).with(&it);
        let opened = self.opened_before(it.start);
        match self.context {
            Context::Recent | Context::Chronicle | Context::Continuous => {
                for place in 0..opened {
                    let made = pair(&self.queues[0][place]);
                    self.make(made, it.end);
                }
            }
            Context::Cumulative => {
                if opened == 0 {
                    return;
                }
                let end = it.end;
                self.put(INSIDE, it, Note::Plain);
                for place in 0..opened {
                    let made = self.with_inside(place..place + 1);
                    self.make(made, end);
                }
            }
        }
    }

    fn each_over(&mut self, it: &Occurrence) {
        match self.context {
            Context::Chronicle => drop(self.pop_before(it.start)),
            _ => drop(self.drain_before(it.start)),
        }
        self.forget_inside();
    }

    /// What is inside of an interval that is open waits for its end.
    fn gather(&mut self, it: Occurrence) {
        if self.opened_before(it.start) > 0 {
            self.put(INSIDE, it, Note::Plain);
        }
    }

    fn all(&mut self, it: &Occurrence) {
        let opened = self.opened_before(it.start);
        let each = match self.context {
            Context::Recent | Context::Chronicle => opened.min(1),
            Context::Continuous | Context::Cumulative => opened,
        };
        let mut made = Vec::new();
        if self.context == Context::Cumulative {
            made.push(self.with_inside(0..each));
        } else {
            made.extend((0..each).map(|place| self.with_inside(place..place + 1)));
        }
        for mut making in made {
            if making.gathered() > 0 {
                making.add(it);
                self.make(making, it.end);
            }
        }
        for _ in 0..each {
            self.pop(OPENS);
        }
        self.forget_inside();
    }

    /// These intervals, with what is inside of the first.
    fn with_inside(&self, places: std::ops::Range<usize>) -> Making {
        let mut making = Making::new();
        let Some(first) = self.queues[0].get(places.start).filter(|_| !places.is_empty()) else {
            return making;
        };
        self.queues[0].range(places).for_each(|open| making.add(&open.occurrence));
        for inside in &self.queues[usize::from(INSIDE)] {
            if first.occurrence.end < inside.occurrence.start {
                making.gather(&inside.occurrence);
            }
        }
        making
    }

    /// What is inside of no open interval any more goes.
    fn forget_inside(&mut self) {
        let Some(first) = self.queues[0].front().map(|open| open.occurrence.end) else {
            return self.clear(INSIDE);
        };
        while let Some(inside) = self.queues[usize::from(INSIDE)].front()
            && inside.occurrence.start <= first
        {
            self.pop(INSIDE);
        }
    }

    fn fire_every(&mut self, place: usize, now: Instant, step: &Step) {
        let open = &self.queues[0][place];
        let Note::Due { k, .. } = open.note else { return };
        let from = open.occurrence.end;
        let mut making = Making::new().with(&open.occurrence);
        if self.context == Context::Cumulative {
            let first = (k + 1).saturating_sub(self.bounds.marks_max as u64).max(1);
            self.bench.dropped += first - 1;
            (first..=k).for_each(|k| making.tick(step.nth(from, k)));
        } else {
            making.clock(now);
        }
        let (made, over) = making.moment(now, self.bounds.marks_max);
        self.bench.dropped += over as u64;
        self.raise(made);
        let (seq, at) = (self.queues[0][place].seq, step.nth(from, k + 1));
        self.queues[0][place].note = Note::Due { at, k: k + 1 };
        self.bench.timers.insert((at, seq, self.index));
        self.write(OPENS, place);
    }

    /// A timer that is late by more ticks than are made up for goes on from the last ones.
    pub fn catch_up(&mut self, seq: u64, to: Instant) {
        let Operator::Every(step) = self.operator else { return };
        let Ok(place) = self.queues[0].binary_search_by_key(&seq, |open| open.seq) else { return };
        let open = &mut self.queues[0][place];
        let Note::Due { at, k } = open.note else { return };
        let from = open.occurrence.end;
        let last = step.period.index_at(from, to, &step.zone);
        if last < k + LATE_TICKS_MAX {
            return;
        }
        let next = last + 1 - LATE_TICKS_MAX;
        self.bench.dropped += next - k;
        self.bench.timers.remove(&(at, seq, self.index));
        let at = step.nth(from, next);
        open.note = Note::Due { at, k: next };
        self.bench.timers.insert((at, seq, self.index));
        self.write(OPENS, place);
    }

    fn every_over(&mut self, it: &Occurrence) {
        match self.context {
            Context::Chronicle => drop(self.pop_before(it.start)),
            _ => drop(self.drain_before(it.start)),
        }
    }

    fn collect(&mut self, it: &Occurrence, step: &Step) {
        let before = match self.context {
            Context::Chronicle => self.pop_before(it.start).into_iter().collect(),
            _ => self.drain_before(it.start),
        };
        let mut max = self.bounds.marks_max as u64;
        if self.context == Context::Cumulative {
            max = max / before.len().max(1) as u64 + 1;
        }
        let mut making = Making::new();
        for open in &before {
            making.add(&open.occurrence);
            let (ticks, dropped) = newest_ticks(open, it.end, step, max);
            self.bench.dropped += dropped;
            ticks.for_each(|k| making.tick(step.nth(open.occurrence.end, k)));
            if self.context != Context::Cumulative {
                self.collected(std::mem::replace(&mut making, Making::new()), it);
            }
        }
        self.collected(making, it);
    }

    fn collected(&mut self, mut making: Making, it: &Occurrence) {
        if making.gathered() > 0 {
            making.add(it);
            self.make(making, it.end);
        }
    }

    fn plus(&mut self, it: Occurrence, step: &Step) {
        let due = Note::Due { at: step.nth(it.end, 1), k: 1 };
        match self.context {
            Context::Recent | Context::Chronicle | Context::Continuous => self.open(it, due),
            Context::Cumulative if self.queues[0].is_empty() => self.open(it, due),
            // The timer is the first one's: what finds no room is the last.
            Context::Cumulative if self.is_full(OPENS) => self.bench.dropped += 1,
            Context::Cumulative => self.open(it, Note::Plain),
        }
    }

    fn fire_plus(&mut self, place: usize, now: Instant) {
        let fired: Vec<Open> = match self.context {
            Context::Cumulative => self.drain(OPENS),
            _ => self.remove(OPENS, place).into_iter().collect(),
        };
        let mut making = Making::new();
        fired.iter().for_each(|open| making.add(&open.occurrence));
        making.clock(now);
        let (made, over) = making.moment(now, self.bounds.marks_max);
        self.bench.dropped += over as u64;
        self.raise(made);
    }

    fn any(&mut self, least: usize, role: u8, it: Occurrence) {
        let end = it.end;
        if least <= 1 {
            return self.raise_once(it);
        }
        if self.context == Context::Continuous {
            return self.any_partial(least, role, it);
        }
        self.put(role, it, Note::Plain);
        let types = self.queues.iter().filter(|queue| !queue.is_empty()).count();
        if types < least {
            return;
        }
        let mut parts: Vec<Open> = Vec::new();
        match self.context {
            Context::Recent => {
                parts.extend(self.queues.iter().filter_map(|queue| queue.back().cloned()));
                parts.sort_by_key(|open| open.seq);
                parts.drain(..parts.len() - least);
            }
            Context::Chronicle => {
                parts.extend((0..self.queues.len() as u8).filter_map(|role| self.pop(role)));
            }
            Context::Continuous | Context::Cumulative => {
                parts.extend((0..self.queues.len() as u8).flat_map(|role| self.drain(role)));
            }
        }
        parts.sort_by_key(|open| open.seq);
        let mut making = Making::new();
        parts.iter().for_each(|open| making.add(&open.occurrence));
        self.make(making, end);
    }

    fn any_partial(&mut self, least: usize, role: u8, it: Occurrence) {
        let bit = 1_u64 << role;
        let mut place = 0;
        let mut completes = false;
        while let Some(open) = self.queues[usize::from(PARTIAL)].get_mut(place) {
            let Note::Types(types) = open.note else { return };
            if types & bit != 0 {
                place += 1;
                continue;
            }
            let making = Making::new().with(&open.occurrence).with(&it);
            if (types | bit).count_ones() as usize >= least {
                completes = true;
                self.remove(PARTIAL, place);
                self.make(making, it.end);
            } else {
                let (grown, over) = making.done(it.end, self.bounds.marks_max);
                self.bench.dropped += over as u64;
                open.occurrence = grown;
                open.note = Note::Types(types | bit);
                self.write(PARTIAL, place);
                place += 1;
            }
        }
        if !completes {
            self.put(PARTIAL, it, Note::Types(bit));
        }
    }

    /// One occurrence with each of these, or one with all.
    fn with_each_or_all(&mut self, them: &[Open], it: &Occurrence) {
        if self.context == Context::Cumulative {
            if them.is_empty() {
                return;
            }
            let mut making = Making::new();
            them.iter().for_each(|open| making.add(&open.occurrence));
            return self.make(making.with(it), it.end);
        }
        for open in them {
            self.make(Making::new().with(&open.occurrence).with(it), it.end);
        }
    }

    fn make(&mut self, making: Making, end: Instant) {
        let (made, over) = making.done(end, self.bounds.marks_max);
        self.bench.dropped += over as u64;
        self.raise(made);
    }

    fn raise(&mut self, it: Occurrence) {
        if self.bench.raised.len() < self.bounds.raised_max {
            self.bench.raised.push(it);
        } else {
            self.bench.dropped += 1;
        }
    }

    /// The same occurrence may come by several ways at one moment.
    fn raise_once(&mut self, it: Occurrence) {
        if !self.bench.raised.iter().any(|other| other.is(&it)) {
            self.raise(it);
        }
    }

    fn open(&mut self, it: Occurrence, note: Note) {
        self.put(OPENS, it, note);
    }

    /// Waits; in recent context in the place of the one before.
    fn put(&mut self, role: u8, occurrence: Occurrence, note: Note) {
        let queue = usize::from(role);
        let gathers = matches!(self.operator, Operator::All | Operator::Each) && role == INSIDE;
        if self.context == Context::Recent && !gathers {
            self.clear(role);
        }
        if self.is_full(role) {
            self.bench.dropped += 1;
            if self.pop(role).is_none() {
                return;
            }
        }
        let seq = self.bench.next;
        self.bench.next += 1;
        self.bench.open += 1;
        if let Note::Due { at, .. } = note {
            self.bench.timers.insert((at, seq, self.index));
        }
        self.queues[queue].push_back(Open { seq, occurrence, note });
        self.write(role, self.queues[queue].len() - 1);
    }

    fn is_full(&self, role: u8) -> bool {
        self.bench.open >= self.bounds.open_all_max
            || self.queues[usize::from(role)].len() >= self.bounds.open_max
    }

    fn write(&mut self, role: u8, place: usize) {
        let seq = self.queues[usize::from(role)][place].seq;
        self.touch(role, seq);
    }

    fn touch(&mut self, role: u8, seq: u64) {
        let (node, place) = (self.id, self.index);
        self.bench.changed.push(Touched { node, place, role, seq });
    }

    fn gone(&mut self, role: u8, open: Open) -> Open {
        if let Note::Due { at, .. } = open.note {
            self.bench.timers.remove(&(at, open.seq, self.index));
        }
        self.bench.open -= 1;
        self.touch(role, open.seq);
        open
    }

    fn pop(&mut self, role: u8) -> Option<Open> {
        let open = self.queues[usize::from(role)].pop_front()?;
        Some(self.gone(role, open))
    }

    fn remove(&mut self, role: u8, place: usize) -> Option<Open> {
        let open = self.queues[usize::from(role)].remove(place)?;
        Some(self.gone(role, open))
    }

    fn drain(&mut self, role: u8) -> Vec<Open> {
        std::iter::from_fn(|| self.pop(role)).collect()
    }

    fn clear(&mut self, role: u8) {
        while self.pop(role).is_some() {}
    }

    /// The oldest that opened, if it ended before `start`.
    fn pop_before(&mut self, start: Instant) -> Option<Open> {
        let oldest = self.queues[0].front().filter(|open| open.occurrence.end < start);
        oldest.is_some().then(|| self.pop(OPENS)).flatten()
    }

    fn drain_before(&mut self, start: Instant) -> Vec<Open> {
        std::iter::from_fn(|| self.pop_before(start)).collect()
    }

    /// How many of those that opened had ended before `start`.
    fn opened_before(&self, start: Instant) -> usize {
        self.queues[0].partition_point(|open| open.occurrence.end < start)
    }
}

/// The newest `max` ticks that `open` made up to `end`, by their numbers, and how many are older.
fn newest_ticks(open: &Open, end: Instant, step: &Step, max: u64) -> (RangeInclusive<u64>, u64) {
    let ticks = step.period.index_at(open.occurrence.end, end, &step.zone);
    let first = (ticks + 1).saturating_sub(max).max(1);
    (first..=ticks, first - 1)
}
