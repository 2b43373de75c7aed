//! The cookie of a session: its names, and what a browser is told of it.

use axum::http::HeaderMap;
use axum::http::header;

/// How the browser reached us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Plain,
    Tls,
}

/// Browsers take these prefixes over TLS only, so that nobody on the way can plant such a cookie.
const HOST: &str = "__Host-";
const SECURE: &str = "__Secure-";

/// The values of cookies of this name, under any of its prefixes.
pub(crate) fn values<'r>(
    name: &'r str,
    headers: &'r HeaderMap,
) -> impl Iterator<Item = &'r str> + use<'r> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let pairs =
        texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter_map(move |(given, value)| {
        let bare = given.strip_prefix(HOST).or_else(|| given.strip_prefix(SECURE)).unwrap_or(given);
        (bare == name).then_some(value)
    })
}

/// A Set-Cookie value. `base` is the path all pages are below: empty, or as `/tidings`.
pub(crate) fn set(name: &str, value: &str, base: &str, transport: Transport) -> String {
    let seconds = crate::keeper::SESSION_LIFE_MAX.as_millis() / 1_000;
    written(name, value, base, transport, seconds)
}

/// Set-Cookie values that make the browser forget it.
pub(crate) fn clear(name: &str, base: &str) -> [String; 2] {
    [Transport::Plain, Transport::Tls].map(|transport| written(name, "", base, transport, 0))
}

fn written(name: &str, value: &str, base: &str, on: Transport, age: i64) -> String {
    let path = if base.is_empty() { "/" } else { base };
    let (prefix, secure) = match on {
        Transport::Plain => ("", ""),
        Transport::Tls if base.is_empty() => (HOST, "; Secure"),
        Transport::Tls => (SECURE, "; Secure"),
    };
    // Lax: who comes from a message's link is known; writes are guarded by their origin.
    format!("{prefix}{name}={value}; Path={path}; Max-Age={age}; HttpOnly; SameSite=Lax{secure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_tls_the_cookie_is_secure_and_bound_to_its_host() {
        let set = |base, transport| super::set("tidings_1", "v", base, transport);
        let tail = "Max-Age=7776000; HttpOnly; SameSite=Lax";
        assert_eq!(set("", Transport::Plain), format!("tidings_1=v; Path=/; {tail}"));
        let host = format!("__Host-tidings_1=v; Path=/; {tail}; Secure");
        assert_eq!(set("", Transport::Tls), host);
        let below = format!("__Secure-tidings_1=v; Path=/watch; {tail}; Secure");
        assert_eq!(set("/watch", Transport::Tls), below);
    }

    #[test]
    fn a_cookie_is_found_under_each_of_its_names_among_others() {
        let mut headers = HeaderMap::new();
        let text = "a=b; __Host-tidings_1=x; tidings_2=no; tidings_1=y=z;__Secure-tidings_1=";
        headers.append(header::COOKIE, text.parse().expect("a header"));
        headers.append(header::COOKIE, "tidings_1=w".parse().expect("a header"));
        assert_eq!(values("tidings_1", &headers).collect::<Vec<_>>(), ["x", "y=z", "", "w"]);
    }
}
