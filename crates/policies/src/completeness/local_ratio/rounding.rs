//! From a solution of the linear program to a schedule.

use super::Choice;
use super::least::Least;
use crate::completeness::instance::Instance;
use crate::completeness::packing::Packing;
use crate::completeness::schedule::Schedule;
use rustc_hash::FxHashMap;

/// Part of a CEI's utility that counts as nothing when weights are taken off it.
const WEIGHT_TOLERANCE: f64 = 1e-12;
/// Crowds that differ by less are as crowded; the first choice goes first.
const CROWD_TOLERANCE: f64 = 1e-12;

/// Rounds a solution `x` of the choices' linear program, each at least 0.
///
/// Two choices conflict when they are of one CEI, or probe different sources in one chronon. The
/// choice that minimises x(N\[j\]) is pushed and its weight taken off N\[j\], until no weight is
/// left; unwinding keeps what still fits. x(N\[j\]) is summed over the segments, so that a
/// neighbour met twice counts twice: still ≤ k on P\[1\] with C = 1, so the factor k holds. Where
/// C > 1, a conflict in a chronon weighs 1/C.
///
/// Any `x` gives a schedule within the budget; the factors hold for an optimal one. O(choices +
/// conflicts · log choices) where a push uses up what it conflicts with, as it does with equal
/// utilities and C = 1; at most choices times as much.
#[must_use]
pub fn round(instance: &Instance, choices: &[Choice], x: &[f64]) -> Schedule {
    round_while(instance, choices, x, || true)
}

/// As [`round`], but no more is pushed once `go_on`, which is asked before each push, says no: then
/// the choices that have some weight left come last, by x.
#[must_use]
pub fn round_while(
    instance: &Instance,
    choices: &[Choice],
    x: &[f64],
    mut go_on: impl FnMut() -> bool,
) -> Schedule {
    let mut ratio = LocalRatio::new(instance, choices, x);
    let mut stack = Vec::new();
    while let Some(choice) = ratio.crowds.first(CROWD_TOLERANCE).filter(|_| go_on()) {
        ratio.push(choice);
        stack.push(choice);
    }
    let with_weight = |choice: &u32| ratio.weight[*choice as usize] > 0.0;
    let mut last: Vec<u32> = (0..choices.len() as u32).rev().filter(with_weight).collect();
    last.sort_by(|&a, &b| x[a as usize].total_cmp(&x[b as usize]));
    last.extend(stack);
    keep(instance, choices, &last)
}

/// The last pushed first, each if it fits beside what was kept before.
pub(super) fn keep(instance: &Instance, choices: &[Choice], stack: &[u32]) -> Schedule {
    let mut packing = Packing::new(instance);
    let mut kept = vec![false; instance.ceis().len()];
    for &choice in stack.iter().rev() {
        let Choice { cei, segments } = &choices[choice as usize];
        if !kept[*cei as usize] {
            kept[*cei as usize] = packing.keep_all(segments.iter().map(|&(s, t)| (s, t, t)));
        }
    }
    packing.schedule
}

/// The chronons of a choice, ascending, each with its source, or none where there are several.
fn probed(choice: &Choice) -> Vec<(u32, Option<u32>)> {
    let mut probed: Vec<_> = choice.segments.iter().map(|&(s, t)| (t, Some(s))).collect();
    probed.sort_unstable();
    probed.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 = kept.1.filter(|_| !same);
        same
    });
    probed
}

/// The largest 1/C among the chronons in which the two probe different sources; 0 if none.
/// O(log) for each probe of the other.
fn conflict(own: &[(u32, Option<u32>)], other: &Choice, budget: &[f64]) -> f64 {
    let clashes = other.segments.iter().filter(|&&(source, chronon)| {
        let at = own.binary_search_by_key(&chronon, |probed| probed.0);
        at.is_ok_and(|at| own[at].1 != Some(source))
    });
    clashes.map(|&(_, t)| 1.0 / budget[t as usize].max(1.0)).fold(0.0, f64::max)
}

/// Whether something is left of the weight of a choice.
pub(super) fn is_left(weight: f64, instance: &Instance, choice: &Choice) -> bool {
    weight > WEIGHT_TOLERANCE * instance.ceis()[choice.cei as usize].utility
}

/// Where choices meet: the CEIs, then the chronons.
#[derive(Debug)]
struct Meeting {
    /// The choices that come here, ascending; those without weight leave when somebody looks.
    choices: Vec<u32>,
    /// Sum of x over those with weight.
    x: f64,
}

struct LocalRatio<'a> {
    instance: &'a Instance,
    choices: &'a [Choice],
    x: &'a [f64],
    /// The weight of each choice; 0 once it is used up.
    weight: Vec<f64>,
    meetings: Vec<Meeting>,
    /// Sum of x over the choices with weight, per source and chronon; and each segment's number
    /// there, choice after choice.
    on: Vec<f64>,
    segments: Vec<u32>,
    /// The first of each choice's `segments`.
    first: Vec<u32>,
    /// x(N[j]) of the choices with weight; infinite of the others.
    crowds: Least,
    /// Whether a choice, or a meeting, was met in this push.
    met: Vec<bool>,
    visited: Vec<bool>,
}

impl<'a> LocalRatio<'a> {
    fn new(instance: &'a Instance, choices: &'a [Choice], x: &'a [f64]) -> Self {
        let meetings = instance.ceis().len() + instance.budget().len();
        let mut new = Self {
            instance,
            choices,
            x,
            weight: choices.iter().map(|c| instance.ceis()[c.cei as usize].utility).collect(),
            meetings: (0..meetings).map(|_| Meeting { choices: Vec::new(), x: 0.0 }).collect(),
            on: Vec::new(),
            segments: Vec::new(),
            first: Vec::with_capacity(choices.len()),
            crowds: Least::new(choices.len()),
            met: vec![false; choices.len()],
            visited: vec![false; meetings],
        };
        let mut numbers = FxHashMap::default();
        for choice in choices {
            new.first.push(new.segments.len() as u32);
            for segment in &choice.segments {
                let next = numbers.len() as u32;
                new.segments.push(*numbers.entry(*segment).or_insert(next));
            }
        }
        new.on = vec![0.0; numbers.len()];
        new.open();
        new
    }

    /// Lets the choices that have a weight come.
    fn open(&mut self) {
        for choice in 0..self.choices.len() as u32 {
            if !is_left(self.weight[choice as usize], self.instance, self.of(choice)) {
                self.weight[choice as usize] = 0.0;
                continue;
            }
            for meeting in self.meetings_of(choice) {
                let come = &mut self.meetings[meeting as usize].choices;
                if come.last() != Some(&choice) {
                    come.push(choice);
                }
            }
            self.count(choice, self.x[choice as usize]);
        }
        for choice in 0..self.choices.len() as u32 {
            if self.weight[choice as usize] > 0.0 {
                self.crowds.set(choice, self.crowd(choice));
            }
        }
    }

    fn of(&self, choice: u32) -> &'a Choice {
        &self.choices[choice as usize]
    }

    fn meeting_at(&self, chronon: u32) -> u32 {
        self.instance.ceis().len() as u32 + chronon
    }

    /// Where a choice comes: its CEI's and its segments'.
    fn meetings_of(&self, choice: u32) -> impl Iterator<Item = u32> + use<'a> {
        let (choice, ceis) = (self.of(choice), self.instance.ceis().len() as u32);
        let chronons = choice.segments.iter().map(move |&(_, chronon)| ceis + chronon);
        core::iter::once(choice.cei).chain(chronons)
    }

    /// The numbers of a choice's segments.
    fn numbers(&self, choice: u32) -> core::ops::Range<usize> {
        let first = self.first[choice as usize] as usize;
        first..first + self.of(choice).segments.len()
    }

    fn count(&mut self, choice: u32, x: f64) {
        for meeting in self.meetings_of(choice) {
            self.meetings[meeting as usize].x += x;
        }
        for segment in self.numbers(choice) {
            self.on[self.segments[segment] as usize] += x;
        }
    }

    /// x(N[j]).
    fn crowd(&self, choice: u32) -> f64 {
        let own = self.of(choice);
        let numbers = &self.segments[self.numbers(choice)];
        let others = own.segments.iter().zip(numbers).map(|(&(_, chronon), &number)| {
            let at = self.meetings[self.meeting_at(chronon) as usize].x;
            (at - self.on[number as usize]) / self.instance.budget()[chronon as usize].max(1.0)
        });
        self.meetings[own.cei as usize].x + others.sum::<f64>()
    }

    /// Who with weight comes to one of these meetings.
    fn come(&mut self, meetings: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut come = Vec::new();
        for meeting in meetings {
            let all = &mut self.meetings[meeting as usize].choices;
            all.retain(|&choice| self.weight[choice as usize] > 0.0);
            for &choice in &*all {
                if !core::mem::replace(&mut self.met[choice as usize], true) {
                    come.push(choice);
                }
            }
        }
        for &choice in &come {
            self.met[choice as usize] = false;
        }
        come
    }

    /// Takes the weight of `pushed` off everything it conflicts with, and itself.
    fn push(&mut self, pushed: u32) {
        let (own, weight) = (self.of(pushed), self.weight[pushed as usize]);
        let (mut dead, at) = (Vec::new(), probed(own));
        let mut met = self.come(self.meetings_of(pushed));
        // Sums are taken in one order, so that they are the slow twin's to the last bit.
        met.sort_unstable();
        for other in met {
            let choice = self.of(other);
            let share = if choice.cei == own.cei {
                1.0
            } else {
                conflict(&at, choice, self.instance.budget())
            };
            let left = self.weight[other as usize] - weight * share;
            let is_alive = other != pushed && is_left(left, self.instance, choice);
            self.weight[other as usize] = if is_alive { left } else { 0.0 };
            if !is_alive {
                dead.push(other);
            }
        }
        let mut meetings = Vec::new();
        for choice in dead {
            self.count(choice, -self.x[choice as usize]);
            self.crowds.set(choice, f64::INFINITY);
            for meeting in self.meetings_of(choice) {
                if !core::mem::replace(&mut self.visited[meeting as usize], true) {
                    meetings.push(meeting);
                }
            }
        }
        for &meeting in &meetings {
            self.visited[meeting as usize] = false;
        }
        for choice in self.come(meetings.into_iter()) {
            self.crowds.set(choice, self.crowd(choice));
        }
    }
}
