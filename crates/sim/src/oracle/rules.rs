//! What rules hear, recomputed from all that happened by the detector's slow twin, and compared
//! with what the server says they heard: each occurrence once, over every crash.

use super::Oracle;
use crate::shell::{Cause, Step, Wish};
use crate::world::{RuleSpec, event_number, number_of};
use chronon::{EventId, Instant, RuleId, SentinelId};
use event::Signal;
use event::slow::Arrival;
use event::{Mark, What};
use kernel::Record;
use outbox::{Detection, PartKind};
use std::collections::{BTreeMap, BTreeSet};

/// What took part: when, and what.
type Heard = Vec<(Instant, String)>;

/// A rule, as far as it is defined.
#[derive(Debug)]
struct Rule {
    spec: RuleSpec,
    /// Since when it listens, and how long the history was; nothing while it is disabled.
    since: Option<(Instant, usize)>,
    /// What it should have heard while it listened before.
    heard: Vec<Heard>,
    /// What the server says.
    said: Vec<Heard>,
}

/// All that happened to rules.
#[derive(Debug, Default)]
pub(super) struct Rules {
    known: BTreeMap<RuleId, Rule>,
    history: Vec<Arrival>,
    /// Under which events were raised.
    keys: BTreeSet<u64>,
    last: Instant,
}

impl Rules {
    pub(super) fn is_rule(&self, id: SentinelId) -> bool {
        self.known.contains_key(&RuleId(id.0))
    }

    /// Occurrences that rules told.
    pub(super) fn told(&self) -> u64 {
        self.known.values().map(|rule| rule.said.len() as u64).sum()
    }

    fn arrives(&mut self, signal: Signal, at: Instant, about: u64) {
        self.history.push(Arrival { signal, at, about });
    }

    fn switch(&mut self, name: &str, at: Instant, is_enabled: bool) {
        let here = (at, self.history.len());
        let Some(rule) = self.known.values_mut().find(|rule| *rule.spec.name == *name) else {
            return;
        };
        match (is_enabled, rule.since) {
            (false, Some(since)) => {
                rule.heard.extend(heard(&rule.spec, &self.history, since, at));
                rule.since = None;
            }
            (true, None) => rule.since = Some(here),
            _ => {}
        }
    }

    /// The end: what was heard is what there was to hear.
    pub(super) fn finish(&self) -> Result<(), String> {
        for rule in self.known.values() {
            let mut wanted = rule.heard.clone();
            if let Some(since) = rule.since {
                wanted.extend(heard(&rule.spec, &self.history, since, self.last));
            }
            let mut said = rule.said.clone();
            wanted.sort();
            said.sort();
            if wanted != said {
                let only = |these: &[Heard], those: &[Heard]| {
                    these.iter().filter(|one| !those.contains(one)).cloned().collect::<Vec<_>>()
                };
                return Err(format!(
                    "RULES: {} heard {} times, {} were there to hear; not heard {:?}; not there \
                     {:?}",
                    rule.spec.text(),
                    said.len(),
                    wanted.len(),
                    only(&wanted, &said),
                    only(&said, &wanted),
                ));
            }
        }
        Ok(())
    }
}

fn heard(
    spec: &RuleSpec,
    history: &[Arrival],
    (from, first): (Instant, usize),
    until: Instant,
) -> Vec<Heard> {
    let occurrences = spec.hears(&history[first..], (from, until));
    let parts = |it: &event::Occurrence| {
        let mut marks: Vec<&Mark> = it.marks().iter().collect();
        marks.sort_by_key(|mark| (mark.at, mark.number));
        marks.dedup();
        let said = |mark: &Mark| match mark.what {
            What::Signal(Signal::Detected(_)) => format!("found d{}", mark.about),
            What::Signal(Signal::Raised(event)) => format!("raised e{}", event.0),
            What::Signal(other) => format!("{other:?}"),
            What::Clock => "the clock".to_owned(),
        };
        in_order(marks.into_iter().map(|mark| (mark.at, said(mark))).collect())
    };
    occurrences.iter().map(parts).collect()
}

/// What happened at one moment has no order of its own here.
fn in_order(mut heard: Heard) -> Heard {
    heard.sort();
    heard
}

impl Oracle<'_> {
    /// What a step means for rules.
    pub(super) fn rules_hear(&mut self, at: Instant, step: &Step) {
        if self.world.rules.is_empty() {
            return;
        }
        self.rules.last = at;
        match &step.cause {
            Cause::Wish(Wish::Raise { name, key }) => {
                let number = event_number(name).expect("worlds name events by numbers");
                let mut known = self.rules.known.values();
                let is_heard = known.any(|rule| rule.spec.listens_to(number));
                if is_heard && key.is_none_or(|key| self.rules.keys.insert(key)) {
                    self.rules.arrives(Signal::Raised(EventId(number)), at, 0);
                }
            }
            Cause::Wish(Wish::Enable { name, enabled }) => self.rules.switch(name, at, *enabled),
            _ => {}
        }
        for record in &step.records {
            match record {
                Record::Rule(row) => {
                    let spec = self.world.rules.values().find(|spec| *spec.name == *row.name);
                    let since = Some((at, self.rules.history.len()));
                    let (heard, said) = (Vec::new(), Vec::new());
                    let spec = spec.expect("worlds have no other rules").clone();
                    self.rules.known.insert(row.id, Rule { spec, since, heard, said });
                }
                Record::Detection(row) => self.rule_heard(at, row),
                _ => {}
            }
        }
    }

    /// A sentinel found something, or a rule heard it.
    fn rule_heard(&mut self, at: Instant, row: &Detection) {
        if let Some(rule) = self.rules.known.get_mut(&RuleId(row.sentinel.0)) {
            let said = row.parts.iter().map(|part| {
                let said = match &part.what {
                    PartKind::Found(_, detection) => format!("found d{}", detection.0),
                    PartKind::Raised(name) => format!("raised {name}"),
                    PartKind::Clock => "the clock".to_owned(),
                    other => format!("{other:?}"),
                };
                (part.at, said)
            });
            rule.said.push(in_order(said.collect()));
            let (raises, switches) = (rule.spec.raises, rule.spec.switches);
            if let Some(event) = raises
                && self.rules.known.values().any(|rule| rule.spec.listens_to(event))
            {
                self.rules.arrives(Signal::Raised(EventId(event)), at, 0);
            }
            self.switched.extend(switches);
        } else if let Some(number) = self.names.get(&row.sentinel).and_then(|name| number_of(name))
        {
            self.rules.arrives(Signal::Detected(SentinelId(number)), at, row.id.0);
        }
    }
}
