//! What people ask for.

use crate::record::RaiseKey;
use crate::{ChannelBook, Vetted};
use address::Contact;
use chronon::{Instant, NotificationId, OwnerId, SourceId, Span};
use std::fmt;

/// Who asks. What is asked is done for one owner, and touches nothing of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    pub owner: OwnerId,
    pub by: By,
}

impl Actor {
    /// The server itself, for its first owner.
    pub const SYSTEM: Actor = Actor { owner: OwnerId::FIRST, by: By::System };
}

/// What somebody who asks is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The process asks on its own.
    System,
    /// The token of the data directory.
    Root,
    Token(u64),
    Session(u64),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by ", self.owner)?;
        match self.by {
            By::System => f.write_str("the server"),
            By::Root => f.write_str("the data directory's token"),
            By::Token(id) => write!(f, "token {id}"),
            By::Session(id) => write!(f, "session {id}"),
        }
    }
}

/// What a person asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// The statements of a file, all or none, checked where nobody waits. A large file takes
    /// several steps; whoever changes names meanwhile waits for its end. After a crash between them
    /// the next start goes to its end; nobody is answered.
    Apply {
        text: Box<Vetted>,
        mode: ApplyMode,
    },
    Remove {
        name: Box<str>,
    },
    /// Removes it in ten minutes. Until then it goes on and tells nothing, and
    /// [`Command::TakeBack`] brings it back with all that it found.
    Discard {
        name: Box<str>,
    },
    TakeBack {
        name: Box<str>,
    },
    /// What it finds until then is told then, as one digest per channel; `None`: now.
    Snooze {
        name: Box<str>,
        until: Option<Instant>,
    },
    /// Another name for the same sentinel, which goes on.
    Rename {
        name: Box<str>,
        to: Box<str>,
    },
    Enable {
        name: Box<str>,
        enabled: bool,
    },
    /// An event happens that rules listen to. Under a key that was used for it lately nothing
    /// happens again, and the answer is the same.
    Raise {
        name: Box<str>,
        key: Option<RaiseKey>,
    },
    /// A probe now.
    ProbeNow {
        source: SourceId,
    },
    /// Whether something quiet of a source is told all the same.
    Quiet {
        source: SourceId,
        key: change::Key,
        is_loud: bool,
    },
    /// A person wants to see a page that nobody watches: may its host be asked now? `Done` if so;
    /// then [`Command::GlanceOver`] says when that is over. Else `Later`.
    Glance {
        /// The name that politeness counts by: `air.example`, `air.example:8443`.
        host: Box<str>,
    },
    /// The request that [`Command::Glance`] allowed is over.
    GlanceOver {
        host: Box<str>,
        /// The host asked to be left alone (429, 503), for as long as it said, if it said.
        hold: Option<Option<Span>>,
    },
    /// `row` is what the store holds: rows that are done with are not in the kernel's memory.
    ReadNotification {
        notification: NotificationId,
        row: Option<Box<outbox::Row>>,
    },
    ResendNotification {
        notification: NotificationId,
        row: Option<Box<outbox::Row>>,
    },
    TestChannel {
        name: Box<str>,
        contact: Option<Contact>,
    },
    /// These are the channels from now on, in the place of those that the configuration said. They
    /// are kept elsewhere: whoever starts the kernel again says them again.
    KnowChannels(Box<ChannelBook>),
}

/// What an `Apply` may do with names that exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyMode {
    /// POST: a name that exists is a conflict.
    Create,
    /// PUT: exactly one of them, with this name.
    Put { name: Box<str>, what: Defined },
    /// `tidings apply`: create or replace.
    Upsert,
}

/// What a text defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defined {
    Sentinel,
    Rule,
}
