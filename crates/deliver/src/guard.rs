//! Where notifications may go over the network. People's receivers live at home, so private
//! addresses pass unless
//! `deliver.allow_private` is off; link-local and metadata addresses never do. Checked on literal
//! addresses before the request and on what a name resolves to inside the resolver, whose answer
//! is what the client connects to.

use address::{Class, LOCALHOST, Receivers, is_localhost};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

/// Lets receivers through or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guard(pub(crate) Receivers);

/// Why an address is not told anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("nothing is sent to {class} addresses, and {host} is or leads to one{hint}")]
    Class { host: String, class: Class, hint: &'static str },
    #[error("notifications go to http and https addresses only")]
    Scheme,
    #[error("the name {host} has no address")]
    NoAddress { host: String },
}

impl Guard {
    fn check(self, host: &str, address: IpAddr) -> Result<(), Refused> {
        self.0.check(address).map_err(|class| {
            let hint =
                if Receivers::can_open(class) { "; deliver.allow_private allows them" } else { "" };
            Refused::Class { host: host.to_owned(), class, hint }
        })
    }

    /// Checks the scheme and a literal address.
    pub(crate) fn check_url(self, url: &Url) -> Result<(), Refused> {
        let host = url.host_str().unwrap_or_default();
        match (url.scheme(), url.host()) {
            ("http" | "https", Some(Host::Domain(_))) => Ok(()),
            ("http" | "https", Some(Host::Ipv4(v4))) => self.check(host, IpAddr::V4(v4)),
            ("http" | "https", Some(Host::Ipv6(v6))) => self.check(host, IpAddr::V6(v6)),
            _ => Err(Refused::Scheme),
        }
    }

    /// The addresses of a host that may be connected to.
    ///
    /// # Errors
    ///
    /// A sentence: there is none, or none that may be.
    pub(crate) async fn addresses(self, host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let found: Vec<SocketAddr> = if let Ok(address) = bare.parse::<IpAddr>() {
            vec![SocketAddr::new(address, port)]
        } else if is_localhost(host) {
            LOCALHOST.map(|address| SocketAddr::new(address, port)).to_vec()
        } else {
            let found = tokio::net::lookup_host((host, port)).await;
            found.map_err(|error| format!("the name {host} has no address: {error}"))?.collect()
        };
        self.filter(host, &found).map_err(|refused| refused.to_string())
    }

    fn filter(self, host: &str, found: &[SocketAddr]) -> Result<Vec<SocketAddr>, Refused> {
        let mut refused = Refused::NoAddress { host: host.to_owned() };
        let mut passed = Vec::new();
        for socket in found {
            match self.check(host, socket.ip()) {
                Ok(()) => passed.push(*socket),
                Err(reason) => refused = reason,
            }
        }
        if passed.is_empty() { Err(refused) } else { Ok(passed) }
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = *self;
        Box::pin(async move {
            let host = name.as_str();
            let found: Vec<SocketAddr> = if is_localhost(host) {
                LOCALHOST.map(|address| SocketAddr::new(address, 0)).to_vec()
            } else {
                tokio::net::lookup_host((host, 0)).await?.collect()
            };
            Ok(Box::new(guard.filter(host, &found)?.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: Guard = Guard(Receivers::Public);
    const HOME_TOO: Guard = Guard(Receivers::PublicAndPrivate);

    fn passes(guard: Guard, url: &str) -> bool {
        guard.check_url(&Url::parse(url).unwrap()).is_ok()
    }

    #[test]
    fn receivers_at_home_pass_unless_private_addresses_are_switched_off() {
        for url in ["http://127.0.0.1:9/", "http://192.168.1.2/", "http://[fd00::1]/"] {
            assert!(passes(HOME_TOO, url), "{url}");
            assert!(!passes(PUBLIC, url), "{url}");
        }
        for url in ["https://8.8.8.8/", "https://hook.example/", "http://localhost/"] {
            assert!(passes(HOME_TOO, url), "{url}");
            assert!(passes(PUBLIC, url), "{url}");
        }
    }

    #[test]
    fn link_local_and_metadata_addresses_never_pass() {
        for url in [
            "http://169.254.169.254/",
            "http://0xa9fea9fe/",
            "http://[::ffff:169.254.169.254]/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://169.254.7.7/",
            "http://[fe80::1]/",
            "http://100.100.100.200/",
            "http://[fd00:ec2::254]/",
            "http://0.0.0.0/",
            "http://224.0.0.1/",
            "ftp://8.8.8.8/",
        ] {
            assert!(!passes(HOME_TOO, url), "{url}");
            assert!(!passes(PUBLIC, url), "{url}");
        }
    }

    #[test]
    fn of_a_names_addresses_only_those_allowed_are_handed_on() {
        let found = ["169.254.169.254:0", "10.0.0.1:0", "8.8.8.8:0"].map(|a| a.parse().unwrap());
        assert_eq!(PUBLIC.filter("a.example", &found).unwrap(), found[2..]);
        assert_eq!(HOME_TOO.filter("a.example", &found).unwrap(), found[1..]);
        let refused = PUBLIC.filter("a.example", &found[1..2]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "nothing is sent to private addresses, and a.example is or leads to one; \
             deliver.allow_private allows them"
        );
    }
}
