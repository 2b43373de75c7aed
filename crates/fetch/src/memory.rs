//! How much of the bodies on their way may be in memory at one time.
//!
//! Each look has a share of its own that nobody else can take, so that ordinary pages never wait.
//! A body that outgrows it needs one of a few seats in the hall, which has room for most pages;
//! one that outgrows that too needs the one seat in which the longest has room. So a look that sits
//! can be read to the end without waiting for somebody who sits, but for those in the hall that
//! turn out to be larger: they leave what was read, and their seat, as soon as somebody else wants
//! it. They are tried again later, and are known then: they wait for the one seat at once, and
//! hold nothing meanwhile. The same holds for those who sit in the hall and wait to be read.
//! In the queue for the hall hosts take turns: a crowd of one host waits behind everybody else.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// A host's next look in the queue for the hall stands so much later than its last.
const HOST_TURN: Duration = Duration::from_secs(1);
/// Hosts whose turns are remembered before those that were long ago are forgotten.
const HOSTS_KEPT: usize = 1_000;
/// Addresses of large bodies that are remembered.
const LARGE_KEPT: usize = 4_096;

/// Who may hold what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Bytes of each look.
    pub own_bytes: u64,
    /// Bytes of a body in the hall.
    pub hall_bytes: u64,
    pub hall_seats: usize,
    /// The longest wait for a seat: its look holds a place that others could use.
    pub wait_max: Duration,
    /// The same in the hall, if somebody waits for its seat; for a turn to be read, too.
    pub hall_wait_max: Duration,
}

/// The memory for bodies. Clones are the same memory.
#[derive(Debug, Clone)]
pub struct Memory {
    parts: Parts,
    state: Arc<Mutex<State>>,
}

/// What is in use now, and what waiting led to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Bytes that are set aside for bodies.
    pub held_bytes: u64,
    /// Looks that wait for memory.
    pub waiting: u64,
    /// Times a look had to wait.
    pub waits: u64,
    /// Looks that waited too long.
    pub given_up: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seat {
    Hall,
    /// The one in which the longest body has room.
    Throne,
}

#[derive(Debug, Default)]
struct State {
    hall_free: usize,
    throne_taken: bool,
    seated: BTreeMap<u64, Seat>,
    /// By the turn of each.
    hall_queue: BTreeMap<(Instant, u64), oneshot::Sender<()>>,
    /// Hosts by hash: the last turn of each.
    turns: BTreeMap<u64, Instant>,
    throne_queue: VecDeque<(u64, oneshot::Sender<()>)>,
    usage: Usage,
    next: u64,
    /// Hashes of the addresses whose bodies outgrew the hall, the oldest first.
    large: VecDeque<u64>,
}

/// There was no memory for so long that the look was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "other pages held all the memory set aside for pages (fetch.memory_bytes_max); it will be \
     tried again later"
)]
pub struct NoMemory;

impl Memory {
    /// Memory of which nothing is taken. Beyond these parts the longest body may be held once.
    pub fn new(parts: Parts) -> Memory {
        let state = State { hall_free: parts.hall_seats, ..State::default() };
        Memory { parts, state: Arc::new(Mutex::new(state)) }
    }

    /// The share of one look at `url`, given back when it is dropped.
    pub fn share(&self, url: &str) -> Share {
        let (url, host) = (hash(url), hash(&crate::host_of(url)));
        let mut state = self.lock();
        state.next += 1;
        let (id, is_large) = (state.next, state.large.contains(&url));
        let memory = Some(self.clone());
        Share { memory, id, url, host, is_large, bytes: 0, wait: Wait::default() }
    }

    /// What is in use now.
    pub fn usage(&self) -> Usage {
        let state = self.lock();
        let waiting = (state.hall_queue.len() + state.throne_queue.len()) as u64;
        Usage { waiting, ..state.usage }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Numbers only: nobody who panicked left them half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the call, for as long as its place lets it.
    async fn until(&self, id: u64, mut call: oneshot::Receiver<()>) -> Result<(), NoMemory> {
        let Parts { wait_max, hall_wait_max, .. } = self.parts;
        let deadline = Instant::now() + wait_max;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let sits = self.lock().seated.contains_key(&id);
            let pause = if sits { left.min(hall_wait_max) } else { left };
            match tokio::time::timeout(pause, &mut call).await {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(_)) => return Err(NoMemory),
                Err(_) => {
                    let is_wanted = sits && !self.lock().hall_queue.is_empty();
                    if is_wanted || Instant::now() >= deadline {
                        return Err(NoMemory);
                    }
                }
            }
        }
    }
}

fn hash(of: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

impl State {
    /// Has a look at `host` sit there, at once or when it is called.
    fn ask(&mut self, id: u64, host: u64, seat: Seat) -> Option<oneshot::Receiver<()>> {
        let (called, call) = oneshot::channel();
        match seat {
            Seat::Hall => {
                let turn = self.turn(host, Instant::now());
                self.hall_queue.insert((turn, id), called);
            }
            Seat::Throne => self.throne_queue.push_back((id, called)),
        }
        self.call();
        if self.seated.get(&id) == Some(&seat) {
            return None;
        }
        self.usage.waits += 1;
        Some(call)
    }

    fn turn(&mut self, host: u64, now: Instant) -> Instant {
        let turn = self.turns.get(&host).map_or(now, |&last| now.max(last + HOST_TURN));
        if self.turns.len() >= HOSTS_KEPT {
            self.turns.retain(|_, last| *last + HOST_TURN > now);
        }
        self.turns.insert(host, turn);
        turn
    }

    /// Seats those for whom there is room.
    fn call(&mut self) {
        if !self.throne_taken
            && let Some((id, called)) = self.throne_queue.pop_front()
        {
            self.throne_taken = true;
            if self.seated.insert(id, Seat::Throne) == Some(Seat::Hall) {
                self.hall_free += 1;
            }
            // A look that has gone meanwhile leaves its seat.
            let _ = called.send(());
        }
        while self.hall_free > 0
            && let Some(((_, id), called)) = self.hall_queue.pop_first()
        {
            self.hall_free -= 1;
            self.seated.insert(id, Seat::Hall);
            let _ = called.send(());
        }
    }

    fn leave(&mut self, id: u64) {
        match self.seated.remove(&id) {
            Some(Seat::Hall) => self.hall_free += 1,
            Some(Seat::Throne) => self.throne_taken = false,
            None => {}
        }
        self.call();
    }

    fn stop_waiting(&mut self, id: u64) {
        self.hall_queue.retain(|&(_, waits), _| waits != id);
        self.throne_queue.retain(|&(waits, _)| waits != id);
    }

    fn remember(&mut self, url: u64, is_large: bool) {
        self.large.retain(|&known| known != url);
        if is_large {
            self.large.push_back(url);
        }
        if self.large.len() > LARGE_KEPT {
            self.large.pop_front();
        }
    }
}

/// How long a look has waited for memory; others may look at it meanwhile.
#[derive(Debug, Clone, Default)]
pub struct Wait(Arc<Mutex<(Duration, Option<Instant>)>>);

impl Wait {
    /// All its waits together, the present one too.
    pub fn total(&self) -> Duration {
        let (before, since) = *self.lock();
        before + since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn begin(&self) {
        self.lock().1 = Some(Instant::now());
    }

    fn end(&self) {
        let total = self.total();
        *self.lock() = (total, None);
    }

    fn lock(&self) -> MutexGuard<'_, (Duration, Option<Instant>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one look may hold in memory; given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    /// `None`: no limit.
    memory: Option<Memory>,
    id: u64,
    /// Hash of its address.
    url: u64,
    /// Hash of its host.
    host: u64,
    /// The look's body was larger than the hall the last time.
    is_large: bool,
    bytes: u64,
    wait: Wait,
}

impl Share {
    /// A share without a limit.
    pub fn unlimited() -> Share {
        let wait = Wait::default();
        Share { memory: None, id: 0, url: 0, host: 0, is_large: false, bytes: 0, wait }
    }

    /// The look's waits for memory.
    pub fn wait(&self) -> Wait {
        self.wait.clone()
    }

    /// Makes room for `bytes` in all; waits while others hold them.
    ///
    /// # Errors
    ///
    /// [`NoMemory`] after [`Parts::wait_max`], or [`Parts::hall_wait_max`].
    pub async fn grow(&mut self, bytes: u64) -> Result<(), NoMemory> {
        let Some(memory) = &self.memory else { return Ok(()) };
        if bytes > memory.parts.own_bytes {
            let wanted = if self.is_large || bytes > memory.parts.hall_bytes {
                Seat::Throne
            } else {
                Seat::Hall
            };
            let call = {
                let mut state = memory.lock();
                if wanted == Seat::Throne && !self.is_large {
                    self.is_large = true;
                    state.remember(self.url, true);
                }
                match state.seated.get(&self.id) {
                    Some(seat) if *seat == wanted => None,
                    _ => state.ask(self.id, self.host, wanted),
                }
            };
            if let Some(call) = call {
                let _waiting = Waiting::begin(&self.wait, memory, self.id);
                if memory.until(self.id, call).await.is_err() {
                    memory.lock().usage.given_up += 1;
                    return Err(NoMemory);
                }
            }
        }
        memory.lock().usage.held_bytes += bytes.saturating_sub(self.bytes);
        self.bytes = self.bytes.max(bytes);
        Ok(())
    }
}

impl Share {
    /// Ends when this look has sat in the hall for [`Parts::hall_wait_max`] and somebody waits for
    /// its seat: a look that waits for anything else then gives it up. Never, where it does not
    /// sit.
    pub async fn outstayed(&self) -> NoMemory {
        let Some(memory) = &self.memory else { return std::future::pending().await };
        loop {
            tokio::time::sleep(memory.parts.hall_wait_max).await;
            let mut state = memory.lock();
            let sits = state.seated.get(&self.id) == Some(&Seat::Hall);
            if sits && !state.hall_queue.is_empty() {
                state.usage.given_up += 1;
                return NoMemory;
            }
        }
    }
}

/// A wait, which may be cut off at any time.
struct Waiting<'a> {
    wait: &'a Wait,
    memory: &'a Memory,
    id: u64,
}

impl<'a> Waiting<'a> {
    fn begin(wait: &'a Wait, memory: &'a Memory, id: u64) -> Waiting<'a> {
        wait.begin();
        Waiting { wait, memory, id }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.wait.end();
        self.memory.lock().stop_waiting(self.id);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some(memory) = &self.memory else { return };
        let mut state = memory.lock();
        state.usage.held_bytes -= self.bytes;
        let was_seated = state.seated.get(&self.id) == Some(&Seat::Throne);
        if was_seated && self.bytes <= memory.parts.hall_bytes {
            state.remember(self.url, false);
        }
        state.leave(self.id);
    }
}

#[cfg(test)]
mod tests;
