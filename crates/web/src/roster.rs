//! The seam to whoever keeps the named channels: those of the configuration, and those that are
//! made here.

use chronon::Instant;
use kernel::io::Actor;
use serde_json::{Map, Value};
use std::future::Future;
use std::pin::Pin;

/// Knows every named channel, and makes some.
pub trait Roster: Send + Sync {
    /// Every named channel, by name. It may read a file: call it where that may be.
    fn all(&self) -> Vec<NamedChannel>;
    /// What a channel with this template would tell of a notification with this body, in full.
    ///
    /// # Errors
    /// What is wrong with the template.
    fn preview(&self, template: &str, body: &[u8]) -> Result<String, String>;
    /// Makes or changes a channel; whether there was none. It is durable, and works, on return.
    fn put(&self, actor: Actor, wish: ChannelWish) -> Change<bool>;
    /// Removes a channel that was made.
    fn remove(&self, actor: Actor, name: String) -> Change<()>;
}

/// A change under way.
pub type Change<T> = Pin<Box<dyn Future<Output = Result<T, Refused>> + Send>>;

/// A channel as it may be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedChannel {
    pub name: String,
    /// As under `[channels.NAME]`, with `…` in the place of what is secret.
    pub settings: Map<String, Value>,
    /// Here, and not in the configuration.
    pub is_made: bool,
    /// When it was made or last changed; `None`: it is the configuration's.
    pub changed_at: Option<Instant>,
    /// Why it cannot be used, and what to do.
    pub trouble: Option<String>,
}

/// A channel that somebody wants.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelWish {
    pub name: String,
    /// As under `[channels.NAME]`; what is written as it is shown stays as it is.
    pub settings: Map<String, Value>,
    /// There is to be none of this name yet.
    pub is_new: bool,
}

/// Why a channel was not changed; each is a sentence or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// What is wrong with the wish, and what to write.
    Wrong(String),
    /// It does not go with what is there.
    Unable(String),
    /// There is no such channel.
    Unknown,
    /// It could not be stored.
    Failed(String),
}
