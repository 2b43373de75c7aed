//! Addresses in documents for programs that differ in tokens alone.

/// Names of parameters that hold a token, in lower case.
const NAMES: [&str; 16] = [
    "_",
    "access_token",
    "auth_token",
    "csrf_token",
    "cursor",
    "expires",
    "nonce",
    "session",
    "session_id",
    "sessionid",
    "sid",
    "sig",
    "signature",
    "token",
    "x-sig",
    "x-signature",
];
/// How other such names begin.
const BEGINNINGS: [&str; 2] = ["x-amz-", "x-goog-"];
/// A shorter value may say what is meant: `token=BTC`, `cursor=2`.
const VALUE_BYTES_MIN: usize = 8;

/// Two members of a document that hold one address each, the same but for tokens of its query.
pub(crate) fn are_of_other_tokens(old: &str, new: &str) -> bool {
    let both = address(old).zip(address(new));
    both.is_some_and(|(old, new)| {
        let same = old.parameters.iter().zip(&new.parameters);
        (old.name, old.place, old.fragment) == (new.name, new.place, new.fragment)
            && old.parameters.len() == new.parameters.len()
            && old.parameters != new.parameters
            && same.into_iter().all(|(old, new)| old == new || are_tokens(old, new))
    })
}

#[derive(PartialEq, Eq)]
struct Address<'t> {
    /// What the member is called.
    name: &'t str,
    /// What stands before the query.
    place: &'t str,
    parameters: Vec<&'t str>,
    fragment: &'t str,
}

/// A member whose value is an address with a query, and nothing else.
fn address(text: &str) -> Option<Address<'_>> {
    let (name, value) = text.split_once(": ")?;
    let is_scheme =
        |scheme: &str| !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric());
    let is_whole = match value.split_once("://") {
        Some((scheme, rest)) => is_scheme(scheme) && !rest.contains("://"),
        None => value.starts_with('/'),
    };
    if !is_whole || value.contains(char::is_whitespace) {
        return None;
    }
    let (value, fragment) = value.split_once('#').unwrap_or((value, ""));
    let (place, query) = value.split_once('?')?;
    Some(Address { name, place, parameters: query.split('&').collect(), fragment })
}

fn are_tokens(old: &str, new: &str) -> bool {
    let (Some((name, was)), Some((other, is))) = (old.split_once('='), new.split_once('=')) else {
        return false;
    };
    let has_form = |value: &str| {
        value.len() >= VALUE_BYTES_MIN && value.contains(|c: char| c.is_ascii_digit())
    };
    let lower = name.to_ascii_lowercase();
    let is_token =
        NAMES.contains(&&*lower) || BEGINNINGS.iter().any(|words| lower.starts_with(words));
    name == other && is_token && has_form(was) && has_form(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_another_token_is_the_same() {
        let at = |query: &str| format!("files[a].url: https://dl.example/a?{query}");
        let are = |old: &str, new: &str| are_of_other_tokens(&at(old), &at(new));
        assert!(are(
            "v=1&X-Sig=0f0f0f0f&Expires=1770192000",
            "v=1&X-Sig=1e1e1e1e&Expires=1770199999"
        ));
        let of_path = |time: u64| format!("links.self: /api/all?page=1&_={time}");
        assert!(are_of_other_tokens(&of_path(1_768_550_400_112), &of_path(1_769_155_200_340)));
        assert!(are("X-Amz-Date=20260101T000000Z", "X-Amz-Date=20260102T000000Z"));
        for name in ["file", "name", "id", "build", "q", "v", "version", "sha256", "commit", "key"]
        {
            let [old, new] = ["0f", "1e"].map(|hash| format!("{name}={}", hash.repeat(16)));
            assert!(!are(&old, &new), "{name}");
            let both = |value: &str, sig: &str| format!("{value}&sig={}", sig.repeat(8));
            assert!(!are(&both(&old, "0f"), &both(&new, "1e")), "{name} beside a token");
        }
        assert!(!are("token=BTC", "token=ETH"), "a coin");
        assert!(!are("cursor=2", "cursor=3"), "a page");
        assert!(!are("sig=0f0f0f0f", "sig=1e1e1e1e&beta=1"), "one more");
        assert!(!are("sig=0f0f0f0f#a1", "sig=1e1e1e1e#a2"), "another place");
        assert!(!are("sig=0f0f0f0f", "sig=0f0f0f0f"));
    }

    #[test]
    fn a_text_with_an_address_in_it_is_not_looked_into() {
        let two = |rest: &str| {
            are_of_other_tokens(
                &format!("a: https://dl.example/a?sig=0f0f0f0f{rest}"),
                &format!("a: https://dl.example/a?sig=1e1e1e1e{rest}"),
            )
        };
        assert!(two("") && !two(" is down") && !two("&to=https://dl.example/b"));
        let bare = |hash: &str| format!("a: {}", hash.repeat(16));
        assert!(!are_of_other_tokens(&bare("0f"), &bare("1e")), "a bare value");
        let path = |hash: &str| format!("a: https://dl.example/{}/a", hash.repeat(16));
        assert!(!are_of_other_tokens(&path("0f"), &path("1e")), "a build");
    }
}
