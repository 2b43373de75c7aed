//! Answers that need not be sent again: validators, and what a request says of them (RFC 9110, 13).

use axum::http::header::{self, HeaderMap, HeaderValue};
use chronon::Instant;
use std::time::{Duration, SystemTime};

/// What tells one state of a thing from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Validator {
    /// A weak entity tag: a proxy may compress what it is of.
    tag: String,
    modified: Option<SystemTime>,
}

impl Validator {
    /// Tells an answer with these bytes from others.
    pub(crate) fn of(bytes: &[u8]) -> Validator {
        let hash = blake3::hash(bytes).to_hex();
        Validator { tag: format!("W/\"{}\"", &hash[..32]), modified: None }
    }

    /// The same with the time of the last change; times before 1970 are none.
    pub(crate) fn modified(self, at: Instant) -> Validator {
        let seconds = u64::try_from(at.as_millis()).ok().map(|millis| millis / 1_000);
        let modified = seconds.map(|s| SystemTime::UNIX_EPOCH + Duration::from_secs(s));
        Validator { modified, ..self }
    }

    /// Whether whoever sends these headers of a read has this state already. An entity tag, where
    /// one came, is all that counts.
    pub(crate) fn is_known(&self, headers: &HeaderMap) -> bool {
        let mut tags = headers.get_all(header::IF_NONE_MATCH).iter().peekable();
        if tags.peek().is_some() {
            return tags.any(|list| is_listed(self, list));
        }
        let since = headers.get(header::IF_MODIFIED_SINCE).and_then(|text| text.to_str().ok());
        let since = since.and_then(|text| httpdate::parse_http_date(text).ok());
        since.zip(self.modified).is_some_and(|(since, modified)| modified <= since)
    }

    /// Says it in an answer's headers.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let tag = HeaderValue::try_from(&self.tag).expect("hexadecimal digits in quotes");
        headers.insert(header::ETAG, tag);
        if let Some(modified) = self.modified {
            let date = HeaderValue::try_from(httpdate::fmt_http_date(modified));
            headers.insert(header::LAST_MODIFIED, date.expect("a date is ASCII"));
        }
    }
}

/// Whether a list of entity tags has this one, or is `*`; compared weakly.
pub(crate) fn is_listed(one: &Validator, list: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let own = opaque(&one.tag);
    let list = list.to_str().unwrap_or_default();
    list.trim() == "*" || list.split(',').any(|tag| opaque(tag) == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| (name.clone(), value.parse().expect("ASCII")));
        pairs.collect()
    }

    #[test]
    fn who_has_the_same_state_need_not_get_it_again() {
        let at = Instant::from_millis(1_798_761_600_500);
        let one = Validator::of(b"x").modified(at);
        let mut said = HeaderMap::new();
        one.write(&mut said);
        let tag = said[header::ETAG].to_str().expect("ASCII").to_owned();
        let strong = tag.trim_start_matches("W/").to_owned();
        assert_eq!(said[header::LAST_MODIFIED], "Fri, 01 Jan 2027 00:00:00 GMT");
        let (tags, since) = (header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE);
        for known in [tag.as_str(), strong.as_str(), "*", &format!("\"a\", {tag}")] {
            assert!(one.is_known(&headers(&[(tags.clone(), known)])), "{known}");
        }
        let same = "Fri, 01 Jan 2027 00:00:00 GMT";
        assert!(one.is_known(&headers(&[(since.clone(), same)])));
        // The tag counts, whatever the date says.
        let both = headers(&[(tags.clone(), "\"a\""), (since.clone(), same)]);
        assert!(!one.is_known(&both));
        for unknown in ["Thu, 31 Dec 2026 23:59:59 GMT", "yesterday", ""] {
            assert!(!one.is_known(&headers(&[(since.clone(), unknown)])), "{unknown}");
        }
        assert!(!Validator::of(b"y").is_known(&headers(&[(tags, &tag)])));
        assert!(!one.is_known(&HeaderMap::new()));
    }
}
