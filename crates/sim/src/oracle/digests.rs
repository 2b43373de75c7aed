//! When a digest goes: once the last look of its window is done or missed, and its comparisons are;
//! without such a look, when the window is over.

use super::Oracle;
use crate::shell::{Cause, Step};
use chronon::{Instant, NotificationId, SentinelId, Span};
use kernel::Record;
use kernel::record::SentinelState;
use outbox::{OutboxRecord, Row, State};
use std::collections::BTreeMap;

/// A look may be answered so late, and be compared.
const WAIT: Span = Span::from_secs(180);

/// Digests that gather, and when their windows end.
#[derive(Debug, Default)]
pub(super) struct Digests {
    open: BTreeMap<NotificationId, Instant>,
    /// When the server started last.
    pub(super) up_since: Instant,
}

impl Digests {
    /// The end of its window, if it gathers no more.
    fn closed(&mut self, row: &Row) -> Option<Instant> {
        match row.state {
            State::Open { closes: Some(ends) } => {
                self.open.insert(row.id, ends);
                None
            }
            _ => self.open.remove(&row.id),
        }
    }
}

impl Oracle<'_> {
    /// Judges the digests that closed with this step.
    pub(super) fn digests_close(&mut self, at: Instant, step: &Step) -> Result<(), String> {
        for record in &step.records {
            let Record::Outbox(OutboxRecord::Row(row)) = record else { continue };
            let Some(ends) = self.digests.closed(row) else { continue };
            let Some(id) = row.sentinel.filter(|id| !is_touched(*id, step)) else { continue };
            let sentinel = self.names.get(&id).and_then(|name| self.sentinels.get(name));
            if let Some(sentinel) = sentinel
                && sentinel.state == SentinelState::Active
                && sentinel.generation == row.generation
                && !matches!(row.state, State::Cancelled { .. } | State::GivenUp { .. })
            {
                self.closes_rightly(at, &sentinel.spec, ends)?;
            }
        }
        Ok(())
    }

    fn closes_rightly(
        &self,
        at: Instant,
        spec: &crate::world::Spec,
        ends: Instant,
    ) -> Result<(), String> {
        let name = &spec.name;
        let digests = spec.digests();
        let [period] = digests[..] else { return Ok(()) };
        let (mut done, mut latest) = (at >= ends, ends);
        if let Some(look) = self.listening.last_look(name, (period, ends)) {
            latest = look.finish;
            done = look.is_captured || at > look.finish;
        }
        if !done {
            return Err(format!("the digest of {name} to {ends} closed before its last look"));
        }
        if at > latest.max(self.digests.up_since) + WAIT {
            Err(format!("the digest of {name} to {ends} closed late, not by {latest}"))
        } else {
            Ok(())
        }
    }
}

/// Somebody wants something, or it begins or ends: then what is pending may go at once.
fn is_touched(id: SentinelId, step: &Step) -> bool {
    let changes = |record: &Record| match record {
        Record::Sentinel(row) => row.id == id,
        Record::SentinelLife(life) => life.id == id,
        _ => false,
    };
    matches!(step.cause, Cause::Wish(_)) || step.records.iter().any(changes)
}
