//! Looks names up, by the operating system, in places of their own.
//!
//! The system takes a thread for each name until it has an answer or gives up, and cannot be
//! stopped: a name server that says nothing holds it for half a minute. So there are places, and a
//! thread keeps its place however long it takes and whoever has stopped waiting. Names that had an
//! address the last time have places of their own: names that never resolve cannot keep them off.

use crate::guard::Unresolved;
use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Names looked up at once of those that had an address the last time, and as many of the others:
/// an eighth of the threads that may block.
const PLACES: usize = 32;
/// Names that are remembered for having had an address.
const KNOWN_MAX: usize = 10_000;
/// The longest wait for a place: half of what a connection may take.
const WAIT_MAX: Duration = Duration::from_secs(5);

type LookUp = dyn Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync;

/// Looks names up. Clones share the places.
#[derive(Clone)]
pub(crate) struct Names {
    look_up: Arc<LookUp>,
    known_places: Arc<Semaphore>,
    other_places: Arc<Semaphore>,
    /// The oldest first.
    known: Arc<Mutex<VecDeque<Box<str>>>>,
}

impl Names {
    /// As the system does it.
    pub(crate) fn of_the_system() -> Names {
        Names::by(|name| (name, 0).to_socket_addrs().map(Iterator::collect))
    }

    pub(crate) fn by(
        look_up: impl Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static,
    ) -> Names {
        Names {
            look_up: Arc::new(look_up),
            known_places: Arc::new(Semaphore::new(PLACES)),
            other_places: Arc::new(Semaphore::new(PLACES)),
            known: Arc::default(),
        }
    }

    /// The addresses of `name`; none is an answer too.
    pub(crate) async fn addresses(&self, name: &str) -> Result<Vec<SocketAddr>, Unresolved> {
        // Until it has an address again it is one of the others.
        let places = match self.forget(name) {
            true => &self.known_places,
            false => &self.other_places,
        };
        let place = tokio::time::timeout(WAIT_MAX, Arc::clone(places).acquire_owned()).await;
        let Ok(place) = place else { return Err(Unresolved::Crowded { name: name.to_owned() }) };
        let (look_up, asked) = (Arc::clone(&self.look_up), name.to_owned());
        let looked_up = tokio::task::spawn_blocking(move || {
            let _kept_until_the_system_answers = place;
            look_up(&asked)
        });
        let found = looked_up.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        let found = found.map_err(|source| Unresolved::Lookup { name: name.to_owned(), source })?;
        if !found.is_empty() {
            self.remember(name);
        }
        Ok(found)
    }

    /// Whether it was known.
    fn forget(&self, name: &str) -> bool {
        let mut known = self.lock();
        let place = known.iter().position(|known| **known == *name);
        place.and_then(|place| known.remove(place)).is_some()
    }

    fn remember(&self, name: &str) {
        let mut known = self.lock();
        if known.iter().any(|known| **known == *name) {
            return;
        }
        if known.len() == KNOWN_MAX {
            known.pop_front();
        }
        known.push_back(name.into());
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Box<str>>> {
        // A list of names is whole whatever happens.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    /// Names that begin with `hang` have no answer until the sender is dropped.
    fn some_hang(held: Receiver<()>) -> Names {
        let held = Mutex::new(held);
        Names::by(move |name| {
            if name.starts_with("hang") {
                // The first takes the lock and waits for the end, the others for the lock.
                let _ = held.lock().unwrap_or_else(PoisonError::into_inner).recv();
                return Err(io::Error::other("no answer"));
            }
            Ok(vec![SocketAddr::from(([192, 0, 2, 1], 0))])
        })
    }

    #[tokio::test]
    async fn names_that_hang_hold_up_none_that_had_an_address() {
        let (release, held) = channel();
        let names = some_hang(held);
        assert!(names.addresses("good.example").await.is_ok());
        let hanging = (0..450).map(|n| {
            let names = names.clone();
            tokio::spawn(async move { names.addresses(&format!("hang{n}")).await.is_err() })
        });
        let hanging: Vec<_> = hanging.collect();
        while names.other_places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..100 {
            assert!(names.addresses("good.example").await.is_ok());
        }
        assert_eq!(names.known_places.available_permits(), PLACES);
        // Whoever stops waiting leaves a thread that keeps its place.
        hanging.iter().for_each(tokio::task::JoinHandle::abort);
        tokio::task::yield_now().await;
        assert!(names.other_places.available_permits() == 0, "the system has not answered");
        drop(release);
        assert!(names.addresses("new.example").await.is_ok());
    }
}
