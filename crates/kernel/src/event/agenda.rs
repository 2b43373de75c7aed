//! What rules do with what they heard: at once, at the end of the step, or in a step of its own;
//! depth first, the larger priority first.

use super::judge::{Sight, holds, questions};
use super::{Act, CASCADE_MAX, CASCADES_A_STEP_MAX, Events, Out, Task, Telling, WAITING_MAX};
use crate::io::Announcement;
use crate::record::{FiringRow, Record};
use ::event::{Detected, Mark, Occurrence, Signal, What};
use chronon::{DetectionId, Instant, OwnerId, RuleId};
use outbox::{Part, PartKind};
use sentinel::ast::rule::Coupling;
use std::sync::Arc;

/// Rules that a report of a cascade names.
const NAMED_MAX: usize = 8;

impl Events {
    /// The next of what rules do; `is_active` says whether an owner's sentinel is.
    pub(crate) fn poll(&mut self, is_active: &dyn Fn(OwnerId, &str) -> bool) -> Option<Out> {
        loop {
            if let Some(out) = self.out.pop_front() {
                return Some(out);
            }
            match self.agenda.pop() {
                Some(Task::Fire(firing, answers)) => self.fire(&firing, &answers, is_active),
                Some(Task::Act(firing, plan, at)) => self.act(&firing, &plan.actions[at]),
                None => {
                    self.cause.clear();
                    return None;
                }
            }
        }
    }

    /// A step begins: one of those that want a step of their own goes first.
    pub(crate) fn begin_step(&mut self, now: Instant) {
        self.now = now;
        self.cascades = 0;
        let Some(number) = self.ready.pop_first() else { return };
        let Some(row) = self.waiting.get(&number) else { return };
        self.agenda.push(Task::Fire(Arc::new(row.clone()), Vec::new()));
    }

    /// The step is about to end: what was put off until then is to be done. Says whether anything
    /// is.
    pub(crate) fn end_step(&mut self) -> bool {
        let deferred = std::mem::take(&mut self.deferred);
        let is_some = !deferred.is_empty();
        self.push_all(deferred);
        is_some
    }

    /// Puts firings on the agenda: larger priority first, then in order.
    fn push_all(&mut self, mut firings: Vec<Arc<FiringRow>>) {
        firings.sort_by_key(|firing| std::cmp::Reverse(self.priority(firing.rule)));
        let tasks = firings.into_iter().rev().map(|firing| Task::Fire(firing, Vec::new()));
        self.agenda.extend(tasks);
    }

    fn priority(&self, rule: RuleId) -> u32 {
        self.rules.get(&rule).map_or(0, |entry| entry.plan.priority)
    }

    /// Rules heard what they listen for. At one moment the order is that of definition.
    pub(super) fn hear(&mut self, mut detected: Vec<Detected>) {
        detected.sort_by_key(|one| one.rule);
        let mut at_once = Vec::new();
        for Detected { rule, occurrence } in detected {
            let Some(entry) = self.rules.get(&rule) else { continue };
            let (generation, coupling) = (entry.row.generation, entry.plan.coupling);
            if !self.may_follow(rule) {
                continue;
            }
            let firing = FiringRow {
                number: self.next_firing,
                rule,
                generation,
                start: occurrence.start,
                end: occurrence.end,
                gathered: occurrence.gathered,
                marks: occurrence.marks().to_vec(),
                chain: self.cause.clone(),
            };
            self.next_firing += 1;
            match coupling {
                Coupling::Immediate => at_once.push(Arc::new(firing)),
                Coupling::Deferred => self.deferred.push(Arc::new(firing)),
                Coupling::Detached => self.wait(firing),
            }
        }
        self.push_all(at_once);
    }

    /// Whether the rules that led here are few enough for one more.
    fn may_follow(&mut self, rule: RuleId) -> bool {
        if self.cause.is_empty() {
            return true;
        }
        self.cascades += 1;
        if self.cause.len() < CASCADE_MAX && self.cascades <= CASCADES_A_STEP_MAX {
            return true;
        }
        self.counts.cut += 1;
        let name = |id: &RuleId| {
            self.rules.get(id).map_or_else(String::new, |entry| format!("`{}`", entry.row.name))
        };
        // A circle is named once, and the first of it again.
        let circle = self.cause.iter().rposition(|earlier| *earlier == rule).unwrap_or(0);
        let last = circle.max(self.cause.len().saturating_sub(NAMED_MAX - 1));
        let names: Vec<String> = self.cause[last..].iter().chain([&rule]).map(name).collect();
        let why = if self.cause.len() >= CASCADE_MAX {
            format!(
                "rules set each other off in a circle, which was cut after {CASCADE_MAX} steps: {}",
                names.join(" → ")
            )
        } else {
            format!(
                "rules set off more than {CASCADES_A_STEP_MAX} others at once; the last were {}",
                names.join(" → ")
            )
        };
        self.note(rule, &why);
        false
    }

    /// It is carried out later, and survives until then.
    fn wait(&mut self, firing: FiringRow) {
        if self.waiting.len() >= WAITING_MAX {
            self.counts.dropped += 1;
            let why =
                format!("{WAITING_MAX} rules waited to be carried out; this one was left out");
            return self.note(firing.rule, &why);
        }
        self.out.push_back(Out::Record(Record::Firing(Box::new(firing.clone()))));
        self.ready.insert(firing.number);
        self.waiting.insert(firing.number, firing);
    }

    fn done_with(&mut self, number: u64) {
        if self.waiting.remove(&number).is_some() {
            self.ready.remove(&number);
            self.out.push_back(Out::Record(Record::FiringGone(number)));
        }
    }

    /// What of its conditions on texts and values holds is known.
    pub(super) fn judged(&mut self, firing: u64, holds: Vec<bool>) {
        if let Some(row) = self.waiting.get(&firing) {
            self.agenda.push(Task::Fire(Arc::new(row.clone()), holds));
        }
    }

    /// What was asked of stored texts before a crash is asked again, in a step of its own each.
    pub(super) fn ask_again(&mut self) {
        self.ready = self.waiting.keys().copied().collect();
    }

    /// One that is to be carried out, unless its rule says something else by now.
    fn fire(
        &mut self,
        firing: &Arc<FiringRow>,
        answers: &[bool],
        is_active: &dyn Fn(OwnerId, &str) -> bool,
    ) {
        let known = self
            .rules
            .get(&firing.rule)
            .filter(|entry| entry.life.is_enabled && entry.row.generation == firing.generation);
        let Some(entry) = known else { return self.done_with(firing.number) };
        let (plan, owner) = (Arc::clone(&entry.plan), firing.rule.owner());
        let zone = entry.row.zone.clone();
        if let Some(when) = &plan.when {
            let question = questions(when, &firing.marks);
            if let Some(question) = question.filter(|_| answers.is_empty()) {
                // Texts are not in memory: it waits for what is found in the store.
                if !self.waiting.contains_key(&firing.number) {
                    self.wait((**firing).clone());
                }
                self.ready.remove(&firing.number);
                if self.waiting.contains_key(&firing.number) {
                    self.out.push_back(Out::Judge { firing: firing.number, question });
                }
                return;
            }
            let is_active = |name: &str| is_active(owner, name);
            let count = match firing.gathered {
                0 => firing.marks.len() as u64,
                gathered => u64::from(gathered),
            };
            let sight = Sight { count, at: firing.end, zone: &zone, is_active: &is_active };
            if !holds(when, &sight, &mut answers.iter().copied()) {
                return self.done_with(firing.number);
            }
        }
        self.done_with(firing.number);
        self.counts.fired += 1;
        let (rule, now) = (firing.rule, self.now);
        if let Some(entry) = self.rules.get_mut(&rule) {
            entry.life.fired += 1;
            entry.life.fired_at = Some(now);
            entry.life.trouble = "".into();
            self.touched.insert(rule);
        }
        self.out.push_back(Out::Announce(Announcement::Rule { rule, at: now }));
        let acts = (0..plan.actions.len()).rev();
        let task = |at| Task::Act(Arc::clone(firing), Arc::clone(&plan), at);
        self.agenda.extend(acts.map(task));
    }

    /// One of a rule's actions. What follows from it is heard before the next.
    fn act(&mut self, firing: &FiringRow, act: &Act) {
        let rule = firing.rule;
        let Some(entry) = self.rules.get_mut(&rule) else { return };
        self.cause.clone_from(&firing.chain);
        self.cause.push(rule);
        let owner = rule.owner();
        match act {
            Act::Notify(whom) => {
                entry.life.seq += 1;
                self.touched.insert(rule);
                let telling = Telling {
                    rule,
                    generation: entry.row.generation,
                    seq: entry.life.seq,
                    whom: whom.clone(),
                    from: entry.row.defined_at,
                    zone: entry.row.zone.clone(),
                    parts: self.parts(&firing.marks),
                };
                self.out.push_back(Out::Notify(Box::new(telling)));
            }
            Act::Probe { sources, within } => {
                let zone = entry.row.zone.clone();
                let (sources, within) = (sources.clone(), *within);
                self.out.push_back(Out::Probe { owner, sources, within, zone });
            }
            Act::Enable(name) => {
                let (name, is_enabled) = (name.clone(), true);
                self.out.push_back(Out::Enable { rule, name, is_enabled });
            }
            Act::Disable(name) => {
                let (name, is_enabled) = (name.clone(), false);
                self.out.push_back(Out::Enable { rule, name, is_enabled });
            }
            Act::Raise(name) => {
                self.raise(owner, name);
            }
        }
    }

    /// An event is raised. Whether any rule listens to one of this name.
    pub(super) fn raise(&mut self, owner: OwnerId, name: &str) -> bool {
        let Some(&event) = self.raised.get(&(owner, name.to_lowercase().into())) else {
            return false;
        };
        let detected = self.detector.signal(Signal::Raised(event), self.now, 0);
        self.hear(detected);
        true
    }

    /// What took part, in order of time, as it is told.
    fn parts(&self, marks: &[Mark]) -> Vec<Part> {
        let mut marks: Vec<&Mark> = marks.iter().collect();
        marks.sort_by_key(|mark| (mark.at, mark.number));
        marks.dedup();
        marks.into_iter().map(|mark| Part { at: mark.at, what: self.part(mark) }).collect()
    }

    fn part(&self, mark: &Mark) -> PartKind {
        let What::Signal(signal) = mark.what else { return PartKind::Clock };
        match signal {
            Signal::Detected(sentinel) => PartKind::Found(sentinel, DetectionId(mark.about)),
            Signal::Started(sentinel) => PartKind::Started(sentinel),
            Signal::Ended(sentinel) => PartKind::Ended(sentinel),
            Signal::Fetched(sentinel) => PartKind::Fetched(sentinel),
            Signal::Failed(sentinel) => PartKind::Failed(sentinel),
            Signal::Raised(event) => {
                let name = self.events.get(&event).map(|entry| entry.row.name.clone());
                PartKind::Raised(name.unwrap_or_else(|| event.to_string().into()))
            }
        }
    }
}

impl FiringRow {
    /// The occurrence that it stands for.
    pub fn occurrence(&self) -> Occurrence {
        Occurrence::stored(self.start, self.end, self.gathered, self.marks.clone())
    }
}
