//! From stored rows to sentinels.

use super::{Life, Out, Reach, Timer};
use crate::packed::pack;
use crate::record::{Cause, Place, Record, SentinelLife, SentinelRow, SentinelState};
use crate::watch::Weighed;
use chronon::{Instant, SentinelId, SourceId, Span};
use sentinel::ast::{self, When};
use std::collections::BTreeMap;

/// A stored sentinel, its text read back, and the ways to those it tells.
pub(crate) struct Loaded {
    pub(crate) row: SentinelRow,
    pub(crate) life: SentinelLife,
    pub(crate) ast: ast::Sentinel,
    pub(crate) reach: Reach,
}

impl Life {
    /// Takes a stored sentinel over: the first of two with one name is the sentinel, the other an
    /// earlier generation of it.
    pub(crate) fn load(&mut self, loaded: Loaded) {
        let Loaded { row, life, mut ast, reach } = loaded;
        let id = row.id;
        if life.since.is_some_and(|since| since > self.now + Span::DAY) {
            let said = format!("sentinel `{}` began in the far future", row.name);
            self.say(Out::Warning(said + "; it hears from now on"));
        }
        if let Some(heir) = self.names.get(id.owner(), &row.name) {
            self.earlier.insert(id, heir);
            ast.from = When::At(ast.from.at().or(life.from).unwrap_or(row.defined_at));
            ast.to = life.until.map(When::At);
        } else {
            self.names.insert(&row.name, id);
            let others = life.others.iter().map(|place| place.worry);
            let told = std::iter::once(life.worry).chain(others);
            for (source, told) in row.sources().zip(told) {
                self.watchers_of(source).insert(id);
                if told.is_some() {
                    self.watchers_of(source).told_mut().insert(id);
                }
            }
        }
        self.insert(row, life, &ast, reach);
    }

    /// What it listens to is there again; windows start where they did. Says when it ended, if it
    /// did.
    pub(crate) fn rejoined(&mut self, id: SentinelId) -> Option<Instant> {
        let now = self.now;
        let entry = self.sentinels.get_mut(&id)?;
        entry.life.since.get_or_insert(now);
        let until = entry.life.until;
        let ended = until.filter(|_| entry.life.state == SentinelState::Ended);
        if ended.is_some() {
            self.leaves_soon(id);
        }
        ended
    }

    /// What every source is worth to those who want it fresh.
    pub(crate) fn load_weights(&mut self) {
        let ids: Vec<SentinelId> = self.sentinels.keys().copied().collect();
        let mut weights = BTreeMap::<SourceId, u64>::new();
        for weighed in ids.into_iter().flat_map(|id| self.shares(id)) {
            *weights.entry(weighed.source).or_default() += weighed.after;
        }
        for (source, after) in weights.into_iter().filter(|weight| weight.1 > 0) {
            self.say(Out::Weighed(Weighed { source, before: 0, after }));
        }
    }

    /// A repaired store may have lost rows that others name. A sentinel whose source or stream is
    /// gone begins anew, at `source`: what its page shows next is its baseline. The first step
    /// writes it down.
    pub(crate) fn begin_anew(&mut self, id: SentinelId, sources: &[SourceId]) {
        let now = self.now;
        self.part(id).into_iter().for_each(|stream| self.say(Out::Unheard(stream)));
        let before: Vec<SourceId> = self.entry(id).row.sources().collect();
        if before != sources {
            before.into_iter().for_each(|source| self.unname_source(source, id));
            self.entry(id).weighed = 0;
        }
        for &source in sources {
            self.watchers_of(source).insert(id);
        }
        let entry = self.entry(id);
        if let Some((first, others)) = sources.split_first() {
            (entry.row.source, entry.row.others) = (*first, others.into());
        }
        (entry.life.stream, entry.life.since, entry.life.first_index) = (None, None, 0);
        entry.life.others = vec![Place::default(); entry.row.others.len()].into();
        let said = format!("what sentinel `{}` compared with is lost", entry.row.name);
        let (is_active, from, row) = (entry.is_active(), entry.plan.from, entry.row.clone());
        self.say(Out::Warning(said + "; what its page shows next is its baseline"));
        self.record(Record::Sentinel(Box::new(row)));
        self.touched.insert(id);
        if is_active {
            self.transition(id, SentinelState::Pending, Cause::Time);
            self.timers.set(from.max(now), Timer::Activate(id));
        }
        self.weigh(id);
    }

    /// Those that a clock which ran ahead ended though their `to` has not come.
    pub(crate) fn ended_early(&self, now: Instant) -> Vec<SentinelId> {
        let is_early = |id: &SentinelId| {
            let entry = &self.sentinels[id];
            let has_ended = entry.life.state == SentinelState::Ended;
            // A clock a little behind that of the last life is no wrong one.
            let to_come = entry.plan.to.is_none_or(|to| to > now + Span::MINUTE);
            has_ended && !self.earlier.contains(*id) && to_come && entry.row.defined_at <= now
        };
        self.sentinels.keys().copied().filter(is_early).collect()
    }

    /// Every sentinel, earlier generations included.
    pub(crate) fn ids(&self) -> Vec<SentinelId> {
        self.sentinels.keys().copied().collect()
    }

    /// What loading touched is what the store holds; nothing is to be written for it.
    pub(crate) fn loaded(&mut self) {
        self.touched.clear();
        pack(&mut self.sentinels);
        pack(&mut self.watchers);
        self.names.pack();
        self.timers.pack();
    }
}
