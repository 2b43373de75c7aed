//! Sources by their addresses.

use address::SourceUrl;
use chronon::SourceId;
use std::collections::{BTreeMap, BTreeSet};

/// Every source by its URL, and those with a secret also by what is shown of it.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    all: BTreeMap<SourceUrl, SourceId>,
    secret: BTreeSet<(Box<str>, SourceId)>,
}

impl Addresses {
    pub(super) fn insert(&mut self, url: SourceUrl, source: SourceId) {
        if url.credentials().is_some() {
            self.secret.insert((url.shown().into(), source));
        }
        self.all.insert(url, source);
    }

    pub(super) fn remove(&mut self, url: &SourceUrl) {
        if let Some(source) = self.all.remove(url) {
            self.secret.remove(&(url.shown().into(), source));
        }
    }

    /// The source with exactly this URL.
    pub(super) fn exact(&self, url: &SourceUrl) -> Option<SourceId> {
        self.all.get(url).copied()
    }

    /// The source a person means: the one with this URL, else the oldest that is shown as it.
    pub(super) fn meant(&self, url: &str) -> Option<SourceId> {
        self.exact(&url.into()).or_else(|| {
            let from = (Box::from(url), SourceId(0));
            let (shown, source) = self.secret.range(from..).next()?;
            (**shown == *url).then_some(*source)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_found_by_what_is_shown_of_it_until_it_is_removed() {
        let secret = SourceUrl::from("https://ana:b@a.example/");
        let mut addresses = Addresses::default();
        addresses.insert(secret.clone(), SourceId(1));
        addresses.insert("https://z.example/".into(), SourceId(2));
        assert_eq!(addresses.meant("https://a.example/"), Some(SourceId(1)));
        assert_eq!(addresses.meant("https://ana:b@a.example/"), Some(SourceId(1)));
        assert_eq!(addresses.meant("https://a.example"), None);
        assert_eq!(addresses.exact(&"https://a.example/".into()), None, "another source");
        addresses.insert("https://a.example/".into(), SourceId(3));
        assert_eq!(addresses.meant("https://a.example/"), Some(SourceId(3)));
        addresses.remove(&"https://a.example/".into());
        addresses.remove(&secret);
        assert_eq!(addresses.meant("https://a.example/"), None);
    }
}
