//! Who may come in: the token of the data directory, tokens made with it, sessions of browsers, and
//! links that log in once; and what they are told there of an upgrade.
//!
//! Everything is checked in memory: nobody waits for a disk to be known. What is made or ended is
//! in the store before it is answered; a use is noted there once an hour.

mod book;
mod feed;
mod link;
mod session;
#[cfg(test)]
mod tests;
mod token;
mod upgrade;

use crate::problem::Problem;
use axum::http::HeaderMap;
use axum::http::header;
use book::{Book, Held};
use chronon::{Instant, OwnerId, Span};
use kernel::io::{self, Actor};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;
use store::{Access, Holder, Scope, StoreError};
use tokio::sync::watch;

pub(crate) use session::{Newcomer, end_of_session};
pub(crate) use token::{May, Reach};

/// How long a session lasts without being used.
pub(crate) const SESSION_IDLE_MAX: Span = Span::from_secs(30 * 86_400);
/// How long a session lasts in all.
pub(crate) const SESSION_LIFE_MAX: Span = Span::from_secs(90 * 86_400);
/// How long a link that logs in is good for.
pub(crate) const LINK_LASTS: Span = Span::from_secs(600);
/// Sessions at once: one more ends the one that was used longest ago, and one opened with a token
/// ends one of the tokens'.
pub(crate) const SESSIONS_MAX: usize = 1_000;
/// Sessions at once that were opened with the same token: one more ends the one of them that was
/// used longest ago. The data directory's token may have them all.
pub(crate) const SESSIONS_OF_TOKEN_MAX: usize = 50;
/// Tokens at once; another one is refused.
pub(crate) const TOKENS_MAX: usize = 1_000;
/// Feeds at once; another one is refused.
pub(crate) const FEEDS_MAX: usize = 1_000;
/// Links at once: one more ends the oldest.
const LINKS_MAX: usize = 100;
/// Uses of one token or session are noted in the store this often, at most.
const NOTED_EVERY: Span = Span::from_secs(3_600);
/// No secret of ours is longer.
const SECRET_CHARS_MAX: usize = 256;

/// 32 bytes that nobody can guess; `None` if the machine has none.
pub type Entropy = Arc<dyn Fn() -> Option<[u8; 32]> + Send + Sync>;

/// Knows who may come in.
pub struct Keeper {
    /// `None` if the token is empty: then nobody is let in by one.
    root: Option<blake3::Hash>,
    lineage: [u8; 32],
    cookie: String,
    access: Arc<dyn Access>,
    entropy: Entropy,
    book: RwLock<Book>,
}

/// Somebody who may come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) right: Right,
    pub(crate) by: By,
}

impl Known {
    /// As whom the kernel is asked.
    pub(crate) fn actor(self) -> Actor {
        let by = match self.by {
            By::Root => io::By::Root,
            By::Token(id) => io::By::Token(id),
            By::Session(id) => io::By::Session(id),
        };
        Actor { owner: OwnerId::FIRST, by }
    }
}

/// What somebody may do; each may do what is before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Right {
    Read,
    Write,
    /// Make and end tokens, sessions and links, and see secrets.
    All,
}

/// What somebody is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The token of the data directory.
    Root,
    Token(u64),
    Session(u64),
}

impl From<Scope> for Right {
    fn from(scope: Scope) -> Right {
        match scope {
            Scope::Read => Right::Read,
            Scope::Write => Right::Write,
        }
    }
}

impl Keeper {
    /// A keeper of the token of a data directory, who knows the tokens and sessions in its store.
    /// What was made with another token is removed. An empty token authorises nobody.
    ///
    /// # Errors
    /// What the store says.
    pub fn open(
        access: Arc<dyn Access>,
        token: &str,
        entropy: Entropy,
    ) -> Result<Keeper, StoreError> {
        let lineage = blake3::derive_key("tidings 2026 lineage of tokens", token.as_bytes());
        // Cookies know no ports: the name keeps two servers on one machine apart.
        let name = blake3::derive_key("tidings 2026 session cookie name", token.as_bytes());
        let name = blake3::Hash::from_bytes(name).to_hex();
        let book = Book::load(&*access, &lineage)?;
        Ok(Keeper {
            root: (!token.is_empty()).then(|| blake3::hash(token.as_bytes())),
            lineage,
            cookie: format!("tidings_{}", &name[..8]),
            access,
            entropy,
            book: RwLock::new(book),
        })
    }

    /// Who sends a request with these headers, if it is somebody. Costs a hash and a look into a
    /// map. A wrong bearer token is nobody, whatever cookie comes with it.
    pub(crate) fn recognise(&self, headers: &HeaderMap, now: Instant) -> Option<Known> {
        match bearer(headers) {
            Some(token) => self.by_token(token, now),
            None => self.by_cookies(headers, now),
        }
    }

    /// Who has this token.
    pub(crate) fn by_token(&self, given: &str, now: Instant) -> Option<Known> {
        let hash = hash_of(given)?;
        // Hashes are compared in constant time.
        if self.root? == hash {
            return Some(Known { right: Right::All, by: By::Root });
        }
        let book = self.read();
        let held = book.tokens.get(hash.as_bytes())?;
        self.note(held, Holder::Token(held.row.id), now);
        Some(Known { right: held.row.scope.into(), by: By::Token(held.row.id) })
    }

    fn by_cookies(&self, headers: &HeaderMap, now: Instant) -> Option<Known> {
        self.root?;
        let book = self.read();
        let held = crate::cookie::values(&self.cookie, headers)
            .filter_map(hash_of)
            .filter_map(|hash| book.sessions.get(hash.as_bytes()))
            .find(|held| held.is_live(now))?;
        self.note(held, Holder::Session(held.row.id), now);
        Some(Known { right: held.row.scope.into(), by: By::Session(held.row.id) })
    }

    /// Ends when the token or session `by` is no longer valid: at once if somebody ends it,
    /// within `every` if its time is over by the clock `now`.
    pub(crate) fn end_of(
        self: &Arc<Self>,
        by: By,
        now: Arc<dyn Fn() -> Instant + Send + Sync>,
        every: Duration,
    ) -> impl Future<Output = ()> + use<> {
        let life = self.read().life_of(by);
        let keeper = Arc::clone(self);
        async move {
            let Some(mut life) = life else {
                // The data directory's token ends with the server.
                return match by {
                    By::Root => std::future::pending().await,
                    By::Token(_) | By::Session(_) => (),
                };
            };
            while keeper.read().is_live(by, now()) {
                tokio::select! {
                    _ = life.changed() => return,
                    () = tokio::time::sleep(every) => {}
                }
            }
        }
    }

    /// Remembers a use, and notes it in the store now and then.
    fn note<R>(&self, held: &Held<R>, holder: Holder, now: Instant) {
        if !held.use_is_to_be_noted(now) {
            return;
        }
        let access = Arc::clone(&self.access);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = access.note_use(holder, now) {
                tracing::warn!(%error, "the use of a token or session could not be noted");
            }
        });
    }

    /// A new secret and its hash.
    fn secret(&self) -> Result<(String, [u8; 32]), Problem> {
        let bytes = (self.entropy)().ok_or_else(|| {
            let detail = "The machine gives no random bytes; nothing was made.";
            Problem::new(axum::http::StatusCode::SERVICE_UNAVAILABLE, detail)
        })?;
        let secret = blake3::Hash::from_bytes(bytes).to_hex().to_string();
        let hash = *blake3::hash(secret.as_bytes()).as_bytes();
        Ok((secret, hash))
    }

    /// Runs `work` on a thread that may block.
    async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Access) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let access = Arc::clone(&self.access);
        let done = tokio::task::spawn_blocking(move || work(&*access)).await;
        let done = done.unwrap_or_else(|error| Err(StoreError::Failed(error.to_string())));
        done.map_err(|error| {
            tracing::error!(%error, "what the keeper knows could not be stored");
            let detail = format!("This could not be stored: {error}.");
            Problem::new(axum::http::StatusCode::SERVICE_UNAVAILABLE, detail)
        })
    }

    pub(crate) fn cookie_name(&self) -> &str {
        &self.cookie
    }

    fn read(&self) -> RwLockReadGuard<'_, Book> {
        // The book is whole after every statement that can panic.
        self.book.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Book> {
        self.book.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bearer token of a request; other schemes are a proxy's business.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn hash_of(secret: &str) -> Option<blake3::Hash> {
    let usual = !secret.is_empty() && secret.len() <= SECRET_CHARS_MAX;
    usual.then(|| blake3::hash(secret.as_bytes()))
}

/// Ends with what it was taken from.
type Life = watch::Receiver<()>;
