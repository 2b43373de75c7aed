//! The address by which people reach the server, where it differs from the one it listens on.

/// `public_url`: an origin, and the path below which everything is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    /// As `https://home.example`, the way browsers write it.
    origin: String,
    host: String,
    /// Empty, or as `/tidings`.
    base: String,
}

/// First parts of our own paths: below one of them nothing else can be found.
const TAKEN: [&str; 24] = [
    "add",
    "api",
    "assets",
    "channels",
    "f",
    "feeds",
    "fragments",
    "healthz",
    "help",
    "inbox",
    "l",
    "login",
    "logout",
    "metrics",
    "notifications",
    "pick",
    "plan",
    "readyz",
    "rules",
    "sentinels",
    "settings",
    "sources",
    "version",
    "watches",
];

impl PublicUrl {
    /// Reads an `http` or `https` address with nothing behind its path.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence.
    pub fn parse(text: &str) -> Result<PublicUrl, String> {
        let wrong = || {
            "must be an address as https://home.example/ or https://home.example/tidings/"
                .to_owned()
        };
        let url = url::Url::parse(text).map_err(|_| wrong())?;
        let bare = url.username().is_empty() && url.password().is_none();
        let ends = url.query().is_none() && url.fragment().is_none();
        let web = matches!(url.scheme(), "http" | "https");
        let Some(host) = url.host_str().filter(|_| bare && ends && web) else {
            return Err(wrong());
        };
        let base = url.path().trim_end_matches('/');
        let fine = |c: char| c.is_ascii_alphanumeric() || "/-._~".contains(c);
        if !base.chars().all(fine) || base.contains("//") {
            return Err("must have a path of letters, digits, `-`, `.`, `_`, `~` only".to_owned());
        }
        let first = base.split('/').nth(1).unwrap_or_default();
        if TAKEN.contains(&first) {
            return Err(format!("must not have a path that begins with /{first}: Tidings has one"));
        }
        Ok(PublicUrl {
            origin: url.origin().ascii_serialization(),
            host: host.to_owned(),
            base: base.to_owned(),
        })
    }

    /// With a slash at its end.
    pub fn home(&self) -> String {
        format!("{}{}/", self.origin, self.base)
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether a name, without its port, is that of this address.
    pub(crate) fn is_host(&self, name: &str) -> bool {
        self.host.eq_ignore_ascii_case(name)
    }

    pub(crate) fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_an_origin_and_a_base() {
        for (text, home, base) in [
            ("https://Home.Example", "https://home.example/", ""),
            ("https://home.example:443/tidings/", "https://home.example/tidings/", "/tidings"),
            ("http://[::1]:8080/a/b", "http://[::1]:8080/a/b/", "/a/b"),
        ] {
            let url = PublicUrl::parse(text).expect(text);
            assert_eq!((url.home(), url.base()), (home.to_owned(), base), "{text}");
        }
    }

    #[test]
    fn what_is_no_public_address_is_refused() {
        for text in [
            "",
            "home.example",
            "ftp://home.example/",
            "https://u:p@home.example/",
            "https://home.example/?a=b",
            "https://home.example/#x",
            "https://home.example/a;b/",
            "https://home.example/a//b/",
            "https://home.example/a%20b",
            "https://home.example/api/",
            "https://home.example/login",
        ] {
            assert!(PublicUrl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn our_own_paths_are_taken() {
        let routes = [include_str!("dashboard.rs"), include_str!("api.rs")];
        let places = routes.iter().flat_map(|text| text.split(".route(\"/").skip(1));
        let firsts = places.map(|place| place.split(['/', '"']).next().unwrap_or_default());
        let mut firsts: Vec<&str> = firsts.filter(|first| !first.is_empty()).collect();
        firsts.push(crate::api::PREFIX.trim_start_matches('/').split('/').next().expect("a part"));
        // Below the API's own.
        firsts.retain(|first| *first != "openapi.json");
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts, TAKEN);
    }
}
