//! Looks names up, by the operating system, in places of their own.
//!
//! The system takes a thread for each name until it has an answer or gives up, and cannot be
//! stopped: a name server that says nothing holds it for half a minute. So there are places, and a
//! thread keeps its place however long it takes and even if nobody waits any more. A second request
//! for a name that is being looked up waits for the same answer. Names that had an address the last
//! time have places of their own: names that never resolve cannot keep them off.

use crate::guard::Unresolved;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use std::collections::{BTreeMap, VecDeque};
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
type Answer = Result<Arc<[SocketAddr]>, Failure>;

/// Looks names up. Clones share the places.
#[derive(Clone)]
pub(crate) struct Names {
    look_up: Arc<LookUp>,
    known_places: Arc<Semaphore>,
    other_places: Arc<Semaphore>,
    book: Arc<Mutex<Book>>,
}

#[derive(Default)]
struct Book {
    /// Names that had an address the last time; the oldest first.
    known: VecDeque<Box<str>>,
    /// What is being looked up; each takes one place at most.
    asked: BTreeMap<Box<str>, Shared<BoxFuture<'static, Answer>>>,
}

/// Why a look-up has no answer, for all who wait for it.
#[derive(Clone)]
enum Failure {
    Crowded,
    Lookup(Arc<io::Error>),
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
            book: Arc::default(),
        }
    }

    /// The addresses of `name`; none is an answer too.
    pub(crate) async fn addresses(&self, name: &str) -> Result<Vec<SocketAddr>, Unresolved> {
        let answer = match self.answer(name).await {
            Ok(found) => return Ok(found.to_vec()),
            Err(failure) => failure,
        };
        let name = name.to_owned();
        Err(match answer {
            Failure::Crowded => Unresolved::Crowded { name },
            Failure::Lookup(error) => {
                let source = io::Error::new(error.kind(), error.to_string());
                Unresolved::Lookup { name, source }
            }
        })
    }

    /// The answer that others wait for already, or a new one, which comes even if waiters go away.
    fn answer(&self, name: &str) -> Shared<BoxFuture<'static, Answer>> {
        let mut book = self.lock();
        if let Some(asked) = book.asked.get(name) {
            return asked.clone();
        }
        let (names, asked) = (self.clone(), name.to_owned());
        let asking = tokio::spawn(async move { names.ask(&asked).await });
        let answer = asking.map(|done| {
            done.unwrap_or_else(|error| Err(Failure::Lookup(Arc::new(io::Error::other(error)))))
        });
        let answer = answer.boxed().shared();
        book.asked.insert(name.into(), answer.clone());
        answer
    }

    async fn ask(&self, name: &str) -> Answer {
        let places = if self.lock().known.iter().any(|known| **known == *name) {
            &self.known_places
        } else {
            &self.other_places
        };
        let place = tokio::time::timeout(WAIT_MAX, Arc::clone(places).acquire_owned()).await;
        let found = match place {
            Err(_) => Err(Failure::Crowded),
            Ok(place) => {
                let (look_up, asked) = (Arc::clone(&self.look_up), name.to_owned());
                let looked_up = tokio::task::spawn_blocking(move || {
                    let _kept_until_the_system_answers = place;
                    look_up(&asked)
                });
                let found = looked_up.await.unwrap_or_else(|error| Err(io::Error::other(error)));
                found.map(Arc::from).map_err(|error| Failure::Lookup(Arc::new(error)))
            }
        };
        self.lock().note(name, &found);
        found
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        // The lists are whole after every statement that can panic.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Book {
    /// An answer is there. A look-up that had no place says nothing about the name.
    fn note(&mut self, name: &str, found: &Answer) {
        self.asked.remove(name);
        if matches!(found, Err(Failure::Crowded)) {
            return;
        }
        self.known.retain(|known| **known != *name);
        if found.as_ref().is_ok_and(|found| !found.is_empty()) {
            self.known.push_back(name.into());
        }
        if self.known.len() > KNOWN_MAX {
            self.known.pop_front();
        }
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
        // A caller that stops waiting leaves a thread that keeps its place.
        hanging.iter().for_each(tokio::task::JoinHandle::abort);
        tokio::task::yield_now().await;
        assert!(names.other_places.available_permits() == 0, "the system has not answered");
        drop(release);
        assert!(names.addresses("new.example").await.is_ok());
    }

    fn is_known(names: &Names, name: &str) -> bool {
        names.lock().known.iter().any(|known| **known == *name)
    }

    #[tokio::test]
    async fn a_known_name_stays_known_while_it_is_looked_up_and_is_forgotten_when_it_fails() {
        let (answers, taken) = channel::<bool>();
        let taken = Mutex::new(taken);
        let names = Names::by(move |_| {
            let has_one = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
            match has_one {
                Ok(true) => Ok(vec![SocketAddr::from(([192, 0, 2, 1], 0))]),
                _ => Err(io::Error::other("no such name")),
            }
        });
        answers.send(true).expect("it is taken");
        assert!(names.addresses("a.example").await.is_ok());
        let look = || {
            let names = names.clone();
            tokio::spawn(async move { names.addresses("a.example").await.is_ok() })
        };
        let (cut_off, one, other) = (look(), look(), look());
        while names.known_places.available_permits() == PLACES {
            tokio::task::yield_now().await;
        }
        cut_off.abort();
        tokio::task::yield_now().await;
        assert!(is_known(&names, "a.example"), "nothing is known against it");
        assert_eq!(names.known_places.available_permits(), PLACES - 1, "one look-up for all");
        assert_eq!(names.other_places.available_permits(), PLACES);
        answers.send(true).expect("it is taken");
        assert!(one.await.is_ok_and(|found| found) && other.await.is_ok_and(|found| found));
        assert!(is_known(&names, "a.example"));
        answers.send(false).expect("it is taken");
        assert!(names.addresses("a.example").await.is_err());
        assert!(!is_known(&names, "a.example"));
    }
}
