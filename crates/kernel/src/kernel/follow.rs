//! What rules are told and what they do, between the owners.

use super::Kernel;
use crate::event::{self, Outline, RuleDefinition, Telling};
use crate::flights::Flight;
use crate::io::{Answer, Computation, Effect, RequestId};
use crate::life::Teller;
use crate::owners::Called;
use crate::record::Cause;
use crate::view::{RuleCounts, RuleLine, RuleView};
use crate::watch::{self, Address, Wanted};
use ::event::Signal;
use address::Way;
use chronon::{OwnerId, RuleId, SentinelId, SourceId};
use outbox::Detection;
use sentinel::ast::Notify;
use sentinel::ast::rule::{Action, Rule};

/// What looks are worth that a rule wants: as much as those of a sentinel of weight 1.
const WEIGHT: u64 = 1_000_000;

impl Kernel {
    pub(super) fn event_said(&mut self, out: event::Out) {
        match out {
            event::Out::Record(record) => self.out.records.push(record),
            event::Out::Announce(what) => self.out.effects.push(Effect::Announce(what)),
            event::Out::Judge { firing, question } => {
                let ticket = self.flights.start(Flight::Judge(firing));
                self.compute(Computation::Judge { ticket, question });
            }
            event::Out::Notify(telling) => self.tell(*telling),
            event::Out::Probe { owner, sources, within, zone } => {
                let way = Way::default();
                let source = |url| {
                    let address = Address::of(owner, url, &way);
                    self.watch.source_of(self.now, &address)
                };
                let sources: Vec<SourceId> = sources.iter().map(source).collect();
                let finish = within.nth(self.now, 1, &zone);
                let wanted = Wanted { sources, finish, weight: WEIGHT, about: None };
                self.watch.handle(self.now, watch::In::Wanted(wanted));
            }
            event::Out::Enable { rule, name, is_enabled } => {
                let answer = self.enable(
                    Called { owner: rule.owner(), name: &name },
                    is_enabled,
                    Cause::Rule,
                );
                let why = match answer {
                    Answer::Unable(why) => why,
                    Answer::NotFound { what } => format!("there is no {what}").into(),
                    _ => return,
                };
                self.events.handle(self.now, event::In::Failed { rule, why });
            }
        }
    }

    /// Enables or disables a sentinel, for a person or a rule.
    pub(super) fn enable(&mut self, called: Called<'_>, is_enabled: bool, cause: Cause) -> Answer {
        if is_enabled {
            self.life.enable(self.now, called, cause)
        } else {
            self.life.disable(self.now, called, cause)
        }
    }

    /// What a rule heard is remembered as a detection of its own, and told.
    fn tell(&mut self, telling: Telling) {
        let Telling { rule, generation, seq, whom, from, zone, parts } = telling;
        let sentinel = SentinelId(rule.0);
        let streams = Vec::new();
        let held = None;
        let teller = Teller { sentinel, generation, seq, whom, held, from, zone, streams };
        let detection = Detection {
            id: self.owners.detection(rule.owner()),
            sentinel,
            generation,
            at: self.now,
            seq,
            evidence: Vec::new(),
            combinations: Vec::new(),
            parts,
            follow: None,
        };
        let whom = self.notices.whom(self.now, &teller, &[]);
        self.notices.found(&detection);
        self.notices.detected(self.now, &mut self.owners, &detection, &whom);
    }

    /// Something happened that rules may listen for.
    pub(super) fn happened(&mut self, signal: Signal, about: u64) {
        self.events.handle(self.now, event::In::Happened { signal, about });
    }

    /// A look at a source ended.
    pub(super) fn ended_look(&mut self, source: SourceId, is_well: bool) {
        for sentinel in self.life.active_on(source, self.events.heeded()) {
            let signal = if is_well { Signal::Fetched(sentinel) } else { Signal::Failed(sentinel) };
            self.happened(signal, u64::from(source.0));
        }
    }

    /// A rule of the file whose turn it is. A sentinel that it names and that was to go stays.
    pub(super) fn define_rule(&mut self, definition: RuleDefinition) {
        let outline = self.outline(definition.owner, &definition.statement.rule);
        for &(_, sentinel) in &outline.sentinels {
            self.life.keep_named(self.now, sentinel);
        }
        let applied = self.events.define(self.now, &mut self.owners, definition, &outline);
        if let crate::io::Subject::Rule(id) = applied.id
            && let Some(generation) = self.events.generation(id)
        {
            let (sentinel, now) = (SentinelId(id.0), self.now);
            let replaced = crate::life::Notice::Replaced { sentinel, generation, held: None };
            self.notices.handle(now, &mut self.owners, replaced);
        }
        self.life.applied(applied);
    }

    /// What the others know of what a rule names.
    pub(super) fn outline(&mut self, owner: OwnerId, rule: &Rule) -> Outline {
        let notify = rule.actions.iter().filter_map(|action| match action {
            Action::Notify(notify) => Some(notify.clone()),
            _ => None,
        });
        let notify: Vec<Notify> = notify.collect();
        let whom = self.notices.recipients(&mut self.owners, owner, &notify);
        let names = event::sentinels_of(rule).into_iter();
        let sentinels = names.filter_map(|name| {
            let id = self.life.id_of(owner, &name)?;
            Some((name, id))
        });
        Outline { whom, sentinels: sentinels.collect() }
    }

    /// A name is to go: a sentinel's that no rule names, or a rule's.
    pub(super) fn remove(&mut self, request: RequestId, owner: OwnerId, name: &str) {
        let now = self.now;
        let answer = if let Some(id) = self.events.remove(now, owner, name) {
            let removed = crate::life::Notice::Removed(SentinelId(id.0));
            self.notices.handle(now, &mut self.owners, removed);
            Answer::Done
        } else {
            match self.named_by_rule(owner, name) {
                Some(answer) => answer,
                None => self.life.remove(now, owner, name),
            }
        };
        self.settle();
        self.out.effects.push(Effect::Answer { request, answer });
    }

    /// A sentinel that no rule names is to have a name that neither rule nor event has.
    pub(super) fn rename(&mut self, request: RequestId, owner: OwnerId, name: &str, to: &str) {
        let answer = if self.events.mark(owner, to).is_some() {
            Answer::Conflict { name: to.into() }
        } else {
            match self.named_by_rule(owner, name) {
                Some(answer) => answer,
                None => self.life.rename(owner, name, to),
            }
        };
        self.settle();
        self.out.effects.push(Effect::Answer { request, answer });
    }

    /// Why a sentinel must keep its name: a rule names it.
    pub(super) fn named_by_rule(&self, owner: OwnerId, name: &str) -> Option<Answer> {
        let rule = self.events.needs(self.life.id_of(owner, name)?)?;
        let sentence =
            format!("the rule `{rule}` names `{name}`; remove the rule first, or change it");
        Some(Answer::Unable(sentence.into()))
    }

    /// The owner's rules above `after` in order of id, at most `limit`. O(limit), and O(n) for n
    /// firings that wait.
    pub fn rules_of(&self, owner: OwnerId, after: Option<RuleId>, limit: usize) -> Vec<RuleLine> {
        self.events.lines(self.events.after(owner, after).take(limit))
    }

    /// The owner's rule of this name, in any case.
    pub fn rule(&self, owner: OwnerId, name: &str) -> Option<RuleView> {
        self.rule_by_id(self.events.named(owner, name)?)
    }

    pub fn rule_by_id(&self, id: RuleId) -> Option<RuleView> {
        let name = |id| self.life.seen(id).map(|seen| seen.row.name.clone());
        self.events.view(id, &name)
    }

    /// The rules that name a sentinel.
    pub fn rules_naming(&self, sentinel: SentinelId) -> Vec<Box<str>> {
        self.events.of_sentinel(sentinel)
    }

    /// The events of an owner that rules listen to.
    pub fn raisable(&self, owner: OwnerId) -> Vec<Box<str>> {
        self.events.events_of(owner)
    }

    /// How much there is of rules, and what became of it.
    pub fn rule_counts(&self) -> RuleCounts {
        let (sizes, (counts, waiting)) = (self.events.sizes(), self.events.counts());
        RuleCounts {
            rules: self.events.len(),
            nodes: sizes.nodes,
            open: sizes.open,
            timers: sizes.timers,
            dropped: sizes.dropped,
            fired: counts.fired,
            cut: counts.cut,
            waiting,
            left_out: counts.dropped,
        }
    }
}
