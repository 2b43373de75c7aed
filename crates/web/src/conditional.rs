//! Answers that need not be sent again: validators, and what a request says of them (RFC 9110, 13).

use axum::http::header::{self, HeaderMap, HeaderValue};

/// What tells one state of a thing from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Validator {
    /// A weak entity tag: a proxy may compress what it is of.
    tag: String,
}

impl Validator {
    /// Tells an answer with these bytes from others.
    pub(crate) fn of(bytes: &[u8]) -> Validator {
        let hash = blake3::hash(bytes).to_hex();
        Validator { tag: format!("W/\"{}\"", &hash[..32]) }
    }

    /// Whether whoever sends these headers of a read has this state already. A date says too
    /// little: two states of one second are two.
    pub(crate) fn is_known(&self, headers: &HeaderMap) -> bool {
        headers.get_all(header::IF_NONE_MATCH).iter().any(|list| is_listed(self, list))
    }

    /// Says it in an answer's headers.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let tag = HeaderValue::try_from(&self.tag).expect("hexadecimal digits in quotes");
        headers.insert(header::ETAG, tag);
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
        let one = Validator::of(b"x");
        let mut said = HeaderMap::new();
        one.write(&mut said);
        let tag = said[header::ETAG].to_str().expect("ASCII").to_owned();
        let strong = tag.trim_start_matches("W/").to_owned();
        let (tags, since) = (header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE);
        for known in [tag.as_str(), strong.as_str(), "*", &format!("\"a\", {tag}")] {
            assert!(one.is_known(&headers(&[(tags.clone(), known)])), "{known}");
        }
        assert!(!one.is_known(&headers(&[(tags.clone(), "\"a\"")])));
        assert!(!one.is_known(&headers(&[(since, "Fri, 01 Jan 2100 00:00:00 GMT")])));
        assert!(!Validator::of(b"y").is_known(&headers(&[(tags, &tag)])));
        assert!(!one.is_known(&HeaderMap::new()));
    }
}
