//! Looks at pages that nobody watches: a person wants to see what is there.

use super::Watch;
use crate::io::Answer;
use chronon::{Instant, Span};

impl Watch {
    /// Whether `host` may be asked now for no source. What it takes of budget and politeness is
    /// taken.
    pub(crate) fn glance(&mut self, now: Instant, host: &str) -> Answer {
        self.now = now;
        let id = self.hosts.intern(host);
        let allowed = self.scheduler.glance(now, id, self.loaded);
        self.forget_soon(host);
        match allowed {
            Ok(()) => Answer::Done,
            Err(later) => Answer::Later(later),
        }
    }

    /// The request is over; `hold`: the host asked to be left alone.
    pub(crate) fn glance_over(
        &mut self,
        now: Instant,
        host: &str,
        hold: Option<Option<Span>>,
    ) -> Answer {
        self.now = now;
        if let Some(id) = self.hosts.get(host) {
            self.scheduler.glanced(now, id);
            if let Some(retry_after) = hold {
                self.hold_host(id, host, retry_after);
            }
            self.forget_soon(host);
        }
        Answer::Done
    }
}
