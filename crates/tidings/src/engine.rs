//! The loop that owns kernel and store: take what is waiting, step, make durable, then act.
//!
//! Everything else of the process talks to it through one channel: completions of effects, and
//! requests of people. It is the only writer; a crash between any two lines loses effects only.

use crate::clock::Clock;
use crate::doubt::{Doubt, Notice};
use crate::metrics::Pulse;
use chronon::{BlobId, Instant};
use kernel::io::{Announcement, Answer, Done, Effect, RequestId, Task};
use kernel::{Input, Kernel};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::{Batch, Store, StoreError};
use tokio::sync::{mpsc, oneshot, watch};
use web::{Halt, Request};

/// Inputs of one batch at most, and how long they are gathered at most.
const BATCH_MAX: usize = 2_000;
const BATCH_TIME_MAX: Duration = Duration::from_millis(5);
/// How long a batch that cannot be written is tried again before the process gives up, unless the
/// configuration says otherwise.
const APPEND_PATIENCE: Duration = Duration::from_secs(30);
/// The longest sleep without looking at the clock: the machine may have slept, or its clock may
/// have been set.
const SLEEP_MAX: Duration = Duration::from_secs(5);
/// How often a doubted clock is looked at.
const CLOCK_PAUSE: Duration = Duration::from_millis(500);
/// How long a server that stops waits for deliveries on their way: most are given up before, and
/// containers are killed a second later.
const DRAIN_PATIENCE: Duration = Duration::from_secs(9);
/// Inputs and requests that may wait; senders beyond them wait themselves.
pub const WAITING_MAX: usize = 4_096;

/// A completed effect, with the bytes its records will name.
pub struct Completion {
    pub input: Input,
    pub blobs: Vec<(BlobId, Arc<[u8]>)>,
    /// The memory that the bytes are held in; given back once they are durable.
    pub share: Option<fetch::memory::Share>,
}

impl From<Input> for Completion {
    fn from(input: Input) -> Completion {
        Completion { input, blobs: Vec::new(), share: None }
    }
}

/// The two ends that others hold.
pub struct Inlets {
    pub completions: mpsc::Receiver<Completion>,
    pub requests: mpsc::Receiver<Request>,
    /// Turns true when the process is to stop.
    pub stop: watch::Receiver<bool>,
    /// Keeps the channel of completions open where nobody completes anything.
    pub _open: mpsc::Sender<Completion>,
}

/// What an engine does until the clock is trusted.
pub struct Waiting {
    pub doubt: Doubt,
    pub notice: Arc<Notice>,
    /// The kernel as the store has it, at this time.
    pub reload: Box<dyn FnOnce(Instant) -> Result<Kernel, StoreError> + Send>,
}

/// Why the loop ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was asked to.
    Stopped,
    /// The store took no batch for as long as its patience lasts; the sentence says why.
    StoreFailed(String),
    /// The wall clock went back by more than a minute.
    ClockWentBack,
}

/// Acts on the effects that are not the engine's own.
pub trait Hands {
    /// Starts a task and returns at once; the completion comes back through the inlets.
    fn start(&self, task: Task);
    /// Shows onlookers what happens.
    fn announce(&self, announcement: Announcement);
}

/// Leaves everything to the next server.
pub struct Idle;

impl Hands for Idle {
    fn start(&self, _: Task) {}
    fn announce(&self, _: Announcement) {}
}

type Look = Box<dyn FnOnce(&Kernel) + Send>;

/// Kernel, store, and what is needed to act.
pub struct Engine {
    kernel: Kernel,
    store: Box<dyn Store>,
    clock: Arc<Clock>,
    hands: Box<dyn Hands + Send>,
    pulse: Arc<Pulse>,
    /// Why it cannot go on, for those who ask meanwhile.
    halt: Halt,
    replies: HashMap<RequestId, oneshot::Sender<Answer>>,
    next_request: u64,
    /// Views of the kernel asked for while a batch is gathered: answered when it is durable.
    looks: Vec<Look>,
    patience: Duration,
    /// Something was pruned: unnamed blobs may be swept.
    sweeping: bool,
    /// Deliveries that were started and have not come back.
    delivering: usize,
    /// It stops: nothing new is started.
    stopping: bool,
    /// The machine's clock is not believed yet.
    waiting: Option<Waiting>,
    /// The memory that the batch at hand is held in.
    shares: Vec<fetch::memory::Share>,
}

impl Engine {
    pub fn new(
        kernel: Kernel,
        store: Box<dyn Store>,
        clock: Arc<Clock>,
        hands: Box<dyn Hands + Send>,
    ) -> Engine {
        Engine {
            kernel,
            store,
            clock,
            hands,
            pulse: Arc::default(),
            halt: Halt::default(),
            replies: HashMap::new(),
            next_request: 0,
            looks: Vec::new(),
            patience: APPEND_PATIENCE,
            sweeping: false,
            delivering: 0,
            stopping: false,
            waiting: None,
            shares: Vec::new(),
        }
    }

    /// Gives up after this long instead of half a minute when the store takes nothing.
    pub fn with_patience(self, patience: Duration) -> Engine {
        Engine { patience, ..self }
    }

    /// Does nothing until the clock is trusted; people may look meanwhile.
    pub fn with_waiting(self, waiting: Option<Waiting>) -> Engine {
        Engine { waiting, ..self }
    }

    /// Why this engine goes no further, while it does not.
    pub fn halt(&self) -> Halt {
        self.halt.clone()
    }

    /// What this engine says of itself.
    pub fn pulse(&self) -> Arc<Pulse> {
        Arc::clone(&self.pulse)
    }

    /// Runs until told to stop. Blocks its thread while a batch is written: give it one of its own.
    pub async fn run(mut self, mut inlets: Inlets) -> Ended {
        if let Err(ended) = self.wait_for_clock(&mut inlets).await {
            return ended;
        }
        let mut pending = vec![Completion::from(Input::Started)];
        loop {
            if let Err(ended) = self.take_batch(pending, &mut inlets).await {
                return ended;
            }
            pending = Vec::new();
            let deadline = self.kernel.next_deadline();
            tokio::select! {
                biased;
                _ = inlets.stop.changed() => return self.drain(&mut inlets).await,
                Some(completion) = inlets.completions.recv() => pending.push(completion),
                Some(request) = inlets.requests.recv() => pending.extend(self.admit(request)),
                () = sleep_until(deadline, self.clock.now()) => pending.push(Input::Tick.into()),
            }
            if self.clock.is_stuck() {
                return Ended::ClockWentBack;
            }
        }
    }

    /// Shows what is stored and takes no wishes, until the clock is trusted.
    async fn wait_for_clock(&mut self, inlets: &mut Inlets) -> Result<(), Ended> {
        let Some(waiting) = self.waiting.take() else { return Ok(()) };
        let why = waiting.notice.get().unwrap_or_default();
        tracing::warn!("{why}");
        while !waiting.doubt.is_over(self.clock.wall()) {
            tokio::select! {
                biased;
                _ = inlets.stop.changed() => return Err(Ended::Stopped),
                Some(request) = inlets.requests.recv() => match request {
                    Request::Look(look) => look(&self.kernel),
                    Request::Ask { reply, .. } => {
                        // The client may have hung up.
                        let _ = reply.send(Answer::Unable(why.as_str().into()));
                    }
                },
                () = tokio::time::sleep(CLOCK_PAUSE) => {}
            }
        }
        self.clock.believe();
        let reloaded = (waiting.reload)(self.clock.now());
        self.kernel = reloaded.map_err(|error| Ended::StoreFailed(error.to_string()))?;
        tracing::info!("the clock is trusted");
        Ok(())
    }

    /// Waits a moment for the deliveries on their way, so that those that arrive are not sent again
    /// by the next server. Nothing new is started.
    async fn drain(mut self, inlets: &mut Inlets) -> Ended {
        (self.hands, self.stopping) = (Box::new(Idle), true);
        let patience = tokio::time::sleep(DRAIN_PATIENCE);
        tokio::pin!(patience);
        while self.delivering > 0 {
            let completion = tokio::select! {
                () = &mut patience => break,
                Some(completion) = inlets.completions.recv() => completion,
            };
            if let Err(ended) = self.take_batch(vec![completion], inlets).await {
                return ended;
            }
        }
        Ended::Stopped
    }

    /// One batch: the inputs at hand and what else is waiting, as whole steps of one atom.
    async fn take_batch(
        &mut self,
        first: Vec<Completion>,
        inlets: &mut Inlets,
    ) -> Result<(), Ended> {
        let began = std::time::Instant::now();
        let (mut batch, mut effects) = (Batch::default(), Vec::new());
        let mut taken = first.len();
        for completion in first {
            self.step(completion, &mut batch, &mut effects);
        }
        while taken < BATCH_MAX && began.elapsed() < BATCH_TIME_MAX {
            let completion = match inlets.completions.try_recv() {
                Ok(completion) => Some(completion),
                Err(_) => match inlets.requests.try_recv() {
                    Ok(request) => self.admit(request),
                    Err(_) => break,
                },
            };
            taken += 1;
            if let Some(completion) = completion {
                self.step(completion, &mut batch, &mut effects);
            }
        }
        if !batch.records.is_empty() {
            self.append(&batch, &mut inlets.stop).await?;
        }
        drop(batch);
        self.shares.clear();
        for effect in effects {
            self.act(effect);
        }
        for look in std::mem::take(&mut self.looks) {
            let began = std::time::Instant::now();
            look(&self.kernel);
            self.pulse.held(began.elapsed());
        }
        self.sweep();
        self.pulse.beat(&self.kernel, self.clock.now());
        Ok(())
    }

    fn step(&mut self, completion: Completion, batch: &mut Batch, effects: &mut Vec<Effect>) {
        if matches!(completion.input, Input::Done { done: Done::Delivered(_), .. }) {
            self.delivering = self.delivering.saturating_sub(1);
        }
        self.shares.extend(completion.share);
        let began = std::time::Instant::now();
        let output = self.kernel.step(self.clock.now(), completion.input);
        self.pulse.held(began.elapsed());
        if !completion.blobs.is_empty() {
            let named = output.records.iter().flat_map(store::named_blobs).collect::<Vec<_>>();
            batch.blobs.extend(completion.blobs.into_iter().filter(|(id, _)| named.contains(id)));
        }
        batch.records.extend(output.records);
        effects.extend(output.effects);
    }

    /// A request of a person: a look after this batch, or an input whose answer comes as an effect.
    fn admit(&mut self, request: Request) -> Option<Completion> {
        match request {
            Request::Look(look) => {
                self.looks.push(look);
                None
            }
            Request::Ask { actor, command, reply } => {
                self.next_request += 1;
                let request = RequestId(self.next_request);
                self.replies.insert(request, reply);
                tracing::debug!(%actor, "a command");
                Some(Input::Command { request, actor, command: *command }.into())
            }
        }
    }

    /// Durable, or tried again with a growing pause; effects and answers wait meanwhile.
    async fn append(
        &mut self,
        batch: &Batch,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<(), Ended> {
        let began = std::time::Instant::now();
        let mut pause = Duration::from_millis(50);
        loop {
            let error = match self.store.append(batch) {
                Ok(()) => {
                    self.halt.set(None);
                    return Ok(());
                }
                Err(error) => error,
            };
            self.halt.set(Some(&error.to_string()));
            if began.elapsed() >= self.patience || *stop.borrow() {
                return Err(Ended::StoreFailed(error.to_string()));
            }
            tracing::warn!(%error, again_in = ?pause, "the store did not take a batch");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }

    fn act(&mut self, effect: Effect) {
        match effect {
            Effect::Answer { request, answer } => {
                if let Some(reply) = self.replies.remove(&request) {
                    // The client may have hung up; the request is done all the same.
                    let _ = reply.send(answer);
                }
            }
            Effect::Prune(prune) => match self.store.prune(&prune) {
                Ok(dropped) => self.sweeping |= dropped > 0,
                Err(error) => tracing::warn!(%error, ?prune, "pruning failed"),
            },
            // The next server starts it.
            Effect::Start(_) if self.stopping => {}
            Effect::Start(task) => {
                self.delivering += usize::from(matches!(task, Task::Deliver(_)));
                self.hands.start(task);
            }
            Effect::Announce(announcement) => self.hands.announce(announcement),
        }
    }

    /// A few unnamed blobs at a time, so that no batch waits long.
    fn sweep(&mut self) {
        if self.sweeping {
            self.sweeping = match self.store.sweep(100) {
                Ok(swept) => swept == 100,
                Err(error) => {
                    tracing::warn!(%error, "sweeping failed");
                    false
                }
            };
        }
    }
}

async fn sleep_until(deadline: Option<Instant>, now: Instant) {
    match deadline {
        Some(at) => {
            let millis = u64::try_from((at - now).as_millis()).unwrap_or(0);
            tokio::time::sleep(Duration::from_millis(millis).min(SLEEP_MAX)).await;
        }
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod pacing;

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::OwnerId;
    use kernel::io::{Actor, ApplyMode, Command};
    use kernel::{Occasion, Purpose};
    use sentinel::Parsed;
    use store::{MemoryStore, Reader};

    #[test]
    fn a_view_shows_only_what_is_durable() {
        let store = MemoryStore::new([7; 16]);
        let reader: Arc<dyn Reader> = store.reader();
        let clock = Arc::new(Clock::start());
        let snapshot = reader.snapshot().expect("an empty store");
        let kernel = Kernel::load(kernel::Config::new(1), snapshot, clock.now());
        let (requests, requests_in) = mpsc::channel(8);
        let (completions, completions_in) = mpsc::channel(8);
        let (stop, stopped) = watch::channel(false);
        let (reply, _answer) = oneshot::channel();
        let text = "create sentinel s using https://a.example/ monitor links";
        let (owner, purpose) = (OwnerId::FIRST, Purpose::Apply);
        let occasion = Occasion { owner, purpose, now: clock.now() };
        let text = kernel.vet(Parsed::of(text), occasion);
        let mode = ApplyMode::Create;
        let command = Box::new(Command::Apply { text: Box::new(text), mode });
        let engine = Engine::new(kernel, Box::new(store), clock, Box::new(Idle));
        let (tell, told) = oneshot::channel();
        let look: Look = Box::new(move |kernel| {
            let stored = reader.snapshot().expect("readable").sentinels.len();
            // The test waits for it.
            let _ = tell.send((kernel.sizes().0, stored));
            let _ = stop.send(true);
        });
        let requested = requests.try_send(Request::Ask { actor: Actor::SYSTEM, command, reply });
        assert!(requested.is_ok() && requests.try_send(Request::Look(look)).is_ok());
        let inlets = Inlets {
            completions: completions_in,
            requests: requests_in,
            stop: stopped,
            _open: completions,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
        assert_eq!(runtime.block_on(engine.run(inlets)), Ended::Stopped);
        assert_eq!(told.blocking_recv(), Ok((1, 1)));
    }

    /// How long an engine takes to stop with `delivering` under way, of which one comes back after
    /// each pause.
    async fn stopping(delivering: usize, pauses: &[Duration]) -> Duration {
        let store = MemoryStore::new([7; 16]);
        let clock = Arc::new(Clock::start());
        let snapshot = store.reader().snapshot().expect("an empty store");
        let kernel = Kernel::load(kernel::Config::new(1), snapshot, clock.now());
        let mut engine = Engine::new(kernel, Box::new(store), clock, Box::new(Idle));
        engine.delivering = delivering;
        let (completions, completions_in) = mpsc::channel(8);
        let (_requests, requests) = mpsc::channel(8);
        let (_stop, stop) = watch::channel(true);
        let (open, pauses) = (completions.clone(), pauses.to_vec());
        tokio::spawn(async move {
            for (number, pause) in (1..).zip(pauses) {
                tokio::time::sleep(pause).await;
                let delivered = Done::Delivered(outbox::DeliveryResult::Delivered);
                let input = Input::Done {
                    ticket: kernel::io::Ticket { epoch: 1, number },
                    done: delivered,
                };
                // The engine may have stopped.
                let _ = completions.send(input.into()).await;
            }
        });
        let began = tokio::time::Instant::now();
        let mut inlets = Inlets { completions: completions_in, requests, stop, _open: open };
        assert_eq!(engine.drain(&mut inlets).await, Ended::Stopped);
        began.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_stops_with_its_last_delivery_and_has_patience_for_none_that_hangs() {
        let (second, late) = (Duration::from_secs(1), Duration::from_secs(60));
        assert_eq!(stopping(0, &[]).await, Duration::ZERO);
        let both = stopping(2, &[second, second]).await;
        assert!((second * 2..second * 3).contains(&both), "{both:?}");
        let hangs = stopping(2, &[second, late]).await;
        assert!((DRAIN_PATIENCE..DRAIN_PATIENCE + second).contains(&hangs), "{hangs:?}");
    }
}
