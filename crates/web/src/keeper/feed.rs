//! Feeds that are out. The address is the secret; the store has what it is made from, and a file
//! beside the store the key.

use super::{By, FEEDS_MAX, Keeper};
use crate::problem::Problem;
use axum::http::StatusCode;
use chronon::Instant;
use notice::LinkKey;
use store::{FeedOf, FeedRow};

/// Feeds have numbers of up to nine digits. They are drawn and not counted: who revokes one that is
/// gone already is not to hit another, also after a restart.
const NUMBERS: u32 = 999_999_999;

fn number(drawn: [u8; 4]) -> u64 {
    u64::from(u32::from_le_bytes(drawn) % NUMBERS + 1)
}

fn unlucky() -> Problem {
    Problem::conflict("The numbers drawn for the feed are taken; try again.")
}

impl Keeper {
    /// Makes a feed, which ends with the token that somebody is known by.
    pub(crate) async fn new_feed(
        &self,
        by: By,
        of: FeedOf,
        now: Instant,
    ) -> Result<FeedRow, Problem> {
        let drawn = (self.entropy)().ok_or_else(|| {
            let detail = "The machine gives no random bytes; nothing was made.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
        })?;
        let nonce = *drawn.first_chunk().expect("32 bytes begin with 16");
        let row = {
            // Held in the book before it is stored: two made at once have two numbers.
            let mut book = self.write();
            let token = book.token_of(by).ok_or_else(|| {
                let detail = "What you came in with was revoked; nothing was made.";
                Problem::new(StatusCode::UNAUTHORIZED, detail)
            })?;
            let feeds = &mut book.feeds;
            if feeds.len() >= FEEDS_MAX {
                let detail = format!("There are {FEEDS_MAX} feeds; revoke one first.");
                return Err(Problem::conflict(detail));
            }
            let numbers = drawn[16..].as_chunks().0.iter().map(|drawn| number(*drawn));
            let free = numbers.into_iter().find(|id| !feeds.contains_key(id));
            let id = free.ok_or_else(unlucky)?;
            let row = FeedRow { id, nonce, of, made_at: now, token };
            feeds.insert(id, row.clone());
            row
        };
        let kept = row.clone();
        let stored = self.stored(move |access| access.put_feed(&kept)).await;
        if stored.is_err() {
            self.write().feeds.remove(&row.id);
        }
        stored.map(|()| row)
    }

    /// Ends a feed: its address opens nothing from now on. Whether there was one.
    pub(crate) async fn revoke_feed(&self, id: u64) -> Result<bool, Problem> {
        // The store first: what it cannot remove still opens.
        self.stored(move |access| access.remove_feed(id)).await?;
        Ok(self.write().feeds.remove(&id).is_some())
    }

    /// The feed that this secret opens. O(feeds): two hashes for each.
    pub(crate) fn feed(&self, key: &LinkKey, secret: [u8; 16]) -> Option<FeedRow> {
        let book = self.read();
        // Hashes are compared in constant time.
        let secret = blake3::hash(&secret);
        let opens = |row: &&FeedRow| blake3::hash(&key.feed(row.nonce)) == secret;
        book.feeds.values().find(opens).cloned()
    }

    /// Every feed, by id.
    pub(crate) fn feeds(&self) -> Vec<FeedRow> {
        self.read().feeds.values().cloned().collect()
    }
}
