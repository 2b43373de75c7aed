//! Places for connections: a number in all, fewer for strangers, so that people who are known
//! always find one.
//!
//! Who sends a request is not known before its head is read, so everybody begins as a stranger. A
//! right token or session makes the connection known, and nothing takes its place away. A
//! stranger's place is lent: when strangers are too many, over all or from one address, the one who
//! has had a place longest loses it. So a newcomer always gets in, and has time to log in.

use ipnet::IpNet;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How many connections there may be.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceLimits {
    /// In all; more wait to be accepted.
    pub connections_max: usize,
    /// Places of strangers.
    pub strangers_max: usize,
    /// Places of strangers from one address (of IPv6, one network of 64 bits).
    pub strangers_per_address_max: usize,
    /// Many people come from these addresses.
    pub trusted_proxies: Vec<IpNet>,
}

impl PlaceLimits {
    /// Half of the connections for strangers, and an eighth for those of one address.
    pub fn of(connections_max: usize) -> PlaceLimits {
        let connections_max = connections_max.max(8);
        PlaceLimits {
            connections_max,
            strangers_max: connections_max / 2,
            strangers_per_address_max: connections_max / 8,
            trusted_proxies: Vec::new(),
        }
    }
}

impl Default for PlaceLimits {
    fn default() -> PlaceLimits {
        PlaceLimits::of(512)
    }
}

/// What is counted of connections, and of strangers.
#[derive(Debug, Default)]
pub struct PlaceCounts {
    /// Strangers who lost their place to others.
    pub displaced: AtomicU64,
    /// Connections that are open.
    pub open: AtomicU64,
    /// Wrong tokens, and links that were none.
    pub wrong_tokens: AtomicU64,
}

pub(crate) struct Places {
    limits: PlaceLimits,
    seats: Arc<Semaphore>,
    strangers: Mutex<Strangers>,
    counts: Arc<PlaceCounts>,
}

#[derive(Default)]
struct Strangers {
    next: u64,
    /// Oldest first.
    all: BTreeMap<u64, (Option<IpAddr>, Arc<Notify>)>,
    of_address: HashMap<IpAddr, BTreeSet<u64>>,
}

/// A connection's place.
pub(crate) struct Lease {
    places: Arc<Places>,
    number: u64,
    lost: Arc<Notify>,
    _seat: OwnedSemaphorePermit,
}

impl Places {
    pub(crate) fn new(limits: PlaceLimits, counts: Arc<PlaceCounts>) -> Arc<Places> {
        let seats = Arc::new(Semaphore::new(limits.connections_max));
        Arc::new(Places { limits, seats, strangers: Mutex::default(), counts })
    }

    /// A seat for the next connection, known or not. Where all are taken, the oldest stranger
    /// leaves.
    pub(crate) async fn seat(&self) -> OwnedSemaphorePermit {
        if let Ok(seat) = Arc::clone(&self.seats).try_acquire_owned() {
            return seat;
        }
        let oldest = self.strangers().all.keys().next().copied();
        if let Some(oldest) = oldest {
            self.displace(oldest);
        }
        let seat = Arc::clone(&self.seats).acquire_owned().await;
        seat.expect("the semaphore is never closed")
    }

    /// A place for a stranger from `peer`; the one who has to leave for it is told.
    pub(crate) fn take(self: &Arc<Self>, peer: IpAddr, seat: OwnedSemaphorePermit) -> Arc<Lease> {
        let lost = Arc::new(Notify::new());
        let address = self.counted(peer);
        let (number, leaving) = {
            let mut strangers = self.strangers();
            let number = strangers.next;
            strangers.next += 1;
            strangers.all.insert(number, (address, Arc::clone(&lost)));
            let mut leaving = None;
            if let Some(address) = address {
                let own = strangers.of_address.entry(address).or_default();
                own.insert(number);
                if own.len() > self.limits.strangers_per_address_max {
                    leaving = own.first().copied();
                }
            }
            if leaving.is_none() && strangers.all.len() > self.limits.strangers_max {
                leaving = strangers.all.keys().next().copied();
            }
            (number, leaving)
        };
        if let Some(leaving) = leaving {
            self.displace(leaving);
        }
        self.counts.open.fetch_add(1, Ordering::Relaxed);
        Arc::new(Lease { places: Arc::clone(self), number, lost, _seat: seat })
    }

    /// By which address strangers are counted, if by any.
    fn counted(&self, peer: IpAddr) -> Option<IpAddr> {
        let peer = peer.to_canonical();
        if self.limits.trusted_proxies.iter().any(|net| net.contains(&peer)) {
            return None;
        }
        Some(match peer {
            IpAddr::V4(_) => peer,
            IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
        })
    }

    fn displace(&self, number: u64) {
        if let Some(lost) = self.leave(number) {
            self.counts.displaced.fetch_add(1, Ordering::Relaxed);
            lost.notify_one();
        }
    }

    /// The stranger is no longer one, or gone.
    fn leave(&self, number: u64) -> Option<Arc<Notify>> {
        let mut strangers = self.strangers();
        let (address, lost) = strangers.all.remove(&number)?;
        if let Some(address) = address
            && let Some(own) = strangers.of_address.get_mut(&address)
        {
            own.remove(&number);
            if own.is_empty() {
                strangers.of_address.remove(&address);
            }
        }
        Some(lost)
    }

    fn strangers(&self) -> MutexGuard<'_, Strangers> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    /// Marks the holder of this place as known: nobody takes it away any more.
    pub(crate) fn recognise(&self) {
        self.places.leave(self.number);
    }

    /// Comes when the place is somebody else's.
    pub(crate) async fn lost(&self) {
        self.lost.notified().await;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.places.leave(self.number);
        self.places.counts.open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn places(trusted: &str) -> Arc<Places> {
        let limits = PlaceLimits {
            connections_max: 8,
            strangers_max: 4,
            strangers_per_address_max: 2,
            trusted_proxies: vec![trusted.parse().expect("a network")],
        };
        Places::new(limits, Arc::default())
    }

    async fn come(places: &Arc<Places>, peer: &str) -> Arc<Lease> {
        let seat = places.seat().await;
        places.take(peer.parse().expect("an address"), seat)
    }

    fn has_lost(place: &Lease) -> bool {
        place.lost().now_or_never().is_some()
    }

    #[tokio::test]
    async fn the_oldest_stranger_of_an_address_leaves_for_its_next_one() {
        let places = places("192.0.2.0/24");
        let all = [
            come(&places, "198.51.100.1").await,
            come(&places, "203.0.113.5").await,
            come(&places, "203.0.113.5").await,
            come(&places, "203.0.113.5").await,
        ];
        assert_eq!(all.each_ref().map(|place| has_lost(place)), [false, true, false, false]);
        assert_eq!(places.counts.displaced.load(Ordering::Relaxed), 1);
        // Nobody has two addresses by having a whole network.
        let six = [
            come(&places, "2001:db8::1").await,
            come(&places, "2001:db8::2").await,
            come(&places, "2001:db8::3").await,
        ];
        assert!(has_lost(&six[0]) && !has_lost(&six[2]));
    }

    #[tokio::test]
    async fn behind_a_trusted_proxy_strangers_count_together_with_all_others_only() {
        let places = places("192.0.2.0/24");
        let mut all = Vec::new();
        for _ in 0..4 {
            all.push(come(&places, "192.0.2.9").await);
        }
        assert!(all.iter().all(|place| !has_lost(place)));
        let _fifth = come(&places, "203.0.113.5").await;
        assert!(has_lost(&all[0]) && !has_lost(&all[1]));
    }

    #[tokio::test]
    async fn a_known_connection_keeps_its_place_and_leaves_room_for_strangers() {
        let places = places("192.0.2.0/24");
        let known = come(&places, "203.0.113.5").await;
        known.recognise();
        let mut others = Vec::new();
        for _ in 0..50 {
            others.push(come(&places, "203.0.113.5").await);
            others.retain(|place| !has_lost(place));
        }
        assert!(!has_lost(&known));
        assert_eq!(others.len(), 2);
        drop((known, others));
        assert_eq!(places.counts.open.load(Ordering::Relaxed), 0);
        assert!(places.strangers().of_address.is_empty());
    }

    #[tokio::test]
    async fn when_all_seats_are_taken_a_stranger_leaves_for_the_next_connection() {
        let places = places("127.0.0.0/8");
        let mut known = Vec::new();
        for _ in 0..7 {
            let seat = places.seat().await;
            known.push(places.take(HERE, seat));
        }
        known.iter().for_each(|place| place.recognise());
        let stranger = places.take(HERE, places.seat().await);
        let next = places.seat();
        tokio::pin!(next);
        assert!(next.as_mut().now_or_never().is_none());
        assert!(has_lost(&stranger));
        drop(stranger);
        assert!(next.now_or_never().is_some());
    }
}
