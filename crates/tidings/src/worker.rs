//! Effects become actions: probes, comparisons, compositions, deliveries. Each ends in a
//! completion that goes back to the engine.

use crate::channels::Channels;
use crate::clock::Clock;
use crate::commands::plain;
use crate::engine::Completion;
use crate::readers::{Readers, Seat};
use address::{Contact, SourceUrl};
use chronon::{BlobId, Instant, Span};
use fetch::memory::Share;
use kernel::Input;
use kernel::io::{Announcement, Effect, FetchOutcome, Fetched, Ticket, Validators};
use kernel::record::{ProbeOutcome, VersionFacts};
use outbox::DeliveryResult;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use store::{Reader, StoreError, job};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// Everything an action needs; one per process.
pub struct Worker {
    pub fetcher: fetch::Fetcher,
    pub channels: Channels,
    pub reader: Arc<dyn Reader>,
    pub live: Arc<web::Live>,
    pub clock: Arc<Clock>,
    pub completions: mpsc::Sender<Completion>,
    pub runtime: Handle,
    /// What a page's content may hold.
    pub limits: page::Limits,
    pub readers: Readers,
    /// The memory for bodies on their way.
    pub memory: fetch::memory::Memory,
    /// Pages so far of which a limit kept something out.
    pub pages_cut: Arc<AtomicU64>,
}

impl Worker {
    /// Starts an effect; returns at once. How much runs at a time is the kernel's to limit. Every
    /// effect but an announcement ends in a completion, also one whose work panics: what the
    /// kernel holds in flight would stay there for ever.
    pub fn start(self: &Arc<Worker>, effect: Effect) {
        let worker = Arc::clone(self);
        match effect {
            Effect::Probe { ticket, url, source_url, validators, time_max, .. } => {
                self.runtime.spawn(async move {
                    let prober = Arc::clone(&worker);
                    let asked = (url, source_url, validators);
                    let probe = async move { prober.probe(ticket, asked, time_max).await };
                    let probed = tokio::spawn(probe).await;
                    worker.complete(probed.unwrap_or_else(|_| broken_probe(ticket))).await;
                });
            }
            Effect::Deliver { ticket, name, contact, key, body, attempt, .. } => {
                self.runtime.spawn(async move {
                    let sender = Arc::clone(&worker);
                    let parcel = (name, contact, key, body, attempt);
                    let delivered = tokio::spawn(async move { sender.deliver(parcel).await }).await;
                    let result = delivered.unwrap_or_else(|_| DeliveryResult::Failed {
                        reason: "the sender failed on it".into(),
                        after: None,
                    });
                    worker.complete(Input::Delivered { ticket, result }.into()).await;
                });
            }
            Effect::Compare { .. }
            | Effect::Compose { .. }
            | Effect::Reextract { .. }
            | Effect::LoadDue { .. } => {
                self.runtime.spawn(async move {
                    let completion = worker.compute_until_done(effect).await;
                    worker.complete(completion).await;
                });
            }
            Effect::Announce(announcement) => {
                log(&announcement);
                self.live.publish(announcement);
            }
            Effect::Answer { .. } | Effect::Prune(_) => {
                unreachable!("the engine answers and prunes itself")
            }
        }
    }

    async fn complete(&self, completion: Completion) {
        // The engine has gone only when the process stops; then nothing needs to be told.
        let _ = self.completions.send(completion).await;
    }

    async fn probe(
        &self,
        ticket: Ticket,
        (url, source, validators): (Box<str>, SourceUrl, Validators),
        time_max: Span,
    ) -> Completion {
        let began = std::time::Instant::now();
        let now = self.clock.now();
        let (url, validators) = (url.into(), sendable(validators));
        let request = fetch::Request { url, source, validators, time_max: Some(time_max), now };
        let mut share = self.memory.share(&request.url);
        let answer = self.fetcher.fetch_within(&request, &mut share).await;
        // Waiting for memory is ours, not the server's.
        let took = began.elapsed().saturating_sub(share.wait().total());
        let took = Span::from_millis(took.as_millis() as i64);
        let mut blobs = Vec::new();
        let outcome = match answer.outcome {
            fetch::Outcome::Content(content) => {
                self.read_content((content, &share), &mut blobs).await
            }
            fetch::Outcome::NotModified => FetchOutcome::NotModified,
            fetch::Outcome::Moved { to } => FetchOutcome::Moved { to: to.into() },
            fetch::Outcome::SetAside(why) => set_aside(&why),
            fetch::Outcome::Failed(failure) => FetchOutcome::Failed {
                status: failure.status,
                reason: failure.reason.into(),
                holds_host: failure.holds_host,
                retry_after: failure.retry_after,
            },
        };
        let (body_bytes, wire_bytes) = (answer.body_bytes, answer.wire_bytes);
        let fetched = Fetched { outcome, body_bytes, wire_bytes, took };
        Completion { input: Input::Fetched { ticket, fetched }, blobs, share: Some(share) }
    }

    /// Parses the body on a thread of its own kind; what cannot be read is a failed probe.
    async fn read_content(
        &self,
        (content, share): (fetch::Content, &Share),
        blobs: &mut Vec<(BlobId, Arc<[u8]>)>,
    ) -> FetchOutcome {
        let limits = self.limits.clone();
        let cost = page::cost(&content.body, &limits);
        let host = fetch::host_of(&content.final_url).unwrap_or_default();
        let seat = match turn_to_read(&self.readers, (&host, cost), share).await {
            Ok(seat) => seat,
            Err(set_aside) => return set_aside,
        };
        let read = tokio::task::spawn_blocking(move || {
            let _held_while_reading = seat;
            let media_type = content.content_type.as_deref();
            let extracted = job::extract(&content.body, media_type, &content.final_url, &limits);
            extracted.map(|extracted| (content, extracted))
        });
        match read.await {
            Ok(Ok((content, extracted))) => {
                if !extracted.extract.left_out.is_nothing() {
                    self.pages_cut.fetch_add(1, Ordering::Relaxed);
                }
                let facts = facts(content, &extracted);
                blobs.extend([extracted.body, extracted.extract_blob]);
                FetchOutcome::Content(Box::new(facts))
            }
            Ok(Err(reason)) => unreadable(reason),
            Err(_) => unreadable("the page could not be read: the reader failed on it".into()),
        }
    }

    /// Computes on a thread that may block; what fails is tried again with a growing pause, since
    /// its intent stays open in the kernel until it is done. A panic would come again: where the
    /// kernel can be told of a failure, it is told.
    async fn compute_until_done(self: &Arc<Worker>, effect: Effect) -> Completion {
        let mut pause = Duration::from_secs(1);
        loop {
            let (worker, work) = (Arc::clone(self), effect.clone());
            let done = tokio::task::spawn_blocking(move || worker.compute(work)).await;
            match done {
                Ok(Ok(completion)) => return completion,
                Ok(Err(error)) => tracing::error!(%error, again_in = ?pause, "a work failed"),
                Err(error) => {
                    tracing::error!(%error, "a work was cut off");
                    if let Some(completion) = failed_work(&effect).filter(|_| error.is_panic()) {
                        return completion;
                    }
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(600));
        }
    }

    fn compute(&self, effect: Effect) -> Result<Completion, StoreError> {
        match effect {
            Effect::Compare { ticket, source, request, .. } => {
                let compared = job::compare(&*self.reader, source, &request)?;
                let (result, outline) = (compared.result_blob.0, compared.outline);
                let input = Input::Compared { ticket, result, outline };
                Ok(Completion { input, blobs: vec![compared.result_blob], share: None })
            }
            Effect::Compose { ticket, notification } => {
                let body = match job::compose(&*self.reader, notification) {
                    Ok(body) => body,
                    Err(error @ StoreError::Damaged(_)) => {
                        let reason = error.to_string().into();
                        return Ok(Input::NotComposed { ticket, reason }.into());
                    }
                    Err(error) => return Err(error),
                };
                let input = Input::Composed { ticket, body: body.0 };
                Ok(Completion { input, blobs: vec![body], share: None })
            }
            Effect::Reextract { ticket, source, version } => {
                let again = job::reextract(&*self.reader, source, version, &self.limits)?;
                let (row, blobs) = match again {
                    Some(again) => (Some(Box::new(again.row)), vec![again.extract_blob]),
                    None => (None, Vec::new()),
                };
                Ok(Completion { input: Input::Reextracted { ticket, row }, blobs, share: None })
            }
            Effect::LoadDue { channel, limit } => {
                let rows = self.reader.due(channel, limit as usize)?;
                Ok(Input::DueLoaded { channel, rows }.into())
            }
            other => unreachable!("{other:?} is no computation"),
        }
    }

    async fn deliver(
        &self,
        (name, contact, key, body, attempt): (Box<str>, Option<Contact>, outbox::Key, BlobId, u32),
    ) -> DeliveryResult {
        let reader = Arc::clone(&self.reader);
        let bytes = tokio::task::spawn_blocking(move || reader.blob(body)).await;
        let Ok(Ok(Some(bytes))) = bytes else {
            return DeliveryResult::Failed {
                reason: "its body could not be read".into(),
                after: None,
            };
        };
        let now: Instant = self.clock.now();
        let body = outbox::without_credentials(&bytes);
        let (to, what) = ((&*name, contact.as_ref()), (&*key.0, &*body));
        let result = self.channels.send(to, what, (attempt, now)).await;
        let (channel, key) = (&name, &key.0);
        match &result {
            DeliveryResult::Delivered => tracing::debug!(%channel, %key, attempt, "delivered"),
            DeliveryResult::Failed { reason, .. } => {
                let reason = plain(reason);
                tracing::warn!(%channel, %key, attempt, reason, "a delivery failed");
            }
            DeliveryResult::Gone => {
                tracing::warn!(%channel, %key, attempt, "410 Gone: the channel is disabled");
            }
        }
        result
    }
}

/// What happens, for the log. Reasons may hold words of others.
fn log(announcement: &Announcement) {
    match announcement {
        Announcement::Probe {
            source, outcome: ProbeOutcome::Failed { status, reason }, ..
        } => {
            tracing::info!(%source, status, reason = plain(reason), "a probe failed");
        }
        Announcement::Probe { source, outcome, .. } => {
            tracing::debug!(%source, ?outcome, "probed");
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
    }
}

/// What the kernel learns of an answer with content.
fn facts(content: fetch::Content, extracted: &job::Extracted) -> VersionFacts {
    VersionFacts {
        fingerprint: extracted.fingerprint,
        extractor: extracted.extractor,
        kind: extracted.kind,
        odd: extracted.odd,
        body: extracted.body.0,
        extract: extracted.extract_blob.0,
        status: content.status,
        media_type: content.content_type.unwrap_or_default().into(),
        final_url: content.final_url.into(),
        etag: content.etag.map(Into::into),
        last_modified: content.last_modified.map(Into::into),
        modified_at: content.modified_at,
        summary: extracted.summary.clone(),
    }
}

/// What the kernel is told of a page for which we had no room: nothing about its server.
/// Waits for a seat to read a page whose body holds `share`.
async fn turn_to_read(
    readers: &Readers,
    (host, cost): (&str, u64),
    share: &Share,
) -> Result<Seat, FetchOutcome> {
    tokio::select! {
        biased;
        seat = readers.seat(host, cost) => seat.map_err(|why| set_aside(&why)),
        // The look's body keeps the room from pages that may be read sooner.
        why = share.outstayed() => Err(set_aside(&why)),
    }
}

fn set_aside(why: &dyn std::fmt::Display) -> FetchOutcome {
    FetchOutcome::SetAside { reason: why.to_string().into() }
}

/// What the kernel is told of a probe that panicked.
fn broken_probe(ticket: Ticket) -> Completion {
    let outcome = unreadable("the prober failed on it".into());
    let fetched = Fetched { outcome, body_bytes: 0, wire_bytes: 0, took: Span::ZERO };
    Input::Fetched { ticket, fetched }.into()
}

/// What the kernel is told of a work that panicked: nothing of the round is evaluated, the bytes
/// count as unreadable. `None`: the kernel knows no failure of it.
fn failed_work(effect: &Effect) -> Option<Completion> {
    match effect {
        Effect::Compare { ticket, request, .. } => {
            let comparisons = vec![None; request.comparisons.len()];
            // No detection comes of it, so nothing names the result.
            let (ticket, result) = (*ticket, BlobId([0; 32]));
            let outline = graph::Outline { comparisons };
            Some(Input::Compared { ticket, result, outline }.into())
        }
        Effect::Reextract { ticket, .. } => {
            Some(Input::Reextracted { ticket: *ticket, row: None }.into())
        }
        Effect::Compose { ticket, .. } => {
            let reason = "the composer failed on it".into();
            Some(Input::NotComposed { ticket: *ticket, reason }.into())
        }
        _ => None,
    }
}

fn sendable(validators: Validators) -> Option<fetch::Validators> {
    let Validators { url, etag, last_modified } = validators;
    (etag.is_some() || last_modified.is_some()).then(|| fetch::Validators {
        url: url.into(),
        etag: etag.map(Into::into),
        last_modified: last_modified.map(Into::into),
    })
}

fn unreadable(reason: String) -> FetchOutcome {
    let reason = reason.into();
    FetchOutcome::Failed { status: None, reason, holds_host: false, retry_after: None }
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
        let turn = async move { turn_to_read(&readers, ("b.example", 1_000), &waits).await.err() };
        let (turn, grown) = tokio::join!(turn, page.grow(300));
        assert!(matches!(turn, Some(FetchOutcome::SetAside { .. })));
        assert_eq!(grown, Ok(()));
    }
}
