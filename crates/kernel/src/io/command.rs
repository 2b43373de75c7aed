//! What people ask for.

use crate::Vetted;
use address::Contact;
use chronon::{NotificationId, SourceId};

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
    Enable {
        name: Box<str>,
        enabled: bool,
    },
    /// A probe now.
    ProbeNow {
        source: SourceId,
    },
    /// `row` is what the store holds: rows that are done with are not in the kernel's memory.
    ReadNotification {
        notification: NotificationId,
        row: Option<outbox::Row>,
    },
    ResendNotification {
        notification: NotificationId,
        row: Option<outbox::Row>,
    },
    TestChannel {
        name: Box<str>,
        contact: Option<Contact>,
    },
}

/// What an `Apply` may do with names that exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyMode {
    /// POST: a name that exists is a conflict.
    Create,
    /// PUT: exactly one sentinel, with this name.
    Put { name: Box<str> },
    /// `tidings apply`: create or replace.
    Upsert,
}
