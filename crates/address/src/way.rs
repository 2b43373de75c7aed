//! How a page is looked at, besides its URL: what is sent, and what is made of the answer.

use std::fmt;

/// How a page is looked at; the default is a plain GET. Two ways that look alike are equal, however
/// they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way(Option<Box<Particulars>>);

/// What a way is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Particulars {
    pub method: Method,
    /// Sent besides what every request has: names and values.
    pub headers: Vec<(Box<str>, Box<str>)>,
    pub rendering: Rendering,
    pub credentials: Option<Credentials>,
}

/// The method of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    #[default]
    Get,
    Post,
}

/// What is made of an answer before it is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rendering {
    #[default]
    Nothing,
    /// A browser runs what the page brings along.
    Browser,
}

/// The value of an `Authorization` header. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Credentials(Box<str>);

impl Way {
    /// The way that these make: names of headers in lower case and in order.
    pub fn of(particulars: Particulars) -> Way {
        let mut made = particulars;
        for (name, _) in &mut made.headers {
            *name = name.to_lowercase().into();
        }
        made.headers.sort();
        Way((made != Particulars::default()).then(|| Box::new(made)))
    }

    /// What it is made of; nothing for a plain GET.
    pub fn particulars(&self) -> Option<&Particulars> {
        self.0.as_deref()
    }

    /// It shows who asks: what it brings is for them alone.
    pub fn has_credentials(&self) -> bool {
        self.particulars().is_some_and(|made| made.credentials.is_some())
    }
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 2] = [Method::Get, Method::Post];

    /// As requests and stores have it.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

impl Rendering {
    /// Every rendering.
    pub const ALL: [Rendering; 2] = [Rendering::Nothing, Rendering::Browser];

    /// The word that stores keep.
    pub const fn name(self) -> &'static str {
        match self {
            Rendering::Nothing => "nothing",
            Rendering::Browser => "browser",
        }
    }
}

impl Credentials {
    /// In full: for the store, and for the source itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Credentials {
    fn from(value: &str) -> Credentials {
        Credentials(value.into())
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(all: &[(&str, &str)]) -> Particulars {
        let headers = all.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        Particulars { headers, ..Particulars::default() }
    }

    #[test]
    fn ways_that_look_alike_are_equal_and_nothing_special_is_the_default() {
        let one = Way::of(headers(&[("Accept-Language", "de"), ("X-A", "1")]));
        assert_eq!(one, Way::of(headers(&[("x-a", "1"), ("accept-language", "de")])));
        assert_ne!(one, Way::of(headers(&[("x-a", "1"), ("accept-language", "fr")])));
        assert_eq!(Way::of(Particulars::default()), Way::default());
        let post = Particulars { method: Method::Post, ..Particulars::default() };
        assert_ne!(Way::of(post), Way::default());
    }

    #[test]
    fn credentials_make_a_way_somebodys_and_are_not_shown() {
        let credentials = Some("Bearer hush".into());
        let way = Way::of(Particulars { credentials, ..Particulars::default() });
        assert!(way.has_credentials() && !Way::default().has_credentials());
        assert!(!format!("{way:?}").contains("hush"));
    }
}
