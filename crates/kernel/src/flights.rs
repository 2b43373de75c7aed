//! What is in flight: started effects whose completion has not come back.

use crate::hear::Compared;
use crate::io::Ticket;
use crate::watch::{Probed, Stale};
use chronon::{NotificationId, SourceId, VersionNo};
use page::View;
use rustc_hash::FxHashMap;

/// One started effect.
pub(crate) enum Flight {
    /// With the views that its answer is looked at with.
    Probe(Probed, Box<[View]>),
    Reextract(Stale),
    /// What sentinels point at is looked for, with these views, in what is stored.
    Look(SourceId, VersionNo, Box<[View]>),
    Compare(Compared),
    /// A firing whose condition looks at texts.
    Judge(u64),
    Compose(NotificationId),
    Deliver(NotificationId),
}

/// The flights of this epoch, by number; never iterated.
#[derive(Default)]
pub(crate) struct Flights {
    epoch: u64,
    next: u64,
    open: FxHashMap<u64, Flight>,
    pub(crate) comparisons: u32,
    pub(crate) probes: u32,
    pub(crate) deliveries: u32,
}

impl Flights {
    pub(crate) fn begin(&mut self, epoch: u64) {
        *self = Flights { epoch, ..Flights::default() };
    }

    pub(crate) fn start(&mut self, flight: Flight) -> Ticket {
        *self.count(&flight) += 1;
        self.next += 1;
        self.open.insert(self.next, flight);
        Ticket { epoch: self.epoch, number: self.next }
    }

    /// The flight that `ticket` names, once; `None` if it is unknown or of another epoch.
    pub(crate) fn land(&mut self, ticket: Ticket) -> Option<Flight> {
        if ticket.epoch != self.epoch {
            return None;
        }
        let flight = self.open.remove(&ticket.number)?;
        *self.count(&flight) -= 1;
        Some(flight)
    }

    fn count(&mut self, flight: &Flight) -> &mut u32 {
        match flight {
            Flight::Probe(..) => &mut self.probes,
            Flight::Reextract(_) | Flight::Look(..) | Flight::Compare(_) | Flight::Judge(_) => {
                &mut self.comparisons
            }
            Flight::Compose(_) | Flight::Deliver(_) => &mut self.deliveries,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Flight, Flights};
    use chronon::NotificationId;

    #[test]
    fn a_ticket_lands_once_and_none_of_an_earlier_epoch_does() {
        let mut flights = Flights::default();
        flights.begin(1);
        let earlier = flights.start(Flight::Deliver(NotificationId(1)));
        flights.begin(2);
        assert_eq!(flights.deliveries, 0, "what was in flight is not waited for");
        let ticket = flights.start(Flight::Compose(NotificationId(2)));
        assert_eq!((earlier.number, earlier.epoch, ticket.epoch), (ticket.number, 1, 2));
        assert!(flights.land(earlier).is_none());
        assert!(matches!(flights.land(ticket), Some(Flight::Compose(NotificationId(2)))));
        assert!(flights.land(ticket).is_none());
        assert_eq!(flights.deliveries, 0);
    }
}
