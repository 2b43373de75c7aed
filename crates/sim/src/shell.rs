//! The other shell: drives the kernel through virtual time, as the server's engine does through
//! real time: what is waiting becomes one batch, the batch becomes durable, then its effects start.
//!
//! A crash between any two lines loses effects and completions; messages that are under way and
//! what people want survive it.

mod work;

use crate::clocks::Clock;
use crate::disk::{Disk, Medium};
use crate::pace::{Luck, Pace, Wakes};
use crate::people::{Letter, People};
use crate::web::{End, Web};
use chronon::{Instant, OwnerId, SourceId, Span};
use jobs::Standing;
use kernel::io::{Actor, Answer, ApplyMode, Command, Computation, Effect, RequestId, Task, Ticket};
use kernel::record::RaiseKey;
use kernel::{Config, Input, Kernel, Proposal, Record};
use outbox::DeliveryResult;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use store::{Batch, Blob, Reader};

/// Batches at one instant, beyond which the loop is a busy one.
const BATCHES_AT_ONCE_MAX: u32 = 20_000;
/// How long an append is tried again before the process gives up.
const APPEND_PATIENCE: Span = Span::from_secs(30);

/// What a person wants of the server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wish {
    Apply {
        name: Box<str>,
        text: Box<str>,
    },
    Remove {
        name: Box<str>,
    },
    Enable {
        name: Box<str>,
        enabled: bool,
    },
    Snooze {
        name: Box<str>,
        until: Instant,
    },
    Discard {
        name: Box<str>,
    },
    TakeBack {
        name: Box<str>,
    },
    Rename {
        name: Box<str>,
        to: Box<str>,
    },
    Probe {
        url: Box<str>,
    },
    Test {
        channel: Box<str>,
        contact: Option<Box<str>>,
    },
    Budget {
        per_chronon: f64,
    },
    /// Whoever gets no answer asks again under the same key.
    Raise {
        name: Box<str>,
        key: Option<u64>,
    },
}

/// When the machine dies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Crash {
    /// At the first such moment from here on.
    pub(crate) at: Instant,
    pub(crate) point: Point,
    /// When it runs again; at once if this has passed.
    pub(crate) until: Instant,
    /// What its clock says then.
    pub(crate) clock: Clock,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    Now,
    /// The work is to be started, and is not.
    Before(Job),
    /// The work is started, and what came of it is lost.
    During(Job),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    Append,
    Probe,
    Compare,
    Compose,
    Deliver,
}

/// Something an observer may want to know, in order.
#[derive(Debug, Clone)]
pub(crate) enum Seen {
    Started,
    Crashed,
    /// A request to `asked` left, which was decided on at `at`, of a look at `url` that began at
    /// `start`.
    Probe {
        at: Instant,
        url: Box<str>,
        asked: Box<str>,
        start: Instant,
    },
    /// Steps that are durable now, all at `at`.
    Batch {
        at: Instant,
        steps: Vec<Step>,
    },
    /// A message arrived and was answered.
    Letter {
        letter: Letter,
        verdict: DeliveryResult,
        said: String,
    },
    Answered {
        wish: Wish,
        answer: Answer,
    },
}

/// One step of the kernel, and its records.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) cause: Cause,
    pub(crate) records: Vec<Record>,
}

/// What the kernel was told, as far as an observer cares.
#[derive(Debug, Clone)]
pub(crate) enum Cause {
    Started,
    Wish(Wish),
    /// `start` of the look as the kernel has it; `left` when the request to `asked` really went.
    Fetched {
        url: Box<str>,
        asked: Box<str>,
        start: Instant,
        left: Instant,
        end: End,
    },
    Other,
}

/// Something that will happen.
enum Due {
    Completion(Box<Completion>),
    Letter { letter: Letter, ticket: Ticket, life: u64 },
    Wish(Wish),
    Crash(Crash),
    Restart(Clock),
    Retry,
}

/// An input, and the bytes its records may name.
struct Completion {
    input: Told,
    blobs: Vec<Blob>,
    cause: Cause,
    /// What it was that is done now.
    work: Option<Work>,
}

/// What the kernel is told.
enum Told {
    Input(Box<Input>),
    /// A text to apply, which people check as fast as it is their turn.
    Text {
        request: RequestId,
        text: Box<str>,
    },
}

impl Told {
    fn command(request: RequestId, command: Command) -> Told {
        Input::Command { actor: Actor::SYSTEM, request, command }.into()
    }
}

impl From<Input> for Told {
    fn from(input: Input) -> Told {
        Told::Input(Box::new(input))
    }
}

impl Completion {
    fn of(input: impl Into<Told>, cause: Cause) -> Completion {
        let input = input.into();
        Completion { input, blobs: Vec::new(), cause, work: None }
    }
}

/// What counts against a limit while it is in flight.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    Probe { host: Box<str> },
    Compare,
    Deliver { to: Box<str> },
}

/// A batch that the store did not take yet.
struct Stuck {
    batch: Batch,
    effects: Vec<Effect>,
    since: Instant,
    pause: Span,
    /// It is durable, and only the answer was lost.
    is_written: bool,
}

pub(crate) struct Shell {
    pub(crate) config: Config,
    pub(crate) web: Web,
    pub(crate) people: People,
    pub(crate) pace: Pace,
    pub(crate) wakes: Wakes,
    /// Whether the kernel hears which outages are habits.
    pub(crate) tells_outages: bool,
    /// From … to: the disk takes nothing.
    pub(crate) disk_full: Vec<(Instant, Instant)>,
    store: Disk,
    kernel: Option<Kernel>,
    now: Instant,
    life: u64,
    /// Starts that waited for a right clock.
    pub(crate) clocks_doubted: u64,
    /// So far the machine's clock is ahead of the time.
    ahead: Span,
    queue: BTreeMap<(Instant, u64), Due>,
    number: u64,
    waiting: VecDeque<Completion>,
    armed: Vec<Crash>,
    /// Batches that became durable.
    pub(crate) batches: u64,
    /// The machine dies once that many are, and what should have followed is lost.
    pub(crate) dies_after: Option<u64>,
    wishes: BTreeMap<RequestId, Wish>,
    stuck: Option<Stuck>,
    /// The stuck batch's steps, if they are not durable yet.
    held_steps: Vec<Step>,
    seen: Vec<Seen>,
    batches_at_once: u32,
    in_flight: Vec<Work>,
    /// What the last look at a source showed, as long as the machine runs.
    standing: BTreeMap<SourceId, Standing>,
}

impl Shell {
    /// A machine with its store in memory that is switched on at `now`.
    pub(crate) fn new(config: Config, pace: Pace, now: Instant) -> Shell {
        let disk = Disk::new(Medium::Memory).expect("memory can always be had");
        Shell::with_disk(config, pace, now, disk)
    }

    /// A machine with this disk that is switched on at `now`.
    pub(crate) fn with_disk(config: Config, pace: Pace, now: Instant, disk: Disk) -> Shell {
        let mut shell = Shell {
            config,
            web: Web::default(),
            people: People::default(),
            pace,
            wakes: Wakes::on_time(),
            tells_outages: true,
            disk_full: Vec::new(),
            store: disk,
            kernel: None,
            now,
            life: 0,
            clocks_doubted: 0,
            ahead: Span::ZERO,
            queue: BTreeMap::new(),
            number: 0,
            waiting: VecDeque::new(),
            armed: Vec::new(),
            batches: 0,
            dies_after: None,
            wishes: BTreeMap::new(),
            stuck: None,
            held_steps: Vec::new(),
            seen: Vec::new(),
            batches_at_once: 0,
            in_flight: Vec::new(),
            standing: BTreeMap::new(),
        };
        shell.plan(now, Due::Restart(Clock::Right));
        shell
    }

    /// What is left where nothing more is simulated. `None`: the machine is down.
    pub(crate) fn into_parts(self) -> Option<(Kernel, Disk)> {
        Some((self.kernel?, self.store))
    }

    pub(crate) fn wish(&mut self, at: Instant, wish: Wish) {
        self.plan(at, Due::Wish(wish));
    }

    pub(crate) fn crash_at(&mut self, crash: Crash) {
        self.plan(crash.at, Due::Crash(crash));
    }

    pub(crate) fn now(&self) -> Instant {
        self.now
    }

    /// `None` while the machine is down.
    pub(crate) fn kernel(&self) -> Option<&Kernel> {
        self.kernel.as_ref()
    }

    /// No batch is waiting for the disk: what the kernel holds is what the store holds.
    pub(crate) fn is_durable(&self) -> bool {
        self.stuck.is_none()
    }

    pub(crate) fn reader(&self) -> Arc<dyn Reader> {
        self.store.reader()
    }

    pub(crate) fn take_seen(&mut self) -> Vec<Seen> {
        std::mem::take(&mut self.seen)
    }

    /// Does what is due next, at once or later; says no if that is after `end`.
    ///
    /// # Errors
    /// The kernel asks again and again at one instant, or a work cannot be done.
    pub(crate) fn advance(&mut self, end: Instant) -> Result<bool, String> {
        let deadline = match (&self.kernel, &self.stuck) {
            (Some(kernel), None) if self.waiting.is_empty() => {
                kernel.next_deadline().map(|at| at - self.ahead + self.wakes.next())
            }
            (Some(_), None) => Some(self.now),
            _ => None,
        };
        let queued = self.queue.first_key_value().map(|(&(at, _), _)| at);
        let Some(next) = deadline.into_iter().chain(queued).min() else { return Ok(false) };
        let next = next.max(self.now);
        if next > end {
            return Ok(false);
        }
        self.batches_at_once = if next > self.now { 0 } else { self.batches_at_once + 1 };
        if self.batches_at_once > BATCHES_AT_ONCE_MAX {
            return Err(format!("busy loop: the deadline {deadline:?} comes again and again"));
        }
        self.now = next;
        self.take_due()?;
        if self.kernel.is_some() && self.stuck.is_none() {
            self.batch()?;
        }
        Ok(true)
    }

    fn plan(&mut self, at: Instant, due: Due) {
        self.number += 1;
        self.queue.insert((at, self.number), due);
    }

    fn take_due(&mut self) -> Result<(), String> {
        while let Some(entry) = self.queue.first_entry() {
            if entry.key().0 > self.now {
                break;
            }
            match entry.remove() {
                Due::Completion(completion) => self.waiting.push_back(*completion),
                Due::Letter { letter, ticket, life } => self.receive(letter, ticket, life),
                Due::Wish(wish) => self.ask(wish),
                Due::Crash(crash) if crash.point == Point::Now => {
                    self.crash((crash.until, crash.clock))?;
                }
                Due::Crash(crash) => self.armed.push(crash),
                Due::Restart(clock) => self.start(clock)?,
                Due::Retry => self.retry()?,
            }
        }
        Ok(())
    }

    fn start(&mut self, clock: Clock) -> Result<(), String> {
        if self.kernel.is_some() {
            return Ok(());
        }
        let snapshot = self.reader().snapshot().map_err(|error| error.to_string())?;
        if let Some(time) = clock.waits(self.now, (&self.config, &snapshot))? {
            self.clocks_doubted += 1;
            self.plan(self.now + time, Due::Restart(Clock::Right));
            return Ok(());
        }
        self.life += 1;
        self.ahead = clock.ahead();
        let was_ahead = snapshot.meta.doubts(self.clock());
        let mut kernel = Kernel::load(self.config.clone(), snapshot, self.clock());
        let expected = |said: &String| was_ahead && crate::clocks::is_of_a_clock(said);
        if let Some(warning) = kernel.take_warnings().iter().find(|said| !expected(said)) {
            return Err(format!("a start warns: {warning}"));
        }
        self.kernel = Some(kernel);
        self.seen.push(Seen::Started);
        let asked = std::mem::take(&mut self.wishes);
        for wish in asked.into_values() {
            self.ask(wish);
        }
        let cause = Cause::Started;
        self.waiting.push_front(Completion::of(Input::Started, cause));
        Ok(())
    }

    /// It runs again at some time, with some clock.
    fn crash(&mut self, (until, clock): (Instant, Clock)) -> Result<(), String> {
        if self.kernel.take().is_none() {
            return Ok(());
        }
        self.seen.push(Seen::Crashed);
        (self.stuck, self.held_steps) = (None, Vec::new());
        self.waiting.clear();
        self.in_flight.clear();
        self.standing.clear();
        self.queue.retain(|_, due| !matches!(due, Due::Completion(_) | Due::Retry));
        self.store.crash().map_err(|error| error.to_string())?;
        let until = until.max(self.now);
        self.plan(until, Due::Restart(clock));
        Ok(())
    }

    /// A person asks; while the machine is down they wait, and ask again if it dies meanwhile.
    fn ask(&mut self, wish: Wish) {
        self.number += 1;
        let request = RequestId(self.number);
        let mut wish = wish;
        let told = match wish.clone() {
            Wish::Apply { text, .. } => Told::Text { request, text },
            Wish::Remove { name } => Told::command(request, Command::Remove { name }),
            Wish::Enable { name, enabled } => {
                Told::command(request, Command::Enable { name, enabled })
            }
            Wish::Snooze { name, until } => {
                let until = Some(until).filter(|&until| until > self.now);
                Told::command(request, Command::Snooze { name, until })
            }
            Wish::Discard { name } => Told::command(request, Command::Discard { name }),
            Wish::TakeBack { name } => Told::command(request, Command::TakeBack { name }),
            Wish::Rename { name, to } => Told::command(request, Command::Rename { name, to }),
            Wish::Test { channel, contact } => {
                let contact = contact.map(Into::into);
                Told::command(request, Command::TestChannel { name: channel, contact })
            }
            Wish::Raise { name, key } => {
                let first = key.unwrap_or(self.number);
                wish = Wish::Raise { name: name.clone(), key: Some(first) };
                let key = Some(RaiseKey(u128::from(first).to_be_bytes()));
                Told::command(request, Command::Raise { name, key })
            }
            Wish::Budget { per_chronon } => {
                self.config.schedule.budget = per_chronon;
                Input::BudgetSet { per_chronon }.into()
            }
            Wish::Probe { url } => {
                let known = self
                    .kernel
                    .as_ref()
                    .and_then(|kernel| kernel.source_by_url(OwnerId::FIRST, &url));
                let source = known.unwrap_or(chronon::SourceId(u32::MAX));
                Told::command(request, Command::ProbeNow { source })
            }
        };
        self.wishes.insert(request, wish.clone());
        if self.kernel.is_some() {
            let cause = Cause::Wish(wish);
            self.waiting.push_back(Completion::of(told, cause));
        }
    }

    /// What the machine's clock says.
    fn clock(&self) -> Instant {
        self.now + self.ahead
    }

    fn batch(&mut self) -> Result<(), String> {
        let clock = self.clock();
        let kernel = self.kernel.as_mut().expect("the caller looked");
        if self.waiting.is_empty() && kernel.next_deadline().is_some_and(|at| at <= clock) {
            let cause = Cause::Other;
            self.waiting.push_back(Completion::of(Input::Tick, cause));
        }
        if self.waiting.is_empty() {
            return Ok(());
        }
        let taken = self.pace.batch(self.waiting.len());
        let (mut batch, mut effects, mut steps) = (Batch::default(), Vec::new(), Vec::new());
        for completion in self.waiting.drain(..taken) {
            let done =
                self.in_flight.iter().position(|work| Some(work) == completion.work.as_ref());
            done.map(|at| self.in_flight.swap_remove(at));
            let input = match completion.input {
                Told::Input(input) => *input,
                Told::Text { request, text } => kernel.application(
                    clock,
                    request,
                    Proposal::of_system(&text, ApplyMode::Upsert),
                ),
            };
            let output = kernel.step(clock, input);
            batch.blobs.extend(completion.blobs);
            batch.records.extend(output.records.iter().cloned());
            effects.extend(output.effects);
            steps.push(Step { cause: completion.cause, records: output.records });
        }
        if !batch.records.is_empty() && self.crashes(Point::Before(Job::Append))? {
            return Ok(());
        }
        let (since, pause, is_written) = (self.now, Span::from_millis(50), false);
        self.append(Stuck { batch, effects, since, pause, is_written }, steps)
    }

    /// The first try. `steps` are seen when they are durable, not when the store says so.
    fn append(&mut self, mut stuck: Stuck, steps: Vec<Step>) -> Result<(), String> {
        let full = |&(from, to): &(Instant, Instant)| from <= self.now && self.now < to;
        let luck = match (stuck.batch.records.is_empty(), self.disk_full.iter().any(full)) {
            (true, _) => Luck::Well,
            (_, true) => Luck::Lost,
            (_, false) => self.pace.append(self.now),
        };
        let written = if stuck.batch.records.is_empty() {
            Ok(())
        } else {
            self.store.append(&stuck.batch, luck)
        };
        if luck == Luck::Lost {
            // Nothing became durable: the same steps are seen when a later try succeeds.
            return self.hold(stuck, steps);
        }
        if !std::mem::replace(&mut stuck.is_written, true) {
            self.seen.push(Seen::Batch { at: stuck.since + self.ahead, steps });
        }
        match (written, luck) {
            (Ok(()), _) => self.durable(stuck),
            (Err(_), Luck::Unanswered) => self.hold(stuck, Vec::new()),
            (Err(error), _) => Err(format!("the store refuses a batch: {error}")),
        }
    }

    fn hold(&mut self, stuck: Stuck, steps: Vec<Step>) -> Result<(), String> {
        let at = self.now + stuck.pause;
        self.stuck = Some(stuck);
        self.held_steps = steps;
        self.plan(at, Due::Retry);
        Ok(())
    }

    /// Another try of the batch that the store did not take.
    fn retry(&mut self) -> Result<(), String> {
        let Some(mut stuck) = self.stuck.take() else { return Ok(()) };
        if self.now - stuck.since >= APPEND_PATIENCE {
            return self.crash((self.now + Span::SECOND, Clock::Right));
        }
        stuck.pause = stuck.pause.times(2).min(Span::from_secs(5));
        let steps = std::mem::take(&mut self.held_steps);
        self.append(stuck, steps)
    }

    fn durable(&mut self, stuck: Stuck) -> Result<(), String> {
        let Stuck { batch, effects, since, .. } = stuck;
        self.batches += u64::from(!batch.records.is_empty());
        if self.dies_after.take_if(|last| *last == self.batches).is_some() {
            return self.crash((self.now, Clock::Right));
        }
        if !batch.records.is_empty() && self.crashes(Point::During(Job::Append))? {
            return Ok(());
        }
        for effect in &effects {
            if let Some(job) = job_of(effect)
                && self.crashes(Point::Before(job))?
            {
                return Ok(());
            }
        }
        for effect in effects {
            let job = job_of(&effect);
            self.begin(effect, since + self.ahead)?;
            if let Some(job) = job
                && self.crashes(Point::During(job))?
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The machine dies here if a case wants it to.
    fn crashes(&mut self, point: Point) -> Result<bool, String> {
        let Some(at) = self.armed.iter().position(|crash| crash.point == point) else {
            return Ok(false);
        };
        let crash = self.armed.remove(at);
        self.crash((crash.until, crash.clock))?;
        Ok(true)
    }
}

fn job_of(effect: &Effect) -> Option<Job> {
    let Effect::Start(task) = effect else { return None };
    match task {
        Task::Probe(_) => Some(Job::Probe),
        Task::Deliver(_) => Some(Job::Deliver),
        Task::Compute(Computation::Compare { .. }) => Some(Job::Compare),
        Task::Compute(Computation::Compose { .. }) => Some(Job::Compose),
        Task::Compute(
            Computation::Reextract { .. }
            | Computation::Look { .. }
            | Computation::Judge { .. }
            | Computation::LoadDue { .. },
        ) => None,
    }
}
