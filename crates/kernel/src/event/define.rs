//! Rules are defined, replaced, enabled, disabled and removed.

use super::{Act, EventEntry, Events, Out, Plan, RuleEntry};
use crate::io::{Answer, Applied, AppliedWhat, Subject};
use crate::life::Recipient;
use crate::owners::{Called, Owners};
use crate::record::{EventRow, RaiseKey, Record, RuleLife, RuleRow};
use crate::vetting::{Mark, Standing, What};
use ::event::{Expr, Signal, Subscription};
use chronon::{EventId, Instant, OwnerId, RuleId, SentinelId};
use sentinel::RuleStatement;
use sentinel::ast::rule::{Action, Condition, Happening, HappeningKind, Rule};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Keys under which an event was raised that are kept: the last.
const RAISE_KEYS_MAX: usize = 100;

/// A rule, whose it is, and what `now` means in it.
pub(crate) struct RuleDefinition {
    pub(crate) owner: OwnerId,
    pub(crate) statement: RuleStatement,
    pub(crate) at: Instant,
}

/// What the others know of what a rule names.
pub(crate) struct Outline {
    /// Whom its `notify` clauses mean, in order.
    pub(crate) whom: Vec<Recipient>,
    /// The owner's sentinels among its names, in lower case.
    pub(crate) sentinels: Vec<(Box<str>, SentinelId)>,
}

impl Outline {
    pub(super) fn sentinel(&self, name: &str) -> Option<SentinelId> {
        let lower = name.to_lowercase();
        self.sentinels.iter().find(|(known, _)| **known == *lower).map(|&(_, id)| id)
    }
}

/// The sentinels that a rule names, in lower case, each once.
pub(crate) fn sentinels_of(rule: &Rule) -> BTreeSet<Box<str>> {
    fn of_event(event: &Expr<Happening>, found: &mut BTreeSet<Box<str>>) {
        if let Expr::Signal(Happening { kind, name }) = event
            && *kind != HappeningKind::Raised
        {
            found.insert(name.to_lowercase().into());
        }
        event.parts().into_iter().for_each(|part| of_event(part, found));
    }
    fn of_condition(condition: &Condition, found: &mut BTreeSet<Box<str>>) {
        match condition {
            Condition::Enabled(name) => drop(found.insert(name.to_lowercase().into())),
            Condition::Not(of) => of_condition(of, found),
            Condition::And(all) | Condition::Or(all) => {
                all.iter().for_each(|one| of_condition(one, found));
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    of_event(&rule.on, &mut found);
    if let Some(when) = &rule.when {
        of_condition(when, &mut found);
    }
    for action in &rule.actions {
        if let Action::Enable(name) | Action::Disable(name) = action {
            found.insert(name.to_lowercase().into());
        }
    }
    found
}

/// The events that a rule listens to, in lower case.
fn events_of(event: &Expr<Happening>, found: &mut BTreeSet<Box<str>>) {
    if let Expr::Signal(Happening { kind: HappeningKind::Raised, name }) = event {
        found.insert(name.to_lowercase().into());
    }
    event.parts().into_iter().for_each(|part| events_of(part, found));
}

/// Sentinels whose looks the rule listens for.
pub(super) fn heeded_by(expr: &Expr<Signal>, found: &mut BTreeSet<SentinelId>) {
    if let Expr::Signal(Signal::Fetched(sentinel) | Signal::Failed(sentinel)) = expr {
        found.insert(*sentinel);
    }
    expr.parts().into_iter().for_each(|part| heeded_by(part, found));
}

impl Events {
    /// Defines a rule, or replaces the one that has its name.
    pub(crate) fn define(
        &mut self,
        now: Instant,
        ids: &mut Owners,
        definition: RuleDefinition,
        outline: &Outline,
    ) -> Applied {
        self.now = now;
        let RuleDefinition { owner, statement: RuleStatement { rule, canonical }, at } = definition;
        let name: Box<str> = rule.name.as_str().into();
        let known = self.names.get(&(owner, name.to_lowercase().into())).copied();
        if let Some(entry) = known.and_then(|id| self.rules.get(&id))
            && entry.row.text == canonical
        {
            return Applied { id: Subject::Rule(entry.row.id), name, what: AppliedWhat::Unchanged };
        }
        let id = known.unwrap_or_else(|| RuleId(ids.sentinel(owner).0));
        self.name_events(ids, owner, &rule.on);
        let plan = self.plan(owner, &rule, outline);
        let old = self.rules.remove(&id);
        let (what, generation, created_at) = match &old {
            Some(old) => (AppliedWhat::Replaced, old.row.generation + 1, old.row.created_at),
            None => (AppliedWhat::Created, 1, self.now),
        };
        let row = RuleRow {
            id,
            name: name.clone(),
            generation,
            text: canonical,
            zone: rule.zone.clone(),
            created_at,
            defined_at: at,
        };
        let new = RuleLife {
            id,
            is_enabled: true,
            root: None,
            seq: 0,
            fired: 0,
            fired_at: None,
            trouble: "".into(),
        };
        let mut life = old.as_ref().map_or(new, |old| old.life.clone());
        life.trouble = "".into();
        // What it heard so far counts on where it listens for the same.
        let goes_on = old.as_ref().is_some_and(|old| {
            let (was, is) = (&old.plan, &plan);
            (&was.expr, was.context, &was.within) == (&is.expr, is.context, &is.within)
                && life.root.is_some()
        });
        let mut unheard = BTreeSet::new();
        if let Some(old) = old {
            self.unlist(id, &old.plan);
            events_of(&old.plan.on, &mut unheard);
        }
        self.say(Record::Rule(Box::new(row.clone())));
        self.names.insert((owner, name.to_lowercase().into()), id);
        self.list(id, &plan);
        self.rules.insert(id, Box::new(RuleEntry { row, life, plan: Arc::new(plan) }));
        self.touched.insert(id);
        if !goes_on {
            self.listen(id);
        }
        self.forget_unheard(owner, unheard);
        Applied { id: Subject::Rule(id), name, what }
    }

    /// The rule listens from now on, if it is enabled.
    pub(super) fn listen(&mut self, id: RuleId) {
        let Some(entry) = self.rules.get_mut(&id) else { return };
        if !entry.life.is_enabled {
            return;
        }
        let Plan { expr, context, within, .. } = &*entry.plan;
        let subscription = Subscription { rule: id, within: within.clone() };
        let added = self.detector.add(self.now, expr, *context, subscription);
        entry.life.root = added.as_ref().ok().copied();
        self.touched.insert(id);
        if let Err(error) = added {
            self.note(id, &format!("it cannot listen: {error}"));
        }
    }

    /// What a checked rule compiles to.
    pub(super) fn plan(&self, owner: OwnerId, rule: &Rule, outline: &Outline) -> Plan {
        let mut whom = outline.whom.iter().copied();
        let (mut actions, mut telling): (Vec<Act>, Option<usize>) = (Vec::new(), None);
        for action in &rule.actions {
            match action {
                Action::Notify(_) => {
                    let at = *telling.get_or_insert_with(|| {
                        actions.push(Act::Notify(Vec::new()));
                        actions.len() - 1
                    });
                    if let Act::Notify(all) = &mut actions[at] {
                        all.extend(whom.next());
                    }
                }
                Action::Probe { sources, within } => {
                    let (sources, within) = (sources.clone(), *within);
                    actions.push(Act::Probe { sources, within });
                }
                Action::Enable(name) => actions.push(Act::Enable(name.as_str().into())),
                Action::Disable(name) => actions.push(Act::Disable(name.as_str().into())),
                Action::Raise(name) => actions.push(Act::Raise(name.as_str().into())),
            }
        }
        let expr = rule.on.named(&mut |leaf| self.signal(owner, leaf, outline).ok_or(()));
        Plan {
            // What was lost never happens.
            expr: expr.unwrap_or(Expr::At(Instant::EPOCH)),
            on: rule.on.clone(),
            when: rule.when.clone(),
            context: rule.context,
            within: rule.within.clone(),
            priority: rule.priority,
            coupling: rule.coupling,
            actions,
            sentinels: outline.sentinels.iter().map(|&(_, id)| id).collect(),
        }
    }

    fn signal(&self, owner: OwnerId, leaf: &Happening, outline: &Outline) -> Option<Signal> {
        if leaf.kind == HappeningKind::Raised {
            let event = self.raised.get(&(owner, leaf.name.to_lowercase().into()))?;
            return Some(Signal::Raised(*event));
        }
        let sentinel = outline.sentinel(&leaf.name)?;
        Some(match leaf.kind {
            HappeningKind::Detected | HappeningKind::Raised => Signal::Detected(sentinel),
            HappeningKind::Started => Signal::Started(sentinel),
            HappeningKind::Ended => Signal::Ended(sentinel),
            HappeningKind::Fetched => Signal::Fetched(sentinel),
            HappeningKind::Failed => Signal::Failed(sentinel),
        })
    }

    /// Events that are listened to for the first time get their ids.
    fn name_events(&mut self, ids: &mut Owners, owner: OwnerId, on: &Expr<Happening>) {
        let mut found = BTreeSet::new();
        events_of(on, &mut found);
        for name in found {
            if !self.raised.contains_key(&(owner, name.clone())) {
                let (id, keys) = (EventId(ids.sentinel(owner).0), Vec::new());
                let row = EventRow { id, name, keys };
                self.say(Record::Event(row.clone()));
                self.insert_event(row);
            }
        }
    }

    pub(super) fn insert_event(&mut self, row: EventRow) {
        self.raised.insert((row.id.owner(), row.name.clone()), row.id);
        self.events.insert(row.id, EventEntry { row, listeners: BTreeSet::new() });
    }

    /// Events that nobody listens to any more are none.
    fn forget_unheard(&mut self, owner: OwnerId, names: BTreeSet<Box<str>>) {
        for name in names {
            let key = (owner, name);
            let Some(&id) = self.raised.get(&key) else { continue };
            if self.events.get(&id).is_some_and(|entry| entry.listeners.is_empty()) {
                self.events.remove(&id);
                self.raised.remove(&key);
                self.say(Record::EventGone(id));
            }
        }
    }

    /// Enters a rule where it is looked up by what it names.
    pub(super) fn list(&mut self, id: RuleId, plan: &Plan) {
        for &sentinel in &plan.sentinels {
            self.naming.entry(sentinel).or_default().insert(id);
        }
        let mut names = BTreeSet::new();
        events_of(&plan.on, &mut names);
        for name in names {
            let event = self.raised.get(&(id.owner(), name));
            if let Some(entry) = event.and_then(|event| self.events.get_mut(event)) {
                entry.listeners.insert(id);
            }
        }
        let mut heeded = BTreeSet::new();
        heeded_by(&plan.expr, &mut heeded);
        for sentinel in heeded {
            *self.heeded.entry(sentinel).or_default() += 1;
        }
    }

    fn unlist(&mut self, id: RuleId, plan: &Plan) {
        for sentinel in &plan.sentinels {
            if let Some(rules) = self.naming.get_mut(sentinel) {
                rules.remove(&id);
                if rules.is_empty() {
                    self.naming.remove(sentinel);
                }
            }
        }
        let mut names = BTreeSet::new();
        events_of(&plan.on, &mut names);
        for name in names {
            let event = self.raised.get(&(id.owner(), name));
            if let Some(entry) = event.and_then(|event| self.events.get_mut(event)) {
                entry.listeners.remove(&id);
            }
        }
        let mut heeded = BTreeSet::new();
        heeded_by(&plan.expr, &mut heeded);
        for sentinel in heeded {
            if let Some(count) = self.heeded.get_mut(&sentinel) {
                *count -= 1;
                if *count == 0 {
                    self.heeded.remove(&sentinel);
                }
            }
        }
    }

    /// Forgets the rule of this name, if there is one; says which it was.
    pub(crate) fn remove(&mut self, now: Instant, owner: OwnerId, name: &str) -> Option<RuleId> {
        self.now = now;
        let id = self.names.remove(&(owner, name.to_lowercase().into()))?;
        self.detector.remove(id);
        let mut unheard = BTreeSet::new();
        if let Some(entry) = self.rules.remove(&id) {
            self.unlist(id, &entry.plan);
            events_of(&entry.plan.on, &mut unheard);
        }
        let waiting = self.waiting.values().filter(|firing| firing.rule == id);
        let waiting: Vec<u64> = waiting.map(|firing| firing.number).collect();
        for number in waiting {
            self.waiting.remove(&number);
            self.ready.remove(&number);
            self.say(Record::FiringGone(number));
        }
        self.touched.remove(&id);
        self.say(Record::RuleGone(id));
        self.forget_unheard(owner, unheard);
        Some(id)
    }

    /// Enables or disables the rule of this name; nothing where there is none.
    pub(crate) fn enable(
        &mut self,
        now: Instant,
        Called { owner, name }: Called<'_>,
        is_enabled: bool,
    ) -> Option<Answer> {
        self.now = now;
        let id = *self.names.get(&(owner, name.to_lowercase().into()))?;
        let entry = self.rules.get_mut(&id)?;
        if std::mem::replace(&mut entry.life.is_enabled, is_enabled) == is_enabled {
            return Some(Answer::Done);
        }
        self.touched.insert(id);
        if is_enabled {
            self.listen(id);
        } else {
            entry.life.root = None;
            self.detector.remove(id);
        }
        Some(Answer::Done)
    }

    /// A person raises an event. The key is stored with what follows, or not at all.
    pub(crate) fn raise_asked(
        &mut self,
        now: Instant,
        Called { owner, name }: Called<'_>,
        key: Option<RaiseKey>,
    ) -> Answer {
        self.now = now;
        let Some(&event) = self.raised.get(&(owner, name.to_lowercase().into())) else {
            return Answer::NotFound { what: format!("rule that listens to `{name}`").into() };
        };
        if let (Some(key), Some(entry)) = (key, self.events.get_mut(&event)) {
            let keys = &mut entry.row.keys;
            if keys.contains(&key) {
                return Answer::Done;
            }
            keys.drain(..keys.len().saturating_sub(RAISE_KEYS_MAX - 1));
            keys.push(key);
            let row = entry.row.clone();
            self.say(Record::Event(row));
        }
        self.raise(owner, name);
        Answer::Done
    }

    /// Why a sentinel cannot go: a rule names it.
    pub(crate) fn needs(&self, sentinel: SentinelId) -> Option<&str> {
        let rule = self.naming.get(&sentinel)?.first()?;
        self.rules.get(rule).map(|entry| &*entry.row.name)
    }

    /// Which definition of a rule or an event has the name.
    pub(crate) fn mark(&self, owner: OwnerId, name: &str) -> Option<Mark> {
        let key = (owner, name.to_lowercase().into());
        if let Some(entry) = self.names.get(&key).and_then(|id| self.rules.get(id)) {
            return Some((SentinelId(entry.row.id.0), entry.row.generation, 0));
        }
        self.raised.get(&key).map(|event| (SentinelId(event.0), 0, 0))
    }

    /// What has the name, for texts that build on it.
    pub(crate) fn standing(&self, owner: OwnerId, name: &str) -> Option<Standing> {
        let (id, generation, amended) = self.mark(owner, name)?;
        let rule = self.rules.get(&RuleId(id.0));
        let (what, text, defined_at) = match rule {
            Some(entry) => (What::Rule, entry.row.text.clone(), entry.row.defined_at),
            None => (What::Event, "".into(), Instant::EPOCH),
        };
        Some(Standing {
            id,
            generation,
            amended,
            text,
            defined_at,
            what,
            ended: None,
            hangs_on: Box::default(),
        })
    }

    /// How many rules there are.
    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    pub(super) fn say(&mut self, record: Record) {
        self.out.push_back(Out::Record(record));
    }
}
