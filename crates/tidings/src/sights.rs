//! What people saw of pages that nobody watches yet: the first look of a sentinel is theirs.
//!
//! Add shows a page, and a person decides by it. A change between that look and the first one of
//! the sentinel would be its baseline, and never told. So the first look at an address is answered
//! with what the person saw, and asks its site nothing.

use address::SourceUrl;
use chronon::{Instant, Span};
use fetch::{Answer, Outcome};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// How long an answer may be the first look of a sentinel.
const KEPT: Span = Span::from_secs(30 * 60);
/// Answers that are remembered, and bytes of all their bodies; the oldest goes first.
const ANSWERS_MAX: usize = 64;
const BYTES_MAX: u64 = 32 << 20;

/// Answers to looks for people, each for one use. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Sights(Arc<Mutex<VecDeque<Sight>>>);

#[derive(Debug)]
struct Sight {
    of: Of,
    at: Instant,
    answer: Answer,
}

/// What was asked, and for whose page: a password in a source's address is for that source only.
#[derive(Debug, PartialEq, Eq)]
struct Of {
    url: String,
    source: String,
}

impl Of {
    fn new(url: &str, source: &SourceUrl) -> Of {
        let plain = |url: &str| match Url::parse(url) {
            Ok(mut url) => {
                url.set_fragment(None);
                url.to_string()
            }
            Err(_) => url.to_owned(),
        };
        let url = plain(&address::without_credentials(url));
        Of { url, source: plain(source.reveal()) }
    }
}

impl Sights {
    /// Remembers what was answered, if it is a page or leads to one.
    pub fn keep(&self, url: &str, source: &SourceUrl, answer: &Answer, now: Instant) {
        if !matches!(answer.outcome, Outcome::Content(_) | Outcome::Moved { .. }) {
            return;
        }
        let of = Of::new(url, source);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|sight| sight.of != of && sight.at + KEPT > now);
        // Nothing goes over the wire for it again.
        all.push_back(Sight { of, at: now, answer: Answer { wire_bytes: 0, ..answer.clone() } });
        let bytes =
            |all: &VecDeque<Sight>| all.iter().map(|one| one.answer.body_bytes).sum::<u64>();
        while all.len() > ANSWERS_MAX || bytes(&all) > BYTES_MAX {
            all.pop_front();
        }
    }

    /// What a person saw there a short while ago; nobody is given it a second time.
    pub fn take(&self, url: &str, source: &SourceUrl, now: Instant) -> Option<Answer> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nearly every look asks in vain.
        if all.is_empty() {
            return None;
        }
        let of = Of::new(url, source);
        let at = all.iter().position(|sight| sight.of == of && sight.at + KEPT > now)?;
        all.remove(at).map(|sight| sight.answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant::from_millis(1_800_000_000_000);

    fn answer(outcome: Outcome, body_bytes: u64) -> Answer {
        Answer { outcome, body_bytes, wire_bytes: 9 }
    }

    fn moved() -> Answer {
        answer(Outcome::Moved { to: "https://b.example/".to_owned() }, 1)
    }

    #[test]
    fn an_answer_is_used_once_for_the_page_it_is_of_and_for_a_while() {
        let (sights, url) = (Sights::default(), "https://a.example/x");
        let (own, other) = (SourceUrl::from(url), SourceUrl::from("https://me:pw@a.example/x"));
        sights.keep(url, &own, &moved(), NOW);
        assert_eq!(sights.take(url, &other, NOW), None, "its password was not sent");
        let later = NOW + Span::MINUTE;
        let taken = sights.take("https://a.example/x#top", &own, later);
        assert_eq!(taken.map(|answer| answer.wire_bytes), Some(0));
        assert_eq!(sights.take(url, &own, later), None, "once");
        sights.keep(url, &own, &moved(), NOW);
        assert_eq!(sights.take(url, &own, NOW + KEPT), None, "too old");
        let sights = Sights::default();
        sights.keep(url, &own, &answer(Outcome::NotModified, 0), NOW);
        assert_eq!(sights.take(url, &own, NOW), None, "it is no page");
    }

    #[test]
    fn the_oldest_goes_when_there_are_too_many_or_too_large_ones() {
        let sights = Sights::default();
        let keep = |name: usize, bytes: u64| {
            let url = format!("https://a.example/{name}");
            let outcome = moved().outcome;
            sights.keep(&url, &SourceUrl::from(&*url), &answer(outcome, bytes), NOW);
        };
        (0..=ANSWERS_MAX).for_each(|name| keep(name, 1));
        let count = || sights.0.lock().expect("nobody panics").len();
        assert_eq!(count(), ANSWERS_MAX);
        keep(1_000, BYTES_MAX);
        assert_eq!(count(), 1);
        keep(1_001, BYTES_MAX + 1);
        assert_eq!(count(), 0, "one that is too large by itself is not kept");
    }
}
