//! Looks at pages that nobody watches, for a person who wants to see what is there.
//!
//! The kernel says when each request may be made, and counts it; the request and the reading are
//! done here. Nobody waits for them but the person.

use crate::clock::Clock;
use crate::readers::Readers;
use address::SourceUrl;
use chronon::{Instant, Span};
use fetch::memory::Memory;
use kernel::io::{Actor, Answer, Command};
use std::sync::Arc;
use std::time::Duration;
use web::{Desk, Looking, Seen, Unseen};

/// The longest that a person waits for a host's turn.
const TURN_WAIT_MAX: Span = Span::from_secs(20);

/// Everything a look needs.
#[derive(Clone)]
pub struct Looker {
    pub desk: Desk,
    pub fetcher: fetch::Fetcher,
    pub memory: Memory,
    pub readers: Readers,
    pub limits: page::Limits,
    pub clock: Arc<Clock>,
    pub redirects_max: u32,
}

impl web::Looker for Looker {
    fn look(&self, url: SourceUrl) -> Looking {
        let looker = self.clone();
        // On a task of its own: a person who leaves does not keep the host's place in flight.
        let look = tokio::spawn(async move { looker.follow(url).await });
        Box::pin(async move { look.await.unwrap_or_else(|_| Err(unseen("the look failed"))) })
    }
}

impl Looker {
    async fn follow(&self, source: SourceUrl) -> Result<Seen, Unseen> {
        let mut url = source.reveal().to_owned();
        for _ in 0..=self.redirects_max {
            // What is refused by its address takes no turn of anybody.
            self.fetcher.refuses(&url).map_or(Ok(()), |reason| Err(unseen(&reason)))?;
            let host = fetch::host_of(&url).ok_or_else(|| unseen("the address has no host"))?;
            self.turn(&host).await?;
            let mut share = self.memory.share(&url);
            let now = self.clock.now();
            let source = source.clone();
            let request = fetch::Request { url, source, validators: None, time_max: None, now };
            let answer = self.fetcher.fetch_within(&request, &mut share).await;
            let hold = match &answer.outcome {
                fetch::Outcome::Failed(failure) if failure.holds_host => Some(failure.retry_after),
                _ => None,
            };
            let over = Command::GlanceOver { host: host.into(), hold };
            // A server that stops forgets who is in flight.
            let _ = self.desk.ask(Actor::SYSTEM, over).await;
            match answer.outcome {
                fetch::Outcome::Content(content) => return self.read(content, now).await,
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
    async fn turn(&self, host: &str) -> Result<(), Unseen> {
        let patience = self.clock.now() + TURN_WAIT_MAX;
        loop {
            let glance = Command::Glance { host: host.into() };
            let answer = self.desk.ask(Actor::SYSTEM, glance).await;
            match answer.map_err(|closed| unseen(&closed.to_string()))? {
                Answer::Done => return Ok(()),
                Answer::Later(at) if at <= patience => {
                    tokio::time::sleep(until(at, self.clock.now())).await;
                }
                Answer::Later(at) => return Err(too_late(host, at)),
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
        let read = tokio::task::spawn_blocking(move || {
            let _held_while_reading = seat;
            let answer = jobs::Content {
                body: &content.body,
                content_type: content.content_type.as_deref(),
                final_url: &content.final_url,
            };
            jobs::extract(answer, [], &limits).map(|extracted| extracted.whole().clone())
        });
        match read.await {
            Ok(Ok(extract)) => Ok(Seen { extract, at }),
            Ok(Err(reason)) => Err(unseen(&reason)),
            Err(_) => Err(unseen("the page could not be read: the reader failed on it")),
        }
    }
}

fn until(at: Instant, now: Instant) -> Duration {
    Duration::from_millis(u64::try_from((at - now).as_millis()).unwrap_or(0).max(1))
}

fn too_late(host: &str, at: Instant) -> Unseen {
    match at {
        Instant::NEVER => {
            unseen("the budget is zero: `budget` of the configuration allows no look")
        }
        at => unseen(&format!("{host} may not be asked before {at}")),
    }
}

fn unseen(reason: &str) -> Unseen {
    Unseen { status: None, reason: reason.to_owned() }
}
