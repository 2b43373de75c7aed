//! The slow twin: every operator recomputed from the whole history of its parts.
//!
//! It keeps lists and flags, no queues, timers or shared nodes, and knows no limits. It is
//! quadratic and worse; tests compare the detector with it.

use crate::expr::{Context, Expr, Signal, Step};
use crate::occurrence::{Making, Mark, Occurrence, What};
use chronon::Instant;

/// A signal of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    pub signal: Signal,
    pub at: Instant,
    pub about: u64,
}

/// A moment: the clock's (0) comes before the signals of the same instant, by their count.
type Moment = (Instant, u64);

/// An occurrence, and the moment that raised it.
type Raised = (Moment, Occurrence);

/// What takes part, in the order in which a node takes it.
#[derive(Clone)]
struct Part {
    moment: Moment,
    role: u8,
    it: Occurrence,
    /// It takes part no more.
    is_gone: bool,
}

const ALL: usize = usize::MAX;

/// What an expression that is defined at `from` raises over a history in order of time, up to
/// `until`.
pub fn detect(
    expr: &Expr,
    context: Context,
    history: &[Arrival],
    from: Instant,
    until: Instant,
) -> Vec<Occurrence> {
    let twin = Twin { context, history, from, until };
    twin.raised(expr).into_iter().map(|raised| raised.1).collect()
}

struct Twin<'a> {
    context: Context,
    history: &'a [Arrival],
    from: Instant,
    until: Instant,
}

impl Twin<'_> {
    fn raised(&self, expr: &Expr) -> Vec<Raised> {
        let parts: Vec<Vec<Raised>> = expr.parts().into_iter().map(|p| self.raised(p)).collect();
        // Within one moment what closes goes first, then what is inside, then what opens; where
        // what is inside may happen together with what closes, it goes first.
        match expr {
            Expr::Signal(signal) => self.signals(*signal),
            Expr::At(at) if (self.from..=self.until).contains(at) => {
                vec![((*at, 0), Occurrence::primitive(Mark::clock(*at)))]
            }
            Expr::At(_) => Vec::new(),
            Expr::Or(..) => self.or(in_order(parts, &[0, 1])),
            Expr::And(..) => self.and(in_order(parts, &[0, 1])),
            Expr::Seq(..) => self.seq(in_order(parts, &[1, 0])),
            Expr::Not { .. } => self.not(in_order(parts, &[2, 1, 0])),
            Expr::Each { .. } => self.each(in_order(parts, &[1, 2, 0])),
            Expr::All { .. } => self.all(in_order(parts, &[1, 2, 0])),
            Expr::Every { step, .. } => self.every(in_order(parts, &[1, 0]), step),
            Expr::Collect { step, .. } => self.collect(in_order(parts, &[1, 0]), step),
            Expr::Plus(_, step) => self.plus(in_order(parts, &[0]), step),
            Expr::Any(least, of) => {
                let order: Vec<u8> = (0..of.len() as u8).collect();
                self.any(*least as usize, in_order(parts, &order))
            }
        }
    }

    fn signals(&self, signal: Signal) -> Vec<Raised> {
        let mut raised = Vec::new();
        for (n, arrival) in (1..).zip(self.history) {
            if arrival.signal == signal && arrival.at <= self.until {
                let Arrival { signal, at, about } = *arrival;
                let mark = Mark { number: n, at, what: What::Signal(signal), about };
                raised.push(((at, n), Occurrence::primitive(mark)));
            }
        }
        raised
    }

    fn or(&self, parts: Vec<Part>) -> Vec<Raised> {
        let mut raised: Vec<Raised> = Vec::new();
        for Part { moment, it, .. } in parts {
            if !raised.iter().any(|(m, other)| *m == moment && other.is(&it)) {
                raised.push((moment, it));
            }
        }
        raised
    }

    /// Those of `parts` before the `nth` that are of this role and take part.
    fn before(&self, parts: &[Part], nth: usize, role: u8) -> Vec<usize> {
        (0..nth).filter(|&i| parts[i].role == role && !parts[i].is_gone).collect()
    }

    /// Of those that could take part with a terminator: the ones that this context takes.
    fn chosen(&self, mut could: Vec<usize>) -> Vec<usize> {
        match self.context {
            Context::Recent => could.drain(..could.len().saturating_sub(1)),
            Context::Chronicle => could.drain(could.len().min(1)..),
            Context::Continuous | Context::Cumulative => could.drain(..0),
        };
        could
    }

    /// One occurrence with each, or in cumulative context one with all.
    fn groups(&self, chosen: &[usize]) -> Vec<Vec<usize>> {
        match self.context {
            Context::Cumulative if chosen.is_empty() => Vec::new(),
            Context::Cumulative => vec![chosen.to_vec()],
            _ => chosen.iter().map(|&one| vec![one]).collect(),
        }
    }

    fn and(&self, mut parts: Vec<Part>) -> Vec<Raised> {
        let mut raised = Vec::new();
        for nth in 0..parts.len() {
            let partners = self.chosen(self.before(&parts, nth, 1 - parts[nth].role));
            for group in self.groups(&partners) {
                raised.push(make(&parts, &group, &[], nth));
            }
            if self.context != Context::Recent && !partners.is_empty() {
                parts[nth].is_gone = true;
                partners.iter().for_each(|&one| parts[one].is_gone = true);
            }
        }
        raised
    }

    /// The openers that ended before the `nth` began. In recent context only the newest opener of
    /// all can be one.
    fn opened(&self, parts: &[Part], nth: usize) -> Vec<usize> {
        let mut opened = self.before(parts, nth, 0);
        if self.context == Context::Recent {
            let newest = (0..nth).rev().find(|&i| parts[i].role == 0);
            opened.retain(|&one| Some(one) == newest);
        }
        opened.retain(|&one| parts[one].it.end < parts[nth].it.start);
        opened
    }

    fn seq(&self, mut parts: Vec<Part>) -> Vec<Raised> {
        let mut raised = Vec::new();
        for nth in 0..parts.len() {
            if parts[nth].role == 0 {
                continue;
            }
            let chosen = self.chosen(self.opened(&parts, nth));
            for group in self.groups(&chosen) {
                raised.push(make(&parts, &group, &[], nth));
            }
            if self.context != Context::Recent {
                chosen.iter().for_each(|&one| parts[one].is_gone = true);
            }
        }
        raised
    }

    fn not(&self, mut parts: Vec<Part>) -> Vec<Raised> {
        let mut raised = Vec::new();
        for nth in 0..parts.len() {
            if parts[nth].role != 2 {
                continue;
            }
            let opened = self.opened(&parts, nth);
            let is_spoiled = |one: usize| {
                let (from, to) = (parts[one].it.end, parts[nth].it.start);
                let inside = |part: &Part| from < part.it.start && part.it.end < to;
                parts[..nth].iter().any(|part| part.role == 1 && inside(part))
            };
            let (spoiled, holds): (Vec<usize>, Vec<usize>) =
                opened.iter().partition(|&&one| is_spoiled(one));
            let chosen = self.chosen(holds);
            for group in self.groups(&chosen) {
                raised.push(make(&parts, &group, &[], nth));
            }
            // In chronicle context those that are spoiled go as far as one looked for the oldest.
            let looked_at = match (self.context, chosen.first()) {
                (Context::Chronicle, Some(&oldest)) => oldest,
                _ => ALL,
            };
            for one in spoiled {
                parts[one].is_gone |= one < looked_at;
            }
            if self.context != Context::Recent {
                chosen.iter().for_each(|&one| parts[one].is_gone = true);
            }
        }
        raised
    }

    /// What is inside of the interval that `one` opened, up to and with the `nth`.
    fn inside(&self, parts: &[Part], one: usize, nth: usize) -> Vec<usize> {
        let from = parts[one].it.end;
        (one + 1..=nth).filter(|&i| parts[i].role == 1 && from < parts[i].it.start).collect()
    }

    fn each(&self, mut parts: Vec<Part>) -> Vec<Raised> {
        let mut raised = Vec::new();
        for nth in 0..parts.len() {
            let opened = self.opened(&parts, nth);
            match parts[nth].role {
                1 => {
                    for one in opened {
                        raised.push(match self.context {
                            Context::Cumulative => {
                                let inside = self.inside(&parts, one, nth);
                                gathered(&parts, &[one], &inside, None, nth)
                            }
                            _ => make(&parts, &[one], &[], nth),
                        });
                    }
                }
                2 => self.chosen(opened).iter().for_each(|&one| parts[one].is_gone = true),
                _ => {}
            }
        }
        raised
    }

    fn all(&self, mut parts: Vec<Part>) -> Vec<Raised> {
        let mut raised = Vec::new();
        for nth in 0..parts.len() {
            if parts[nth].role != 2 {
                continue;
            }
            let chosen = self.chosen(self.opened(&parts, nth));
            for group in self.groups(&chosen) {
                let inside = self.inside(&parts, group[0], nth);
                if !inside.is_empty() {
                    raised.push(gathered(&parts, &group, &inside, Some(nth), nth));
                }
            }
            chosen.iter().for_each(|&one| parts[one].is_gone = true);
        }
        raised
    }

    fn every(&self, mut parts: Vec<Part>, step: &Step) -> Vec<Raised> {
        // When each opener's ticks stop.
        let mut over: Vec<Option<Moment>> = vec![None; parts.len()];
        for nth in 0..parts.len() {
            let stops = match (parts[nth].role, self.context) {
                (0, Context::Recent) => self.before(&parts, nth, 0),
                (0, _) => Vec::new(),
                _ => self.chosen(self.opened(&parts, nth)),
            };
            for one in stops {
                parts[one].is_gone = true;
                over[one] = Some(parts[nth].moment);
            }
        }
        let mut raised: Vec<(Moment, usize, Occurrence)> = Vec::new();
        for (one, part) in parts.iter().enumerate().filter(|(_, part)| part.role == 0) {
            let last = over[one].unwrap_or((self.until, u64::MAX));
            let mut making = Making::new().with(&part.it);
            for at in self.ticks(step, part.it.end) {
                if (at, 0) > last {
                    break;
                }
                let of_this = match self.context {
                    Context::Cumulative => {
                        making.tick(at);
                        making.clone()
                    }
                    _ => {
                        let mut alone = making.clone();
                        alone.clock(at);
                        alone
                    }
                };
                raised.push(((at, 0), one, of_this.moment(at, ALL).0));
            }
        }
        raised.sort_by_key(|(moment, one, _)| (*moment, *one));
        raised.into_iter().map(|(moment, _, it)| (moment, it)).collect()
    }

    /// All ticks up to the end of the history.
    fn ticks(&self, step: &Step, from: Instant) -> impl Iterator<Item = Instant> {
        let until = self.until;
        (1..).map(move |k| step.nth(from, k)).take_while(move |&at| at <= until)
    }

    fn collect(&self, mut parts: Vec<Part>, step: &Step) -> Vec<Raised> {
        let mut raised = Vec::new();
        for nth in 0..parts.len() {
            if parts[nth].role == 0 {
                continue;
            }
            let end = parts[nth].it.end;
            let chosen = self.chosen(self.opened(&parts, nth));
            for group in self.groups(&chosen) {
                let mut making = Making::new();
                for &one in &group {
                    making.add(&parts[one].it);
                    let ticks = self.ticks(step, parts[one].it.end);
                    ticks.take_while(|&at| at <= end).for_each(|at| making.tick(at));
                }
                if making.gathered() > 0 {
                    let made = making.with(&parts[nth].it).done(end, ALL).0;
                    raised.push((parts[nth].moment, made));
                }
            }
            chosen.iter().for_each(|&one| parts[one].is_gone = true);
        }
        raised
    }

    fn plus(&self, parts: Vec<Part>, step: &Step) -> Vec<Raised> {
        let due = |one: usize| step.nth(parts[one].it.end, 1);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        match self.context {
            Context::Recent => {
                let is_last = |one: usize| {
                    parts.get(one + 1).is_none_or(|newer| newer.moment >= (due(one), 0))
                };
                groups.extend((0..parts.len()).filter(|&one| is_last(one)).map(|one| vec![one]));
            }
            Context::Chronicle | Context::Continuous => {
                groups.extend((0..parts.len()).map(|one| vec![one]));
            }
            Context::Cumulative => {
                for (one, part) in parts.iter().enumerate() {
                    match groups.last_mut() {
                        Some(group) if part.moment < (due(group[0]), 0) => group.push(one),
                        _ => groups.push(vec![one]),
                    }
                }
            }
        }
        let mut raised = Vec::new();
        for group in groups {
            let at = due(group[0]);
            if at <= self.until {
                let mut making = Making::new();
                group.iter().for_each(|&one| making.add(&parts[one].it));
                making.clock(at);
                raised.push(((at, 0), making.moment(at, ALL).0));
            }
        }
        raised
    }

    fn any(&self, least: usize, mut parts: Vec<Part>) -> Vec<Raised> {
        if least <= 1 {
            return self.or(parts);
        }
        if self.context == Context::Continuous {
            return any_continuous(least, &parts);
        }
        let mut raised = Vec::new();
        for nth in 0..parts.len() {
            let mut present: Vec<usize> = (0..=nth).filter(|&i| !parts[i].is_gone).collect();
            if self.context == Context::Recent {
                let newest = |&one: &usize| {
                    parts[one + 1..=nth].iter().all(|later| later.role != parts[one].role)
                };
                present.retain(newest);
            }
            let mut types: Vec<u8> = present.iter().map(|&one| parts[one].role).collect();
            types.sort_unstable();
            types.dedup();
            if types.len() < least {
                continue;
            }
            match self.context {
                Context::Recent => drop(present.drain(..present.len() - least)),
                Context::Chronicle => {
                    let mut seen = Vec::new();
                    present.retain(|&one| {
                        let is_first = !seen.contains(&parts[one].role);
                        seen.push(parts[one].role);
                        is_first
                    });
                }
                Context::Continuous | Context::Cumulative => {}
            }
            let mut making = Making::new();
            present.iter().for_each(|&one| making.add(&parts[one].it));
            raised.push((parts[nth].moment, making.done(parts[nth].it.end, ALL).0));
            if self.context != Context::Recent {
                present.iter().for_each(|&one| parts[one].is_gone = true);
            }
        }
        raised
    }
}

/// Each initiator's own partial: it takes the first of each other type, and is done with the
/// `least`th. What completes one begins none.
fn any_continuous(least: usize, parts: &[Part]) -> Vec<Raised> {
    let mut is_used_up = vec![false; parts.len()];
    let mut raised = Vec::new();
    // By who completes, then by who began.
    let mut done: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    for one in 0..parts.len() {
        if is_used_up[one] {
            continue;
        }
        let mut partial = vec![one];
        for (nth, part) in parts.iter().enumerate().skip(one + 1) {
            if partial.iter().all(|&has| parts[has].role != part.role) {
                partial.push(nth);
            }
            if partial.len() == least {
                is_used_up[nth] = true;
                done.push((nth, one, partial));
                break;
            }
        }
    }
    done.sort();
    for (nth, _, partial) in done {
        let mut making = Making::new();
        partial.iter().for_each(|&one| making.add(&parts[one].it));
        raised.push((parts[nth].moment, making.done(parts[nth].it.end, ALL).0));
    }
    raised
}

/// All parts in the order of moments, within a moment by `order` of roles.
fn in_order(parts: Vec<Vec<Raised>>, order: &[u8]) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    for (role, raised) in (0_u8..).zip(parts) {
        let part = |(moment, it)| Part { moment, role, it, is_gone: false };
        all.extend(raised.into_iter().map(part));
    }
    all.sort_by_key(|part| (part.moment, order.iter().position(|&role| role == part.role)));
    all
}

fn make(parts: &[Part], group: &[usize], inside: &[usize], nth: usize) -> Raised {
    gathered(parts, group, inside, Some(nth), nth)
}

fn gathered(
    parts: &[Part],
    group: &[usize],
    inside: &[usize],
    closes: Option<usize>,
    nth: usize,
) -> Raised {
    let mut making = Making::new();
    group.iter().for_each(|&one| making.add(&parts[one].it));
    inside.iter().for_each(|&one| making.gather(&parts[one].it));
    closes.iter().for_each(|&one| making.add(&parts[one].it));
    (parts[nth].moment, making.done(parts[nth].it.end, ALL).0)
}
