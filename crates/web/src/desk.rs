//! The seam to the engine: the thread that owns the kernel takes [`Request`]s, and nothing else of
//! it is reachable from here.

use crate::checkers::Checkers;
use crate::live::Live;

use chronon::{Instant, OwnerId};
use kernel::io::{Actor, Answer, Command};
use kernel::{Kernel, Occasion, Proposal, Purpose, Vetted};
use std::sync::Arc;
use std::time::Duration;
use store::{Reader, StoreError};
use tokio::sync::{mpsc, oneshot, watch};

/// How often a text is checked before it is given up because names keep changing.
const CHECKS_MAX: u32 = 5;
/// How long the engine may stand still before who only looks hears why.
const HALT_PATIENCE: Duration = Duration::from_secs(2);

/// What the engine is asked.
pub enum Request {
    /// Hand the kernel the actor's command under a fresh id; send `reply` the `Effect::Answer` of
    /// that id once its batch is durable.
    Ask { actor: Actor, command: Box<Command>, reply: oneshot::Sender<Answer> },
    /// Let somebody look at the kernel between two batches. What is run is short and blocks never.
    Look(Box<dyn FnOnce(&Kernel) + Send>),
}

/// Why the engine goes no further, while it does not, or when it has ended for that.
#[derive(Debug, Clone, Default)]
pub struct Halt(watch::Sender<Option<Arc<str>>>);

impl Halt {
    /// What keeps the engine, in a sentence; nothing: it goes on.
    pub fn set(&self, why: Option<&str>) {
        let why = why.map(Arc::from);
        self.0.send_if_modified(|known| std::mem::replace(known, why.clone()) != why);
    }

    fn why(&self) -> Option<Arc<str>> {
        self.0.borrow().clone()
    }

    /// Waits until it has lasted for [`HALT_PATIENCE`].
    async fn lasts(&self) -> Closed {
        let mut seen = self.0.subscribe();
        loop {
            // The sender is here: there will be a change, or none ever.
            let _ = seen.wait_for(Option::is_some).await;
            tokio::time::sleep(HALT_PATIENCE).await;
            if let Some(why) = self.why() {
                return Closed(Some(why));
            }
        }
    }
}

/// The engine has stopped, or did not answer because it is stopping or cannot go on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Closed(Option<Arc<str>>);

impl std::error::Error for Closed {}

impl std::fmt::Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            None => f.write_str("the server is stopping; try again when it runs"),
            Some(why) => write!(f, "the server cannot go on: {why}"),
        }
    }
}

/// Why a text got no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    #[error(transparent)]
    Closed(#[from] Closed),
    #[error("too many other texts are being checked; try again in a minute")]
    Busy,
    #[error("the check was cut off; the server's log says why")]
    CutOff,
}

/// Where handlers ask the engine and read the store.
#[derive(Clone)]
pub struct Desk {
    requests: mpsc::Sender<Request>,
    reader: Arc<dyn Reader>,
    live: Arc<Live>,
    checkers: Checkers,
    now: Arc<dyn Fn() -> Instant + Send + Sync>,
    halt: Halt,
}

impl Desk {
    /// A desk whose engine takes from the other end of `requests`, appends to the store of
    /// `reader`, publishes its announcements to `live`, and has its time from `now`.
    pub fn new(
        requests: mpsc::Sender<Request>,
        reader: Arc<dyn Reader>,
        live: Arc<Live>,
        now: Arc<dyn Fn() -> Instant + Send + Sync>,
    ) -> Desk {
        let (checkers, halt) = (Checkers::default(), Halt::default());
        Desk { requests, reader, live, checkers, now, halt }
    }

    /// Says why the engine goes no further, which says it there.
    pub fn with_halt(self, halt: Halt) -> Desk {
        Desk { halt, ..self }
    }

    fn closed(&self) -> Closed {
        Closed(self.halt.why())
    }

    /// Checks a sentinel text among the owner's names, away from the engine's thread.
    pub async fn vet(
        &self,
        owner: OwnerId,
        text: &Arc<str>,
        purpose: Purpose,
    ) -> Result<Vetted, Unanswered> {
        self.checkers.vet(self, text, Occasion { owner, purpose, now: (self.now)() }).await
    }

    /// Checks a text, hands the kernel the result, and waits for its durable answer. It is checked
    /// again if a name that it builds on has changed meanwhile.
    pub async fn apply(&self, proposal: Proposal<'_>) -> Result<Answer, Unanswered> {
        let Proposal { actor, text, mode } = proposal;
        let text = Arc::from(text);
        for _ in 0..CHECKS_MAX {
            let vetted = Box::new(self.vet(actor.owner, &text, Purpose::Apply).await?);
            let mode = mode.clone();
            match self.ask(actor, Command::Apply { text: vetted, mode }).await? {
                Answer::Outdated => {}
                other => return Ok(other),
            }
        }
        let sentence = "the sentinels that this text builds on keep changing; try again later";
        Ok(Answer::Unable(sentence.into()))
    }

    /// Hands the kernel a command and waits for its durable answer.
    pub async fn ask(&self, actor: Actor, command: Command) -> Result<Answer, Closed> {
        let (reply, answer) = oneshot::channel();
        let command = Box::new(command);
        let asked = self.requests.send(Request::Ask { actor, command, reply }).await;
        asked.map_err(|_| self.closed())?;
        answer.await.map_err(|_| self.closed())
    }

    /// Runs `f` on the engine's thread. Keep it short: nothing else happens meanwhile.
    pub async fn look<T: Send + 'static>(
        &self,
        f: impl FnOnce(&Kernel) -> T + Send + 'static,
    ) -> Result<T, Closed> {
        let (reply, answer) = oneshot::channel();
        let look = Request::Look(Box::new(move |kernel: &Kernel| {
            // Nobody waits any more if this fails; then nobody misses it.
            let _ = reply.send(f(kernel));
        }));
        let looked = async {
            self.requests.send(look).await.map_err(|_| self.closed())?;
            answer.await.map_err(|_| self.closed())
        };
        tokio::select! {
            biased;
            looked = looked => looked,
            closed = self.halt.lasts() => Err(closed),
        }
    }

    /// The store's reader. It blocks: call it inside `spawn_blocking`, or use [`Desk::read`].
    pub fn reader(&self) -> &dyn Reader {
        &*self.reader
    }

    /// Runs `f` with the reader on a thread that may block.
    pub async fn read<T: Send + 'static>(
        &self,
        f: impl FnOnce(&dyn Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let reader = Arc::clone(&self.reader);
        match tokio::task::spawn_blocking(move || f(&*reader)).await {
            Ok(result) => result,
            Err(error) => Err(StoreError::Failed(format!("reading was cut off: {error}"))),
        }
    }

    /// What is announced live.
    pub fn live(&self) -> &Arc<Live> {
        &self.live
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::io::{ApplyMode, RequestId};
    use kernel::{Config, Input, Snapshot};
    use store::Store;

    const NOW: Instant = Instant::from_millis(1_800_000_000_000);
    const CHILD: &str = "create sentinel child using parent monitor links";

    fn desk() -> (Desk, mpsc::Receiver<Request>) {
        let (requests, inlet) = mpsc::channel(1);
        let live = Arc::new(Live::new(Instant::EPOCH));
        let reader = store::MemoryStore::new([7; 16]).reader();
        (Desk::new(requests, reader, live, Arc::new(|| NOW)), inlet)
    }

    /// An engine that answers until nobody asks, and lets `meddle` change things between a check
    /// and its application.
    async fn engine(mut inlet: mpsc::Receiver<Request>, mut meddle: impl FnMut(&mut Kernel)) {
        let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), NOW);
        let parent = "create sentinel parent using https://a.example";
        let apply =
            kernel.application(NOW, RequestId(0), Proposal::of_system(parent, ApplyMode::Create));
        kernel.step(NOW, apply);
        while let Some(request) = inlet.recv().await {
            match request {
                Request::Look(look) => look(&kernel),
                Request::Ask { actor, command, reply } => {
                    meddle(&mut kernel);
                    let output = kernel.step(
                        NOW,
                        Input::Command { actor, request: RequestId(1), command: *command },
                    );
                    let answer = output.effects.into_iter().find_map(|effect| match effect {
                        kernel::Effect::Answer { answer, .. } => Some(answer),
                        _ => None,
                    });
                    let _ = reply.send(answer.expect("a small text takes one step"));
                }
            }
        }
    }

    #[tokio::test]
    async fn who_looks_hears_why_the_engine_stands_still() {
        let (desk, inlet) = desk();
        let halt = Halt::default();
        let desk = desk.with_halt(halt.clone());
        halt.set(Some("the disk is full"));
        let said = desk.look(|_| ()).await.expect_err("nobody answers").to_string();
        assert_eq!(said, "the server cannot go on: the disk is full");
        drop(inlet);
        let ended = desk.look(|_| ()).await.expect_err("it has ended").to_string();
        assert_eq!(ended, said);
        halt.set(None);
        let stops = desk.look(|_| ()).await.expect_err("it has ended").to_string();
        assert!(stops.contains("is stopping"), "{stops}");
    }

    #[tokio::test]
    async fn a_text_whose_parent_changes_meanwhile_is_checked_again() {
        let (desk, inlet) = desk();
        let mut changes = vec!["https://c.example", "https://b.example"];
        let meddle = move |kernel: &mut Kernel| {
            let Some(url) = changes.pop() else {
                return;
            };
            let text = format!("create sentinel parent using {url}");
            let apply = kernel.application(
                NOW,
                RequestId(0),
                Proposal::of_system(&text, ApplyMode::Upsert),
            );
            kernel.step(NOW, apply);
        };
        tokio::spawn(engine(inlet, meddle));
        let answer = desk.apply(Proposal::of_system(CHILD, ApplyMode::Create)).await;
        assert!(matches!(answer, Ok(Answer::Applied(_))), "{answer:?}");
        let text =
            desk.look(|kernel| kernel.standing(OwnerId::FIRST, "child").map(|one| one.text)).await;
        let text = text.expect("an engine").expect("a child");
        assert!(text.reveal().contains("https://c.example"), "{text:?}");
    }

    #[tokio::test]
    async fn a_text_whose_parent_never_keeps_still_is_given_up() {
        let (desk, inlet) = desk();
        let mut count = 0;
        let meddle = move |kernel: &mut Kernel| {
            count += 1;
            let text = format!("create sentinel parent using https://a.example/{count}");
            let apply = kernel.application(
                NOW,
                RequestId(0),
                Proposal::of_system(&text, ApplyMode::Upsert),
            );
            kernel.step(NOW, apply);
        };
        tokio::spawn(engine(inlet, meddle));
        let answer = desk.apply(Proposal::of_system(CHILD, ApplyMode::Create)).await;
        let Ok(Answer::Unable(said)) = answer else { panic!("{answer:?}") };
        assert!(said.contains("keep changing"), "{said}");
    }
}
