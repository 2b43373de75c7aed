//! How a source answers: what its row says before a look and after it.

use super::probes::Probed;
use super::{Out, Watch};
use crate::record::{ProbeOutcome, SourceRow};
use change::{Status, StatusChange};
use chronon::{Instant, SourceId, VersionNo};

/// A source answers otherwise than at the look before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Answered {
    pub(crate) source: SourceId,
    /// What it shows, or showed last; it may be held.
    pub(crate) version: VersionNo,
    pub(crate) change: StatusChange,
}

/// How a source answered when it was looked at last.
pub(super) struct Standing {
    status: Status,
    since: Option<Instant>,
    /// Where redirects led in the end, without what differs from visit to visit.
    place: Box<str>,
}

impl Standing {
    /// What a row says; `None`: nothing has answered yet.
    pub(super) fn of(row: &SourceRow) -> Option<Standing> {
        let odd = row.held.as_ref().filter(|held| held.confirmed).and_then(|held| held.odd);
        let status = match odd {
            Some(odd) => Status::Odd(odd),
            None if row.failures > 0 => Status::Down(0),
            None if row.version > 0 => Status::Up,
            None => return None,
        };
        let led_to = row.trail.as_ref().map(|trail| &*trail.to).filter(|to| !to.is_empty());
        let place = led_to.unwrap_or(row.url.reveal());
        let place = place.split(['?', '#']).next().unwrap_or_default();
        Some(Standing { status, since: row.failing_since, place: place.into() })
    }
}

/// The code that the server gave for a failure; 0 if it gave none.
fn code_of(outcome: &ProbeOutcome) -> u16 {
    match outcome {
        ProbeOutcome::Failed { status, .. } => status.unwrap_or(0),
        _ => 0,
    }
}

impl Watch {
    /// A look is over, with this outcome.
    pub(super) fn compare_answers(
        &mut self,
        Probed { source, start, .. }: Probed,
        before: Option<Standing>,
        outcome: &ProbeOutcome,
    ) {
        let Some(row) = self.sources.get(&source).map(|entry| &entry.row) else { return };
        let (Some(before), Some(now)) = (before, Standing::of(row)) else { return };
        let after = match now.status {
            Status::Down(_) => Status::Down(code_of(outcome)),
            Status::Up if before.status == Status::Up && before.place != now.place => Status::Moved,
            status => status,
        };
        if before.status.is_like(after) {
            return;
        }
        let version = VersionNo(if row.version > 0 { row.version } else { row.newest });
        if version.0 == 0 {
            return;
        }
        let since = before.since.filter(|since| *since <= start);
        let change = StatusChange { before: before.status, after, since, at: start };
        self.out.push_back(Out::Answered(Answered { source, version, change }));
    }
}
