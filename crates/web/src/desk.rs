//! The seam to the engine: the thread that owns the kernel takes [`Request`]s, and nothing else of
//! it is reachable from here.

use crate::compilers::{Compilers, TEXTS_MAX};
use crate::live::Live;

use kernel::io::{Answer, ApplyMode, RequestId};
use kernel::{Input, Kernel};
use sentinel::Patterns;
use std::sync::Arc;
use store::{Reader, StoreError};
use tokio::sync::{mpsc, oneshot};

/// What the engine is asked.
pub enum Request {
    /// Hand the kernel the input that `make` builds for a fresh id; send `reply` the
    /// `Effect::Answer` of that id once its batch is durable.
    Ask { make: Box<dyn FnOnce(RequestId) -> Input + Send>, reply: oneshot::Sender<Answer> },
    /// Let somebody look at the kernel between two batches. What is run is short and blocks never.
    Look(Box<dyn FnOnce(&Kernel) + Send>),
}

/// The engine has stopped, or did not answer because it is stopping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server is stopping; try again when it runs")]
pub struct Closed;

/// Why a text got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    #[error(transparent)]
    Closed(#[from] Closed),
    #[error(
        "{TEXTS_MAX} other texts with regular expressions are being checked; \
         try again in a minute"
    )]
    Busy,
}

/// Where handlers ask the engine and read the store.
#[derive(Clone)]
pub struct Desk {
    requests: mpsc::Sender<Request>,
    reader: Arc<dyn Reader>,
    live: Arc<Live>,
    compilers: Compilers,
}

impl Desk {
    /// A desk whose engine takes from the other end of `requests`, appends to the store of
    /// `reader`, and publishes its announcements to `live`.
    pub fn new(requests: mpsc::Sender<Request>, reader: Arc<dyn Reader>, live: Arc<Live>) -> Desk {
        Desk { requests, reader, live, compilers: Compilers::default() }
    }

    /// The regular expressions of a sentinel text, compiled away from the engine's thread: all
    /// that takes long in checking it.
    pub async fn patterns(&self, text: &str) -> Result<Patterns, Unanswered> {
        self.compilers.compile(text).await
    }

    /// Hands the kernel a text to apply and waits for its durable answer.
    pub async fn apply(&self, text: &str, mode: ApplyMode) -> Result<Answer, Unanswered> {
        let (patterns, text) = (self.patterns(text).await?, text.into());
        Ok(self.ask(move |request| Input::Apply { request, text, patterns, mode }).await?)
    }

    /// Hands the kernel an input and waits for its durable answer.
    pub async fn ask(
        &self,
        make: impl FnOnce(RequestId) -> Input + Send + 'static,
    ) -> Result<Answer, Closed> {
        let (reply, answer) = oneshot::channel();
        let request = Request::Ask { make: Box::new(make), reply };
        self.requests.send(request).await.map_err(|_| Closed)?;
        answer.await.map_err(|_| Closed)
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
        self.requests.send(look).await.map_err(|_| Closed)?;
        answer.await.map_err(|_| Closed)
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
    use chronon::Instant;
    use store::Store;

    #[tokio::test]
    async fn the_engine_compiles_no_regular_expression_of_a_request() {
        let (requests, mut inlet) = mpsc::channel(1);
        let live = Arc::new(Live::new(Instant::EPOCH));
        let desk = Desk::new(requests, store::MemoryStore::new([7; 16]).reader(), live);
        let engine = async {
            let Some(Request::Ask { make, reply }) = inlet.recv().await else {
                panic!("nothing was asked")
            };
            let _ = reply.send(Answer::Done);
            make(RequestId(1))
        };
        let text = "create sentinel a using https://a.example monitor links matching \"[0-9]+\"";
        let (asked, answer) = tokio::join!(engine, desk.apply(text, ApplyMode::Create));
        assert_eq!(answer, Ok(Answer::Done));
        let Input::Apply { patterns, .. } = asked else { panic!("{asked:?}") };
        assert!(patterns.knows("[0-9]+"));
    }
}
