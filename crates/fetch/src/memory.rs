//! How much of the bodies on their way may be in memory at one time.
//!
//! Each look has a share of its own that nobody else can take, so that ordinary pages never wait.
//! What a body needs beyond it comes from a common part, step by step, to whoever has had least of
//! it: a page that needs little passes a hundred that need much. Many half-read bodies may hold
//! all of the common part and wait for more of it; so one of those that wait, the first, goes on
//! at the cost of a reserve in which the longest body has room. Whoever waits too long gives up
//! what was read, and is tried again later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The common part is given out in pieces of so many bytes.
const STEP_BYTES: u64 = 64 * 1024;

/// Who may take what, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Of each look.
    pub own_bytes: u64,
    /// Of all looks together.
    pub common_bytes: u64,
    /// The longest wait for memory: its look holds a place that others could use.
    pub wait_max: Duration,
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

#[derive(Debug, Default)]
struct State {
    common_free: u64,
    usage: Usage,
    next: u64,
    /// The look that goes on at the cost of the reserve.
    senior: Option<u64>,
    /// What each look has of the common part.
    common: BTreeMap<u64, u64>,
    /// Those that wait, by what they have of the common part.
    waiting: BTreeSet<(u64, u64)>,
    calls: BTreeMap<u64, Call>,
}

/// How a look that waits is told to go on.
#[derive(Debug)]
struct Call {
    wants: u64,
    granted: oneshot::Sender<()>,
}

/// There was no memory for so long that the look was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "other pages held all the memory for pages; it is tried again later, and \
     fetch.memory_bytes_max sets the limit"
)]
pub struct NoMemory;

impl Memory {
    /// Memory of which nothing is taken. Beyond these parts the longest body may be held once, as
    /// a reserve.
    pub fn new(parts: Parts) -> Memory {
        let state = State { common_free: parts.common_bytes, ..State::default() };
        Memory { parts, state: Arc::new(Mutex::new(state)) }
    }

    /// The share of one look, given back when it is dropped.
    pub fn share(&self) -> Share {
        let mut state = self.lock();
        state.next += 1;
        let id = state.next;
        Share { memory: Some(self.clone()), id, bytes: 0, wait: Wait::default() }
    }

    /// What is in use now.
    pub fn usage(&self) -> Usage {
        let state = self.lock();
        Usage { waiting: state.waiting.len() as u64, ..state.usage }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Numbers only: nobody who panicked left them half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Lets those go on for whom there is room, and the eldest of those that wait at the cost of
    /// the reserve, if it is free.
    fn grant(&mut self) {
        loop {
            while let Some(&(_, id)) = self.waiting.first() {
                if self.calls[&id].wants > self.common_free {
                    break;
                }
                let call = self.stop_waiting(id).expect("it waits");
                self.take(id, call.wants);
                // Whoever has gone meanwhile gives it back.
                let _ = call.granted.send(());
            }
            let eldest = self.calls.keys().next().copied().filter(|_| self.senior.is_none());
            let Some(call) = eldest.and_then(|id| self.stop_waiting(id)) else { return };
            self.senior = eldest;
            self.common_free += eldest.and_then(|id| self.common.remove(&id)).unwrap_or(0);
            let _ = call.granted.send(());
        }
    }

    fn take(&mut self, id: u64, bytes: u64) {
        self.common_free -= bytes;
        *self.common.entry(id).or_default() += bytes;
    }

    fn had(&self, id: u64) -> u64 {
        self.common.get(&id).copied().unwrap_or(0)
    }

    fn stop_waiting(&mut self, id: u64) -> Option<Call> {
        self.waiting.remove(&(self.had(id), id));
        self.calls.remove(&id)
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
    bytes: u64,
    wait: Wait,
}

impl Share {
    /// A share without a limit.
    pub fn unlimited() -> Share {
        Share { memory: None, id: 0, bytes: 0, wait: Wait::default() }
    }

    /// The look's waits for memory.
    pub fn wait(&self) -> Wait {
        self.wait.clone()
    }

    /// Makes room for so many bytes in all; waits while others hold them.
    ///
    /// # Errors
    ///
    /// [`NoMemory`] after [`Parts::wait_max`].
    pub async fn grow(&mut self, bytes: u64) -> Result<(), NoMemory> {
        let Some(memory) = &self.memory else { return Ok(()) };
        if let Some(call) = memory.ask(self.id, bytes) {
            let _waiting = Waiting::begin(&self.wait, memory, self.id);
            if !matches!(tokio::time::timeout(memory.parts.wait_max, call).await, Ok(Ok(()))) {
                memory.lock().usage.given_up += 1;
                return Err(NoMemory);
            }
        }
        memory.lock().usage.held_bytes += bytes.saturating_sub(self.bytes);
        self.bytes = self.bytes.max(bytes);
        Ok(())
    }
}

impl Memory {
    /// Takes what a look needs to hold so many bytes, or has it wait for the call.
    fn ask(&self, id: u64, bytes: u64) -> Option<oneshot::Receiver<()>> {
        let mut state = self.lock();
        let had = state.had(id);
        let beyond = bytes.saturating_sub(self.parts.own_bytes).next_multiple_of(STEP_BYTES);
        let wants = beyond.saturating_sub(had);
        if wants == 0 || state.senior == Some(id) {
            return None;
        }
        let is_first = state.waiting.first().is_none_or(|&(least, _)| had < least);
        if is_first && wants <= state.common_free {
            state.take(id, wants);
            return None;
        }
        let (granted, call) = oneshot::channel();
        state.waiting.insert((had, id));
        state.calls.insert(id, Call { wants, granted });
        state.usage.waits += 1;
        state.grant();
        Some(call)
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
        // Nobody waits any more, if it was called.
        self.memory.lock().stop_waiting(self.id);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some(memory) = &self.memory else { return };
        let mut state = memory.lock();
        state.usage.held_bytes -= self.bytes;
        state.common_free += state.common.remove(&self.id).unwrap_or(0);
        if state.senior == Some(self.id) {
            state.senior = None;
        }
        state.grant();
    }
}

#[cfg(test)]
mod tests;
