//! Channels, as the API shows them.

use super::Time;
use address::Contact;
use chronon::Instant;
use kernel::Kernel;
use outbox::ChannelRow;
use serde::Serialize;
use utoipa::ToSchema;

/// A way to reach somebody.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Channel {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) contact: Option<String>,
    /// Why it takes no more; null if it does.
    pub(crate) disabled: Option<String>,
    /// Until when it hears nothing: quiet hours, or the pause between two messages; else null.
    pub(crate) waits_until: Option<Time>,
    /// Why nothing can be sent by it as things are; null if it can.
    pub(crate) trouble: Option<String>,
    /// Since when it takes nothing; null if it does.
    pub(crate) failing_since: Option<Time>,
    /// How the last try failed; null if it did not, or that is not known any more.
    pub(crate) failing_why: Option<String>,
}

impl Channel {
    /// `email me@example.org`, `ops`.
    pub(crate) fn words(&self) -> String {
        let contact = self.contact.iter().map(String::as_str);
        std::iter::once(&*self.name).chain(contact).collect::<Vec<_>>().join(" ")
    }

    /// A channel as a kernel has it.
    pub(crate) fn of(kernel: &Kernel, row: &ChannelRow, now: Instant) -> Channel {
        Channel {
            waits_until: kernel.channel_waits(row.id, now).map(Time),
            trouble: kernel.channel_trouble(row.id).map(str::to_owned),
            failing_since: row.course.failing.map(|failing| Time(failing.since)),
            failing_why: (row.course.failing)
                .and_then(|_| kernel.channel_failure(row.id))
                .map(str::to_owned),
            id: row.id.0,
            name: row.name.to_string(),
            contact: row.contact.as_ref().map(Contact::to_string),
            disabled: row.disabled.as_deref().map(str::to_owned),
        }
    }
}

/// A channel with a name of its own, without its secrets.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct NamedChannel {
    pub(crate) name: String,
    /// Where it is from: `configuration`, to be changed there, or `made`, here.
    from: &'static str,
    /// As under `[channels.NAME]`, with `…` in the place of what is secret.
    #[schema(value_type = Object)]
    settings: serde_json::Map<String, serde_json::Value>,
    /// When it was made or last changed, its secrets included; null: it is the configuration's.
    changed_at: Option<Time>,
    /// Why it cannot be used, and what to do; null if it can.
    trouble: Option<String>,
}

impl NamedChannel {
    pub(crate) fn of(one: crate::roster::NamedChannel) -> NamedChannel {
        let crate::roster::NamedChannel { name, settings, is_made, changed_at, trouble } = one;
        let from = if is_made { "made" } else { "configuration" };
        NamedChannel { name, from, settings, changed_at: changed_at.map(Time), trouble }
    }
}
