//! Ways to poll a scheduler.

use super::drawn::HOSTS;
use crate::{Event, Pick, Scheduler};
use chronon::{HostId, Instant, SourceId};

pub(super) trait Polled {
    fn handle(&mut self, now: Instant, event: Event);
    fn poll(&mut self, now: Instant) -> Vec<Pick>;
    fn scheduler(&mut self) -> &mut Scheduler;
    /// The next time to poll, strictly after `now` or at once.
    fn next(&self, now: Instant) -> Option<Instant>;
}

/// Polled at every chronon's start, when any bucket fills, and after every event.
pub(super) struct EveryChronon(pub(super) Scheduler);
/// The same, where probes have their [`COSTS`].
pub(super) struct Dear(pub(super) EveryChronon);
/// Polled when it says so.
pub(super) struct ByDeadline(pub(super) Scheduler);
/// The start of the chronon after `now`.
pub(super) fn next_chronon(scheduler: &Scheduler, now: Instant) -> Option<Instant> {
    Some(scheduler.grid.start(scheduler.grid.index(now) + 1))
}

/// When the first bucket of all fills after `now`.
fn next_token(s: &Scheduler, now: Instant) -> Option<Instant> {
    let slots = (0..HOSTS).filter_map(|host| s.hosts.slot(HostId(host)));
    slots.map(|slot| s.hosts.bucket(slot).polite_at()).filter(|&at| at > now).min()
}

impl Polled for EveryChronon {
    fn handle(&mut self, now: Instant, event: Event) {
        self.0.handle(now, event);
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        let mut picks = Vec::new();
        self.0.poll(now, &mut picks);
        picks
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.0
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        next_chronon(&self.0, now).into_iter().chain(next_token(&self.0, now)).min()
    }
}

/// Cheap ones, and some that no chronon's budget pays.
pub(super) const COSTS: [f64; 4] = [0.5, 1.0, 2.75, 4.0];

pub(super) fn cost_of(source: SourceId) -> f64 {
    COSTS[source.0 as usize % 4]
}

impl Polled for Dear {
    fn handle(&mut self, now: Instant, event: Event) {
        let added = match event {
            Event::SourceAdded { source, .. } => Some(source),
            _ => None,
        };
        self.0.handle(now, event);
        if let Some(source) = added {
            self.0.handle(now, Event::Cost { source, cost: cost_of(source) });
        }
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        self.0.poll(now)
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        self.0.scheduler()
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        self.0.next(now)
    }
}

impl Polled for ByDeadline {
    fn handle(&mut self, now: Instant, event: Event) {
        self.0.handle(now, event);
        let promised = self.0.next_deadline().is_some_and(|due| due <= now);
        let (mut copy, mut picks, mut onward) = (self.0.clone(), Vec::new(), Vec::new());
        copy.poll(now, &mut picks);
        copy.take_onward(&mut onward);
        let any = !picks.is_empty() || !onward.is_empty();
        assert_eq!(promised, any, "a deadline that has come means a pick");
    }
    fn poll(&mut self, now: Instant) -> Vec<Pick> {
        let mut picks = Vec::new();
        self.0.poll(now, &mut picks);
        picks
    }
    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.0
    }
    fn next(&self, now: Instant) -> Option<Instant> {
        let deadline = self.0.next_deadline();
        assert!(deadline.is_none_or(|due| due > now), "at {now} it would spin");
        deadline
    }
}
