//! Who may come in: tokens and sessions, as hashes; who may read what, without coming in: feeds;
//! channels that people made; and what people are told of an upgrade. No part of what the kernel
//! knows.

use crate::StoreError;
use chronon::{Instant, SentinelId};

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// See everything, change nothing.
    Read,
    /// Change sentinels, notifications and channels, too.
    Write,
}

/// A token made with the one of the data directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Counts from 1.
    pub id: u64,
    /// BLAKE3 of the token, which is nowhere.
    pub hash: [u8; 32],
    /// A hash of the data directory's token it was made with: another one there ends it.
    pub lineage: [u8; 32],
    /// What its maker calls it; may be empty.
    pub name: Box<str>,
    pub scope: Scope,
    /// The holder knows of sentinels with this tag alone.
    pub tag: Option<Box<str>>,
    pub made_at: Instant,
    pub used_at: Option<Instant>,
}

/// A browser that is logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Counts from 1.
    pub id: u64,
    /// BLAKE3 of the cookie's value, which is nowhere.
    pub hash: [u8; 32],
    /// As in [`TokenRow::lineage`].
    pub lineage: [u8; 32],
    /// The [`TokenRow`] it was opened with; `None`: the data directory's, or a link made with it.
    pub token: Option<u64>,
    pub scope: Scope,
    pub opened_at: Instant,
    pub used_at: Instant,
    /// What the browser says it is, for its owner to know it by.
    pub agent: Box<str>,
    /// Where it logged in from, for the same.
    pub address: Box<str>,
}

/// A feed that is out, for whoever has its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRow {
    /// Counts from 1.
    pub id: u64,
    /// Drawn when it was made; with a key that is not in the store it gives the address.
    pub nonce: [u8; 16],
    pub of: FeedOf,
    pub made_at: Instant,
    /// The [`TokenRow`] it was made with, by a session or not; `None`: the data directory's.
    pub token: Option<u64>,
}

/// What a feed tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedOf {
    All,
    /// What sentinels with this tag tell.
    Tag(Box<str>),
    Sentinel(SentinelId),
}

/// A channel that was made on the dashboard or by the API. What it says is the shell's to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeChannel {
    /// In lower case.
    pub name: Box<str>,
    /// As in the table of kinds.
    pub kind: Box<str>,
    /// When it wants to be told, as JSON.
    pub manners: Box<str>,
    /// Whom it tells and with what, encrypted with a key that is not in the store.
    pub sealed: Box<[u8]>,
    pub changed_at: Instant,
}

/// What people are told of the upgrade from the first release, which did not weigh `any change`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upgrade {
    /// Nobody has been told.
    Untold,
    /// The log has said of how many sentinels it is true; the dashboard says it until somebody
    /// dismisses it.
    Told { sentinels: u32 },
}

/// Whose use is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Token(u64),
    Session(u64),
}

/// Tokens, sessions, feeds, made channels and the upgrade of a store: on any thread, beside the
/// batches of the one writer. What returned is durable.
pub trait Access: Send + Sync {
    /// All tokens, by id.
    fn tokens(&self) -> Result<Vec<TokenRow>, StoreError>;
    /// All sessions, by id.
    fn sessions(&self) -> Result<Vec<SessionRow>, StoreError>;
    /// Adds a token, or replaces the one of its id.
    fn put_token(&self, token: &TokenRow) -> Result<(), StoreError>;
    /// Adds a session, or replaces the one of its id.
    fn put_session(&self, session: &SessionRow) -> Result<(), StoreError>;
    /// Removes a token, and every session opened and feed made with it. One that is gone is no
    /// error.
    fn remove_token(&self, id: u64) -> Result<(), StoreError>;
    /// Removes a session. One that is gone is no error.
    fn remove_session(&self, id: u64) -> Result<(), StoreError>;
    /// All feeds, by id.
    fn feeds(&self) -> Result<Vec<FeedRow>, StoreError>;
    /// Adds a feed, or replaces the one of its id.
    fn put_feed(&self, feed: &FeedRow) -> Result<(), StoreError>;
    /// Removes a feed. One that is gone is no error.
    fn remove_feed(&self, id: u64) -> Result<(), StoreError>;
    /// All channels that were made, by name.
    fn made_channels(&self) -> Result<Vec<MadeChannel>, StoreError>;
    /// Adds a channel, or replaces the one of its name.
    fn put_made_channel(&self, channel: &MadeChannel) -> Result<(), StoreError>;
    /// Removes a channel that was made. One that is gone is no error.
    fn remove_made_channel(&self, name: &str) -> Result<(), StoreError>;
    /// What is left to tell of the upgrade; `None`: the first release did not write this store, or
    /// all is said.
    fn upgrade(&self) -> Result<Option<Upgrade>, StoreError>;
    /// Notes what is left to tell of the upgrade.
    fn put_upgrade(&self, upgrade: Option<Upgrade>) -> Result<(), StoreError>;
    /// Notes when a token or session was last used; nothing if it is gone.
    fn note_use(&self, holder: Holder, at: Instant) -> Result<(), StoreError>;
}
