//! When a source will be looked at next, why, and what stands in the way: for people.

use crate::policy;
use crate::scheduler::Scheduler;
use crate::source::{Source, UNPROBED};
use crate::{Obstacle, Outlook, Reason};
use chronon::{Instant, SourceId};

impl Scheduler {
    /// `due` is when the source wants its next probe (in the past if it waits already), `waits_for`
    /// the first obstacle if it is due: its host's hold, politeness, a full house, the budget. An
    /// unknown source has no outlook. O(log n).
    pub fn outlook(&self, now: Instant, source: SourceId) -> Outlook {
        let nothing = Outlook { due: None, reason: None, waits_for: None };
        let Some(entry) = self.sources.get(source) else { return nothing };
        if entry.in_flight {
            return Outlook { waits_for: Some(Obstacle::InFlight), ..nothing };
        }
        let Some((due, reason)) = self.next_demand(source, entry, now) else { return nothing };
        if entry.held {
            return Outlook { due: None, reason: Some(reason), waits_for: Some(Obstacle::Rounds) };
        }
        let waits_for = if due <= now { self.obstacle(entry, now) } else { None };
        Outlook { due: Some(due), reason: Some(reason), waits_for }
    }

    /// The demand that will be served next: of those due the one that comes first, else the one
    /// that is due first.
    fn next_demand(
        &self,
        source: SourceId,
        entry: &Source,
        now: Instant,
    ) -> Option<(Instant, Reason)> {
        if let Some(since) = entry.first_since() {
            let never = entry.last_probe == UNPROBED;
            return Some((since, if never { Reason::Baseline } else { Reason::Asked }));
        }
        let window = |(opens, finish): (Instant, Instant)| {
            let due = policy::window_due(entry, finish, self.grid).max(opens);
            (due, Reason::Deadline { finish })
        };
        let open = self.windows.opened(source).filter(|&(_, finish)| finish >= now).map(|open| {
            // A retry that comes after the end comes never.
            Some(window(open)).filter(|&(due, _)| due <= open.1)
        });
        let open = open.flatten();
        let opening = self.windows.opening(source).map(window);
        let fresh = entry.fresh.then(|| {
            let reason = match entry.failures {
                0 => Reason::Freshness { interval: entry.interval },
                failures => Reason::Retry { failures },
            };
            (entry.due, reason)
        });
        let wanted = [open, opening, fresh];
        let due = wanted.iter().flatten().find(|(due, _)| *due <= now);
        due.or(wanted.iter().flatten().min_by_key(|(due, _)| *due)).copied()
    }

    fn obstacle(&self, entry: &Source, now: Instant) -> Option<Obstacle> {
        let bucket = self.hosts.get(&entry.host)?;
        let until = bucket.ready_at(self.grid);
        if until > now {
            let polite = bucket.polite_at(self.grid) >= until;
            return Some(match polite {
                true => Obstacle::Politeness { until },
                false => Obstacle::HostHeld { until },
            });
        }
        if !bucket.has_room() || self.in_flight >= self.config.in_flight_max {
            return Some(Obstacle::InFlight);
        }
        let affordable = self.budget.next().is_some_and(|at| at <= self.grid.index(now));
        (!affordable).then_some(Obstacle::Budget)
    }
}
