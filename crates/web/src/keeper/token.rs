//! Tokens made with the one of the data directory.

use super::{By, Keeper, TOKENS_MAX};
use crate::problem::Problem;
use chronon::Instant;
use store::{Scope, TokenRow};

/// Says in a leaked text what leaked.
const PREFIX: &str = "tidings_";

/// What a token is for.
pub(crate) struct May {
    pub(crate) scope: Scope,
    /// Sentinels with this tag alone.
    pub(crate) tag: Option<Box<str>>,
}

/// How far somebody sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reach {
    All,
    /// Sentinels with this tag alone.
    Tag(Box<str>),
    /// The token was revoked in between.
    Nothing,
}

impl From<Scope> for May {
    fn from(scope: Scope) -> May {
        May { scope, tag: None }
    }
}

impl Keeper {
    /// How far somebody sees who was recognised a moment ago.
    pub(crate) fn reach(&self, by: By) -> Reach {
        let By::Token(id) = by else { return Reach::All };
        match self.read().token(id) {
            Some(held) => held.row.tag.clone().map_or(Reach::All, Reach::Tag),
            None => Reach::Nothing,
        }
    }

    /// Makes a token; gives it with its row. The store has its hash only.
    pub(crate) async fn new_token(
        &self,
        name: String,
        may: May,
        now: Instant,
    ) -> Result<(String, TokenRow), Problem> {
        let token = format!("{PREFIX}{}", self.secret()?.0);
        let id = {
            let mut book = self.write();
            if book.tokens.len() >= TOKENS_MAX {
                let detail = format!("There are {TOKENS_MAX} tokens; revoke one first.");
                return Err(Problem::conflict(detail));
            }
            book.token_id()
        };
        let row = TokenRow {
            id,
            hash: *blake3::hash(token.as_bytes()).as_bytes(),
            lineage: self.lineage,
            name: name.into(),
            scope: may.scope,
            tag: may.tag,
            made_at: now,
            used_at: None,
        };
        let kept = row.clone();
        self.stored(move |access| access.put_token(&kept)).await?;
        self.write().hold_token(row.clone());
        Ok((token, row))
    }

    /// Ends a token, its sessions and their streams, and its feeds; whether there was one.
    pub(crate) async fn revoke_token(&self, id: u64) -> Result<bool, Problem> {
        let was = {
            let mut book = self.write();
            let was = book.token(id).is_some();
            book.tokens.retain(|_, held| held.row.id != id);
            book.sessions.retain(|_, held| held.row.token != Some(id));
            book.feeds.retain(|_, feed| feed.token != Some(id));
            was
        };
        self.stored(move |access| access.remove_token(id)).await?;
        Ok(was)
    }

    /// Every token, by id, with its last use.
    pub(crate) fn tokens(&self) -> Vec<TokenRow> {
        let book = self.read();
        let rows = book.tokens.values().map(|held| {
            let used_at = held.used_at();
            TokenRow { used_at, ..held.row.clone() }
        });
        let mut rows: Vec<TokenRow> = rows.collect();
        rows.sort_by_key(|row| row.id);
        rows
    }
}
