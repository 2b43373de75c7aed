//! The address guard: whom a stranger's URL must not make us talk to.
//!
//! A URL comes from a sentinel, a redirect from those who run the page. Neither may reach the
//! router, the database next door or the cloud's credentials. So only public addresses pass, and
//! those of `fetch.allow_addresses`. The check is made on what is connected to. Literal
//! addresses are checked before every request and redirect hop ([`Guard::check_url`]), for the
//! client never asks a resolver for them. What a name resolves to is checked inside the resolver:
//! the client connects to that very answer, so no second lookup can differ from it.

use crate::names::Names;
use address::{AllowList, Class, LOCALHOST, is_localhost};
use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

/// Lets addresses through or not.
#[derive(Clone)]
pub struct Guard {
    allow: AllowList,
    names: Names,
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("allow", &self.allow).finish_non_exhaustive()
    }
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
    #[error("only http and https addresses can be watched, not {scheme}")]
    Scheme { scheme: String },
    #[error("the address has no host")]
    NoHost,
}

/// A name for which there is no address.
#[derive(Debug, thiserror::Error)]
pub enum Unresolved {
    #[error("the name {name} has no address")]
    Empty { name: String },
    #[error(
        "{name} could not be looked up behind other names that do not resolve; it will be tried \
         again later"
    )]
    Crowded { name: String },
    #[error("the name {name} could not be resolved")]
    Lookup { name: String, source: std::io::Error },
}

impl Guard {
    /// A guard that lets public addresses through, and those in `allow`.
    pub fn new(allow: &[IpNet]) -> Guard {
        Guard { allow: AllowList::new(allow), names: Names::of_the_system() }
    }

    /// Whether this address may be connected to; its class if not. Linear in `allow`.
    ///
    /// # Errors
    ///
    /// The class for which it is refused.
    pub fn check(&self, address: IpAddr) -> Result<(), Class> {
        self.allow.check(address)
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

async fn look_up(names: &Names, name: &str) -> Result<Vec<SocketAddr>, Unresolved> {
    if is_localhost(name) {
        return Ok(LOCALHOST.map(|address| SocketAddr::new(address, 0)).to_vec());
    }
    let found = names.addresses(name).await?;
    if found.is_empty() { Err(Unresolved::Empty { name: name.to_owned() }) } else { Ok(found) }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found = look_up(&guard.names, name.as_str()).await?;
            let passed = guard.filter(name.as_str(), &found)?;
            Ok(Box::new(passed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests;
