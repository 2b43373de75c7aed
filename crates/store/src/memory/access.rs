//! Tokens, sessions, feeds, made channels and the upgrade without a disk.

use super::Disk;
use crate::StoreError;
use crate::access::{Access, FeedRow, Holder, MadeChannel, SessionRow, TokenRow, Upgrade};
use chronon::Instant;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// All of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Entrants {
    tokens: BTreeMap<u64, TokenRow>,
    sessions: BTreeMap<u64, SessionRow>,
    feeds: BTreeMap<u64, FeedRow>,
    channels: BTreeMap<Box<str>, MadeChannel>,
    upgrade: Option<Upgrade>,
}

pub(super) struct MemoryAccess {
    pub(super) disk: Arc<RwLock<Disk>>,
}

impl MemoryAccess {
    fn write(&self, write: impl FnOnce(&mut Entrants)) -> Result<(), StoreError> {
        write(&mut self.disk.write().unwrap_or_else(PoisonError::into_inner).entrants);
        Ok(())
    }

    fn read<T>(&self, read: impl FnOnce(&Entrants) -> T) -> Result<T, StoreError> {
        Ok(read(&self.disk.read().unwrap_or_else(PoisonError::into_inner).entrants))
    }
}

impl Access for MemoryAccess {
    fn tokens(&self) -> Result<Vec<TokenRow>, StoreError> {
        self.read(|entrants| entrants.tokens.values().cloned().collect())
    }

    fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        self.read(|entrants| entrants.sessions.values().cloned().collect())
    }

    fn put_token(&self, token: &TokenRow) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.tokens.insert(token.id, token.clone());
        })
    }

    fn put_session(&self, session: &SessionRow) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.sessions.insert(session.id, session.clone());
        })
    }

    fn remove_token(&self, id: u64) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.tokens.remove(&id);
            entrants.sessions.retain(|_, session| session.token != Some(id));
            entrants.feeds.retain(|_, feed| feed.token != Some(id));
        })
    }

    fn remove_session(&self, id: u64) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.sessions.remove(&id);
        })
    }

    fn feeds(&self) -> Result<Vec<FeedRow>, StoreError> {
        self.read(|entrants| entrants.feeds.values().cloned().collect())
    }

    fn put_feed(&self, feed: &FeedRow) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.feeds.insert(feed.id, feed.clone());
        })
    }

    fn remove_feed(&self, id: u64) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.feeds.remove(&id);
        })
    }

    fn made_channels(&self) -> Result<Vec<MadeChannel>, StoreError> {
        self.read(|entrants| entrants.channels.values().cloned().collect())
    }

    fn put_made_channel(&self, channel: &MadeChannel) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.channels.insert(channel.name.clone(), channel.clone());
        })
    }

    fn remove_made_channel(&self, name: &str) -> Result<(), StoreError> {
        self.write(|entrants| {
            entrants.channels.remove(name);
        })
    }

    fn upgrade(&self) -> Result<Option<Upgrade>, StoreError> {
        self.read(|entrants| entrants.upgrade)
    }

    fn put_upgrade(&self, upgrade: Option<Upgrade>) -> Result<(), StoreError> {
        self.write(|entrants| entrants.upgrade = upgrade)
    }

    fn note_use(&self, holder: Holder, at: Instant) -> Result<(), StoreError> {
        self.write(|entrants| match holder {
            Holder::Token(id) => {
                if let Some(token) = entrants.tokens.get_mut(&id) {
                    token.used_at = Some(at);
                }
            }
            Holder::Session(id) => {
                if let Some(session) = entrants.sessions.get_mut(&id) {
                    session.used_at = at;
                }
            }
        })
    }
}
