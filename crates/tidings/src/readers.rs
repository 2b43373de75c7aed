//! Who reads a page, and when: a hostile one takes hundreds of megabytes and a second, cannot be
//! stopped, and 256 may arrive at once.
//!
//! A page that waits has a time by which it should be read: the later, the more it costs and the
//! more its host was given lately. The earliest is next, so that cheap pages pass dear ones, hosts
//! take turns, and nobody waits for ever. Dear pages have memory of their own and leave one reader
//! to the others.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Pages read at a time on a machine of one core.
const READERS_MIN: usize = 2;
/// Hosts whose turns are remembered before those that were long ago are forgotten.
const HOSTS_KEPT: usize = 1_000;
/// The longest wait for a turn: its look holds a place that others could use.
const WAIT_MAX: Duration = Duration::from_secs(120);

/// Memory for pages that are read, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rooms {
    /// Pages that cost at most so much each have these.
    pub cheap_bytes: u64,
    /// Dearer pages have these; one that costs more than all of it is read while no other dear one
    /// is.
    pub dear_bytes: u64,
}

/// The seats: one for each page that is read at a time. Clones are the same seats.
#[derive(Clone)]
pub struct Readers(Arc<Mutex<Turns>>);

/// Held while a page is read.
pub struct Seat {
    readers: Readers,
    id: u64,
}

/// The page had no turn for so long that it was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoTurn;

impl fmt::Display for NoTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waited = WAIT_MAX.as_secs();
        write!(
            f,
            "the page waited {waited} s to be read, behind others that cost less; it will be tried \
             again later"
        )
    }
}

struct Turns {
    seats: usize,
    dear_seats: usize,
    cheap: Room,
    dear: Room,
    /// By whom a turn was taken: a dear page or not, and its bytes.
    taken: BTreeMap<u64, (bool, u64)>,
    /// Up to when what a host was given counts.
    hosts: BTreeMap<Box<str>, Instant>,
    next: u64,
}

struct Room {
    all: u64,
    free: u64,
    /// By the time each should be read.
    waiting: BTreeMap<(Instant, u64), (u64, oneshot::Sender<()>)>,
}

impl Readers {
    /// As many as there are cores.
    pub fn new(cores: usize, rooms: Rooms) -> Readers {
        let seats = cores.max(READERS_MIN);
        let room = |all| Room { all, free: all, waiting: BTreeMap::new() };
        Readers(Arc::new(Mutex::new(Turns {
            seats,
            dear_seats: seats - 1,
            cheap: room(rooms.cheap_bytes),
            dear: room(rooms.dear_bytes),
            taken: BTreeMap::new(),
            hosts: BTreeMap::new(),
            next: 0,
        })))
    }

    /// Waits for a seat to read a page of `host` that takes `bytes` of memory.
    ///
    /// # Errors
    ///
    /// [`NoTurn`] after two minutes.
    pub async fn seat(&self, host: &str, bytes: u64) -> Result<Seat, NoTurn> {
        let (id, call) = self.lock().queue(host, bytes, Instant::now());
        let seat = Seat { readers: self.clone(), id };
        match tokio::time::timeout(WAIT_MAX, call).await {
            Ok(Ok(())) => Ok(seat),
            _ => Err(NoTurn),
        }
    }

    /// Pages that wait.
    pub fn waiting(&self) -> u64 {
        let turns = self.lock();
        (turns.cheap.waiting.len() + turns.dear.waiting.len()) as u64
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        // Nothing in there panics half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.readers.lock().leave(self.id);
    }
}

impl Turns {
    fn queue(&mut self, host: &str, bytes: u64, now: Instant) -> (u64, oneshot::Receiver<()>) {
        self.next += 1;
        let (id, (granted, call)) = (self.next, oneshot::channel());
        let since = self.hosts.get(host).copied().filter(|&last| last > now).unwrap_or(now);
        // Half a second for each megabyte.
        let by = since + Duration::from_micros(bytes / 2);
        if self.hosts.len() >= HOSTS_KEPT {
            self.hosts.retain(|_, last| *last > now);
        }
        self.hosts.insert(host.into(), by);
        let room = if bytes <= self.cheap.all { &mut self.cheap } else { &mut self.dear };
        room.waiting.insert((by, id), (bytes.min(room.all), granted));
        self.grant();
        (id, call)
    }

    fn grant(&mut self) {
        while self.seats > 0 {
            let cheap = self.cheap.head();
            let dear = self.dear.head().filter(|_| self.dear_seats > 0);
            let is_dear = match (cheap, dear) {
                (None, None) => return,
                (cheap, dear) => cheap.is_none_or(|cheap| dear.is_some_and(|dear| dear < cheap)),
            };
            let room = if is_dear { &mut self.dear } else { &mut self.cheap };
            let ((_, id), (bytes, call)) = room.waiting.pop_first().expect("there is a head");
            room.free -= bytes;
            self.seats -= 1;
            self.dear_seats -= usize::from(is_dear);
            self.taken.insert(id, (is_dear, bytes));
            // A reader that has gone meanwhile leaves its seat.
            let _ = call.send(());
        }
    }

    fn leave(&mut self, id: u64) {
        match self.taken.remove(&id) {
            Some((is_dear, bytes)) => {
                let room = if is_dear { &mut self.dear } else { &mut self.cheap };
                room.free += bytes;
                self.seats += 1;
                self.dear_seats += usize::from(is_dear);
            }
            None => {
                self.cheap.waiting.retain(|&(_, waits), _| waits != id);
                self.dear.waiting.retain(|&(_, waits), _| waits != id);
            }
        }
        self.grant();
    }
}

impl Room {
    /// Who is next, if there is room.
    fn head(&self) -> Option<(Instant, u64)> {
        let (&head, &(bytes, _)) = self.waiting.first_key_value()?;
        (bytes <= self.free).then_some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;

    fn readers(cores: usize) -> Readers {
        Readers::new(cores, Rooms { cheap_bytes: 30 * MB, dear_bytes: 170 * MB })
    }

    /// Takes its turn when the seat is free, and says who it is.
    fn reader(readers: &Readers, host: &'static str, bytes: u64) -> impl Future<Output = Seat> {
        let readers = readers.clone();
        async move { readers.seat(host, bytes).await.unwrap_or_else(|error| panic!("{error}")) }
    }

    async fn at_once<T>(work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = tokio::task::yield_now() => None,
        }
    }

    #[tokio::test]
    async fn ordinary_pages_are_read_however_many_hostile_ones_wait() {
        let readers = readers(2);
        let _hostile = reader(&readers, "a", 175 * MB).await;
        assert!(at_once(reader(&readers, "b", 175 * MB)).await.is_none(), "one reader is left");
        assert!(at_once(reader(&readers, "c", 5 * MB)).await.is_some());
    }

    #[tokio::test]
    async fn a_page_that_costs_less_passes_those_that_wait_with_more() {
        let readers = readers(4);
        let first = reader(&readers, "a", 175 * MB).await;
        let feeds = ["b", "c", "d"].map(|host| Box::pin(reader(&readers, host, 175 * MB)));
        let mut feeds = Vec::from(feeds);
        for feed in &mut feeds {
            assert!(at_once(feed).await.is_none(), "the memory for dear pages is taken");
        }
        let mut page = Box::pin(reader(&readers, "e", 39 * MB));
        assert!(at_once(&mut page).await.is_none());
        drop(first);
        let page = at_once(&mut page).await.expect("it is the next");
        drop(page);
        assert!(at_once(&mut feeds[0]).await.is_some(), "and then who came first");
    }

    #[tokio::test]
    async fn hosts_take_turns() {
        let readers = readers(2);
        let (first, second) =
            (reader(&readers, "a", 9 * MB).await, reader(&readers, "a", 9 * MB).await);
        let mut third = Box::pin(reader(&readers, "a", 9 * MB));
        let mut other = Box::pin(reader(&readers, "b", 20 * MB));
        assert!(at_once(&mut third).await.is_none() && at_once(&mut other).await.is_none());
        drop(first);
        assert!(at_once(&mut third).await.is_none(), "it was given two already");
        let other = at_once(&mut other).await;
        assert!(other.is_some());
        drop(second);
        assert!(at_once(&mut third).await.is_some());
    }

    #[tokio::test]
    async fn a_reader_that_goes_before_its_turn_leaves_its_place() {
        let readers = readers(2);
        let seats = (reader(&readers, "a", MB).await, reader(&readers, "b", MB).await);
        assert!(at_once(reader(&readers, "c", MB)).await.is_none());
        assert_eq!(readers.waiting(), 0);
        {
            let mut gone = Box::pin(reader(&readers, "d", MB));
            assert!(at_once(&mut gone).await.is_none());
            drop(seats.0);
        }
        drop(seats.1);
        let turns = readers.lock();
        assert_eq!((turns.seats, turns.cheap.free, turns.taken.len()), (2, 30 * MB, 0));
    }
}
