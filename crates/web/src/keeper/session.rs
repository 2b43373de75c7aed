//! Sessions: opened with a token or a link, ended by their owner, by another one, or by time.

use super::{
    By, Keeper, Known, Reach, Right, SESSION_IDLE_MAX, SESSION_LIFE_MAX, SESSIONS_MAX,
    SESSIONS_OF_TOKEN_MAX,
};
use crate::problem::Problem;
use axum::http::{HeaderMap, StatusCode};
use chronon::Instant;
use store::{Scope, SessionRow};

/// Characters kept of what a browser says it is.
const AGENT_CHARS_MAX: usize = 200;

/// Who logs in, for the list of sessions.
pub(crate) struct Newcomer {
    pub(crate) agent: String,
    pub(crate) address: String,
}

/// When a session ends if nobody uses it.
pub(crate) fn end_of_session(row: &SessionRow) -> Instant {
    (row.used_at + SESSION_IDLE_MAX).min(row.opened_at + SESSION_LIFE_MAX)
}

/// What a session is opened with.
struct Entrance {
    scope: Scope,
    token: Option<u64>,
}

impl Keeper {
    /// Opens a session for the holder of this token; gives the cookie's value. `None`: no such
    /// token.
    pub(crate) async fn log_in_by_token(
        &self,
        token: &str,
        newcomer: Newcomer,
        now: Instant,
    ) -> Result<Option<String>, Problem> {
        let Some(known) = self.by_token(token, now) else { return Ok(None) };
        if self.reach(known.by) != Reach::All {
            let detail = "This token is for one tag; the dashboard shows more.";
            return Err(Problem::new(StatusCode::FORBIDDEN, detail));
        }
        self.open_session(Entrance::of(known), newcomer, now).await.map(Some)
    }

    /// Opens a session for the holder of this link, and uses it up; gives the cookie's value.
    pub(crate) async fn log_in_by_link(
        &self,
        key: &str,
        newcomer: Newcomer,
        now: Instant,
    ) -> Result<Option<String>, Problem> {
        let Some(claim) = self.claim_link(key, now) else { return Ok(None) };
        let entrance = Entrance { scope: Scope::Write, token: None };
        let secret = self.open_session(entrance, newcomer, now).await?;
        claim.burn();
        Ok(Some(secret))
    }

    async fn open_session(
        &self,
        entrance: Entrance,
        newcomer: Newcomer,
        now: Instant,
    ) -> Result<String, Problem> {
        let (secret, hash) = self.secret()?;
        let (id, over) = {
            let mut book = self.write();
            (book.session_id(), book.sessions_over(entrance.token, now))
        };
        for id in over {
            self.end_session(id).await?;
        }
        let row = SessionRow {
            id,
            hash,
            lineage: self.lineage,
            token: entrance.token,
            scope: entrance.scope,
            opened_at: now,
            used_at: now,
            agent: newcomer.agent.chars().take(AGENT_CHARS_MAX).collect(),
            address: newcomer.address.into(),
        };
        // Known before it is stored: whoever hangs up meanwhile leaves a session that is listed,
        // counted and ended like others.
        {
            let mut book = self.write();
            if row.token.is_none_or(|token| book.token(token).is_some()) {
                book.hold_session(row.clone());
            }
        }
        if let Err(problem) = self.stored(move |access| access.put_session(&row)).await {
            self.write().sessions.remove(&hash);
            return Err(problem);
        }
        // The token may have been revoked meanwhile, or somebody ended it.
        let is_over = self.read().session(id).is_none();
        if is_over {
            self.end_session(id).await?;
        }
        Ok(secret)
    }

    /// Ends a session and its streams; whether there was one.
    pub(crate) async fn end_session(&self, id: u64) -> Result<bool, Problem> {
        let was = {
            let mut book = self.write();
            let was = book.session(id).is_some();
            book.sessions.retain(|_, held| held.row.id != id);
            was
        };
        self.stored(move |access| access.remove_session(id)).await?;
        Ok(was)
    }

    /// Ends the session that a request came with, if any.
    pub(crate) async fn log_out(&self, headers: &HeaderMap, now: Instant) -> Result<(), Problem> {
        while let Some(Known { by: By::Session(id), .. }) = self.by_cookies(headers, now) {
            self.end_session(id).await?;
        }
        Ok(())
    }

    /// Sessions that are not over, by id, with their last use.
    pub(crate) fn sessions(&self, now: Instant) -> Vec<SessionRow> {
        let book = self.read();
        let live = book.sessions.values().filter(|held| held.is_live(now));
        let rows = live.map(|held| {
            let used_at = held.used_at().unwrap_or(held.row.used_at);
            SessionRow { used_at, ..held.row.clone() }
        });
        let mut rows: Vec<SessionRow> = rows.collect();
        rows.sort_by_key(|row| row.id);
        rows
    }
}

impl super::book::Book {
    /// Sessions whose time is over, and one that makes room for the next, opened with `token`.
    fn sessions_over(&self, token: Option<u64>, now: Instant) -> Vec<u64> {
        let over = self.sessions.values().filter(|held| !held.is_live(now));
        let mut over: Vec<u64> = over.map(|held| held.row.id).collect();
        let is_full = self.sessions.len() - over.len() >= SESSIONS_MAX;
        let of_token = |row: &SessionRow| token.is_some() && row.token == token;
        let live = || self.sessions.values().filter(|held| held.is_live(now));
        let many = live().filter(|held| of_token(&held.row)).count() >= SESSIONS_OF_TOKEN_MAX;
        // The holder of a given token ends sessions of its giver only as a last resort.
        let rank = |row: &SessionRow| match token {
            Some(_) if of_token(row) => 0,
            Some(_) => 1 + u8::from(row.token.is_none()),
            None => 0,
        };
        if is_full || many {
            let first = live().min_by_key(|held| (rank(&held.row), held.used_at()));
            over.extend(first.map(|held| held.row.id));
        }
        over
    }
}

impl Entrance {
    fn of(known: Known) -> Entrance {
        let scope = match known.right {
            Right::Read => Scope::Read,
            Right::Write | Right::All => Scope::Write,
        };
        let token = match known.by {
            By::Token(id) => Some(id),
            By::Root | By::Session(_) => None,
        };
        Entrance { scope, token }
    }
}
