//! Tasks become actions: probes, comparisons, compositions, deliveries. Each ends in a
//! completion that goes back to the engine.

use crate::channels::{Channels, Letter};
use crate::clock::Clock;
use crate::commands::plain;
use crate::engine::{Completion, Hands};
use crate::newest::Newest;
use crate::pdf::Pdf;
use crate::readers::{Readers, Seat};
use crate::sights::Sights;
use chronon::{BlobId, SourceId, Span};
use fetch::memory::Share;
use jobs::Standing;
use kernel::Input;
use kernel::io::{
    Announcement, Computation, Delivery, Done, FetchOutcome, Fetched, Probe, ProbeEnd, Task,
    Ticket, Validators,
};
use kernel::record::{ProbeOutcome, VersionFacts};
use outbox::DeliveryResult;
use page::View;
use schedule::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use store::Reader;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};

/// Bytes of a body that is hashed where it is; a longer one goes to a thread that may block.
const HASHED_AT_ONCE_BYTES_MAX: usize = 256 << 10;

/// Everything an action needs; one per process.
pub struct Worker {
    pub fetcher: fetch::Fetcher,
    pub pdf: Pdf,
    pub channels: Channels,
    pub reader: Arc<dyn Reader>,
    pub live: Arc<web::Live>,
    pub clock: Arc<Clock>,
    pub completions: mpsc::Sender<Completion>,
    pub runtime: Handle,
    /// What a page's content may hold.
    pub limits: page::Limits,
    pub readers: Readers,
    /// One for each computation at a time.
    pub desks: Arc<Semaphore>,
    /// The memory for bodies on their way.
    pub memory: fetch::memory::Memory,
    /// Pages so far of which a limit kept something out.
    pub pages_cut: Arc<AtomicU64>,
    pub newest: Newest,
    /// What people saw of pages before anybody watched them.
    pub sights: Sights,
}

impl Hands for Arc<Worker> {
    /// Starts a task; returns at once. How much is under way is the kernel's to limit. Every task
    /// ends in a completion, also one whose work panics: what the kernel holds in flight would stay
    /// there for ever.
    fn start(&self, task: Task) {
        let worker = Arc::clone(self);
        self.runtime.spawn(async move {
            let completion = match task {
                Task::Probe(probe) => {
                    let (prober, ticket) = (Arc::clone(&worker), probe.ticket);
                    let probed = tokio::spawn(async move { prober.probe(probe).await }).await;
                    probed.unwrap_or_else(|_| broken_probe(ticket))
                }
                Task::Deliver(delivery) => {
                    let (sender, ticket) = (Arc::clone(&worker), delivery.ticket);
                    let sent = tokio::spawn(async move { sender.deliver(delivery).await }).await;
                    let result = sent.unwrap_or_else(|_| DeliveryResult::Failed {
                        reason: "the sender failed on it".into(),
                        after: None,
                    });
                    Input::Done { ticket, done: Done::Delivered(result) }.into()
                }
                Task::Compute(computation) => worker.compute_until_done(computation).await,
            };
            worker.complete(completion).await;
        });
    }

    /// Shows onlookers what happens.
    fn announce(&self, announcement: Announcement) {
        log(&announcement);
        self.live.publish(announcement);
    }
}

impl Worker {
    async fn complete(&self, completion: Completion) {
        // The engine has gone only when the process stops; then nothing needs to be told.
        let _ = self.completions.send(completion).await;
    }

    async fn probe(&self, probe: Probe) -> Completion {
        let Probe { ticket, url, source_url, validators, time_max, views, .. } = probe;
        let of = probe.source;
        let began = std::time::Instant::now();
        let now = self.clock.now();
        let (url, validators) = (url.into(), sendable(validators));
        let (source, time_max) = (source_url, Some(time_max));
        let request = fetch::Request { url, source, validators, time_max, now };
        let mut share = self.memory.share(&request.url);
        // A look of another kind has seen what is newer: what a person saw is of no use then.
        let seen = self.sights.take(&request.url, &request.source, now);
        let seen = seen.filter(|_| probe.reason == Reason::Baseline);
        let answer = match seen {
            Some(answer) => answer,
            None => self.fetcher.fetch_within(&request, &mut share).await,
        };
        // Waiting for memory is ours, not the server's.
        let took = began.elapsed().saturating_sub(share.wait().total());
        let took = Span::from_millis(took.as_millis() as i64);
        let mut blobs = Vec::new();
        let outcome = match self.pdf.read(answer.outcome).await {
            fetch::Outcome::Content(content) => match self.stored(of, &content, &views) {
                Some(standing) => same(content, &standing).into(),
                None => {
                    let (end, read) = self.read_content(of, content, views, &share).await;
                    blobs = read;
                    end.into()
                }
            },
            fetch::Outcome::NotModified => ProbeEnd::NotModified.into(),
            fetch::Outcome::Moved { to } => FetchOutcome::Moved { to: to.into() },
            fetch::Outcome::SetAside(why) => set_aside(&why).into(),
            fetch::Outcome::Failed(failure) => ProbeEnd::Failed {
                status: failure.status,
                reason: failure.reason.into(),
                holds_host: failure.holds_host,
                retry_after: failure.retry_after,
            }
            .into(),
        };
        let (body_bytes, wire_bytes) = (answer.body_bytes, answer.wire_bytes);
        let fetched = Fetched { outcome, body_bytes, wire_bytes, took };
        let input = Input::Done { ticket, done: Done::Fetched(fetched) };
        Completion { input, blobs, share: Some(share) }
    }

    /// The last look, where the answer is known to show the same: a look at a page that stands
    /// still costs a hash or two. Else the answer is to be read.
    fn stored(
        &self,
        source: SourceId,
        content: &fetch::Content,
        views: &[View],
    ) -> Option<Arc<Standing>> {
        let known = self.newest.get(source).filter(|_| is_hashed_at_once(content))?;
        known.is_shown_by(answer(content), views, &self.limits).then_some(known)
    }

    /// Parses the body on a thread of its own kind, after [`Self::stored`] found it to be another;
    /// what cannot be read is a failed probe.
    async fn read_content(
        &self,
        source: SourceId,
        content: fetch::Content,
        views: Vec<View>,
        share: &Share,
    ) -> (ProbeEnd, Vec<(BlobId, Arc<[u8]>)>) {
        let known = self.newest.take(source).filter(|_| is_hashed_at_once(&content));
        let mut blobs = Vec::new();
        let (reader, newest) = (Arc::clone(&self.reader), self.newest.clone());
        let limits = self.limits.clone();
        let cost = page::cost(&content.body, &limits);
        let host = fetch::host_of(&content.final_url).unwrap_or_default();
        let seat = match turn_to_read(&self.readers, &host, cost, share).await {
            Ok(seat) => seat,
            Err(set_aside) => return (set_aside, blobs),
        };
        let read = tokio::task::spawn_blocking(move || {
            let _held_while_reading = seat;
            let known = known.as_ref().map(|known| &known.facts);
            let beside = jobs::Beside { reader: &*reader, source, known };
            let read = jobs::read(beside, answer(&content), views, &limits)?;
            if let jobs::Read::Same(standing) = &read {
                newest.keep(source, standing);
            }
            Ok::<_, String>((content, read))
        });
        let end = match read.await {
            Ok(Ok((content, jobs::Read::Same(standing)))) => same(content, &standing),
            Ok(Ok((content, jobs::Read::Fresh(extracted)))) => {
                if !extracted.whole().left_out.is_nothing() {
                    self.pages_cut.fetch_add(1, Ordering::Relaxed);
                }
                let shown = extracted.shown();
                let (facts, read) = extracted.into_facts();
                blobs = read;
                ProbeEnd::Content(Box::new(headed(content, facts)), shown)
            }
            Ok(Err(reason)) => unreadable(reason),
            Err(_) => unreadable("the page could not be read: the reader failed on it".into()),
        };
        (end, blobs)
    }

    /// Computes on a thread that may block; what fails is tried again with a growing pause, since
    /// its intent stays open in the kernel until it is done. A panic would come again: where the
    /// kernel can be told of a failure, it is told.
    async fn compute_until_done(self: &Arc<Worker>, computation: Computation) -> Completion {
        let mut pause = Duration::from_secs(1);
        loop {
            let (worker, work) = (Arc::clone(self), computation.clone());
            let desk = Arc::clone(&self.desks).acquire_owned().await;
            let run = move || {
                let _held_while_computing = desk;
                jobs::run(&*worker.reader, &work, &worker.limits)
            };
            match tokio::task::spawn_blocking(run).await {
                Ok(Ok(jobs::Finished { input, blobs })) => {
                    return Completion { input, blobs, share: None };
                }
                Ok(Err(error)) => tracing::error!(%error, again_in = ?pause, "a job failed"),
                Err(error) => {
                    tracing::error!(%error, "a job was cut off");
                    if let Some(input) = jobs::broken(&computation).filter(|_| error.is_panic()) {
                        return input.into();
                    }
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(600));
        }
    }

    async fn deliver(&self, delivery: Delivery) -> DeliveryResult {
        let Delivery { name, contact, key, body, attempt, .. } = delivery;
        let reader = Arc::clone(&self.reader);
        let bytes = tokio::task::spawn_blocking(move || reader.blob(body)).await;
        let Ok(Ok(Some(bytes))) = bytes else {
            return DeliveryResult::Failed {
                reason: "its body could not be read".into(),
                after: None,
            };
        };
        let now = self.clock.now();
        let body = notice::as_sent(&bytes);
        let (contact, key) = (contact.as_ref(), &*key.0);
        let letter = Letter { name: &name, contact, key, body: &body, attempt, now };
        let result = self.channels.send(letter).await;
        let channel = &name;
        match &result {
            DeliveryResult::Delivered => tracing::debug!(%channel, %key, attempt, "delivered"),
            DeliveryResult::Failed { reason, .. } => {
                let reason = plain(reason);
                tracing::warn!(%channel, %key, attempt, reason, "a delivery failed");
            }
            DeliveryResult::Gone { reason } => {
                let reason = plain(reason);
                tracing::warn!(%channel, %key, attempt, reason, "the channel is disabled");
            }
        }
        result
    }
}

/// What happens, for the log. Reasons may hold words of others.
fn log(announcement: &Announcement) {
    match announcement {
        Announcement::Probe {
            source,
            address,
            outcome: ProbeOutcome::Failed { status, reason },
            ..
        } => {
            let reason = plain(reason);
            tracing::info!(%source, %address, status, reason, "a probe failed");
        }
        Announcement::Probe { source, address, outcome, .. } => {
            tracing::debug!(%source, %address, ?outcome, "probed");
        }
        Announcement::Version { source, version, .. } => {
            tracing::debug!(%source, %version, "a new version");
        }
        Announcement::Detection { sentinel, detection, .. } => {
            tracing::info!(%sentinel, detection = detection.0, "a detection");
        }
        Announcement::Notification { notification, .. } => {
            tracing::debug!(notification = notification.0, "a notification went on its way");
        }
        Announcement::Sentinel { sentinel, state, .. } => {
            tracing::info!(%sentinel, ?state, "a sentinel changed its state");
        }
        Announcement::Rule { rule, .. } => {
            tracing::info!(%rule, "a rule was carried out");
        }
    }
}

/// Whether an answer is compared with the last look where it is, before it is read.
fn is_hashed_at_once(content: &fetch::Content) -> bool {
    content.body.len() <= HASHED_AT_ONCE_BYTES_MAX
}

/// What an answer comes to that shows the newest version.
fn same(content: fetch::Content, standing: &Standing) -> ProbeEnd {
    let facts = headed(content, standing.facts.clone());
    ProbeEnd::Content(Box::new(facts), standing.shown.clone())
}

fn answer(content: &fetch::Content) -> jobs::Content<'_> {
    jobs::Content {
        body: &content.body,
        content_type: content.content_type.as_deref(),
        final_url: &content.final_url,
    }
}

/// What the kernel learns of an answer: the facts of its content, with what its head says.
fn headed(content: fetch::Content, facts: VersionFacts) -> VersionFacts {
    VersionFacts {
        status: content.status,
        media_type: content.content_type.unwrap_or_default().into(),
        final_url: content.final_url.into(),
        etag: content.etag.map(Into::into),
        last_modified: content.last_modified.map(Into::into),
        modified_at: content.modified_at,
        ..facts
    }
}

/// Waits for a seat to read a page whose body holds `share`.
async fn turn_to_read(
    readers: &Readers,
    host: &str,
    cost: u64,
    share: &Share,
) -> Result<Seat, ProbeEnd> {
    tokio::select! {
        biased;
        seat = readers.seat(host, cost) => seat.map_err(|why| set_aside(&why)),
        // The look's body keeps the room from pages that may be read sooner.
        why = share.outstayed() => Err(set_aside(&why)),
    }
}

/// What the kernel is told of a page for which we had no room: nothing about its server.
fn set_aside(why: &dyn std::fmt::Display) -> ProbeEnd {
    ProbeEnd::SetAside { reason: why.to_string().into() }
}

/// What the kernel is told of a probe that panicked.
fn broken_probe(ticket: Ticket) -> Completion {
    let outcome = unreadable("the prober failed on it".into()).into();
    let fetched = Fetched { outcome, body_bytes: 0, wire_bytes: 0, took: Span::ZERO };
    Input::Done { ticket, done: Done::Fetched(fetched) }.into()
}

fn sendable(validators: Validators) -> Option<fetch::Validators> {
    let Validators { url, etag, last_modified } = validators;
    (etag.is_some() || last_modified.is_some()).then(|| fetch::Validators {
        url: url.into(),
        etag: etag.map(Into::into),
        last_modified: last_modified.map(Into::into),
    })
}

fn unreadable(reason: String) -> ProbeEnd {
    let reason = reason.into();
    ProbeEnd::Failed { status: None, reason, holds_host: false, retry_after: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::Rooms;
    use fetch::memory::{Memory, Parts};

    /// One page may be read that costs much, and one body may be large.
    fn places() -> (Readers, Memory) {
        let readers = Readers::new(1, Rooms { cheap_bytes: 1, dear_bytes: 1_000 });
        let long = Duration::from_secs(60);
        let memory = Memory::new(Parts {
            own_bytes: 1,
            hall_bytes: 1_000,
            hall_seats: 1,
            wait_max: long,
            hall_wait_max: Duration::from_millis(1),
        });
        (readers, memory)
    }

    #[tokio::test]
    async fn a_page_that_waits_to_be_read_keeps_no_other_from_the_memory_for_bodies() {
        let (readers, memory) = places();
        let _reading = readers.seat("a.example", 1_000).await.expect("it is free");
        let mut waits = memory.share("https://b.example/");
        waits.grow(900).await.expect("it is free");
        let mut page = memory.share("https://c.example/");
        let turn = async move { turn_to_read(&readers, "b.example", 1_000, &waits).await.err() };
        let (turn, grown) = tokio::join!(turn, page.grow(300));
        assert!(matches!(turn, Some(ProbeEnd::SetAside { .. })));
        assert_eq!(grown, Ok(()));
    }
}
