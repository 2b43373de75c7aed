//! Addresses that hold secrets: a source's, which may carry user and password, and a webhook's,
//! which often is a secret as a whole. They show themselves without them; who needs them in full
//! asks for that.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use url::{Position, Url};

/// The URL of a source. `Display` and `Debug` leave out user and password.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceUrl(Box<str>);

impl SourceUrl {
    /// In full: for the store, and for the source itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Without user and password: what people see.
    pub fn shown(&self) -> Cow<'_, str> {
        without_credentials(&self.0)
    }

    /// What a log may keep: also without what follows `?`, where sites put keys and sessions.
    pub fn logged(&self) -> String {
        let shown = self.shown();
        match shown.split_once(['?', '#']) {
            Some((place, _)) => format!("{place}?…"),
            None => shown.into_owned(),
        }
    }

    /// User and password as the URL has them: `ana:secret`.
    pub fn credentials(&self) -> Option<&str> {
        credentials_in(&self.0).map(|range| &self.0[range.start..range.end - 1])
    }

    /// With `mark` in the place of user and password, if it has any.
    pub fn marked(&self, mark: &str) -> Option<String> {
        let Range { start, end } = credentials_in(&self.0)?;
        Some(format!("{}{mark}@{}", &self.0[..start], &self.0[end..]))
    }
}

/// Whom a channel reaches: a mail address, a URL, or what else the channel understands.
/// `Display` and `Debug` show the host alone of a URL, and nothing of a key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contact(Box<str>);

impl Contact {
    /// In full: for the store, and for senders.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What people see: of a URL its host, and `…` for the rest; of a URL of no web, its scheme; of
    /// a key, `…` alone.
    pub fn shown(&self) -> Cow<'_, str> {
        self.marked("…").map_or(Cow::Borrowed(&*self.0), Cow::Owned)
    }

    /// With `mark` for all of a URL but scheme, host and port, if there is more. Where another
    /// scheme has a host, Apprise has tokens: there only the scheme stays. Nothing stays of a key.
    pub fn marked(&self, mark: &str) -> Option<String> {
        if is_key(&self.0) {
            return Some(mark.to_owned());
        }
        let (scheme, _) = self.0.split_once("://")?;
        if !["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web)) {
            let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
            return scheme.chars().all(is_scheme).then(|| format!("{scheme}://{mark}"));
        }
        let Ok(url) = Url::parse(&self.0) else { return Some(mark.to_owned()) };
        let scheme = url.scheme();
        let place = &url[Position::BeforeHost..Position::AfterPort];
        let bare = format!("{scheme}://{place}/");
        (url.as_str() != bare).then(|| bare + mark)
    }
}

/// Letters or digits of the shortest key that services hand out.
const KEY_CHARS_MIN: usize = 20;

/// Whether a text looks like a key that a service made, as those of Pushover's users: a run of
/// letters and digits with both in it, longer than any word.
pub fn is_key(text: &str) -> bool {
    text.len() >= KEY_CHARS_MIN
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A URL without user and password. Text that is none stays as it is, and one that is wrong in
/// another place loses them all the same. O(text).
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    match credentials_in(text) {
        Some(Range { start, end }) => Cow::Owned(format!("{}{}", &text[..start], &text[end..])),
        None => Cow::Borrowed(text),
    }
}

/// Where user and password stand in a URL, with the `@` behind them. O(text).
pub fn credentials_in(text: &str) -> Option<Range<usize>> {
    let colon = text.find(':')?;
    let is_web = ["http", "https"].iter().any(|web| text[..colon].eq_ignore_ascii_case(web));
    let rest = &text[colon + 1..];
    let authority = rest.trim_start_matches(['/', '\\']);
    let slashes = rest.len() - authority.len();
    // `mailto:ana@example.org` has none.
    if slashes == 0 && !is_web {
        return None;
    }
    let start = colon + 1 + slashes;
    let authority = authority.split(['/', '\\', '?', '#']).next().unwrap_or(authority);
    authority.rfind('@').map(|at| start..start + at + 1)
}

/// Both show what is no secret, and are made of any text.
macro_rules! shows_itself {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.shown())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.shown(), f)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> $name {
                $name(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> $name {
                $name(text.into())
            }
        }

        impl From<Box<str>> for $name {
            fn from(text: Box<str>) -> $name {
                $name(text)
            }
        }
    )*};
}

shows_itself!(SourceUrl, Contact);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_shows_itself_without_user_and_password_and_reveals_them_when_asked() {
        let full = "https://ana:p%40ss@a.example:8443/x?to=b@c";
        let source = SourceUrl::from(full);
        assert_eq!(source.to_string(), "https://a.example:8443/x?to=b@c");
        assert_eq!(format!("{source:?}"), "\"https://a.example:8443/x?to=b@c\"");
        assert_eq!(source.logged(), "https://a.example:8443/x?…");
        assert_eq!(SourceUrl::from("https://a.example/x").logged(), "https://a.example/x");
        assert_eq!(source.reveal(), full);
        assert_eq!(source.credentials(), Some("ana:p%40ss"));
        assert_eq!(source.marked("?").as_deref(), Some("https://?@a.example:8443/x?to=b@c"));
        let plain = SourceUrl::from("https://a.example/@ana");
        assert_eq!((plain.to_string().as_str(), plain.marked("?")), (plain.reveal(), None));
    }

    #[test]
    fn of_a_webhook_only_the_host_is_shown() {
        let shown = |text: &str| Contact::from(text).to_string();
        assert_eq!(shown("https://hooks.example/T00/B00/x?y"), "https://hooks.example/…");
        assert_eq!(shown("HTTPS://ana:b@[::1]:9443"), "https://[::1]:9443/…");
        assert_eq!(shown("http://h.example/?token"), "http://h.example/…");
        assert_eq!(shown("http://h.example/#token"), "http://h.example/…");
        assert_eq!(shown("https://not a url/secret"), "…");
        assert_eq!(shown("tgram://12:AB/7"), "tgram://…");
        assert_eq!(shown("uQiRzpo4DXghDmr9QzzfQu27cmVRsG"), "…");
        let names =
            ["ana@example.org", "#ops", "room: 7", "-1001234567890", "+15551234567890123456"];
        for plain in names.into_iter().chain(["https://hooks.example/", "!room:example.org"]) {
            assert_eq!(shown(plain), plain);
        }
        let debug = format!("{:?}", Contact::from("https://hooks.example/secret"));
        assert_eq!(debug, "\"https://hooks.example/…\"");
    }

    #[test]
    fn a_url_that_is_wrong_elsewhere_loses_user_and_password_all_the_same() {
        for (text, shown) in [
            ("htps://ana:b@a.example", "htps://a.example"),
            ("https:\\\\ana:b@a.example\\x", "https:\\\\a.example\\x"),
            ("https:ana:b@a.example", "https:a.example"),
            ("https://ana:b@@a.example", "https://a.example"),
            ("mailto:ana@a.example", "mailto:ana@a.example"),
            ("ana@a.example", "ana@a.example"),
            ("https://a.example/?q=a:b@c", "https://a.example/?q=a:b@c"),
        ] {
            assert_eq!(without_credentials(text), shown);
        }
    }
}
