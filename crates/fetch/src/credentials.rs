//! User and password of a source: sent to its origin alone.

use url::Url;

/// `target`, to which `source` led, with the user and password of `source` if both have one
/// origin, and with none otherwise: those that a redirect names are not ours to send.
pub(crate) fn of_source(source: &Url, mut target: Url) -> Url {
    let (user, password) = if source.origin() == target.origin() {
        (source.username(), source.password())
    } else {
        ("", None)
    };
    // Both fail only for URLs that cannot have credentials; those are asked of nobody.
    let _ = target.set_username(user);
    let _ = target.set_password(password);
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_go_to_their_origin_alone_whatever_a_redirect_says() {
        let source = Url::parse("https://ana:p%40ss@a.example/feed").unwrap();
        for (target, asked) in [
            ("https://a.example/new", "https://ana:p%40ss@a.example/new"),
            ("https://a.example:443/new", "https://ana:p%40ss@a.example/new"),
            ("https://eve:x@a.example/new", "https://ana:p%40ss@a.example/new"),
            ("http://a.example/feed", "http://a.example/feed"),
            ("https://a.example:8443/feed", "https://a.example:8443/feed"),
            ("https://b.a.example/feed", "https://b.a.example/feed"),
            ("https://eve:x@b.example/", "https://b.example/"),
        ] {
            assert_eq!(of_source(&source, Url::parse(target).unwrap()).as_str(), asked);
        }
    }
}
