//! What happens now, for those who watch: the last announcements, numbered, and their broadcast.

use chronon::Instant;
use kernel::io::Announcement;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};

/// Announcements that can be resumed over.
pub const RING_MAX: usize = 10_000;
/// Announcements a reader may lag behind before it is cut off.
pub const LAG_MAX: usize = 1_024;

/// One announcement with its number.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbered {
    pub id: u64,
    pub announcement: Announcement,
}

/// The last [`RING_MAX`] announcements, and everybody who listens.
///
/// The engine publishes and never waits: a reader that lags [`LAG_MAX`] behind loses its stream
/// and resumes by its last id.
pub struct Live {
    ring: Mutex<Ring>,
    sender: broadcast::Sender<Arc<Numbered>>,
}

struct Ring {
    /// The id of the next announcement.
    next: u64,
    items: VecDeque<Arc<Numbered>>,
}

/// What a reader gets: what it missed, and what comes.
pub struct Subscription {
    /// Something between the reader's last id and `missed` is lost.
    pub gap: bool,
    pub missed: Vec<Arc<Numbered>>,
    pub coming: broadcast::Receiver<Arc<Numbered>>,
}

impl Live {
    /// A ring whose ids grow from one that no earlier process reached: the microseconds of its
    /// start, for no process announces a million things a second.
    pub fn new(started: Instant) -> Live {
        let next = u64::try_from(started.as_millis()).unwrap_or(0).saturating_mul(1_000).max(1);
        let ring = Ring { next, items: VecDeque::new() };
        Live { ring: Mutex::new(ring), sender: broadcast::channel(LAG_MAX).0 }
    }

    /// Numbers an announcement, keeps it, and tells those who listen. O(1); never waits for a
    /// reader.
    pub fn publish(&self, announcement: Announcement) {
        let mut ring = self.ring();
        let numbered = Arc::new(Numbered { id: ring.next, announcement });
        ring.next += 1;
        if ring.items.len() == RING_MAX {
            ring.items.pop_front();
        }
        ring.items.push_back(Arc::clone(&numbered));
        // Sent under the lock, so that a subscription misses nothing and hears nothing twice. No
        // receiver is no failure.
        let _ = self.sender.send(numbered);
    }

    /// The id of the newest announcement (or the one before the first).
    pub fn newest(&self) -> u64 {
        self.ring().next - 1
    }

    /// Listens from after the announcement `last`; from now if it is `None`.
    pub fn subscribe(&self, last: Option<u64>) -> Subscription {
        let ring = self.ring();
        let coming = self.sender.subscribe();
        let Some(last) = last else {
            return Subscription { gap: false, missed: Vec::new(), coming };
        };
        let first = ring.next - ring.items.len() as u64;
        let known = last.saturating_add(1) >= first && last < ring.next;
        let skip = usize::try_from(last.saturating_add(1).saturating_sub(first));
        let missed = ring.items.iter().skip(skip.unwrap_or(usize::MAX)).cloned().collect();
        Subscription { gap: !known, missed, coming }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        // The ring is whole after every statement that can panic.
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts event streams, so that they have a limit.
#[derive(Clone)]
pub(crate) struct Seats(Arc<Semaphore>);

impl Seats {
    pub(crate) fn new(max: usize) -> Seats {
        Seats(Arc::new(Semaphore::new(max)))
    }

    /// A seat until it is dropped; `None` if all are taken.
    pub(crate) fn take(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::{NotificationId, Span};

    fn told(number: u64) -> Announcement {
        Announcement::Notification { notification: NotificationId(number), at: Instant::EPOCH }
    }

    fn ring_of(count: u64) -> (Live, u64) {
        let live = Live::new(Instant::from_millis(5));
        let before = live.newest();
        (0..count).for_each(|number| live.publish(told(number)));
        (live, before)
    }

    #[test]
    fn a_reader_that_was_away_gets_what_it_missed_and_no_gap() {
        let (live, before) = ring_of(3);
        let subscription = live.subscribe(Some(before + 1));
        let ids: Vec<u64> = subscription.missed.iter().map(|numbered| numbered.id).collect();
        assert_eq!((subscription.gap, ids), (false, vec![before + 2, before + 3]));
        assert!(!live.subscribe(Some(before)).gap);
        assert!(live.subscribe(None).missed.is_empty());
    }

    #[test]
    fn what_the_ring_lost_is_a_gap() {
        let (live, before) = ring_of(RING_MAX as u64 + 2);
        let lost = live.subscribe(Some(before + 1));
        assert_eq!((lost.gap, lost.missed.len()), (true, RING_MAX));
        let held = live.subscribe(Some(before + 2));
        assert_eq!((held.gap, held.missed.len()), (false, RING_MAX));
    }

    #[test]
    fn an_id_of_another_process_is_a_gap() {
        let (live, before) = ring_of(1);
        for foreign in [0, before - 1, before + 2, u64::MAX - 1, u64::MAX] {
            assert!(live.subscribe(Some(foreign)).gap, "{foreign}");
        }
        let later = Live::new(Instant::from_millis(5) + Span::SECOND);
        assert!(later.subscribe(Some(live.newest())).gap);
    }

    #[test]
    fn a_reader_that_lags_too_far_behind_is_cut_off() {
        let live = Live::new(Instant::EPOCH);
        let mut slow = live.subscribe(None);
        (0..LAG_MAX as u64 + 1).for_each(|number| live.publish(told(number)));
        let result = slow.coming.try_recv();
        assert!(matches!(result, Err(broadcast::error::TryRecvError::Lagged(1))), "{result:?}");
    }
}
