//! Lives that begin and end with others.
//!
//! A time that counts from another life is computed when that life turns, and kept in the row of
//! who waits for it: nothing is listened to, and no timer runs before the time is known
//! (docs/decisions/053). What has come true stays true, whatever becomes of the other life.

use super::{Life, Timer};
use crate::record::SentinelState;
use chronon::{Instant, OwnerId, SentinelId};
use sentinel::ast::{Anchor, Edge};
use std::collections::{BTreeMap, BTreeSet};

/// Who counts from a name, whether or not there is a sentinel of that name.
#[derive(Default)]
pub(super) struct Chains(BTreeMap<(OwnerId, Box<str>), BTreeSet<SentinelId>>);

impl Chains {
    fn insert(&mut self, name: String, id: SentinelId) {
        self.0.entry((id.owner(), name.into())).or_default().insert(id);
    }

    fn remove(&mut self, name: String, id: SentinelId) {
        let key = (id.owner(), name.into());
        let Some(of) = self.0.get_mut(&key) else { return };
        of.remove(&id);
        if of.is_empty() {
            self.0.remove(&key);
        }
    }

    fn of(&self, owner: OwnerId, name: &str) -> Vec<SentinelId> {
        let key = (owner, name.to_lowercase().into());
        self.0.get(&key).map_or(Vec::new(), |of| of.iter().copied().collect())
    }
}

impl Life {
    /// The sentinel waits for what its text counts from.
    pub(super) fn hang(&mut self, id: SentinelId) {
        let names: Vec<String> = self.entry(id).plan.hangs.names().collect();
        names.into_iter().for_each(|name| self.chains.insert(name, id));
    }

    /// It is gone, or has another text.
    pub(super) fn unhang(&mut self, id: SentinelId) {
        let Some(entry) = self.sentinels.get(&id) else { return };
        entry.plan.hangs.names().for_each(|name| self.chains.remove(name, id));
    }

    /// The first whose life counts from this name, by its own.
    pub(super) fn counts_from(&self, owner: OwnerId, name: &str) -> Option<&str> {
        let first = self.chains.of(owner, name).first().copied()?;
        Some(&self.sentinels.get(&first)?.row.name)
    }

    /// A new text counts from what is known already.
    pub(super) fn settle_times(&mut self, id: SentinelId) {
        self.settle_time(id, Edge::Start);
        self.settle_time(id, Edge::End);
    }

    /// The life of a sentinel started or ended, or will at another time: who counts from it knows
    /// when to begin or end.
    pub(super) fn retime(&mut self, id: SentinelId) {
        let Some(entry) = self.sentinels.get(&id) else { return };
        for waiting in self.chains.of(id.owner(), &entry.row.name) {
            self.settle_times(waiting);
        }
    }

    /// Takes over what is known of one of its edges. Timers do the rest, so that a line of lives is
    /// no line of calls.
    fn settle_time(&mut self, id: SentinelId, edge: Edge) {
        let Some(entry) = self.sentinels.get(&id) else { return };
        let (hangs, life) = (&entry.plan.hangs, &entry.life);
        let (anchor, before) = match edge {
            Edge::Start => (&hangs.from, life.from),
            Edge::End => (&hangs.to, life.to),
        };
        let is_open = match (edge, life.state) {
            (_, SentinelState::Ended) | (Edge::Start, SentinelState::Active) => false,
            (Edge::Start, SentinelState::Disabled) => life.started.is_none() || before.is_none(),
            (Edge::End, _) | (_, SentinelState::Pending) => true,
        };
        let Some(anchor) = anchor.as_deref().filter(|_| is_open) else { return };
        let at = self.counted(id, anchor).or(before.filter(|_| !anchor.is_before()));
        if at != before {
            self.keep_time(id, edge, at);
        }
    }

    fn keep_time(&mut self, id: SentinelId, edge: Edge, at: Option<Instant>) {
        let entry = self.entry(id);
        match edge {
            Edge::Start => {
                entry.life.from = at;
                entry.plan_mut().from = at.unwrap_or(Instant::NEVER);
                self.timers.set(at.unwrap_or(Instant::NEVER), Timer::Activate(id));
            }
            Edge::End => {
                (entry.life.to, entry.plan_mut().to) = (at, at);
                self.timers.set(at.unwrap_or(Instant::NEVER), Timer::End(id));
            }
        }
        self.touched.insert(id);
    }

    /// When what counts from an edge of another life comes, if that is known: the edge has come, or
    /// a date says when it will and the time is before it.
    fn counted(&self, id: SentinelId, anchor: &Anchor) -> Option<Instant> {
        let of = &self.sentinels[&self.names.get(id.owner(), &anchor.name)?];
        let (life, plan) = (&of.life, &of.plan);
        let has_ended = life.state == SentinelState::Ended;
        let come = match anchor.edge {
            Edge::Start => life.started,
            Edge::End => life.until.or(plan.to).filter(|_| has_ended),
        };
        let planned = || match anchor.edge {
            Edge::Start => Some(plan.from).filter(|&from| from < Instant::NEVER && !has_ended),
            Edge::End => plan.to,
        };
        let base = come.or_else(|| planned().filter(|_| anchor.is_before()))?;
        Some(anchor.counted_from(base, &self.sentinels[&id].plan.zone))
    }

    /// A new text that begins later, or hangs on what has not come, starts the life anew.
    pub(super) fn forget_start(&mut self, id: SentinelId) {
        let now = self.now;
        let entry = self.entry(id);
        if entry.life.state != SentinelState::Active && entry.plan.from > now {
            entry.life.started = None;
        }
    }

    /// The sentinel is about to be removed, which ends its life if nothing did before.
    pub(super) fn end_for_good(&mut self, id: SentinelId) {
        let now = self.now;
        let entry = self.entry(id);
        if entry.life.state == SentinelState::Ended {
            return;
        }
        entry.life.state = SentinelState::Ended;
        entry.life.until = Some(now);
        self.retime(id);
    }
}
