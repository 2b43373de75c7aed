//! What the keeper has in memory: every token and session, by the hash of its secret.

use super::{By, Life, NOTED_EVERY, SESSION_IDLE_MAX, SESSION_LIFE_MAX};
use chronon::Instant;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use store::{Access, FeedRow, SessionRow, StoreError, TokenRow, Upgrade};
use tokio::sync::watch;

type Hash = [u8; 32];

pub(super) struct Book {
    pub(super) tokens: BTreeMap<Hash, Held<TokenRow>>,
    pub(super) sessions: BTreeMap<Hash, Held<SessionRow>>,
    /// Until when each is good.
    pub(super) links: BTreeMap<Hash, Instant>,
    /// By id.
    pub(super) feeds: BTreeMap<u64, FeedRow>,
    /// The sentinels whose `any change` is weighed since the upgrade, until that is dismissed.
    pub(super) upgraded: Option<u32>,
    next_token: u64,
    next_session: u64,
}

/// A row, and what changes too often to be stored each time.
pub(super) struct Held<R> {
    pub(super) row: R,
    /// Milliseconds since the epoch; `i64::MIN`: never.
    used_at: AtomicI64,
    noted_at: AtomicI64,
    /// Listeners hear when it is dropped.
    life: watch::Sender<()>,
}

impl<R> Held<R> {
    fn new(row: R, used_at: Option<Instant>) -> Held<R> {
        let millis = used_at.map_or(i64::MIN, Instant::as_millis);
        let (used_at, noted_at) = (AtomicI64::new(millis), AtomicI64::new(millis));
        Held { row, used_at, noted_at, life: watch::Sender::new(()) }
    }

    pub(super) fn used_at(&self) -> Option<Instant> {
        let millis = self.used_at.load(Ordering::Relaxed);
        (millis != i64::MIN).then(|| Instant::from_millis(millis))
    }

    /// Remembers a use; whether it is time to store it. A clock that went back counts as time.
    pub(super) fn use_is_to_be_noted(&self, now: Instant) -> bool {
        let now = now.as_millis();
        self.used_at.store(now, Ordering::Relaxed);
        let noted = self.noted_at.load(Ordering::Relaxed);
        let due = now.abs_diff(noted) >= NOTED_EVERY.as_millis().unsigned_abs();
        // One of several requests at the same moment stores it.
        let (set, seen) = (Ordering::Relaxed, Ordering::Relaxed);
        due && self.noted_at.compare_exchange(noted, now, set, seen).is_ok()
    }

    fn listen(&self) -> Life {
        self.life.subscribe()
    }
}

impl Held<SessionRow> {
    pub(super) fn is_live(&self, now: Instant) -> bool {
        let used_at = self.used_at().unwrap_or(self.row.used_at);
        now < (used_at + SESSION_IDLE_MAX).min(self.row.opened_at + SESSION_LIFE_MAX)
    }
}

impl Book {
    /// What the store has of this lineage; the rest is removed from it.
    pub(super) fn load(access: &dyn Access, lineage: &Hash) -> Result<Book, StoreError> {
        let mut book = Book {
            tokens: BTreeMap::new(),
            sessions: BTreeMap::new(),
            links: BTreeMap::new(),
            feeds: BTreeMap::new(),
            upgraded: match access.upgrade()? {
                Some(Upgrade::Told { sentinels }) => Some(sentinels),
                Some(Upgrade::Untold) | None => None,
            },
            next_token: 1,
            next_session: 1,
        };
        for row in access.tokens()? {
            if row.lineage == *lineage {
                book.hold_token(row);
            } else {
                access.remove_token(row.id)?;
            }
        }
        for row in access.sessions()? {
            let token_is_there = row.token.is_none_or(|token| book.token(token).is_some());
            if row.lineage == *lineage && token_is_there {
                book.hold_session(row);
            } else {
                access.remove_session(row.id)?;
            }
        }
        for row in access.feeds()? {
            if row.token.is_none_or(|token| book.token(token).is_some()) {
                book.feeds.insert(row.id, row);
            } else {
                access.remove_feed(row.id)?;
            }
        }
        Ok(book)
    }

    pub(super) fn token_id(&mut self) -> u64 {
        self.next_token += 1;
        self.next_token - 1
    }

    pub(super) fn session_id(&mut self) -> u64 {
        self.next_session += 1;
        self.next_session - 1
    }

    pub(super) fn hold_token(&mut self, row: TokenRow) {
        self.next_token = self.next_token.max(row.id + 1);
        self.tokens.insert(row.hash, Held::new(row.clone(), row.used_at));
    }

    pub(super) fn hold_session(&mut self, row: SessionRow) {
        self.next_session = self.next_session.max(row.id + 1);
        self.sessions.insert(row.hash, Held::new(row.clone(), Some(row.used_at)));
    }

    pub(super) fn session(&self, id: u64) -> Option<&Held<SessionRow>> {
        self.sessions.values().find(|held| held.row.id == id)
    }

    pub(super) fn token(&self, id: u64) -> Option<&Held<TokenRow>> {
        self.tokens.values().find(|held| held.row.id == id)
    }

    /// The token that somebody came in with, `None` within if it is the data directory's; `None` if
    /// it was revoked in between.
    pub(super) fn token_of(&self, by: By) -> Option<Option<u64>> {
        match by {
            By::Root => Some(None),
            By::Token(id) => self.token(id).map(|held| Some(held.row.id)),
            By::Session(id) => self.session(id).map(|held| held.row.token),
        }
    }

    pub(super) fn is_live(&self, by: By, now: Instant) -> bool {
        match by {
            By::Root => true,
            By::Token(id) => self.token(id).is_some(),
            By::Session(id) => self.session(id).is_some_and(|held| held.is_live(now)),
        }
    }

    /// `None`: it is gone, or has no end.
    pub(super) fn life_of(&self, by: By) -> Option<Life> {
        match by {
            By::Root => None,
            By::Token(id) => self.token(id).map(Held::listen),
            By::Session(id) => self.session(id).map(Held::listen),
        }
    }
}
