//! Looks at pages that nobody watches, for a person who wants to see what is there.
//!
//! The kernel says when each request may be made, and counts it; the request and the reading are
//! done here. Nobody waits for them but the person.

use crate::clock::Clock;
use crate::pdf::Pdf;
use crate::readers::Readers;
use crate::sights::Sights;
use address::SourceUrl;
use chronon::{Instant, Span};
use fetch::memory::Memory;
use kernel::io::{Actor, Answer, Command};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use web::{Desk, Looking, Seen, Unseen};

/// The longest that a person waits for a host's turn.
const TURN_WAIT_MAX: Span = Span::from_secs(20);

/// Looks for people at one time. A further person is told to come again.
const LOOKS_MAX: usize = 8;

/// Places of looks under way. Clones are the same places.
#[derive(Clone)]
pub struct Seats(Arc<Semaphore>);

impl Default for Seats {
    fn default() -> Seats {
        Seats(Arc::new(Semaphore::new(LOOKS_MAX)))
    }
}

impl Seats {
    /// Runs a look on a task of its own, if a place is free: a person who leaves does not keep the
    /// host's place in flight. A look that panics frees its place, too.
    fn run(
        &self,
        look: impl Future<Output = Result<Seen, Unseen>> + Send + 'static,
    ) -> impl Future<Output = Result<Seen, Unseen>> + Send + 'static {
        let seat = Arc::clone(&self.0).try_acquire_owned();
        let look = seat.map(|seat| {
            tokio::spawn(async move {
                let _held_while_looking = seat;
                look.await
            })
        });
        async move {
            match look {
                Ok(look) => look.await.unwrap_or_else(|_| Err(unseen("the look failed"))),
                Err(_) => Err(unseen("too many pages are being looked at; try again in a moment")),
            }
        }
    }
}

/// Everything a look needs.
#[derive(Clone)]
pub struct Looker {
    pub desk: Desk,
    pub fetcher: fetch::Fetcher,
    pub pdf: Pdf,
    pub memory: Memory,
    pub readers: Readers,
    pub limits: page::Limits,
    pub clock: Arc<Clock>,
    pub redirects_max: u32,
    pub seats: Seats,
    /// Where what is seen waits to be the first look of a sentinel.
    pub sights: Sights,
}

impl web::Looker for Looker {
    fn look(&self, url: SourceUrl) -> Looking {
        let looker = self.clone();
        Box::pin(self.seats.run(async move { looker.follow(url).await }))
    }
}

impl Looker {
    async fn follow(&self, source: SourceUrl) -> Result<Seen, Unseen> {
        let mut url = source.reveal().to_owned();
        // A person waits for the whole, however many hosts it leads over.
        let patience = self.clock.now() + TURN_WAIT_MAX;
        let mut been = Vec::new();
        for _ in 0..=self.redirects_max {
            // What is refused by its address takes no turn of anybody.
            self.fetcher.refuses(&url).map_or(Ok(()), |reason| Err(unseen(&reason)))?;
            let host = fetch::host_of(&url).ok_or_else(|| unseen("the address has no host"))?;
            self.turn(&host, patience).await?;
            let mut share = self.memory.share(&url);
            been.push(url.clone());
            let now = self.clock.now();
            let source = source.clone();
            let request = fetch::Request { url, source, validators: None, time_max: None, now };
            let fetcher = self.fetcher.clone();
            // A fetch that panics ends as a failure: its host's place in flight is given back.
            let fetched = tokio::spawn(async move {
                let answer = fetcher.fetch_within(&request, &mut share).await;
                (answer, request, share)
            });
            let fetched = fetched.await.ok().map(|(answer, request, share)| {
                self.sights.keep(&request.url, &request.source, &answer, now);
                (answer.outcome, share)
            });
            let hold = match fetched.as_ref().map(|(outcome, _)| outcome) {
                Some(fetch::Outcome::Failed(failure)) if failure.holds_host => {
                    Some(failure.retry_after)
                }
                _ => None,
            };
            let over = Command::GlanceOver { host: host.into(), hold };
            // A server that stops forgets who is in flight.
            let _ = self.desk.ask(Actor::SYSTEM, over).await;
            // The share is held until the page is read.
            let (outcome, _share) = fetched.ok_or_else(|| unseen("the look failed"))?;
            match self.pdf.read(outcome).await {
                fetch::Outcome::Content(content) => return self.read(content, now).await,
                fetch::Outcome::Moved { to } if been.contains(&to) => {
                    return Err(unseen("the redirects lead back to where they started"));
                }
                fetch::Outcome::Moved { to } => url = to,
                fetch::Outcome::Failed(failure) => {
                    return Err(Unseen { status: failure.status, reason: failure.reason });
                }
                fetch::Outcome::SetAside(why) => return Err(unseen(&why.to_string())),
                fetch::Outcome::NotModified => return Err(unseen("the server sent nothing")),
            }
        }
        Err(unseen("the server redirects again and again"))
    }

    /// Waits until budget and politeness allow a request.
    async fn turn(&self, host: &str, patience: Instant) -> Result<(), Unseen> {
        loop {
            let glance = Command::Glance { host: host.into() };
            let answer = self.desk.ask(Actor::SYSTEM, glance).await;
            match answer.map_err(|closed| unseen(&closed.to_string()))? {
                Answer::Done => return Ok(()),
                Answer::Later(at) if at <= patience => {
                    tokio::time::sleep(until(at, self.clock.now())).await;
                }
                Answer::Later(at) => return Err(too_late(host, at, self.clock.now())),
                Answer::Unable(why) => return Err(unseen(&why)),
                _ => return Err(unseen("the server could not say when to look")),
            }
        }
    }

    async fn read(&self, content: fetch::Content, at: Instant) -> Result<Seen, Unseen> {
        let limits = self.limits.clone();
        let cost = page::cost(&content.body, &limits);
        let host = fetch::host_of(&content.final_url).unwrap_or_default();
        let seat = self.readers.seat(&host, cost).await;
        let seat = seat.map_err(|why| unseen(&why.to_string()))?;
        let read = tokio::task::spawn_blocking(move || -> Result<Seen, String> {
            let _held_while_reading = seat;
            let answer = jobs::Content {
                body: &content.body,
                content_type: content.content_type.as_deref(),
                final_url: &content.final_url,
            };
            let extract = jobs::extract(answer, [], &limits)?.whole().clone();
            let content = web::Content {
                body: content.body[..].into(),
                content_type: content.content_type,
                final_url: content.final_url,
            };
            Ok(Seen { extract, at, content })
        });
        match read.await {
            Ok(Ok(seen)) => Ok(seen),
            Ok(Err(reason)) => Err(unseen(&reason)),
            Err(_) => Err(unseen("the page could not be read: the reader failed on it")),
        }
    }
}

fn until(at: Instant, now: Instant) -> Duration {
    Duration::from_millis(u64::try_from((at - now).as_millis()).unwrap_or(0).max(1))
}

fn too_late(host: &str, at: Instant, now: Instant) -> Unseen {
    match at {
        Instant::NEVER => {
            unseen("the budget is zero: `budget` of the configuration allows no look")
        }
        at => {
            let wait = Span::from_secs((at - now).as_millis().div_euclid(1_000).max(1));
            unseen(&format!("{host} may be asked again in {wait} only"))
        }
    }
}

fn unseen(reason: &str) -> Unseen {
    Unseen { status: None, reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    #[test]
    fn a_host_that_takes_no_look_now_is_said_to_in_how_long() {
        let now = Instant::from_millis(1_798_761_600_000);
        let why = too_late("a.example", now + Span::from_millis(9_400), now).reason;
        assert_eq!(why, "a.example may be asked again in 9 s only");
    }

    #[tokio::test]
    async fn looks_have_a_limit_and_one_that_ends_or_fails_frees_its_place() {
        let seats = Seats::default();
        let held: Vec<_> = (1..LOOKS_MAX).map(|_| seats.run(pending())).collect();
        for _ in 0..3 {
            let last = seats.run(async { Err(unseen("seen")) });
            let further = seats.run(pending()).await;
            assert!(further.is_err_and(|why| why.reason.contains("try again")));
            assert!(last.await.is_err_and(|why| why.reason == "seen"));
            let broken = seats.run(async { panic!("a look that breaks") });
            assert!(broken.await.is_err_and(|why| why.reason == "the look failed"));
        }
        assert_eq!(held.len() + 1, LOOKS_MAX);
    }
}
