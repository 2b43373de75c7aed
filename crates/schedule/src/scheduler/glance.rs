//! Requests to a host that no source makes: a person has a page looked at that nobody watches.

use super::Scheduler;
use crate::bucket::Bucket;
use chronon::{HostId, Instant};

impl Scheduler {
    /// Starts a request to `host` for no source, if budget and politeness allow it now. It takes a
    /// probe of the budget, a token of the host and a place in flight until
    /// [`Scheduler::glanced`]. The bucket of a host that is not known was empty at `since`, when
    /// the process began. O(log n).
    ///
    /// # Errors
    /// When to ask again; `NEVER` where the budget is zero.
    pub fn glance(&mut self, now: Instant, host: HostId, since: Instant) -> Result<(), Instant> {
        self.advance(now);
        let config = &self.config;
        let empty = || Bucket::empty(since, config.host_interval, config.host_in_flight);
        let slot = self.hosts.slot_or_insert(host, empty);
        let bucket = self.hosts.bucket(slot);
        let polite = bucket.ready_at(self.grid);
        if polite > self.now {
            return Err(polite);
        }
        if !bucket.has_room() || self.in_flight >= self.config.in_flight_max {
            return Err(self.grid.start(self.grid.index(self.now) + 1));
        }
        self.budget.settle(self.grid.index(self.now));
        if !self.budget.allows(1.0) {
            return Err(self.budget.next(1.0).map_or(Instant::NEVER, |at| self.grid.start(at)));
        }
        self.budget.take(1.0);
        self.take_token(slot);
        self.place(slot);
        Ok(())
    }

    /// A request that [`Scheduler::glance`] started is over.
    pub fn glanced(&mut self, now: Instant, host: HostId) {
        self.advance(now);
        let Some(slot) = self.hosts.slot(host) else { return };
        self.in_flight = self.in_flight.saturating_sub(1);
        let bucket = self.hosts.bucket_mut(slot);
        bucket.in_flight = bucket.in_flight.saturating_sub(1);
        self.place(slot);
    }
}
