//! Which addresses notifications may be sent to.

use crate::{Class, LOCALHOST, class_of, is_localhost};
use std::net::IpAddr;
use url::Host;

/// Whom notifications may reach. People's receivers live at home, so private addresses pass unless
/// somebody says otherwise; link-local and metadata addresses never do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Receivers {
    /// Those on the Internet.
    Public,
    /// Those, and the ones at home and on this machine.
    #[default]
    PublicAndPrivate,
}

impl Receivers {
    /// Whether this address may be told anything.
    ///
    /// # Errors
    ///
    /// The class for which it is refused.
    pub fn check(self, address: IpAddr) -> Result<(), Class> {
        match class_of(address) {
            Class::Public => Ok(()),
            class if self == Receivers::PublicAndPrivate && Receivers::can_open(class) => Ok(()),
            class => Err(class),
        }
    }

    /// Whether this host may be told anything, as far as can be told without resolving its name.
    ///
    /// # Errors
    ///
    /// The class for which it is refused.
    pub fn check_host(self, host: &Host<&str>) -> Result<(), Class> {
        match host {
            Host::Ipv4(v4) => self.check(IpAddr::V4(*v4)),
            Host::Ipv6(v6) => self.check(IpAddr::V6(*v6)),
            Host::Domain(name) if is_localhost(name) => self.check(LOCALHOST[0]),
            Host::Domain(_) => Ok(()),
        }
    }

    /// Whether [`Receivers::PublicAndPrivate`] lets this class through.
    pub fn can_open(class: Class) -> bool {
        !matches!(
            class,
            Class::LinkLocal
                | Class::Metadata
                | Class::Unspecified
                | Class::Multicast
                | Class::Broadcast
        )
    }
}
