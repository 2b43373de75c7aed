//! Effects become works, and works become completions.

use super::{Cause, Completion, Due, Seen, Shell, Work};
use crate::people::Letter;
use crate::web::{End, Page, Visit, host};
use chronon::{Instant, SourceId, Span};
use jobs::{Finished, Standing};
use kernel::Input;
use kernel::io::{
    Computation, Delivery, Done, Effect, FetchOutcome, Fetched, Probe, ProbeEnd, Task, Ticket,
};
use kernel::record::VersionFacts;
use page::View;
use store::{Blob, Reader, StoreError};

/// How long works take at most, in a random world.
const PROBE_MAX: Span = Span::from_millis(2_500);
const COMPUTE_MAX: Span = Span::from_millis(900);
const DELIVER_MAX: Span = Span::from_millis(1_500);

/// A pause that a server asks for with one of these holds its whole host.
const HOLDING: [u16; 2] = [429, 503];

impl Shell {
    /// Acts on an effect that was decided on at `since`; what comes of it is planned.
    pub(super) fn begin(&mut self, effect: Effect, since: Instant) -> Result<(), String> {
        match effect {
            Effect::Start(task) => self.start_task(task, since),
            Effect::Answer { request, answer } => {
                if let Some(wish) = self.wishes.remove(&request) {
                    self.seen.push(Seen::Answered { wish, answer });
                }
                Ok(())
            }
            Effect::Prune(prune) => {
                self.store.prune(&prune).map_err(said)?;
                self.store.sweep(1_000).map(|_| ()).map_err(said)
            }
            Effect::Announce(_) => Ok(()),
        }
    }

    fn start_task(&mut self, task: Task, since: Instant) -> Result<(), String> {
        let work = counted(&task);
        if let Some(work) = work.clone() {
            self.occupy(work)?;
        }
        match task {
            Task::Probe(probe) => self.probe(probe, since),
            Task::Deliver(delivery) => self.deliver(delivery).map_err(said)?,
            Task::Compute(computation) => {
                let completion = self.compute(&computation, work)?;
                let took = self.pace.work(COMPUTE_MAX);
                self.plan(self.now + took, Due::Completion(Box::new(completion)));
            }
        }
        Ok(())
    }

    fn compute(&self, computation: &Computation, work: Option<Work>) -> Result<Completion, String> {
        let limits = page::Limits::default();
        let Finished { input, blobs } =
            jobs::run(&*self.reader(), computation, &limits).map_err(said)?;
        if let Input::Done { done: Done::NotComposed { reason }, .. } = &input {
            return Err(format!("a body cannot be made: {reason}"));
        }
        Ok(Completion { input: input.into(), blobs, cause: Cause::Other, work })
    }

    /// The kernel takes `since` for its start, even if the disk has held it up.
    fn probe(&mut self, probe: Probe, since: Instant) {
        let Probe { ticket, source, url: asked, source_url, validators, start, views, .. } = probe;
        let url: Box<str> = source_url.reveal().into();
        // The simulated web knows pages by their whole address.
        let asked = if *asked == *source_url.shown() { url.clone() } else { asked };
        self.seen.push(Seen::Probe { at: since, url: url.clone(), asked: asked.clone(), start });
        let Visit { end, took } = self.web.visit(&asked, &validators, self.now);
        let work = Some(Work::Probe { host: host(&asked) });
        let (mut blobs, mut body_bytes, mut end) = (Vec::new(), 0, end);
        let outcome = match &end {
            End::NotModified => ProbeEnd::NotModified.into(),
            End::Moved { to } => FetchOutcome::Moved { to: to.clone() },
            End::Content { page, final_url } => {
                body_bytes = page.body.len() as u64;
                let known = self.standing.remove(&source);
                let seen = read(&*self.reader(), (source, known), page, final_url, views);
                let (mut end, made, standing) = seen;
                if let ProbeEnd::Content(_, shown) = &mut end
                    && !self.tells_outages
                {
                    shown.breaks = None;
                }
                self.standing.extend(standing.map(|standing| (source, standing)));
                blobs = made;
                end.into()
            }
            End::Failed { status, reason, retry_after } => ProbeEnd::Failed {
                status: *status,
                reason: reason.clone(),
                holds_host: status.is_some_and(|status| HOLDING.contains(&status)),
                retry_after: *retry_after,
            }
            .into(),
        };
        if let FetchOutcome::Over(ProbeEnd::Failed { status, reason, retry_after, .. }) = &outcome {
            let (status, reason, retry_after) = (*status, reason.clone(), *retry_after);
            end = End::Failed { status, reason, retry_after };
        }
        let took = took + self.pace.work(PROBE_MAX);
        let fetched = Fetched { outcome, body_bytes, wire_bytes: body_bytes, took };
        let cause = Cause::Fetched { url, asked, start, left: self.now, end };
        let completion = Completion {
            input: Input::Done { ticket, done: Done::Fetched(fetched) }.into(),
            blobs,
            cause,
            work,
        };
        self.plan(self.now + took, Due::Completion(Box::new(completion)));
    }

    fn deliver(&mut self, delivery: Delivery) -> Result<(), StoreError> {
        let Delivery { ticket, name: channel, contact, key, body, attempt, .. } = delivery;
        let contact = contact.map(|contact| contact.reveal().into());
        let body = self.reader().blob(body)?.ok_or(StoreError::MissingBlob(body))?;
        let sent_at = self.now;
        let letter = Letter { channel, contact, key: key.0, body, attempt, sent_at };
        let at = self.now + self.pace.work(DELIVER_MAX);
        let life = self.life;
        if at == self.now {
            self.receive(letter, ticket, life);
        } else {
            self.plan(at, Due::Letter { letter, ticket, life });
        }
        Ok(())
    }

    /// A message arrives, whether its sender still lives or not; only a living one hears of it.
    pub(super) fn receive(&mut self, letter: Letter, ticket: Ticket, life: u64) {
        let (verdict, took, said) = self.people.receive(&letter, self.now);
        let at = self.now + took + self.pace.work(DELIVER_MAX);
        let work = Some(Work::Deliver { to: letter.recipient().into() });
        self.seen.push(Seen::Letter { letter, verdict: verdict.clone(), said });
        if life == self.life && self.kernel.is_some() {
            let input = Input::Done { ticket, done: Done::Delivered(verdict) };
            let (blobs, cause) = (Vec::new(), Cause::Other);
            let completion = Completion { input: input.into(), blobs, cause, work };
            self.plan(at, Due::Completion(Box::new(completion)));
        }
    }

    /// I-BUDGET: no more in flight than the limits allow.
    fn occupy(&mut self, work: Work) -> Result<(), String> {
        self.in_flight.push(work.clone());
        let is_kind =
            |other: &&Work| std::mem::discriminant(*other) == std::mem::discriminant(&work);
        let kind = self.in_flight.iter().filter(is_kind).count();
        let same = self.in_flight.iter().filter(|other| **other == work).count();
        let (schedule, outbox) = (&self.config.schedule, &self.config.outbox);
        let (kind_max, same_max) = match work {
            Work::Probe { .. } => (schedule.in_flight_max, schedule.host_in_flight),
            Work::Compare => (self.config.comparisons_max, self.config.comparisons_max),
            Work::Deliver { .. } => (outbox.in_flight_max, outbox.in_flight_per_channel_max),
        };
        if kind > kind_max as usize || same > same_max as usize {
            return Err(format!("I-BUDGET: too much in flight: {:?}", self.in_flight));
        }
        Ok(())
    }
}

/// What of a task counts against a limit.
fn counted(task: &Task) -> Option<Work> {
    match task {
        Task::Probe(Probe { url, .. }) => Some(Work::Probe { host: host(url) }),
        Task::Compute(Computation::Compare { .. }) => Some(Work::Compare),
        Task::Compute(_) => None,
        Task::Deliver(Delivery { name, contact, .. }) => {
            let contact = contact.as_ref().map(|contact| contact.reveal().into());
            Some(Work::Deliver { to: contact.unwrap_or_else(|| name.clone()) })
        }
    }
}

/// Reads a body as the server's worker does, beside what is known of the source from the last look
/// since the machine was switched on; gives what is known for the next. What cannot be read is a
/// failed probe.
fn read(
    reader: &dyn Reader,
    (source, known): (SourceId, Option<Standing>),
    page: &Page,
    final_url: &str,
    views: Vec<View>,
) -> (ProbeEnd, Vec<Blob>, Option<Standing>) {
    let limits = page::Limits::default();
    let content_type = Some(&*page.media_type);
    let content = jobs::Content { body: &page.body, content_type, final_url };
    let known_facts = known.as_ref().map(|known| &known.facts);
    let beside = jobs::Beside { reader, source, known: known_facts };
    let read = match &known {
        Some(known) if known.is_shown_by(content, &views, &limits) => {
            Ok(jobs::Read::Same(Box::new(known.clone())))
        }
        _ => jobs::read(beside, content, views, &limits),
    };
    let read = match read {
        Ok(read) => read,
        Err(reason) => {
            let (reason, status) = (reason.into(), None);
            let end = ProbeEnd::Failed { status, reason, holds_host: false, retry_after: None };
            return (end, Vec::new(), None);
        }
    };
    let of_page = |facts: VersionFacts| VersionFacts {
        status: page.status,
        media_type: page.media_type.clone(),
        final_url: final_url.into(),
        etag: page.etag.clone(),
        last_modified: page.last_modified.map(|at| at.to_string().into()),
        modified_at: page.last_modified,
        ..facts
    };
    let (facts, shown, blobs, standing) = match read {
        jobs::Read::Same(standing) => {
            let (facts, shown) = (standing.facts.clone(), standing.shown.clone());
            (facts, shown, Vec::new(), Some(*standing).filter(Standing::lasts))
        }
        jobs::Read::Fresh(read) => {
            let shown = read.shown();
            let (facts, blobs) = read.into_facts();
            (facts, shown, blobs, None)
        }
    };
    (ProbeEnd::Content(Box::new(of_page(facts)), shown), blobs, standing)
}

fn said(error: StoreError) -> String {
    format!("a job failed: {error}")
}
