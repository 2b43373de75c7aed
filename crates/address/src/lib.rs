//! Addresses: which of them a stranger's URL must not reach, what of them nobody must see, and by
//! which kinds of channels people are told.
//!
//! Comes in: an [`IpAddr`], the host of a URL, or a URL. Goes out: its [`Class`], whether an
//! [`AllowList`] lets it through, and what of it may be shown ([`SourceUrl`], [`Contact`]); how a
//! source is looked at is a [`Way`], and what a pasted address says of a channel is [`Pasted`].
//! The edges `fetch` and `deliver` call, each with its own rule, and `sentinel`, which refuses what
//! can be seen before anything is asked; an address is kept in one of the two types.
//! Promises: pure, no I/O; an address that carries an IPv4 address inside has that address's class;
//! nothing shows a secret that was not asked to reveal it.
//!
//! Start reading at [`class_of`]; the tables are the IANA special-purpose registries (RFC 6890 and
//! its successors) and the addresses at which clouds serve credentials.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

mod allow;
mod channel;
mod pasted;
mod receivers;
mod secret;
mod table;
mod way;

pub use allow::{AllowList, LOCALHOST, RefusedHost, is_localhost};
pub use channel::{ChannelKind, ChannelRow, ContactForm, Field, Form, MANNERS, TEMPLATE, Whom};
pub use pasted::Pasted;
pub use receivers::Receivers;
pub use secret::{Contact, SourceUrl, credentials_in, is_key, without_credentials};
pub use way::{Credentials, Method, Particulars, Rendering, Way};

/// Whether a text is a mail address.
pub fn is_mail(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let fine = |part: &str| {
        !part.is_empty()
            && !part.contains(|c: char| c.is_whitespace() || ",;()<>[]\"\\@/".contains(c))
    };
    let labels = domain.split('.').all(|label| !label.is_empty());
    fine(local) && fine(domain) && labels && text.chars().count() <= 254
}

/// Whom this instance may ask, and whom it may tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// `fetch.allow_addresses`.
    pub sources: AllowList,
    /// `deliver.allow_private`.
    pub receivers: Receivers,
}

/// The kind of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Reachable from the whole Internet.
    Public,
    /// `0.0.0.0/8`, `::`: on many systems another way to say loopback.
    Unspecified,
    /// This machine.
    Loopback,
    /// A network of one's own: RFC 1918, unique local and site-local IPv6.
    Private,
    /// Shared by a provider's customers (carrier-grade NAT, `100.64.0.0/10`).
    Shared,
    /// This cable: `169.254.0.0/16`, `fe80::/10`.
    LinkLocal,
    /// Where a cloud tells a machine its secrets.
    Metadata,
    /// For examples in documents.
    Documentation,
    /// For measuring devices in laboratories.
    Benchmarking,
    /// To many at once.
    Multicast,
    /// To all on this cable.
    Broadcast,
    /// Set aside, or not handed out by anybody.
    Reserved,
}

impl fmt::Display for Class {
    /// The word that completes "a … address".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Public => "public",
            Class::Unspecified => "unspecified",
            Class::Loopback => "loopback",
            Class::Private => "private",
            Class::Shared => "carrier-grade NAT",
            Class::LinkLocal => "link-local",
            Class::Metadata => "cloud metadata",
            Class::Documentation => "documentation",
            Class::Benchmarking => "benchmarking",
            Class::Multicast => "multicast",
            Class::Broadcast => "broadcast",
            Class::Reserved => "reserved",
        })
    }
}

/// The class of an address. Constant time: two tables of some forty rows.
pub fn class_of(address: IpAddr) -> Class {
    match address {
        IpAddr::V4(v4) => class_of_v4(v4),
        IpAddr::V6(v6) => class_of_v6(v6),
    }
}

fn class_of_v4(address: Ipv4Addr) -> Class {
    let bits = address.to_bits();
    table::V4
        .iter()
        .find(|(network, length, _)| same_prefix_32(bits, network.to_bits(), *length))
        .map_or(Class::Public, |&(_, _, class)| class)
}

fn class_of_v6(address: Ipv6Addr) -> Class {
    if let Some(v4) = embedded_v4(address) {
        return class_of_v4(v4);
    }
    let bits = address.to_bits();
    table::V6
        .iter()
        .find(|(network, length, _)| same_prefix_128(bits, network.to_bits(), *length))
        .map_or(Class::Public, |&(_, _, class)| class)
}

fn same_prefix_32(a: u32, b: u32, length: u32) -> bool {
    (a ^ b).checked_shr(32 - length).unwrap_or(0) == 0
}

fn same_prefix_128(a: u128, b: u128, length: u32) -> bool {
    (a ^ b).checked_shr(128 - length).unwrap_or(0) == 0
}

/// The IPv4 address a packet to `address` ends up at: IPv4-mapped (`::ffff:0:0/96`), 6to4
/// (`2002::/16`) and the well-known NAT64 prefix (`64:ff9b::/96`).
///
/// The deprecated IPv4-compatible form (`::a.b.c.d`), Teredo and locally chosen NAT64 prefixes
/// (`64:ff9b:1::/48`) are [`Class::Reserved`] as a whole and not looked into.
pub fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let join = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match segments {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            Some(join(high, low))
        }
        [0x2002, high, low, ..] => Some(join(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
