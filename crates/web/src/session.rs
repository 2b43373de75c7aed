//! Who somebody is: the token of the data directory, and sessions of the dashboard made from it.
//!
//! A session is `expiry.mac` with a key derived from the token. The server remembers nothing, so
//! sessions survive a restart; another token ends them all.

use chronon::{Instant, Span};

/// Checks tokens and sessions, and makes sessions.
pub(crate) struct Sessions {
    /// `None` if the token is empty: then nobody is let in by one.
    token: Option<blake3::Hash>,
    key: [u8; 32],
    cookie: String,
    lasts: Span,
}

impl Sessions {
    pub(crate) fn new(token: &str, lasts: Span) -> Sessions {
        let key = blake3::derive_key("tidings 2026 dashboard session", token.as_bytes());
        // Cookies know no ports: the name keeps two servers on one machine apart.
        let name = blake3::derive_key("tidings 2026 session cookie name", token.as_bytes());
        let name = blake3::Hash::from_bytes(name).to_hex();
        Sessions {
            token: (!token.is_empty()).then(|| blake3::hash(token.as_bytes())),
            key,
            cookie: format!("tidings_{}", &name[..8]),
            lasts,
        }
    }

    /// Whether `given` is the token. Compares hashes, in constant time.
    pub(crate) fn is_token(&self, given: &str) -> bool {
        self.token.is_some_and(|token| token == blake3::hash(given.as_bytes()))
    }

    /// How long the session in a Cookie header still lasts, if there is a valid one.
    pub(crate) fn remaining(&self, cookies: &str, now: Instant) -> Option<Span> {
        self.token?;
        let values = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
        let mut ours = values.filter(|(name, _)| *name == self.cookie).map(|(_, value)| value);
        ours.find_map(|value| {
            let (expires, mac) = value.split_once('.')?;
            let given = blake3::Hash::from_hex(mac).ok()?;
            let millis =
                expires.parse().ok().filter(|millis: &i64| millis.to_string() == expires)?;
            let left = Instant::from_millis(millis) - now;
            (given == self.mac(millis) && left > Span::ZERO).then_some(left)
        })
    }

    /// Whether a session should be made anew, because half of it is over.
    pub(crate) fn is_stale(&self, remaining: Span) -> bool {
        remaining < self.lasts.divided_by(2)
    }

    /// A Set-Cookie value with a fresh session.
    pub(crate) fn set_cookie(&self, now: Instant, transport: Transport) -> String {
        let expires = (now + self.lasts).as_millis();
        let (name, mac) = (&self.cookie, self.mac(expires).to_hex());
        let seconds = self.lasts.as_millis() / 1_000;
        let secure = transport.attribute();
        format!(
            "{name}={expires}.{mac}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        )
    }

    /// A Set-Cookie value that ends the session in this browser.
    pub(crate) fn clear_cookie(&self) -> String {
        format!("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict", self.cookie)
    }

    fn mac(&self, expires: i64) -> blake3::Hash {
        blake3::keyed_hash(&self.key, &expires.to_be_bytes())
    }
}

/// How the browser reached us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Plain,
    /// A proxy says that it spoke TLS with the browser.
    Tls,
}

impl Transport {
    fn attribute(self) -> &'static str {
        match self {
            Transport::Plain => "",
            Transport::Tls => "; Secure",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(sessions: &Sessions, now: Instant) -> String {
        let set = sessions.set_cookie(now, Transport::Plain);
        set.split(';').next().expect("a value").to_owned()
    }

    #[test]
    fn a_session_lasts_as_long_as_it_says_and_only_under_its_token() {
        let sessions = Sessions::new("secret", Span::HOUR);
        let now = Instant::from_millis(1_000_000);
        let cookie = cookie(&sessions, now);
        let with_others = format!("a=b; {cookie}; c=d");
        assert_eq!(sessions.remaining(&with_others, now), Some(Span::HOUR));
        assert_eq!(sessions.remaining(&cookie, now + Span::HOUR), None);
        assert_eq!(Sessions::new("other", Span::HOUR).remaining(&cookie, now), None);
    }

    #[test]
    fn a_session_that_was_touched_is_none() {
        let sessions = Sessions::new("secret", Span::HOUR);
        let now = Instant::from_millis(1_000_000);
        let good = cookie(&sessions, now);
        let (name, value) = good.split_once('=').expect("a pair");
        let (expires, mac) = value.split_once('.').expect("a mac");
        let later = expires.parse::<i64>().expect("a number") + 1;
        for bad in [
            format!("{name}={later}.{mac}"),
            format!("{name}=+{expires}.{mac}"),
            format!("{name}={expires}."),
            format!("{name}={expires}.{}", "0".repeat(64)),
            format!("{name}=é"),
            name.to_owned(),
        ] {
            assert_eq!(sessions.remaining(&bad, now), None, "{bad}");
        }
    }

    #[test]
    fn an_empty_token_lets_nobody_in() {
        let sessions = Sessions::new("", Span::HOUR);
        let cookie = cookie(&sessions, Instant::EPOCH);
        assert!(!sessions.is_token(""));
        assert_eq!(sessions.remaining(&cookie, Instant::EPOCH), None);
    }
}
