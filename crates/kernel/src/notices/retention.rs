//! Retention: when the store is asked to let go of notifications that are done with.

use crate::io::{FinishedPrune, Prune};
use crate::watch::NotBefore;
use chronon::{Instant, SentinelId, Span};
use std::collections::BTreeMap;

/// Notifications of a live sentinel kept in any case; more if its `changehistory` says so.
const NOTIFICATIONS_KEPT: u32 = 100;
/// Rows that one pruning of finished notifications looks at.
const ROWS_PER_PRUNE: u32 = 1_000;
/// The new notifications, or the time, after which the next pruning is due: what goes keeps pace
/// with what comes.
const NEW_PER_PRUNE: u64 = 500;
const PRUNE_EVERY: Span = Span::HOUR;

/// What is known of the store's finished rows.
#[derive(Default)]
pub(super) struct Retention {
    /// Notifications of this process at the last pruning.
    counted: u64,
    /// Sentinels whose `changehistory` is above [`NOTIFICATIONS_KEPT`].
    histories: BTreeMap<SentinelId, u32>,
    not_before: NotBefore,
    next: Option<Instant>,
}

impl Retention {
    /// Time went from `before` to `now` in one step.
    pub(super) fn jumped(&mut self, before: Instant, now: Instant) {
        self.not_before.jumped(before, now);
    }

    pub(super) fn defined(&mut self, sentinel: SentinelId, history: u32) {
        if history > NOTIFICATIONS_KEPT {
            self.histories.insert(sentinel, history);
        } else {
            self.histories.remove(&sentinel);
        }
    }

    pub(super) fn removed(&mut self, sentinel: SentinelId) {
        self.histories.remove(&sentinel);
    }

    /// The first of a life: those made so far are counted.
    pub(super) fn start(&mut self, now: Instant, made: u64) {
        self.counted = made;
        self.next = Some(now + PRUNE_EVERY);
    }

    /// When the next pruning is due, however few came.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// What may go now: once an hour, and when many came. `made` are the notifications of this
    /// process so far.
    pub(super) fn due(&mut self, now: Instant, made: u64, retention: Span) -> Option<Prune> {
        let is_hour = self.next.is_some_and(|next| next <= now);
        if is_hour {
            self.next = Some(now + PRUNE_EVERY);
        }
        if !is_hour && made - self.counted < NEW_PER_PRUNE || now < self.not_before.0 {
            return None;
        }
        self.counted = made;
        Some(Prune::Finished(FinishedPrune {
            before: now - retention,
            history: NOTIFICATIONS_KEPT,
            histories: self.histories.iter().map(|(&id, &history)| (id, history)).collect(),
            limit: ROWS_PER_PRUNE,
        }))
    }
}
