//! From stored rows to rules, and back.

use super::define::Outline;
use super::{Events, Out, RuleEntry};
use crate::record::{FiringRow, Record, RuleLife, RuleRow, Snapshot};
use ::event::{Change, Detector, Limits, Row, Subscription};
use chronon::RuleId;
use sentinel::ast::rule::Rule;
use std::sync::Arc;

impl Events {
    /// The rule as its stored text says, if that can be read.
    pub(crate) fn read_back(&self, row: &RuleRow) -> Option<Rule> {
        sentinel::recall_rule(&row.text, row.defined_at, &row.zone, self.chronon).ok()
    }

    /// Events, which rules name.
    pub(crate) fn load_events(&mut self, snapshot: &Snapshot) {
        for row in &snapshot.events {
            self.insert_event(row.clone());
        }
    }

    /// A stored rule; it listens once all are there.
    pub(crate) fn load(
        &mut self,
        row: RuleRow,
        life: RuleLife,
        (rule, outline): (&Rule, &Outline),
    ) {
        let (id, plan) = (row.id, self.plan(row.id.owner(), rule, outline));
        self.names.insert((id.owner(), row.name.to_lowercase().into()), id);
        self.list(id, &plan);
        self.rules.insert(id, Box::new(RuleEntry { row, life, plan: Arc::new(plan) }));
        let lost =
            super::sentinels_of(rule).into_iter().find(|name| outline.sentinel(name).is_none());
        if let Some(name) = lost {
            let why = format!(
                "it names `{name}`, which is lost; apply the text of `{name}`, then that of this \
                 rule again"
            );
            self.note(id, &why);
        }
    }

    /// What the detector knew, and what waits to be carried out. Says what is wrong where the rows
    /// do not fit together: rules then listen anew.
    pub(crate) fn load_detector(
        &mut self,
        rows: Vec<Row>,
        firings: Vec<FiringRow>,
    ) -> Option<String> {
        let subscriptions = self.rules.values().filter_map(|entry| {
            let within = entry.plan.within.clone();
            Some((Subscription { rule: entry.row.id, within }, entry.life.root?))
        });
        let subscriptions: Vec<_> = subscriptions.collect();
        self.next_firing = firings.iter().map(|firing| firing.number + 1).max().unwrap_or(1);
        self.waiting = firings.into_iter().map(|firing| (firing.number, firing)).collect();
        self.ask_again();
        let keys: Vec<_> = rows.iter().map(Row::key).collect();
        let next = rows.iter().find_map(|row| match row {
            Row::Next(next) => Some(*next),
            _ => None,
        });
        match Detector::load(Limits::default(), rows, subscriptions) {
            Ok(detector) => {
                self.detector = detector;
                None
            }
            Err(wrong) => {
                let drop = |key| Out::Record(Record::Detector(Change::Drop(key)));
                self.out.extend(keys.into_iter().map(drop));
                let rows = [Row::Next(next.unwrap_or(1 << 32))];
                self.detector = Detector::load(Limits::default(), rows, []).unwrap_or_default();
                let rules: Vec<RuleId> = self.rules.keys().copied().collect();
                for rule in rules {
                    self.note(rule, "what it had heard was lost; it listens anew");
                    self.listen(rule);
                }
                Some(format!("{wrong}; rules listen anew, and what was open is lost"))
            }
        }
    }

    /// Rules that are enabled and listen to nothing, since rows were lost, listen anew.
    pub(crate) fn listen_again(&mut self) {
        let silent =
            self.rules.values().filter(|entry| entry.life.is_enabled && entry.life.root.is_none());
        let silent: Vec<RuleId> = silent.map(|entry| entry.row.id).collect();
        for rule in silent {
            self.note(rule, "what it had heard was lost; it listens anew");
            self.listen(rule);
        }
    }

    /// Rows that changed in this step.
    pub(crate) fn take_records(&mut self) -> Vec<Record> {
        let touched = std::mem::take(&mut self.touched);
        let life = |id| self.rules.get(&id).map(|entry| Record::RuleLife(entry.life.clone()));
        let mut records: Vec<Record> = touched.into_iter().filter_map(life).collect();
        records.extend(self.detector.changes().into_iter().map(Record::Detector));
        records
    }

    /// Puts into a snapshot what it would hold if everything said so far is durable.
    pub(crate) fn fold(&self, fold: &mut Snapshot) {
        fold.rules = self.rules.values().map(|one| (one.row.clone(), one.life.clone())).collect();
        fold.events = self.events.values().map(|entry| entry.row.clone()).collect();
        fold.detector = self.detector.rows();
        // A detector that was never used has no rows.
        if fold.detector == [Row::Next(1)] {
            fold.detector.clear();
        }
        fold.detector.sort_by_key(Row::key);
        fold.firings = self.waiting.values().cloned().collect();
    }
}
