//! What looks for people have seen, for the few minutes in which they pick a part of it.

use crate::looker::Content;
use chronon::{Instant, OwnerId, Span};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How long a page is remembered.
const KEPT: Span = Span::from_secs(30 * 60);
/// Pages that are remembered, and bytes of all their bodies; the oldest goes first.
const PAGES_MAX: usize = 32;
const BYTES_MAX: usize = 32 << 20;

/// A page that somebody looked at.
#[derive(Debug)]
pub(crate) struct Glance {
    /// Who asked; nobody else is shown it.
    pub(crate) owner: OwnerId,
    /// As the person gave it.
    pub(crate) url: Box<str>,
    pub(crate) at: Instant,
    pub(crate) content: Content,
}

/// The newest pages, by a key.
#[derive(Debug, Default)]
pub(crate) struct Glances(Mutex<VecDeque<(String, Arc<Glance>)>>);

impl Glances {
    /// Remembers a page, and says by which key.
    pub(crate) fn keep(&self, glance: Glance, now: Instant) -> String {
        let named = format!("{:?} {} {}", glance.owner, glance.at.as_millis(), glance.url);
        let key: String = blake3::hash(named.as_bytes()).to_hex().chars().take(32).collect();
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(other, page)| *other != key && page.at + KEPT > now);
        pages.push_back((key.clone(), Arc::new(glance)));
        let bytes = |pages: &VecDeque<(String, Arc<Glance>)>| {
            pages.iter().map(|(_, page)| page.content.body.len()).sum::<usize>()
        };
        while pages.len() > PAGES_MAX || (pages.len() > 1 && bytes(&pages) > BYTES_MAX) {
            pages.pop_front();
        }
        key
    }

    /// The page with this key, if this owner looked at it a short while ago.
    pub(crate) fn find(&self, owner: OwnerId, key: &str, now: Instant) -> Option<Arc<Glance>> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = pages.iter().filter(|(one, page)| one == key && page.owner == owner);
        found.next().map(|(_, page)| page).filter(|page| page.at + KEPT > now).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance(url: &str, bytes: usize, at: Instant) -> Glance {
        let body = vec![b'x'; bytes].into();
        let content = Content { body, content_type: None, final_url: url.to_owned() };
        Glance { owner: OwnerId::FIRST, url: url.into(), at, content }
    }

    #[test]
    fn a_page_is_remembered_for_its_owner_for_a_while() {
        let (glances, now) = (Glances::default(), Instant::from_millis(1_800_000_000_000));
        let key = glances.keep(glance("https://a.example/", 1, now), now);
        assert!(glances.find(OwnerId::FIRST, &key, now).is_some());
        assert!(glances.find(OwnerId(7), &key, now).is_none());
        assert!(glances.find(OwnerId::FIRST, "x", now).is_none());
        assert!(glances.find(OwnerId::FIRST, &key, now + KEPT).is_none());
    }

    #[test]
    fn the_oldest_goes_when_there_are_too_many_or_too_large_ones() {
        let (glances, now) = (Glances::default(), Instant::from_millis(1_800_000_000_000));
        let first = glances.keep(glance("https://a.example/0", 1, now), now);
        for nth in 1..=PAGES_MAX {
            glances.keep(glance(&format!("https://a.example/{nth}"), 1, now), now);
        }
        assert!(glances.find(OwnerId::FIRST, &first, now).is_none());
        let large = glances.keep(glance("https://b.example/", BYTES_MAX, now), now);
        assert!(glances.find(OwnerId::FIRST, &large, now).is_some());
        assert_eq!(glances.0.lock().unwrap().len(), 1);
    }
}
