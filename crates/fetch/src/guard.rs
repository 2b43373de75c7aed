//! The address guard: whom a stranger's URL must not make us talk to.
//!
//! A URL comes from a sentinel, a redirect from whoever runs the page. Neither may reach the
//! router, the database next door or the cloud's credentials. So only public addresses pass, and
//! those of `fetch.allow_addresses`. The check is made on what is connected to: on literal
//! addresses before every request and redirect hop ([`Guard::check_url`]; the client never asks a
//! resolver for them), and on what a name resolves to, inside the resolver, whose answer is what
//! the client connects to, so that no second lookup can differ from the checked one.
//!
//! A wide network in `allow_addresses` does not open what is link-local or a metadata address:
//! `0.0.0.0/0` was written to mean "my networks", hardly "my credentials". They need a network
//! inside `169.254.0.0/16` or `fe80::/10`, or the metadata address by itself (`/32`, `/128`).

use address::{Class, class_of, embedded_v4};
use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use url::{Host, Url};

/// Lets addresses through or not.
#[derive(Debug, Clone)]
pub struct Guard {
    allow: Arc<[IpNet]>,
}

/// Why an address or a URL is not asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("{host} is a {class} address; to allow it, list it in fetch.allow_addresses")]
    Literal { host: IpAddr, class: Class },
    #[error(
        "{name} leads to {address}, a {class} address; to allow it, list it in \
         fetch.allow_addresses"
    )]
    Resolved { name: String, address: IpAddr, class: Class },
    #[error("only http and https addresses are asked, not {scheme}")]
    Scheme { scheme: String },
    #[error("the address has no host")]
    NoHost,
}

/// A name for which there is no address.
#[derive(Debug, thiserror::Error)]
pub enum Unresolved {
    #[error("the name {name} has no address")]
    Empty { name: String },
    #[error("the name {name} could not be resolved")]
    Lookup { name: String, source: std::io::Error },
}

impl Guard {
    /// A guard that lets public addresses through, and those in `allow`.
    pub fn new(allow: &[IpNet]) -> Guard {
        Guard { allow: allow.into() }
    }

    /// Whether this address may be connected to; its class if not. Linear in `allow`.
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
        if class == Class::Public || self.allow.iter().any(listed) { Ok(()) } else { Err(class) }
    }

    /// Whether this URL may be asked as far as can be told without resolving its name.
    ///
    /// # Errors
    ///
    /// [`Refused`] for other schemes, no host, and literal addresses that are not let through, in
    /// whatever spelling: `http://0x7f.1/` is `127.0.0.1` once the URL is parsed.
    pub fn check_url(&self, url: &Url) -> Result<(), Refused> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refused::Scheme { scheme: url.scheme().to_owned() });
        }
        let literal = match url.host() {
            None => return Err(Refused::NoHost),
            Some(Host::Domain(_)) => return Ok(()),
            Some(Host::Ipv4(v4)) => IpAddr::V4(v4),
            Some(Host::Ipv6(v6)) => IpAddr::V6(v6),
        };
        self.check(literal).map_err(|class| Refused::Literal { host: literal, class })
    }

    /// The addresses of `found` that may be connected to, in their order.
    fn filter(&self, name: &str, found: &[SocketAddr]) -> Result<Vec<SocketAddr>, Refused> {
        let passed: Vec<_> =
            found.iter().filter(|socket| self.check(socket.ip()).is_ok()).copied().collect();
        let refused =
            found.iter().find_map(|socket| Some((socket.ip(), self.check(socket.ip()).err()?)));
        match refused {
            Some((address, class)) if passed.is_empty() => {
                Err(Refused::Resolved { name: name.to_owned(), address, class })
            }
            _ => Ok(passed),
        }
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

/// `localhost` and names that end in `.localhost` are this machine (RFC 6761), whatever a name
/// server says.
fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

async fn look_up(name: &str) -> Result<Vec<SocketAddr>, Unresolved> {
    if is_localhost(name) {
        let here = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        return Ok(here.map(|address| SocketAddr::new(address, 0)).to_vec());
    }
    let found: Vec<_> = tokio::net::lookup_host((name, 0))
        .await
        .map_err(|source| Unresolved::Lookup { name: name.to_owned(), source })?
        .collect();
    if found.is_empty() { Err(Unresolved::Empty { name: name.to_owned() }) } else { Ok(found) }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found = look_up(name.as_str()).await?;
            let passed = guard.filter(name.as_str(), &found)?;
            Ok(Box::new(passed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests;
