//! Which addresses may be asked: the public ones, and those that a person lets through.

use crate::{Class, class_of, embedded_v4};
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use url::Host;

/// This machine, under both of its addresses.
pub const LOCALHOST: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// The ends of names that lead to hosts of one's own network: RFC 6762, ICANN's choice of 2024,
/// RFC 8375.
const HOME_NAMES: [&str; 3] = ["local", "internal", "home.arpa"];

/// The networks that a person lets through although they are not public.
///
/// A wide network does not open what is link-local or a metadata address: `0.0.0.0/0` was written
/// to mean "my networks", hardly "my credentials". They need a network inside `169.254.0.0/16` or
/// `fe80::/10`, or the metadata address by itself (`/32`, `/128`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowList(Arc<[IpNet]>);

/// Why the host of a URL is refused before anybody asks for its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusedHost {
    /// It is written as this address.
    Address(IpAddr, Class),
    /// It is a name of this machine.
    ThisMachine,
    /// It is a name of one's own network, and no network of one's own is let through.
    Home,
}

impl AllowList {
    /// Lets through what is public, and these networks.
    pub fn new(networks: &[IpNet]) -> AllowList {
        AllowList(networks.into())
    }

    /// Whether this address may be connected to. Linear in the number of networks.
    ///
    /// # Errors
    ///
    /// The class for which it is refused.
    pub fn check(&self, address: IpAddr) -> Result<(), Class> {
        let class = class_of(address);
        let inner = match address {
            IpAddr::V6(v6) => embedded_v4(v6).map(IpAddr::V4),
            IpAddr::V4(_) => None,
        };
        let listed = |network: &IpNet| {
            let hit = [Some(address), inner].into_iter().flatten().any(|a| network.contains(&a));
            hit && names_class(network, class)
        };
        if class == Class::Public || self.0.iter().any(listed) { Ok(()) } else { Err(class) }
    }

    /// Whether this host may be asked, as far as can be told without resolving its name.
    ///
    /// # Errors
    ///
    /// [`RefusedHost`] for literal addresses, in whatever spelling the URL had them, for names of
    /// this machine, and for names that only a network of one's own has.
    pub fn check_host(&self, host: &Host<&str>) -> Result<(), RefusedHost> {
        let literal =
            |address| self.check(address).map_err(|class| RefusedHost::Address(address, class));
        match host {
            Host::Ipv4(v4) => literal(IpAddr::V4(*v4)),
            Host::Ipv6(v6) => literal(IpAddr::V6(*v6)),
            Host::Domain(name) if is_localhost(name) => {
                let passes = LOCALHOST.iter().any(|address| self.check(*address).is_ok());
                if passes { Ok(()) } else { Err(RefusedHost::ThisMachine) }
            }
            Host::Domain(name) if is_home(name) && !self.opens_home() => Err(RefusedHost::Home),
            Host::Domain(_) => Ok(()),
        }
    }

    /// Whether any network is let through in which hosts of one's own could be.
    fn opens_home(&self) -> bool {
        let class = |network: &IpNet| class_of(network.network());
        self.0.iter().any(|network| !matches!(class(network), Class::Public | Class::Loopback))
    }
}

/// Whether a network that contains an address of `class` was written with that class in mind.
fn names_class(network: &IpNet, class: Class) -> bool {
    match class {
        Class::Metadata => network.prefix_len() == network.max_prefix_len(),
        Class::LinkLocal => class_of(network.network()) == class,
        _ => true,
    }
}

/// Whether a name is this machine's, whatever a name server says: `localhost` and names that end
/// in `.localhost` (RFC 6761).
pub fn is_localhost(name: &str) -> bool {
    ends_in(name, "localhost")
}

fn is_home(name: &str) -> bool {
    HOME_NAMES.iter().any(|end| ends_in(name, end))
}

/// Whether `name` is `end` or a name under it, without case, with or without a final dot.
fn ends_in(name: &str, end: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    fn refused(url: &str, allowed: &[&str]) -> Option<RefusedHost> {
        let networks: Vec<IpNet> = allowed.iter().map(|net| net.parse().unwrap()).collect();
        let url = Url::parse(url).unwrap();
        AllowList::new(&networks).check_host(&url.host().unwrap()).err()
    }

    #[test]
    fn a_literal_address_is_refused_however_it_is_spelled() {
        for url in ["http://127.0.0.1/", "http://0x7f.1/", "http://2130706433/", "http://127.1./"] {
            let here = RefusedHost::Address([127, 0, 0, 1].into(), Class::Loopback);
            assert_eq!(refused(url, &[]), Some(here), "{url}");
            assert_eq!(refused(url, &["127.0.0.1/32"]), None, "{url}");
        }
        let mapped = refused("http://[::ffff:10.0.0.1]/", &[]);
        assert!(matches!(mapped, Some(RefusedHost::Address(_, Class::Private))), "{mapped:?}");
        assert_eq!(refused("http://[::ffff:10.0.0.1]/", &["10.0.0.0/8"]), None);
        assert_eq!(refused("http://8.8.8.8/", &[]), None);
    }

    #[test]
    fn names_of_this_machine_pass_with_either_of_its_addresses() {
        for url in ["http://localhost/", "http://LOCALHOST./", "http://shop.localhost:8080/"] {
            assert_eq!(refused(url, &[]), Some(RefusedHost::ThisMachine), "{url}");
            assert_eq!(refused(url, &["10.0.0.0/8"]), Some(RefusedHost::ThisMachine), "{url}");
            assert_eq!(refused(url, &["127.0.0.0/8"]), None, "{url}");
            assert_eq!(refused(url, &["::1/128"]), None, "{url}");
        }
        assert_eq!(refused("http://notlocalhost/", &[]), None);
    }

    #[test]
    fn names_of_a_home_network_pass_once_a_network_of_ones_own_is_let_through() {
        for url in ["http://nas.local/", "http://Db.Internal./", "http://tv.home.arpa/"] {
            assert_eq!(refused(url, &[]), Some(RefusedHost::Home), "{url}");
            assert_eq!(refused(url, &["127.0.0.0/8"]), Some(RefusedHost::Home), "{url}");
            assert_eq!(refused(url, &["192.168.0.0/16"]), None, "{url}");
        }
        for url in ["http://local.example/", "http://internal.example/", "http://mylocal/"] {
            assert_eq!(refused(url, &[]), None, "{url}");
        }
    }
}
