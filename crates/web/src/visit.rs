//! Where a request comes from: for limits, logs and the cookie's `Secure`, never for rights.

use crate::config::WebConfig;
use crate::cookie::Transport;
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use std::net::{IpAddr, SocketAddr};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// Hops of `X-Forwarded-For` that are looked at, from the last one.
const HOPS_MAX: usize = 16;

/// What is known of a request's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visit {
    /// The last address that is no trusted proxy; `None` if none is told.
    pub(crate) address: Option<IpAddr>,
    pub(crate) transport: Transport,
}

impl Visit {
    pub(crate) fn of(config: &WebConfig, request: &Request) -> Visit {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|peer| peer.0.ip().to_canonical());
        let headers = request.headers();
        Visit {
            address: peer.and_then(|peer| address(config, peer, headers)),
            transport: transport(config, peer, headers),
        }
    }
}

fn is_trusted(config: &WebConfig, address: IpAddr) -> bool {
    config.trusted_proxies.iter().any(|network| network.contains(&address))
}

/// The peer, or who a trusted one says it speaks for.
fn address(config: &WebConfig, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
    if !is_trusted(config, peer) {
        return Some(peer);
    }
    let lists = headers.get_all(FORWARDED_FOR).iter().rev();
    let hops = lists.flat_map(|list| list.to_str().unwrap_or("?").rsplit(',')).take(HOPS_MAX);
    for hop in hops {
        // Nothing is known of what stands behind a hop that cannot be read.
        let hop = hop_address(hop.trim())?;
        if !is_trusted(config, hop) {
            return Some(hop);
        }
    }
    None
}

/// An address, with or without a port.
fn hop_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

/// How the browser reached us: by its own word in a form, which matters to its own cookie only; by
/// that of a trusted proxy; or by the public address.
fn transport(config: &WebConfig, peer: Option<IpAddr>, headers: &HeaderMap) -> Transport {
    let is = |name: HeaderName| headers.get(name).map(HeaderValue::as_bytes);
    let origin = is(header::ORIGIN).filter(|origin| *origin != b"null");
    let proto = is(FORWARDED_PROTO);
    let proto = proto.filter(|_| peer.is_some_and(|peer| is_trusted(config, peer)));
    let tls = match (origin, proto) {
        (Some(origin), _) => origin.starts_with(b"https://"),
        (None, Some(proto)) => proto.eq_ignore_ascii_case(b"https"),
        (None, None) => config.public_url.as_ref().is_some_and(|public| public.is_https()),
    };
    if tls { Transport::Tls } else { Transport::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use std::sync::Arc;

    fn config() -> WebConfig {
        let listen = "127.0.0.1:1".parse().expect("an address");
        let now = Arc::new(|| chronon::Instant::EPOCH);
        let mut config = WebConfig::new(listen, "1", now);
        let networks = ["127.0.0.1/32", "10.0.0.0/8", "2001:db8:1::/48"];
        config.trusted_proxies = networks.map(|text| text.parse().expect("a network")).to_vec();
        config
    }

    fn visit(config: &WebConfig, peer: &str, headers: &[(&'static str, &str)]) -> Visit {
        let peer: SocketAddr = peer.parse().expect("an address");
        let mut request = Request::builder().extension(ConnectInfo(peer));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Visit::of(config, &request.body(Body::empty()).expect("a request"))
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_as_far_as_the_first_stranger() {
        let config = config();
        let address = |peer: &str, lists: &[&str]| {
            let headers: Vec<_> = lists.iter().map(|list| ("x-forwarded-for", *list)).collect();
            visit(&config, peer, &headers).address.map(|address| address.to_string())
        };
        let is = |text: &str| Some(text.to_owned());
        for (peer, lists, expected) in [
            ("192.0.2.9:1", &["198.51.100.1"][..], is("192.0.2.9")),
            ("127.0.0.1:1", &["198.51.100.1"], is("198.51.100.1")),
            ("[::ffff:127.0.0.1]:1", &["198.51.100.1"], is("198.51.100.1")),
            ("127.0.0.1:1", &["6.6.6.6, 198.51.100.1, 10.1.2.3"], is("198.51.100.1")),
            ("127.0.0.1:1", &["6.6.6.6", "198.51.100.1", "10.1.2.3"], is("198.51.100.1")),
            ("127.0.0.1:1", &["198.51.100.1:4711"], is("198.51.100.1")),
            ("127.0.0.1:1", &["[2001:db8:2::1]:4711"], is("2001:db8:2::1")),
            ("127.0.0.1:1", &["[2001:db8:2::1]"], is("2001:db8:2::1")),
            ("127.0.0.1:1", &["2001:db8:1::1"], None),
            ("127.0.0.1:1", &["6.6.6.6, unknown"], None),
            ("127.0.0.1:1", &[""], None),
            ("127.0.0.1:1", &[], None),
        ] {
            assert_eq!(address(peer, lists), expected, "{peer} {lists:?}");
        }
        let many = vec!["10.0.0.1"; HOPS_MAX + 1].join(",");
        assert_eq!(address("127.0.0.1:1", &[&format!("6.6.6.6,{many}")]), None);
    }

    #[test]
    fn tls_is_believed_of_the_browser_a_trusted_proxy_or_the_public_address() {
        let mut config = config();
        let plain = Transport::Plain;
        let https = ("x-forwarded-proto", "https");
        let of = |config: &WebConfig, peer, headers: &[_]| visit(config, peer, headers).transport;
        assert_eq!(of(&config, "192.0.2.9:1", &[https]), plain);
        assert_eq!(of(&config, "127.0.0.1:1", &[https]), Transport::Tls);
        assert_eq!(of(&config, "127.0.0.1:1", &[("origin", "http://h"), https]), plain);
        assert_eq!(of(&config, "192.0.2.9:1", &[("origin", "https://h")]), Transport::Tls);
        config.public_url = Some(crate::PublicUrl::parse("https://h/").expect("an address"));
        assert_eq!(of(&config, "192.0.2.9:1", &[]), Transport::Tls);
        assert_eq!(of(&config, "192.0.2.9:1", &[("origin", "http://h")]), plain);
    }
}
